/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the text of an edge list, or of several that are one graph, reads it, and writes edge lists. The records of a text (edge_list_records.c) get node numbers and
 * become the draft's edges, or, with a limit of memory, rows in scratch files (edge_list_pack.c).
 */
#include "edge_list.h"
#include "io/compression.h"
#include "io/lines.h"
#include "io/source.h"
#include "node_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Opens the text of an edge list, or of several that are one graph. It is unpacked and joined in
 * memory or, with a limit of memory, in the scratch folder; edge_list.c reads it.
 */

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

/*
 * Reads adjacency matrices that are written as text. The edge-list reader calls it first, because
 * such a file looks like an edge list with many columns.
 *
 * A table is an adjacency matrix if row 1 and column 1 have the same names in the same order. A
 * table without names is one if it has at least four rows, as many rows as columns, and only
 * numbers, which are symmetric or all 0 and 1.
 */

enum { NAMELESS_LEAST = 4 }; /* rows and columns without names on both sides */

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
    square.fits = columns >= NAMELESS_LEAST;
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

/* A number for each; seen: of as many as there may be. */
static wgdn_status number_nodes(wgdn_draft *w, int32_t *index, unsigned char *seen,
                                const wgdn_adjacency *a, const wgdn_text *name, const char *file,
                                wgdn_error *err)
{
    for (int64_t i = 0; i < a->nodes; i++) {
        char text[WGDN_INDEX_TEXT];
        /* The name of node i, which may be its place. */
        const wgdn_text id =
            a->header ? name[i + a->named] : wgdn_text_of(text, wgdn_print_index(text, i));
        if (id.size == 0) return refuse_name(file, id, "expected an id", err);
        const wgdn_status st = wgdn_ids_add(&w->ids, &id, 1, &index[i], err);
        if (st) return st;
        if (index[i] < 0)
            return refuse_name(file, id, "it is no node of the features, or too long", err);
        if (seen[index[i]]) return refuse_name(file, id, "it appears twice", err);
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

static wgdn_status adjacency_read(wgdn_draft *w, const wgdn_input *in, const wgdn_adjacency *a,
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

/* ---- decisions that the whole list makes ---- */

/* Ids that were seen, and those that were seen more than once. */
typedef struct lone_rows {
    wgdn_bits once, more;
    int64_t row, alone;
    bool first;
} lone_rows;

static wgdn_status count_ids(void *user, int32_t u, int32_t v, float weight, wgdn_error *err)
{
    lone_rows *const s = user;
    (void)weight;
    (void)err;
    wgdn_bits_set(wgdn_bits_get(&s->once, u) ? &s->more : &s->once, u);
    wgdn_bits_set(wgdn_bits_get(&s->once, v) ? &s->more : &s->once, v);
    return WGDN_OK;
}

static wgdn_status count_lone_rows(void *user, int32_t u, int32_t v, float weight, wgdn_error *err)
{
    lone_rows *const s = user;
    const bool alone = !wgdn_bits_get(&s->more, u) && !wgdn_bits_get(&s->more, v);
    (void)weight;
    (void)err;
    s->alone += alone;
    if (s->row++ == 0) s->first = alone;
    return WGDN_OK;
}

wgdn_status wgdn_edge_header_find(bool *is, wgdn_edge_walk *walk, void *edges, int64_t nodes,
                                  wgdn_error *err)
{
    lone_rows s = {.row = 0};
    wgdn_status st = wgdn_bits_open(&s.once, nodes) && wgdn_bits_open(&s.more, nodes)
                         ? WGDN_OK
                         : wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)nodes);
    if (!st) st = walk(edges, count_ids, &s, err);
    if (!st) st = walk(edges, count_lone_rows, &s, err);
    *is = s.first && s.alone == 1;
    wgdn_bits_close(&s.more);
    wgdn_bits_close(&s.once);
    return st;
}

static wgdn_status walk_edges(void *edges, wgdn_edge_visit *visit, void *user, wgdn_error *err)
{
    const wgdn_edges *e = edges;
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; k < e->count && !st; k++)
        st = visit(user, e->end[2 * k], e->end[2 * k + 1], 1, err);
    return st;
}

/* ---- edges in memory ---- */

/* The node numbers of a batch's ids. */
static wgdn_status number_ids(int32_t *node, wgdn_ids *ids, const wgdn_lines *l,
                              const wgdn_edge_batch *b, wgdn_error *err)
{
    const wgdn_status st = wgdn_ids_add(ids, b->id, 2 * b->rows, node, err);
    if (st == WGDN_ERANGE) return wgdn_edge_nodes_refuse(l->name, ids->max, err);
    for (int64_t k = 0; !st && k < 2 * b->rows; k++)
        if (node[k] < 0) return wgdn_edge_refuse(l, b, k, ids->count, err);
    return st;
}

