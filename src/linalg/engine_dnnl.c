/* SPDX-License-Identifier: Apache-2.0 */
/* oneDNN. dnnl_sgemm is the same call in oneDNN 2 and 3. */
#include "engine.h"
#include "linalg.h"

#include <dnnl.h>
#include <omp.h>

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

bool wgdn_engine_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, float alpha,
                      const float *a, int64_t lda, const float *b, int64_t ldb, float beta,
                      float *c, int64_t ldc)
{
    return dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, beta, c,
                      ldc) == dnnl_success;
}
