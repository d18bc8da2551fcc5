/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts whose basis has a row for every node that was there: known nodes, found by the key of their
 * id. A vector is made of the rows of a node's known neighbours; a node that has none gets the mean
 * of its neighbours' vectors, in up to a few rounds. Transitions may be filtered after that. [WGDN:known]
 */
#include "columns.h"

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

/* Rows of `size` bytes in the order given; both may lie in files. */
static void sort_rows(const wgdn_spill *to, const wgdn_spill *from, size_t size, const keyed *order,
                      size_t n)
{
    const size_t window = (size_t)1 << 15;
    for (size_t i = 0; i < n; i++) {
        memcpy((char *)to->at + i * size, (char *)from->at + (size_t)order[i].row * size, size);
        if ((i + 1) % window && i + 1 < n) continue;
        wgdn_spill_forget(to, i / window * window * size, (i + 1) * size);
        wgdn_spill_forget(from, 0, from->size);
    }
}

/* *rows, of `size` bytes each, become those of all nodes in the order given. */
static wgdn_status arrange(wgdn_spill *rows, size_t size, const keyed *order,
                           const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.total;
    wgdn_spill all = *rows, sorted;
    wgdn_status st = wgdn_spill_open(&sorted, n * size, in->room.scratch, "a basis of nodes", err);
    if (in->rows.dist) {
        all = (wgdn_spill){.at = gather_rows(rows->at, size, in), .size = n * size};
        if (!st && !all.at) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld nodes", (long long)n);
    }
    if (!st) sort_rows(&sorted, &all, size, order, n);
    if (in->rows.dist) wgdn_spill_close(&all);
    if (st) {
        wgdn_spill_close(&sorted);
        return st;
    }
    wgdn_spill_close(rows);
    *rows = sorted;
    return WGDN_OK;
}

/* The same of a number of each node, in memory. */
static wgdn_status arrange_numbers(float **numbers, const keyed *order, const wgdn_fit_input *in,
                                   wgdn_error *err)
{
    wgdn_spill rows = {.at = *numbers, .size = (size_t)in->rows.count * sizeof **numbers};
    wgdn_fit_input here = *in;
    here.room.scratch = NULL;
    const wgdn_status st = arrange(&rows, sizeof **numbers, order, &here, err);
    *numbers = rows.at;
    return st;
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
        const size_t row = (size_t)wgdn_basis_columns(f, p) * sizeof *p->basis;
        st = arrange(&p->held, row, order, in, err);
        p->basis = p->held.at;
        if (!st && p->offset) st = arrange_numbers(&p->offset, order, in, err);
        st = wgdn_span_agree(in->rows, st, err);
    }
    wgdn_release(order);
    wgdn_release(all);
    return st;
}

/* ---- embedding ---- */

/* Columns of a part are made slab by slab in three matrices, and stand where the vectors are made. */
typedef struct knowing {
    const wgdn_fitted *f;
    const wgdn_fitted_part *p;
    const wgdn_fit_input *in;
    const wgdn_place *to;
    int64_t width;          /* of a slab, at most */
    float *x, *y, *other;   /* rows x width */
    int64_t *row;           /* of the basis, of each node; -1: it is not known */
    float *offset;          /* of each row; transitions only */
    float *own;             /* -log of the known neighbours' weights, summed */
    float *is_known;        /* 1 or 0 */
    float *met;             /* weights of known neighbours, then whether a row has a vector */
    int64_t first, at, now; /* row that a chunk begins with, column and width of a slab */
    bool lacking;           /* only rows that lack a vector are put */
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

int64_t wgdn_known_row(const wgdn_fitted *f, const wgdn_fit_input *in, int64_t i)
{
    return seek(f, in->key[i]);
}

static void look_up(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = wgdn_known_row(k->f, k->in, i);
        k->row[i] = at;
        k->is_known[i] = at >= 0 ? 1 : 0;
        k->offset[i] = at >= 0 && k->p->offset ? k->p->offset[at] : 0;
    }
}

static void logs(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        k->own[i] = k->met[i] > 0 ? -logf(k->met[i]) : 0;
}

/* Rows are moved, or looked at, chunk by chunk: what lies in a file is not needed soon after that. */
static void for_chunks(knowing *k, wgdn_block_rows_call call, double *sum, void *work)
{
    const wgdn_span all = k->in->rows;
    double total = 0;
    for (int64_t i = 0; i < wgdn_chunk_count(all); i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        k->first = wgdn_chunk_first(here);
        wgdn_for_blocks(here, call, k, sum, sum ? 1 : 0, work);
        total += sum ? *sum : 0;
        wgdn_place_forget(k->to, k->first, here.count);
        wgdn_spill_forget(&k->p->held, 0, k->p->held.size);
    }
    if (sum) *sum = total;
}

static float *vector(const knowing *k, int64_t i)
{
    return k->to->out + (k->first + i) * k->to->ld;
}

