/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the format of a path by name, suffix or first bytes, and reads or writes the dataset. It
 * holds the tables of all formats and is the entry point of wgdn_dataset_read().
 */
#define _DEFAULT_SOURCE
#include "data/reading.h"
#include "edge_list.h"
#include "formats.h"
#include "io/compression.h"
#include "io/source.h"
#include "io/text.h"
#include "node_table.h"
#include "npz_graph.h"
#include "packed.h"
#include "vectors_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Folders are offered to each in turn; TU takes any. */
const wgdn_format *const wgdn_dataset_formats[] = {
    &wgdn_edges_format,     &wgdn_npz_format,
    &wgdn_npy_format,       &wgdn_mtx_format,
    &wgdn_ogb_format,       &wgdn_tu_format,
    &wgdn_packed_format,    &wgdn_graphml_format,
    &wgdn_gexf_format,      &wgdn_gml_format,
    &wgdn_node_link_format, &wgdn_networkx_format,
    &wgdn_metis_format,     NULL,
};

const wgdn_format *const wgdn_embedding_formats[] = {
    &wgdn_tsv_vectors, &wgdn_csv_vectors, &wgdn_word2vec_vectors,    &wgdn_json_lines_vectors,
    &wgdn_npy_vectors, &wgdn_npz_vectors, &wgdn_safetensors_vectors, NULL,
};

static const wgdn_format_info *info_at(const wgdn_format *const *all, int i)
{
    int count = 0;
    while (all[count])
        count++;
    return i >= 0 && i < count ? &all[i]->info : NULL;
}

const wgdn_format_info *wgdn_dataset_get_format(int i)
{
    return info_at(wgdn_dataset_formats, i);
}

const wgdn_format_info *wgdn_embedding_get_format(int i)
{
    return info_at(wgdn_embedding_formats, i);
}

/* Finds the format that a path has, or is to have. */

static bool is_auto(const char *name)
{
    return !name || strcmp(name, "auto") == 0;
}

/* Where .mtx.gz is read, so is .mtx.zst and the like. */
static bool ends_packed(const char *path, const char *suffix)
{
    const size_t size = strlen(suffix) - 3, stem = wgdn_packing_stem(path);
    return path[stem] && stem >= size && strncasecmp(path + stem - size, suffix, size) == 0;
}

static bool has_suffix(const wgdn_format *f, const char *path)
{
    for (const char *const *s = f->info.suffixes; *s; s++)
        if (wgdn_path_ends(path, *s) || (wgdn_path_ends(*s, ".gz") && ends_packed(path, *s)))
            return true;
    return false;
}

/* "a, b or c" */
typedef struct listing {
    char text[160];
    size_t used;
    const char *held; /* the last one, until it is known to be that */
} listing;

static void append_name(listing *l, const char *word, const char *between)
{
    if (l->held && l->used < sizeof l->text)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                                    l->used ? between : "", l->held);
    l->held = word;
}

static listing list_names(const wgdn_format *const *all, bool written)
{
    listing l = {0};
    for (; *all; all++)
        if (written ? (*all)->info.writes : (*all)->info.reads)
            append_name(&l, (*all)->info.name, ", ");
    append_name(&l, NULL, " or ");
    return l;
}

static listing list_suffixes(const wgdn_format *const *all)
{
    listing l = {0};
    for (; *all; all++)
        for (const char *const *s = (*all)->info.suffixes; (*all)->info.writes && *s; s++)
            if (!wgdn_path_ends(*s, ".gz")) append_name(&l, *s, ", ");
    append_name(&l, NULL, " or ");
    return l;
}

static const wgdn_format *find_format(const wgdn_format *const *all, const char *name, bool written)
{
    for (; *all; all++)
        if ((written ? (*all)->info.writes : (*all)->info.reads) &&
            strcmp((*all)->info.name, name) == 0)
            return *all;
    return NULL;
}

static wgdn_status unknown(const wgdn_format *const *all, const char *name, bool written,
                           wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "format = '%.40s': it may be auto, %s", name,
                     list_names(all, written).text);
}

/* ---- reading ---- */

