/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the rows of tables and arrays to the nodes of a graph by their ids. The readers of
 * features, labels and splits share it; it also finds the columns again that a model was made
 * with.
 */
#include "node_match.h"
#include "io/source.h"
#include "node_table.h"
#include "npz_graph.h"

#include <stdio.h>
#include <string.h>

/* Finds the column of a table that holds the ids of nodes, by its heading and by its values. */

enum {
    COLUMNS = 256, /* looked at; an id stands near the start of a row */
    ROWS = 1000,   /* with a known id, after which the choice is made */
};

/* -1 if no node has it */
static int64_t known_find(const wgdn_known *k, wgdn_text id)
{
    return k->ids ? wgdn_ids_find(k->ids, id) : wgdn_dataset_seek(k->d, id);
}

bool wgdn_is_any(wgdn_text t, const char *const *word, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wgdn_text_is(t, word[i])) return true;
    return false;
}

/* What people write over a column of ids. */
static bool is_id_heading(wgdn_text t)
{
    static const char *const word[] = {
        "id",        "ids",    "node",    "nodes",     "node_id", "nodeid", "node id",   "vertex",
        "vertex_id", "name",   "user",    "graph",     "graphs",  "uid",    "graph_id",  "user_id",
        "userid",    "iban",   "account", "konto",     "kunde",   "key",    "kundennr",  "customer",
        "client",    "compte", "cuenta",  "kunden_id", "knoten",  "uuid",   "identifier"};
    static const char *const end[] = {"_id", " id", "_nr", "_no", "-id"};
    if (wgdn_is_any(t, word, sizeof word / sizeof *word)) return true;
    if (t.size > 2 && memcmp(t.at + t.size - 2, "Id", 2) == 0) return true;
    for (size_t i = 0; i < sizeof end / sizeof *end && t.size > 3; i++)
        if (wgdn_text_is(wgdn_text_of(t.at + t.size - 3, 3), end[i])) return true;
    return false;
}

/* What people write over the ids of nodes, and over nothing else. */
static bool is_exact_heading(wgdn_text t)
{
    static const char *const word[] = {"id",     "node",    "node_id",   "nodeid",
                                       "vertex", "node id", "vertex_id", "knoten"};
    return wgdn_is_any(t, word, sizeof word / sizeof *word);
}

/* Row 1, and how many of the rows below have a known id in each column. */
typedef struct id_look {
    const wgdn_known *known;
    int64_t columns;
    int64_t rows; /* with a known id somewhere */
    int64_t hits[COLUMNS];
    bool exact[COLUMNS], likely[COLUMNS]; /* by the heading */
    bool unnamed;                         /* the first column has an empty heading */
} id_look;

static void see_first(id_look *k, const wgdn_lines *l, wgdn_header header)
{
    k->columns = wgdn_min(l->fields, COLUMNS);
    for (int64_t j = 0; j < k->columns; j++) {
        if (header == WGDN_HEADER_NO || known_find(k->known, l->field[j]) >= 0) continue;
        k->exact[j] = is_exact_heading(l->field[j]);
        k->likely[j] = is_id_heading(l->field[j]);
    }
    k->unnamed = l->field[0].size == 0;
}

static void see_row(id_look *k, const wgdn_lines *l)
{
    bool any = false;
    for (int64_t j = 0; j < wgdn_min(l->fields, k->columns); j++) {
        const bool hit = l->field[j].size > 0 && known_find(k->known, l->field[j]) >= 0;
        k->hits[j] += hit;
        any = any || hit;
    }
    k->rows += any;
}

/*
 * A heading that means ids decides where the values agree. Else the first column holds the ids if
 * about as many of its values are known as of any other column's; else the column of which most
 * are. A dataframe's index, which has no heading, gives way to a column that looks like ids.
 */
static int64_t choose(const id_look *k)
{
    int64_t best = 0;
    for (int64_t j = 1; j < k->columns; j++)
        if (k->hits[j] > k->hits[best]) best = j;
    for (int64_t j = 0; j < k->columns; j++)
        if (k->exact[j] && 2 * k->hits[j] >= k->hits[best]) return j;
    for (int64_t j = 1; k->unnamed && j < k->columns; j++)
        if (k->likely[j] && k->hits[j] > 0 && k->hits[j] >= k->hits[0]) return j;
    if (k->hits[best] == 0)
        for (int64_t j = 0; j < k->columns; j++)
            if (k->likely[j]) return j;
    return 2 * k->hits[0] >= k->hits[best] ? 0 : best;
}

