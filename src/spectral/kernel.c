/* SPDX-License-Identifier: Apache-2.0 */
#include "spectral.h"

#include <math.h>
#include <string.h>

static double horner(const double *c, int64_t count, double lambda)
{
    double sum = 0;
    for (int64_t k = count - 1; k >= 0; k--)
        sum = sum * lambda + c[k];
    return sum;
}

/* The straight line through the two points about lambda; constant beyond the ends. */
static double interpolate(const wgdn_kernel *k, double lambda)
{
    int64_t low = 0, high = k->count - 1;
    if (!(lambda > k->point[low])) return k->value[low];
    if (lambda >= k->point[high]) return k->value[high];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (k->point[middle] <= lambda)
            low = middle;
        else
            high = middle;
    }
    const double part = (lambda - k->point[low]) / (k->point[high] - k->point[low]);
    return k->value[low] + part * (k->value[high] - k->value[low]);
}

/*
 * g(lambda)                                                                   [WGDN:kernels]
 *
 * 1 - (1 - alpha)(1 - lambda) = alpha + (1 - alpha) lambda, which does not cancel near 0.
 */
double wgdn_kernel_value(const wgdn_kernel *k, double lambda)
{
    const double p = k->parameter;
    switch (k->kind) {
    case WGDN_KERNEL_POLY: return horner(k->value, k->count, lambda);
    case WGDN_KERNEL_HEAT: return exp(-p * lambda);
    case WGDN_KERNEL_PPR: return p / (p + (1 - p) * lambda);
    case WGDN_KERNEL_TABLE: return interpolate(k, lambda);
    case WGDN_KERNEL_FUNCTION: return k->function(lambda, k->user);
    }
    return 0;
}

double wgdn_kernel_response(double lambda, const void *kernel)
{
    return wgdn_kernel_value(kernel, lambda);
}

wgdn_status wgdn_kernel_from_function(wgdn_kernel **out, wgdn_kernel_function function, void *user,
                                      wgdn_error *err)
{
    static const char text[] = "function";
    if (!out || !function)
        return wgdn_fail(err, WGDN_EINVAL, "kernel from a function: %s is missing",
                         out ? "the function" : "a place for the result");
    wgdn_kernel *k = wgdn_alloc_zero(1, sizeof *k);
    if (k) k->text = wgdn_alloc(sizeof text, 1);
    if (!k || !k->text) {
        wgdn_kernel_free(k);
        return wgdn_fail(err, WGDN_ENOMEM, "kernel from a function: handle");
    }
    memcpy(k->text, text, sizeof text);
    k->kind = WGDN_KERNEL_FUNCTION;
    k->function = function;
    k->user = user;
    *out = k;
    return WGDN_OK;
}

void wgdn_kernel_free(wgdn_kernel *k)
{
    if (!k) return;
    wgdn_release(k->text);
    wgdn_release(k->value);
    wgdn_release(k->point);
    wgdn_release(k);
}

const char *wgdn_kernel_text(const wgdn_kernel *k)
{
    return k->text;
}
