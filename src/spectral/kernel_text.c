/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as text: name, colon, numbers. wgdn.h lists the forms. */
#define _POSIX_C_SOURCE 200809L /* newlocale */
#include "spectral.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 32, COEFFICIENTS_MAX = WGDN_ORDER_MAX + 1, POINTS_MAX = 4096 };

/* One row per name. A kernel with a parameter may leave it out; the lists may not be empty. */
typedef struct form {
    const char *name;
    wgdn_kernel_kind kind;
    const char *parameter; /* or NULL */
    double usual, most;    /* of the parameter, which lies in (0, most] */
    int64_t count_most;    /* of a list */
    const char *shape;
} form;

static const form forms[] = {
    {"gcn", WGDN_KERNEL_POLY, NULL, 0, 0, 0, "gcn"},
    {"heat", WGDN_KERNEL_HEAT, "t", 1, 100, 0, "heat:t=2"},
    {"ppr", WGDN_KERNEL_PPR, "alpha", 0.2, 1, 0, "ppr:alpha=0.1"},
    {"poly", WGDN_KERNEL_POLY, NULL, 0, 0, COEFFICIENTS_MAX, "poly:1,-0.5,0.1"},
    {"table", WGDN_KERNEL_TABLE, NULL, 0, 0, POINTS_MAX, "table:0=1,1=0.4,2=0.1"},
};
enum { FORMS = sizeof forms / sizeof *forms };

static wgdn_status unknown_name(const char *name, size_t length, wgdn_error *err)
{
    char known[160] = "", word[WGDN_WORD_MAX + 1] = "";
    const char *nearest = NULL;
    int apart = 3; /* further than two letters is no guess */

    if (length <= WGDN_WORD_MAX) memcpy(word, name, length);
    for (int i = 0; i < FORMS; i++) {
        const int d = wgdn_word_distance(word, forms[i].name);
        if (d < apart) {
            apart = d;
            nearest = forms[i].name;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 forms[i].shape);
    }
    return wgdn_fail(err, WGDN_EINVAL, "kernel: no '%.*s'%s%s%s; expected one of %s",
                     length < 40 ? (int)length : 40, name, nearest ? ", did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "", known);
}

static wgdn_status bad_number(const form *f, const char *at, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "kernel %s: expected a number at '%.40s', as in %s", f->name,
                     at, f->shape);
}

/* A finite number at *at, which moves behind it. */
static bool read_number(double *value, const char **at)
{
    char *end;
    if (!**at || !strchr("+-.0123456789", **at)) return false;
    *value = strtod(*at, &end);
    if (end == *at || !isfinite(*value)) return false;
    *at = end;
    return true;
}

static wgdn_status read_parameter(wgdn_kernel *k, const form *f, const char *at, wgdn_error *err)
{
    const size_t length = strlen(f->parameter);
    if (strncmp(at, f->parameter, length) != 0 || at[length] != '=')
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: expected %s=..., as in %s, not '%.40s'",
                         f->name, f->parameter, f->shape, at);
    at += length + 1;
    if (!read_number(&k->parameter, &at) || *at) return bad_number(f, at, err);
    if (!(k->parameter > 0 && k->parameter <= f->most))
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %s = %g; it must be above 0 and at most %g",
                         f->name, f->parameter, k->parameter, f->most);
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
                             "kernel table: point %lld is at %g, not within 0 .. 2", (long long)i,
                             k->point[i]);
        if (i > 0 && !(k->point[i] > k->point[i - 1]))
            return wgdn_fail(err, WGDN_EINVAL,
                             "kernel table: points must ascend, but %g comes after %g", k->point[i],
                             k->point[i - 1]);
    }
    return WGDN_OK;
}

