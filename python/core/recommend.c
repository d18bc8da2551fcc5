/* SPDX-License-Identifier: Apache-2.0 */
/* Recommenders: fit, lists, ids of both sides, files, vectors. The GIL is released meanwhile. */
#include "core.h"

#include <stdbool.h>

static const char *const handle = "wgdn.recommender";

static void destroy(PyObject *capsule)
{
    wgdn_recommender_free(PyCapsule_GetPointer(capsule, handle));
}

static const wgdn_recommender *get(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, handle);
}

static PyObject *enclose(wgdn_recommender *r)
{
    PyObject *capsule = PyCapsule_New(r, handle, destroy);
    if (!capsule) wgdn_recommender_free(r);
    return capsule;
}

PyObject *core_recommender_fit(PyObject *module, PyObject *args)
{
    wgdn_recommend_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_recommender *r = NULL;
    core_call call;
    PyObject *capsule, *options;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_RECOMMEND, &o, sizeof o, options)) return NULL;
    core_begin(&call, "recommend");
    const wgdn_status st = wgdn_recommender_fit(&r, d, &o, &err);
    core_end(&call);
    return st ? core_fail(module, st, &err) : enclose(r);
}

PyObject *core_recommend_estimate(PyObject *module, PyObject *args)
{
    wgdn_recommend_needs n;
    wgdn_recommend_options o;
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *options;
    wgdn_recommend_needs_init(&n);
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_RECOMMEND, &o, sizeof o, options)) return NULL;
    wgdn_status st;
    Py_BEGIN_ALLOW_THREADS st = wgdn_recommend_estimate(&n, d, &o, &err);
    Py_END_ALLOW_THREADS if (st) return core_fail(module, st, &err);
    return Py_BuildValue("{sLsLsdsLsi}", "workspace_bytes", (long long)n.workspace, "total_bytes",
                         (long long)n.total, "seconds", n.seconds, "columns", (long long)n.columns,
                         "threads", n.threads);
}

static PyObject *quality(const wgdn_list_quality *q)
{
    return Py_BuildValue("{sdsdsdsd}", "recall", q->recall, "ndcg", q->ndcg, "mrr", q->mrr, "hits",
                         q->hits);
}

PyObject *core_recommender_facts(PyObject *module, PyObject *args)
{
    wgdn_recommender_info i;
    PyObject *capsule;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const wgdn_recommender *r = get(capsule);
    if (!r) return NULL;
    wgdn_recommender_info_init(&i);
    wgdn_recommender_describe(&i, r);
    return Py_BuildValue("{sLsLsLsOsssLsNsNsN}", "users", (long long)i.users, "items",
                         (long long)i.items, "interactions", (long long)i.interactions, "bipartite",
                         i.bipartite ? Py_True : Py_False, "score", i.formula, "held_users",
                         (long long)i.held_users, "held_out", quality(&i.held), "popularity",
                         quality(&i.popular), "adamic_adar", quality(&i.paths));
}

PyObject *core_recommender_ids(PyObject *module, PyObject *args)
{
    enum { SIZE = 256 };
    wgdn_recommender_info info;
    PyObject *capsule, *ids = PyList_New(0);
    int side;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &side)) side = -1;
    const wgdn_recommender *r = side < 0 ? NULL : get(capsule);
    if (!r || !ids) {
        Py_XDECREF(ids);
        return NULL;
    }
    wgdn_recommender_info_init(&info);
    wgdn_recommender_describe(&info, r);
    const int64_t count = side == WGDN_SIDE_USERS ? info.users : info.items;
    for (int64_t i = 0; ids && i < count; i++) {
        char near[SIZE], *far = NULL;
        const int64_t size = wgdn_recommender_id(near, sizeof near, r, (wgdn_side)side, i);
        if (size >= SIZE && !(far = PyMem_Malloc((size_t)size + 1))) {
            Py_DECREF(ids);
            return PyErr_NoMemory();
        }
        if (far) (void)wgdn_recommender_id(far, (size_t)size + 1, r, (wgdn_side)side, i);
        PyObject *id = core_text(far ? far : near, (Py_ssize_t)size);
        PyMem_Free(far);
        if (!id || PyList_Append(ids, id) < 0) Py_CLEAR(ids);
        Py_XDECREF(id);
    }
    return ids;
}

