/* SPDX-License-Identifier: Apache-2.0 */
#include "spectral.h"

#include <math.h>
#include <string.h>

static double horner(double lambda, const wgdn_kernel *k)
{
    double sum = 0;
    for (int64_t i = k->count - 1; i >= 0; i--)
        sum = sum * lambda + k->value[i];
    return sum;
}

static double heat(double lambda, const wgdn_kernel *k)
{
    return exp(-k->parameter[0] * lambda);
}

/* 1 - (1 - alpha)(1 - lambda) = alpha + (1 - alpha) lambda, which does not cancel near 0. */
static double ppr(double lambda, const wgdn_kernel *k)
{
    const double alpha = k->parameter[0];
    return alpha / (alpha + (1 - alpha) * lambda);
}

/* A Gaussian band-pass: exp(-(lambda - mu)^2 / (2 width^2)). */
static double band(double lambda, const wgdn_kernel *k)
{
    const double away = (lambda - k->parameter[0]) / k->parameter[1];
    return exp(-away * away / 2);
}

/* The straight line through the two points about lambda; constant beyond the ends. */
static double interpolate(double lambda, const wgdn_kernel *k)
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

static double call(double lambda, const wgdn_kernel *k)
{
    return k->function(lambda, k->user);
}

enum { COEFFICIENTS_MAX = WGDN_ORDER_MAX + 1, POINTS_MAX = 4096 };

static const double one_less[] = {1, -1};

/* g(lambda), a row a kernel; orders as published.                                [WGDN:kernels] */
static const wgdn_kernel_form forms[] = {
    {.name = "gcn",
     .formula = "1 - lambda",
     .example = "gcn",
     .value = horner,
     .fixed = one_less,
     .fixed_count = 2,
     .polynomial = true,
     .decoder_order = 9},
    {.name = "heat",
     .formula = "exp(-t lambda)",
     .example = "heat:t=2",
     .value = heat,
     .parameter = {{"t", 1, 0, 100, false}},
     .encoder_order = 2,
     .decoder_order = 2},
    {.name = "ppr",
     .formula = "alpha / (1 - (1 - alpha)(1 - lambda))",
     .example = "ppr:alpha=0.1",
     .value = ppr,
     .parameter = {{"alpha", 0.2, 0, 1, false}},
     .encoder_order = 2,
     .decoder_order = 2},
    {.name = "band",
     .formula = "exp(-(lambda - mu)^2 / (2 width^2))",
     .example = "band:mu=1,width=0.5",
     .value = band,
     .parameter = {{"mu", 1, 0, 2, true}, {"width", 0.5, 0, 2, false}},
     .encoder_order = 6,
     .decoder_order = 6},
    {.name = "poly",
     .formula = "c0 + c1 lambda + c2 lambda^2 + ...",
     .example = "poly:1,-0.5,0.1",
     .value = horner,
     .list_max = COEFFICIENTS_MAX,
     .polynomial = true,
     .decoder_order = 2},
    {.name = "table",
     .formula = "lines between lambda=value",
     .example = "table:0=1,1=0.4,2=0.1",
     .value = interpolate,
     .list_max = POINTS_MAX,
     .points = true,
     .encoder_order = 2,
     .decoder_order = 2},
};

static const wgdn_kernel_form function_form = {
    .name = "function", .value = call, .encoder_order = 2, .decoder_order = 2};

const wgdn_kernel_form *wgdn_kernel_form_get(int i)
{
    return i >= 0 && i < (int)(sizeof forms / sizeof *forms) ? &forms[i] : NULL;
}

int wgdn_kernel_encoder_order(const wgdn_kernel *k)
{
    if (k->form->encoder_order) return k->form->encoder_order;
    return k->count <= WGDN_POWERS_MAX ? (int)k->count - 1 : WGDN_POWERS_MAX;
}

int wgdn_kernel_decoder_order(const wgdn_kernel *k)
{
    return k->form->decoder_order;
}

double wgdn_kernel_value(const wgdn_kernel *k, double lambda)
{
    return k->form->value(lambda, k);
}

double wgdn_kernel_response(double lambda, const void *kernel)
{
    return wgdn_kernel_value(kernel, lambda);
}

wgdn_status wgdn_kernel_from_function(wgdn_kernel **out, wgdn_kernel_function function, void *user,
                                      wgdn_error *err)
{
    const size_t size = strlen(function_form.name) + 1;
    if (!out || !function)
        return wgdn_fail(err, WGDN_EINVAL, "kernel from a function: %s is missing",
                         out ? "the function" : "a place for the result");
    wgdn_kernel *k = wgdn_alloc_zero(1, sizeof *k);
    if (k) k->text = wgdn_alloc(size, 1);
    if (!k || !k->text) {
        wgdn_kernel_free(k);
        return wgdn_fail(err, WGDN_ENOMEM, "kernel from a function: handle");
    }
    memcpy(k->text, function_form.name, size);
    k->form = &function_form;
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
