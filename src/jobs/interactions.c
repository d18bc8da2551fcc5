/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a dataset into a matrix of users x items with the original ids, and holds a part of it out.
 * The job "recommend" computes scores from these rows, and chooses its settings on what is held out.
 */
#include "base/streams.h"
#include "eval/eval.h"
#include "ranking.h"

#include <stdlib.h>
#include <xxhash.h>

static wgdn_status no_memory(const wgdn_interactions *x, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: interactions of %lld x %lld",
                     (long long)x->r.rows, (long long)x->r.cols);
}

/* ---- scales, keys and order ---- */

static float *scales_of(const wgdn_csr *a)
{
    float *scale = wgdn_alloc((size_t)a->rows, sizeof *scale);
    for (int64_t i = 0; scale && i < a->rows; i++) {
        const double d = wgdn_graph_strength(a, i);
        scale[i] = d > 0 ? (float)(1 / sqrt(d)) : 0;
    }
    return scale;
}

static uint64_t *keys_of(const wgdn_names *n)
{
    uint64_t *key = wgdn_alloc((size_t)n->count, sizeof *key);
    for (int64_t i = 0; key && i < n->count; i++) {
        const wgdn_text id = wgdn_names_get(n, i);
        key[i] = XXH3_64bits(id.at, id.size);
    }
    return key;
}

/* Interactions of all users of each item. */
static int64_t *reach_of(const wgdn_csr *t, const wgdn_csr *r)
{
    int64_t *reach = wgdn_alloc((size_t)t->rows, sizeof *reach);
    for (int64_t j = 0; reach && j < t->rows; j++) {
        reach[j] = 0;
        for (int64_t k = t->offset[j]; k < t->offset[j + 1]; k++)
            reach[j] += r->offset[t->column[k] + 1] - r->offset[t->column[k]];
    }
    return reach;
}

/* Scales and reach of the rows. */
static bool measure_rows(wgdn_interactions *x)
{
    x->user_scale = scales_of(&x->r);
    x->item_scale = x->one_mode ? x->user_scale : scales_of(&x->t);
    x->reach = reach_of(&x->t, &x->r);
    return x->user_scale && x->item_scale && x->reach;
}

typedef struct placed {
    int64_t item, degree;
    wgdn_text id;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->degree != y->degree) return x->degree > y->degree ? -1 : 1;
    return wgdn_text_compare(x->id, y->id);
}

static int32_t *order_of(const wgdn_csr *t, const wgdn_names *id)
{
    placed *p = wgdn_alloc((size_t)t->rows, sizeof *p);
    int32_t *order = wgdn_alloc((size_t)t->rows, sizeof *order);
    if (p && order) {
        for (int64_t j = 0; j < t->rows; j++)
            p[j] = (placed){j, t->offset[j + 1] - t->offset[j], wgdn_names_get(id, j)};
        qsort(p, (size_t)t->rows, sizeof *p, by_place);
        for (int64_t j = 0; j < t->rows; j++)
            order[p[j].item] = (int32_t)j;
    }
    wgdn_release(p);
    if (p) return order;
    wgdn_release(order);
    return NULL;
}

wgdn_status wgdn_interactions_make(wgdn_interactions *x, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (x->one_mode)
        x->t = x->r, x->item_id = x->user_id;
    else
        st = wgdn_csr_transpose(&x->t, &x->r, err);
    if (!st) {
        x->user_key = keys_of(&x->user_id);
        x->item_key = x->one_mode ? x->user_key : keys_of(&x->item_id);
        x->order = order_of(&x->t, &x->item_id);
        if (!measure_rows(x) || !x->user_key || !x->item_key || !x->order) st = no_memory(x, err);
    }
    if (st) wgdn_interactions_free(x);
    return st;
}

