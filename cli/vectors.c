/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <stdlib.h>

static int no_memory(int64_t n, int64_t width)
{
    complain("out of memory for %lld embeddings of dimension %lld", (long long)n, (long long)width);
    return DOES_NOT_FIT;
}

/* pool NULL: of nodes. */
static int embed(float **x, const wgdn_model *m, const wgdn_dataset *d, const wgdn_pool *pool,
                 int threads)
{
    const int64_t n = pool ? wgdn_dataset_graphs(d) : wgdn_dataset_nodes(d);
    const int64_t width = wgdn_model_dim(m);
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    *x = malloc((size_t)n * (size_t)width * sizeof **x);
    if (!*x) return no_memory(n, width);
    wgdn_compute_options_init(&o);
    o.threads = threads;
    const wgdn_status st = pool ? wgdn_model_embed_graphs(*x, m, d, *pool, &o, &err)
                                : wgdn_model_embed(*x, m, d, &o, &err);
    return st ? complain_status(st, &err) : DONE;
}

int vectors_embed(float **x, const wgdn_model *m, const wgdn_dataset *d, int threads)
{
    return embed(x, m, d, NULL, threads);
}

int vectors_embed_graphs(float **x, const wgdn_model *m, const wgdn_dataset *d, wgdn_pool pool,
                         int threads)
{
    return embed(x, m, d, &pool, threads);
}

int vectors_read(float **x, int64_t *width, const char *path, const wgdn_dataset *d)
{
    const int64_t n = wgdn_dataset_nodes(d);
    wgdn_embedding *e = NULL;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_status st = wgdn_embedding_read(&e, path, &err);
    if (st) return complain_status(st, &err);
    *width = wgdn_embedding_dim(e);
    *x = malloc((size_t)n * (size_t)*width * sizeof **x);
    if (*x) st = wgdn_embedding_match(*x, e, d, &err);
    wgdn_embedding_free(e);
    if (!*x) return no_memory(n, *width);
    return st ? complain_status(st, &err) : DONE;
}
