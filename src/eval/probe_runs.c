/* SPDX-License-Identifier: Apache-2.0 */
/* Linear probes of vectors, by the classifier that is asked for. */
#include "probe.h"

#include <math.h>
#include <stdio.h>

static const double small_step = 0x1p24; /* multiplications of a step */

/*
 * Sparse vectors are probed as they are, filtered on the way if so wished, where they lie in the
 * order of the nodes.
 */
static wgdn_status open_input(wgdn_probe_input *in, wgdn_vectors *v, const wgdn_embedding *e,
                              const wgdn_dataset *d, bool dense, wgdn_error *err)
{
    bool same = e->transposed.offset != NULL && !dense;
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

/* Labels that say nothing, or of which nothing can be learned and tested. */
static wgdn_status check_labels(const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    enum { LEAST = 3 };
    const wgdn_splits source = wgdn_splits_source(d, o);
    const bool drawn = source != WGDN_SPLITS_DATASET && source != WGDN_SPLITS_PAPER;
    int64_t labels = 0, different = 0;
    int32_t first = -1, class = 0;
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        if (label < 0) continue;
        if (labels++ == 0) first = label;
        different += label != first;
    }
    if (labels == 0) return wgdn_fail(err, WGDN_EINVAL, "no node has a label");
    if (different == 0 && !d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         labels == 1 ? "there is only one label; at least two classes are needed"
                                     : "all %lld labels are equal; at least two classes are needed",
                         (long long)labels);
    if (!drawn || wgdn_dataset_classes(d) != 2 || d->lists.offset) return WGDN_OK;
    const int64_t rarest = wgdn_rarest_class(&labels, &class, d);
    if (rarest >= LEAST) return WGDN_OK;
    char digits[WGDN_INDEX_TEXT];
    const int size = snprintf(digits, sizeof digits, "%d", class);
    const wgdn_text name = d->class_names.count > class ? wgdn_names_get(&d->class_names, class)
                                                        : wgdn_text_of(digits, (size_t)size);
    return wgdn_fail(err, WGDN_EINVAL,
                     "%lld of the %lld labels %s %s; at least %d are needed, one each to train, "
                     "to validate and to test",
                     (long long)rarest, (long long)labels, rarest == 1 ? "is" : "are",
                     wgdn_show(name).text, LEAST);
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
                               .validation_selected = none,
                               .test_selected = none,
                               .f1 = none,
                               .micro_f1 = none,
                               .auc = none,
                               .few_shot = none,
                               .neighbours = none,
                               .r2 = none,
                               .spearman = none};
    if (wgdn_eval_numeric(d, o)) {
        const wgdn_vectors v = {.n = in->n, .width = in->width, .x = in->dense};
        const wgdn_status st = wgdn_ridge_runs(&made, d, &v, o, err);
        return st ? st : wgdn_result_give(out, &made, sizeof made, err);
    }
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
    st = check_labels(d, &opt, err);
    if (!st) st = open_input(&in, &v, e, d, wgdn_eval_numeric(d, &opt), err);
    if (!st) st = run(out, d, &in, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st ? st : wgdn_dataset_unchanged(d, err);
}
