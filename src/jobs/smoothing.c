/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Smooths predictions and known labels over the graph, and combines them with what the vectors say.
 * predict.c chooses among these mixes; predictor_file.c applies the chosen one.
 */
#include "linalg/linalg.h"
#include "predictor.h"

#include <math.h>
#include <string.h>

/*
 * Smoothing of Q, the known labels and, elsewhere, the predictions of the vectors.   [WGDN:smoothing]
 *
 *     G = (1 - a) sum_{k <= STEPS} a^k S^k Q,   S = D^-1 A  or  D^-1/2 A D^-1/2
 *
 * by G <- (1 - a) Q + a S G. The second S is the first with rows of Q divided by sqrt(d) and those of G
 * multiplied by it, and the latter drops out where rows are scaled to sum 1.
 */

enum { STEPS = 20, LANES = 16 /* rows of whole SIMD vectors, as sparse products want them */ };
static const double least_probability = 1e-9;
static const float flat_score = 16; /* odds of 1e7 are certain */

typedef struct smoothing {
    const wgdn_graph *graph;
    int64_t n, cols, stride;
    double decay;
    bool symmetric;
    const float *from;    /* n x cols: Q */
    float *now, *product; /* n x stride: G, A G */
    wgdn_arrays arrays;
} smoothing;

static double row_factor(const smoothing *s, int64_t i)
{
    const float by = s->graph->inv_sqrt_degree[i];
    return s->symmetric && by > 0 ? (double)by : 1;
}

static void start_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const smoothing *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float by = (float)((1 - s->decay) * row_factor(s, i));
        float *y = s->now + i * s->stride;
        memset(y, 0, (size_t)s->stride * sizeof *y);
        for (int64_t k = 0; k < s->cols; k++)
            y[k] = by * s->from[i * s->cols + k];
    }
}

static void step_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const smoothing *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float by = (float)((1 - s->decay) * row_factor(s, i));
        const float step = (float)s->decay * s->graph->inv_degree[i];
        float *y = s->now + i * s->stride;
        for (int64_t k = 0; k < s->cols; k++)
            y[k] = by * s->from[i * s->cols + k] + step * s->product[i * s->stride + k];
    }
}

static wgdn_status smooth(smoothing *s, wgdn_error *err)
{
    s->stride = (s->cols + LANES - 1) / LANES * LANES;
    s->now = wgdn_arrays_add(&s->arrays, (size_t)s->n, (size_t)s->stride * sizeof *s->now);
    s->product = wgdn_arrays_add(&s->arrays, (size_t)s->n, (size_t)s->stride * sizeof *s->now);
    if (s->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "smoothing: %lld nodes, %lld classes", (long long)s->n,
                         (long long)s->cols);
    wgdn_for_blocks(wgdn_alone(s->n), start_rows, s, NULL, 0, NULL);
    for (int k = 0; k < STEPS; k++) {
        wgdn_adjacency(s->product, s->graph, s->now, s->stride);
        wgdn_for_blocks(wgdn_alone(s->n), step_rows, s, NULL, 0, NULL);
    }
    return WGDN_OK;
}

/* ---- classes ---- */

typedef struct mixing {
    const wgdn_mix *m;
    const wgdn_evidence *e;
    float *q;      /* n x classes */
    double *prior; /* classes: share of the known nodes */
    double *
        table; /* classes x classes: log of how often class c has a neighbor of k, over the prior */
    smoothing s;
    float *z;
} mixing;

static void know_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const mixing *x = context;
    const wgdn_evidence *e = x->e;
    const wgdn_csr *lists = e->targets->lists;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *q = x->q + i * e->classes;
        if (!e->known[i]) {
            wgdn_calibrate_row(q, e->score + i * e->classes, e->classes, 1, lists != NULL);
            continue;
        }
        memset(q, 0, (size_t)e->classes * sizeof *q);
        if (!lists) q[e->targets->label[i]] = 1;
        for (int64_t k = lists ? lists->offset[i] : 0; lists && k < lists->offset[i + 1]; k++)
            q[lists->column[k]] = 1;
    }
}

