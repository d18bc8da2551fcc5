/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects features row by row, as the readers of text in formats meet them, and turns the rows into
 * the feature matrix in the order of the nodes.
 */
#include "table.h"

#include <string.h>

void wgdn_table_free(wgdn_table *t)
{
    wgdn_release(t->line);
    wgdn_release(t->value);
    wgdn_release(t->column);
    wgdn_release(t->offset);
    wgdn_release(t->node);
    *t = (wgdn_table){.max = t->max, .known = t->known, .strict = t->strict};
}

static void see_unknown(wgdn_table *t, wgdn_text id)
{
    if (t->unknown < 2) t->first[t->unknown] = wgdn_show(id);
    t->unknown++;
}

bool wgdn_table_skips(wgdn_table *t, const wgdn_ids *ids, wgdn_text id)
{
    const bool missing = wgdn_field_missing(id);
    if ((!missing && (!ids->fixed || t->strict)) || wgdn_ids_find(ids, id) >= 0) return false;
    t->nameless += missing;
    t->skipped += !missing;
    if (!missing) see_unknown(t, id);
    return true;
}

static wgdn_status no_memory(const wgdn_table *t, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOMEM, t->name, "features beyond row %lld", (long long)t->rows);
}

/* Remember where a node was seen; a second row for it is refused. */
static wgdn_status see(wgdn_table *t, int32_t node, wgdn_text id, int64_t line, wgdn_error *err)
{
    const int64_t old = t->line_room;
    if (!wgdn_grow(&t->line, &t->line_room, (int64_t)node + 1, sizeof *t->line))
        return no_memory(t, err);
    if (t->line_room > old)
        memset(t->line + old, 0, (size_t)(t->line_room - old) * sizeof *t->line);
    if (t->line[node])
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line,
                            "features of %s again: the first are on line %lld", wgdn_show(id).text,
                            (long long)t->line[node]);
    t->line[node] = line;
    return WGDN_OK;
}

wgdn_status wgdn_table_row(wgdn_table *t, wgdn_ids *ids, wgdn_text id, int64_t line,
                           wgdn_error *err)
{
    int32_t node;
    wgdn_status st = wgdn_ids_add(ids, &id, 1, &node, err);
    if (st == WGDN_ERANGE)
        return wgdn_fail_at(err, st, t->name, line,
                            "more than %lld different nodes, the most allowed here",
                            (long long)ids->max);
    if (st) return st;
    if (node < 0)
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line, "%s is not a node of the graph",
                            wgdn_show(id).text);
    if (node >= t->known) see_unknown(t, id);
    st = see(t, node, id, line, err);
    if (st) return st;
    if (!wgdn_grow(&t->node, &t->node_room, t->rows + 1, sizeof *t->node) ||
        !wgdn_grow(&t->offset, &t->offset_room, t->rows + 2, sizeof *t->offset))
        return no_memory(t, err);
    if (t->rows == 0) t->offset[0] = 0;
    t->node[t->rows] = node;
    t->offset[t->rows + 1] = t->offset[t->rows];
    t->rows++;
    return WGDN_OK;
}

wgdn_status wgdn_table_entry(wgdn_table *t, int32_t column, float value, wgdn_error *err)
{
    const int64_t at = t->offset[t->rows];
    if (at >= t->max)
        return wgdn_fail_in(err, WGDN_ERANGE, t->name,
                            "more than %lld features, the most allowed here", (long long)t->max);
    if (!wgdn_grow(&t->column, &t->column_room, at + 1, sizeof *t->column) ||
        !wgdn_grow(&t->value, &t->value_room, at + 1, sizeof *t->value))
        return no_memory(t, err);
    t->column[at] = column;
    t->value[at] = value;
    t->offset[t->rows]++;
    return WGDN_OK;
}

wgdn_status wgdn_table_features(wgdn_features *f, int64_t *absent, const wgdn_table *t,
                                int64_t nodes, const int32_t *rank, wgdn_error *err)
{
    const int64_t entries = t->rows ? t->offset[t->rows] : 0;
    wgdn_csr a;
    if (!wgdn_csr_alloc(&a, nodes, t->width, entries, true)) return no_memory(t, err);
    for (int64_t r = 0; r < t->rows; r++)
        a.offset[(rank ? rank[t->node[r]] : t->node[r]) + 1] = t->offset[r + 1] - t->offset[r];
    for (int64_t i = 0; i < nodes; i++)
        a.offset[i + 1] += a.offset[i];
    for (int64_t r = 0; r < t->rows; r++) {
        const int64_t to = a.offset[rank ? rank[t->node[r]] : t->node[r]];
        const int64_t size = t->offset[r + 1] - t->offset[r];
        if (size == 0) continue;
        memcpy(a.column + to, t->column + t->offset[r], (size_t)size * sizeof *a.column);
        memcpy(a.value + to, t->value + t->offset[r], (size_t)size * sizeof *a.value);
    }
    *absent = nodes - t->rows;
    wgdn_status st = wgdn_features_from_csr(f, &a, t->name, err);
    if (!st) st = wgdn_features_settle(f, err);
    if (st) wgdn_features_free(f);
    return st;
}
