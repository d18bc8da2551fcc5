/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores the labels of a dataset, one or several per node, and decides whether they are numbers for
 * regression. Format readers call it before a dataset is finished.
 */
#include "dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    /* Rows of pairs, each sorted; repeats go. */
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