static wgdn_status add_edges(wgdn_edges *e, const int32_t *node, const wgdn_lines *l,
                             const wgdn_edge_batch *b, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t r = 0; r < b->rows && !st; r++) {
        const int64_t before = e->count;
        e->line = b->line[r];
        st = wgdn_edges_add(e, node[2 * r], node[2 * r + 1], b->weight[r], l->name, err);
        if (!st && b->type[r] >= 0 && e->count > before)
            st = wgdn_edges_mark(e, b->type[r], l->name, err);
    }
    return st;
}

static wgdn_status add_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
                             wgdn_error *err)
{
    wgdn_draft *const w = user;
    int32_t node[2 * WGDN_EDGE_BATCH];
    const wgdn_status st = number_ids(node, &w->ids, l, b, err);
    return st ? st : add_edges(&w->edges, node, l, b, err);
}

enum { FEW = 1 << 16 }; /* ends that one thread numbers */

/* The ids are the integers that occur, by value; edges get their ranks. */
static wgdn_status number_integers(wgdn_draft *w, int32_t largest, const char *name,
                                   wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    wgdn_ids *const ids = &w->ids;
    const int64_t ends = 2 * e->count;
    const int threads = ends < FEW ? 1 : wgdn_threads_count(w->o->threads);
    unsigned char *present = wgdn_alloc_zero((size_t)largest + 1, 1);
    if (!present) return wgdn_fail(err, WGDN_ENOMEM, "ids: integers up to %d", largest);
#pragma omp parallel for schedule(static) num_threads(threads) if (!wgdn_forked())
    for (int64_t k = 0; k < ends; k++) { /* a look first: stores would take the line from others */
        unsigned char *const at = &present[e->end[k]];
        if (!__atomic_load_n(at, __ATOMIC_RELAXED)) __atomic_store_n(at, 1, __ATOMIC_RELAXED);
    }
    const wgdn_status st = wgdn_ids_from_present(ids, present, (int64_t)largest + 1, err);
    wgdn_release(present);
    if (st == WGDN_ERANGE) return wgdn_edge_nodes_refuse(name, ids->max, err);
    if (st || ids->count == ids->reach) return st;
#pragma omp parallel for schedule(static) num_threads(threads) if (!wgdn_forked())
    for (int64_t k = 0; k < ends; k++)
        e->end[k] = ids->index[e->end[k]] - 1;
    return WGDN_OK;
}

static wgdn_status read_list(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                             const wgdn_edge_sink *to, wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    wgdn_lines l;
    int32_t largest = 0;
    bool pairs = false;
    e->counted = y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE;
    wgdn_status st = wgdn_edge_lines_open(&l, in, y, err);
    if (!st && !w->ids.fixed && w->ids.count == 0)
        st = wgdn_edge_pairs_read(e, &l, y, w->o->threads, &largest, &pairs, err);
    if (!st && pairs && wgdn_ids_near(largest, e->count)) {
        st = number_integers(w, largest, l.name, err);
    } else if (!st) {
        e->count = 0;
        st = wgdn_edge_rows_read(&l, y, w, l.end, to, err);
    }
    wgdn_lines_close(&l);
    return st;
}

/* All of it, by another layout. */
static wgdn_status read_again(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                              wgdn_error *err)
{
    wgdn_edges_clear(&w->edges);
    wgdn_ids_close(&w->ids);
    wgdn_ids_open(&w->ids, w->o->max_nodes);
    wgdn_ids_close(&w->types);
    wgdn_ids_open(&w->types, INT32_MAX);
    return read_list(w, in, y, &(wgdn_edge_sink){add_batch, w}, err);
}

static wgdn_status settle_header(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                 wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    bool names = false;
    wgdn_status st = WGDN_OK;
    if (!w->ids.fixed && wgdn_edge_header_possible(e->count, e->zero_weights))
        st = wgdn_edge_header_find(&names, walk_edges, e, w->ids.count, err);
    y->header = names ? WGDN_HEADER_YES : WGDN_HEADER_NO;
    y->inferred = names;
    if (st || !names) return st;
    st = wgdn_edge_layout_assign(y, in->name, w->o, err); /* without its two nodes */
    return st ? st : read_again(w, in, y, err);
}

