/* SPDX-License-Identifier: Apache-2.0 */
/* oneDNN. dnnl_sgemm is the same call in oneDNN 2 and 3. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "engine_dnnl.h"
#include "engine.h"
#include "linalg.h"

#include <dnnl.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

const char wgdn_engine_name[] = "onednn";

/*
 * oneDNN takes one thread inside a parallel region, but a region that happens to have a single
 * thread does not count as one. The setting below belongs to the implicit task, so it ends with
 * the region.
 */
void wgdn_engine_single_thread(void)
{
    omp_set_num_threads(1);
}

/*
 * oneDNN's AVX-512 kernels for A B and A^T B point the stack pointer into a heap block of their own
 * (seen in 2.6.3). A signal handler that came then would write its frame over the heap: one in
 * sixteen runs that were ended by SIGTERM died of it. So signals that can wait do wait, for the
 * thread that is in the product; the two system calls cost less than a microsecond.
 */
void wgdn_engine_hold_signals(sigset_t *former)
{
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t waiting;
    sigfillset(&waiting);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
        sigdelset(&waiting, at_once[i]);
    pthread_sigmask(SIG_BLOCK, &waiting, former);
}

void wgdn_engine_let_signals(const sigset_t *former)
{
    pthread_sigmask(SIG_SETMASK, former, NULL);
}

static bool gemm(const wgdn_engine_product *p)
{
    sigset_t former;
    wgdn_engine_hold_signals(&former);
    const dnnl_status_t st =
        dnnl_sgemm(p->ta ? 'T' : 'N', p->tb ? 'T' : 'N', p->m, p->n, p->k, p->alpha, p->a, p->lda,
                   p->b, p->ldb, p->beta, p->c, p->ldc);
    wgdn_engine_let_signals(&former);
    return st == dnnl_success;
}

/*
 * The first products make oneDNN write its code: some 30000 calls of `new`, whose failure ends the
 * process, and pages for code, whose absence is a fault. So they are done here, once, with a reserve
 * behind them, on shapes that take each of its paths.
 */
static bool warm_up(void)
{
    enum { SIDE = 64, RESERVE = 32 << 20 };
    static const int64_t sides[] = {1, 5, SIDE};
    static float zero[3 * SIDE * SIDE];
    bool good = wgdn_memory_can_map(WGDN_ENGINE_ROOM) && wgdn_reserve_open(RESERVE);
    if (!good) return false;
    for (int i = 0; good && i < 4 * 9; i++) {
        wgdn_engine_product p = {.ta = i & 1, .tb = i & 2, .alpha = 1, .a = zero};
        p.m = sides[i / 4 % 3];
        p.n = sides[i / 12];
        p.k = SIDE;
        p.lda = p.ldb = p.ldc = SIDE;
        p.b = zero + (ptrdiff_t)SIDE * SIDE;
        p.c = zero + (ptrdiff_t)2 * SIDE * SIDE;
        good = gemm(&p);
    }
    wgdn_reserve_close();
    return good;
}

bool wgdn_engine_gemm(const wgdn_engine_product *p)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_bool warm;
    if (!atomic_load_explicit(&warm, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&warm)) atomic_store(&warm, warm_up());
        pthread_mutex_unlock(&lock);
        if (!atomic_load(&warm)) return false;
    }
    return gemm(p);
}
