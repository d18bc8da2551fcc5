/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the polynomial of order K with the smallest maximum error on [0, 2], by Remez's
 * exchange of all K + 2 points. approximation.c calls it where the best approximation is asked
 * for. [WGDN:remez]
 *
 *   1. Solve p(x_i) + (-1)^i e = f(x_i) at the K + 2 points of the reference.
 *   2. Between two sign changes of f - p, find the largest |f - p|.
 *   3. Choose K + 2 adjacent ones, including the largest, as the next reference.
 *
 * At convergence |f - p| reaches its maximum at all points with alternating signs, and no other
 * polynomial has a smaller maximum. The search starts from the one-step fit and keeps the best
 * polynomial it finds, so the result is never worse than that fit.
 */
#include "spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    POINTS = WGDN_ORDER_MAX + 2,
    GRID = 32,       /* steps between two extrema, about */
    ROUNDS_MAX = 60, /* smooth responses need 4 to 8 */
    STALE_MAX = 6,   /* rounds in a row without gain: rounding, or a jump */
    NARROW_STEPS = 48,
    EXTREMA = 4 * POINTS,
};
static const double enough = 1e-11; /* error / levelled - 1 */
static const double pi = 3.14159265358979323846;

typedef struct search {
    int order;
    wgdn_response response;
    const void *what;
    double a[WGDN_ORDER_MAX + 1]; /* the series under test */
    bool finite;                  /* the response was, wherever it was asked */
    double bad_at, most;          /* where it was not; its largest magnitude */
} search;

typedef struct extremum {
    double u, error; /* lambda = 1 - cos u */
} extremum;

static double lambda_of(double u)
{
    const double s = sin(u / 2);
    return 2 * s * s;
}

static double error_at(search *s, double u)
{
    const double lambda = lambda_of(u), f = s->response(lambda, s->what);
    if (!isfinite(f)) {
        s->finite = false;
        s->bad_at = lambda;
    }
    if (fabs(f) > s->most) s->most = fabs(f);
    return f - wgdn_series_value(s->a, s->order, lambda);
}

/* The largest sign * error in [low, high] by golden section; it has one hill there. */
static extremum climb(search *s, double low, double high, double sign)
{
    const double ratio = 0.61803398874989485;
    double x1 = high - ratio * (high - low), x2 = low + ratio * (high - low);
    double e1 = sign * error_at(s, x1), e2 = sign * error_at(s, x2);
    for (int k = 0; k < NARROW_STEPS; k++) {
        if (e1 > e2) {
            high = x2;
            x2 = x1;
            e2 = e1;
            x1 = high - ratio * (high - low);
            e1 = sign * error_at(s, x1);
        } else {
            low = x1;
            x1 = x2;
            e1 = e2;
            x2 = low + ratio * (high - low);
            e2 = sign * error_at(s, x2);
        }
    }
    return e1 > e2 ? (extremum){x1, sign * e1} : (extremum){x2, sign * e2};
}

/* The top of every run of equal sign, in ascending lambda; at most EXTREMA of them. */
static int find_extrema(extremum *found, search *s)
{
    const int steps = GRID * (s->order + 2);
    const double h = pi / steps;
    int count = 0;

    for (int i = 0; i <= steps; i++) {
        const extremum here = {i * h, error_at(s, i * h)};
        const bool same = count > 0 && (here.error < 0) == (found[count - 1].error < 0);
        if (same) {
            if (fabs(here.error) > fabs(found[count - 1].error)) found[count - 1] = here;
        } else if (count < EXTREMA) {
            found[count++] = here;
        }
    }
    for (int k = 0; k < count; k++) {
        const double low = fmax(found[k].u - h, 0), high = fmin(found[k].u + h, pi);
        const extremum top = climb(s, low, high, found[k].error < 0 ? -1 : 1);
        if (fabs(top.error) > fabs(found[k].error)) found[k] = top;
    }
    return count;
}

static void drop(extremum *e, int *count, int at, int how_many)
{
    memmove(e + at, e + at + how_many, (size_t)(*count - at - how_many) * sizeof *e);
    *count -= how_many;
}

/* Down to `wanted` that still alternate: an end by itself, an inner one
 * with its lesser neighbor. */
static void thin(extremum *e, int *count, int wanted)
{
    while (*count > wanted) {
        int least = 0;
        const int last = *count - 1;
        for (int k = 1; k <= last; k++)
            if (fabs(e[k].error) < fabs(e[least].error)) least = k;
        if (*count == wanted + 1) least = fabs(e[0].error) < fabs(e[last].error) ? 0 : last;
        if (least == 0 || least == last)
            drop(e, count, least, 1);
        else
            drop(e, count, fabs(e[least - 1].error) < fabs(e[least + 1].error) ? least - 1 : least,
                 2);
    }
}

/* Gauss with row pivots on n rows of n + 1; the solution ends in the last column. */
static bool solve(double (*m)[POINTS + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
        if (!(fabs(m[pivot][k]) > DBL_EPSILON)) return false;
        for (int j = k; j <= n; j++) {
            const double swap = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; factor != 0 && j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        m[i][n] /= m[i][i];
    return true;
}

/*
 * The series levelled on a reference, and |e|. The unknown is the correction to the last series,
 * whose errors are small, so that rounding in the solve is a share of the error, not of f.
 */
static bool level(double *a, double *levelled, const extremum *e, int order)
{
    const int n = order + 2;
    double m[POINTS][POINTS + 1] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= order; k++)
            m[i][k] = cos(k * (pi - e[i].u));
        m[i][n - 1] = i % 2 ? -1 : 1;
        m[i][n] = e[i].error;
    }
    if (!solve(m, n)) return false;
    for (int k = 0; k <= order; k++)
        a[k] += m[k][n];
    *levelled = fabs(m[n - 1][n]);
    return true;
}

static double largest(const extremum *e, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (fabs(e[k].error) > most) most = fabs(e[k].error);
    return most;
}

static void exchange(double *best, wgdn_remez_result *r, search *s)
{
    const size_t size = (size_t)(s->order + 1) * sizeof *best;
    extremum e[EXTREMA] = {{0}};
    memcpy(s->a, best, size);
    *r = (wgdn_remez_result){.error = INFINITY};
    for (int stale = 0; stale < STALE_MAX && r->rounds < ROUNDS_MAX;) {
        int count = find_extrema(e, s);
        const double error = largest(e, count);
        if (!s->finite) return;
        stale++;
        if (error < r->error) {
            stale = 0;
            r->error = error;
            memcpy(best, s->a, size);
        }
        if (error <= (1 + enough) * r->levelled || error <= 2 * DBL_EPSILON * s->most) return;
        if (count < s->order + 2) return;
        thin(e, &count, s->order + 2);
        if (!level(s->a, &r->levelled, e, s->order)) return;
        r->rounds++;
    }
}

wgdn_status wgdn_remez(double *a, wgdn_remez_result *result, int order, wgdn_response response,
                       const void *what, wgdn_error *err)
{
    wgdn_remez_result r;
    search s = {.order = order, .response = response, .what = what, .finite = true};
    wgdn_status st =
        wgdn_approximate_any(a, order, WGDN_APPROXIMATION_ONE_STEP, response, what, err);
    if (st) return st;
    exchange(a, &r, &s);
    if (!s.finite)
        return wgdn_fail(err, WGDN_EINVAL, "Remez fit: the response at lambda = %g is not finite",
                         s.bad_at);
    if (result) *result = r;
    return WGDN_OK;
}
