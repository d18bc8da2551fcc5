/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets the ranks of one run report as one program: memory per rank, common exit codes, and one
 * message for all. main.c, the commands and terminal.c call it; without MPI there is one rank.
 */
#define _DEFAULT_SOURCE
#include "ranks_report.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>
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

bool is_root(const cli *c)
{
    return wgdn_ranks_rank(c->ranks) == 0;
}

/*
 * Prints one message for all ranks. Under mpirun messages are buffered (terminal.c) until the ranks
 * meet. The root rank then prints those of the first rank that failed, and names it unless all
 * failed alike.
 */

enum { WORD = sizeof(int64_t) };

/* The first rank for which this is true, or their count. */
static int first_rank(const cli *c, bool mine)
{
    const int count = wgdn_ranks_count(c->ranks);
    const int from_end = mine ? count - wgdn_ranks_rank(c->ranks) : 0;
    return count - wgdn_ranks_allreduce_max(c->ranks, from_end);
}

/* A few bits of a text, to compare it between ranks. */
static int digest(const char *text)
{
    uint32_t sum = 2166136261u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 16777619u;
    return (int)(sum >> 2);
}

static bool is_same(const cli *c, int number)
{
    return wgdn_ranks_allreduce_max(c->ranks, number) ==
           -wgdn_ranks_allreduce_max(c->ranks, -number);
}

/* The text of a rank to the root, a number at a time: failures may be slow. */
static void fetch(const cli *c, char text[COMPLAINTS_MAX], int from)
{
    const bool mine = wgdn_ranks_rank(c->ranks) == from;
    int64_t *all = calloc((size_t)wgdn_ranks_count(c->ranks), sizeof *all);
    const int words = wgdn_ranks_allreduce_max(
        c->ranks, mine ? (int)((strlen(complaints_kept()) + WORD) / WORD) : 0);
    const int room = wgdn_ranks_allreduce_max(c->ranks, all ? 0 : 1);
    for (int i = 0; room == 0 && all && i < words; i++) {
        int64_t word = 0;
        if (mine) memcpy(&word, complaints_kept() + (size_t)i * WORD, WORD);
        wgdn_ranks_gather(all, c->ranks, word);
        memcpy(text + (size_t)i * WORD, &all[from], WORD);
    }
    text[COMPLAINTS_MAX - 1] = '\0';
    free(all);
}

int ranks_code(const cli *c, int code)
{
    const int worst = wgdn_ranks_allreduce_max(c->ranks, code);
    char text[COMPLAINTS_MAX] = "", who[32] = "";
    if (worst == DONE || wgdn_ranks_count(c->ranks) == 1) return worst;
    const int first = first_rank(c, code == worst);
    const bool same_code = is_same(c, code);
    if (!is_same(c, digest(complaints_kept())) || !same_code)
        snprintf(who, sizeof who, "rank %d: ", first);
    if (first == 0)
        snprintf(text, sizeof text, "%s", complaints_kept());
    else
        fetch(c, text, first);
    complaints_print(who, text);
    return worst;
}

int shared_code(const cli *c, int code)
{
    return c->command->ranks ? ranks_code(c, code) : code;
}

int ranks_same(const cli *c, int number, const char *what)
{
    if (is_same(c, number)) return DONE;
    const int root = wgdn_ranks_allreduce_max(c->ranks, is_root(c) ? number : 0);
    if (number != root) complain("%s is not that of rank 0", what);
    return ranks_code(c, number != root ? USAGE : DONE);
}
