/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the kernels g(lambda), such as heat, ppr and gcn, with their parameters, their text form
 * and their polynomials. Model options name a kernel; the encoder, the decoder and the plots
 * evaluate it here.
 */
#define _POSIX_C_SOURCE 200809L /* newlocale */
#include "spectral.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
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
    return k->function(k->user, lambda);
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

double wgdn_kernel_value(const wgdn_kernel *k, double lambda)
{
    return k->form->value(lambda, k);
}

wgdn_status wgdn_kernel_from_function(wgdn_kernel **out, wgdn_kernel_function function, void *user,
                                      wgdn_error *err)
{
    const size_t size = strlen(function_form.name) + 1;
    if (!out || !function)
        return wgdn_fail(err, WGDN_EINVAL, "kernel from a function: %s is NULL",
                         out ? "the function" : "the result");
    wgdn_kernel *k = wgdn_alloc_zero(1, sizeof *k);
    if (k) k->text = wgdn_alloc(size, 1);
    if (!k || !k->text) {
        wgdn_kernel_free(k);
        return wgdn_fail(err, WGDN_ENOMEM, "a kernel from a function");
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

/* Expresses kernels as polynomials in L: their coefficients, and their product with a matrix. */

wgdn_status wgdn_matrix_check(int64_t n, int64_t width, const char *task, wgdn_error *err)
{
    size_t entries;
    if (width < 1)
        return wgdn_fail(err, WGDN_EINVAL, "%s: width %lld; it must be at least 1", task,
                         (long long)width);
    if (!wgdn_size_mul(&entries, (size_t)n, (size_t)width) || entries > SIZE_MAX / 32)
        return wgdn_fail(err, WGDN_ERANGE,
                         "%s: a matrix of %lld x %lld is too large; pass fewer columns at a time",
                         task, (long long)n, (long long)width);
    return WGDN_OK;
}

/* A polynomial kernel of low enough degree needs no fit. */
static bool exact_powers(double *c, const wgdn_kernel *k, int order)
{
    if (!k->form->polynomial || k->count > order + 1) return false;
    memset(c, 0, (size_t)(order + 1) * sizeof *c);
    memcpy(c, k->value, (size_t)k->count * sizeof *c);
    return true;
}

wgdn_status wgdn_kernel_coefficients(double *c, const wgdn_kernel *k, int order,
                                     wgdn_approximation fit, wgdn_error *err)
{
    double a[WGDN_ORDER_MAX + 1];
    if (!c || !k || order < 0 || order > WGDN_POWERS_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "kernel coefficients: order %d; it must be 0 .. %d",
                         order, WGDN_POWERS_MAX);
    if (exact_powers(c, k, order)) return WGDN_OK;
    const wgdn_status st = wgdn_approximate_any(a, order, fit, wgdn_kernel_response, k, err);
    if (!st) wgdn_series_to_powers(c, a, order);
    return st;
}

static wgdn_status kernel_series(double *a, const wgdn_kernel *k, int order, wgdn_approximation fit,
                                 wgdn_error *err)
{
    double c[WGDN_ORDER_MAX + 1];
    if (!exact_powers(c, k, order))
        return wgdn_approximate_any(a, order, fit, wgdn_kernel_response, k, err);
    wgdn_series_from_powers(a, c, order);
    return WGDN_OK;
}

wgdn_status wgdn_kernel_apply(float *y, const wgdn_kernel *k, const wgdn_graph *g, const float *x,
                              int64_t width, const wgdn_apply_options *o, wgdn_error *err)
{
    double series[WGDN_ORDER_MAX + 1];
    wgdn_apply_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_APPLY, err);
    if (st) return st;
    if (!y || !g || !k || !x || y == x)
        return wgdn_fail(err, WGDN_EINVAL,
                         "apply: graph, kernel, x and y are needed, and y must not alias x");
    st = wgdn_matrix_check(wgdn_graph_nodes(g), width, "apply", err);
    if (!st) st = kernel_series(series, k, opt.order, opt.approximation, err);
    if (st) return st;
    const wgdn_poly p = {.graph = g, .d = width, .channels = 1, .order = opt.order, .a = {series}};
    return wgdn_series_apply(y, &p, x, opt.threads, "apply", err);
}

/* Parses and prints kernels as text: name, colon, numbers, as the table above defines them. */

enum { NUMBER_MAX = 32 };

typedef wgdn_kernel_form form;

static wgdn_status unknown_name(const char *name, size_t length, wgdn_error *err)
{
    char known[200] = "", word[WGDN_WORD_MAX + 1] = "";
    const char *nearest = NULL;
    int apart = 3; /* further than two letters is no guess */

    if (length <= WGDN_WORD_MAX) memcpy(word, name, length);
    for (int i = 0; wgdn_kernel_form_get(i); i++) {
        const form *f = wgdn_kernel_form_get(i);
        const int d = wgdn_word_distance(word, f->name);
        if (d < apart) {
            apart = d;
            nearest = f->name;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 f->example);
    }
    return wgdn_fail(err, WGDN_EINVAL, "kernel: '%.*s' is unknown%s%s%s; use one of %s",
                     length < 40 ? (int)length : 40, name, nearest ? " (did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?)" : "", known);
}

static wgdn_status bad_number(const form *f, const char *at, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "kernel %s: expected a number at '%.40s', as in %s", f->name,
                     at, f->example);
}

