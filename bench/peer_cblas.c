/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <cblas.h>

const char peer_engine_name[] = "cblas";

void peer_gemm(const wgdn_engine_product *p)
{
    cblas_sgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans, p->tb ? CblasTrans : CblasNoTrans,
                (int)p->m, (int)p->n, (int)p->k, p->alpha, p->a, (int)p->lda, p->b, (int)p->ldb,
                p->beta, p->c, (int)p->ldc);
}
