/* SPDX-License-Identifier: Apache-2.0 */
/* What each rank sent, and its peak, for --json. */
#ifndef WGDN_CLI_RANK_REPORT_H
#define WGDN_CLI_RANK_REPORT_H

#include "cli.h"
#include "json.h"

typedef struct rank_report {
    int64_t *halo, *sums, *peak; /* one block, a number of each rank; NULL: one process */
} rank_report;

int64_t peak_bytes(void);

/* Of what this rank sent; all ranks together. */
rank_report rank_report_collect(const cli *c, int64_t halo, int64_t sums);
void rank_report_json(json *j, const rank_report *r, const cli *c);
void rank_report_free(const rank_report *r);

#endif
