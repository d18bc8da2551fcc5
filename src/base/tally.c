/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the operations, bytes and messages of a computation without running it. Products and sums
 * in linalg add to the open tally of their thread; model/step.c converts the totals to the cost of
 * a step.
 */
#include "tally.h"

static _Thread_local wgdn_tally *current;

void wgdn_tally_open(wgdn_tally *t)
{
    current = t;
}

void wgdn_tally_close(void)
{
    current = NULL;
}

bool wgdn_tally_add(wgdn_tally_kind kind, int64_t n, int64_t k, int64_t m)
{
    const wgdn_tally_product p = {kind, n, k, m};
    if (!current) return false;
    current->columns[kind] += m;
    current->dense += 2.0 * (double)n * (double)k * (double)m;
    if (kind == WGDN_TALLY_LAPLACIAN) current->exchanged += m;
    if (current->each) current->each(&p, current->user);
    return true;
}

bool wgdn_tally_leaves(int64_t count, bool joined)
{
    if (current && joined) current->leaf_sums += count;
    return current != NULL;
}

bool wgdn_tally_exchange(int64_t columns)
{
    if (current) current->exchanged += columns;
    return current != NULL;
}

void wgdn_tally_sent(int64_t bytes)
{
    if (current) current->sent += bytes;
}

void wgdn_tally_broadcast(int64_t count, bool joined)
{
    if (current && joined) current->broadcast += count;
}

bool wgdn_tally_rows(void)
{
    return current != NULL;
}

bool wgdn_tally_sums(double *out, int64_t count, bool joined)
{
    if (!current) return false;
    if (joined) current->sums += count;
    for (int64_t i = 0; out && i < count; i++)
        out[i] = 1;
    return true;
}
