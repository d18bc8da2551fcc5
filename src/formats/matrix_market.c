/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a square Matrix Market coordinate file as a graph. It uses the line splitter in io/lines.c
 * and adds its entries to the draft of the dataset.
 */
#include "formats.h"

#include <math.h>
#include <string.h>

typedef struct banner {
    int64_t values; /* numbers behind row and column: 0, 1, or 2 for complex */
    bool one_sided; /* symmetric, skew-symmetric or hermitian: one triangle is given */
} banner;

static wgdn_status refuse_banner(wgdn_text line, const char *name, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s:1: %s: expected %%%%MatrixMarket matrix coordinate, then real, integer, "
                     "complex or pattern, then general or symmetric",
                     wgdn_show_name(name).text, wgdn_show(line).text);
}

static wgdn_status read_banner(banner *b, const wgdn_input *in, wgdn_error *err)
{
    const unsigned char *const data = in->data,
                               *end = in->size ? memchr(data, '\n', in->size) : NULL;
    const wgdn_text line = wgdn_text_of(data, end ? (size_t)(end - data) : in->size);
    wgdn_lines l;
    bool more;
    *b = (banner){0};
    if (line.size < 2 || memcmp(line.at, "%%", 2) != 0) return refuse_banner(line, in->name, err);
    wgdn_lines_open(&l,
                    &(wgdn_input){.data = line.at + 2, .size = line.size - 2, .name = in->name});
    l.separator = ' ';
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st) {
        const wgdn_text *f = l.field;
        bool good = more && l.fields == 5 && wgdn_text_is(f[0], "MatrixMarket") &&
                    wgdn_text_is(f[1], "matrix") && wgdn_text_is(f[2], "coordinate");
        if (good && wgdn_text_is(f[3], "complex"))
            b->values = 2;
        else if (good && (wgdn_text_is(f[3], "real") || wgdn_text_is(f[3], "integer")))
            b->values = 1;
        else
            good = good && wgdn_text_is(f[3], "pattern");
        b->one_sided = good && !wgdn_text_is(f[4], "general");
        if (b->one_sided)
            good = wgdn_text_is(f[4], "symmetric") || wgdn_text_is(f[4], "skew-symmetric") ||
                   wgdn_text_is(f[4], "hermitian");
        if (!good) st = refuse_banner(line, in->name, err);
    }
    wgdn_lines_close(&l);
    return st;
}

static wgdn_status read_size(int64_t *nodes, int64_t *entries, wgdn_lines *l, wgdn_error *err)
{
    bool more;
    int64_t columns;
    const wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more || l->fields != 3 || !wgdn_text_index(l->field[0], nodes) ||
        !wgdn_text_index(l->field[1], &columns) || !wgdn_text_index(l->field[2], entries))
        return wgdn_lines_fail(l, -1, err, "expected three counts: rows, columns, entries");
    if (*nodes != columns)
        return wgdn_lines_fail(l, -1, err, "%lld rows, %lld columns: a graph's matrix is square",
                               (long long)*nodes, (long long)columns);
    return WGDN_OK;
}

static wgdn_status read_entry(wgdn_draft *w, const banner *b, int64_t nodes, const wgdn_lines *l,
                              wgdn_error *err)
{
    int64_t at[2];
    double weight = b->values ? 0 : 1;
    if (l->fields != 2 + b->values)
        return wgdn_lines_fail(l, l->fields - 1, err, "%lld numbers: expected %lld",
                               (long long)l->fields, 2 + (long long)b->values);
    for (int64_t i = 0; i < 2; i++)
        if (!wgdn_text_index(l->field[i], &at[i]) || at[i] < 1 || at[i] > nodes)
            return wgdn_lines_fail(l, i, err, "%s is not a %s: expected 1 .. %lld",
                                   wgdn_show(l->field[i]).text, i ? "column" : "row",
                                   (long long)nodes);
    for (int64_t i = 2; i < l->fields; i++) {
        double x;
        if (!wgdn_text_number(l->field[i], &x) || !isfinite(x))
            return wgdn_lines_fail(l, i, err, "the weight %s is not a finite number",
                                   wgdn_show(l->field[i]).text);
        if (x != 0) weight = b->values == 1 ? x : 1;
    }
    if (b->values == 2 && weight != 0) w->edges.other_weights++; /* complex: it counts as 1 */
    w->edges.line = l->line;
    return wgdn_edges_add(&w->edges, (int32_t)(at[0] - 1), (int32_t)(at[1] - 1), weight, l->name,
                          err);
}

static wgdn_status parse_mtx(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    banner b;
    wgdn_lines l;
    int64_t nodes = 0, entries = 0, read = 0;
    wgdn_status st = read_banner(&b, in, err);
    if (st) return st;
    wgdn_lines_open(&l, in);
    l.separator = ' ';
    st = read_size(&nodes, &entries, &l, err);
    if (!st && entries > w->o->max_entries)
        st = wgdn_fail_in(err, WGDN_ERANGE, in->name, "%lld entries; the maximum allowed is %lld",
                          (long long)entries, (long long)w->o->max_entries);
    /* Every entry takes four bytes of text, so a short file cannot claim many. */
    if (!st && nodes > 1000000 && nodes / 1000 > (int64_t)in->size)
        st = wgdn_lines_fail(&l, 0, err, "%lld nodes in a file of %zu bytes", (long long)nodes,
                             in->size);
    if (!st) st = wgdn_draft_number(w, nodes, 1, in->name, err);
    w->edges.mutual = b.one_sided;
    while (wgdn_lines_more(&l, &st, err)) {
        st = read_entry(w, &b, nodes, &l, err);
        read++;
    }
    if (!st && read != entries)
        st = wgdn_fail_in(err, WGDN_EFORMAT, in->name,
                          "%lld entries, where its size line promises %lld", (long long)read,
                          (long long)entries);
    wgdn_lines_close(&l);
    return st;
}

const wgdn_format wgdn_mtx_format = {
    .info = {"mtx", (const char *const[]){".mtx", ".mtx.gz", NULL},
             "Matrix Market: a square matrix of coordinates", 1, 0},
    .magic = "%%MatrixMarket",
    .parse = parse_mtx,
};
