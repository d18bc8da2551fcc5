/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting and embedding: the parts one after the other, each in its columns. */
#include "graphs.h"

#include <math.h>
#include <string.h>

void wgdn_fitted_free(wgdn_fitted *f)
{
    if (!f) return;
    for (int i = 0; i < f->parts; i++) {
        wgdn_kept_free(f->part[i].kept);
        wgdn_release(f->part[i].block);
        wgdn_release(f->part[i].centre);
        wgdn_release(f->part[i].map);
        wgdn_release(f->part[i].offset);
        if (!f->part[i].held.at) wgdn_release(f->part[i].basis);
        wgdn_spill_close(&f->part[i].held);
    }
    wgdn_release(f->refined.out);
    wgdn_release(f->refined.in);
    wgdn_names_free(&f->relations);
    wgdn_graph_form_free(f->graphs);
    if (!f->id_store[0].at) wgdn_names_free(&f->ids);
    wgdn_spill_close(&f->id_store[1]);
    wgdn_spill_close(&f->id_store[0]);
    wgdn_release(f->key);
    wgdn_release(f);
}

int64_t wgdn_fitted_dim(const wgdn_fitted *f)
{
    int64_t dim = f->graphs ? f->graphs->dim : 0;
    for (int i = 0; i < f->parts; i++)
        dim += f->part[i].dim;
    return dim;
}

static wgdn_status tell(const wgdn_fitted *f, int done, wgdn_error *err)
{
    const wgdn_fit_options *o = &f->options;
    if (!o->progress || !o->progress(o->progress_user, done, f->parts + 1 + o->refine))
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "fit: stopped");
}

static wgdn_status tell_epoch(const wgdn_fitted *f, int epoch, wgdn_error *err)
{
    return tell(f, f->parts + epoch, err);
}

static wgdn_status learn(wgdn_fitted_part *p, const wgdn_fitted *f, const wgdn_fit_input *in,
                         wgdn_error *err)
{
    const uint64_t seed = f->options.seed;
    switch (p->kind) {
    case WGDN_PART_FILTERED: return wgdn_filtered_learn(p, in, seed, err);
    case WGDN_PART_EIGEN: return wgdn_eigen_learn(p, in, seed, err);
    case WGDN_PART_TRANSITIONS: return wgdn_transitions_learn(p, in, seed, err);
    case WGDN_PART_SHARED: return wgdn_shared_learn(p, in, seed, err);
    case WGDN_PART_SINGULAR: return wgdn_singular_learn(p, f, in, err);
    case WGDN_PART_RELATED: break;
    }
    return wgdn_related_learn(p, f, in, err);
}

/* The names of what the data has. */
static wgdn_status take_relations(wgdn_fitted *f, const wgdn_relations *r, wgdn_error *err)
{
    if (!r->count) return WGDN_OK;
    wgdn_text *text = wgdn_alloc((size_t)r->count, sizeof *text);
    if (!text) return wgdn_fail(err, WGDN_ENOMEM, "names of %lld relations", (long long)r->count);
    for (int64_t k = 0; k < r->count; k++)
        text[k] = wgdn_names_get(&r->names, k);
    const wgdn_status st = wgdn_names_from(&f->relations, text, r->count, err);
    wgdn_release(text);
    return st;
}

/* What ranks have to have in common before they share anything. */
static wgdn_status compare(const wgdn_fitted *f, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_facts facts = {.used = 0};
    wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    if (!ranks) return WGDN_OK;
    wgdn_facts_add(&facts, "command", "fit");
    wgdn_facts_options(&facts, WGDN_OPTIONS_FIT, &f->options);
    return wgdn_ranks_compare(ranks, WGDN_OK, &facts, err);
}

static wgdn_status learn_parts(wgdn_fitted *f, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_fit_options *o = &f->options;
    const wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    const int64_t halo = ranks ? ranks->halo_sent : 0, sums = ranks ? ranks->sums_sent : 0;
    wgdn_fit_input in = {0};
    wgdn_status st = compare(f, d, err);
    if (!st) st = wgdn_fit_input_open(&in, d, f, true, err);
    if (!st && f->features && o->scale < 0) st = wgdn_scales_compare(f, &in, err);
    if (!st) st = take_relations(f, &d->relations, err);
    if (!st) st = wgdn_fit_plan(f, err);
    if (!st) st = wgdn_room_check(&in, f, err);
    if (!st) st = wgdn_refine_check(f, &in, err);
    st = wgdn_span_agree(wgdn_dataset_rows(d), st, err);
    for (int i = 0; i < f->parts && !st; i++) {
        st = wgdn_span_agree(in.rows, tell(f, i + 1, err), err);
        if (!st) st = learn(&f->part[i], f, &in, err);
        if (!st && f->part[i].kind == WGDN_PART_EIGEN && !f->features)
            f->part[i + 1].scale = wgdn_transitions_scale(f->part[i].last);
    }
    if (!st && o->refine) st = wgdn_refine_learn(f, &in, tell_epoch, err);
    if (!st) st = wgdn_known_settle(f, &in, err);
    f->halo_sent = ranks ? ranks->halo_sent - halo : 0;
    f->sums_sent = ranks ? ranks->sums_sent - sums : 0;
    wgdn_fit_input_close(&in);
    return st;
}

