/* SPDX-License-Identifier: Apache-2.0 */
#include "dataset.h"

#include <string.h>

/* Classes without names are numbered from 0: evaluations have room for each number. */
enum { CLASSES_FREE = 65536, CLASSES_EACH = 8 };

static wgdn_status check_classes(int64_t classes, int64_t count, const char *name, wgdn_error *err)
{
    if (classes <= CLASSES_FREE || classes / CLASSES_EACH <= count) return WGDN_OK;
    return wgdn_fail(
        err, WGDN_EFORMAT,
        "%s: label %lld among %lld: labels are the numbers of classes, from 0 on; number "
        "them again, or give them as text with --labels",
        wgdn_show_name(name).text, (long long)classes - 1, (long long)count);
}

wgdn_status wgdn_dataset_check(const wgdn_dataset *d, const char *name, wgdn_error *err)
{
    if (d->features.width > 0 && d->features.rows != d->nodes)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: features of %lld nodes for a graph of %lld nodes",
                         wgdn_show_name(name).text, (long long)d->features.rows,
                         (long long)d->nodes);
    if (wgdn_graph_nodes(d->graph) != d->nodes)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %lld nodes have ids, the graph has %lld",
                         wgdn_show_name(name).text, (long long)d->nodes,
                         (long long)wgdn_graph_nodes(d->graph));
    wgdn_status st =
        d->label || d->lists.offset ? check_classes(d->classes, d->nodes, name, err) : WGDN_OK;
    if (!st && d->graph_label) st = check_classes(d->graph_classes, d->graphs, name, err);
    return st;
}

wgdn_status wgdn_rows_check(const wgdn_csr *a, int64_t entries, const char *what, const char *name,
                            wgdn_error *err)
{
    if (a->offset[0] != 0 || a->offset[a->rows] != entries)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: the rows of the %s do not add up to %lld entries",
                         wgdn_show_name(name).text, what, (long long)entries);
    for (int64_t i = 0; i < a->rows; i++)
        if (a->offset[i] > a->offset[i + 1])
            return wgdn_fail(err, WGDN_EFORMAT, "%s: row %lld of the %s ends before it starts",
                             wgdn_show_name(name).text, (long long)i, what);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (a->column[k] < 0 || a->column[k] >= a->cols ||
                (k > a->offset[i] && a->column[k] <= a->column[k - 1]))
                return wgdn_fail(err, WGDN_EFORMAT,
                                 "%s: row %lld of the %s: column %d is out of range or order",
                                 wgdn_show_name(name).text, (long long)i, what, a->column[k]);
    return WGDN_OK;
}

uint64_t wgdn_edge_number(int64_t low, int64_t high, const float *value)
{
    uint32_t weight = 0;
    if (value) memcpy(&weight, value, sizeof weight);
    uint64_t z =
        ((uint64_t)high << 32 | (uint64_t)low) + 0x9e3779b97f4a7c15 * (1 + (uint64_t)weight);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/*
 * Whether the numbers of edges above the diagonal and below add up to the same. No entry repeats,
 * so they do where the matrix is symmetric, and hardly ever else.
 */
static bool adds_up(const wgdn_csr *a)
{
    uint64_t above = 0, below = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : above, below, loops) if (!wgdn_forked())
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            const float *value = a->value ? a->value + k : NULL;
            if (j > i)
                above += wgdn_edge_number(i, j, value);
            else
                below += wgdn_edge_number(j, i, value);
            loops += j == i;
        }
    return above == below && loops == 0;
}

/*
 * Walking over the rows in order, the entries (i, j) meet each row j in the order of i. So row j
 * must list exactly those i, one after another: a cursor per row is enough.
 */
wgdn_status wgdn_symmetry_check(const wgdn_csr *a, const char *name, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (adds_up(a)) return WGDN_OK;
    int64_t *next = wgdn_alloc((size_t)a->rows, sizeof *next);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: checking %lld rows", wgdn_show_name(name).text,
                         (long long)a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        next[i] = a->offset[i];
    for (int64_t i = 0; !st && i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int32_t j = a->column[k];
            const int64_t m = next[j]++;
            if (j != i && m < a->offset[j + 1] && a->column[m] == i &&
                (!a->value || a->value[m] == a->value[k]))
                continue;
            st = wgdn_fail(err, WGDN_EFORMAT,
                           j == i ? "%s: the graph has a loop on node %lld (%d)"
                                  : "%s: the graph is not symmetric between nodes %lld and %d",
                           wgdn_show_name(name).text, (long long)i, j);
            break;
        }
    wgdn_release(next);
    return st;
}

wgdn_status wgdn_graphs_check(const wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const int64_t *start = d->graph_start;
    const wgdn_csr *a = &d->graph->adjacency;
    if (!start) return WGDN_OK;
    for (int64_t g = 0; g < d->graphs; g++)
        if (start[g] >= start[g + 1] || start[0] != 0 || start[d->graphs] != d->nodes)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: graph %lld starts at node %lld and ends before %lld",
                             wgdn_show_name(name).text, (long long)g, (long long)start[g],
                             (long long)start[g + 1]);
    for (int64_t g = 0; g < d->graphs; g++)
        for (int64_t i = start[g]; i < start[g + 1]; i++) {
            if (a->offset[i] == a->offset[i + 1]) continue;
            if (a->column[a->offset[i]] < start[g] ||
                a->column[a->offset[i + 1] - 1] >= start[g + 1])
                return wgdn_fail(err, WGDN_EFORMAT, "%s: an edge of node %lld leaves graph %lld",
                                 wgdn_show_name(name).text, (long long)i, (long long)g);
        }
    return WGDN_OK;
}
