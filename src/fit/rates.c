/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */
#include "rates.h"

#include "codec/spill.h"

#include <string.h>
#include <sys/mman.h>

enum {
    TIMES = 5,              /* of which the one in the middle counts: others use the machine, too */
    STRETCHES = 256,        /* of rows that stand for all, where there are many */
    TRY_ENTRIES = 1 << 25,  /* entries of these together */
    TRY_ROWS = 1 << 20,     /* of a dense product */
    TRY_NUMBERS = 1 << 25,  /* of a pass */
    TRY_BYTES = 1 << 28,    /* of a file, */
    TRY_BYTES_MIN = 1 << 22 /* and at least */
};

static double middle(double t[TIMES])
{
    for (int i = 1; i < TIMES; i++)
        for (int j = i; j > 0 && t[j] < t[j - 1]; j--) {
            const double x = t[j];
            t[j] = t[j - 1];
            t[j - 1] = x;
        }
    return t[TIMES / 2];
}

/* Stretches of rows, spread over the graph, that stand for all of it where there are many. */
typedef struct stretches {
    int64_t count, rows; /* of each */
} stretches;

static stretches stretches_of(const wgdn_csr *a)
{
    const int64_t all = wgdn_csr_entries(a) + a->rows;
    if (all <= TRY_ENTRIES) return (stretches){1, a->rows};
    const double share = (double)TRY_ENTRIES / (double)all;
    return (stretches){STRETCHES, (int64_t)((double)a->rows / STRETCHES * share)};
}

/* What is multiplied: X n x k, Y of the same size, of which few rows are touched, V k x k. */
typedef struct trial {
    const wgdn_graph *g;
    int64_t n, k;
    float *x, *y, *v, *work;
} trial;

/* Their steps of a Chebyshev series. */
static double time_steps(const trial *t)
{
    const wgdn_csr *a = &t->g->adjacency;
    const stretches s = stretches_of(a);
    double entries = 0;
    const double start = wgdn_seconds();
    for (int64_t i = 0; i < s.count; i++) {
        const int64_t first = a->rows / s.count * i;
        float *y = t->y + first * t->k;
        wgdn_graph part = *t->g;
        part.adjacency.offset += first;
        part.adjacency.rows = s.rows;
        wgdn_chebyshev_step(y, &part, t->x, y, t->k, t->work);
        entries += (double)(part.adjacency.offset[s.rows] - part.adjacency.offset[0] + s.rows);
    }
    return (wgdn_seconds() - start) / (entries * (double)t->k);
}

static wgdn_status time_dense(double *time, const trial *t, wgdn_error *err)
{
    const int64_t rows = wgdn_min(stretches_of(&t->g->adjacency).rows, TRY_ROWS);
    const wgdn_product p = wgdn_product_of(t->y, t->x, t->v, wgdn_alone(rows), t->k, t->k);
    const double start = wgdn_seconds();
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    *time = (wgdn_seconds() - start) / ((double)rows * (double)(t->k * t->k));
    return st;
}

static wgdn_status time_pass(double *time, const trial *t, wgdn_error *err)
{
    const int64_t rows = wgdn_min(t->n, TRY_NUMBERS / t->k);
    const double start = wgdn_seconds();
    float *new = wgdn_alloc((size_t)(rows * t->k), sizeof *new);
    if (!new) return wgdn_fail(err, WGDN_ENOMEM, "estimate: a copy of %lld rows", (long long)rows);
    wgdn_copy(new, t->x, rows, t->k);
    wgdn_release(new);
    *time = (wgdn_seconds() - start) / ((double)rows * (double)t->k);
    return WGDN_OK;
}

static wgdn_status open_trial(trial *t, wgdn_error *err)
{
    const size_t all = (size_t)t->n * (size_t)t->k;
    t->x = wgdn_alloc(all, sizeof *t->x);
    t->y = wgdn_alloc(all, sizeof *t->y);
    t->v = wgdn_alloc_zero((size_t)(t->k * t->k), sizeof *t->v);
    t->work = wgdn_alloc(wgdn_poly_work(0, t->k, 1), sizeof *t->work);
    if (!t->x || !t->y || !t->v || !t->work)
        return wgdn_fail(err, WGDN_ENOMEM, "estimate: a product of %lld x %lld", (long long)t->n,
                         (long long)t->k);
    memset(t->x, 0x3f, all * sizeof *t->x); /* numbers near 1, in pages of their own */
    return WGDN_OK;
}

static void close_trial(trial *t)
{
    wgdn_release(t->work);
    wgdn_release(t->v);
    wgdn_release(t->y);
    wgdn_release(t->x);
}

wgdn_status wgdn_rates_measure(wgdn_rates *r, const wgdn_graph *g, int64_t k, bool alone,
                               wgdn_error *err)
{
    trial t = {.g = g, .n = g->adjacency.rows, .k = k};
    double steps[TIMES], dense[TIMES] = {0}, pass[TIMES] = {0};
    wgdn_status st = open_trial(&t, err);
    if (!st) (void)time_steps(&t); /* pages of Y and of the graph */
    if (!st && !alone) st = time_dense(&dense[0], &t, err);
    for (int i = 0; i < TIMES && !st; i++) {
        steps[i] = time_steps(&t);
        if (!alone) st = time_dense(&dense[i], &t, err);
        if (!st && !alone) st = time_pass(&pass[i], &t, err);
    }
    close_trial(&t);
    if (st) return st;
    r->product = middle(steps);
    if (!alone) r->dense = middle(dense);
    if (!alone) r->pass = middle(pass);
    return WGDN_OK;
}

/* Written to the disk, dropped where the system does that, and read again. */
wgdn_status wgdn_rates_measure_disk(wgdn_rates *r, const char *folder, double bytes,
                                    wgdn_error *err)
{
    enum { PAGE = 4096 };
    const double most = bytes < TRY_BYTES ? bytes : TRY_BYTES;
    const size_t size = most > TRY_BYTES_MIN ? (size_t)most : TRY_BYTES_MIN;
    volatile unsigned char sum = 0;
    wgdn_spill try;
    const wgdn_status st = wgdn_spill_open(&try, size, folder, "a measurement", err);
    if (st) return st;
    const double start = wgdn_seconds();
    memset(try.at, 1, try.size);
    (void)msync(try.at, try.size, MS_SYNC);
    const double written = wgdn_seconds();
#ifdef MADV_PAGEOUT
    (void)madvise(try.at, try.size, MADV_PAGEOUT);
#endif
    const double dropped = wgdn_seconds();
    for (size_t i = 0; i < try.size; i += PAGE)
        sum = (unsigned char)(sum + ((const unsigned char *)try.at)[i]);
    r->read = (wgdn_seconds() - dropped) / (double)try.size;
    r->write = (written - start) / (double)try.size;
    wgdn_spill_close(&try);
    return WGDN_OK;
}
