/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <dnnl.h>
#include <stdlib.h>

const char peer_engine_name[] = "onednn";

void peer_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
               const float *b, int64_t ldb, float *c, int64_t ldc)
{
    if (dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', m, n, k, 1, a, lda, b, ldb, 0, c, ldc) !=
        dnnl_success)
        abort();
}
