/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the dense engine of engine.h on any CBLAS library, without bf16 units. dense.c calls
 * it when the library is built with -DWGDN_BLAS=cblas.
 */
#include "engine.h"
#include "linalg.h"

#include <cblas.h>
#include <limits.h>

const char wgdn_engine_name[] = "cblas";

/*
 * CBLAS itself has no word for threads. The libraries that start some have one each; where the
 * linked one does, it is set to use the calling thread only. That is a setting of that library
 * for the whole process, which is one reason why oneDNN is the first choice.
 */
__attribute__((weak)) void openblas_set_num_threads(int threads);
#ifdef __APPLE__ /* whose linker wants every name to be somewhere */
#define bli_thread_set_num_threads ((void (*)(int64_t))NULL)
#else
__attribute__((weak)) void bli_thread_set_num_threads(int64_t threads);
#endif

void wgdn_engine_single_thread(void)
{
#pragma omp single
    {
        if (openblas_set_num_threads) openblas_set_num_threads(1);
        if (bli_thread_set_num_threads) bli_thread_set_num_threads(1);
    }
}

bool wgdn_engine_gemm(const wgdn_engine_product *p)
{
    const int64_t sizes[] = {p->m, p->n, p->k, p->lda, p->ldb, p->ldc};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > INT_MAX) return false;
    cblas_sgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans, p->tb ? CblasTrans : CblasNoTrans,
                (int)p->m, (int)p->n, (int)p->k, p->alpha, p->a, (int)p->lda, p->b, (int)p->ldb,
                p->beta, p->c, (int)p->ldc);
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
