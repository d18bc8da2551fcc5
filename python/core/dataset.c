/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets from arrays and from files. */
#include "core.h"

static const char *const handle = "wgdn.dataset";

/* A dataset and what it borrows: views of memory, or the dataset that it is a part of. */
typedef struct held {
    wgdn_dataset *d;
    wgdn_links *links; /* or NULL; it owns the dataset, without its test edges */
    PyObject *lenders; /* a list, the capsule of another dataset, or NULL */
} held;

static void destroy(PyObject *capsule)
{
    held *h = PyCapsule_GetPointer(capsule, handle);
    if (h->links)
        wgdn_links_free(h->links);
    else
        wgdn_dataset_free(h->d);
    Py_XDECREF(h->lenders);
    PyMem_Free(h);
}

const wgdn_dataset *core_get_dataset(PyObject *capsule)
{
    const held *h = PyCapsule_GetPointer(capsule, handle);
    if (!h) return NULL;
    return h->links ? wgdn_links_get_dataset(h->links) : h->d;
}

/* Takes the dataset or the links over, also on failure; lenders gets a reference of its own. */
static PyObject *enclose(wgdn_dataset *d, wgdn_links *links, PyObject *lenders)
{
    held *h = PyMem_Malloc(sizeof *h);
    PyObject *capsule = NULL;
    if (h) {
        *h = (held){d, links, lenders};
        capsule = PyCapsule_New(h, handle, destroy);
    } else {
        PyErr_NoMemory();
    }
    if (capsule) {
        Py_XINCREF(lenders);
        return capsule;
    }
    PyMem_Free(h);
    wgdn_links_free(links);
    wgdn_dataset_free(d);
    return NULL;
}

/* What dataset_from_arrays() is given, and what is borrowed for the length of the call. */
typedef struct request {
    PyObject *source, *target, *dense, *offset, *column, *value, *label, *split, *ids, *start,
        *graph_label, *weight, *class_names, *type, *type_names, *label_offset, *label_list;
    core_buffer of_source, of_target, of_dense, of_offset, of_column, of_value, of_label, of_split,
        of_start, of_graph_label, of_weight, of_type, of_label_offset, of_label_list;
    const char **id, **class_name, **type_name;
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
        core_borrow(&r->of_label_offset, r->label_offset, "offsets of labels", CORE_INT64, n + 1) ||
        core_borrow(&r->of_split, r->split, "splits", CORE_INT8, n * a->splits) ||
        core_borrow(&r->of_start, r->start, "graph offsets", CORE_INT64, -1) ||
        core_borrow(&r->of_type, r->type, "types of edges", CORE_INT32, a->edges) ||
        core_borrow(&r->of_weight, r->weight, "weights", CORE_FLOAT, a->edges))
        return -1;
    if (r->of_label_offset.data && core_borrow(&r->of_label_list, r->label_list, "lists of labels",
                                               CORE_INT32, ((int64_t *)r->of_label_offset.data)[n]))
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

