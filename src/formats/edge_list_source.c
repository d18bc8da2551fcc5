/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the text of an edge list, or of several that are one graph. It is unpacked and joined in
 * memory or, with a limit of memory, in the scratch folder; edge_list.c reads it.
 */
#include "edge_list.h"
#include "io/compression.h"
#include "io/lines.h"
#include "io/source.h"

#include <string.h>

enum { UNPACK_BUFFER = 1 << 18, RATIO = 4 }; /* text packs four times and better */

static const size_t DISK_MAX = (size_t)1 << 40;

static const char text_name[] = "text";

static wgdn_status put_bytes(void *user, const void *data, size_t size, wgdn_error *err)
{
    return wgdn_tape_put(user, data, size, err);
}

static wgdn_status unpack(wgdn_source *s, wgdn_draft *w, const wgdn_packing *packing,
                          const wgdn_bytes *raw, wgdn_error *err)
{
    const char *path = raw->name;
    wgdn_tape to = {.fd = -1};
    uint64_t unused;
    wgdn_status st = wgdn_zeros_refuse(path, err);
    if (!st) st = wgdn_scratch_open(&w->d->scratch, w->o->scratch, path, err);
    if (st) return st;
    st = wgdn_tape_create(&to, w->d->scratch, text_name, UNPACK_BUFFER, err);
    if (!st)
        st = wgdn_unpack_to(&(wgdn_sink){put_bytes, &to}, packing, raw,
                            w->o->max_bytes > 0 ? (size_t)w->o->max_bytes : DISK_MAX, err);
    if (!st) st = wgdn_tape_finish(&to, &unused, err);
    wgdn_tape_close(&to);
    if (!st) st = wgdn_scratch_map(&s->file, w->d->scratch, text_name, err);
    s->file.name = s->name = path;
    s->data = s->file.data;
    s->size = s->file.size;
    return st ? st : wgdn_foreign_refuse(s->data, s->size, path, err);
}

static wgdn_status open_one(wgdn_source *s, wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_bytes raw = {0};
    const wgdn_packing *packing = NULL;
    *s = (wgdn_source){.name = path};
    if (w->o->memory > 0 && wgdn_path_is_file(path)) {
        const wgdn_status st = wgdn_bytes_map(&raw, path, err);
        if (st) return st;
        packing = wgdn_packing_of(raw.data, raw.size);
    }
    const bool needed = packing && wgdn_pack_needed(w->o, RATIO * (int64_t)raw.size);
    wgdn_status st = WGDN_OK;
    if (needed) st = unpack(s, w, packing, &raw, err);
    wgdn_bytes_free(&raw);
    if (needed && st) wgdn_source_free(s);
    return needed ? st : wgdn_source_read(s, path, w->o->max_bytes, err);
}

/* ---- several files ---- */

enum { HEAD = 1 << 18 }; /* bytes that show the columns of a file */

/* Where the text goes: to memory, or to a file in the scratch folder. */
typedef struct joined {
    wgdn_draft *w;
    wgdn_tape tape;
    bool on_disk;
    unsigned char *block;
    int64_t used, room;
    size_t skip; /* bytes of the current file that are left out */
    unsigned char last;
} joined;

static wgdn_status put_joined(void *user, const void *data, size_t size, wgdn_error *err)
{
    joined *const j = user;
    const size_t skip = j->skip < size ? j->skip : size;
    const unsigned char *from = (const unsigned char *)data + skip;
    j->skip -= skip;
    size -= skip;
    if (size == 0) return WGDN_OK;
    j->last = from[size - 1];
    if (j->on_disk) return wgdn_tape_put(&j->tape, from, size, err);
    if ((size_t)j->used + size > wgdn_unpack_limit(j->w->o->max_bytes))
        return wgdn_fail(err, WGDN_EFORMAT, "edge lists: together more than the %zu bytes allowed",
                         wgdn_unpack_limit(j->w->o->max_bytes));
    if (!wgdn_grow(&j->block, &j->room, j->used + (int64_t)size, 1))
        return wgdn_fail(err, WGDN_ENOMEM, "edge lists: %lld bytes together",
                         (long long)j->used + (long long)size);
    memcpy(j->block + j->used, from, size);
    j->used += (int64_t)size;
    return WGDN_OK;
}

/* The columns of a file by its first rows; *skip: bytes up to its first row of data. */
static wgdn_status look(wgdn_edge_layout *y, size_t *skip, const wgdn_draft *w, const char *path,
                        wgdn_error *err)
{
    size_t size = 0;
    bool more = false;
    wgdn_lines l = {.name = path};
    *y = (wgdn_edge_layout){.columns = 0};
    unsigned char *head = wgdn_alloc(HEAD, 1);
    if (!head) return wgdn_fail(err, WGDN_ENOMEM, "%s: its first rows", wgdn_show_name(path).text);
    wgdn_status st = wgdn_source_head(head, HEAD, &size, path, err);
    if (!st && size > 4 && memcmp(head, "PK\3\4", 4) == 0)
        st = wgdn_fail(err, WGDN_EINVAL, "%s: a zip beside other files: unpack it first",
                       wgdn_show_name(path).text);
    const bool cut = size == HEAD; /* to whole rows */
    while (cut && size > 0 && head[size - 1] != '\n')
        size--;
    const wgdn_bytes b = {.data = head, .size = size, .name = path};
    wgdn_input in = wgdn_draft_file(w, &b);
    in.watch = (wgdn_watch){0};
    if (!st) st = wgdn_edge_layout_find(y, &in, w->o, err);
    if (!st) {
        wgdn_lines_open(&l, &in);
        st = wgdn_lines_next(&l, &more, err);
        *skip = !more ? 0 : (size_t)((y->header == WGDN_HEADER_YES ? l.at : l.row) - head);
        wgdn_lines_close(&l);
    }
    wgdn_release(head);
    return st;
}

