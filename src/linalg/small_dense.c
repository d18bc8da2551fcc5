/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes all eigenvectors of a small symmetric matrix, in double. Subspace iteration, the shared
 * signal and the alignment of embeddings call it for matrices of columns x columns.
 *
 *     A = Q T Q^T          T tridiagonal, by n - 2 reflections                     [WGDN:symmetric]
 *     T = W diag(w) W^T    by implicit QL steps with Wilkinson's shift
 *
 * All loops run along rows: vectors are stored as rows of the matrix, and a rotation of two of them
 * is one pass over both.
 */
#include "linalg.h"
#include "wide_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SWEEPS = 60,     /* of one eigenvalue; three are usual */
    ROWS_A_TURN = 8, /* of Z, that stay in the nearest cache */
    STRIP = 64,      /* columns of Z that are rotated at a time */
    WAITING = 8      /* sweeps whose rotations wait until they are applied to Z together */
};

static const double below = 1e-20; /* of the largest entry: rounding */

typedef struct rotation {
    double c, s;
} rotation;

/* Rotations of rows i and i + 1 of Z, for i from `top` down to `end`. */
typedef struct sweep {
    int64_t top, end;
    rotation *rotations;
} sweep;

/* Z is turned in strips of its columns, each by itself: threads do not meet in the caches. */
typedef struct turning {
    double *strips;
    int64_t n;
    int64_t waiting;
    sweep sweeps[WAITING];
} turning;

size_t wgdn_symmetric_work(int64_t n)
{
    return (size_t)(n * n + 4 * n) * sizeof(double) + (size_t)(WAITING * n) * sizeof(rotation);
}

/*
 * x becomes v with (I - v v^T) x = (0, ..., 0, alpha), |v|^2 = 2: its last entry is the one that
 * stays. Returns alpha; v = 0 where x has that form already, but for what is below rounding: its
 * square might be too small for a number.
 */
static double reflector(double *x, int64_t n, double tiny)
{
    const double rest = wgdn_wide_rows()->dot(x, x, n - 1), last = x[n - 1];
    if (rest <= tiny * tiny) {
        memset(x, 0, (size_t)n * sizeof *x);
        return last;
    }
    const double norm = sqrt(rest + last * last), alpha = last > 0 ? -norm : norm;
    x[n - 1] = last - alpha;
    const double scale = sqrt(2 / (rest + x[n - 1] * x[n - 1]));
    for (int64_t j = 0; j < n; j++)
        x[j] *= scale;
    return alpha;
}

/* Row k of A - v p^T - p v^T: its first `count` entries. */
static void bring_up(double *row, int64_t k, const double *v, const double *p, int64_t count)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    ops->axpy(row, -v[k], p, count);
    ops->axpy(row, -p[k], v, count);
}

/*
 * Rows of A from the last one up: reflect row i to its place next to the diagonal. The vector of
 * each reflection is left in its row. A <- (I - v v^T) A (I - v v^T) = A - v p^T - p v^T with
 * p = A v - (v^T A v / 2) v, for the leading part of A, the lower half of which is kept. That is
 * done a step late, when the row is at hand for its product with the next v: one pass a step.
 */
static void tridiagonalise(double *a, double *diagonal, double *beside, double *p, int64_t n)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    double *next = p + n, largest = 0;
    for (int64_t i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(a[i]));
    for (int64_t i = n - 1; i >= 0; i--) {
        double *v = a + i * n, *before = v + n;
        if (i < n - 1) bring_up(v, i, before, p, i + 1);
        diagonal[i] = v[i];
        if (i == 0) break;
        beside[i] = reflector(v, i, below * largest);
        for (int64_t k = 0; k < i; k++) {
            double *row = a + k * n;
            if (i < n - 1) bring_up(row, k, before, p, k + 1);
            next[k] = ops->dot(row, v, k + 1);
            ops->axpy(next, v[k], row, k);
        }
        ops->axpy(next, -ops->dot(next, v, i) / 2, v, i);
        double *const last = p;
        p = next;
        next = last;
    }
    beside[0] = 0;
}

/*
 * Z = Q^T, its rows to become eigenvectors: Q = H_(n-1) ... H_1, so its transpose starts at H_1,
 * which leaves all rows but the first as they are. A few rows take all reflections in turn.
 */
