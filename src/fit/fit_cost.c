/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates the memory and the time of the closed form, and chooses the width of the column blocks
 * that fit into the memory limit. fit_input.c and fit.c use the width; `wgdn estimate` prints the
 * estimates.
 */
#define _DEFAULT_SOURCE
#include "base/system.h"
#include "fit.h"
#include "io/scratch.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

/* How fast this machine is at what the closed form does, measured in about two seconds. */
/* Seconds. */
typedef struct wgdn_rates {
    double product;     /* of a step of a series, for a non-zero of L and a column */
    double dense;       /* of a multiplication of a dense product */
    double pass;        /* of a number that is read, and written to memory that is new */
    double read, write; /* of a byte of a file */
} wgdn_rates;

/* Sizes of a fit of features, or of structure, and the memory they need: fit_cost.c. */
enum { WGDN_FIT_PROCESS = 24 << 20 }; /* program, libraries, and what the dense engine packs */

typedef struct wgdn_sizes {
    double n, entries, features, nonzeros, dim, k;
    double inner;  /* columns of features that are filtered, then mapped */
    double refine; /* epochs */
    bool structure, weighted, sparse;
    bool reduces; /* features are more than that */
    bool filters; /* by a scale that is given, before they are reduced, and not mapped then */
} wgdn_sizes;

/*
 * Computes the memory of a fit and its vectors from the sizes that the stages allocate: with
 * everything in memory, or with column blocks if the limits leave less.
 */

enum {
    CHUNKS = 6,    /* of rows: two at work, and what of files is in memory for the moment */
    SMALL = 24,    /* matrices of columns x columns: covariances, and trees of them */
    NARROWEST = 8, /* columns of the narrowest block; others are multiples of it */
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/*
 * A bound of the rank of the adjacency matrix, as far as it is below `enough`: all edges are at nodes of two
 * neighbors and more, or between two nodes that have no other.
 */
static double rank_most(const wgdn_dataset *d, double enough)
{
    const wgdn_csr *a = &d->graph->adjacency;
    double cover = 0;
    if (wgdn_dataset_ranks(d)) return enough;
    for (int64_t i = 0; i < a->rows && 2 * cover < enough; i++) {
        const int64_t degree = a->offset[i + 1] - a->offset[i];
        const int64_t j = degree == 1 ? a->column[a->offset[i]] : -1;
        cover += degree > 1 || (j > i && a->offset[j + 1] - a->offset[j] == 1);
    }
    return smaller(2 * cover, enough);
}

static wgdn_sizes sizes_of(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_sizes s = {.n = (double)wgdn_dataset_rows(d).count,
                    .entries = 2 * (double)wgdn_dataset_edges(d),
                    .dim = o->dim,
                    .weighted = wgdn_dataset_weighted(d)};
    s.structure = o->features == WGDN_FIT_FEATURES_STRUCTURE || !d->features.width;
    if (!s.structure) {
        s.features = (double)d->features.width;
        s.sparse = wgdn_matrix_is_sparse(d);
        s.nonzeros = s.sparse ? (double)d->features.entries : s.n * s.features;
        s.dim = smaller(s.dim, s.features);
        s.filters = o->scale >= 0;
        const int64_t inner =
            s.filters ? o->dim + WGDN_FIT_SPARE : wgdn_shared_inner(o->dim, d->nodes);
        s.inner = smaller((double)inner, s.features);
        s.reduces = s.features > (s.filters ? s.dim : s.inner);
    } else {
        s.dim = smaller(s.dim, s.n);
    }
    /* Transitions get the columns that eigenvectors do not fill. */
    s.k = s.structure ? s.dim - rank_most(d, s.dim / 2) + WGDN_FIT_SPARE : s.inner;
    s.refine = s.structure ? 0 : o->refine;
    return s;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Bytes: of the graph, of as much of it as is in memory with blocks, of the dataset, and of the
 * largest of the stages of fitting and embedding at once; block 0: all in memory. */
static double sizes_graph(const wgdn_sizes *s)
{
    return 16 * s->n + (s->weighted ? 8 : 4) * s->entries;
}

static double features_bytes(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double entry = d->features.sparse.value ? 8 : 4;
    if (d->features.dense) return 4 * s->n * s->features;
    return s->features > 0 ? 8 * s->n + entry * (double)d->features.entries : 0;
}

static double sizes_held(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double entry = s->weighted ? 8 : 4, window = WGDN_GATHER_WINDOW;
    const bool copied = !d->features.borrowed; /* no pages to give back */
    const double x = copied ? features_bytes(d, s) : 0;
    if (!d->archive.sparing) return sizes_graph(s) + x;
    return 16 * s->n + entry * smaller(s->entries, window) + x;
}

static double sizes_dataset(const wgdn_dataset *d, const wgdn_sizes *s)
{
    double bytes = sizes_graph(s) + features_bytes(d, s);
    if (d->relations.count)
        bytes +=
            8 * (double)d->relations.rows.rows + 8 * (double)wgdn_csr_entries(&d->relations.rows);
    return bytes;
}

/* What refining holds: views of the graph, vectors of each, and eight matrices; then three. */
static double refine_bytes(const wgdn_sizes *s)
{
    const double views = WGDN_REFINE_VIEWS, edges = (s->weighted ? 8 : 4) * s->entries;
    double bytes = 4 * (views + 8) * s->n * s->dim + 8 * 4 * s->dim * s->dim;
    for (int k = 0; k < WGDN_REFINE_VIEWS; k++)
        bytes += 16 * s->n + edges * wgdn_refine_kept(k, s->entries / s->n);
    return s->refine > 0 ? bytes : 0;
}

/*
 * What wider features take with blocks of that many columns, which sparse ones have: their basis, and the
 * sums that it is found by, of a chunk of rows or of a block of columns. mapped: dense rows are those of a
 * file, of which a chunk is in memory.
 */
static double reduce_bytes(const wgdn_sizes *s, double block, bool mapped)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n);
    const double chunk = (double)wgdn_chunk_rows(all);
    const double k = s->inner + (s->filters ? 0 : WGDN_FIT_SPARE), read = mapped ? s->features : 0;
    const double levels = (double)wgdn_tree_levels(wgdn_chunk_count(all)), f = s->features;
    if (!s->reduces) return 0;
    const double tall = s->sparse ? k : f; /* of sums over chunks */
    const size_t sums = wgdn_gemm_tn_work(wgdn_chunk(all, 0), (int64_t)tall, (int64_t)k);
    const double side =
        s->sparse ? 4 * larger(s->n * block, chunk * k) + 4 * f * block : 4 * chunk * (read + k);
    return side + 4 * 4 * f * k + 8 * levels * tall * k + (double)sums;
}

