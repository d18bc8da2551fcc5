/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges recommenders on interactions that they have not seen, beside popularity, paths and the
 * cosine of vectors. The test edges are taken out before anything is fitted.
 */
#include "eval/eval.h"
#include "ranking.h"

#include <wgdn/fit.h>
#include <xxhash.h>

enum {
    USERS = WGDN_BLOCK_USERS,
    DEPTH = 20,
    EDGES = 10,
    LONG = 1000 /* length of the lists, for MRR */
};

typedef struct judging {
    const wgdn_recommender *r;
    wgdn_csr wanted; /* users x items */
    int64_t *user, users, *popular;
    wgdn_scores s;
    int64_t *item;
    float *score;
    int64_t k;
    wgdn_error *err;
} judging;

/* ---- what is wanted ---- */

typedef struct pair_list {
    int64_t count;
    int32_t *user, *item;
} pair_list;

/* Rows of pairs, in ascending order without repeats. */
static wgdn_status rows_of(wgdn_csr *out, const pair_list *p, const wgdn_recommender *r,
                           wgdn_error *err)
{
    wgdn_csr by_item = {0}, plain;
    const int64_t users = r->x.r.rows, items = r->x.r.cols;
    if (!wgdn_csr_alloc(&by_item, items, users, p->count, false))
        return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld test pairs", (long long)p->count);
    for (int64_t k = 0; k < p->count; k++)
        by_item.offset[p->item[k] + 1]++;
    for (int64_t j = 0; j < items; j++)
        by_item.offset[j + 1] += by_item.offset[j];
    for (int64_t k = p->count - 1; k >= 0; k--) /* offsets of rows are used up, then restored */
        by_item.column[--by_item.offset[p->item[k] + 1]] = p->user[k];
    for (int64_t j = 0; j < items; j++)
        by_item.offset[j] = by_item.offset[j + 1];
    by_item.offset[items] = p->count;
    const wgdn_status st = wgdn_csr_transpose(&plain, &by_item, err);
    wgdn_csr_free(&by_item);
    if (st) return st;
    wgdn_csr_merge(&plain);
    *out = plain;
    return WGDN_OK;
}

/* Which end of an edge between nodes of one kind asks for the other. */
static bool turns(const wgdn_interactions *x, int64_t a, int64_t b)
{
    const uint64_t ka = x->user_key[a], kb = x->user_key[b];
    const uint64_t word[] = {ka < kb ? ka : kb, ka < kb ? kb : ka};
    return (XXH3_64bits(word, sizeof word) & 1) == (ka < kb);
}

static void add_pair(pair_list *p, const wgdn_interactions *x, int64_t a, int64_t b)
{
    const bool turned = x->one_mode && turns(x, a, b);
    p->user[p->count] = (int32_t)(turned ? b : a);
    p->item[p->count++] = (int32_t)(turned ? a : b);
}

static wgdn_status open_pairs(pair_list *p, int64_t count, wgdn_error *err)
{
    *p = (pair_list){.user = wgdn_alloc((size_t)count, sizeof *p->user),
                     .item = wgdn_alloc((size_t)count, sizeof *p->item)};
    if (p->user && p->item) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld test pairs", (long long)count);
}

/* Test edges of a graph whose nodes are those of d; node: place of each node on its side. */
static wgdn_status pairs_of_links(pair_list *p, const wgdn_links *l, const wgdn_dataset *d,
                                  const wgdn_recommender *r, wgdn_error *err)
{
    const int64_t *pair, count = wgdn_links_get_edges(&pair, l);
    uint8_t *side = NULL;
    bool kinds = false;
    int32_t *place = wgdn_alloc((size_t)wgdn_dataset_nodes(d), sizeof *place);
    wgdn_status st = open_pairs(p, count, err);
    if (!st && !place) st = wgdn_fail(err, WGDN_ENOMEM, "recommend: places of nodes");
    if (!st && !r->x.one_mode) st = wgdn_sides_find(&side, &kinds, d, err);
    if (!st && side) {
        int32_t next[3] = {0, 0, 0};
        for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++)
            place[i] = next[side[i]]++;
    }
    for (int64_t k = 0; !st && k < count; k++) {
        const int64_t a = pair[2 * k], b = pair[2 * k + 1];
        if (!side)
            add_pair(p, &r->x, a, b);
        else if (side[a] + side[b] ==
                 1) /* a node that has lost all of its edges may be on no side */
            add_pair(p, &r->x, place[side[a] ? b : a], place[side[a] ? a : b]);
    }
    wgdn_release(side);
    wgdn_release(place);
    return st;
}

