/* SPDX-License-Identifier: Apache-2.0 */
/* Splits: an id, then train, val or test, on every line; a column for each split. */
#include "parts_notes.h"

#include <string.h>

static int split_of(wgdn_text t)
{
    static const char *const val[] = {"val", "valid", "validation", "dev"};
    static const char *const none[] = {"", "-", "none", "unused"};
    if (wgdn_text_is(t, "train")) return WGDN_SPLIT_TRAIN;
    if (wgdn_text_is(t, "test")) return WGDN_SPLIT_TEST;
    if (wgdn_is_any(t, val, 4)) return WGDN_SPLIT_VAL;
    return wgdn_is_any(t, none, 4) ? WGDN_SPLIT_NONE : -1;
}

static wgdn_status read_split(wgdn_notes *n, int8_t *split, int64_t splits, const wgdn_lines *l,
                              wgdn_error *err)
{
    int64_t node, k = 0;
    if (l->fields != splits + 1)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld columns, where the rows before have %lld",
                               (long long)l->fields, (long long)splits + 1);
    const wgdn_status st = wgdn_note_node(&node, n, l, err);
    if (st || node < 0) return st;
    if (split[node] >= 0)
        return wgdn_lines_fail(l, n->id, err, "a second split for %s",
                               wgdn_show(l->field[n->id]).text);
    for (int64_t j = 0; j < l->fields; j++) {
        if (j == n->id) continue;
        const int kind = split_of(l->field[j]);
        if (kind < 0)
            return wgdn_lines_fail(l, j, err, "%s: expected train, val, test or none",
                                   wgdn_show(l->field[j]).text);
        split[k++ * n->d->nodes + node] = (int8_t)kind;
    }
    return WGDN_OK;
}

static wgdn_status open_splits(int8_t **split, int64_t *splits, wgdn_notes *n, wgdn_lines *l,
                               const wgdn_input *in, wgdn_error *err)
{
    size_t all;
    const wgdn_status st = wgdn_notes_open(n, l, in, err);
    if (st) return st;
    *splits = l->fields - 1;
    if (!n->named) wgdn_lines_again(l);
    *split = wgdn_size_mul(&all, (size_t)*splits, (size_t)n->d->nodes) ? wgdn_alloc(all, 1) : NULL;
    if (!*split)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld splits of %lld nodes",
                         wgdn_show_name(in->name).text, (long long)*splits, (long long)n->d->nodes);
    memset(*split, -1, all); /* not seen yet */
    return WGDN_OK;
}

wgdn_status wgdn_splits_read(wgdn_dataset *d, const wgdn_input *in, const wgdn_dataset_options *o,
                             wgdn_error *err)
{
    wgdn_lines l = {0};
    wgdn_input found = *in;
    wgdn_notes n = {
        .d = d, .what = "split", .wanted = "one of train, val and test", .strict = o->strict};
    bool more = true;
    int64_t splits = 0;
    int8_t *split = NULL;
    wgdn_status st = wgdn_id_look(&found, &(wgdn_known){.d = d}, err);
    if (st) return st;
    wgdn_lines_open(&l, &found);
    st = open_splits(&split, &splits, &n, &l, &found, err);
    while (!st) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        st = read_split(&n, split, splits, &l, err);
    }
    wgdn_lines_close(&l);
    if (!st) st = wgdn_notes_report(&n, d, in->name, err);
    if (st) {
        wgdn_release(split);
        return st;
    }
    for (int64_t k = 0; k < splits * d->nodes; k++)
        if (split[k] < 0) split[k] = WGDN_SPLIT_NONE;
    wgdn_release(d->split);
    d->split = split;
    d->splits = splits;
    return WGDN_OK;
}
