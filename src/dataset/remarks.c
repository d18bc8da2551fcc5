/* SPDX-License-Identifier: Apache-2.0 */
#include "dataset.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 32, SENTENCE = 480 }; /* bytes, of which some names are cut */

wgdn_status wgdn_remarks_add(wgdn_remarks *r, const char *what, int64_t count, wgdn_error *err,
                             const char *format, ...)
{
    va_list args;
    char *text = wgdn_alloc(WORD + SENTENCE, 1);
    if (!text || !wgdn_grow(&r->list, &r->room, r->count + 1, sizeof *r->list)) {
        wgdn_release(text);
        return wgdn_fail(err, WGDN_ENOMEM, "a remark on %.40s", what);
    }
    snprintf(text, WORD, "%s", what);
    va_start(args, format);
    vsnprintf(text + WORD, SENTENCE, format, args);
    va_end(args);
    r->list[r->count++] = (wgdn_remark){.what = text, .text = text + WORD, .count = count};
    return WGDN_OK;
}

void wgdn_remarks_free(wgdn_remarks *r)
{
    for (int64_t i = 0; i < r->count; i++)
        wgdn_release((void *)(uintptr_t)r->list[i].what);
    wgdn_release(r->list);
    *r = (wgdn_remarks){0};
}

/* ---- what every reader counts ---- */

typedef struct counted {
    const char *what;
    int64_t count;
    const char *one, *many; /* behind the number */
} counted;

wgdn_status wgdn_dataset_remark_counts(wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_dataset_counts *c = &d->counts;
    /* Each in both directions, and with the same weight: as usual. */
    const bool both = c->repeats == wgdn_dataset_edges(d) && !d->summed;
    const counted all[] = {
        {"self-loops", c->self_loops, "self loop was dropped", "self loops were dropped"},
        {"duplicates", both ? 0 : c->repeats,
         d->summed ? "repeated or reversed edge; its weights were added up"
                   : "repeated or reversed edge merged",
         d->summed ? "repeated or reversed edges; their weights were added up"
                   : "repeated or reversed edges merged"},
        {"zero-weights", c->zero_weights, "edge of weight 0 was dropped",
         "edges of weight 0 were dropped"},
        {"weights-ignored", c->other_weights, "weight other than 1 counts as 1",
         "weights other than 1 count as 1"},
        {"without-features", c->without_features, "node has no features: zeros",
         "nodes have no features: zeros"},
        {"attributes-ignored", c->attributes_ignored, "attribute was ignored",
         "attributes were ignored"},
    };
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !st; i++)
        if (all[i].count > 0)
            st = wgdn_remarks_add(&d->remarks, all[i].what, all[i].count, err, "%lld %s",
                                  (long long)all[i].count,
                                  all[i].count == 1 ? all[i].one : all[i].many);
    return st;
}
