/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes node orders that place neighbors close together in memory, with METIS or Scotch.
 * wgdn_dataset_reorder() and `wgdn convert --order` call it.
 */
#include "graph.h"

/*
 * piece[i] in 0 .. pieces - 1 for every node: about equal pieces, few edges between them, numbered
 * by halving, so that those with close numbers are near. The same for the same graph, every time.
 * WGDN_ENOSUPPORT where the library is not built in.
 */

#ifdef WGDN_HAVE_METIS

#include <metis.h>

/* METIS has index arrays of its own width, which its package chose. */
static wgdn_status copy_rows(idx_t **start, idx_t **column, const wgdn_csr *a, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(a);
    if (sizeof(idx_t) == 4 && entries > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE,
                         "order: METIS is built for 2^31 - 1 entries, the graph has %lld",
                         (long long)entries);
    *start = wgdn_alloc((size_t)a->rows + 1, sizeof **start);
    *column = wgdn_alloc((size_t)entries, sizeof **column);
    if (!*start || !*column)
        return wgdn_fail(err, WGDN_ENOMEM, "order: a copy of %lld entries", (long long)entries);
    for (int64_t i = 0; i <= a->rows; i++)
        (*start)[i] = (idx_t)a->offset[i];
    for (int64_t k = 0; k < entries; k++)
        (*column)[k] = a->column[k];
    return WGDN_OK;
}

static wgdn_status cut_metis(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    idx_t option[METIS_NOPTIONS], n = (idx_t)a->rows, parts = (idx_t)pieces, balance = 1, cut = 0;
    idx_t *start = NULL, *column = NULL, *part = NULL;
    wgdn_status st = copy_rows(&start, &column, a, err);
    if (st) goto done;
    part = wgdn_alloc((size_t)n, sizeof *part);
    if (!part) {
        st = wgdn_fail(err, WGDN_ENOMEM, "order: pieces of %lld nodes", (long long)n);
        goto done;
    }
    METIS_SetDefaultOptions(option);
    option[METIS_OPTION_SEED] = 1;
    const int said = METIS_PartGraphRecursive(&n, &balance, start, column, NULL, NULL, NULL, &parts,
                                              NULL, NULL, option, &cut, part);
    if (said == METIS_ERROR_MEMORY)
        st = wgdn_fail(err, WGDN_ENOMEM, "order: METIS has no memory for %lld nodes", (long long)n);
    else if (said != METIS_OK)
        st = wgdn_fail(err, WGDN_EENGINE, "order: METIS failed on %lld nodes (%d)", (long long)n,
                       said);
    for (int64_t i = 0; !st && i < n; i++)
        piece[i] = (int32_t)part[i];

done:
    wgdn_release(part);
    wgdn_release(column);
    wgdn_release(start);
    return st;
}

#else

static wgdn_status cut_metis(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    (void)piece, (void)pieces, (void)a;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "order: METIS is not built in; install libmetis-dev and build again");
}

#endif

#ifdef WGDN_HAVE_SCOTCH

#include <stdio.h> /* scotch.h wants FILE */

#include <scotch.h>

/* Scotch's handles, and its own copy of the rows. */
typedef struct scotch {
    SCOTCH_Context context;
    SCOTCH_Graph graph, bound;
    SCOTCH_Strat strategy;
    SCOTCH_Num *start, *column, *part;
    wgdn_arrays arrays;
} scotch;

static wgdn_status order_scotch_copy_rows(scotch *s, const wgdn_csr *a, wgdn_error *err)
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
    s->start = wgdn_arrays_add(&s->arrays, (size_t)a->rows + 1, sizeof *s->start);
    s->column = wgdn_arrays_add(&s->arrays, (size_t)entries, sizeof *s->column);
    s->part = wgdn_arrays_add(&s->arrays, (size_t)a->rows, sizeof *s->part);
    if (s->arrays.failed)
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

static wgdn_status cut_scotch(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    scotch s = {0};
    wgdn_status st = order_scotch_copy_rows(&s, a, err);
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
    wgdn_arrays_release(&s.arrays);
    return st;
}

