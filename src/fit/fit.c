/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the closed form: it plans the parts of a vector, learns each of them, and embeds data
 * with them. wgdn_model_fit() and wgdn_model_embed() call it; the other files of this folder
 * supply the parts.
 */
#include "fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Plans the parts of a vector. The same rule applies to every dataset, and it uses no labels.
 *
 *     neighbors predict features    the signal that features share with neighbors, filtered at the
 *                                   scale that predicts best; beside it, with less weight, the
 *                                   features themselves if there are many
 *     they hardly do                features as they are, filtered, and structure, side by side,
 *                                   and how many neighbors and features a node has
 *     they do not                   features as they are, and how many
 *     few features                  as they are and after 1, 2, 3 steps, each reduced to its share
 *                                   of the columns if these do not suffice; structure beside them
 *     none                          structure: eigenvectors and transitions, half of the columns
 *                                   each; transitions filtered as far as eigenvalues are near 1
 *
 * Directions and types of edges, where they count, get half of the columns in addition, or more if
 * there are many of them, in equal shares.
 */

static const double tells = 0.06;    /* agreement from which one filter is best */
static const double nothing = 0.005; /* and below which neighbors tell nothing of features */

static const double usual = 2, almost = 0.98; /* a scale, and a part of the best agreement */
static const double beside = 0.3;             /* weight of structure beside few features */

static const double relations_alone = 2; /* weight of directions and types without features */

enum {
    FEW = 32,    /* features */
    TABLE = 64,  /* as many are few, too, where neighbors tell nothing of them */
    HOPS = 3,    /* steps of few features */
    BESIDE = 32, /* columns of structure that count beside them; Minesweeper lost 1.1 by 200 */
    LEAST = 8,   /* columns that are shared between parts */
    PAIR = 2,    /* columns of a part, at least: rows have length 1, one column would be a sign */
};

static const double eigen_scale = 2;
static const double fade = 0.5, longest = 8, shortest = 0.25; /* of filtered transitions */

static const wgdn_part_calls *const parts[] = {
    [WGDN_PART_FILTERED] = &wgdn_filtered_part,
    [WGDN_PART_EIGEN] = &wgdn_eigen_part,
    [WGDN_PART_TRANSITIONS] = &wgdn_transitions_part,
    [WGDN_PART_RELATED] = &wgdn_related_part,
    [WGDN_PART_SHARED] = &wgdn_shared_part,
    [WGDN_PART_SINGULAR] = &wgdn_singular_part,
    [WGDN_PART_SIZES] = &wgdn_sizes_part,
};

static wgdn_fitted_part *add(wgdn_fitted *f, wgdn_part_kind kind, int64_t dim)
{
    wgdn_fitted_part *p = &f->part[f->parts++];
    *p = (wgdn_fitted_part){.kind = kind, .hops = -1, .weight = 1, .dim = dim};
    return p;
}

static void add_structure(wgdn_fitted *f, int64_t dim, double weight)
{
    const int64_t transitions = dim < (int64_t)2 * PAIR ? 0 : dim / 2;
    if (dim == 0) return;
    wgdn_fitted_part *p = add(f, WGDN_PART_EIGEN, dim - transitions);
    p->scale = eigen_scale;
    p->weight = weight;
    if (transitions) add(f, WGDN_PART_TRANSITIONS, transitions)->weight = weight;
}

/* The first columns of structure count; those beyond `strong` fill the vector and are faint (structure.c). */
static void fill_with_structure(wgdn_fitted *f, int64_t dim, int64_t strong, double weight)
{
    const int first = f->parts;
    add_structure(f, dim, weight);
    for (int i = first; i < f->parts && dim > strong; i++)
        f->part[i].strong = strong / (f->parts - first);
}