wgdn_status wgdn_id_look(wgdn_input *in, const wgdn_known *known, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    int64_t said = 0;
    id_look k = {.known = known};
    if (in->id_at || (in->id && !wgdn_text_index(wgdn_text_of(in->id, strlen(in->id)), &said)))
        return WGDN_OK;
    wgdn_lines_open(&l, in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && more) see_first(&k, &l, in->header);
    if (in->id) more = false; /* it is known which column, so only its heading counts */
    while (!st && more && k.rows < ROWS) {
        st = wgdn_lines_next(&l, &more, err);
        if (!st && more) see_row(&k, &l);
    }
    wgdn_lines_close(&l);
    if (st || k.columns == 0) return st;
    if (in->id && (said < 1 || said > k.columns)) return WGDN_OK;
    const int64_t j = in->id ? said - 1 : choose(&k);
    in->id_at = j + 1;
    in->id_named = k.exact[j] || (j > 0 && k.likely[j]);
    return WGDN_OK;
}

/* Reads the files of features, one or several, each of which is an array or a table. */

static bool is_json(const char *path)
{
    return wgdn_path_ends(path, ".json") || wgdn_path_ends(path, ".json.gz");
}

/* ---- the list ---- */

static bool exists(const char *path)
{
    struct stat s;
    return wgdn_system_stat(path, &s) == 0;
}

/* "a.csv,b.npy" are two files, unless there is one of that name. */
static wgdn_status list_files(wgdn_draft *w, wgdn_error *err)
{
    const char *said = w->o->features;
    const size_t size = strlen(said);
    int64_t count = 1;
    const bool one = exists(said);
    for (const char *at = said; !one && (at = strchr(at, ',')); at++)
        count++;
    w->file_names = wgdn_alloc(size + 1, 1);
    w->file = wgdn_alloc_zero((size_t)count, sizeof *w->file);
    if (!w->file_names || !w->file)
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld files", (long long)count);
    memcpy(w->file_names, said, size + 1);
    w->files = count;
    char *at = w->file_names;
    for (int64_t i = 0; i < count; i++) {
        wgdn_feature_file *f = &w->file[i];
        char *comma = one ? NULL : strchr(at, ',');
        if (comma) *comma = '\0';
        f->path = at;
        f->array = wgdn_path_is_archive(at);
        f->table.max = w->o->max_entries;
        if (!*at)
            return wgdn_fail(err, WGDN_EINVAL, "features: the name of a file is empty in %s",
                             wgdn_show_name(said).text);
        at = comma ? comma + 1 : at;
    }
    return WGDN_OK;
}

static wgdn_status read_given(wgdn_draft *w, wgdn_error *err)
{
    const char *text = w->o->encoding;
    if (!text || !*text) return WGDN_OK;
    const wgdn_status st = wgdn_encoding_parse(&w->given, text, err);
    if (st || w->given.blocks == w->files) return st;
    return wgdn_fail(
        err, WGDN_EINVAL,
        "%s: %lld file%s of features, where the model was made with %lld: name them in "
        "that order, separated by commas",
        wgdn_show_name(w->o->features).text, (long long)w->files, w->files == 1 ? "" : "s",
        (long long)w->given.blocks);
}

static wgdn_status open_files(wgdn_draft *w, wgdn_error *err)
{
    if (w->file) return WGDN_OK;
    wgdn_status st = list_files(w, err);
    if (!st) st = read_given(w, err);
    for (int64_t i = 0; i < w->files && !st; i++) {
        wgdn_block *b = NULL;
        st = wgdn_encoding_add(&w->coded, &b, err);
    }
    return st;
}

static wgdn_block *given_of(const wgdn_draft *w, int64_t i)
{
    return w->given.blocks ? &w->given.block[i] : NULL;
}

/* ---- arrays ---- */

