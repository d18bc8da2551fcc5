/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes vectors of users and items whose dot products approximate the scores of a recommender, and
 * measures what the lists lose by that.
 */
#include "data/embedding.h"
#include "ranking.h"

#include <stdio.h>

enum { USERS = WGDN_BLOCK_USERS, ROUNDS = 2, LISTED = 20, ASKED = 1000 };

/*
 * In the basis V of singular vectors a filter p(G) is a weight for each column, so
 *
 *     two sides  x_u = (r_u Di^-1/2) V p(Sigma^2),            y_j = V_j d_j^power
 *     one mode   x_u = (S V)_u q(Sigma^2) + V_u s(Sigma^2),   the same y_j
 *
 * where q has the odd powers of S and s the even ones. A ridge over items is taken for the filter
 * 2 G - G^2, which weighs the columns alike.
 */
typedef struct factors {
    const wgdn_recommender *r;
    int64_t k;
    float *user, *item; /* users x k, items x k */
    double *value;
} factors;

static void close_factors(factors *f)
{
    wgdn_release(f->value);
    wgdn_release(f->item);
    wgdn_release(f->user);
}

static wgdn_status open_factors(factors *f, wgdn_error *err)
{
    const wgdn_interactions *x = &f->r->x;
    f->user = wgdn_alloc((size_t)x->r.rows * (size_t)f->k, sizeof *f->user);
    f->item = wgdn_alloc((size_t)x->r.cols * (size_t)f->k, sizeof *f->item);
    f->value = wgdn_alloc((size_t)f->k, sizeof *f->value);
    if (f->user && f->item && f->value) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: vectors of %lld columns", (long long)f->k);
}

/* Weights of the odd powers of S, or of all of p, and of the even ones, for singular value l. */
static void weights_of(double weight[2], const wgdn_recipe *c, bool one_mode, double value,
                       int64_t l)
{
    const double g = value * value;
    const double low = l < c->columns ? (double)c->low * (c->squared ? g : 1) : 0;
    weight[0] = (double)c->three * g + (double)c->five * g * g + (one_mode ? 0 : low);
    weight[1] = one_mode ? (double)c->two * g + low : 0;
    if (c->paths != 0) weight[1] += g;
    if (c->ridge > 0) weight[0] = 2 * g - g * g;
}

/* User vectors from N V; twice: N N V, for even powers in one mode; or NULL. */
static void weigh_users(factors *f, const float *twice)
{
    const wgdn_interactions *x = &f->r->x;
    for (int64_t l = 0; l < f->k; l++) {
        double weight[2];
        weights_of(weight, &f->r->recipe, x->one_mode, f->value[l], l);
        const double g = f->value[l] * f->value[l];
        for (int64_t u = 0; u < x->r.rows; u++) {
            const double scale = (double)x->user_scale[u];
            const double own = !x->one_mode && scale > 0 ? 1 / scale : 1;
            double to = own * weight[0] * (double)f->user[u * f->k + l];
            if (twice && g > 0) to += weight[1] * (double)twice[u * f->k + l] / g;
            f->user[u * f->k + l] = (float)to;
        }
    }
}

static wgdn_status find_factors(factors *f, wgdn_error *err)
{
    const wgdn_recommender *r = f->r;
    const wgdn_interactions *x = &r->x;
    float *twice = NULL;
    wgdn_status st =
        wgdn_basis_find(f->item, f->value, f->k, r->v, r->v ? r->k : 0, ROUNDS, x, err);
    if (!st) st = wgdn_basis_image(f->user, f->item, f->k, x, err);
    if (!st && x->one_mode) {
        twice = wgdn_alloc((size_t)x->r.rows * (size_t)f->k, sizeof *twice);
        st = twice ? wgdn_basis_image(twice, f->user, f->k, x, err)
                   : wgdn_fail(err, WGDN_ENOMEM, "recommend: vectors of %lld columns",
                               (long long)f->k);
    }
    if (!st) {
        weigh_users(f, twice);
        wgdn_scale_rows(f->item, r->popularity, f->item, wgdn_alone(x->r.cols), f->k);
    }
    wgdn_release(twice);
    return st;
}

/* ---- what the lists lose ---- */

typedef struct comparison {
    wgdn_scores s;
    int64_t *item, *exact, *user;
    float *score;
} comparison;

/* Counts the items of list a that are in b, too, and all of them. */
static void count_same(int64_t sums[2], const int64_t *a, const int64_t *b)
{
    for (int i = 0; i < LISTED && a[i] >= 0; i++, sums[1]++)
        for (int j = 0; j < LISTED && b[j] >= 0; j++)
            sums[0] += a[i] == b[j];
}

