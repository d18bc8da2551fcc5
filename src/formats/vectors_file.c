/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes embeddings as arrays (.npy, .npz, .safetensors) and as text (TSV, CSV,
 * word2vec, JSON lines). wgdn_embedding_read() and wgdn_embedding_write() are its entry points.
 */
#include "vectors_file.h"
#include "data/embedding.h"
#include "formats.h"
#include "io/archive.h"
#include "io/lines.h"
#include "io/source.h"
#include "io/text.h"
#include "io/zip.h"
#include "node_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads and writes vectors: the steps that all formats share. */

/* An empty embedding to be filled in, or NULL with the error set. */
static wgdn_embedding *embedding_begin(wgdn_error *err)
{
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (e)
        wgdn_ids_open(&e->ids, INT32_MAX);
    else
        wgdn_error_set(err, WGDN_ENOMEM, "embedding: handle");
    return e;
}

/* To *out if it was read and has rows; else it is freed. path is for messages. */
static wgdn_status embedding_finish(wgdn_embedding **out, wgdn_embedding *e, wgdn_status st,
                                    const char *path, wgdn_error *err)
{
    if (!st && e->vectors.rows < 1)
        st = wgdn_fail_in(err, WGDN_EFORMAT, path, "it contains no vectors");
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

wgdn_status wgdn_embedding_write(const wgdn_embedding *e, const char *path,
                                 const wgdn_write_options *o, wgdn_error *err)
{
    wgdn_embedding with = *e; /* shallow: what it points to stays where it is */
    wgdn_write_options opt;
    const wgdn_format *f;
    if (!e->vectors.dense)
        return wgdn_fail_in(err, WGDN_EINVAL, path, "an embedding without dense values");
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_WRITE, err);
    if (!st) st = wgdn_format_to_write(&f, wgdn_embedding_formats, opt.format, path, err);
    const bool text = !st && (f == &wgdn_tsv_vectors || f == &wgdn_csv_vectors ||
                              f == &wgdn_word2vec_vectors || f == &wgdn_json_lines_vectors);
    if (!st && opt.numbers && text)
        return wgdn_fail_in(err, WGDN_EINVAL, path, "text formats cannot store 16-bit floats");
    if (st) return st;
    with.no_header = opt.no_header;
    with.numbers = opt.numbers;
    const bool asked = wgdn_stop_enter(true);
    st = f->write_vectors(&with, path, err);
    return wgdn_stop_leave(asked, st, err);
}

/* Reads and writes vectors as an array with their ids: .npy (no ids), .npz, .safetensors. */

static wgdn_status refuse(const char *path, wgdn_error *err, const char *what)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, path, "%s", what);
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
    return wgdn_fail_in(err, WGDN_EFORMAT, path, "the id %s of row %lld %s", wgdn_show(id).text,
                        (long long)row, at < 0 ? "is too long" : "has a row already");
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
    wgdn_embedding *e = embedding_begin(err);
    if (!e) {
        wgdn_archive_free(a);
        return WGDN_ENOMEM;
    }
    e->archive = *a;
    *a = (wgdn_archive){0};
    return embedding_finish(out, e, take_arrays(e, path, err), path, err);
}

