/* SPDX-License-Identifier: Apache-2.0 */
#include "pairs.h"

#include <stdio.h>
#include <string.h>

void wgdn_pairs_add(wgdn_pairs *p, const char *prefix, const char *key, const char *value)
{
    const int i = p->count++;
    snprintf(p->key[i], sizeof p->key[i], "%s%s", prefix, key);
    snprintf(p->value[i], sizeof p->value[i], "%s", value);
    p->pair[i] = (wgdn_text_pair){p->key[i], p->value[i]};
}

void wgdn_pairs_lend(wgdn_pairs *p, const char *key, const char *value)
{
    if (value) p->pair[p->count++] = (wgdn_text_pair){key, value};
}

bool wgdn_how_not_what(const char *name)
{
    return strcmp(name, "threads") == 0 || strcmp(name, "workspace") == 0;
}

/* Files of runs without it are as they were before there was such an option. */
static bool unused(const char *name, const char *value)
{
    if (strcmp(name, "ids") == 0) return true; /* they are there, or not */
    return strcmp(name, "patience") == 0 && strcmp(value, "0") == 0;
}

wgdn_status wgdn_pairs_add_options(wgdn_pairs *p, wgdn_options_kind kind, const void *o,
                                   wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    for (size_t i = 0; i < set->count; i++) {
        const char *name = set->row[i].name;
        char value[WGDN_PAIR_TEXT];
        const wgdn_status st = wgdn_option_get_text(value, sizeof value, o, set, name, err);
        if (st) return st;
        if (!wgdn_how_not_what(name) && !unused(name, value))
            wgdn_pairs_add(p, "option.", name, value);
    }
    return WGDN_OK;
}

wgdn_status wgdn_pairs_read_options(void *o, wgdn_options_kind kind, const wgdn_archive *a,
                                    const char *path, wgdn_error *err)
{
    wgdn_error why = {WGDN_OK, ""};
    for (int64_t i = 0; i < a->metadata_count; i++) {
        const wgdn_text_pair *p = &a->metadata[i];
        if (strncmp(p->key, "option.", 7) != 0) continue;
        if (wgdn_options_set(kind, o, p->key + 7, p->value, &why))
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %.180s", path, why.message);
    }
    return WGDN_OK;
}

wgdn_tensor wgdn_tensor_of(const char *name, const float *data, int64_t rows, int64_t cols)
{
    return (wgdn_tensor){.name = name,
                         .dtype = WGDN_F32,
                         .rank = 2,
                         .shape = {rows, cols},
                         .width = sizeof *data,
                         .data = data};
}

wgdn_status wgdn_tensor_fetch(float *to, const wgdn_archive *a, const wgdn_tensor *shape,
                              const char *path, wgdn_error *err)
{
    const int64_t rows = shape->shape[0], cols = shape->shape[1];
    const wgdn_tensor *t = wgdn_archive_find(a, shape->name);
    if (!t || t->dtype != WGDN_F32 || t->rank != 2 || t->shape[0] != rows || t->shape[1] != cols)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: tensor %s of %lld x %lld floats is not there",
                         path, shape->name, (long long)rows, (long long)cols);
    memcpy(to, t->data, (size_t)(rows * cols) * sizeof *to);
    return WGDN_OK;
}

wgdn_status wgdn_pairs_version(const wgdn_archive *a, const char *path, wgdn_error *err)
{
    const char *version = wgdn_archive_metadata(a, "wgdn.version");
    if (version && strcmp(version, "1") == 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: its version is %.20s; this library reads version 1: take a newer one",
                     path, version ? version : "missing");
}
