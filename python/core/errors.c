/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core.h"

#include <string.h>
#include <time.h>

/*
 * An exception is the library's (Error) and one of Python's own, so that either can be caught. The
 * names of built-in bases are looked up when the module starts.
 */
static const struct {
    const char *name, *builtin, *doc;
} table[ERRORS] = {
    {"Error", NULL, "Base class of the library's errors."},
    {"InvalidError", "ValueError", "An argument is out of its range."},
    {"NoMemoryError", "MemoryError", "Out of memory."},
    {"RangeError", "OverflowError", "A size is beyond what this build can address."},
    {"EngineError", "RuntimeError", "The dense engine failed."},
    {"FileError", "OSError", "A file could not be opened, read or written."},
    {"FormatError", "ValueError", "A file does not have the expected content."},
    {"UnsupportedError", "NotImplementedError", "The feature is not built in."},
    {"StoppedError", NULL,
     "The work was stopped on request; the checkpoint, if there is one, has its state."},
    {"NumberError", "ArithmeticError", "A number is not finite."},
    {"TrainingError", "RuntimeError",
     "Training diverged or collapsed; the message says when, what to try, and where the last "
     "healthy "
     "checkpoint is."},
};

/* The bases of error i, a new reference. */
static PyObject *bases_of(const core_state *state, int i)
{
    PyObject *builtins, *builtin, *bases;
    if (i == 0) return Py_BuildValue("(O)", PyExc_Exception);
    if (!table[i].builtin) return Py_BuildValue("(O)", state->error[0]);
    builtins = PyImport_ImportModule("builtins");
    builtin = builtins ? PyObject_GetAttrString(builtins, table[i].builtin) : NULL;
    bases = builtin ? Py_BuildValue("(OO)", state->error[0], builtin) : NULL;
    Py_XDECREF(builtin);
    Py_XDECREF(builtins);
    return bases;
}

int core_add_errors(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < ERRORS; i++) {
        char name[64];
        PyObject *bases = bases_of(state, i);
        if (!bases) return -1;
        PyOS_snprintf(name, sizeof name, "wgdn.%s", table[i].name);
        state->error[i] = PyErr_NewExceptionWithDoc(name, table[i].doc, bases, NULL);
        Py_DECREF(bases);
        if (!state->error[i]) return -1;
        if (PyObject_SetAttrString(module, table[i].name, state->error[i]) < 0) return -1;
    }
    return 0;
}

/*
 * The library's message in the words of Python, a new reference; as it is where that fails. Flags of the program become
 * keywords in Python code, which knows the option tables.
 */
static PyObject *worded(const char *text)
{
    PyObject *message = core_text(text, (Py_ssize_t)strlen(text));
    if (!message || !strstr(text, "--")) return message;
    PyObject *code = PyImport_ImportModule("wgdn._wording");
    PyObject *better = code ? PyObject_CallMethod(code, "as_keywords", "O", message) : NULL;
    Py_XDECREF(code);
    if (!better) {
        PyErr_Clear();
        return message;
    }
    Py_DECREF(message);
    return better;
}

PyObject *core_fail(PyObject *module, wgdn_status status, const wgdn_error *err)
{
    const core_state *state = PyModule_GetState(module);
    const int place = status == WGDN_EWRITE    ? -WGDN_EIO /* a file is a file */
                      : status == WGDN_EHEALTH ? -WGDN_ENUMBER + 1
                                               : -status;
    const int i = place > 0 && place < ERRORS ? place : 0;
    const char *text = err->message[0] ? err->message : wgdn_status_text(status);
    if (PyErr_Occurred()) return NULL; /* the signal handler's own */
    PyObject *message = worded(text);
    if (message) PyErr_SetObject(state->error[i], message);
    Py_XDECREF(message);
    return NULL;
}

PyObject *core_done(PyObject *module, wgdn_status status, const wgdn_error *err)
{
    if (status || PyErr_Occurred()) return core_fail(module, status, err);
    Py_RETURN_NONE;
}

static const double between = 0.05,
                    patience = 2; /* seconds: between two looks, and without a bar */

static double now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Calls a function of _progress.py; what it raises is nobody's. */
static void call_progress(const char *name, PyObject *args)
{
    PyObject *code = args ? PyImport_ImportModule("wgdn._progress") : NULL;
    PyObject *function = code ? PyObject_GetAttrString(code, name) : NULL;
    PyObject *result = function ? PyObject_CallObject(function, args) : NULL;
    if (!result) PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(function);
    Py_XDECREF(code);
    Py_XDECREF(args);
}

static int look(void *user)
{
    core_call *c = user;
    if (now() - c->looked < between) return 0;
    PyEval_RestoreThread(c->thread);
    const int stop = PyErr_Occurred() || PyErr_CheckSignals() != 0;
    if (!stop && now() - c->start > patience) {
        c->shown = 1;
        call_progress("show",
                      Py_BuildValue("(sLL)", c->what, (long long)c->done, (long long)c->total));
    }
    c->thread = PyEval_SaveThread();
    c->looked = now();
    return stop;
}

void core_begin(core_call *c, const char *what)
{
    *c = (core_call){.what = what, .start = now()};
    c->former = wgdn_stop_use((wgdn_stop){look, c});
    c->thread = PyEval_SaveThread();
}

void core_end(core_call *c)
{
    PyObject *type, *value, *trace;
    PyEval_RestoreThread(c->thread);
    (void)wgdn_stop_use(c->former);
    if (!c->shown) return;
    PyErr_Fetch(&type, &value, &trace);
    call_progress("hide", PyTuple_New(0));
    PyErr_Restore(type, value, trace);
}

int core_watch(void *user, int64_t done, int64_t total)
{
    core_call *c = user;
    c->done = done;
    c->total = total;
    return look(c);
}
