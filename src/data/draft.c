/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the output of a format reader into a dataset: it numbers the nodes, joins the feature
 * files, builds the graph and checks the result. The readers in formats fill in a draft and record
 * remarks; wgdn_draft_finish() does the rest.
 */
#include "draft.h"
#include "dataset.h"
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 32, SENTENCE = 480 }; /* bytes, of which some names are cut */

wgdn_status wgdn_remarks_add(wgdn_remarks *r, const char *what, int64_t count, wgdn_error *err,
                             const char *format, ...)
{
    va_list args;
    char *text = wgdn_alloc(WORD + SENTENCE, 1);
    if (!text || !wgdn_grow(&r->list, &r->room, r->count + 1, sizeof *r->list)) {
        wgdn_release(text);
        return wgdn_fail(err, WGDN_ENOMEM, "a remark on %.40s", what);
    }
    snprintf(text, WORD, "%s", what);
    va_start(args, format);
    vsnprintf(text + WORD, SENTENCE, format, args);
    va_end(args);
    r->list[r->count++] = (wgdn_remark){.what = text, .text = text + WORD, .count = count};
    return WGDN_OK;
}

/* ---- counts that every reader keeps ---- */

static wgdn_status number_nodes(wgdn_draft *w, const char *path, int32_t **rank, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    if (w->ids.count == 0)
        return wgdn_fail_in(err, WGDN_EFORMAT, path,
                            "no rows: expected at least one edge, or features that name nodes");
    const wgdn_status st = wgdn_ids_sort(&w->ids, rank, err);
    if (st) return st;
    d->nodes = w->ids.count;
    if (!w->ids.fixed) d->named = !wgdn_ids_plain(&w->ids);
    for (int64_t k = 0; *rank && k < 2 * w->edges.count; k++)
        w->edges.end[k] = (*rank)[w->edges.end[k]];
    return WGDN_OK;
}

/* Nodes that no table has a row for. */
static int64_t count_absent(const wgdn_draft *w, unsigned char *seen, const int32_t *rank)
{
    int64_t absent = w->d->nodes;
    for (int64_t i = 0; i < w->files; i++)
        for (int64_t r = 0; r < w->file[i].table.rows; r++) {
            const int32_t node = w->file[i].table.node[r];
            absent -= !seen[rank ? rank[node] : node];
            seen[rank ? rank[node] : node] = 1;
        }
    return w->array_rows ? 0 : absent;
}

/* Row i of f behind `at`, its columns from `first` on; gives the new end. */
static int64_t add_row(wgdn_csr *a, int64_t at, const wgdn_features *f, int64_t i, int64_t first)
{
    const wgdn_csr *s = &f->sparse;
    for (int64_t j = 0; f->dense && j < f->width; j++) {
        if (f->dense[i * f->width + j] == 0) continue;
        a->column[at] = (int32_t)(first + j);
        a->value[at++] = f->dense[i * f->width + j];
    }
    for (int64_t k = f->dense ? 0 : s->offset[i]; !f->dense && k < s->offset[i + 1]; k++) {
        a->column[at] = (int32_t)(first + s->column[k]);
        a->value[at++] = s->value ? s->value[k] : 1;
    }
    return at;
}

/* The columns of several, side by side; all have the same rows. */
static wgdn_status features_join(wgdn_features *out, const wgdn_features *part, int64_t parts,
                                 wgdn_error *err)
{
    wgdn_csr a;
    int64_t cols = 0, entries = 0, at = 0;
    for (int64_t p = 0; p < parts; p++) {
        cols += part[p].width;
        entries += part[p].entries;
    }
    if (cols > WGDN_COLUMNS_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "features: %lld columns; at most 2^31 - 1 are supported",
                         (long long)cols);
    if (!wgdn_csr_alloc(&a, part[0].rows, cols, entries, true))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld entries", (long long)entries);
    for (int64_t i = 0; i < a.rows; i++) {
        int64_t first = 0;
        for (int64_t p = 0; p < parts; p++) {
            at = add_row(&a, at, &part[p], i, first);
            first += part[p].width;
        }
        a.offset[i + 1] = at;
    }
    wgdn_status st = wgdn_features_from_csr(out, &a, "features", err);
    if (!st) st = wgdn_features_settle(out, err);
    if (st) wgdn_features_free(out);
    return st;
}