void wgdn_interactions_free(wgdn_interactions *x)
{
    if (!x->one_mode) {
        wgdn_names_free(&x->item_id);
        wgdn_release(x->item_key);
    }
    wgdn_names_free(&x->user_id);
    wgdn_release(x->user_key);
    wgdn_release(x->order);
    wgdn_interactions_free_rest(x);
}

/* ---- from a dataset ---- */

/* The id without the kind before the colon. */
static wgdn_text plain_id(wgdn_text id, bool kinds)
{
    const unsigned char *colon = kinds && id.size ? memchr(id.at, ':', id.size) : NULL;
    const size_t skip = colon ? (size_t)(colon - id.at) + 1 : 0;
    return wgdn_text_of(id.at + skip, id.size - skip);
}

/* Names of the nodes of one side, or of all with side NULL. */
static wgdn_status copy_names(wgdn_names *n, const wgdn_dataset *d, const uint8_t *side, int which,
                              bool kinds, wgdn_error *err)
{
    char buffer[WGDN_INDEX_TEXT];
    int64_t count = 0, bytes = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        if (side && side[i] != which) continue;
        count++;
        bytes += (int64_t)plain_id(wgdn_dataset_name(d, i, buffer), kinds).size;
    }
    n->start = wgdn_alloc((size_t)count + 1, sizeof *n->start);
    n->text = wgdn_alloc((size_t)bytes + 1, 1);
    if (!n->start || !n->text) {
        wgdn_names_free(n);
        return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld ids", (long long)count);
    }
    n->start[0] = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        if (side && side[i] != which) continue;
        const wgdn_text id = plain_id(wgdn_dataset_name(d, i, buffer), kinds);
        const int64_t at = n->start[n->count++];
        if (id.size) memcpy(n->text + at, id.at, id.size);
        n->start[n->count] = at + (int64_t)id.size;
    }
    return WGDN_OK;
}

/* Rows of the left side; columns are renumbered within the right one. */
static wgdn_status copy_rows(wgdn_csr *r, const wgdn_csr *a, const uint8_t *side, wgdn_error *err)
{
    int32_t *place = wgdn_alloc((size_t)a->rows, sizeof *place);
    int64_t count[2] = {0, 0}, rows = 0;
    if (!place) return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld nodes", (long long)a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        place[i] = side ? (side[i] < 2 ? (int32_t)count[side[i]]++ : -1) : (int32_t)i;
    const int64_t users = side ? count[0] : a->rows, items = side ? count[1] : a->rows;
    const int64_t entries = wgdn_csr_entries(a) / (side ? 2 : 1);
    const bool made = wgdn_csr_alloc(r, users, items, entries, a->value != NULL);
    for (int64_t i = 0, at = 0; made && i < a->rows; i++) {
        if (side && side[i] != 0) continue;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++, at++) {
            r->column[at] = place[a->column[k]];
            if (a->value) r->value[at] = a->value[k];
        }
        r->offset[++rows] = at;
    }
    wgdn_release(place);
    return made ? WGDN_OK
                : wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld interactions", (long long)entries);
}

static wgdn_status from_rows(wgdn_interactions *x, const wgdn_dataset *d, wgdn_error *err)
{
    uint8_t *side = NULL;
    bool kinds = false;
    wgdn_status st = wgdn_sides_find(&side, &kinds, d, err);
    if (st) return st;
    x->one_mode = !side;
    st = copy_rows(&x->r, &wgdn_dataset_get_graph(d)->adjacency, side, err);
    if (!st) st = copy_names(&x->user_id, d, side, 0, kinds, err);
    if (!st && side) st = copy_names(&x->item_id, d, side, 1, kinds, err);
    wgdn_release(side);
    return st;
}

/* Weights as they are to be used. */
static void use_values(wgdn_csr *r, wgdn_interaction_values values)
{
    if (values == WGDN_INTERACTION_VALUES_WEIGHT || !r->value) return;
    for (int64_t k = 0; values == WGDN_INTERACTION_VALUES_LOG && k < wgdn_csr_entries(r); k++)
        r->value[k] = (float)log1p((double)r->value[k]);
    if (values == WGDN_INTERACTION_VALUES_LOG) return;
    wgdn_release(r->value);
    r->value = NULL;
}

