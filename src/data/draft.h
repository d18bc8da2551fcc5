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

void wgdn_draft_open(wgdn_draft *w, wgdn_dataset *d, const wgdn_dataset_options *o);
void wgdn_draft_close(wgdn_draft *w); /* d stays the caller's */
/* A text with the header, separator, decimal point and id column that the options name. */
wgdn_input wgdn_text_input(const wgdn_bytes *b, const wgdn_dataset_options *o);
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
WGDN_MUST_CHECK wgdn_status wgdn_draft_number(wgdn_draft *w, int64_t nodes, int64_t first_id,
                                              const char *name, wgdn_error *err);
/* Final numbers for the nodes, then the graph and what else the draft holds. */
WGDN_MUST_CHECK wgdn_status wgdn_draft_finish(wgdn_draft *w, const char *path, wgdn_error *err);

#endif
