/* SPDX-License-Identifier: Apache-2.0 */
/* From what a GraphML file said to the draft, whose nodes get their final numbers. */
#include "graphml_build.h"

#include <string.h>

static wgdn_status no_memory(const wgdn_graphml *g)
{
    return wgdn_fail(g->err, WGDN_ENOMEM, "%s: %lld nodes", wgdn_show_name(g->name).text,
                     (long long)g->w->ids.count);
}

static wgdn_status check_ends(wgdn_graphml *g)
{
    char buffer[WGDN_INDEX_TEXT];
    if (g->w->ids.count == 0)
        return wgdn_fail(g->err, WGDN_EFORMAT, "%s: no nodes in it", wgdn_show_name(g->name).text);
    for (int64_t i = 0; i < g->w->ids.count; i++) {
        if (g->seen[i] > 0) continue;
        g->line = -g->seen[i];
        return wgdn_graphml_refuse(g, "an end of the edge is %s, which is no node of the graph",
                                   wgdn_show(wgdn_ids_text(&g->w->ids, i, buffer)).text);
    }
    return WGDN_OK;
}

/* Are the ids n0, n1, n2, ..., as igraph makes them up, and is every node named differently? */
static bool ids_are_made_up(const wgdn_graphml *g)
{
    if (g->names.count != g->w->ids.count) return false;
    for (int64_t i = 0; i < g->w->ids.count; i++) {
        char buffer[WGDN_INDEX_TEXT], digits[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&g->w->ids, i, buffer);
        const size_t size = wgdn_print_index(digits, i);
        if (g->given[i] < 0 || id.size != size + 1 || id.at[0] != 'n' ||
            memcmp(id.at + 1, digits, size) != 0)
            return false;
    }
    return true;
}

static wgdn_status take_names(wgdn_graphml *g)
{
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    bool named = false;
    for (int64_t i = 0; i < g->key_ids.count; i++)
        named = named || g->key[i].use[WGDN_GRAPHML_NODE] == WGDN_GRAPHML_NAME;
    if (!ids_are_made_up(g)) {
        g->ignored += named;
        return WGDN_OK;
    }
    wgdn_ids_open(&ids, g->w->ids.max);
    for (int64_t i = 0; !st && i < g->w->ids.count; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text name = wgdn_ids_text(&g->names, g->given[i], buffer);
        int32_t at;
        st = wgdn_ids_add(&ids, &name, 1, &at, g->err);
    }
    if (st) {
        wgdn_ids_close(&ids);
        return st;
    }
    wgdn_ids_close(&g->w->ids);
    g->w->ids = ids;
    return WGDN_OK;
}

/* Text that differs from node to node says what to write beside it, not what it belongs to. */
static bool labels_are_captions(const wgdn_graphml *g)
{
    const wgdn_graphml_key *k = &g->key[g->label_key];
    if (k->asked || k->type != WGDN_GRAPHML_STRING) return false;
    for (int64_t i = 0; i < g->w->ids.count; i++)
        if (g->label[i] < 0) return false;
    return g->classes.count == g->w->ids.count;
}

static wgdn_status take_labels(wgdn_graphml *g, const int32_t *rank)
{
    const int64_t nodes = g->w->ids.count;
    wgdn_names names = {0};
    if (g->label_key < 0) return WGDN_OK;
    if (labels_are_captions(g)) {
        g->ignored++;
        return WGDN_OK;
    }
    int32_t *label = wgdn_alloc((size_t)nodes, sizeof *label);
    if (!label) return no_memory(g);
    for (int64_t i = 0; i < nodes; i++)
        label[rank ? rank[i] : i] = g->label[i];
    const wgdn_status st = wgdn_classes_sort(&names, label, nodes, &g->classes, g->err);
    if (st)
        wgdn_release(label);
    else
        wgdn_labels_take(g->w->d, label, &names);
    return st;
}

wgdn_status wgdn_graphml_finish(wgdn_graphml *g)
{
    wgdn_draft *w = g->w;
    wgdn_dataset *d = w->d;
    int32_t *rank = NULL;
    wgdn_status st = check_ends(g);
    if (!st) st = take_names(g);
    if (!st) st = wgdn_ids_sort(&w->ids, &rank, g->err);
    if (!st) st = take_labels(g, rank);
    if (!st && g->columns)
        st = wgdn_table_features(&d->features, &d->counts.without_features, &g->table, w->ids.count,
                                 rank, g->err);
    for (int64_t k = 0; !st && rank && k < 2 * w->edges.count; k++)
        w->edges.end[k] = rank[w->edges.end[k]];
    if (!st) {
        d->named = !wgdn_ids_plain(&w->ids);
        d->counts.attributes_ignored = g->ignored;
        w->ids.fixed = true; /* features cannot bring nodes that the graph has not */
    }
    wgdn_release(rank);
    return st;
}
