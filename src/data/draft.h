/* SPDX-License-Identifier: Apache-2.0 */
/* A dataset on its way in: what readers fill in before nodes have their last numbers. */
#ifndef WGDN_DATA_DRAFT_H
#define WGDN_DATA_DRAFT_H

#include "columns.h"
#include "dataset.h"
#include "edges.h"
#include "io/lines.h"
#include "io/source.h"
#include "table.h"

/* One of several files of features. */
typedef struct wgdn_feature_file {
    const char *path;
    bool array; /* else a table */
    wgdn_table table;
    wgdn_features features;
    wgdn_archive archive;
} wgdn_feature_file;

typedef struct wgdn_draft {
    wgdn_dataset *d;
    const wgdn_dataset_options *o;
    wgdn_ids ids;
    wgdn_edges edges;
    wgdn_ids types; /* of edges, where the format has them */
    wgdn_table table;
    bool tabled;        /* the table holds the features */
    bool degrees;       /* there are none: the nodes' degrees serve */
    bool features_read; /* those that the options name */
    char *file_names;   /* those that the options name, each ended with NUL */
    wgdn_feature_file *file;
    int64_t files;
    bool arrays_read;
    int64_t array_rows;         /* of the features in arrays; 0: there are none */
    wgdn_encoding given, coded; /* of the features: as the options say, and as they were read */
    bool streamed; /* d has graph, ids and counts already, as they did not fit into memory */
    bool whole;    /* the reader made d itself, graph and all: there is nothing to finish */
} wgdn_draft;

static inline void wgdn_draft_open(wgdn_draft *w, wgdn_dataset *d, const wgdn_dataset_options *o)
{
    *w = (wgdn_draft){.d = d, .o = o, .edges.max = o->max_entries, .table.max = o->max_entries};
    w->edges.weights = o->weights;
    wgdn_ids_open(&w->ids, o->max_nodes);
    wgdn_ids_open(&w->types, INT32_MAX);
}

/* The dataset stays the caller's. */
static inline void wgdn_draft_close(wgdn_draft *w)
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

/* A text with the header, separator, decimal point and id column that the options name. */
static inline wgdn_input wgdn_text_input(const wgdn_bytes *b, const wgdn_dataset_options *o)
{
    wgdn_input in = wgdn_input_of(b);
    in.header = (wgdn_header)o->header;
    if (o->separator && !wgdn_separator_parse(&in.separator, o->separator)) in.separator = 0;
    if (o->decimal) in.decimal = o->decimal[0];
    in.id = o->id;
    return in;
}

/* The same with their watcher. */
static inline wgdn_input wgdn_draft_file(const wgdn_draft *w, const wgdn_bytes *b)
{
    wgdn_input in = wgdn_text_input(b, w->o);
    in.watch = (wgdn_watch){.tell = w->o->progress, .user = w->o->progress_user};
    return in;
}

static inline wgdn_input wgdn_draft_input(const wgdn_draft *w, const wgdn_source *s)
{
    return wgdn_draft_file(w, &(wgdn_bytes){.data = s->data, .size = s->size, .name = s->name});
}
/* Of an archive that was opened: memory is short if the options say so. */
static inline void wgdn_draft_spare(const wgdn_draft *w, wgdn_archive *a)
{
    a->sparing = w->o->memory > 0;
    a->scratch = w->o->scratch;
}
/* Nodes 0 .. nodes - 1 with ids from first_id on. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_draft_number(wgdn_draft *w, int64_t nodes,
                                                            int64_t first_id, const char *name,
                                                            wgdn_error *err)
{
    if (nodes < 1) return wgdn_fail_in(err, WGDN_EFORMAT, name, "it contains no nodes");
    if (nodes > w->o->max_nodes)
        return wgdn_fail_in(err, WGDN_ERANGE, name, "%lld nodes; the maximum allowed is %lld",
                            (long long)nodes, (long long)w->o->max_nodes);
    wgdn_ids_close(&w->ids);
    w->d->first_id = first_id;
    return wgdn_ids_open_fixed(&w->ids, nodes, first_id, err);
}

/* Final numbers for the nodes, then the graph and what else the draft holds. */
WGDN_MUST_CHECK wgdn_status wgdn_draft_finish(wgdn_draft *w, const char *path, wgdn_error *err);

#endif
