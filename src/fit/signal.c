/* SPDX-License-Identifier: Apache-2.0 */
/* R X V by rows or by columns: made once where there is a V, else X with its rows scaled. */
#include "columns.h"

#include <string.h>

/* Columns [at, at + width) of R X. */
typedef struct taking {
    const wgdn_fit_input *in;
    float *to; /* rows x width */
    int64_t first, at, width;
} taking;

static void take_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const taking *t = context;
    const wgdn_csr *x = t->in->x.sparse;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t row = t->first + i;
        float *to = t->to + i * t->width;
        const float r = t->in->inv_norm[row];
        for (int64_t j = 0; !x && j < t->width; j++)
            to[j] = r * t->in->x.dense[row * t->in->features + t->at + j];
        if (x) memset(to, 0, (size_t)t->width * sizeof *to);
        for (int64_t k = x ? x->offset[row] : 0; x && k < x->offset[row + 1]; k++) {
            const int64_t j = x->column[k] - t->at;
            if (j >= 0 && j < t->width) to[j] = r * (x->value ? x->value[k] : 1);
        }
    }
}

/* R X V of a chunk of rows. */
static wgdn_status multiply(float *rows, const wgdn_fit_input *in, wgdn_span here, const float *v,
                            int64_t k, wgdn_error *err)
{
    wgdn_fit_input part = *in;
    const int64_t first = wgdn_chunk_first(here);
    part.rows = here;
    part.inv_norm += first;
    if (in->x.sparse) {
        part.x.csr = *in->x.sparse;
        part.x.csr.rows = here.count;
        part.x.csr.offset += first;
        part.x.sparse = &part.x.csr;
    } else {
        part.x.dense += first * in->features;
    }
    return wgdn_scaled_product(rows, &part, v, k, err);
}

wgdn_status wgdn_signal_open(wgdn_signal *s, const wgdn_fitted_part *p, const wgdn_fit_input *in,
                             int64_t k, wgdn_error *err)
{
    *s = (wgdn_signal){.in = in, .k = k};
    if (!p->basis) return WGDN_OK;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(in->rows), (size_t)k * sizeof *rows);
    wgdn_status st = wgdn_columns_open(&s->made, in, k, err);
    if (!st && !rows) st = wgdn_fail(err, WGDN_ENOMEM, "features: a chunk of rows");
    st = wgdn_span_agree(in->rows, st, err);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        const wgdn_span here = wgdn_chunk(in->rows, i);
        st = multiply(rows, in, here, p->basis, k, err);
        if (!st) wgdn_columns_put_rows(&s->made, wgdn_chunk_first(here), here.count, rows);
    }
    s->there = true;
    wgdn_release(rows);
    return st;
}

void wgdn_signal_close(wgdn_signal *s)
{
    wgdn_columns_close(&s->made);
}

void wgdn_signal_rows(float *rows, const wgdn_signal *s, int64_t first, int64_t count)
{
    taking t = {.in = s->in, .to = rows, .first = first, .width = s->k};
    if (s->there)
        wgdn_columns_get_rows(rows, &s->made, first, count);
    else
        wgdn_for_blocks(wgdn_alone(count), take_columns, &t, NULL, 0, NULL);
}

void wgdn_signal_slab(float *slab, const wgdn_signal *s, int64_t at, int64_t width)
{
    taking t = {.in = s->in, .to = slab, .at = at, .width = width};
    if (s->there)
        wgdn_columns_get(slab, &s->made, at);
    else
        wgdn_for_blocks(s->in->rows, take_columns, &t, NULL, 0, NULL);
}