/* Interactions of a dataset of its own, by their ids. */
static wgdn_status pairs_of_test(pair_list *p, int64_t *unknown, const wgdn_dataset *test,
                                 const wgdn_recommender *r, wgdn_error *err)
{
    wgdn_interactions x;
    wgdn_csr rows = {0};
    wgdn_status st = wgdn_interactions_from(&x, test, WGDN_INTERACTION_VALUES_ONE, err);
    if (st) return st;
    if (x.one_mode != r->x.one_mode)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "recommend: the %s two kinds of nodes and the %s one; read both with "
                       "--bipartite",
                       x.one_mode ? "data has" : "test has", x.one_mode ? "test" : "data");
    if (!st) st = wgdn_recommender_match(&rows, unknown, r, &x, err);
    if (!st) st = open_pairs(p, wgdn_csr_entries(&rows), err);
    for (int64_t i = 0; !st && i < rows.rows; i++) {
        const int64_t u = wgdn_ids_find(&r->user_index, wgdn_names_get(&x.user_id, i));
        for (int64_t k = rows.offset[i]; k < rows.offset[i + 1]; k++) {
            if (u >= 0 && (!r->x.one_mode || rows.column[k] > u))
                add_pair(p, &r->x, u, rows.column[k]);
            *unknown += u < 0;
        }
    }
    wgdn_csr_free(&rows);
    wgdn_interactions_free(&x);
    return st;
}

/* ---- lists ---- */

typedef wgdn_status (*fill_call)(judging *j, int64_t first, int64_t count, void *context);

/* The mean quality of lists that a call fills into j->item. */
static wgdn_status judge_lists(wgdn_list_quality *out, judging *j, fill_call fill, void *context)
{
    const bool each = j->r->x.one_mode;
    double all = 0;
    wgdn_status st = WGDN_OK;
    *out = (wgdn_list_quality){0};
    for (int64_t at = 0; !st && at < j->users; at += USERS) {
        const int64_t count = wgdn_min(USERS, j->users - at);
        st = fill(j, at, count, context);
        for (int64_t c = 0; !st && c < count; c++) {
            const int64_t u = j->user[at + c], from = j->wanted.offset[u];
            const int64_t wanted = j->wanted.offset[u + 1] - from;
            const double weight = each ? (double)wanted : 1;
            const wgdn_list_quality q =
                wgdn_list_judge(j->item + c * j->k, j->k, each ? EDGES : DEPTH, each,
                                j->wanted.column + from, wanted);
            wgdn_quality_add(out, &q, weight);
            all += weight;
        }
    }
    wgdn_quality_divide(out, all);
    return st;
}

static wgdn_listing listing_of(const judging *j, int64_t first, int64_t count)
{
    return (wgdn_listing){
        .k = j->k, .rows = count, .self = j->r->x.one_mode ? j->user + first : NULL};
}

static wgdn_status fill_popular(judging *j, int64_t first, int64_t count, void *context)
{
    const wgdn_listing l = listing_of(j, first, count);
    const wgdn_status st = wgdn_scores_ask(&j->s, &j->r->x.r, j->user + first, count, j->err);
    (void)context;
    if (!st) wgdn_popular_list(j->item, &j->s, j->popular, j->r->x.r.cols, &l);
    return st;
}

typedef struct scored {
    wgdn_recipe recipe;
    wgdn_scorer scorer;
    const float *popularity;
    const float *given; /* NULL, or weights of the columns of v by user */
} scored;

static wgdn_status fill_scored(judging *j, int64_t first, int64_t count, void *context)
{
    const scored *c = context;
    const wgdn_listing l = listing_of(j, first, count);
    wgdn_status st = wgdn_scores_ask(&j->s, &j->r->x.r, j->user + first, count, j->err);
    if (!st && c->given)
        wgdn_scores_give(&j->s, c->given, c->scorer.k, j->user + first, count);
    else if (!st)
        st = wgdn_scores_fill(&j->s, &c->scorer, &c->recipe, j->err);
    if (st) return st;
    return wgdn_scores_list(j->item, j->score, &j->s, &c->scorer, &c->recipe, c->popularity, &l,
                            j->err);
}