/* Covariances of features that neighbors share, sums of them over chunks, and the map. */
static double shared_bytes(const wgdn_sizes *s)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n);
    const double k = s->inner, levels = (double)wgdn_tree_levels(wgdn_chunk_count(all));
    if (s->structure || s->filters) return 0;
    const size_t work = wgdn_gemm_tn_work(wgdn_chunk(all, 0), (int64_t)k, (int64_t)k) +
                        wgdn_shared_work((int64_t)k);
    return 8 * (3 + levels) * k * k + (double)work;
}

/* Sums over chunks of rows: a chunk of their product, a tree of sums, and a chunk of other rows. */
static double leading_bytes(const wgdn_sizes *s)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n), one = wgdn_chunk(all, 0);
    const double levels = (double)wgdn_tree_levels(wgdn_chunk_count(all)), k = s->k;
    const double products = (double)wgdn_gemm_tn_work(one, (int64_t)k, (int64_t)k);
    return products + 8 * levels * k * k + 4 * (double)one.count * k;
}

/* X^T */
static double turned_bytes(const wgdn_sizes *s)
{
    return s->sparse ? 8 * (s->nonzeros + s->features) : 0;
}

/*
 * The largest of the stages: comparing scales, learning, embedding. kept: what was filtered for
 * learning makes the vectors, and blocks are gone by then.
 */
