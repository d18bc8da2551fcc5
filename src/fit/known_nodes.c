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
    int64_t missing = !all || (d && !bytes);
    if (wgdn_ranks_meet(d ? d->ranks : NULL, WGDN_OK, &missing, NULL) || missing) {
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

/* Rows of k floats, and the order that they are to have. */
typedef struct sorting {
    const wgdn_storage *from;
    const keyed *order;
    int64_t k;
} sorting;

static wgdn_status sort_chunk(float *to, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    const sorting *s = self;
    const keyed *order = s->order + wgdn_chunk_first(chunk);
    (void)from, (void)err;
    for (int64_t i = 0; i < chunk.count; i++)
        memcpy(to + i * s->k, (const float *)s->from->at + order[i].row * s->k,
               (size_t)s->k * sizeof *to);
    wgdn_storage_release(s->from, 0, s->from->size);
    return WGDN_OK;
}

/* *rows, k floats each, become those of all nodes in the order given; folder: of files, or NULL. */
static wgdn_status arrange(wgdn_storage *rows, int64_t k, const keyed *order,
                           const wgdn_fit_input *in, const char *folder, wgdn_error *err)
{
    const wgdn_span all = wgdn_alone(in->rows.total);
    const size_t row = (size_t)k * sizeof(float);
    wgdn_storage gathered = *rows;
    wgdn_tall sorted;
    wgdn_tall_work work = {0};
    wgdn_status st = wgdn_tall_open(&sorted, all, k, k, folder, err);
    if (in->rows.dist) {
        gathered = (wgdn_storage){.at = wgdn_gather_rows(rows->at, row, in)};
        if (!st && !gathered.at)
            st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld nodes", (long long)all.count);
    }
    sorting s = {&gathered, order, k};
    if (!st) st = wgdn_tall_map_rows(&sorted, NULL, sort_chunk, &s, &work, err);
    wgdn_tall_work_free(&work);
    if (in->rows.dist) wgdn_storage_close(&gathered);
    if (st) {
        wgdn_tall_close(&sorted);
        return st;
    }
    wgdn_storage_close(rows);
    *rows = sorted.store;
    return WGDN_OK;
}

/* The node of every row of all ranks; NULL if one of them is out of memory. */
static int32_t *gather_nodes(const wgdn_fit_input *in)
{
    int32_t *mine = wgdn_alloc((size_t)in->rows.count, sizeof *mine);
    int64_t missing = !mine;
    const wgdn_dist *d = in->rows.dist;
    int32_t *all = NULL;
    for (int64_t i = 0; i < in->rows.count && mine; i++)
        mine[i] = (int32_t)node_of(in, i);
    if (!wgdn_ranks_meet(d ? d->ranks : NULL, WGDN_OK, &missing, NULL) && !missing)
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
                                       in->memory.scratch, "ids of nodes", err);
    if (!st)
        st = wgdn_storage_open(&f->id_store[1], (size_t)used + 1, in->memory.scratch,
                               "ids of nodes", err);
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

wgdn_status wgdn_known_settle(wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.total;
    wgdn_status st = WGDN_OK;
    if (!wgdn_fit_has_structure(f)) return WGDN_OK;
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
        wgdn_storage offset = {.at = p->offset};
        st = arrange(&p->held, wgdn_basis_columns(f, p), order, in, in->memory.scratch, err);
        p->basis = p->held.at;
        if (!st && p->offset) st = arrange(&offset, 1, order, in, NULL, err);
        p->offset = offset.at;
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
    wgdn_tall z;     /* the vectors */
    double length;   /* of a vector; 0: as it is */
    float *other;    /* a block of columns; transitions only */
    int64_t *row;    /* of the basis, of each node; -1: it is not known */
    float *offset;   /* of each row; transitions only */
    float *own;      /* -log of the known neighbors' weights, summed */
    float *is_known; /* 1 or 0 */
    float *met;      /* weights of known neighbors, then whether a row has a vector */
    void *sums;
    double lacking; /* rows without a vector that have neighbors */
    wgdn_tall_work work;
    wgdn_arrays arrays;
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

static void seek_rows(int64_t first, int64_t count, void *context)
{
    const knowing *k = context;
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

static void look_up(int64_t first, int64_t count, void *context)
{
    const knowing *k = context;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = k->row[i];
        k->is_known[i] = at >= 0 ? 1 : 0;
        k->offset[i] = at >= 0 && k->p->offset ? k->p->offset[at] : 0;
    }
}

static void logs(int64_t first, int64_t count, void *context)
{
    const knowing *k = context;
    for (int64_t i = first; i < first + count; i++)
        k->own[i] = k->met[i] > 0 ? -logf(k->met[i]) : 0;
}

/* ---- the vectors of nodes whose neighbors are known ---- */

/* Columns of rows of the basis, for a chunk of nodes; zeros for unknown nodes. */
typedef struct taking {
    const knowing *k;
    float *to;
    int64_t first, at, width;
} taking;

static void take_rows(int64_t first, int64_t count, void *context)
{
    const taking *t = context;
    const wgdn_fitted_part *p = t->k->p;
    const size_t bytes = (size_t)t->width * sizeof *t->to;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t row = t->k->row[t->first + i];
        if (row >= 0)
            memcpy(t->to + i * t->width, p->basis + row * p->dim + t->at, bytes);
        else
            memset(t->to + i * t->width, 0, bytes);
    }
}

static void take_known(float *to, wgdn_span chunk, int64_t at, int64_t width, const void *of)
{
    const knowing *k = of;
    taking t = {k, to, wgdn_chunk_first(chunk), at, width};
    wgdn_for_rows(chunk, take_rows, &t);
    wgdn_storage_release(&k->p->held, 0, k->p->held.size);
}

static float *sum_known(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const knowing *k = self;
    (void)at;
    if (k->p->kind == WGDN_PART_EIGEN)
        wgdn_adjacency(y, k->in->graph, x, width);
    else
        wgdn_two_sided(y, k->in, x, (const float *const[2]){k->own, k->offset},
                       (float *const[2]){k->other, y}, width);
    return y;
}

/* ---- vectors of unknown nodes among themselves ---- */

/* Scales rows to length 1 and notes which are not zero. Counts rows of zeros that have neighbors. */
typedef struct rows_of {
    knowing *k;
    float *z;
    int64_t first;
} rows_of;

static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const rows_of *r = context;
    const knowing *k = r->k;
    const int64_t *offset = k->in->graph->adjacency.offset + r->first;
    for (int64_t i = first; i < first + count; i++) {
        float *z = r->z + i * k->z.stride;
        const bool met = k->length > 0 ? wgdn_row_to_length(z, k->p->dim, 1) != 0 : *z != 0;
        k->met[r->first + i] = met ? 1 : 0;
        sums[0] += !met && offset[i + 1] > offset[i];
    }
}

