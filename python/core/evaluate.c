/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation. Each call evaluates vectors, or a baseline if there are none. */
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SCORE = 100 }; /* numbers of baselines from here on are scores of links */

/* The arguments that the three calls have in common. */
typedef struct request {
    const wgdn_dataset *d;
    core_buffer x;
    int64_t dim;
    int baseline; /* if x is None */
    wgdn_train_options model;
    wgdn_fit_options fit; /* of links, where `fits` */
    int fits;             /* 1: the closed form is fitted anew, 0: a model is trained */
    wgdn_eval_options o;
    core_call call;
} request;

static int watch_training(void *user, const wgdn_progress *p)
{
    return core_watch(user, p->epoch, p->epochs);
}

/* The GIL is released from here to finish(). */
static void start(request *r)
{
    r->o.progress = core_watch;
    r->o.progress_user = &r->call;
    core_begin(&r->call, "evaluate");
}

/* 0, or an exception is set. */
static int finish(PyObject *module, request *r, wgdn_status st, const wgdn_error *err)
{
    core_end(&r->call);
    core_return(&r->x);
    if (PyErr_Occurred()) return -1; /* the signal handler's own */
    if (st) core_fail(module, st, err);
    return st ? -1 : 0;
}

static int read_request(request *r, PyObject *module, PyObject *args)
{
    PyObject *capsule, *array, *model, *options, *fit = Py_None;
    long long dim;
    if (!PyArg_ParseTuple(args, "OOLiO!O!|O", &capsule, &array, &dim, &r->baseline, &PyDict_Type,
                          &model, &PyDict_Type, &options, &fit))
        return -1;
    r->fits = fit != Py_None;
    if (r->fits && core_options(module, WGDN_OPTIONS_KIND_FIT, &r->fit, sizeof r->fit, fit))
        return -1;
    r->d = core_get_dataset(capsule);
    if (!r->d || core_options(module, WGDN_OPTIONS_KIND_TRAIN, &r->model, sizeof r->model, model) ||
        core_options(module, WGDN_OPTIONS_KIND_EVAL, &r->o, sizeof r->o, options))
        return -1;
    r->dim = dim;
    if (r->baseline >= 0) r->model.task = WGDN_TASK_NODE;
    return core_borrow(&r->x, array, "vectors", CORE_FLOAT, wgdn_dataset_nodes(r->d) * dim);
}

/* Vectors to evaluate: the given ones, or a baseline of the dataset. */
static wgdn_status find_vectors(wgdn_embedding **e, const request *r, wgdn_error *err)
{
    if (r->x.data)
        return wgdn_embedding_from_values(e, r->x.data, wgdn_dataset_nodes(r->d), r->dim, r->d,
                                          err);
    return wgdn_embedding_from_baseline(e, r->d, (wgdn_baseline)r->baseline, &r->model, err);
}

/* Mean and deviation under two names; what is not there is left out. */
static int put_spread(PyObject *dict, const char *name, wgdn_spread s)
{
    static const char *const suffix[] = {"mean", "std"};
    const double value[] = {s.mean, s.deviation};
    for (int k = 0; k < 2 && !isnan(s.mean); k++) {
        char key[64];
        snprintf(key, sizeof key, "%s_%s", name, suffix[k]);
        PyObject *number = PyFloat_FromDouble(value[k]);
        const int failed = !number || PyDict_SetItemString(dict, key, number);
        Py_XDECREF(number);
        if (failed) return -1;
    }
    return 0;
}

static PyObject *probe_row(const wgdn_probe_result *p, wgdn_classifier classifier)
{
    static const char *const sources[] = {"auto",       "dataset", "paper",
                                          "stratified", "random",  "stratified-random"};
    const int adam = classifier == WGDN_CLASSIFIER_ADAM;
    PyObject *row = Py_BuildValue(
        "{sisssisLsLsLsssisi}", "runs", p->runs, "splits", sources[p->source], "distinct_splits",
        p->splits, "train", (long long)p->train, "val", (long long)p->val, "test",
        (long long)p->test, p->numeric ? "regression" : "classifier",
        p->numeric ? "ridge"
        : adam     ? "adam"
                   : "logistic",
        "few_shot_draws", p->few_shot_draws, "knn_splits", p->neighbor_splits);
    if (!row) return NULL;
    const struct {
        const char *name;
        wgdn_spread s;
    } list[] = {{"accuracy", p->validation_selected},
                {"auc", p->auc},
                {"macro_f1", p->f1},
                {"r2", p->r2},
                {"spearman", p->spearman},
                {"few_shot", p->few_shot},
                {"knn", p->neighbors},
                {"test_selected", p->test_selected}};
    int failed = p->multi_label ? put_spread(row, "micro_f1", p->micro_f1) : 0;
    if (adam && !p->numeric)
        failed = put_spread(row, "validation_selected", p->validation_selected);
    for (size_t i = 0; i < sizeof list / sizeof *list && !failed; i++)
        failed = put_spread(row, list[i].name, list[i].s);
    if (!failed) return row;
    Py_DECREF(row);
    return NULL;
}