static double workspace_bytes(const wgdn_dataset *d, const wgdn_sizes *s, bool kept)
{
    const double wide = (double)wgdn_scale_columns((int64_t)s->n), n = s->n;
    const bool compares = !s->structure && !s->filters;
    const double scales = compares ? 4 * n * (3 * wide + 2 * WGDN_FIT_SCALES) : 0;
    const double block = (double)wgdn_block_default((int64_t)n, (int64_t)s->k);
    /* One of a filter, one of features unless Y is stored, and one to be safe without a cache. */
    const double blocks = (s->reduces && !s->filters ? 1 : 2) + (kept ? 0 : 1);
    const double reduce = reduce_bytes(s, s->filters ? 0 : block, false);
    /* What is found last is not in the basis before it is found. */
    const double sought = s->k - WGDN_FIT_SPARE;
    const double learn = s->structure ? 4 * n * (2 * s->k + 2 * block - sought) + leading_bytes(s)
                         : s->filters
                             ? (s->reduces ? 4 * n * (s->inner + blocks * block) : 0) + reduce
                             : larger(4 * 2 * n * s->inner, reduce);
    /* What was learned, behind the stage that counts it itself. */
    const double basis =
        s->structure ? 4 * n * s->dim : 4 * s->inner * ((s->reduces ? s->features : 0) + s->dim);
    const double chunks = 4 * 2 * (double)wgdn_chunk_rows(wgdn_alone((int64_t)n)) * s->inner;
    /* Y, unless it is X, and p(S) Y, in the same place where that is all. */
    const double signal = (s->reduces && !s->filters ? 2 : 1) * s->inner;
    const double filter = 4 * n * (blocks * block + signal) + chunks + shared_bytes(s);
    const double vectors = 4 * n * s->dim;
    const double embed = s->structure ? 4 * n * 3 * smaller(block, s->dim / 2) : filter;
    const double related = d->relations.count ? 4 * 4 * n * s->dim / 2 : 0; /* at most */
    double inputs = 12 * n + (s->weighted ? 4 * s->entries : 0); /* keys, lengths, logarithms */
    inputs += turned_bytes(s);
    if (!d->features.dense && s->nonzeros > 0 && !s->sparse)
        inputs += 4 * n * s->features; /* as a dense copy */
    const double last = kept && !s->structure && related == 0
                            ? larger(filter, 4 * n * signal + vectors)
                            : larger(embed, related) + vectors;
    const double held = kept ? 4 * n * 2 * s->inner : 0, refine = refine_bytes(s);
    const double top = refine > 0 ? refine + held + filter : 0;
    const double learning = s->structure ? learn + basis : learn;
    return inputs + larger(larger(scales, learning), basis + larger(last, top));
}

/*
 * Structure with blocks of that many columns: three of them, rows of a file that one is read from, and
 * what there is of each node. Learning: its key and three numbers. Embedding: half of the columns; its key
 * twice, its row of the basis, five numbers, and pages of the basis, of which a chunk of nodes has a
 * row here and there.
 */
static double structure_bytes(const wgdn_sizes *s, double block)
{
    enum { PAGE = 4096, WINDOW = 1 << 17 };
    const double n = s->n, logs = s->weighted ? 4 * s->entries : 0;
    const double learn = smaller(block, s->k), embed = smaller(block, s->dim / 2);
    const double chunk = (double)wgdn_chunk_rows(wgdn_alone((int64_t)n));
    const double pages = smaller(4 * n * s->dim / 2, PAGE * chunk);
    const double learning = n * (3 * 4 * learn + 8 + 3 * 4) + 4 * CHUNKS * chunk * s->k;
    const double embedding = n * (3 * 4 * embed + 3 * 8 + 5 * 4) + pages;
    return larger(learning, embedding) + 4 * learn * smaller(n, WINDOW) + logs;
}

/* The largest of the stages with blocks of that many columns, all that is larger in files. */
static double short_bytes(const wgdn_sizes *s, double block)
{
    const double n = s->n, k = s->inner, c = (double)wgdn_scale_columns((int64_t)n);
    const double chunk = (double)wgdn_chunk_rows(wgdn_alone((int64_t)n));
    const double at_once = (double)wgdn_scale_signs((int64_t)c, (int64_t)block);
    const double signs = 3 * at_once + 2 * WGDN_FIT_SCALES, features = 3 * c + WGDN_FIT_SCALES;
    const double columns = larger(larger(signs, features), 3 * block);
    if (s->structure) return structure_bytes(s, block) + 8 * SMALL * s->k * s->k;
    const double reduce = reduce_bytes(s, block, true), basis = 4 * 3 * s->features * k;
    const bool apart = s->sparse && !s->filters; /* reduced before anything is filtered */
    const double stage = apart ? larger(4 * n * columns, reduce) + basis : 4 * n * columns + reduce;
    return stage + turned_bytes(s) + 16 * n + 4 * CHUNKS * chunk * k + 8 * SMALL * k * k;
}

