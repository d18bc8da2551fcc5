/* SPDX-License-Identifier: Apache-2.0 */
/* Where the TU text files are: in a folder, in its raw/, or in a zip. */
#define _DEFAULT_SOURCE
#include "codec/zip.h"
#include "tu.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

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
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: no file in it ends in %s: expected the TU collection's text files",
                     wgdn_show_name(path).text, suffix[i]);
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
        f->ignored += wgdn_zip_find(z, other[i]) >= 0;
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
                               size_t limit, wgdn_error *err)
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
        if (!st && there) st = wgdn_bytes_read(part(f, i), name[i], limit, err);
    }
    for (int i = 0; !st && i < OTHERS; i++) {
        bool there = false;
        snprintf(raw, sizeof raw, "%.*s%s", PATH_ROOM - 32, stem, other[i]);
        st = wgdn_path_exists(&there, raw, err);
        f->ignored += there;
    }
    return st;
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const size_t limit = (size_t)w->o->max_bytes;
    wgdn_tu_files f = {0};
    wgdn_zip z = {0};
    wgdn_bytes b = {0};
    wgdn_status st;
    DIR *dir = opendir(path);
    char(*name)[PATH_ROOM] = wgdn_alloc(PARTS, sizeof *name);
    if (dir) closedir(dir);
    if (!name) return wgdn_fail(err, WGDN_ENOMEM, "%s: paths", wgdn_show_name(path).text);
    if (dir) {
        st = from_folder(&f, name, path, limit, err);
    } else {
        st = wgdn_bytes_read(&b, path, limit, err);
        if (!st) st = wgdn_zip_open(&z, &b, err);
        if (!st) st = from_zip(&f, &z, path, limit, err);
    }
    if (!st) st = wgdn_tu_parse(w, &f, err);
    w->d->counts.attributes_ignored = f.ignored;
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
