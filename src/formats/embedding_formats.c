/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from and to files: what all formats share. */
#include "embedding_formats.h"

#include <stdio.h>
#include <string.h>

wgdn_embedding *wgdn_embedding_begin(wgdn_error *err)
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
    snprintf(e->source, sizeof e->source, "%s", path);
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

wgdn_status wgdn_embedding_write(const wgdn_embedding *e, const char *path, const char *format,
                                 wgdn_error *err)
{
    static const char rows[] = ":no-header";
    const size_t length = format ? strlen(format) : 0, tail = sizeof rows - 1;
    const bool bare = length >= tail && strcmp(format + length - tail, rows) == 0;
    char name[32];
    const wgdn_format *f;
    if (!e->vectors.dense)
        return wgdn_fail(err, WGDN_EINVAL, "%s: an embedding without dense values",
                         wgdn_show_name(path).text);
    snprintf(name, sizeof name, "%.*s", (int)wgdn_min((int64_t)(bare ? length - tail : length), 31),
             format ? format : "");
    const wgdn_status st =
        wgdn_format_to_write(&f, wgdn_embedding_formats, *name ? name : NULL, path, err);
    if (st) return st;
    wgdn_embedding with = *e; /* shallow: what it points to stays where it is */
    with.no_header = bare;
    return f->write_vectors(&with, path, err);
}
