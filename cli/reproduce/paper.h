/* SPDX-License-Identifier: Apache-2.0 */
/* What the paper's experiments are: sets, published numbers, and settings beside the preset. */
#ifndef WGDN_CLI_PAPER_H
#define WGDN_CLI_PAPER_H

#include <stdbool.h>
#include <wgdn/wgdn.h>

/* A dataset with a published number. */
typedef struct paper_set {
    const char *name;  /* of its preset */
    const char *title; /* for people */
    const char *file;  /* below the folder of the data */
    double published;  /* accuracy in per cent */
    int seeds;         /* training runs, unless --seeds is given */
} paper_set;

enum { PAPER_SETTINGS_MAX = 8, PAPER_SETS_MAX = 3 };

/* One way to differ from the preset. */
typedef struct paper_setting {
    const char *name;
    const char *options;              /* "augment=none decoder=inverse"; "": the preset as it is */
    double published[PAPER_SETS_MAX]; /* on the study's sets, 0 where nothing is */
} paper_setting;

/* A table of the paper. */
typedef struct paper_study {
    const char *name;  /* as --study takes it */
    const char *title; /* for people */
    const char *axis;  /* what its settings are */
    const char *claim; /* what the paper says of their order */
    bool ordered;      /* settings are numbers: a line, not bars */
    const char *set[PAPER_SETS_MAX + 1];
    paper_setting setting[PAPER_SETTINGS_MAX + 1];
} paper_study;

const paper_set *paper_node_set(int i);            /* NULL beyond the last */
const paper_set *paper_graph_set(int i);           /* likewise, of whole graphs */
const paper_set *paper_find_set(const char *name); /* of either kind, or NULL */
const paper_study *paper_node_study(int i);        /* NULL beyond the last */
const paper_study *paper_graph_study(int i);       /* likewise */

/*
 * Preset and setting as options, and what the run is called: the options that differ from the
 * preset, or "preset" when none does, so that studies share their runs.
 */
WGDN_MUST_CHECK wgdn_status paper_options(wgdn_train_options *train, wgdn_eval_options *eval,
                                          char *config, size_t size, const paper_set *s,
                                          const char *options, wgdn_error *err);

#endif