/* Rows of an array: they say how many nodes there are, and the nodes' ids are their numbers. */
static wgdn_status read_array(wgdn_draft *w, int64_t i, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_feature_file *own = &w->file[i];
    const bool alone = w->files == 1;
    wgdn_features *f = alone ? &d->features : &own->features;
    wgdn_archive *a = alone ? &d->feature_archive : &own->archive;
    const wgdn_block *given = given_of(w, i);
    wgdn_features_free(f);
    d->degrees = false;
    wgdn_status st = wgdn_archive_open(a, own->path, err);
    wgdn_draft_spare(w, a);
    if (!st) st = wgdn_npz_features(f, a, own->path, err);
    if (st) return st;
    if (given && (given->kind != WGDN_BLOCK_ARRAY || given->width != f->width))
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: an array of %lld columns, where the model was made with %s of %lld",
                         wgdn_show_name(own->path).text, (long long)f->width,
                         given->kind == WGDN_BLOCK_ARRAY ? "one" : "a table",
                         (long long)(given->kind == WGDN_BLOCK_TABLE ? given->of : given->width));
    if (w->array_rows && w->array_rows != f->rows)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %lld rows, where the array before has %lld",
                         wgdn_show_name(own->path).text, (long long)f->rows,
                         (long long)w->array_rows);
    w->array_rows = f->rows;
    w->coded.block[i].kind = WGDN_BLOCK_ARRAY;
    w->coded.block[i].width = f->width;
    return WGDN_OK;
}

wgdn_status wgdn_features_list(bool *arrays, wgdn_draft *w, wgdn_error *err)
{
    *arrays = false;
    const wgdn_status st = w->o->features ? open_files(w, err) : WGDN_OK;
    for (int64_t i = 0; i < w->files && !st; i++)
        if (w->file[i].array) *arrays = true;
    return st;
}

wgdn_status wgdn_features_arrays(wgdn_draft *w, wgdn_error *err)
{
    if (!w->o->features || w->arrays_read) return WGDN_OK;
    w->arrays_read = true;
    wgdn_status st = open_files(w, err);
    for (int64_t i = 0; i < w->files && !st; i++)
        if (w->file[i].array) st = read_array(w, i, err);
    return st;
}

/* ---- tables ---- */

static wgdn_status read_json(wgdn_draft *w, int64_t i, wgdn_table *t, const wgdn_input *in,
                             wgdn_error *err)
{
    const wgdn_block *given = given_of(w, i);
    const wgdn_status st = wgdn_table_read_json(t, &w->ids, in, err);
    if (st) return st;
    w->coded.block[i].kind = WGDN_BLOCK_NUMBERS;
    w->coded.block[i].width = t->width;
    if (given && (given->kind != WGDN_BLOCK_NUMBERS || given->width != t->width))
        return wgdn_fail(err, WGDN_EINVAL, "%s: the model was made with another kind of features",
                         wgdn_show_name(in->name).text);
    return WGDN_OK;
}

/* Two nodes that the table has no row for, or any two: "a", "b". */
static const char *show_nodes(char *text, size_t size, const wgdn_ids *ids, const wgdn_table *t)
{
    int64_t shown = 0;
    size_t used = 0;
    for (int pass = 0; pass < 2 && shown == 0; pass++)
        for (int64_t i = 0; i < t->known && shown < 2 && used < size; i++) {
            char buffer[WGDN_INDEX_TEXT];
            if (pass == 0 && i < t->line_room && t->line[i]) continue;
            const wgdn_shown id = wgdn_show(wgdn_ids_text(ids, i, buffer));
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", shown++ ? ", " : "", id.text);
        }
    return text;
}

/*
 * How the ids of a table and those of the graph match. None is an error. Ids that the graph does
 * not have are nodes without edges, or skipped where the number of nodes is fixed; if fewer than
 * half match that could, the message shows ids of both sides.
 */
static wgdn_status report_match(wgdn_draft *w, const wgdn_table *t, wgdn_error *err)
{
    char nodes[400];
    wgdn_remarks *const r = &w->d->remarks;
    const wgdn_shown name = wgdn_show_name(t->name);
    const int64_t matched = t->rows + t->skipped - t->unknown, all = matched + t->unknown;
    const char *const fate = t->skipped ? "skipped" : "nodes without edges";
    wgdn_status st = WGDN_OK;
    if (t->nameless)
        st = wgdn_remarks_add(r, "ids-missing", t->nameless, err, "%s: %lld row%s skipped",
                              name.text, (long long)t->nameless,
                              t->nameless == 1 ? " without an id was" : "s without an id were");
    if (st || t->known == 0 || t->unknown == 0) return st;
    show_nodes(nodes, sizeof nodes, &w->ids, t);
    if (matched == 0)
        return wgdn_fail(
            err, WGDN_EFORMAT,
            "%s: none of its %lld ids is in the graph; first: %s%s%s; ids of the graph "
            "look like %s; --id names the column of ids",
            name.text, (long long)all, t->first[0].text, all > 1 ? ", " : "",
            all > 1 ? t->first[1].text : "", nodes);
    if (2 * matched < wgdn_min(all, t->known))
        return wgdn_remarks_add(
            r, "features-alone", t->unknown, err,
            "%s: only %lld of its %lld ids %s among the %lld nodes of the graph; "
            "not in the graph (%s): %s%s%s; nodes without a row: %s",
            name.text, (long long)matched, (long long)all, matched == 1 ? "is" : "are",
            (long long)t->known, fate, t->first[0].text, t->unknown > 1 ? ", " : "",
            t->unknown > 1 ? t->first[1].text : "", nodes);
    return wgdn_remarks_add(r, "features-alone", t->unknown, err,
                            t->unknown == 1 ? "%lld id of %s is not in the graph: %s"
                                            : "%lld ids of %s are not in the graph: %s",
                            (long long)t->unknown, name.text,
                            t->unknown == 1 && !t->skipped ? "a node without edges" : fate);
}