/*
 * t of exp(-t L) for transitions, if the eigenvalue w of S is the last one of the eigenvectors beside
 * them: that one would keep exp(-w / 2) of its length. Where all of them lie near 1 the graph has
 * many parts with few edges between them, a node's own few edges are a sample of its part, and
 * those of its neighbors are more of the same sample. Where they fall off, neighbors differ; and
 * structure is beside features only where these are few or differ between neighbors (Chameleon
 * lost 0.9 points by it, Tolokers 0.1): there transitions stay as they are.
 */
double wgdn_transitions_scale(double w)
{
    if (w <= 0) return 0;
    const double t = fmin(fade * w / fmax(1 - w, 1e-9), longest);
    return t < shortest ? 0 : t;
}

/* Few features after 0, 1, .. steps in equal shares of at most `room` columns; how many those are. */
static int64_t add_hops(wgdn_fitted *f, int64_t room)
{
    int most = HOPS;
    while (most > 1 && room < (int64_t)PAIR * (most + 1))
        most--;
    const int64_t each = wgdn_min(f->features, room / (most + 1));
    int64_t rest = each < f->features ? room % (most + 1) : 0, used = 0;
    for (int hops = 0; hops <= most; hops++, rest -= rest > 0) {
        wgdn_fitted_part *p = add(f, WGDN_PART_FILTERED, each + (rest > 0));
        p->hops = hops;
        used += p->dim;
    }
    return used;
}

/*
 * The scale that predicts best. Prediction leaves out a node's own features, which the vectors keep
 * with all their noise; so a smaller scale is replaced by the largest one up to `usual` that predicts
 * almost as well.
 */
static int best_scale(const wgdn_fitted *f)
{
    int best = 0, chosen;
    for (int t = 1; t < f->scales; t++)
        if (f->agreement[t] > f->agreement[best]) best = t;
    chosen = best;
    for (int t = best; t < f->scales && f->scale[t] <= usual; t++)
        if (f->agreement[t] >= almost * f->agreement[best]) chosen = t;
    return chosen;
}

/* The features by themselves or with structure, as far as the data decides. */
static void plan_features(wgdn_fitted *f, int64_t dim, bool may_add)
{
    const int best = best_scale(f);
    const double agreement = f->agreement[best], t = f->scale[best];
    const bool refine = f->options.refine > 0 && f->features * 4 > dim; /* one part is refined */
    const bool few =
        !refine && (f->features <= FEW || (f->features <= TABLE && agreement < nothing));
    if (few && dim >= LEAST) {
        /* Features by steps and structure: half of the columns each, or what features leave. */
        const int64_t least = wgdn_min(BESIDE, dim / 2);
        const int64_t used = add_hops(f, may_add ? dim - least : dim);
        if (may_add) fill_with_structure(f, dim - used, BESIDE, beside);
    } else if (few) {
        add(f, WGDN_PART_FILTERED, dim)->scale = 1;
    } else if (agreement >= tells) {
        wgdn_fitted_part *p = add(f, WGDN_PART_SHARED, dim);
        p->scale = t;
        p->own = f->features > dim && dim >= LEAST ? dim / 4 : 0;
    } else {
        const int64_t sizes = may_add && dim >= LEAST ? WGDN_SIZES : 0, room = dim - sizes;
        const bool alone = agreement < nothing || dim < LEAST;
        const int64_t share = alone ? room : may_add ? room / 3 : room / 2;
        add(f, WGDN_PART_FILTERED, share);
        if (!alone) add(f, WGDN_PART_FILTERED, may_add ? share : room - share)->scale = t;
        if (!alone && may_add) add_structure(f, room - 2 * share, 1);
        if (sizes) add(f, WGDN_PART_SIZES, sizes);
    }
}

