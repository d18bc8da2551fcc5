/* SPDX-License-Identifier: Apache-2.0 */
#include "eval.h"

/* 0 .. most, as NumPy's RandomState draws it: bits are cut off and what is too large is redrawn. */
static uint32_t draw_up_to(wgdn_twister *t, uint32_t most)
{
    uint32_t mask = most, x;
    for (int shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    do
        x = wgdn_twister_next(t) & mask;
    while (x > most);
    return x;
}

static void shuffle_folds(int32_t *fold, int64_t count, wgdn_twister *t)
{
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = draw_up_to(t, (uint32_t)i);
        const int32_t was = fold[i];
        fold[i] = fold[j];
        fold[j] = was;
    }
}

/* Classes in the order in which they first appear: how many rows each has, and which comes when. */
static int64_t count_classes(int64_t *size, int32_t *order, const int32_t *label, int64_t n)
{
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++)
        if (size[label[i]]++ == 0) order[found++] = label[i];
    return found;
}

/*
 * With all labels sorted, place p of the row goes to fold p % folds: that says how many of each
 * class a fold gets, and folds differ by one row at most. The rows of a class then get their folds
 * in stretches, in order of the rows or shuffled.
 */
wgdn_status wgdn_folds_make(int32_t *fold, const int32_t *label, int64_t n, int64_t classes,
                            int folds, wgdn_twister *shuffle, wgdn_error *err)
{
    int64_t *size = wgdn_alloc_zero((size_t)classes, sizeof *size), place = 0;
    int32_t *order = wgdn_alloc((size_t)classes, sizeof *order);
    int32_t *dealt = wgdn_alloc((size_t)n, sizeof *dealt);
    wgdn_status st = WGDN_OK;
    if (!size || !order || !dealt) {
        st = wgdn_fail(err, WGDN_ENOMEM, "folds: %lld rows", (long long)n);
        goto done;
    }
    const int64_t found = count_classes(size, order, label, n);
    for (int64_t c = 0; c < found; c++) {
        const int64_t end = place + size[order[c]];
        int64_t count = 0, next = 0;
        for (int32_t f = 0; f < folds; f++)
            for (int64_t p = place; p < end; p++)
                if (p % folds == f) dealt[count++] = f;
        if (shuffle) shuffle_folds(dealt, count, shuffle);
        for (int64_t i = 0; i < n; i++)
            if (label[i] == order[c]) fold[i] = dealt[next++];
        place = end;
    }

done:
    wgdn_release(dealt);
    wgdn_release(order);
    wgdn_release(size);
    return st;
}