/* Several files: each in the nodes' order, then side by side. */
static wgdn_status join_files(wgdn_draft *w, const int32_t *rank, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_features *part = wgdn_alloc((size_t)w->files, sizeof *part);
    unsigned char *seen = wgdn_alloc_zero((size_t)d->nodes, 1);
    wgdn_status st =
        part && seen ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "features: several files");
    for (int64_t i = 0; i < w->files && !st; i++) {
        wgdn_feature_file *f = &w->file[i];
        int64_t absent = 0;
        if (!f->array)
            st = wgdn_table_features(&f->features, &absent, &f->table, d->nodes, rank, err);
        if (!st && f->features.rows != d->nodes)
            st = wgdn_fail_in(err, WGDN_EFORMAT, f->path, "%lld rows, but there are %lld nodes",
                              (long long)f->features.rows, (long long)d->nodes);
        if (!st && absent)
            st = wgdn_remarks_add(&d->remarks, "without-row", absent, err,
                                  "%lld node%s no row in %s: zeros", (long long)absent,
                                  absent == 1 ? " has" : "s have", wgdn_show_name(f->path).text);
        part[i] = f->features;
    }
    if (!st) d->counts.without_features = count_absent(w, seen, rank);
    wgdn_features_free(&d->features);
    if (!st) st = features_join(&d->features, part, w->files, err);
    wgdn_release(seen);
    wgdn_release(part);
    return st;
}

/* Directions and types, before the edges become the undirected graph. */
static wgdn_status make_relations(wgdn_draft *w, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_names types = {0};
    wgdn_status st = WGDN_OK;
    if (w->edges.type)
        st = wgdn_classes_sort(&types, w->edges.type, w->edges.count, &w->types, err);
    if (!st)
        st = wgdn_relations_make(&d->relations, &w->edges, d->nodes, w->o->directed, &types, err);
    if (!st && types.count > 0)
        st = wgdn_remarks_add(&d->remarks, "types", types.count, err, "%lld type%s of edges%s",
                              (long long)types.count, types.count == 1 ? "" : "s",
                              types.count == 1 ? ": nothing to distinguish" : "");
    if (!st && w->edges.mutual && w->o->directed != WGDN_DIRECTION_IGNORE)
        st = wgdn_remarks_add(&d->remarks, "undirected", w->edges.count, err,
                              "the file says that edges have no direction: forward and backward "
                              "are the same");
    wgdn_names_free(&types);
    return st;
}

/* One-hot degrees, clipped, as features of nodes that have none. */
static wgdn_status use_degrees(wgdn_dataset *d, wgdn_error *err)
{
    enum { CLIP = 400 };
    int64_t max = 0;
    int64_t *column = wgdn_alloc((size_t)d->nodes, sizeof *column);
    if (!column) return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        const int64_t degree = wgdn_graph_degree(d->graph, i);
        column[i] = degree < CLIP ? degree : CLIP;
        if (column[i] > max) max = column[i];
    }
    const wgdn_status st = wgdn_features_one_hot(&d->features, d->nodes, max + 1, column, err);
    d->degrees = !st;
    wgdn_release(column);
    return st;
}

wgdn_status wgdn_draft_finish(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    int32_t *rank = NULL;
    if (w->whole || w->streamed) return WGDN_OK;
    wgdn_status st = number_nodes(w, path, &rank, err);
    if (!st) st = make_relations(w, err);
    if (!st) st = wgdn_edges_graph(&d->graph, d->nodes, &w->edges, w->o->threads, err);
    if (!st && w->tabled) {
        wgdn_features_free(&d->features);
        st = wgdn_table_features(&d->features, &d->counts.without_features, &w->table, d->nodes,
                                 rank, err);
    }
    if (!st && w->files > 1) st = join_files(w, rank, err);
    if (!st && w->degrees && d->features.width == 0) st = use_degrees(d, err);
    if (!st) {
        d->counts.edges_read = w->edges.count + w->edges.zero_weights;
        d->counts.self_loops = w->edges.loops;
        d->counts.repeats = w->edges.count - d->counts.self_loops - wgdn_graph_edges(d->graph);
        d->counts.zero_weights = w->edges.zero_weights;
        d->counts.other_weights = w->edges.other_weights;
        d->summed = w->edges.summed;
        if (d->named) {
            d->ids = w->ids;
            w->ids = (wgdn_ids){0};
        }
    }
    wgdn_release(rank);
    return st;
}

/* Classes without names are numbered from 0: evaluations have room for each number. */
enum { CLASSES_FREE = 65536, CLASSES_EACH = 8 };

static wgdn_status check_classes(int64_t classes, int64_t count, const char *name, wgdn_error *err)
{
    if (classes <= CLASSES_FREE || classes / CLASSES_EACH <= count) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, name,
                        "label %lld among %lld: labels are the numbers of classes, from 0 on; "
                        "number them again, or give them as text with --labels",
                        (long long)classes - 1, (long long)count);
}

