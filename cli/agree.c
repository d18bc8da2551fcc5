/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One voice for all ranks. Under mpirun complaints are kept (message.c) until the ranks meet; the
 * root rank then prints those of the first rank that failed, and names it unless all failed alike.
 */
#include "agree.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(int64_t) };

/* The first rank for which this is true, or their count. */
static int first_rank(const cli *c, bool mine)
{
    const int count = wgdn_ranks_count(c->ranks);
    const int from_end = mine ? count - wgdn_ranks_rank(c->ranks) : 0;
    return count - wgdn_ranks_allreduce_max(c->ranks, from_end);
}

/* A few bits of a text, to tell whether ranks have the same. */
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

int ranks_same(const cli *c, int number, const char *what)
{
    if (is_same(c, number)) return DONE;
    const int root = wgdn_ranks_allreduce_max(c->ranks, is_root(c) ? number : 0);
    if (number != root) complain("%s is not that of rank 0", what);
    return ranks_code(c, number != root ? USAGE : DONE);
}