/* A column of ids that is not the first, and that nobody named. */
static wgdn_status remark_id(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    wgdn_shown name = {"?"};
    if (in->id || in->id_at < 2) return WGDN_OK;
    wgdn_lines_open(&l, in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && more && in->id_at <= l.fields) name = wgdn_show(l.field[in->id_at - 1]);
    wgdn_lines_close(&l);
    if (st) return st;
    return wgdn_remarks_add(&w->d->remarks, "id-column", in->id_at, err,
                            "%s: ids are in column %lld%s%s; --id names another column",
                            wgdn_show_name(in->name).text, (long long)in->id_at,
                            in->id_named ? ", " : "", in->id_named ? name.text : "");
}

static wgdn_status read_text(wgdn_draft *w, int64_t i, wgdn_error *err)
{
    wgdn_feature_file *f = &w->file[i];
    wgdn_table *t = w->files == 1 ? &w->table : &f->table;
    const wgdn_table_plan plan = {.scale = w->o->feature_scale,
                                  .max_categories = w->o->max_categories,
                                  .ignore = w->o->ignore,
                                  .several = w->files > 1,
                                  .numbers = w->o->encoding && !*w->o->encoding,
                                  .given = given_of(w, i),
                                  .made = &w->coded.block[i],
                                  .remarks = &w->d->remarks};
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, f->path, w->o->max_bytes, err);
    if (st) return st;
    wgdn_input in = wgdn_draft_input(w, &s);
    t->known = w->ids.count;
    t->strict = w->o->strict;
    if (is_json(f->path)) {
        st = read_json(w, i, t, &in, err);
    } else {
        if (t->known) st = wgdn_id_look(&in, &(wgdn_known){.ids = &w->ids}, err);
        if (!st) st = wgdn_table_read_columns(t, &w->ids, &in, &plan, err);
        if (!st) st = remark_id(w, &in, err);
    }
    t->name = f->path;
    wgdn_source_free(&s);
    if (!st) st = report_match(w, t, err);
    w->tabled = w->files == 1;
    return st;
}

wgdn_status wgdn_features_read(wgdn_draft *w, wgdn_error *err)
{
    if (!w->o->features || w->features_read) return WGDN_OK;
    w->features_read = true;
    wgdn_status st = wgdn_features_arrays(w, err);
    if (st) return st;
    if (w->whole) {
        if (w->files != 1 || !w->file[0].array)
            return wgdn_fail(err, WGDN_EINVAL, "%s: features for a packed dataset must be an array",
                             wgdn_show_name(w->o->features).text);
        return wgdn_features_order(&w->d->features, w->d, err);
    }
    for (int64_t i = 0; i < w->files && !st; i++)
        if (!w->file[i].array) st = read_text(w, i, err);
    return st;
}

/* ---- remembering the encoding ---- */

wgdn_status wgdn_features_keep(wgdn_draft *w, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_status st = WGDN_OK;
    if (!w->files) return WGDN_OK;
    if (w->array_rows && d->named)
        st = wgdn_remarks_add(&d->remarks, "rows-without-ids", w->array_rows, err,
                              "%s: %lld rows without ids go to the nodes in the graph's order",
                              wgdn_show_name(w->o->features).text, (long long)w->array_rows);
    wgdn_release(d->encoding);
    d->encoding = NULL;
    const bool worth = w->files > 1 || w->coded.block[0].kind == WGDN_BLOCK_TABLE;
    if (!st && w->given.blocks) return wgdn_encoding_text(&d->encoding, &w->given, err);
    return !st && worth ? wgdn_encoding_text(&d->encoding, &w->coded, err) : st;
}

