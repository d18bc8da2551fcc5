/* SPDX-License-Identifier: Apache-2.0 */
/* The countries of 'wgdn demo', for the demo of the package. */
#include "core.h"

#include "../../cli/demo/demo.h"

PyObject *core_demo_countries(PyObject *module, PyObject *args)
{
    PyObject *list = PyList_New(0);
    (void)module;
    if (!PyArg_ParseTuple(args, "")) Py_CLEAR(list);
    for (const country *c = countries; list && c->name; c++) {
        PyObject *row = Py_BuildValue("(sss)", c->name, c->continent, c->neighbours);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}
