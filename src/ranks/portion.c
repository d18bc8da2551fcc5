/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

enum { WORD = 64 };

wgdn_portion wgdn_portion_here(const wgdn_graph *g)
{
    const wgdn_halo *h = g->halo;
    wgdn_portion p = {.rows = wgdn_graph_span(g), .edges = wgdn_csr_entries(&g->adjacency)};
    if (!h) return p;
    p.halo = h->count;
    p.sends = h->sends;
    p.boundaries = h->boundaries;
    for (int k = 0; k < h->dist->ranks->count; k++)
        p.peers += h->from[k] < h->from[k + 1];
    return p;
}

static int owner_of(const wgdn_dist *d, int64_t row)
{
    int low = 0, high = d->ranks->count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row < d->start[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* What has been met so far: rows of others, ranks at the current row and at any row. */
typedef struct met {
    uint64_t *row;
    int64_t *at;
} met;

static void count_row(wgdn_portion *p, met *m, const wgdn_csr *a, const wgdn_dist *d, int64_t i)
{
    const int64_t first = p->rows.first, end = first + p->rows.count;
    bool outward = false;
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
        const int64_t j = a->column[k];
        const uint64_t bit = (uint64_t)1 << j % WORD;
        if (j >= first && j < end) continue;
        const int owner = owner_of(d, j);
        outward = true;
        p->halo += !(m->row[j / WORD] & bit);
        m->row[j / WORD] |= bit;
        p->peers += m->at[owner] == -1;
        p->sends += m->at[owner] != i; /* edges have two ends: who is needed needs this row */
        m->at[owner] = i;
    }
    p->boundaries += outward;
}

wgdn_status wgdn_portion_count(wgdn_portion *out, const wgdn_csr *whole, const wgdn_dist *d,
                               wgdn_error *err)
{
    wgdn_portion p = {.rows = wgdn_dist_span(d)};
    const int64_t first = p.rows.first, end = first + p.rows.count;
    met m = {.row = wgdn_alloc_zero((size_t)(whole->rows / WORD + 1), sizeof *m.row),
             .at = wgdn_alloc((size_t)d->ranks->count, sizeof *m.at)};
    wgdn_status st = WGDN_OK;
    if (!m.row || !m.at)
        st = wgdn_fail(err, WGDN_ENOMEM, "portion of rank %d of %d", d->ranks->rank,
                       d->ranks->count);
    for (int k = 0; !st && k < d->ranks->count; k++)
        m.at[k] = -1;
    for (int64_t i = first; !st && i < end; i++)
        count_row(&p, &m, whole, d, i);
    p.edges = whole->offset[end] - whole->offset[first];
    if (!st) *out = p;
    wgdn_release(m.at);
    wgdn_release(m.row);
    return st;
}
