/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products, between dense.c, dense_tn.c and dense_bf16.c. */
#ifndef WGDN_DENSE_H
#define WGDN_DENSE_H

#include "engine.h"
#include "linalg.h"

/*
 * C = alpha A op(B) + beta C + column bias^T (column NULL: 1); a row of C depends on the same row
 * of A only. The bias is added while a block is in the cache.
 */
typedef struct wgdn_product {
    float *c;
    const float *a, *b;
    bool tb;
    wgdn_span n;
    int64_t k, m;
    float alpha, beta;
    const float *column, *bias;
    float *turned; /* room for B^T, or NULL */
} wgdn_product;

void wgdn_product_bias(const wgdn_product *p, int64_t first, int64_t count); /* of these rows */
bool wgdn_product_bf16(const wgdn_product *p, void *half);
size_t wgdn_product_bf16_work(wgdn_span n, int64_t k, int64_t m); /* bytes at half */

WGDN_MUST_CHECK wgdn_status wgdn_engine_failed(wgdn_error *err, const char *what, int64_t n,
                                               int64_t k, int64_t m);

/*
 * A leaf of A^T B: C (height x m) = A^T B over `count` rows of A (stride k) and B (m wide). In bf16
 * leaves have `rows` rows, the last one too: rows that are missing count as zeros, so that there
 * are few shapes. Opened by each thread, with room of its own.
 */
typedef struct wgdn_leaf_bf16 {
    void *a, *b;
    int64_t rows, m;
    int64_t height; /* of the shape that is open; 0: none is */
    wgdn_engine_bf16 engine;
} wgdn_leaf_bf16;

size_t wgdn_leaf_bf16_work(int64_t rows, int64_t height, int64_t m); /* bytes for a thread */
wgdn_leaf_bf16 wgdn_leaf_bf16_of(void *work, int64_t rows, int64_t height, int64_t m);
bool wgdn_leaf_bf16_make(wgdn_leaf_bf16 *l, float *c, const float *a, const float *b, int64_t count,
                         int64_t k, int64_t height);
void wgdn_leaf_bf16_close(wgdn_leaf_bf16 *l);

#endif
