/* SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include "codec/text.h"

void wgdn_edges_free(wgdn_edges *e)
{
    wgdn_release(e->end);
    *e = (wgdn_edges){0};
}

wgdn_status wgdn_edges_reserve(wgdn_edges *e, int64_t more, const char *name, wgdn_error *err)
{
    if (e->count + more > e->max)
        return wgdn_fail(err, WGDN_ERANGE, "%s: more than %lld edges, the most allowed here",
                         wgdn_show_name(name).text, (long long)e->max);
    if (!wgdn_grow(&e->end, &e->room, 2 * (e->count + more), sizeof *e->end))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: more than %lld edges", wgdn_show_name(name).text,
                         (long long)e->count);
    return WGDN_OK;
}

wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target, const char *name,
                           wgdn_error *err)
{
    const wgdn_status st = wgdn_edges_reserve(e, 1, name, err);
    if (st) return st;
    e->end[2 * e->count] = source;
    e->end[2 * e->count + 1] = target;
    e->count++;
    return WGDN_OK;
}

bool wgdn_edges_weigh(wgdn_edges *e, double weight)
{
    if (weight == 0) {
        e->zero_weights++;
        return false;
    }
    e->other_weights += weight != 1;
    return true;
}
