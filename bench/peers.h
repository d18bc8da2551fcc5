/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of the measurements. */
#ifndef WGDN_PEERS_H
#define WGDN_PEERS_H

#include "graph/graph.h"
#include "linalg/engine.h"

void peer_begin(void); /* once, before anything else */

extern const char peer_engine_name[];

/* C = op(A) op(B) by the engine's own call with its own threads. */
void peer_gemm(const wgdn_engine_product *p);

/* C += A X by GraphBLAS, C full; NULL where GraphBLAS was not there at build time. */
typedef struct peer_spmm peer_spmm;
peer_spmm *peer_spmm_new(const wgdn_csr *a, const float *x, int64_t d);
void peer_spmm_run(peer_spmm *p);
void peer_spmm_free(peer_spmm *p);

#endif