/* ---- writing ---- */

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
        t[0] = wgdn_tensor_of_vector("ids", WGDN_TEXT, e->vectors.rows, *text);
        t[0].width = width;
    } else {
        t[0] = wgdn_tensor_of_vector("ids.start", WGDN_I64, e->vectors.rows + 1, *start);
        t[1] = wgdn_tensor_of_vector("ids.text", WGDN_U8, (int64_t)bytes, *text);
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
    *t = wgdn_tensor_of_vector("embedding", wgdn_numbers_type(e->numbers), e->vectors.rows,
                               e->vectors.dense);
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

static bool recognize_start(wgdn_text start)
{
    return wgdn_start_archive(start) != NULL;
}

const wgdn_format wgdn_npy_vectors = {
    .info = {"npy", (const char *const[]){".npy", NULL}, "One NumPy array, without ids", 1, 1},
    .look = recognize_start, /* for all three */
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

/* Turns vectors into a dataset without edges, for data that is keyed by their ids. */

static wgdn_status copy_ids(wgdn_dataset *d, const wgdn_embedding *e, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    wgdn_ids_open(&d->ids, INT32_MAX);
    d->named = wgdn_embedding_has_ids(e);
    for (int64_t i = 0; d->named && !st && i < d->nodes; i++) {
        char digits[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_embedding_name(e, i, digits);
        int32_t at;
        st = wgdn_ids_add(&d->ids, &id, 1, &at, err); /* at = i: they differ over there */
    }
    return st;
}

wgdn_status wgdn_dataset_from_embedding(wgdn_dataset **out, const wgdn_embedding *e,
                                        const wgdn_dataset_options *options, wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_status st = wgdn_options_read(&o, options, WGDN_OPTIONS_KIND_DATASET, err);
    if (st) return st;
    if (e->vectors.rows > o.max_nodes)
        return wgdn_fail(err, WGDN_ERANGE, "%lld vectors; the maximum allowed is %lld",
                         (long long)e->vectors.rows, (long long)o.max_nodes);
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    if (!d) return wgdn_fail(err, WGDN_ENOMEM, "dataset: handle");
    d->graphs = 1;
    d->nodes = e->vectors.rows;
    st = wgdn_graph_from_edges(&d->graph, d->nodes, 0, NULL, NULL, err);
    if (!st) st = copy_ids(d, e, err);
    if (!st) st = wgdn_notes_read(d, &o, err);
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}

/*
 * Reads and writes vectors as text, an id and its numbers on every line: TSV, CSV, word2vec, JSON
 * lines.
 */

/* Rows of text are kept without their zeros until all of them are there. */
static wgdn_status take_text(wgdn_embedding *e, const wgdn_input *in, wgdn_error *err)
{
    wgdn_table t = {.max = INT64_MAX};
    wgdn_features *f = &e->vectors;
    size_t all = 0;
    wgdn_status st = wgdn_table_read(&t, &e->ids, in, err);
    if (!st) {
        *f = (wgdn_features){.rows = t.rows, .width = t.width};
        f->dense = wgdn_size_mul(&all, (size_t)t.rows, (size_t)t.width)
                       ? wgdn_alloc_zero(all, sizeof *f->dense)
                       : NULL;
        if (!f->dense)
            st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "%lld x %lld vectors", (long long)t.rows,
                              (long long)t.width);
    }
    for (int64_t r = 0; !st && r < t.rows; r++)
        for (int64_t k = t.offset[r]; k < t.offset[r + 1]; k++)
            f->dense[t.node[r] * t.width + t.column[k]] = t.value[k];
    e->named = true;
    wgdn_table_free(&t);
    return st;
}

wgdn_status wgdn_embedding_from_text(wgdn_embedding **out, const wgdn_input *in, wgdn_error *err)
{
    wgdn_embedding *e = embedding_begin(err);
    if (!e) return WGDN_ENOMEM;
    return embedding_finish(out, e, take_text(e, in, err), in->name, err);
}

/* ---- writing ---- */

static void put_id(wgdn_page *p, const wgdn_embedding *e, int64_t i)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_embedding_name(e, i, buffer));
}

/* word2vec's readers split at blanks and know no quotes. */
static void put_word2vec_id(wgdn_page *p, const wgdn_embedding *e, int64_t i)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text id = wgdn_embedding_name(e, i, buffer);
    bool plain = id.size > 0;
    for (size_t k = 0; k < id.size && plain; k++)
        plain = id.at[k] > ' ' && !(k == 0 && (id.at[k] == '#' || id.at[k] == '%'));
    if (!plain && !p->st)
        p->st = wgdn_fail(p->err, WGDN_EINVAL,
                          "the id %s of node %lld does not fit word2vec text, where ids have no "
                          "blanks: write TSV",
                          wgdn_show(id).text, (long long)i);
    wgdn_page_put(p, id.at, id.size);
}

/* id, v0, v1, ...: what dataframes and spreadsheets look for. */
static void put_header(wgdn_page *p, int64_t width)
{
    wgdn_page_word(p, "id");
    for (int64_t j = 0; j < width; j++) {
        char name[24];
        snprintf(name, sizeof name, "%cv%lld", p->between, (long long)j);
        wgdn_page_word(p, name);
    }
    wgdn_page_put(p, "\n", 1);
}

