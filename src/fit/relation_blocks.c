/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the columns for directions and types of edges, one block per relation. fit.c places
 * them beside the other parts; the random-walk matrices come from data/relations.c.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>
#include <string.h>

/*
 * Embeds directions and types of edges beside features, one block of columns each.   [WGDN:related]
 *
 *     Z_r = (exp(t P_r) - I) Y,   P_r: random walk of relation r,   t = 1
 *
 * The rows are scaled to length 1, with a last column for the number of edges. Y is R X V, features
 * in a basis of their own. Older models without features have a random Y, addressed by the key of
 * the node and divided by the square root of its degree. A node's own row is left out, because the
 * other parts contain it. All terms of the series are averages, so none of them can grow.
 */

enum { STEPS = 5 }; /* of the walk; what lies beyond has a share of 0.1 percent */

static const double by_degree = 0.1; /* times log(1 + edges), beside a length of 1 */

/* Columns of a relation's block before the last one. */
static int64_t signal_width(const wgdn_fitted_part *p, const wgdn_fitted *f)
{
    return p->dim / f->relations.count - 1;
}

/* Rows of one length; rows of zeros stay. */
static void scale_rows(int64_t first, int64_t count, void *context)
{
    const wgdn_destination *to = context;
    const wgdn_tall *t = &to->columns;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(t->x + i * t->stride, t->k, to->length);
}

static void scale_all(const wgdn_destination *to, const wgdn_fit_input *in)
{
    wgdn_destination all = *to;
    wgdn_for_rows(in->rows, scale_rows, &all);
}

static wgdn_status related_learn(wgdn_fitted_part *p, const wgdn_fitted *f,
                                 const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t width = signal_width(p, f);
    wgdn_fitted_part signal = {
        .kind = WGDN_PART_FILTERED, .hops = -1, .scale = 1, .weight = 1, .dim = width};
    const wgdn_status st = wgdn_filtered_part.learn(&signal, f, in, err);
    p->rows = in->features;
    p->basis = signal.basis;
    p->dim = f->relations.count * (signal.dim + 1);
    return st;
}

/* ---- the signal ---- */

typedef struct walking {
    const wgdn_fit_input *in;
    float *to, *from; /* rows x width */
    float *sum;
    double factor;
    int64_t width, ld;
    const wgdn_csr *step;
    float *out; /* the block, rows of ld */
} walking;

/* Y, into w->to. */
static wgdn_status make_signal(walking *w, const wgdn_fitted_part *p, const wgdn_fitted *f,
                               wgdn_error *err)
{
    if (!w->in->features) {
        const wgdn_stream s = {.seed = f->options.seed, .call = WGDN_CALL_RELATED};
        wgdn_sketch_nodes(w->to, w->in, w->width, s);
        wgdn_scale_rows(w->to, w->in->graph->inv_sqrt_degree, w->to, w->in->rows, w->width);
        return WGDN_OK;
    }
    const wgdn_fitted_part signal = {.kind = WGDN_PART_FILTERED,
                                     .hops = 0,
                                     .weight = 1,
                                     .dim = w->width,
                                     .rows = p->rows,
                                     .basis = p->basis};
    const wgdn_destination to = {.columns = wgdn_tall_of(w->to, w->in->rows, w->width)};
    return wgdn_filtered_part.embed(&to, &signal, f, w->in, err);
}

/* ---- the walk ---- */

static void add_rows(int64_t first, int64_t count, void *context)
{
    const walking *w = context;
    for (int64_t k = first * w->width; k < (first + count) * w->width; k++)
        w->sum[k] = (float)(w->sum[k] + w->factor * w->from[k]);
}

static void put_rows(int64_t first, int64_t count, void *context)
{
    const walking *w = context;
    for (int64_t i = first; i < first + count; i++) {
        float *out = w->out + i * w->ld;
        memcpy(out, w->sum + i * w->width, (size_t)w->width * sizeof *out);
        (void)wgdn_row_to_length(out, w->width, 1);
        out[w->width] =
            (float)(by_degree * log1p((double)(w->step->offset[i + 1] - w->step->offset[i])));
    }
}

