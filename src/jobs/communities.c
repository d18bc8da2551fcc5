/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds communities of a graph by modularity: nodes move one by one, communities become nodes of a
 * smaller graph, and so on. clusters.c compares them with clusters of the vectors.
 */
#include "base/streams.h"
#include "clusters.h"

#include <math.h>
#include <string.h>

/*
 * Modularity of groups:                                                       [WGDN:modularity]
 *
 *     Q = sum_c (w_c / 2m - (d_c / 2m)^2),   w_c: weight inside c, counted twice;  d_c: its degrees
 *
 * A node goes to the neighboring group with the largest gain, where one is above 0, and its
 * neighbors outside that group are looked at again. Then groups become nodes. In the end nodes move once more
 * between the groups found. One thread does it, so the result depends on the seed alone.
 */

enum { LEVELS_MAX = 64, ROUNDS = 4 };
static const double least_gain = 1e-12;

/* A graph whose nodes may be groups. Entries of a node with itself are counted in `inside`. */
typedef struct level {
    int64_t n;
    int64_t *offset; /* n + 1 */
    int32_t *column;
    double *weight; /* of each entry */
    double *degree; /* with what is inside */
    bool owned;
    wgdn_arrays arrays;
} level;

typedef struct moving {
    const level *g;
    double total;    /* 2m */
    int32_t *group;  /* n */
    double *degrees; /* n: of each group */
    double *to;      /* n: weight from a node to each group; zeros between nodes */
    int32_t *seen;   /* groups that a node has a neighbor in */
    int32_t *queue;  /* a ring of nodes to look at */
    uint8_t *waiting;
    wgdn_arrays arrays;
} moving;

static void release_level(level *g)
{
    wgdn_arrays_release(&g->arrays);
    *g = (level){0};
}

static wgdn_status alloc_level(level *g, int64_t n, int64_t entries, wgdn_error *err)
{
    *g = (level){.n = n};
    g->offset = wgdn_arrays_add_zero(&g->arrays, (size_t)n + 1, sizeof *g->offset);
    g->column = wgdn_arrays_add(&g->arrays, (size_t)entries, sizeof *g->column);
    g->weight = wgdn_arrays_add(&g->arrays, (size_t)entries, sizeof *g->weight);
    g->degree = wgdn_arrays_add_zero(&g->arrays, (size_t)n, sizeof *g->degree);
    if (!g->arrays.failed) return WGDN_OK;
    release_level(g);
    return wgdn_fail(err, WGDN_ENOMEM, "communities: %lld nodes, %lld edges", (long long)n,
                     (long long)entries / 2);
}

static wgdn_status open_moving(moving *m, const level *g, wgdn_error *err)
{
    const size_t n = (size_t)g->n;
    *m = (moving){.g = g};
    m->group = wgdn_arrays_add(&m->arrays, n, sizeof *m->group);
    m->degrees = wgdn_arrays_add_zero(&m->arrays, n, sizeof *m->degrees);
    m->to = wgdn_arrays_add_zero(&m->arrays, n, sizeof *m->to);
    m->seen = wgdn_arrays_add(&m->arrays, n, sizeof *m->seen);
    m->queue = wgdn_arrays_add(&m->arrays, n, sizeof *m->queue);
    m->waiting = wgdn_arrays_add(&m->arrays, n, sizeof *m->waiting);
    for (int64_t i = 0; i < g->n; i++)
        m->total += g->degree[i];
    return m->arrays.failed ? wgdn_fail(err, WGDN_ENOMEM, "communities: %lld nodes", (long long)n)
                            : WGDN_OK;
}

/* Starts from groups below n; NULL: every node by itself. */
static void start_moving(moving *m, const int32_t *group)
{
    memset(m->degrees, 0, (size_t)m->g->n * sizeof *m->degrees);
    for (int64_t i = 0; i < m->g->n; i++) {
        m->group[i] = group ? group[i] : (int32_t)i;
        m->degrees[m->group[i]] += m->g->degree[i];
    }
}

