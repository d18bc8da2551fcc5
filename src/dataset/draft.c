/* SPDX-License-Identifier: Apache-2.0 */
#include "draft.h"

#include "codec/separator.h"

void wgdn_draft_open(wgdn_draft *w, wgdn_dataset *d, const wgdn_dataset_options *o)
{
    *w = (wgdn_draft){.d = d, .o = o, .edges.max = o->max_entries, .table.max = o->max_entries};
    w->edges.weights = o->weights;
    wgdn_ids_open(&w->ids, o->max_nodes);
    wgdn_ids_open(&w->types, INT32_MAX);
}

void wgdn_draft_close(wgdn_draft *w)
{
    wgdn_encoding_free(&w->coded);
    wgdn_encoding_free(&w->given);
    for (int64_t i = 0; i < w->files; i++) {
        wgdn_features_free(&w->file[i].features);
        wgdn_archive_free(&w->file[i].archive);
        wgdn_table_free(&w->file[i].table);
    }
    wgdn_release(w->file);
    wgdn_release(w->file_names);
    wgdn_table_free(&w->table);
    wgdn_edges_free(&w->edges);
    wgdn_ids_close(&w->types);
    wgdn_ids_close(&w->ids);
}

wgdn_input wgdn_text_input(const wgdn_bytes *b, const wgdn_dataset_options *o)
{
    wgdn_input in = wgdn_input_of(b);
    in.header = (wgdn_header)o->header;
    if (o->separator && !wgdn_separator_parse(&in.separator, o->separator)) in.separator = 0;
    if (o->decimal) in.decimal = o->decimal[0];
    in.id = o->id;
    return in;
}

wgdn_input wgdn_draft_file(const wgdn_draft *w, const wgdn_bytes *b)
{
    wgdn_input in = wgdn_text_input(b, w->o);
    in.watch = (wgdn_watch){w->o->progress, w->o->progress_user};
    return in;
}

wgdn_input wgdn_draft_input(const wgdn_draft *w, const wgdn_source *s)
{
    return wgdn_draft_file(w, &(wgdn_bytes){.data = s->data, .size = s->size, .name = s->name});
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

/* Nodes that no table has a row for. */
static int64_t count_absent(const wgdn_draft *w, unsigned char *seen, const int32_t *rank)
{
    int64_t absent = w->d->nodes;
    for (int64_t i = 0; i < w->files; i++)
        for (int64_t r = 0; r < w->file[i].table.rows; r++) {
            const int32_t node = w->file[i].table.node[r];
            absent -= !seen[rank ? rank[node] : node];
            seen[rank ? rank[node] : node] = 1;
        }
    return w->array_rows ? 0 : absent;
}

/* Several files: each in the nodes' order, then side by side. */
static wgdn_status join_files(wgdn_draft *w, const int32_t *rank, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_features *part = wgdn_alloc((size_t)w->files, sizeof *part);
    unsigned char *seen = wgdn_alloc_zero((size_t)d->nodes, 1);
    wgdn_status st =
        part && seen ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "features: several files");
    for (int64_t i = 0; i < w->files && !st; i++) {
        wgdn_feature_file *f = &w->file[i];
        int64_t absent = 0;
        if (!f->array)
            st = wgdn_table_features(&f->features, &absent, &f->table, d->nodes, rank, err);
        if (!st && f->features.rows != d->nodes)
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: %lld rows, but there are %lld nodes",
                           wgdn_show_name(f->path).text, (long long)f->features.rows,
                           (long long)d->nodes);
        if (!st && absent)
            st = wgdn_remarks_add(&d->remarks, "without-row", absent, err,
                                  "%lld node%s no row in %s: zeros", (long long)absent,
                                  absent == 1 ? " has" : "s have", wgdn_show_name(f->path).text);
        part[i] = f->features;
    }
    if (!st) d->counts.without_features = count_absent(w, seen, rank);
    wgdn_features_free(&d->features);
    if (!st) st = wgdn_features_join(&d->features, part, w->files, err);
    wgdn_release(seen);
    wgdn_release(part);
    return st;
}

/* Directions and types, before the edges become the undirected graph. */
static wgdn_status make_relations(wgdn_draft *w, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_names types = {0};
    wgdn_status st = WGDN_OK;
    if (w->edges.type)
        st = wgdn_classes_sort(&types, w->edges.type, w->edges.count, &w->types, err);
    if (!st)
        st = wgdn_relations_make(&d->relations, &w->edges, d->nodes, w->o->directed, &types, err);
    if (!st && types.count > 0)
        st = wgdn_remarks_add(&d->remarks, "types", types.count, err, "%lld type%s of edges%s",
                              (long long)types.count, types.count == 1 ? "" : "s",
                              types.count == 1 ? ": nothing to tell apart" : "");
    if (!st && w->edges.mutual && w->o->directed != WGDN_DIRECTED_IGNORE)
        st = wgdn_remarks_add(&d->remarks, "undirected", w->edges.count, err,
                              "the file says that edges have no direction: forward and backward "
                              "are the same");
    wgdn_names_free(&types);
    return st;
}

wgdn_status wgdn_draft_finish(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    int32_t *rank = NULL;
    if (w->whole || w->streamed) return WGDN_OK;
    wgdn_status st = number_nodes(w, path, &rank, err);
    if (!st) st = make_relations(w, err);
    if (!st) st = wgdn_edges_graph(&d->graph, d->nodes, &w->edges, w->o->threads, err);
    if (!st && w->tabled) {
        wgdn_features_free(&d->features);
        st = wgdn_table_features(&d->features, &d->counts.without_features, &w->table, d->nodes,
                                 rank, err);
    }
    if (!st && w->files > 1) st = join_files(w, rank, err);
    if (!st && w->degrees && d->features.width == 0) st = wgdn_dataset_degrees(d, err);
    if (!st) {
        d->counts.edges_read = w->edges.count + w->edges.zero_weights;
        d->counts.self_loops = w->edges.loops;
        d->counts.repeats = w->edges.count - d->counts.self_loops - wgdn_graph_edges(d->graph);
        d->counts.zero_weights = w->edges.zero_weights;
        d->counts.other_weights = w->edges.other_weights;
        d->summed = w->edges.summed;
        if (d->named) {
            d->ids = w->ids;
            w->ids = (wgdn_ids){0};
        }
    }
    wgdn_release(rank);
    return st;
}
