/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the random-walk matrix P = D^-1 A of every direction and type of edges, before the edges
 * become the undirected graph. The closed form uses them in relation_blocks.c.
 *
 * A_ij is the weight of all edges from i to j, given once or several times. The forward relation
 * uses A, the backward relation A^T, and a relation without direction A + A^T.
 */
#include "relations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum sense { ALONG, AGAINST, EITHER } sense;

static wgdn_status no_memory(int64_t n, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "directions and types of %lld edges", (long long)n);
}

/* ---- one relation ---- */

/* The edges of one type as rows in the order of the edges, each sense a pass. */
static wgdn_status scatter(wgdn_csr *a, const wgdn_edges *e, int64_t n, int32_t type, sense way,
                           wgdn_error *err)
{
    const bool there = way != AGAINST, back = way != ALONG;
    *a = (wgdn_csr){.rows = n, .cols = n};
    a->offset = wgdn_alloc_zero((size_t)n + 2, sizeof *a->offset);
    if (!a->offset) return no_memory(e->count, err);
    int64_t *const end = a->offset + 1; /* of row i, once it is filled: end[i] */
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = 0; k < e->count; k++) {
            const int32_t u = e->end[2 * k], v = e->end[2 * k + 1];
            if (u == v || (e->type && e->type[k] != type)) continue;
            for (int turn = 0; turn < 2; turn++) {
                const int32_t from = turn ? v : u, to = turn ? u : v;
                if (!(turn ? back : there)) continue;
                if (!pass) {
                    end[from + 1]++;
                    continue;
                }
                a->value[end[from]] = e->weight ? e->weight[k] : 1;
                a->column[end[from]++] = to;
            }
        }
        if (pass) break;
        for (int64_t i = 0; i < n; i++)
            end[i + 1] += end[i];
        a->column = wgdn_alloc((size_t)end[n], sizeof *a->column);
        a->value = wgdn_alloc((size_t)end[n], sizeof *a->value);
        if (!a->column || !a->value) return no_memory(e->count, err);
    }
    return WGDN_OK;
}

/* Columns that repeat are added up, logarithms taken, then every row is divided by its sum. */
static void settle_rows(wgdn_csr *a, bool logs)
{
    int64_t kept = 0, start = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t end = a->offset[i + 1], first = kept;
        double sum = 0;
        for (int64_t k = start; k < end; k++) {
            if (kept > first && a->column[kept - 1] == a->column[k]) {
                a->value[kept - 1] += a->value[k];
                continue;
            }
            a->value[kept] = a->value[k];
            a->column[kept++] = a->column[k];
        }
        for (int64_t k = first; k < kept; k++) {
            if (logs) a->value[k] = log1pf(a->value[k]);
            sum += (double)a->value[k];
        }
        for (int64_t k = first; k < kept; k++)
            a->value[k] = (float)((double)a->value[k] / sum);
        a->offset[i + 1] = kept;
        start = end;
    }
}

static wgdn_status make_one(wgdn_csr *out, const wgdn_edges *e, int64_t n, int32_t type, sense way,
                            wgdn_error *err)
{
    wgdn_csr scattered, turned = {0};
    wgdn_status st = scatter(&scattered, e, n, type, way, err);
    if (!st) st = wgdn_csr_transpose(&turned, &scattered, err);
    if (!st) st = wgdn_csr_transpose(out, &turned, err); /* now rows ascend */
    if (!st) settle_rows(out, e->weights == WGDN_WEIGHTS_LOG && e->weight);
    wgdn_csr_free(&turned);
    wgdn_csr_free(&scattered);
    return st;
}

/* ---- all of them ---- */

/* Behind the relations that are there. */
static wgdn_status append(wgdn_relations *r, const wgdn_csr *a, wgdn_error *err)
{
    wgdn_csr *all = &r->rows;
    const int64_t n = a->rows, rows = all->rows, had = rows ? wgdn_csr_entries(all) : 0;
    const int64_t entries = had + wgdn_csr_entries(a);
    wgdn_csr next;
    if (!wgdn_csr_alloc(&next, rows + n, n, entries, true)) return no_memory(entries, err);
    if (had) {
        memcpy(next.column, all->column, (size_t)had * sizeof *next.column);
        memcpy(next.value, all->value, (size_t)had * sizeof *next.value);
    }
    for (int64_t i = 1; i <= rows; i++)
        next.offset[i] = all->offset[i];
    for (int64_t i = 1; i <= n; i++)
        next.offset[rows + i] = had + a->offset[i];
    if (entries > had) {
        const size_t more = (size_t)(entries - had);
        memcpy(next.column + had, a->column, more * sizeof *next.column);
        memcpy(next.value + had, a->value, more * sizeof *next.value);
    }
    wgdn_csr_free(all);
    *all = next;
    r->count++;
    return WGDN_OK;
}

