/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a fit and its vectors, by the sizes that the stages allocate: all of it, or with
 * slabs of columns, where the limits leave less.
 */
#include "room.h"
#include "shared.h"

#include <math.h>

enum {
    CHUNKS = 6, /* of rows: two at work, and what of files is in memory for the moment */
    SMALL = 24, /* matrices of columns x columns: covariances, and trees of them */
    SLAB = 8,   /* columns of the narrowest slab; others are multiples of it */
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

wgdn_sizes wgdn_sizes_of(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_sizes s = {.n = (double)wgdn_dataset_rows(d).count,
                    .entries = 2 * (double)wgdn_dataset_edges(d),
                    .dim = o->dim,
                    .weighted = wgdn_dataset_weighted(d)};
    s.structure = o->features == WGDN_USE_STRUCTURE || !d->features.width;
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

double wgdn_sizes_graph(const wgdn_sizes *s)
{
    return 16 * s->n + (s->weighted ? 8 : 4) * s->entries;
}

static double features_bytes(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double entry = d->features.sparse.value ? 8 : 4;
    if (d->features.dense) return 4 * s->n * s->features;
    return s->features > 0 ? 8 * s->n + entry * (double)d->features.entries : 0;
}

double wgdn_sizes_held(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double entry = s->weighted ? 8 : 4, window = WGDN_GATHER_WINDOW;
    const bool copied = !d->features.borrowed; /* no pages to give back */
    const double x = copied ? features_bytes(d, s) : 0;
    if (!d->archive.sparing) return wgdn_sizes_graph(s) + x;
    return 16 * s->n + entry * smaller(s->entries, window) + x;
}

double wgdn_sizes_dataset(const wgdn_dataset *d, const wgdn_sizes *s)
{
    double bytes = wgdn_sizes_graph(s) + features_bytes(d, s);
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
 * What wider features take with slabs of so many columns, which sparse ones have: their basis, and the
 * sums that it is found by, of a chunk of rows or of a slab of columns.
 */
static double reduce_bytes(const wgdn_sizes *s, double slab)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n);
    const double chunk = (double)wgdn_chunk_rows(all), k = s->inner + WGDN_FIT_SPARE;
    const double levels = (double)wgdn_tree_levels(wgdn_chunk_count(all)), f = s->features;
    if (!s->reduces) return 0;
    const double tall = s->sparse ? k : f; /* of sums over chunks */
    const size_t sums = wgdn_gemm_tn_work(wgdn_chunk(all, 0), (int64_t)tall, (int64_t)k);
    const double side =
        s->sparse ? 4 * larger(s->n * slab, chunk * k) + 4 * f * slab : 4 * chunk * (f + k);
    return side + 4 * 4 * f * k + 8 * levels * tall * k + (double)sums;
}

/* Covariances of features that neighbours share, sums of them over chunks, and the map. */
static double shared_bytes(const wgdn_sizes *s)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n);
    const double k = s->inner, levels = (double)wgdn_tree_levels(wgdn_chunk_count(all));
    if (s->structure || s->filters) return 0;
    const size_t work = wgdn_gemm_tn_work(wgdn_chunk(all, 0), (int64_t)k, (int64_t)k) +
                        wgdn_shared_work((int64_t)k);
    return 8 * (3 + levels) * k * k + (double)work;
}

/* Sums over chunks of rows, for two callers: a chunk's product and a tree of sums, but no copy of its rows. */
static double leading_bytes(const wgdn_sizes *s)
{
    const wgdn_span all = wgdn_alone((int64_t)s->n);
    const double copy = 4 * (double)wgdn_chunk_rows(all) * s->k;
    return 2 * ((double)wgdn_tall_work(all, (int64_t)s->k) - copy);
}

/* X^T */
static double turned_bytes(const wgdn_sizes *s)
{
    return s->sparse ? 8 * (s->nonzeros + s->features) : 0;
}

/*
 * The largest of the stages: comparing scales, learning, embedding. kept: what was filtered for
 * learning makes the vectors, and slabs are gone by then.
 */