/* Columns of the basis into x, 0 where a node is not known. */
static void take_known(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const size_t bytes = (size_t)k->now * sizeof *k->x;
    (void)sums;
    for (int64_t i = k->first + first; i < k->first + first + count; i++) {
        float *to = k->x + i * k->now;
        if (k->row[i] >= 0)
            memcpy(to, k->p->basis + k->row[i] * k->p->dim + k->at, bytes);
        else
            memset(to, 0, bytes);
    }
}

static void take_made(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memcpy(k->x + (k->first + i) * k->now, vector(k, i) + k->at, (size_t)k->now * sizeof *k->x);
}

static void put_made(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        if (!k->lacking || k->met[k->first + i] == 0)
            memcpy(vector(k, i) + k->at, k->y + (k->first + i) * k->now,
                   (size_t)k->now * sizeof *k->y);
}

/* Rows of length 1 where there is a vector; `met` then says where. Counts rows that lack one though
 * they have neighbours. */
static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    const int64_t *offset = k->in->graph->adjacency.offset + k->first;
    for (int64_t i = first; i < first + count; i++) {
        const bool met = wgdn_row_to_length(vector(k, i), k->p->dim, 1) != 0;
        k->met[k->first + i] = met ? 1 : 0;
        sums[0] += !met && offset[i + 1] > offset[i];
    }
}

static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(vector(k, i), k->p->dim, k->to->length);
}

/* y <- what is made of x, a slab after the other, taken and put where they belong. */
static void for_slabs(knowing *k, wgdn_block_rows_call take, void (*make)(const knowing *))
{
    for (k->at = 0; k->at < k->p->dim; k->at += k->width) {
        k->now = wgdn_min(k->width, k->p->dim - k->at);
        for_chunks(k, take, NULL, NULL);
        make(k);
        for_chunks(k, put_made, NULL, NULL);
    }
}

static void sum_neighbours(const knowing *k)
{
    wgdn_adjacency(k->y, k->in->graph, k->x, k->now);
}

static void sum_known(const knowing *k)
{
    if (k->p->kind == WGDN_PART_EIGEN)
        sum_neighbours(k);
    else
        wgdn_two_sided(k->y, k->in, k->x, (const float *const[2]){k->own, k->offset},
                       (float *const[2]){k->other, k->y}, k->now);
}

/* exp(-t L) */
static void smooth(const knowing *k)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const wgdn_poly p = {.graph = k->in->graph,
                         .d = k->now,
                         .channels = 1,
                         .order = wgdn_heat_series(series, k->p->scale),
                         .a = {series},
                         .work = k->other};
    wgdn_poly_apply(k->y, &p, k->x);
}

/* Vectors of unknown nodes among themselves, from those that have one, until nothing is left. */
static void spread(knowing *k, void *work)
{
    double lacking = 0, before = -1;
    for_chunks(k, unit_rows, &lacking, work);
    for (int round = 0; round < ROUNDS && lacking > 0 && lacking != before; round++) {
        before = lacking;
        k->lacking = true;
        for_slabs(k, take_made, sum_neighbours);
        k->lacking = false;
        for_chunks(k, unit_rows, &lacking, work);
    }
}

static void embed(knowing *k, void *work)
{
    const wgdn_fit_input *in = k->in;
    wgdn_for_blocks(in->rows, look_up, k, NULL, 0, NULL);
    wgdn_adjacency(k->met, in->graph, k->is_known, 1);
    if (k->p->kind == WGDN_PART_TRANSITIONS) wgdn_for_blocks(in->rows, logs, k, NULL, 0, NULL);
    for_slabs(k, take_known, sum_known);
    spread(k, work);
    if (k->p->kind == WGDN_PART_TRANSITIONS && k->p->scale > 0) for_slabs(k, take_made, smooth);
    for_chunks(k, scale_rows, NULL, NULL);
}

wgdn_status wgdn_known_embed(const wgdn_place *to, const wgdn_fitted_part *p, const wgdn_fitted *f,
                             const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    const int64_t width = wgdn_slab_width(in, p->dim);
    const size_t slab = n * (size_t)width, other = wgdn_poly_work(in->rows.count, width, 2);
    float *store = wgdn_alloc(2 * slab + other + 4 * n, sizeof *store);
    int64_t *row = wgdn_alloc(n, sizeof *row);
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, 1), 1);
    wgdn_status st = WGDN_OK;
    if (!store || !row || !work)
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: three matrices of %lld x %lld", (long long)n,
                       (long long)width);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        knowing k = {.f = f,
                     .p = p,
                     .in = in,
                     .to = to,
                     .width = width,
                     .x = store,
                     .y = store + slab,
                     .other = store + 2 * slab,
                     .row = row,
                     .offset = store + 2 * slab + other};
        k.own = k.offset + n;
        k.is_known = k.own + n;
        k.met = k.is_known + n;
        embed(&k, work);
    }
    wgdn_release(work);
    wgdn_release(row);
    wgdn_release(store);
    return st;
}
