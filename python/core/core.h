/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module wgdn._core: the public header of the library for Python, call by call. Handles are
 * capsules, arrays are passed as buffers, options as dictionaries of text. Conversions are done
 * in Python.
 */
#ifndef WGDN_PYTHON_CORE_H
#define WGDN_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <wgdn/wgdn.h>

/* ---- errors.c: every status is an exception ---- */

enum { ERRORS = 11 }; /* WGDN_OK, which stands for their common base, and the failures */

typedef struct core_state {
    PyObject *error[ERRORS]; /* by -status; errors.c */
} core_state;

int core_add_errors(PyObject *module);
/* Raise the exception of a status with the library's message; always NULL. */
PyObject *core_fail(PyObject *module, wgdn_status status, const wgdn_error *err);
/* None, or the exception. */
PyObject *core_done(PyObject *module, wgdn_status status, const wgdn_error *err);

/*
 * A call of the library without the GIL, from core_begin() to core_end(). It is taken 20 times a second to check
 * signals, so that Ctrl-C ends the call, and after two seconds to show a progress bar. Where a signal handler has
 * raised, its exception is set afterwards, which core_fail() and core_done() leave as it is.
 */
typedef struct core_call {
    PyThreadState *thread; /* to restore */
    wgdn_stop former;
    const char *what;     /* "fit": of the bar */
    double start, looked; /* when it began, and signals were checked last */
    int64_t done, total;  /* total 0: nobody knows */
    int shown;
} core_call;
void core_begin(core_call *c, const char *what);
void core_end(core_call *c);
/* The callback of calls that tell how far they are; user: the core_call. */
int core_watch(void *user, int64_t done, int64_t total);

/* ---- buffers.c: memory owned by Python ---- */

/* Zero it, fill it with core_borrow(), give it back with core_return(). */
typedef struct core_buffer {
    PyObject *view; /* a memoryview: holds the memory in place; NULL for None */
    void *data;
    int64_t items;
} core_buffer;

typedef enum core_kind {
    CORE_FLOAT,
    CORE_INT64,
    CORE_INT32,
    CORE_INT8,
    CORE_BYTE,
    CORE_OBJECT /* references, which are read with the GIL held */
} core_kind;

/*
 * Borrow contiguous memory of one kind of number; None gives no memory. items: how many there must
 * be, or -1. Returns 0, or -1 with an exception that names `what`.
 */
int core_borrow(core_buffer *b, PyObject *object, const char *what, core_kind kind, int64_t items);
/* The same for memory that is written. */
int core_borrow_out(core_buffer *b, PyObject *object, const char *what, core_kind kind,
                    int64_t items);
void core_return(core_buffer *b);

/* ---- options.c: dictionaries of text ---- */

/* A list of the texts that the options point to; NULL with an exception. */
PyObject *core_dataset_options(PyObject *module, wgdn_dataset_options *o, PyObject *dict);
/* Sets the options of any other kind, `size` bytes at o: the defaults, then those in the dictionary. 0 or -1. */
int core_options(PyObject *module, wgdn_options_kind kind, void *o, size_t size, PyObject *dict);
/* All options of a kind as a dictionary of text. */
PyObject *core_options_dict(PyObject *module, wgdn_options_kind kind, const void *o);
/* Set an item and drop the caller's reference; item NULL: it could not be created. */
int core_put(PyObject *dict, const char *key, PyObject *item);
PyObject *core_text(const char *bytes, Py_ssize_t size);
/* A list of the names that a call of the library returns, from 0 on until NULL. */
PyObject *core_names(const char *(*name)(int i));

/* ---- handles: dataset.c, model.c, embedding.c ---- */

const wgdn_dataset *core_get_dataset(PyObject *capsule);
const wgdn_model *core_get_model(PyObject *capsule);
/* A capsule that owns the model; frees it on failure. */
PyObject *core_enclose_model(wgdn_model *m);
/* A capsule that owns the embedding, its rows and its dim, as a tuple; frees it on failure. */
PyObject *core_enclose_embedding(wgdn_embedding *e);

/* ---- the calls, documented in _core.pyi ---- */

#define CORE_CALL(name) PyObject *core_##name(PyObject *module, PyObject *args)
CORE_CALL(option_table);
CORE_CALL(preset);
CORE_CALL(preset_names);
CORE_CALL(machine);
CORE_CALL(size_parse);
CORE_CALL(demo_files);
CORE_CALL(number_texts);
CORE_CALL(encode_texts);
CORE_CALL(gather_texts);
CORE_CALL(edge_columns);
CORE_CALL(dataset_from_arrays);
CORE_CALL(dataset_read);
CORE_CALL(dataset_write);
CORE_CALL(dataset_facts);
CORE_CALL(dataset_remarks);
CORE_CALL(dataset_dense);
CORE_CALL(dataset_sparse);
CORE_CALL(dataset_adjacency);
CORE_CALL(dataset_encoding);
CORE_CALL(hold_out);
CORE_CALL(dataset_of_graphs);
CORE_CALL(dataset_labels);
CORE_CALL(dataset_splits);
CORE_CALL(dataset_graphs);
CORE_CALL(dataset_ids);
CORE_CALL(dataset_class_names);
CORE_CALL(train);
CORE_CALL(fit);
CORE_CALL(estimate);
CORE_CALL(fit_estimate);
CORE_CALL(recommend_estimate);
CORE_CALL(model_embed);
CORE_CALL(model_save);
CORE_CALL(model_load);
CORE_CALL(model_facts);
CORE_CALL(model_encoding);
CORE_CALL(model_parts);
CORE_CALL(model_remarks);
CORE_CALL(embedding_read);
CORE_CALL(embedding_values);
CORE_CALL(embedding_ids);
CORE_CALL(embedding_write);
CORE_CALL(search);
CORE_CALL(probe);
CORE_CALL(cluster);
CORE_CALL(links);
CORE_CALL(baselines);
CORE_CALL(recommender_embed);
CORE_CALL(recommender_facts);
CORE_CALL(recommender_fit);
CORE_CALL(recommender_ids);
CORE_CALL(recommender_load);
CORE_CALL(recommender_rank);
CORE_CALL(recommender_save);
CORE_CALL(is_recommender);
CORE_CALL(restore);
CORE_CALL(project);
CORE_CALL(energy);
CORE_CALL(train_orders);
CORE_CALL(response);
CORE_CALL(predictor_fit);
CORE_CALL(predictor_report);
CORE_CALL(predictor_classes);
CORE_CALL(predictor_apply);
CORE_CALL(predictor_save);
CORE_CALL(predictor_load);
CORE_CALL(find_clusters);

#endif
