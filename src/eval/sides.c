/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two sides of a bipartite graph: by the kinds that its file gives the nodes, or by colors.
 * A graph of one kind that happens to have no odd cycle, such as a tree or a ring, is not bipartite here.
 */
#include "eval.h"

#include <string.h>

enum { UNKNOWN = 2 };

/* Colors 0 and 1 along the edges, component by component; false: there is an odd cycle. */
static bool color_graph(uint8_t *side, int64_t *queue, const wgdn_csr *a)
{
    memset(side, UNKNOWN, (size_t)a->rows);
    for (int64_t start = 0; start < a->rows; start++) {
        int64_t first = 0, end = 0;
        if (side[start] != UNKNOWN || a->offset[start] == a->offset[start + 1]) continue;
        side[start] = 0;
        queue[end++] = start;
        while (first < end) {
            const int64_t i = queue[first++];
            for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
                const int32_t j = a->column[k];
                if (side[j] == side[i]) return false;
                if (side[j] != UNKNOWN) continue;
                side[j] = !side[i];
                queue[end++] = j;
            }
        }
    }
    return true;
}

/* What stands before the colon of an id; empty: nothing does. */
static wgdn_text kind_of(const wgdn_dataset *d, int64_t node, char buffer[WGDN_INDEX_TEXT])
{
    const wgdn_text id = wgdn_dataset_name(d, node, buffer);
    const unsigned char *colon = id.size ? memchr(id.at, ':', id.size) : NULL;
    return wgdn_text_of(id.at, colon ? (size_t)(colon - id.at) : 0);
}

/* Sides by two kinds of ids that edges join; false: there are none. */
static bool name_sides(uint8_t *side, const wgdn_dataset *d, const wgdn_csr *a)
{
    char buffer[2][WGDN_INDEX_TEXT], own[WGDN_INDEX_TEXT];
    wgdn_text kind[2] = {{0}, {0}};
    int kinds = 0;
    if (!d->named || d->ids.numeric) return false;
    for (int64_t i = 0; i < a->rows; i++) {
        const wgdn_text here = kind_of(d, i, own);
        int k = 0;
        if (here.size == 0) return false;
        while (k < kinds && wgdn_text_compare(kind[k], here) != 0)
            k++;
        if (k == 2) return false;
        if (k == kinds) kind[kinds++] = kind_of(d, i, buffer[k]);
        side[i] = (uint8_t)k;
    }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (side[a->column[k]] == side[i]) return false;
    return kinds == 2;
}

/* The larger side becomes the left one, 0. */
static void larger_left(uint8_t *side, int64_t n)
{
    int64_t count[3] = {0, 0, 0};
    for (int64_t i = 0; i < n; i++)
        count[side[i]]++;
    for (int64_t i = 0; i < n && count[1] > count[0]; i++)
        if (side[i] != UNKNOWN) side[i] = !side[i];
}

wgdn_status wgdn_sides_find(uint8_t **side, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t n = wgdn_graph_nodes(g);
    uint8_t *made = wgdn_alloc((size_t)n, sizeof *made);
    int64_t *queue = wgdn_alloc((size_t)n, sizeof *queue);
    bool is = false;
    if (made && queue) {
        is = name_sides(made, d, &g->adjacency) ||
             (wgdn_graph_edges(g) > n && color_graph(made, queue, &g->adjacency));
        if (is) larger_left(made, n);
    }
    const wgdn_status st =
        made && queue ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "sides of %lld nodes", (long long)n);
    wgdn_release(queue);
    if (is)
        *side = made;
    else
        wgdn_release(made);
    return st;
}
