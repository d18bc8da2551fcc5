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

#endif
