/* SPDX-License-Identifier: Apache-2.0 */
/* R X V by rows or by columns: made once where there is a V, else X with its rows scaled. */
#include "columns.h"

#include <string.h>

/* Columns [at, at + width) of R X. */
typedef struct taking {
    const wgdn_fit_input *in;
    float *to; /* rows x width */
    int64_t at, width;
} taking;

static void take_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const taking *t = context;
    const wgdn_csr *x = t->in->x.sparse;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *to = t->to + i * t->width;
        const float r = t->in->inv_norm[i];
        for (int64_t j = 0; !x && j < t->width; j++)
            to[j] = r * t->in->x.dense[i * t->in->features + t->at + j];
        if (x) memset(to, 0, (size_t)t->width * sizeof *to);
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++) {
            const int64_t j = x->column[k] - t->at;
            if (j >= 0 && j < t->width) to[j] = r * (x->value ? x->value[k] : 1);
        }
    }
}

/* Rows of R X have length 1. What is left of one that the basis does not reach is mostly rounding,
 * which must not be scaled to length 1 later. */
static const double reached = 1e-2;

typedef struct clearing {
    float *rows;
    int64_t k;
} clearing;

static void clear_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const clearing *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *row = c->rows + i * c->k;
        double sum = 0;
        for (int64_t j = 0; j < c->k; j++)
            sum += (double)row[j] * row[j];
        if (sum < reached * reached) memset(row, 0, (size_t)c->k * sizeof *row);
    }
}

wgdn_status wgdn_signal_open(wgdn_signal *s, const float *v, const wgdn_fit_input *in, int64_t k,
                             wgdn_error *err)
{
    *s = (wgdn_signal){.in = in, .k = k};
    if (!v) return WGDN_OK;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(in->rows), (size_t)k * sizeof *rows);
    wgdn_status st = wgdn_columns_open(&s->made, in, k, err);
    if (!st && !rows) st = wgdn_fail(err, WGDN_ENOMEM, "features: a chunk of rows");
    st = wgdn_span_agree(in->rows, st, err);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        const wgdn_span here = wgdn_chunk(in->rows, i);
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, here);
        st = wgdn_scaled_product(rows, &part, v, k, err);
        clearing c = {rows, k};
        if (!st) wgdn_for_blocks(here, clear_rows, &c, NULL, 0, NULL);
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

static void take(float *to, const wgdn_fit_input *in, wgdn_span chunk, int64_t at, int64_t width)
{
    wgdn_fit_input part;
    taking t = {.in = &part, .to = to, .at = at, .width = width};
    wgdn_fit_rows(&part, in, chunk);
    wgdn_for_blocks(chunk, take_columns, &t, NULL, 0, NULL);
    wgdn_fit_forget(&part);
}

void wgdn_signal_rows(float *rows, const wgdn_signal *s, wgdn_span chunk)
{
    if (s->there)
        wgdn_columns_get_rows(rows, &s->made, wgdn_chunk_first(chunk), chunk.count);
    else
        take(rows, s->in, chunk, 0, s->k);
}

void wgdn_signal_slab(float *slab, const wgdn_signal *s, int64_t at, int64_t width)
{
    const wgdn_span all = s->in->rows;
    if (s->there) wgdn_columns_get(slab, &s->made, at);
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !s->there; i++) {
        const wgdn_span chunk = wgdn_chunk(all, i);
        take(slab + wgdn_chunk_first(chunk) * width, s->in, chunk, at, width);
    }
}

bool wgdn_signal_spread(wgdn_columns *to, const wgdn_signal *s, float *room)
{
    const wgdn_span all = s->in->rows;
    const bool many = to->k > 2 * to->width,
               fits = wgdn_chunk_rows(all) * to->k <= to->rows * to->width;
    if (!s->in->room.slab || s->there || !many || !fits) return false;
    for (int64_t i = 0; i < wgdn_chunk_count(all); i++) {
        const wgdn_span chunk = wgdn_chunk(all, i);
        wgdn_signal_rows(room, s, chunk);
        wgdn_columns_put_rows(to, wgdn_chunk_first(chunk), chunk.count, room);
    }
    return true;
}
