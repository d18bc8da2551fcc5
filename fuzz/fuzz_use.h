/* SPDX-License-Identifier: Apache-2.0 */
/* For targets that use what was read: small limits, a small graph, and what may be refused. */
#ifndef WGDN_FUZZ_USE_H
#define WGDN_FUZZ_USE_H

#include "fuzz.h"

#include "data/dataset.h"
#include "formats/packed.h"
#include "model/model.h"

#include <string.h>

enum {
    FUZZ_NODES_MAX = 32,
    FUZZ_COLUMNS_MAX = 64,
    FUZZ_BLOCK_MAX = 1 << 24, /* bytes that are had at once: who asks for more is told so */
};

/* Large blocks are out of memory, so that a size of 2^31 costs nothing. Live blocks so far. */
static inline int64_t fuzz_use_begin(void)
{
    wgdn_alloc_limit(FUZZ_BLOCK_MAX);
    (void)wgdn_threads_use(1);
    return wgdn_alloc_live();
}

/* All is well, or there is a reason that a file may give. */
static inline bool fuzz_refuses(wgdn_status st, const wgdn_error *err)
{
    if (st && !err->message[0]) return false;
    return st == WGDN_OK || st == WGDN_EFORMAT || st == WGDN_ERANGE || st == WGDN_EINVAL ||
           st == WGDN_ENOMEM || st == WGDN_ENUMBER || st == WGDN_EHEALTH || st == WGDN_ESTOPPED;
}

/* Embed a dataset and read every vector. */
static inline wgdn_status fuzz_embed(const wgdn_model *m, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_embedding *e = NULL;
    wgdn_model_info i = {.struct_size = sizeof i};
    const wgdn_status st = wgdn_model_embed(&e, m, d, NULL, err);
    if (!st) {
        wgdn_model_describe(&i, m);
        FUZZ_EXPECT(wgdn_embedding_dim(e) == i.dim);
        fuzz_touch(wgdn_embedding_get_values(e),
                   (size_t)(wgdn_embedding_rows(e) * i.dim) * sizeof(float));
    }
    wgdn_embedding_free(e);
    return st;
}

/* A number that depends on all of the input: which way it is used. */
static inline unsigned fuzz_way(const uint8_t *data, size_t size)
{
    unsigned way = 2166136261u;
    for (size_t i = 0; i < size; i++)
        way = (way ^ data[i]) * 16777619u;
    return way >> 8;
}

/* Whether a model is made for sets of graphs. */
static inline bool fuzz_ring_graphs(const wgdn_model *m)
{
    return m->fitted ? m->fitted->graphs != NULL : m->options.task == WGDN_TASK_GRAPH;
}

/* Two rings of three nodes: one graph, or two. With so many columns of features. */
static inline wgdn_dataset *fuzz_ring(int64_t features, bool graphs)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 0, 4, 5, 3},
                         start[] = {0, 3, 6};
    static const int32_t label[] = {0, 1, 0, 1, 0, 1};
    float x[6 * FUZZ_COLUMNS_MAX];
    for (int i = 0; i < 6 * FUZZ_COLUMNS_MAX; i++)
        x[i] = (float)(i * 7 % 11) - 3;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = 6,
                                   .edges = 6,
                                   .source = from,
                                   .target = to,
                                   .features = features,
                                   .dense = features ? x : NULL,
                                   .label = label,
                                   .graphs = graphs ? 2 : 0,
                                   .graph_start = graphs ? start : NULL};
    wgdn_dataset *d = NULL;
    FUZZ_EXPECT(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

#endif
