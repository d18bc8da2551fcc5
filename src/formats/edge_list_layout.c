/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of an edge list hold what: as asked for, or as edge_list_ends.c finds them. */
#include "edge_list.h"

#include <stdio.h>
#include <string.h>

bool wgdn_edge_missing(wgdn_text t)
{
    static const char *const all[] = {"NA",  "N/A", "n/a",  "#N/A", "NULL", "null",
                                      "NaN", "nan", "None", "<NA>", "\\N",  "NaT"};
    if (t.size == 0) return true;
    if (t.size > 4) return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == t.size && memcmp(all[i], t.at, t.size) == 0) return true;
    return false;
}

bool wgdn_edge_layout_repeats(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    if (l->fields != y->columns) return false;
    for (int64_t j = 0; j < y->columns; j++) {
        wgdn_text t = l->field[j];
        if (j == 0 && t.size >= 3 && memcmp(t.at, "\xef\xbb\xbf", 3) == 0)
            t = wgdn_text_of(t.at + 3, t.size - 3); /* the next file's byte order mark */
        if (wgdn_text_compare(t, y->name[j]) != 0) return false;
    }
    return true;
}

/* ---- what the options ask for ---- */

typedef struct wish {
    const char *option, *text;
    int64_t *place;
} wish;

enum { WISHES = 5 };

static void list_wishes(wish *w, wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    w[0] = (wish){"source", o->source, &y->source};
    w[1] = (wish){"target", o->target, &y->target};
    w[2] = (wish){"weight", o->weight, &y->weight};
    w[3] = (wish){"graph", o->graph, &y->graph};
    w[4] = (wish){"type", o->type, &y->type};
}

static int64_t headed(const wgdn_edge_layout *y, const char *text)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (wgdn_text_is(y->name[j], text)) return j;
    return -1;
}

bool wgdn_edge_layout_asked(const wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    wgdn_edge_layout copy = *y;
    wish w[WISHES];
    int64_t number;
    list_wishes(w, &copy, o);
    for (int i = 0; i < WISHES; i++)
        if (w[i].text && headed(y, w[i].text) >= 0 &&
            !wgdn_text_index(wgdn_text_of(w[i].text, strlen(w[i].text)), &number))
            return true;
    return false;
}

static wgdn_status grant(const wgdn_edge_layout *y, const wish *w, const char *file,
                         wgdn_error *err)
{
    int64_t number;
    *w->place = y->header == WGDN_HEADER_YES ? headed(y, w->text) : -1;
    if (*w->place >= 0) return WGDN_OK;
    if (!wgdn_text_index(wgdn_text_of(w->text, strlen(w->text)), &number))
        return wgdn_fail(
            err, WGDN_EFORMAT, "%s: --%s %.40s: no column has that heading%s",
            wgdn_show_name(file).text, w->option, w->text,
            y->header == WGDN_HEADER_YES ? "" : ", as row 1 is data; number the columns from 1");
    if (number < 1 || number > y->columns)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: --%s %.40s: there are columns 1 .. %lld",
                         wgdn_show_name(file).text, w->option, w->text, (long long)y->columns);
    *w->place = number - 1;
    return WGDN_OK;
}

static wgdn_status grant_all(wgdn_edge_layout *y, const char *file, const wgdn_dataset_options *o,
                             wgdn_error *err)
{
    wish w[WISHES];
    list_wishes(w, y, o);
    for (int i = 0; i < WISHES; i++) {
        const wgdn_status st = w[i].text ? grant(y, &w[i], file, err) : WGDN_OK;
        if (st) return st;
        for (int k = 0; k < i && *w[i].place >= 0; k++)
            if (*w[k].place == *w[i].place)
                return wgdn_fail(err, WGDN_EFORMAT, "%s: --%s and --%s are the same column, %lld",
                                 wgdn_show_name(file).text, w[k].option, w[i].option,
                                 (long long)*w[i].place + 1);
    }
    return WGDN_OK;
}

/* ---- the rest ---- */

static bool is_free(const wgdn_edge_layout *y, int64_t j)
{
    return j >= 0 && j != y->source && j != y->target && j != y->weight && j != y->graph &&
           j != y->type;
}

/* One of two places if it is free, else the first free column. */
static int64_t choose_end(const wgdn_edge_layout *y, int64_t first, int64_t second)
{
    if (is_free(y, first)) return first;
    if (is_free(y, second)) return second;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) return j;
    return -1;
}

