/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <jansson.h>
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

/* Features of one node, by number; the place is used again for the next. */
typedef struct features {
    int32_t *number;
    int64_t room;
    int64_t at; /* which node, from 1 */
} features;

/* One node: its features sorted, a repeat counted once. */
static wgdn_status read_node(wgdn_table *t, wgdn_ids *ids, features *f, const char *key,
                             const json_t *list, const char *name, wgdn_error *err)
{
    const int64_t count = (int64_t)json_array_size(list);
    if (!json_is_array(list))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is not a list: expected {\"id\": [0, 5, ...]}",
                         wgdn_show_name(name).text, wgdn_show(wgdn_text_of(key, strlen(key))).text);
    if (!wgdn_grow(&f->number, &f->room, count, sizeof *f->number))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld features", wgdn_show_name(name).text,
                         (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const json_t *item = json_array_get(list, (size_t)k);
        const json_int_t value = json_is_integer(item) ? json_integer_value(item) : -1;
        if (value < 0 || value >= INT32_MAX) return refuse(key, item, name, err);
        f->number[k] = (int32_t)value;
    }
    if (count) qsort(f->number, (size_t)count, sizeof *f->number, by_number);
    wgdn_status st = wgdn_table_row(t, ids, wgdn_text_of(key, strlen(key)), ++f->at, name, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (k > 0 && f->number[k] == f->number[k - 1]) continue;
        st = wgdn_table_entry(t, f->number[k], 1, name, err);
        if (f->number[k] >= t->width) t->width = (int64_t)f->number[k] + 1;
    }
    return st;
}

wgdn_status wgdn_table_read_json(wgdn_table *t, wgdn_ids *ids, const void *data, size_t size,
                                 const char *name, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    json_error_t why;
    features f = {0};
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%d:%d: %.100s", wgdn_show_name(name).text, why.line,
                         why.column, why.text);
    if (!json_is_object(root))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: expected an object {\"id\": [0, 5, ...], ...}",
                       wgdn_show_name(name).text);
    for (void *i = st ? NULL : json_object_iter(root); !st && i; i = json_object_iter_next(root, i))
        st = read_node(t, ids, &f, json_object_iter_key(i), json_object_iter_value(i), name, err);
    if (!st && (t->rows == 0 || t->width == 0))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no features in it", wgdn_show_name(name).text);
    wgdn_release(f.number);
    json_decref(root);
    return st;
}