/* The best group of a node, which has been taken out of its own; ties go to the lower number. */
static int32_t choose_group(moving *m, int64_t i)
{
    const level *g = m->g;
    const int32_t own = m->group[i];
    const double share = g->degree[i] / m->total;
    int64_t seen = 0;
    for (int64_t k = g->offset[i]; k < g->offset[i + 1]; k++) {
        const int32_t c = m->group[g->column[k]];
        if (g->column[k] == i) continue;
        if (m->to[c] <= 0) m->seen[seen++] = c;
        m->to[c] += g->weight[k];
    }
    int32_t best = own;
    double most = m->to[own] - share * m->degrees[own] + least_gain * m->total;
    for (int64_t k = 0; k < seen; k++) {
        const int32_t c = m->seen[k];
        const double gain = m->to[c] - share * m->degrees[c];
        if (c != own && (gain > most || (gain >= most && c < best))) {
            most = gain;
            best = c;
        }
    }
    for (int64_t k = 0; k < seen; k++)
        m->to[m->seen[k]] = 0;
    return best;
}

/* Moves nodes until none gains; the first look is in a random order. Returns how many moved. */
static int64_t move_nodes(moving *m, wgdn_stream s)
{
    const level *g = m->g;
    int64_t first = 0, count = g->n, moves = 0;
    for (int64_t i = 0; i < g->n; i++) {
        const int64_t j = (int64_t)(wgdn_random_bits(s, i, 0) % (uint64_t)(i + 1));
        m->queue[i] = m->queue[j];
        m->queue[j] = (int32_t)i;
        m->waiting[i] = 1;
    }
    while (count > 0 && (count % 1024 || !wgdn_stopping())) {
        const int64_t i = m->queue[first];
        first = first + 1 < g->n ? first + 1 : 0;
        count--;
        m->waiting[i] = 0;
        m->degrees[m->group[i]] -= g->degree[i];
        const int32_t best = choose_group(m, i), former = m->group[i];
        m->group[i] = best;
        m->degrees[best] += g->degree[i];
        if (best == former) continue;
        moves++;
        for (int64_t k = g->offset[i]; k < g->offset[i + 1]; k++) {
            const int32_t j = g->column[k];
            if (m->waiting[j] || m->group[j] == best) continue;
            m->waiting[j] = 1;
            m->queue[(first + count++) % g->n] = j;
        }
    }
    return moves;
}

/* Numbers groups 0, 1, ... in order of their first node; returns how many there are. */
static int64_t number_groups(int32_t *group, int64_t n, int32_t *room)
{
    int32_t count = 0;
    for (int64_t i = 0; i < n; i++)
        room[i] = -1;
    for (int64_t i = 0; i < n; i++) {
        if (room[group[i]] < 0) room[group[i]] = count++;
        group[i] = room[group[i]];
    }
    return count;
}

/* The graph of the groups of another; columns of a node are in order of appearance. */
static wgdn_status contract(level *to, const level *g, const int32_t *group, int64_t groups,
                            wgdn_error *err)
{
    wgdn_arrays a = {0};
    int64_t *start = wgdn_arrays_add_zero(&a, (size_t)groups + 1, sizeof *start);
    int32_t *member = wgdn_arrays_add(&a, (size_t)g->n, sizeof *member);
    int64_t *place = wgdn_arrays_add(&a, (size_t)groups, sizeof *place), used = 0;
    wgdn_status st =
        a.failed ? wgdn_fail(err, WGDN_ENOMEM, "communities: %lld groups", (long long)groups)
                 : alloc_level(to, groups, g->offset[g->n], err);
    for (int64_t i = 0; !st && i < g->n; i++)
        start[group[i] + 1]++;
    for (int64_t c = 0; !st && c < groups; c++) {
        start[c + 1] += start[c];
        place[c] = start[c];
    }
    for (int64_t i = 0; !st && i < g->n; i++)
        member[place[group[i]]++] = (int32_t)i;
    for (int64_t c = 0; !st && c < groups; c++)
        place[c] = -1;
    for (int64_t c = 0; !st && c < groups; c++) {
        const int64_t from = used;
        for (int64_t k = start[c]; k < start[c + 1]; k++) {
            const int64_t i = member[k];
            to->degree[c] += g->degree[i];
            for (int64_t e = g->offset[i]; e < g->offset[i + 1]; e++) {
                const int32_t other = group[g->column[e]];
                if (place[other] < from) {
                    place[other] = used;
                    to->column[used] = other;
                    to->weight[used++] = 0;
                }
                to->weight[place[other]] += g->weight[e];
            }
        }
        to->offset[c + 1] = used;
    }
    wgdn_arrays_release(&a);
    return st;
}