/* An id in both columns: a list that names customers and products means two nodes. */
static wgdn_status settle_kinds(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    const wgdn_edges *e = &w->edges;
    bool both = false;
    unsigned char *seen = wgdn_alloc_zero((size_t)w->ids.count + 1, 1); /* as source, as target */
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)w->ids.count);
    for (int64_t k = 0; k < 2 * e->count && !both; k++) {
        seen[e->end[k]] |= k % 2 ? 2 : 1;
        both = seen[e->end[k]] == 3;
    }
    wgdn_release(seen);
    y->undecided = false;
    y->bipartite = both;
    return both ? read_again(w, in, y, err) : WGDN_OK;
}

static wgdn_status sort_ids(wgdn_edges *e, wgdn_ids *ids, wgdn_error *err)
{
    int32_t *rank;
    const wgdn_status st = wgdn_ids_sort(ids, &rank, err);
    if (st || !rank) return st;
    for (int64_t k = 0; k < 2 * e->count; k++)
        e->end[k] = rank[e->end[k]];
    wgdn_release(rank);
    return WGDN_OK;
}

/* ---- a column of graphs ---- */

/* Ids of nodes are GRAPH/NODE. */
typedef struct graph_reader {
    wgdn_draft *w;
    wgdn_ids graphs;
    int32_t *graph; /* of each node */
    int64_t nodes, graph_room;
} graph_reader;

static wgdn_status no_memory(int64_t nodes, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "graphs of %lld nodes", (long long)nodes);
}

static wgdn_status add_graph_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
                                   wgdn_error *err)
{
    graph_reader *const r = user;
    int32_t node[2 * WGDN_EDGE_BATCH], graph[WGDN_EDGE_BATCH];
    wgdn_status st = wgdn_ids_add(&r->graphs, b->graph, b->rows, graph, err);
    if (!st) st = number_ids(node, &r->w->ids, l, b, err);
    if (st) return st;
    if (!wgdn_grow(&r->graph, &r->graph_room, r->w->ids.count, sizeof *r->graph))
        return no_memory(r->w->ids.count, err);
    for (int64_t k = 0; k < 2 * b->rows; k++) {
        if (node[k] == r->nodes) r->graph[r->nodes++] = graph[k / 2]; /* its first appearance */
        if (r->graph[node[k]] == graph[k / 2]) continue;
        wgdn_lines at = *l;
        at.line = b->line[k / 2];
        return wgdn_lines_fail(&at, -1, err,
                               "%s is a node of another graph as well: a / in the graph's name "
                               "makes two of them one",
                               wgdn_show(b->id[k]).text);
    }
    return add_edges(&r->w->edges, node, l, b, err);
}

/* New numbers for the nodes, graph after graph, within each as they came; rank[old] = new. */
static wgdn_status order_nodes(graph_reader *r, int32_t *rank, int64_t *start, wgdn_error *err)
{
    const int64_t nodes = r->w->ids.count;
    wgdn_ids sorted;
    wgdn_status st = WGDN_OK;
    int32_t *old = wgdn_alloc((size_t)nodes, sizeof *old);
    if (!old) return no_memory(nodes, err);
    for (int64_t i = 0; i < nodes; i++)
        start[r->graph[i] + 1]++;
    for (int64_t g = 0; g < r->graphs.count; g++)
        start[g + 1] += start[g];
    for (int64_t i = 0; i < nodes; i++) {
        rank[i] = (int32_t)start[r->graph[i]]++; /* now the start of the next graph */
        old[rank[i]] = (int32_t)i;
    }
    for (int64_t g = r->graphs.count; g > 0; g--)
        start[g] = start[g - 1];
    start[0] = 0;
    wgdn_ids_open(&sorted, nodes);
    for (int64_t i = 0; !st && i < nodes; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&r->w->ids, old[i], buffer);
        int32_t at;
        st = wgdn_ids_add(&sorted, &id, 1, &at, err);
    }
    wgdn_release(old);
    if (st) {
        wgdn_ids_close(&sorted);
        return st;
    }
    wgdn_ids_close(&r->w->ids);
    r->w->ids = sorted;
    return WGDN_OK;
}

