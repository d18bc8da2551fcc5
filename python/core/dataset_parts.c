/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a dataset, copied into arrays of Python. */
#include "core.h"

#include <string.h>

PyObject *core_dataset_facts(PyObject *module, PyObject *args)
{
    wgdn_dataset_info c = {.struct_size = sizeof c};
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    wgdn_dataset_describe(&c, d);
    const struct {
        const char *name;
        int64_t value;
    } fact[] = {
        {"nodes", c.nodes},
        {"edges", c.edges},
        {"features", c.features},
        {"entries", c.entries},
        {"dense", wgdn_dataset_get_dense(d) != NULL},
        {"classes", c.classes},
        {"numeric_labels", c.numeric_labels},
        {"splits", c.splits},
        {"has_ids", c.has_ids},
        {"graphs", c.graphs},
        {"graph_classes", c.graph_classes},
        {"edges_read", c.edges_read},
        {"self_loops", c.self_loops},
        {"repeats", c.repeats},
        {"zero_weights", c.zero_weights},
        {"other_weights", c.other_weights},
        {"weighted", c.weighted},
        {"relations", c.relations},
        {"without_features", c.without_features},
        {"attributes_ignored", c.attributes_ignored},
    };
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof fact / sizeof *fact; i++)
        if (core_put(dict, fact[i].name, PyLong_FromLongLong(fact[i].value))) Py_CLEAR(dict);
    return dict;
}

/* How tables became features, as text, or None. */
PyObject *core_dataset_encoding(PyObject *module, PyObject *args)
{
    wgdn_dataset_info c = {.struct_size = sizeof c};
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    wgdn_dataset_describe(&c, d);
    return Py_BuildValue("y", c.encoding);
}

PyObject *core_dataset_remarks(PyObject *module, PyObject *args)
{
    wgdn_dataset_info c = {.struct_size = sizeof c};
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    wgdn_dataset_describe(&c, d);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < c.remarks; i++) {
        const wgdn_remark *r = &c.remark[i];
        PyObject *text = PyUnicode_DecodeUTF8(r->text, (Py_ssize_t)strlen(r->text), "replace");
        PyObject *item = text ? Py_BuildValue("sLO", r->what, (long long)r->count, text) : NULL;
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
        Py_XDECREF(text);
    }
    return list;
}

PyObject *core_dataset_dense(PyObject *module, PyObject *args)
{
    core_buffer out = {0};
    PyObject *capsule, *array;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &array)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    const float *x = d ? wgdn_dataset_get_dense(d) : NULL;
    const int64_t all = x ? wgdn_dataset_nodes(d) * wgdn_dataset_features(d) : 0;
    const int failed = !d || core_borrow_out(&out, array, "features", CORE_FLOAT, all);
    if (!failed && all) memcpy(out.data, x, (size_t)all * sizeof *x);
    core_return(&out);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

/* Compressed rows of the library. */
typedef struct rows {
    const int64_t *offset;
    const int32_t *column;
    const float *value; /* NULL: all 1 */
} rows;

/* Copies the compressed rows of all nodes into three arrays of the caller. */
static PyObject *give_rows(PyObject *const to[3], const rows *r, int64_t nodes)
{
    core_buffer offset = {0}, column = {0}, value = {0};
    const int64_t entries = r->offset[nodes];
    const int failed = core_borrow_out(&offset, to[0], "rows", CORE_INT64, nodes + 1) ||
                       core_borrow_out(&column, to[1], "columns", CORE_INT32, entries) ||
                       core_borrow_out(&value, to[2], "values", CORE_FLOAT, entries);
    if (!failed) {
        memcpy(offset.data, r->offset, (size_t)(nodes + 1) * sizeof *r->offset);
        if (entries) memcpy(column.data, r->column, (size_t)entries * sizeof *r->column);
        for (int64_t k = 0; k < entries; k++)
            ((float *)value.data)[k] = r->value ? r->value[k] : 1;
    }
    core_return(&value);
    core_return(&column);
    core_return(&offset);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

PyObject *core_dataset_sparse(PyObject *module, PyObject *args)
{
    PyObject *capsule, *to[3];
    rows from = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &to[0], &to[1], &to[2])) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    if (!wgdn_dataset_get_sparse(&from.offset, &from.column, &from.value, d))
        return PyErr_Format(PyExc_ValueError, "the features are not sparse");
    return give_rows(to, &from, wgdn_dataset_nodes(d));
}

