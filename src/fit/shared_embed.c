/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of features that neighbours share: chunks of rows through the map (shared.c). */
#include "shared.h"

#include <string.h>

/* Rows of Y, or of p(S) Y, and the columns [at, at + dim) that they become. */
typedef struct half {
    int64_t at, dim;
    float *columns; /* of the map, inner x dim */
} half;

typedef struct mapping {
    const wgdn_fitted_part *p;
    const wgdn_fit_input *in;
    wgdn_signal y;
    bool kept;                    /* p(S) Y is there already */
    wgdn_columns filtered, *from; /* from: where it lies, over Y where that is not needed */
    half near, own;
    float *rows, *mapped, *made; /* of a chunk, x inner, x dim of the wider half, x dim */
} mapping;

static bool is_zero(const float *y, int64_t k)
{
    for (int64_t j = 0; j < k; j++)
        if (y[j] != 0) return false;
    return true;
}

static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const mapping *m = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(m->rows + i * m->p->inner, m->p->inner, 1);
}

typedef struct putting {
    const mapping *m;
    const half *h;
} putting;

static void put_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const putting *q = context;
    const mapping *m = q->m;
    const int64_t dim = q->h->dim, inner = m->p->inner;
    const float *centre = m->p->centre + q->h->at;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *to = m->made + i * m->p->dim + q->h->at;
        if (is_zero(m->rows + i * inner, inner))
            memset(to, 0, (size_t)dim * sizeof *to);
        else
            for (int64_t j = 0; j < dim; j++)
                to[j] = m->mapped[i * dim + j] - centre[j];
    }
}

/* The rows of a chunk, which lie in m->rows, into their half of it. */
static wgdn_status map_rows(const mapping *m, const half *h, wgdn_span here, wgdn_error *err)
{
    putting q = {m, h};
    const wgdn_product p =
        wgdn_product_of(m->mapped, m->rows, h->columns, here, m->p->inner, h->dim);
    wgdn_for_blocks(here, unit_rows, (void *)(uintptr_t)m, NULL, 0, NULL);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    if (!st) wgdn_for_blocks(here, put_rows, &q, NULL, 0, NULL);
    return st;
}

static wgdn_status embed_chunk(const mapping *m, const wgdn_place *to, wgdn_span here,
                               wgdn_error *err)
{
    const int64_t first = wgdn_chunk_first(here);
    wgdn_columns_get_rows(m->rows, m->from, first, here.count);
    wgdn_status st = map_rows(m, &m->near, here, err);
    if (!st && m->own.dim) {
        wgdn_signal_rows(m->rows, &m->y, here);
        st = map_rows(m, &m->own, here, err);
    }
    return st ? st : wgdn_place_rows(to, m->made, m->p->dim, first, here.count, err);
}

static bool open_half(half *h, const wgdn_fitted_part *p, int64_t at, int64_t dim)
{
    *h = (half){.at = at, .dim = dim};
    h->columns = wgdn_alloc((size_t)(p->inner * dim), sizeof *h->columns);
    if (h->columns) wgdn_copy_columns(h->columns, dim, p->map + at, p->dim, p->inner, dim);
    return h->columns;
}

static wgdn_status open_mapping(mapping *m, wgdn_error *err)
{
    const wgdn_fitted_part *p = m->p;
    const size_t chunk = (size_t)wgdn_chunk_rows(m->in->rows);
    const int64_t near = p->dim - p->own;
    m->rows = wgdn_alloc(chunk * (size_t)p->inner, sizeof *m->rows);
    m->mapped = wgdn_alloc(chunk * (size_t)(near > p->own ? near : p->own), sizeof *m->mapped);
    m->made = wgdn_alloc(chunk * (size_t)p->dim, sizeof *m->made);
    if (!m->rows || !m->mapped || !m->made || !open_half(&m->near, p, 0, near) ||
        !open_half(&m->own, p, near, p->own))
        return wgdn_fail(err, WGDN_ENOMEM, "shared features: a chunk of %zu rows", chunk);
    m->from = &m->filtered;
    m->kept = wgdn_kept_take(&m->y, &m->filtered, p->kept, m->in);
    if (m->kept) return WGDN_OK;
    wgdn_status st = wgdn_signal_open(&m->y, p->basis, m->in, p->inner, err);
    const bool over = m->y.there && !p->own;
    if (over) m->from = &m->y.made;
    if (!st && !over) st = wgdn_columns_open(&m->filtered, m->in, p->inner, err);
    return st;
}

static void close_mapping(mapping *m)
{
    wgdn_columns_close(&m->filtered);
    wgdn_signal_close(&m->y);
    wgdn_release(m->own.columns);
    wgdn_release(m->near.columns);
    wgdn_release(m->made);
    wgdn_release(m->mapped);
    wgdn_release(m->rows);
}

wgdn_status wgdn_shared_embed(const wgdn_place *to, const wgdn_fitted_part *p,
                              const wgdn_fit_input *in, wgdn_error *err)
{
    mapping m = {.p = p, .in = in};
    wgdn_status st = wgdn_span_agree(in->rows, open_mapping(&m, err), err);
    if (!st && !m.kept) st = wgdn_signal_filter(m.from, &m.y, p, false, err);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++)
        st = embed_chunk(&m, to, wgdn_chunk(in->rows, i), err);
    close_mapping(&m);
    return wgdn_span_agree(in->rows, st, err);
}
