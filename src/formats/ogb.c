/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a folder of csv.gz files in the layout of Open Graph Benchmark node tasks. The edges go
 * through the edge-list reader; features, labels and splits use the readers in io/lines.c.
 */
#define _DEFAULT_SOURCE
#include "edge_list.h"
#include "formats.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 4096 };

typedef struct file {
    char path[PATH_ROOM];
    wgdn_bytes bytes;
} file;

/* folder/stem.csv.gz or folder/stem.csv; size 0 and no data if neither is there. */
static wgdn_status load_file(file *f, const char *folder, const char *stem, int64_t limit,
                             wgdn_error *err)
{
    static const char *const ending[] = {"csv.gz", "csv"};
    f->bytes = (wgdn_bytes){0};
    for (int i = 0; i < 2; i++) {
        bool there;
        const int size = snprintf(f->path, PATH_ROOM, "%s/%s.%s", folder, stem, ending[i]);
        if (size < 0 || size >= PATH_ROOM)
            return wgdn_fail_in(err, WGDN_EINVAL, folder, "the path is too long");
        const wgdn_status st = wgdn_path_exists(&there, f->path, err);
        if (st) return st;
        if (there) return wgdn_bytes_read(&f->bytes, f->path, limit, err);
    }
    return WGDN_OK;
}

/* ---- from memory ---- */

static wgdn_status read_count(int64_t *nodes, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_input_of(b);
    wgdn_lines l;
    bool more;
    wgdn_lines_open(&l, &in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && (!more || l.fields != 1 || !wgdn_text_index(l.field[0], nodes)))
        st = wgdn_lines_fail(&l, -1, err, "expected the number of nodes");
    if (!st) st = wgdn_lines_next(&l, &more, err);
    if (!st && more)
        st = wgdn_lines_fail(&l, -1, err, "a second count: sets of several graphs are not read");
    wgdn_lines_close(&l);
    return st;
}

/*
 * Memory is taken by the count, so the files must be able to hold it: a row of features or labels is
 * two bytes at least. Without these, nodes without edges are taken on trust, up to a limit.
 */
static wgdn_status check_count(int64_t nodes, const wgdn_ogb_files *f, wgdn_error *err)
{
    enum { TRUSTED = 1 << 20, TRUSTED_PER_BYTE = 100 };
    const wgdn_bytes *rows[] = {&f->features, &f->labels};
    if (nodes <= TRUSTED) return WGDN_OK; /* whoever reads the rows says more */
    for (int i = 0; i < 2; i++)
        if (rows[i]->data && nodes > (int64_t)(rows[i]->size / 2 + 1))
            return wgdn_fail_in(err, WGDN_EFORMAT, f->count.name,
                                "%lld nodes, and %s has no rows for so many", (long long)nodes,
                                wgdn_show_name(rows[i]->name).text);
    if (f->features.data || f->labels.data || nodes / TRUSTED_PER_BYTE <= (int64_t)f->edges.size)
        return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, f->count.name, "%lld nodes, and only %zu bytes of edges",
                        (long long)nodes, f->edges.size);
}

/* A row of numbers for each node. */
static wgdn_status read_features(wgdn_draft *w, int64_t nodes, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_draft_file(w, b);
    wgdn_features *f = &w->d->features;
    wgdn_lines l;
    int64_t rows = 0, room = 0;
    wgdn_status st = WGDN_OK;
    wgdn_lines_open(&l, &in);
    while (wgdn_lines_more(&l, &st, err)) {
        if (rows == 0) f->width = l.fields;
        if (l.fields != f->width || rows == nodes) {
            st = wgdn_lines_fail(
                &l, -1, err, "row %lld has %lld features: expected %lld rows of %lld",
                (long long)rows + 1, (long long)l.fields, (long long)nodes, (long long)f->width);
            break;
        }
        if (!wgdn_grow(&f->dense, &room, (rows + 1) * f->width, sizeof *f->dense))
            st = wgdn_fail_in(err, WGDN_ENOMEM, b->name, "features");
        for (int64_t j = 0; !st && j < l.fields; j++) {
            double x;
            if (!wgdn_text_number(l.field[j], &x) || !isfinite((float)x))
                st = wgdn_lines_fail(&l, j, err, "%s is not a finite number",
                                     wgdn_show(l.field[j]).text);
            else
                f->dense[rows * f->width + j] = (float)x;
        }
        rows++;
    }
    if (!st && rows != nodes)
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "%lld rows for %lld nodes", (long long)rows,
                          (long long)nodes);
    f->rows = nodes;
    wgdn_lines_close(&l);
    return st ? st : wgdn_features_check(f, b->name, err);
}

