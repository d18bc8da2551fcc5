/* SPDX-License-Identifier: Apache-2.0 */
/* The files of 'wgdn demo', for the demo of the package. */
#include "core.h"

#include "../../cli/demo_borders.h"

#include <stdbool.h>
#include <stdlib.h>

PyObject *core_demo_files(PyObject *module, PyObject *args)
{
    size_t size; /* both end with NUL */
    (void)module;
    if (!PyArg_ParseTuple(args, "")) return NULL;
    char *borders = demo_borders(&size), *continents = demo_continents(&size);
    const bool made = borders && continents;
    PyObject *files = made ? Py_BuildValue("(ss)", borders, continents) : PyErr_NoMemory();
    free(continents);
    free(borders);
    return files;
}
