/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chebyshev series on [0, 2]: p(lambda) = sum_k a_k T_k(lambda - 1), and the same polynomial in
 * powers of lambda.                                                            [WGDN:series]
 *
 * Powers are what the published filters are written in, and they are the weaker form: T_k(lambda-1)
 * has coefficients up to about 5.8^k / 4, which alternate. Unless the a_k fall off faster than that
 * the powers c_k are huge and cancel, and an evaluation loses log10(sum_k |c_k| 2^k / |p|) digits
 * whatever is done about the conversion. Smooth responses (heat, ppr at moderate penalties) fall
 * off fast enough; gcn at a small penalty does not.
 */
#include "spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Clenshaw:  b_k = a_k + 2 t b_(k+1) - b_(k+2),  p = a_0 + t b_1 - b_2,  t = lambda - 1. */
double wgdn_series_value(const double *a, int order, double lambda)
{
    const double t = lambda - 1;
    double b1 = 0, b2 = 0;
    for (int k = order; k > 0; k--) {
        const double b = a[k] + 2 * t * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return a[0] + t * b1 - b2;
}

/* The order without the last coefficients that are rounding: they would be blown up 5.8^k times. */
static int true_order(const double *a, int order)
{
    double most = 0;
    for (int k = 0; k <= order; k++)
        if (fabs(a[k]) > most) most = fabs(a[k]);
    while (order > 0 && fabs(a[order]) <= 2 * DBL_EPSILON * most)
        order--;
    return order;
}

/*
 * Clenshaw again, with polynomials in lambda for the b_k: 2 t b = 2 lambda b - 2 b. In long double,
 * which is wider than double on some machines and never narrower.
 */
void wgdn_series_to_powers(double *c, const double *a, int order)
{
    long double b1[WGDN_ORDER_MAX + 2] = {0}, b2[WGDN_ORDER_MAX + 2] = {0};
    const int last = true_order(a, order);
    for (int k = last; k >= 0; k--) {
        const long double factor = k > 0 ? 2 : 1; /* the last step has t b_1, not 2 t b_1 */
        for (int j = last - k; j >= 0; j--) {
            const long double shifted = (j > 0 ? b1[j - 1] : 0) - b1[j];
            const long double b = (j == 0 ? (long double)a[k] : 0) + factor * shifted - b2[j];
            b2[j] = b; /* b_(k+2) is not needed again; swapped with b_(k+1) below */
        }
        for (int j = 0; j <= last; j++) {
            const long double swap = b1[j];
            b1[j] = b2[j];
            b2[j] = swap;
        }
    }
    for (int j = 0; j <= order; j++)
        c[j] = j <= last ? (double)b1[j] : 0;
}

/* Horner in the Chebyshev basis: lambda T_k = T_k + (T_(k+1) + T_|k-1|) / 2. */
void wgdn_series_from_powers(double *a, const double *c, int order)
{
    memset(a, 0, (size_t)(order + 1) * sizeof *a);
    for (int m = order; m >= 0; m--) {
        double next[WGDN_ORDER_MAX + 1] = {0};
        for (int k = 0; k <= order - m - 1; k++) {
            next[k] += a[k];
            next[k + 1] += k == 0 ? a[k] : a[k] / 2;
            if (k > 0) next[k - 1] += a[k] / 2;
        }
        next[0] += c[m];
        memcpy(a, next, (size_t)(order + 1) * sizeof *a);
    }
}