void wgdn_fit_show(wgdn_fitted *f)
{
    if (f->graphs) {
        for (f->shows = 0; f->shows < WGDN_GRAPH_BLOCKS; f->shows++) {
            const wgdn_cosine_block b = wgdn_cosine_block_get(f->shows);
            f->shown[f->shows] = (wgdn_fit_part){
                .name = b.name, .scale = b.scale, .dim = WGDN_GRAPH_COSINES, .weight = 1};
        }
        if (f->graphs->width > WGDN_GRAPH_WIDTH)
            f->shown[f->shows++] = (wgdn_fit_part){
                .name = "counts of subtrees", .dim = WGDN_GRAPH_COSINES, .weight = 2};
        return;
    }
    f->shows = f->parts;
    for (int i = 0; i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        f->shown[i] = (wgdn_fit_part){.name = parts[p->kind]->name,
                                      .scale = p->hops > 0 ? p->hops : p->scale,
                                      .dim = p->dim,
                                      .weight = p->weight};
    }
}

wgdn_status wgdn_fit_plan(wgdn_fitted *f, wgdn_error *err)
{
    const wgdn_fit_options *o = &f->options;
    const bool both = o->features == WGDN_FIT_FEATURES_BOTH;
    const int64_t count = f->relations.count,
                  each = wgdn_relation_width(o->dim, count, f->features);
    const int64_t dim = o->dim - count * each, room = both ? dim - dim / 2 : dim;
    int64_t left = dim; /* columns that features cannot have */
    if (count && each < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%lld directions and types of edges need --dim %lld at least",
                         (long long)count, (long long)(3 * count));
    if (!f->features)
        add_structure(f, dim, 1);
    else if (o->scale >= 0)
        add(f, WGDN_PART_FILTERED, room)->scale = o->scale;
    else
        plan_features(f, room, o->features == WGDN_FIT_FEATURES_AUTO);
    for (int i = 0; i < f->parts; i++)
        left -= wgdn_min(f->part[i].dim, f->features);
    if (f->features && both) fill_with_structure(f, left, dim / 2, 1);
    if (count && f->features)
        add(f, WGDN_PART_RELATED, count * each);
    else if (count)
        add(f, WGDN_PART_SINGULAR, count * each)->weight = relations_alone;
    return WGDN_OK;
}

/* Describes the data that a model was fitted to, as far as its file records it. */

static void origin_add(wgdn_pairs *p, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    wgdn_pairs_add(p, "wgdn.made.", key, text);
}

void wgdn_origin_add(wgdn_pairs *p, const wgdn_origin *o)
{
    if (o->nodes < 1) return;
    origin_add(p, "nodes", o->nodes);
    origin_add(p, "edges", o->edges);
    origin_add(p, "graphs", o->graphs);
}

static int64_t read_count(const wgdn_archive *a, const char *key)
{
    const char *text = wgdn_archive_metadata(a, key);
    const long long value = text ? strtoll(text, NULL, 10) : 0;
    return value > 0 ? (int64_t)value : 0;
}

wgdn_origin wgdn_origin_read(const wgdn_archive *a)
{
    return (wgdn_origin){.nodes = read_count(a, "wgdn.made.nodes"),
                         .edges = read_count(a, "wgdn.made.edges"),
                         .graphs = read_count(a, "wgdn.made.graphs")};
}

/* Fits and embeds the parts one after the other, each in its own columns. */

static void free_part(wgdn_fitted_part *p)
{
    wgdn_kept_free(p->kept);
    wgdn_release(p->block);
    wgdn_release(p->center);
    wgdn_release(p->map);
    wgdn_release(p->offset);
    if (!p->held.at) wgdn_release(p->basis);
    wgdn_storage_close(&p->held);
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
    wgdn_storage_close(&f->id_store[1]);
    wgdn_storage_close(&f->id_store[0]);
    wgdn_release(f->key);
    wgdn_release(f);
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
    wgdn_facts_options(&facts, WGDN_OPTIONS_KIND_FIT, &f->options);
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
    if (o->features == WGDN_FIT_FEATURES_GIVEN)
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
    f->options.features = WGDN_FIT_FEATURES_STRUCTURE;
    f->options.scale = -1;
    return wgdn_fit_input_open(in, d, f, true, err);
}

