/* SPDX-License-Identifier: Apache-2.0 */
/* Denoising of graph signals, and properties of the computer. */
#include "core.h"

PyObject *core_restore(PyObject *module, PyObject *args)
{
    wgdn_restore_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_kernel *k = NULL;
    core_buffer out = {0}, from = {0};
    PyObject *capsule, *to_array, *from_array, *options;
    const char *kernel;
    long long width;
    wgdn_status st = WGDN_OK;
    if (!PyArg_ParseTuple(args, "OOOLsO!", &to_array, &capsule, &from_array, &width, &kernel,
                          &PyDict_Type, &options))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_RESTORE, &o, sizeof o, options)) return NULL;
    const int64_t all = wgdn_dataset_nodes(d) * width;
    const int failed = core_borrow_out(&out, to_array, "restored", CORE_FLOAT, all) ||
                       core_borrow(&from, from_array, "observed", CORE_FLOAT, all);
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS st = wgdn_kernel_parse(&k, kernel, &err);
        if (!st)
            st = wgdn_graph_restore(out.data, wgdn_dataset_get_graph(d), k, from.data, width, &o,
                                    &err);
        wgdn_kernel_free(k);
        Py_END_ALLOW_THREADS
    }
    core_return(&from);
    core_return(&out);
    return failed ? NULL : core_done(module, st, &err);
}

PyObject *core_machine(PyObject *module, PyObject *args)
{
    wgdn_machine m = {.struct_size = sizeof m};
    (void)module;
    (void)args;
    wgdn_machine_describe(&m);
    PyObject *dict =
        Py_BuildValue("{sssssssssssisisLsLsissss}", "cpu_best", m.cpu_best, "cpu_used", m.cpu_used,
                      "engine", m.engine, "bf16", m.bf16, "huge_pages", m.huge_pages, "cores",
                      m.cores, "threads", m.threads, "memory_total", (long long)m.memory_total,
                      "memory_available", (long long)m.memory_available, "cpus", m.cpus,
                      "memory_limit", m.memory_limit, "cpu_limit", m.cpu_limit);
    PyObject *features = dict ? PyDict_New() : NULL;
    for (int i = 0; features && wgdn_build_get_feature(i); i++) {
        const wgdn_build_feature *f = wgdn_build_get_feature(i);
        if (core_put(features, f->name, PyBool_FromLong(f->present))) Py_CLEAR(features);
    }
    if (!features || core_put(dict, "features", features)) Py_CLEAR(dict);
    return dict;
}

PyObject *core_size_parse(PyObject *module, PyObject *args)
{
    const char *text;
    int64_t bytes;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &text)) return NULL;
    if (wgdn_size_parse(&bytes, text, NULL)) Py_RETURN_NONE;
    return PyLong_FromLongLong(bytes);
}