/* The first format that takes the path by its name, or as a folder; NULL if none does. */
static wgdn_status by_name(const wgdn_format **out, const wgdn_format *const *all, bool folder,
                           const char *path, wgdn_error *err)
{
    *out = NULL;
    for (; *all; all++) {
        bool is = (*all)->info.reads && (folder ? (*all)->folders : has_suffix(*all, path));
        const wgdn_status st = is && (*all)->probe ? (*all)->probe(&is, path, err) : WGDN_OK;
        if (st) return st;
        if (!is) continue;
        *out = *all;
        return WGDN_OK;
    }
    return WGDN_OK;
}

/* The one whose first bytes these are; NULL if it is none's. */
static wgdn_status by_start(const wgdn_format **out, const wgdn_format *const *all,
                            const char *path, wgdn_error *err)
{
    wgdn_start s;
    const wgdn_status st = wgdn_source_start(&s, path, err);
    if (st) return st;
    const wgdn_text start = wgdn_text_of(s.byte, s.size);
    *out = NULL;
    for (; !*out && *all; all++) {
        const size_t length = (*all)->magic ? strlen((*all)->magic) : 0;
        if (((*all)->look && (*all)->look(start)) ||
            (length && length <= start.size && memcmp(start.at, (*all)->magic, length) == 0))
            *out = *all;
    }
    return WGDN_OK;
}

wgdn_status wgdn_format_to_read(const wgdn_format **out, const wgdn_format *const *all,
                                const char *name, const char *path, wgdn_error *err)
{
    struct stat s;
    if (!is_auto(name)) {
        *out = find_format(all, name, false);
        return *out ? WGDN_OK : unknown(all, name, false, err);
    }
    if (wgdn_system_stat(path, &s) != 0)
        return wgdn_fail_in(err, WGDN_EIO, path, "cannot be opened: %s", strerror(errno));
    wgdn_status st = by_name(out, all, S_ISDIR(s.st_mode), path, err);
    /* Names like .txt say little, and a pipe can be read once. */
    if (!st && (!*out || *out == all[0]) && S_ISREG(s.st_mode)) st = by_start(out, all, path, err);
    if (!st && !*out) *out = all[0];
    return st;
}

/* ---- writing ---- */

wgdn_status wgdn_format_to_write(const wgdn_format **out, const wgdn_format *const *all,
                                 const char *name, const char *path, wgdn_error *err)
{
    *out = NULL;
    if (!is_auto(name)) {
        *out = find_format(all, name, true);
        return *out ? WGDN_OK : unknown(all, name, true, err);
    }
    for (const wgdn_format *const *f = all; !*out && *f; f++)
        if ((*f)->info.writes && has_suffix(*f, path)) *out = *f;
    if (*out) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EINVAL, path,
                        "cannot infer the format from the file name; end it with %s",
                        list_suffixes(all).text);
}

/* Reads a dataset from a path: the steps that all formats share. */

/* Options that the input has no use for are refused: whoever gives them expects something. */
static wgdn_status check_columns(const wgdn_format *f, const char *path,
                                 const wgdn_dataset_options *o, wgdn_error *err)
{
    const struct {
        const char *name;
        bool given, taken;
    } all[] = {
        {"source", o->source, f->columns},
        {"target", o->target, f->columns},
        {"weight", o->weight, f->columns},
        {"type", o->type, f->columns},
        {"graph", o->graph, f->columns},
        {"bipartite", o->bipartite == 1, f->columns},
        {"separator", o->separator, f->columns || o->features || o->labels || o->splits},
        {"decimal", o->decimal, f->columns || o->features || o->labels || o->splits},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given && !all[i].taken)
            return wgdn_fail_in(err, WGDN_EINVAL, path,
                                "--%s is for edge lists as text; the format %s has no columns",
                                all[i].name, f->info.name);
    if (o->memory > 0 && o->memory < 1 << 20)
        return wgdn_fail(err, WGDN_EINVAL, "memory = %lld: must be at least 1 MB (1048576 bytes)",
                         (long long)o->memory);
    if (o->memory > 0 && !f->columns && strcmp(f->info.name, "safetensors") != 0)
        return wgdn_fail_in(err, WGDN_EINVAL, path,
                            "--memory is for edge lists as text and for .safetensors, which is "
                            "mapped; the format %s is read at once: 'wgdn convert' it first",
                            f->info.name);
    if (o->id && !o->features && !o->labels && !o->splits)
        return wgdn_fail(err, WGDN_EINVAL,
                         "--id names the column of ids of --features or --labels: give one of "
                         "them, too");
    return WGDN_OK;
}

