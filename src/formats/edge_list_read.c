/* SPDX-License-Identifier: Apache-2.0 */
/* Any edge list: source, target and perhaps a weight on every line. */
#include "edge_list.h"

#include <math.h>
#include <string.h>

typedef wgdn_edge_batch pending;

wgdn_status wgdn_edge_refuse(const wgdn_lines *l, const wgdn_edge_batch *p, int64_t k,
                             int64_t nodes, wgdn_error *err)
{
    wgdn_lines at = *l;
    at.line = p->line[k / 2];
    if (p->id[k].size > WGDN_ID_MAX)
        return wgdn_lines_fail(&at, -1, err, "an id of %zu bytes; the longest may have %d",
                               p->id[k].size, WGDN_ID_MAX);
    return wgdn_lines_fail(&at, -1, err,
                           "%s is not a node: the features are %lld rows, so ids are 0 .. %lld",
                           wgdn_show(p->id[k]).text, (long long)nodes, (long long)nodes - 1);
}

/* The draft takes a batch. */
static wgdn_status take_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *p,
                              wgdn_error *err)
{
    wgdn_draft *const w = user;
    wgdn_edges *const e = &w->edges;
    wgdn_ids *const ids = &w->ids;
    int32_t index[2 * WGDN_EDGE_BATCH];
    wgdn_status st = wgdn_ids_add(ids, p->id, 2 * p->rows, index, err);
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st,
                       "%s: by line %lld, more than %lld different nodes, the most allowed here",
                       wgdn_show_name(l->name).text, (long long)l->line, (long long)ids->max);
    if (st) return st;
    for (int64_t k = 0; k < 2 * p->rows; k++)
        if (index[k] < 0) return wgdn_edge_refuse(l, p, k, ids->count, err);
    for (int64_t r = 0; r < p->rows && !st; r++) {
        e->line = p->line[r];
        const int64_t before = e->count;
        st = wgdn_edges_add(e, index[2 * r], index[2 * r + 1], p->weight[r], l->name, err);
        if (!st && p->type[r] >= 0 && e->count > before)
            st = wgdn_edges_mark(e, p->type[r], l->name, err);
    }
    return st;
}

static wgdn_status check_columns(const wgdn_lines *l, const wgdn_edge_layout *y, wgdn_error *err)
{
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err,
                               "%s alone: expected source, target and perhaps a weight; for a node "
                               "without edges name it twice",
                               wgdn_show(l->field[0]).text);
    if (l->fields != y->columns)
        return wgdn_lines_fail(
            l, l->fields - 1, err, "%lld columns, where the rows before have %lld%s",
            (long long)l->fields, (long long)y->columns,
            y->columns > 3 && y->separator == ' '
                ? "; lists of neighbours are no edge list, networkx.write_edgelist makes one"
                : "");
    return WGDN_OK;
}

/* One more row that is no edge. */
static void count_dropped(int64_t *count, int64_t *first, const wgdn_lines *l)
{
    if ((*count)++ == 0) *first = l->line;
}

wgdn_status wgdn_edge_row_check(bool *keep, wgdn_draft *w, const wgdn_lines *l,
                                const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_dropped_rows *const dropped = &w->edges.dropped;
    const bool no_source = wgdn_edge_missing(l->field[y->source]);
    *keep = false;
    if (y->header == WGDN_HEADER_YES && wgdn_edge_layout_repeats(y, l)) {
        count_dropped(&dropped->headers, &dropped->first_header, l);
        return WGDN_OK;
    }
    if (no_source || wgdn_edge_missing(l->field[y->target])) {
        const int64_t field = no_source ? y->source : y->target;
        if (w->o->strict)
            return wgdn_lines_fail(l, field, err, "the %s is missing: %s",
                                   no_source ? "source" : "target",
                                   wgdn_show(l->field[field]).text);
        count_dropped(&dropped->ends, &dropped->first_end, l);
        return WGDN_OK;
    }
    if (y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE && !w->o->strict &&
        wgdn_edge_missing(l->field[y->weight])) {
        count_dropped(&dropped->weights, &dropped->first_weight, l);
        return WGDN_OK;
    }
    *keep = true;
    return WGDN_OK;
}

/* What to do about a comma in a number: three digits behind it may be thousands. */
static const char *comma_hint(const wgdn_lines *l, wgdn_text t)
{
    const unsigned char *comma = t.size && l->decimal != ',' ? memchr(t.at, ',', t.size) : NULL;
    if (!comma) return "";
    return t.at + t.size - comma == 4
               ? "; --decimal , reads a comma as the point; if it sets thousands apart, take it out"
               : "; --decimal , reads a comma as the point";
}