/* A finite number at *at, which moves behind it. */
static bool read_number(double *value, const char **at)
{
    const char *end = **at && strchr("+-.0123456789", **at) ? wgdn_number_begin(value, *at) : NULL;
    if (!end || !isfinite(*value)) return false;
    *at = end;
    return true;
}

/* "t=", or "mu= or width=". */
static void expected(char *out, size_t size, const form *f)
{
    *out = 0;
    for (int i = 0; i < WGDN_KERNEL_PARAMETERS && f->parameter[i].name; i++)
        snprintf(out + strlen(out), size - strlen(out), "%s%s=...", i ? " or " : "",
                 f->parameter[i].name);
}

/* Which parameter is named at *at, which moves behind its '='; or -1. */
static int read_name(const char **at, const form *f)
{
    for (int i = 0; i < WGDN_KERNEL_PARAMETERS && f->parameter[i].name; i++) {
        const size_t length = strlen(f->parameter[i].name);
        if (strncmp(*at, f->parameter[i].name, length) != 0 || (*at)[length] != '=') continue;
        *at += length + 1;
        return i;
    }
    return -1;
}

static wgdn_status check_parameter(double value, const wgdn_kernel_parameter *p, const form *f,
                                   wgdn_error *err)
{
    if ((p->closed ? value >= p->min : value > p->min) && value <= p->max) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL, "kernel %s, %s: %s = %g; it must be %s %g and at most %g",
                     f->name, f->formula, p->name, value, p->closed ? "at least" : "above", p->min,
                     p->max);
}

/* name=number between commas, in any order, each once at most. */
static wgdn_status read_parameters(wgdn_kernel *k, const form *f, const char *at, wgdn_error *err)
{
    bool given[WGDN_KERNEL_PARAMETERS] = {false};
    do {
        const char *word = at;
        char names[100];
        const int i = read_name(&at, f);
        if (i < 0) {
            expected(names, sizeof names, f);
            return wgdn_fail(err, WGDN_EINVAL, "kernel %s: expected %s, as in %s, not '%.40s'",
                             f->name, names, f->example, word);
        }
        if (given[i])
            return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %s is given twice; give it once",
                             f->name, f->parameter[i].name);
        given[i] = true;
        if (!read_number(&k->parameter[i], &at) || (*at && *at != ','))
            return bad_number(f, at, err);
        const wgdn_status st = check_parameter(k->parameter[i], &f->parameter[i], f, err);
        if (st) return st;
    } while (*at++ == ',');
    return WGDN_OK;
}

static int64_t list_length(const char *at)
{
    int64_t count = 1;
    for (; *at; at++)
        count += *at == ',';
    return count;
}

static wgdn_status check_points(const wgdn_kernel *k, wgdn_error *err)
{
    for (int64_t i = 0; i < k->count; i++) {
        if (!(k->point[i] >= 0 && k->point[i] <= 2))
            return wgdn_fail(err, WGDN_EINVAL,
                             "kernel table: point %lld is at %g; it must be within 0 .. 2",
                             (long long)i, k->point[i]);
        if (i > 0 && !(k->point[i] > k->point[i - 1]))
            return wgdn_fail(err, WGDN_EINVAL,
                             "kernel table: points must ascend, but %g comes after %g", k->point[i],
                             k->point[i - 1]);
    }
    return WGDN_OK;
}

