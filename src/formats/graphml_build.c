/* SPDX-License-Identifier: Apache-2.0 */
#include "graphml_build.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wgdn_graphml_open(wgdn_graphml *g, wgdn_draft *w, const char *name, wgdn_error *err)
{
    *g = (wgdn_graphml){.w = w, .name = name, .err = err, .line = 1};
    g->table.max = w->o->max_entries;
    g->table.name = name;
    wgdn_ids_open(&g->key_ids, INT32_MAX);
    wgdn_ids_open(&g->classes, INT32_MAX - 1);
    wgdn_ids_open(&g->names, INT32_MAX);
    wgdn_ids_open(&g->texts, INT32_MAX);
}

void wgdn_graphml_close(wgdn_graphml *g)
{
    wgdn_release(g->cell);
    wgdn_table_free(&g->table);
    wgdn_ids_close(&g->texts);
    wgdn_ids_close(&g->names);
    wgdn_ids_close(&g->classes);
    wgdn_release(g->given);
    wgdn_release(g->label);
    wgdn_release(g->seen);
    wgdn_release(g->key);
    wgdn_ids_close(&g->key_ids);
}

wgdn_status wgdn_graphml_refuse(const wgdn_graphml *g, const char *format, ...)
{
    char said[200];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    return wgdn_fail(g->err, WGDN_EFORMAT, "%s:%lld: %s", wgdn_show_name(g->name).text,
                     (long long)g->line, said);
}

static wgdn_status no_memory(const wgdn_graphml *g)
{
    return wgdn_fail(g->err, WGDN_ENOMEM, "%s:%lld: beyond %lld nodes",
                     wgdn_show_name(g->name).text, (long long)g->line, (long long)g->w->ids.count);
}

static wgdn_text text_of(const char *text)
{
    return wgdn_text_of(text, strlen(text));
}

/* ---- values ---- */

wgdn_text wgdn_graphml_trimmed(wgdn_text t)
{
    while (t.size > 0 && t.at[0] <= ' ')
        t = wgdn_text_of(t.at + 1, t.size - 1);
    while (t.size > 0 && t.at[t.size - 1] <= ' ')
        t.size--;
    return t;
}

wgdn_status wgdn_graphml_number(double *x, const wgdn_graphml *g, const wgdn_graphml_key *k,
                                wgdn_text value)
{
    const bool yes = wgdn_text_is(value, "true");
    if (k->type == WGDN_GRAPHML_BOOLEAN && (yes || wgdn_text_is(value, "false"))) {
        *x = yes;
        return WGDN_OK;
    }
    if (!wgdn_text_number(value, x) || !(fabs(*x) <= (double)FLT_MAX))
        return wgdn_graphml_refuse(g, "%s is not a finite number", wgdn_show(value).text);
    return WGDN_OK;
}

/* The class that a label stands for, as it came; -1 for none. */
static wgdn_status read_class(int32_t *at, wgdn_graphml *g, wgdn_text value)
{
    *at = -1;
    if (value.size == 0) return WGDN_OK;
    const wgdn_status st = wgdn_ids_add(&g->classes, &value, 1, at, g->err);
    if (!st && *at < 0) return wgdn_graphml_refuse(g, "a label of %zu bytes", value.size);
    return st;
}

static wgdn_status add_cell(wgdn_graphml *g, int32_t column, double value)
{
    if (!wgdn_grow(&g->cell, &g->cell_room, g->cells + 1, sizeof *g->cell)) return no_memory(g);
    g->cell[g->cells++] = (wgdn_graphml_cell){column, (float)value};
    return WGDN_OK;
}

wgdn_status wgdn_graphml_value(wgdn_graphml *g, const wgdn_graphml_key *k, int side,
                               wgdn_text value)
{
    const wgdn_text t = wgdn_graphml_trimmed(value);
    double x = 0;
    switch (k->use[side]) {
    case WGDN_GRAPHML_IGNORED: return WGDN_OK;
    case WGDN_GRAPHML_LABEL: return read_class(&g->label[g->at[0]], g, t);
    case WGDN_GRAPHML_NAME: return wgdn_ids_add(&g->names, &t, 1, &g->given[g->at[0]], g->err);
    case WGDN_GRAPHML_WEIGHT: return wgdn_graphml_number(&g->weight, g, k, t);
    case WGDN_GRAPHML_FEATURE: break;
    }
    const wgdn_status st = wgdn_graphml_number(&x, g, k, t);
    return st ? st : add_cell(g, k->column, x);
}

