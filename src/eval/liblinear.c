/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logistic regression by LIBLINEAR, where the build has it: one class against the rest, L2, solved
 * by Newton steps without random choices, the penalty chosen on the validation nodes.
 */
#include "eval.h"

#ifdef WGDN_HAVE_LIBLINEAR
#include <linear.h>
#include <math.h>

enum { PENALTIES = 7, MIDDLE = 3 }; /* 1e-3 .. 1e3 */

typedef struct fitting {
    const wgdn_probe_input *in;
    const wgdn_parts *parts;
    struct feature_node *node; /* all rows, one after the other, each ended by index -1 */
    struct feature_node **row;
    double *label;
    int32_t *guess;
} fitting;

static void be_silent(const char *text)
{
    (void)text;
}

static int64_t rows_of(const wgdn_parts *p)
{
    return p->train + p->val + p->test;
}

/* Entries of all rows; each needs two more, for the constant and the end. */
static int64_t count_nodes(const fitting *f)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows_of(f->parts); i++) {
        const int64_t at = f->parts->row[i];
        count += 2 + (f->in->dense ? f->in->width
                                   : f->in->sparse->offset[at + 1] - f->in->sparse->offset[at]);
    }
    return count;
}

static struct feature_node *put_row(struct feature_node *to, const wgdn_probe_input *in, int64_t at)
{
    const wgdn_csr *a = in->sparse;
    for (int64_t j = 0; in->dense && j < in->width; j++)
        *to++ = (struct feature_node){(int)j + 1, in->dense[at * in->width + j]};
    for (int64_t k = a ? a->offset[at] : 0; a && k < a->offset[at + 1]; k++)
        *to++ = (struct feature_node){a->column[k] + 1, a->value ? a->value[k] : 1};
    *to++ = (struct feature_node){(int)in->width + 1, 1};
    *to++ = (struct feature_node){-1, 0};
    return to;
}

static wgdn_status open_fitting(fitting *f, wgdn_error *err)
{
    const int64_t rows = rows_of(f->parts);
    f->node = wgdn_alloc((size_t)count_nodes(f), sizeof *f->node);
    f->row = wgdn_alloc((size_t)rows, sizeof(struct feature_node *));
    f->label = wgdn_alloc((size_t)rows, sizeof *f->label);
    f->guess = wgdn_alloc((size_t)rows, sizeof *f->guess);
    if (!f->node || !f->row || !f->label || !f->guess)
        return wgdn_fail(err, WGDN_ENOMEM, "LIBLINEAR: %lld rows", (long long)rows);
    struct feature_node *at = f->node;
    for (int64_t i = 0; i < rows; i++) {
        f->row[i] = at;
        f->label[i] = f->parts->label[i];
        at = put_row(at, f->in, f->parts->row[i]);
    }
    return WGDN_OK;
}

static void close_fitting(fitting *f)
{
    wgdn_release(f->guess);
    wgdn_release(f->label);
    wgdn_release((void *)f->row);
    wgdn_release(f->node);
}

/* Fit with one penalty; right answers among the validation nodes. */
static wgdn_status fit(int64_t *right, fitting *f, double penalty, wgdn_error *err)
{
    const wgdn_parts *p = f->parts;
    const struct problem problem = {
        .l = (int)p->train, .n = (int)f->in->width + 1, .y = f->label, .x = f->row, .bias = 1};
    const struct parameter parameter = {.solver_type = L2R_LR, .eps = 0.01, .C = penalty};
    const char *wrong = check_parameter(&problem, &parameter);
    if (wrong) return wgdn_fail(err, WGDN_EINVAL, "LIBLINEAR: %s", wrong);
    struct model *m = train(&problem, &parameter);
    *right = 0;
    for (int64_t i = p->train; i < rows_of(p); i++) {
        f->guess[i] = (int32_t)predict(m, f->row[i]);
        if (i < p->train + p->val) *right += f->guess[i] == p->label[i];
    }
    free_and_destroy_model(&m);
    return WGDN_OK;
}

static wgdn_status choose(wgdn_outcome *out, fitting *f, wgdn_error *err)
{
    const wgdn_parts *p = f->parts;
    const int64_t first = p->train + p->val;
    int64_t best = -1, right = 0;
    wgdn_status st = WGDN_OK;
    for (int k = 0; !st && k < PENALTIES; k++) {
        if (p->val == 0 && k != MIDDLE) continue; /* nothing to choose by: 1 */
        st = fit(&right, f, pow(10, k - MIDDLE), err);
        if (st || right <= best) continue;
        best = right;
        out->honest = wgdn_accuracy(f->guess + first, p->label + first, p->test);
        out->published = out->honest; /* there are no steps to choose among */
        st = wgdn_macro_f1(&out->f1, f->guess + first, p->label + first, p->test, f->in->classes,
                           err);
    }
    return st;
}

wgdn_status wgdn_liblinear_run(wgdn_outcome *out, const wgdn_probe_input *in,
                               const wgdn_parts *parts, wgdn_error *err)
{
    fitting f = {.in = in, .parts = parts};
    if (in->width >= INT32_MAX || rows_of(parts) > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "LIBLINEAR: %lld rows of width %lld",
                         (long long)rows_of(parts), (long long)in->width);
    set_print_string_function(be_silent);
    wgdn_status st = open_fitting(&f, err);
    if (!st) st = choose(out, &f, err);
    close_fitting(&f);
    return st;
}

#else

wgdn_status wgdn_liblinear_run(wgdn_outcome *out, const wgdn_probe_input *in,
                               const wgdn_parts *parts, wgdn_error *err)
{
    (void)out;
    (void)in;
    (void)parts;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "this build has no LIBLINEAR (Debian: liblinear-dev); the classifier adam is "
                     "always there");
}

#endif
