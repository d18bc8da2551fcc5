/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads collections of small graphs in the text files of the TU Dortmund collection, from a folder
 * or a zip archive. It uses the integer reader of io/lines.c and fills in the draft of a dataset
 * of graphs.
 */
#define _DEFAULT_SOURCE
#include "formats.h"
#include "io/zip.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* One integer from the first column of every line. */
static wgdn_status read_column(int64_t **out, int64_t *count, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_input_of(b);
    wgdn_lines l;
    int64_t *value = NULL, room = 0, rows = 0;
    wgdn_status st = WGDN_OK;
    wgdn_lines_open(&l, &in);
    while (wgdn_lines_more(&l, &st, err)) {
        if (!wgdn_grow(&value, &room, rows + 1, sizeof *value))
            st = wgdn_fail_in(err, WGDN_ENOMEM, b->name, "more than %lld lines", (long long)rows);
        else if (!wgdn_text_integer(l.field[0], &value[rows++]))
            st = wgdn_lines_fail(&l, 0, err, "%s is not an integer", wgdn_show(l.field[0]).text);
    }
    wgdn_lines_close(&l);
    if (st) {
        wgdn_release(value);
        return st;
    }
    *out = value;
    *count = rows;
    return WGDN_OK;
}

/* Graphs follow one another, so where each starts says everything. */
static wgdn_status read_graphs(wgdn_dataset *d, int64_t *nodes, const wgdn_bytes *b,
                               wgdn_error *err)
{
    int64_t *graph = NULL, *start = NULL;
    wgdn_status st = read_column(&graph, nodes, b, err);
    if (st) return st;
    if (*nodes == 0 || graph[*nodes - 1] < 1 || graph[*nodes - 1] > *nodes) {
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name,
                          "expected a graph, 1, 2, 3, ..., for every node");
        goto done;
    }
    d->graphs = graph[*nodes - 1];
    d->first_graph = 1;
    start = wgdn_alloc((size_t)d->graphs + 1, sizeof *start);
    if (!start) {
        st = wgdn_fail_in(err, WGDN_ENOMEM, b->name, "%lld graphs", (long long)d->graphs);
        goto done;
    }
    for (int64_t i = 0, last = 0; i < *nodes; i++) {
        if ((graph[i] != last || i == 0) && graph[i] != last + 1) {
            st = wgdn_fail_in(err, WGDN_EFORMAT, b->name,
                              "node %lld is in graph %lld, the one before in %lld: expected graphs "
                              "one after another, none empty",
                              (long long)i + 1, (long long)graph[i], (long long)last);
            goto done;
        }
        if (graph[i] != last) start[last] = i;
        last = graph[i];
    }
    start[d->graphs] = *nodes;
    d->graph_start = start;
    start = NULL;

done:
    wgdn_release(start);
    wgdn_release(graph);
    return st;
}

