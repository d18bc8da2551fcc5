/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to a dataset: which reader, then what all formats share. */
#define _DEFAULT_SOURCE
#include "codec/arrays.h"
#include "codec/system.h"
#include "codec/zip.h"
#include "dataset/dataset.h"
#include "tu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *path, const char *suffix)
{
    const size_t size = strlen(path), tail = strlen(suffix);
    return size >= tail && wgdn_text_is(wgdn_text_of(path + size - tail, tail), suffix);
}

static wgdn_status guess_folder(int *format, const char *folder, wgdn_error *err)
{
    static const char *const edges[] = {"raw/edge.csv.gz", "raw/edge.csv"};
    char path[4096];
    bool there = false;
    wgdn_status st = WGDN_OK;
    for (int i = 0; !st && !there && i < 2; i++) {
        const int size = snprintf(path, sizeof path, "%s/%s", folder, edges[i]);
        if (size > 0 && (size_t)size < sizeof path) st = wgdn_path_exists(&there, path, err);
    }
    *format = there ? WGDN_FORMAT_OGB : WGDN_FORMAT_TU;
    return st;
}

/* A zip holds a TU set, or else an edge list. */
static wgdn_status guess_zip(int *format, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_zip z = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    if (!st) st = wgdn_zip_open(&z, &b, err);
    if (!st) *format = wgdn_zip_find(&z, "_A.txt") >= 0 ? WGDN_FORMAT_TU : WGDN_FORMAT_EDGES;
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    return st;
}

/* By the name; a folder or a zip by what lies in it. */
static wgdn_status guess(int *format, const char *path, wgdn_error *err)
{
    struct stat s;
    if (wgdn_system_stat(path, &s) != 0)
        return wgdn_fail(err, WGDN_EIO, "%s: cannot be opened: %s", wgdn_show_name(path).text,
                         strerror(errno));
    if (S_ISDIR(s.st_mode)) return guess_folder(format, path, err);
    if (ends_with(path, ".npz"))
        *format = WGDN_FORMAT_NPZ;
    else if (ends_with(path, ".safetensors"))
        *format = WGDN_FORMAT_SAFETENSORS;
    else if (ends_with(path, ".mtx") || ends_with(path, ".mtx.gz"))
        *format = WGDN_FORMAT_MTX;
    else if (ends_with(path, ".zip"))
        return guess_zip(format, path, err);
    else
        *format = WGDN_FORMAT_EDGES;
    return WGDN_OK;
}

/* ---- what lies beside the graph ---- */

static bool is_archive(const char *path)
{
    return ends_with(path, ".npy") || ends_with(path, ".npz") || ends_with(path, ".safetensors");
}

/* Rows of an array: they say how many nodes there are, and the nodes' ids are their numbers. */
static wgdn_status array_features(wgdn_dataset *d, const char *path, wgdn_error *err)
{
    wgdn_features_free(&d->features);
    d->degrees = false;
    const wgdn_status st = wgdn_archive_open(&d->feature_archive, path, err);
    return st ? st : wgdn_npz_features(&d->features, &d->feature_archive, path, err);
}

static wgdn_status text_features(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, path, w->o->max_bytes, err);
    if (st) return st;
    if (ends_with(path, ".json") || ends_with(path, ".json.gz"))
        st = wgdn_table_read_json(&w->table, &w->ids, s.data, s.size, path, err);
    else
        st = wgdn_table_read(&w->table, &w->ids, s.data, s.size, path, (wgdn_header)w->o->header,
                             err);
    w->tabled = true;
    wgdn_source_free(&s);
    return st;
}

wgdn_status wgdn_load_edges(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const bool array = w->o->features && is_archive(w->o->features);
    wgdn_source s;
    bool graphs = false;
    wgdn_status st = wgdn_source_read(&s, path, w->o->max_bytes, err);
    if (st) return st;
    if (w->o->header != WGDN_HEADER_NO)
        st = wgdn_graph_edges_look(&graphs, s.data, s.size, path, err);
    if (!st && graphs && array)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "%s: with a column of graphs, features are text keyed by graph/node",
                       wgdn_show_name(w->o->features).text);
    if (!st && array) {
        st = array_features(w->d, w->o->features, err);
        if (!st) st = wgdn_draft_number(w, w->d->features.rows, 0, w->o->features, err);
    }
    if (!st && graphs)
        st = wgdn_graph_edges_read(w, s.data, s.size, path, err);
    else if (!st)
        st = wgdn_edges_read(&w->edges, &w->ids, s.data, s.size, path, (wgdn_header)w->o->header,
                             w->o->threads, err);
    wgdn_source_free(&s);
    return st;
}