/* sum over k of t^k / k! P^k Y into the block; y stays. */
static void walk(walking *w, const float *y)
{
    const size_t bytes = (size_t)(w->in->rows.count * w->width) * sizeof *w->sum;
    float *const pair[2] = {w->to, w->from};
    const float *at = y;
    memset(w->sum, 0, bytes);
    w->factor = 1;
    for (int k = 1; k <= STEPS; k++) {
        float *next = pair[k % 2];
        wgdn_spmm(next, w->step, at, w->width);
        w->factor /= k;
        w->from = next;
        wgdn_for_rows(w->in->rows, add_rows, w);
        at = next;
    }
    w->to = pair[0];
    w->from = pair[1];
    wgdn_for_rows(w->in->rows, put_rows, w);
}

static void clear_rows(int64_t first, int64_t count, void *context)
{
    const walking *w = context;
    for (int64_t i = first; i < first + count; i++)
        memset(w->out + i * w->ld, 0, (size_t)(w->width + 1) * sizeof *w->out);
}

static wgdn_status relations_missing(const wgdn_fitted *f, wgdn_error *err);

/* The error where the data has none of the model's relations. */
static wgdn_status relations_missing(const wgdn_fitted *f, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL,
                     "the model uses directions or types of edges (%s, ...), which the data was "
                     "read without: give --directed and --type as for the model",
                     wgdn_show(wgdn_names_get(&f->relations, 0)).text);
}

static wgdn_status related_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                                 const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t width = signal_width(p, f);
    const size_t matrix = (size_t)in->rows.count * (size_t)width;
    float *store = wgdn_alloc(4 * matrix, sizeof *store);
    walking w = {
        .in = in, .to = store, .width = width, .ld = to->columns.stride, .out = to->columns.x};
    if (!store)
        return wgdn_fail(err, WGDN_ENOMEM, "directions and types: four matrices of %lld x %lld",
                         (long long)in->rows.count, (long long)width);
    wgdn_status st = make_signal(&w, p, f, err);
    w.to = store + matrix;
    w.from = store + 2 * matrix;
    w.sum = store + 3 * matrix;
    if (!st) {
        /* A block for each relation of the model; zeros where the data has no such one. */
        int64_t found = 0;
        for (int64_t r = 0; r < f->relations.count; r++, w.out += w.width + 1) {
            const int64_t k = wgdn_relations_find(in->relations, wgdn_names_get(&f->relations, r));
            if (k < 0) {
                wgdn_for_rows(w.in->rows, clear_rows, &w);
                continue;
            }
            const wgdn_csr step = wgdn_relations_get(in->relations, k);
            w.step = &step;
            walk(&w, store);
            w.step = NULL;
            found++;
        }
        st = found ? WGDN_OK : relations_missing(f, err);
    }
    wgdn_release(store);
    if (!st) scale_all(to, in);
    return st;
}

const wgdn_part_calls wgdn_related_part = {"directions and types", related_learn, related_embed};

/*
 * Embeds directions and types of edges of a graph without features, one block each.
 *                                                                                   [WGDN:singular]
 *
 *     A_r = P_r C_r^(-1/2),     P_r: random walk of relation r
 *     C_r = diag(column sums of P_r) + their mean
 *     U s = A_r V;   rows of U (s - 0.9 s'), scaled to length 1;   s': the first value left out
 *
 * A_r is the degree-normalized adjacency. Its left singular vectors describe where the edges of a
 * node lead to; those of the reverse relation are the right ones. The basis is C^(-1/2) V (s - 0.9
 * s') / s, so P_r times the basis gives the vectors, also of nodes that were not in the fit.
 * Singular values of noise are almost equal: the factor s - 0.9 s' keeps a tenth of them, and
 * values that stand out.
 *
 * The last column of a block compares the number of edges with the number expected from all nodes:
 *
 *     (c_ir - d_i q_r) / ((d_i + 1) q_r^(1/2)),   q = sum c / sum d,
 *     c_ir: edges of relation r,   d_i: neighbors
 *
 * All of these columns together have length 1 at most. Matrices of nodes x columns are in memory.
 */

enum { ROUNDS = 6 };

static const double off_next = 0.9;    /* of the first value that is left out */
static const double rank_limit = 1e-4; /* of the first value: below, a column is rounding */

/* ---- learning one relation ---- */

typedef struct relation {
    wgdn_csr step, back; /* P and P^T */
    float *by_column;    /* C^(-1/2) */
    float *other;        /* a block of columns */
    wgdn_span rows;
} relation;

