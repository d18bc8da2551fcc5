/* SPDX-License-Identifier: Apache-2.0 */
/* A bar on the terminal for work that lasts longer than a second; elsewhere a line a minute. */
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
    double every; /* seconds between lines; 0: there is a bar */
    int64_t base; /* done before it started, by a run that is resumed */
    bool drawn;
} progress;

/* WGDN_PROGRESS in the environment has the seconds between lines; 0: none. */
void progress_start(progress *p, const char *what, const char *unit, bool quiet);
/* Call as often as you like: it draws ten times a second at most. total < 1: unknown. */
void progress_show(progress *p, int64_t done, int64_t total);
void progress_end(progress *p); /* wipes the bar */

double seconds_now(void); /* since some moment before the program began */

#endif
