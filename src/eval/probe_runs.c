/* SPDX-License-Identifier: Apache-2.0 */
/* Linear probes of vectors, by the classifier that is asked for. */
#include "probe.h"

#include <math.h>

static const double small_step = 0x1p24; /* multiplications of a step */

/*
 * Sparse vectors are probed as they are, filtered on the way if so wished, where they lie in the
 * order of the nodes.
 */
static wgdn_status open_input(wgdn_probe_input *in, wgdn_vectors *v, const wgdn_embedding *e,
                              const wgdn_dataset *d, wgdn_error *err)
{
    bool same = e->transposed.offset != NULL;
    int64_t *row = NULL;
    wgdn_status st = same ? wgdn_vectors_in_order(&same, &row, e, d, err) : WGDN_OK;
    wgdn_release(row);
    *in = (wgdn_probe_input){.n = wgdn_dataset_nodes(d),
                             .width = wgdn_embedding_dim(e),
                             .classes = wgdn_dataset_classes(d)};
    if (!st && !same) {
        st = wgdn_vectors_open_for(v, e, d, err);
        in->dense = v->x;
    } else if (!st) {
        in->sparse = &e->vectors.sparse;
        in->transposed = &e->transposed;
        in->graph = e->graph;
        in->series = e->series;
        in->order = e->order;
    }
    return st;
}

static wgdn_status run(wgdn_probe_result *out, const wgdn_dataset *d, const wgdn_probe_input *in,
                       const wgdn_eval_options *o, wgdn_error *err)
{
    const wgdn_spread none = {NAN, NAN};
    wgdn_probe_result made;
    wgdn_result_ask(&made, out, sizeof made);
    made = (wgdn_probe_result){.each = made.each,
                               .classes = in->classes,
                               .source = wgdn_splits_source(d, o),
                               .test_selected = none,
                               .auc = none,
                               .few_shot = none,
                               .neighbours = none};
    if (in->classes < 2)
        return wgdn_fail(err, WGDN_EINVAL, "probe: the dataset has %lld classes; labels are needed",
                         (long long)in->classes);
    if (d->lists.offset && o->classifier == WGDN_CLASSIFIER_ADAM)
        return wgdn_fail(err, WGDN_EINVAL,
                         "probe: nodes have several labels, and the classifier adam takes one; "
                         "logistic takes several");
    /* A step of a small probe is over before a second thread is awake; results do not change. */
    const bool adam = o->classifier == WGDN_CLASSIFIER_ADAM;
    const double step = (double)in->n * (double)((in->dense ? in->width : 64) * in->classes);
    const int former = wgdn_threads_use(adam && step < small_step ? 1 : 0);
    const wgdn_status st = (adam ? wgdn_adam_runs : wgdn_logistic_runs)(&made, d, in, o, err);
    wgdn_threads_use(former);
    return st ? st : wgdn_result_give(out, &made, sizeof made, err);
}

wgdn_status wgdn_embedding_probe(wgdn_probe_result *out, const wgdn_embedding *e,
                                 const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_eval_options opt;
    wgdn_probe_input in;
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_eval_options_read(&opt, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = open_input(&in, &v, e, d, err);
    if (!st) st = run(out, d, &in, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st ? st : wgdn_dataset_unchanged(d, err);
}
