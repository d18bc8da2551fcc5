/* SPDX-License-Identifier: Apache-2.0 */
/* Any edge list: source, target and perhaps a weight on every line. */
#include "edge_list.h"

#include <math.h>

enum { BATCH = 128 };

/* Rows whose ids are not looked up yet: one at a time would wait for memory each time. */
typedef struct pending {
    wgdn_text id[2 * BATCH];
    int64_t line[BATCH];
    double weight[BATCH];
    int64_t rows;
} pending;

/* Which id of the batch was refused, and why. */
static wgdn_status refuse(const wgdn_lines *l, const wgdn_ids *ids, const pending *p, int64_t k,
                          wgdn_error *err)
{
    wgdn_lines at = *l;
    at.line = p->line[k / 2];
    if (p->id[k].size > WGDN_ID_MAX)
        return wgdn_lines_fail(&at, -1, err, "an id of %zu bytes; the longest may have %d",
                               p->id[k].size, WGDN_ID_MAX);
    return wgdn_lines_fail(
        &at, -1, err, "%s is not a node: the features are %lld rows, so ids are 0 .. %lld",
        wgdn_show(p->id[k]).text, (long long)ids->count, (long long)ids->count - 1);
}

static wgdn_status flush(wgdn_edges *e, wgdn_ids *ids, const wgdn_lines *l, pending *p,
                         wgdn_error *err)
{
    int32_t index[2 * BATCH];
    wgdn_status st = wgdn_ids_add(ids, p->id, 2 * p->rows, index, err);
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st,
                       "%s: by line %lld, more than %lld different nodes, the most allowed here",
                       wgdn_show_name(l->name).text, (long long)l->line, (long long)ids->max);
    if (st) return st;
    for (int64_t k = 0; k < 2 * p->rows; k++)
        if (index[k] < 0) return refuse(l, ids, p, k, err);
    for (int64_t r = 0; r < p->rows && !st; r++) {
        e->line = p->line[r];
        st = wgdn_edges_add(e, index[2 * r], index[2 * r + 1], p->weight[r], l->name, err);
    }
    p->rows = 0;
    return st;
}

static wgdn_status check_columns(const wgdn_lines *l, int64_t columns, wgdn_error *err)
{
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err,
                               "%s alone: expected source, target and perhaps a weight; for a node "
                               "without edges name it twice",
                               wgdn_show(l->field[0]).text);
    if (l->fields > 3)
        return wgdn_lines_fail(l, 3, err,
                               "%lld columns from %s on: expected source, target and perhaps a "
                               "weight",
                               (long long)l->fields, wgdn_show(l->field[3]).text);
    if (l->fields != columns)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld columns, where the rows before have %lld",
                               (long long)l->fields, (long long)columns);
    for (int64_t i = 0; i < 2; i++)
        if (l->field[i].size == 0)
            return wgdn_lines_fail(l, i, err, "the %s is empty: expected an id",
                                   i ? "target" : "source");
    return WGDN_OK;
}

wgdn_status wgdn_edge_weight(double *weight, const wgdn_lines *l, int64_t field, wgdn_error *err)
{
    const wgdn_text text = l->field[field];
    *weight = 1;
    if (text.size == 1 && text.at[0] == '1') return WGDN_OK;
    if (!wgdn_text_number(text, weight) || !isfinite(*weight))
        return wgdn_lines_fail(l, field, err, "the weight %s is not a finite number",
                               wgdn_show(text).text);
    return WGDN_OK;
}

/* ---- is the first row a header? ---- */

static bool known_heading(wgdn_text t)
{
    static const char *const word[] = {
        "source", "target", "src",    "dst", "from", "to",   "head", "tail",       "node1",
        "node2",  "node_1", "node_2", "id1", "id2",  "id_1", "id_2", "fromnodeid", "tonodeid",
    };
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (wgdn_text_is(t, word[i])) return true;
    return false;
}

typedef struct row_kind {
    int64_t fields;
    bool integers, headings, weighted; /* both ids; both ids; the third column is a number */
} row_kind;

static row_kind kind_of(const wgdn_lines *l)
{
    int64_t value;
    double weight;
    if (l->fields < 2) return (row_kind){0};
    return (row_kind){
        l->fields,
        wgdn_text_integer(l->field[0], &value) && wgdn_text_integer(l->field[1], &value),
        known_heading(l->field[0]) && known_heading(l->field[1]),
        l->fields > 2 && wgdn_text_number(l->field[2], &weight),
    };
}

/* Names of columns, or words over a column of numbers. Leaves l at the first row of data. */
static wgdn_status skip_header(wgdn_lines *l, wgdn_header header, wgdn_error *err)
{
    bool more, skip = header == WGDN_HEADER_YES;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st || !more) return st;
    const unsigned char *const row = l->row;
    const int64_t line = l->line;
    if (header == WGDN_HEADER_AUTO) {
        const row_kind first = kind_of(l);
        st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        const row_kind second = more ? kind_of(l) : (row_kind){0};
        const bool even = first.fields == second.fields; /* else the row is ragged, not a header */
        skip = first.headings || (even && second.integers && !first.integers) ||
               (even && second.weighted && !first.weighted);
        if (skip && more) wgdn_lines_again(l);
    }
    if (!skip) {
        l->at = row;
        l->next = line;
    }
    return WGDN_OK;
}

static wgdn_status read_rows(wgdn_edges *e, wgdn_ids *ids, wgdn_lines *l, wgdn_error *err)
{
    pending p;
    int64_t columns = 0;
    bool more = true;
    wgdn_status st = WGDN_OK;
    p.rows = 0;
    for (;;) {
        st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        if (!more) break;
        if (!columns) columns = l->fields;
        st = check_columns(l, columns, err);
        p.weight[p.rows] = 1;
        if (!st && columns == 3) st = wgdn_edge_weight(&p.weight[p.rows], l, 2, err);
        if (st) return st;
        p.id[2 * p.rows] = l->field[0];
        p.id[2 * p.rows + 1] = l->field[1];
        p.line[p.rows++] = l->line;
        if (p.rows == BATCH || l->scratch_used) st = flush(e, ids, l, &p, err);
        if (st) return st;
    }
    return flush(e, ids, l, &p, err);
}

static wgdn_status sort_ids(wgdn_edges *e, wgdn_ids *ids, wgdn_error *err)
{
    int32_t *rank;
    const wgdn_status st = wgdn_ids_sort(ids, &rank, err);
    if (st || !rank) return st;
    for (int64_t k = 0; k < 2 * e->count; k++)
        e->end[k] = rank[e->end[k]];
    wgdn_release(rank);
    return WGDN_OK;
}

wgdn_status wgdn_edge_list_read(wgdn_edges *e, wgdn_ids *ids, const wgdn_input *in, int threads,
                                wgdn_error *err)
{
    wgdn_lines l;
    bool done = false;
    wgdn_lines_open(&l, in);
    wgdn_status st = skip_header(&l, in->header, err);
    if (!st) st = wgdn_edge_list_integers(e, ids, &l, threads, &done, err);
    if (!st && !done) st = read_rows(e, ids, &l, err);
    if (!st && !done) st = sort_ids(e, ids, err);
    wgdn_lines_close(&l);
    return st;
}