static wgdn_status unit_chunk(float *z, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    rows_of r = {self, z, wgdn_chunk_first(chunk)};
    double lacking = 0;
    (void)from, (void)err;
    wgdn_for_blocks(chunk, unit_rows, &r, &lacking, 1, r.k->sums);
    r.k->lacking += lacking;
    return WGDN_OK;
}

static wgdn_status make_unit(knowing *k, wgdn_error *err)
{
    k->lacking = 0;
    return wgdn_tall_map_rows(&k->z, &k->z, unit_chunk, k, &k->work, err);
}

typedef struct keeping {
    const knowing *k;
    const float *x;
    float *y;
    int64_t width;
} keeping;

static void keep_rows(int64_t first, int64_t count, void *context)
{
    const keeping *p = context;
    for (int64_t i = first; i < first + count; i++)
        if (p->k->met[i] != 0)
            memcpy(p->y + i * p->width, p->x + i * p->width, (size_t)p->width * sizeof *p->y);
}

/* Sums over neighbors, for rows that lack a vector. */
static float *sum_neighbors(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const knowing *k = self;
    keeping keep = {k, x, y, width};
    (void)at;
    wgdn_adjacency(y, k->in->graph, x, width);
    wgdn_for_rows(k->in->rows, keep_rows, &keep);
    return y;
}