/* A class for each node; nan for none. */
static wgdn_status read_labels(wgdn_dataset *d, const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_input in = wgdn_input_of(b);
    wgdn_lines l;
    int64_t rows = 0;
    wgdn_status st = WGDN_OK;
    int32_t *label = wgdn_alloc((size_t)d->nodes, sizeof *label);
    if (!label) return wgdn_fail_in(err, WGDN_ENOMEM, b->name, "labels");
    wgdn_lines_open(&l, &in);
    while (wgdn_lines_more(&l, &st, err)) {
        double x = -1;
        if (l.fields != 1 || rows == d->nodes || !wgdn_text_number(l.field[0], &x) ||
            (!isnan(x) && (x != floor(x) || fabs(x) > 2147483646)))
            st = wgdn_lines_fail(&l, 0, err, "expected one class for each of %lld nodes, not %s",
                                 (long long)d->nodes, wgdn_show(l.field[0]).text);
        else
            label[rows++] = isnan(x) ? -1 : (int32_t)x;
    }
    if (!st && rows != d->nodes)
        st = wgdn_fail_in(err, WGDN_EFORMAT, b->name, "%lld labels for %lld nodes", (long long)rows,
                          (long long)d->nodes);
    if (!st) st = wgdn_labels_set(d, label, b->name, err);
    wgdn_lines_close(&l);
    wgdn_release(label);
    return st;
}

wgdn_status wgdn_ogb_parse(wgdn_draft *w, const wgdn_ogb_files *f, wgdn_error *err)
{
    int64_t nodes = 0;
    if (!f->edges.data || !f->count.data)
        return wgdn_fail_in(err, WGDN_EFORMAT, f->folder,
                            "expected raw/edge.csv.gz and raw/num-node-list.csv.gz in it");
    wgdn_status st = read_count(&nodes, &f->count, err);
    if (!st) st = check_count(nodes, f, err);
    if (!st) st = wgdn_draft_number(w, nodes, 0, f->count.name, err);
    if (st) return st;
    w->d->nodes = nodes;
    wgdn_input edges = wgdn_draft_file(w, &f->edges);
    wgdn_edge_layout y;
    edges.header = WGDN_HEADER_NO;
    st = wgdn_edge_layout_find(&y, &edges, w->o, err);
    if (!st) st = wgdn_edge_list_read(w, &edges, &y, err);
    wgdn_edge_layout_free(&y);
    if (!st && f->features.data) st = read_features(w, nodes, &f->features, err);
    if (!st && f->labels.data) st = read_labels(w->d, &f->labels, err);
    return st;
}

wgdn_status wgdn_ogb_split(int8_t *split, int64_t nodes, int kind, const wgdn_bytes *b,
                           wgdn_error *err)
{
    const wgdn_input in = wgdn_input_of(b);
    wgdn_lines l;
    wgdn_status st = WGDN_OK;
    wgdn_lines_open(&l, &in);
    while (wgdn_lines_more(&l, &st, err)) {
        int64_t node;
        if (l.fields != 1 || !wgdn_text_index(l.field[0], &node) || node >= nodes)
            st = wgdn_lines_fail(&l, 0, err, "%s is not a node: expected 0 .. %lld",
                                 wgdn_show(l.field[0]).text, (long long)nodes - 1);
        else if (split[node])
            st = wgdn_lines_fail(&l, 0, err, "node %lld is in the split already", (long long)node);
        else
            split[node] = (int8_t)kind;
    }
    wgdn_lines_close(&l);
    return st;
}

/* ---- from the folder ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The names of the folders under split/, sorted. */
static wgdn_status list_splits(char (**name)[256], int64_t *count, const char *folder,
                               wgdn_error *err)
{
    char path[PATH_ROOM];
    int64_t room = 0;
    wgdn_status st = WGDN_OK;
    *name = NULL;
    *count = 0;
    snprintf(path, sizeof path, "%s/split", folder);
    DIR *dir = opendir(path);
    if (!dir) return WGDN_OK;
    for (const struct dirent *e; !st && (e = readdir(dir));) {
        if (e->d_name[0] == '.' || strlen(e->d_name) > 255) continue;
        if (!wgdn_grow(name, &room, *count + 1, sizeof **name))
            st = wgdn_fail_in(err, WGDN_ENOMEM, folder, "splits");
        else
            memcpy((*name)[(*count)++], e->d_name, strlen(e->d_name) + 1); /* 255 at most */
    }
    closedir(dir);
    if (!st && *count) qsort(*name, (size_t)*count, sizeof **name, by_name);
    return st;
}

