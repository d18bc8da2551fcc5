/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted entries to rows in files. Weights as in dataset/edge_values.c: f_ij is the sum of what was
 * given from i to j, in double and in the order of the edges, and
 *
 *     A_ij = f_ij               if F is symmetric
 *     A_ij = f_ij + f_ji        else
 *
 * which is known at the end only: then f + f is halved, which is exact.
 */
#include "edge_pack.h"

enum { BATCH = 1 << 12, BUFFER = 1 << 20, SMALL_BUFFER = 1 << 16 };

static const char raw_name[] = "value.raw";

typedef struct rows {
    wgdn_pack *p;
    const wgdn_bits *bits; /* NULL: rows and columns are nodes' numbers already */
    wgdn_tape offset, column, value;
    int64_t next;    /* row whose end is not written */
    int64_t entries; /* so far */
    uint64_t pair;   /* the entry at hand, without its direction; UINT64_MAX: none */
    double sum[2];   /* of its weights, as given and the other way round */
    bool symmetric;
    bool valued;      /* weights are summed */
    int64_t seen_row; /* the last one, and whether it was a source, a target */
    unsigned seen;
    bool both;    /* some row was either */
    int32_t *out; /* columns on their way to the stream */
    int64_t outs;
} rows;

static inline int64_t place(const rows *r, int64_t id)
{
    return r->bits ? wgdn_bits_below(r->bits, id) : id;
}

static wgdn_status put_columns(rows *r, wgdn_error *err)
{
    const size_t size = (size_t)r->outs * sizeof *r->out;
    r->outs = 0;
    return wgdn_tape_put(&r->column, r->out, size, err);
}

/* Rows before this one end here, and those that are not written yet begin. */
static wgdn_status end_rows(rows *r, int64_t row, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (; r->next < row && !st; r->next++)
        st = wgdn_tape_put(&r->offset, &r->entries, sizeof r->entries, err);
    return st;
}

/* The weight of the entry at hand is complete. */
static wgdn_status end_value(rows *r, wgdn_error *err)
{
    const float value = (float)(r->sum[0] + r->sum[1]);
    r->symmetric = r->symmetric && r->sum[0] == r->sum[1];
    r->sum[0] = r->sum[1] = 0;
    return wgdn_tape_put(&r->value, &value, sizeof value, err);
}

static void note_end(rows *r, int64_t row, unsigned backward)
{
    if (row != r->seen_row) r->seen = 0;
    r->seen_row = row;
    r->seen |= 1U << backward;
    r->both = r->both || r->seen == 3;
}

static wgdn_status take(rows *r, const wgdn_record *record, int64_t count, wgdn_error *err)
{
    const bool weighted = r->valued;
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; k < count && !st; k++) {
        const uint64_t key = record[k].key, pair = key >> 1;
        const int64_t row = (int64_t)(key >> 32), column = (int64_t)(key & UINT32_MAX) >> 1;
        if (row != column && pair != r->pair) {
            if (weighted && r->pair != UINT64_MAX) st = end_value(r, err);
            if (!st && row != (int64_t)(r->pair >> 31)) st = end_rows(r, place(r, row) + 1, err);
            r->pair = pair;
            r->out[r->outs++] = (int32_t)place(r, column);
            r->entries++;
            if (!st && r->outs == BATCH) st = put_columns(r, err);
        }
        if (row != column) r->sum[key & 1] += record[k].weight;
        if (row != column) note_end(r, row, key & 1);
    }
    return st;
}

static wgdn_status merge(rows *r, wgdn_error *err)
{
    wgdn_pack *const p = r->p;
    const double all = (double)p->state.edges * 2 + 1;
    int64_t count = 1, done = 0;
    wgdn_merge *g = NULL;
    wgdn_record *record = wgdn_alloc(BATCH, sizeof *record);
    wgdn_status st = record ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "merging: a batch");
    if (!st) st = wgdn_merge_open(&g, p->scratch, &p->manifest, (size_t)p->memory / 2, err);
    while (!st && count > 0) {
        st = wgdn_merge_take(g, record, BATCH, &count, err);
        if (!st) st = take(r, record, count, err);
        done += count;
        if (!st && done / BATCH % 64 == 0)
            st = wgdn_pack_tell(p, 0.5 + 0.45 * (double)done / all, err);
    }
    if (!st && r->valued && r->pair != UINT64_MAX) st = end_value(r, err);
    if (!st) st = put_columns(r, err);
    if (!st) st = end_rows(r, p->state.nodes + 1, err);
    wgdn_merge_close(g);
    wgdn_release(record);
    return st;
}