/* What the process takes whatever is made: program and dataset. */
static double beside(const wgdn_dataset *d, const wgdn_sizes *s, bool blocks)
{
    return (blocks ? sizes_held(d, s) : sizes_dataset(d, s)) + WGDN_FIT_PROCESS;
}

/*
 * Bytes that there are beside the dataset; -1: nobody knows. With blocks a mapped graph is gone
 * through by windows; the system is to have room for all of it, but the process has not.
 */
static double bytes_left(const wgdn_dataset *d, const wgdn_sizes *s, bool blocks)
{
    int64_t total, available;
    wgdn_memory_get(&total, &available);
    const double mapped = d->archive.tensors ? sizes_graph(s) : 0;
    const double said = (double)d->memory - beside(d, s, blocks);
    const double there = available < 0 ? -1 : larger((double)available - mapped, 0);
    if (d->memory <= 0) return there;
    return there >= 0 ? smaller(larger(said, 0), there) : larger(said, 0);
}

/* Reports the memory to allow, the whole process included. narrow: with blocks; 0: there are none. */
static wgdn_status refuse(const wgdn_dataset *d, const wgdn_sizes *s, double all, double narrow,
                          wgdn_error *err)
{
    if (!d->memory)
        return wgdn_memory_need("the closed form", (int64_t)(narrow > 0 ? narrow : all), err);
    double least = beside(d, s, false) + all;
    if (narrow > 0) least = smaller(least, beside(d, s, true) + narrow);
    return wgdn_fail(
        err, WGDN_ENOMEM,
        "the closed form%s needs %.1f MB, including program and graph; allow more memory%s",
        narrow > 0      ? " with the narrowest blocks"
        : s->refine > 0 ? " with --refine"
                        : "",
        ceil(least / 1e5) / 10, s->refine > 0 ? ", or leave out --refine" : "");
}

enum { MATRICES = 6 }; /* of a part that is made in memory */

/* Blocks of directions and types of edges, which are made in memory. */
static double relations_bytes(const wgdn_dataset *d, const wgdn_sizes *s, int64_t dim)
{
    const int64_t count = d->relations.count;
    const int64_t width = wgdn_relation_width(dim, count, (int64_t)s->features);
    return count ? 4.0 * MATRICES * s->n * (double)(count * width + WGDN_FIT_SPARE) : 0;
}

/* Sets of graphs go through in runs of bounded size, and ranks have their own parts. */
wgdn_status wgdn_fit_memory_find(wgdn_fit_memory *out, const wgdn_dataset *d,
                                 const wgdn_fit_options *o, wgdn_error *err)
{
    const wgdn_sizes s = sizes_of(d, o);
    const double left = bytes_left(d, &s, true), all = workspace_bytes(d, &s, false);
    const double whole = bytes_left(d, &s, false);
    *out = (wgdn_fit_memory){.block = 0};
    if (wgdn_dataset_graphs(d) > 1 || left < 0 || all <= whole) return WGDN_OK;
    /* Refining needs all vectors in memory. */
    if (wgdn_dataset_ranks(d) || !d->folder || s.refine > 0) return refuse(d, &s, all, 0, err);
    const double narrow = larger(short_bytes(&s, NARROWEST), relations_bytes(d, &s, o->dim));
    if (narrow > left) return refuse(d, &s, all, narrow, err);
    int64_t block = NARROWEST;
    while (block < (int64_t)s.k && short_bytes(&s, (double)(block + NARROWEST)) <= left)
        block += NARROWEST;
    *out = (wgdn_fit_memory){.block = block, .scratch = d->folder, .left = left};
    return WGDN_OK;
}

