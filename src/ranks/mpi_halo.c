/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi_calls.h"

enum { WIDTHS = 4 };

/* The messages of a width: made once, started every time. */
typedef struct route {
    int64_t width;
    wgdn_requests q;
} route;

typedef struct routes {
    route of[WIDTHS];
    int next; /* to be given up for another width */
} routes;

static void drop(route *w)
{
    for (int64_t k = 0; k < w->q.count; k++)
        MPI_Request_free(&w->q.at[k]);
    w->q.count = 0;
    w->width = 0;
}

static void prepare(route *w, wgdn_halo *h, int64_t width)
{
    wgdn_ranks *r = h->dist->ranks;
    const size_t row = (size_t)width * sizeof(float);
    w->width = width;
    for (int k = 0; k < r->count; k++) {
        char *in = (char *)h->buffer + (size_t)h->from[k] * row;
        char *out = (char *)h->packed + (size_t)h->to[k] * row;
        const size_t in_bytes = (size_t)(h->from[k + 1] - h->from[k]) * row;
        const size_t out_bytes = (size_t)(h->to[k + 1] - h->to[k]) * row;
        for (size_t at = 0; at < in_bytes; at += r->limit)
            WGDN_MPI(r, Recv_init, in + at, wgdn_mpi_piece(r, in_bytes - at), MPI_BYTE, k,
                     WGDN_MPI_TAG, MPI_COMM_WORLD, wgdn_mpi_another(&w->q, r));
        for (size_t at = 0; at < out_bytes; at += r->limit)
            WGDN_MPI(r, Send_init, out + at, wgdn_mpi_piece(r, out_bytes - at), MPI_BYTE, k,
                     WGDN_MPI_TAG, MPI_COMM_WORLD, wgdn_mpi_another(&w->q, r));
    }
}

static route *route_of(wgdn_halo *h, int64_t width)
{
    routes *all = h->body;
    if (!all) {
        h->body = all = wgdn_alloc_zero(1, sizeof *all);
        if (!all) wgdn_ranks_end(h->dist->ranks, "no memory for messages");
    }
    for (int k = 0; k < WIDTHS; k++)
        if (all->of[k].width == width) return &all->of[k];
    route *w = &all->of[all->next];
    all->next = (all->next + 1) % WIDTHS;
    drop(w);
    prepare(w, h, width);
    return w;
}

void wgdn_mpi_begin(wgdn_halo *h, int64_t width)
{
    route *w = route_of(h, width);
    for (int64_t k = 0; k < w->q.count; k += INT32_MAX)
        WGDN_MPI(h->dist->ranks, Startall, (int)wgdn_min(INT32_MAX, w->q.count - k), w->q.at + k);
}

void wgdn_mpi_finish(wgdn_halo *h, int64_t width)
{
    const route *w = route_of(h, width);
    wgdn_mpi_wait(w->q.at, w->q.count, h->dist->ranks);
}

void wgdn_mpi_forget(wgdn_halo *h)
{
    routes *all = h->body;
    for (int k = 0; all && k < WIDTHS; k++) {
        drop(&all->of[k]);
        wgdn_release(all->of[k].q.at);
    }
    wgdn_release(all);
    h->body = NULL;
}