/* Finds the columns of a table again by an encoding that was decided before. */

static wgdn_status refuse_missing(const wgdn_table_reading *r, int64_t k, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: no column %s, which the model was made with: its headings must be there, "
                     "in any order",
                     wgdn_show_name(r->in->name).text,
                     wgdn_show(wgdn_names_get(&r->block->column[k].name, 0)).text);
}

static wgdn_status refuse_twice(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: more than one column is headed %s: rename it",
                     wgdn_show_name(r->in->name).text, wgdn_table_reading_name(r, j).text);
}

wgdn_status wgdn_table_reading_unique(const wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    int32_t *index = wgdn_alloc((size_t)r->columns, sizeof *index);
    int64_t *count = wgdn_alloc_zero((size_t)r->columns, sizeof *count);
    wgdn_ids_open(&ids, r->columns);
    if (!index || !count) {
        st = wgdn_table_reading_no_memory(r, err);
        goto done;
    }
    for (int64_t j = 0; j < r->columns && !st; j++) {
        const wgdn_text name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
        st = wgdn_ids_add(&ids, &name, 1, &index[j], err);
        if (!st && index[j] >= 0) count[index[j]]++;
    }
    for (int64_t k = 0; k < r->block->columns && !st; k++) {
        const int64_t j = r->place[k];
        if (index[j] < 0 || count[index[j]] > 1) st = refuse_twice(r, j, err);
    }

done:
    wgdn_ids_close(&ids);
    wgdn_release(count);
    wgdn_release(index);
    return st;
}

static wgdn_status find_places(wgdn_table_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    for (int64_t k = 0; k < r->block->columns; k++) {
        const wgdn_text name = wgdn_names_get(&r->block->column[k].name, 0);
        int64_t j = k; /* most often they are where they were */
        if (j >= r->columns || wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) != 0)
            for (j = 0; j < r->columns; j++)
                if (wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) == 0) break;
        if (j == r->columns) return refuse_missing(r, k, err);
        r->place[k] = j;
    }
    return WGDN_OK;
}

/* Without headings: columns go by their places, and row 1 is one where it does not fit them. */
static wgdn_status take_places(wgdn_table_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    if (r->columns != r->block->of)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %lld columns, where the model was made with %lld",
                         wgdn_show_name(r->in->name).text, (long long)r->columns,
                         (long long)r->block->of);
    r->headed = r->in->header == WGDN_HEADER_YES;
    for (int64_t k = 0; k < r->block->columns; k++) {
        wgdn_cell cell[WGDN_CELLS];
        int count;
        (void)wgdn_text_index(wgdn_names_get(&r->block->column[k].name, 0), &r->place[k]);
        r->place[k]--;
        if (r->in->header == WGDN_HEADER_AUTO && (extra == 0 || extra == 1) &&
            wgdn_column_cells(cell, &count, &r->block->column[k],
                              wgdn_names_get(&r->head, r->place[k] + extra),
                              r->decimal) == WGDN_CELL_WRONG)
            r->headed = extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
    }
    return WGDN_OK;
}

static wgdn_status count_columns(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    (void)r, (void)l, (void)err;
    return WGDN_OK;
}

wgdn_status wgdn_table_reading_match(wgdn_table_reading *r, wgdn_error *err)
{
    r->headed = r->block->headed;
    wgdn_status st = wgdn_table_reading_walk(r, r->headed || r->in->header == WGDN_HEADER_YES,
                                             count_columns, err);
    if (!st && r->columns == 0) r->columns = r->head.count - 1;
    if (!st) st = wgdn_table_reading_reserve(r, r->block->columns, err);
    if (st) return st;
    const int64_t extra = r->head.count - r->columns;
    if (r->headed && extra != 0 && extra != 1) return refuse_missing(r, 0, err);
    if (!r->headed) return take_places(r, err);
    st = find_places(r, err);
    return st ? st : wgdn_table_reading_unique(r, err);
}

/*
 * Reads rows of labels and splits: detects a header in row 1, finds the node of each row, and skips
 * unknown nodes.
 */

static const char *place_of(const wgdn_dataset *d)
{
    return d->of_graphs ? "graph of the set" : "node of the graph";
}