/* What a part takes beside the graph that short_bytes() has not counted; 0: nothing. */
static double part_bytes(const wgdn_fitted_part *p, const wgdn_fit_input *in)
{
    const wgdn_sizes s = {.n = (double)in->rows.count,
                          .entries = (double)wgdn_csr_entries(&in->graph->adjacency),
                          .dim = 2 * (double)p->dim,
                          .k = (double)(p->dim + WGDN_FIT_SPARE),
                          .weighted = in->weighted};
    const double whole = 4.0 * MATRICES * s.n * (double)(p->dim + WGDN_FIT_SPARE);
    if (p->kind == WGDN_PART_RELATED || p->kind == WGDN_PART_SINGULAR) return whole;
    return wgdn_part_is_structure(p) ? structure_bytes(&s, (double)in->memory.block) : 0;
}

/* Blocks of relations are made in memory. */
wgdn_status wgdn_fit_memory_check(wgdn_fit_input *in, const wgdn_fitted *f, wgdn_error *err)
{
    for (int i = 0; i < f->parts && in->memory.block; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        const bool structure = wgdn_part_is_structure(p) && p->kind != WGDN_PART_SINGULAR;
        while (structure && in->memory.block > NARROWEST && part_bytes(p, in) > in->memory.left)
            in->memory.block -= NARROWEST;
        const double needed = part_bytes(p, in);
        if (needed <= in->memory.left) continue;
        return wgdn_fail(err, WGDN_ENOMEM, "%s needs %.1f MB beside the graph: allow more memory%s",
                         structure ? "structure, which is added to weak features,"
                                   : "what directions and types of edges add",
                         needed / 1e6,
                         structure ? ", or give a scale for vectors of features alone"
                                   : ", or leave them out");
    }
    return WGDN_OK;
}

enum {
    TIMES = 5,              /* of which the one in the middle counts: others use the machine, too */
    STRETCHES = 256,        /* of rows that stand for all, where there are many */
    TRY_ENTRIES = 1 << 25,  /* entries of these together */
    TRY_ROWS = 1 << 20,     /* of a dense product */
    TRY_NUMBERS = 1 << 25,  /* of a pass */
    TRY_BYTES = 1 << 28,    /* of a file, */
    TRY_BYTES_MIN = 1 << 22 /* and at least */
};

static double middle(double t[TIMES])
{
    for (int i = 1; i < TIMES; i++)
        for (int j = i; j > 0 && t[j] < t[j - 1]; j--) {
            const double x = t[j];
            t[j] = t[j - 1];
            t[j - 1] = x;
        }
    return t[TIMES / 2];
}

/* Stretches of rows, spread over the graph, that stand for all of it where there are many. */
typedef struct stretches {
    int64_t count, rows; /* of each */
} stretches;

static stretches stretches_of(const wgdn_csr *a)
{
    const int64_t all = wgdn_csr_entries(a) + a->rows;
    if (all <= TRY_ENTRIES) return (stretches){1, a->rows};
    const double share = (double)TRY_ENTRIES / (double)all;
    return (stretches){STRETCHES, (int64_t)((double)a->rows / STRETCHES * share)};
}

/* What is multiplied: X n x k, Y of the same size, of which few rows are touched, V k x k. */
typedef struct trial {
    const wgdn_graph *g;
    int64_t n, k;
    float *x, *y, *v, *work;
    wgdn_arrays arrays;
} trial;

/* Their steps of a Chebyshev series. */
static double time_steps(const trial *t)
{
    const wgdn_csr *a = &t->g->adjacency;
    const stretches s = stretches_of(a);
    double entries = 0;
    const double start = wgdn_seconds();
    for (int64_t i = 0; i < s.count; i++) {
        const int64_t first = a->rows / s.count * i;
        float *y = t->y + first * t->k;
        wgdn_graph part = *t->g;
        part.adjacency.offset += first;
        part.adjacency.rows = s.rows;
        wgdn_chebyshev_step(y, &part, t->x, y, t->k, t->work);
        entries += (double)(part.adjacency.offset[s.rows] - part.adjacency.offset[0] + s.rows);
    }
    return (wgdn_seconds() - start) / (entries * (double)t->k);
}

static wgdn_status time_dense(double *time, const trial *t, wgdn_error *err)
{
    const int64_t rows = wgdn_min(stretches_of(&t->g->adjacency).rows, TRY_ROWS);
    const wgdn_product p = wgdn_product_of(t->y, t->x, t->v, wgdn_alone(rows), t->k, t->k);
    const double start = wgdn_seconds();
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    *time = (wgdn_seconds() - start) / ((double)rows * (double)(t->k * t->k));
    return st;
}

