/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from files that this library, NumPy or word2vec may have written. */
#include "codec/arrays.h"
#include "dataset/embedding.h"

#include <stdio.h>
#include <string.h>

static wgdn_status refuse(const char *path, wgdn_error *err, const char *what)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s", wgdn_show_name(path).text, what);
}

/* The matrix of that name, or the only one. */
static const wgdn_tensor *find_matrix(const wgdn_archive *a)
{
    const wgdn_tensor *only = wgdn_archive_find(a, "embedding");
    int matrices = 0;
    if (only) return only;
    for (int64_t i = 0; i < a->tensors; i++)
        if (a->tensor[i].rank == 2) {
            only = &a->tensor[i];
            matrices++;
        }
    return matrices == 1 ? only : NULL;
}

static wgdn_status add_id(wgdn_embedding *e, wgdn_text id, int64_t row, const char *path,
                          wgdn_error *err)
{
    int32_t at;
    const wgdn_status st = wgdn_ids_add(&e->ids, &id, 1, &at, err);
    if (st || at == row) return st;
    return wgdn_fail(err, WGDN_EFORMAT, "%s: the id %s of row %lld %s", wgdn_show_name(path).text,
                     wgdn_show(id).text, (long long)row,
                     at < 0 ? "is too long" : "has a row already");
}

/* Where the ids stand: as text; as numbers; or as bytes, the numbers being where each starts. */
typedef struct id_source {
    const wgdn_tensor *text, *bytes;
    int64_t *number;
} id_source;

static wgdn_status id_at(wgdn_text *id, char digits[WGDN_INDEX_TEXT], const id_source *s, int64_t i,
                         const char *path, wgdn_error *err)
{
    if (s->text) {
        *id = wgdn_tensor_text(s->text, i);
        return WGDN_OK;
    }
    const int64_t from = s->number[i];
    if (!s->bytes) {
        if (from < 0) return refuse(path, err, "an id is negative");
        *id = wgdn_text_of(digits, wgdn_print_index(digits, from));
        return WGDN_OK;
    }
    const int64_t to = s->number[i + 1];
    if (from < 0 || to < from || to > wgdn_tensor_count(s->bytes))
        return refuse(path, err, "ids.start does not ascend within ids.text");
    *id = wgdn_text_of((const char *)s->bytes->data + from, (size_t)(to - from));
    return WGDN_OK;
}

/* `ids` as text or numbers, or `ids.start` and `ids.text`; a file may have none. */
static wgdn_status read_ids(wgdn_embedding *e, const wgdn_archive *a, const char *path,
                            wgdn_error *err)
{
    const wgdn_tensor *ids = wgdn_archive_find(a, "ids"), *from = wgdn_archive_find(a, "ids.start");
    const wgdn_tensor *bytes = wgdn_archive_find(a, "ids.text");
    const int64_t rows = e->vectors.rows;
    id_source s = {.text = ids && ids->dtype == WGDN_TEXT ? ids : NULL,
                   .bytes = ids ? NULL : bytes};
    wgdn_status st = WGDN_OK;
    if (!ids && !(from && bytes)) return WGDN_OK;
    if (wgdn_tensor_count(ids ? ids : from) != (ids ? rows : rows + 1) ||
        (!ids && bytes->dtype != WGDN_U8))
        return refuse(path, err, "not as many ids as vectors");
    if (!s.text) st = wgdn_array_int64(&s.number, NULL, ids ? ids : from, path, err);
    for (int64_t i = 0; !st && i < rows; i++) {
        char digits[WGDN_INDEX_TEXT];
        wgdn_text id = {0};
        st = id_at(&id, digits, &s, i, path, err);
        if (!st) st = add_id(e, id, i, path, err);
    }
    e->named = !st;
    wgdn_release(s.number);
    return st;
}

static wgdn_status take_arrays(wgdn_embedding *e, const char *path, wgdn_error *err)
{
    const wgdn_tensor *t = find_matrix(&e->archive);
    if (!t) return refuse(path, err, "no matrix of vectors: expected one called `embedding`");
    const wgdn_status st = wgdn_features_from_tensor(&e->vectors, t, path, err);
    return st ? st : read_ids(e, &e->archive, path, err);
}

/* Rows of text are kept without their zeros until all of them are there. */
static wgdn_status take_text(wgdn_embedding *e, const void *data, size_t size, const char *path,
                             wgdn_error *err)
{
    wgdn_table t = {.most = INT64_MAX};
    wgdn_features *f = &e->vectors;
    size_t all = 0;
    wgdn_status st = wgdn_table_read(&t, &e->ids, data, size, path, WGDN_HEADER_AUTO, err);
    if (!st) {
        *f = (wgdn_features){.rows = t.rows, .width = t.width};
        f->dense = wgdn_size_mul(&all, (size_t)t.rows, (size_t)t.width)
                       ? wgdn_alloc_zero(all, sizeof *f->dense)
                       : NULL;
        if (!f->dense)
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld x %lld vectors", wgdn_show_name(path).text,
                           (long long)t.rows, (long long)t.width);
    }
    for (int64_t r = 0; !st && r < t.rows; r++)
        for (int64_t k = t.offset[r]; k < t.offset[r + 1]; k++)
            f->dense[t.node[r] * t.width + t.column[k]] = t.value[k];
    e->named = true;
    wgdn_table_free(&t);
    return st;
}

static wgdn_status begin(wgdn_embedding **e, wgdn_error *err)
{
    *e = wgdn_alloc_zero(1, sizeof **e);
    if (!*e) return wgdn_fail(err, WGDN_ENOMEM, "embedding: handle");
    wgdn_ids_open(&(*e)->ids, INT32_MAX);
    return WGDN_OK;
}

static wgdn_status finish(wgdn_embedding **out, wgdn_embedding *e, wgdn_status st, const char *path,
                          wgdn_error *err)
{
    if (!st && e->vectors.rows < 1) st = refuse(path, err, "no vectors in it");
    snprintf(e->source, sizeof e->source, "%s", path);
    if (st)
        wgdn_embedding_free(e);
    else
        *out = e;
    return st;
}

wgdn_status wgdn_embedding_from_archive(wgdn_embedding **out, wgdn_archive *a, const char *path,
                                        wgdn_error *err)
{
    wgdn_embedding *e;
    const wgdn_status st = begin(&e, err);
    if (st) {
        wgdn_archive_free(a);
        return st;
    }
    e->archive = *a;
    *a = (wgdn_archive){0};
    return finish(out, e, take_arrays(e, path, err), path, err);
}

wgdn_status wgdn_embedding_from_text(wgdn_embedding **out, const void *data, size_t size,
                                     const char *path, wgdn_error *err)
{
    wgdn_embedding *e;
    const wgdn_status st = begin(&e, err);
    return st ? st : finish(out, e, take_text(e, data, size, path, err), path, err);
}

static bool is_archive(const char *path)
{
    static const char *const end[] = {".npy", ".npz", ".safetensors"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (length >= strlen(end[i]) && strcmp(path + length - strlen(end[i]), end[i]) == 0)
            return true;
    return false;
}

wgdn_status wgdn_embedding_read(wgdn_embedding **out, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_archive a = {0};
    wgdn_status st;
    if (is_archive(path)) {
        st = wgdn_archive_open(&a, path, err);
        return st ? st : wgdn_embedding_from_archive(out, &a, path, err);
    }
    st = wgdn_source_read(&s, path, INT64_MAX, err);
    if (st) return st;
    st = wgdn_embedding_from_text(out, s.data, s.size, path, err);
    wgdn_source_free(&s);
    return st;
}
