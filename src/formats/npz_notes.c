/* SPDX-License-Identifier: Apache-2.0 */
/* What named arrays say about nodes beside their features: labels, splits, names. */
#include "npz.h"

#include "codec/arrays.h"

#include <string.h>

static wgdn_status wrong_size(const wgdn_tensor *t, const char *expected, const char *name,
                              wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %.40s has %lld elements: expected %s",
                     wgdn_show_name(name).text, t->name, (long long)wgdn_tensor_count(t), expected);
}

static wgdn_status read_labels(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    int32_t *label = NULL;
    static const char *const word[] = {"labels", "node_labels", "y", "label"};
    const wgdn_tensor *t = NULL;
    for (size_t i = 0; !t && i < sizeof word / sizeof *word; i++)
        t = wgdn_archive_find(a, word[i]);
    if (!t) return WGDN_OK;
    if (wgdn_tensor_count(t) != d->nodes) return wrong_size(t, "one for each node", name, err);
    wgdn_status st = wgdn_array_int32(&label, NULL, t, name, err);
    if (!st) st = wgdn_labels_set(d, label, name, err);
    wgdn_release(label);
    return st;
}

static wgdn_status read_class_names(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                                    wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "class_names");
    if (!t || t->dtype != WGDN_TEXT || !d->label) return WGDN_OK;
    const int64_t count = wgdn_tensor_count(t);
    if (count < d->classes) return wrong_size(t, "one for each class", name, err);
    wgdn_text *text = wgdn_alloc((size_t)count, sizeof *text);
    if (!text)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld classes", wgdn_show_name(name).text,
                         (long long)count);
    for (int64_t i = 0; i < count; i++)
        text[i] = wgdn_tensor_text(t, i);
    const wgdn_status st = wgdn_names_from(&d->class_names, text, count, err);
    if (!st) d->classes = count;
    wgdn_release(text);
    return st;
}

/* Names that are all different become the ids; others say nothing about a node. */
static wgdn_status read_names(wgdn_draft *w, const wgdn_archive *a, wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "node_names");
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    if (!t || t->dtype != WGDN_TEXT || wgdn_tensor_count(t) != w->d->nodes) return WGDN_OK;
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t i = 0; !st && i < w->d->nodes && ids.count == i; i++) {
        const wgdn_text name = wgdn_tensor_text(t, i);
        int32_t at;
        st = wgdn_ids_add(&ids, &name, 1, &at, err);
    }
    if (!st && ids.count == w->d->nodes) {
        wgdn_ids_close(&w->ids);
        ids.fixed = true; /* the order is the file's */
        w->ids = ids;
        w->d->named = !wgdn_ids_plain(&ids);
        return WGDN_OK;
    }
    wgdn_ids_close(&ids);
    return st;
}

/* ---- splits ---- */

static wgdn_status alloc_splits(wgdn_dataset *d, int64_t splits, const char *name, wgdn_error *err)
{
    size_t all;
    if (d->split) return WGDN_OK;
    if (wgdn_size_mul(&all, (size_t)splits, (size_t)d->nodes)) d->split = wgdn_alloc_zero(all, 1);
    if (!d->split)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld splits", wgdn_show_name(name).text,
                         (long long)splits);
    d->splits = splits;
    return WGDN_OK;
}

static wgdn_status put(wgdn_dataset *d, int64_t split, int64_t node, int kind, const char *name,
                       wgdn_error *err)
{
    int8_t *at = &d->split[split * d->nodes + node];
    if (*at != WGDN_SPLIT_NONE && *at != kind)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: split %lld has node %lld in two parts",
                         wgdn_show_name(name).text, (long long)split, (long long)node);
    *at = (int8_t)kind;
    return WGDN_OK;
}

/* Numbers of nodes. */
static wgdn_status read_index(wgdn_dataset *d, const wgdn_tensor *t, int kind, const char *name,
                              wgdn_error *err)
{
    int64_t *node = NULL;
    wgdn_status st = alloc_splits(d, 1, name, err);
    if (!st) st = wgdn_array_int64(&node, NULL, t, name, err);
    for (int64_t k = 0; !st && k < wgdn_tensor_count(t); k++) {
        if (node[k] < 0 || node[k] >= d->nodes)
            st = wgdn_fail(err, WGDN_EFORMAT,
                           "%s: element %lld of %.40s is %lld: nodes are 0 .. %lld",
                           wgdn_show_name(name).text, (long long)k, t->name, (long long)node[k],
                           (long long)d->nodes - 1);
        else
            st = put(d, 0, node[k], kind, name, err);
    }
    wgdn_release(node);
    return st;
}

/* A truth value per node, in one row per split, or, as PyG has it, one column. */
static wgdn_status read_mask(wgdn_dataset *d, const wgdn_tensor *t, int kind, const char *name,
                             wgdn_error *err)
{
    int64_t *mask = NULL;
    const int64_t count = wgdn_tensor_count(t);
    const int64_t splits = count / d->nodes;
    const bool columns = t->rank == 2 && t->shape[0] == d->nodes && t->shape[1] != d->nodes;
    if (count == 0 || count % d->nodes || (!columns && t->shape[t->rank - 1] != d->nodes) ||
        (d->split && count != d->splits * d->nodes))
        return wrong_size(t, "a row for each split, a column for each node", name, err);
    wgdn_status st = alloc_splits(d, splits, name, err);
    if (!st) st = wgdn_array_int64(&mask, NULL, t, name, err);
    for (int64_t k = 0; !st && k < count; k++)
        if (mask[k])
            st = columns ? put(d, k % splits, k / splits, kind, name, err)
                         : put(d, k / d->nodes, k % d->nodes, kind, name, err);
    wgdn_release(mask);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    static const struct {
        const char *name;
        int kind;
        bool mask;
    } part[] = {
        {"train_idx", WGDN_SPLIT_TRAIN, false}, {"val_idx", WGDN_SPLIT_VAL, false},
        {"test_idx", WGDN_SPLIT_TEST, false},   {"train_masks", WGDN_SPLIT_TRAIN, true},
        {"val_masks", WGDN_SPLIT_VAL, true},    {"test_masks", WGDN_SPLIT_TEST, true},
        {"train_mask", WGDN_SPLIT_TRAIN, true}, {"val_mask", WGDN_SPLIT_VAL, true},
        {"test_mask", WGDN_SPLIT_TEST, true},
    };
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; !st && i < sizeof part / sizeof *part; i++) {
        const wgdn_tensor *t = wgdn_archive_find(a, part[i].name);
        if (!t) continue;
        st = part[i].mask ? read_mask(d, t, part[i].kind, name, err)
                          : read_index(d, t, part[i].kind, name, err);
    }
    return st;
}

wgdn_status wgdn_npz_notes(wgdn_draft *w, const wgdn_archive *a, const char *name, wgdn_error *err)
{
    w->d->nodes = w->ids.count;
    wgdn_status st = read_labels(w->d, a, name, err);
    if (!st) st = read_class_names(w->d, a, name, err);
    if (!st) st = read_splits(w->d, a, name, err);
    if (!st) st = read_names(w, a, err);
    return st;
}
