/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that take or give an embedding, on the plain arrays that most tests have. */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include "check.h"

/* The vectors of all nodes, or of all graphs, copied. */
static inline wgdn_status embed_array(float *out, const wgdn_model *m, const wgdn_dataset *d,
                                      const wgdn_embed_options *o, wgdn_error *err)
{
    wgdn_embedding *e = NULL;
    const wgdn_status st = wgdn_model_embed(&e, m, d, o, err);
    if (st) return st;
    memcpy(out, wgdn_embedding_get_values(e),
           (size_t)(wgdn_embedding_rows(e) * wgdn_embedding_dim(e)) * sizeof *out);
    wgdn_embedding_free(e);
    return WGDN_OK;
}

static inline wgdn_embed_options embed_options(wgdn_task task, wgdn_pool pool, int threads)
{
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.task = task;
    o.pool = pool;
    o.threads = threads;
    return o;
}

/* The call with an embedding of its own, x being n x width with the ids of a dataset or none. */
#define WITH_EMBEDDING(x, n, width, ids_of, err, call)                                     \
    do {                                                                                   \
        wgdn_embedding *e = NULL;                                                          \
        wgdn_status st = wgdn_embedding_from_values(&e, (x), (n), (width), (ids_of), err); \
        if (!st) st = (call);                                                              \
        wgdn_embedding_free(e);                                                            \
        return st;                                                                         \
    } while (0)

static inline wgdn_status write_array(const wgdn_dataset *d, const char *path, const char *format,
                                      const float *x, int64_t width, wgdn_error *err)
{
    wgdn_write_options o;
    wgdn_write_options_init(&o);
    o.format = format;
    WITH_EMBEDDING(x, wgdn_dataset_nodes(d), width, d, err, wgdn_embedding_write(e, path, &o, err));
}

static inline wgdn_status probe_array(wgdn_probe_result *out, const wgdn_dataset *d, const float *x,
                                      int64_t width, const wgdn_eval_options *o, wgdn_error *err)
{
    WITH_EMBEDDING(x, wgdn_dataset_nodes(d), width, d, err,
                   wgdn_embedding_probe(out, e, d, o, err));
}

static inline wgdn_status classify_array(wgdn_svm_result *out, const wgdn_dataset *d,
                                         const float *x, int64_t width, const wgdn_eval_options *o,
                                         wgdn_error *err)
{
    WITH_EMBEDDING(x, wgdn_dataset_nodes(d), width, NULL, err,
                   wgdn_embedding_classify(out, e, d, o, err));
}

static inline wgdn_status cluster_array(wgdn_cluster_result *out, const wgdn_dataset *d,
                                        const float *x, int64_t width, const wgdn_eval_options *o,
                                        wgdn_error *err)
{
    WITH_EMBEDDING(x, wgdn_dataset_nodes(d), width, d, err,
                   wgdn_embedding_cluster(out, e, d, o, err));
}

static inline wgdn_status project_array(float *out, wgdn_projection_result *result, const float *x,
                                        int64_t n, int64_t width, const wgdn_projection_options *o,
                                        wgdn_error *err)
{
    WITH_EMBEDDING(x, n, width, NULL, err, wgdn_embedding_project(out, result, e, o, err));
}

#endif
