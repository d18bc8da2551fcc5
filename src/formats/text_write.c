/* SPDX-License-Identifier: Apache-2.0 */
/* TSV, CSV and word2vec text: edges, parts of a dataset, embeddings. */
#include "dataset/embedding.h"

#include <stdio.h>
#include <string.h>

/* Lines are gathered here; the first failure is kept and the rest is quiet. */
typedef struct page {
    wgdn_output *out;
    wgdn_status st;
    wgdn_error *err;
    char between; /* two fields */
    size_t used;
    char text[1 << 16];
} page;

static void flush(page *p)
{
    if (!p->st && p->used) p->st = wgdn_output_write(p->out, p->text, p->used, p->err);
    p->used = 0;
}

static void put(page *p, const void *text, size_t size)
{
    if (size > sizeof p->text - p->used) flush(p);
    if (size > sizeof p->text) {
        if (!p->st) p->st = wgdn_output_write(p->out, text, size, p->err);
        return;
    }
    if (size) memcpy(p->text + p->used, text, size);
    p->used += size;
}

static void put_word(page *p, const char *word)
{
    put(p, word, strlen(word));
}

static void put_float(page *p, float value)
{
    char text[WGDN_FLOAT_TEXT];
    if (value == 0)
        put(p, "0", 1);
    else
        put(p, text, wgdn_print_float(text, value));
}

/* In quotes if a reader would take it for something else. */
static void put_field(page *p, wgdn_text t)
{
    bool plain = t.size > 0;
    for (size_t i = 0; i < t.size && plain; i++) {
        const unsigned char c = t.at[i];
        plain = c != '\t' && c != (unsigned char)p->between && c != '\n' && c != '\r' && c != '"' &&
                !(i == 0 && (c == '#' || c == '%' || c == ' ' || c == 0xef));
    }
    if (plain) {
        put(p, t.at, t.size);
        return;
    }
    put(p, "\"", 1);
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] == '"') put(p, "\"", 1);
        put(p, t.at + i, 1);
    }
    put(p, "\"", 1);
}

static void put_id(page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    put_field(p, wgdn_dataset_name(d, node, buffer));
}

static wgdn_status open_page(page **out, const char *path, wgdn_error *err)
{
    page *p = wgdn_alloc(1, sizeof *p);
    if (!p) return wgdn_fail(err, WGDN_ENOMEM, "%s: writing it", wgdn_show_name(path).text);
    p->out = NULL;
    p->between = '\t';
    p->used = 0;
    p->err = err;
    p->st = wgdn_output_open(&p->out, path, err);
    if (p->st) {
        const wgdn_status st = p->st;
        wgdn_release(p);
        return st;
    }
    *out = p;
    return WGDN_OK;
}

static wgdn_status close_page(page *p)
{
    flush(p);
    wgdn_status st = p->st;
    if (st)
        wgdn_output_abandon(p->out);
    else
        st = wgdn_output_commit(p->out, p->err);
    wgdn_release(p);
    return st;
}

/* ---- the graph ---- */

static wgdn_status write_edges(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_csr *a = &d->graph->adjacency;
    page *p = NULL;
    const wgdn_status st = open_page(&p, path, err);
    if (st) return st;
    put_word(p, "source\ttarget\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        int64_t k = a->offset[i];
        if (k == a->offset[i + 1]) { /* a loop is dropped again, the node stays */
            put_id(p, d, i);
            put(p, "\t", 1);
            put_id(p, d, i);
            put(p, "\n", 1);
        }
        for (; k < a->offset[i + 1]; k++) {
            if (a->column[k] < i) continue;
            put_id(p, d, i);
            put(p, "\t", 1);
            put_id(p, d, a->column[k]);
            put(p, "\n", 1);
        }
    }
    return close_page(p);
}

wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path, wgdn_format format,
                               wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st;
    if (format == WGDN_FORMAT_SAFETENSORS) return wgdn_write_packed(d, path, err);
    if (format != WGDN_FORMAT_NPZ && format != WGDN_FORMAT_EDGES)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: datasets are written as safetensors, npz or edges, not as format %d",
                         wgdn_show_name(path).text, (int)format);
    st = wgdn_plain_open(&plain, d, err);
    if (!st)
        st = (format == WGDN_FORMAT_NPZ ? wgdn_write_npz_dataset : write_edges)(plain.d, path, err);
    wgdn_plain_close(&plain);
    return st;
}