PyObject *core_recommender_rank(PyObject *module, PyObject *args)
{
    wgdn_recommend_query q;
    wgdn_error err = {WGDN_OK, ""};
    core_buffer item = {0}, score = {0}, user = {0}, offset = {0}, column = {0}, weight = {0},
                among = {0};
    core_call call;
    PyObject *capsule, *to_item, *to_score, *users, *offsets, *columns, *weights, *only;
    long long k;
    wgdn_recommend_query_init(&q);
    if (!PyArg_ParseTuple(args, "OOOOOOOOLpi", &to_item, &to_score, &capsule, &users, &offsets,
                          &columns, &weights, &only, &k, &q.include_seen, &q.threads))
        return NULL;
    const wgdn_recommender *r = get(capsule);
    bool failed = !r || core_borrow(&user, users, "users", CORE_INT64, -1) ||
                  core_borrow(&offset, offsets, "interactions", CORE_INT64, -1) ||
                  core_borrow(&column, columns, "interactions", CORE_INT32, -1) ||
                  core_borrow(&weight, weights, "weights", CORE_FLOAT, -1) ||
                  core_borrow(&among, only, "among", CORE_INT64, -1);
    q.count = offset.data ? offset.items - 1 : user.items;
    q.k = k;
    q.user = user.data;
    q.offset = offset.data;
    q.item = column.data;
    q.weight = weight.data;
    q.among = among.data;
    q.among_count = among.items;
    failed = failed || core_borrow_out(&item, to_item, "items", CORE_INT64, q.count * q.k) ||
             core_borrow_out(&score, to_score, "scores", CORE_FLOAT, q.count * q.k);
    wgdn_status st = WGDN_OK;
    if (!failed) {
        core_begin(&call, "recommend");
        st = wgdn_recommender_rank(item.data, score.data, r, &q, &err);
        core_end(&call);
    }
    core_return(&score);
    core_return(&item);
    core_return(&among);
    core_return(&weight);
    core_return(&column);
    core_return(&offset);
    core_return(&user);
    return failed ? NULL : core_done(module, st, &err);
}

/* ---- files and vectors ---- */

PyObject *core_recommender_save(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *path = NULL;
    if (!PyArg_ParseTuple(args, "OO&", &capsule, PyUnicode_FSConverter, &path)) return NULL;
    const wgdn_recommender *r = get(capsule);
    const wgdn_status st = r ? wgdn_recommender_save(r, PyBytes_AsString(path), &err) : WGDN_OK;
    Py_DECREF(path);
    return r ? core_done(module, st, &err) : NULL;
}

PyObject *core_recommender_load(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_recommender *r = NULL;
    core_call call;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
    core_begin(&call, "load");
    const wgdn_status st = wgdn_recommender_load(&r, PyBytes_AsString(path), &err);
    core_end(&call);
    Py_DECREF(path);
    return st ? core_fail(module, st, &err) : enclose(r);
}

PyObject *core_recommender_embed(PyObject *module, PyObject *args)
{
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    core_call call;
    PyObject *capsule;
    int dim;
    double kept = 1;
    wgdn_compute_options_init(&o);
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &dim, &o.threads)) return NULL;
    const wgdn_recommender *r = get(capsule);
    if (!r) return NULL;
    core_begin(&call, "vectors");
    const wgdn_status st = wgdn_recommender_embed(&e, &kept, r, dim, &o, &err);
    core_end(&call);
    PyObject *vectors = st ? core_fail(module, st, &err) : core_enclose_embedding(e);
    return vectors ? Py_BuildValue("(Nd)", vectors, kept) : NULL;
}

PyObject *core_is_recommender(PyObject *module, PyObject *args)
{
    PyObject *path = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
    const wgdn_file_kind kind = wgdn_file_kind_of(PyBytes_AsString(path));
    Py_DECREF(path);
    return PyBool_FromLong(kind == WGDN_FILE_KIND_RECOMMENDER);
}
