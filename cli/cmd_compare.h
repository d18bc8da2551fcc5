/* SPDX-License-Identifier: Apache-2.0 */
/* Two embeddings of the same nodes: cmd_compare.c. */
#ifndef CLI_CMD_COMPARE_H
#define CLI_CMD_COMPARE_H

#include "cli.h"

typedef struct side {
    wgdn_embedding *e;    /* as it was read */
    wgdn_embedding *both; /* the rows of nodes that the other has, too, in the same order */
    float *x;             /* its values */
    int64_t rows, dim;
    double rank;     /* directions that count */
    double likeness; /* mean cosine of two nodes */
} side;

typedef struct moved {
    int64_t row; /* of the new embedding */
    double kept; /* part of its neighbors */
} moved;

typedef struct comparison {
    int64_t k; /* neighbors */
    bool all;  /* those of every node, not of a sample */
    int threads;
    side before, after;
    int64_t both;    /* nodes */
    int64_t *row;    /* of the new embedding, for each of them */
    bool same_space; /* as many columns: cosines of old and new mean something */
    double mean, median, least;
    double correlation; /* of the cosines of pairs */
    double kept;
    int64_t looked_at; /* nodes whose neighbors were found */
    moved *moved;      /* these, fewest neighbors kept first */
} comparison;

/* Both sides have been read. Returns an exit code after printing what failed. */
int comparison_make(comparison *p);
void comparison_free(comparison *p);

#endif