/* ---- parts ---- */

static void put_features(page *p, const wgdn_features *f, int64_t i)
{
    const wgdn_csr *s = &f->sparse;
    int64_t k = f->dense ? 0 : s->offset[i];
    for (int64_t j = 0; j < f->width; j++) {
        put(p, "\t", 1);
        if (f->dense)
            put_float(p, f->dense[i * f->width + j]);
        else if (k < s->offset[i + 1] && s->column[k] == j)
            put_float(p, s->value ? s->value[k++] : (k++, 1.0f));
        else
            put(p, "0", 1);
    }
}

static void put_label(page *p, const wgdn_dataset *d, int64_t i)
{
    char digits[WGDN_INDEX_TEXT];
    const int32_t label = wgdn_dataset_label(d, i);
    put(p, "\t", 1);
    if (label < 0) return;
    if (d->class_names.count)
        put_field(p, wgdn_names_get(&d->class_names, label));
    else
        put(p, digits, wgdn_print_index(digits, label));
}

static void put_splits(page *p, const wgdn_dataset *d, int64_t i)
{
    static const char *const word[] = {"\tnone", "\ttrain", "\tval", "\ttest"};
    for (int64_t k = 0; k < d->splits; k++)
        put_word(p, word[wgdn_dataset_split(d, k, i)]);
}

static wgdn_status write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                              wgdn_error *err)
{
    static const char *const word[] = {"features", "labels", "splits"};
    const bool there[] = {d->features.width > 0, d->label != NULL, d->split != NULL};
    page *p = NULL;
    if ((int)part < 0 || (int)part > 2 || !there[part])
        return wgdn_fail(err, WGDN_EINVAL, "%s: the dataset has no %s", wgdn_show_name(path).text,
                         (int)part < 0 || (int)part > 2 ? "such part" : word[part]);
    const wgdn_status st = open_page(&p, path, err);
    if (st) return st;
    if (part == WGDN_PART_LABELS) put_word(p, "id\tlabel\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        put_id(p, d, i);
        if (part == WGDN_PART_FEATURES) put_features(p, &d->features, i);
        if (part == WGDN_PART_LABELS) put_label(p, d, i);
        if (part == WGDN_PART_SPLITS) put_splits(p, d, i);
        put(p, "\n", 1);
    }
    return close_page(p);
}

wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                                    wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st = wgdn_plain_open(&plain, d, err);
    if (!st) st = write_part(plain.d, path, part, err);
    wgdn_plain_close(&plain);
    return st;
}

/* ---- embeddings ---- */

/* word2vec's readers split at blanks and know no quotes. */
static void put_word2vec_id(page *p, wgdn_text id, int64_t i)
{
    bool plain = id.size > 0;
    for (size_t k = 0; k < id.size && plain; k++)
        plain = id.at[k] > ' ' && !(k == 0 && (id.at[k] == '#' || id.at[k] == '%'));
    if (!plain && !p->st)
        p->st = wgdn_fail(p->err, WGDN_EINVAL,
                          "the id %s of node %lld does not fit word2vec text, where ids have no "
                          "blanks: write TSV",
                          wgdn_show(id).text, (long long)i);
    put(p, id.at, id.size);
}

wgdn_status wgdn_write_embedding_text(const wgdn_embedding *e, const char *path, wgdn_format format,
                                      wgdn_error *err)
{
    const int64_t rows = e->vectors.rows, dim = e->vectors.width;
    const bool word2vec = format == WGDN_FORMAT_WORD2VEC;
    page *p = NULL;
    const wgdn_status st = open_page(&p, path, err);
    if (st) return st;
    if (format != WGDN_FORMAT_TSV) p->between = word2vec ? ' ' : ',';
    if (word2vec) {
        char counts[64];
        snprintf(counts, sizeof counts, "%lld %lld\n", (long long)rows, (long long)dim);
        put_word(p, counts);
    }
    for (int64_t i = 0; !p->st && i < rows; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_embedding_name(e, i, buffer);
        if (word2vec)
            put_word2vec_id(p, id, i);
        else
            put_field(p, id);
        for (int64_t j = 0; j < dim; j++) {
            put(p, &p->between, 1);
            put_float(p, e->vectors.dense[i * dim + j]);
        }
        put(p, "\n", 1);
    }
    return close_page(p);
}