static void accumulate(double *z, const double *a, int64_t n)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t first = 0; first < n; first += ROWS_A_TURN) {
        const int64_t end = wgdn_min(first + ROWS_A_TURN, n);
        memset(z + first * n, 0, (size_t)((end - first) * n) * sizeof *z);
        for (int64_t k = first; k < end; k++)
            z[k * n + k] = 1;
        for (int64_t i = first + 1; i < n; i++)
            for (int64_t k = first; k < end && k < i; k++)
                ops->axpy(z + k * n, -ops->dot(z + k * n, a + i * n, i), a + i * n, i);
    }
}

static int64_t strip_width(int64_t n, int64_t first)
{
    return wgdn_min(STRIP, n - first);
}

/* Row k of Z in its strips, to or from `row`. */
static void copy_row(const turning *t, int64_t k, double *row, bool out)
{
    for (int64_t first = 0; first < t->n; first += STRIP) {
        const int64_t width = strip_width(t->n, first);
        double *part = t->strips + first * t->n + k * width;
        memcpy(out ? row + first : part, out ? part : row + first, (size_t)width * sizeof *row);
    }
}

static void apply(turning *t)
{
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t first = 0; first < t->n; first += STRIP) {
        /*
         * The sweeps that wait, on one strip. Each follows the one before it two rows behind, where that
         * one will not come again: the rows in between stay in the nearest cache.
         */
        const wgdn_wide_ops *ops = wgdn_wide_rows();
        const int64_t width = strip_width(t->n, first);
        for (int64_t front = t->n - 2; front > -2 * t->waiting; front--)
            for (int64_t j = 0; j < t->waiting; j++) {
                const sweep *s = &t->sweeps[j];
                const int64_t i = front + 2 * j;
                if (i > s->top || i < s->end) continue;
                const rotation r = s->rotations[s->top - i];
                double *row = t->strips + first * t->n + i * width;
                ops->rotate(row, row + width, r.c, r.s, width);
            }
    }
    t->waiting = 0;
}

/* One QL step on the part [l, m] of T; its rotations are left for Z. */
static void ql_step(double *d, double *e, sweep *left, int64_t l, int64_t m)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = hypot(g, 1), s = 1, c = 1, p = 0;
    g = d[m] - d[l] + e[l] / (g + copysign(r, g));
    for (int64_t i = m - 1; i >= l; i--) {
        const double f = s * e[i], b = c * e[i];
        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { /* the matrix falls apart here */
            d[i + 1] -= p;
            e[m] = 0;
            left->end = i + 1;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        left->rotations[m - 1 - i] = (rotation){c, s};
    }
    left->end = l;
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* Where the part that begins at l ends: at an entry beside the diagonal that is as good as 0. */
static int64_t end_of_part(const double *d, const double *e, int64_t l, int64_t n)
{
    int64_t m = l;
    while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
        m++;
    return m;
}

/* Eigenvalues in descending order, and their vectors in the rows of `vector`. */
static void sort(double *value, double *vector, const double *d, const turning *t)
{
    const int64_t n = t->n;
    for (int64_t k = 0; k < n; k++) {
        int64_t rank = 0;
        for (int64_t j = 0; j < n; j++)
            rank += d[j] > d[k] || (d[j] == d[k] && j < k);
        value[rank] = d[k];
        copy_row(t, k, vector + rank * n, true);
    }
}

void wgdn_symmetric_eigen(double *value, double *a, int64_t n, void *work)
{
    double *z = work, *d = z + n * n, *e = d + n, *p = e + n;
    turning t = {.strips = a, .n = n}; /* where reflections are needed no more */
    for (int j = 0; j < WAITING; j++)
        t.sweeps[j].rotations = (rotation *)(void *)(p + 2 * n) + j * n;
    tridiagonalise(a, d, e, p, n);
    accumulate(z, a, n);
    for (int64_t k = 0; k < n; k++)
        copy_row(&t, k, z + k * n, false);
    memmove(e, e + 1, (size_t)(n - 1) * sizeof *e); /* e[i] lies between i and i + 1 from here on */
    e[n - 1] = 0;
    for (int64_t l = 0; l < t.n; l++)
        for (int tried = 0; tried < SWEEPS; tried++) {
            const int64_t m = end_of_part(d, e, l, t.n);
            if (m == l) break;
            if (t.waiting == WAITING) apply(&t);
            sweep *next = &t.sweeps[t.waiting++];
            next->top = m - 1;
            ql_step(d, e, next, l, m);
        }
    apply(&t);
    sort(value, z, d, &t);
    memcpy(a, z, (size_t)(n * n) * sizeof *a);
}
