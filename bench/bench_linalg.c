/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our products beside their peers, alternately in one run, median: dense against the bare
 * multi-threaded engine, sparse against SuiteSparse:GraphBLAS and against the memory itself.
 *
 *     OMP_NUM_THREADS=2 bench_linalg [rounds]
 */
#include "graphs.h"
#include "linalg/linalg.h"
#include "peers.h"
#include "timing.h"

#include <omp.h>
#include <string.h>

static int rounds = 11;

static float *normals(int64_t n, int64_t d, uint16_t call)
{
    float *x = wgdn_alloc((size_t)(n * d), sizeof *x);
    if (!x) abort();
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        wgdn_random_normals(x + i * d, d, (wgdn_stream){.seed = 1, .call = call}, i, 1, 0, d);
    return x;
}

/* ---- dense ---- */

typedef struct dense_case {
    char form; /* 'n': A B, 't': A B^T, 's': A^T B */
    wgdn_product p;
} dense_case;

static void ours_dense(void *context)
{
    const dense_case *d = context;
    const wgdn_status st = d->form == 's'   ? wgdn_gemm_tn(&d->p, NULL)
                           : d->form == 't' ? wgdn_gemm_nt(&d->p, NULL)
                                            : wgdn_gemm_nn(&d->p, NULL);
    if (st) abort();
}

static void engine_dense(void *context)
{
    const dense_case *d = context;
    const wgdn_product *p = &d->p;
    const bool ta = d->form == 's', tb = d->form == 't';
    peer_gemm(&(wgdn_engine_product){.ta = ta,
                                     .tb = tb,
                                     .m = ta ? p->k : p->n.count,
                                     .n = p->m,
                                     .k = ta ? p->n.count : p->k,
                                     .alpha = 1,
                                     .a = p->a,
                                     .lda = p->k,
                                     .b = p->b,
                                     .ldb = tb ? p->k : p->m,
                                     .c = p->c,
                                     .ldc = p->m});
}

static void dense(char form, int64_t n, int64_t k, int64_t m)
{
    char name[80];
    const int64_t brows = form == 'n' ? k : form == 't' ? m : n, bcols = form == 't' ? k : m;
    float *a = normals(n, k, 1), *b = normals(brows, bcols, 2);
    float *c = normals(form == 's' ? k : n, m, 3);
    dense_case d = {form, wgdn_product_of(c, a, b, wgdn_alone(n), k, m)};
    d.p.work = wgdn_alloc(
        form == 's' ? wgdn_gemm_tn_work(wgdn_alone(n), k, m) : wgdn_gemm_nt_work(k, m), 1);
    snprintf(name, sizeof name, "dense %s %lld x %lld x %lld",
             form == 'n'   ? "NN"
             : form == 't' ? "NT"
                           : "TN",
             (long long)n, (long long)k, (long long)m);
    fight(&(duel){name, peer_engine_name, ours_dense, engine_dense, &d,
                  2.0 * (double)n * (double)k * (double)m,
                  4.0 * (double)(n * k + brows * bcols + (form == 's' ? k : n) * m)},
          rounds);
    wgdn_release(d.p.work);
    wgdn_release(c);
    wgdn_release(b);
    wgdn_release(a);
}

/* ---- sparse ---- */

typedef struct sparse_case {
    wgdn_csr a;
    int64_t d;
    float *x, *y;
    peer_spmm *peer;
    float *triad[3];
} sparse_case;

enum { TRIAD = 160 * 1000 * 1000 }; /* floats: 640 MB */

static void ours_sparse(void *context)
{
    const sparse_case *p = context;
    wgdn_spmm(p->y, &p->a, p->x, p->d);
}

static void graphblas_sparse(void *context)
{
    const sparse_case *p = context;
    peer_spmm_run(p->peer);
}

/* a = b + s c over arrays far beyond any cache: what the memory can do. */
static void triad(void *context)
{
    const sparse_case *p = context;
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < TRIAD; i++)
        p->triad[0][i] = p->triad[1][i] + 0.5f * p->triad[2][i];
}

static double bytes_moved(const sparse_case *p)
{
    const double entries = (double)wgdn_csr_entries(&p->a), row = 4.0 * (double)p->d;
    return entries * (row + 8) + (double)p->a.rows * (row + 8);
}

static void sparse(int64_t n, int64_t entries, int64_t d, bool power_law)
{
    char name[80];
    sparse_case p = {.a = bench_matrix(n, entries, power_law), .d = d};
    p.x = normals(n, d, 1);
    p.y = normals(n, d, 2);
    p.peer = peer_spmm_new(&p.a, p.x, d);
    snprintf(name, sizeof name, "spmm %lld nodes %lld entries x%lld %s", (long long)n,
             (long long)entries, (long long)d, power_law ? "power-law" : "uniform");
    if (p.peer)
        fight(&(duel){name, "graphblas", ours_sparse, graphblas_sparse, &p,
                      2.0 * (double)entries * (double)d, bytes_moved(&p)},
              rounds);
    peer_spmm_free(p.peer);
    wgdn_release(p.y);
    wgdn_release(p.x);
    wgdn_csr_free(&p.a);
}

/* ---- products with L: with weights of the edges beside without ---- */

typedef struct laplacian_case {
    wgdn_graph *with, *without;
    int64_t d;
    float *x, *y;
} laplacian_case;

