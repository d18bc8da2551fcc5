/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the features of nodes from the files that the options name: arrays, tables and JSON. Tables
 * of numbers are read here, others by table_columns.c; the registry calls it after the graph is read.
 */
#include "node_table.h"
#include "io/archive.h"
#include "io/json.h"
#include "npz_graph.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an id and its numbers on every line ---- */

static wgdn_status read_row(wgdn_table *t, wgdn_ids *ids, const wgdn_lines *l, int64_t id,
                            wgdn_error *err)
{
    int32_t column = 0;
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err, "%s alone: expected an id and its features",
                               wgdn_show(l->field[0]).text);
    if (t->rows == 0) t->width = l->fields - 1;
    if (l->fields - 1 != t->width)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld features, where the rows before have %lld",
                               (long long)l->fields - 1, (long long)t->width);
    if (wgdn_table_skips(t, ids, l->field[id])) return WGDN_OK;
    wgdn_status st = wgdn_table_row(t, ids, l->field[id], l->line, err);
    for (int64_t j = 0; !st && j < l->fields; j++) {
        const wgdn_text text = l->field[j];
        double x;
        if (j == id) continue;
        const int32_t at = column++;
        if (text.size == 1 && text.at[0] == '0') continue;
        if (!wgdn_lines_number(l, text, &x) || !(fabs(x) <= (double)FLT_MAX))
            return wgdn_lines_fail(l, j, err, "%s is not a finite number", wgdn_show(text).text);
        if ((float)x != 0) st = wgdn_table_entry(t, at, (float)x, err);
    }
    return st;
}

/* word2vec opens with "rows width". */
static bool has_counts(const wgdn_lines *l, int64_t next_fields)
{
    int64_t rows, width;
    return l->fields == 2 && next_fields > 2 && wgdn_text_index(l->field[0], &rows) &&
           wgdn_text_index(l->field[1], &width) && width == next_fields - 1;
}

/* So it does, or something is no number over the numbers. */
static bool is_header(const wgdn_lines *l, int64_t id, int64_t next_fields)
{
    const wgdn_text *field = l->field;
    const int64_t fields = l->fields;
    double x;
    if (has_counts(l, next_fields)) return true;
    if (fields > 1 && field[id].size == 0) return true; /* a dataframe's index has no name */
    for (int64_t j = 0; j < fields; j++)
        if (j != id && !wgdn_lines_number(l, field[j], &x)) return true;
    return false;
}

/* The fields of the row behind the current one. */
static int64_t next_fields(const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const int64_t fields = !wgdn_lines_next(&ahead, &more, NULL) && more ? ahead.fields : 0;
    wgdn_lines_close(&ahead);
    return fields;
}

/* Row 1 has numbers behind the id, or the two counts of word2vec. */
static bool table_starts_bare(const wgdn_input *in)
{
    wgdn_lines l;
    bool more = false, named = false, bare = false;
    int64_t id = 0;
    double x;
    wgdn_lines_open(&l, in);
    if (!wgdn_lines_next(&l, &more, NULL) && more &&
        !wgdn_table_find_id(&id, &named, &l, in, NULL)) {
        bare = in->header != WGDN_HEADER_YES && !named && l.field[id].size > 0;
        for (int64_t j = 0; j < l.fields && bare; j++)
            bare = j == id || (wgdn_lines_number(&l, l.field[j], &x) && x == x);
        if (l.fields == 2) bare = bare || has_counts(&l, next_fields(&l));
    }
    wgdn_lines_close(&l);
    return bare;
}

static wgdn_status skip_header(wgdn_lines *l, int64_t *id, const wgdn_input *in, wgdn_error *err)
{
    const wgdn_header header = in->header;
    bool named = false;
    wgdn_status st = WGDN_OK;
    *id = 0;
    if (!wgdn_lines_more(l, &st, err)) return st;
    st = wgdn_table_find_id(id, &named, l, in, err);
    if (st || named || header == WGDN_HEADER_YES) return st;
    /* word2vec? The next line tells. */
    if (header == WGDN_HEADER_AUTO && is_header(l, *id, l->fields == 2 ? next_fields(l) : 0))
        return WGDN_OK;
    wgdn_lines_again(l);
    return WGDN_OK;
}

