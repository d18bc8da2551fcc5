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

/* to = what is made of each slab of `from`; they may be one. x, y: of scratch, as wide as a slab. */
static void columns_map(wgdn_columns *to, const wgdn_columns *from, wgdn_slab_call make, void *self,
                        float *x, float *y)
{
    for (int64_t at = 0; at < to->k; at += to->width) {
        wgdn_columns_get(x, from, at);
        wgdn_columns_put(to, at, make(x, y, wgdn_columns_left(to, at), self));
    }
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

/*
 * Finds the leading vectors of an operator whose products with columns are independent of each
 * other; eigenvectors and transitions share it. Products are computed per block of columns, sums
 * per chunk of rows. If memory is short, V and A V are stored in scratch files.
 */

/* Ranks share sums over rows that are here as one piece. */
static wgdn_status open_columns(wgdn_columns *c, const wgdn_fit_input *in, int64_t k,
                                wgdn_error *err)
{
    const wgdn_status st = wgdn_columns_open(c, in, k, err);
    if (!st && in->rows.dist) c->width = k;
    return st;
}

static void get_rows(float *rows, int64_t first, int64_t count, void *of)
{
    wgdn_columns_get_rows(rows, of, first, count);
}

static void put_rows(void *of, int64_t first, int64_t count, const float *rows)
{
    columns_put_rows(of, first, count, rows);
}

static wgdn_tall tall(wgdn_columns *c, wgdn_span n)
{
    const bool plain = !c->store.in_file && c->width >= c->k;
    return (wgdn_tall){.n = n,
                       .k = c->k,
                       .x = plain ? c->store.at : NULL,
                       .get = get_rows,
                       .put = put_rows,
                       .of = c};
}

static wgdn_status sketch(wgdn_leading *l, uint64_t seed, wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const wgdn_stream stream = {.seed = seed, .call = WGDN_CALL_SKETCH};
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all) * (size_t)l->k, sizeof *rows);
    if (!rows) return wgdn_fail(err, WGDN_ENOMEM, "structure: a chunk of rows");
    for (int64_t i = 0; i < wgdn_chunk_count(all); i++) {
        wgdn_fit_input part = *l->in;
        part.rows = wgdn_chunk(all, i);
        part.key += wgdn_chunk_first(part.rows);
        wgdn_sketch_nodes(rows, &part, l->k, stream);
        columns_put_rows(&l->v, wgdn_chunk_first(part.rows), part.rows.count, rows);
    }
    wgdn_release(rows);
    return WGDN_OK;
}

wgdn_status wgdn_leading_open(wgdn_leading *l, const wgdn_fit_input *in, int64_t k, uint64_t seed,
                              wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    *l = (wgdn_leading){.in = in, .k = k};
    wgdn_status st = open_columns(&l->v, in, k, err);
    const size_t slab = n * (size_t)l->v.width;
    l->value = wgdn_alloc((size_t)k, sizeof *l->value);
    l->x = wgdn_alloc(slab, sizeof *l->x);
    l->y = wgdn_alloc(slab, sizeof *l->y);
    l->tie = wgdn_alloc(n, sizeof *l->tie);
    l->work = wgdn_alloc(wgdn_tall_work(in->rows, k), 1);
    if (!st && (!l->value || !l->x || !l->y || !l->tie || !l->work))
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: matrices of %lld x %lld", (long long)n,
                       (long long)l->v.width);
    if (!st) st = sketch(l, seed, err);
    if (!st) wgdn_ties_break(l->tie, in, seed);
    return wgdn_span_agree(in->rows, st, err);
}

void wgdn_leading_close(wgdn_leading *l)
{
    wgdn_release(l->work);
    wgdn_release(l->tie);
    wgdn_release(l->y);
    wgdn_release(l->x);
    wgdn_release(l->value);
    wgdn_columns_close(&l->v);
}

static wgdn_status normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    (void)q, (void)k, (void)err;
    columns_map(&l->v, &l->v, l->normal, l->self, l->x, l->y);
    return WGDN_OK;
}

/* With weights near 1, by which columns of almost the same value are told apart: without them their
 * directions within what they span would be rounding. */
static wgdn_status gram(double *g, const float *q, int64_t k, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    wgdn_columns b;
    (void)q;
    wgdn_status st = wgdn_span_agree(l->in->rows, open_columns(&b, l->in, k, err), err);
    if (!st) {
        const wgdn_tall t = tall(&b, l->in->rows);
        columns_map(&b, &l->v, l->times, l->self, l->x, l->y);
        st = wgdn_tall_gram(g, &t, l->tie, l->work, err);
    }
    wgdn_columns_close(&b);
    return st;
}

wgdn_status wgdn_leading_find(wgdn_leading *l, int rounds, wgdn_error *err)
{
    const wgdn_tall v = tall(&l->v, l->in->rows);
    wgdn_subspace s = {.k = l->k, .value = l->value, .far = &v};
    const wgdn_operator op = {
        .rows = l->in->rows, .cols = l->in->rows, .gram = gram, .normal = normal, .self = l};
    return wgdn_subspace_find(&s, &op, rounds, err);
}

typedef struct keeping {
    float *to;
    const float *rows, *by_row;
    const double *factor;
    int64_t dim, k;
} keeping;

static void keep_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const keeping *p = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < p->dim; j++)
            p->to[i * p->dim + j] =
                (float)(p->rows[i * p->k + j] * p->factor[j] * (p->by_row ? p->by_row[i] : 1));
}

wgdn_status wgdn_leading_basis(wgdn_fitted_part *p, const wgdn_leading *l, const float *by_row,
                               wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const size_t row = (size_t)p->dim * sizeof *p->basis;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all) * (size_t)l->k, sizeof *rows);
    wgdn_status st = wgdn_storage_open(&p->held, (size_t)all.count * row, l->in->room.scratch,
                                       "a basis of nodes", err);
    if (!st && !rows) st = wgdn_fail(err, WGDN_ENOMEM, "structure: a chunk of rows");
    p->rows = all.count;
    p->basis = p->held.at;
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !st; i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        const int64_t first = wgdn_chunk_first(here);
        keeping keep = {p->basis + first * p->dim,
                        rows,
                        by_row ? by_row + first : NULL,
                        l->value,
                        p->dim,
                        l->k};
        wgdn_columns_get_rows(rows, &l->v, first, here.count);
        wgdn_for_blocks(here, keep_rows, &keep, NULL, 0, NULL);
        wgdn_storage_release(&p->held, (size_t)first * row, (size_t)(first + here.count) * row);
    }
    wgdn_release(rows);
    return st;
}