/* "buys forward"; a type, a direction, or both. */
static wgdn_status name_all(wgdn_relations *r, const wgdn_names *types, const sense *way, int ways,
                            wgdn_error *err)
{
    static const char *const word[] = {"forward", "backward", ""};
    enum { ROOM = 160 };
    char(*name)[ROOM] = wgdn_alloc((size_t)r->count, sizeof *name);
    wgdn_text *text = wgdn_alloc((size_t)r->count, sizeof *text);
    wgdn_status st = name && text ? WGDN_OK : no_memory(r->count, err);
    for (int64_t k = 0; k < r->count && !st; k++) {
        const char *direction = word[way[k % ways]];
        const wgdn_text type = types->count ? wgdn_names_get(types, k / ways) : (wgdn_text){0};
        snprintf(name[k], ROOM, "%.*s%s%s", (int)(type.size < 128 ? type.size : 128),
                 type.size ? (const char *)type.at : "", type.size && *direction ? " " : "",
                 direction);
        text[k] = wgdn_text_of(name[k], strlen(name[k]));
    }
    if (!st) st = wgdn_names_from(&r->names, text, r->count, err);
    wgdn_release(text);
    wgdn_release(name);
    return st;
}

wgdn_status wgdn_relations_make(wgdn_relations *r, const wgdn_edges *e, int64_t n,
                                wgdn_direction direction, const wgdn_names *types, wgdn_error *err)
{
    static const sense ways[][2] = {[WGDN_DIRECTION_IGNORE] = {EITHER},
                                    [WGDN_DIRECTION_FORWARD] = {ALONG},
                                    [WGDN_DIRECTION_BACKWARD] = {AGAINST},
                                    [WGDN_DIRECTION_BOTH] = {ALONG, AGAINST}};
    const bool one = direction == WGDN_DIRECTION_IGNORE && types->count < 2;
    const int count = direction == WGDN_DIRECTION_BOTH ? 2 : 1;
    wgdn_status st = WGDN_OK;
    *r = (wgdn_relations){0};
    if (one) return WGDN_OK; /* the graph itself */
    if (types->count > WGDN_TYPES_MAX)
        return wgdn_fail(err, WGDN_ERANGE,
                         "%lld types of edges; the maximum is %d: merge some, or leave --type out",
                         (long long)types->count, WGDN_TYPES_MAX);
    for (int64_t t = 0; t < (types->count ? types->count : 1) && !st; t++)
        for (int w = 0; w < count && !st; w++) {
            const sense way = e->mutual ? EITHER : ways[direction][w];
            wgdn_csr a = {0};
            st = make_one(&a, e, n, (int32_t)t, way, err);
            if (!st) st = append(r, &a, err);
            wgdn_csr_free(&a);
        }
    if (!st) st = name_all(r, types, ways[direction], count, err);
    if (st) wgdn_relations_free(r);
    return st;
}

/* ---- reordering the nodes ---- */

/* Rows in their new order, columns by their new names: turned twice, they ascend again. */
static wgdn_status arrange_one(wgdn_csr *out, const wgdn_csr *a, const int32_t *row,
                               const int32_t *place, wgdn_error *err)
{
    const int64_t n = a->rows, first = a->offset[0], entries = a->offset[n] - first;
    wgdn_csr moved, turned = {0};
    if (!wgdn_csr_alloc(&moved, n, n, entries, true)) return no_memory(entries, err);
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = a->offset[row[i]]; k < a->offset[row[i] + 1]; k++, at++) {
            moved.column[at] = place[a->column[k]];
            moved.value[at] = a->value[k];
        }
        moved.offset[i + 1] = at;
    }
    wgdn_status st = wgdn_csr_transpose(&turned, &moved, err);
    if (!st) st = wgdn_csr_transpose(out, &turned, err);
    wgdn_csr_free(&turned);
    wgdn_csr_free(&moved);
    return st;
}

wgdn_status wgdn_relations_arrange(wgdn_relations *out, const wgdn_relations *r, const int32_t *row,
                                   wgdn_error *err)
{
    const int64_t n = r->rows.cols;
    *out = (wgdn_relations){0};
    if (!r->count) return WGDN_OK;
    wgdn_text *text = wgdn_alloc((size_t)r->count, sizeof *text);
    int32_t *place = wgdn_alloc((size_t)n, sizeof *place);
    wgdn_status st = text && place ? WGDN_OK : no_memory(n, err);
    for (int64_t i = 0; i < n && !st; i++)
        place[row[i]] = (int32_t)i;
    for (int64_t k = 0; k < r->count && !st; k++) {
        const wgdn_csr one = wgdn_relations_get(r, k);
        wgdn_csr a = {0};
        st = arrange_one(&a, &one, row, place, err);
        if (!st) st = append(out, &a, err);
        wgdn_csr_free(&a);
        text[k] = wgdn_names_get(&r->names, k);
    }
    if (!st) st = wgdn_names_from(&out->names, text, r->count, err);
    if (st) wgdn_relations_free(out);
    wgdn_release(place);
    wgdn_release(text);
    return st;
}