static void weighted_laplacian(void *context)
{
    const laplacian_case *p = context;
    wgdn_laplacian(p->y, p->with, p->x, p->d);
}

static void plain_laplacian(void *context)
{
    const laplacian_case *p = context;
    wgdn_laplacian(p->y, p->without, p->x, p->d);
}

static void laplacian(int64_t n, int64_t entries, int64_t d)
{
    char name[80];
    wgdn_csr a = bench_matrix(n, entries, true);
    wgdn_csr plain = a;
    laplacian_case p = {.d = d, .x = normals(n, d, 1), .y = normals(n, d, 2)};
    for (int64_t k = 0; k < entries; k++)
        a.value[k] = 1 + a.value[k] * a.value[k];
    plain.value = NULL;
    if (wgdn_graph_from_rows(&p.with, &a, true, NULL) ||
        wgdn_graph_from_rows(&p.without, &plain, true, NULL))
        abort();
    snprintf(name, sizeof name, "L X, weighted, %lld nodes %lld entries x%lld", (long long)n,
             (long long)entries, (long long)d);
    fight(&(duel){name, "without weights", weighted_laplacian, plain_laplacian, &p,
                  2.0 * (double)entries * (double)d,
                  (double)entries * (4.0 * (double)d + 8) + (double)n * (4.0 * (double)d + 8)},
          rounds);
    wgdn_graph_free(p.without);
    wgdn_graph_free(p.with);
    wgdn_release(p.y);
    wgdn_release(p.x);
    wgdn_csr_free(&a);
}

/* The triad moves 3 arrays a call; the ratio printed here is of bytes per second, ours to its. */
static void sparse_against_memory(int64_t n, int64_t entries, int64_t d)
{
    sparse_case p = {.a = bench_matrix(n, entries, false), .d = d};
    double ours[ROUNDS_MAX], theirs[ROUNDS_MAX];
    p.x = normals(n, d, 1);
    p.y = normals(n, d, 2);
    for (int i = 0; i < 3; i++)
        p.triad[i] = normals(TRIAD / 256, 256, (uint16_t)i);
    for (int r = -1; r < rounds; r++) {
        const double start = seconds();
        ours_sparse(&p);
        const double middle = seconds();
        triad(&p);
        const double end = seconds();
        if (r < 0) continue;
        ours[r] = middle - start;
        theirs[r] = end - middle;
    }
    const double a = median(ours, rounds), b = median(theirs, rounds);
    const double rate = bytes_moved(&p) / a, triad_rate = 12.0 * TRIAD / b;
    printf("{\"case\": \"spmm %lld nodes %lld entries x%lld bytes\", \"ms\": %.3f, "
           "\"peer\": \"triad\", \"peer_ms\": %.3f, \"ratio\": %.3f, \"gflops\": %.1f, "
           "\"gbytes\": %.1f, \"triad_gbytes\": %.1f}\n",
           (long long)n, (long long)entries, (long long)d, a * 1e3, b * 1e3, rate / triad_rate,
           2e-9 * (double)entries * (double)d / a, rate * 1e-9, triad_rate * 1e-9);
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        wgdn_release(p.triad[i]);
    wgdn_release(p.y);
    wgdn_release(p.x);
    wgdn_csr_free(&p.a);
}

/* ---- random numbers: per core, so on one thread ---- */

static void normals_rate(void)
{
    enum { ROWS = 512, COLS = 512 };
    float *z = wgdn_alloc((size_t)ROWS * COLS, sizeof *z);
    double t[ROUNDS_MAX];
    for (int r = -1; r < rounds; r++) {
        const double start = seconds();
        for (int i = 0; i < 20; i++)
            wgdn_random_normals(z, COLS, (wgdn_stream){.seed = 1}, i * ROWS, ROWS, 0, COLS);
        if (r >= 0) t[r] = seconds() - start;
    }
    const double time = median(t, rounds), count = 20.0 * ROWS * COLS;
    printf("{\"case\": \"normals, one core\", \"ms\": %.3f, \"peer\": \"none\", \"peer_ms\": 0, "
           "\"ratio\": 0, \"gflops\": 0, \"gbytes\": %.2f, \"millions_per_second\": %.0f}\n",
           time * 1e3, count * 4 / time * 1e-9, count / time * 1e-6);
    wgdn_release(z);
}

int main(int argc, char **argv)
{
    if (argc > 1) rounds = atoi(argv[1]);
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_linalg [rounds, 1 .. %d]\n", ROUNDS_MAX);
        return 2;
    }
    fprintf(stderr, "engine %s, variant %s, %d threads, median of %d\n", wgdn_engine_name,
            wgdn_cpu_name(wgdn_cpu_level()), omp_get_max_threads(), rounds);
    peer_begin();
    dense('n', 13752, 512, 512);
    dense('t', 13752, 512, 512);
    dense('s', 13752, 512, 512);
    dense('n', 13752, 1024, 1024);
    dense('n', 169343, 512, 512);
    dense('s', 169343, 512, 512);
    for (int power_law = 0; power_law < 2; power_law++) {
        sparse(13752, 491722, 512, power_law);
        sparse(169343, 2315598, 512, power_law);
    }
    laplacian(13752, 491722, 512);
    laplacian(13752, 491722, 64);
    laplacian(169343, 2315598, 512);
    sparse_against_memory(1000000, 20000000, 256);
    normals_rate();
    return 0;
}