static double workspace_bytes(const wgdn_dataset *d, const wgdn_sizes *s, bool kept)
{
    const double wide = (double)wgdn_scale_columns((int64_t)s->n), n = s->n;
    const bool compares = !s->structure && !s->filters;
    const double scales = compares ? 4 * n * (3 * wide + 2 * WGDN_FIT_SCALES) : 0;
    const double slab = (double)wgdn_slab_usual((int64_t)n, (int64_t)s->k);
    /* Two of a series, and one that is made or waits; of three one is hardly touched. */
    const double slabs = kept || (s->reduces && !s->filters) ? 2 : 3;
    const double reduce = reduce_bytes(s, s->filters ? 0 : slab);
    /* What is found last is not in the basis before it is found. */
    const double sought = s->k - WGDN_FIT_SPARE;
    const double learn = s->structure ? 4 * n * (2 * s->k + 3 * slab - sought) + leading_bytes(s)
                         : s->filters
                             ? (s->reduces ? 4 * n * (s->inner + slabs * slab) : 0) + reduce
                             : larger(4 * 2 * n * s->inner, reduce);
    const double basis = s->structure ? 4 * n * s->dim : 3 * 4 * s->features * s->k;
    const double chunks = 4 * 2 * (double)wgdn_chunk_rows(wgdn_alone((int64_t)n)) * s->inner;
    /* Y, unless it is X, and p(S) Y, in the same place where that is all. */
    const double signal = (s->reduces && !s->filters ? 2 : 1) * s->inner;
    const double filter = 4 * n * (slabs * slab + signal) + chunks + shared_bytes(s);
    const double vectors = 4 * n * s->dim;
    const double embed = s->structure ? 4 * n * 3 * smaller(slab, s->dim / 2) : filter;
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
    return inputs + basis + larger(larger(larger(scales, learn), last), top);
}

/*
 * Structure with slabs of so many columns: three of them, rows of a file that one is read from, and
 * what there is of each node. Learning: its key and three numbers. Embedding: half of the columns; its key
 * twice, its row of the basis, five numbers, and pages of the basis, of which a chunk of nodes has a
 * row here and there.
 */
static double structure_bytes(const wgdn_sizes *s, double slab)
{
    enum { PAGE = 4096, WINDOW = 1 << 17 };
    const double n = s->n, logs = s->weighted ? 4 * s->entries : 0;
    const double learn = smaller(slab, s->k), embed = smaller(slab, s->dim / 2);
    const double chunk = (double)wgdn_chunk_rows(wgdn_alone((int64_t)n));
    const double pages = smaller(4 * n * s->dim / 2, PAGE * chunk);
    const double learning = n * (3 * 4 * learn + 8 + 3 * 4) + 4 * CHUNKS * chunk * s->k;
    const double embedding = n * (3 * 4 * embed + 3 * 8 + 5 * 4) + pages;
    return larger(learning, embedding) + 4 * learn * smaller(n, WINDOW) + logs;
}

/* The largest of the stages with slabs of so many columns, all that is larger in files. */
static double short_bytes(const wgdn_sizes *s, double slab)
{
    const double n = s->n, k = s->inner, c = (double)wgdn_scale_columns((int64_t)n);
    const double chunk = (double)wgdn_chunk_rows(wgdn_alone((int64_t)n));
    const double at_once = (double)wgdn_scale_signs((int64_t)c, (int64_t)slab);
    const double signs = 3 * at_once + 2 * WGDN_FIT_SCALES, features = 3 * c + WGDN_FIT_SCALES;
    const double columns = larger(larger(signs, features), 3 * slab);
    if (s->structure) return structure_bytes(s, slab) + 8 * SMALL * s->k * s->k;
    const double reduce = reduce_bytes(s, slab), basis = 4 * 3 * s->features * k;
    const bool apart = s->sparse && !s->filters; /* reduced before anything is filtered */
    const double stage = apart ? larger(4 * n * columns, reduce) + basis : 4 * n * columns + reduce;
    return stage + turned_bytes(s) + 16 * n + 4 * CHUNKS * chunk * k + 8 * SMALL * k * k;
}

/* What the process takes whatever is made: program and dataset. */
static double beside(const wgdn_dataset *d, const wgdn_sizes *s, bool slabs)
{
    return (slabs ? wgdn_sizes_held(d, s) : wgdn_sizes_dataset(d, s)) + WGDN_FIT_PROCESS;
}

/*
 * Bytes that there are beside the dataset; -1: nobody knows. With slabs a mapped graph is gone
 * through by windows; the system is to have room for all of it, but the process has not.
 */