wgdn_status wgdn_interactions_from(wgdn_interactions *x, const wgdn_dataset *d,
                                   wgdn_interaction_values values, wgdn_error *err)
{
    wgdn_plain plain;
    *x = (wgdn_interactions){0};
    if (wgdn_dataset_ranks(d) && wgdn_dataset_ranks(d)->count > 1)
        return wgdn_fail(err, WGDN_ENOSUPPORT,
                         "recommend: not supported with MPI; run without mpirun");
    if (wgdn_dataset_graphs(d) > 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "recommend: the data has %lld graphs; one graph is expected",
                         (long long)wgdn_dataset_graphs(d));
    if (wgdn_dataset_edges(d) < 1)
        return wgdn_fail(err, WGDN_EINVAL, "recommend: the data has no edges");
    wgdn_status st = wgdn_plain_open(&plain, d, err);
    if (!st) st = from_rows(x, plain.d, err);
    wgdn_plain_close(&plain);
    if (!st) use_values(&x->r, values);
    if (!st) return wgdn_interactions_make(x, err);
    wgdn_interactions_free(x);
    return st;
}

/* ---- what is held out ---- */

/* Bits that the seed and two nodes fix, whatever their places are. */
static uint64_t mix(uint64_t seed, uint64_t a, uint64_t b)
{
    const uint64_t word[] = {seed, a, b};
    return XXH3_64bits(word, sizeof word);
}

typedef struct drawn {
    uint64_t draw;
    int64_t at;
} drawn;