/* Names of classes or types. */
static int borrow_names(const char ***to, int64_t *count, PyObject *list, const char *what)
{
    if (list == Py_None) return 0;
    if (!PyList_Check(list)) {
        PyErr_Format(PyExc_ValueError, "expected a list of names of %s", what);
        return -1;
    }
    *count = PyList_Size(list);
    return borrow_texts(to, list, (Py_ssize_t)*count);
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
    core_buffer *const all[] = {
        &r->of_source, &r->of_target, &r->of_dense,        &r->of_offset,    &r->of_column,
        &r->of_value,  &r->of_label,  &r->of_split,        &r->of_start,     &r->of_graph_label,
        &r->of_weight, &r->of_type,   &r->of_label_offset, &r->of_label_list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        core_return(all[i]);
    PyMem_Free((void *)r->id);
    PyMem_Free((void *)r->class_name);
    PyMem_Free((void *)r->type_name);
}

/* An item of the dictionary, borrowed; None where there is none. */
static PyObject *item(PyObject *dict, const char *name)
{
    PyObject *found = PyDict_GetItemString(dict, name);
    return found ? found : Py_None;
}

/* An integer of the dictionary, 0 where there is none; -1 with an exception. */
static int64_t integer(PyObject *dict, const char *name)
{
    PyObject *found = item(dict, name);
    const long long value = found == Py_None ? 0 : PyLong_AsLongLong(found);
    if (value >= 0 || PyErr_Occurred()) return PyErr_Occurred() ? -1 : value;
    PyErr_Format(PyExc_ValueError, "%s = %lld: expected at least 0", name, value);
    return -1;
}

/* The bytes of an item; NULL where there is none, or with an exception. */
static const char *text(PyObject *dict, const char *name)
{
    PyObject *found = item(dict, name);
    char *bytes = NULL;
    if (found == Py_None || PyBytes_AsStringAndSize(found, &bytes, NULL)) return NULL;
    return bytes;
}

/* The counts and the objects of the dictionary. 0, or -1 with an exception. */
static int read_items(request *r, wgdn_dataset_arrays *a, PyObject *dict)
{
    const struct {
        const char *name;
        PyObject **object;
    } row[] = {{"source", &r->source},
               {"target", &r->target},
               {"weight", &r->weight},
               {"dense", &r->dense},
               {"offset", &r->offset},
               {"column", &r->column},
               {"value", &r->value},
               {"label", &r->label},
               {"label_offset", &r->label_offset},
               {"label_list", &r->label_list},
               {"class_names", &r->class_names},
               {"split", &r->split},
               {"ids", &r->ids},
               {"graph_start", &r->start},
               {"graph_label", &r->graph_label},
               {"type", &r->type},
               {"type_names", &r->type_names}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        *row[i].object = item(dict, row[i].name);
    a->nodes = integer(dict, "nodes");
    a->features = integer(dict, "features");
    a->splits = integer(dict, "splits");
    a->memory = integer(dict, "memory");
    const int64_t weights = integer(dict, "weights"), directed = integer(dict, "directed");
    if (PyErr_Occurred()) return -1;
    a->weights = (wgdn_weights)weights;
    a->directed = (wgdn_direction)directed;
    a->encoding = text(dict, "encoding");
    a->scratch = text(dict, "scratch");
    if (PyErr_Occurred()) return -1;
    if (a->nodes > 0 && (!a->features || a->nodes <= INT64_MAX / a->features)) return 0;
    PyErr_Format(PyExc_ValueError, "%lld nodes, %lld features", (long long)a->nodes,
                 (long long)a->features);
    return -1;
}

PyObject *core_dataset_from_arrays(PyObject *module, PyObject *args)
{
    wgdn_dataset_arrays a = {.struct_size = sizeof a, .borrow = 1};
    request r = {0};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *d = NULL;
    PyObject *dict, *list = NULL, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &dict) || read_items(&r, &a, dict)) return NULL;
    if (borrow_all(&r, &a) || borrow_ids(&r, a.nodes) ||
        borrow_names(&r.class_name, &a.classes, r.class_names, "classes") ||
        borrow_names(&r.type_name, &a.types, r.type_names, "types of edges"))
        goto done;
    a.source = r.of_source.data;
    a.target = r.of_target.data;
    a.dense = r.of_dense.data;
    a.feature_offset = r.of_offset.data;
    a.feature_column = r.of_column.data;
    a.feature_value = r.of_value.data;
    a.label = r.of_label.data;
    a.label_offset = r.of_label_offset.data;
    a.label_list = r.of_label_list.data;
    a.split = r.of_split.data;
    a.id = r.id;
    a.class_name = r.class_name;
    a.graph_start = r.of_start.data;
    a.graph_label = r.of_graph_label.data;
    a.weight = r.of_weight.data;
    a.type = r.of_type.data;
    a.type_name = r.type_name;
    list = lenders(&r);
    if (!list) goto done;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_dataset_from_arrays(&d, &a, &err);
    Py_END_ALLOW_THREADS capsule = st ? core_fail(module, st, &err) : enclose(d, NULL, list);

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
    int sides = 0;
    if (!PyArg_ParseTuple(args, "O&O!O|p", PyUnicode_FSConverter, &path, &PyDict_Type, &dict, &like,
                          &sides))
        return NULL;
    kept = core_dataset_options(module, &o, dict);
    o.sides = sides;
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
        capsule = enclose(d, NULL, NULL);
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

PyObject *core_dataset_of_graphs(PyObject *module, PyObject *args)
{
    wgdn_dataset *made = NULL;
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d) return NULL;
    const wgdn_status st = wgdn_dataset_from_graphs(&made, d, &err);
    return st ? core_fail(module, st, &err) : enclose(made, NULL, capsule);
}

PyObject *core_hold_out(PyObject *module, PyObject *args)
{
    wgdn_eval_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_links *l = NULL;
    PyObject *capsule, *options;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_EVAL, &o, sizeof o, options)) return NULL;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_links_from_dataset(&l, d, &o, &err);
    Py_END_ALLOW_THREADS return st ? core_fail(module, st, &err) : enclose(NULL, l, capsule);
}
