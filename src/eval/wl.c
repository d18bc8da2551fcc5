/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Subtrees as Weisfeiler and Lehman count them                                  [WGDN:subtrees]
 *
 * A node begins with its features as its name; in every iteration its new name is its own with the
 * sorted names of its neighbours. A graph's row counts how often each name occurs in it, over all
 * iterations. Names are 64-bit digests, numbered in sorted order.
 */
#include "eval.h"

#include <stdlib.h>
#include <xxhash.h>

typedef struct named {
    uint64_t name;
    int64_t node;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* From features; without any, from nothing. */
static void first_names(named *t, const wgdn_dataset *d)
{
    const int64_t n = wgdn_dataset_nodes(d), width = wgdn_dataset_features(d);
    const float *dense = wgdn_dataset_get_dense(d), *value = NULL;
    const int64_t *offset = NULL;
    const int32_t *column = NULL;
    const int sparse = wgdn_dataset_get_sparse(&offset, &column, &value, d);
    for (int64_t i = 0; i < n; i++) {
        uint64_t h = 1;
        if (dense) h = XXH3_64bits(dense + i * width, (size_t)width * sizeof *dense);
        if (sparse) {
            const size_t count = (size_t)(offset[i + 1] - offset[i]);
            h = XXH3_64bits(column + offset[i], count * sizeof *column);
            if (value) h = XXH3_64bits_withSeed(value + offset[i], count * sizeof *value, h);
        }
        t[i] = (named){h, i};
    }
}

/* Names to numbers from `first` on; gives the first number that is free. */
static int32_t number_names(int32_t *number, named *t, int64_t n, int32_t first)
{
    qsort(t, (size_t)n, sizeof *t, by_name);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && t[i].name != t[i - 1].name) first++;
        number[t[i].node] = first;
    }
    return first + 1;
}

/* New names: the own number and the neighbours', sorted. */
static void next_names(named *t, int32_t *around, const int32_t *number, const wgdn_graph *g)
{
    const wgdn_csr *a = &g->adjacency;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t degree = a->offset[i + 1] - a->offset[i];
        around[0] = number[i];
        for (int64_t k = 0; k < degree; k++)
            around[k + 1] = number[a->column[a->offset[i] + k]];
        qsort(around + 1, (size_t)degree, sizeof *around, by_column);
        t[i] = (named){XXH3_64bits(around, (size_t)(degree + 1) * sizeof *around), i};
    }
}

/* A graph's numbers of all levels, counted, behind what out has already. */
static void count_graph(wgdn_csr *out, int32_t *all, const int32_t *number, int levels, int64_t n,
                        int64_t first, int64_t end)
{
    int64_t count = 0, at = out->offset[out->rows];
    for (int l = 0; l < levels; l++)
        for (int64_t i = first; i < end; i++)
            all[count++] = number[l * n + i];
    qsort(all, (size_t)count, sizeof *all, by_column);
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || all[k] != all[k - 1]) {
            out->column[at] = all[k];
            out->value[at++] = 0;
        }
        out->value[at - 1]++;
    }
    out->offset[++out->rows] = at;
}

wgdn_status wgdn_subtree_counts(wgdn_csr *out, const wgdn_dataset *d, int iterations,
                                wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t n = wgdn_dataset_nodes(d), graphs = wgdn_dataset_graphs(d);
    const size_t levels = (size_t)iterations + 1, all = (size_t)n * levels;
    wgdn_csr a = {0};
    int32_t next = 0;
    wgdn_status st = WGDN_OK;
    named *t = wgdn_alloc((size_t)n, sizeof *t);
    int32_t *number = wgdn_alloc(all, sizeof *number),
            *scratch = wgdn_alloc(all + 1, sizeof *scratch);
    a.offset = wgdn_alloc((size_t)graphs + 1, sizeof *a.offset);
    a.column = wgdn_alloc(all, sizeof *a.column);
    a.value = wgdn_alloc(all, sizeof *a.value);
    if (!t || !number || !scratch || !a.offset || !a.column || !a.value || all > INT32_MAX) {
        wgdn_csr_free(&a);
        st = wgdn_fail(err, WGDN_ENOMEM, "subtrees: %lld nodes", (long long)n);
        goto done;
    }
    first_names(t, d);
    for (int l = 0; l <= iterations; l++) {
        next = number_names(number + l * n, t, n, next);
        if (l < iterations) next_names(t, scratch, number + l * n, g);
    }
    a.cols = next;
    a.offset[0] = 0;
    for (int64_t k = 0; k < graphs; k++)
        count_graph(&a, scratch, number, iterations + 1, n, wgdn_dataset_graph_start(d, k),
                    wgdn_dataset_graph_start(d, k + 1));
    *out = a;

done:
    wgdn_release(scratch);
    wgdn_release(number);
    wgdn_release(t);
    return st;
}