static int by_draw(const void *a, const void *b)
{
    const drawn *x = a, *y = b;
    if (x->draw != y->draw) return x->draw < y->draw ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Marks entries of R: a fraction of each row of two entries or more. */
static wgdn_status mark_rows(uint8_t *out, const wgdn_interactions *x, double fraction,
                             uint64_t seed, wgdn_error *err)
{
    const wgdn_csr *r = &x->r;
    int64_t longest = 0;
    for (int64_t i = 0; i < r->rows; i++)
        if (r->offset[i + 1] - r->offset[i] > longest) longest = r->offset[i + 1] - r->offset[i];
    drawn *e = wgdn_alloc((size_t)longest, sizeof *e);
    if (!e) return no_memory(x, err);
    for (int64_t i = 0; i < r->rows; i++) {
        const int64_t first = r->offset[i], count = r->offset[i + 1] - first;
        const int64_t share = (int64_t)(fraction * (double)count + 0.5);
        if (count < 2) continue;
        for (int64_t k = 0; k < count; k++)
            e[k] = (drawn){mix(seed, x->user_key[i], x->item_key[r->column[first + k]]), first + k};
        qsort(e, (size_t)count, sizeof *e, by_draw);
        for (int64_t k = 0; k < (share > 0 ? wgdn_min(share, count - 1) : 1); k++)
            out[e[k].at] = 1;
    }
    wgdn_release(e);
    return WGDN_OK;
}

/* The same of edges between nodes of one kind: 1 in the row of the end that asks, 2 in the other. */
static void mark_edges(uint8_t *out, const wgdn_interactions *x, double fraction, uint64_t seed)
{
    const wgdn_csr *r = &x->r;
    for (int64_t i = 0; i < r->rows; i++)
        for (int64_t k = r->offset[i]; k < r->offset[i + 1]; k++) {
            const uint64_t a = x->user_key[i], b = x->user_key[r->column[k]];
            const uint64_t draw = a < b ? mix(seed, a, b) : mix(seed, b, a);
            if ((double)(draw >> 11) * 0x1p-53 >= fraction) continue;
            out[k] = (draw & 1) == (a < b) ? 1 : 2;
        }
}

/* Entries of R with one of two marks; to->value follows from->value. */
static bool copy_marked(wgdn_csr *to, const wgdn_csr *from, const uint8_t *mark, bool held)
{
    int64_t count = 0;
    for (int64_t k = 0; k < wgdn_csr_entries(from); k++)
        count += held ? mark[k] == 1 : mark[k] == 0;
    if (!wgdn_csr_alloc(to, from->rows, from->cols, count, from->value != NULL)) return false;
    for (int64_t i = 0, at = 0; i < from->rows; i++) {
        for (int64_t k = from->offset[i]; k < from->offset[i + 1]; k++) {
            if (held ? mark[k] != 1 : mark[k] != 0) continue;
            to->column[at] = from->column[k];
            if (from->value) to->value[at] = from->value[k];
            at++;
        }
        to->offset[i + 1] = at;
    }
    return true;
}

wgdn_status wgdn_interactions_hold(wgdn_interactions *rest, wgdn_csr *held,
                                   const wgdn_interactions *x, double fraction, uint64_t seed,
                                   wgdn_error *err)
{
    const size_t entries = (size_t)wgdn_csr_entries(&x->r);
    uint8_t *mark = wgdn_alloc_zero(entries, 1);
    wgdn_status st = mark ? WGDN_OK : no_memory(x, err);
    *held = (wgdn_csr){0};
    *rest = *x;
    rest->r = rest->t = (wgdn_csr){0};
    rest->user_scale = rest->item_scale = NULL;
    rest->reach = NULL;
    if (!st && x->one_mode) mark_edges(mark, x, fraction, seed);
    if (!st && !x->one_mode) st = mark_rows(mark, x, fraction, seed, err);
    if (!st &&
        (!copy_marked(held, &x->r, mark, true) || !copy_marked(&rest->r, &x->r, mark, false)))
        st = no_memory(x, err);
    wgdn_release(mark);
    if (!st) st = wgdn_stop_check(err);
    if (!st && x->one_mode) rest->t = rest->r;
    if (!st && !x->one_mode) st = wgdn_csr_transpose(&rest->t, &rest->r, err);
    if (!st && !measure_rows(rest)) st = no_memory(x, err);
    if (!st) return WGDN_OK;
    wgdn_csr_free(held);
    wgdn_interactions_free_rest(rest);
    return st;
}

void wgdn_interactions_free_rest(wgdn_interactions *rest)
{
    if (!rest->one_mode) {
        wgdn_csr_free(&rest->t);
        wgdn_release(rest->item_scale);
    }
    wgdn_csr_free(&rest->r);
    wgdn_release(rest->user_scale);
    wgdn_release(rest->reach);
    *rest = (wgdn_interactions){0};
}

wgdn_status wgdn_interactions_sample(int64_t **user, int64_t *count, const wgdn_interactions *x,
                                     const wgdn_csr *held, int64_t wanted, uint64_t seed,
                                     wgdn_error *err)
{
    drawn *e = wgdn_alloc((size_t)held->rows, sizeof *e);
    int64_t *out = wgdn_alloc((size_t)held->rows, sizeof *out), n = 0, used = 0, queries = 0;
    if (!e || !out) {
        wgdn_release(out);
        wgdn_release(e);
        return no_memory(x, err);
    }
    for (int64_t i = 0; i < held->rows; i++)
        if (held->offset[i + 1] > held->offset[i])
            e[n++] = (drawn){mix(seed, x->user_key[i], 1), i};
    qsort(e, (size_t)n, sizeof *e, by_draw);
    for (; used < n && queries < wanted; used++) {
        const int64_t i = out[used] = e[used].at;
        queries += x->one_mode ? held->offset[i + 1] - held->offset[i] : 1;
    }
    wgdn_release(e);
    *user = out;
    *count = used;
    return WGDN_OK;
}
