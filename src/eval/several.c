/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F1 where nodes have several labels. A node gets as many labels as it has, those with the largest
 * scores, the first of equal ones; so there are as many guesses as labels, and
 *
 *     micro-F1 = hits / labels,   macro-F1 = mean of 2 hits_k / (guessed_k + there_k)
 *
 * over the labels k that occur in either.
 */
#include "logistic.h"

typedef struct tally {
    int64_t hits, guessed, there;
} tally;

static bool has_label(const wgdn_csr *a, int64_t node, int32_t label)
{
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        if (a->column[k] == label) return true;
    return false;
}

/* The best label behind the last one in the order of (score, number). */
static int32_t next_best(const float *y, int64_t classes, int32_t last)
{
    int32_t best = -1;
    for (int32_t k = 0; k < classes; k++) {
        const bool behind = last < 0 || y[k] < y[last] || (y[k] == y[last] && k > last);
        if (behind && (best < 0 || y[k] > y[best])) best = k;
    }
    return best;
}

static void guess_node(tally *t, const float *y, const wgdn_csr *a, int64_t node)
{
    int32_t label = -1;
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++) {
        t[a->column[k]].there++;
        label = next_best(y, a->cols, label);
        t[label].guessed++;
        t[label].hits += has_label(a, node, label);
    }
}

wgdn_status wgdn_several_f1(double *micro, double *macro, const float *y, const wgdn_csr *lists,
                            const int64_t *row, int64_t rows, wgdn_error *err)
{
    const int64_t classes = lists->cols;
    int64_t hits = 0, there = 0, present = 0;
    double sum = 0;
    tally *t = wgdn_alloc_zero((size_t)classes, sizeof *t);
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "F1: %lld labels", (long long)classes);
    for (int64_t i = 0; i < rows; i++)
        guess_node(t, y + row[i] * classes, lists, row[i]);
    for (int64_t k = 0; k < classes; k++) {
        hits += t[k].hits;
        there += t[k].there;
        if (t[k].guessed + t[k].there == 0) continue;
        present++;
        sum += 2 * (double)t[k].hits / (double)(t[k].guessed + t[k].there);
    }
    *micro = there ? (double)hits / (double)there : 0;
    *macro = present ? sum / (double)present : 0;
    wgdn_release(t);
    return WGDN_OK;
}
