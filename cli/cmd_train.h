/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_CMD_TRAIN_H
#define CLI_CMD_TRAIN_H

#include "cli.h"

#include <stdbool.h>
#include <wgdn/wgdn.h>

/* What `info` shows of a dataset, as numbers. */
/* How a number is spread over nodes or graphs. */
typedef struct spread {
    int64_t min, max;
    double median, mean;
} spread;

enum { BINS = 33 }; /* 0, 1, 2, 3-4, 5-8, ..., up to 2^31 */

typedef struct summary {
    wgdn_dataset_info info;
    double density; /* of the features */
    int64_t isolated;
    spread degree;
    int64_t bin[BINS];   /* nodes by degree */
    int64_t *class_size; /* classes of them, then the nodes without a label */
    int64_t *split_size; /* 4 for each split, in the order of wgdn_split */
    spread graph_nodes;
    int64_t *graph_class_size; /* as class_size, of graphs */
} summary;

bool summary_make(summary *s, const wgdn_dataset *d); /* false: out of memory */
void summary_free(summary *s);

int bin_of(int64_t degree);
void bin_range(int bin, int64_t *from, int64_t *to); /* both included */

/* The log of a training run: a line for each epoch, CSV or, where its name ends so, .jsonl. */
typedef struct training_log {
    FILE *to; /* NULL: none */
    const char *path;
    bool json, failed, resumed;
    bool held; /* what is held out has a column */
} training_log;

#endif
