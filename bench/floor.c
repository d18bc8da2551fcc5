/* SPDX-License-Identifier: Apache-2.0 */
#include "floor.h"
#include "peers.h"
#include "timing.h"

/* The products of a step, each shape once. */
static void note(const wgdn_tally_product *p, void *user)
{
    floor_work *f = user;
    int i = 0;
    while (i < f->shapes && (f->shape[i].kind != p->kind || f->shape[i].n != p->n ||
                             f->shape[i].k != p->k || f->shape[i].m != p->m))
        i++;
    if (i == FLOOR_SHAPES) abort();
    f->shape[i] = *p;
    f->times[i]++;
    if (i == f->shapes) f->shapes++;
}

static size_t larger(size_t a, int64_t rows, int64_t columns)
{
    const size_t b = (size_t)rows * (size_t)columns;
    return a > b ? a : b;
}

void floor_open(floor_work *f, const wgdn_model *m, const wgdn_graph *g, const wgdn_model_input *in)
{
    wgdn_tally t = {.each = note, .user = f};
    wgdn_error err;
    size_t room = 0;
    *f = (floor_work){.graph = g, .input = in, .last = wgdn_last_choice(m, in)};
    if (wgdn_step_tally(&t, m, in, &err)) abort();
    for (int i = 0; i < f->shapes; i++) {
        const wgdn_tally_product *p = &f->shape[i];
        const int64_t rows = p->n > in->features ? p->n : in->features;
        room = larger(larger(room, rows, p->m), rows > p->m ? rows : p->m, p->k);
    }
    f->a = wgdn_alloc_zero(room, sizeof *f->a);
    f->b = wgdn_alloc_zero(room, sizeof *f->b);
    f->c = wgdn_alloc_zero(room, sizeof *f->c);
    if (!f->a || !f->b || !f->c) abort();
}

void floor_close(floor_work *f)
{
    wgdn_release(f->c);
    wgdn_release(f->b);
    wgdn_release(f->a);
}

/* C = A B, or A^T B, a sum over n rows. */
static void multiply_dense(floor_work *f, const wgdn_tally_product *p)
{
    const bool sum = p->kind == WGDN_TALLY_DENSE_SUM;
    peer_gemm(&(wgdn_engine_product){.ta = sum,
                                     .m = sum ? p->k : p->n,
                                     .n = p->m,
                                     .k = sum ? p->n : p->k,
                                     .alpha = 1,
                                     .a = f->a,
                                     .lda = p->k,
                                     .b = f->b,
                                     .ldb = p->m,
                                     .c = f->c,
                                     .ldc = p->m});
}

static void multiply(floor_work *f, const wgdn_tally_product *p)
{
    wgdn_csr transposed = f->input->transposed;
    transposed.value = NULL;
    switch (p->kind) {
    case WGDN_TALLY_DENSE:
    case WGDN_TALLY_DENSE_SUM: multiply_dense(f, p); break;
    case WGDN_TALLY_LAPLACIAN: wgdn_spmm(f->c, &f->graph->adjacency, f->a, p->m); break;
    case WGDN_TALLY_FEATURES: wgdn_spmm(f->c, f->input->sparse, f->a, p->m); break;
    default: wgdn_spmm(f->c, &transposed, f->a, p->m); break;
    }
}

void floor_measure(floor_work *f)
{
    f->dense = f->sparse = f->cpu = 0;
    for (int i = 0; i < f->shapes; i++) {
        const wgdn_tally_product *p = &f->shape[i];
        const double start = seconds(), cpu = cpu_seconds();
        multiply(f, p);
        *(p->k ? &f->dense : &f->sparse) += f->times[i] * (seconds() - start);
        f->cpu += f->times[i] * (cpu_seconds() - cpu);
    }
}
