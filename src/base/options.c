/* SPDX-License-Identifier: Apache-2.0 */
/* One row per option: where it lies, what it may be, what it is when nobody says. */
#include "base.h"

#include <string.h>

typedef enum { OPTION_INT, OPTION_DOUBLE, OPTION_SEED } option_kind;

_Static_assert(sizeof(wgdn_fit_mode) == sizeof(int), "enumerations are read as integers");

typedef struct option {
    const char *name;
    option_kind kind;
    size_t offset;
    double least, most, usual;
} option;

#define FIELD(type, field) #field, OPTION_INT, offsetof(type, field)
#define FIELD_OF(kind, type, field) #field, OPTION_##kind, offsetof(type, field)

static const option compute_options[] = {
    {FIELD(wgdn_compute_options, threads), 0, 4096, 0},
};

static const option apply_options[] = {
    {FIELD(wgdn_apply_options, order), 0, 64, 24},
    {FIELD(wgdn_apply_options, fit), 0, WGDN_FIT_REMEZ, WGDN_FIT_ONE_STEP},
    {FIELD(wgdn_apply_options, threads), 0, 4096, 0},
};

static const option restore_options[] = {
    {FIELD(wgdn_restore_options, mode), 0, WGDN_RESTORE_INVERSE, WGDN_RESTORE_AVERAGE},
    {FIELD(wgdn_restore_options, noise), 0, WGDN_NOISE_FLOOR, WGDN_NOISE_NEIGHBOURS},
    {FIELD_OF(DOUBLE, wgdn_restore_options, sigma), 0, 1e30, 0},
    {FIELD_OF(DOUBLE, wgdn_restore_options, gamma), 1e-9, 1e9, 1},
    {FIELD(wgdn_restore_options, average), 0, WGDN_AVERAGE_COLUMN, WGDN_AVERAGE_ROW},
    {FIELD(wgdn_restore_options, order), 0, 64, 24},
    {FIELD(wgdn_restore_options, fit), 0, WGDN_FIT_REMEZ, WGDN_FIT_ONE_STEP},
    {FIELD(wgdn_restore_options, moments), 8, 4096, 64},
    {FIELD(wgdn_restore_options, probes), 1, 1024, 128},
    {FIELD_OF(SEED, wgdn_restore_options, seed), 0, 0x1p64, 1},
    {FIELD(wgdn_restore_options, threads), 0, 4096, 0},
};

static const option density_options[] = {
    {FIELD(wgdn_density_options, moments), 8, 4096, 64},
    {FIELD(wgdn_density_options, probes), 1, 1024, 128},
    {FIELD_OF(SEED, wgdn_density_options, seed), 0, 0x1p64, 1},
    {FIELD(wgdn_density_options, threads), 0, 4096, 0},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static size_t field_size(const option *o)
{
    switch (o->kind) {
    case OPTION_INT: return sizeof(int);
    case OPTION_DOUBLE: return sizeof(double);
    case OPTION_SEED: return sizeof(uint64_t);
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
        case OPTION_DOUBLE: *(double *)(void *)field = table[i].usual; break;
        case OPTION_SEED: *(uint64_t *)(void *)field = (uint64_t)table[i].usual; break;
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
        case OPTION_DOUBLE: value = *(const double *)(const void *)field; break;
        case OPTION_SEED: value = (double)*(const uint64_t *)(const void *)field; break;
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

void wgdn_apply_options_init_sized(wgdn_apply_options *o, size_t size)
{
    memset(o, 0, size);
    o->struct_size = size;
    set_defaults(o, size, apply_options, COUNT(apply_options));
}

wgdn_status wgdn_apply_options_read(wgdn_apply_options *out, const wgdn_apply_options *in,
                                    wgdn_error *err)
{
    return read_options(out, sizeof *out, in, "apply options", apply_options, COUNT(apply_options),
                        err);
}

void wgdn_restore_options_init_sized(wgdn_restore_options *o, size_t size)
{
    memset(o, 0, size);
    o->struct_size = size;
    set_defaults(o, size, restore_options, COUNT(restore_options));
}

wgdn_status wgdn_restore_options_read(wgdn_restore_options *out, const wgdn_restore_options *in,
                                      wgdn_error *err)
{
    return read_options(out, sizeof *out, in, "restore options", restore_options,
                        COUNT(restore_options), err);
}

void wgdn_density_options_init_sized(wgdn_density_options *o, size_t size)
{
    memset(o, 0, size);
    o->struct_size = size;
    set_defaults(o, size, density_options, COUNT(density_options));
}

wgdn_status wgdn_density_options_read(wgdn_density_options *out, const wgdn_density_options *in,
                                      wgdn_error *err)
{
    return read_options(out, sizeof *out, in, "density options", density_options,
                        COUNT(density_options), err);
}