wgdn_status wgdn_draft_number(wgdn_draft *w, int64_t nodes, int64_t first_id, const char *name,
                              wgdn_error *err)
{
    if (nodes < 1)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: no nodes in it", wgdn_show_name(name).text);
    if (nodes > w->o->max_nodes)
        return wgdn_fail(err, WGDN_ERANGE, "%s: %lld nodes; the most allowed here are %lld",
                         wgdn_show_name(name).text, (long long)nodes, (long long)w->o->max_nodes);
    wgdn_ids_close(&w->ids);
    w->d->first_id = first_id;
    return wgdn_ids_open_fixed(&w->ids, nodes, first_id, err);
}

/* ---- from the draft to the dataset ---- */

static wgdn_status number_nodes(wgdn_draft *w, const char *path, int32_t **rank, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    if (w->ids.count == 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: no rows: expected at least one edge, or features that name nodes",
                         wgdn_show_name(path).text);
    const wgdn_status st = wgdn_ids_sort(&w->ids, rank, err);
    if (st) return st;
    d->nodes = w->ids.count;
    if (!w->ids.fixed) d->named = !wgdn_ids_plain(&w->ids);
    for (int64_t k = 0; *rank && k < 2 * w->edges.count; k++)
        w->edges.end[k] = (*rank)[w->edges.end[k]];
    return WGDN_OK;
}

wgdn_status wgdn_draft_finish(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    int32_t *rank = NULL;
    wgdn_status st = number_nodes(w, path, &rank, err);
    if (!st) st = wgdn_edges_graph(&d->graph, d->nodes, &w->edges, w->o->threads, err);
    if (!st && w->tabled) {
        wgdn_features_free(&d->features);
        st = wgdn_table_features(&d->features, &d->counts.without_features, &w->table, d->nodes,
                                 rank, w->o->features, err);
    }
    if (!st && w->degrees && d->features.width == 0) st = wgdn_tu_degrees(d, err);
    if (!st) {
        d->counts.edges_read = w->edges.count + w->edges.zero_weights;
        d->counts.self_loops = w->edges.loops;
        d->counts.repeats = w->edges.count - d->counts.self_loops - wgdn_graph_edges(d->graph);
        d->counts.zero_weights = w->edges.zero_weights;
        d->counts.other_weights = w->edges.other_weights;
        if (d->named) {
            d->ids = w->ids;
            w->ids = (wgdn_ids){0};
        }
    }
    wgdn_release(rank);
    return st;
}

static wgdn_status read_graph(wgdn_dataset *d, const char *path, int format,
                              const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_draft w = {.d = d, .o = o, .edges.most = o->max_entries, .table.most = o->max_entries};
    wgdn_status st = WGDN_EINVAL;
    w.edges.watch = w.table.watch = (wgdn_watch){o->progress, o->progress_user};
    wgdn_ids_open(&w.ids, o->max_nodes);
    switch (format) {
    case WGDN_FORMAT_EDGES: st = wgdn_load_edges(&w, path, err); break;
    case WGDN_FORMAT_NPZ: st = wgdn_load_npz(&w, path, err); break;
    case WGDN_FORMAT_MTX: st = wgdn_load_mtx(&w, path, err); break;
    case WGDN_FORMAT_TU: st = wgdn_load_tu(&w, path, err); break;
    case WGDN_FORMAT_OGB: st = wgdn_load_ogb(&w, path, err); break;
    default: break;
    }
    if (!st && o->features && !is_archive(o->features))
        st = text_features(&w, o->features, err);
    else if (!st && o->features && format != WGDN_FORMAT_EDGES) /* edges came after theirs */
        st = array_features(d, o->features, err);
    if (!st) st = wgdn_draft_finish(&w, path, err);
    wgdn_table_free(&w.table);
    wgdn_edges_free(&w.edges);
    wgdn_ids_close(&w.ids);
    return st;
}

