/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads adjacency matrices that are written as text. The edge-list reader calls it first, because
 * such a file looks like an edge list with many columns.
 *
 * A table is an adjacency matrix if row 1 and column 1 have the same names in the same order. A
 * table without names is one if it has at least four rows, as many rows as columns, and only
 * numbers, which are symmetric or all 0 and 1.
 */
#include "adjacency.h"

#include <math.h>

enum { FEW = 4 }; /* rows and columns without names on both sides */

/* A matrix whose columns begin at `first`, as far as it was looked at. */
typedef struct form {
    int64_t first;
    bool fits;
    bool ones;             /* all are 0 or 1 */
    uint64_t above, below; /* the diagonal: sums of edges' numbers */
} form;

/* x, 0 where nothing stands; false if it is no number. */
static bool read_weight(double *x, const wgdn_lines *l, wgdn_text t)
{
    *x = 0;
    return t.size == 0 || (wgdn_lines_number(l, t, x) && isfinite(*x));
}

static void note_entry(form *f, int64_t i, int64_t j, double x)
{
    const float weight = (float)x;
    f->ones = f->ones && (x == 0 || x == 1);
    if (x != 0 && j > i) f->above += wgdn_edge_number(i, j, &weight);
    if (x != 0 && j < i) f->below += wgdn_edge_number(j, i, &weight);
}

/* Row i; without names nothing may be empty. */
static void look_at_row(form *f, const wgdn_lines *l, const wgdn_text *field, int64_t i,
                        int64_t columns)
{
    for (int64_t j = f->first; j < columns && f->fits; j++) {
        double x;
        f->fits = read_weight(&x, l, field[j]) && (f->first || field[j].size > 0);
        if (f->fits) note_entry(f, i, j - f->first, x);
    }
}

/* Whether what the numbers are speaks for a matrix. */
static bool speaks(const form *f)
{
    return f->ones || f->above == f->below;
}

/* 0, 1, 2, ...: pandas' names where there are none, of rows and of columns. */
static bool counts(const wgdn_text *name, int64_t columns)
{
    for (int64_t j = 0; j < columns; j++) {
        int64_t value;
        if (!wgdn_text_index(name[j], &value) || value != j) return false;
    }
    return true;
}

wgdn_status wgdn_adjacency_look(wgdn_adjacency *a, wgdn_lines *l, const wgdn_text *name,
                                int64_t columns, wgdn_error *err)
{
    form square = {.fits = true, .ones = true}, row_1 = square;
    form named = {.first = 1, .ones = true};
    wgdn_status st = WGDN_OK;
    int64_t rows = 0; /* behind row 1 */
    look_at_row(&row_1, l, name, 0, columns);
    const bool words = !row_1.fits, header = words || counts(name, columns);
    if (!header) square = row_1;
    square.fits = columns >= FEW;
    named.fits = columns > 2 && words; /* row 1 of a symmetric matrix is its column 1 */
    while ((named.fits || square.fits) && wgdn_lines_more(l, &st, err)) {
        rows++;
        named.fits = named.fits && l->fields == columns && rows < columns &&
                     wgdn_text_compare(l->field[0], name[rows]) == 0;
        square.fits = square.fits && l->fields == columns && rows < columns + header;
        look_at_row(&named, l, l->field, rows - 1, columns);
        look_at_row(&square, l, l->field, header ? rows - 1 : rows, columns);
    }
    named.fits = named.fits && rows == columns - 1;
    square.fits = square.fits && rows == columns - 1 + header;
    const bool unsure = named.fits && !speaks(&named) && counts(name + 1, columns - 1);
    if (unsure) named.fits = false;
    *a = (wgdn_adjacency){.is = named.fits || (square.fits && speaks(&square)),
                          .perhaps = unsure || (square.fits && !header && !speaks(&square)),
                          .header = named.fits || header,
                          .named = named.fits,
                          .nodes = named.fits ? columns - 1 : columns};
    return st;
}

/* ---- reading ---- */

static wgdn_status refuse_name(const char *file, wgdn_text id, const char *why, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, file, "%s as the name of a column of the matrix: %s",
                        wgdn_show(id).text, why);
}

/* The name of node i, which may be its place. */
static wgdn_text name_of(const wgdn_adjacency *a, const wgdn_text *name, int64_t i,
                         char text[WGDN_INDEX_TEXT])
{
    return a->header ? name[i + a->named] : wgdn_text_of(text, wgdn_print_index(text, i));
}

/* A number for each; seen: of as many as there may be. */
static wgdn_status number_nodes(wgdn_draft *w, int32_t *index, unsigned char *seen,
                                const wgdn_adjacency *a, const wgdn_text *name, const char *file,
                                wgdn_error *err)
{
    for (int64_t i = 0; i < a->nodes; i++) {
        char text[WGDN_INDEX_TEXT];
        const wgdn_text id = name_of(a, name, i, text);
        if (id.size == 0) return refuse_name(file, id, "expected an id", err);
        const wgdn_status st = wgdn_ids_add(&w->ids, &id, 1, &index[i], err);
        if (st) return st;
        if (index[i] < 0)
            return refuse_name(file, id, "it is no node of the features, or too long", err);
        if (seen[index[i]]) return refuse_name(file, id, "it is there twice", err);
        seen[index[i]] = 1;
    }
    return WGDN_OK;
}

static wgdn_status add_row(wgdn_draft *w, const int32_t *index, int64_t i, const wgdn_adjacency *a,
                           const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    w->edges.line = l->line;
    for (int64_t j = 0; j < a->nodes && !st; j++) {
        double x;
        (void)read_weight(&x, l, l->field[j + a->named]);
        if (x != 0) st = wgdn_edges_add(&w->edges, index[i], index[j], x, l->name, err);
    }
    return st;
}

wgdn_status wgdn_adjacency_read(wgdn_draft *w, const wgdn_input *in, const wgdn_adjacency *a,
                                const wgdn_text *name, wgdn_error *err)
{
    int32_t *index = wgdn_alloc((size_t)a->nodes, sizeof *index);
    unsigned char *seen = wgdn_alloc_zero((size_t)(w->ids.count + a->nodes), 1);
    wgdn_status st = WGDN_OK;
    wgdn_lines l;
    wgdn_lines_open(&l, in);
    if (!index || !seen)
        st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "%lld nodes", (long long)a->nodes);
    if (!st) st = number_nodes(w, index, seen, a, name, in->name, err);
    if (a->header) (void)wgdn_lines_more(&l, &st, err);
    for (int64_t i = 0; i < a->nodes && wgdn_lines_more(&l, &st, err); i++)
        st = add_row(w, index, i, a, &l, err);
    wgdn_lines_close(&l);
    wgdn_release(seen);
    wgdn_release(index);
    return st;
}