#else

static wgdn_status cut_scotch(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    (void)piece, (void)pieces, (void)a;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "order: Scotch is not built in; install libscotch-dev and build again");
}

#endif

/*
 * Orders the nodes so that neighbors are close together. The graph is bisected repeatedly, with few
 * edges cut, down to pieces of some hundred nodes. The two halves of a piece are adjacent, so any
 * run of adjacent pieces is a compact part of the graph, whatever its length; ranks own such runs.
 * Within a piece the nodes keep their order.
 */

enum { PIECE = 128 }; /* nodes; 64 to 256 measured alike, 1024 gains a fifth less */

static wgdn_status cut(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_order how,
                       wgdn_error *err)
{
    if (how == WGDN_ORDER_METIS) return cut_metis(piece, pieces, a, err);
    return cut_scotch(piece, pieces, a, err);
}

/* node[r] is the r-th node by pieces, equal ones in the order they had. */
static void sort_by_piece(int32_t *node, int64_t *start, const int32_t *piece, int64_t pieces,
                          int64_t n)
{
    for (int64_t p = 0; p <= pieces; p++)
        start[p] = 0;
    for (int64_t i = 0; i < n; i++)
        start[piece[i] + 1]++;
    for (int64_t p = 0; p < pieces; p++)
        start[p + 1] += start[p];
    for (int64_t i = 0; i < n; i++)
        node[start[piece[i]]++] = (int32_t)i;
}

wgdn_status wgdn_graph_order(int32_t *node, const wgdn_graph *g, wgdn_order how, wgdn_error *err)
{
    const int64_t n = g->adjacency.rows, pieces = (n + PIECE - 1) / PIECE;
    int32_t *piece = wgdn_alloc_zero((size_t)n, sizeof *piece);
    int64_t *start = wgdn_alloc((size_t)pieces + 1, sizeof *start);
    wgdn_status st = WGDN_OK;
    if (!piece || !start)
        st = wgdn_fail(err, WGDN_ENOMEM, "order: pieces of %lld nodes", (long long)n);
    else if (pieces > 1)
        st = cut(piece, pieces, &g->adjacency, how, err);
    if (!st) sort_by_piece(node, start, piece, pieces, n);
    wgdn_release(start);
    wgdn_release(piece);
    return st;
}

/*
 * The rows of a symmetric matrix are visited in their new order and each writes its number into its
 * neighbors' rows, which therefore ascend: nothing is sorted.
 */
wgdn_status wgdn_graph_arrange(wgdn_graph **out, const wgdn_graph *g, const int32_t *row,
                               wgdn_error *err)
{
    const wgdn_csr *from = &g->adjacency;
    const int64_t n = from->rows;
    wgdn_csr a = {.rows = n, .cols = n};
    int64_t *end = wgdn_alloc((size_t)n, sizeof *end); /* of each old row in its new place */
    wgdn_status st = WGDN_OK;
    a.offset = wgdn_alloc((size_t)n + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)wgdn_csr_entries(from), sizeof *a.column);
    if (from->value) a.value = wgdn_alloc((size_t)wgdn_csr_entries(from), sizeof *a.value);
    if (!end || !a.offset || !a.column || (from->value && !a.value)) {
        st = wgdn_fail(err, WGDN_ENOMEM, "order: a copy of a graph with %lld nodes", (long long)n);
        goto done;
    }
    a.offset[0] = 0;
    for (int64_t r = 0; r < n; r++) {
        const int64_t i = row[r];
        end[i] = a.offset[r];
        a.offset[r + 1] = a.offset[r] + from->offset[i + 1] - from->offset[i];
    }
    for (int64_t r = 0; r < n; r++)
        for (int64_t k = from->offset[row[r]]; k < from->offset[row[r] + 1]; k++) {
            const int64_t to = end[from->column[k]]++;
            a.column[to] = (int32_t)r;
            if (a.value) a.value[to] = from->value[k];
        }
    st = wgdn_graph_from_rows(out, &a, false, err);

done:
    if (st) wgdn_csr_free(&a);
    wgdn_release(end);
    return st;
}