static void find_prior(const mixing *x)
{
    const wgdn_evidence *e = x->e;
    double known = 0;
    for (int64_t i = 0; i < e->n; i++) {
        if (!e->known[i]) continue;
        known++;
        for (int64_t k = 0; k < e->classes; k++)
            x->prior[k] += (double)x->q[i * e->classes + k];
    }
    for (int64_t k = 0; k < e->classes; k++)
        x->prior[k] = fmin(fmax(x->prior[k] / known, 0.1 / known), 1 - 0.1 / known);
}

static float log_odds(double p)
{
    const float z = (float)(log(p) - log1p(-p));
    return fminf(fmaxf(z, -flat_score), flat_score);
}

/* Of several labels each class has odds of its own, and what the prior tells counts once. */
static void combine_several(float *z, const mixing *x, int64_t i, const float *g)
{
    const double all = 1 - pow(x->m->decay, x->e->graph->inv_degree[i] > 0 ? STEPS + 1 : 1);
    const bool alone = x->m->method == WGDN_PREDICT_METHOD_NEIGHBORS;
    for (int64_t k = 0; k < x->e->classes; k++) {
        const double low = x->prior[k] / 100;
        const double share = fmin(fmax((double)g[k] / all, low), 1 - low);
        const float told = log_odds(share);
        z[k] = alone ? told : z[k] + (float)x->m->power * (told - log_odds(x->prior[k]));
    }
}

static void combine_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const mixing *x = context;
    const int64_t classes = x->e->classes;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *g = x->s.now + i * x->s.stride;
        float *z = x->z + i * classes;
        double sum = 0;
        if (x->e->targets->lists) {
            combine_several(z, x, i, g);
            continue;
        }
        for (int64_t k = 0; k < classes; k++)
            sum += (double)g[k];
        for (int64_t k = 0; k < classes; k++) {
            const double told = log(fmax((double)g[k] / sum, least_probability));
            z[k] = x->m->method == WGDN_PREDICT_METHOD_NEIGHBORS
                       ? (float)told
                       : z[k] + (float)(x->m->power * told);
        }
    }
}

/*
 * How classes mix: H_ck is the share of class k among the neighbors of known nodes of class c. A node
 * of class c has neighbors of classes h with log likelihood sum_k h_k log H_ck, up to a factor that tells
 * how many independent neighbors they are worth. Links between unlike classes tell as much as between
 * like ones.                                                                         [WGDN:mixing]
 */
static void find_table(mixing *x)
{
    const wgdn_evidence *e = x->e;
    const int64_t c = e->classes;
    double *row = x->table;
    for (int64_t i = 0; i < e->n; i++) {
        const float by = e->graph->inv_degree[i], *h = x->s.product + i * x->s.stride;
        if (!e->known[i] || by <= 0) continue;
        row = x->table + e->targets->label[i] * c;
        for (int64_t k = 0; k < c; k++)
            row[k] += (double)(by * h[k]);
    }
    for (row = x->table; row < x->table + c * c; row += c) {
        double all = 1; /* one neighbor by the prior */
        for (int64_t k = 0; k < c; k++)
            all += row[k];
        for (int64_t k = 0; k < c; k++)
            row[k] = log((row[k] + x->prior[k]) / all / x->prior[k]);
    }
}

static void mix_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const mixing *x = context;
    const int64_t classes = x->e->classes;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *h = x->s.product + i * x->s.stride;
        const double by = x->m->power * (double)x->e->graph->inv_degree[i];
        for (int64_t c = 0; c < classes; c++) {
            double told = 0;
            for (int64_t k = 0; k < classes; k++)
                told += (double)h[k] * x->table[c * classes + k];
            x->z[i * classes + c] += (float)(by * told);
        }
    }
}