static wgdn_status time_pass(double *time, const trial *t, wgdn_error *err)
{
    const int64_t rows = wgdn_min(t->n, TRY_NUMBERS / t->k);
    const double start = wgdn_seconds();
    float *new = wgdn_alloc((size_t)(rows * t->k), sizeof *new);
    if (!new) return wgdn_fail(err, WGDN_ENOMEM, "estimate: a copy of %lld rows", (long long)rows);
    wgdn_copy(new, t->x, rows, t->k);
    wgdn_release(new);
    *time = (wgdn_seconds() - start) / ((double)rows * (double)t->k);
    return WGDN_OK;
}

static wgdn_status open_trial(trial *t, wgdn_error *err)
{
    const size_t all = (size_t)t->n * (size_t)t->k;
    t->x = wgdn_arrays_add(&t->arrays, all, sizeof *t->x);
    t->y = wgdn_arrays_add(&t->arrays, all, sizeof *t->y);
    t->v = wgdn_arrays_add_zero(&t->arrays, (size_t)(t->k * t->k), sizeof *t->v);
    t->work = wgdn_arrays_add(&t->arrays, wgdn_poly_work(0, t->k, 1), sizeof *t->work);
    if (t->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "estimate: a product of %lld x %lld", (long long)t->n,
                         (long long)t->k);
    memset(t->x, 0x3f, all * sizeof *t->x); /* numbers near 1, in pages of their own */
    return WGDN_OK;
}

/* Of products with k columns at once; dense and pass, too, unless `product` alone is asked for. */
static wgdn_status rates_measure(wgdn_rates *r, const wgdn_graph *g, int64_t k, bool alone,
                                 wgdn_error *err)
{
    trial t = {.g = g, .n = g->adjacency.rows, .k = k};
    double steps[TIMES], dense[TIMES] = {0}, pass[TIMES] = {0};
    wgdn_status st = open_trial(&t, err);
    if (!st) (void)time_steps(&t); /* pages of Y and of the graph */
    if (!st && !alone) st = time_dense(&dense[0], &t, err);
    for (int i = 0; i < TIMES && !st; i++) {
        steps[i] = time_steps(&t);
        if (!alone) st = time_dense(&dense[i], &t, err);
        if (!st && !alone) st = time_pass(&pass[i], &t, err);
    }
    wgdn_arrays_release(&t.arrays);
    if (st) return st;
    r->product = middle(steps);
    if (!alone) r->dense = middle(dense);
    if (!alone) r->pass = middle(pass);
    return WGDN_OK;
}

/* Written to the disk, dropped where the system does that, and read again. */
static wgdn_status rates_measure_disk(wgdn_rates *r, const char *folder, double bytes,
                                      wgdn_error *err)
{
    enum { RATES_PAGE = 4096 };
    const double most = bytes < TRY_BYTES ? bytes : TRY_BYTES;
    const size_t size = most > TRY_BYTES_MIN ? (size_t)most : TRY_BYTES_MIN;
    volatile unsigned char sum = 0;
    wgdn_storage try;
    const wgdn_status st = wgdn_storage_open(&try, size, folder, "a measurement", err);
    if (st) return st;
    const double start = wgdn_seconds();
    memset(try.at, 1, try.size);
    (void)msync(try.at, try.size, MS_SYNC);
    const double written = wgdn_seconds();
    wgdn_os_page_out(try.at, try.size);
    const double dropped = wgdn_seconds();
    for (size_t i = 0; i < try.size; i += RATES_PAGE)
        sum = (unsigned char)(sum + ((const unsigned char *)try.at)[i]);
    r->read = (wgdn_seconds() - dropped) / (double)try.size;
    r->write = (written - start) / (double)try.size;
    wgdn_storage_close(&try);
    return WGDN_OK;
}

/*
 * Estimates memory and time of a fit and its vectors: memory by the sizes above, time by the
 * products and passes over columns, at rates that are measured now.
 */

/* Seconds. */
static const double soon_enough = 2;
static const double starting = 0.1; /* of the program, its libraries and the dense engine */

/* ---- columns of the products with L, summed ---- */

/* By the scale that needs most. */
static double scale_columns(const wgdn_sizes *s)
{
    double a[WGDN_FIT_ORDER_MAX + 1];
    return 2 * (double)wgdn_scale_columns((int64_t)s->n) *
           wgdn_heat_series(a, wgdn_scales[WGDN_FIT_SCALES - 1]);
}

