/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products, between dense.c, dense.c and dense_bf16.c. */
#ifndef WGDN_LINALG_DENSE_H
#define WGDN_LINALG_DENSE_H

#include "engine.h"
#include "linalg.h"

/* The bias of these rows, added while a block is in the cache. */
void wgdn_product_bias(const wgdn_product *p, int64_t first, int64_t count);
/* A B, or A B^T with tb: a row of C depends on the same row of A only. */
bool wgdn_product_bf16(const wgdn_product *p, bool tb);
size_t wgdn_product_bf16_work(wgdn_span n, int64_t k, int64_t m);

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