/* Rounds, until no row lacks a vector that could have one. */
static wgdn_status spread(knowing *k, wgdn_error *err)
{
    double before = -1;
    wgdn_status st = make_unit(k, err);
    for (int round = 0; round < ROUNDS && !st && k->lacking > 0 && k->lacking != before; round++) {
        before = k->lacking;
        st =
            wgdn_tall_map_columns(&k->z, &k->z, WGDN_COLUMNS_READ, sum_neighbors, k, &k->work, err);
        if (!st) st = make_unit(k, err);
    }
    return st;
}

/* Z <- exp(-t L) Z */
static wgdn_status smooth(knowing *k, wgdn_error *err)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const wgdn_poly p = {.graph = k->in->graph,
                         .channels = 1,
                         .order = wgdn_heat_series(series, k->p->scale),
                         .a = {series}};
    wgdn_release(k->other);
    k->other = NULL;
    return wgdn_tall_filter(&k->z, &p, &k->z, &k->work, err);
}

static void length_rows(int64_t first, int64_t count, void *context)
{
    const rows_of *r = context;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(r->z + i * r->k->z.stride, r->k->p->dim, r->k->length);
}

static wgdn_status length_chunk(float *z, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    rows_of r = {self, z, 0};
    (void)from, (void)err;
    wgdn_for_rows(chunk, length_rows, &r);
    return WGDN_OK;
}

static wgdn_status embed(knowing *k, wgdn_error *err)
{
    const wgdn_fit_input *in = k->in;
    const bool transitions = k->p->kind == WGDN_PART_TRANSITIONS;
    const wgdn_tall known = {
        .rows = in->rows, .k = k->p->dim, .width = k->p->dim, .make = take_known, .of = k};
    wgdn_for_rows(in->rows, look_up, k);
    wgdn_adjacency(k->met, in->graph, k->is_known, 1);
    if (transitions) wgdn_for_rows(in->rows, logs, k);
    wgdn_status st =
        wgdn_tall_map_columns(&k->z, &known, WGDN_COLUMNS_READ, sum_known, k, &k->work, err);
    if (!st) st = spread(k, err);
    if (!st && transitions && k->p->scale > 0) st = smooth(k, err);
    if (!st && k->length > 0) st = wgdn_tall_map_rows(&k->z, &k->z, length_chunk, k, &k->work, err);
    return st;
}

wgdn_status wgdn_known_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                             const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    knowing k = {.f = f, .p = p, .in = in, .z = to->columns, .length = to->length};
    const bool transitions = p->kind == WGDN_PART_TRANSITIONS;
    k.other = wgdn_alloc(transitions ? n * (size_t)k.z.width : 0, sizeof *k.other);
    k.offset = wgdn_arrays_add(&k.arrays, 4 * n, sizeof *k.offset);
    k.row = wgdn_arrays_add(&k.arrays, n, sizeof *k.row);
    k.sums = wgdn_arrays_add(&k.arrays, wgdn_for_blocks_work(in->rows, 1), 1);
    wgdn_status st = WGDN_OK;
    if (k.arrays.failed || !k.other)
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: a matrix of %lld x %lld", (long long)n,
                       (long long)k.z.width);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        k.own = k.offset + n;
        k.is_known = k.own + n;
        k.met = k.is_known + n;
        if (in->rows.dist && f->holds_ids)
            st = seek_for_ranks(&k, err);
        else
            wgdn_for_rows(in->rows, seek_rows, &k);
        if (!st) st = embed(&k, err);
    }
    wgdn_tall_work_free(&k.work);
    wgdn_arrays_release(&k.arrays);
    wgdn_release(k.other);
    return st;
}