static int64_t graph_of(const int64_t *start, int64_t graphs, int64_t node)
{
    int64_t low = 0, high = graphs; /* start[low] <= node < start[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (start[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static wgdn_status read_edges(wgdn_draft *w, int64_t nodes, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_draft_file(w, b);
    wgdn_lines l;
    wgdn_status st = WGDN_OK;
    const int64_t *start = w->d->graph_start;
    int64_t graph = 0;
    wgdn_lines_open(&l, &in);
    while (wgdn_lines_more(&l, &st, err)) {
        int64_t u, v;
        if (l.fields != 2 || !wgdn_text_index(l.field[0], &u) || !wgdn_text_index(l.field[1], &v) ||
            u < 1 || v < 1 || u > nodes || v > nodes) {
            st = wgdn_lines_fail(&l, 0, err, "expected two nodes, 1 .. %lld each, from %s on",
                                 (long long)nodes, wgdn_show(l.field[0]).text);
            break;
        }
        u--, v--;
        if (u < start[graph] || u >= start[graph + 1]) graph = graph_of(start, w->d->graphs, u);
        if (v < start[graph] || v >= start[graph + 1])
            st = wgdn_lines_fail(&l, 1, err, "node %lld is in graph %lld, node %lld is not",
                                 (long long)u + 1, (long long)graph + 1, (long long)v + 1);
        else
            st = wgdn_edges_add(&w->edges, (int32_t)u, (int32_t)v, 1, b->name, err);
    }
    wgdn_lines_close(&l);
    return st;
}

static wgdn_status read_node_labels(wgdn_dataset *d, int64_t nodes, const wgdn_bytes *b,
                                    wgdn_error *err)
{
    int64_t *label = NULL, count = 0, min = 0, max = 0;
    wgdn_status st = read_column(&label, &count, b, err);
    if (st) return st;
    if (count != nodes)
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "%lld labels for %lld nodes",
                          (long long)count, (long long)nodes);
    for (int64_t i = 0; !st && i < nodes; i++) {
        if (label[i] > INT32_MAX || label[i] < INT32_MIN)
            st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "label %lld is beyond 32 bits",
                              (long long)label[i]);
        if (i == 0 || label[i] < min) min = label[i];
        if (i == 0 || label[i] > max) max = label[i];
    }
    if (!st && max - min >= INT32_MAX)
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "labels %lld .. %lld are too far apart",
                          (long long)min, (long long)max);
    for (int64_t i = 0; !st && i < nodes; i++)
        label[i] -= min;
    if (!st) st = wgdn_features_one_hot(&d->features, nodes, max - min + 1, label, err);
    wgdn_release(label);
    return st;
}

/* Graph labels, whatever they are written as, to 0, 1, 2, ... in sorted order. */
static wgdn_status read_graph_labels(wgdn_dataset *d, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_input_of(b);
    wgdn_lines l;
    wgdn_ids classes;
    int64_t rows = 0;
    wgdn_status st = WGDN_OK;
    int32_t *label = wgdn_alloc((size_t)d->graphs, sizeof *label);
    if (!label) return wgdn_fail_in(err, WGDN_ENOMEM, b->name, "%lld labels", (long long)d->graphs);
    wgdn_lines_open(&l, &in);
    wgdn_ids_open(&classes, INT32_MAX - 1);
    while (wgdn_lines_more(&l, &st, err)) {
        if (rows < d->graphs) st = wgdn_ids_add(&classes, &l.field[0], 1, &label[rows], err);
        if (!st && rows < d->graphs && label[rows] < 0)
            st = wgdn_lines_fail(&l, 0, err, "a label of %zu bytes", l.field[0].size);
        rows++;
    }
    if (!st && rows != d->graphs)
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "%lld labels for %lld graphs",
                          (long long)rows, (long long)d->graphs);
    if (!st) st = wgdn_classes_sort(&d->graph_class_names, label, d->graphs, &classes, err);
    if (!st) {
        d->graph_label = label;
        d->graph_classes = d->graph_class_names.count;
        label = NULL;
    }
    wgdn_ids_close(&classes);
    wgdn_lines_close(&l);
    wgdn_release(label);
    return st;
}

wgdn_status wgdn_tu_parse(wgdn_draft *w, const wgdn_tu_files *f, wgdn_error *err)
{
    int64_t nodes;
    wgdn_status st = read_graphs(w->d, &nodes, &f->indicator, err);
    if (!st) st = wgdn_draft_number(w, nodes, 1, f->indicator.name, err);
    if (!st) st = read_edges(w, nodes, &f->edges, err);
    if (!st && f->graph_labels.data) st = read_graph_labels(w->d, &f->graph_labels, err);
    if (!st && f->node_labels.data) st = read_node_labels(w->d, nodes, &f->node_labels, err);
    w->degrees = !f->node_labels.data;
    return st;
}

/* Finds the TU text files: in a folder, in its raw/, or in a zip. */

enum { PARTS = 4, PATH_ROOM = 4096 };
static const char *const suffix[PARTS] = {"_A.txt", "_graph_indicator.txt", "_graph_labels.txt",
                                          "_node_labels.txt"};

/* Files that may be there and are not read: attributes and labels of edges, attributes of nodes. */
enum { OTHERS = 4 };
static const char *const other[OTHERS] = {"_node_attributes.txt", "_edge_labels.txt",
                                          "_edge_attributes.txt", "_graph_attributes.txt"};

static wgdn_bytes *part(wgdn_tu_files *f, int i)
{
    wgdn_bytes *const parts[PARTS] = {&f->edges, &f->indicator, &f->graph_labels, &f->node_labels};
    return parts[i];
}

static wgdn_status missing(const char *path, int i, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, path,
                        "no file in it ends in %s: expected the TU collection's text files",
                        suffix[i]);
}

static bool ends_with(const char *name, const char *tail)
{
    const size_t size = strlen(name), length = strlen(tail);
    return size >= length && strcmp(name + size - length, tail) == 0;
}

