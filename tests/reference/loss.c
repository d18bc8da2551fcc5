/* SPDX-License-Identifier: Apache-2.0 */
/* The losses, Adam, and the probe's. */
#include "reference/internal.h"
#include "reference/reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- loss ---- */

/* The losses. E_ij = w_ij (R_ij - X_ij)^2, w = #zeros / #non-zeros on non-zeros of X. Entries that
 * are held out are neither, and w = 0 there. */

static double ratio(const double *X, const bool *held, int64_t count)
{
    int64_t zeros = 0, others = 0;
    for (int64_t i = 0; i < count; i++) {
        zeros += X[i] == 0 && !(held && held[i]);
        others += X[i] != 0;
    }
    return others == 0 ? 1 : (double)zeros / (double)others;
}

/* What a loss of some entries looks at: E, or the terms of a cosine, of R, X and w there. */
typedef struct entries {
    const double *R, *X;
    const bool *held; /* or NULL */
    int64_t count;
    double r; /* weight of non-zeros */
} entries;

static double weight(const entries *e, int64_t i)
{
    return e->held && e->held[i] ? 0 : e->X[i] != 0 ? e->r : 1;
}

/*
 * l = scale sqrt(sum E):  dl / dR = scale w (R - X) / sqrt(sum E), and 0 where the root is 0.
 */
static double root(double *dR, const entries *e, double scale)
{
    const double *R = e->R, *X = e->X;
    double sum = 0;
    for (int64_t i = 0; i < e->count; i++)
        sum += weight(e, i) * (R[i] - X[i]) * (R[i] - X[i]);
    for (int64_t i = 0; dR && i < e->count; i++)
        dR[i] = sum > 0 ? scale * weight(e, i) * (R[i] - X[i]) / sqrt(sum) : 0;
    return scale * sqrt(sum);
}

/* l = scale sum E:  dl / dR = 2 scale w (R - X) */
static double square(double *dR, const entries *e, double scale)
{
    double sum = 0;
    for (int64_t i = 0; i < e->count; i++) {
        const double d = e->R[i] - e->X[i];
        sum += weight(e, i) * d * d;
        if (dR) dR[i] = 2 * scale * weight(e, i) * d;
    }
    return scale * sum;
}

/* Of entries that are not held out. */
static double dot(const double *a, const double *b, const bool *held, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += held && held[i] ? 0 : a[i] * b[i];
    return sum;
}

/*
 * l = scale (1 - x . r / (|x| |r|)):  dl / dr = -scale (x / (|x| |r|) - (x . r) r / (|x| |r|^3)).
 * Nothing where x is 0; where r is, scale, without a gradient. r counts as 0 where x is held out.
 */
static double cosine(double *dr, const entries *e, double scale)
{
    const double *r = e->R, *x = e->X;
    const bool *held = e->held;
    const double xx = dot(x, x, held, e->count), rr = dot(r, r, held, e->count);
    const double xr = dot(x, r, held, e->count), lengths = sqrt(xx) * sqrt(rr);
    for (int64_t i = 0; dr && i < e->count; i++)
        dr[i] = lengths > 0 && !(held && held[i]) ? -scale * (x[i] - xr / rr * r[i]) / lengths : 0;
    if (xx == 0) return 0;
    return lengths > 0 ? scale * (1 - xr / lengths) : scale;
}

static int64_t rows_not_zero(const double *X, int64_t n, int F)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < n; i++)
        rows += dot(X + i * F, X + i * F, NULL, F) > 0;
    return rows;
}

/*
 * rmse      sqrt((1/n) sum_ij E_ij)
 * row rmse  (1/n) sum_i sqrt((1/F) sum_j E_ij)
 * mse       (1/(n F)) sum_ij E_ij
 * cosine    mean of 1 - cos(x_i, r_i) over the rows x_i that are not 0
 */
double ref_loss_value(const ref_state *s, double *dR)
{
    const int F = s->config.features;
    const int64_t n = s->graph->n;
    const double *R = s->reconstruction, *X = s->X;
    const double r = s->config.balanced ? ratio(X, s->held, n * F) : 1;
    const entries all = {R, X, s->held, n * F, r};
    const bool cosines = s->config.loss == REF_COSINE;
    double sum = 0, scale = 1 / ((double)n * sqrt(F));
    if (s->config.loss == REF_RMSE) return root(dR, &all, 1 / sqrt((double)n));
    if (s->config.loss == REF_MSE) return square(dR, &all, 1 / (double)(n * F));
    if (cosines) scale = 1 / (double)rows_not_zero(X, n, F);
    for (int64_t i = 0; i < n; i++) {
        const entries row = {R + i * F, X + i * F, s->held ? s->held + i * F : NULL, F, r};
        double *dr = dR ? dR + i * F : NULL;
        sum += cosines ? cosine(dr, &row, scale) : root(dr, &row, scale);
    }
    return sum;
}

/* ---- adam ---- */

/*
 * m = 0.9 m + 0.1 g,  v = 0.999 v + 0.001 g^2,
 * p -= lr (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
 */
void ref_adam(double *p, double *m, double *v, const double *g, int64_t count, int step, double lr)
{
    const double b1 = 0.9, b2 = 0.999, epsilon = 1e-8;
    for (int64_t i = 0; i < count; i++) {
        m[i] = b1 * m[i] + (1 - b1) * g[i];
        v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
        const double mean = m[i] / (1 - pow(b1, step)), square = v[i] / (1 - pow(b2, step));
        p[i] -= lr * mean / (sqrt(square) + epsilon);
    }
}

/* ---- probe ---- */

/* y = softmax(y); returns the log of the sum of exponentials */
static double softmax(double *y, int classes)
{
    double most = y[0], sum = 0;
    for (int k = 1; k < classes; k++)
        most = fmax(most, y[k]);
    for (int k = 0; k < classes; k++)
        sum += exp(y[k] - most);
    for (int k = 0; k < classes; k++)
        y[k] = exp(y[k] - most) / sum;
    return most + log(sum);
}

/*
 * l = (1/n) sum_i [ log sum_k exp(y_ik) - y_i,label(i) ],  y = z W^T + b
 * dl / dy_ik = (softmax(y_i)_k - [k = label(i)]) / n;  decay: g += l2 p, on W and b alike
 */
double ref_probe(double *g, const double *p, const ref_labeled *x, double l2, double *work)
{
    const int64_t n = x->n;
    const int *label = x->label, d = x->d, classes = x->classes, size = classes * d;
    double loss = 0;
    memset(g, 0, (size_t)(size + classes) * sizeof *g);
    for (int64_t i = 0; i < n; i++) {
        ref_linear(work, x->Z + i * d, p, p + size, 1, d, classes);
        loss -= work[label[i]] / (double)n;
        loss += softmax(work, classes) / (double)n;
        work[label[i]] -= 1;
        for (int k = 0; k < classes; k++)
            work[k] /= (double)n;
        ref_linear_back(g, g + size, work, x->Z + i * d, 1, d, classes);
    }
    for (int i = 0; i < size + classes; i++)
        g[i] += l2 * p[i];
    return loss;
}