static wgdn_status read_list(wgdn_kernel *k, const form *f, const char *at, wgdn_error *err)
{
    const bool table = f->kind == WGDN_KERNEL_TABLE;
    k->count = list_length(at);
    if (k->count > f->count_most)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %lld entries; there may be %lld", f->name,
                         (long long)k->count, (long long)f->count_most);
    k->value = wgdn_alloc((size_t)k->count, sizeof *k->value);
    if (table) k->point = wgdn_alloc((size_t)k->count, sizeof *k->point);
    if (!k->value || (table && !k->point))
        return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: %lld entries", f->name, (long long)k->count);
    for (int64_t i = 0; i < k->count; i++) {
        if (table && (!read_number(&k->point[i], &at) || *at++ != '='))
            return wgdn_fail(err, WGDN_EINVAL,
                             "kernel table: expected lambda=value at entry %lld, as in %s",
                             (long long)i, f->shape);
        if (!read_number(&k->value[i], &at) || (*at && *at != ',')) return bad_number(f, at, err);
        at += *at == ',';
    }
    return table ? check_points(k, err) : WGDN_OK;
}

/* As few digits as give the same number back. */
static int write_number(char *at, size_t size, double value)
{
    int length = 0;
    for (int digits = 1; digits <= 17; digits++) {
        length = snprintf(at, size, "%.*g", digits, value);
        if (strtod(at, NULL) == value) break;
    }
    return length;
}

static wgdn_status write_text(wgdn_kernel *k, const form *f, wgdn_error *err)
{
    const size_t size = WGDN_WORD_MAX + 1 + (size_t)(2 * k->count + 1) * NUMBER_MAX;
    char *at = k->text = wgdn_alloc(size, 1);
    if (!at) return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: its text", f->name);
    at += snprintf(at, size, "%s", f->name);
    if (f->parameter) {
        at += snprintf(at, NUMBER_MAX, ":%s=", f->parameter);
        at += write_number(at, NUMBER_MAX, k->parameter);
    }
    for (int64_t i = 0; f->count_most && i < k->count; i++) {
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

static wgdn_status read_gcn(wgdn_kernel *k, wgdn_error *err)
{
    k->count = 2;
    k->value = wgdn_alloc(2, sizeof *k->value);
    if (!k->value) return wgdn_fail(err, WGDN_ENOMEM, "kernel gcn: two coefficients");
    k->value[0] = 1;
    k->value[1] = -1;
    return WGDN_OK;
}

/* What follows the name: NULL, or the text behind the colon. */
static wgdn_status read_rest(wgdn_kernel *k, const form *f, const char *rest, wgdn_error *err)
{
    k->kind = f->kind;
    k->parameter = f->usual;
    if (f->count_most) {
        if (!rest)
            return wgdn_fail(err, WGDN_EINVAL, "kernel %s: its numbers are missing, as in %s",
                             f->name, f->shape);
        return read_list(k, f, rest, err);
    }
    if (f->parameter) return rest ? read_parameter(k, f, rest, err) : WGDN_OK;
    if (rest)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: takes nothing, not '%.40s'", f->name, rest);
    return read_gcn(k, err);
}

static wgdn_status parse(wgdn_kernel **out, const char *text, wgdn_error *err)
{
    const size_t length = strcspn(text, ":");
    const form *f = NULL;
    for (int i = 0; i < FORMS; i++)
        if (strlen(forms[i].name) == length && strncmp(text, forms[i].name, length) == 0)
            f = &forms[i];
    if (!f) return unknown_name(text, length, err);

    wgdn_kernel *k = wgdn_alloc_zero(1, sizeof *k);
    if (!k) return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: handle", f->name);
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
        return wgdn_fail(err, WGDN_EINVAL, "kernel: %s is missing",
                         out ? "the text" : "a place for the result");
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return wgdn_fail(err, WGDN_ENOMEM, "kernel: the C locale");
    const locale_t former = uselocale(plain);
    const wgdn_status st = parse(out, text, err);
    uselocale(former);
    freelocale(plain);
    return st;
}
