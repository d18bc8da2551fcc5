/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from and to files: what all formats share. */
#include "embedding_formats.h"

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
    const wgdn_format *f;
    const wgdn_status st = wgdn_format_to_read(&f, wgdn_embedding_formats, NULL, path, err);
    return st ? st : f->load_vectors(out, path, err);
}

/* Vectors that carry the ids of a dataset's nodes; nothing in it is owned. */
static wgdn_embedding view(const wgdn_dataset *d, const float *values, int64_t width)
{
    return (wgdn_embedding){.vectors = {.rows = d->nodes,
                                        .width = width,
                                        .dense = (float *)(uintptr_t)values,
                                        .borrowed = true},
                            .named = d->named,
                            .ids = d->ids,
                            .first_id = d->first_id};
}

wgdn_status wgdn_embedding_write(const wgdn_dataset *d, const char *path, const char *format,
                                 const float *values, int64_t width, wgdn_error *err)
{
    const wgdn_format *f;
    if (width < 1) return wgdn_fail(err, WGDN_EINVAL, "embedding: width %lld", (long long)width);
    const wgdn_status st = wgdn_format_to_write(&f, wgdn_embedding_formats, format, path, err);
    const wgdn_embedding e = view(d, values, width);
    return st ? st : f->write_vectors(&e, path, err);
}
