/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Receives nodes and edges with attributes and decides which attributes are labels, weights or
 * features. The GraphML, GEXF, GML and node-link readers share it; it fills in the draft of the
 * dataset.
 */
#include "attributes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wgdn_attributes_open(wgdn_attributes *g, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    *g = (wgdn_attributes){.w = w, .name = in->name, .err = err, .line = 1};
    /* Values that defaults may give in a file of this size: few keys have several for each node. */
    g->fill_max = (int64_t)in->size * 2 + 65536;
    g->table.max = w->o->max_entries;
    g->table.name = in->name;
    wgdn_ids_open(&g->key_ids, INT32_MAX);
    wgdn_ids_open(&g->classes, INT32_MAX - 1);
    wgdn_ids_open(&g->names, INT32_MAX);
    wgdn_ids_open(&g->texts, INT32_MAX);
}

wgdn_status wgdn_attributes_refuse(const wgdn_attributes *g, const char *format, ...)
{
    char said[200];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    if (g->unit)
        return wgdn_fail_in(g->err, WGDN_EFORMAT, g->name, "%s %lld: %s", g->unit,
                            (long long)g->line, said);
    return wgdn_fail_at(g->err, WGDN_EFORMAT, g->name, g->line, "%s", said);
}

static wgdn_status no_memory(const wgdn_attributes *g)
{
    return wgdn_fail_at(g->err, WGDN_ENOMEM, g->name, g->line, "beyond %lld nodes",
                        (long long)g->w->ids.count);
}

/* ---- values ---- */

/* without blanks around it */
static wgdn_text attributes_trimmed(wgdn_text t)
{
    while (t.size > 0 && t.at[0] <= ' ')
        t = wgdn_text_of(t.at + 1, t.size - 1);
    while (t.size > 0 && t.at[t.size - 1] <= ' ')
        t.size--;
    return t;
}

/* A value of a numeric key. */
static wgdn_status attributes_number(double *x, const wgdn_attributes *g,
                                     const wgdn_attribute_key *k, wgdn_text value)
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
    const wgdn_text t = attributes_trimmed(value);
    double x = 0;
    switch (k->use[side]) {
    case WGDN_ATTRIBUTE_IGNORED: return WGDN_OK;
    case WGDN_ATTRIBUTE_LABEL: return read_class(&g->label[g->at[0]], g, t);
    case WGDN_ATTRIBUTE_NAME: return wgdn_ids_add(&g->names, &t, 1, &g->given[g->at[0]], g->err);
    case WGDN_ATTRIBUTE_WEIGHT: return attributes_number(&g->weight, g, k, t);
    case WGDN_ATTRIBUTE_FEATURE: break;
    }
    const wgdn_status st = attributes_number(&x, g, k, t);
    return st ? st : add_cell(g, k->column, x);
}

/* ---- nodes and edges ---- */

/* The number of a node, new or not; it has room in the arrays of nodes. */
static wgdn_status find_node(int32_t *at, wgdn_attributes *g, wgdn_text t)
{
    const int64_t before = g->w->ids.count;
    const wgdn_status st = wgdn_ids_add(&g->w->ids, &t, 1, at, g->err);
    if (st == WGDN_ERANGE)
        return wgdn_fail_at(g->err, st, g->name, g->line,
                            "more than %lld different nodes, the maximum allowed",
                            (long long)g->w->ids.max);
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
    if (g->cells) qsort(g->cell, (size_t)g->cells, sizeof *g->cell, wgdn_by_int32);
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
    return attributes_number(&g->weight, g, &number, attributes_trimmed(value));
}

/* Passes the nodes and edges of a file to the draft, where the nodes get their final numbers. */

static wgdn_status check_ends(wgdn_attributes *g)
{
    char buffer[WGDN_INDEX_TEXT];
    if (g->w->ids.count == 0)
        return wgdn_fail_in(g->err, WGDN_EFORMAT, g->name, "it contains no nodes");
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
    int64_t labeled = 0;
    if (g->label_key < 0) return false;
    const wgdn_attribute_key *k = &g->key[g->label_key];
    if (k->asked || k->type != WGDN_ATTRIBUTE_STRING) return false;
    for (int64_t i = 0; i < g->w->ids.count; i++)
        labeled += g->label[i] >= 0;
    return 10 * g->classes.count > 9 * labeled;
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
        g->names_unused = named;
        g->ignored += named;
        return rename_nodes(g, g->label, &g->classes);
    }
    if (made_up && all_differ(g, g->given, &g->names)) return rename_nodes(g, g->given, &g->names);
    g->names_unused = named;
    g->ignored += named;
    return WGDN_OK;
}