/* The row behind the current one is of a node, and as long. */
static bool node_follows(const wgdn_notes *n, const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const bool is = !wgdn_lines_next(&ahead, &more, NULL) && more && ahead.fields == l->fields &&
                    wgdn_dataset_seek(n->d, ahead.field[n->id]) >= 0;
    wgdn_lines_close(&ahead);
    return is;
}

/* Sets whether row 1 holds column names: they are no node's, and over ids, or unlike them. */
static void judge_first(wgdn_notes *n, const wgdn_lines *l, wgdn_header header)
{
    static const char *const word[] = {"label", "labels", "class", "target", "split", "splits"};
    const wgdn_dataset *d = n->d;
    const wgdn_text id = l->field[n->id];
    int64_t value;
    n->named = header == WGDN_HEADER_YES;
    if (header != WGDN_HEADER_AUTO || wgdn_dataset_seek(d, id) >= 0) return;
    n->named = is_id_heading(id);
    for (int64_t j = 0; j < l->fields && !n->named; j++)
        n->named = j != n->id && wgdn_is_any(l->field[j], word, sizeof word / sizeof *word);
    if (n->named) return;
    n->guessed =
        ((!d->named || d->ids.numeric) && !wgdn_text_integer(id, &value)) || node_follows(n, l);
    n->named = n->guessed;
}

wgdn_status wgdn_notes_open(wgdn_notes *n, wgdn_lines *l, const wgdn_input *in, wgdn_error *err)
{
    bool more, named = false;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more || l->fields < 2)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %sexpected an id and %s per line",
                         wgdn_show_name(in->name).text, more ? "" : "no rows: ", n->wanted);
    st = wgdn_table_find_id(&n->id, &named, l, in, err);
    if (st) return st;
    judge_first(n, l, in->header);
    if (named && !n->named) {
        n->named = true;
        n->guessed = false;
    }
    return WGDN_OK;
}

void wgdn_note_unknown(wgdn_notes *n, wgdn_text id)
{
    if (n->unknown < 2) n->first[n->unknown] = wgdn_show(id);
    n->unknown++;
    n->rows++;
}

wgdn_status wgdn_note_node(int64_t *node, wgdn_notes *n, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_text id = l->field[n->id];
    *node = wgdn_dataset_seek(n->d, id);
    if (*node >= 0) {
        n->rows++;
    } else if (wgdn_field_missing(id)) {
        n->nameless++;
    } else if (n->strict) {
        return wgdn_lines_fail(l, n->id, err, "%s is not a %s", wgdn_show(id).text, place_of(n->d));
    } else {
        wgdn_note_unknown(n, id);
    }
    return WGDN_OK;
}

/* "17", "42": what ids of nodes look like. */
static const char *parts_notes_show_nodes(char *text, size_t size, const wgdn_dataset *d)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_shown a = wgdn_show(wgdn_dataset_name(d, 0, buffer));
    snprintf(text, size, "%s", a.text);
    if (d->nodes > 1)
        snprintf(text, size, "%s, %s", a.text,
                 wgdn_show(wgdn_dataset_name(d, d->nodes / 2, buffer)).text);
    return text;
}

wgdn_status wgdn_notes_report(wgdn_notes *n, wgdn_dataset *d, const char *name, wgdn_error *err)
{
    char nodes[400];
    const wgdn_shown file = wgdn_show_name(name);
    const char *where = d->of_graphs ? "set" : "graph";
    if (n->rows == n->unknown && n->rows > 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: none of the %lld %s ids is in the %s; first: %s; ids of the %s look "
                         "like %s; --id names another column of ids",
                         file.text, (long long)n->rows, n->what, where, n->first[0].text, where,
                         parts_notes_show_nodes(nodes, sizeof nodes, d));
    wgdn_status st = WGDN_OK;
    if (n->unknown)
        st = wgdn_remarks_add(&d->remarks, "ids-unknown", n->unknown, err,
                              "%s: %lld of %lld %s ids %s not in the %s: skipped; first: %s",
                              file.text, (long long)n->unknown, (long long)n->rows, n->what,
                              n->unknown == 1 ? "is" : "are", where, n->first[0].text);
    if (!st && n->nameless)
        st = wgdn_remarks_add(&d->remarks, "ids-missing", n->nameless, err,
                              "%s: %lld row%s skipped", file.text, (long long)n->nameless,
                              n->nameless == 1 ? " without an id was" : "s without an id were");
    return st;
}
