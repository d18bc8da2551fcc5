/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resumes training from a checkpoint: it checks that options and data match and restores
 * parameters, optimizer state and step. trainer.c calls it; model_file.c reads and writes the
 * file.
 */
#include "data/dataset.h"
#include "io/lines.h"
#include "train.h"

#include <math.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* A row's digest depends on its number, so that they may be summed up in any order, by anyone. */
static uint64_t row_digest(const void *data, size_t size, int64_t row, uint64_t what)
{
    return XXH3_64bits_withSeed(data, size, 2 * (uint64_t)row + what);
}

/* The neighbors of a row by their numbers in the whole. */
static const int32_t *neighbors(int32_t *room, const wgdn_graph *g, int64_t first, int64_t i)
{
    const wgdn_csr *a = &g->adjacency;
    if (!g->halo) return a->column + a->offset[i];
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        *room++ = (int32_t)wgdn_column_row(g, first, a->column[k]);
    return room - (a->offset[i + 1] - a->offset[i]);
}

static uint64_t graph_digest(const wgdn_dataset *d, int32_t *room)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t *offset = g->adjacency.offset, first = wgdn_dataset_rows(d).first;
    const float *value = g->adjacency.value;
    uint64_t sum = 0;
    for (int64_t i = 0; i < g->adjacency.rows; i++) {
        const size_t bytes = (size_t)(offset[i + 1] - offset[i]) * sizeof *room;
        sum += row_digest(neighbors(room, g, first, i), bytes, first + i, 0);
        if (value) sum += row_digest(value + offset[i], bytes, ~(first + i), 0);
    }
    return sum;
}

static uint64_t feature_digest(const wgdn_dataset *d)
{
    const wgdn_span rows = wgdn_dataset_rows(d);
    const int64_t f = wgdn_dataset_features(d);
    const float *dense = wgdn_dataset_get_dense(d), *value;
    const int64_t *offset;
    const int32_t *column;
    uint64_t sum = 0;
    for (int64_t i = 0; dense && i < rows.count; i++)
        sum += row_digest(dense + i * f, (size_t)f * sizeof *dense, rows.first + i, 1);
    if (!wgdn_dataset_get_sparse(&offset, &column, &value, d)) return sum;
    for (int64_t i = 0; i < rows.count; i++) {
        const size_t bytes = (size_t)(offset[i + 1] - offset[i]) * sizeof *column;
        sum += row_digest(column + offset[i], bytes, rows.first + i, 1);
        if (value) sum += row_digest(value + offset[i], bytes, ~(rows.first + i), 1);
    }
    return sum;
}

static int64_t longest_row(const wgdn_csr *a)
{
    int64_t most = 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (a->offset[i + 1] - a->offset[i] > most) most = a->offset[i + 1] - a->offset[i];
    return most;
}

wgdn_status wgdn_data_digest(uint64_t *out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    int32_t *room = wgdn_alloc((size_t)longest_row(a), sizeof *room);
    wgdn_status st = room ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "the digest of the data");
    st = wgdn_ranks_agree(ranks, st, err);
    if (st) {
        wgdn_release(room);
        return st;
    }
    uint64_t all[3] = {graph_digest(d, room) + feature_digest(d), (uint64_t)wgdn_dataset_nodes(d),
                       (uint64_t)wgdn_dataset_features(d)};
    for (int64_t g = 1; g < wgdn_dataset_graphs(d); g++) {
        const int64_t start = wgdn_dataset_graph_start(d, g);
        all[0] += row_digest(&start, sizeof start, -g, 0);
    }
    if (ranks) all[0] = (uint64_t)ranks->call->sum(ranks, (int64_t)all[0]);
    *out = XXH3_64bits(all, sizeof all);
    wgdn_release(room);
    return WGDN_OK;
}

bool wgdn_same_run(const wgdn_train_options *a, const wgdn_train_options *b)
{
    const wgdn_option_info *row;
    for (int i = 0; (row = wgdn_options_get_info(WGDN_OPTIONS_KIND_TRAIN, i)); i++) {
        const char *name = row->name;
        char x[160], y[160];
        if (strcmp(name, "epochs") == 0 || strcmp(name, "pool") == 0 || wgdn_how_not_what(name))
            continue;
        if (strcmp(name, "patience") == 0 && a->patience > 0 && b->patience > 0) continue;
        if (wgdn_options_get(x, sizeof x, WGDN_OPTIONS_KIND_TRAIN, a, name, NULL) ||
            wgdn_options_get(y, sizeof y, WGDN_OPTIONS_KIND_TRAIN, b, name, NULL) ||
            strcmp(x, y) != 0)
            return false;
    }
    return true;
}

static wgdn_status other_run(const char *path, const char *what, wgdn_error *err)
{
    return wgdn_fail(
        err, WGDN_EINVAL,
        "%s: this checkpoint belongs to a run with other %s; remove it, name another one, "
        "or start from scratch",
        path, what);
}

wgdn_status wgdn_checkpoint_adopt(wgdn_run_state *run, wgdn_model *m, const wgdn_model *was,
                                  const wgdn_run_state *file, const char *path, wgdn_error *err)
{
    const size_t bytes = (size_t)m->layout.size * sizeof(float);
    if (file->data != run->data || was->shape.features != m->shape.features)
        return other_run(path, "data", err);
    if (!wgdn_same_run(&was->options, &m->options)) return other_run(path, "options", err);
    if (file->step < 0 || file->step > WGDN_STEPS_MAX || !isfinite(file->loss))
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: step %lld or loss %g cannot be; the checkpoint is corrupt", path,
                         (long long)file->step, file->loss);
    memcpy(m->param, was->param, bytes);
    if (m->buffer)
        memcpy(m->buffer, was->buffer, (size_t)m->layout.buffer_size * sizeof *m->buffer);
    for (int k = 0; k < run->states; k++)
        memcpy(run->state[k], file->state[k], bytes);
    run->step = file->step;
    run->loss = file->loss;
    run->seconds = file->seconds;
    run->health = file->health;
    if (file->stop.seen && run->best) {
        memcpy(run->best, file->best, bytes + (size_t)m->layout.buffer_size * sizeof(float));
        run->stop = file->stop;
    }
    return WGDN_OK;
}
