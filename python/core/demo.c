/* SPDX-License-Identifier: Apache-2.0 */
/* The sample data of 'wgdn demo', for wgdn.datasets and for the demo of the package. */
#include "core.h"

#include "../../cli/demo_data.h"

#include <stdlib.h>

/* Appends (name, about, text) of a file to a list. */
static int append_file(PyObject *list, const demo_file *file)
{
    size_t size; /* the text ends with NUL */
    char *text = demo_file_text(file, &size);
    PyObject *row = text ? Py_BuildValue("(sss)", file->name, file->about, text) : PyErr_NoMemory();
    const int code = row ? PyList_Append(list, row) : -1;
    Py_XDECREF(row);
    free(text);
    return code;
}

/* Returns the files of a set as a list; without a name, a dictionary: name of each set, what it is. */
PyObject *core_demo_files(PyObject *module, PyObject *args)
{
    const char *name = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "|s", &name)) return NULL;
    if (!name) {
        PyObject *sets = PyDict_New();
        for (int i = 0; sets && demo_get_set(i); i++) {
            PyObject *about = PyUnicode_FromString(demo_get_set(i)->about);
            if (!about || PyDict_SetItemString(sets, demo_get_set(i)->name, about) < 0)
                Py_CLEAR(sets);
            Py_XDECREF(about);
        }
        return sets;
    }
    const demo_set *set = demo_find_set(name);
    PyObject *list = PyList_New(0);
    for (int i = 0; set && list && i < DEMO_FILES && set->files[i].name; i++)
        if (append_file(list, &set->files[i]) < 0) Py_CLEAR(list);
    return list;
}