static wgdn_status read_list(wgdn_kernel *k, const form *f, const char *at, wgdn_error *err)
{
    k->count = list_length(at);
    if (k->count > f->list_max)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %lld entries; the maximum is %lld", f->name,
                         (long long)k->count, (long long)f->list_max);
    k->value = wgdn_alloc((size_t)k->count, sizeof *k->value);
    if (f->points) k->point = wgdn_alloc((size_t)k->count, sizeof *k->point);
    if (!k->value || (f->points && !k->point))
        return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: %lld entries", f->name, (long long)k->count);
    for (int64_t i = 0; i < k->count; i++) {
        if (f->points && (!read_number(&k->point[i], &at) || *at++ != '='))
            return wgdn_fail(err, WGDN_EINVAL,
                             "kernel %s: expected lambda=value at entry %lld, as in %s", f->name,
                             (long long)i, f->example);
        if (!read_number(&k->value[i], &at) || (*at && *at != ',')) return bad_number(f, at, err);
        at += *at == ',';
    }
    return f->points ? check_points(k, err) : WGDN_OK;
}

/* Returns the length of the text. */
static int write_number(char *at, size_t size, double value)
{
    wgdn_number_text(at, size, value);
    return (int)strlen(at);
}

static wgdn_status write_text(wgdn_kernel *k, const form *f, wgdn_error *err)
{
    const size_t size =
        WGDN_WORD_MAX + 1 + (size_t)(2 * (k->count + WGDN_KERNEL_PARAMETERS)) * NUMBER_MAX;
    char *at = k->text = wgdn_alloc(size, 1);
    if (!at) return wgdn_fail(err, WGDN_ENOMEM, "the text of kernel %s", f->name);
    at += snprintf(at, size, "%s", f->name);
    for (int i = 0; i < WGDN_KERNEL_PARAMETERS && f->parameter[i].name; i++) {
        at += snprintf(at, NUMBER_MAX, "%c%s=", i ? ',' : ':', f->parameter[i].name);
        at += write_number(at, NUMBER_MAX, k->parameter[i]);
    }
    for (int64_t i = 0; f->list_max && i < k->count; i++) {
        *at++ = i ? ',' : ':';
        if (k->point) {
            at += write_number(at, NUMBER_MAX, k->point[i]);
            *at++ = '=';
        }
        at += write_number(at, NUMBER_MAX, k->value[i]);
    }
    *at = 0;
    return WGDN_OK;
}

static wgdn_status copy_fixed(wgdn_kernel *k, const form *f, wgdn_error *err)
{
    k->count = f->fixed_count;
    k->value = wgdn_alloc((size_t)k->count, sizeof *k->value);
    if (!k->value)
        return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: %lld coefficients", f->name,
                         (long long)k->count);
    memcpy(k->value, f->fixed, (size_t)k->count * sizeof *k->value);
    return WGDN_OK;
}

/* What follows the name: NULL, or the text behind the colon. */
static wgdn_status read_rest(wgdn_kernel *k, const form *f, const char *rest, wgdn_error *err)
{
    k->form = f;
    for (int i = 0; i < WGDN_KERNEL_PARAMETERS; i++)
        k->parameter[i] = f->parameter[i].default_value;
    if (f->list_max && !rest)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: its numbers are missing, as in %s", f->name,
                         f->example);
    if (f->list_max) return read_list(k, f, rest, err);
    if (rest && !f->parameter[0].name)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: has no parameters; leave out ':%.40s'",
                         f->name, rest);
    if (rest) return read_parameters(k, f, rest, err);
    return f->fixed ? copy_fixed(k, f, err) : WGDN_OK;
}

static wgdn_status parse(wgdn_kernel **out, const char *text, wgdn_error *err)
{
    const size_t length = strcspn(text, ":");
    const form *f = NULL;
    for (int i = 0; (f = wgdn_kernel_form_get(i)); i++)
        if (strlen(f->name) == length && strncmp(text, f->name, length) == 0) break;
    if (!f) return unknown_name(text, length, err);

    wgdn_kernel *k = wgdn_alloc_zero(1, sizeof *k);
    if (!k) return wgdn_fail(err, WGDN_ENOMEM, "kernel %s", f->name);
    wgdn_status st = read_rest(k, f, text[length] ? text + length + 1 : NULL, err);
    if (!st) st = write_text(k, f, err);
    if (st)
        wgdn_kernel_free(k);
    else
        *out = k;
    return st;
}

/* The calling thread speaks plain C while numbers are read and written. */
wgdn_status wgdn_kernel_parse(wgdn_kernel **out, const char *text, wgdn_error *err)
{
    if (!out || !text)
        return wgdn_fail(err, WGDN_EINVAL, "kernel: %s is NULL", out ? "the text" : "the result");
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return wgdn_fail(err, WGDN_ENOMEM, "the locale of kernels");
    const locale_t former = uselocale(plain);
    const wgdn_status st = parse(out, text, err);
    uselocale(former);
    freelocale(plain);
    return st;
}