/* Graphs in the order of their ids, as nodes would be; then the nodes by graphs. */
static wgdn_status finish_graphs(graph_reader *r, wgdn_error *err)
{
    wgdn_draft *w = r->w;
    wgdn_dataset *d = w->d;
    int32_t *graph_rank = NULL;
    const int64_t nodes = w->ids.count;
    int32_t *rank = wgdn_alloc((size_t)nodes, sizeof *rank);
    d->graph_start = wgdn_alloc_zero((size_t)r->graphs.count + 1, sizeof *d->graph_start);
    wgdn_status st = rank && d->graph_start ? wgdn_ids_sort(&r->graphs, &graph_rank, err)
                                            : no_memory(nodes, err);
    for (int64_t i = 0; !st && graph_rank && i < nodes; i++)
        r->graph[i] = graph_rank[r->graph[i]];
    if (!st) st = order_nodes(r, rank, d->graph_start, err);
    if (!st) {
        for (int64_t k = 0; k < 2 * w->edges.count; k++)
            w->edges.end[k] = rank[w->edges.end[k]];
        d->graphs = r->graphs.count;
        d->graph_ids = r->graphs;
        d->graphs_named = d->named = true;
        r->graphs = (wgdn_ids){0};
        w->ids.fixed = true; /* features cannot bring nodes of no graph */
        w->degrees = true;
    }
    wgdn_release(graph_rank);
    wgdn_release(rank);
    return st;
}

static wgdn_status read_graphs(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                               wgdn_error *err)
{
    graph_reader r = {.w = w};
    if (y->bipartite)
        return wgdn_fail_in(err, WGDN_EINVAL, in->name,
                            "--bipartite does not go with a column of graphs");
    wgdn_ids_open(&r.graphs, w->o->max_nodes);
    wgdn_status st = read_list(w, in, y, &(wgdn_edge_sink){add_graph_batch, &r}, err);
    if (!st && w->ids.count == 0)
        st = wgdn_fail_in(err, WGDN_EFORMAT, in->name, "no rows behind the header");
    if (!st) st = finish_graphs(&r, err);
    wgdn_release(r.graph);
    wgdn_ids_close(&r.graphs);
    return st;
}

/* ---- all of it ---- */

wgdn_status wgdn_edge_list_read(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    if (y->graph >= 0 && !y->matrix.is) return read_graphs(w, in, y, err);
    if (y->bipartite && w->ids.fixed)
        return wgdn_fail_in(err, WGDN_EINVAL, w->o->features,
                            "with --bipartite features are text keyed by KIND:ID");
    wgdn_status st = y->matrix.is ? adjacency_read(w, in, &y->matrix, y->name, err)
                                  : read_list(w, in, y, &(wgdn_edge_sink){add_batch, w}, err);
    if (!st && !y->matrix.is && y->header == WGDN_HEADER_AUTO) st = settle_header(w, in, y, err);
    if (!st && y->undecided) st = settle_kinds(w, in, y, err);
    return st ? st : sort_ids(&w->edges, &w->ids, err);
}

/* Features in an array say how many nodes there are, so they come before the edges. */
static wgdn_status read_array(wgdn_draft *w, bool graphs, bool packed, wgdn_error *err)
{
    bool arrays;
    wgdn_status st = wgdn_features_list(&arrays, w, err);
    if (st || !arrays) return st;
    if (graphs)
        return wgdn_fail_in(err, WGDN_EINVAL, w->o->features,
                            "with a column of graphs, features are text keyed by graph/node");
    st = wgdn_features_arrays(w, err);
    return st || packed ? st : wgdn_draft_number(w, w->array_rows, 0, w->o->features, err);
}

/* What is not done in files. */
static wgdn_status check_packing(const wgdn_draft *w, const wgdn_edge_layout *y,
                                 const wgdn_input *in, wgdn_error *err)
{
    const char *what = y->matrix.is                              ? "an adjacency matrix"
                       : y->graph >= 0                           ? "a column of graphs"
                       : y->type >= 0                            ? "a column of types"
                       : w->o->directed != WGDN_DIRECTION_IGNORE ? "--directed"
                       : w->o->binarize                          ? "--binarize"
                       : w->files > 1                            ? "several files of features"
                       : w->files == 1 && !w->file[0].array      ? "features as text"
                                                                 : NULL;
    if (!what) return WGDN_OK;
    return wgdn_fail_in(
        err, WGDN_EINVAL, in->name,
        "with %s it is read at once, which takes about %.1f MB: allow that by --memory", what,
        WGDN_PACK_TIMES * (double)in->size / (1 << 20) + 0.1);
}