static wgdn_status from_zip(wgdn_tu_files *f, const wgdn_zip *z, const char *path, size_t limit,
                            wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int i = 0; i < OTHERS; i++)
        f->ignored |= (wgdn_zip_find(z, other[i]) >= 0) << i;
    for (int i = 0; !st && i < PARTS; i++) {
        const int64_t at = wgdn_zip_find(z, suffix[i]);
        if (at >= 0)
            st = wgdn_zip_extract(part(f, i), z, at, limit, err);
        else if (i < 2)
            st = missing(path, i, err);
    }
    return st;
}

/* The stem of NAME_A.txt, with its folder, into stem. */
static bool find_stem(char stem[PATH_ROOM], const char *folder)
{
    bool found = false;
    DIR *dir = opendir(folder);
    if (!dir) return false;
    for (const struct dirent *e; !found && (e = readdir(dir));) {
        const size_t name = strlen(e->d_name) - (ends_with(e->d_name, suffix[0]) ? 6 : 0);
        if (name == strlen(e->d_name)) continue;
        const int size = snprintf(stem, PATH_ROOM, "%s/%.*s", folder, (int)name, e->d_name);
        found = size > 0 && size < PATH_ROOM - 32;
    }
    closedir(dir);
    return found;
}

/* name[i] holds the paths for as long as the bytes are named by them. */
static wgdn_status from_folder(wgdn_tu_files *f, char (*name)[PATH_ROOM], const char *path,
                               int64_t max_bytes, wgdn_error *err)
{
    char stem[PATH_ROOM], raw[PATH_ROOM];
    wgdn_status st = WGDN_OK;
    snprintf(raw, sizeof raw, "%s/raw", path);
    if (!find_stem(stem, path) && !find_stem(stem, raw)) return missing(path, 0, err);
    for (int i = 0; !st && i < PARTS; i++) {
        const int size = snprintf(name[i], PATH_ROOM, "%s%s", stem, suffix[i]);
        if (size < 0 || size >= PATH_ROOM) return missing(path, i, err);
        bool there = true;
        if (i >= 2) st = wgdn_path_exists(&there, name[i], err);
        if (!st && there) st = wgdn_bytes_read(part(f, i), name[i], max_bytes, err);
    }
    for (int i = 0; !st && i < OTHERS; i++) {
        bool there = false;
        snprintf(raw, sizeof raw, "%.*s%s", PATH_ROOM - 32, stem, other[i]);
        st = wgdn_path_exists(&there, raw, err);
        f->ignored |= there << i;
    }
    return st;
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const int64_t max_bytes = w->o->max_bytes;
    wgdn_tu_files f = {0};
    wgdn_zip z = {0};
    wgdn_bytes b = {0};
    wgdn_status st;
    DIR *dir = opendir(path);
    char(*name)[PATH_ROOM] = wgdn_alloc(PARTS, sizeof *name);
    if (dir) closedir(dir);
    if (!name) return wgdn_fail_in(err, WGDN_ENOMEM, path, "paths");
    if (dir) {
        st = from_folder(&f, name, path, max_bytes, err);
    } else {
        st = wgdn_bytes_read(&b, path, max_bytes, err);
        if (!st) st = wgdn_zip_open(&z, &b, err);
        if (!st) st = from_zip(&f, &z, path, wgdn_unpack_limit(max_bytes), err);
    }
    if (!st) st = wgdn_tu_parse(w, &f, err);
    for (int i = 0; i < OTHERS; i++)
        if (f.ignored & 1 << i) {
            w->d->counts.attributes_ignored++;
            wgdn_dataset_ignore(w->d, wgdn_text_of(other[i] + 1, strlen(other[i]) - 1));
        }
    for (int i = 0; i < PARTS; i++)
        wgdn_bytes_free(part(&f, i));
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    wgdn_release(name);
    return st;
}

/* Any folder that nobody else takes; a zip, by what lies in it. */
static wgdn_status probe(bool *is, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_zip z = {0};
    if (!ends_with(path, ".zip")) return WGDN_OK;
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    if (!st) st = wgdn_zip_open(&z, &b, err);
    if (!st) *is = wgdn_zip_find(&z, suffix[0]) >= 0;
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    return st;
}

const wgdn_format wgdn_tu_format = {
    .info = {"tu", (const char *const[]){".zip", NULL},
             "Many graphs in the TU collection's text files, folder or zip", 1, 0},
    .folders = true,
    .probe = probe,
    .load = load,
};
