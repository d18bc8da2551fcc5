/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from and to files: which format, then what all of them share. */
#include "embedding_formats.h"

#include "codec/source.h"
#include "dataset/dataset.h"

wgdn_embedding *wgdn_embedding_new(wgdn_error *err)
{
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (e)
        wgdn_ids_open(&e->ids, INT32_MAX);
    else
        wgdn_error_set(err, WGDN_ENOMEM, "embedding: handle");
    return e;
}

wgdn_status wgdn_embedding_finish(wgdn_embedding **out, wgdn_embedding *e, wgdn_status st,
                                  const char *path, wgdn_error *err)
{
    if (!st && e->vectors.rows < 1)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no vectors in it", wgdn_show_name(path).text);
    if (st)
        wgdn_embedding_free(e);
    else
        *out = e;
    return st;
}

wgdn_status wgdn_embedding_read(wgdn_embedding **out, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_archive a = {0};
    wgdn_status st;
    if (wgdn_path_is_archive(path)) {
        st = wgdn_archive_open(&a, path, err);
        return st ? st : wgdn_embedding_from_archive(out, &a, path, err);
    }
    st = wgdn_source_read(&s, path, INT64_MAX, err);
    if (st) return st;
    const wgdn_input in = {.data = s.data, .size = s.size, .name = path};
    st = wgdn_embedding_from_text(out, &in, err);
    wgdn_source_free(&s);
    return st;
}

/* Vectors that carry the ids of a dataset's nodes; nothing in it is owned. */
static wgdn_embedding view(const wgdn_dataset *d, const float *values, int64_t width)
{
    return (wgdn_embedding){.vectors = {.rows = d->nodes,
                                        .width = width,
                                        .dense = (float *)(uintptr_t)values,
                                        .lent = true},
                            .named = d->named,
                            .ids = d->ids,
                            .first_id = d->first_id};
}

wgdn_status wgdn_embedding_write(const wgdn_dataset *d, const char *path, wgdn_format format,
                                 const float *values, int64_t width, wgdn_error *err)
{
    if (width < 1) return wgdn_fail(err, WGDN_EINVAL, "embedding: width %lld", (long long)width);
    const wgdn_embedding e = view(d, values, width);
    switch (format) {
    case WGDN_FORMAT_TSV:
    case WGDN_FORMAT_CSV:
    case WGDN_FORMAT_WORD2VEC: return wgdn_write_embedding_text(&e, path, format, err);
    case WGDN_FORMAT_NPY:
    case WGDN_FORMAT_NPZ:
    case WGDN_FORMAT_SAFETENSORS: return wgdn_write_embedding_arrays(&e, path, format, err);
    default: break;
    }
    return wgdn_fail(
        err, WGDN_EINVAL,
        "%s: embeddings are written as npy, npz, safetensors, tsv, csv or word2vec, not as "
        "format %d",
        wgdn_show_name(path).text, (int)format);
}