/* Eigenvectors and transitions, half of the columns each. */
static double structure_columns(double dim, bool weighted)
{
    const double transitions = weighted ? 3 : 2; /* products each */
    const double k = dim / 2 + WGDN_FIT_SPARE;   /* two rounds of order 13, three of 16; 7 */
    return k * (2 * 13 + 3 * 16 + 2 * 7 + 7 * transitions) + (1 + transitions) * dim / 2;
}

static double part_columns(const wgdn_fitted_part *p, const wgdn_sizes *s)
{
    double a[WGDN_FIT_ORDER_MAX + 1];
    const double dim = (double)p->dim, order = wgdn_part_series(a, p, false);
    if (p->kind == WGDN_PART_SHARED) return s->inner * (1 + order);
    if (p->kind == WGDN_PART_EIGEN) return structure_columns(2 * dim, s->weighted);
    if (p->kind != WGDN_PART_FILTERED) return 0;
    const double basis = s->features > dim ? dim + WGDN_FIT_SPARE : 0;
    return dim * order + basis * (2 * wgdn_part_series(a, p, true) + order);
}

/*
 * Of the parts. They depend on the scale, which is found out where that takes no longer than
 * measuring did; else it counts as the largest.
 */
static wgdn_status parts_columns(double *columns, const wgdn_dataset *d, const wgdn_sizes *s,
                                 const wgdn_fit_options *o, bool soon, wgdn_error *err)
{
    const wgdn_fitted_part most = {
        .kind = WGDN_PART_SHARED, .hops = -1, .scale = wgdn_scales[WGDN_FIT_SCALES - 1]};
    wgdn_fitted f = {.options = *o, .features = (int64_t)s->features};
    wgdn_fit_input in = {0};
    wgdn_status st = WGDN_OK;
    *columns = s->structure ? structure_columns(s->dim, s->weighted) : part_columns(&most, s);
    if (s->structure || (o->scale < 0 && !soon)) return WGDN_OK;
    if (o->scale < 0) {
        st = wgdn_fit_input_open(&in, d, &f, false, err);
        if (!st) st = wgdn_scales_compare(&f, &in, err);
        wgdn_fit_input_close(&in);
    }
    if (!st) st = wgdn_fit_plan(&f, err);
    *columns = 0;
    for (int i = 0; i < f.parts; i++)
        *columns += part_columns(&f.part[i], s);
    return st;
}

/* Refining: filters of the views, and in an epoch four products with each of two. */
static double refine_columns(const wgdn_sizes *s, double parts)
{
    double views = 0;
    for (int k = 0; k < WGDN_REFINE_VIEWS; k++)
        views += parts * wgdn_refine_kept(k, s->entries / s->n);
    return s->refine > 0 ? views + s->refine * 2 * 4 * s->dim : 0;
}

/* Multiplications of dense products, and of sparse ones with X. */
static double other_work(const wgdn_sizes *s)
{
    const double square = s->n * s->k * s->k;
    if (s->structure) return 2 * 25 * square;
    const double x = (s->reduces ? 5 * s->k : 0) + s->dim;
    return s->nonzeros * x * (s->sparse ? 10 : 1) +
           (s->reduces ? 7 : 4) * square + /* three covariances and a map */
           150 * s->k * s->k * s->k +      /* eigenvalues, in double and partly by one thread */
           (s->refine > 0 ? WGDN_REFINE_VIEWS * square + s->refine * 14 * s->n * s->dim * s->dim
                          : 0);
}

/*
 * Columns that blocks read and write: with columns in files, features are read five times and columns
 * seven, and columns and vectors are written five times; wider features are reduced first. Structure:
 * eleven times V, three passes of three to make it orthonormal in each of eight rounds, and bases and
 * vectors some five times.
 */
typedef struct travel {
    double in, out;
} travel;

static travel block_columns(const wgdn_sizes *s)
{
    if (s->structure) return (travel){(11 + 8 * 6) * s->k, (11 + 8 * 3) * s->k + 5 * s->dim};
    return (travel){12 * s->inner + (s->reduces ? 6 * s->nonzeros / s->n : 0), 5 * s->inner};
}

