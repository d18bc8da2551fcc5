/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts whose basis has a row for every node that was there: known nodes, found by the key of their
 * id. A vector is made of the rows of a node's known neighbours; a node that has none gets the mean
 * of its neighbours' vectors, in up to a few rounds. Transitions may be filtered after that. [WGDN:known]
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4 };

/* ---- after the fit: rows in the order of their keys, on every rank ---- */

typedef struct keyed {
    uint64_t key;
    int64_t row;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key ? 1 : (x->row > y->row) - (x->row < y->row);
}

/* Rows of `size` bytes of all ranks, on each of them; NULL when one of them has no room. */
static void *gather_rows(const void *mine, size_t size, const wgdn_fit_input *in)
{
    const wgdn_dist *d = in->rows.dist;
    char *all = wgdn_alloc((size_t)in->rows.total, size);
    size_t *bytes = d ? wgdn_alloc((size_t)d->ranks->count, sizeof *bytes) : NULL;
    int64_t short_of_room = !all || (d && !bytes);
    if (wgdn_ranks_meet(d ? d->ranks : NULL, WGDN_OK, &short_of_room, NULL) || short_of_room) {
        wgdn_release(bytes);
        wgdn_release(all);
        return NULL;
    }
    if (all && d && bytes) {
        for (int r = 0; r < d->ranks->count; r++)
            bytes[r] = (size_t)(d->start[r + 1] - d->start[r]) * size;
        d->ranks->call->gather(d->ranks, mine, bytes[d->ranks->rank], all, bytes);
        d->ranks->call->broadcast(d->ranks, all, (size_t)in->rows.total * size);
    } else if (all && !d) {
        memcpy(all, mine, (size_t)in->rows.total * size);
    }
    wgdn_release(bytes);
    return all;
}

/* *rows, of `size` bytes each, become those of all nodes in the order given. */
static wgdn_status arrange(float **rows, size_t size, const keyed *order, const wgdn_fit_input *in,
                           wgdn_error *err)
{
    const size_t n = (size_t)in->rows.total;
    char *all = gather_rows(*rows, size, in), *sorted = wgdn_alloc(n, size);
    wgdn_status st = WGDN_OK;
    if (!all || !sorted) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld nodes", (long long)n);
    for (size_t i = 0; i < n && !st; i++)
        memcpy(sorted + i * size, all + (size_t)order[i].row * size, size);
    wgdn_release(all);
    if (st) {
        wgdn_release(sorted);
        return st;
    }
    wgdn_release(*rows);
    *rows = (float *)(void *)sorted;
    return WGDN_OK;
}

static bool has_structure(const wgdn_fitted *f)
{
    for (int i = 0; i < f->parts; i++)
        if (wgdn_part_is_structure(&f->part[i])) return true;
    return false;
}

wgdn_status wgdn_known_settle(wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.total;
    wgdn_status st = WGDN_OK;
    if (!has_structure(f)) return WGDN_OK;
    uint64_t *all = gather_rows(in->key, sizeof *all, in);
    keyed *order = wgdn_alloc(n, sizeof *order);
    f->key = wgdn_alloc(n, sizeof *f->key);
    if (!all || !order || !f->key)
        st = wgdn_fail(err, WGDN_ENOMEM, "keys of %lld nodes", (long long)n);
    st = wgdn_span_agree(in->rows, st, err);
    for (size_t i = 0; i < n && !st; i++)
        order[i] = (keyed){all[i], (int64_t)i};
    if (!st) qsort(order, n, sizeof *order, by_key);
    for (size_t i = 0; i < n && !st; i++)
        f->key[i] = order[i].key;
    f->known = (int64_t)n;
    for (int i = 0; i < f->parts && !st; i++) {
        wgdn_fitted_part *p = &f->part[i];
        if (!wgdn_part_is_structure(p)) continue;
        p->rows = (int64_t)n;
        st = arrange(&p->basis, (size_t)p->dim * sizeof *p->basis, order, in, err);
        if (!st && p->offset) st = arrange(&p->offset, sizeof *p->offset, order, in, err);
        st = wgdn_span_agree(in->rows, st, err);
    }
    wgdn_release(order);
    wgdn_release(all);
    return st;
}

/* ---- embedding ---- */

typedef struct knowing {
    const wgdn_fitted *f;
    const wgdn_fitted_part *p;
    const wgdn_fit_input *in;
    float *c;        /* rows x dim: the basis, 0 where a node is not known */
    float *side[2];  /* rows x dim */
    float *poly;     /* for filtered transitions */
    float *offset;   /* of each row; transitions only */
    float *own;      /* -log of the known neighbours' weights, summed */
    float *is_known; /* 1 or 0 */
    float *met;      /* weights of known neighbours, then whether a row has a vector */
    float *out;
    int64_t ld;
} knowing;

