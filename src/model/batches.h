/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What steps are fed with. An epoch is all graphs of a dataset once: all nodes in a single step,
 * or, where whole graphs are the task, batches of graphs in an order drawn from
 * (seed, epoch), of which the last may be short.
 */
#ifndef WGDN_MODEL_BATCHES_H
#define WGDN_MODEL_BATCHES_H

#include "model.h"

/* What a batch has room for; entries are those of the adjacency. */
typedef struct wgdn_batch_room {
    int64_t graphs, nodes, entries;
    bool weighted; /* entries have values */
} wgdn_batch_room;

/*
 * Graphs of a set, one block behind another on the diagonal. The arrays are taken once, for the
 * largest batch; a gather copies rows and moves columns, and sorts nothing.
 */
typedef struct wgdn_batch {
    wgdn_graph graph;
    int64_t graphs;
    int64_t *start; /* graphs + 1: the first row of each */
    wgdn_batch_room room;
} wgdn_batch;

typedef struct wgdn_batches {
    wgdn_feed feed; /* of the whole dataset */
    const wgdn_graph *whole;
    int64_t graphs, size;    /* graphs, and how many of them in a batch; 0: all nodes at once */
    int64_t steps;           /* of an epoch */
    const wgdn_model *model; /* borrowed: seed and balance are its */
    int64_t *start;          /* graphs + 1: the first node of each */
    int64_t *order;          /* of the graphs in the epoch below; in the dataset's order before */
    int64_t epoch;           /* -1: none was drawn yet */
    wgdn_batch batch;
    wgdn_csr rows;        /* X of the batch if it is sparse */
    float *dense;         /* else */
    wgdn_model_input own; /* made of these */
    /* What to take a step with. */
    const wgdn_graph *graph;
    const wgdn_model_input *input;
} wgdn_batches;

/* Whether whole graphs are what is learned and embedded. */
static inline bool wgdn_task_is_graph(const wgdn_train_options *o, const wgdn_dataset *d)
{
    return o->task == WGDN_TASK_AUTO ? wgdn_dataset_graphs(d) > 1 : o->task == WGDN_TASK_GRAPH;
}

int64_t wgdn_steps_of_epoch(const wgdn_train_options *o, const wgdn_dataset *d);

/*
 * For training, with the model's own options, or for embedding in runs: graphs in the dataset's order, as many at a time as
 * is good for the caches. The dataset and the model must outlive it.
 */
WGDN_MUST_CHECK wgdn_status wgdn_batches_open(wgdn_batches *b, const wgdn_dataset *d,
                                              const wgdn_model *m, bool runs, wgdn_error *err);
void wgdn_batches_free(wgdn_batches *b);
/* Graph and input of a step, counted over all epochs. Allocates nothing. */
void wgdn_batches_take(wgdn_batches *b, int64_t step);
/* A run of graphs from `first` on; gives the first graph after it. */
int64_t wgdn_batches_take_run(wgdn_batches *b, int64_t first);

/* Vectors of all graphs: those of their nodes, pooled. graphs x width of the model. batches.c */
WGDN_MUST_CHECK wgdn_status wgdn_embed_graphs(float *out, const wgdn_model *m,
                                              const wgdn_dataset *d, wgdn_pool pool,
                                              wgdn_error *err);

/* What opening for training will allocate for a part of the dataset, and the largest input as far
 * as sizes go. */
WGDN_MUST_CHECK wgdn_status wgdn_batches_bytes(size_t *bytes, wgdn_model_input *shape,
                                               const wgdn_dataset *d, const wgdn_portion *part,
                                               const wgdn_model *m, wgdn_error *err);

#endif
