/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t-SNE by gradient descent with the forces of a quadtree.                            [WGDN:tsne]
 *
 *     q_ij = w_ij / z,  w_ij = 1 / (1 + |y_i - y_j|^2),  z = sum of all w
 *     minimise KL(P | Q) = sum_ij p_ij log(p_ij / q_ij)
 *     dKL/dy_i = 4 sum_j (p_ij - q_ij) w_ij (y_i - y_j)
 *              = 4 (sum_j p_ij w_ij (y_i - y_j)  -  sum_j w_ij^2 (y_i - y_j) / z)
 *
 * The first sum runs over the entries of P, the second one over the cells of the tree.
 */
#include "map.h"

#include <math.h>

static const double early_exaggeration = 12, early_momentum = 0.5, momentum = 0.8;
enum { EARLY = 250 }; /* steps, a quarter of all at most */

wgdn_status wgdn_tsne_open(wgdn_tsne *t, wgdn_csr *p, double theta, wgdn_error *err)
{
    const size_t numbers = 2 * (size_t)p->rows;
    *t = (wgdn_tsne){.n = p->rows, .p = *p, .theta = theta, .exaggeration = 1};
    *p = (wgdn_csr){0};
    wgdn_status st = wgdn_quadtree_open(&t->tree, t->n, err);
    t->y = wgdn_alloc_zero(numbers, sizeof *t->y);
    t->gradient = wgdn_alloc(numbers, sizeof *t->gradient);
    t->velocity = wgdn_alloc_zero(numbers, sizeof *t->velocity);
    t->gain = wgdn_alloc(numbers, sizeof *t->gain);
    t->work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(t->n), 2), 1);
    if (!st && !(t->y && t->gradient && t->velocity && t->gain && t->work))
        st = wgdn_fail(err, WGDN_ENOMEM, "t-SNE of %lld points", (long long)t->n);
    if (st) wgdn_tsne_close(t);
    return st;
}

void wgdn_tsne_close(wgdn_tsne *t)
{
    wgdn_release(t->work);
    wgdn_release(t->gain);
    wgdn_release(t->velocity);
    wgdn_release(t->gradient);
    wgdn_release(t->y);
    wgdn_quadtree_close(&t->tree);
    wgdn_csr_free(&t->p);
    *t = (wgdn_tsne){0};
}

/* Rows of the tree's order, so that neighbours in a block walk the same cells. */
static void repel(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_tsne *t = context;
    for (int64_t k = first; k < first + count; k++) {
        const double *at = t->tree.at + 2 * k;
        double *force = t->gradient + 2 * (int64_t)t->tree.order[k];
        sums[0] += wgdn_quadtree_repulsion(force, &t->tree, at[0], at[1], t->theta);
    }
}

static void attract(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_tsne *t = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const double *y = t->y + 2 * i;
        double *g = t->gradient + 2 * i, fx = 0, fy = 0;
        for (int64_t k = t->p.offset[i]; k < t->p.offset[i + 1]; k++) {
            const double *other = t->y + 2 * (int64_t)t->p.column[k];
            const double dx = y[0] - other[0], dy = y[1] - other[1];
            const double pull = t->p.value[k] / (1 + dx * dx + dy * dy);
            fx += pull * dx;
            fy += pull * dy;
        }
        g[0] = 4 * (t->exaggeration * fx - g[0] / t->z);
        g[1] = 4 * (t->exaggeration * fy - g[1] / t->z);
    }
}

void wgdn_tsne_gradient(wgdn_tsne *t)
{
    wgdn_quadtree_build(&t->tree, t->y);
    wgdn_for_blocks(wgdn_alone(t->n), repel, t, &t->z, 1, t->work);
    wgdn_for_blocks(wgdn_alone(t->n), attract, t, NULL, 0, NULL);
}

/* sums: p log(p / w), and p */
static void compare(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_tsne *t = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t k = t->p.offset[i]; k < t->p.offset[i + 1]; k++) {
            const double *y = t->y + 2 * i, *other = t->y + 2 * (int64_t)t->p.column[k];
            const double dx = y[0] - other[0], dy = y[1] - other[1], p = t->p.value[k];
            if (p <= 0) continue;
            sums[0] += p * log(p * (1 + dx * dx + dy * dy));
            sums[1] += p;
        }
}

double wgdn_tsne_kl(wgdn_tsne *t)
{
    double sums[2];
    wgdn_for_blocks(wgdn_alone(t->n), compare, t, sums, 2, t->work);
    return sums[0] + sums[1] * log(t->z);
}

/* A coordinate that keeps its direction gains speed, one that swings loses it; the mean stays 0. */
static void move(wgdn_tsne *t, double rate, double inertia)
{
    double mean[2] = {0, 0};
    for (int64_t i = 0; i < 2 * t->n; i++) {
        const bool swings = (t->gradient[i] > 0) == (t->velocity[i] > 0);
        t->gain[i] = fmax(swings ? t->gain[i] * 0.8 : t->gain[i] + 0.2, 0.01);
        t->velocity[i] = inertia * t->velocity[i] - rate * t->gain[i] * t->gradient[i];
        t->y[i] += t->velocity[i];
        mean[i % 2] += t->y[i] / (double)t->n;
    }
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->y[i] -= mean[i % 2];
}

wgdn_status wgdn_tsne_run(wgdn_tsne *t, const wgdn_projection_options *o, wgdn_error *err)
{
    const int early = o->steps / 4 < EARLY ? o->steps / 4 : EARLY;
    const double rate = fmax((double)t->n / (4 * early_exaggeration), 50);
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->gain[i] = 1;
    for (int step = 0; step < o->steps; step++) {
        t->exaggeration = step < early ? early_exaggeration : 1;
        wgdn_tsne_gradient(t);
        move(t, rate, step < early ? early_momentum : momentum);
        if (o->progress && o->progress(o->progress_user, step + 1, o->steps))
            return wgdn_fail(err, WGDN_ESTOPPED, "t-SNE was stopped after step %d of %d", step + 1,
                             o->steps);
    }
    t->exaggeration = 1;
    wgdn_tsne_gradient(t); /* z where the points are now, for wgdn_tsne_kl() */
    return WGDN_OK;
}