static wgdn_task task_of(const wgdn_fit_options *o, const wgdn_dataset *d)
{
    if (o->task != WGDN_TASK_AUTO) return o->task;
    return wgdn_dataset_graphs(d) > 1 ? WGDN_TASK_GRAPH : WGDN_TASK_NODE;
}

wgdn_status wgdn_fitted_make(wgdn_fitted **out, const wgdn_dataset *d, const wgdn_fit_options *o,
                             wgdn_error *err)
{
    wgdn_fitted *f = wgdn_alloc_zero(1, sizeof *f);
    if (!f) return wgdn_fail(err, WGDN_ENOMEM, "a fitted model");
    f->options = *o;
    f->options.task = task_of(o, d);
    f->origin = wgdn_origin_of(d);
    if (o->features != WGDN_USE_STRUCTURE) f->features = wgdn_dataset_features(d);
    wgdn_status st;
    if (f->options.task != WGDN_TASK_GRAPH)
        st = learn_parts(f, d, err);
    else if (d->relations.count)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "directions and types of edges are for vectors of nodes: leave --directed "
                       "and --type out for whole graphs");
    else
        st = wgdn_graph_form_learn(f, d, err);
    wgdn_fit_show(f);
    f->options.progress = NULL;
    f->options.progress_user = NULL;
    f->options.keep = 0;
    if (st)
        wgdn_fitted_free(f);
    else
        *out = f;
    return st;
}

/* ---- embedding ---- */

typedef struct scaling {
    const wgdn_place *to;
    int64_t dim;
} scaling;

/* Rows of one length; rows of zeros stay. */
static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const scaling *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(s->to->out + i * s->to->ld, s->dim, s->to->length);
}

static wgdn_status embed_part(const wgdn_place *to, const wgdn_fitted_part *p, const wgdn_fitted *f,
                              const wgdn_fit_input *in, wgdn_error *err)
{
    scaling s = {to, p->dim};
    if (p->kind == WGDN_PART_FILTERED) return wgdn_filtered_embed(to, p, in, err);
    if (p->kind == WGDN_PART_SHARED) return wgdn_shared_embed(to, p, in, err);
    const bool singular = p->kind == WGDN_PART_SINGULAR;
    if (!singular && p->kind != WGDN_PART_RELATED) return wgdn_known_embed(to, p, f, in, err);
    const wgdn_status st = singular ? wgdn_singular_embed(to->out, to->ld, p, f, in, err)
                                    : wgdn_related_embed(to->out, to->ld, p, f, in, err);
    if (!st) wgdn_for_blocks(in->rows, scale_rows, &s, NULL, 0, NULL);
    return st;
}

/* The weights of all parts together give vectors of length 1. */
static double length_of(const wgdn_fitted *f, const wgdn_fitted_part *p)
{
    double sum = 0;
    for (int i = 0; i < f->parts; i++)
        sum += f->part[i].weight * f->part[i].weight;
    return p->weight / sqrt(sum);
}

static wgdn_status embed(wgdn_place to, const wgdn_fitted *f, const wgdn_dataset *d,
                         wgdn_error *err)
{
    wgdn_fit_input in = {0};
    float *vectors = to.out;
    wgdn_status st = wgdn_fit_input_open(&in, d, f, false, err);
    if (!st) st = wgdn_room_check(&in, f, err);
    to.ld = wgdn_fitted_dim(f);
    for (int i = 0; i < f->parts && !st; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        to.length = length_of(f, p);
        st = embed_part(&to, p, f, &in, err);
        if (to.out) to.out += p->dim;
    }
    if (!st && f->refined.in) st = wgdn_refine_embed(vectors, f, &in, err);
    wgdn_fit_input_close(&in);
    return st;
}

wgdn_status wgdn_fitted_embed(const wgdn_spill *out, const wgdn_fitted *f, const wgdn_dataset *d,
                              wgdn_error *err)
{
    if (f->graphs) return wgdn_graph_form_embed(out->at, f, d, err);
    return embed((wgdn_place){.out = out->at, .in = out}, f, d, err);
}

bool wgdn_fitted_has_rows(const wgdn_fitted *f)
{
    const wgdn_part_kind kind = f->part[0].kind;
    return f->parts == 1 && !f->refined.in &&
           (kind == WGDN_PART_FILTERED || kind == WGDN_PART_SHARED);
}

wgdn_status wgdn_fitted_write_rows(wgdn_output *file, wgdn_numbers numbers, const wgdn_fitted *f,
                                   const wgdn_dataset *d, wgdn_error *err)
{
    return embed((wgdn_place){.file = file, .numbers = numbers}, f, d, err);
}
