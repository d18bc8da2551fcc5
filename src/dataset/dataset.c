/* SPDX-License-Identifier: Apache-2.0 */
#include "dataset.h"

#include <stdatomic.h>
#include <string.h>

void wgdn_dataset_number(wgdn_dataset *d)
{
    static _Atomic uint64_t last;
    d->serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void wgdn_dataset_free(wgdn_dataset *d)
{
    if (!d) return;
    wgdn_release(d->encoding);
    wgdn_release(d->choice.id);
    wgdn_release(d->choice.graph);
    wgdn_release(d->choice.type);
    wgdn_release(d->choice.weight);
    wgdn_release(d->choice.target);
    wgdn_release(d->choice.source);
    wgdn_remarks_free(&d->remarks);
    wgdn_names_free(&d->graph_class_names);
    wgdn_release(d->graph_label);
    wgdn_ids_close(&d->graph_ids);
    wgdn_release(d->graph_start);
    wgdn_ids_close(&d->ids);
    wgdn_release(d->split);
    wgdn_names_free(&d->class_names);
    wgdn_csr_free(&d->lists);
    wgdn_release(d->label);
    wgdn_release(d->order);
    wgdn_features_free(&d->features);
    wgdn_relations_free(&d->relations);
    wgdn_graph_free(d->graph);
    wgdn_release(d->edge_value);
    wgdn_release(d->feature_offset);
    wgdn_halo_close(d->halo);
    wgdn_dist_close(&d->dist);
    wgdn_archive_free(&d->feature_archive);
    wgdn_archive_free(&d->archive);
    wgdn_scratch_remove(d->scratch);
    wgdn_release(d->folder);
    wgdn_release(d);
}

void wgdn_dataset_get_info(wgdn_dataset_info *info, const wgdn_dataset *d)
{
    const wgdn_dataset_info made = {.nodes = d->nodes,
                                    .edges = wgdn_dataset_edges(d),
                                    .features = d->features.width,
                                    .entries = d->features.entries,
                                    .classes = d->classes,
                                    .splits = d->splits,
                                    .has_ids = wgdn_dataset_has_ids(d),
                                    .graphs = d->graphs,
                                    .graph_classes = d->graph_classes,
                                    .edges_read = d->counts.edges_read,
                                    .self_loops = d->counts.self_loops,
                                    .repeats = d->counts.repeats,
                                    .zero_weights = d->counts.zero_weights,
                                    .other_weights = d->counts.other_weights,
                                    .without_features = d->counts.without_features,
                                    .attributes_ignored = d->counts.attributes_ignored,
                                    .label_offset = d->lists.offset,
                                    .label_list = d->lists.column,
                                    .remarks = d->remarks.count,
                                    .remark = d->remarks.list,
                                    .relations = d->relations.count,
                                    .encoding = d->encoding,
                                    .weighted = wgdn_dataset_weighted(d),
                                    .weight_min = d->weight_range[0],
                                    .weight_max = d->weight_range[1],
                                    .numeric_labels = wgdn_labels_numeric(d)};
    (void)wgdn_result_give(info, &made, sizeof made, NULL);
}

void wgdn_dataset_weigh(wgdn_dataset *d)
{
    const wgdn_csr *a = &d->graph->adjacency;
    const int64_t entries = a->value ? wgdn_csr_entries(a) : 0;
    if (d->scratch) return; /* known since the values were written */
    d->weight_range[0] = d->weight_range[1] = entries ? a->value[0] : 1;
    for (int64_t k = 0; k < entries; k++) {
        if (a->value[k] < d->weight_range[0]) d->weight_range[0] = a->value[k];
        if (a->value[k] > d->weight_range[1]) d->weight_range[1] = a->value[k];
    }
}

wgdn_span wgdn_dataset_rows(const wgdn_dataset *d)
{
    return d->dist.start ? wgdn_dist_span(&d->dist) : wgdn_alone(d->nodes);
}

wgdn_status wgdn_dataset_unchanged(const wgdn_dataset *d, wgdn_error *err)
{
    char name[200];
    if (!wgdn_archive_changed(&d->archive, name, sizeof name) &&
        !wgdn_archive_changed(&d->feature_archive, name, sizeof name))
        return WGDN_OK;
    return wgdn_fail(err, WGDN_EIO, "%s: was changed while it was in use; start again",
                     wgdn_show_name(name).text);
}

wgdn_ranks *wgdn_dataset_ranks(const wgdn_dataset *d)
{
    return d->dist.ranks;
}

int64_t wgdn_dataset_nodes(const wgdn_dataset *d)
{
    return d->nodes;
}

int64_t wgdn_dataset_edges(const wgdn_dataset *d)
{
    return d->dist.start ? d->all_edges : wgdn_graph_edges(d->graph);
}

const wgdn_graph *wgdn_dataset_get_graph(const wgdn_dataset *d)
{
    return d->graph;
}

const int32_t *wgdn_dataset_get_order(const wgdn_dataset *d)
{
    return d->order;
}

int64_t wgdn_dataset_features(const wgdn_dataset *d)
{
    return d->features.width;
}

double wgdn_dataset_density(const wgdn_dataset *d)
{
    const double all = (double)d->nodes * (double)d->features.width;
    return all > 0 ? (double)d->features.entries / all : 0;
}

const float *wgdn_dataset_get_dense(const wgdn_dataset *d)
{
    return d->features.dense;
}

int wgdn_dataset_get_sparse(const int64_t **offset, const int32_t **column, const float **value,
                            const wgdn_dataset *d)
{
    if (d->features.dense || d->features.width == 0) return 0;
    *offset = d->features.sparse.offset;
    *column = d->features.sparse.column;
    *value = d->features.sparse.value;
    return 1;
}

int64_t wgdn_dataset_classes(const wgdn_dataset *d)
{
    return d->classes;
}

int32_t wgdn_dataset_label(const wgdn_dataset *d, int64_t node)
{
    return d->label && node >= 0 && node < d->nodes ? d->label[node] : -1;
}

const char *wgdn_dataset_get_class_name(size_t *size, const wgdn_dataset *d, int64_t c)
{
    if (c < 0 || c >= d->class_names.count) return NULL;
    const wgdn_text name = wgdn_names_get(&d->class_names, c);
    *size = name.size;
    return (const char *)name.at;
}

wgdn_split wgdn_dataset_split(const wgdn_dataset *d, int64_t split, int64_t node)
{
    if (split < 0 || split >= d->splits || node < 0 || node >= d->nodes) return WGDN_SPLIT_NONE;
    return (wgdn_split)d->split[split * d->nodes + node];
}

/* ---- ids ---- */

bool wgdn_dataset_has_ids(const wgdn_dataset *d)
{
    return d->named || d->first_id != 0;
}

wgdn_text wgdn_dataset_name(const wgdn_dataset *d, int64_t node, char buffer[WGDN_INDEX_TEXT])
{
    if (d->named) return wgdn_ids_text(&d->ids, node, buffer);
    return wgdn_text_of(buffer, wgdn_print_index(buffer, d->first_id + node));
}

int64_t wgdn_dataset_seek(const wgdn_dataset *d, wgdn_text id)
{
    int64_t value;
    if (d->named) return wgdn_ids_find(&d->ids, id);
    if (!wgdn_text_index(id, &value)) return -1;
    value -= d->first_id;
    return value >= 0 && value < d->nodes ? value : -1;
}

int64_t wgdn_dataset_id(char *buffer, size_t size, const wgdn_dataset *d, int64_t node)
{
    char digits[WGDN_INDEX_TEXT];
    if (node < 0 || node >= d->nodes) return -1;
    return wgdn_text_put(buffer, size, wgdn_dataset_name(d, node, digits));
}

int64_t wgdn_dataset_find(const wgdn_dataset *d, const char *id, size_t size)
{
    return wgdn_dataset_seek(d, wgdn_text_of(id, size));
}

/* ---- several graphs ---- */

int64_t wgdn_dataset_graphs(const wgdn_dataset *d)
{
    return d->graphs;
}

int64_t wgdn_dataset_graph_start(const wgdn_dataset *d, int64_t g)
{
    if (g < 0 || g > d->graphs) return -1;
    if (d->graph_start) return d->graph_start[g];
    return g ? d->nodes : 0;
}

wgdn_text wgdn_dataset_graph_name(const wgdn_dataset *d, int64_t g, char buffer[WGDN_INDEX_TEXT])
{
    if (d->graphs_named) return wgdn_ids_text(&d->graph_ids, g, buffer);
    return wgdn_text_of(buffer, wgdn_print_index(buffer, d->first_graph + g));
}

int64_t wgdn_dataset_seek_graph(const wgdn_dataset *d, wgdn_text id)
{
    int64_t value;
    if (d->graphs_named) return wgdn_ids_find(&d->graph_ids, id);
    if (!wgdn_text_index(id, &value)) return -1;
    value -= d->first_graph;
    return value >= 0 && value < d->graphs ? value : -1;
}

int32_t wgdn_dataset_graph_label(const wgdn_dataset *d, int64_t g)
{
    return d->graph_label && g >= 0 && g < d->graphs ? d->graph_label[g] : -1;
}
