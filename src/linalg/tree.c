/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg.h"
#include "wide_rows.h"

/* Height at which two leaves meet. */
static int meet(int64_t a, int64_t b)
{
    const uint64_t differ = (uint64_t)(a ^ b);
    return differ ? 64 - __builtin_clzll(differ) : 0;
}

int64_t wgdn_tree_levels(int64_t leaves)
{
    return meet(0, leaves > 1 ? leaves - 1 : 0) + 1;
}

void wgdn_tree_begin(wgdn_tree *t, double *store, int64_t width)
{
    t->store = store;
    t->width = width;
    t->held = 0;
}

/* Add the last partial sum to the one before it. */
static void fold(wgdn_tree *t)
{
    double *left = t->store + (t->held - 2) * t->width, *right = left + t->width;
    wgdn_wide_rows()->add(left, right, t->width);
    t->leaf[t->held - 2] = t->leaf[t->held - 1];
    t->held--;
}

/*
 * Two neighbours on the stack are complete once the new leaf lies outside the smallest subtree
 * that holds them both.
 */
double *wgdn_tree_push(wgdn_tree *t, int64_t leaf)
{
    while (t->held >= 2 &&
           meet(t->leaf[t->held - 2], t->leaf[t->held - 1]) < meet(t->leaf[t->held - 1], leaf))
        fold(t);
    t->leaf[t->held] = leaf;
    return t->store + t->held++ * t->width;
}

const double *wgdn_tree_end(wgdn_tree *t)
{
    if (t->held == 0) return NULL;
    while (t->held > 1)
        fold(t);
    return t->store;
}

double wgdn_tree_sum(const double *x, int64_t count)
{
    double store[64];
    wgdn_tree t;
    wgdn_tree_begin(&t, store, 1);
    for (int64_t i = 0; i < count; i++)
        *wgdn_tree_push(&t, i) = x[i];
    const double *sum = wgdn_tree_end(&t);
    return sum ? *sum : 0;
}

void wgdn_tree_fold(double *x, int64_t count, int64_t stride, int64_t width)
{
    for (int64_t step = 1; step < count; step *= 2)
        for (int64_t i = 0; i + step < count; i += 2 * step) {
            double *left = x + i * stride, *right = x + (i + step) * stride;
            wgdn_wide_rows()->add(left, right, width);
        }
}
