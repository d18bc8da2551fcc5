/* SPDX-License-Identifier: Apache-2.0 */
#include "attribute_build.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that defaults may give in a file of so many bytes: few keys have several for each node. */
static int64_t most_defaults(size_t size)
{
    return (int64_t)size * 2 + 65536;
}

void wgdn_attributes_open(wgdn_attributes *g, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    *g = (wgdn_attributes){.w = w, .name = in->name, .err = err, .line = 1};
    g->fill_max = most_defaults(in->size);
    g->table.max = w->o->max_entries;
    g->table.name = in->name;
    wgdn_ids_open(&g->key_ids, INT32_MAX);
    wgdn_ids_open(&g->classes, INT32_MAX - 1);
    wgdn_ids_open(&g->names, INT32_MAX);
    wgdn_ids_open(&g->texts, INT32_MAX);
}

void wgdn_attributes_close(wgdn_attributes *g)
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

wgdn_status wgdn_attributes_refuse(const wgdn_attributes *g, const char *format, ...)
{
    char said[200];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    if (g->unit)
        return wgdn_fail(g->err, WGDN_EFORMAT, "%s: %s %lld: %s", wgdn_show_name(g->name).text,
                         g->unit, (long long)g->line, said);
    return wgdn_fail(g->err, WGDN_EFORMAT, "%s:%lld: %s", wgdn_show_name(g->name).text,
                     (long long)g->line, said);
}

static wgdn_status no_memory(const wgdn_attributes *g)
{
    return wgdn_fail(g->err, WGDN_ENOMEM, "%s:%lld: beyond %lld nodes",
                     wgdn_show_name(g->name).text, (long long)g->line, (long long)g->w->ids.count);
}

wgdn_text wgdn_attributes_text(const char *text)
{
    return wgdn_text_of(text ? text : "", text ? strlen(text) : 0);
}

/* ---- values ---- */

wgdn_text wgdn_attributes_trimmed(wgdn_text t)
{
    while (t.size > 0 && t.at[0] <= ' ')
        t = wgdn_text_of(t.at + 1, t.size - 1);
    while (t.size > 0 && t.at[t.size - 1] <= ' ')
        t.size--;
    return t;
}

wgdn_status wgdn_attributes_number(double *x, const wgdn_attributes *g, const wgdn_attribute_key *k,
                                   wgdn_text value)
{
    const bool yes = wgdn_text_is(value, "true");
    if (k->type == WGDN_ATTRIBUTE_BOOLEAN && (yes || wgdn_text_is(value, "false"))) {
        *x = yes;
        return WGDN_OK;
    }
    if (!wgdn_text_number(value, x) || !(fabs(*x) <= (double)FLT_MAX))
        return wgdn_attributes_refuse(g, "%s is not a finite number", wgdn_show(value).text);
    return WGDN_OK;
}

/* The class that a label stands for, as it came; -1 for none. */
static wgdn_status read_class(int32_t *at, wgdn_attributes *g, wgdn_text value)
{
    *at = -1;
    if (value.size == 0) return WGDN_OK;
    const wgdn_status st = wgdn_ids_add(&g->classes, &value, 1, at, g->err);
    if (!st && *at < 0) return wgdn_attributes_refuse(g, "a label of %zu bytes", value.size);
    return st;
}

static wgdn_status add_cell(wgdn_attributes *g, int32_t column, double value)
{
    if (!wgdn_grow(&g->cell, &g->cell_room, g->cells + 1, sizeof *g->cell)) return no_memory(g);
    g->cell[g->cells++] = (wgdn_attribute_cell){column, (float)value};
    return WGDN_OK;
}

wgdn_status wgdn_attributes_value(wgdn_attributes *g, const wgdn_attribute_key *k, int side,
                                  wgdn_text value)
{
    const wgdn_text t = wgdn_attributes_trimmed(value);
    double x = 0;
    switch (k->use[side]) {
    case WGDN_ATTRIBUTE_IGNORED: return WGDN_OK;
    case WGDN_ATTRIBUTE_LABEL: return read_class(&g->label[g->at[0]], g, t);
    case WGDN_ATTRIBUTE_NAME: return wgdn_ids_add(&g->names, &t, 1, &g->given[g->at[0]], g->err);
    case WGDN_ATTRIBUTE_WEIGHT: return wgdn_attributes_number(&g->weight, g, k, t);
    case WGDN_ATTRIBUTE_FEATURE: break;
    }
    const wgdn_status st = wgdn_attributes_number(&x, g, k, t);
    return st ? st : add_cell(g, k->column, x);
}

