/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as text, an id and its numbers on every line: TSV, CSV, word2vec's form, JSON lines. */
#include "codec/page.h"
#include "codec/unicode.h"
#include "embedding_formats.h"
#include "parts.h"

#include <stdio.h>

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
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld x %lld vectors",
                           wgdn_show_name(in->name).text, (long long)t.rows, (long long)t.width);
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
    wgdn_embedding *e = wgdn_embedding_begin(err);
    if (!e) return WGDN_ENOMEM;
    return wgdn_embedding_finish(out, e, take_text(e, in, err), in->name, err);
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

/* ---- JSON lines: {"id": "a", "vector": [0.5, 1]}, as databases and search engines load them ---- */

static void put_json_text(wgdn_page *p, wgdn_text t)
{
    wgdn_page_put(p, "\"", 1);
    for (size_t i = 0; i < t.size;) {
        size_t length;
        const int32_t point = wgdn_utf8_decode(t.at + i, t.size - i, &length);
        char code[8];
        if (point == '"' || point == '\\') wgdn_page_put(p, "\\", 1);
        if (point >= 0x20) {
            wgdn_page_put(p, t.at + i, length);
        } else { /* a control character, or a byte that is not UTF-8, as Python's surrogateescape */
            snprintf(code, sizeof code, "\\u%04x", point < 0 ? 0xdc00U + t.at[i] : (unsigned)point);
            wgdn_page_word(p, code);
        }
        i += length;
    }
    wgdn_page_put(p, "\"", 1);
}

static wgdn_status write_json_lines(const wgdn_embedding *e, const char *path, wgdn_error *err)
{
    const int64_t width = e->vectors.width;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    for (int64_t i = 0; !p->st && i < e->vectors.rows; i++) {
        char buffer[WGDN_INDEX_TEXT];
        wgdn_page_word(p, "{\"id\": ");
        put_json_text(p, wgdn_embedding_name(e, i, buffer));
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
static wgdn_status load(wgdn_embedding **out, const char *path, wgdn_error *err)
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
    .load_vectors = load,
    .write_vectors = write_tsv,
};
const wgdn_format wgdn_csv_vectors = {
    .info = {"csv", (const char *const[]){".csv", ".csv.gz", NULL}, "The same with commas", 1, 1},
    .load_vectors = load,
    .write_vectors = write_csv,
};
const wgdn_format wgdn_word2vec_vectors = {
    .info = {"word2vec", (const char *const[]){".w2v", ".txt", NULL},
             "word2vec's text form: two counts, then id and values per line", 1, 1},
    .load_vectors = load,
    .write_vectors = write_word2vec,
};
const wgdn_format wgdn_json_lines_vectors = {
    .info = {"jsonl", (const char *const[]){".jsonl", ".jsonl.gz", NULL},
             "An object with id and vector per line", 0, 1},
    .write_vectors = write_json_lines,
};