/* ---- nodes and edges ---- */

/* The number of a node, new or not; it has room in the arrays of nodes. */
static wgdn_status find_node(int32_t *at, wgdn_graphml *g, const char *id)
{
    const wgdn_text t = text_of(id);
    const int64_t before = g->w->ids.count;
    const wgdn_status st = wgdn_ids_add(&g->w->ids, &t, 1, at, g->err);
    if (st == WGDN_ERANGE)
        return wgdn_fail(
            g->err, st, "%s:%lld: more than %lld different nodes, the most allowed here",
            wgdn_show_name(g->name).text, (long long)g->line, (long long)g->w->ids.max);
    if (st) return st;
    if (*at < 0)
        return wgdn_graphml_refuse(g, "an id of %zu bytes; the longest may have %d", t.size,
                                   WGDN_ID_MAX);
    if (*at < before) return WGDN_OK;
    if (!wgdn_grow(&g->seen, &g->seen_room, before + 1, sizeof *g->seen) ||
        !wgdn_grow(&g->label, &g->label_room, before + 1, sizeof *g->label) ||
        !wgdn_grow(&g->given, &g->given_room, before + 1, sizeof *g->given))
        return no_memory(g);
    g->seen[*at] = -g->line;
    g->label[*at] = g->given[*at] = -1;
    return WGDN_OK;
}

wgdn_status wgdn_graphml_begin_node(wgdn_graphml *g, const char *id)
{
    if (!id || !*id) return wgdn_graphml_refuse(g, "a node without an id");
    const wgdn_status st = find_node(&g->at[0], g, id);
    if (st) return st;
    if (g->seen[g->at[0]] > 0)
        return wgdn_graphml_refuse(g, "the node %s again: the first is on line %lld",
                                   wgdn_show(text_of(id)).text, (long long)g->seen[g->at[0]]);
    g->seen[g->at[0]] = g->line;
    g->element++;
    g->cells = 0;
    if (g->columns == 0) return WGDN_OK;
    return wgdn_table_row(&g->table, &g->w->ids, text_of(id), g->line, g->err);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = ((const wgdn_graphml_cell *)a)->column;
    const int32_t y = ((const wgdn_graphml_cell *)b)->column;
    return x < y ? -1 : x > y;
}

/* Keys that the node leaves to their defaults. */
static wgdn_status add_defaults(wgdn_graphml *g)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_status st = WGDN_OK;
    const wgdn_graphml_key *l = g->label_key < 0 ? NULL : &g->key[g->label_key];
    if (l && l->defaulted && l->last != g->element)
        st = read_class(&g->label[g->at[0]], g, wgdn_ids_text(&g->texts, l->text, buffer));
    if (!g->key || !g->defaults) return st;
    for (int64_t i = 0; !st && i < g->key_ids.count; i++) {
        const wgdn_graphml_key *k = &g->key[i];
        if (k->use[WGDN_GRAPHML_NODE] == WGDN_GRAPHML_FEATURE && k->last != g->element)
            st = add_cell(g, k->column, k->number);
    }
    return st;
}

wgdn_status wgdn_graphml_end_node(wgdn_graphml *g)
{
    wgdn_status st = add_defaults(g);
    if (g->cells) qsort(g->cell, (size_t)g->cells, sizeof *g->cell, by_column);
    for (int64_t i = 0; !st && i < g->cells; i++)
        if (g->cell[i].value != 0)
            st = wgdn_table_entry(&g->table, g->cell[i].column, g->cell[i].value, g->err);
    return st;
}

wgdn_status wgdn_graphml_begin_edge(wgdn_graphml *g, const char *source, const char *target)
{
    if (!source || !target || !*source || !*target)
        return wgdn_graphml_refuse(g, "an edge without source or target");
    wgdn_status st = find_node(&g->at[0], g, source);
    if (!st) st = find_node(&g->at[1], g, target);
    g->element++;
    g->weight = 1;
    if (g->weight_key >= 0 && g->key[g->weight_key].defaulted)
        g->weight = g->key[g->weight_key].number;
    return st;
}

wgdn_status wgdn_graphml_end_edge(wgdn_graphml *g)
{
    return wgdn_edges_add(&g->w->edges, g->at[0], g->at[1], g->weight, g->name, g->err);
}
