/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/reference.h"

#include <math.h>

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