static wgdn_status write_lines(const wgdn_embedding *e, const char *path, char between,
                               wgdn_error *err)
{
    const bool word2vec = between == ' ';
    const int64_t rows = e->vectors.rows, width = e->vectors.width;
    const float *values = e->vectors.dense;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    p->between = between;
    if (word2vec) {
        char counts[64];
        snprintf(counts, sizeof counts, "%lld %lld\n", (long long)rows, (long long)width);
        wgdn_page_word(p, counts);
    } else if (!e->no_header) {
        put_header(p, width);
    }
    for (int64_t i = 0; !p->st && i < rows; i++) {
        if (word2vec)
            put_word2vec_id(p, e, i);
        else
            put_id(p, e, i);
        for (int64_t j = 0; j < width; j++) {
            wgdn_page_put(p, &p->between, 1);
            wgdn_page_float(p, values[i * width + j]);
        }
        wgdn_page_put(p, "\n", 1);
    }
    return wgdn_page_close(p);
}

static wgdn_status write_tsv(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return write_lines(e, path, '\t', err);
}

static wgdn_status write_csv(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return write_lines(e, path, ',', err);
}

static wgdn_status write_word2vec(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    return write_lines(e, path, ' ', err);
}

/* ---- JSON lines: {"id": "a", "vector": [0.5, 1]}, for databases and search engines ---- */

static wgdn_status write_json_lines(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    const int64_t width = e->vectors.width;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    for (int64_t i = 0; !p->st && i < e->vectors.rows; i++) {
        char buffer[WGDN_INDEX_TEXT];
        wgdn_page_word(p, "{\"id\": ");
        wgdn_page_json_text(p, wgdn_embedding_name(e, i, buffer));
        wgdn_page_word(p, ", \"vector\": [");
        for (int64_t j = 0; j < width; j++) {
            if (j) wgdn_page_word(p, ", ");
            wgdn_page_float(p, e->vectors.dense[i * width + j]);
        }
        wgdn_page_word(p, "]}\n");
    }
    return wgdn_page_close(p);
}

/* The text itself says which of the three it is. */
static wgdn_status embedding_text_load(wgdn_embedding **out, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, path, INT64_MAX, err);
    if (st) return st;
    const wgdn_input in = {.data = s.data, .size = s.size, .name = path};
    st = wgdn_embedding_from_text(out, &in, err);
    wgdn_source_free(&s);
    return st;
}

const wgdn_format wgdn_tsv_vectors = {
    .info = {"tsv", (const char *const[]){".tsv", ".tsv.gz", NULL},
             "Id and values per line, tabs between", 1, 1},
    .load_vectors = embedding_text_load,
    .write_vectors = write_tsv,
};
const wgdn_format wgdn_csv_vectors = {
    .info = {"csv", (const char *const[]){".csv", ".csv.gz", NULL}, "The same with commas", 1, 1},
    .load_vectors = embedding_text_load,
    .write_vectors = write_csv,
};
const wgdn_format wgdn_word2vec_vectors = {
    .info = {"word2vec", (const char *const[]){".w2v", ".txt", NULL},
             "word2vec's text form: two counts, then id and values per line", 1, 1},
    .load_vectors = embedding_text_load,
    .write_vectors = write_word2vec,
};
const wgdn_format wgdn_json_lines_vectors = {
    .info = {"jsonl", (const char *const[]){".jsonl", ".jsonl.gz", NULL},
             "An object with id and vector per line", 0, 1},
    .write_vectors = write_json_lines,
};

/* ---- what a file holds, by its first bytes ---- */

enum { HEAD = 1 << 16, HEAD_ROWS = 100 };

/* "wgdn.kind": "model", with or without blanks between them. */
static bool has_kind(const char *json, const char *kind)
{
    static const char key[] = "\"wgdn.kind\"";
    const char *at = strstr(json, key);
    if (!at) return false;
    at += sizeof key - 1;
    at += strspn(at, " :\"");
    return strncmp(at, kind, strlen(kind)) == 0;
}

/* A matrix called `embedding`, or an array all alone. */
static bool zip_has_vectors(const char *path)
{
    wgdn_bytes b = {0};
    wgdn_zip z = {0};
    bool found = false;
    if (!wgdn_bytes_map(&b, path, NULL) && !wgdn_zip_open(&z, &b, NULL)) {
        found = z.members == 1 && wgdn_zip_find(&z, ".npy") == 0;
        for (int64_t i = 0; i < z.members && !found; i++)
            found = strcmp(z.member[i].name, "embedding.npy") == 0;
    }
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    return found;
}