static float *relation_columns(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const relation *r = self;
    (void)at;
    wgdn_scale_rows(r->other, r->by_column, x, r->rows, width);
    wgdn_spmm(y, &r->step, r->other, width);
    return y;
}

static float *relation_columns_back(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const relation *r = self;
    (void)relation_columns(x, y, at, width, self);
    wgdn_spmm(x, &r->back, y, width);
    wgdn_scale_rows(x, r->by_column, x, r->rows, width);
    return x;
}

static wgdn_status times(wgdn_tall *to, const wgdn_tall *v, void *self, wgdn_tall_work *w,
                         wgdn_error *err)
{
    return wgdn_tall_map_columns(to, v, WGDN_COLUMNS_READ, relation_columns, self, w, err);
}

static wgdn_status normal(wgdn_tall *to, const wgdn_tall *v, void *self, wgdn_tall_work *w,
                          wgdn_error *err)
{
    return wgdn_tall_map_columns(to, v, WGDN_COLUMNS_EDIT, relation_columns_back, self, w, err);
}

/* Each row of P sums up to 1 or is empty, so the mean column sum is the share of rows that are not. */
static void scale_columns(relation *r)
{
    const int64_t n = r->step.rows;
    int64_t filled = 0;
    if (!r->step.offset || !r->back.offset) return; /* no rows */
    for (int64_t i = 0; i < n; i++)
        filled += r->step.offset[i + 1] > r->step.offset[i];
    const double mean = (double)filled / (double)n;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t k = r->back.offset[j]; k < r->back.offset[j + 1]; k++)
            sum += (double)r->back.value[k];
        r->by_column[j] = filled ? (float)(1 / sqrt(sum + mean)) : 0;
    }
}

/* The factors of the columns that are kept; returns how many there are. */
static int64_t weigh(double *value, int64_t width, int64_t k)
{
    const double next = width < k ? value[width] : 0, least = rank_limit * value[0];
    int64_t kept = 0;
    while (kept < wgdn_min(width, k) && value[kept] > least)
        kept++;
    for (int64_t j = 0; j < kept; j++)
        value[j] = (value[j] - off_next * next) / value[j];
    return kept;
}

/* A relation is a view of rows among others; the same with offsets of its own. */
static wgdn_status start_at_zero(wgdn_csr *to, const wgdn_csr *from, wgdn_error *err)
{
    const int64_t n = from->rows, first = from->offset[0];
    *to = *from;
    to->column += first;
    to->value += first;
    to->offset = wgdn_alloc((size_t)n + 1, sizeof *to->offset);
    if (!to->offset)
        return wgdn_fail(err, WGDN_ENOMEM, "directions and types of %lld nodes", (long long)n);
    for (int64_t i = 0; i <= n; i++)
        to->offset[i] = from->offset[i] - first;
    return WGDN_OK;
}

/* A basis of up to p->dim columns. */
static wgdn_status learn_one(wgdn_fitted_part *p, const wgdn_csr *step, const wgdn_fit_input *in,
                             uint64_t seed, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    relation self = {.rows = in->rows};
    wgdn_leading l;
    wgdn_status st = wgdn_leading_open(&l, in, k, seed, err);
    l.times = times;
    l.normal = normal;
    l.self = &self;
    self.by_column = wgdn_alloc(n, sizeof *self.by_column);
    self.other = wgdn_alloc(n * (size_t)l.v.width, sizeof *self.other);
    if (!st && (!self.by_column || !self.other))
        st = wgdn_fail(err, WGDN_ENOMEM, "directions and types: a matrix of %lld x %lld",
                       (long long)n, (long long)l.v.width);
    if (!st) st = start_at_zero(&self.step, step, err);
    if (!st) st = wgdn_csr_transpose(&self.back, &self.step, err);
    if (!st) {
        scale_columns(&self);
        st = wgdn_leading_find(&l, ROUNDS, err);
    }
    if (!st) {
        p->dim = weigh(l.value, p->dim, k);
        if (p->dim) st = wgdn_leading_basis(p, &l, self.by_column, err);
    }
    wgdn_csr_free(&self.back);
    wgdn_release(self.step.offset);
    wgdn_release(self.other);
    wgdn_release(self.by_column);
    wgdn_leading_close(&l);
    return st;
}

