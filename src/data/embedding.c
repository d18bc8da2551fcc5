/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the embedding handle: vectors in memory, their ids and where they came from. The
 * readers of vector files and wgdn_model_embed() create embeddings; evaluations and the program
 * read them.
 */
#include "embedding.h"
#include "io/scratch.h"

#include <stdio.h>
#include <string.h>

static wgdn_status refuse_shape(int64_t rows, int64_t dim, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "embedding: %lld vectors of %lld dimensions",
                     (long long)rows, (long long)dim);
}

static wgdn_status no_memory(int64_t rows, int64_t dim, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "embedding: %lld vectors of %lld dimensions",
                     (long long)rows, (long long)dim);
}

/* Vectors in memory, or in a file that the embedding keeps. */
static wgdn_status open_vectors(wgdn_embedding *e, const char *folder, wgdn_error *err)
{
    wgdn_storage s;
    const size_t bytes =
        wgdn_size_product((size_t)e->vectors.rows, (size_t)e->vectors.width, sizeof(float));
    wgdn_status st = wgdn_storage_open(&s, bytes, folder, "vectors", err);
    if (st) return st;
    e->vectors.dense = s.at;
    e->vectors.borrowed = e->archive.sparing = s.in_file;
    if (!s.in_file) return WGDN_OK;
    wgdn_bytes b = {.data = s.at, .size = s.size, .name = "vectors", .block = s.at, .mapped = true};
    st = wgdn_archive_keep(&e->archive, &b, err);
    if (st) wgdn_bytes_free(&b);
    return st;
}

wgdn_status wgdn_embedding_new(wgdn_embedding **out, int64_t rows, int64_t dim, const char *folder,
                               wgdn_error *err)
{
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (!e) return no_memory(rows, dim, err);
    e->vectors = (wgdn_features){.rows = rows, .width = dim};
    const wgdn_status st = open_vectors(e, folder, err);
    if (st)
        wgdn_embedding_free(e);
    else
        *out = e;
    return st;
}

wgdn_status wgdn_numbers_make(void *out, const float *x, int64_t count, wgdn_numbers n,
                              wgdn_error *err)
{
    const bool half = n == WGDN_NUMBERS_F16;
    const int64_t lost = wgdn_narrow(out, x, count, wgdn_numbers_type(n));
    if (!lost) return WGDN_OK;
    return wgdn_fail(err, WGDN_ERANGE, "vectors have numbers that are too large for %s: write %s",
                     half ? "f16, which ends at 65504" : "bf16", half ? "bf16 or f32" : "f32");
}

wgdn_status wgdn_numbers_write(wgdn_output *o, const wgdn_archive *in, const float *x,
                               int64_t count, wgdn_numbers n, wgdn_error *err)
{
    enum { AT_ONCE = 8192 };
    uint16_t made[AT_ONCE];
    wgdn_status st = WGDN_OK;
    if (!n) return wgdn_archive_copy(o, in, x, (size_t)count * sizeof *x, err);
    for (int64_t i = 0; i < count && !st; i += AT_ONCE) {
        const int64_t some = wgdn_min(count - i, AT_ONCE);
        st = wgdn_numbers_make(made, x + i, some, n, err);
        if (!st) st = wgdn_output_write(o, made, (size_t)some * sizeof *made, err);
        if (in) wgdn_archive_forget_at(in, x + i, (size_t)some * sizeof *x, false);
    }
    return st;
}

wgdn_status wgdn_embedding_write_npy(const wgdn_embedding *e, const char *path, wgdn_numbers n,
                                     wgdn_error *err)
{
    const wgdn_features *v = &e->vectors;
    const wgdn_archive *in = e->archive.sparing ? &e->archive : NULL;
    const wgdn_tensor t = {.name = "embedding",
                           .dtype = WGDN_F32,
                           .rank = 2,
                           .shape = {v->rows, v->width},
                           .width = sizeof(float),
                           .data = v->dense,
                           .in = in};
    wgdn_output *o = NULL;
    if (!n) return wgdn_write_npy(path, &t, err);
    wgdn_status st = wgdn_npy_begin(&o, path, wgdn_numbers_type(n), v->rows, v->width, err);
    if (!st) st = wgdn_numbers_write(o, in, v->dense, v->rows * v->width, n, err);
    if (!st) return wgdn_output_commit(o, err);
    wgdn_output_abandon(o);
    return st;
}

