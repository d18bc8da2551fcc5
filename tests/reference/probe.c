/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/internal.h"

#include <math.h>
#include <string.h>

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
double ref_probe(double *g, const double *p, const ref_labelled *x, double l2, double *work)
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
