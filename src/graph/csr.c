/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

void wgdn_csr_free(wgdn_csr *a)
{
    wgdn_release(a->value);
    wgdn_release(a->column);
    wgdn_release(a->offset);
    *a = (wgdn_csr){0};
}

/*
 * Counting sort by column. Rows are visited in order, so the new columns ascend and no row needs
 * sorting afterwards.
 */
void wgdn_csr_turn(wgdn_csr *t, int64_t *entry, const wgdn_csr *a)
{
    const int64_t entries = wgdn_csr_entries(a);
    t->rows = a->cols;
    t->cols = a->rows;
    for (int64_t j = 0; j <= t->rows; j++)
        t->offset[j] = 0;
    for (int64_t k = 0; k < entries; k++)
        t->offset[a->column[k] + 1]++;
    for (int64_t j = 0; j < t->rows; j++)
        t->offset[j + 1] += t->offset[j];
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t at = t->offset[a->column[k]]++; /* now the start of the next row */
            t->column[at] = (int32_t)i;
            if (entry) entry[at] = k;
            if (t->value) t->value[at] = a->value[k];
        }
    for (int64_t j = t->rows; j > 0; j--)
        t->offset[j] = t->offset[j - 1];
    t->offset[0] = 0;
}

wgdn_status wgdn_csr_transpose(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(a);
    wgdn_csr t = {0};

    if (a->rows > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "transpose: %lld rows do not fit 32-bit columns",
                         (long long)a->rows);
    t.offset = wgdn_alloc((size_t)a->cols + 1, sizeof *t.offset);
    t.column = wgdn_alloc((size_t)entries, sizeof *t.column);
    if (a->value) t.value = wgdn_alloc((size_t)entries, sizeof *t.value);
    if (!t.offset || !t.column || (a->value && !t.value)) {
        wgdn_csr_free(&t);
        return wgdn_fail(err, WGDN_ENOMEM, "transpose: %lld x %lld with %lld entries",
                         (long long)a->rows, (long long)a->cols, (long long)entries);
    }
    wgdn_csr_turn(&t, NULL, a);
    *out = t;
    return WGDN_OK;
}

void wgdn_csr_merge(wgdn_csr *a)
{
    int64_t kept = 0, start = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t end = a->offset[i + 1];
        int32_t last = -1;
        for (int64_t k = start; k < end; k++)
            if (a->column[k] != last) last = a->column[kept++] = a->column[k];
        a->offset[i + 1] = kept;
        start = end;
    }
}
