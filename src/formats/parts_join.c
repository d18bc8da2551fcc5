/* SPDX-License-Identifier: Apache-2.0 */
/* Files of features, one or several, each an array or a table. */
#include "codec/system.h"
#include "npz.h"
#include "parts_notes.h"

#include <stdio.h>
#include <string.h>

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

/* ---- what is remembered ---- */

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
