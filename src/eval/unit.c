/* SPDX-License-Identifier: Apache-2.0 */
/* How long the rows of X, or of P(L) X, are. */
#include "logistic.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 }; /* columns of P(L) X that are formed at a time */

/* ---- of rows that are there ---- */

static double squares(const float *x, int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += (double)x[k] * x[k];
    return sum;
}

static float inverse_of(double sum)
{
    return sum > 0 ? (float)(1 / sqrt(sum)) : 0;
}

static void measure_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_unit *u = context;
    const wgdn_probe_input *in = u->in;
    const wgdn_csr *a = in->sparse;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        if (!a) {
            u->inverse[i] = inverse_of(squares(in->dense + i * in->width, in->width));
            continue;
        }
        const int64_t entries = a->offset[i + 1] - a->offset[i];
        u->inverse[i] =
            inverse_of(a->value ? squares(a->value + a->offset[i], entries) : (double)entries);
    }
}

/* ---- of rows that are never formed: some columns at a time ---- */

typedef struct strip {
    const float *y; /* n x count, of P(L) X */
    int64_t count;
    double *sum; /* n: squares so far */
} strip;

static void add_squares(int64_t first, int64_t count, double *sums, void *context)
{
    const strip *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        s->sum[i] += squares(s->y + i * s->count, s->count);
}

/* Columns first .. of X, as many as the sweep has; zeros beyond the last. */
static void fill_columns(wgdn_sweep *s, int64_t first)
{
    const wgdn_csr *t = s->in->transposed;
    memset(s->full, 0, (size_t)(s->in->n * s->stride) * sizeof *s->full);
    for (int64_t j = 0; j < s->cols && first + j < t->rows; j++)
        for (int64_t k = t->offset[first + j]; k < t->offset[first + j + 1]; k++)
            s->full[t->column[k] * s->stride + j] = t->value ? t->value[k] : 1;
}

static wgdn_status measure_filtered(wgdn_unit *u, wgdn_error *err)
{
    const wgdn_probe_input *in = u->in;
    wgdn_sweep s = {0};
    double *sum = wgdn_alloc_zero((size_t)in->n, sizeof *sum);
    wgdn_status st =
        sum ? wgdn_sweep_open(&s, in, wgdn_min(in->width, CHUNK), err)
            : wgdn_fail(err, WGDN_ENOMEM, "probe: lengths of %lld rows", (long long)in->n);
    for (int64_t first = 0; !st && first < in->width; first += s.cols) {
        fill_columns(&s, first);
        strip now = {wgdn_sweep_filter(&s), s.stride, sum};
        wgdn_for_blocks(wgdn_alone(in->n), add_squares, &now, NULL, 0, NULL);
    }
    for (int64_t i = 0; !st && i < in->n; i++)
        u->inverse[i] = inverse_of(sum[i]);
    wgdn_sweep_close(&s);
    wgdn_release(sum);
    return st;
}

wgdn_status wgdn_unit_open(wgdn_unit *u, const wgdn_probe_input *in, wgdn_error *err)
{
    *u = (wgdn_unit){.in = in, .inverse = wgdn_alloc((size_t)in->n, sizeof *u->inverse)};
    if (!u->inverse)
        return wgdn_fail(err, WGDN_ENOMEM, "probe: lengths of %lld rows", (long long)in->n);
    const wgdn_status st = in->graph ? measure_filtered(u, err) : WGDN_OK;
    if (!in->graph) wgdn_for_blocks(wgdn_alone(in->n), measure_rows, u, NULL, 0, NULL);
    if (st) wgdn_unit_close(u);
    return st;
}

void wgdn_unit_close(wgdn_unit *u)
{
    wgdn_release(u->inverse);
    *u = (wgdn_unit){0};
}
