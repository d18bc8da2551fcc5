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

/* What follows the name of a format, behind a colon. */
static wgdn_status read_manner(wgdn_embedding *e, const char *manner, const char *path,
                               wgdn_error *err)
{
    e->no_header = manner && strcmp(manner, "no-header") == 0;
    e->numbers = WGDN_NUMBERS_F32;
    if (manner && strcmp(manner, "f16") == 0) e->numbers = WGDN_NUMBERS_F16;
    if (manner && strcmp(manner, "bf16") == 0) e->numbers = WGDN_NUMBERS_BF16;
    if (!manner || e->no_header || e->numbers) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL, "%s: ':%s' behind a format; there are no-header, f16, bf16",
                     wgdn_show_name(path).text, wgdn_show_name(manner).text);
}

wgdn_status wgdn_embedding_write(const wgdn_embedding *e, const char *path, const char *format,
                                 wgdn_error *err)
{
    const char *colon = format ? strchr(format, ':') : NULL;
    const int64_t length = colon ? colon - format : format ? (int64_t)strlen(format) : 0;
    wgdn_embedding with = *e; /* shallow: what it points to stays where it is */
    char name[32];
    const wgdn_format *f;
    if (!e->vectors.dense)
        return wgdn_fail(err, WGDN_EINVAL, "%s: an embedding without dense values",
                         wgdn_show_name(path).text);
    snprintf(name, sizeof name, "%.*s", (int)wgdn_min(length, 31), format ? format : "");
    wgdn_status st = read_manner(&with, colon ? colon + 1 : NULL, path, err);
    if (!st) st = wgdn_format_to_write(&f, wgdn_embedding_formats, *name ? name : NULL, path, err);
    const bool text = !st && (f == &wgdn_tsv_vectors || f == &wgdn_csv_vectors ||
                              f == &wgdn_word2vec_vectors || f == &wgdn_json_lines_vectors);
    if (!st && with.numbers && text)
        return wgdn_fail(err, WGDN_EINVAL, "%s: text formats cannot store 16-bit floats",
                         wgdn_show_name(path).text);
    return st ? st : f->write_vectors(&with, path, err);
}
