/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of the parts as Chebyshev series in L - 1.                                 [WGDN:fit-response]
 *
 *     exp(-t L) = e^-t sum_k (2 - [k = 0]) (-1)^k I_k(t) T_k(L - 1)
 *
 * with modified Bessel functions I_k, which fall off faster than any power once k exceeds t. The
 * series ends where what is left is below a thousandth: a filter needs its shape, not its digits.
 */
#define _DEFAULT_SOURCE /* M_PI */
#include "fit.h"

#include <math.h>
#include <string.h>

static const double left_over = 1e-3;

/* The most that a low-pass filter raises lambda = 0 above what it cuts off: beside a column that is
 * larger by that, floats keep five digits of the others. */
static const double raised = 100;

enum { TERMS = 64 };

/* e^-t I_k(t), k < TERMS, by the recurrence I_(k-1) = I_(k+1) + 2k/t I_k downwards (Miller). */
static void bessel(double *value, double t)
{
    double sum = 0;
    value[TERMS - 1] = 0;
    value[TERMS - 2] = 1e-280;
    for (int k = TERMS - 2; k > 0; k--)
        value[k - 1] = value[k + 1] + 2 * k / t * value[k];
    for (int k = 0; k < TERMS; k++) /* e^t = I_0 + 2 sum I_k */
        sum += (k ? 2 : 1) * value[k];
    for (int k = 0; k < TERMS; k++)
        value[k] /= sum;
}

int wgdn_heat_series(double *a, double t)
{
    double value[TERMS], rest = 0;
    int order = TERMS - 1;
    if (t < 1e-3) { /* 1 - t lambda; the recurrence would overflow */
        a[0] = 1 - t;
        a[1] = -t;
        return t > 0 ? 1 : 0;
    }
    bessel(value, t);
    while (order > 0 && rest + 2 * value[order] <= left_over)
        rest += 2 * value[order--];
    if (order > WGDN_FIT_ORDER_MAX) order = WGDN_FIT_ORDER_MAX;
    for (int k = 0; k <= order; k++)
        a[k] = (k ? 2 : 1) * (k % 2 ? -1 : 1) * value[k];
    return order;
}

/* (1 - lambda)^m = (-1)^m u^m with u = lambda - 1; u T_k = (T_(k+1) + T_|k-1|) / 2 */
static int hop_series(double *a, int hops)
{
    memset(a, 0, (size_t)(hops + 1) * sizeof *a);
    a[0] = 1;
    for (int m = 1; m <= hops; m++) {
        double next[WGDN_FIT_ORDER_MAX + 2] = {0};
        for (int k = 0; k < m; k++) {
            next[k + 1] -= k ? a[k] / 2 : a[k];
            if (k) next[k - 1] -= a[k] / 2;
        }
        memcpy(a, next, (size_t)(hops + 1) * sizeof *a);
    }
    return hops;
}

int wgdn_part_series(double *a, const wgdn_fitted_part *p, bool squared)
{
    const int times = squared ? 2 : 1;
    return p->hops >= 0 ? hop_series(a, times * p->hops) : wgdn_heat_series(a, times * p->scale);
}

/* T_m(x), also for |x| > 1 */
static double chebyshev(int m, double x)
{
    if (fabs(x) <= 1) return cos(m * acos(x));
    const double grown = cosh(m * acosh(fabs(x)));
    return x < 0 && m % 2 ? -grown : grown;
}

/*
 * f(lambda) = T_m((lambda - c) / e) / T_m(-c / e), c and e the middle and half of [cut, 2]: 1 at
 * lambda = 0, and within [cut, 2] as small as a polynomial of that order can be. Its series is
 * the cosine transform of its values at m + 1 Chebyshev nodes.                     [WGDN:low-pass]
 */
int wgdn_low_pass_series(double *a, double cut, int most)
{
    const double c = (cut + 2) / 2, e = (2 - cut) / 2;
    const int enough = (int)ceil(acosh(raised) / acosh(c / e)),
              order = enough < most ? enough : most;
    const double top = chebyshev(order, -c / e);
    const int nodes = order + 1;
    double value[WGDN_FIT_ORDER_MAX + 1];
    for (int i = 0; i < nodes; i++)
        value[i] = chebyshev(order, (1 + cos(M_PI * (i + 0.5) / nodes) - c) / e) / top;
    for (int k = 0; k < nodes; k++) {
        double sum = 0;
        for (int i = 0; i < nodes; i++)
            sum += value[i] * cos(M_PI * k * (i + 0.5) / nodes);
        a[k] = (k ? 2 : 1) * sum / nodes;
    }
    return order;
}