/* Columns that features do not need are for the structure beside them, where they are faint. */
static void pass_columns(wgdn_fitted *f, const wgdn_fitted_part *p, int64_t dim)
{
    const int64_t rest = dim - (p->empty ? 0 : p->dim);
    for (wgdn_fitted_part *q = f->part; q < f->part + f->parts && rest > 0; q++)
        if (q->kind == WGDN_PART_EIGEN) {
            if (!q->strong) q->strong = q->dim;
            q->dim += rest;
        }
}

/* A part, and after the eigenvectors of a graph what depends on them: columns that they do not need
 * are for transitions. */
static wgdn_status learn_part(wgdn_fitted *f, int i, const wgdn_fit_input *in, wgdn_error *err)
{
    wgdn_fitted_part *p = &f->part[i], *next = i + 1 < f->parts ? p + 1 : NULL;
    const int64_t dim = p->dim;
    const wgdn_status st = parts[p->kind]->learn(p, f, in, err);
    if (!st && p->kind == WGDN_PART_FILTERED) pass_columns(f, p, dim);
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
    const bool alone =
        f->features && f->options.features != WGDN_FIT_FEATURES_BOTH && !wgdn_fit_has_structure(f);
    return wgdn_remarks_add(
        &f->remarks, "fewer-columns", width, err,
        "the vectors have %lld of the %lld columns asked for: %s; --pad adds columns of zeros",
        (long long)width, (long long)dim,
        alone ? "the features alone give no more" : "the data has no higher rank");
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
    if (!st) st = wgdn_fit_memory_check(&in, f, err);
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
    if (o->features != WGDN_FIT_FEATURES_STRUCTURE) f->features = wgdn_dataset_features(d);
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

/* out: where the vectors lie; NULL: they are written to to.file. */
static wgdn_status embed(wgdn_destination to, const wgdn_storage *out, const wgdn_fitted *f,
                         const wgdn_dataset *d, wgdn_error *err)
{
    const int64_t width = wgdn_fitted_width(f);
    wgdn_fit_input in = {0};
    float *at = out ? out->at : NULL;
    wgdn_status st = wgdn_fit_input_open(&in, d, f, false, err);
    if (!st) st = wgdn_fit_memory_check(&in, f, err);
    for (int i = 0; i < f->parts && !st; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        to.length = width > 1 ? length_of(f, p) : 0; /* of one column, a sign would be left */
        if (out) {
            to.columns = wgdn_tall_of(at, in.rows, p->dim);
            to.columns.stride = width;
            to.columns.width = wgdn_block_width(&in, p->dim);
            to.columns.store = *out;
            at += p->dim;
        }
        st = parts[p->kind]->embed(&to, p, f, &in, err);
    }
    if (!st && out && f->refined.in) st = wgdn_refine_embed(out->at, f, &in, err);
    wgdn_fit_input_close(&in);
    return st;
}

wgdn_status wgdn_fitted_embed(const wgdn_storage *out, const wgdn_fitted *f, const wgdn_dataset *d,
                              wgdn_error *err)
{
    const int64_t rows = f->graphs ? wgdn_dataset_graphs(d) : wgdn_dataset_rows(d).count;
    const wgdn_status st = f->graphs ? wgdn_graph_form_embed(out->at, f, d, err)
                                     : embed((wgdn_destination){.file = NULL}, out, f, d, err);
    if (!st) pad_rows(out->at, rows, wgdn_fitted_width(f), wgdn_fitted_dim(f));
    return st;
}

wgdn_status wgdn_fitted_write_rows(wgdn_output *file, wgdn_numbers numbers, const wgdn_fitted *f,
                                   const wgdn_dataset *d, int64_t *zeros, wgdn_error *err)
{
    return embed((wgdn_destination){.file = file, .numbers = numbers, .zeros = zeros}, NULL, f, d,
                 err);
}