static wgdn_status judge_scores(wgdn_list_quality *out, judging *j, scored *c)
{
    wgdn_status st = wgdn_scores_open(&j->s, &c->scorer, wgdn_recipe_set(&c->recipe), j->err);
    if (!st) st = judge_lists(out, j, fill_scored, c);
    wgdn_scores_free(&j->s);
    return st;
}

/* Rows of length 1 of the nodes of one side, in its order. */
static float *unit_rows(const wgdn_embedding *e, const uint8_t *side, int which, int64_t count)
{
    const int64_t k = wgdn_embedding_dim(e), nodes = wgdn_embedding_rows(e);
    const float *x = wgdn_embedding_get_values(e);
    float *out = wgdn_alloc((size_t)count * (size_t)k, sizeof *out);
    for (int64_t i = 0, at = 0; out && i < nodes; i++) {
        double squares = 0;
        if (side && side[i] != which) continue;
        for (int64_t l = 0; l < k; l++)
            squares += (double)x[i * k + l] * (double)x[i * k + l];
        const float by = squares > 0 ? (float)(1 / sqrt(squares)) : 0;
        for (int64_t l = 0; l < k; l++)
            out[at * k + l] = by * x[i * k + l];
        at++;
    }
    return out;
}

static wgdn_status judge_cosine(wgdn_list_quality *out, judging *j, const wgdn_dataset *d,
                                const wgdn_recommend_options *o)
{
    wgdn_model *m = NULL;
    wgdn_embedding *e = NULL;
    wgdn_fit_options fit;
    wgdn_embed_options embed;
    uint8_t *side = NULL;
    bool kinds = false;
    float *user = NULL, *item = NULL;
    wgdn_fit_options_init(&fit);
    wgdn_embed_options_init(&embed);
    fit.keep = 1;
    fit.threads = embed.threads = o ? o->threads : 0;
    wgdn_status st = wgdn_model_fit(&m, d, &fit, j->err);
    if (!st) st = wgdn_model_embed(&e, m, d, &embed, j->err);
    if (!st && !j->r->x.one_mode) st = wgdn_sides_find(&side, &kinds, d, j->err);
    if (!st) {
        user = unit_rows(e, side, 0, j->r->x.r.rows);
        item = unit_rows(e, side, 1, j->r->x.r.cols);
        if (!user || !item) st = wgdn_fail(j->err, WGDN_ENOMEM, "recommend: vectors of all nodes");
    }
    if (!st) {
        const int64_t k = wgdn_embedding_dim(e);
        scored c = {.recipe = {.low = 1, .columns = k},
                    .scorer = {.x = &j->r->x, .v = j->r->x.one_mode ? user : item, .k = k},
                    .given = user};
        st = judge_scores(out, j, &c);
    }
    wgdn_release(item);
    wgdn_release(user);
    wgdn_release(side);
    wgdn_embedding_free(e);
    wgdn_model_free(m);
    return st;
}

/* ---- the table ---- */

static wgdn_status open_judging(judging *j)
{
    const int64_t users = j->r->x.r.rows, items = j->r->x.r.cols;
    j->k = wgdn_min(items, LONG);
    j->user = wgdn_alloc((size_t)users, sizeof *j->user);
    j->popular = wgdn_alloc((size_t)items, sizeof *j->popular);
    j->item = wgdn_alloc(USERS * (size_t)j->k, sizeof *j->item);
    j->score = wgdn_alloc(USERS * (size_t)j->k, sizeof *j->score);
    if (!j->user || !j->popular || !j->item || !j->score)
        return wgdn_fail(j->err, WGDN_ENOMEM, "recommend: lists of %lld", (long long)j->k);
    for (int64_t u = 0; u < users; u++)
        if (j->wanted.offset[u + 1] > j->wanted.offset[u]) j->user[j->users++] = u;
    for (int64_t i = 0; i < items; i++)
        j->popular[j->r->x.order[i]] = i;
    return WGDN_OK;
}

static void close_judging(judging *j)
{
    wgdn_csr_free(&j->wanted);
    wgdn_release(j->score);
    wgdn_release(j->item);
    wgdn_release(j->popular);
    wgdn_release(j->user);
}

