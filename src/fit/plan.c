/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a vector is made of. The same rule for every dataset; no label is looked at.
 *
 *     neighbours predict features   what they share of them, filtered at the scale that predicts
 *                                   best; beside it, with less weight, features as they are
 *                                   where there are many
 *     they hardly do                features as they are, filtered, and structure, side by side
 *     they do not                   features as they are
 *     few features                  as they are and after 1, 2, 3 steps, each reduced to its share of
 *                                   the columns where these do not suffice; structure beside them
 *     none                          structure: eigenvectors and transitions, half of the columns each;
 *                                   transitions filtered as far as eigenvalues lie near 1
 *
 * Directions and types of edges, where they are to count, have half of the columns beside that, or
 * more where they are many, in equal shares.
 */
#include "graphs.h"

#include <math.h>
#include <string.h>

static const double tells = 0.06;    /* agreement from which one filter is best */
static const double nothing = 0.005; /* and below which neighbours tell nothing of features */

static const double usual = 2, almost = 0.98; /* a scale, and a part of the best agreement */
static const double beside = 0.3;             /* weight of structure beside few features */

static const double relations_alone = 2; /* weight of directions and types without features */

enum {
    FEW = 32,    /* features */
    TABLE = 64,  /* as many are few, too, where neighbours tell nothing of them */
    HOPS = 3,    /* steps of few features */
    BESIDE = 32, /* columns of structure beside them; Minesweeper lost 1.1 points by 200 */
    LEAST = 8,   /* columns that are shared between parts */
    PAIR = 2,    /* columns of a part, at least: rows have length 1, one column would be a sign */
};

static const double eigen_scale = 2;
static const double fade = 0.5, longest = 8, shortest = 0.25; /* of filtered transitions */

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

/*
 * t of exp(-t L) for transitions, if the eigenvalue w of S is the last one of the eigenvectors beside
 * them: that one would keep exp(-w / 2) of its length. Where all of them lie near 1 the graph has
 * many parts with few edges between them, a node's own few edges are a sample of its part, and
 * those of its neighbours are more of the same sample. Where they fall off, neighbours differ; and
 * structure is beside features only where these are few or differ between neighbours (Chameleon
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

/* Features by steps, and structure: a quarter of the columns, or what features leave. */
static void plan_few(wgdn_fitted *f, int64_t dim, bool may_add)
{
    const int64_t least = wgdn_min(BESIDE, dim < (int64_t)4 * LEAST ? LEAST / 2 : dim / 4);
    const int64_t used = add_hops(f, may_add ? dim - least : dim);
    if (may_add) add_structure(f, wgdn_min(BESIDE, dim - used), beside);
}

/*
 * The scale that predicts best. Prediction leaves out a node's own features, which the vectors keep
 * with all their noise; so a smaller scale gives way to the largest one up to `usual` that predicts
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
        plan_few(f, dim, may_add);
    } else if (few) {
        add(f, WGDN_PART_FILTERED, dim)->scale = 1;
    } else if (agreement >= tells) {
        wgdn_fitted_part *p = add(f, WGDN_PART_SHARED, dim);
        p->scale = t;
        p->own = f->features > dim && dim >= LEAST ? dim / 4 : 0;
    } else if (agreement < nothing || dim < LEAST) {
        add(f, WGDN_PART_FILTERED, dim);
    } else {
        const int64_t third = dim / 3;
        add(f, WGDN_PART_FILTERED, may_add ? third : dim / 2);
        add(f, WGDN_PART_FILTERED, may_add ? third : dim - dim / 2)->scale = t;
        if (may_add) add_structure(f, dim - 2 * third, 1);
    }
}

static void show_blocks(wgdn_fitted *f)
{
    for (f->shows = 0; f->shows < WGDN_GRAPH_BLOCKS; f->shows++) {
        const wgdn_cosine_block b = wgdn_cosine_block_get(f->shows);
        f->shown[f->shows] = (wgdn_fit_part){
            .name = b.name, .scale = b.scale, .dim = WGDN_GRAPH_COSINES, .weight = 1};
    }
}

void wgdn_fit_show(wgdn_fitted *f)
{
    if (f->graphs) {
        show_blocks(f);
        return;
    }
    f->shows = f->parts;
    static const char *const names[] = {"features",
                                        "eigenvectors of the graph",
                                        "transitions, factorised",
                                        "directions and types",
                                        "features that neighbours share",
                                        "directions and types"};
    for (int i = 0; i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        f->shown[i] = (wgdn_fit_part){.name = names[p->kind],
                                      .scale = p->hops > 0 ? p->hops : p->scale,
                                      .dim = p->dim,
                                      .weight = p->weight};
    }
}

/* Columns of each direction or type: those of a signal and one more. */
static int64_t relation_width(const wgdn_fitted *f)
{
    const int64_t dim = f->options.dim, count = f->relations.count;
    const int64_t room = count > 3 ? dim - dim / 4 : dim / 2, width = room / count;
    return f->features && f->features < width - 1 ? f->features + 1 : width;
}

wgdn_status wgdn_fit_plan(wgdn_fitted *f, wgdn_error *err)
{
    const wgdn_fit_options *o = &f->options;
    const bool both = o->features == WGDN_USE_BOTH;
    const int64_t count = f->relations.count, each = count ? relation_width(f) : 0;
    const int64_t dim = o->dim - count * each, room = both ? dim - dim / 2 : dim;
    if (count && each < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%lld directions and types of edges need --dim %lld at least",
                         (long long)count, (long long)(3 * count));
    if (!f->features)
        add_structure(f, dim, 1);
    else if (o->scale >= 0)
        add(f, WGDN_PART_FILTERED, room)->scale = o->scale;
    else
        plan_features(f, room, o->features == WGDN_USE_AUTO);
    if (f->features && both) add_structure(f, dim / 2, 1);
    if (count && f->features)
        add(f, WGDN_PART_RELATED, count * each);
    else if (count)
        add(f, WGDN_PART_SINGULAR, count * each)->weight = relations_alone;
    return WGDN_OK;
}
