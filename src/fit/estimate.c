/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fit and its vectors will need: memory (room.c), and time, by the products and the passes
 * over columns that they are made of, at the rates that are measured now (rates.c).
 */
#include "rates.h"
#include "room.h"

/* Seconds. */
static const double soon_enough = 2;
static const double starting = 0.1; /* of the program, its libraries and the dense engine */

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
 * Columns that slabs read and write: with columns in files, features are read five times and columns
 * seven, and columns and vectors are written five times; wider features are reduced first. Structure:
 * eleven times V, three passes of three to make it orthonormal in each of eight rounds, and bases and
 * vectors some five times.
 */
typedef struct travel {
    double in, out;
} travel;

static travel slab_columns(const wgdn_sizes *s)
{
    if (s->structure) return (travel){(11 + 8 * 6) * s->k, (11 + 8 * 3) * s->k + 5 * s->dim};
    return (travel){12 * s->inner + (s->reduces ? 6 * s->nonzeros / s->n : 0), 5 * s->inner};
}

/*
 * Columns that are gone through beside products: sums of each degree have two matrices beside that of the
 * degree, and rows that are measured, brought to length one and centred take twice the time of a copy.
 */
static double passes(const wgdn_sizes *s, double scales)
{
    const travel once = slab_columns(s);
    return 2 * (scales + once.in + once.out);
}

/* Columns in files at a time, with slabs. */
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

/* Seconds that files take: all columns with slabs that are not kept in memory, else features once, and vectors. */
static wgdn_status file_time(double *time, const wgdn_dataset *d, const wgdn_sizes *s,
                             const wgdn_room *room, wgdn_error *err)
{
    const travel once = {s->nonzeros / s->n, s->dim};
    const travel all = room->slab && !stays_in_memory(scratch_bytes(s)) ? slab_columns(s) : once;
    const double bytes = 4 * s->n;
    wgdn_rates r;
    *time = 0;
    if (!d->folder) return WGDN_OK; /* nobody said where they would be */
    const wgdn_status st = wgdn_rates_measure_disk(&r, d->folder, bytes * all.out, err);
    if (!st) *time = bytes * (all.in * r.read + all.out * r.write);
    return st;
}

/* Seconds: of comparing scales, of the parts, of passes over columns, and of files. */
static wgdn_status estimate_time(double *total, const wgdn_dataset *d, const wgdn_sizes *s,
                                 const wgdn_fit_options *o, const wgdn_room *room, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const bool compares = !s->structure && o->scale < 0;
    const int64_t k = (int64_t)s->k, narrow = wgdn_scale_columns((int64_t)s->n);
    const int64_t slab = room->slab ? room->slab : wgdn_slab_usual((int64_t)s->n, k);
    wgdn_rates r, few = {0};
    double columns = 0, files = 0;
    wgdn_status st = wgdn_rates_measure(&r, g, wgdn_min(slab, k), false, err);
    if (!st) st = file_time(&files, d, s, room, err);
    if (!st && compares)
        st = wgdn_rates_measure(&few, g, wgdn_scale_signs(narrow, room->slab), true, err);
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
    const wgdn_fit_needs made = {.dataset = (int64_t)dataset,
                                 .workspace = (int64_t)workspace,
                                 .total = (int64_t)(held + workspace) + WGDN_FIT_PROCESS,
                                 .seconds = time,
                                 .slab = room.slab,
                                 .disk = room.slab ? (int64_t)scratch_bytes(&s) : 0};
    return wgdn_result_give(out, &made, sizeof made, err);
}
