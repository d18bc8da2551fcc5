/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the dense engine of engine.h on any CBLAS library, without bf16 units. dense.c calls
 * it when the library is built with -DWGDN_BLAS=cblas.
 */
#include "engine.h"
#include "linalg.h"

#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

const char wgdn_engine_name[] = "cblas";

/*
 * OpenBLAS starts threads when it is loaded, and ends the process where a limit on addresses forbids them. So it is loaded
 * at the first product, when the program has asked it for one thread; or it is linked, where its file is not known.
 *
 * CBLAS itself has no word for threads. The libraries that start some have one each; where the library has it, it is set
 * to use the calling thread only. That is a setting of that library for the whole process, which is one reason why oneDNN
 * is the first choice.
 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __typeof__(cblas_sgemm) *multiply;
static void (*set_openblas)(int threads);
static void (*set_blis)(int64_t threads);
static atomic_int buffers; /* that were checked to fit in the limit on addresses */
static bool in_turn;       /* one product at a time */

__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_parallel(void);
#ifdef __APPLE__ /* whose linker wants every name to be somewhere */
#define bli_thread_set_num_threads ((void (*)(int64_t))NULL)
#else
__attribute__((weak)) void bli_thread_set_num_threads(int64_t threads);
#endif

/* OpenBLAS without threads of its own hands the same buffer to two callers at once (seen in 0.3.21 of Debian). */
static void load_library(void)
{
    int (*parallel)(void);
#ifdef WGDN_HAVE_CBLAS
    *(void **)&multiply = wgdn_library_find(WGDN_HAVE_CBLAS, "cblas_sgemm");
    *(void **)&set_openblas = wgdn_library_find(WGDN_HAVE_CBLAS, "openblas_set_num_threads");
    *(void **)&set_blis = wgdn_library_find(WGDN_HAVE_CBLAS, "bli_thread_set_num_threads");
    *(void **)&parallel = wgdn_library_find(WGDN_HAVE_CBLAS, "openblas_get_parallel");
#else
    multiply = cblas_sgemm;
    set_openblas = openblas_set_num_threads;
    set_blis = bli_thread_set_num_threads;
    parallel = openblas_get_parallel;
#endif
    in_turn = parallel && parallel() == 0;
}

static int64_t room_for(int threads)
{
    return (int64_t)(threads - atomic_load(&buffers)) * WGDN_ENGINE_ROOM;
}

int64_t wgdn_engine_room(void)
{
    return room_for(omp_get_max_threads());
}

/* OpenBLAS maps a buffer for each thread that multiplies, and waits forever where it cannot. */
static bool have_room(void)
{
    const int threads = omp_get_num_threads();
    if (threads <= atomic_load(&buffers)) return true;
    pthread_mutex_lock(&lock);
    const bool good = wgdn_memory_can_map(room_for(threads));
    if (good && threads > atomic_load(&buffers)) atomic_store(&buffers, threads);
    pthread_mutex_unlock(&lock);
    return good;
}

void wgdn_engine_single_thread(void)
{
#pragma omp single
    {
        if (have_room()) pthread_once(&once, load_library);
        if (set_openblas) set_openblas(1);
        if (set_blis) set_blis(1);
    }
}

bool wgdn_engine_gemm(const wgdn_engine_product *p)
{
    const int64_t sizes[] = {p->m, p->n, p->k, p->lda, p->ldb, p->ldc};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > INT_MAX) return false;
    if (!have_room()) return false;
    pthread_once(&once, load_library);
    if (!multiply) return false;
    if (in_turn) pthread_mutex_lock(&lock);
    multiply(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans, p->tb ? CblasTrans : CblasNoTrans,
             (int)p->m, (int)p->n, (int)p->k, p->alpha, p->a, (int)p->lda, p->b, (int)p->ldb,
             p->beta, p->c, (int)p->ldc);
    if (in_turn) pthread_mutex_unlock(&lock);
    return true;
}

/* CBLAS has no bf16. */
const char *wgdn_engine_bf16_unit(void)
{
    return NULL;
}

bool wgdn_engine_bf16_open(wgdn_engine_bf16 *p, bool ta, bool tb, int64_t m, int64_t n, int64_t k,
                           size_t room)
{
    (void)p, (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)room;
    return false;
}

const uint16_t *wgdn_engine_bf16_pack(const wgdn_engine_bf16 *p, uint16_t *to, const uint16_t *b)
{
    (void)p, (void)to, (void)b;
    return NULL;
}

bool wgdn_engine_bf16_gemm(const wgdn_engine_bf16 *p, const uint16_t *a, const uint16_t *b,
                           float *c)
{
    (void)p, (void)a, (void)b, (void)c;
    return false;
}

void wgdn_engine_bf16_close(wgdn_engine_bf16 *p)
{
    (void)p;
}
