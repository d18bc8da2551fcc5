/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fit and its vectors will need: memory by the sizes that the stages allocate, time by the
 * products that they are made of, at the rate of one product with L that is made now.
 */
#define _POSIX_C_SOURCE 200809L
#include "fit.h"

#include <string.h>
#include <time.h>

enum {
    PROCESS = 24 << 20, /* program, libraries, and what the dense engine packs */
    TRY = 32,           /* columns of the product that is measured */
    TIMES = 5,          /* of which the shortest counts */
    HEAT_ORDER = 7,     /* of exp(-2 L) */
    CHUNKS = 6,         /* of rows: two at work, and what of files is in memory for the moment */
    SMALL = 24,         /* matrices of columns x columns: covariances, and trees of them */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sizes of a fit of features, or of structure. */
typedef struct sizes {
    double n, entries, features, nonzeros, dim, k;
    double inner; /* columns of features that are filtered, then mapped */
    bool structure, reduces, weighted;
} sizes;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static sizes sizes_of(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    sizes s = {.n = (double)wgdn_dataset_rows(d).count,
               .entries = 2 * (double)wgdn_dataset_edges(d),
               .dim = o->dim,
               .weighted = wgdn_dataset_weighted(d)};
    s.structure = o->features == WGDN_USE_STRUCTURE || !d->features.width;
    if (!s.structure) {
        s.features = (double)d->features.width;
        s.nonzeros = wgdn_matrix_is_sparse(d) ? (double)d->features.entries : s.n * s.features;
        s.reduces = s.features > s.dim;
        if (!s.reduces) s.dim = s.features;
        s.inner = smaller((double)wgdn_shared_inner(o->dim, d->nodes), s.features);
    } else {
        s.dim = smaller(s.dim, s.n);
    }
    s.k = s.structure ? s.dim / 2 + WGDN_FIT_SPARE : s.inner;
    return s;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double dataset_bytes(const wgdn_dataset *d, const sizes *s)
{
    const bool sparse = !d->features.dense && s->features > 0;
    double bytes = 8 * s->n + (s->weighted ? 8 : 4) * s->entries + 8 * s->n;
    if (sparse)
        bytes += 8 * s->n + (double)d->features.entries * (d->features.sparse.value ? 8 : 4);
    if (d->features.dense) bytes += 4 * s->n * s->features;
    if (d->relations.count)
        bytes +=
            8 * (double)d->relations.rows.rows + 8 * (double)wgdn_csr_entries(&d->relations.rows);
    return bytes;
}

/* The largest of the stages: comparing scales, learning, embedding. */
static double workspace_bytes(const wgdn_dataset *d, const sizes *s)
{
    const double wide = (double)wgdn_scale_columns((int64_t)s->n), n = s->n;
    const double scales = s->structure ? 0 : 4 * n * (3 * wide + 2 * WGDN_FIT_SCALES);
    const double learn = s->structure || s->reduces ? 4 * 6 * n * s->k : 4 * 2 * n * s->inner;
    const double basis = s->structure ? 4 * n * s->dim : 3 * 4 * s->features * s->k;
    const double slab = (double)wgdn_slab_usual((int64_t)n, (int64_t)s->dim);
    const double embed = s->structure ? 4 * 3 * n * s->dim / 2 : 4 * n * (4 * slab + s->inner);
    const double related = d->relations.count ? 4 * 4 * n * s->dim / 2 : 0; /* at most */
    double inputs = 12 * n + (s->weighted ? 4 * s->entries : 0); /* keys, lengths, logarithms */
    if (s->nonzeros > 0 && wgdn_matrix_is_sparse(d)) inputs += 8 * s->nonzeros; /* X^T */
    if (!d->features.dense && s->nonzeros > 0 && !wgdn_matrix_is_sparse(d))
        inputs += 4 * n * s->features; /* as a dense copy */
    return inputs + basis + larger(larger(scales, learn), larger(embed, related) + 4 * n * s->dim);
}

/* Columns that products with L have, summed over all of them. */
static double product_columns(const sizes *s)
{
    const double transitions = s->weighted ? 3 : 2; /* products each */
    if (s->structure)                               /* two rounds of order 13, three of 16; 7 */
        return s->k * (2 * 13 + 3 * 16 + 2 * 7 + 7 * transitions) + (1 + transitions) * s->dim / 2;
    const double scales = 32 * (double)wgdn_scale_columns((int64_t)s->n);
    return scales + s->inner * (1 + 2 * HEAT_ORDER);
}

/* Multiplications of dense products, and of sparse ones with X. */
static double other_work(const wgdn_dataset *d, const sizes *s)
{
    const double square = s->n * s->k * s->k;
    if (s->structure) return 2 * 25 * square;
    const double x = (s->reduces ? 5 * s->k : 0) + s->dim;
    return s->nonzeros * x * (wgdn_matrix_is_sparse(d) ? 10 : 1) +
           (s->reduces ? 7 : 4) * square; /* three covariances and a map */
}

/* Seconds of an entry times a column in a product with L, and of a dense multiplication. */
static wgdn_status measure(double *sparse, double *dense, const wgdn_graph *g, wgdn_error *err)
{
    const int64_t n = g->adjacency.rows;
    float *x = wgdn_alloc_zero((size_t)n * TRY, sizeof *x), *y = wgdn_alloc((size_t)n * TRY, 4);
    float *v = wgdn_alloc_zero((size_t)TRY * TRY, sizeof *v);
    wgdn_status st = WGDN_OK;
    if (!x || !y || !v) {
        st = wgdn_fail(err, WGDN_ENOMEM, "estimate: a product of %lld x %d", (long long)n, TRY);
    } else {
        const double entries = (double)(wgdn_csr_entries(&g->adjacency) + n) * TRY;
        const wgdn_product p = wgdn_product_of(y, x, v, wgdn_alone(n), TRY, TRY);
        wgdn_laplacian(y, g, x, TRY); /* pages are there from now on */
        for (int i = 0; i < TIMES && !st; i++) {
            const double start = seconds();
            wgdn_laplacian(y, g, x, TRY);
            const double between = seconds();
            st = wgdn_gemm_nn(&p, err);
            const double a = (between - start) / entries;
            const double b = (seconds() - between) / ((double)n * TRY * TRY);
            if (i == 0 || a < *sparse) *sparse = a;
            if (i == 0 || b < *dense) *dense = b;
        }
    }
    wgdn_release(v);
    wgdn_release(y);
    wgdn_release(x);
    return st;
}

/* ---- what lies in memory ---- */

enum { SLAB = 8 }; /* columns of the narrowest slab; others are multiples of it */

/* The largest of the stages with slabs of so many columns, all that is larger in files. */
static double short_bytes(const sizes *s, double slab)
{
    const double n = s->n, k = s->inner, c = (double)wgdn_scale_columns((int64_t)n);
    const double chunk = (double)wgdn_chunk_rows(wgdn_alone((int64_t)n));
    const double signs = 1.5 * c + 2 * WGDN_FIT_SCALES, features = 3 * c + WGDN_FIT_SCALES;
    const double columns = larger(larger(signs, features), 3 * slab);
    return 4 * n * columns + 16 * n + 4 * CHUNKS * chunk * k + 8 * SMALL * k * k;
}

/* Bytes that there are beside the dataset; -1: nobody knows. */
static double bytes_left(const wgdn_dataset *d, const sizes *s)
{
    int64_t total, available;
    wgdn_memory_get(&total, &available);
    const double graph = 16 * s->n + (s->weighted ? 8 : 4) * s->entries;
    const double said = (double)d->memory - graph - PROCESS,
                 mapped = d->archive.tensors ? graph : 0;
    const double there = available < 0 ? -1 : larger((double)available - mapped, 0);
    if (d->memory <= 0) return there;
    return there >= 0 ? smaller(larger(said, 0), there) : larger(said, 0);
}

static wgdn_status refuse(const wgdn_dataset *d, const char *how, double needed, wgdn_error *err)
{
    if (!d->memory) return wgdn_memory_need("the closed form", (int64_t)needed, err);
    return wgdn_fail(err, WGDN_ENOMEM,
                     "the closed form%s needs %.1f MB beside the graph: allow more memory", how,
                     needed / 1e6);
}

/* Sets of graphs go through in runs of bounded size, and ranks have their own parts. */
wgdn_status wgdn_room_find(wgdn_room *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                           wgdn_error *err)
{
    const sizes s = sizes_of(d, o);
    const double left = bytes_left(d, &s), all = workspace_bytes(d, &s);
    *out = (wgdn_room){.slab = 0};
    if (wgdn_dataset_graphs(d) > 1 || left < 0 || all <= left) return WGDN_OK;
    if (wgdn_dataset_ranks(d) || !d->folder || s.structure || s.reduces)
        return refuse(d, "", all, err);
    if (short_bytes(&s, SLAB) > left)
        return refuse(d, ", at its narrowest,", short_bytes(&s, SLAB), err);
    int64_t slab = SLAB;
    while (slab < (int64_t)s.inner && short_bytes(&s, (double)(slab + SLAB)) <= left)
        slab += SLAB;
    *out = (wgdn_room){.slab = slab, .scratch = d->folder, .left = left};
    return WGDN_OK;
}

/* Bases are found in memory: those of structure, and those that features are reduced by. */
wgdn_status wgdn_room_check(const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    enum { MATRICES = 6 };
    for (int i = 0; i < f->parts && in->room.slab; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        const bool features = p->kind == WGDN_PART_FILTERED || p->kind == WGDN_PART_SHARED;
        const double needed =
            4.0 * MATRICES * (double)in->rows.count * (double)(p->dim + WGDN_FIT_SPARE);
        if ((features && p->dim >= f->features) || needed <= in->room.left) continue;
        return wgdn_fail(
            err, WGDN_ENOMEM,
            "%s needs %.1f MB beside the graph: allow more memory, or give a scale for "
            "vectors of features alone%s",
            features ? "reducing the features" : "structure, beside features that tell little,",
            needed / 1e6, features ? ", of as many columns" : "");
    }
    return WGDN_OK;
}

wgdn_status wgdn_fit_estimate(wgdn_fit_needs *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                              wgdn_error *err)
{
    wgdn_fit_options opt;
    double sparse = 0, dense = 0;
    wgdn_status st = wgdn_fit_options_read(&opt, o, err);
    if (st) return st;
    const sizes s = sizes_of(d, &opt);
    const int former = wgdn_threads_use(opt.threads);
    st = measure(&sparse, &dense, wgdn_dataset_get_graph(d), err);
    wgdn_threads_use(former);
    if (st) return st;
    const double dataset = dataset_bytes(d, &s), workspace = workspace_bytes(d, &s);
    const wgdn_fit_needs made = {.dataset = (int64_t)dataset,
                                 .workspace = (int64_t)workspace,
                                 .total = (int64_t)(dataset + workspace) + PROCESS,
                                 .seconds = product_columns(&s) * (s.entries + s.n) * sparse +
                                            other_work(d, &s) * dense};
    return wgdn_result_give(out, &made, sizeof made, err);
}
