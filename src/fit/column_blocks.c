/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores matrices of nodes x columns as column blocks, in memory or in a scratch file, and reads
 * them by blocks or by row chunks. The parts of the closed form build on it; it also finds the
 * leading vectors of an operator on such matrices.
 */
#include "column_blocks.h"
#include "base/streams.h"

#include <string.h>

wgdn_status wgdn_columns_open(wgdn_columns *c, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const size_t bytes = wgdn_size_product((size_t)in->rows.count, (size_t)k, sizeof(float));
    *c = (wgdn_columns){
        .rows = in->rows.count, .k = k, .width = wgdn_slab_width(in, k), .store.at = NULL};
    return wgdn_storage_open(&c->store, bytes, in->room.scratch, "columns of nodes", err);
}

void wgdn_columns_close(wgdn_columns *c)
{
    wgdn_storage_close(&c->store);
}

int64_t wgdn_columns_left(const wgdn_columns *c, int64_t at)
{
    return wgdn_min(c->width, c->k - at);
}

/* Floats before the slab that begins at column `at`. */
static int64_t before(const wgdn_columns *c, int64_t at)
{
    return c->rows * at;
}

static float *slab_at(const wgdn_columns *c, int64_t at)
{
    return (float *)c->store.at + before(c, at);
}

static void forget(const wgdn_columns *c, int64_t from, int64_t to)
{
    wgdn_storage_release(&c->store, (size_t)from * sizeof(float), (size_t)to * sizeof(float));
}

/* The slab that begins at column `at`, there or back, a window at a time. */
static void move_slab(const wgdn_columns *c, int64_t at, float *to, const float *from)
{
    const int64_t width = wgdn_columns_left(c, at), window = 1 << 17;
    for (int64_t i = 0; i < c->rows; i += window) {
        const int64_t rows = wgdn_min(window, c->rows - i), place = before(c, at) + i * width;
        float *here = slab_at(c, at) + i * width;
        wgdn_copy(to ? to + i * width : here, from ? from + i * width : here, rows, width);
        forget(c, place, place + rows * width);
    }
}

float *wgdn_columns_at(const wgdn_columns *c, int64_t at)
{
    return c->store.in_file ? NULL : slab_at(c, at);
}

void wgdn_columns_put(wgdn_columns *c, int64_t at, const float *slab)
{
    move_slab(c, at, NULL, slab);
}

void wgdn_columns_get(float *slab, const wgdn_columns *c, int64_t at)
{
    move_slab(c, at, slab, NULL);
}

/* Rows between a chunk and the slabs: to, or from. */
typedef struct moving {
    const wgdn_columns *c;
    int64_t first;
    float *to;
    const float *from;
} moving;

static void move_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const moving *m = context;
    const int64_t k = m->c->k;
    (void)sums;
    for (int64_t at = 0; at < k; at += m->c->width) {
        const int64_t width = wgdn_columns_left(m->c, at);
        float *slab = slab_at(m->c, at) + m->first * width;
        for (int64_t i = first; i < first + count; i++) {
            float *here = slab + i * width;
            memcpy(m->to ? m->to + i * k + at : here, m->from ? m->from + i * k + at : here,
                   (size_t)width * sizeof *here);
        }
    }
}

static void move_chunk(moving *m, int64_t count)
{
    const wgdn_columns *c = m->c;
    wgdn_for_blocks(wgdn_alone(count), move_rows, m, NULL, 0, NULL);
    for (int64_t at = 0; at < c->k; at += c->width) {
        const int64_t from = before(c, at) + m->first * wgdn_columns_left(c, at);
        forget(c, from, from + count * wgdn_columns_left(c, at));
    }
}

/* Rows [first, first + count), each k long. */
static void columns_put_rows(wgdn_columns *c, int64_t first, int64_t count, const float *rows)
{
    move_chunk(&(moving){.c = c, .first = first, .from = rows}, count);
}

void wgdn_columns_get_rows(float *rows, const wgdn_columns *c, int64_t first, int64_t count)
{
    move_chunk(&(moving){.c = c, .first = first, .to = rows}, count);
}

/*
 * Provides R X V by rows or by columns: computed once where there is a V; otherwise X with scaled
 * rows.
 */

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
        if (!st) columns_put_rows(&s->made, wgdn_chunk_first(here), here.count, rows);
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
        columns_put_rows(to, wgdn_chunk_first(chunk), chunk.count, room);
    }
    return true;
}
