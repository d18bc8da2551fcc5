/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions and clusters. The GIL is released meanwhile. */
#include "core.h"

#include <math.h>
#include <string.h>

static const char *const handle = "wgdn.predictor";
enum { NAME = 32 };

static void destroy(PyObject *capsule)
{
    wgdn_predictor_free(PyCapsule_GetPointer(capsule, handle));
}

static PyObject *enclose(wgdn_predictor *p)
{
    PyObject *capsule = PyCapsule_New(p, handle, destroy);
    if (!capsule) wgdn_predictor_free(p);
    return capsule;
}

/* Vectors of the nodes of a dataset; they have to be returned also after a failure. */
static int borrow_vectors(core_buffer *x, PyObject *array, const wgdn_dataset *d, long long dim)
{
    return d ? core_borrow(x, array, "vectors", CORE_FLOAT, wgdn_dataset_nodes(d) * dim) : -1;
}

/* A number, unless it is not there. */
static int put_number(PyObject *dict, const char *key, double value)
{
    return isnan(value) ? 0 : core_put(dict, key, PyFloat_FromDouble(value));
}

static PyObject *report_of(const wgdn_predictor *p)
{
    static const char *const kinds[] = {"class", "several", "number"};
    wgdn_predict_report r;
    enum { METHODS = sizeof r.method_score / sizeof *r.method_score };
    wgdn_predict_report_init(&r);
    wgdn_predictor_describe(&r, p);
    PyObject *dict =
        Py_BuildValue("{sssisisLsLsLsd}", "kind", kinds[r.kind], "method", (int)r.method, "folds",
                      r.folds, "labeled", (long long)r.labeled, "classes", (long long)r.classes,
                      "positive", (long long)r.positive, "baseline", r.baseline);
    const struct {
        const char *name;
        double value;
    } list[] = {{"accuracy", r.accuracy},
                {"macro_f1", r.macro_f1},
                {"micro_f1", r.micro_f1},
                {"auc", r.auc},
                {"average_precision", r.average_precision},
                {"log_loss", r.log_loss},
                {"ece", r.ece},
                {"r2", r.r2},
                {"error", r.error}};
    int failed = !dict || (r.kind == WGDN_PREDICT_KIND_SEVERAL &&
                           put_number(dict, "threshold", r.threshold));
    for (size_t i = 0; i < sizeof list / sizeof *list && !failed; i++)
        failed = put_number(dict, list[i].name, list[i].value);
    PyObject *scores = failed ? NULL : PyList_New(METHODS);
    for (int k = 0; k < METHODS && scores; k++) {
        PyObject *score = PyFloat_FromDouble(k ? r.method_score[k] : NAN);
        if (!score || PyList_SetItem(scores, k, score)) Py_CLEAR(scores);
    }
    if (scores && !core_put(dict, "methods", scores)) return dict;
    Py_XDECREF(dict);
    return NULL;
}

PyObject *core_predictor_fit(PyObject *module, PyObject *args)
{
    wgdn_predict_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_predictor *p = NULL;
    wgdn_embedding *e = NULL;
    core_buffer x = {0};
    core_call call;
    PyObject *capsule, *array, *options;
    long long dim;
    if (!PyArg_ParseTuple(args, "OOLO!", &capsule, &array, &dim, &PyDict_Type, &options))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_PREDICT, &o, sizeof o, options)) return NULL;
    if (borrow_vectors(&x, array, d, dim)) return NULL;
    o.progress = core_watch;
    o.progress_user = &call;
    core_begin(&call, "predict");
    wgdn_status st = wgdn_embedding_from_values(&e, x.data, wgdn_dataset_nodes(d), dim, NULL, &err);
    if (!st) st = wgdn_predictor_fit(&p, e, d, &o, &err);
    wgdn_embedding_free(e);
    core_end(&call);
    core_return(&x);
    return st ? core_fail(module, st, &err) : enclose(p);
}

PyObject *core_predictor_report(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_predictor *p = PyCapsule_GetPointer(capsule, handle);
    return p ? report_of(p) : NULL;
}

