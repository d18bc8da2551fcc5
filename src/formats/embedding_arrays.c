/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as an array beside their ids: .npy (no ids), .npz, .safetensors. */
#include "codec/arrays.h"
#include "embedding_formats.h"

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

/* Whether it takes so much of the memory that pages had better go once they were used. */
static bool is_large(const wgdn_tensor *t)
{
    int64_t total, available;
    wgdn_memory_get(&total, &available);
    return available >= 0 && wgdn_tensor_count(t) > available / 4 / (int64_t)sizeof(float);
}

static wgdn_status take_arrays(wgdn_embedding *e, const char *path, wgdn_error *err)
{
    const wgdn_tensor *found = find_matrix(&e->archive);
    if (!found) return refuse(path, err, "no matrix of vectors: expected one called `embedding`");
    e->archive.sparing = is_large(found);
    const wgdn_status st = wgdn_features_from_tensor(&e->vectors, found, &e->archive, path, err);
    return st ? st : read_ids(e, &e->archive, path, err);
}

wgdn_status wgdn_embedding_from_archive(wgdn_embedding **out, wgdn_archive *a, const char *path,
                                        wgdn_error *err)
{
    wgdn_embedding *e = wgdn_embedding_begin(err);
    if (!e) {
        wgdn_archive_free(a);
        return WGDN_ENOMEM;
    }
    e->archive = *a;
    *a = (wgdn_archive){0};
    return wgdn_embedding_finish(out, e, take_arrays(e, path, err), path, err);
}

/* ---- writing ---- */

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
    char buffer[WGDN_INDEX_TEXT];
    size_t bytes = 0, width = 1;
    *start = wgdn_alloc((size_t)e->vectors.rows + 1, sizeof **start);
    if (!*start) goto no_memory;
    (*start)[0] = 0;
    for (int64_t i = 0; i < e->vectors.rows; i++) {
        const size_t size = wgdn_embedding_name(e, i, buffer).size;
        bytes += size;
        if (size > width) width = size;
        (*start)[i + 1] = (int64_t)bytes;
    }
    *text = padded ? wgdn_alloc_zero((size_t)e->vectors.rows, width) : wgdn_alloc(bytes, 1);
    if (!*text) goto no_memory;
    for (int64_t i = 0; i < e->vectors.rows; i++) {
        const wgdn_text id = wgdn_embedding_name(e, i, buffer);
        memcpy(*text + (padded ? (size_t)i * width : (size_t)(*start)[i]), id.at, id.size);
        if (padded && id.size && id.at[id.size - 1] == 0)
            return wgdn_fail(err, WGDN_EINVAL, "the id %s ends in NUL, which npz cannot hold",
                             wgdn_show(id).text);
    }
    if (padded) {
        t[0] = vector("ids", WGDN_TEXT, e->vectors.rows, *text);
        t[0].width = width;
    } else {
        t[0] = vector("ids.start", WGDN_I64, e->vectors.rows + 1, *start);
        t[1] = vector("ids.text", WGDN_U8, (int64_t)bytes, *text);
    }
    return WGDN_OK;

no_memory:
    return wgdn_fail(err, WGDN_ENOMEM, "ids: %lld of them", (long long)e->vectors.rows);
}

/* The matrix itself, to be written with the ids behind it; in two bytes it is a copy. */
static wgdn_status open_matrix(wgdn_tensor *t, void **copy, const wgdn_embedding *e,
                               wgdn_error *err)
{
    const int64_t count = e->vectors.rows * e->vectors.width;
    *t = vector("embedding", wgdn_numbers_type(e->numbers), e->vectors.rows, e->vectors.dense);
    t->rank = 2;
    t->shape[1] = e->vectors.width;
    if (e->archive.sparing) t->in = &e->archive;
    if (!e->numbers) return WGDN_OK;
    *copy = wgdn_alloc((size_t)count, t->width);
    if (!*copy) return wgdn_fail(err, WGDN_ENOMEM, "vectors in two bytes");
    t->data = *copy;
    t->in = NULL;
    return wgdn_numbers_make(*copy, e->vectors.dense, count, e->numbers, err);
}

static wgdn_status write_npy(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return wgdn_embedding_write_npy(e, path, e->numbers, err);
}

static wgdn_status write_with_ids(const wgdn_embedding *e, const char *path, bool npz,
                                  wgdn_error *err)
{
    static const wgdn_text_pair metadata[] = {{"wgdn.kind", "embedding"}, {"wgdn.version", "1"}};
    int64_t *start = NULL;
    char *text = NULL;
    void *copy = NULL;
    wgdn_tensor t[3];
    wgdn_status st = open_matrix(t, &copy, e, err);
    if (!st) st = gather_ids(t + 1, &start, &text, e, npz, err);
    if (!st && npz) st = wgdn_write_npz(path, t, 2, err);
    if (!st && !npz) st = wgdn_write_safetensors(path, t, 3, metadata, 2, err);
    wgdn_release(text);
    wgdn_release(start);
    wgdn_release(copy);
    return st;
}

static wgdn_status write_npz(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return write_with_ids(e, path, true, err);
}

static wgdn_status write_safetensors(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return write_with_ids(e, path, false, err);
}

/* First bytes, not the name, say which of the three it is. */
static wgdn_status load(wgdn_embedding **out, const char *path, wgdn_error *err)
{
    wgdn_archive a = {0};
    const wgdn_status st = wgdn_archive_open(&a, path, err);
    return st ? st : wgdn_embedding_from_archive(out, &a, path, err);
}

static bool look(wgdn_text start)
{
    return wgdn_start_archive(start) != NULL;
}

const wgdn_format wgdn_npy_vectors = {
    .info = {"npy", (const char *const[]){".npy", NULL}, "One NumPy array, without ids", 1, 1},
    .look = look, /* for all three */
    .load_vectors = load,
    .write_vectors = write_npy,
};
const wgdn_format wgdn_npz_vectors = {
    .info = {"npz", (const char *const[]){".npz", NULL}, "NumPy arrays of vectors and ids", 1, 1},
    .load_vectors = load,
    .write_vectors = write_npz,
};
const wgdn_format wgdn_safetensors_vectors = {
    .info = {"safetensors", (const char *const[]){".safetensors", NULL},
             "Tensors of vectors and ids, with checksums", 1, 1},
    .load_vectors = load,
    .write_vectors = write_safetensors,
};
