/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes tables of results as CSV, TSV, JSON lines or .npz. The jobs hand it one cell after another;
 * io/output_file.c, zip.c and npy.c make the files.
 */
#include "io/archive.h"
#include "io/bytes.h"
#include "io/output_file.h"
#include "jobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {"csv", "tsv", "jsonl", "npz"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* A column of an .npz. */
typedef struct kept_column {
    unsigned char *bytes; /* numbers, or texts one behind another */
    int64_t used, room;
    int64_t *end; /* of texts: where each ends in bytes */
    int64_t ends, ends_room;
} kept_column;

struct wgdn_job_table {
    wgdn_job_column *column;
    int64_t columns, at; /* at: the column that is next */
    int64_t rows;
    bool json;
    wgdn_page *page;   /* NULL: an .npz */
    kept_column *kept; /* columns of them, for an .npz */
    char *path;
    wgdn_status st; /* of what is kept */
    wgdn_error *err;
};

wgdn_status wgdn_job_format(const char **out, const char *path, wgdn_error *err)
{
    for (int i = 0; i < FORMATS; i++) {
        char plain[8], packed[12];
        snprintf(plain, sizeof plain, ".%s", formats[i]);
        snprintf(packed, sizeof packed, ".%s.gz", formats[i]);
        if (!wgdn_path_ends(path, plain) && (i == FORMATS - 1 || !wgdn_path_ends(path, packed)))
            continue;
        *out = formats[i];
        return WGDN_OK;
    }
    return wgdn_fail_in(err, WGDN_EINVAL, path,
                        "cannot infer the format from the file name; end it with .csv, .tsv, "
                        ".jsonl or .npz");
}

static void put_header(wgdn_job_table *t)
{
    for (int64_t k = 0; k < t->columns; k++) {
        if (k) wgdn_page_put(t->page, &t->page->between, 1);
        wgdn_page_field(t->page, t->column[k].name);
    }
    wgdn_page_put(t->page, "\n", 1);
}

static wgdn_status open_page(wgdn_job_table *t, const char *format, wgdn_error *err)
{
    const wgdn_status st = wgdn_page_open(&t->page, t->path, err);
    if (st) return st;
    t->json = strcmp(format, "jsonl") == 0;
    t->page->between = strcmp(format, "csv") == 0 ? ',' : '\t';
    if (!t->json) put_header(t);
    return WGDN_OK;
}

static void release_table(wgdn_job_table *t)
{
    for (int64_t k = 0; t->kept && k < t->columns; k++) {
        wgdn_release(t->kept[k].end);
        wgdn_release(t->kept[k].bytes);
    }
    wgdn_release(t->kept);
    wgdn_release(t->path);
    wgdn_release(t->column);
    wgdn_release(t);
}

wgdn_status wgdn_job_table_open(wgdn_job_table **out, const char *path, const char *format,
                                const wgdn_job_column *column, int64_t columns, wgdn_error *err)
{
    wgdn_job_table *t = wgdn_alloc_zero(1, sizeof *t);
    wgdn_status st = format ? WGDN_OK : wgdn_job_format(&format, path, err);
    if (!t && !st) st = wgdn_fail_in(err, WGDN_ENOMEM, path, "writing a table");
    if (!st) {
        *t = (wgdn_job_table){.columns = columns, .err = err};
        t->column = wgdn_alloc((size_t)columns, sizeof *t->column);
        t->path = wgdn_alloc(strlen(path) + 1, 1);
        t->kept = wgdn_alloc_zero((size_t)columns, sizeof *t->kept);
        if (!t->column || !t->path || !t->kept)
            st = wgdn_fail_in(err, WGDN_ENOMEM, path, "%lld columns", (long long)columns);
    }
    if (!st) {
        memcpy(t->column, column, (size_t)columns * sizeof *column);
        memcpy(t->path, path, strlen(path) + 1);
        if (strcmp(format, "npz") != 0) st = open_page(t, format, err);
    }
    if (st && t)
        release_table(t);
    else if (!st)
        *out = t;
    return st;
}

/* ---- cells ---- */

static void begin_cell(wgdn_job_table *t)
{
    if (!t->page) return;
    if (t->json) {
        wgdn_page_word(t->page, t->at ? ", " : "{");
        wgdn_page_json_text(t->page, t->column[t->at].name);
        wgdn_page_word(t->page, ": ");
    } else if (t->at) {
        wgdn_page_put(t->page, &t->page->between, 1);
    }
}

static void end_cell(wgdn_job_table *t)
{
    if (++t->at < t->columns) return;
    if (t->page) wgdn_page_word(t->page, t->json ? "}\n" : "\n");
    t->at = 0;
    t->rows++;
}

