/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs behind a table of results, one line of CSV each. A line is added when its run is through
 * and never changed: the file says what need not be done again, and all tables come from it.
 */
#ifndef WGDN_CLI_LEDGER_H
#define WGDN_CLI_LEDGER_H

#include "cli.h"

enum { LEDGER_BASELINES = 4 };

/*
 * Of node tasks: both protocols over probes, and the four baselines. Of graph tasks the same places
 * hold RBF and linear SVMs over folds, and pooled features, a random encoder and subtrees by
 * the former, subtrees by the latter; the file's heading says which.
 */
typedef struct ledger_row {
    bool graphs;
    char set[24], config[64];
    int seed, probes, threads;
    wgdn_spread test_selected, validation_selected; /* accuracies in per cent, over the probes */
    double baseline[LEDGER_BASELINES]; /* validation-selected, in per cent; NAN: not asked for */
    double loss, epoch_ms; /* processor time of an epoch, divided by the threads; NAN: not known */
    int64_t epochs, peak_bytes;
    char commit[48];
} ledger_row;

typedef struct ledger {
    ledger_row *row;
    int rows;
} ledger;

/* DONE, or an exit code after a complaint. A file that is not there is an empty ledger. */
int ledger_read(ledger *l, const char *path);
void ledger_free(ledger *l);
/* Whether no row before this one has its set and configuration. */
bool ledger_first(const ledger *l, int row);
const ledger_row *ledger_find(const ledger *l, const char *set, const char *config, int seed);
/* In one write at the end of the file, so that several processes may share it. */
int ledger_add(const char *path, const ledger_row *row);

/* Mean and deviation over the seeds of one configuration. */
typedef struct ledger_sum {
    int seeds;
    wgdn_spread test_selected, validation_selected; /* over seeds, of the means over probes */
    double test_selected_probes, validation_selected_probes; /* mean deviation over probes */
    double baseline[LEDGER_BASELINES];                       /* NAN where there is none */
    double epoch_ms;        /* median over seeds, NAN where there is none */
    int64_t peak_bytes;     /* largest, of those that trained */
    const ledger_row *last; /* NULL: there is no run */
} ledger_sum;

void ledger_sum_up(ledger_sum *s, const ledger *l, const char *set, const char *config);

#endif
