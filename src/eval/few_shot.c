/* SPDX-License-Identifier: Apache-2.0 */
/* A regression on a handful of labels: WGDN_SHOTS training nodes of each class, drawn anew. */
#include "logistic.h"

#include <stdlib.h>

static const double penalty = 64;

typedef struct ticket {
    int32_t label;
    uint32_t draw;
    int64_t node;
} ticket;

static int by_class_and_draw(const void *a, const void *b)
{
    const ticket *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    if (x->draw != y->draw) return x->draw < y->draw ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

wgdn_status wgdn_few_draw(int64_t *row, int64_t *count, const wgdn_parts *p, wgdn_stream s,
                          int draw, wgdn_error *err)
{
    ticket *t = wgdn_alloc((size_t)p->train, sizeof *t);
    int64_t of_class = 0;
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "few-shot: %lld nodes", (long long)p->train);
    for (int64_t i = 0; i < p->train; i++)
        t[i] = (ticket){p->label[i], wgdn_random_bits(s, p->row[i], draw), p->row[i]};
    qsort(t, (size_t)p->train, sizeof *t, by_class_and_draw);
    *count = 0;
    for (int64_t i = 0; i < p->train; i++) {
        of_class = i > 0 && t[i].label == t[i - 1].label ? of_class + 1 : 0;
        if (of_class < WGDN_SHOTS) row[(*count)++] = t[i].node;
    }
    qsort(row, (size_t)*count, sizeof *row, ascending);
    wgdn_release(t);
    return WGDN_OK;
}

/* The draws, each by one thread. */
typedef struct drawing {
    const wgdn_unit *u;
    const wgdn_answers *a;
    const wgdn_parts *p;
    wgdn_stream stream;
    double *accuracy;
    wgdn_status status[WGDN_DRAWS];
    wgdn_error error[WGDN_DRAWS];
} drawing;

static double accuracy_of(const float *y, int64_t cols, const wgdn_parts *p)
{
    const int64_t first = p->train + p->val;
    int64_t right = 0;
    for (int64_t i = first; i < first + p->test; i++)
        right += wgdn_best_column(y + p->row[i] * cols, cols) == p->label[i];
    return (double)right / (double)p->test;
}

static void learn_from_draw(int64_t k, void *context)
{
    drawing *d = context;
    wgdn_error *err = &d->error[k];
    wgdn_logistic f = {0};
    wgdn_sweep s = {0};
    int64_t count = 0, *row = wgdn_alloc((size_t)d->p->train, sizeof *row);
    float *y = NULL;
    wgdn_status st =
        row ? wgdn_few_draw(row, &count, d->p, d->stream, (int)k, err)
            : wgdn_fail(err, WGDN_ENOMEM, "few-shot: %lld nodes", (long long)d->p->train);
    if (!st) st = wgdn_logistic_open(&f, d->u, d->a, row, count, err);
    if (!st) st = wgdn_sweep_open(&s, d->u->in, f.cols, err);
    if (!st) st = wgdn_logistic_fit(&f, penalty, err);
    if (!st) st = wgdn_logistic_scores(&y, &f, &s, err);
    if (!st) d->accuracy[k] = accuracy_of(y, f.cols, d->p);
    wgdn_sweep_close(&s);
    wgdn_logistic_close(&f);
    wgdn_release(row);
    d->status[k] = st;
}

wgdn_status wgdn_few_shot(double *accuracy, const wgdn_unit *u, const wgdn_answers *a,
                          const wgdn_parts *p, wgdn_stream s, wgdn_error *err)
{
    drawing d = {.u = u, .a = a, .p = p, .stream = s, .accuracy = accuracy};
    wgdn_for_each(WGDN_DRAWS, learn_from_draw, &d);
    for (int k = 0; k < WGDN_DRAWS; k++)
        if (d.status[k]) {
            if (err) *err = d.error[k];
            return d.status[k];
        }
    return WGDN_OK;
}
