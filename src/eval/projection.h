/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of 2-D projections: t-SNE and its tree. */
#ifndef WGDN_EVAL_PROJECTION_H
#define WGDN_EVAL_PROJECTION_H

#include "eval.h"

/* ---- tsne.c ---- */

typedef struct wgdn_cell {
    double x, y;          /* mean of its points */
    double square;        /* its side, squared */
    int32_t first, count; /* its points, in the tree's order */
    int32_t next;         /* the cell after all its children */
    bool leaf;
} wgdn_cell;

typedef struct wgdn_quadtree {
    int64_t n, cells;
    wgdn_cell *cell;
    int32_t *order, *spare_order; /* points, those of a cell side by side */
    double *at, *spare_at;        /* n x 2: where they are */
} wgdn_quadtree;

/* ---- tsne.c ---- */

/*
 * P: n x n, symmetric, summing to 1, no diagonal. Row i gives its nearest neighbors normal
 * weights whose entropy is log(perplexity), then P = (rows + rows^T) / 2n.          [WGDN:tsne]
 */
WGDN_MUST_CHECK wgdn_status wgdn_affinities(wgdn_csr *p, const float *x, int64_t n, int64_t width,
                                            double perplexity, wgdn_error *err);

/* ---- tsne.c ---- */

typedef struct wgdn_tsne {
    int64_t n;
    wgdn_csr p;
    double *y;        /* n x 2: the map */
    double *gradient; /* n x 2 */
    double *velocity, *gain;
    wgdn_quadtree tree;
    double theta, exaggeration;
    double z; /* sum over all pairs, both ways, where the last gradient was */
    void *work;
    wgdn_arrays arrays;
} wgdn_tsne;

/* Takes P, whatever happens. */
WGDN_MUST_CHECK wgdn_status wgdn_tsne_open(wgdn_tsne *t, wgdn_csr *p, double theta,
                                           wgdn_error *err);

static inline void wgdn_tsne_close(wgdn_tsne *t)
{
    wgdn_arrays_release(&t->arrays);
    wgdn_csr_free(&t->p);
    *t = (wgdn_tsne){0};
}

void wgdn_tsne_gradient(wgdn_tsne *t); /* at y, with p times the exaggeration */
double wgdn_tsne_kl(wgdn_tsne *t);     /* at the y of the last gradient, without it */
/* Steps from y as it is; told after each. WGDN_OK, WGDN_ESTOPPED. */
WGDN_MUST_CHECK wgdn_status wgdn_tsne_run(wgdn_tsne *t, const wgdn_projection_options *o,
                                          wgdn_error *err);

#endif
