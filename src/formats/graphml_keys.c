/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of GraphML: what the values of each are for. */
#include "graphml_build.h"

#include <string.h>

static wgdn_text text_of(const char *text)
{
    return wgdn_text_of(text, strlen(text));
}

static bool is_any(wgdn_text t, const char *const *word)
{
    for (; *word; word++)
        if (wgdn_text_is(t, *word)) return true;
    return false;
}

static wgdn_graphml_type type_of(const char *word)
{
    static const char *const integers[] = {"int", "integer", "long", "short", "byte", NULL};
    static const char *const floats[] = {"float", "double", NULL};
    if (!word) return WGDN_GRAPHML_STRING;
    if (is_any(text_of(word), integers)) return WGDN_GRAPHML_INTEGER;
    if (is_any(text_of(word), floats)) return WGDN_GRAPHML_FLOAT;
    return wgdn_text_is(text_of(word), "boolean") ? WGDN_GRAPHML_BOOLEAN : WGDN_GRAPHML_STRING;
}

wgdn_status wgdn_graphml_add_key(wgdn_graphml *g, const char *id, const char *on, const char *name,
                                 const char *type)
{
    static const char *const labels[] = {"label", "class", "target", "y", NULL};
    static const char *const names[] = {"name", "id", NULL};
    const wgdn_dataset_options *o = g->w->o;
    const int64_t before = g->key_ids.count;
    const bool all = !on || strcmp(on, "all") == 0;
    int32_t at;
    if (!id) return wgdn_graphml_refuse(g, "a key without an id");
    const wgdn_text word = text_of(name ? name : id), key = text_of(id);
    const wgdn_status st = wgdn_ids_add(&g->key_ids, &key, 1, &at, g->err);
    if (st) return st;
    if (at != before) return wgdn_graphml_refuse(g, "the key %s again", wgdn_show(key).text);
    if (!wgdn_grow(&g->key, &g->key_room, before + 1, sizeof *g->key))
        return wgdn_fail(g->err, WGDN_ENOMEM, "%s: %lld keys", wgdn_show_name(g->name).text,
                         (long long)before);
    g->key[at] = (wgdn_graphml_key){
        .type = type_of(type),
        .on = {all || strcmp(on, "node") == 0, all || strcmp(on, "edge") == 0},
        .labels = is_any(word, labels),
        .names = is_any(word, names),
        .weights = wgdn_text_is(word, "weight"),
        .asked = !o->labels && o->label_column && wgdn_text_is(word, o->label_column),
    };
    return WGDN_OK;
}

/* The first key of nodes that holds labels: the one asked for, else text or integers so called. */
static int64_t find_labels(const wgdn_graphml *g)
{
    const bool asked = !g->w->o->labels && g->w->o->label_column;
    for (int64_t i = 0; i < g->key_ids.count; i++) {
        const wgdn_graphml_key *k = &g->key[i];
        const bool words = k->type == WGDN_GRAPHML_STRING || k->type == WGDN_GRAPHML_INTEGER;
        if (k->on[WGDN_GRAPHML_NODE] && (asked ? k->asked : k->labels && words)) return i;
    }
    return -1;
}

static int64_t find_weights(const wgdn_graphml *g)
{
    for (int64_t i = 0; i < g->key_ids.count; i++)
        if (g->key[i].on[WGDN_GRAPHML_EDGE] && g->key[i].weights &&
            g->key[i].type != WGDN_GRAPHML_STRING)
            return i;
    return -1;
}

wgdn_status wgdn_graphml_settle(wgdn_graphml *g)
{
    bool named = false;
    g->label_key = find_labels(g);
    g->weight_key = find_weights(g);
    if (g->label_key < 0 && !g->w->o->labels && g->w->o->label_column)
        return wgdn_graphml_refuse(g, "no key of nodes has the name '%.40s'",
                                   g->w->o->label_column);
    for (int64_t i = 0; i < g->key_ids.count; i++) {
        wgdn_graphml_key *k = &g->key[i];
        wgdn_graphml_use *use = &k->use[WGDN_GRAPHML_NODE];
        if (i == g->label_key) {
            *use = WGDN_GRAPHML_LABEL;
        } else if (k->on[WGDN_GRAPHML_NODE] && k->type != WGDN_GRAPHML_STRING) {
            *use = WGDN_GRAPHML_FEATURE;
            k->column = (int32_t)g->columns++;
            g->defaults = g->defaults || k->number != 0;
        } else if (k->on[WGDN_GRAPHML_NODE] && k->names && !named) {
            *use = WGDN_GRAPHML_NAME;
            named = true;
        }
        if (i == g->weight_key) k->use[WGDN_GRAPHML_EDGE] = WGDN_GRAPHML_WEIGHT;
        g->ignored += !*use && !k->use[WGDN_GRAPHML_EDGE];
    }
    g->table.width = g->columns;
    return WGDN_OK;
}

/* What the key is for is not known yet: its default is kept as a number and as text. */
wgdn_status wgdn_graphml_default(wgdn_graphml *g, wgdn_text value)
{
    wgdn_graphml_key *k = &g->key[g->key_ids.count - 1];
    const wgdn_text t = wgdn_graphml_trimmed(value);
    wgdn_status st = WGDN_OK;
    k->defaulted = true;
    if (k->type != WGDN_GRAPHML_STRING) st = wgdn_graphml_number(&k->number, g, k, t);
    if (!st) st = wgdn_ids_add(&g->texts, &t, 1, &k->text, g->err);
    if (!st && k->text < 0) st = wgdn_graphml_refuse(g, "a default of %zu bytes", t.size);
    return st;
}

wgdn_graphml_key *wgdn_graphml_find_key(wgdn_graphml *g, const char *id)
{
    const int64_t at = id ? wgdn_ids_find(&g->key_ids, text_of(id)) : -1;
    if (at < 0) {
        (void)wgdn_graphml_refuse(g, "data of the key %s, which is not declared",
                                  wgdn_show(text_of(id ? id : "")).text);
        return NULL;
    }
    if (g->key[at].last == g->element) {
        (void)wgdn_graphml_refuse(g, "the key %s twice in one element",
                                  wgdn_show(text_of(id)).text);
        return NULL;
    }
    g->key[at].last = g->element;
    return &g->key[at];
}
