/* SPDX-License-Identifier: Apache-2.0 */
/* The sets that vectors are compared on, other programs, and the table of it all. */
#ifndef WGDN_CLI_VECTOR_SETS_H
#define WGDN_CLI_VECTOR_SETS_H

#include "cli.h"

typedef struct vector_set {
    const char *name;  /* as bench/peers has it */
    const char *title; /* for people */
    const char *file;  /* below the folder of the data */
    const char *labels, *label_column;
    double aim; /* of the score */
} vector_set;

enum { VECTOR_SPLITS = 5 }; /* of each set that has not one of its own */

extern const vector_set vector_sets[];   /* NULL name at the end */
extern const char *const vector_peers[]; /* NULL at the end */

/* A line of vectors.csv. Scores are in per cent, NAN where a set has no such one. */
typedef struct vector_row {
    char method[32], judge[16], commit[48];
    int64_t dim;
    double score, deviation, few_shot, neighbours, macro_f1;
    double wall, cpu, peak_mb;
} vector_row;

#define VECTOR_HEADING \
    "set,method,dim,judge,score,deviation,few_shot,neighbours,macro_f1,wall,cpu,peak_mb,commit"

/* vectors.c: run what is missing. `sets` names some, or is NULL. */
int vectors_reproduce(const char *data, const char *folder, const char *sets);
/* vectors_report.c: vectors.md from vectors.csv. */
int vectors_report(const char *folder, const char *results);

#endif