wgdn_status wgdn_embedding_from_values(wgdn_embedding **out, const float *values, int64_t rows,
                                       int64_t dim, const wgdn_dataset *ids_of, wgdn_error *err)
{
    if (!values || rows < 1 || dim < 1) return refuse_shape(rows, dim, err);
    if (ids_of && ids_of->nodes != rows)
        return wgdn_fail(err, WGDN_EINVAL, "embedding: %lld vectors for %lld nodes",
                         (long long)rows, (long long)ids_of->nodes);
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (!e) return no_memory(rows, dim, err);
    e->vectors = (wgdn_features){
        .rows = rows, .width = dim, .dense = (float *)(uintptr_t)values, .borrowed = true};
    e->of = ids_of;
    snprintf(e->source, sizeof e->source, "values");
    *out = e;
    return WGDN_OK;
}

void wgdn_embedding_free(wgdn_embedding *e)
{
    if (!e) return;
    wgdn_features_free(&e->vectors);
    wgdn_ids_close(&e->ids);
    wgdn_archive_free(&e->archive);
    if (e->release) e->release(e->keeper);
    wgdn_release(e);
}

int64_t wgdn_embedding_rows(const wgdn_embedding *e)
{
    return e->vectors.rows;
}

int64_t wgdn_embedding_zeros(const wgdn_embedding *e)
{
    return e->zeros;
}

int64_t wgdn_embedding_dim(const wgdn_embedding *e)
{
    return e->vectors.width;
}

const float *wgdn_embedding_get_values(const wgdn_embedding *e)
{
    return e->vectors.dense;
}

const char *wgdn_embedding_get_source(const wgdn_embedding *e)
{
    return e->source;
}

/* ---- ids ---- */

static wgdn_text dataset_graph_name(const wgdn_dataset *d, int64_t g, char buffer[WGDN_INDEX_TEXT])
{
    if (d->graphs_named) return wgdn_ids_text(&d->graph_ids, g, buffer);
    return wgdn_text_of(buffer, wgdn_print_index(buffer, d->first_graph + g));
}

wgdn_text wgdn_embedding_name(const wgdn_embedding *e, int64_t row, char buffer[WGDN_INDEX_TEXT])
{
    if (e->named) return wgdn_ids_text(&e->ids, row, buffer);
    if (e->of && e->of_graphs) return dataset_graph_name(e->of, row, buffer);
    if (e->of) return wgdn_dataset_name(e->of, row, buffer);
    return wgdn_text_of(buffer, wgdn_print_index(buffer, row));
}

int64_t wgdn_embedding_id(char *buffer, size_t size, const wgdn_embedding *e, int64_t row)
{
    char digits[WGDN_INDEX_TEXT];
    if (row < 0 || row >= e->vectors.rows) return -1;
    return wgdn_text_put(buffer, size, wgdn_embedding_name(e, row, digits));
}

/* The same of graphs. */
static int64_t dataset_seek_graph(const wgdn_dataset *d, wgdn_text id)
{
    int64_t value;
    if (d->graphs_named) return wgdn_ids_find(&d->graph_ids, id);
    if (!wgdn_text_index(id, &value)) return -1;
    value -= d->first_graph;
    return value >= 0 && value < d->graphs ? value : -1;
}

static int64_t seek(const wgdn_embedding *e, wgdn_text id)
{
    int64_t row;
    if (e->named) return wgdn_ids_find(&e->ids, id);
    if (e->of && e->of_graphs) return dataset_seek_graph(e->of, id);
    if (e->of) return wgdn_dataset_seek(e->of, id);
    return wgdn_text_index(id, &row) && row < e->vectors.rows ? row : -1;
}

int64_t wgdn_embedding_find(const wgdn_embedding *e, const char *id, size_t size)
{
    const int64_t row = seek(e, wgdn_text_of(id, size));
    return row < e->vectors.rows ? row : -1;
}

wgdn_status wgdn_embedding_match(int64_t *row, const wgdn_embedding *e, const wgdn_dataset *d,
                                 wgdn_error *err)
{
    const bool ids = wgdn_embedding_has_ids(e) && !(e->of == d && !e->of_graphs);
    char digits[WGDN_INDEX_TEXT];
    if (!ids && e->vectors.rows != d->nodes)
        return wgdn_fail(err, WGDN_EFORMAT, "%lld vectors without ids for %lld nodes",
                         (long long)e->vectors.rows, (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        const wgdn_text id = wgdn_dataset_name(d, i, digits);
        row[i] = ids ? seek(e, id) : i;
        if (row[i] < 0)
            return wgdn_fail(err, WGDN_EFORMAT, "there is no vector for the node %s",
                             wgdn_show(id).text);
    }
    return WGDN_OK;
}