/* Several files are one graph if all are edge lists. */
static wgdn_status check_more(const wgdn_format *f, const char *path, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (const char *const *more = o->more; more && *more && !st; more++) {
        const char *other = f->columns ? *more : path;
        const wgdn_format *g = f;
        if (f->columns) st = wgdn_format_to_read(&g, wgdn_dataset_formats, o->format, *more, err);
        if (!st && !g->columns)
            st = wgdn_fail(err, WGDN_EINVAL,
                           "%s: several files are read as one graph if all are edge lists as text; "
                           "the format of this one is %s",
                           wgdn_show_name(other).text, g->info.name);
    }
    return st;
}

static wgdn_status check_signs(const wgdn_dataset_options *o, wgdn_error *err)
{
    char separator = 0;
    if (o->separator && !wgdn_separator_parse(&separator, o->separator))
        return wgdn_fail(err, WGDN_EINVAL,
                         "separator = '%.20s': it may be tab, comma, semicolon, pipe, blanks or "
                         "one other character, no quote, # or %%",
                         o->separator);
    if (o->decimal && strcmp(o->decimal, ".") != 0 && strcmp(o->decimal, ",") != 0)
        return wgdn_fail(err, WGDN_EINVAL, "decimal = '%.20s': it may be . or ,", o->decimal);
    if (o->decimal && o->decimal[0] == separator)
        return wgdn_fail(err, WGDN_EINVAL, "separator and decimal are both '%c'", separator);
    return WGDN_OK;
}

static wgdn_status load(wgdn_draft *w, const wgdn_format *f, const char *path, wgdn_error *err)
{
    wgdn_source s;
    if (f->load) return f->load(w, path, err);
    wgdn_status st = wgdn_source_read(&s, path, w->o->max_bytes, err);
    if (st) return st;
    const wgdn_input in = wgdn_draft_input(w, &s);
    st = f->parse(w, &in, err);
    wgdn_source_free(&s);
    return st;
}

/* What a dataset remembers of them, once its nodes are final. */
static wgdn_status features_keep(wgdn_draft *w, wgdn_error *err)
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

typedef struct counted {
    const char *what;
    int64_t count;
    const char *one, *many; /* behind the number */
} counted;

static wgdn_status dataset_remark_counts(wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_dataset_counts *c = &d->counts;
    /* Each in both directions, and with the same weight: as usual. */
    const bool both = c->repeats == wgdn_dataset_edges(d) && !d->summed;
    const counted all[] = {
        {"self-loops", c->self_loops, "self loop was dropped", "self loops were dropped"},
        {"duplicates", both ? 0 : c->repeats,
         d->summed ? "repeated or reversed edge; its weights were added up"
                   : "repeated or reversed edge merged",
         d->summed ? "repeated or reversed edges; their weights were added up"
                   : "repeated or reversed edges merged"},
        {"zero-weights", c->zero_weights, "edge of weight 0 was dropped",
         "edges of weight 0 were dropped"},
        {"weights-ignored", c->other_weights, "weight other than 1 counts as 1",
         "weights other than 1 count as 1"},
        {"without-features", c->without_features, "node has no features: zeros",
         "nodes have no features: zeros"},
        {"attributes-ignored", c->attributes_ignored, "attribute was ignored",
         "attributes were ignored"},
    };
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !st; i++) {
        const char *names = strcmp(all[i].what, "attributes-ignored") == 0 ? d->ignored : "";
        if (all[i].count > 0)
            st = wgdn_remarks_add(
                &d->remarks, all[i].what, all[i].count, err, "%lld %s%s%s", (long long)all[i].count,
                all[i].count == 1 ? all[i].one : all[i].many, *names ? ": " : "", names);
    }
    return st;
}

static wgdn_status read_alone(wgdn_dataset *d, const wgdn_format *f, const char *path,
                              const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_draft w;
    wgdn_draft_open(&w, d, o);
    wgdn_status st = load(&w, f, path, err);
    if (!st) st = wgdn_features_read(&w, err);
    if (!st) st = wgdn_draft_finish(&w, path, err);
    if (!st) st = features_keep(&w, err);
    wgdn_draft_close(&w);
    if (!st) st = wgdn_notes_read(d, o, err);
    if (!st && o->binarize) st = wgdn_features_binarize(&d->features, err);
    if (!st) st = wgdn_dataset_check(d, path, err);
    if (!st) wgdn_dataset_weigh(d);
    if (!st && !w.whole) st = dataset_remark_counts(d, err);
    wgdn_alloc_trim(); /* readers build and drop arrays of the input's size */
    return st;
}

