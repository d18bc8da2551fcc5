/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embeds with parts whose basis has one row for each node of the fit, such as eigenvectors and
 * transitions. fit.c calls it; relation_blocks.c uses its lookup of known nodes for other bases.
 *
 * Known nodes are found by the key of their id. Where the model stores ids, the id is compared as
 * well, because ids can be crafted to share a key. The vector of a node is computed from the rows
 * of its known neighbors. A node without known neighbors gets the mean of its neighbors' vectors,
 * in a few rounds. Transitions may be filtered after that.                             [WGDN:known]
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4 };

static int64_t node_of(const wgdn_fit_input *in, int64_t row)
{
    return in->data->order ? in->data->order[row] : in->rows.first + row;
}

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

void *wgdn_gather_rows(const void *mine, size_t size, const wgdn_fit_input *in)
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
static void sort_rows(const wgdn_storage *to, const wgdn_storage *from, size_t size,
                      const keyed *order, size_t n)
{
    const size_t window = (size_t)1 << 15;
    for (size_t i = 0; i < n; i++) {
        memcpy((char *)to->at + i * size, (char *)from->at + (size_t)order[i].row * size, size);
        if ((i + 1) % window && i + 1 < n) continue;
        wgdn_storage_release(to, i / window * window * size, (i + 1) * size);
        wgdn_storage_release(from, 0, from->size);
    }
}

/* *rows, of `size` bytes each, become those of all nodes in the order given. */
static wgdn_status arrange(wgdn_storage *rows, size_t size, const keyed *order,
                           const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.total;
    wgdn_storage all = *rows, sorted;
    wgdn_status st =
        wgdn_storage_open(&sorted, n * size, in->room.scratch, "a basis of nodes", err);
    if (in->rows.dist) {
        all = (wgdn_storage){.at = wgdn_gather_rows(rows->at, size, in), .size = n * size};
        if (!st && !all.at) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld nodes", (long long)n);
    }
    if (!st) sort_rows(&sorted, &all, size, order, n);
    if (in->rows.dist) wgdn_storage_close(&all);
    if (st) {
        wgdn_storage_close(&sorted);
        return st;
    }
    wgdn_storage_close(rows);
    *rows = sorted;
    return WGDN_OK;
}

/* The same of a number of each node, in memory. */
static wgdn_status arrange_numbers(float **numbers, const keyed *order, const wgdn_fit_input *in,
                                   wgdn_error *err)
{
    wgdn_storage rows = {.at = *numbers, .size = (size_t)in->rows.count * sizeof **numbers};
    wgdn_fit_input here = *in;
    here.room.scratch = NULL;
    const wgdn_status st = arrange(&rows, sizeof **numbers, order, &here, err);
    *numbers = rows.at;
    return st;
}

/* The node of every row of all ranks; NULL when one of them has no room. */
static int32_t *gather_nodes(const wgdn_fit_input *in)
{
    int32_t *mine = wgdn_alloc((size_t)in->rows.count, sizeof *mine);
    int64_t short_of_room = !mine;
    const wgdn_dist *d = in->rows.dist;
    int32_t *all = NULL;
    for (int64_t i = 0; i < in->rows.count && mine; i++)
        mine[i] = (int32_t)node_of(in, i);
    if (!wgdn_ranks_meet(d ? d->ranks : NULL, WGDN_OK, &short_of_room, NULL) && !short_of_room)
        all = wgdn_gather_rows(mine, sizeof *mine, in);
    wgdn_release(mine);
    return all;
}

/* ---- their ids ---- */

/* The ids in the order given, one behind another. */
static wgdn_status store_ids(wgdn_fitted *f, const wgdn_fit_input *in, const keyed *order,
                             const int32_t *node, wgdn_error *err)
{
    const int64_t n = in->rows.total;
    char digits[WGDN_INDEX_TEXT];
    int64_t used = 0;
    for (int64_t i = 0; i < n; i++)
        used += (int64_t)wgdn_dataset_name(in->data, node[i], digits).size;
    wgdn_status st = wgdn_storage_open(&f->id_store[0], (size_t)(n + 1) * sizeof *f->ids.start,
                                       in->room.scratch, "ids of nodes", err);
    if (!st)
        st = wgdn_storage_open(&f->id_store[1], (size_t)used + 1, in->room.scratch, "ids of nodes",
                               err);
    if (st) return st;
    f->ids = (wgdn_names){n, f->id_store[0].at, f->id_store[1].at};
    used = 0;
    for (int64_t i = 0; i < n; i++) {
        const wgdn_text id = wgdn_dataset_name(in->data, node[order[i].row], digits);
        f->ids.start[i] = used;
        memcpy(f->ids.text + used, id.at, id.size);
        used += (int64_t)id.size;
    }
    f->ids.start[n] = used;
    return WGDN_OK;
}

typedef struct tied {
    wgdn_text id;
    int64_t row;
} tied;

static int by_id(const void *a, const void *b)
{
    return wgdn_text_compare(((const tied *)a)->id, ((const tied *)b)->id);
}