/* Adds bytes to the column of an .npz that is next. */
static void keep(wgdn_job_table *t, const void *bytes, size_t size)
{
    kept_column *k = &t->kept[t->at];
    const bool text = t->column[t->at].cell == WGDN_JOB_TEXT;
    if (t->st) return;
    if (!wgdn_grow(&k->bytes, &k->room, k->used + (int64_t)size, 1) ||
        (text && !wgdn_grow(&k->end, &k->ends_room, k->ends + 1, sizeof *k->end))) {
        t->st = wgdn_fail_in(t->err, WGDN_ENOMEM, t->path, "%lld rows", (long long)t->rows);
        return;
    }
    if (size) memcpy(k->bytes + k->used, bytes, size);
    k->used += (int64_t)size;
    if (text) k->end[k->ends++] = k->used;
}

void wgdn_job_put_text(wgdn_job_table *t, wgdn_text x)
{
    begin_cell(t);
    if (!t->page)
        keep(t, x.at, x.size);
    else if (t->json)
        wgdn_page_json_text(t->page, x);
    else
        wgdn_page_field(t->page, x);
    end_cell(t);
}

void wgdn_job_put_integer(wgdn_job_table *t, int64_t x)
{
    char text[24];
    begin_cell(t);
    snprintf(text, sizeof text, "%lld", (long long)x);
    if (t->page)
        wgdn_page_word(t->page, text);
    else
        keep(t, &x, sizeof x);
    end_cell(t);
}

void wgdn_job_put_real(wgdn_job_table *t, double x)
{
    const float value = (float)x;
    begin_cell(t);
    if (!t->page)
        keep(t, &value, sizeof value);
    else if (isfinite(value))
        wgdn_page_float(t->page, value);
    else if (t->json)
        wgdn_page_word(t->page, "null");
    end_cell(t);
}

/* ---- the end ---- */

/* Texts padded to the longest one. */
static wgdn_status pad_texts(void **out, size_t *width, const kept_column *k, const char *path,
                             wgdn_error *err)
{
    *width = 1;
    for (int64_t i = 0; i < k->ends; i++)
        *width = wgdn_larger(*width, (size_t)(k->end[i] - (i ? k->end[i - 1] : 0)));
    *out = wgdn_alloc_zero((size_t)k->ends, *width);
    if (!*out) return wgdn_fail_in(err, WGDN_ENOMEM, path, "%lld texts", (long long)k->ends);
    for (int64_t i = 0; i < k->ends; i++) {
        const int64_t from = i ? k->end[i - 1] : 0;
        memcpy((char *)*out + (size_t)i * *width, k->bytes + from, (size_t)(k->end[i] - from));
    }
    return WGDN_OK;
}

static wgdn_status write_arrays(const wgdn_job_table *t)
{
    static const wgdn_dtype type[] = {WGDN_TEXT, WGDN_I64, WGDN_F32};
    wgdn_tensor *tensor = wgdn_alloc_zero((size_t)t->columns, sizeof *tensor);
    void **block = wgdn_alloc_zero((size_t)t->columns, 2 * sizeof *block);
    wgdn_status st = tensor && block ? WGDN_OK
                                     : wgdn_fail_in(t->err, WGDN_ENOMEM, t->path, "%lld columns",
                                                    (long long)t->columns);
    for (int64_t k = 0; !st && k < t->columns; k++) {
        const wgdn_text name = t->column[k].name;
        char *word = block[2 * k] = wgdn_alloc_zero(name.size + 1, 1);
        tensor[k] = wgdn_tensor_of_vector(word, type[t->column[k].cell], t->rows, t->kept[k].bytes);
        if (!word) {
            st = wgdn_fail_in(t->err, WGDN_ENOMEM, t->path, "the name of a column");
            break;
        }
        /* a member of a zip file is a name, not a path */
        for (size_t i = 0; i < name.size; i++)
            word[i] =
                (char)(name.at[i] == '/' || name.at[i] == '\\' || name.at[i] == '\0' ? '_'
                                                                                     : name.at[i]);
        if (tensor[k].dtype != WGDN_TEXT) continue;
        st = pad_texts(&block[2 * k + 1], &tensor[k].width, &t->kept[k], t->path, t->err);
        tensor[k].data = block[2 * k + 1];
    }
    if (!st) st = wgdn_write_npz(t->path, tensor, t->columns, t->err);
    for (int64_t i = 0; block && i < 2 * t->columns; i++)
        wgdn_release(block[i]);
    wgdn_release(block);
    wgdn_release(tensor);
    return st;
}

wgdn_status wgdn_job_table_close(wgdn_job_table *t)
{
    const wgdn_status st = t->page ? wgdn_page_close(t->page) : t->st ? t->st : write_arrays(t);
    release_table(t);
    return st;
}

void wgdn_job_table_abandon(wgdn_job_table *t)
{
    if (!t) return;
    if (t->page) {
        t->page->st = WGDN_ESTOPPED;
        (void)!wgdn_page_close(t->page);
    }
    release_table(t);
}