PyObject *core_predictor_classes(PyObject *module, PyObject *args)
{
    PyObject *capsule, *list;
    const char *name;
    size_t size;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_predictor *p = PyCapsule_GetPointer(capsule, handle);
    list = p ? PyList_New(0) : NULL;
    for (int64_t c = 0; list && (name = wgdn_predictor_get_class_name(&size, p, c)); c++) {
        PyObject *text = core_text(name, (Py_ssize_t)size);
        if (!text || PyList_Append(list, text)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

PyObject *core_predictor_apply(PyObject *module, PyObject *args)
{
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    core_buffer x = {0}, out = {0};
    core_call call;
    PyObject *predictor, *capsule, *array, *to;
    long long dim, columns;
    wgdn_compute_options_init(&o);
    if (!PyArg_ParseTuple(args, "OOOLOLi", &predictor, &capsule, &array, &dim, &to, &columns,
                          &o.threads))
        return NULL;
    const wgdn_predictor *p = PyCapsule_GetPointer(predictor, handle);
    const wgdn_dataset *d = p ? core_get_dataset(capsule) : NULL;
    wgdn_status st = WGDN_OK;
    const int failed =
        borrow_vectors(&x, array, d, dim) ||
        core_borrow_out(&out, to, "values", CORE_FLOAT, wgdn_dataset_nodes(d) * columns);
    if (!failed) {
        core_begin(&call, "predict");
        st = wgdn_embedding_from_values(&e, x.data, wgdn_dataset_nodes(d), dim, NULL, &err);
        if (!st) st = wgdn_predictor_apply(out.data, NULL, p, e, d, &o, &err);
        wgdn_embedding_free(e);
        core_end(&call);
    }
    core_return(&out);
    core_return(&x);
    return failed ? NULL : core_done(module, st, &err);
}

PyObject *core_predictor_save(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *predictor, *model, *path = NULL;
    if (!PyArg_ParseTuple(args, "OOO&", &predictor, &model, PyUnicode_FSConverter, &path))
        return NULL;
    const wgdn_predictor *p = PyCapsule_GetPointer(predictor, handle);
    const wgdn_model *m = p ? core_get_model(model) : NULL;
    const wgdn_status st = m ? wgdn_predictor_save(p, m, PyBytes_AsString(path), &err) : WGDN_OK;
    Py_DECREF(path);
    return m ? core_done(module, st, &err) : NULL;
}

PyObject *core_predictor_load(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_predictor *p = NULL;
    wgdn_model *m = NULL;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
    const wgdn_status st = wgdn_predictor_load(&p, &m, PyBytes_AsString(path), &err);
    Py_DECREF(path);
    if (st) return core_fail(module, st, &err);
    PyObject *predictor = enclose(p), *model = core_enclose_model(m);
    if (predictor && model) return Py_BuildValue("(NN)", predictor, model);
    Py_XDECREF(predictor);
    Py_XDECREF(model);
    return NULL;
}

/* ---- clusters ---- */

static PyObject *clusters_report(const wgdn_clusters *c)
{
    wgdn_clusters_report r;
    wgdn_cluster_options o;
    char method[NAME] = "";
    wgdn_clusters_report_init(&r);
    wgdn_clusters_describe(&r, c);
    wgdn_cluster_options_init(&o);
    o.method = r.method;
    if (wgdn_options_get(method, NAME, WGDN_OPTIONS_KIND_CLUSTER, &o, "method", NULL)) return NULL;
    PyObject *dict =
        Py_BuildValue("{sLsssOsL}", "clusters", (long long)r.clusters, "method", method, "chosen",
                      r.chosen ? Py_True : Py_False, "communities", (long long)r.communities);
    PyObject *each = dict ? PyList_New(0) : NULL;
    int failed = !each || put_number(dict, "silhouette", r.silhouette) ||
                 put_number(dict, "modularity", r.modularity) ||
                 put_number(dict, "community_modularity", r.community_modularity);
    for (int64_t k = 0; k < r.clusters && !failed; k++) {
        wgdn_cluster_info info;
        wgdn_cluster_info_init(&info);
        wgdn_clusters_describe_one(&info, c, k);
        PyObject *typical = PyList_New(0);
        for (int t = 0; typical && t < WGDN_CLUSTER_TYPICAL && info.typical[t] >= 0; t++) {
            PyObject *node = PyLong_FromLongLong((long long)info.typical[t]);
            if (!node || PyList_Append(typical, node)) Py_CLEAR(typical);
            Py_XDECREF(node);
        }
        PyObject *one =
            typical ? Py_BuildValue("(LdN)", (long long)info.size, info.cohesion, typical) : NULL;
        failed = !one || PyList_Append(each, one);
        Py_XDECREF(one);
    }
    if (!failed && !core_put(dict, "each", each)) return dict;
    if (failed) Py_XDECREF(each);
    Py_XDECREF(dict);
    return NULL;
}

PyObject *core_find_clusters(PyObject *module, PyObject *args)
{
    wgdn_cluster_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_clusters *c = NULL;
    wgdn_embedding *e = NULL;
    core_buffer x = {0}, group = {0}, similarity = {0};
    core_call call;
    PyObject *capsule, *array, *options, *to_group, *to_similarity, *report = NULL;
    long long dim;
    if (!PyArg_ParseTuple(args, "OOLO!OO", &capsule, &array, &dim, &PyDict_Type, &options,
                          &to_group, &to_similarity))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_CLUSTER, &o, sizeof o, options)) return NULL;
    const int64_t n = wgdn_dataset_nodes(d);
    const int failed = borrow_vectors(&x, array, d, dim) ||
                       core_borrow_out(&group, to_group, "groups", CORE_INT32, n) ||
                       core_borrow_out(&similarity, to_similarity, "similarity", CORE_FLOAT, n);
    if (!failed) {
        o.progress = core_watch;
        o.progress_user = &call;
        core_begin(&call, "cluster");
        wgdn_status st = wgdn_embedding_from_values(&e, x.data, n, dim, NULL, &err);
        if (!st) st = wgdn_clusters_find(&c, e, d, &o, &err);
        wgdn_embedding_free(e);
        core_end(&call);
        if (st) {
            (void)core_fail(module, st, &err);
        } else {
            memcpy(group.data, wgdn_clusters_get_groups(c), (size_t)n * sizeof(int32_t));
            memcpy(similarity.data, wgdn_clusters_get_similarity(c), (size_t)n * sizeof(float));
            report = clusters_report(c);
        }
        wgdn_clusters_free(c);
    }
    core_return(&similarity);
    core_return(&group);
    core_return(&x);
    return report;
}
