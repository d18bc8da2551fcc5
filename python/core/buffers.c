/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limited API has Py_buffer only since Python 3.11, and this module runs from 3.9 on. What the
 * stable ABI has had all along does the same: a memoryview asks the owner for the memory, holds it
 * in place for as long as the view lives and says what is in it; the old call for the address,
 * made on the view, then tells where it is. That call is dangerous only without something that
 * holds the memory. Headers stopped declaring it with 3.13 while every interpreter of the stable
 * ABI has to have it, so it is declared here.
 */
#include "core.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

PyAPI_FUNC(int)
    PyObject_AsReadBuffer(PyObject *object, const void **buffer, Py_ssize_t *buffer_len);
PyAPI_FUNC(int) PyObject_AsWriteBuffer(PyObject *object, void **buffer, Py_ssize_t *buffer_len);

static const struct {
    const char *codes; /* of the struct module; which one NumPy takes depends on the system */
    Py_ssize_t size;
    const char *name;
} kinds[] = {
    [CORE_FLOAT] = {"f", 4, "float32"}, [CORE_INT64] = {"lq", 8, "int64"},
    [CORE_INT32] = {"il", 4, "int32"},  [CORE_INT8] = {"b", 1, "int8"},
    [CORE_BYTE] = {"B", 1, "uint8"},    [CORE_OBJECT] = {"O", sizeof(PyObject *), "object"},
};

/* Whether a view holds such numbers; -1 with an exception. */
static int holds(PyObject *view, core_kind kind)
{
    PyObject *format = PyObject_GetAttrString(view, "format");
    PyObject *size = PyObject_GetAttrString(view, "itemsize");
    PyObject *code = format ? PyUnicode_AsASCIIString(format) : NULL;
    int answer = -1;
    if (code && size) {
        const char *text = PyBytes_AsString(code);
        answer = text[0] && !text[1] && strchr(kinds[kind].codes, text[0]) &&
                 PyLong_AsSsize_t(size) == kinds[kind].size;
    }
    Py_XDECREF(code);
    Py_XDECREF(size);
    Py_XDECREF(format);
    return answer;
}

static int borrow(core_buffer *b, PyObject *object, const char *what, core_kind kind, int64_t items,
                  int writable)
{
    const void *data = NULL;
    void *out = NULL;
    Py_ssize_t size = 0;
    if (object == Py_None) return 0;
    b->view = PyMemoryView_FromObject(object);
    if (!b->view) return -1;
    const int held = holds(b->view, kind);
    if (held < 0) return -1;
    if (!held) {
        PyErr_Format(PyExc_TypeError, "%s: expected an array of %s", what, kinds[kind].name);
        return -1;
    }
    if (writable ? PyObject_AsWriteBuffer(b->view, &out, &size)
                 : PyObject_AsReadBuffer(b->view, &data, &size))
        return -1;
    b->data = writable ? out : (void *)(uintptr_t)data;
    b->items = size / kinds[kind].size;
    if (items < 0 || b->items == items) return 0;
    PyErr_Format(PyExc_ValueError, "%s: %lld numbers, but %lld were expected", what,
                 (long long)b->items, (long long)items);
    return -1;
}

int core_borrow(core_buffer *b, PyObject *object, const char *what, core_kind kind, int64_t items)
{
    return borrow(b, object, what, kind, items, 0);
}

int core_borrow_out(core_buffer *b, PyObject *object, const char *what, core_kind kind,
                    int64_t items)
{
    return borrow(b, object, what, kind, items, 1);
}

void core_return(core_buffer *b)
{
    Py_CLEAR(b->view);
    b->data = NULL;
}
