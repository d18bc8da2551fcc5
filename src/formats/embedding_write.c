/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors beside their ids. */
#include "dataset/embedding.h"

#include <string.h>

static wgdn_tensor vector(const char *name, wgdn_dtype dtype, int64_t count, const void *data)
{
    return (wgdn_tensor){.name = name,
                         .dtype = dtype,
                         .rank = 1,
                         .shape = {count},
                         .width = wgdn_dtype_width(dtype),
                         .data = data};
}

/* The ids' bytes in a row with their starts, or padded to the longest one. */
static wgdn_status gather_ids(wgdn_tensor t[2], int64_t **start, char **text,
                              const wgdn_embedding *e, bool padded, wgdn_error *err)
{
    const int64_t rows = e->vectors.rows;
    char buffer[WGDN_INDEX_TEXT];
    size_t bytes = 0, width = 1;
    *start = wgdn_alloc((size_t)rows + 1, sizeof **start);
    if (!*start) goto no_memory;
    (*start)[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        const size_t size = wgdn_embedding_name(e, i, buffer).size;
        bytes += size;
        if (size > width) width = size;
        (*start)[i + 1] = (int64_t)bytes;
    }
    *text = padded ? wgdn_alloc_zero((size_t)rows, width) : wgdn_alloc(bytes, 1);
    if (!*text) goto no_memory;
    for (int64_t i = 0; i < rows; i++) {
        const wgdn_text id = wgdn_embedding_name(e, i, buffer);
        memcpy(*text + (padded ? (size_t)i * width : (size_t)(*start)[i]), id.at, id.size);
        if (padded && id.size && id.at[id.size - 1] == 0)
            return wgdn_fail(err, WGDN_EINVAL, "the id %s ends in NUL, which npz cannot hold",
                             wgdn_show(id).text);
    }
    if (padded) {
        t[0] = vector("ids", WGDN_TEXT, rows, *text);
        t[0].width = width;
    } else {
        t[0] = vector("ids.start", WGDN_I64, rows + 1, *start);
        t[1] = vector("ids.text", WGDN_U8, (int64_t)bytes, *text);
    }
    return WGDN_OK;

no_memory:
    return wgdn_fail(err, WGDN_ENOMEM, "ids: %lld of them", (long long)rows);
}

static wgdn_status write_arrays(const wgdn_embedding *e, const char *path, wgdn_format format,
                                wgdn_error *err)
{
    static const wgdn_text_pair metadata[] = {{"wgdn.kind", "embedding"}, {"wgdn.version", "1"}};
    int64_t *start = NULL;
    char *text = NULL;
    wgdn_status st = WGDN_OK;
    wgdn_tensor t[3] = {vector("embedding", WGDN_F32, e->vectors.rows, e->vectors.dense)};
    t[0].rank = 2;
    t[0].shape[1] = e->vectors.width;
    if (format != WGDN_FORMAT_NPY)
        st = gather_ids(t + 1, &start, &text, e, format == WGDN_FORMAT_NPZ, err);
    if (!st && format == WGDN_FORMAT_NPY) st = wgdn_write_npy(path, t, err);
    if (!st && format == WGDN_FORMAT_NPZ) st = wgdn_write_npz(path, t, 2, err);
    if (!st && format == WGDN_FORMAT_SAFETENSORS)
        st = wgdn_write_safetensors(path, t, 3, metadata, 2, err);
    wgdn_release(text);
    wgdn_release(start);
    return st;
}

wgdn_status wgdn_embedding_write(const wgdn_embedding *e, const char *path, wgdn_format format,
                                 wgdn_error *err)
{
    if (!e->vectors.dense)
        return wgdn_fail(err, WGDN_EINVAL, "%s: an embedding without dense values",
                         wgdn_show_name(path).text);
    switch (format) {
    case WGDN_FORMAT_TSV:
    case WGDN_FORMAT_CSV:
    case WGDN_FORMAT_WORD2VEC: return wgdn_write_embedding_text(e, path, format, err);
    case WGDN_FORMAT_NPY:
    case WGDN_FORMAT_NPZ:
    case WGDN_FORMAT_SAFETENSORS: return write_arrays(e, path, format, err);
    default: break;
    }
    return wgdn_fail(
        err, WGDN_EINVAL,
        "%s: embeddings are written as npy, npz, safetensors, tsv, csv or word2vec, not as "
        "format %d",
        wgdn_show_name(path).text, (int)format);
}