static double bytes_left(const wgdn_dataset *d, const wgdn_sizes *s, bool slabs)
{
    int64_t total, available;
    wgdn_memory_get(&total, &available);
    const double mapped = d->archive.tensors ? wgdn_sizes_graph(s) : 0;
    const double said = (double)d->memory - beside(d, s, slabs);
    const double there = available < 0 ? -1 : larger((double)available - mapped, 0);
    if (d->memory <= 0) return there;
    return there >= 0 ? smaller(larger(said, 0), there) : larger(said, 0);
}

/* What has to be allowed is told as it is given, all of the process in it. narrow: with slabs; 0: there are none. */
static wgdn_status refuse(const wgdn_dataset *d, const wgdn_sizes *s, double all, double narrow,
                          wgdn_error *err)
{
    if (!d->memory)
        return wgdn_memory_need("the closed form", (int64_t)(narrow > 0 ? narrow : all), err);
    double least = beside(d, s, false) + all;
    if (narrow > 0) least = smaller(least, beside(d, s, true) + narrow);
    return wgdn_fail(err, WGDN_ENOMEM,
                     "the closed form%s needs %.1f MB, program and graph among it: allow more "
                     "memory",
                     narrow > 0 ? ", at its narrowest," : "", ceil(least / 1e5) / 10);
}

/* Sets of graphs go through in runs of bounded size, and ranks have their own parts. */
wgdn_status wgdn_room_find(wgdn_room *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                           wgdn_error *err)
{
    const wgdn_sizes s = wgdn_sizes_of(d, o);
    const double left = bytes_left(d, &s, true), all = workspace_bytes(d, &s, false);
    const double whole = bytes_left(d, &s, false);
    *out = (wgdn_room){.slab = 0};
    if (wgdn_dataset_graphs(d) > 1 || left < 0 || all <= whole) return WGDN_OK;
    if (wgdn_dataset_ranks(d) || !d->folder) return refuse(d, &s, all, 0, err);
    const double narrow = short_bytes(&s, SLAB);
    if (narrow > left) return refuse(d, &s, all, narrow, err);
    int64_t slab = SLAB;
    while (slab < (int64_t)s.k && short_bytes(&s, (double)(slab + SLAB)) <= left)
        slab += SLAB;
    *out = (wgdn_room){.slab = slab, .scratch = d->folder, .left = left};
    return WGDN_OK;
}

/* What a part takes beside the graph that short_bytes() has not counted; 0: nothing. */
static double part_bytes(const wgdn_fitted_part *p, const wgdn_fit_input *in)
{
    enum { MATRICES = 6 };
    const wgdn_sizes s = {.n = (double)in->rows.count,
                          .entries = (double)wgdn_csr_entries(&in->graph->adjacency),
                          .dim = 2 * (double)p->dim,
                          .k = (double)(p->dim + WGDN_FIT_SPARE),
                          .weighted = in->weighted};
    const double whole = 4.0 * MATRICES * s.n * (double)(p->dim + WGDN_FIT_SPARE);
    if (p->kind == WGDN_PART_RELATED || p->kind == WGDN_PART_SINGULAR) return whole;
    return wgdn_part_is_structure(p) ? structure_bytes(&s, (double)in->room.slab) : 0;
}

/* Blocks of relations are made in memory. */
wgdn_status wgdn_room_check(wgdn_fit_input *in, const wgdn_fitted *f, wgdn_error *err)
{
    for (int i = 0; i < f->parts && in->room.slab; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        const bool structure = wgdn_part_is_structure(p) && p->kind != WGDN_PART_SINGULAR;
        while (structure && in->room.slab > SLAB && part_bytes(p, in) > in->room.left)
            in->room.slab -= SLAB;
        const double needed = part_bytes(p, in);
        if (needed <= in->room.left) continue;
        return wgdn_fail(err, WGDN_ENOMEM, "%s needs %.1f MB beside the graph: allow more memory%s",
                         structure ? "structure, beside features that tell little,"
                                   : "what directions and types of edges add",
                         needed / 1e6,
                         structure ? ", or give a scale for vectors of features alone"
                                   : ", or leave them out");
    }
    return WGDN_OK;
}

double wgdn_sizes_workspace(const wgdn_dataset *d, const wgdn_sizes *s, int64_t slab)
{
    return slab ? short_bytes(s, (double)slab) : workspace_bytes(d, s, true);
}
