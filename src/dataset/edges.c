/* SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include "codec/text.h"

#include <math.h>
#include <stdio.h>

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

bool wgdn_edges_weigh(wgdn_edges *e)
{
    if (e->weight) return true;
    if (!wgdn_grow(&e->weight, &e->weight_room, e->room / 2, sizeof *e->weight)) return false;
    for (int64_t k = 0; k < e->count; k++)
        e->weight[k] = 1;
    return true;
}

/* FILE:LINE: the weight W, or FILE: the weight W of WHAT K, where there are no lines. */
static wgdn_status refuse_weight(double weight, const char *name, int64_t line, const char *what,
                                 wgdn_error *err)
{
    char at[64] = "";
    if (line > 0) snprintf(at, sizeof at, ":%lld", (long long)line);
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s%s: the weight %g%s %s; --weights ignore takes the edges alone",
                     wgdn_show_name(name).text, at, weight, what,
                     weight < 0          ? "is negative"
                     : !isfinite(weight) ? "is not a finite number"
                                         : "is not 0 and not within 1e-30 .. 1e+20");
}

static const double largest_sum = 1e36;

static bool usable(double weight)
{
    return weight >= wgdn_weight_min && weight <= wgdn_weight_max;
}

wgdn_status wgdn_weights_check(const float *value, int64_t entries, const char *name,
                               wgdn_error *err)
{
    for (int64_t k = 0; k < entries; k++)
        if (!(value[k] >= wgdn_weight_min / 2 && value[k] <= largest_sum)) {
            char what[64];
            snprintf(what, sizeof what, " of entry %lld", (long long)k);
            return refuse_weight(value[k], name, 0, what, err);
        }
    return WGDN_OK;
}

wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target, double weight,
                           const char *name, wgdn_error *err)
{
    if (weight == 0) {
        e->zero_weights++;
        return WGDN_OK;
    }
    if (e->weights == WGDN_WEIGHTS_IGNORE) {
        e->other_weights += weight != 1;
        weight = 1;
    } else if (!usable(weight)) {
        const int64_t at = e->count + e->zero_weights;
        char what[64] = "";
        if (!e->line) snprintf(what, sizeof what, " of edge %lld", (long long)at);
        return refuse_weight(weight, name, e->line, what, err);
    }
    const wgdn_status st = wgdn_edges_reserve(e, 1, name, err);
    if (st) return st;
    if (weight != 1 && !wgdn_edges_weigh(e)) /* the first one: all before it get theirs */
        return wgdn_fail(err, WGDN_ENOMEM, "%s: weights of %lld edges", wgdn_show_name(name).text,
                         (long long)e->count);
    if (e->weight) e->weight[e->count] = (float)weight;
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
