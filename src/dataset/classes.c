/* SPDX-License-Identifier: Apache-2.0 */
#include "classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct named {
    wgdn_text text;
    int64_t value;
    double number;
    int32_t index;
    char digits[WGDN_INDEX_TEXT];
} named;

void wgdn_names_free(wgdn_names *n)
{
    wgdn_release(n->text);
    wgdn_release(n->start);
    *n = (wgdn_names){0};
}

wgdn_status wgdn_names_from(wgdn_names *n, const wgdn_text *text, int64_t count, wgdn_error *err)
{
    size_t bytes = 0, used = 0;
    for (int64_t i = 0; i < count; i++)
        bytes += text[i].size;
    *n = (wgdn_names){.count = count};
    n->start = wgdn_alloc((size_t)count + 1, sizeof *n->start);
    n->text = wgdn_alloc(bytes, 1);
    if (!n->start || !n->text) {
        wgdn_names_free(n);
        return wgdn_fail(err, WGDN_ENOMEM, "names: %lld of them", (long long)count);
    }
    for (int64_t i = 0; i < count; i++) {
        n->start[i] = (int64_t)used;
        if (text[i].size) memcpy(n->text + used, text[i].at, text[i].size);
        used += text[i].size;
    }
    n->start[count] = (int64_t)used;
    return WGDN_OK;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = ((const named *)a)->value, y = ((const named *)b)->value;
    if (x != y) return x < y ? -1 : 1;
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

static int by_number(const void *a, const void *b)
{
    const double x = ((const named *)a)->number, y = ((const named *)b)->number;
    if (x != y) return x < y ? -1 : 1;
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

static int by_bytes(const void *a, const void *b)
{
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

wgdn_status wgdn_classes_sort(wgdn_names *names, int32_t *label, int64_t count, const wgdn_ids *ids,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    bool integers = true, numbers = true;
    named *list = wgdn_alloc((size_t)ids->count, sizeof *list);
    wgdn_text *text = wgdn_alloc((size_t)ids->count, sizeof *text);
    int32_t *rank = wgdn_alloc((size_t)ids->count, sizeof *rank);
    if (!list || !text || !rank) {
        st = wgdn_fail(err, WGDN_ENOMEM, "labels: %lld classes", (long long)ids->count);
        goto done;
    }
    for (int64_t i = 0; i < ids->count; i++) {
        list[i].text = wgdn_ids_text(ids, i, list[i].digits);
        list[i].index = (int32_t)i;
        if (!wgdn_text_integer(list[i].text, &list[i].value)) integers = false;
        if (!wgdn_text_number(list[i].text, &list[i].number) || isnan(list[i].number))
            numbers = false;
        if (ids->direct) list[i].text.at = NULL; /* moves with the element: see below */
    }
    if (ids->direct)
        qsort(list, (size_t)ids->count, sizeof *list, by_value);
    else
        qsort(list, (size_t)ids->count, sizeof *list,
              integers  ? by_value
              : numbers ? by_number
                        : by_bytes);
    for (int64_t i = 0; i < ids->count; i++) {
        if (ids->direct) list[i].text.at = (const unsigned char *)list[i].digits;
        rank[list[i].index] = (int32_t)i;
        text[i] = list[i].text;
    }
    st = wgdn_names_from(names, text, ids->count, err);
    for (int64_t k = 0; !st && k < count; k++)
        if (label[k] >= 0) label[k] = rank[label[k]];

done:
    wgdn_release(rank);
    wgdn_release(text);
    wgdn_release(list);
    return st;
}