wgdn_status wgdn_edge_weight(double *weight, const wgdn_draft *w, const wgdn_lines *l,
                             int64_t field, wgdn_error *err)
{
    const wgdn_text text = l->field[field];
    *weight = 1;
    if (text.size == 1 && text.at[0] == '1') return WGDN_OK;
    if (wgdn_lines_number(l, text, weight) && isfinite(*weight)) return WGDN_OK;
    *weight = 1;
    if (w->o->weights != WGDN_WEIGHTS_IGNORE)
        return wgdn_lines_fail(l, field, err, "the weight %s is not a finite number%s",
                               wgdn_show(text).text, comma_hint(l, text));
    return WGDN_OK;
}

/* ---- ids of two kinds ---- */

/* What stands before an id: the heading of its column, or source and target. */
static wgdn_text prefix_of(const wgdn_edge_layout *y, bool target)
{
    const wgdn_text own = y->name[target ? y->target : y->source],
                    other = y->name[target ? y->source : y->target];
    if (y->header == WGDN_HEADER_YES && own.size > 0 && own.size < 256 &&
        wgdn_text_compare(own, other) != 0)
        return own;
    return target ? wgdn_text_of("target", 6) : wgdn_text_of("source", 6);
}

/* Id k of the batch becomes prefix:id, in memory that lasts until the batch is done. */
static wgdn_status put_prefix(pending *p, int64_t k, wgdn_text prefix, const wgdn_lines *l,
                              wgdn_error *err)
{
    const wgdn_text id = p->id[k];
    const int64_t size = (int64_t)(prefix.size + id.size) + 1;
    if (!wgdn_grow(&p->text, &p->text_room, p->text_used + size, 1))
        return wgdn_fail(err, WGDN_ENOMEM, "%s:%lld: an id of %zu bytes",
                         wgdn_show_name(l->name).text, (long long)l->line, id.size);
    unsigned char *to = p->text + p->text_used;
    memcpy(to, prefix.at, prefix.size);
    to[prefix.size] = ':';
    memcpy(to + prefix.size + 1, id.at, id.size);
    p->id[k] = wgdn_text_of(NULL, (size_t)size); /* the text may move yet */
    p->text_used += size;
    return WGDN_OK;
}

static void find_prefixed(pending *p)
{
    const unsigned char *at = p->text;
    for (int64_t k = 0; k < 2 * p->rows; k++) {
        p->id[k].at = at;
        at += p->id[k].size;
    }
    p->text_used = 0;
}

/* ---- rows ---- */

static wgdn_status find_type(int32_t *type, wgdn_ids *types, const wgdn_lines *l, int64_t field,
                             wgdn_error *err)
{
    const wgdn_status st = wgdn_ids_add(types, &l->field[field], 1, type, err);
    if (st || *type >= 0) return st;
    return wgdn_lines_fail(l, field, err, "a type of %zu bytes; the longest may have %d",
                           l->field[field].size, WGDN_ID_MAX);
}

static wgdn_status take_row(pending *p, wgdn_draft *w, const wgdn_lines *l,
                            const wgdn_edge_layout *y, wgdn_error *err)
{
    const int64_t k = 2 * p->rows;
    bool keep;
    wgdn_status st = check_columns(l, y, err);
    if (!st) st = wgdn_edge_row_check(&keep, w, l, y, err);
    if (st || !keep) return st;
    p->weight[p->rows] = 1;
    p->type[p->rows] = -1;
    if (!st && y->weight >= 0) st = wgdn_edge_weight(&p->weight[p->rows], w, l, y->weight, err);
    if (!st && y->type >= 0) st = find_type(&p->type[p->rows], &w->types, l, y->type, err);
    if (st) return st;
    p->id[k] = l->field[y->source];
    p->id[k + 1] = l->field[y->target];
    p->line[p->rows++] = l->line;
    if (y->bipartite) st = put_prefix(p, k, prefix_of(y, false), l, err);
    if (!st && y->bipartite) st = put_prefix(p, k + 1, prefix_of(y, true), l, err);
    return st;
}

static wgdn_status hand_over(pending *p, const wgdn_lines *l, const wgdn_edge_layout *y,
                             const wgdn_edge_taker *to, wgdn_error *err)
{
    if (y->bipartite) find_prefixed(p);
    const wgdn_status st = to->take(to->user, l, p, err);
    p->rows = 0;
    return st;
}