/* ---- counting edges ---- */

static int64_t edges_of(const wgdn_csr *a, int64_t i)
{
    return a->offset[i + 1] - a->offset[i];
}

/* The difference from what is expected of the node, over its size. */
static double excess(const wgdn_csr *step, const wgdn_graph *g, int64_t i, double expected)
{
    const double all = (double)edges_of(&g->adjacency, i);
    if (!(expected > 0)) return 0;
    return ((double)edges_of(step, i) - all * expected) / ((all + 1) * sqrt(expected));
}

/* q, and whether any node differs from it. */
static wgdn_block_facts count_edges(const wgdn_csr *step, const wgdn_graph *g)
{
    const wgdn_csr *a = &g->adjacency;
    const double all = (double)wgdn_csr_entries(a);
    const double here = (double)(step->offset[step->rows] - step->offset[0]);
    wgdn_block_facts b = {.expected = (float)(all > 0 ? here / all : 0)};
    for (int64_t i = 0; i < a->rows && b.counted == 0; i++)
        if (fabs(excess(step, g, i, (double)b.expected)) > 1e-6) b.counted = 1;
    return b;
}

/* ---- all relations ---- */

/* The bases side by side; rows in the order of the nodes. */
static wgdn_status join(wgdn_fitted_part *p, const wgdn_fitted_part *one, int64_t count,
                        const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t n = in->rows.count;
    const size_t bytes = (size_t)n * (size_t)p->inner * sizeof *p->basis;
    wgdn_status st =
        wgdn_storage_open(&p->held, bytes, in->memory.scratch, "a basis of nodes", err);
    if (st) return st;
    p->rows = n;
    p->basis = p->held.at;
    float *to = p->basis;
    for (int64_t r = 0; r < count; r++) {
        wgdn_copy_columns(to, p->inner, one[r].basis, one[r].dim, n, one[r].dim);
        to += one[r].dim;
    }
    return WGDN_OK;
}

static wgdn_status singular_learn(wgdn_fitted_part *p, const wgdn_fitted *f,
                                  const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t count = f->relations.count, width = p->dim / count - 1;
    wgdn_fitted_part *one = wgdn_alloc_zero((size_t)count, sizeof *one);
    p->block = wgdn_alloc_zero((size_t)count, sizeof *p->block);
    wgdn_status st = WGDN_OK;
    if (!one || !p->block)
        st = wgdn_fail(err, WGDN_ENOMEM, "%lld directions and types", (long long)count);
    p->dim = p->inner = 0;
    for (int64_t r = 0; r < count && !st; r++) {
        const wgdn_csr step = wgdn_relations_get(in->relations, r);
        one[r].dim = wgdn_min(width, in->rows.total);
        st = learn_one(&one[r], &step, in, f->options.seed, err);
        p->block[r] = count_edges(&step, in->graph);
        p->block[r].columns = (float)one[r].dim;
        p->inner += one[r].dim;
        p->dim += one[r].dim + (int64_t)p->block[r].counted;
    }
    if (!st && !p->inner)
        st = wgdn_fail(err, WGDN_EINVAL, "directions and types: the graph has no edges");
    if (!st) st = join(p, one, count, in, err);
    for (int64_t r = 0; r < count && one; r++)
        wgdn_storage_close(&one[r].held);
    wgdn_release(one);
    return st;
}

/* ---- embedding ---- */

typedef struct embedding {
    const wgdn_fitted *f;
    const wgdn_fitted_part *p;
    const wgdn_fit_input *in;
    wgdn_csr step;
    const wgdn_block_facts *block;
    int64_t *row; /* of the basis, of each node; -1: the node is not known */
    float *x, *y; /* rows x columns of the block */
    float *out;   /* first column of the block; rows of ld */
    int64_t ld, before;
    float *length; /* of the numbers of edges of each node, squared */
    double share;  /* length of a block */
    wgdn_arrays arrays;
} embedding;

static void find_rows(int64_t first, int64_t count, void *context)
{
    const embedding *e = context;
    for (int64_t i = first; i < first + count; i++)
        e->row[i] = wgdn_known_row(e->f, e->in, i);
}

