/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_RANKS_REPORT_H
#define CLI_RANKS_REPORT_H

#include "args/command.h"
#include "cli.h"
#include "terminal.h"

/* Agreement between ranks. */
/* DONE where all ranks have the same number, from 0 on; else USAGE, and a message that names one. */
int ranks_same(const cli *c, int number, const char *what);

/* What each rank sent, and its peak, for --json. */
typedef struct rank_report {
    int64_t *halo, *sums, *peak; /* one block, a number of each rank; NULL: one process */
} rank_report;

int64_t peak_bytes(void);

/* Of what this rank sent; all ranks together. */
rank_report rank_report_collect(const cli *c, int64_t halo, int64_t sums);
void rank_report_json(json *j, const rank_report *r, const cli *c);
void rank_report_free(const rank_report *r);

#endif
