/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"
#include "train.h"

#include <math.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

static uint64_t add(uint64_t seed, const void *data, size_t size)
{
    return data && size ? XXH3_64bits_withSeed(data, size, seed) : seed;
}

uint64_t wgdn_data_digest(const wgdn_dataset *d)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    const int64_t n = wgdn_dataset_nodes(d), f = wgdn_dataset_width(d);
    const size_t entries = (size_t)wgdn_dataset_entries(d);
    const int64_t *offset;
    const int32_t *column;
    const float *value;
    uint64_t h = add(1, a->offset, (size_t)(n + 1) * sizeof *a->offset);
    for (int64_t g = 1; g < wgdn_dataset_graphs(d); g++) {
        const int64_t start = wgdn_dataset_graph_start(d, g);
        h = add(h, &start, sizeof start);
    }
    h = add(h, a->column, (size_t)wgdn_csr_entries(a) * sizeof *a->column);
    h = add(h, &f, sizeof f);
    h = add(h, wgdn_dataset_get_dense(d), (size_t)(n * f) * sizeof(float));
    if (!wgdn_dataset_get_sparse(d, &offset, &column, &value)) return h;
    h = add(h, offset, (size_t)(n + 1) * sizeof *offset);
    h = add(h, column, entries * sizeof *column);
    return add(h, value, entries * sizeof *value);
}

bool wgdn_same_run(const wgdn_train_options *a, const wgdn_train_options *b)
{
    for (size_t i = 0; i < wgdn_train_option_set.count; i++) {
        const char *name = wgdn_train_option_set.row[i].name;
        char x[160], y[160];
        if (strcmp(name, "epochs") == 0 || strcmp(name, "pool") == 0 || wgdn_how_not_what(name))
            continue;
        if (wgdn_option_get_text(x, sizeof x, a, &wgdn_train_option_set, name, NULL) ||
            wgdn_option_get_text(y, sizeof y, b, &wgdn_train_option_set, name, NULL) ||
            strcmp(x, y) != 0)
            return false;
    }
    return true;
}

static wgdn_status other_run(const char *path, const char *what, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL,
                     "%s: this checkpoint is of a run with other %s; remove it, name another one, "
                     "or start afresh",
                     path, what);
}

wgdn_status wgdn_checkpoint_take(double *loss, wgdn_model *m, wgdn_adam *a, const char *path,
                                 uint64_t data, wgdn_error *err)
{
    wgdn_run_state run = {0};
    wgdn_model *was = NULL;
    wgdn_status st;
    if (access(path, F_OK) != 0) return WGDN_OK;
    st = wgdn_model_read(&was, &run, path, err);
    if (st) return st;
    if (run.data != data || was->shape.features != m->shape.features)
        st = other_run(path, "data", err);
    else if (!wgdn_same_run(&was->options, &m->options))
        st = other_run(path, "options", err);
    else if (run.step < 0 || run.step > UINT32_MAX || !isfinite(run.loss))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: step %lld, loss %g", path, (long long)run.step,
                       run.loss);
    if (!st) {
        memcpy(m->param, was->param, (size_t)m->layout.size * sizeof *m->param);
        if (m->buffer)
            memcpy(m->buffer, was->buffer, (size_t)m->layout.buffer_size * sizeof *m->buffer);
        memcpy(a->m, run.m, (size_t)a->size * sizeof *a->m);
        memcpy(a->v, run.v, (size_t)a->size * sizeof *a->v);
        a->steps = run.step;
        *loss = run.loss;
    }
    wgdn_release(run.v);
    wgdn_release(run.m);
    wgdn_model_free(was);
    return st;
}

wgdn_status wgdn_checkpoint_put(const wgdn_model *m, const wgdn_adam *a, double loss,
                                const char *path, uint64_t data, wgdn_error *err)
{
    const wgdn_run_state run = {.m = a->m, .v = a->v, .step = a->steps, .loss = loss, .data = data};
    return wgdn_model_write(m, &run, path, err);
}
