/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <dnnl.h>
#include <stdlib.h>

const char peer_engine_name[] = "onednn";

void peer_gemm(const wgdn_engine_product *p)
{
    if (dnnl_sgemm(p->ta ? 'T' : 'N', p->tb ? 'T' : 'N', p->m, p->n, p->k, p->alpha, p->a, p->lda,
                   p->b, p->ldb, p->beta, p->c, p->ldc) != dnnl_success)
        abort();
}
