/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

#include "codec/arrays.h"

static bool has_heading(const wgdn_input *in, const char *heading)
{
    wgdn_lines l;
    bool more = false, has = false;
    wgdn_lines_open(&l, in);
    if (!wgdn_lines_next(&l, &more, NULL) && more)
        for (int64_t j = 0; j < l.fields && !has; j++)
            has = wgdn_text_is(l.field[j], heading);
    wgdn_lines_close(&l);
    return has;
}

/* Where there are features, too, --id is theirs, unless a column here has that heading. */
static wgdn_input input_of(const wgdn_source *s, const wgdn_dataset_options *o)
{
    wgdn_input in =
        wgdn_text_input(&(wgdn_bytes){.data = s->data, .size = s->size, .name = s->name}, o);
    if (in.id && o->features && !has_heading(&in, in.id)) in.id = NULL;
    return in;
}

static wgdn_status read_labels(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_archive a = {0};
    int32_t *label = NULL;
    wgdn_status st;
    if (!wgdn_path_is_archive(o->labels)) {
        st = wgdn_source_read(&s, o->labels, o->max_bytes, err);
        if (st) return st;
        const wgdn_input in = input_of(&s, o);
        st = wgdn_labels_read(d, &in, o, err);
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
    for (int64_t i = 0; !st && i < g->remarks.count; i++)
        st = wgdn_remarks_add(&d->remarks, g->remarks.list[i].what, g->remarks.list[i].count, err,
                              "%s", g->remarks.list[i].text);
    wgdn_dataset_free(g);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, o->splits, o->max_bytes, err);
    if (st) return st;
    const wgdn_input in = input_of(&s, o);
    st = wgdn_splits_read(d, &in, o, err);
    wgdn_source_free(&s);
    return st;
}

wgdn_status wgdn_notes_read(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (o->labels) st = (d->graphs_named ? read_graph_labels : read_labels)(d, o, err);
    if (!st && o->splits) st = read_splits(d, o, err);
    return st;
}
