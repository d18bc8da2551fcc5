/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "rank_report.h"

#include <stdlib.h>
#include <sys/resource.h>

int64_t peak_bytes(void)
{
    struct rusage use = {0};
    getrusage(RUSAGE_SELF, &use);
    return (int64_t)use.ru_maxrss * 1024;
}

rank_report rank_report_collect(const cli *c, int64_t halo, int64_t sums)
{
    const size_t ranks = (size_t)wgdn_ranks_count(c->ranks);
    if (ranks == 1) return (rank_report){0};
    int64_t *all = calloc(3 * ranks, sizeof *all);
    if (ranks_code(c, all ? DONE : DOES_NOT_FIT) != DONE || !all) {
        free(all);
        return (rank_report){0};
    }
    const rank_report r = {all, all + ranks, all + 2 * ranks};
    wgdn_ranks_gather(r.halo, c->ranks, halo);
    wgdn_ranks_gather(r.sums, c->ranks, sums);
    wgdn_ranks_gather(r.peak, c->ranks, peak_bytes());
    return r;
}

void rank_report_json(json *j, const rank_report *r, const cli *c)
{
    if (!r->halo) return;
    json_put_open(j, "ranks", '[');
    for (int k = 0; k < wgdn_ranks_count(c->ranks); k++) {
        json_put_open(j, NULL, '{');
        json_put_integer(j, "halo_bytes_sent", r->halo[k]);
        json_put_integer(j, "sum_bytes_sent", r->sums[k]);
        json_put_integer(j, "peak_bytes", r->peak[k]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

void rank_report_free(const rank_report *r)
{
    free(r->halo);
}