static void take_rows(int64_t first, int64_t count, void *context)
{
    const embedding *e = context;
    const size_t columns = (size_t)e->block->columns;
    for (int64_t i = first; i < first + count; i++) {
        float *to = e->x + (size_t)i * columns;
        if (e->row[i] < 0)
            memset(to, 0, columns * sizeof *to);
        else
            memcpy(to, e->p->basis + e->row[i] * e->p->inner + e->before, columns * sizeof *to);
    }
}

static void singular_put_rows(int64_t first, int64_t count, void *context)
{
    const embedding *e = context;
    const int64_t columns = (int64_t)e->block->columns;
    for (int64_t i = first; i < first + count; i++) {
        float *out = e->out + i * e->ld;
        memcpy(out, e->y + i * columns, (size_t)columns * sizeof *out);
        (void)wgdn_row_to_length(out, columns, e->share);
        if (e->block->counted == 0) continue;
        const double more = excess(&e->step, e->in->graph, i, (double)e->block->expected);
        out[columns] = (float)more;
        e->length[i] = (float)(e->length[i] + more * more);
    }
}

static void singular_clear_rows(int64_t first, int64_t count, void *context)
{
    const embedding *e = context;
    const size_t columns = (size_t)e->block->columns + (size_t)e->block->counted;
    for (int64_t i = first; i < first + count; i++)
        memset(e->out + i * e->ld, 0, columns * sizeof *e->out);
}

/* Numbers of edges that are longer than 1 together. */
static void limit_rows(int64_t first, int64_t count, void *context)
{
    const embedding *e = context;
    for (int64_t i = first; i < first + count; i++) {
        float *at = e->out + i * e->ld;
        const float by = e->length[i] > 1 ? 1 / sqrtf(e->length[i]) : 1;
        for (int64_t r = 0; r < e->f->relations.count; r++) {
            at += (int64_t)e->p->block[r].columns;
            if (e->p->block[r].counted > 0) *at++ *= by;
        }
    }
}

/* Zeros where the data has no such relation. */
static wgdn_status singular_embed_all(embedding *e, wgdn_error *err)
{
    const wgdn_relations *there = e->in->relations;
    float *const first = e->out;
    int64_t found = 0;
    for (int64_t r = 0; r < e->f->relations.count; r++) {
        const int64_t k = wgdn_relations_find(there, wgdn_names_get(&e->f->relations, r));
        e->block = &e->p->block[r];
        if (k < 0) {
            wgdn_for_rows(e->in->rows, singular_clear_rows, e);
        } else {
            e->step = wgdn_relations_get(there, k);
            wgdn_for_rows(e->in->rows, take_rows, e);
            if (e->block->columns > 0) wgdn_spmm(e->y, &e->step, e->x, (int64_t)e->block->columns);
            wgdn_for_rows(e->in->rows, singular_put_rows, e);
            found++;
        }
        e->before += (int64_t)e->block->columns;
        e->out += (int64_t)e->block->columns + (int64_t)e->block->counted;
    }
    e->out = first;
    wgdn_for_rows(e->in->rows, limit_rows, e);
    return found ? WGDN_OK : relations_missing(e->f, err);
}

static wgdn_status singular_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                                  const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    int64_t widest = 1;
    for (int64_t r = 0; r < f->relations.count; r++)
        if ((int64_t)p->block[r].columns > widest) widest = (int64_t)p->block[r].columns;
    embedding e = {.f = f,
                   .p = p,
                   .in = in,
                   .out = to->columns.x,
                   .ld = to->columns.stride,
                   .share = 1 / sqrt((double)f->relations.count)};
    e.row = wgdn_arrays_add(&e.arrays, n, sizeof *e.row);
    e.length = wgdn_arrays_add_zero(&e.arrays, n, sizeof *e.length);
    e.x = wgdn_arrays_add(&e.arrays, n * (size_t)widest, sizeof *e.x);
    e.y = wgdn_arrays_add(&e.arrays, n * (size_t)widest, sizeof *e.y);
    wgdn_status st = WGDN_OK;
    if (e.arrays.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "directions and types: two matrices of %lld x %lld",
                       (long long)n, (long long)widest);
    if (!st) {
        wgdn_for_rows(in->rows, find_rows, &e);
        st = singular_embed_all(&e, err);
    }
    wgdn_arrays_release(&e.arrays);
    if (!st) scale_all(to, in);
    return st;
}

const wgdn_part_calls wgdn_singular_part = {"directions and types", singular_learn, singular_embed};
