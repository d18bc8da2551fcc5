/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns label texts into sorted classes, with one or several labels per node, and into numbers for
 * regression. Format readers call it before a dataset is finished.
 */
#include "labels.h"
#include "dataset.h"

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

void wgdn_labels_take(wgdn_dataset *d, int32_t *label, const wgdn_names *names)
{
    wgdn_release(d->label);
    wgdn_csr_free(&d->lists);
    wgdn_names_free(&d->class_names);
    d->label = label;
    d->classes = names->count;
    d->class_names = *names;
}

/* ---- several labels per node ---- */

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Rows of pairs, each sorted; repeats go. */
static void fill_lists(wgdn_csr *a, const wgdn_label_pairs *p)
{
    for (int64_t k = 0; k < p->count; k++)
        a->offset[p->node[k] + 1]++;
    for (int64_t i = 0; i < a->rows; i++)
        a->offset[i + 1] += a->offset[i];
    for (int64_t k = 0; k < p->count; k++)
        a->column[a->offset[p->node[k]]++] = p->label[k];
    for (int64_t i = a->rows; i > 0; i--)
        a->offset[i] = a->offset[i - 1];
    a->offset[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        qsort(a->column + a->offset[i], (size_t)(a->offset[i + 1] - a->offset[i]),
              sizeof *a->column, ascending);
    wgdn_csr_merge(a);
}

/* The first label of each list; and if no list has more, there are none. */
static wgdn_status first_labels(wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_csr *a = &d->lists;
    int32_t *label = wgdn_alloc((size_t)d->nodes, sizeof *label);
    bool several = false;
    if (!label) return wgdn_fail(err, WGDN_ENOMEM, "labels: of %lld nodes", (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        label[i] = a->offset[i] < a->offset[i + 1] ? a->column[a->offset[i]] : -1;
        several = several || a->offset[i + 1] - a->offset[i] > 1;
    }
    wgdn_release(d->label);
    d->label = label;
    if (!several) wgdn_csr_free(&d->lists);
    return WGDN_OK;
}

wgdn_status wgdn_lists_gather(wgdn_dataset *d, const wgdn_label_pairs *p, wgdn_error *err)
{
    wgdn_csr *a = &d->lists;
    wgdn_csr_free(a);
    if (!wgdn_csr_alloc(a, d->nodes, d->classes, p->count, false))
        return wgdn_fail(err, WGDN_ENOMEM, "labels: %lld of %lld nodes", (long long)p->count,
                         (long long)d->nodes);
    fill_lists(a, p);
    return first_labels(d, err);
}

/* ---- one label per node ---- */

wgdn_status wgdn_labels_set(wgdn_dataset *d, const int32_t *label, const char *name,
                            wgdn_error *err)
{
    int64_t classes = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        if (label[i] < -1 || label[i] == INT32_MAX)
            return wgdn_fail_in(
                err, WGDN_EFORMAT, name,
                "the label of node %lld is %d: expected 0, 1, 2, ... or -1 for none", (long long)i,
                label[i]);
        if (label[i] >= classes) classes = (int64_t)label[i] + 1;
    }
    int32_t *copy = wgdn_alloc((size_t)d->nodes, sizeof *copy);
    if (!copy) return wgdn_fail_in(err, WGDN_ENOMEM, name, "%lld labels", (long long)d->nodes);
    memcpy(copy, label, (size_t)d->nodes * sizeof *copy);
    wgdn_labels_take(d, copy, &(wgdn_names){0});
    d->classes = classes;
    return WGDN_OK;
}

/* ---- numeric labels ---- */

bool wgdn_label_number(double *out, const wgdn_dataset *d, int64_t class)
{
    return class < d->class_names.count &&
           wgdn_text_number(wgdn_names_get(&d->class_names, class), out) && isfinite(*out);
}

bool wgdn_labels_numeric(const wgdn_dataset *d)
{
    enum { FRACTIONS_MIN = 10, INTEGERS_MIN = 100, NODES_EACH = 5 };
    const int64_t different = d->class_names.count;
    int64_t labels = 0;
    bool integers = true;
    if (different < FRACTIONS_MIN || !d->label || d->lists.offset || d->of_graphs) return false;
    for (int64_t k = 0; k < different; k++) {
        double value;
        if (!wgdn_label_number(&value, d, k)) return false;
        integers = integers && value == floor(value);
    }
    if (!integers) return true;
    for (int64_t i = 0; i < d->nodes; i++)
        labels += d->label[i] >= 0;
    return different > INTEGERS_MIN && labels < NODES_EACH * different;
}
