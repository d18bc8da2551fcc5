/* SPDX-License-Identifier: Apache-2.0 */
/* A packed dataset, whose labels, splits and edges judge some vectors: each evaluation there is. */
#include "fuzz_packed.h"

#include "data/embedding.h"
#include "eval/eval.h"

typedef wgdn_status judge(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                          wgdn_error *err);

static wgdn_status probe(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                         wgdn_error *err)
{
    wgdn_probe_result r = {.struct_size = sizeof r};
    return wgdn_embedding_probe(&r, e, d, o, err);
}

static wgdn_status probe_by_adam(const wgdn_embedding *e, const wgdn_dataset *d,
                                 wgdn_eval_options *o, wgdn_error *err)
{
    o->classifier = WGDN_CLASSIFIER_ADAM;
    o->steps = 2;
    return probe(e, d, o, err);
}

static wgdn_status classify(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                            wgdn_error *err)
{
    wgdn_svm_result r = {.struct_size = sizeof r};
    const wgdn_status st = wgdn_embedding_classify(&r, e, d, o, err);
    return st == WGDN_ENOSUPPORT ? WGDN_EINVAL : st;
}

static wgdn_status cluster(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                           wgdn_error *err)
{
    wgdn_cluster_result r = {.struct_size = sizeof r};
    return wgdn_embedding_cluster(&r, e, d, o, err);
}

static wgdn_status links(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                         wgdn_error *err)
{
    wgdn_links *l = NULL;
    wgdn_links_result r = {.struct_size = sizeof r};
    wgdn_status st = wgdn_links_from_dataset(&l, d, o, err);
    if (!st) st = wgdn_links_score(&r, l, e, o, err);
    wgdn_links_free(l);
    return st;
}

/* Each vector's nearest ones. */
static wgdn_status neighbors(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                             wgdn_error *err)
{
    int64_t index[FUZZ_NODES_MAX * 3];
    float score[FUZZ_NODES_MAX * 3];
    const float *x = wgdn_embedding_get_values(e);
    const wgdn_search s = {.x = x,
                           .n = wgdn_embedding_rows(e),
                           .width = wgdn_embedding_dim(e),
                           .query = x,
                           .queries = wgdn_embedding_rows(e),
                           .k = wgdn_embedding_rows(e) < 3 ? 1 : 3,
                           .cosine = true};
    (void)d, (void)o;
    return wgdn_search_rows(index, score, &s, err);
}

static wgdn_status baseline(const wgdn_embedding *e, const wgdn_dataset *d, wgdn_eval_options *o,
                            wgdn_error *err)
{
    wgdn_embedding *raw = NULL;
    wgdn_train_options t;
    (void)e;
    wgdn_train_options_init(&t);
    t.dim = 4;
    t.structural_dim = 4;
    const bool graphs = wgdn_dataset_graphs(d) > 1;
    wgdn_status st = wgdn_embedding_from_baseline(
        &raw, d, graphs ? WGDN_BASELINE_SUBTREES : WGDN_BASELINE_RAW, &t, err);
    if (!st && !graphs) st = probe_by_adam(raw, d, o, err);
    wgdn_embedding_free(raw);
    return st;
}

/* Vectors of the nodes, three numbers each, that differ. */
static wgdn_status vectors(wgdn_embedding **out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_status st = wgdn_embedding_new(out, wgdn_dataset_nodes(d), 3, NULL, err);
    if (st) return st;
    float *x = (*out)->vectors.dense;
    for (int64_t i = 0; i < 3 * wgdn_dataset_nodes(d); i++)
        x[i] = (float)(i * 37 % 101) - 50;
    (*out)->of = d;
    return WGDN_OK;
}

static wgdn_status use(const wgdn_dataset *d, unsigned way, wgdn_error *err)
{
    static judge *const all[] = {probe, probe_by_adam, classify, cluster,
                                 links, neighbors,     baseline};
    enum { JUDGES = sizeof all / sizeof *all };
    wgdn_embedding *e = NULL;
    wgdn_dataset *whole = NULL;
    wgdn_eval_options o;
    wgdn_eval_options_init(&o);
    o.runs = 1;
    o.folds = 3;
    o.restarts = 1;
    o.splits = (wgdn_splits)(way / JUDGES % 5);
    wgdn_status st = WGDN_OK;
    if (wgdn_dataset_graphs(d) > 1 && way / 64 % 2) st = wgdn_dataset_from_graphs(&whole, d, err);
    const wgdn_dataset *judged = whole ? whole : d;
    if (!st) st = vectors(&e, judged, err);
    if (!st) st = all[way % JUDGES](e, judged, &o, err);
    wgdn_embedding_free(e);
    wgdn_dataset_free(whole);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_packed(use, data, size);
    return 0;
}
