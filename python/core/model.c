/* SPDX-License-Identifier: Apache-2.0 */
/* Training, and calls on a model of either kind. The GIL is released meanwhile. */
#include "core.h"

static const char *const handle = "wgdn.model";

static void destroy(PyObject *capsule)
{
    wgdn_model_free(PyCapsule_GetPointer(capsule, handle));
}

const wgdn_model *core_get_model(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, handle);
}

PyObject *core_enclose_model(wgdn_model *m)
{
    PyObject *capsule = PyCapsule_New(m, handle, destroy);
    if (!capsule) wgdn_model_free(m);
    return capsule;
}

typedef struct watcher {
    PyThreadState *thread; /* to restore */
    PyObject *callback;    /* or None */
    int warned;            /* that the last checkpoint could not be written */
} watcher;

/*
 * After every step, in the training thread: take the GIL and check signals; after every epoch call
 * back. Ctrl-C stops the run here, after a complete step, and the library writes its checkpoint;
 * the exception stays set meanwhile.
 */
static int watch(void *user, const wgdn_progress *p)
{
    watcher *w = user;
    PyEval_RestoreThread(w->thread);
    int stop = PyErr_CheckSignals() != 0;
    if (!stop && p->checkpoint_error && !w->warned)
        stop = PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                                "%s; training goes on, and the former "
                                "checkpoint stays",
                                p->checkpoint_error) != 0;
    w->warned = p->checkpoint_error != NULL;
    if (!stop && p->step == 0 && w->callback != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(w->callback, "LLddL", (long long)p->epoch, (long long)p->epochs,
                                  p->loss, p->seconds, (long long)p->first);
        stop = !answer || PyObject_IsTrue(answer) != 0;
        Py_XDECREF(answer);
    }
    w->thread = PyEval_SaveThread();
    return stop;
}

PyObject *core_train(PyObject *module, PyObject *args)
{
    wgdn_train_options o;
    wgdn_train_run run = {.struct_size = sizeof run, .progress = watch, .keep = 1};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    watcher w = {0};
    PyObject *capsule, *options, *given, *path = NULL;
    if (!PyArg_ParseTuple(args, "OO!OipO", &capsule, &PyDict_Type, &options, &given,
                          &run.checkpoint_every, &run.fresh, &w.callback))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_TRAIN, &o, sizeof o, options)) return NULL;
    if (given != Py_None && !PyUnicode_FSConverter(given, &path)) return NULL;
    run.checkpoint = path ? PyBytes_AsString(path) : NULL;
    run.progress_user = &w;
    w.thread = PyEval_SaveThread();
    const wgdn_status st = wgdn_model_train(&m, d, &o, &run, &err);
    PyEval_RestoreThread(w.thread);
    Py_XDECREF(path);
    if (!st && !PyErr_Occurred()) return core_enclose_model(m);
    if (!st) wgdn_model_free(m);
    if (!st || (st == WGDN_ESTOPPED && PyErr_Occurred()))
        return NULL; /* a signal, or the callback's own */
    PyErr_Clear();   /* its checkpoint could not be written */
    return core_fail(module, st, &err);
}

PyObject *core_estimate(PyObject *module, PyObject *args)
{
    wgdn_train_needs e = {.struct_size = sizeof e};
    wgdn_train_options o;
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *options;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_TRAIN, &o, sizeof o, options)) return NULL;
    const wgdn_status st = wgdn_train_estimate(&e, d, &o, 0, 1, &err);
    if (st) return core_fail(module, st, &err);
    return Py_BuildValue("{sLsLsLsLsL}", "dataset_bytes", (long long)e.dataset, "feature_bytes",
                         (long long)e.features, "model_bytes", (long long)e.model,
                         "workspace_bytes", (long long)e.workspace, "total_bytes",
                         (long long)e.total);
}

/* Vectors with ids, which new ones are aligned with; 0, or -1 with an exception. Nothing where `old` is None. */
static int borrow_old(wgdn_embedding **e, core_buffer *values, PyObject *module, PyObject *old)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *array, *ids_of;
    long long dim;
    if (old == Py_None) return 0;
    if (!PyArg_ParseTuple(old, "OLO", &array, &dim, &ids_of)) return -1;
    const wgdn_dataset *d = core_get_dataset(ids_of);
    const int64_t rows = d ? wgdn_dataset_nodes(d) : 0;
    if (!d || core_borrow(values, array, "align", CORE_FLOAT, rows * dim)) return -1;
    const wgdn_status st = wgdn_embedding_from_values(e, values->data, rows, dim, d, &err);
    if (st) (void)core_fail(module, st, &err);
    return st ? -1 : 0;
}

PyObject *core_model_embed(PyObject *module, PyObject *args)
{
    wgdn_embed_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL, *old = NULL;
    core_buffer out = {0}, old_values = {0};
    PyObject *model, *data, *array, *align = Py_None;
    int graphs;
    wgdn_embed_options_init(&o);
    if (!PyArg_ParseTuple(args, "OOOip|O", &model, &data, &array, &o.threads, &graphs, &align))
        return NULL;
    const wgdn_model *m = core_get_model(model);
    const wgdn_dataset *d = m ? core_get_dataset(data) : NULL;
    const int64_t rows = !d ? 0 : graphs ? wgdn_dataset_graphs(d) : wgdn_dataset_nodes(d);
    wgdn_model_info info = {.struct_size = sizeof info};
    if (d) wgdn_model_describe(&info, m);
    const int64_t all = d ? rows * info.dim : 0;
    if (!d || core_borrow_out(&out, array, "vectors", CORE_FLOAT, all) ||
        borrow_old(&old, &old_values, module, align)) {
        core_return(&old_values);
        core_return(&out);
        return NULL;
    }
    o.align = old;
    o.task = graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE;
    o.values = out.data;
    core_call call;
    core_begin(&call, "embed");
    const wgdn_status st = wgdn_model_embed(&e, m, d, &o, &err);
    wgdn_embedding_free(e);
    wgdn_embedding_free(old);
    core_end(&call);
    core_return(&old_values);
    core_return(&out);
    return core_done(module, st, &err);
}

PyObject *core_model_save(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *path = NULL;
    if (!PyArg_ParseTuple(args, "OO&", &capsule, PyUnicode_FSConverter, &path)) return NULL;
    const wgdn_model *m = core_get_model(capsule);
    wgdn_status st = WGDN_OK;
    if (m) {
        core_call call;
        core_begin(&call, "save");
        st = wgdn_model_save(m, PyBytes_AsString(path), &err);
        core_end(&call);
    }
    Py_DECREF(path);
    return m ? core_done(module, st, &err) : NULL;
}

PyObject *core_model_load(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_model_load(&m, PyBytes_AsString(path), &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    return st ? core_fail(module, st, &err) : core_enclose_model(m);
}

PyObject *core_model_facts(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_model *m = core_get_model(capsule);
    wgdn_model_info info = {.struct_size = sizeof info};
    if (!m) return NULL;
    wgdn_model_describe(&info, m);
    PyObject *options = info.train ? core_options_dict(module, WGDN_OPTIONS_KIND_TRAIN, info.train)
                                   : core_options_dict(module, WGDN_OPTIONS_KIND_FIT, info.fit);
    if (!options) return NULL;
    return Py_BuildValue("(sLLN)", info.train ? "trained" : "fitted", (long long)info.dim,
                         (long long)info.features, options);
}

PyObject *core_model_encoding(PyObject *module, PyObject *args)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_model *m = core_get_model(capsule);
    if (!m) return NULL;
    wgdn_model_describe(&info, m);
    return Py_BuildValue("y", info.encoding);
}