/* Nodes [first, first + count), which share a key, by their ids. */
static wgdn_status sort_tied(wgdn_names *ids, keyed *order, int64_t first, int64_t count,
                             wgdn_error *err)
{
    const int64_t from = ids->start[first], size = ids->start[first + count] - from;
    tied *t = wgdn_alloc((size_t)count, sizeof *t);
    unsigned char *text = wgdn_alloc((size_t)size + 1, 1);
    if (!t || !text) {
        wgdn_release(text);
        wgdn_release(t);
        return wgdn_fail(err, WGDN_ENOMEM, "%lld ids that share a hash", (long long)count);
    }
    memcpy(text, ids->text + from, (size_t)size);
    for (int64_t i = 0; i < count; i++) {
        const wgdn_text id = wgdn_names_get(ids, first + i);
        t[i] =
            (tied){wgdn_text_of(text + (id.at - ids->text) - from, id.size), order[first + i].row};
    }
    qsort(t, (size_t)count, sizeof *t, by_id);
    for (int64_t i = 0, at = from; i < count; i++) {
        memcpy(ids->text + at, t[i].id.at, t[i].id.size);
        ids->start[first + i] = at;
        order[first + i].row = t[i].row;
        at += (int64_t)t[i].id.size;
    }
    wgdn_release(text);
    wgdn_release(t);
    return WGDN_OK;
}

/* The ids to the model, on rank 0; nodes of one key come into the order of their ids, on all. */
static wgdn_status settle_ids(wgdn_fitted *f, const wgdn_fit_input *in, keyed *order,
                              wgdn_error *err)
{
    wgdn_ranks *ranks = in->rows.dist ? in->rows.dist->ranks : NULL;
    const int64_t n = in->rows.total;
    int32_t *node = gather_nodes(in);
    const bool root = !ranks || ranks->rank == 0;
    wgdn_status st =
        node ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "ids of %lld nodes", (long long)n);
    if (!st && root) st = store_ids(f, in, order, node, err);
    for (int64_t i = 0; i < n && !st && root;) {
        int64_t next = i + 1;
        while (next < n && order[next].key == order[i].key)
            next++;
        if (next - i > 1) st = sort_tied(&f->ids, order, i, next - i, err);
        i = next;
    }
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && ranks) ranks->call->broadcast(ranks, order, (size_t)n * sizeof *order);
    f->holds_ids = !st;
    wgdn_release(node);
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
    uint64_t *all = wgdn_gather_rows(in->key, sizeof *all, in);
    keyed *order = wgdn_alloc(n, sizeof *order);
    f->key = wgdn_alloc(n, sizeof *f->key);
    if (!all || !order || !f->key)
        st = wgdn_fail(err, WGDN_ENOMEM, "keys of %lld nodes", (long long)n);
    st = wgdn_span_agree(in->rows, st, err);
    for (size_t i = 0; i < n && !st; i++)
        order[i] = (keyed){all[i], (int64_t)i};
    if (!st) qsort(order, n, sizeof *order, by_key);
    if (!st && f->options.ids) st = settle_ids(f, in, order, err);
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

/* The first known node from `low` on whose key is not below this one. */
static int64_t seek_key(const wgdn_fitted *f, uint64_t key, int64_t low)
{
    int64_t high = f->known;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (f->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where a node lies among the known ones, or -1; by its key alone where there are no ids. */
static int64_t seek(const wgdn_fitted *f, uint64_t key, wgdn_text id)
{
    int64_t low = seek_key(f, key, 0);
    if (low == f->known || f->key[low] != key) return -1;
    if (!f->holds_ids) return low;
    int64_t high = key == UINT64_MAX ? f->known : seek_key(f, key + 1, low);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const int order = wgdn_text_compare(wgdn_names_get(&f->ids, middle), id);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int64_t wgdn_known_row(const wgdn_fitted *f, const wgdn_fit_input *in, int64_t i)
{
    char digits[WGDN_INDEX_TEXT];
    const wgdn_text none = {0};
    return seek(f, in->key[i],
                f->holds_ids ? wgdn_dataset_name(in->data, node_of(in, i), digits) : none);
}

static void seek_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        k->row[i] = wgdn_known_row(k->f, k->in, i);
}

/* The same where ranks share the rows: rank 0 alone has ids. */
static wgdn_status seek_for_ranks(knowing *k, wgdn_error *err)
{
    const wgdn_span rows = k->in->rows;
    wgdn_ranks *ranks = rows.dist->ranks;
    uint64_t *key = wgdn_gather_rows(k->in->key, sizeof *key, k->in);
    int32_t *node = gather_nodes(k->in);
    int64_t *row = wgdn_alloc((size_t)rows.total, sizeof *row);
    char digits[WGDN_INDEX_TEXT];
    wgdn_status st = WGDN_OK;
    if (!key || !node || !row)
        st = wgdn_fail(err, WGDN_ENOMEM, "known nodes among %lld", (long long)rows.total);
    st = wgdn_span_agree(rows, st, err);
    for (int64_t i = 0; i < rows.total && !st && ranks->rank == 0; i++)
        row[i] = seek(k->f, key[i], wgdn_dataset_name(k->in->data, node[i], digits));
    if (!st) ranks->call->broadcast(ranks, row, (size_t)rows.total * sizeof *row);
    if (!st) memcpy(k->row, row + rows.first, (size_t)rows.count * sizeof *row);
    wgdn_release(row);
    wgdn_release(node);
    wgdn_release(key);
    return st;
}

static void look_up(int64_t first, int64_t count, double *sums, void *context)
{
    const knowing *k = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = k->row[i];
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
        wgdn_storage_release(&k->p->held, 0, k->p->held.size);
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
        const bool met = k->to->length > 0 ? wgdn_row_to_length(vector(k, i), k->p->dim, 1) != 0
                                           : *vector(k, i) != 0;
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
    if (k->to->length > 0) for_chunks(k, scale_rows, NULL, NULL);
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
        if (in->rows.dist && f->holds_ids)
            st = seek_for_ranks(&k, err);
        else
            wgdn_for_blocks(in->rows, seek_rows, &k, NULL, 0, NULL);
        if (!st) embed(&k, work);
    }
    wgdn_release(work);
    wgdn_release(row);
    wgdn_release(store);
    return st;
}