static wgdn_status open_files(rows *r, wgdn_error *err)
{
    const wgdn_scratch *s = r->p->scratch;
    const size_t room = r->p->memory < ((int64_t)1 << 26) ? SMALL_BUFFER : BUFFER;
    wgdn_status st = wgdn_tape_create(&r->offset, s, "offset", room, err);
    if (!st) st = wgdn_tape_create(&r->column, s, "column", room, err);
    if (!st && r->valued) st = wgdn_tape_create(&r->value, s, raw_name, room, err);
    r->out = wgdn_alloc(BATCH, sizeof *r->out);
    if (!st && !r->out) st = wgdn_fail(err, WGDN_ENOMEM, "merging: a batch");
    return st;
}

/* What the option makes of the sums, and their range; a file of ones is none. */
static wgdn_status settle(rows *r, wgdn_error *err)
{
    wgdn_pack_state *const s = &r->p->state;
    const wgdn_weights how = r->p->w->edges.weights;
    wgdn_tape from = {.fd = -1}, to = {.fd = -1};
    float value[BATCH];
    wgdn_status st = wgdn_tape_open(&from, r->p->scratch, raw_name, BUFFER, err);
    if (!st) st = wgdn_tape_create(&to, r->p->scratch, "value", BUFFER, err);
    for (int64_t left = r->entries; left > 0 && !st;) {
        const int64_t count = left < BATCH ? left : BATCH;
        st = wgdn_tape_take(&from, value, (size_t)count * sizeof *value, err);
        if (st) break;
        for (int64_t k = 0; k < count && r->symmetric; k++)
            value[k] *= 0.5F;
        if (wgdn_weights_settle(value, count, how)) s->valued = 1;
        if (left == r->entries) s->range[0] = s->range[1] = value[0];
        for (int64_t k = 0; k < count; k++) {
            if (value[k] < s->range[0]) s->range[0] = value[k];
            if (value[k] > s->range[1]) s->range[1] = value[k];
        }
        st = wgdn_tape_put(&to, value, (size_t)count * sizeof *value, err);
        left -= count;
    }
    if (!st && s->valued) st = wgdn_pack_finish(r->p, &to, "value", err);
    wgdn_tape_close(&from);
    wgdn_tape_close(&to);
    wgdn_scratch_drop(r->p->scratch, raw_name);
    if (!s->valued) wgdn_scratch_drop(r->p->scratch, "value");
    return st;
}

wgdn_status wgdn_pack_rows(wgdn_pack *p, wgdn_error *err)
{
    uint64_t unused;
    rows r = {.p = p,
              .bits = p->bits.word ? &p->bits : NULL,
              .pair = UINT64_MAX,
              .symmetric = true,
              .seen_row = -1};
    r.offset.fd = r.column.fd = r.value.fd = -1;
    p->state.valued = p->state.summed = 0;
    r.valued = p->state.weighted || (p->y->weight >= 0 && p->w->o->weights != WGDN_WEIGHTS_IGNORE);
    wgdn_status st = open_files(&r, err);
    if (!st) st = merge(&r, err);
    if (!st) st = wgdn_pack_finish(p, &r.offset, "offset", err);
    if (!st) st = wgdn_pack_finish(p, &r.column, "column", err);
    const bool repeats = p->state.edges - p->state.loops > r.entries / 2;
    if (!st && r.valued) st = wgdn_tape_finish(&r.value, &unused, err);
    if (!st && r.valued && (p->state.weighted || repeats)) {
        p->state.summed = !r.symmetric;
        st = settle(&r, err);
    } else if (r.valued) { /* weights of 1, each edge once */
        wgdn_scratch_drop(p->scratch, raw_name);
    }
    p->state.entries = r.entries;
    p->state.both = r.both || p->state.loops > 0;
    wgdn_release(r.out);
    wgdn_tape_close(&r.value);
    wgdn_tape_close(&r.column);
    wgdn_tape_close(&r.offset);
    return st;
}