/* Ranks: what they share is a packed dataset, whole; rank 0 takes the notes beside it. */
static wgdn_status read_shared(wgdn_dataset *d, const wgdn_format *f, const char *path,
                               const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!f->share)
        st = wgdn_fail_in(err, WGDN_EINVAL, path,
                          "ranks share packed datasets only: first 'wgdn convert --order metis' it "
                          "to .safetensors");
    else if (o->features || o->binarize)
        st = wgdn_fail_in(err, WGDN_EINVAL, path,
                          "ranks share what is in the file: 'wgdn convert' it with these features");
    if (!st) st = f->share(d, path, o, err); /* compares the options, so they are as given */
    if (!st && wgdn_ranks_rank(o->ranks) == 0) st = wgdn_notes_read(d, o, err);
    return wgdn_ranks_agree(o->ranks, st, err);
}

/* What the closed form may take, and where it may put the rest. */
static wgdn_status keep_room(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    const size_t size = o->scratch ? strlen(o->scratch) + 1 : 0;
    d->memory = o->memory;
    d->archive.sparing |= o->memory > 0;
    d->feature_archive.sparing |= o->memory > 0;
    d->archive.scratch = d->feature_archive.scratch = NULL; /* the caller's */
    if (!size || (o->ranks && wgdn_ranks_count(o->ranks) > 1)) return WGDN_OK;
    d->folder = wgdn_alloc(size, 1);
    if (!d->folder) return wgdn_fail(err, WGDN_ENOMEM, "the name of a folder");
    memcpy(d->folder, o->scratch, size);
    return WGDN_OK;
}

/* As the data of a model was read, where the options say so. */
static wgdn_status read_alike(wgdn_dataset_options *o, wgdn_reading *r, const wgdn_format *f,
                              const char *path, wgdn_error *err)
{
    wgdn_start start = {.size = 0};
    if (!o->reading) return WGDN_OK;
    wgdn_status st = wgdn_reading_parse(r, o->reading, err);
    if (!st && f->columns) st = wgdn_source_start(&start, path, err);
    if (start.size > 3 && memcmp(start.byte, "PK\3\4", 4) == 0) start.size = 0;
    const unsigned char *end = memchr(start.byte, '\n', start.size);
    const size_t head = end ? (size_t)(end - start.byte) : 0; /* 0: longer than what is there */
    return st ? st : wgdn_reading_apply(o, r, f->columns, wgdn_text_of(start.byte, head), err);
}

/* What a model made of this data will keep of how it was read. */
static wgdn_status keep_reading(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    d->choice.weights = o->weights;
    d->choice.directed = o->directed;
    d->choice.read = true;
    if (!o->id) return WGDN_OK;
    d->choice.id = wgdn_alloc(strlen(o->id) + 1, 1);
    if (!d->choice.id) return wgdn_fail(err, WGDN_ENOMEM, "the name of a column");
    memcpy(d->choice.id, o->id, strlen(o->id) + 1);
    return WGDN_OK;
}

wgdn_status wgdn_dataset_read(wgdn_dataset **out, const char *path,
                              const wgdn_dataset_options *options, wgdn_error *err)
{
    wgdn_dataset_options o;
    const wgdn_format *f;
    wgdn_dataset *d = NULL;
    wgdn_reading alike = {.listed = false};
    wgdn_status st = wgdn_options_read(&o, options, WGDN_OPTIONS_KIND_DATASET, err);
    if (st) return st;
    const bool shared = o.ranks && wgdn_ranks_count(o.ranks) > 1;
    if (!path) st = wgdn_fail(err, WGDN_EINVAL, "dataset: no path");
    if (!st) st = wgdn_memory_check(err);
    if (!st) st = check_signs(&o, err);
    if (!st) st = wgdn_format_to_read(&f, wgdn_dataset_formats, o.format, path, err);
    if (!st) st = check_columns(f, path, &o, err);
    if (!st) st = check_more(f, path, &o, err);
    if (!st) st = read_alike(&o, &alike, f, path, err);
    if (!st) d = wgdn_alloc_zero(1, sizeof *d);
    if (!st && !d) st = wgdn_fail(err, WGDN_ENOMEM, "dataset: handle");
    if (st || !d) {
        wgdn_reading_free(&alike);
        return wgdn_ranks_agree(o.ranks, st, err); /* the others are about to meet */
    }
    d->graphs = 1;
    if (shared)
        st = read_shared(d, f, path, &o, err);
    else
        st = read_alone(d, f, path, &o, err);
    if (!st) st = keep_room(d, &o, err);
    if (!st) st = keep_reading(d, &o, err);
    if (!st) st = wgdn_reading_text(&d->reading, d, err);
    if (!st) st = wgdn_reading_check(&alike, d, err);
    wgdn_reading_free(&alike);
    wgdn_dataset_number(d);
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}

