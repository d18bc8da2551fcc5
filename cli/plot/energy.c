/* SPDX-License-Identifier: Apache-2.0 */
#include "energy.h"
#include "plot.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 4096,  /* at which the density is asked, evenly spaced in arccos(1 - lambda) */
    SLAB = 128,    /* columns at a time where the features are sparse */
    MOMENTS = 256, /* enough for the bins */
};
static const double pi = 3.141592653589793;

typedef struct measuring {
    energy *e;
    const wgdn_dataset *d;
    wgdn_average average;
    int threads;
    double lambda[NODES], density[NODES], part[NODES];
} measuring;

/* Columns from .. from + count - 1 of sparse features, as a dense matrix. */
static void fill_slab(float *slab, const wgdn_dataset *d, int64_t from, int64_t count)
{
    const int64_t n = wgdn_dataset_nodes(d), *offset;
    const int32_t *column;
    const float *value;
    if (!wgdn_dataset_get_sparse(d, &offset, &column, &value)) return;
    memset(slab, 0, (size_t)(n * count) * sizeof *slab);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            if (column[k] >= from && column[k] < from + count)
                slab[i * count + column[k] - from] = value ? value[k] : 1;
}

/* Energy, signal and noise are sums over the columns. */
static wgdn_status add_columns(measuring *m, const float *x, int64_t count, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(m->d);
    wgdn_compute_options compute;
    wgdn_density_options o;
    wgdn_estimate e;
    wgdn_compute_options_init(&compute);
    wgdn_density_options_init(&o);
    compute.threads = o.threads = m->threads;
    o.moments = MOMENTS;
    wgdn_status st = wgdn_graph_estimate(&e, g, x, count, m->average, &compute, err);
    if (!st) st = wgdn_graph_density(m->part, g, m->lambda, NODES, x, count, &o, err);
    if (st) return st;
    m->e->estimate.signal += e.signal;
    m->e->estimate.noise += e.noise;
    for (int i = 0; i < NODES; i++)
        m->density[i] += m->part[i];
    return WGDN_OK;
}

/* Shares of the energy, as a line of steps. */
static void make_bins(const measuring *m)
{
    double all = 0, share[ENERGY_BINS] = {0};
    for (int i = 0; i < NODES; i++) {
        const double weight = m->density[i] * sin(pi * (i + 0.5) / NODES);
        const int bin = (int)(m->lambda[i] * ENERGY_BINS / 2);
        share[bin < ENERGY_BINS ? bin : ENERGY_BINS - 1] += weight;
        all += weight;
    }
    for (int k = 0; k < ENERGY_STEPS; k++) {
        const int bin = k / 2, edge = bin + k % 2;
        m->e->edge[k] = 2.0 * edge / ENERGY_BINS;
        m->e->share[k] = 100 * fmax(share[bin], 0) / all;
    }
}

static wgdn_status measure_slabs(measuring *m, float *slab, int64_t width, progress *bar,
                                 wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t from = 0; !st && from < width; from += SLAB) {
        const int64_t count = width - from < SLAB ? width - from : SLAB;
        fill_slab(slab, m->d, from, count);
        st = add_columns(m, slab, count, err);
        progress_show(bar, from + count, width);
    }
    return st;
}

int energy_measure(energy *e, const cli *c, const wgdn_dataset *d, const float *dense,
                   int64_t width, wgdn_average average)
{
    measuring *m = calloc(1, sizeof *m);
    float *slab = dense ? NULL : malloc((size_t)wgdn_dataset_nodes(d) * SLAB * sizeof *slab);
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    int code = DONE;
    if (!m || (!dense && !slab)) {
        code = plot_no_memory();
        goto done;
    }
    *e = (energy){0};
    m->e = e;
    m->d = d;
    m->average = average;
    m->threads = option_threads(&c->values);
    for (int i = 0; i < NODES; i++)
        m->lambda[i] = 1 - cos(pi * (i + 0.5) / NODES);
    progress_start(&bar, "spectral energy", "columns", option_on(&c->values, OPT_QUIET));
    const wgdn_status st =
        dense ? add_columns(m, dense, width, &err) : measure_slabs(m, slab, width, &bar, &err);
    progress_end(&bar);
    if (st) {
        code = complain_status(st, &err);
    } else if (e->estimate.signal > 0) {
        make_bins(m);
    } else {
        complain("%s: all values are zero, so there is no energy to show", c->operand[0]);
        code = BAD_INPUT;
    }

done:
    free(slab);
    free(m);
    return code;
}