static wgdn_status take_labels(wgdn_attributes *g, const int32_t *rank)
{
    const int64_t nodes = g->w->ids.count;
    wgdn_names names = {0};
    if (g->classes.count == 0) return WGDN_OK;
    if (labels_are_captions(g)) {
        g->labels_unused = !g->captioned;
        g->ignored += !g->captioned;
        return WGDN_OK;
    }
    int32_t *label = wgdn_alloc((size_t)nodes, sizeof *label);
    if (!label)
        return wgdn_fail_in(g->err, WGDN_ENOMEM, g->name, "%lld nodes", (long long)g->w->ids.count);
    for (int64_t i = 0; i < nodes; i++)
        label[rank ? rank[i] : i] = g->label[i];
    const wgdn_status st = wgdn_classes_sort(&names, label, nodes, &g->classes, g->err);
    if (st)
        wgdn_release(label);
    else
        wgdn_labels_take(g->w->d, label, &names);
    return st;
}

/* Names the keys that are not used. The caption of GEXF nodes is no key of the file. */
static void name_ignored(wgdn_dataset *d, const wgdn_attributes *g)
{
    for (int64_t i = 0; i < g->key_ids.count; i++) {
        const wgdn_attribute_key *k = &g->key[i];
        const wgdn_attribute_use use = k->use[WGDN_ATTRIBUTE_NODE];
        const bool unused = !use && !k->use[WGDN_ATTRIBUTE_EDGE];
        if ((unused && !k->hidden) || (use == WGDN_ATTRIBUTE_NAME && g->names_unused) ||
            (use == WGDN_ATTRIBUTE_LABEL && g->labels_unused))
            wgdn_dataset_ignore(d, wgdn_text_of(k->title, strlen(k->title)));
    }
}

/* Directions that are ignored, or that some edges do not have though they are to count. */
static wgdn_status remark_directions(const wgdn_attributes *g)
{
    wgdn_edges *e = &g->w->edges;
    wgdn_remarks *r = &g->w->d->remarks;
    const bool used = g->w->o->directed != WGDN_DIRECTION_IGNORE;
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
        name_ignored(d, g);
        w->ids.fixed = true; /* features cannot bring nodes that the graph has not */
    }
    wgdn_release(rank);
    return st;
}

/* Stores the keys of attributes and decides how the values of each are used. */

enum { NAME_MAX_BYTES = 255 }; /* of a key that is declared for one side */

wgdn_attribute_type wgdn_attributes_type(const char *word)
{
    static const char *const integers[] = {"int",  "integer",    "long", "short",
                                           "byte", "biginteger", NULL};
    static const char *const floats[] = {"float", "double", "bigdecimal", NULL};
    const wgdn_text t = wgdn_attributes_text(word);
    if (wgdn_text_is_any(t, integers)) return WGDN_ATTRIBUTE_INTEGER;
    if (wgdn_text_is_any(t, floats)) return WGDN_ATTRIBUTE_FLOAT;
    return wgdn_text_is(t, "boolean") ? WGDN_ATTRIBUTE_BOOLEAN : WGDN_ATTRIBUTE_STRING;
}

/* The number of a key, new or not. */
static wgdn_status add_key(int32_t *at, wgdn_attributes *g, wgdn_text id, wgdn_text name,
                           wgdn_attribute_type type)
{
    static const char *const labels[] = {"label", "class", "target", "y", NULL};
    static const char *const names[] = {"name", "id", NULL};
    const wgdn_dataset_options *o = g->w->o;
    const int64_t before = g->key_ids.count;
    const wgdn_status st = wgdn_ids_add(&g->key_ids, &id, 1, at, g->err);
    if (st || *at != before) return st;
    if (!wgdn_grow(&g->key, &g->key_room, before + 1, sizeof *g->key))
        return wgdn_fail_in(g->err, WGDN_ENOMEM, g->name, "%lld keys", (long long)before);
    g->key[*at] = (wgdn_attribute_key){
        .type = type,
        .labels = wgdn_text_is_any(name, labels),
        .names = wgdn_text_is_any(name, names) || (g->numbered && wgdn_text_is(name, "label")),
        .captions = wgdn_text_is(name, "label"),
        .weights = wgdn_text_is(name, "weight"),
        .values = wgdn_text_is(name, "value"),
        .asked = !o->labels && o->label_column && wgdn_text_is(name, o->label_column),
    };
    const size_t size = wgdn_min((int64_t)name.size, (int64_t)sizeof g->key->title - 1);
    memcpy(g->key[*at].title, name.at, size);
    return WGDN_OK;
}

