/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting and embedding: the parts one after the other, each in its columns. */
#include "graphs.h"

#include <math.h>
#include <string.h>

static void free_part(wgdn_fitted_part *p)
{
    wgdn_kept_free(p->kept);
    wgdn_release(p->block);
    wgdn_release(p->centre);
    wgdn_release(p->map);
    wgdn_release(p->offset);
    if (!p->held.at) wgdn_release(p->basis);
    wgdn_spill_close(&p->held);
}

void wgdn_fitted_free(wgdn_fitted *f)
{
    if (!f) return;
    for (int i = 0; i < f->parts; i++)
        free_part(&f->part[i]);
    wgdn_release(f->refined.out);
    wgdn_release(f->refined.in);
    wgdn_remarks_free(&f->remarks);
    wgdn_names_free(&f->relations);
    wgdn_graph_form_free(f->graphs);
    if (!f->id_store[0].at) wgdn_names_free(&f->ids);
    wgdn_spill_close(&f->id_store[1]);
    wgdn_spill_close(&f->id_store[0]);
    wgdn_release(f->key);
    wgdn_release(f);
}

int64_t wgdn_fitted_width(const wgdn_fitted *f)
{
    int64_t dim = f->graphs ? f->graphs->dim : 0;
    for (int i = 0; i < f->parts; i++)
        dim += f->part[i].dim;
    return dim;
}