PyObject *core_probe(PyObject *module, PyObject *args)
{
    wgdn_probe_result p = {.struct_size = sizeof p};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    request r = {0};
    if (read_request(&r, module, args)) {
        core_return(&r.x);
        return NULL;
    }
    start(&r);
    wgdn_status st = find_vectors(&e, &r, &err);
    if (!st) st = wgdn_embedding_probe(&p, e, r.d, &r.o, &err);
    wgdn_embedding_free(e);
    if (finish(module, &r, st, &err)) return NULL;
    return probe_row(&p, r.o.classifier);
}

PyObject *core_cluster(PyObject *module, PyObject *args)
{
    wgdn_cluster_result c = {.struct_size = sizeof c};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    request r = {0};
    if (read_request(&r, module, args)) {
        core_return(&r.x);
        return NULL;
    }
    start(&r);
    wgdn_status st = find_vectors(&e, &r, &err);
    if (!st) st = wgdn_embedding_cluster(&c, e, r.d, &r.o, &err);
    wgdn_embedding_free(e);
    if (finish(module, &r, st, &err)) return NULL;
    return Py_BuildValue("{sdsdsdsdsdsdsdsLsi}", "nmi", c.nmi, "ari", c.ari, "inertia", c.inertia,
                         "nmi_mean", c.nmi_spread.mean, "nmi_std", c.nmi_spread.deviation,
                         "ari_mean", c.ari_spread.mean, "ari_std", c.ari_spread.deviation,
                         "clusters", (long long)c.clusters, "restarts", c.restarts);
}

/* Embeddings of a model that is made again without the test edges. */
static wgdn_status make_again(wgdn_embedding **e, request *r, wgdn_error *err)
{
    wgdn_embed_options o;
    wgdn_model *m = NULL;
    wgdn_embed_options_init(&o);
    o.task = WGDN_TASK_NODE;
    o.threads = r->model.threads;
    const wgdn_train_run run = {
        .struct_size = sizeof run, .progress = watch_training, .progress_user = &r->call};
    wgdn_status st;
    if (r->fits) {
        r->fit.keep = 1;
        r->fit.progress = core_watch;
        r->fit.progress_user = &r->call;
        st = wgdn_model_fit(&m, r->d, &r->fit, err);
    } else {
        st = wgdn_model_train(&m, r->d, &r->model, &run, err);
    }
    if (!st) st = wgdn_model_embed(e, m, r->d, &o, err);
    wgdn_model_free(m);
    return st;
}

static wgdn_status score_links(wgdn_links_result *out, request *r, wgdn_error *err)
{
    wgdn_links *l = NULL;
    wgdn_embedding *e = NULL;
    wgdn_status st = wgdn_links_from_dataset(&l, r->d, &r->o, err);
    if (!st) r->d = wgdn_links_get_dataset(l);
    if (!st && r->baseline >= FIRST_SCORE) {
        st = wgdn_links_score_graph(out, l, (wgdn_link_score)(r->baseline - FIRST_SCORE), &r->o,
                                    err);
        wgdn_links_free(l);
        return st;
    }
    if (!st) st = r->baseline < 0 ? make_again(&e, r, err) : find_vectors(&e, r, err);
    if (!st) st = wgdn_links_score(out, l, e, &r->o, err);
    wgdn_embedding_free(e);
    wgdn_links_free(l);
    return st;
}

PyObject *core_links(PyObject *module, PyObject *args)
{
    wgdn_links_result l = {.struct_size = sizeof l};
    wgdn_error err = {WGDN_OK, ""};
    request r = {0};
    const int failed = read_request(&r, module, args);
    core_return(&r.x); /* None: embeddings must be trained without the test edges */
    if (failed) return NULL;
    start(&r);
    const wgdn_status st = score_links(&l, &r, &err);
    if (finish(module, &r, st, &err)) return NULL;
    return Py_BuildValue("{sdsdsL}", "auc", l.auc, "average_precision", l.average_precision,
                         "test_edges", (long long)l.test_edges);
}

/* (number, name) of each baseline that fits a dataset and a task. */
PyObject *core_baselines(PyObject *module, PyObject *args)
{
    enum {
        DENSE_MAX = 4096
    }; /* nodes whose adjacency matrix may be filled in, as in the program */
    PyObject *capsule, *list;
    const char *task;
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &task)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    const int links = strcmp(task, "links") == 0;
    list = PyList_New(0);
    for (int b = 0; list && b <= WGDN_BASELINE_ADJACENCY; b++) {
        const int structural = b == WGDN_BASELINE_DEGREE || b == WGDN_BASELINE_ADJACENCY;
        const int wide = b == WGDN_BASELINE_ADJACENCY && wgdn_dataset_nodes(d) > DENSE_MAX;
        if (!wgdn_baseline_fits((wgdn_baseline)b, d, WGDN_TASK_NODE)) continue;
        if ((structural && links) || (wide && strcmp(task, "probe") != 0)) continue;
        PyObject *one =
            Py_BuildValue("is", b, wgdn_baseline_name((wgdn_baseline)b, WGDN_TASK_NODE));
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    for (int k = 0; list && links && wgdn_link_score_name((wgdn_link_score)k); k++) {
        PyObject *one =
            Py_BuildValue("is", FIRST_SCORE + k, wgdn_link_score_name((wgdn_link_score)k));
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}
