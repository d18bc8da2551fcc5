/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fit and its vectors will need: memory (room.c), and time, by the products that they are
 * made of, at the rate of products with L that are made now.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "codec/spill.h"
#include "room.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    TIMES = 5,             /* of which the shortest counts */
    STRETCHES = 256,       /* of rows that stand for all, where there are many */
    TRY_ENTRIES = 1 << 25, /* entries of these together */
    TRY_BYTES = 1 << 28,   /* that are written to the scratch folder, and read */
    PAGE = 4096,
};

static const double soon_enough = 2; /* seconds */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- columns that products with L have, summed over all of them ---- */

/* By the scale that needs most. */
static double scale_columns(const wgdn_sizes *s)
{
    double a[WGDN_FIT_ORDER_MAX + 1];
    return 2 * (double)wgdn_scale_columns((int64_t)s->n) *
           wgdn_heat_series(a, wgdn_scale_largest());
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
        .kind = WGDN_PART_SHARED, .hops = -1, .scale = wgdn_scale_largest()};
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
static double other_work(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double square = s->n * s->k * s->k;
    if (s->structure) return 2 * 25 * square;
    const double x = (s->reduces ? 5 * s->k : 0) + s->dim;
    return s->nonzeros * x * (wgdn_matrix_is_sparse(d) ? 10 : 1) +
           (s->reduces ? 7 : 4) * square + /* three covariances and a map */
           (s->refine > 0 ? WGDN_REFINE_VIEWS * square + s->refine * 14 * s->n * s->dim * s->dim
                          : 0);
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

/* Seconds of their steps of a Chebyshev series, for an entry and a column; y has all rows. */
static double multiply(float *y, const wgdn_graph *g, const float *x, int64_t k, float *work)
{
    const wgdn_csr *a = &g->adjacency;
    const stretches s = stretches_of(a);
    double entries = 0;
    const double start = seconds();
    for (int64_t i = 0; i < s.count; i++) {
        const int64_t first = a->rows / s.count * i;
        wgdn_graph part = *g;
        part.adjacency.offset += first;
        part.adjacency.rows = s.rows;
        wgdn_chebyshev_step(y + first * k, &part, x, y + first * k, k, work);
        entries += (double)(part.adjacency.offset[s.rows] - part.adjacency.offset[0] + s.rows);
    }
    return (seconds() - start) / (entries * (double)k);
}

/* The shortest of some products of k columns with L, and of dense ones if that is asked for. */
static wgdn_status measure(double *sparse, double *dense, const wgdn_graph *g, int64_t k,
                           wgdn_error *err)
{
    const int64_t n = g->adjacency.rows, rows = stretches_of(&g->adjacency).rows;
    const size_t all = (size_t)n * (size_t)k;
    float *x = wgdn_alloc(all, sizeof *x), *y = wgdn_alloc(all, sizeof *y); /* y: hardly touched */
    float *v = wgdn_alloc_zero((size_t)(k * k), sizeof *v);
    float *work = wgdn_alloc(wgdn_poly_work(0, k, 1), sizeof *work);
    wgdn_status st = WGDN_OK;
    if (!x || !y || !v || !work) {
        st = wgdn_fail(err, WGDN_ENOMEM, "estimate: a product of %lld x %lld", (long long)n,
                       (long long)k);
    } else {
        const wgdn_product p = wgdn_product_of(y, x, v, wgdn_alone(wgdn_min(rows, 1 << 20)), k, k);
        memset(x, 0x3f, all * sizeof *x); /* numbers near 1, in pages of their own */
        (void)multiply(y, g, x, k, work);
        for (int i = 0; i < TIMES && !st; i++) {
            const double a = multiply(y, g, x, k, work), start = seconds();
            if (dense) st = wgdn_gemm_nn(&p, err);
            const double b = (seconds() - start) / ((double)p.n.count * (double)(k * k));
            if (i == 0 || a < *sparse) *sparse = a;
            if (dense && (i == 0 || b < *dense)) *dense = b;
        }
    }
    wgdn_release(work);
    wgdn_release(v);
    wgdn_release(y);
    wgdn_release(x);
    return st;
}

/*
 * Columns that slabs read and write: with columns in files, features are read five times and columns
 * seven, and columns and vectors are written five times; wider features are reduced first. Structure:
 * eleven times V, three passes of three to make it orthonormal in each of eight rounds, and bases and
 * vectors some five times.
 */
typedef struct travel {
    double in, out;
} travel;

static travel disk_columns(const wgdn_sizes *s)
{
    if (s->structure) return (travel){(11 + 8 * 6) * s->k, (11 + 8 * 3) * s->k + 5 * s->dim};
    return (travel){12 * s->inner + (s->reduces ? 6 * s->features : 0), 5 * s->inner};
}

/* Written to the disk, dropped where the system does that, and read again. */
static wgdn_status measure_disk(double *time, const wgdn_sizes *s, const char *folder,
                                wgdn_error *err)
{
    const travel columns = disk_columns(s);
    volatile unsigned char sum = 0;
    wgdn_spill try;
    const wgdn_status st = wgdn_spill_open(&try, TRY_BYTES, folder, "a measurement", err);
    if (st) return st;
    const double start = seconds();
    memset(try.at, 1, try.size);
    (void)msync(try.at, try.size, MS_SYNC);
    const double written = seconds();
#ifdef MADV_PAGEOUT
    (void)madvise(try.at, try.size, MADV_PAGEOUT);
#endif
    const double dropped = seconds();
    for (size_t i = 0; i < try.size; i += PAGE)
        sum = (unsigned char)(sum + ((const unsigned char *)try.at)[i]);
    const double read = seconds();
    wgdn_spill_close(&try);
    *time =
        4 * s->n / TRY_BYTES * (columns.out * (written - start) + columns.in * (read - dropped));
    return WGDN_OK;
}

/* Seconds: of comparing scales, of the parts, and of the disk. */
static wgdn_status estimate_time(double *total, const wgdn_dataset *d, const wgdn_sizes *s,
                                 const wgdn_fit_options *o, const wgdn_room *room, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const bool compares = !s->structure && o->scale < 0;
    const int64_t k = (int64_t)s->k, narrow = wgdn_scale_columns((int64_t)s->n);
    const int64_t slab = room->slab ? room->slab : wgdn_slab_usual((int64_t)s->n, k);
    double sparse = 0, dense = 0, scale = 0, columns = 0, disk = 0;
    wgdn_status st = measure(&sparse, &dense, g, wgdn_min(slab, k), err);
    if (!st && room->slab) st = measure_disk(&disk, s, room->scratch, err);
    if (!st && compares) st = measure(&scale, NULL, g, wgdn_scale_signs(narrow, room->slab), err);
    if (st) return st;
    const double products = s->entries + s->n, scales = scale_columns(s) * products * scale;
    st = parts_columns(&columns, d, s, o, scales <= soon_enough, err);
    columns += refine_columns(s, columns);
    *total = scales + columns * products * sparse + other_work(d, s) * dense + disk;
    return st;
}

wgdn_status wgdn_fit_estimate(wgdn_fit_needs *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                              wgdn_error *err)
{
    wgdn_fit_options opt;
    wgdn_room room;
    double time = 0;
    wgdn_status st = wgdn_fit_options_read(&opt, o, err);
    if (!st) st = wgdn_room_find(&room, d, &opt, err);
    if (st) return st;
    const wgdn_sizes s = wgdn_sizes_of(d, &opt);
    const int former = wgdn_threads_use(opt.threads);
    st = estimate_time(&time, d, &s, &opt, &room, err);
    wgdn_threads_use(former);
    if (st) return st;
    const double dataset = wgdn_sizes_dataset(d, &s),
                 workspace = wgdn_sizes_workspace(d, &s, room.slab);
    /* Pages of mapped features are given back, and those of the graph behind a window. */
    const double held = room.slab ? wgdn_sizes_held(d, &s) : dataset;
    const double columns = s.structure ? 2 * s.k + 2 * s.dim /* in files */
                                       : 2 * s.inner + (s.reduces ? s.dim : 0);
    const wgdn_fit_needs made = {.dataset = (int64_t)dataset,
                                 .workspace = (int64_t)workspace,
                                 .total = (int64_t)(held + workspace) + WGDN_FIT_PROCESS,
                                 .seconds = time,
                                 .slab = room.slab,
                                 .disk = room.slab ? (int64_t)(4 * s.n * columns) : 0};
    return wgdn_result_give(out, &made, sizeof made, err);
}