wgdn_status wgdn_table_read(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in, wgdn_error *err)
{
    wgdn_lines l;
    t->name = in->name;
    wgdn_lines_open(&l, in);
    int64_t id = 0;
    wgdn_status st = skip_header(&l, &id, in, err);
    while (wgdn_lines_more(&l, &st, err))
        st = read_row(t, ids, &l, id, err);
    wgdn_lines_close(&l);
    if (!st && t->rows + t->skipped == 0)
        st = wgdn_fail_in(err, WGDN_EFORMAT, in->name,
                          "no rows: expected an id and its features per line");
    return st;
}

/* ---- tables of numbers only ---- */

static wgdn_status read_numbers(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_status st = wgdn_table_read(t, ids, in, err);
    if (st) return st;
    plan->made->kind = WGDN_BLOCK_NUMBERS;
    plan->made->width = t->width;
    if (plan->given && plan->given->width != t->width)
        return wgdn_fail_in(err, WGDN_EINVAL, in->name,
                            "%lld columns, where the model was made with %lld", (long long)t->width,
                            (long long)plan->given->width);
    return wgdn_remarks_add(plan->remarks, "feature-table", t->width, err,
                            "%s: data from line %lld on; %lld column%s of numbers, which stay as "
                            "they are",
                            wgdn_show_name(in->name).text,
                            (long long)(t->rows ? t->line[t->node[0]] : 1), (long long)t->width,
                            t->width == 1 ? "" : "s");
}

/* Without headings and without a wish, numbers are read at once; true when that was all. */
static bool try_numbers(wgdn_status *st, wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                        const wgdn_table_plan *plan, wgdn_error *err)
{
    const bool wish = plan->ignore || plan->scale == WGDN_FEATURE_SCALE_STANDARD ||
                      plan->scale == WGDN_FEATURE_SCALE_ROW || plan->given;
    wgdn_error why = {WGDN_OK, ""};
    if (wish || !table_starts_bare(in)) return false;
    *st = read_numbers(t, ids, in, plan, &why);
    if (*st == WGDN_EFORMAT) { /* not numbers, after all */
        wgdn_table_free(t);
        t->name = in->name;
        *st = WGDN_OK;
        return false;
    }
    if (*st) *st = wgdn_fail(err, *st, "%s", why.message);
    return true;
}

wgdn_status wgdn_table_read_columns(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                    const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    t->name = in->name;
    if (plan->numbers || (plan->given && plan->given->kind == WGDN_BLOCK_NUMBERS))
        return read_numbers(t, ids, in, plan, err);
    if (plan->given && plan->given->kind == WGDN_BLOCK_ARRAY)
        return wgdn_fail_in(err, WGDN_EINVAL, in->name,
                            "the model was made with an array here, not a table");
    if (try_numbers(&st, t, ids, in, plan, err)) return st;
    return wgdn_table_encode(t, ids, in, plan, err);
}

/* ---- JSON: {"id": [feature, ...], ...} ---- */

static wgdn_status refuse(const char *key, const json_t *item, const char *name, wgdn_error *err)
{
    char number[32] = "not a number";
    if (json_is_integer(item))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(item));
    return wgdn_fail_in(err, WGDN_EFORMAT, name,
                        "a feature of %s is %s: expected numbers of features, from 0 below 2^31",
                        wgdn_show(wgdn_text_of(key, strlen(key))).text, number);
}

/* The numbers of one node's features, in an array that grows. */
typedef struct numbers {
    int32_t *at;
    int64_t room;
} numbers;

