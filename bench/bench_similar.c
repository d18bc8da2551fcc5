/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact nearest neighbors: 1000 queries, the 10 best of 100000 rows of width 512, against the bare
 * dense product, which is the least that an exact search can do. One JSON object a line; medians.
 */
#include "linalg/linalg.h"
#include "timing.h"

enum { ROWS = 100000, WIDTH = 512, QUERIES = 1000, BEST = 10, ROUNDS = 3, CHUNK = 8192 };

typedef struct arena {
    float *x, *q, *score, *product;
    int64_t *index;
    wgdn_embedding *e, *queries;
} arena;

static void ours(void *context)
{
    const arena *a = context;
    if (wgdn_embedding_search(a->index, a->score, a->e, a->queries, BEST, WGDN_SIMILARITY_COSINE,
                              NULL, NULL))
        abort();
}

static void product(void *context)
{
    const arena *a = context;
    for (int64_t i = 0; i < ROWS; i += CHUNK) {
        const int64_t rows = ROWS - i < CHUNK ? ROWS - i : CHUNK;
        const wgdn_product p =
            wgdn_product_of(a->product, a->x + i * WIDTH, a->q, wgdn_alone(rows), WIDTH, QUERIES);
        if (wgdn_gemm_nt(&p, NULL)) abort();
    }
}

int main(void)
{
    arena a = {.x = wgdn_alloc((size_t)ROWS * WIDTH, sizeof(float)),
               .q = wgdn_alloc((size_t)QUERIES * WIDTH, sizeof(float)),
               .score = wgdn_alloc((size_t)QUERIES * BEST, sizeof(float)),
               .product = wgdn_alloc((size_t)CHUNK * QUERIES, sizeof(float)),
               .index = wgdn_alloc((size_t)QUERIES * BEST, sizeof(int64_t))};
    const wgdn_stream s = {.seed = 1};
    if (!a.x || !a.q || !a.score || !a.product || !a.index) abort();
    wgdn_random_normals(a.x, WIDTH, s, 0, ROWS, 0, WIDTH);
    wgdn_random_normals(a.q, WIDTH, s, ROWS, QUERIES, 0, WIDTH);
    if (wgdn_embedding_from_values(&a.e, a.x, ROWS, WIDTH, NULL, NULL) ||
        wgdn_embedding_from_values(&a.queries, a.q, QUERIES, WIDTH, NULL, NULL))
        abort();
    const duel d = {.name = "similar 1000 of 100000 x 512",
                    .peer = "dense product alone",
                    .ours = ours,
                    .theirs = product,
                    .context = &a,
                    .flops = 2.0 * ROWS * WIDTH * QUERIES,
                    .bytes = 4.0 * ROWS * WIDTH};
    fight(&d, ROUNDS);
    wgdn_embedding_free(a.queries);
    wgdn_embedding_free(a.e);
    wgdn_release(a.index);
    wgdn_release(a.product);
    wgdn_release(a.score);
    wgdn_release(a.q);
    wgdn_release(a.x);
    return EXIT_SUCCESS;
}