/* Where a key lies among the known ones, or -1. */
static int64_t seek(const wgdn_fitted *f, uint64_t key)
{
    int64_t low = 0, high = f->known;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (f->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->known && f->key[low] == key ? low : -1;
}

static void look_up(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const size_t row = (size_t)k->p->dim * sizeof *k->c;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = seek(k->f, k->in->key[i]);
        float *c = k->c + i * k->p->dim;
        k->is_known[i] = at >= 0 ? 1 : 0;
        k->offset[i] = at >= 0 && k->p->offset ? k->p->offset[at] : 0;
        if (at >= 0)
            memcpy(c, k->p->basis + at * k->p->dim, row);
        else
            memset(c, 0, row);
    }
}

static void put_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const int64_t dim = k->p->dim;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memcpy(k->out + i * k->ld, k->side[0] + i * dim, (size_t)dim * sizeof *k->out);
}

static void logs(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        k->own[i] = k->met[i] > 0 ? -logf(k->met[i]) : 0;
}

/* Rows of length 1 where there is a vector; `met` then says where. Counts rows that lack one though
 * they have neighbours. */
static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const int64_t dim = k->p->dim;
    for (int64_t i = first; i < first + count; i++) {
        const bool met = wgdn_row_to_length(k->side[0] + i * dim, dim, 1) != 0;
        const int64_t *offset = k->in->graph->adjacency.offset;
        k->met[i] = met ? 1 : 0;
        sums[0] += !met && offset[i + 1] > offset[i];
    }
}

/* Rows without a vector take the sum of their neighbours'. */
static void fill_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const int64_t dim = k->p->dim;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        if (k->met[i] == 0)
            memcpy(k->side[0] + i * dim, k->side[1] + i * dim, (size_t)dim * sizeof *k->c);
}

/* Vectors of unknown nodes among themselves, from those that have one, until nothing is left. */
static void spread(knowing *k, void *work)
{
    const wgdn_span rows = k->in->rows;
    double lacking = 0, before = -1;
    wgdn_for_blocks(rows, unit_rows, k, &lacking, 1, work);
    for (int round = 0; round < ROUNDS && lacking > 0 && lacking != before; round++) {
        before = lacking;
        wgdn_adjacency(k->side[1], k->in->graph, k->side[0], k->p->dim);
        wgdn_for_blocks(rows, fill_rows, k, NULL, 0, NULL);
        wgdn_for_blocks(rows, unit_rows, k, &lacking, 1, work);
    }
}

/* side[0] <- exp(-t L) side[0] */
static void smooth(knowing *k)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const wgdn_poly p = {.graph = k->in->graph,
                         .d = k->p->dim,
                         .channels = 1,
                         .order = wgdn_heat_series(series, k->p->scale),
                         .a = {series},
                         .work = k->poly};
    float *const before = k->side[0];
    wgdn_poly_apply(k->side[1], &p, before);
    k->side[0] = k->side[1];
    k->side[1] = before;
}

static bool smooths(const wgdn_fitted_part *p)
{
    return p->kind == WGDN_PART_TRANSITIONS && p->scale > 0;
}

static void embed(knowing *k, void *work)
{
    const wgdn_fit_input *in = k->in;
    const int64_t dim = k->p->dim;
    wgdn_for_blocks(in->rows, look_up, k, NULL, 0, NULL);
    wgdn_adjacency(k->met, in->graph, k->is_known, 1);
    if (k->p->kind == WGDN_PART_EIGEN) {
        wgdn_adjacency(k->side[0], in->graph, k->c, dim);
    } else {
        wgdn_for_blocks(in->rows, logs, k, NULL, 0, NULL);
        wgdn_two_sided(k->c, in, k->c, (const float *const[2]){k->own, k->offset}, k->side, dim);
        wgdn_copy(k->side[0], k->c, in->rows.count, dim);
    }
    spread(k, work);
    if (smooths(k->p)) smooth(k);
    wgdn_for_blocks(in->rows, put_rows, k, NULL, 0, NULL);
}

wgdn_status wgdn_known_embed(float *out, int64_t ld, const wgdn_fitted_part *p,
                             const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count, matrix = n * (size_t)p->dim;
    float *store = wgdn_alloc(3 * matrix + 4 * n, sizeof *store);
    float *poly =
        wgdn_alloc(smooths(p) ? wgdn_poly_work(in->rows.count, p->dim, 2) : 0, sizeof *poly);
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, 1), 1);
    wgdn_status st = WGDN_OK;
    if (!store || !poly || !work)
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: four matrices of %lld x %lld", (long long)n,
                       (long long)p->dim);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        knowing k = {.f = f,
                     .p = p,
                     .in = in,
                     .c = store,
                     .side = {store + matrix, store + 2 * matrix},
                     .poly = poly,
                     .offset = store + 3 * matrix,
                     .out = out,
                     .ld = ld};
        k.own = k.offset + n;
        k.is_known = k.own + n;
        k.met = k.is_known + n;
        embed(&k, work);
    }
    wgdn_release(work);
    wgdn_release(poly);
    wgdn_release(store);
    return st;
}