static wgdn_list_quality *add_row(wgdn_recommend_report *out, const char *name)
{
    out->row[out->rows].name = name;
    return &out->row[out->rows++].quality;
}

static wgdn_status judge_baselines(wgdn_recommend_report *out, judging *j, const wgdn_dataset *d,
                                   const wgdn_recommend_options *o)
{
    static const struct {
        const char *name;
        wgdn_middle middle;
    } paths[] = {{"common neighbors", WGDN_MIDDLE_ONE},
                 {"Adamic-Adar", WGDN_MIDDLE_LOG},
                 {"resource allocation", WGDN_MIDDLE_DEGREE}};
    const wgdn_scorer s = {.x = &j->r->x};
    wgdn_status st = wgdn_scores_open(&j->s, &s, (wgdn_score_set){0}, j->err);
    if (!st) st = judge_lists(add_row(out, "popularity"), j, fill_popular, NULL);
    wgdn_scores_free(&j->s);
    for (int i = 0; !st && i < 3; i++) {
        scored c = {.recipe = {.paths = 1, .middle = paths[i].middle}, .scorer = s};
        st = judge_scores(add_row(out, paths[i].name), j, &c);
    }
    return st ? st : judge_cosine(add_row(out, "cosine of vectors"), j, d, o);
}

static wgdn_status judge_all(wgdn_recommend_report *out, judging *j, const wgdn_dataset *d,
                             const wgdn_recommend_options *o, bool baselines)
{
    wgdn_status st = open_judging(j);
    out->users = j->users;
    out->interactions = wgdn_csr_entries(&j->wanted);
    if (!st && out->interactions == 0)
        st = wgdn_fail(j->err, WGDN_EINVAL,
                       "recommend: none of the test interactions has a known user and item");
    if (!st && baselines) st = judge_baselines(out, j, d, o);
    if (st) return st;
    scored c = {.recipe = j->r->recipe,
                .scorer = wgdn_recommender_scorer(j->r),
                .popularity = j->r->popularity};
    return judge_scores(add_row(out, "recommender"), j, &c);
}

static wgdn_status evaluate(wgdn_recommend_report *made, const wgdn_dataset *d, const wgdn_links *l,
                            const wgdn_dataset *test, const wgdn_recommend_options *o,
                            bool baselines, wgdn_error *err)
{
    wgdn_recommender *r = NULL;
    pair_list pairs = {0};
    judging j = {.err = err};
    wgdn_status st = wgdn_recommender_fit(&r, d, o, err);
    if (st) return st;
    st = l ? pairs_of_links(&pairs, l, d, r, err)
           : pairs_of_test(&pairs, &made->unknown, test, r, err);
    j.r = r;
    if (!st) st = rows_of(&j.wanted, &pairs, r, err);
    if (!st) st = judge_all(made, &j, d, o, baselines);
    wgdn_recommender_info_init(&made->info);
    wgdn_recommender_describe(&made->info, r);
    close_judging(&j);
    wgdn_release(pairs.user);
    wgdn_release(pairs.item);
    wgdn_recommender_free(r);
    return st;
}

wgdn_status wgdn_recommend_evaluate(wgdn_recommend_report *out, const wgdn_dataset *d,
                                    const wgdn_dataset *test, const wgdn_recommend_options *o,
                                    double fraction, int baselines, wgdn_error *err)
{
    wgdn_recommend_report made = {.struct_size = sizeof made};
    wgdn_recommend_options own;
    wgdn_eval_options e;
    wgdn_links *l = NULL;
    wgdn_status st = wgdn_options_read(&own, o, WGDN_OPTIONS_KIND_RECOMMEND, err);
    wgdn_eval_options_init(&e);
    e.seed = own.seed;
    e.test_edge_fraction = fraction;
    if (!st && !test) st = wgdn_links_from_dataset(&l, d, &e, err);
    if (st) return st;
    const bool former = wgdn_stop_enter(true);
    const int threads = wgdn_threads_use(own.threads);
    st = evaluate(&made, l ? wgdn_links_get_dataset(l) : d, l, test, &own, baselines != 0, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_threads_use(threads);
    wgdn_links_free(l);
    return wgdn_stop_leave(former, st, err);
}
