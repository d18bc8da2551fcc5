/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluation found, row by row, before it is printed. */
#ifndef CLI_EVAL_REPORT_H
#define CLI_EVAL_REPORT_H

#include "cli.h"
#include "terminal.h"

/* In the order of the choices of --task. */
typedef enum task {
    TASK_AUTO,
    TASK_PROBE,
    TASK_CLUSTER,
    TASK_LINKS,
    TASK_GRAPH,
    TASK_QUALITY,
    TASK_RECOMMEND
} task;

const char *task_name(task t);

enum { ROWS_MAX = 9 };

typedef struct eval_row {
    const char *name; /* "vectors", or a baseline's */
    wgdn_probe_result probe;
    wgdn_cluster_result cluster;
    wgdn_links_result links;
    wgdn_svm_result svm;
} eval_row; /* probe.each is the row's own */

typedef struct evaluation {
    task task;
    bool test_selected; /* show that protocol as well */
    bool quiet;         /* no bar */
    bool trained;       /* the vectors are of a model that was trained, not fitted */
    bool numeric;       /* labels are numbers */
    progress bar;
    const char *vectors, *data; /* data: NULL where labels alone go with the vectors */
    int64_t dim;
    wgdn_eval_options options;
    const wgdn_dataset *graphs; /* as nodes, where graphs are the task */
    int32_t *fold;              /* in which each graph is tested */
    eval_row row[ROWS_MAX];
    int rows;
    char conclusion[320]; /* a sentence, or nothing */
} evaluation;

void eval_print(FILE *to, const evaluation *e);
void eval_print_json(FILE *to, const evaluation *e);

#endif
