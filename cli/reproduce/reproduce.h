/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of 'wgdn reproduce': one run, and the tables of all of them. */
#ifndef WGDN_CLI_REPRODUCE_H
#define WGDN_CLI_REPRODUCE_H

#include "json.h"
#include "ledger.h"
#include "paper.h"

/* One training run and its probes. */
typedef struct paper_run {
    const paper_set *set;
    const char *data;    /* folder of the sets */
    const char *options; /* beside the preset */
    char config[64];
    int seed;
    int probes;     /* 0: as the preset says */
    bool baselines; /* ask these as well */
} paper_run;

wgdn_spread per_cent(wgdn_spread s);
/*
 * Train, probe, and add a line to the ledger, in a process of its own: memory is measured for the
 * run alone. An interrupted run leaves a checkpoint in the folder of the results.
 */
int paper_run_do(const paper_run *run, const cli *c, const char *folder, const char *results);
/* What a run that is in the table left behind, killed at its last moment. */
void paper_run_tidy(const paper_run *run, const cli *c, const char *folder);

/* report.c: node.md and node.json of what the ledger holds, or graph.md and graph.json. */
int report_write(const char *folder, const ledger *l, bool graphs);
/* graph.c: the SVMs of a run on graph sets, and the tables of all of them. */
wgdn_status paper_classify(ledger_row *r, const wgdn_embedding *x, const wgdn_dataset *d,
                           const paper_run *run, const wgdn_train_options *t,
                           const wgdn_eval_options *o, wgdn_error *err);
void report_graphs(FILE *to, const ledger *l);
void report_graphs_json(FILE *to, const ledger *l);
/* Of an open object: an accuracy over seeds, with its mean deviation over probes or folds. */
void report_spread(json *j, const char *key, wgdn_spread s, const char *over, double deviation);
/* And baselines by these names, and what the runs took. */
void report_rest(json *j, const ledger_sum *s, const char *const baseline[LEDGER_BASELINES]);
void report_share(FILE *to, double x); /* a cell of a table, empty for NAN */
/* The last cells of a line: seeds, time and peak of those that trained, commit. */
void report_taken(FILE *to, const ledger_sum *s);
/* studies.c: a table of one study; what the numbers say about the paper's order. */
void report_study(FILE *to, const paper_study *s, const ledger *l);
/* What the ledger has of one cell; seeds 0 where nothing. */
void study_cell(ledger_sum *sum, const paper_study *s, int set, int setting, const ledger *l);
/* Whether it has more than the runs of the presets, which the main table brings along. */
bool study_begun(const paper_study *s, const ledger *l);
/* pictures.c: its picture, node-<name>.png; nothing where pictures are not built in. */
int study_chart(const char *folder, const paper_study *s, const ledger *l);

#endif
