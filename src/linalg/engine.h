/* SPDX-License-Identifier: Apache-2.0 */
/* What the dense engine must do: one product, on the calling thread alone. */
#ifndef WGDN_LINALG_ENGINE_H
#define WGDN_LINALG_ENGINE_H

#include "base/base.h"

enum { WGDN_ENGINE_ROOM = 48 << 20 }; /* bytes that it maps for code and for packed factors */
int64_t wgdn_engine_room(void);       /* bytes that it has yet to map */

/* Called once in each thread of a parallel region, before its products. */
void wgdn_engine_single_thread(void);

/* C (m x n) = alpha op(A) op(B) + beta C, row-major, rows ld apart; 't' transposes. */
typedef struct wgdn_engine_product {
    bool ta, tb;
    int64_t m, n, k;
    float alpha, beta;
    const float *a, *b;
    float *c;
    int64_t lda, ldb, ldc;
} wgdn_engine_product;

bool wgdn_engine_gemm(const wgdn_engine_product *p); /* false when it failed */

/*
 * The same with factors in bf16 and sums in fp32, for engines that have it: prepared for one shape
 * by the thread that will use it. C = op(A) B, all without gaps between rows.
 */
typedef struct wgdn_engine_bf16 {
    void *engine, *stream, *about, *product, *a, *b, *c; /* the engine's own */
    bool tb, packs;
    int64_t n, k;
} wgdn_engine_bf16;

const char *wgdn_engine_bf16_unit(void); /* "amx", "avx512", or NULL: there is none */

/*
 * room: bytes for B in an order of the engine's own, which is faster where B is used many times; 0:
 * it is taken as it is. False when it failed; nothing is left open then.
 */
bool wgdn_engine_bf16_open(wgdn_engine_bf16 *p, bool ta, bool tb, int64_t m, int64_t n, int64_t k,
                           size_t room);
/* B as the product wants it: b itself, or made at `to`; NULL when it failed. */
const uint16_t *wgdn_engine_bf16_pack(const wgdn_engine_bf16 *p, uint16_t *to, const uint16_t *b);
bool wgdn_engine_bf16_gemm(const wgdn_engine_bf16 *p, const uint16_t *a, const uint16_t *b,
                           float *c);
void wgdn_engine_bf16_close(wgdn_engine_bf16 *p);

#endif