/*
 * Columns that are gone through beside products: sums of each degree have two matrices beside that of the
 * degree, and rows that are measured, brought to length one and centered take twice the time of a copy.
 */
static double passes(const wgdn_sizes *s, double scales)
{
    const travel once = block_columns(s);
    return 2 * (scales + once.in + once.out);
}

/* Columns in files at a time, with blocks. */
static double scratch_bytes(const wgdn_sizes *s)
{
    const double columns =
        s->structure ? 2 * s->k + 2 * s->dim : 2 * s->inner + (s->reduces ? s->dim : 0);
    return 4 * s->n * columns;
}

/* The system keeps files in what memory there is beside ours. */
static bool stays_in_memory(double bytes)
{
    int64_t total, available;
    wgdn_memory_get(&total, &available);
    return bytes < (double)available;
}

/* Seconds that files take: all columns with blocks that are not kept in memory, else features once, and vectors. */
static wgdn_status file_time(double *time, const wgdn_dataset *d, const wgdn_sizes *s,
                             const wgdn_fit_memory *memory, wgdn_error *err)
{
    const travel once = {s->nonzeros / s->n, s->dim};
    const travel all =
        memory->block && !stays_in_memory(scratch_bytes(s)) ? block_columns(s) : once;
    const double bytes = 4 * s->n;
    wgdn_rates r;
    *time = 0;
    if (!d->folder) return WGDN_OK; /* nobody said where they would be */
    const wgdn_status st = rates_measure_disk(&r, d->folder, bytes * all.out, err);
    if (!st) *time = bytes * (all.in * r.read + all.out * r.write);
    return st;
}

/* Seconds: of comparing scales, of the parts, of passes over columns, and of files. */
static wgdn_status estimate_time(double *total, const wgdn_dataset *d, const wgdn_sizes *s,
                                 const wgdn_fit_options *o, const wgdn_fit_memory *memory,
                                 wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const bool compares = !s->structure && o->scale < 0;
    const int64_t k = (int64_t)s->k, narrow = wgdn_scale_columns((int64_t)s->n);
    const int64_t block = memory->block ? memory->block : wgdn_block_default((int64_t)s->n, k);
    wgdn_rates r, few = {0};
    double columns = 0, files = 0;
    wgdn_status st = rates_measure(&r, g, wgdn_min(block, k), false, err);
    if (!st) st = file_time(&files, d, s, memory, err);
    if (!st && compares)
        st = rates_measure(&few, g, wgdn_scale_signs(narrow, memory->block), true, err);
    if (st) return st;
    const double scales = compares ? scale_columns(s) : 0, products = s->entries + s->n;
    const double comparing = scales * products * few.product;
    st = parts_columns(&columns, d, s, o, comparing <= soon_enough, err);
    columns += refine_columns(s, columns);
    *total = starting + comparing + columns * products * r.product + other_work(s) * r.dense +
             s->n * passes(s, scales) * r.pass + files;
    return st;
}

wgdn_status wgdn_fit_estimate(wgdn_fit_needs *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                              wgdn_error *err)
{
    wgdn_fit_options opt;
    wgdn_fit_memory memory;
    double time = 0;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_FIT, err);
    if (!st) st = wgdn_fit_memory_find(&memory, d, &opt, err);
    if (st) return st;
    const wgdn_sizes s = sizes_of(d, &opt);
    const int former = wgdn_threads_use(opt.threads);
    st = estimate_time(&time, d, &s, &opt, &memory, err);
    wgdn_threads_use(former);
    if (st) return st;
    const double dataset = sizes_dataset(d, &s);
    const double workspace =
        memory.block ? short_bytes(&s, (double)memory.block) : workspace_bytes(d, &s, true);
    /* Pages of mapped features are given back, and those of the graph behind a window. */
    const double held = memory.block ? sizes_held(d, &s) : dataset;
    const wgdn_fit_needs made = {.dataset = (int64_t)dataset,
                                 .workspace = (int64_t)workspace,
                                 .total = (int64_t)(held + workspace) + WGDN_FIT_PROCESS,
                                 .seconds = time,
                                 .slab = memory.block,
                                 .disk = memory.block ? (int64_t)scratch_bytes(&s) : 0};
    return wgdn_result_give(out, &made, sizeof made, err);
}
