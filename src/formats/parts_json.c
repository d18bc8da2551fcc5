/* SPDX-License-Identifier: Apache-2.0 */
/* Features as JSON: {"id": [feature, ...], ...}. */
#include "codec/json.h"
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static wgdn_status refuse(const char *key, const json_t *item, const char *name, wgdn_error *err)
{
    char number[32] = "not a number";
    if (json_is_integer(item))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(item));
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: a feature of %s is %s: expected numbers of features, from 0 below 2^31",
                     wgdn_show_name(name).text, wgdn_show(wgdn_text_of(key, strlen(key))).text,
                     number);
}

/* The numbers of one node's features, in an array that grows. */
typedef struct numbers {
    int32_t *at;
    int64_t room;
} numbers;

/* One node: its features sorted, a repeat counted once. */
static wgdn_status read_node(wgdn_table *t, wgdn_ids *ids, void *member, int64_t line, numbers *n,
                             wgdn_error *err)
{
    const char *key = json_object_iter_key(member);
    const json_t *list = json_object_iter_value(member);
    const int64_t count = (int64_t)json_array_size(list);
    const wgdn_text id = wgdn_text_of(key, strlen(key));
    if (!json_is_array(list))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is not a list: expected {\"id\": [0, 5, ...]}",
                         wgdn_show_name(t->name).text, wgdn_show(id).text);
    if (!wgdn_grow(&n->at, &n->room, count, sizeof *n->at))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld features", wgdn_show_name(t->name).text,
                         (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const json_t *item = json_array_get(list, (size_t)k);
        const json_int_t value = json_is_integer(item) ? json_integer_value(item) : -1;
        if (value < 0 || value >= INT32_MAX) return refuse(key, item, t->name, err);
        n->at[k] = (int32_t)value;
    }
    if (wgdn_table_skips(t, ids, id)) return WGDN_OK;
    if (count) qsort(n->at, (size_t)count, sizeof *n->at, by_number);
    wgdn_status st = wgdn_table_row(t, ids, id, line, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (k > 0 && n->at[k] == n->at[k - 1]) continue;
        st = wgdn_table_entry(t, n->at[k], 1, err);
        if (n->at[k] >= t->width) t->width = (int64_t)n->at[k] + 1;
    }
    return st;
}

wgdn_status wgdn_table_read_json(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                 wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    json_error_t why;
    numbers n = {0};
    int64_t line = 0;
    const wgdn_shown name = wgdn_show_name(in->name);
    json_t *root = wgdn_json_load(in->data, in->size, &why);
    t->name = in->name;
    if (!root)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%d:%d: %.100s", name.text, why.line, why.column,
                         why.text);
    if (!json_is_object(root))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: expected an object {\"id\": [0, 5, ...], ...}",
                       name.text);
    for (void *i = st ? NULL : json_object_iter(root); !st && i; i = json_object_iter_next(root, i))
        st = read_node(t, ids, i, ++line, &n, err);
    if (!st && (t->rows + t->skipped == 0 || (t->width == 0 && !t->skipped)))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no features in it", name.text);
    wgdn_release(n.at);
    json_decref(root);
    return st;
}
