/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of pictures: points of the plane, spectral energy, responses. */
#include "core.h"

#include <math.h>

static const double pi = 3.141592653589793;

PyObject *core_project(PyObject *module, PyObject *args)
{
    wgdn_projection_options o;
    wgdn_projection_result r = {.struct_size = sizeof r};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    core_buffer out = {0}, x = {0};
    core_call call;
    PyObject *to, *from, *options;
    long long dim;
    if (!PyArg_ParseTuple(args, "OOLO!", &to, &from, &dim, &PyDict_Type, &options)) return NULL;
    if (dim < 1) return PyErr_Format(PyExc_ValueError, "vectors of dim %lld", dim);
    if (core_options(module, WGDN_OPTIONS_KIND_PROJECTION, &o, sizeof o, options)) return NULL;
    wgdn_status st = WGDN_OK;
    const int failed = core_borrow(&x, from, "vectors", CORE_FLOAT, -1) ||
                       core_borrow_out(&out, to, "points", CORE_FLOAT, x.items / dim * 2);
    if (!failed) {
        o.progress = core_watch;
        o.progress_user = &call;
        core_begin(&call, "t-SNE");
        st = wgdn_embedding_from_values(&e, x.data, x.items / dim, dim, NULL, &err);
        if (!st) st = wgdn_embedding_project(out.data, &r, e, &o, &err);
        wgdn_embedding_free(e);
        core_end(&call);
    }
    core_return(&out);
    core_return(&x);
    if (failed) return NULL;
    if (st) return core_fail(module, st, &err);
    return Py_BuildValue("(ddd)", r.kl, r.share[0], r.share[1]);
}

static PyObject *list_of(const double *value, int64_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = PyFloat_FromDouble(value[i]);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

enum { PLACES = 4096, MOMENTS = 256 }; /* as the program's: places evenly spaced in the angle */

PyObject *core_energy(PyObject *module, PyObject *args)
{
    wgdn_compute_options compute;
    wgdn_density_options o;
    wgdn_signal_noise found = {0};
    wgdn_error err = {WGDN_OK, ""};
    core_buffer x = {0};
    PyObject *capsule, *from, *list = NULL;
    long long width;
    int average;
    wgdn_compute_options_init(&compute);
    wgdn_density_options_init(&o);
    if (!PyArg_ParseTuple(args, "OOLii", &capsule, &from, &width, &average, &compute.threads))
        return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    double *lambda = d ? PyMem_Malloc((size_t)2 * PLACES * sizeof *lambda) : NULL;
    if (d && !lambda) PyErr_NoMemory();
    if (!lambda) return NULL;
    double *density = lambda + PLACES;
    for (int i = 0; i < PLACES; i++)
        lambda[i] = 1 - cos(pi * (i + 0.5) / PLACES);
    wgdn_status st = WGDN_OK;
    if (core_borrow(&x, from, "features", CORE_FLOAT, wgdn_dataset_nodes(d) * width) == 0) {
        const wgdn_graph *g = wgdn_dataset_get_graph(d);
        o.threads = compute.threads;
        o.moments = MOMENTS;
        Py_BEGIN_ALLOW_THREADS st = wgdn_graph_measure_noise(&found, g, x.data, width,
                                                             (wgdn_average)average, &compute, &err);
        if (!st) st = wgdn_graph_density(density, g, lambda, PLACES, x.data, width, &o, &err);
        Py_END_ALLOW_THREADS list = st ? core_fail(module, st, &err) : list_of(density, PLACES);
    }
    core_return(&x);
    PyMem_Free(lambda);
    return list ? Py_BuildValue("(Ndd)", list, found.signal, found.noise) : NULL;
}

PyObject *core_train_orders(PyObject *module, PyObject *args)
{
    wgdn_train_options o;
    wgdn_explanation run = {.struct_size = sizeof run};
    wgdn_error err = {WGDN_OK, ""};
    PyObject *capsule, *options;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &options)) return NULL;
    const wgdn_dataset *d = core_get_dataset(capsule);
    if (!d || core_options(module, WGDN_OPTIONS_KIND_TRAIN, &o, sizeof o, options)) return NULL;
    const wgdn_status st = wgdn_train_explain(&run, d, &o, &err);
    if (st) return core_fail(module, st, &err);
    return Py_BuildValue("(ii)", run.encoder_order, run.decoder_order);
}

typedef struct wiener {
    const wgdn_kernel *kernel;
    double penalty;
} wiener;

/* g / (g^2 + penalty) */
static double wiener_value(void *user, double lambda)
{
    const wiener *w = user;
    const double g = wgdn_kernel_value(w->kernel, lambda);
    return g == 0 ? 0 : g / (g * g + w->penalty);
}

enum { CURVE = 401, ORDER_MAX = 30 };

/* The kernel at CURVE places of [0, 2], and the polynomial that stands for it. */
static wgdn_status trace(double exact[CURVE], double fitted[CURVE], const wgdn_kernel *k, int order,
                         wgdn_error *err)
{
    double a[ORDER_MAX + 1];
    const wgdn_status st = wgdn_kernel_coefficients(a, k, order, WGDN_APPROXIMATION_ONE_STEP, err);
    for (int i = 0; !st && i < CURVE; i++) {
        const double at = 2.0 * i / (CURVE - 1);
        exact[i] = wgdn_kernel_value(k, at);
        fitted[i] = 0;
        for (int m = order; m >= 0; m--)
            fitted[i] = fitted[i] * at + a[m];
    }
    return st;
}

PyObject *core_response(PyObject *module, PyObject *args)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_kernel *k = NULL, *inverse = NULL;
    double penalty, exact[CURVE], fitted[CURVE];
    const char *text;
    int order;
    if (!PyArg_ParseTuple(args, "sdi", &text, &penalty, &order)) return NULL;
    if (order < 0 || order > ORDER_MAX)
        return PyErr_Format(PyExc_ValueError, "order %d: expected 0 .. %d", order, ORDER_MAX);
    wgdn_status st = wgdn_kernel_parse(&k, text, &err);
    wiener w = {k, penalty};
    if (!st && penalty >= 0) st = wgdn_kernel_from_function(&inverse, wiener_value, &w, &err);
    if (!st) st = trace(exact, fitted, inverse ? inverse : k, order, &err);
    wgdn_kernel_free(inverse);
    wgdn_kernel_free(k);
    if (st) return core_fail(module, st, &err);
    PyObject *first = list_of(exact, CURVE), *second = first ? list_of(fitted, CURVE) : NULL;
    if (second) return Py_BuildValue("(NN)", first, second);
    Py_XDECREF(first);
    return NULL;
}