static wgdn_status refuse_again(const wgdn_attributes *g, wgdn_text id)
{
    return wgdn_attributes_refuse(g, "the key %s again", wgdn_show(id).text);
}

wgdn_status wgdn_attributes_add_key(wgdn_attributes *g, const char *id, const char *on,
                                    const char *name, const char *type)
{
    const int64_t before = g->key_ids.count;
    const bool all = !on || strcmp(on, "all") == 0;
    const wgdn_text key = wgdn_attributes_text(id);
    int32_t at = -1;
    if (!id) return wgdn_attributes_refuse(g, "a key without an id");
    const wgdn_status st =
        add_key(&at, g, key, name ? wgdn_attributes_text(name) : key, wgdn_attributes_type(type));
    if (st) return st;
    if (at != before) return refuse_again(g, key);
    g->key[at].on[WGDN_ATTRIBUTE_NODE] = all || strcmp(on, "node") == 0;
    g->key[at].on[WGDN_ATTRIBUTE_EDGE] = all || strcmp(on, "edge") == 0;
    return WGDN_OK;
}

/* The side goes before the id, as both may have one of that name. */
typedef struct sided {
    char text[NAME_MAX_BYTES + 1];
    wgdn_text id;
} sided;

static wgdn_status put_side(sided *s, const wgdn_attributes *g, int side, wgdn_text id)
{
    if (id.size == 0 || id.size > NAME_MAX_BYTES)
        return wgdn_attributes_refuse(g, "the name of an attribute has %zu bytes: expected 1 .. %d",
                                      id.size, NAME_MAX_BYTES);
    s->text[0] = side == WGDN_ATTRIBUTE_NODE ? 'n' : 'e';
    memcpy(s->text + 1, id.at, id.size);
    s->id = wgdn_text_of(s->text, id.size + 1);
    return WGDN_OK;
}

wgdn_status wgdn_attributes_declare(wgdn_attributes *g, int side, wgdn_text id, wgdn_text name,
                                    wgdn_attribute_type type)
{
    const int64_t before = g->key_ids.count;
    sided s = {0};
    int32_t at = -1;
    wgdn_status st = put_side(&s, g, side, id);
    if (!st) st = add_key(&at, g, s.id, name, type);
    if (st) return st;
    if (at != before) return refuse_again(g, id);
    g->key[at].on[side] = true;
    return WGDN_OK;
}

wgdn_status wgdn_attributes_note(wgdn_attributes *g, int side, wgdn_text name,
                                 wgdn_attribute_type type)
{
    sided s = {0};
    int32_t at = -1;
    wgdn_status st = put_side(&s, g, side, name);
    if (!st) st = add_key(&at, g, s.id, name, type);
    if (st) return st;
    wgdn_attribute_key *k = &g->key[at];
    k->on[side] = true;
    if (type > k->type) k->type = type;
    if (k->last == g->element) k->type = WGDN_ATTRIBUTE_NESTED; /* several in one element */
    k->last = g->element;
    return WGDN_OK;
}

static bool holds_labels(const wgdn_attributes *g, const wgdn_attribute_key *k)
{
    const bool asked = !g->w->o->labels && g->w->o->label_column;
    const bool words = k->type == WGDN_ATTRIBUTE_STRING || k->type == WGDN_ATTRIBUTE_INTEGER;
    return k->on[WGDN_ATTRIBUTE_NODE] && k->type != WGDN_ATTRIBUTE_NESTED &&
           (asked ? k->asked : k->labels && words);
}

/*
 * The first key of nodes that holds labels: the one asked for, else text or integers so called.
 * Where ids are numbers of the file's own, a "label" is more likely the name of a node.
 */
static int64_t find_labels(const wgdn_attributes *g)
{
    int64_t found = -1;
    for (int64_t i = 0; i < g->key_ids.count; i++) {
        if (!holds_labels(g, &g->key[i])) continue;
        if (!g->numbered || !g->key[i].captions) return i;
        if (found < 0) found = i;
    }
    return found;
}

