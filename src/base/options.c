/* SPDX-License-Identifier: Apache-2.0 */
/* One row per option: where it lies, what it may be, what it is when nobody says. */
#include "base.h"

#include <string.h>

typedef enum { OPTION_INT, OPTION_INT64 } option_kind;

typedef struct option {
    const char *name;
    option_kind kind;
    size_t offset;
    double least, most, usual;
} option;

#define FIELD(type, field) #field, OPTION_INT, offsetof(type, field)
#define FIELD64(type, field) #field, OPTION_INT64, offsetof(type, field)

static const option compute_options[] = {
    {FIELD(wgdn_compute_options, threads), 0, 4096, 0},
};

static const option dataset_options[] = {
    {FIELD(wgdn_dataset_options, format), 0, WGDN_FORMAT_SAFETENSORS, WGDN_FORMAT_AUTO},
    {FIELD(wgdn_dataset_options, header), 0, 2, 0},
    {FIELD(wgdn_dataset_options, binarise), 0, 1, 0},
    {FIELD(wgdn_dataset_options, threads), 0, 4096, 0},
    {FIELD64(wgdn_dataset_options, most_nodes), 1, 2147483647, 2147483647},
    {FIELD64(wgdn_dataset_options, most_entries), 0, 0x1p46, 0x1p46},
    {FIELD64(wgdn_dataset_options, most_bytes), 0, 0x1p46, 0x1p40},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static size_t field_size(const option *o)
{
    switch (o->kind) {
    case OPTION_INT: return sizeof(int);
    case OPTION_INT64: return sizeof(int64_t);
    }
    return 0;
}

/* The defaults of those fields that a struct of this size has; the rest stays untouched. */
static void set_defaults(void *base, size_t size, const option *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *field = (char *)base + table[i].offset;
        if (table[i].offset + field_size(&table[i]) > size) continue;
        switch (table[i].kind) {
        case OPTION_INT: *(int *)(void *)field = (int)table[i].usual; break;
        case OPTION_INT64: *(int64_t *)(void *)field = (int64_t)table[i].usual; break;
        }
    }
}

static wgdn_status check(const void *base, const char *what, const option *table, size_t count,
                         wgdn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *field = (const char *)base + table[i].offset;
        double value = 0;
        switch (table[i].kind) {
        case OPTION_INT: value = *(const int *)(const void *)field; break;
        case OPTION_INT64: value = (double)*(const int64_t *)(const void *)field; break;
        }
        if (!(value >= table[i].least && value <= table[i].most))
            return wgdn_fail(err, WGDN_EINVAL, "%s: %s = %g is not within %g .. %g", what,
                             table[i].name, value, table[i].least, table[i].most);
    }
    return WGDN_OK;
}

/* Defaults, then as many bytes of the caller's struct as both sides know. */
static wgdn_status read_options(void *out, size_t size, const void *in, const char *what,
                                const option *table, size_t count, wgdn_error *err)
{
    size_t given = size;
    memset(out, 0, size);
    set_defaults(out, size, table, count);
    if (in) {
        memcpy(&given, in, sizeof given);
        if (given < sizeof(size_t))
            return wgdn_fail(err, WGDN_EINVAL,
                             "%s: struct_size is %zu: set the struct up with its _init call", what,
                             given);
        memcpy(out, in, given < size ? given : size);
    }
    memcpy(out, &size, sizeof size);
    return check(out, what, table, count, err);
}

void wgdn_compute_options_init_sized(wgdn_compute_options *o, size_t size)
{
    memset(o, 0, size);
    o->struct_size = size;
    set_defaults(o, size, compute_options, COUNT(compute_options));
}

wgdn_status wgdn_compute_options_read(wgdn_compute_options *out, const wgdn_compute_options *in,
                                      wgdn_error *err)
{
    return read_options(out, sizeof *out, in, "compute options", compute_options,
                        COUNT(compute_options), err);
}

void wgdn_dataset_options_init_sized(wgdn_dataset_options *o, size_t size)
{
    memset(o, 0, size);
    o->struct_size = size;
    set_defaults(o, size, dataset_options, COUNT(dataset_options));
}

wgdn_status wgdn_dataset_options_read(wgdn_dataset_options *out, const wgdn_dataset_options *in,
                                      wgdn_error *err)
{
    return read_options(out, sizeof *out, in, "dataset options", dataset_options,
                        COUNT(dataset_options), err);
}
