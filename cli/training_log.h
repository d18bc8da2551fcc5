/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a training run: a line for each epoch, CSV or, where its name ends so, .jsonl. */
#ifndef WGDN_CLI_TRAINING_LOG_H
#define WGDN_CLI_TRAINING_LOG_H

#include "cli.h"

typedef struct training_log {
    FILE *to; /* NULL: none */
    const char *path;
    bool json, failed, resumed;
    bool held; /* what is held out has a column */
} training_log;

/* path may be NULL. A resumed run goes on with the log that is there. */
int training_log_open(training_log *l, const char *path, bool resuming);
/* Before the first line: of the old ones, those of epochs up to `first` stay. */
void training_log_begin(training_log *l, int64_t first);
void training_log_put(training_log *l, const wgdn_progress *p);
/* FAILED if any of it is missing. */
int training_log_close(training_log *l);

#endif
