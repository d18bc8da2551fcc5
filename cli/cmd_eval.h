/* SPDX-License-Identifier: Apache-2.0 */
/* How good vectors are, without labels: cmd_eval.c. */
#ifndef CLI_CMD_EVAL_H
#define CLI_CMD_EVAL_H

#include "cli.h"

typedef struct quality {
    int64_t k;            /* neighbours of a node */
    double seeds, halves; /* part of them that is kept with another seed, with other edges */
    double auc;           /* of edges that were held out */
    double rank;          /* directions that count */
    double likeness;      /* mean cosine of two nodes */
} quality;

/* Make a model anew as another was made, fitted or trained (then by o), of other data. */
wgdn_status model_again(wgdn_model **m, const wgdn_model *as, const wgdn_train_options *o,
                        uint64_t seed, const wgdn_dataset *d, wgdn_error *err);

/* Exit codes; what went wrong has been said. */
int quality_measure(quality *q, const wgdn_model *m, const wgdn_train_options *o,
                    const wgdn_dataset *d, const wgdn_eval_options *e);
void quality_print(FILE *to, const quality *q, int64_t dim);
void quality_print_json(FILE *to, const quality *q, int64_t dim);

#endif
