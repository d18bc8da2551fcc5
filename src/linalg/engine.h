/* SPDX-License-Identifier: Apache-2.0 */
/* What the dense engine must do: one product, on the calling thread alone. */
#ifndef WGDN_ENGINE_H
#define WGDN_ENGINE_H

#include "base/base.h"

/* Called once in each thread of a parallel region, before its products. */
void wgdn_engine_single_thread(void);

/* C (m x n) = alpha op(A) op(B) + beta C, row-major; 't' transposes. False when it failed. */
bool wgdn_engine_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, float alpha,
                      const float *a, int64_t lda, const float *b, int64_t ldb, float beta,
                      float *c, int64_t ldc);

#endif