static void list_columns(char *to, size_t size, const wgdn_edge_layout *y, const wgdn_edge_ends *e)
{
    const int count = e->candidates ? e->candidates : (int)(y->columns < 6 ? y->columns : 6);
    size_t used = 0;
    for (int i = 0; i < count && used < size; i++) {
        const int64_t j = e->candidates ? e->candidate[i] : i;
        const bool named = y->header == WGDN_HEADER_YES && y->name[j].size > 0;
        char number[32];
        snprintf(number, sizeof number, "column %lld", (long long)j + 1);
        const int n = snprintf(to + used, size - used, "%s%s", i ? ", " : "",
                               named ? wgdn_show(y->name[j]).text : number);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Which columns are the ends is the user's to say. */
static wgdn_status ask(const wgdn_edge_layout *y, const wgdn_edge_ends *e, const char *file,
                       wgdn_error *err)
{
    char list[400] = "";
    list_columns(list, sizeof list, y, e);
    if (e->candidates >= 2)
        return wgdn_fail(
            err, WGDN_EFORMAT,
            "%s: cannot tell which columns are the two ends of an edge: %s; choose with "
            "--source and --target",
            wgdn_show_name(file).text, list);
    return wgdn_fail(
        err, WGDN_EFORMAT,
        "%s: no two columns look like the ends of an edge (%s); choose them with --source "
        "and --target, or pass a table of nodes to --features",
        wgdn_show_name(file).text, list);
}

/* Without headings: the one column beside the ends, where it has numbers. */
static wgdn_status unnamed_weight(wgdn_edge_layout *y, const char *file, bool asked,
                                  wgdn_error *err)
{
    int64_t left = -1, count = 0;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) {
            left = j;
            count++;
        }
    if (count != 1) return WGDN_OK;
    if (y->kind[left] == WGDN_COLUMN_NUMBERS) y->weight = left;
    if (y->kind[left] == WGDN_COLUMN_DATES) return WGDN_OK;
    if (y->kind[left] != WGDN_COLUMN_WORDS || asked) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: column %lld is no weight, as %s is not a number: say what the columns "
                     "are, --source 1 --target 3 for triples, or --header yes if row 1 has names",
                     wgdn_show_name(file).text, (long long)left + 1, wgdn_show(y->name[left]).text);
}

/* Kinds of nodes, as far as the first rows show them. */
static void settle_kinds(wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    const bool open = o->bipartite < 0 && y->graph < 0;
    y->two_kinds =
        y->header == WGDN_HEADER_YES && wgdn_edge_ends_two_kinds(y, y->source, y->target);
    const bool meet = y->two_kinds && wgdn_edge_ends_meet(y, y->source, y->target);
    y->bipartite = o->bipartite == 1 || (open && meet);
    y->undecided = open && y->two_kinds && !meet;
}

wgdn_status wgdn_edge_layout_assign(wgdn_edge_layout *y, const char *file,
                                    const wgdn_dataset_options *o, wgdn_error *err)
{
    const bool names = y->header == WGDN_HEADER_YES;
    wgdn_edge_ends e;
    y->source = y->target = y->weight = y->graph = y->type = -1;
    if (y->columns < 2) return WGDN_OK; /* whoever reads the rows says it better */
    wgdn_status st = grant_all(y, file, o, err);
    if (st) return st;
    if (names && y->graph < 0 && y->columns > 2) y->graph = wgdn_edge_ends_column(y, false);
    if (names && y->weight < 0) y->weight = wgdn_edge_ends_column(y, true);
    if (!is_free(y, y->graph) && y->graph >= 0 && (y->graph == y->source || y->graph == y->target))
        y->graph = -1;
    (names ? wgdn_edge_ends_named : wgdn_edge_ends_placed)(&e, y);
    if (y->asking && !o->source && !o->target && (e.doubt || e.source < 0))
        return ask(y, &e, file, err);
    if (y->source < 0) y->source = choose_end(y, e.source, e.target);
    if (y->target < 0) y->target = choose_end(y, e.target, e.source);
    if (y->source < 0 || y->target < 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: %lld columns, of which none is left for %s; expected two ids",
                         wgdn_show_name(file).text, (long long)y->columns,
                         y->source < 0 ? "the source" : "the target");
    settle_kinds(y, o);
    if (!names && y->weight < 0) st = unnamed_weight(y, file, o->source && o->target, err);
    return st;
}