PyObject *core_dataset_adjacency(PyObject *module, PyObject *args)
{
    PyObject *capsule, *to[3];
    rows from = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &to[0], &to[1], &to[2])) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    wgdn_graph_get_rows(&from.offset, &from.column, &from.value, wgdn_dataset_get_graph(d));
    return give_rows(to, &from, wgdn_dataset_nodes(d));
}

PyObject *core_dataset_labels(PyObject *module, PyObject *args)
{
    core_buffer out = {0};
    PyObject *capsule, *array;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &array)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    const int64_t n = d ? wgdn_dataset_nodes(d) : 0;
    const int failed = !d || core_borrow_out(&out, array, "labels", CORE_INT32, n);
    for (int64_t i = 0; !failed && i < n; i++)
        ((int32_t *)out.data)[i] = wgdn_dataset_label(d, i);
    core_return(&out);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

PyObject *core_dataset_splits(PyObject *module, PyObject *args)
{
    wgdn_dataset_info info = {.struct_size = sizeof info};
    core_buffer out = {0};
    PyObject *capsule, *array;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &array)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (d) wgdn_dataset_describe(&info, d);
    const int64_t n = info.nodes, splits = info.splits;
    const int failed = !d || core_borrow_out(&out, array, "splits", CORE_INT8, n * splits);
    for (int64_t k = 0; !failed && k < n * splits; k++)
        ((int8_t *)out.data)[k] = (int8_t)wgdn_dataset_split(d, k / n, k % n);
    core_return(&out);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

PyObject *core_dataset_graphs(PyObject *module, PyObject *args)
{
    core_buffer start = {0}, label = {0};
    PyObject *capsule, *to_start, *to_label;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &to_start, &to_label)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    const int64_t graphs = d ? wgdn_dataset_graphs(d) : 0;
    const int failed = !d || core_borrow_out(&start, to_start, "starts", CORE_INT64, graphs + 1) ||
                       core_borrow_out(&label, to_label, "labels", CORE_INT32, graphs);
    for (int64_t g = 0; !failed && g <= graphs; g++)
        ((int64_t *)start.data)[g] = wgdn_dataset_graph_start(d, g);
    for (int64_t g = 0; !failed && g < graphs; g++)
        ((int32_t *)label.data)[g] = wgdn_dataset_graph_label(d, g);
    core_return(&label);
    core_return(&start);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

/* An id is seldom longer than the room on the stack. */
static PyObject *id_of(const wgdn_dataset *d, int64_t node)
{
    char room[256];
    const int64_t size = wgdn_dataset_id(room, sizeof room, d, node);
    if (size < (int64_t)sizeof room) return core_text(room, (Py_ssize_t)size);
    char *more = PyMem_Malloc((size_t)size + 1);
    if (!more) return PyErr_NoMemory();
    (void)wgdn_dataset_id(more, (size_t)size + 1, d, node);
    PyObject *id = core_text(more, (Py_ssize_t)size);
    PyMem_Free(more);
    return id;
}

PyObject *core_dataset_ids(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    const int64_t n = d ? wgdn_dataset_nodes(d) : 0;
    PyObject *list = d ? PyList_New((Py_ssize_t)n) : NULL;
    for (int64_t i = 0; list && i < n; i++) {
        PyObject *id = id_of(d, i);
        if (!id || PyList_SetItem(list, (Py_ssize_t)i, id) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *core_dataset_class_names(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    PyObject *list = d ? PyList_New(0) : NULL;
    for (int64_t c = 0; list && c < wgdn_dataset_classes(d); c++) {
        size_t size = 0;
        const char *bytes = wgdn_dataset_get_class_name(&size, d, c);
        PyObject *name =
            bytes ? core_text(bytes, (Py_ssize_t)size) : PyUnicode_FromFormat("%lld", (long long)c);
        if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}
