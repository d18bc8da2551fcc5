/* SPDX-License-Identifier: Apache-2.0 */
/* Options as dictionaries of text: the library's tables know the rest. */
#include "core.h"

#include <string.h>

/* Bytes that need not be UTF-8: ids and names of files come through unchanged. */
PyObject *core_text(const char *bytes, Py_ssize_t size)
{
    return PyUnicode_DecodeUTF8(bytes, size, "surrogateescape");
}

int core_put(PyObject *dict, const char *key, PyObject *item)
{
    const int failed = !item || PyDict_SetItemString(dict, key, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

/* 0, or -1 with an exception. */
static int set_all(PyObject *module, wgdn_options_kind kind, void *o, PyObject *dict)
{
    PyObject *key, *item;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &item)) {
        wgdn_error err = {WGDN_OK, ""};
        PyObject *name = PyUnicode_AsUTF8String(key);
        PyObject *value = name ? PyUnicode_AsUTF8String(item) : NULL;
        const wgdn_status st =
            value ? wgdn_options_set(kind, o, PyBytes_AsString(name), PyBytes_AsString(value), &err)
                  : WGDN_OK;
        const int failed = !value || st;
        Py_XDECREF(value);
        Py_XDECREF(name);
        if (st) core_fail(module, st, &err);
        if (failed) return -1;
    }
    return 0;
}

int core_train_options(PyObject *module, wgdn_train_options *o, PyObject *dict)
{
    wgdn_train_options_init(o);
    return set_all(module, WGDN_OPTIONS_TRAIN, o, dict);
}

int core_fit_options(PyObject *module, wgdn_fit_options *o, PyObject *dict)
{
    wgdn_fit_options_init(o);
    return set_all(module, WGDN_OPTIONS_FIT, o, dict);
}

int core_eval_options(PyObject *module, wgdn_eval_options *o, PyObject *dict)
{
    wgdn_eval_options_init(o);
    return set_all(module, WGDN_OPTIONS_EVAL, o, dict);
}

int core_restore_options(PyObject *module, wgdn_restore_options *o, PyObject *dict)
{
    wgdn_restore_options_init(o);
    return set_all(module, WGDN_OPTIONS_RESTORE, o, dict);
}

int core_projection_options(PyObject *module, wgdn_projection_options *o, PyObject *dict)
{
    wgdn_projection_options_init(o);
    return set_all(module, WGDN_OPTIONS_PROJECTION, o, dict);
}

enum { TEXT_ROOM = 512 }; /* what wgdn_options_info() asks for */

PyObject *core_options_dict(PyObject *module, wgdn_options_kind kind, const void *o)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < wgdn_options_count(kind); i++) {
        wgdn_error err = {WGDN_OK, ""};
        wgdn_option_info info;
        char text[TEXT_ROOM], value[TEXT_ROOM];
        wgdn_status st = wgdn_options_info(&info, text, sizeof text, kind, i, &err);
        if (!st) st = wgdn_options_get(value, sizeof value, kind, o, info.name, &err);
        if (st) core_fail(module, st, &err);
        if (st || core_put(dict, info.name, core_text(value, (Py_ssize_t)strlen(value))))
            Py_CLEAR(dict);
    }
    return dict;
}

static const struct {
    const char *name;
    wgdn_options_kind kind;
} tables[] = {
    {"train", WGDN_OPTIONS_TRAIN},
    {"fit", WGDN_OPTIONS_FIT},
    {"eval", WGDN_OPTIONS_EVAL},
    {"restore", WGDN_OPTIONS_RESTORE},
    {"projection", WGDN_OPTIONS_PROJECTION},
};

static PyObject *rows_of(PyObject *module, wgdn_options_kind kind)
{
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i < wgdn_options_count(kind); i++) {
        wgdn_error err = {WGDN_OK, ""};
        wgdn_option_info info;
        char text[TEXT_ROOM];
        const wgdn_status st = wgdn_options_info(&info, text, sizeof text, kind, i, &err);
        PyObject *row = st ? core_fail(module, st, &err)
                           : Py_BuildValue("(ssssss)", info.name, info.type, info.choices,
                                           info.default_text, info.range, info.help);
        if (!row || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows;
}

PyObject *core_option_table(PyObject *module, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (strcmp(tables[t].name, name) == 0) return rows_of(module, tables[t].kind);
    return PyErr_Format(PyExc_ValueError, "unknown option table '%s'", name);
}

PyObject *core_names(const char *(*name)(int i))
{
    PyObject *names = PyList_New(0);
    for (int i = 0; names && name(i); i++) {
        PyObject *one = PyUnicode_FromString(name(i));
        if (!one || PyList_Append(names, one) < 0) Py_CLEAR(names);
        Py_XDECREF(one);
    }
    return names;
}

PyObject *core_preset_names(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    return core_names(wgdn_preset_name);
}

PyObject *core_preset(PyObject *module, PyObject *args)
{
    wgdn_train_options o;
    wgdn_error err = {WGDN_OK, ""};
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    const char *text = wgdn_preset_text(name);
    if (!text) return PyErr_Format(PyExc_KeyError, "unknown preset '%s'", name);
    wgdn_train_options_init(&o);
    const wgdn_status st = wgdn_options_parse(WGDN_OPTIONS_TRAIN, &o, text, name, &err);
    return st ? core_fail(module, st, &err) : core_options_dict(module, WGDN_OPTIONS_TRAIN, &o);
}
