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

static wgdn_status read_split(wgdn_dataset *d, int8_t *split, int64_t splits, const wgdn_lines *l,
                              wgdn_error *err)
{
    int64_t node;
    if (l->fields != splits + 1)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld columns, where the rows before have %lld",
                               (long long)l->fields, (long long)splits + 1);
    const wgdn_status st = wgdn_note_node(&node, d, l, err);
    if (st) return st;
    if (split[node] >= 0)
        return wgdn_lines_fail(l, 0, err, "a second split for %s", wgdn_show(l->field[0]).text);
    for (int64_t k = 0; k < splits; k++) {
        const int kind = split_of(l->field[k + 1]);
        if (kind < 0)
            return wgdn_lines_fail(l, k + 1, err, "%s: expected train, val, test or none",
                                   wgdn_show(l->field[k + 1]).text);
        split[k * d->nodes + node] = (int8_t)kind;
    }
    return WGDN_OK;
}

/* The number of splits, by the first row; passes over a header. */
static wgdn_status count_splits(int64_t *splits, const wgdn_dataset *d, wgdn_lines *l,
                                wgdn_header header, wgdn_error *err)
{
    bool more;
    const wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more || l->fields < 2)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: expected an id and one of train, val and test per line",
                         wgdn_show_name(l->name).text);
    *splits = l->fields - 1;
    const bool named = wgdn_names_columns(d, l, header);
    if (!named) wgdn_lines_again(l);
    return WGDN_OK;
}

wgdn_status wgdn_splits_read(wgdn_dataset *d, const wgdn_input *in, wgdn_error *err)
{
    wgdn_lines l;
    bool more = true;
    int64_t splits = 0;
    int8_t *split = NULL;
    wgdn_lines_open(&l, in);
    wgdn_status st = count_splits(&splits, d, &l, in->header, err);
    if (!st) {
        size_t all;
        split = wgdn_size_mul(&all, (size_t)splits, (size_t)d->nodes) ? wgdn_alloc(all, 1) : NULL;
        if (split)
            memset(split, -1, all); /* not seen yet */
        else
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld splits of %lld nodes",
                           wgdn_show_name(in->name).text, (long long)splits, (long long)d->nodes);
    }
    while (!st) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        st = read_split(d, split, splits, &l, err);
    }
    wgdn_lines_close(&l);
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
