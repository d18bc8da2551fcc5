/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of the measurements. */
#ifndef WGDN_PEERS_H
#define WGDN_PEERS_H

#include "graph/graph.h"

void peer_begin(void); /* once, before anything else */

extern const char peer_engine_name[];

/* C (m x n) = op(A) op(B) by the engine's own call with its own threads. */
void peer_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
               const float *b, int64_t ldb, float *c, int64_t ldc);

/* C += A X by GraphBLAS, C full; NULL where GraphBLAS was not there at build time. */
typedef struct peer_spmm peer_spmm;
peer_spmm *peer_spmm_new(const wgdn_csr *a, const float *x, int64_t d);
void peer_spmm_run(peer_spmm *p);
void peer_spmm_free(peer_spmm *p);

#endif
