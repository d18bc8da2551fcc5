/* SPDX-License-Identifier: Apache-2.0 */
/* A bar on the terminal for work that lasts longer than a second. */
#ifndef WGDN_CLI_PROGRESS_H
#define WGDN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct progress {
    FILE *to;         /* NULL: stay silent */
    const char *what; /* "reading cora.tsv" */
    const char *unit; /* "B", "epochs", ... after the rate */
    double start, shown;
    bool drawn;
} progress;

/* Silent unless standard error is a terminal. */
void progress_start(progress *p, const char *what, const char *unit, bool quiet);
/* Call as often as you like: it draws ten times a second at most. total < 1: unknown. */
void progress_show(progress *p, int64_t done, int64_t total);
void progress_end(progress *p); /* wipes the bar */

#endif
