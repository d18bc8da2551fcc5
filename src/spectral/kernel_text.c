/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as text: name, colon, numbers, as the forms of kernel.c have it. */
#define _POSIX_C_SOURCE 200809L /* newlocale */
#include "spectral.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return wgdn_fail(err, WGDN_EINVAL, "kernel: no '%.*s'%s%s%s; expected one of %s",
                     length < 40 ? (int)length : 40, name, nearest ? ", did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "", known);
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
            return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %s is given twice", f->name,
                             f->parameter[i].name);
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
    k->count = list_length(at);
    if (k->count > f->list_max)
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: %lld entries; there may be %lld", f->name,
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
    if (!at) return wgdn_fail(err, WGDN_ENOMEM, "kernel %s: its text", f->name);
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
        return wgdn_fail(err, WGDN_EINVAL, "kernel %s: takes nothing, not '%.40s'", f->name, rest);
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
