/* SPDX-License-Identifier: Apache-2.0 */
#include "features.h"

/* Row i of f behind `at`, its columns from `first` on; gives the new end. */
static int64_t add_row(wgdn_csr *a, int64_t at, const wgdn_features *f, int64_t i, int64_t first)
{
    const wgdn_csr *s = &f->sparse;
    for (int64_t j = 0; f->dense && j < f->width; j++) {
        if (f->dense[i * f->width + j] == 0) continue;
        a->column[at] = (int32_t)(first + j);
        a->value[at++] = f->dense[i * f->width + j];
    }
    for (int64_t k = f->dense ? 0 : s->offset[i]; !f->dense && k < s->offset[i + 1]; k++) {
        a->column[at] = (int32_t)(first + s->column[k]);
        a->value[at++] = s->value ? s->value[k] : 1;
    }
    return at;
}

wgdn_status wgdn_features_join(wgdn_features *out, const wgdn_features *part, int64_t parts,
                               wgdn_error *err)
{
    wgdn_csr a = {.rows = part[0].rows};
    int64_t entries = 0, at = 0;
    for (int64_t p = 0; p < parts; p++) {
        a.cols += part[p].width;
        entries += part[p].entries;
    }
    if (a.cols > WGDN_COLUMNS_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "features: %lld columns; the most are 2^31 - 1",
                         (long long)a.cols);
    a.offset = wgdn_alloc_zero((size_t)a.rows + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)entries, sizeof *a.column);
    a.value = wgdn_alloc((size_t)entries, sizeof *a.value);
    if (!a.offset || !a.column || !a.value) {
        wgdn_csr_free(&a);
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld entries", (long long)entries);
    }
    for (int64_t i = 0; i < a.rows; i++) {
        int64_t first = 0;
        for (int64_t p = 0; p < parts; p++) {
            at = add_row(&a, at, &part[p], i, first);
            first += part[p].width;
        }
        a.offset[i + 1] = at;
    }
    wgdn_status st = wgdn_features_from_csr(out, &a, "features", err);
    if (!st) st = wgdn_features_settle(out, err);
    if (st) wgdn_features_free(out);
    return st;
}