/* m x 2 or 2 x m integers are edges. */
static bool array_is_vectors(const unsigned char *head, size_t size)
{
    const wgdn_bytes b = {.data = head, .size = size, .name = ""};
    wgdn_npy_header h;
    if (wgdn_npy_header_read(&h, &b, NULL)) return true;
    const bool integers = h.dtype >= WGDN_I8 && h.dtype <= WGDN_U64;
    return !integers || h.rank != 2 || h.shape[1] < 1 || (h.shape[0] != 2 && h.shape[1] != 2);
}

/* The numbers behind the id of a row; -1 if a field is no number. 2.0 may be an id that pandas wrote. */
static int64_t count_numbers(bool *fraction, const wgdn_lines *l)
{
    for (int64_t j = 1; j < l->fields; j++) {
        double x;
        if (!wgdn_lines_number(l, l->field[j], &x)) return -1;
        if (j == 1 && x != floor(x)) *fraction = true;
    }
    return l->fields - 1;
}

/* id, v0, v1, ... as put_header() writes it; or word2vec's counts: *width is the second one. */
static bool is_vectors_header(int64_t *width, const wgdn_lines *l)
{
    int64_t rows;
    if (l->fields == 2 && wgdn_text_index(l->field[0], &rows))
        (void)wgdn_text_index(l->field[1], width);
    return l->fields > 1 && wgdn_text_compare(l->field[0], wgdn_text_of("id", 2)) == 0 &&
           wgdn_text_compare(l->field[1], wgdn_text_of("v0", 2)) == 0;
}

/* Rows of an id and as many numbers, two at least, the first not all integers; or a header says so. */
static bool text_is_vectors(const unsigned char *head, size_t size)
{
    wgdn_lines l;
    bool more = true, fraction = false, known = false, good = true;
    int64_t width = -1, announced = 0;
    wgdn_lines_open(&l, &(wgdn_input){.data = head, .size = size, .name = ""});
    for (int row = 0; row < HEAD_ROWS && good && !known; row++) {
        good = !wgdn_lines_next(&l, &more, NULL);
        if (!good || !more) break;
        if (row == 0) known = is_vectors_header(&announced, &l);
        const int64_t count = count_numbers(&fraction, &l);
        if (row == 1 && announced > 2 && count == announced) known = true;
        if (row > 0) good = count > 0 && (row == 1 || count == width);
        if (count > 0) width = count;
    }
    wgdn_lines_close(&l);
    return known || (good && width > 1 && fraction);
}

static wgdn_file_kind kind_of_head(const unsigned char *head, size_t size, const char *path)
{
    const char *json = (const char *)head + 8; /* of a .safetensors */
    bool vectors;
    if (size < 9) return WGDN_FILE_KIND_OTHER;
    if (*json == '{' && (has_kind(json, "model") || has_kind(json, "checkpoint")))
        return WGDN_FILE_KIND_MODEL;
    if (*json == '{' && has_kind(json, "recommender")) return WGDN_FILE_KIND_RECOMMENDER;
    if (memcmp(head, "\x93NUMPY", 6) == 0)
        vectors = array_is_vectors(head, size);
    else if (memcmp(head, "PK\3\4", 4) == 0)
        vectors = zip_has_vectors(path);
    else if (*json == '{' || wgdn_path_ends(path, ".safetensors"))
        vectors = strstr(json, "\"embedding\"") && !strstr(json, "\"edge_index\"");
    else if (memchr(head, '\0', size))
        vectors = false;
    else {
        const bool cut = size == HEAD;
        while (cut && size > 0 && head[size - 1] != '\n') /* the last line is not whole */
            size--;
        vectors = text_is_vectors(head, size);
    }
    return vectors ? WGDN_FILE_KIND_VECTORS : WGDN_FILE_KIND_OTHER;
}

wgdn_file_kind wgdn_file_kind_of(const char *path)
{
    wgdn_file_kind kind = WGDN_FILE_KIND_OTHER;
    unsigned char *head = path ? wgdn_alloc_zero(HEAD + 1, 1) : NULL;
    size_t size = 0;
    if (head && !wgdn_source_head(head, HEAD, &size, path, NULL))
        kind = kind_of_head(head, size, path);
    wgdn_release(head);
    if (kind == WGDN_FILE_KIND_OTHER && size > 0 && wgdn_path_ends(path, ".w2v"))
        kind = WGDN_FILE_KIND_VECTORS;
    return kind;
}
