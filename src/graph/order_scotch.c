/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#ifdef WGDN_HAVE_SCOTCH

#include <stdio.h> /* scotch.h wants FILE */

#include <scotch.h>

/* Scotch's handles, and its own copy of the rows. */
typedef struct scotch {
    SCOTCH_Context context;
    SCOTCH_Graph graph, bound;
    SCOTCH_Strat strategy;
    SCOTCH_Num *start, *column, *part;
} scotch;

static wgdn_status copy_rows(scotch *s, const wgdn_csr *a, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(a);
    if (SCOTCH_numSizeof() != (int)sizeof(SCOTCH_Num))
        return wgdn_fail(err, WGDN_ENOSUPPORT,
                         "order: Scotch's library has numbers of %d bytes, its header of %zu",
                         SCOTCH_numSizeof(), sizeof(SCOTCH_Num));
    if (sizeof(SCOTCH_Num) == 4 && entries > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE,
                         "order: Scotch is built for 2^31 - 1 entries, the graph has %lld",
                         (long long)entries);
    s->start = wgdn_alloc((size_t)a->rows + 1, sizeof *s->start);
    s->column = wgdn_alloc((size_t)entries, sizeof *s->column);
    s->part = wgdn_alloc((size_t)a->rows, sizeof *s->part);
    if (!s->start || !s->column || !s->part)
        return wgdn_fail(err, WGDN_ENOMEM, "order: a copy of %lld entries", (long long)entries);
    for (int64_t i = 0; i <= a->rows; i++)
        s->start[i] = (SCOTCH_Num)a->offset[i];
    for (int64_t k = 0; k < entries; k++)
        s->column[k] = a->column[k];
    return WGDN_OK;
}

/* One thread and no chance: Scotch's threads would make another cut every time. */
static bool halve(scotch *s, int64_t pieces, const wgdn_csr *a)
{
    const SCOTCH_Num n = (SCOTCH_Num)a->rows, entries = (SCOTCH_Num)wgdn_csr_entries(a);
    return SCOTCH_contextOptionSetNum(&s->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
           SCOTCH_contextThreadSpawn(&s->context, 1, NULL) == 0 &&
           (SCOTCH_contextRandomSeed(&s->context, 1), SCOTCH_contextRandomReset(&s->context), 1) &&
           SCOTCH_graphBuild(&s->graph, 0, n, s->start, NULL, NULL, NULL, entries, s->column,
                             NULL) == 0 &&
           SCOTCH_contextBindGraph(&s->context, &s->graph, &s->bound) == 0 &&
           SCOTCH_stratGraphMapBuild(&s->strategy, SCOTCH_STRATRECURSIVE, (SCOTCH_Num)pieces,
                                     0.05) == 0 &&
           SCOTCH_graphPart(&s->bound, (SCOTCH_Num)pieces, &s->strategy, s->part) == 0;
}

wgdn_status wgdn_cut_scotch(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    scotch s = {0};
    wgdn_status st = copy_rows(&s, a, err);
    if (!st) {
        (void)SCOTCH_contextInit(&s.context);
        (void)SCOTCH_graphInit(&s.graph);
        (void)SCOTCH_graphInit(&s.bound);
        (void)SCOTCH_stratInit(&s.strategy);
        if (!halve(&s, pieces, a))
            st = wgdn_fail(err, WGDN_EENGINE, "order: Scotch failed on %lld nodes",
                           (long long)a->rows);
        SCOTCH_stratExit(&s.strategy);
        SCOTCH_graphExit(&s.bound);
        SCOTCH_graphExit(&s.graph);
        SCOTCH_contextExit(&s.context);
    }
    for (int64_t i = 0; !st && i < a->rows; i++)
        piece[i] = (int32_t)s.part[i];
    wgdn_release(s.part);
    wgdn_release(s.column);
    wgdn_release(s.start);
    return st;
}

#else

wgdn_status wgdn_cut_scotch(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    (void)piece, (void)pieces, (void)a;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "order: Scotch is not built in; install libscotch-dev and build again");
}

#endif
