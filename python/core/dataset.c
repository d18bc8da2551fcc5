/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets from arrays and from files. */
#include "core.h"

static const char *const handle = "wgdn.dataset";

/* A dataset and the views of the memory that it borrows. */
typedef struct held {
    wgdn_dataset *d;
    PyObject *lenders; /* a list, or NULL */
} held;

static void destroy(PyObject *capsule)
{
    held *h = PyCapsule_GetPointer(capsule, handle);
    wgdn_dataset_free(h->d);
    Py_XDECREF(h->lenders);
    PyMem_Free(h);
}

const wgdn_dataset *core_get_dataset(PyObject *capsule)
{
    const held *h = PyCapsule_GetPointer(capsule, handle);
    return h ? h->d : NULL;
}

/* Takes the dataset over, also on failure; lenders gets a reference of its own. */
static PyObject *enclose(wgdn_dataset *d, PyObject *lenders)
{
    held *h = PyMem_Malloc(sizeof *h);
    PyObject *capsule = NULL;
    if (h) {
        *h = (held){d, lenders};
        capsule = PyCapsule_New(h, handle, destroy);
    } else {
        PyErr_NoMemory();
    }
    if (capsule) {
        Py_XINCREF(lenders);
        return capsule;
    }
    PyMem_Free(h);
    wgdn_dataset_free(d);
    return NULL;
}

/* What dataset_from_arrays() is given, and what is borrowed for the length of the call. */
typedef struct request {
    PyObject *source, *target, *dense, *offset, *column, *value, *label, *split, *ids, *start,
        *graph_label, *weight, *class_names;
    core_buffer of_source, of_target, of_dense, of_offset, of_column, of_value, of_label, of_split,
        of_start, of_graph_label, of_weight;
    const char **id, **class_name;
} request;

static int borrow_all(request *r, wgdn_dataset_arrays *a)
{
    const int64_t n = a->nodes;
    if (core_borrow(&r->of_source, r->source, "source", CORE_INT64, -1)) return -1;
    a->edges = r->of_source.items;
    if (core_borrow(&r->of_target, r->target, "target", CORE_INT64, a->edges) ||
        core_borrow(&r->of_dense, r->dense, "features", CORE_FLOAT, n * a->features) ||
        core_borrow(&r->of_offset, r->offset, "row offsets of the features", CORE_INT64, n + 1) ||
        core_borrow(&r->of_column, r->column, "columns of the features", CORE_INT32, -1) ||
        core_borrow(&r->of_label, r->label, "labels", CORE_INT32, n) ||
        core_borrow(&r->of_split, r->split, "splits", CORE_INT8, n * a->splits) ||
        core_borrow(&r->of_start, r->start, "graph offsets", CORE_INT64, -1) ||
        core_borrow(&r->of_weight, r->weight, "weights", CORE_FLOAT, a->edges))
        return -1;
    a->graphs = r->of_start.data ? r->of_start.items - 1 : 0;
    if (core_borrow(&r->of_value, r->value, "values of the features", CORE_FLOAT,
                    r->of_column.items) ||
        core_borrow(&r->of_graph_label, r->graph_label, "labels of graphs", CORE_INT32, a->graphs))
        return -1;
    if (r->of_offset.data && ((int64_t *)r->of_offset.data)[n] != r->of_column.items) {
        PyErr_SetString(PyExc_ValueError,
                        "the last row offset of the features is not the number of entries");
        return -1;
    }
    return 0;
}

/* The texts of a list of bytes. */
static int borrow_texts(const char ***to, PyObject *list, Py_ssize_t count)
{
    *to = PyMem_Calloc((size_t)count + 1, sizeof **to);
    if (!*to) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        char *text;
        /* No length asked for: an id with a NUL inside is refused. */
        if (PyBytes_AsStringAndSize(PyList_GetItem(list, i), &text, NULL)) return -1;
        (*to)[i] = text;
    }
    return 0;
}

static int borrow_ids(request *r, int64_t nodes)
{
    if (r->ids == Py_None) return 0;
    if (!PyList_Check(r->ids) || PyList_Size(r->ids) != (Py_ssize_t)nodes) {
        PyErr_SetString(PyExc_ValueError, "expected a list of ids, one for each node");
        return -1;
    }
    return borrow_texts(&r->id, r->ids, (Py_ssize_t)nodes);
}

static int borrow_class_names(request *r, wgdn_dataset_arrays *a)
{
    if (r->class_names == Py_None) return 0;
    if (!PyList_Check(r->class_names)) {
        PyErr_SetString(PyExc_ValueError, "expected a list of names of classes");
        return -1;
    }
    a->classes = PyList_Size(r->class_names);
    return borrow_texts(&r->class_name, r->class_names, (Py_ssize_t)a->classes);
}