int64_t wgdn_fitted_dim(const wgdn_fitted *f)
{
    const int64_t width = wgdn_fitted_width(f);
    return f->options.pad && f->options.dim > width ? f->options.dim : width;
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

/* What to do about features that tell nothing of a node but which one it is. */
static wgdn_status weigh_features(bool *leave_out, wgdn_fitted *f, const wgdn_fit_input *in,
                                  wgdn_error *err)
{
    static const char *const why[] = {
        [WGDN_WORTH_NOTHING] = "the features are zero for every node",
        [WGDN_WORTH_CONSTANT] = "the features are the same for every node, up to a factor",
        [WGDN_WORTH_IDENTITY] =
            "each node has one feature of its own, which tells no more than its id"};
    const wgdn_fit_options *o = &f->options;
    if (in->tiny > 0) {
        const wgdn_status st = wgdn_remarks_add(
            &f->remarks, "features-tiny", in->tiny, err,
            "%lld %s features below 1e-30, which count as zeros; rescale the features to use them",
            (long long)in->tiny, in->tiny == 1 ? "node has" : "nodes have");
        if (st) return st;
    }
    if (in->worth == WGDN_WORTH_SOMETHING) return WGDN_OK;
    if (in->worth == WGDN_WORTH_IDENTITY && o->scale >= 0) return WGDN_OK;
    if (o->features == WGDN_USE_FEATURES)
        return wgdn_fail(err, WGDN_EINVAL, "%s: vectors need the graph's structure, too",
                         why[in->worth]);
    *leave_out = true;
    return wgdn_remarks_add(&f->remarks, "features-left-out", f->features, err,
                            "%s: vectors are made of the graph's structure alone", why[in->worth]);
}

/* The dataset, with its features unless they tell nothing. */
static wgdn_status open_input(wgdn_fit_input *in, wgdn_fitted *f, const wgdn_dataset *d,
                              wgdn_error *err)
{
    bool leave_out = false;
    wgdn_status st = wgdn_fit_input_open(in, d, f, true, err);
    if (st || !f->features) return st;
    st = weigh_features(&leave_out, f, in, err);
    if (st || !leave_out) return st;
    wgdn_fit_input_close(in);
    f->features = 0;
    f->options.features = WGDN_USE_STRUCTURE;
    f->options.scale = -1;
    return wgdn_fit_input_open(in, d, f, true, err);
}

/* A part, and after the eigenvectors of a graph what depends on them: columns that they do not need
 * are for transitions. */
static wgdn_status learn_part(wgdn_fitted *f, int i, const wgdn_fit_input *in, wgdn_error *err)
{
    wgdn_fitted_part *p = &f->part[i], *next = i + 1 < f->parts ? p + 1 : NULL;
    const int64_t dim = p->dim;
    const wgdn_status st = learn(p, f, in, err);
    if (st || p->kind != WGDN_PART_EIGEN || !next || next->kind != WGDN_PART_TRANSITIONS) return st;
    next->dim += dim - p->dim;
    if (!f->features) next->scale = wgdn_transitions_scale(p->last);
    return st;
}

/* Parts that are zero for every node are left out, unless there is no other. */
static void drop_empty(wgdn_fitted *f)
{
    int kept = 0;
    for (int i = 0; i < f->parts; i++) {
        wgdn_fitted_part p = f->part[i];
        f->part[i] = (wgdn_fitted_part){.dim = 0};
        if (p.empty && (kept > 0 || i + 1 < f->parts))
            free_part(&p);
        else
            f->part[kept++] = p;
    }
    f->parts = kept;
}

static wgdn_status remark_columns(wgdn_fitted *f, wgdn_error *err)
{
    const int64_t width = wgdn_fitted_width(f), dim = f->options.dim;
    if (width >= dim || f->options.pad) return WGDN_OK;
    const bool few = f->features && f->parts > 1 && f->part[0].dim == f->features;
    return wgdn_remarks_add(
        &f->remarks, "fewer-columns", width, err,
        "the vectors have %lld of the %lld columns asked for: %s; --pad adds columns of zeros",
        (long long)width, (long long)dim,
        few ? "few features do not fill more" : "the data has no higher rank");
}

static wgdn_status learn_parts(wgdn_fitted *f, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_fit_options *o = &f->options;
    const wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    const int64_t halo = ranks ? ranks->halo_sent : 0, sums = ranks ? ranks->sums_sent : 0;
    wgdn_fit_input in = {0};
    wgdn_status st = compare(f, d, err);
    if (!st) st = open_input(&in, f, d, err);
    if (!st && f->features && o->scale < 0) st = wgdn_scales_compare(f, &in, err);
    if (!st) st = take_relations(f, &d->relations, err);
    if (!st) st = wgdn_fit_plan(f, err);
    if (!st) st = wgdn_room_check(&in, f, err);
    if (!st) st = wgdn_refine_check(f, &in, err);
    st = wgdn_span_agree(wgdn_dataset_rows(d), st, err);
    for (int i = 0; i < f->parts && !st; i++) {
        st = wgdn_span_agree(in.rows, tell(f, i + 1, err), err);
        if (!st) st = learn_part(f, i, &in, err);
    }
    if (!st) drop_empty(f);
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
    if (!st) st = remark_columns(f, err);
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

/* Rows move apart from the last one on, and are filled up with zeros. */
static void pad_rows(float *vectors, int64_t rows, int64_t width, int64_t dim)
{
    for (int64_t i = rows - 1; i >= 0 && width < dim; i--) {
        memmove(vectors + i * dim, vectors + i * width, (size_t)width * sizeof *vectors);
        memset(vectors + i * dim + width, 0, (size_t)(dim - width) * sizeof *vectors);
    }
}

static wgdn_status embed(wgdn_place to, const wgdn_fitted *f, const wgdn_dataset *d,
                         wgdn_error *err)
{
    wgdn_fit_input in = {0};
    float *vectors = to.out;
    wgdn_status st = wgdn_fit_input_open(&in, d, f, false, err);
    if (!st) st = wgdn_room_check(&in, f, err);
    to.ld = wgdn_fitted_width(f);
    for (int i = 0; i < f->parts && !st; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        to.length = to.ld > 1 ? length_of(f, p) : 0; /* of one column, a sign would be left */
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
    const int64_t rows = f->graphs ? wgdn_dataset_graphs(d) : wgdn_dataset_rows(d).count;
    const wgdn_status st = f->graphs ? wgdn_graph_form_embed(out->at, f, d, err)
                                     : embed((wgdn_place){.out = out->at, .in = out}, f, d, err);
    if (!st) pad_rows(out->at, rows, wgdn_fitted_width(f), wgdn_fitted_dim(f));
    return st;
}

bool wgdn_fitted_has_rows(const wgdn_fitted *f)
{
    const wgdn_part_kind kind = f->part[0].kind;
    return f->parts == 1 && !f->refined.in && wgdn_fitted_dim(f) == wgdn_fitted_width(f) &&
           (kind == WGDN_PART_FILTERED || kind == WGDN_PART_SHARED);
}

wgdn_status wgdn_fitted_write_rows(wgdn_output *file, wgdn_numbers numbers, const wgdn_fitted *f,
                                   const wgdn_dataset *d, int64_t *zeros, wgdn_error *err)
{
    return embed((wgdn_place){.file = file, .numbers = numbers, .zeros = zeros}, f, d, err);
}