/* Lists of a block by score and by dot product. */
static wgdn_status compare_block(int64_t sums[2], comparison *c, const factors *f, int64_t count,
                                 wgdn_error *err)
{
    const wgdn_interactions *x = &f->r->x;
    const wgdn_recipe dot = {.low = 1, .columns = f->k};
    const wgdn_scorer s = {.x = x, .v = f->item, .k = f->k};
    const wgdn_listing l = {.k = LISTED, .rows = count, .self = x->one_mode ? c->user : NULL};
    wgdn_recommend_query q;
    wgdn_recommend_query_init(&q);
    q.count = count;
    q.user = c->user;
    q.k = LISTED;
    wgdn_status st = wgdn_recommender_rank(c->exact, c->score, f->r, &q, err);
    if (!st) st = wgdn_scores_ask(&c->s, &x->r, c->user, count, err);
    if (st) return st;
    wgdn_scores_give(&c->s, f->user, f->k, c->user, count);
    st = wgdn_scores_list(c->item, c->score, &c->s, &s, &dot, NULL, &l, err);
    for (int64_t i = 0; !st && i < count; i++)
        count_same(sums, c->exact + i * LISTED, c->item + i * LISTED);
    return st;
}

static wgdn_status compare(double *kept, const factors *f, wgdn_error *err)
{
    const wgdn_interactions *x = &f->r->x;
    const wgdn_recipe dot = {.low = 1, .columns = f->k};
    const wgdn_scorer s = {.x = x, .v = f->item, .k = f->k};
    const int64_t asked = wgdn_min(ASKED, x->r.rows), stride = x->r.rows / asked;
    comparison c = {.item = wgdn_alloc((size_t)USERS * LISTED, sizeof *c.item),
                    .exact = wgdn_alloc((size_t)USERS * LISTED, sizeof *c.exact),
                    .user = wgdn_alloc(USERS, sizeof *c.user),
                    .score = wgdn_alloc((size_t)USERS * LISTED, sizeof *c.score)};
    int64_t sums[2] = {0, 0};
    wgdn_status st = wgdn_scores_open(&c.s, &s, wgdn_recipe_set(&dot), err);
    if (!st && (!c.item || !c.exact || !c.user || !c.score))
        st = wgdn_fail(err, WGDN_ENOMEM, "recommend: lists of %d", (int)LISTED);
    for (int64_t at = 0; !st && at < asked; at += USERS) {
        const int64_t count = wgdn_min(USERS, asked - at);
        for (int64_t i = 0; i < count; i++)
            c.user[i] = (at + i) * stride;
        st = compare_block(sums, &c, f, count, err);
    }
    *kept = sums[1] > 0 ? (double)sums[0] / (double)sums[1] : 1;
    wgdn_scores_free(&c.s);
    wgdn_release(c.score);
    wgdn_release(c.user);
    wgdn_release(c.exact);
    wgdn_release(c.item);
    return st;
}

/* ---- the embedding ---- */

static wgdn_status add_ids(wgdn_ids *to, const char *kind, const wgdn_names *names, wgdn_error *err)
{
    int64_t longest = 0;
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < names->count; i++)
        if ((int64_t)wgdn_names_get(names, i).size > longest)
            longest = (int64_t)wgdn_names_get(names, i).size;
    char *text = wgdn_alloc((size_t)longest + 8, 1);
    if (!text) return wgdn_fail(err, WGDN_ENOMEM, "recommend: an id");
    for (int64_t i = 0; !st && i < names->count; i++) {
        const wgdn_text id = wgdn_names_get(names, i);
        const size_t used = (size_t)sprintf(text, "%s:", kind);
        int32_t at;
        if (id.size) memcpy(text + used, id.at, id.size);
        const wgdn_text whole = wgdn_text_of(text, used + id.size);
        st = wgdn_ids_add(to, &whole, 1, &at, err);
    }
    wgdn_release(text);
    return st;
}

static wgdn_status make_embedding(wgdn_embedding **out, const factors *f, wgdn_error *err)
{
    const wgdn_interactions *x = &f->r->x;
    const int64_t users = x->r.rows, items = x->r.cols;
    wgdn_embedding *e = NULL;
    wgdn_status st = wgdn_embedding_new(&e, users + items, f->k, NULL, err);
    if (st) return st;
    memcpy(e->vectors.dense, f->user, (size_t)(users * f->k) * sizeof *f->user);
    memcpy(e->vectors.dense + users * f->k, f->item, (size_t)(items * f->k) * sizeof *f->item);
    snprintf(e->source, sizeof e->source, "recommender");
    e->named = true;
    wgdn_ids_open(&e->ids, users + items);
    st = add_ids(&e->ids, "user", &x->user_id, err);
    if (!st) st = add_ids(&e->ids, "item", &x->item_id, err);
    if (st)
        wgdn_embedding_free(e);
    else
        *out = e;
    return st;
}

wgdn_status wgdn_recommender_embed(wgdn_embedding **out, double *kept, const wgdn_recommender *r,
                                   int dim, const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    factors f = {.r = r, .k = wgdn_min(dim, wgdn_min(r->x.r.rows, r->x.r.cols))};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (!st && (dim < 1 || dim > 4096))
        st = wgdn_fail(err, WGDN_EINVAL, "recommend: vectors of %d columns; expected 1 to 4096",
                       dim);
    if (st) return st;
    const bool former = wgdn_stop_enter(true);
    const int threads = wgdn_threads_use(opt.threads);
    st = open_factors(&f, err);
    if (!st) st = find_factors(&f, err);
    if (!st && kept) st = compare(kept, &f, err);
    if (!st) st = make_embedding(out, &f, err);
    close_factors(&f);
    wgdn_threads_use(threads);
    return wgdn_stop_leave(former, st, err);
}