/* A list of the views whose memory the dataset keeps using. */
static PyObject *lenders(const request *r)
{
    PyObject *const views[] = {r->of_dense.view, r->of_offset.view, r->of_column.view,
                               r->of_value.view};
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < 4; i++)
        if (views[i] && PyList_Append(list, views[i]) < 0) Py_CLEAR(list);
    return list;
}

static void return_all(request *r)
{
    core_buffer *const all[] = {&r->of_source, &r->of_target,      &r->of_dense, &r->of_offset,
                                &r->of_column, &r->of_value,       &r->of_label, &r->of_split,
                                &r->of_start,  &r->of_graph_label, &r->of_weight};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        core_return(all[i]);
    PyMem_Free((void *)r->id);
    PyMem_Free((void *)r->class_name);
}

PyObject *core_dataset_from_arrays(PyObject *module, PyObject *args)
{
    wgdn_dataset_arrays a = {.struct_size = sizeof a, .borrow = 1};
    request r = {.weight = Py_None, .class_names = Py_None};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *d = NULL;
    PyObject *list = NULL, *capsule = NULL;
    long long nodes, width, splits;
    if (!PyArg_ParseTuple(args, "LOOLOOOOOLOOOO|OO", &nodes, &r.source, &r.target, &width, &r.dense,
                          &r.offset, &r.column, &r.value, &r.label, &splits, &r.split, &r.ids,
                          &r.start, &r.graph_label, &r.weight, &r.class_names))
        return NULL;
    a.nodes = nodes;
    a.features = width;
    a.splits = splits;
    if (nodes < 1 || width < 0 || splits < 0 || (width && nodes > INT64_MAX / width)) {
        PyErr_Format(PyExc_ValueError, "%lld nodes, %lld features, %lld splits", nodes, width,
                     splits);
        return NULL;
    }
    if (borrow_all(&r, &a) || borrow_ids(&r, a.nodes) || borrow_class_names(&r, &a)) goto done;
    a.source = r.of_source.data;
    a.target = r.of_target.data;
    a.dense = r.of_dense.data;
    a.feature_offset = r.of_offset.data;
    a.feature_column = r.of_column.data;
    a.feature_value = r.of_value.data;
    a.label = r.of_label.data;
    a.split = r.of_split.data;
    a.id = r.id;
    a.class_name = r.class_name;
    a.graph_start = r.of_start.data;
    a.graph_label = r.of_graph_label.data;
    a.weight = r.of_weight.data;
    list = lenders(&r);
    if (!list) goto done;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_dataset_from_arrays(&d, &a, &err);
    Py_END_ALLOW_THREADS capsule = st ? core_fail(module, st, &err) : enclose(d, list);

done:
    Py_XDECREF(list);
    return_all(&r);
    return capsule;
}

/* Tables are read as those that the model was made with. 0: an exception is set. */
static int encode_like(wgdn_dataset_options *o, PyObject *like)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    if (like == Py_None) return 1;
    const wgdn_model *m = core_get_model(like);
    if (!m) return 0;
    wgdn_model_describe(&info, m);
    o->encoding = info.encoding ? info.encoding : "";
    o->reading = info.reading;
    return 1;
}

PyObject *core_dataset_read(PyObject *module, PyObject *args)
{
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *d = NULL;
    PyObject *path = NULL, *dict, *like, *kept, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O&O!O", PyUnicode_FSConverter, &path, &PyDict_Type, &dict, &like))
        return NULL;
    kept = core_dataset_options(module, &o, dict);
    if (!kept || !encode_like(&o, like)) goto done;
    core_call call;
    core_begin(&call, "read");
    o.progress = core_watch;
    o.progress_user = &call;
    wgdn_status st = wgdn_dataset_read(&d, PyBytes_AsString(path), &o, &err);
    if (!st) { /* arrays have a row per node, in order */
        st = wgdn_dataset_reorder(d, WGDN_ORDER_NONE, &err);
        if (st) wgdn_dataset_free(d);
    }
    core_end(&call);
    if (!st)
        capsule = enclose(d, NULL);
    else
        core_fail(module, st, &err);

done:
    Py_XDECREF(kept);
    Py_XDECREF(path);
    return capsule;
}

PyObject *core_dataset_write(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *path = NULL;
    const char *format;
    if (!PyArg_ParseTuple(args, "OO&z", &capsule, PyUnicode_FSConverter, &path, &format))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    wgdn_status st = WGDN_OK;
    if (d) {
        core_call call;
        core_begin(&call, "write");
        st = wgdn_dataset_write(d, PyBytes_AsString(path), format, &err);
        core_end(&call);
    }
    Py_DECREF(path);
    return d ? core_done(module, st, &err) : NULL;
}