/* One pass up the levels from the groups given, which it improves in place. */
static wgdn_status climb(int32_t *group, const level *base, uint64_t seed, int pass, int32_t *room,
                         wgdn_error *err)
{
    level now = {0}, next;
    const level *g = base;
    wgdn_status st = WGDN_OK;
    for (int k = 0; !st && k < LEVELS_MAX; k++) {
        const wgdn_stream s = {seed, (uint32_t)(k + pass * LEVELS_MAX), WGDN_CALL_KMEANS};
        moving m;
        st = open_moving(&m, g, err);
        if (!st) {
            start_moving(&m, k == 0 && pass > 0 ? group : NULL);
            const int64_t moves = move_nodes(&m, s);
            st = wgdn_stop_check(err);
            const int64_t groups = number_groups(m.group, g->n, room);
            for (int64_t i = 0; k > 0 && i < base->n; i++)
                group[i] = m.group[group[i]];
            if (k == 0) memcpy(group, m.group, (size_t)g->n * sizeof *group);
            const bool done = groups == g->n || (moves == 0 && k > 0);
            if (!st && !done) st = contract(&next, g, m.group, groups, err);
            wgdn_arrays_release(&m.arrays);
            release_level(&now);
            if (st || done) break;
            now = next;
            g = &now;
        } else {
            wgdn_arrays_release(&m.arrays);
        }
    }
    release_level(&now);
    return st;
}

wgdn_status wgdn_communities_find(int32_t *group, int64_t *groups, const wgdn_csr *a, uint64_t seed,
                                  wgdn_error *err)
{
    level base;
    int32_t *room = wgdn_alloc((size_t)a->rows, sizeof *room);
    wgdn_status st =
        room ? alloc_level(&base, a->rows, wgdn_csr_entries(a), err)
             : wgdn_fail(err, WGDN_ENOMEM, "communities: %lld nodes", (long long)a->rows);
    if (st) {
        wgdn_release(room);
        return st;
    }
    memcpy(base.offset, a->offset, ((size_t)a->rows + 1) * sizeof *base.offset);
    memcpy(base.column, a->column, (size_t)wgdn_csr_entries(a) * sizeof *base.column);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            base.weight[k] = a->value ? (double)a->value[k] : 1;
            base.degree[i] += base.weight[k];
        }
    for (int r = 0; !st && r < ROUNDS; r++)
        st = climb(group, &base, seed, r, room, err);
    if (!st) *groups = number_groups(group, a->rows, room);
    release_level(&base);
    wgdn_release(room);
    return st;
}

double wgdn_modularity(const int32_t *group, int64_t groups, const wgdn_csr *a, double *degrees)
{
    double inside = 0, total = 0, squares = 0;
    memset(degrees, 0, (size_t)groups * sizeof *degrees);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const double w = a->value ? (double)a->value[k] : 1;
            total += w;
            degrees[group[i]] += w;
            if (group[i] == group[a->column[k]]) inside += w;
        }
    if (total <= 0) return NAN;
    for (int64_t c = 0; c < groups; c++)
        squares += degrees[c] / total * (degrees[c] / total);
    return inside / total - squares;
}
