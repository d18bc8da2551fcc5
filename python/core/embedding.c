/* SPDX-License-Identifier: Apache-2.0 */
/* Embeddings: read, write, search. */
#include "core.h"

#include <string.h>

static const char *const handle = "wgdn.embedding";

static void destroy(PyObject *capsule)
{
    wgdn_embedding_free(PyCapsule_GetPointer(capsule, handle));
}

PyObject *core_enclose_embedding(wgdn_embedding *e)
{
    PyObject *capsule = PyCapsule_New(e, handle, destroy);
    if (!capsule) wgdn_embedding_free(e);
    return capsule ? Py_BuildValue("(NLL)", capsule, (long long)wgdn_embedding_rows(e),
                                   (long long)wgdn_embedding_dim(e))
                   : NULL;
}

PyObject *core_embedding_read(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_embedding_read(&e, PyBytes_AsString(path), &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    return st ? core_fail(module, st, &err) : core_enclose_embedding(e);
}

PyObject *core_embedding_values(PyObject *module, PyObject *args)
{
    core_buffer out = {0};
    PyObject *capsule, *array;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &array)) return NULL;
    const wgdn_embedding *e = PyCapsule_GetPointer(capsule, handle);
    const int64_t all = e ? wgdn_embedding_rows(e) * wgdn_embedding_dim(e) : 0;
    const int failed = !e || core_borrow_out(&out, array, "vectors", CORE_FLOAT, all);
    if (!failed) memcpy(out.data, wgdn_embedding_get_values(e), (size_t)all * sizeof(float));
    core_return(&out);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

PyObject *core_embedding_ids(PyObject *module, PyObject *args)
{
    enum { ID_ROOM = 65536 }; /* the longest there may be */
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_embedding *e = PyCapsule_GetPointer(capsule, handle);
    const int64_t rows = e ? wgdn_embedding_rows(e) : 0;
    char *room = e ? PyMem_Malloc(ID_ROOM) : NULL;
    PyObject *list = room ? PyList_New((Py_ssize_t)rows) : NULL;
    if (e && !room) PyErr_NoMemory();
    for (int64_t i = 0; list && i < rows; i++) {
        const int64_t size = wgdn_embedding_id(room, ID_ROOM, e, i);
        PyObject *id = core_text(room, (Py_ssize_t)(size < ID_ROOM ? size : ID_ROOM - 1));
        if (!id || PyList_SetItem(list, (Py_ssize_t)i, id) < 0) Py_CLEAR(list);
    }
    PyMem_Free(room);
    return list;
}

PyObject *core_embedding_write(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    core_buffer values = {0};
    PyObject *capsule, *array, *path = NULL;
    long long dim;
    const char *format, *numbers;
    wgdn_write_options o;
    wgdn_write_options_init(&o);
    if (!PyArg_ParseTuple(args, "OO&zzOL", &capsule, PyUnicode_FSConverter, &path, &format,
                          &numbers, &array, &dim))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    const int failed = !d || core_borrow(&values, array, "vectors", CORE_FLOAT,
                                         d ? wgdn_dataset_nodes(d) * dim : 0);
    wgdn_status st = WGDN_OK;
    if (!failed) {
        wgdn_embedding *e = NULL;
        core_call call;
        core_begin(&call, "write");
        st = wgdn_embedding_from_values(&e, values.data, wgdn_dataset_nodes(d), dim, d, &err);
        o.format = format;
        if (!st && numbers)
            st = wgdn_options_set(WGDN_OPTIONS_KIND_WRITE, &o, "numbers", numbers, &err);
        if (!st) st = wgdn_embedding_write(e, PyBytes_AsString(path), &o, &err);
        wgdn_embedding_free(e);
        core_end(&call);
    }
    core_return(&values);
    Py_DECREF(path);
    return failed ? NULL : core_done(module, st, &err);
}

PyObject *core_search(PyObject *module, PyObject *args)
{
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    core_buffer index = {0}, score = {0}, x = {0}, query = {0};
    PyObject *to_index, *to_score, *from_x, *from_query;
    long long dim, k;
    int metric;
    wgdn_status st = WGDN_OK;
    wgdn_compute_options_init(&o);
    if (!PyArg_ParseTuple(args, "OOOOLLii", &to_index, &to_score, &from_x, &from_query, &dim, &k,
                          &metric, &o.threads))
        return NULL;
    if (dim < 1 || k < 1)
        return PyErr_Format(PyExc_ValueError, "%lld neighbors of dim %lld", k, dim);
    int failed = core_borrow(&x, from_x, "vectors", CORE_FLOAT, -1) ||
                 core_borrow(&query, from_query, "queries", CORE_FLOAT, -1);
    const int64_t n = x.items / dim, queries = query.items / dim;
    failed = failed || core_borrow_out(&index, to_index, "neighbors", CORE_INT64, queries * k) ||
             core_borrow_out(&score, to_score, "scores", CORE_FLOAT, queries * k);
    if (!failed) {
        wgdn_embedding *e = NULL, *asked = NULL;
        Py_BEGIN_ALLOW_THREADS st = wgdn_embedding_from_values(&e, x.data, n, dim, NULL, &err);
        if (!st) st = wgdn_embedding_from_values(&asked, query.data, queries, dim, NULL, &err);
        if (!st)
            st = wgdn_embedding_search(index.data, score.data, e, asked, k, (wgdn_similarity)metric,
                                       &o, &err);
        wgdn_embedding_free(asked);
        wgdn_embedding_free(e);
        Py_END_ALLOW_THREADS
    }
    core_return(&query);
    core_return(&x);
    core_return(&score);
    core_return(&index);
    return failed ? NULL : core_done(module, st, &err);
}