/* ---- nodes and edges ---- */

/* The number of a node, new or not; it has room in the arrays of nodes. */
static wgdn_status find_node(int32_t *at, wgdn_attributes *g, wgdn_text t)
{
    const int64_t before = g->w->ids.count;
    const wgdn_status st = wgdn_ids_add(&g->w->ids, &t, 1, at, g->err);
    if (st == WGDN_ERANGE)
        return wgdn_fail(
            g->err, st, "%s:%lld: more than %lld different nodes, the most allowed here",
            wgdn_show_name(g->name).text, (long long)g->line, (long long)g->w->ids.max);
    if (st) return st;
    if (*at < 0)
        return wgdn_attributes_refuse(g, "an id of %zu bytes; the longest may have %d", t.size,
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

void wgdn_attributes_next(wgdn_attributes *g)
{
    g->element++;
}

wgdn_status wgdn_attributes_begin_node(wgdn_attributes *g, wgdn_text id)
{
    if (id.size == 0) return wgdn_attributes_refuse(g, "a node without an id");
    const wgdn_status st = find_node(&g->at[0], g, id);
    if (st) return st;
    if (g->seen[g->at[0]] > 0)
        return wgdn_attributes_refuse(g, "the node %s again: the first is %s %lld",
                                      wgdn_show(id).text, g->unit ? g->unit : "on line",
                                      (long long)g->seen[g->at[0]]);
    g->seen[g->at[0]] = g->line;
    g->element++;
    g->cells = 0;
    if (g->columns == 0) return WGDN_OK;
    return wgdn_table_row(&g->table, &g->w->ids, id, g->line, g->err);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = ((const wgdn_attribute_cell *)a)->column;
    const int32_t y = ((const wgdn_attribute_cell *)b)->column;
    return x < y ? -1 : x > y;
}

/* Keys that the node leaves to their defaults. */
static wgdn_status add_defaults(wgdn_attributes *g)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_status st = WGDN_OK;
    const wgdn_attribute_key *l = g->label_key < 0 ? NULL : &g->key[g->label_key];
    if (l && l->defaulted && l->last != g->element)
        st = read_class(&g->label[g->at[0]], g, wgdn_ids_text(&g->texts, l->text, buffer));
    g->missing += g->columns - g->cells;
    if (!g->key || g->defaults == 0) return st;
    for (int64_t i = 0; !st && i < g->key_ids.count; i++) {
        const wgdn_attribute_key *k = &g->key[i];
        if (k->use[WGDN_ATTRIBUTE_NODE] != WGDN_ATTRIBUTE_FEATURE || k->last == g->element ||
            !k->defaulted)
            continue;
        g->missing--;
        if (k->number == 0) continue;
        if (++g->filled > g->fill_max)
            return wgdn_attributes_refuse(
                g,
                "defaults give more than %lld values, far more than the file has bytes; write "
                "the values of nodes instead",
                (long long)g->fill_max);
        st = add_cell(g, k->column, k->number);
    }
    return st;
}

wgdn_status wgdn_attributes_end_node(wgdn_attributes *g)
{
    wgdn_status st = add_defaults(g);
    if (g->cells) qsort(g->cell, (size_t)g->cells, sizeof *g->cell, by_column);
    for (int64_t i = 0; !st && i < g->cells; i++)
        if (g->cell[i].value != 0)
            st = wgdn_table_entry(&g->table, g->cell[i].column, g->cell[i].value, g->err);
    return st;
}

wgdn_status wgdn_attributes_begin_edge(wgdn_attributes *g, wgdn_text source, wgdn_text target)
{
    if (source.size == 0 || target.size == 0)
        return wgdn_attributes_refuse(g, "an edge without source or target");
    wgdn_status st = find_node(&g->at[0], g, source);
    if (!st) st = find_node(&g->at[1], g, target);
    g->element++;
    g->directed = g->all_directed;
    g->weight = 1;
    if (g->weight_key >= 0 && g->key[g->weight_key].defaulted)
        g->weight = g->key[g->weight_key].number;
    return st;
}

wgdn_status wgdn_attributes_weigh(wgdn_attributes *g, wgdn_text value)
{
    const wgdn_attribute_key number = {.type = WGDN_ATTRIBUTE_FLOAT};
    return wgdn_attributes_number(&g->weight, g, &number, wgdn_attributes_trimmed(value));
}

wgdn_status wgdn_attributes_end_edge(wgdn_attributes *g)
{
    g->directions += g->directed;
    return wgdn_edges_add(&g->w->edges, g->at[0], g->at[1], g->weight, g->name, g->err);
}