/* Writes a dataset to a path. */

wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path, const char *format,
                               wgdn_error *err)
{
    const wgdn_format *f;
    wgdn_plain plain;
    wgdn_status st = wgdn_format_to_write(&f, wgdn_dataset_formats, format, path, err);
    if (st) return st;
    const bool asked = wgdn_stop_enter(true);
    if (f->keeps_order) return wgdn_stop_leave(asked, f->write(d, path, err), err);
    st = wgdn_plain_open(&plain, d, err);
    if (!st) st = f->write(plain.d, path, err);
    wgdn_plain_close(&plain);
    return wgdn_stop_leave(asked, st, err);
}

/* Writes one part of a dataset as TSV keyed by id. */

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static void put_features(wgdn_page *p, const wgdn_features *f, int64_t i)
{
    const wgdn_csr *s = &f->sparse;
    int64_t k = f->dense ? 0 : s->offset[i];
    for (int64_t j = 0; j < f->width; j++) {
        wgdn_page_put(p, "\t", 1);
        if (f->dense)
            wgdn_page_float(p, f->dense[i * f->width + j]);
        else if (k < s->offset[i + 1] && s->column[k] == j)
            wgdn_page_float(p, s->value ? s->value[k++] : (k++, 1.0f));
        else
            wgdn_page_put(p, "0", 1);
    }
}

static void put_label(wgdn_page *p, const wgdn_dataset *d, int32_t label)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_page_put(p, "\t", 1);
    if (label < 0) return;
    if (d->class_names.count)
        wgdn_page_field(p, wgdn_names_get(&d->class_names, label));
    else
        wgdn_page_put(p, digits, wgdn_print_index(digits, label));
}

/* A line for each of several. */
static void put_labels(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    const wgdn_csr *a = &d->lists;
    put_label(p, d, wgdn_dataset_label(d, i));
    for (int64_t k = a->offset ? a->offset[i] + 1 : 0; a->offset && k < a->offset[i + 1]; k++) {
        wgdn_page_put(p, "\n", 1);
        put_id(p, d, i);
        put_label(p, d, a->column[k]);
    }
}

static void put_splits(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    static const char *const word[] = {"\tnone", "\ttrain", "\tval", "\ttest"};
    for (int64_t k = 0; k < d->splits; k++)
        wgdn_page_word(p, word[wgdn_dataset_split(d, k, i)]);
}

static wgdn_status write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                              wgdn_error *err)
{
    static const char *const word[] = {"features", "labels", "splits"};
    const bool there[] = {d->features.width > 0, d->label != NULL, d->split != NULL};
    wgdn_page *p = NULL;
    if ((int)part < 0 || (int)part > 2 || !there[part])
        return wgdn_fail_in(err, WGDN_EINVAL, path, "the dataset has no %s",
                            (int)part < 0 || (int)part > 2 ? "such part" : word[part]);
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    if (part == WGDN_PART_LABELS) wgdn_page_word(p, "id\tlabel\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        put_id(p, d, i);
        if (part == WGDN_PART_FEATURES) put_features(p, &d->features, i);
        if (part == WGDN_PART_LABELS) put_labels(p, d, i);
        if (part == WGDN_PART_SPLITS) put_splits(p, d, i);
        wgdn_page_put(p, "\n", 1);
    }
    return wgdn_page_close(p);
}

wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                                    wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st = wgdn_plain_open(&plain, d, err);
    if (!st) st = write_part(plain.d, path, part, err);
    wgdn_plain_close(&plain);
    return st;
}