static wgdn_status read_labels(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_archive a = {0};
    int32_t *label = NULL;
    wgdn_status st;
    if (!is_archive(o->labels)) {
        st = wgdn_source_read(&s, o->labels, o->max_bytes, err);
        if (st) return st;
        st = wgdn_labels_read(d, s.data, s.size, o->labels, (wgdn_header)o->header, o->label_column,
                              err);
        wgdn_source_free(&s);
        return st;
    }
    st = wgdn_archive_open(&a, o->labels, err);
    if (st) return st;
    if (a.tensors != 1 || wgdn_tensor_count(&a.tensor[0]) != d->nodes)
        st = wgdn_fail(err, WGDN_EFORMAT,
                       "%s: expected one array with a label for each of %lld nodes",
                       wgdn_show_name(o->labels).text, (long long)d->nodes);
    if (!st) st = wgdn_array_int32(&label, NULL, &a.tensor[0], o->labels, err);
    if (!st) st = wgdn_labels_set(d, label, o->labels, err);
    wgdn_release(label);
    wgdn_archive_free(&a);
    return st;
}

/* Where an edge list names its graphs, labels are theirs. */
static wgdn_status read_graph_labels(wgdn_dataset *d, const wgdn_dataset_options *o,
                                     wgdn_error *err)
{
    wgdn_dataset *g = NULL;
    wgdn_status st = wgdn_dataset_from_graphs(&g, d, err);
    if (!st) st = read_labels(g, o, err);
    if (!st) {
        wgdn_release(d->graph_label);
        wgdn_names_free(&d->graph_class_names);
        d->graph_label = g->label;
        d->graph_classes = g->classes;
        d->graph_class_names = g->class_names;
        g->label = NULL;
        g->class_names = (wgdn_names){0};
    }
    wgdn_dataset_free(g);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, o->splits, o->max_bytes, err);
    if (st) return st;
    st = wgdn_splits_read(d, s.data, s.size, o->splits, (wgdn_header)o->header, err);
    wgdn_source_free(&s);
    return st;
}

wgdn_status wgdn_dataset_notes(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (o->labels) st = (d->graphs_named ? read_graph_labels : read_labels)(d, o, err);
    if (!st && o->splits) st = read_splits(d, o, err);
    return st;
}

/* Ranks: what they share is a packed dataset, whole; rank 0 takes the notes beside it. */
static wgdn_status read_shared(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                               wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (o->format != WGDN_FORMAT_SAFETENSORS)
        st =
            wgdn_fail(err, WGDN_EINVAL,
                      "%s: ranks share packed datasets only: first 'wgdn convert --order metis' it "
                      "to .safetensors",
                      wgdn_show_name(path).text);
    else if (o->features || o->binarise)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "%s: ranks share what is in the file: 'wgdn convert' it with these features",
                       wgdn_show_name(path).text);
    if (!st) st = wgdn_share_packed(d, path, o, err);
    if (!st && wgdn_ranks_rank(o->ranks) == 0) st = wgdn_dataset_notes(d, o, err);
    return wgdn_ranks_agree(o->ranks, st, err);
}

wgdn_status wgdn_dataset_read(wgdn_dataset **out, const char *path,
                              const wgdn_dataset_options *options, wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_status st = wgdn_dataset_options_read(&o, options, err);
    if (st) return st;
    if (!path) return wgdn_fail(err, WGDN_EINVAL, "dataset: no path");
    if (o.format == WGDN_FORMAT_AUTO) st = guess(&o.format, path, err);
    if (st) return st;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    if (!d) return wgdn_fail(err, WGDN_ENOMEM, "dataset: handle");
    d->graphs = 1;
    if (o.ranks && wgdn_ranks_count(o.ranks) > 1) {
        st = read_shared(d, path, &o, err);
        if (st)
            wgdn_dataset_free(d);
        else
            *out = d;
        return st;
    }
    if (o.format == WGDN_FORMAT_SAFETENSORS) {
        st = wgdn_load_packed(d, path, &o, err);
        if (!st && o.features && !is_archive(o.features))
            st = wgdn_fail(err, WGDN_EINVAL, "%s: features for a packed dataset must be an array",
                           wgdn_show_name(o.features).text);
        if (!st && o.features) st = array_features(d, o.features, err);
        if (!st && o.features) st = wgdn_features_order(&d->features, d, err);
    } else
        st = read_graph(d, path, o.format, &o, err);
    if (!st) st = wgdn_dataset_notes(d, &o, err);
    if (!st && o.binarise) st = wgdn_features_binarise(&d->features, err);
    if (!st) st = wgdn_dataset_check(d, path, err);
    wgdn_alloc_trim(); /* readers build and drop arrays of the input's size */
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}
