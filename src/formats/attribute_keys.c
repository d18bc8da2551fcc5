/* SPDX-License-Identifier: Apache-2.0 */
/* Keys: what the values of each are for. */
#include "attribute_build.h"

#include <string.h>

enum { NAME_MAX_BYTES = 255 }; /* of a key that is declared for one side */

static bool is_any(wgdn_text t, const char *const *word)
{
    for (; *word; word++)
        if (wgdn_text_is(t, *word)) return true;
    return false;
}

wgdn_attribute_type wgdn_attributes_type(const char *word)
{
    static const char *const integers[] = {"int",  "integer",    "long", "short",
                                           "byte", "biginteger", NULL};
    static const char *const floats[] = {"float", "double", "bigdecimal", NULL};
    const wgdn_text t = wgdn_attributes_text(word);
    if (is_any(t, integers)) return WGDN_ATTRIBUTE_INTEGER;
    if (is_any(t, floats)) return WGDN_ATTRIBUTE_FLOAT;
    return wgdn_text_is(t, "boolean") ? WGDN_ATTRIBUTE_BOOLEAN : WGDN_ATTRIBUTE_STRING;
}

/* The number of a key, new or not. */
static wgdn_status add(int32_t *at, wgdn_attributes *g, wgdn_text id, wgdn_text name,
                       wgdn_attribute_type type)
{
    static const char *const labels[] = {"label", "class", "target", "y", NULL};
    static const char *const names[] = {"name", "id", NULL};
    const wgdn_dataset_options *o = g->w->o;
    const int64_t before = g->key_ids.count;
    const wgdn_status st = wgdn_ids_add(&g->key_ids, &id, 1, at, g->err);
    if (st || *at != before) return st;
    if (!wgdn_grow(&g->key, &g->key_room, before + 1, sizeof *g->key))
        return wgdn_fail(g->err, WGDN_ENOMEM, "%s: %lld keys", wgdn_show_name(g->name).text,
                         (long long)before);
    g->key[*at] = (wgdn_attribute_key){
        .type = type,
        .labels = is_any(name, labels),
        .names = is_any(name, names) || (g->numbered && wgdn_text_is(name, "label")),
        .captions = wgdn_text_is(name, "label"),
        .weights = wgdn_text_is(name, "weight"),
        .values = wgdn_text_is(name, "value"),
        .asked = !o->labels && o->label_column && wgdn_text_is(name, o->label_column),
    };
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
        add(&at, g, key, name ? wgdn_attributes_text(name) : key, wgdn_attributes_type(type));
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
    if (!st) st = add(&at, g, s.id, name, type);
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
    if (!st) st = add(&at, g, s.id, name, type);
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
    const wgdn_text t = wgdn_attributes_trimmed(value);
    wgdn_status st = WGDN_OK;
    k->defaulted = true;
    if (k->type < WGDN_ATTRIBUTE_STRING) st = wgdn_attributes_number(&k->number, g, k, t);
    if (!st) st = wgdn_ids_add(&g->texts, &t, 1, &k->text, g->err);
    if (!st && k->text < 0) st = wgdn_attributes_refuse(g, "a default of %zu bytes", t.size);
    return st;
}

/* Key number `at`, which may be none, for one value of the current element. */
static wgdn_attribute_key *take(wgdn_attributes *g, int64_t at, wgdn_text id)
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
    return take(g, id ? wgdn_ids_find(&g->key_ids, t) : -1, t);
}

wgdn_attribute_key *wgdn_attributes_find_declared(wgdn_attributes *g, int side, wgdn_text id)
{
    sided s = {0};
    if (put_side(&s, g, side, id)) return NULL;
    const int64_t at = wgdn_ids_find(&g->key_ids, s.id);
    if (at >= 0 && !g->key[at].use[side]) return &g->key[at];
    return take(g, at, id);
}