/* The heading of a column, or its number. */
static wgdn_status copy_column(char **out, const wgdn_edge_layout *y, int64_t j, wgdn_error *err)
{
    char number[WGDN_INDEX_TEXT];
    if (j < 0) return WGDN_OK;
    wgdn_text t = y->header == WGDN_HEADER_YES ? y->name[j] : wgdn_text_of(NULL, 0);
    if (t.size == 0) t = wgdn_text_of(number, wgdn_print_index(number, j + 1));
    *out = wgdn_alloc(t.size + 1, 1);
    if (!*out) return wgdn_fail(err, WGDN_ENOMEM, "the heading of a column");
    wgdn_text_put(*out, t.size + 1, t);
    return WGDN_OK;
}

static wgdn_status keep_choice(wgdn_draft *w, const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_edge_choice *const c = &w->d->choice;
    if (y->matrix.is || y->columns < 2) return WGDN_OK;
    c->bipartite = y->bipartite;
    c->weights = w->o->weights;
    wgdn_status st = copy_column(&c->source, y, y->source, err);
    if (!st) st = copy_column(&c->target, y, y->target, err);
    if (!st) st = copy_column(&c->weight, y, y->weight, err);
    if (!st) st = copy_column(&c->type, y, y->type, err);
    return st ? st : copy_column(&c->graph, y, y->graph, err);
}

static wgdn_status load_rows(wgdn_draft *w, const wgdn_input *in, const wgdn_bytes *file,
                             wgdn_edge_layout *y, wgdn_error *err)
{
    const bool packed = wgdn_pack_needed(w->o, (int64_t)in->size);
    wgdn_status st = wgdn_edge_layout_find(y, in, w->o, err);
    if (!st) st = read_array(w, y->graph >= 0, packed, err);
    if (w->array_rows && w->o->bipartite < 0)
        y->bipartite = y->undecided = false; /* ids are rows */
    if (!st && packed) st = check_packing(w, y, in, err);
    if (!st) st = packed ? wgdn_edge_pack(w, in, file, y, err) : wgdn_edge_list_read(w, in, y, err);
    if (!st) st = wgdn_edge_layout_remark(y, w, err);
    if (!st) st = keep_choice(w, y, err);
    /* A first row such as "2708 5429" may count nodes and edges; nobody but the user knows. */
    if (st) return st;
    const int64_t rows = w->edges.count + w->edges.zero_weights;
    int64_t nodes, edges;
    if (y->columns != 2 || y->matrix.is || y->header == WGDN_HEADER_YES || rows < 4) return WGDN_OK;
    if (!wgdn_text_index(y->name[0], &nodes) || !wgdn_text_index(y->name[1], &edges) ||
        edges != rows - 1 || nodes < w->ids.count - 2)
        return WGDN_OK;
    return wgdn_remarks_add(&w->d->remarks, "first-row", 1, err,
                            "row 1 was read as an edge from %lld to %lld; if it counts nodes and "
                            "edges, --header yes skips it",
                            (long long)nodes, (long long)edges);
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_edge_layout y;
    const bool several = w->o->more && *w->o->more;
    wgdn_status st = several ? join(&s, w, path, err) : open_one(&s, w, path, err);
    if (st) return st;
    const wgdn_input in = wgdn_draft_input(w, &s);
    st = load_rows(w, &in, &s.file, &y, err);
    if (st == WGDN_EFORMAT && err && w->o->more && *w->o->more)
        snprintf(err->message + strlen(err->message), sizeof err->message - strlen(err->message),
                 " (lines are counted through all files, without repeated headings)");
    wgdn_edge_layout_free(&y);
    wgdn_source_free(&s);
    return st;
}

/* ---- writing ---- */

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static wgdn_status write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_csr *a = &d->graph->adjacency;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    wgdn_page_word(p, a->value ? "source\ttarget\tweight\n" : "source\ttarget\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        int64_t k = a->offset[i];
        if (k == a->offset[i + 1]) { /* a loop is dropped again, the node stays */
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, i);
            wgdn_page_word(p, a->value ? "\t1\n" : "\n");
        }
        for (; k < a->offset[i + 1]; k++) {
            if (a->column[k] < i) continue;
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, a->column[k]);
            if (a->value) {
                wgdn_page_put(p, "\t", 1);
                wgdn_page_float(p, a->value[k]);
            }
            wgdn_page_put(p, "\n", 1);
        }
    }
    return wgdn_page_close(p);
}

const wgdn_format wgdn_edges_format = {
    .info = {"edges", (const char *const[]){".tsv", ".txt", ".edges", NULL},
             "Edge list as text: TSV, CSV or blanks, also zipped; written as TSV", 1, 1},
    .columns = true,
    .load = load,
    .write = write,
};
