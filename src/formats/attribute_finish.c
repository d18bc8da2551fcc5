/* SPDX-License-Identifier: Apache-2.0 */
/* From what a file said to the draft, whose nodes get their final numbers. */
#include "attribute_build.h"

#include <string.h>

static wgdn_status no_memory(const wgdn_attributes *g)
{
    return wgdn_fail(g->err, WGDN_ENOMEM, "%s: %lld nodes", wgdn_show_name(g->name).text,
                     (long long)g->w->ids.count);
}

static wgdn_status check_ends(wgdn_attributes *g)
{
    char buffer[WGDN_INDEX_TEXT];
    if (g->w->ids.count == 0)
        return wgdn_fail(g->err, WGDN_EFORMAT, "%s: no nodes in it", wgdn_show_name(g->name).text);
    for (int64_t i = 0; i < g->w->ids.count; i++) {
        if (g->seen[i] > 0) continue;
        g->line = -g->seen[i];
        if (g->unit) g->unit = "link";
        return wgdn_attributes_refuse(g, "an end of the edge is %s, which is no node of the graph",
                                      wgdn_show(wgdn_ids_text(&g->w->ids, i, buffer)).text);
    }
    return WGDN_OK;
}

/* Text that hardly recurs says what to write beside a node, not what it belongs to. */
static bool labels_are_captions(const wgdn_attributes *g)
{
    int64_t labelled = 0;
    if (g->label_key < 0) return false;
    const wgdn_attribute_key *k = &g->key[g->label_key];
    if (k->asked || k->type != WGDN_ATTRIBUTE_STRING) return false;
    for (int64_t i = 0; i < g->w->ids.count; i++)
        labelled += g->label[i] >= 0;
    return 10 * g->classes.count > 9 * labelled;
}

/* Does every node have one, and each another? */
static bool all_differ(const wgdn_attributes *g, const int32_t *name, const wgdn_ids *names)
{
    if (names->count != g->w->ids.count) return false;
    for (int64_t i = 0; i < g->w->ids.count; i++)
        if (name[i] < 0) return false;
    return true;
}

/* Are the ids numbers of the file's own, or n0, n1, n2, ..., as igraph makes them up? */
static bool ids_are_made_up(const wgdn_attributes *g)
{
    for (int64_t i = 0; !g->numbered && i < g->w->ids.count; i++) {
        char buffer[WGDN_INDEX_TEXT], digits[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&g->w->ids, i, buffer);
        const size_t size = wgdn_print_index(digits, i);
        if (id.size != size + 1 || id.at[0] != 'n' || memcmp(id.at + 1, digits, size) != 0)
            return false;
    }
    return true;
}

/* Node i gets the id names[name[i]]. */
static wgdn_status rename_nodes(wgdn_attributes *g, const int32_t *name, const wgdn_ids *names)
{
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    wgdn_ids_open(&ids, g->w->ids.max);
    for (int64_t i = 0; !st && i < g->w->ids.count; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text text = wgdn_ids_text(names, name[i], buffer);
        int32_t at;
        st = wgdn_ids_add(&ids, &text, 1, &at, g->err);
    }
    if (st) {
        wgdn_ids_close(&ids);
        return st;
    }
    wgdn_ids_close(&g->w->ids);
    g->w->ids = ids;
    return WGDN_OK;
}

static wgdn_status take_names(wgdn_attributes *g)
{
    const bool made_up = ids_are_made_up(g);
    bool named = false;
    for (int64_t i = 0; i < g->key_ids.count; i++)
        named = named || g->key[i].use[WGDN_ATTRIBUTE_NODE] == WGDN_ATTRIBUTE_NAME;
    if (g->numbered && labels_are_captions(g) && all_differ(g, g->label, &g->classes)) {
        g->captioned = true;
        g->ignored += named;
        return rename_nodes(g, g->label, &g->classes);
    }
    if (made_up && all_differ(g, g->given, &g->names)) return rename_nodes(g, g->given, &g->names);
    g->ignored += named;
    return WGDN_OK;
}

static wgdn_status take_labels(wgdn_attributes *g, const int32_t *rank)
{
    const int64_t nodes = g->w->ids.count;
    wgdn_names names = {0};
    if (g->classes.count == 0) return WGDN_OK;
    if (labels_are_captions(g)) {
        g->ignored += !g->captioned;
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

/* Directions that are ignored, or that some edges do not have though they are to count. */
static wgdn_status remark_directions(const wgdn_attributes *g)
{
    wgdn_edges *e = &g->w->edges;
    wgdn_remarks *r = &g->w->d->remarks;
    const bool used = g->w->o->directed != WGDN_DIRECTED_IGNORE;
    const int64_t without = e->count + e->zero_weights - g->directions;
    e->mutual = g->directions == 0;
    if (g->directions && !used)
        return wgdn_remarks_add(r, "directions-ignored", g->directions, g->err,
                                "%lld directed %s in both directions; --directed both tells them "
                                "apart",
                                (long long)g->directions,
                                g->directions == 1 ? "edge counts" : "edges count");
    if (used && g->directions && without > 0)
        return wgdn_remarks_add(r, "directions-as-written", without, g->err,
                                "%lld edge%s no direction: taken as written", (long long)without,
                                without == 1 ? " has" : "s have");
    return WGDN_OK;
}

static wgdn_status remark(const wgdn_attributes *g)
{
    wgdn_remarks *r = &g->w->d->remarks;
    wgdn_status st = WGDN_OK;
    if (g->missing)
        st = wgdn_remarks_add(r, "missing-values", g->missing, g->err, "%lld %s",
                              (long long)g->missing,
                              g->missing == 1 ? "value of an attribute is missing: 0 instead"
                                              : "values of attributes are missing: 0 instead");
    if (!st) st = remark_directions(g);
    if (!st && g->weight_key >= 0 && g->key[g->weight_key].values)
        st = wgdn_remarks_add(r, "weights-from-value", 0, g->err,
                              "edges have no weight: their value serves as weight");
    return st;
}

wgdn_status wgdn_attributes_finish(wgdn_attributes *g)
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
    if (!st) st = remark(g);
    if (!st) {
        d->named = !wgdn_ids_plain(&w->ids);
        d->counts.attributes_ignored = g->ignored;
        w->ids.fixed = true; /* features cannot bring nodes that the graph has not */
    }
    wgdn_release(rank);
    return st;
}