/* One node: its features sorted, a repeat counted once. */
static wgdn_status read_node(wgdn_table *t, wgdn_ids *ids, void *member, int64_t line, numbers *n,
                             wgdn_error *err)
{
    const char *key = json_object_iter_key(member);
    const json_t *list = json_object_iter_value(member);
    const int64_t count = (int64_t)json_array_size(list);
    const wgdn_text id = wgdn_text_of(key, strlen(key));
    if (!json_is_array(list))
        return wgdn_fail_in(err, WGDN_EFORMAT, t->name,
                            "%s is not a list: expected {\"id\": [0, 5, ...]}", wgdn_show(id).text);
    if (!wgdn_grow(&n->at, &n->room, count, sizeof *n->at))
        return wgdn_fail_in(err, WGDN_ENOMEM, t->name, "%lld features", (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const json_t *item = json_array_get(list, (size_t)k);
        const json_int_t value = json_is_integer(item) ? json_integer_value(item) : -1;
        if (value < 0 || value >= INT32_MAX) return refuse(key, item, t->name, err);
        n->at[k] = (int32_t)value;
    }
    if (wgdn_table_skips(t, ids, id)) return WGDN_OK;
    if (count) qsort(n->at, (size_t)count, sizeof *n->at, wgdn_by_int32);
    wgdn_status st = wgdn_table_row(t, ids, id, line, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (k > 0 && n->at[k] == n->at[k - 1]) continue;
        st = wgdn_table_entry(t, n->at[k], 1, err);
        if (n->at[k] >= t->width) t->width = (int64_t)n->at[k] + 1;
    }
    return st;
}

wgdn_status wgdn_table_read_json(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                 wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    json_error_t why;
    numbers n = {0};
    int64_t line = 0;
    const wgdn_shown name = wgdn_show_name(in->name);
    json_t *root = wgdn_json_load(in->data, in->size, &why);
    t->name = in->name;
    if (!root)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%d:%d: %.100s", name.text, why.line, why.column,
                         why.text);
    if (!json_is_object(root))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: expected an object {\"id\": [0, 5, ...], ...}",
                       name.text);
    for (void *i = st ? NULL : json_object_iter(root); !st && i; i = json_object_iter_next(root, i))
        st = read_node(t, ids, i, ++line, &n, err);
    if (!st && (t->rows + t->skipped == 0 || (t->width == 0 && !t->skipped)))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: it contains no features", name.text);
    wgdn_release(n.at);
    json_decref(root);
    return st;
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
    return wgdn_fail_in(err, WGDN_EINVAL, w->o->features,
                        "%lld file%s of features, where the model was made with %lld: name them in "
                        "that order, separated by commas",
                        (long long)w->files, w->files == 1 ? "" : "s", (long long)w->given.blocks);
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
        return wgdn_fail_in(
            err, WGDN_EINVAL, own->path,
            "an array of %lld columns, where the model was made with %s of %lld",
            (long long)f->width, given->kind == WGDN_BLOCK_ARRAY ? "one" : "a table",
            (long long)(given->kind == WGDN_BLOCK_TABLE ? given->of : given->width));
    if (w->array_rows && w->array_rows != f->rows)
        return wgdn_fail_in(err, WGDN_EFORMAT, own->path,
                            "%lld rows, where the array before has %lld", (long long)f->rows,
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
        return wgdn_fail_in(err, WGDN_EINVAL, in->name,
                            "the model was made with another kind of features");
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
    wgdn_status st = WGDN_OK;
    wgdn_shown name = {"?"};
    if (in->id || in->id_at < 2) return WGDN_OK;
    wgdn_lines_open(&l, in);
    if (wgdn_lines_more(&l, &st, err) && in->id_at <= l.fields)
        name = wgdn_show(l.field[in->id_at - 1]);
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

static wgdn_status features_order(wgdn_features *f, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_features arranged;
    if (!d->order || f->rows != d->nodes) return WGDN_OK; /* the check will say what is wrong */
    const wgdn_status st = wgdn_features_arrange(&arranged, f, d->order, err);
    if (st) return st;
    wgdn_features_free(f);
    *f = arranged;
    return WGDN_OK;
}

wgdn_status wgdn_features_read(wgdn_draft *w, wgdn_error *err)
{
    if (!w->o->features || w->features_read) return WGDN_OK;
    w->features_read = true;
    wgdn_status st = wgdn_features_arrays(w, err);
    if (st) return st;
    if (w->whole) {
        if (w->files != 1 || !w->file[0].array)
            return wgdn_fail_in(err, WGDN_EINVAL, w->o->features,
                                "features for a packed dataset must be an array");
        return features_order(&w->d->features, w->d, err);
    }
    for (int64_t i = 0; i < w->files && !st; i++)
        if (!w->file[i].array) st = read_text(w, i, err);
    return st;
}

/* ---- remembering the encoding ---- */