static int64_t find_weights(const wgdn_attributes *g)
{
    for (int64_t i = 0; i < g->key_ids.count; i++)
        if (g->key[i].on[WGDN_ATTRIBUTE_EDGE] && g->key[i].weights &&
            g->key[i].type < WGDN_ATTRIBUTE_STRING)
            return i;
    for (int64_t i = 0; g->by_value && i < g->key_ids.count; i++)
        if (g->key[i].on[WGDN_ATTRIBUTE_EDGE] && g->key[i].values &&
            g->key[i].type < WGDN_ATTRIBUTE_STRING)
            return i;
    return -1;
}

wgdn_status wgdn_attributes_settle(wgdn_attributes *g)
{
    bool named = false;
    g->label_key = find_labels(g);
    g->weight_key = find_weights(g);
    if (g->label_key < 0 && !g->w->o->labels && g->w->o->label_column)
        return wgdn_attributes_refuse(g, "no key of nodes has the name '%.40s'",
                                      g->w->o->label_column);
    for (int64_t i = 0; i < g->key_ids.count; i++) {
        wgdn_attribute_key *k = &g->key[i];
        wgdn_attribute_use *use = &k->use[WGDN_ATTRIBUTE_NODE];
        if (i == g->label_key) {
            *use = WGDN_ATTRIBUTE_LABEL;
        } else if (k->on[WGDN_ATTRIBUTE_NODE] && k->type < WGDN_ATTRIBUTE_STRING) {
            *use = WGDN_ATTRIBUTE_FEATURE;
            k->column = (int32_t)g->columns++;
            g->defaults += k->defaulted;
        } else if (k->on[WGDN_ATTRIBUTE_NODE] && k->names && !named &&
                   k->type == WGDN_ATTRIBUTE_STRING) {
            *use = WGDN_ATTRIBUTE_NAME;
            named = true;
        }
        if (i == g->weight_key) k->use[WGDN_ATTRIBUTE_EDGE] = WGDN_ATTRIBUTE_WEIGHT;
        g->ignored += !*use && !k->use[WGDN_ATTRIBUTE_EDGE];
    }
    g->table.width = g->columns;
    return WGDN_OK;
}

/* What the key is for is not known yet: its default is kept as a number and as text. */
wgdn_status wgdn_attributes_default(wgdn_attributes *g, wgdn_text value)
{
    wgdn_attribute_key *k = &g->key[g->key_ids.count - 1];
    const wgdn_text t = attributes_trimmed(value);
    wgdn_status st = WGDN_OK;
    k->defaulted = true;
    if (k->type < WGDN_ATTRIBUTE_STRING) st = attributes_number(&k->number, g, k, t);
    if (!st) st = wgdn_ids_add(&g->texts, &t, 1, &k->text, g->err);
    if (!st && k->text < 0) st = wgdn_attributes_refuse(g, "a default of %zu bytes", t.size);
    return st;
}

/* Key number `at`, which may be none, for one value of the current element. */
static wgdn_attribute_key *use_key(wgdn_attributes *g, int64_t at, wgdn_text id)
{
    wgdn_attribute_key *k = at < 0 ? NULL : &g->key[at];
    if (!k) {
        (void)wgdn_attributes_refuse(g, "data of the key %s, which is not declared",
                                     wgdn_show(id).text);
    } else if (k->last == g->element) {
        (void)wgdn_attributes_refuse(g, "the key %s twice in one element", wgdn_show(id).text);
        return NULL;
    } else {
        k->last = g->element;
    }
    return k;
}

wgdn_attribute_key *wgdn_attributes_find_key(wgdn_attributes *g, const char *id)
{
    const wgdn_text t = wgdn_attributes_text(id);
    return use_key(g, id ? wgdn_ids_find(&g->key_ids, t) : -1, t);
}

wgdn_attribute_key *wgdn_attributes_find_declared(wgdn_attributes *g, int side, wgdn_text id)
{
    sided s = {0};
    if (put_side(&s, g, side, id)) return NULL;
    const int64_t at = wgdn_ids_find(&g->key_ids, s.id);
    if (at >= 0 && !g->key[at].use[side]) return &g->key[at];
    return use_key(g, at, id);
}
