/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads METIS graph files, which list the neighbors of one node per line. It checks the counts in
 * the header and adds edges and node weights to the draft.
 */
#include "formats.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WEIGHTS_MAX = 1024 };

typedef struct reading {
    wgdn_draft *w;
    const wgdn_input *in;
    wgdn_error *err;
    const unsigned char *at, *end; /* the rest of the file */
    int64_t line;
    wgdn_text rest;       /* of the current line */
    int64_t nodes, edges; /* as the first line has them */
    int64_t weights;      /* of a node */
    bool tabled;          /* weights of nodes become features */
    bool sized, weighed;  /* a size before those; a weight behind every neighbor */
    int64_t node, ends;   /* the current one, from 0; neighbors so far */
    int64_t loops;
    uint64_t sum[2]; /* over edges, from their lower and from their higher end */
    wgdn_watch watch;
} reading;

__attribute__((format(printf, 2, 3))) static wgdn_status refuse(const reading *r,
                                                                const char *format, ...)
{
    char said[160];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    return wgdn_fail_at(r->err, WGDN_EFORMAT, r->in->name, r->line, "%s", said);
}

/* The next line that is no comment; an empty one is a node without neighbors. */
static bool next_line(reading *r)
{
    while (r->at < r->end) {
        const unsigned char *from = r->at;
        const unsigned char *end = memchr(from, '\n', (size_t)(r->end - from));
        r->at = end ? end + 1 : r->end;
        r->line++;
        if (*from == '%') continue;
        r->rest = wgdn_text_of(from, (size_t)((end ? end : r->end) - from));
        return true;
    }
    return false;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; none has no bytes. */
static wgdn_text next_word(reading *r)
{
    size_t from = 0, to;
    while (from < r->rest.size && is_blank(r->rest.at[from]))
        from++;
    for (to = from; to < r->rest.size && !is_blank(r->rest.at[to]);)
        to++;
    const wgdn_text word = wgdn_text_of(r->rest.at + from, to - from);
    r->rest = wgdn_text_of(r->rest.at + to, r->rest.size - to);
    return word;
}

static wgdn_status read_number(double *x, reading *r, const char *what)
{
    const wgdn_text t = next_word(r);
    if (t.size == 0) return refuse(r, "%s is missing", what);
    if (!wgdn_text_number(t, x) || !(fabs(*x) <= (double)FLT_MAX))
        return refuse(r, "%s is %s: expected a finite number", what, wgdn_show(t).text);
    return WGDN_OK;
}

/* nodes, edges, and a code of three digits: sizes, weights of nodes, weights of edges. */
static wgdn_status read_head(reading *r)
{
    wgdn_text code, more;
    if (!next_line(r)) return refuse(r, "no lines in it");
    if (!wgdn_text_index(next_word(r), &r->nodes) || !wgdn_text_index(next_word(r), &r->edges))
        return refuse(r, "expected two counts: nodes and edges");
    code = next_word(r);
    more = next_word(r);
    for (size_t i = 0; i < code.size; i++)
        if (code.size > 3 || (code.at[i] != '0' && code.at[i] != '1'))
            return refuse(r, "the code %s: expected three digits, 0 or 1", wgdn_show(code).text);
    r->weighed = code.size >= 1 && code.at[code.size - 1] == '1';
    r->weights = code.size >= 2 && code.at[code.size - 2] == '1';
    r->sized = code.size == 3 && code.at[0] == '1';
    if (more.size && (!wgdn_text_index(more, &r->weights) || r->weights > WEIGHTS_MAX))
        return refuse(r, "%s weights of a node: expected 1 .. %d", wgdn_show(more).text,
                      WEIGHTS_MAX);
    if (next_word(r).size) return refuse(r, "more than four numbers in the first line");
    /* A node takes a byte of text at least. */
    if (r->nodes > (int64_t)r->in->size)
        return refuse(r, "%lld nodes in a file of %zu bytes", (long long)r->nodes, r->in->size);
    return WGDN_OK;
}

static wgdn_status read_neighbor(reading *r, wgdn_text word)
{
    int64_t other;
    double weight = 1;
    wgdn_status st = WGDN_OK;
    if (!wgdn_text_index(word, &other) || other < 1 || other > r->nodes)
        return refuse(r, "the neighbor %s: expected 1 .. %lld", wgdn_show(word).text,
                      (long long)r->nodes);
    other--;
    if (r->weighed) st = read_number(&weight, r, "the weight of an edge");
    if (st) return st;
    if (other == r->node) {
        r->loops++;
        return wgdn_edges_add(&r->w->edges, (int32_t)other, (int32_t)other, weight, r->in->name,
                              r->err);
    }
    const bool up = other > r->node;
    r->ends++;
    /* Both ends of an edge list it: the sums of their numbers agree, whatever the order. */
    const float value = (float)weight;
    r->sum[up] += wgdn_edge_number(wgdn_min(r->node, other), up ? other : r->node, &value);
    if (!up) return WGDN_OK;
    return wgdn_edges_add(&r->w->edges, (int32_t)r->node, (int32_t)other, weight, r->in->name,
                          r->err);
}

static wgdn_status read_node(reading *r)
{
    wgdn_table *t = &r->w->table;
    char buffer[WGDN_INDEX_TEXT];
    double x = 0;
    wgdn_text word;
    wgdn_status st = WGDN_OK;
    if (r->sized) st = read_number(&x, r, "the size of a node");
    if (!st && r->tabled)
        st = wgdn_table_row(t, &r->w->ids,
                            wgdn_text_of(buffer, wgdn_print_index(buffer, r->node + 1)), r->line,
                            r->err);
    for (int64_t j = 0; !st && j < r->weights; j++) {
        st = read_number(&x, r, "the weight of a node");
        if (!st && r->tabled && x != 0) st = wgdn_table_entry(t, (int32_t)j, (float)x, r->err);
    }
    while (!st && (word = next_word(r)).size > 0)
        st = read_neighbor(r, word);
    return st;
}

static wgdn_status check_counts(reading *r)
{
    while (next_line(r))
        if (next_word(r).size > 0)
            return refuse(r, "a line more than the %lld nodes", (long long)r->nodes);
    /* Loops are against the rules, and writers that have them count them in their own ways. */
    const int64_t ends = 2 * r->edges;
    if (r->ends != ends && r->ends + r->loops != ends && r->ends + 2 * r->loops != ends)
        return wgdn_fail_in(
            r->err, WGDN_EFORMAT, r->in->name,
            "%lld neighbors, where the first line promises %lld edges, each at both ends",
            (long long)r->ends, (long long)r->edges);
    if (r->sum[0] != r->sum[1])
        return wgdn_fail_in(r->err, WGDN_EFORMAT, r->in->name,
                            "some edge is not listed at both of its ends with the same weight");
    return WGDN_OK;
}

static wgdn_status parse_metis(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.w = w, .in = in, .err = err, .watch = in->watch};
    const unsigned char *const start = r.at = in->size ? in->data : (const unsigned char *)"";
    r.end = r.at + in->size;
    wgdn_status st = read_head(&r);
    if (!st) st = wgdn_draft_number(w, r.nodes, 1, in->name, err);
    w->edges.mutual = true;
    r.tabled = !st && r.weights > 0 && !w->o->features;
    if (r.tabled) {
        w->tabled = true;
        w->table.width = r.weights;
        w->table.name = in->name;
    }
    for (; !st && r.node < r.nodes; r.node++) {
        st = wgdn_watch_tell(&r.watch, r.at - start, r.end - start, in->name, r.line, err);
        if (!st && !next_line(&r))
            st = refuse(&r, "the file ends at node %lld of %lld", (long long)r.node + 1,
                        (long long)r.nodes);
        if (!st) st = read_node(&r);
    }
    if (!st) st = check_counts(&r);
    if (st) return st;
    if (!r.sized) return WGDN_OK;
    return wgdn_remarks_add(&r.w->d->remarks, "sizes-ignored", r.nodes, r.err,
                            "sizes of %lld nodes are not used", (long long)r.nodes);
}

const wgdn_format wgdn_metis_format = {
    .info = {"metis", (const char *const[]){".graph", ".graph.gz", NULL},
             "METIS: the neighbors of each node on a line, with or without weights", 1, 0},
    .parse = parse_metis,
};
