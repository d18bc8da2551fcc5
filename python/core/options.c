/* SPDX-License-Identifier: Apache-2.0 */
/* Options as dictionaries of text: the library's tables know the rest. */
#include "core.h"

#include <stdlib.h>
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

/*
 * Set options by name from text, bytes or paths. `kept`, a list, holds the bytes that options point to; it is NULL
 * where the options hold their texts themselves. 0, or -1 with an exception.
 */
static int set_all(PyObject *module, wgdn_options_kind kind, void *o, PyObject *dict,
                   PyObject *kept)
{
    PyObject *key, *item;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &item)) {
        wgdn_error err = {WGDN_OK, ""};
        PyObject *name = PyUnicode_AsUTF8String(key), *value = NULL;
        int failed = !name || !PyUnicode_FSConverter(item, &value) ||
                     (kept && PyList_Append(kept, value) < 0);
        if (!failed) {
            const wgdn_status st =
                wgdn_options_set(kind, o, PyBytes_AsString(name), PyBytes_AsString(value), &err);
            if (st) core_fail(module, st, &err);
            failed = st != WGDN_OK;
        }
        Py_XDECREF(value);
        Py_XDECREF(name);
        if (failed) return -1;
    }
    return 0;
}

PyObject *core_dataset_options(PyObject *module, wgdn_dataset_options *o, PyObject *dict)
{
    PyObject *kept = PyList_New(0);
    wgdn_dataset_options_init(o);
    if (kept && set_all(module, WGDN_OPTIONS_KIND_DATASET, o, dict, kept)) Py_CLEAR(kept);
    return kept;
}

int core_options(PyObject *module, wgdn_options_kind kind, void *o, size_t size, PyObject *dict)
{
    wgdn_options_init(kind, o, size);
    return set_all(module, kind, o, dict, NULL);
}

enum { VALUE_SIZE = 512 };

PyObject *core_options_dict(PyObject *module, wgdn_options_kind kind, const void *o)
{
    PyObject *dict = PyDict_New();
    const wgdn_option_info *info;
    for (int i = 0; dict && (info = wgdn_options_get_info(kind, i)); i++) {
        wgdn_error err = {WGDN_OK, ""};
        char value[VALUE_SIZE];
        const wgdn_status st = wgdn_options_get(value, sizeof value, kind, o, info->name, &err);
        if (st) core_fail(module, st, &err);
        if (st || core_put(dict, info->name, core_text(value, (Py_ssize_t)strlen(value))))
            Py_CLEAR(dict);
    }
    return dict;
}

static const struct {
    const char *name;
    wgdn_options_kind kind;
} tables[] = {
    {"dataset", WGDN_OPTIONS_KIND_DATASET},
    {"train", WGDN_OPTIONS_KIND_TRAIN},
    {"fit", WGDN_OPTIONS_KIND_FIT},
    {"eval", WGDN_OPTIONS_KIND_EVAL},
    {"restore", WGDN_OPTIONS_KIND_RESTORE},
    {"projection", WGDN_OPTIONS_KIND_PROJECTION},
    {"predict", WGDN_OPTIONS_KIND_PREDICT},
    {"cluster", WGDN_OPTIONS_KIND_CLUSTER},
    {"recommend", WGDN_OPTIONS_KIND_RECOMMEND},
};

static const char *type_name(const wgdn_option_info *r)
{
    static const char *const names[] = {
        [WGDN_OPTION_TYPE_INTEGER] = "integer", [WGDN_OPTION_TYPE_SEED] = "integer",
        [WGDN_OPTION_TYPE_NUMBER] = "number",   [WGDN_OPTION_TYPE_CHOICE] = "choice",
        [WGDN_OPTION_TYPE_BOOLEAN] = "boolean", [WGDN_OPTION_TYPE_TEXT] = "text",
        [WGDN_OPTION_TYPE_PATH] = "path",       [WGDN_OPTION_TYPE_SIZE] = "size"};
    return names[r->type];
}

/* The shortest text that reads back to the same number. */
static void number_text(char text[32], double value)
{
    int digits = 0;
    do {
        snprintf(text, 32, "%.*g", ++digits, value);
    } while (strtod(text, NULL) != value);
    char *sign = strchr(text, 'e');
    if (!sign) return;
    const long exponent = strtol(sign + 1, NULL, 10);
    snprintf(sign + 1, (size_t)(text + 31 - sign), "%ld", exponent);
}

static PyObject *range_of(const wgdn_option_info *r)
{
    char low[32], high[32];
    const int has_range = r->type == WGDN_OPTION_TYPE_INTEGER || r->type == WGDN_OPTION_TYPE_NUMBER;
    if (!has_range) return PyUnicode_FromString("");
    number_text(low, r->min);
    number_text(high, r->max);
    return PyUnicode_FromFormat("%s .. %s", low, high);
}

static PyObject *rows_of(wgdn_options_kind kind)
{
    PyObject *rows = PyList_New(0);
    const wgdn_option_info *r;
    for (int i = 0; rows && (r = wgdn_options_get_info(kind, i)); i++) {
        PyObject *row = Py_BuildValue("(sszzNs)", r->name, type_name(r), r->choices,
                                      r->default_text, range_of(r), r->help);
        if (!row || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows;
}

PyObject *core_option_table(PyObject *module, PyObject *args)
{
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (strcmp(tables[t].name, name) == 0) return rows_of(tables[t].kind);
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
    const wgdn_status st = wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, text, name, &err);
    return st ? core_fail(module, st, &err)
              : core_options_dict(module, WGDN_OPTIONS_KIND_TRAIN, &o);
}
