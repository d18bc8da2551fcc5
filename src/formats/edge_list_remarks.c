/* SPDX-License-Identifier: Apache-2.0 */
/* What was made of the columns of an edge list, in sentences. */
#include "codec/separator.h"
#include "edge_list.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct sentence {
    char text[440];
    size_t used;
} sentence;

__attribute__((format(printf, 2, 3))) static void say(sentence *s, const char *format, ...)
{
    va_list args;
    if (s->used >= sizeof s->text) return;
    va_start(args, format);
    const int size = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    if (size > 0) s->used += (size_t)size;
}

static void say_column(sentence *s, const wgdn_edge_layout *y, int64_t j)
{
    if (y->header == WGDN_HEADER_YES && y->name[j].size > 0)
        say(s, "%s", wgdn_show(y->name[j]).text);
    else
        say(s, "column %lld", (long long)j + 1);
}

static void say_role(sentence *s, const wgdn_edge_layout *y, const char *role, int64_t j)
{
    if (j < 0) return;
    say(s, "%s%s is ", s->used ? ", " : "", role);
    say_column(s, y, j);
}

static void say_separator(sentence *s, const wgdn_edge_layout *y)
{
    const char *word = wgdn_separator_word(y->separator);
    const wgdn_shown shown = wgdn_show(wgdn_text_of(&y->separator, 1));
    say(s, "; separated by %s%s", word ? word : shown.text,
        y->decimal == ',' ? ", with decimal commas" : "");
}

/* Up to so many are named. */
static void say_ignored(sentence *s, const wgdn_edge_layout *y)
{
    enum { NAMED = 6 };
    int64_t named = 0;
    for (int64_t j = 0; j < y->columns; j++) {
        if (j == y->source || j == y->target || j == y->weight || j == y->graph || j == y->type)
            continue;
        if (named == NAMED) say(s, ", ...");
        if (named++ >= NAMED) continue;
        say(s, named == 1 ? "" : ", ");
        say_column(s, y, j);
    }
}

static wgdn_status remark_ignored(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    const int64_t used = 2 + (y->weight >= 0) + (y->graph >= 0) + (y->type >= 0);
    const int64_t ignored = y->columns - used;
    bool times = ignored == 1;
    if (ignored < 1) return WGDN_OK;
    for (int64_t j = 0; j < y->columns; j++)
        if (j != y->source && j != y->target && j != y->weight && j != y->graph && j != y->type)
            times = times && y->kind[j] == WGDN_COLUMN_TIMES;
    say_ignored(&s, y);
    return wgdn_remarks_add(r, "columns-ignored", ignored, err, "%lld column%s ignored: %s%s",
                            (long long)ignored, ignored == 1 ? " was" : "s were", s.text,
                            times           ? ": timestamps are no weights"
                            : y->weight < 0 ? "; --weight takes one as the weight"
                                            : "");
}

static wgdn_status remark_matrix(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    say_separator(&s, y);
    return wgdn_remarks_add(
        r, "matrix", y->matrix.nodes, err,
        "an adjacency matrix of %lld nodes%s%s; --source 1 --target 2 would read edges",
        (long long)y->matrix.nodes, y->matrix.header ? ", row 1 names them" : ", numbered from 0",
        s.text);
}

static wgdn_status remark_kinds(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    say_column(&s, y, y->source);
    say(&s, " and ");
    say_column(&s, y, y->target);
    return wgdn_remarks_add(r, "two-kinds", 0, err,
                            "%s are two kinds of nodes: the same id in both columns is two nodes, "
                            "named by heading and id; --no-bipartite reads it as one",
                            s.text);
}

static wgdn_status remark_rows(wgdn_remarks *r, const char *what, int64_t count, int64_t first,
                               const char *why, wgdn_error *err)
{
    if (count == 0) return WGDN_OK;
    return wgdn_remarks_add(r, what, count, err, "%lld row%s skipped: %s; the first is line %lld",
                            (long long)count, count == 1 ? " was" : "s were", why,
                            (long long)first);
}

static wgdn_status remark_dropped(const wgdn_dropped_rows *d, wgdn_remarks *r, wgdn_error *err)
{
    wgdn_status st =
        remark_rows(r, "missing-ends", d->ends, d->first_end,
                    "the source or the target is missing (empty, NA, NULL, NaN, None)", err);
    if (!st)
        st = remark_rows(r, "missing-weights", d->weights, d->first_weight,
                         "the weight is missing; --weights ignore reads the edge", err);
    return st ? st : remark_rows(r, "header-rows", d->headers, d->first_header, "row 1 again", err);
}

wgdn_status wgdn_edge_layout_remark(const wgdn_edge_layout *y, wgdn_draft *w, wgdn_error *err)
{
    wgdn_remarks *const r = &w->d->remarks;
    sentence s = {.used = 0};
    wgdn_status st;
    if (y->columns < 2) return WGDN_OK;
    if (y->matrix.is) return remark_matrix(y, r, err);
    say_role(&s, y, "graph", y->graph);
    say_role(&s, y, "source", y->source);
    say_role(&s, y, "target", y->target);
    say_role(&s, y, "weight", y->weight);
    say_role(&s, y, "type", y->type);
    say_separator(&s, y);
    st =
        wgdn_remarks_add(r, "columns", y->columns, err, "row 1 %s: %s%s",
                         y->header == WGDN_HEADER_YES ? "holds column names" : "is data", s.text,
                         y->inferred ? "; its words are nowhere else, --header no reads them" : "");
    if (!st) st = remark_ignored(y, r, err);
    if (!st && y->matrix.perhaps)
        st = wgdn_remarks_add(
            r, "matrix", y->columns, err,
            "as many rows as columns, all numbers: if it is an adjacency matrix, put "
            "names of nodes before its rows and columns");
    if (!st && y->type >= 0 && y->graph >= 0)
        st = wgdn_remarks_add(r, "types-ignored", 1, err,
                              "types of edges are ignored beside a column of graphs: column %lld",
                              (long long)y->type + 1);
    if (!st && y->directed && w->o->directed == WGDN_DIRECTED_IGNORE)
        st = wgdn_remarks_add(r, "directions-ignored", 0, err,
                              "the type of edges is Directed: directions are ignored; --directed "
                              "both uses them");
    if (!st && y->two_kinds && y->bipartite && w->o->bipartite < 0) st = remark_kinds(y, r, err);
    return st ? st : remark_dropped(&w->edges.dropped, r, err);
}
