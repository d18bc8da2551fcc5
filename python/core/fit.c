/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form. The GIL is released meanwhile. */
#include "core.h"

#include <stdbool.h>

PyObject *core_fit(PyObject *module, PyObject *args)
{
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    core_call call;
    PyObject *capsule, *options;
    int keep;
    if (!PyArg_ParseTuple(args, "OO!p", &capsule, &PyDict_Type, &options, &keep)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_FIT, &o, sizeof o, options)) return NULL;
    o.progress = core_watch;
    o.progress_user = &call;
    o.keep = keep;
    core_begin(&call, "fit");
    const wgdn_status st = wgdn_model_fit(&m, d, &o, &err);
    core_end(&call);
    return st ? core_fail(module, st, &err) : core_enclose_model(m);
}

PyObject *core_fit_estimate(PyObject *module, PyObject *args)
{
    wgdn_fit_needs n = {.struct_size = sizeof n};
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *options;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_FIT, &o, sizeof o, options)) return NULL;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_fit_estimate(&n, d, &o, &err);
    Py_END_ALLOW_THREADS if (st) return core_fail(module, st, &err);
    return Py_BuildValue("{sLsLsLsdsLsL}", "dataset_bytes", (long long)n.dataset, "workspace_bytes",
                         (long long)n.workspace, "total_bytes", (long long)n.total, "seconds",
                         n.seconds, "columns_at_a_time", (long long)n.slab, "disk_bytes",
                         (long long)n.disk);
}

static PyObject *parts_of(const wgdn_fit_report *r)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < r->parts; i++) {
        const wgdn_fit_part *p = &r->part[i];
        PyObject *row =
            Py_BuildValue("{sssLsd}", "name", p->name, "dim", (long long)p->dim, "scale", p->scale);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *scales_of(const wgdn_fit_report *r)
{
    PyObject *dict = PyDict_New();
    for (int t = 0; dict && t < r->scales; t++) {
        PyObject *scale = PyFloat_FromDouble(r->scale[t]);
        PyObject *agreement = scale ? PyFloat_FromDouble(r->agreement[t]) : NULL;
        if (!agreement || PyDict_SetItem(dict, scale, agreement) < 0) Py_CLEAR(dict);
        Py_XDECREF(agreement);
        Py_XDECREF(scale);
    }
    return dict;
}

/* Fills the report of the one argument, a fitted model; false: an exception is set. */
static bool get_report(wgdn_fit_report *r, PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return false;
    const wgdn_model *m = core_get_model(capsule);
    if (!m) return false;
    const wgdn_status st = wgdn_model_describe_fit(r, m, &err);
    if (st) (void)core_fail(module, st, &err);
    return st == WGDN_OK;
}

PyObject *core_model_remarks(PyObject *module, PyObject *args)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (!get_report(&r, module, args)) return NULL;
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < r.remarks; i++) {
        PyObject *item = Py_BuildValue("ss", r.remark[i].what, r.remark[i].text);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

PyObject *core_model_parts(PyObject *module, PyObject *args)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (!get_report(&r, module, args)) return NULL;
    PyObject *parts = parts_of(&r), *scales = parts ? scales_of(&r) : NULL;
    if (scales) return Py_BuildValue("(NN)", parts, scales);
    Py_XDECREF(parts);
    return NULL;
}