static wgdn_status read_splits(wgdn_draft *w, const char *folder, file *f, wgdn_error *err)
{
    static const char *const part[] = {"train", "valid", "test"};
    wgdn_dataset *d = w->d;
    char(*name)[256] = NULL;
    int64_t count = 0;
    size_t all;
    wgdn_status st = list_splits(&name, &count, folder, err);
    if (!st && count) {
        if (wgdn_size_mul(&all, (size_t)count, (size_t)d->nodes))
            d->split = wgdn_alloc_zero(all, 1);
        if (!d->split) st = wgdn_fail_in(err, WGDN_ENOMEM, folder, "splits");
        d->splits = count;
    }
    for (int64_t k = 0; !st && k < 3 * count; k++) {
        char stem[300];
        snprintf(stem, sizeof stem, "split/%s/%s", name[k / 3], part[k % 3]);
        st = load_file(f, folder, stem, w->o->max_bytes, err);
        if (!st && !f->bytes.data)
            st = wgdn_fail_in(err, WGDN_EFORMAT, folder, "no %s.csv.gz", stem);
        if (!st)
            st = wgdn_ogb_split(d->split + k / 3 * d->nodes, d->nodes, (int)(k % 3) + 1, &f->bytes,
                                err);
        wgdn_bytes_free(&f->bytes);
    }
    wgdn_release(name);
    return st;
}

/* Features of edges and times of nodes may be there and are not read. */
static wgdn_status count_ignored(wgdn_dataset *d, const char *folder, wgdn_error *err)
{
    static const char *const name[] = {"edge-feat", "edge_reltype", "node_year"};
    for (int i = 0; i < 6; i++) {
        char path[PATH_ROOM];
        bool there = false;
        snprintf(path, sizeof path, "%.*s/raw/%s.csv%s", PATH_ROOM - 64, folder, name[i / 2],
                 i % 2 ? ".gz" : "");
        const wgdn_status st = wgdn_path_exists(&there, path, err);
        if (st) return st;
        d->counts.attributes_ignored += there;
        if (there) wgdn_dataset_ignore(d, wgdn_text_of(name[i / 2], strlen(name[i / 2])));
    }
    return WGDN_OK;
}

static wgdn_status load_folder(wgdn_draft *w, const char *path, wgdn_error *err)
{
    static const char *const stem[] = {"raw/edge", "raw/num-node-list", "raw/node-feat",
                                       "raw/node-label"};
    wgdn_ogb_files files = {.folder = path};
    wgdn_bytes *const bytes[] = {&files.edges, &files.count, &files.features, &files.labels};
    wgdn_status st = WGDN_OK;
    file *f = wgdn_alloc_zero(5, sizeof *f);
    if (!f) return wgdn_fail_in(err, WGDN_ENOMEM, path, "paths");
    for (int i = 0; !st && i < 4; i++) {
        st = load_file(&f[i], path, stem[i], w->o->max_bytes, err);
        *bytes[i] = f[i].bytes;
    }
    if (!st) st = wgdn_ogb_parse(w, &files, err);
    for (int i = 0; i < 4; i++)
        wgdn_bytes_free(&f[i].bytes);
    if (!st) st = read_splits(w, path, &f[4], err);
    if (!st) st = count_ignored(w->d, path, err);
    wgdn_release(f);
    return st;
}

static wgdn_status probe(bool *is, const char *path, wgdn_error *err)
{
    static const char *const edges[] = {"raw/edge.csv.gz", "raw/edge.csv"};
    char name[PATH_ROOM];
    wgdn_status st = WGDN_OK;
    *is = false;
    for (int i = 0; !st && !*is && i < 2; i++) {
        const int size = snprintf(name, sizeof name, "%s/%s", path, edges[i]);
        if (size > 0 && (size_t)size < sizeof name) st = wgdn_path_exists(is, name, err);
    }
    return st;
}

const wgdn_format wgdn_ogb_format = {
    .info = {"ogb", (const char *const[]){NULL},
             "Folder of csv.gz files as the Open Graph Benchmark ships node tasks", 1, 0},
    .folders = true,
    .probe = probe,
    .load = load_folder,
};