static bool same_names(const wgdn_edge_layout *a, const wgdn_edge_layout *b)
{
    for (int64_t j = 0; j < a->columns && a->header == WGDN_HEADER_YES; j++)
        if (wgdn_text_compare(a->name[j], b->name[j]) != 0) return false;
    return true;
}

/* Refuses files whose columns differ, or of which nobody knows whether row 1 has names. */
static wgdn_status compare(const wgdn_edge_layout *a, const wgdn_edge_layout *b, const char *first,
                           const char *path, wgdn_error *err)
{
    if (a->matrix.is || b->matrix.is)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: an adjacency matrix is read alone",
                         wgdn_show_name(a->matrix.is ? first : path).text);
    if (a->header == WGDN_HEADER_AUTO || b->header == WGDN_HEADER_AUTO)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s and %s: cannot tell whether row 1 holds column names; --header yes or "
                         "--header no says so for all files",
                         wgdn_show_name(first).text, wgdn_show_name(path).text);
    if (a->columns == b->columns && a->header == b->header && a->separator == b->separator &&
        a->decimal == b->decimal && a->source == b->source && a->target == b->target &&
        a->weight == b->weight && a->graph == b->graph && a->type == b->type && same_names(a, b))
        return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: its columns are not those of %s; files are read as one graph if "
                     "separators and column names agree",
                     wgdn_show_name(path).text, wgdn_show_name(first).text);
}

static wgdn_status append(joined *j, const char *path, wgdn_error *err)
{
    const wgdn_sink sink = {put_joined, j};
    wgdn_bytes raw = {0};
    wgdn_status st = wgdn_zeros_refuse(path, err);
    if (!st) st = wgdn_bytes_map(&raw, path, err);
    if (st) return st;
    const wgdn_packing *packing = wgdn_packing_of(raw.data, raw.size);
    const int64_t limit = j->w->o->max_bytes;
    if (packing)
        st = wgdn_unpack_to(&sink, packing, &raw, limit > 0 ? (size_t)limit : DISK_MAX, err);
    else
        st = wgdn_foreign_refuse(raw.data, raw.size, path, err);
    if (!st && !packing) st = put_joined(j, raw.data, raw.size, err);
    if (!st && j->last != '\n') st = put_joined(j, "\n", 1, err);
    wgdn_bytes_free(&raw);
    return st;
}

static wgdn_status append_all(joined *j, const char *path, wgdn_error *err)
{
    wgdn_edge_layout first, other;
    size_t skip = 0;
    wgdn_status st = look(&first, &skip, j->w, path, err);
    if (!st) st = append(j, path, err);
    for (const char *const *more = j->w->o->more; !st && *more; more++) {
        st = look(&other, &j->skip, j->w, *more, err);
        if (!st) st = compare(&first, &other, path, *more, err);
        if (!st) st = append(j, *more, err);
        wgdn_edge_layout_free(&other);
    }
    wgdn_edge_layout_free(&first);
    return st;
}

/* Bytes of all files, as far as their sizes tell. */
static int64_t size_of_all(const wgdn_draft *w, const char *path)
{
    struct stat s;
    int64_t size = wgdn_system_stat(path, &s) == 0 ? s.st_size : 0;
    for (const char *const *more = w->o->more; *more; more++)
        size += wgdn_system_stat(*more, &s) == 0 ? s.st_size : 0;
    return size;
}

static wgdn_status join(wgdn_source *s, wgdn_draft *w, const char *path, wgdn_error *err)
{
    joined j = {.w = w, .tape = {.fd = -1}, .last = '\n'};
    uint64_t unused;
    wgdn_status st = WGDN_OK;
    *s = (wgdn_source){.name = path};
    j.on_disk = wgdn_pack_needed(w->o, RATIO * size_of_all(w, path));
    if (j.on_disk) {
        st = wgdn_scratch_open(&w->d->scratch, w->o->scratch, path, err);
        if (!st) st = wgdn_tape_create(&j.tape, w->d->scratch, text_name, UNPACK_BUFFER, err);
    }
    if (!st) st = append_all(&j, path, err);
    if (!st && j.on_disk) st = wgdn_tape_finish(&j.tape, &unused, err);
    if (j.on_disk) wgdn_tape_close(&j.tape);
    if (!st && j.on_disk) st = wgdn_scratch_map(&s->file, w->d->scratch, text_name, err);
    if (!j.on_disk)
        s->file = (wgdn_bytes){.data = j.block, .size = (size_t)j.used, .block = j.block};
    s->file.name = path;
    s->data = s->file.data;
    s->size = s->file.size;
    if (st) wgdn_source_free(s);
    return st;
}

wgdn_status wgdn_edge_source_open(wgdn_source *s, wgdn_draft *w, const char *path, wgdn_error *err)
{
    return w->o->more && *w->o->more ? join(s, w, path, err) : open_one(s, w, path, err);
}
