/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns that one row alone has say nothing of other rows but how long this one is. All of a row
 * become one column with the same length: a rotation, after which products of rows, and so linear
 * machines, are what they were. Of the subtrees in a set of large graphs most go this way.
 */
#include "eval.h"

#include <math.h>

/* The new number of each column, -1 if it is a singleton; gives how many are not. */
static int64_t number(int32_t *at, const wgdn_csr *a)
{
    int64_t shared = 0;
    for (int64_t j = 0; j < a->cols; j++)
        at[j] = 0;
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        at[a->column[k]]++;
    for (int64_t j = 0; j < a->cols; j++)
        at[j] = at[j] > 1 ? (int32_t)shared++ : -1;
    return shared;
}

static int64_t fold_row(wgdn_csr *out, int64_t to, const wgdn_csr *a, int64_t i, const int32_t *at,
                        int64_t shared)
{
    double squares = 0;
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
        const float x = a->value ? a->value[k] : 1;
        if (at[a->column[k]] < 0) {
            squares += (double)x * x;
        } else {
            out->column[to] = at[a->column[k]];
            out->value[to++] = x;
        }
    }
    if (squares > 0) {
        out->column[to] = (int32_t)(shared + i);
        out->value[to++] = (float)sqrt(squares);
    }
    return to;
}

wgdn_status wgdn_fold_singletons(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err)
{
    const size_t entries = (size_t)wgdn_csr_entries(a);
    int32_t *at = wgdn_alloc((size_t)a->cols, sizeof *at);
    wgdn_csr made = {.rows = a->rows,
                     .offset = wgdn_alloc((size_t)a->rows + 1, sizeof *made.offset),
                     .column = wgdn_alloc(entries, sizeof *made.column),
                     .value = wgdn_alloc(entries, sizeof *made.value)};
    if (!at || !made.offset || !made.column || !made.value) {
        wgdn_release(at);
        wgdn_csr_free(&made);
        return wgdn_fail(err, WGDN_ENOMEM, "columns of %lld rows", (long long)a->rows);
    }
    const int64_t shared = number(at, a);
    made.offset[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        made.offset[i + 1] = fold_row(&made, made.offset[i], a, i, at, shared);
    made.cols = shared + a->rows;
    wgdn_release(at);
    *out = made;
    return WGDN_OK;
}