wgdn_status wgdn_dataset_check(const wgdn_dataset *d, const char *name, wgdn_error *err)
{
    if (d->features.width > 0 && d->features.rows != d->nodes)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "features of %lld nodes for a graph of %lld nodes",
                            (long long)d->features.rows, (long long)d->nodes);
    if (wgdn_graph_nodes(d->graph) != d->nodes)
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "%lld nodes have ids, the graph has %lld",
                            (long long)d->nodes, (long long)wgdn_graph_nodes(d->graph));
    wgdn_status st =
        d->label || d->lists.offset ? check_classes(d->classes, d->nodes, name, err) : WGDN_OK;
    if (!st && d->graph_label) st = check_classes(d->graph_classes, d->graphs, name, err);
    return st;
}

wgdn_status wgdn_rows_check(const wgdn_csr *a, int64_t entries, const char *what, const char *name,
                            wgdn_error *err)
{
    if (a->offset[0] != 0 || a->offset[a->rows] != entries)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "the rows of the %s do not add up to %lld entries", what,
                            (long long)entries);
    for (int64_t i = 0; i < a->rows; i++)
        if (a->offset[i] > a->offset[i + 1])
            return wgdn_fail_in(err, WGDN_EFORMAT, name, "row %lld of the %s ends before it starts",
                                (long long)i, what);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (a->column[k] < 0 || a->column[k] >= a->cols ||
                (k > a->offset[i] && a->column[k] <= a->column[k - 1]))
                return wgdn_fail_in(err, WGDN_EFORMAT, name,
                                    "row %lld of the %s: column %d is out of range or order",
                                    (long long)i, what, a->column[k]);
    return WGDN_OK;
}

uint64_t wgdn_edge_number(int64_t low, int64_t high, const float *value)
{
    uint32_t weight = 0;
    if (value) memcpy(&weight, value, sizeof weight);
    uint64_t z =
        ((uint64_t)high << 32 | (uint64_t)low) + 0x9e3779b97f4a7c15 * (1 + (uint64_t)weight);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/*
 * Whether the numbers of edges above the diagonal and below add up to the same. No entry repeats,
 * so they do where the matrix is symmetric, and hardly ever else.
 */
static bool adds_up(const wgdn_csr *a)
{
    uint64_t above = 0, below = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : above, below, loops) if (!wgdn_forked())
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            const float *value = a->value ? a->value + k : NULL;
            if (j > i)
                above += wgdn_edge_number(i, j, value);
            else
                below += wgdn_edge_number(j, i, value);
            loops += j == i;
        }
    return above == below && loops == 0;
}

/*
 * Walking over the rows in order, the entries (i, j) meet each row j in the order of i. So row j
 * must list exactly those i, one after another: a cursor per row is enough.
 */
wgdn_status wgdn_symmetry_check(const wgdn_csr *a, const char *name, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (adds_up(a)) return WGDN_OK;
    int64_t *next = wgdn_alloc((size_t)a->rows, sizeof *next);
    if (!next)
        return wgdn_fail_in(err, WGDN_ENOMEM, name, "checking %lld rows", (long long)a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        next[i] = a->offset[i];
    for (int64_t i = 0; !st && i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int32_t j = a->column[k];
            const int64_t m = next[j]++;
            if (j != i && m < a->offset[j + 1] && a->column[m] == i &&
                (!a->value || a->value[m] == a->value[k]))
                continue;
            st = wgdn_fail_in(err, WGDN_EFORMAT, name,
                              j == i ? "the graph has a loop on node %lld (%d)"
                                     : "the graph is not symmetric between nodes %lld and %d",
                              (long long)i, j);
            break;
        }
    wgdn_release(next);
    return st;
}

wgdn_status wgdn_graphs_check(const wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const int64_t *start = d->graph_start;
    const wgdn_csr *a = &d->graph->adjacency;
    if (!start) return WGDN_OK;
    for (int64_t g = 0; g < d->graphs; g++)
        if (start[g] >= start[g + 1] || start[0] != 0 || start[d->graphs] != d->nodes)
            return wgdn_fail_in(err, WGDN_EFORMAT, name,
                                "graph %lld starts at node %lld and ends before %lld", (long long)g,
                                (long long)start[g], (long long)start[g + 1]);
    for (int64_t g = 0; g < d->graphs; g++)
        for (int64_t i = start[g]; i < start[g + 1]; i++) {
            if (a->offset[i] == a->offset[i + 1]) continue;
            if (a->column[a->offset[i]] < start[g] ||
                a->column[a->offset[i + 1] - 1] >= start[g + 1])
                return wgdn_fail_in(err, WGDN_EFORMAT, name,
                                    "an edge of node %lld leaves graph %lld", (long long)i,
                                    (long long)g);
        }
    return WGDN_OK;
}
