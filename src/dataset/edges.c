/* SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include "codec/text.h"

void wgdn_edges_free(wgdn_edges *e)
{
    wgdn_release(e->type);
    wgdn_release(e->weight);
    wgdn_release(e->end);
    *e = (wgdn_edges){0};
}

wgdn_status wgdn_edges_reserve(wgdn_edges *e, int64_t more, const char *name, wgdn_error *err)
{
    if (e->count + more > e->max)
        return wgdn_fail(err, WGDN_ERANGE, "%s: more than %lld edges, the most allowed here",
                         wgdn_show_name(name).text, (long long)e->max);
    if (!wgdn_grow(&e->end, &e->room, 2 * (e->count + more), sizeof *e->end) ||
        (e->weight && !wgdn_grow(&e->weight, &e->weight_room, e->count + more, sizeof *e->weight)))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: more than %lld edges", wgdn_show_name(name).text,
                         (long long)e->count);
    return WGDN_OK;
}

/* The first weight other than 1: all edges before it get theirs. */
static bool begin_weights(wgdn_edges *e)
{
    if (!wgdn_grow(&e->weight, &e->weight_room, e->room / 2, sizeof *e->weight)) return false;
    for (int64_t k = 0; k < e->count; k++)
        e->weight[k] = 1;
    return true;
}

wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target, double weight,
                           const char *name, wgdn_error *err)
{
    if (weight == 0) {
        e->zero_weights++;
        return WGDN_OK;
    }
    const wgdn_status st = wgdn_edges_reserve(e, 1, name, err);
    if (st) return st;
    if (weight != 1 && !e->weight && !begin_weights(e))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: weights of %lld edges", wgdn_show_name(name).text,
                         (long long)e->count);
    if (e->weight) e->weight[e->count] = (float)weight;
    e->other_weights += weight != 1;
    e->end[2 * e->count] = source;
    e->end[2 * e->count + 1] = target;
    e->count++;
    return WGDN_OK;
}

wgdn_status wgdn_edges_mark(wgdn_edges *e, int32_t type, const char *name, wgdn_error *err)
{
    if (!wgdn_grow(&e->type, &e->type_room, e->count, sizeof *e->type))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: types of %lld edges", wgdn_show_name(name).text,
                         (long long)e->count);
    e->type[e->count - 1] = type;
    return WGDN_OK;
}