static wgdn_status mix_classes(mixing *x, wgdn_error *err)
{
    smoothing *s = &x->s;
    s->stride = (s->cols + LANES - 1) / LANES * LANES;
    s->now = wgdn_arrays_add(&s->arrays, (size_t)s->n, (size_t)s->stride * sizeof *s->now);
    s->product = wgdn_arrays_add(&s->arrays, (size_t)s->n, (size_t)s->stride * sizeof *s->now);
    x->table =
        wgdn_arrays_add_zero(&s->arrays, (size_t)s->cols, (size_t)s->cols * sizeof *x->table);
    if (s->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "classes of neighbors: %lld nodes, %lld classes",
                         (long long)s->n, (long long)s->cols);
    s->decay = 0;
    wgdn_for_blocks(wgdn_alone(s->n), start_rows, s, NULL, 0, NULL);
    wgdn_adjacency(s->product, s->graph, s->now, s->stride);
    find_table(x);
    wgdn_for_blocks(wgdn_alone(s->n), mix_rows, x, NULL, 0, NULL);
    return WGDN_OK;
}

wgdn_status wgdn_mix_scores(float *z, const wgdn_mix *m, const wgdn_evidence *e, wgdn_error *err)
{
    mixing x = {.m = m, .e = e, .z = z};
    x.s = (smoothing){.graph = e->graph,
                      .n = e->n,
                      .cols = e->classes,
                      .decay = m->decay,
                      .symmetric = m->symmetric};
    wgdn_copy(z, e->score, e->n, e->classes);
    if (m->method == WGDN_PREDICT_METHOD_VECTORS) return WGDN_OK;
    x.q = wgdn_arrays_add(&x.s.arrays, (size_t)e->n, (size_t)e->classes * sizeof *x.q);
    x.prior = wgdn_arrays_add_zero(&x.s.arrays, (size_t)e->classes, sizeof *x.prior);
    wgdn_status st = x.s.arrays.failed
                         ? wgdn_fail(err, WGDN_ENOMEM, "predictions of %lld nodes, %lld classes",
                                     (long long)e->n, (long long)e->classes)
                         : WGDN_OK;
    if (!st) {
        wgdn_for_blocks(wgdn_alone(e->n), know_rows, &x, NULL, 0, NULL);
        find_prior(&x);
        x.s.from = x.q;
        st = m->method == WGDN_PREDICT_METHOD_MIXING ? mix_classes(&x, err) : smooth(&x.s, err);
    }
    if (!st && m->method != WGDN_PREDICT_METHOD_MIXING)
        wgdn_for_blocks(wgdn_alone(e->n), combine_rows, &x, NULL, 0, NULL);
    wgdn_arrays_release(&x.s.arrays);
    return st;
}

/* ---- numbers ---- */

wgdn_status wgdn_mix_numbers(float *out, const wgdn_mix *m, const wgdn_graph *g, const float *f,
                             const double *y, const uint8_t *known, wgdn_error *err)
{
    static const float doubt = 0.05F; /* far from known nodes little is left of their residuals */
    const int64_t n = wgdn_graph_nodes(g);
    smoothing s = {.graph = g, .n = n, .cols = 2, .decay = m->decay};
    memcpy(out, f, (size_t)n * sizeof *out);
    if (m->method == WGDN_PREDICT_METHOD_VECTORS) return WGDN_OK;
    float *q = wgdn_arrays_add_zero(&s.arrays, 2 * (size_t)n, sizeof *q);
    wgdn_status st =
        q ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "residuals of %lld nodes", (long long)n);
    for (int64_t i = 0; !st && i < n; i++) {
        q[2 * i] = known[i] ? (float)(y[i] - (double)f[i]) : 0;
        q[2 * i + 1] = known[i] ? 1 : 0;
    }
    s.from = q;
    if (!st) st = smooth(&s, err);
    for (int64_t i = 0; !st && i < n; i++)
        out[i] += (float)m->power * s.now[i * s.stride] / (s.now[i * s.stride + 1] + doubt);
    wgdn_arrays_release(&s.arrays);
    return st;
}