wgdn_status wgdn_edge_rows_read(wgdn_lines *l, const wgdn_edge_layout *y, wgdn_draft *w,
                                const unsigned char *stop, const wgdn_edge_taker *to,
                                wgdn_error *err)
{
    pending p = {.rows = 0};
    bool more = true;
    wgdn_status st = WGDN_OK;
    while (!st && (l->at < stop || stop == l->end)) { /* at the end until there is no more */
        st = wgdn_lines_next(l, &more, err);
        if (st || !more) break;
        st = take_row(&p, w, l, y, err);
        if (!st && (p.rows == WGDN_EDGE_BATCH || l->scratch_used))
            st = hand_over(&p, l, y, to, err);
    }
    if (!st) st = hand_over(&p, l, y, to, err);
    wgdn_release(p.text);
    return st;
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

/*
 * Words over words: row 1 is a header if it is the one row, among ten at least, whose two ids are
 * nowhere else. Where other rows are like it, edges apart from all others are common here.
 */
static wgdn_status is_stranger(bool *is, const wgdn_edges *e, int64_t nodes, wgdn_error *err)
{
    enum { ENOUGH = 10 };
    int64_t alone = 0;
    *is = false;
    if (e->count < ENOUGH || e->zero_weights > 0) return WGDN_OK;
    unsigned char *seen = wgdn_alloc_zero((size_t)nodes, 1); /* once, or more than once */
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)nodes);
    for (int64_t k = 0; k < 2 * e->count; k++)
        seen[e->end[k]] = seen[e->end[k]] ? 2 : 1;
    for (int64_t k = 0; k < e->count; k++) {
        alone += seen[e->end[2 * k]] == 1 && seen[e->end[2 * k + 1]] == 1;
        if (k == 0) *is = alone == 1;
    }
    *is = *is && alone == 1;
    wgdn_release(seen);
    return WGDN_OK;
}

static wgdn_status read_list(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                             wgdn_error *err)
{
    wgdn_lines l;
    bool done = false, more;
    wgdn_status st = WGDN_OK;
    w->edges.counted = y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE;
    wgdn_lines_open(&l, in);
    if (y->header == WGDN_HEADER_YES) st = wgdn_lines_next(&l, &more, err);
    if (!st && y->columns > 1) st = wgdn_edge_list_integers(w, &l, y, &done, err);
    if (!st && !done)
        st = wgdn_edge_rows_read(&l, y, w, l.end, &(wgdn_edge_taker){take_batch, w}, err);
    wgdn_lines_close(&l);
    return st;
}

/* All of it, by another layout. */
static wgdn_status read_again(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                              wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    wgdn_release(e->weight);
    e->weight = NULL;
    e->weight_room = e->count = e->zero_weights = e->other_weights = 0;
    e->dropped = (wgdn_dropped_rows){0};
    wgdn_ids_close(&w->ids);
    wgdn_ids_open(&w->ids, w->o->max_nodes);
    wgdn_ids_close(&w->types);
    wgdn_ids_open(&w->types, INT32_MAX);
    return read_list(w, in, y, err);
}

static wgdn_status settle_header(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                 wgdn_error *err)
{
    bool names = false;
    wgdn_status st = w->ids.fixed ? WGDN_OK : is_stranger(&names, &w->edges, w->ids.count, err);
    y->header = names ? WGDN_HEADER_YES : WGDN_HEADER_NO;
    y->inferred = names;
    if (st || !names) return st;
    st = wgdn_edge_layout_assign(y, in->name, w->o, err); /* without its two nodes */
    return st ? st : read_again(w, in, y, err);
}

/* An id in both columns: whoever names customers and products means two nodes. */
static wgdn_status settle_kinds(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    const wgdn_edges *e = &w->edges;
    bool both = false;
    unsigned char *seen = wgdn_alloc_zero((size_t)w->ids.count + 1, 1); /* as source, as target */
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)w->ids.count);
    for (int64_t k = 0; k < 2 * e->count && !both; k++) {
        seen[e->end[k]] |= k % 2 ? 2 : 1;
        both = seen[e->end[k]] == 3;
    }
    wgdn_release(seen);
    y->undecided = false;
    y->bipartite = both;
    return both ? read_again(w, in, y, err) : WGDN_OK;
}

wgdn_status wgdn_edge_list_read(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    if (y->bipartite && w->ids.fixed)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: with --bipartite features are text keyed by KIND:ID",
                         wgdn_show_name(w->o->features).text);
    wgdn_status st = y->matrix.is ? wgdn_adjacency_read(w, in, &y->matrix, y->name, err)
                                  : read_list(w, in, y, err);
    if (!st && !y->matrix.is && y->header == WGDN_HEADER_AUTO) st = settle_header(w, in, y, err);
    if (!st && y->undecided) st = settle_kinds(w, in, y, err);
    return st ? st : sort_ids(&w->edges, &w->ids, err);
}
