/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits recommenders and makes lists with them. choice.c chooses the score, ranking.c computes it,
 * and recommend_file.c saves what is fitted here.
 */
#include "base/limits.h"
#include "data/reading.h"
#include "ranking.h"

#include <stdio.h>

enum {
    USERS = WGDN_BLOCK_USERS,
    ROUNDS = 2,
    ROUNDS_WARM = 1,
    LEAST = 8,
    POOL = 25,          /* numbers of an item that a user chooses among */
    POOLED = 250,       /* such items, of up to 600; some 240 are different */
    PROCESS = 14 << 20, /* libraries, and what the dense engine packs */
    SPARE = 10 << 20    /* that a limit leaves free */
};

/* ---- memory and time ---- */

/* Numbers that bytes and seconds follow from. */
typedef struct sizes {
    double users, items, entries, k, wide, lanes, sample,
        ridge; /* ridge: numbers of a matrix, or 0 */
} sizes;

static sizes sizes_of(const wgdn_interactions *x, const wgdn_recommend_options *o)
{
    const double items = (double)x->r.cols, k = (double)wgdn_choice_columns(x, o->columns);
    /* Edges that a node has to find again, where nodes are of one kind; users are counted themselves. */
    const double mean = (double)wgdn_csr_entries(&x->r) / (double)x->r.rows * o->hold_out / 4;
    const double each = x->one_mode ? mean / (1 - exp(-mean)) : 1;
    return (sizes){.users = (double)x->r.rows,
                   .items = items,
                   .entries = (double)wgdn_csr_entries(&x->r),
                   .k = k,
                   .wide = k > 0 ? 1.125 * k + 8 : 0,
                   .lanes = wgdn_threads_count(o->threads),
                   .sample = fmin(o->sample / each, (double)x->r.rows),
                   .ridge = wgdn_choice_ridged(x, o) ? items * items : 0};
}

/* Bytes that choosing, fitting and lists take beside the interactions: those of the largest stage. */
static double bytes_beside(const wgdn_interactions *x, const wgdn_recommend_options *o)
{
    const sizes s = sizes_of(x, o);
    const double nodes = s.users + (x->one_mode ? 0 : s.items), floats = sizeof(float);
    const double v = s.k * (s.items + (x->one_mode ? s.users : 0)), part = s.items * USERS;
    const double walk = 33 * (s.users + s.items) + 2 * USERS * s.k + 600000;
    const double sides = x->one_mode ? 1 : 2 - o->hold_out;
    const double rest = sides * (x->r.value ? 2 : 1) * s.entries + 8 * s.users + 6 * s.items;
    const double basis = wgdn_basis_bytes((int64_t)s.k, x) / floats;
    const double panels = s.ridge > 0 ? 5 * WGDN_BLOCK_USERS * s.items : 0;
    const double pools = POOL * s.sample * fmin(POOLED, s.items) + 12 * s.items;
    const double parts = (s.ridge > 0 ? 4 : 3) * part; /* of a thread, when it chooses */
    const double choice =
        rest + v + 3 * s.ridge + fmax(fmax(basis, panels), s.lanes * (parts + walk) + pools);
    /* The allocator keeps some of what was freed. */
    const double fit = 2 * v + fmax(basis, s.ridge + panels) + pools / 2;
    const double last = (x->one_mode ? 3 : s.ridge > 0 ? 2 : 1) * part;
    const double lists = v + s.ridge + 8 * nodes + s.lanes * (last + walk) + pools / 2;
    return floats * fmax(choice, fmax(fit, lists));
}

/*
 * A memory limit leaves one thread with parts of its own where that helps, then no ridge that would take
 * half of it, and then fewer columns.
 */
static wgdn_status fit_into(wgdn_recommend_options *o, const wgdn_interactions *x, int64_t memory,
                            wgdn_error *err)
{
    wgdn_limits l;
    wgdn_limits_read(&l, "");
    const double left = (double)(memory - l.resident - PROCESS - SPARE);
    while (memory > 0 && bytes_beside(x, o) > left) {
        wgdn_recommend_options alone = *o;
        alone.threads = 1;
        if (bytes_beside(x, &alone) < bytes_beside(x, o))
            *o = alone;
        else if (wgdn_choice_ridged(x, o) && 3 * sizeof(float) * sizes_of(x, o).ridge > left / 2)
            o->ridge_items = 0;
        else if (o->columns < 2 * LEAST)
            return wgdn_fail(err, WGDN_ENOMEM,
                             "recommend: needs %.1f MB beside the data; allow more memory",
                             bytes_beside(x, o) / 1e6);
        else
            o->columns /= 2;
    }
    return WGDN_OK;
}

/* Seconds of a step of one entry and column, and of a multiplication of dense matrices. */
typedef struct rates {
    double step, dense;
} rates;

static wgdn_status measure_rates(rates *r, const wgdn_interactions *x, wgdn_error *err)
{
    enum { ROWS = 1024, WIDE = 512, TIMES = 3 };
    wgdn_arrays own = {0};
    float *side = wgdn_arrays_add(&own, (size_t)x->r.rows * WGDN_BAND, sizeof *side);
    float *other = wgdn_arrays_add_zero(&own, (size_t)x->r.cols * WGDN_BAND, sizeof *other);
    float *score = wgdn_arrays_add(&own, (size_t)ROWS * USERS, sizeof *score);
    float *v = wgdn_arrays_add_zero(&own, (size_t)ROWS * WIDE, sizeof *v);
    float *weight = wgdn_arrays_add_zero(&own, (size_t)WIDE * USERS, sizeof *weight);
    wgdn_status st = own.failed ? wgdn_fail(err, WGDN_ENOMEM, "recommend: a trial of %lld x %lld",
                                            (long long)x->r.rows, (long long)x->r.cols)
                                : WGDN_OK;
    *r = (rates){INFINITY, INFINITY};
    for (int i = 0; !st && i < TIMES; i++) {
        const wgdn_product p = wgdn_product_of(score, v, weight, wgdn_alone(ROWS), WIDE, USERS);
        const double start = wgdn_seconds();
        st = wgdn_gemm_nn(&p, err);
        const double made = wgdn_seconds();
        if (i < 2) wgdn_spmm(side, &x->r, other, WGDN_BAND); /* the first one meets new pages */
        if (i == 1) r->step = wgdn_seconds() - made;
        r->dense = fmin(r->dense, made - start);
    }
    r->step /= (double)wgdn_csr_entries(&x->r) * WGDN_BAND;
    r->dense /= (double)ROWS * WIDE * USERS;
    wgdn_arrays_release(&own);
    return st;
}

/* Of the choice, the fit and lists for all users; the score that takes longest is expected. */
static double seconds_of(const wgdn_interactions *x, const wgdn_recommend_options *o,
                         const rates *r, int tries)
{
    static const double pass = 1e-9, judged = 2e-4; /* an item in a wave; a user by all recipes */
    const sizes s = sizes_of(x, o);
    double reach = 0;
    for (int64_t j = 0; j < x->t.rows; j++)
        reach += (double)x->reach[j] * (double)(x->t.offset[j + 1] - x->t.offset[j]) / s.users;
    const bool near = wgdn_is_near(x, 1, reach);
    const double product = s.entries * r->step, walk = near ? WGDN_NEAR * reach * r->step : product;
    const double round = 4 * s.wide * product + 3 * s.items * s.wide * s.wide * r->dense;
    const double inverse = s.ridge * s.items * r->dense;
    const double scores = s.k * s.items * r->dense + s.items * pass;
    const double choice = 2.5 * round + 3 * inverse +
                          s.sample * (2 * walk + 2 * product + 4 * scores + judged / s.lanes);
    return tries * choice + fmax(1.5 * round, inverse) +
           s.users * (walk + (near ? 0 : 2 * product) + scores);
}

wgdn_status wgdn_recommend_estimate(wgdn_recommend_needs *out, const wgdn_dataset *d,
                                    const wgdn_recommend_options *asked, wgdn_error *err)
{
    wgdn_recommend_options o;
    wgdn_interactions x;
    wgdn_limits l;
    rates r;
    wgdn_status st = wgdn_options_read(&o, asked, WGDN_OPTIONS_KIND_RECOMMEND, err);
    if (st) return st;
    const bool both = o.values == WGDN_INTERACTION_VALUES_AUTO && wgdn_dataset_weighted(d);
    st = wgdn_interactions_from(&x, d, both ? WGDN_INTERACTION_VALUES_LOG : o.values, err);
    if (st) return st;
    const int threads = wgdn_threads_use(o.threads);
    wgdn_archive_forget(&d->archive);
    wgdn_limits_read(&l, "");
    st = fit_into(&o, &x, d->memory, err);
    const sizes s = sizes_of(&x, &o);
    /* Of the first of two uses of weights, interactions and columns stay. */
    const double first =
        both ? 8 * s.entries + 60 * (s.users + s.items) + sizeof(float) * s.k * s.items : 0;
    const double beside = bytes_beside(&x, &o) + first;
    if (!st) st = measure_rates(&r, &x, err);
    const wgdn_recommend_needs made = {.struct_size = sizeof made,
                                       .data = l.resident,
                                       .workspace = (int64_t)beside,
                                       .total = l.resident + (int64_t)beside + PROCESS,
                                       .seconds = st ? 0 : seconds_of(&x, &o, &r, both ? 2 : 1),
                                       .columns = (int64_t)s.k,
                                       .threads = (int)s.lanes};
    wgdn_interactions_free(&x);
    wgdn_threads_use(threads);
    return st ? st : wgdn_result_give(out, &made, sizeof made, err);
}

/* ---- fitting ---- */

static wgdn_status no_memory(const wgdn_recommender *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld users, %lld items, %lld columns",
                     (long long)r->x.r.rows, (long long)r->x.r.cols, (long long)r->k);
}

wgdn_status wgdn_recommender_index(wgdn_recommender *r, wgdn_error *err)
{
    const wgdn_names *user = &r->x.user_id, *item = &r->x.item_id;
    wgdn_ids_borrow(&r->user_index, user->count, user->start, user->text);
    wgdn_ids_borrow(&r->item_index, item->count, item->start, item->text);
    wgdn_status st = wgdn_ids_index(&r->user_index, err);
    if (!st) st = wgdn_ids_index(&r->item_index, err);
    if (st) return st;
    r->popularity = wgdn_alloc((size_t)r->x.r.cols, sizeof *r->popularity);
    if (!r->popularity) return no_memory(r, err);
    wgdn_popularity(r->popularity, &r->x, (double)r->recipe.power);
    return WGDN_OK;
}

/* The matrices that the recipe asks for, of all interactions. */
static wgdn_status fit_matrices(wgdn_recommender *r, const wgdn_choice *c, wgdn_error *err)
{
    const int64_t items = r->x.r.cols;
    if (r->recipe.ridge > 0) return wgdn_item_ridge(&r->ridge, &r->x, (double)r->recipe.ridge, err);
    if (r->recipe.low == 0) return WGDN_OK;
    r->k = r->recipe.columns;
    r->v = wgdn_alloc((size_t)items * (size_t)r->k, sizeof *r->v);
    r->value = wgdn_alloc((size_t)r->k, sizeof *r->value);
    if (!r->v || !r->value) return no_memory(r, err);
    wgdn_status st =
        wgdn_basis_find(r->v, r->value, r->k, c->v, c->k, c->v ? ROUNDS_WARM : ROUNDS, &r->x, err);
    r->probe = r->v;
    if (st || !r->x.one_mode) return st;
    r->probe = wgdn_alloc((size_t)r->x.r.rows * (size_t)r->k, sizeof *r->probe);
    return r->probe ? wgdn_basis_image(r->probe, r->v, r->k, &r->x, err) : no_memory(r, err);
}

static double quality_of(const wgdn_choice *c, const wgdn_interactions *x)
{
    return x->one_mode ? c->held.mrr : c->held.ndcg;
}

/* The choice for one use of the weights replaces one that found less. */
static wgdn_status try_values(wgdn_recommender *r, wgdn_choice *best, const wgdn_dataset *d,
                              wgdn_interaction_values values, wgdn_error *err)
{
    wgdn_interactions x;
    wgdn_choice c = {.v = NULL};
    wgdn_status st = wgdn_interactions_from(&x, d, values, err);
    if (st) return st;
    wgdn_archive_forget(&d->archive); /* pages of scratch files */
    st = fit_into(&r->options, &x, d->memory, err);
    if (!st) st = wgdn_choice_make(&c, &x, &r->options, err);
    if (st || (r->x.r.rows > 0 && quality_of(&c, &x) <= quality_of(best, &x))) {
        wgdn_release(c.v);
        wgdn_interactions_free(&x);
        return st;
    }
    wgdn_release(best->v);
    wgdn_interactions_free(&r->x);
    r->x = x;
    r->values = values;
    *best = c;
    return WGDN_OK;
}

static wgdn_status fit(wgdn_recommender *r, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_interaction_values wanted = r->options.values;
    const bool both = wanted == WGDN_INTERACTION_VALUES_AUTO && wgdn_dataset_weighted(d);
    wgdn_choice c = {.v = NULL};
    wgdn_status st = try_values(
        r, &c, d, wanted == WGDN_INTERACTION_VALUES_AUTO ? WGDN_INTERACTION_VALUES_ONE : wanted,
        err);
    if (!st && both) st = try_values(r, &c, d, WGDN_INTERACTION_VALUES_LOG, err);
    if (!st) {
        r->recipe = c.recipe;
        r->held = c.held;
        r->popular = c.popular;
        r->paths = c.paths;
        r->held_users = c.users;
        r->held_queries = c.queries;
        st = fit_matrices(r, &c, err);
    }
    wgdn_release(c.v);
    if (!st && d->choice.read) st = wgdn_reading_text(&r->reading, d, err);
    return st ? st : wgdn_recommender_index(r, err);
}

wgdn_status wgdn_recommender_fit(wgdn_recommender **out, const wgdn_dataset *d,
                                 const wgdn_recommend_options *o, wgdn_error *err)
{
    wgdn_recommender *r = wgdn_alloc_zero(1, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "recommend: handle");
    wgdn_status st = wgdn_options_read(&r->options, o, WGDN_OPTIONS_KIND_RECOMMEND, err);
    if (!st) {
        const bool former = wgdn_stop_enter(true);
        const int threads = wgdn_threads_use(r->options.threads);
        st = fit(r, d, err);
        r->alone = d->memory > 0 && r->options.threads == 1;
        if (!st) st = wgdn_dataset_unchanged(d, err);
        wgdn_threads_use(threads);
        st = wgdn_stop_leave(former, st, err);
    }
    if (st)
        wgdn_recommender_free(r);
    else
        *out = r;
    return st;
}

void wgdn_recommender_free(wgdn_recommender *r)
{
    if (!r) return;
    wgdn_ids_close(&r->user_index);
    wgdn_ids_close(&r->item_index);
    if (r->probe != r->v) wgdn_release(r->probe);
    wgdn_release(r->reading);
    wgdn_release(r->popularity);
    wgdn_release(r->ridge);
    wgdn_release(r->value);
    wgdn_release(r->v);
    wgdn_interactions_free(&r->x);
    wgdn_release(r);
}

/* ---- what it is ---- */

/* One more term behind what the text has. */
static void add_term(char *text, size_t size, double weight, const char *term)
{
    const size_t used = strlen(text);
    char number[32];
    if (weight == 0) return;
    wgdn_number_text(number, sizeof number, fabs(weight));
    snprintf(text + used, size - used, "%s%s%s%s",
             weight < 0 ? (used ? " - " : "-")
             : used     ? " + "
                        : "",
             fabs(weight) == 1 ? "" : number, fabs(weight) == 1 ? "" : " ", term);
}

/* The number that a float of three digits was written as. */
static double rounded(float x)
{
    return floor((double)x * 1000 + 0.5) / 1000;
}

static void recipe_text(char *text, size_t size, const wgdn_recipe *r, bool one_mode)
{
    static const char *const paths[] = {"", "A 1/d A", "A 1/log(d) A", "A A"};
    char term[64], power[32];
    text[0] = '\0';
    if (r->ridge > 0) {
        wgdn_number_text(term, sizeof term, (double)r->ridge);
        snprintf(text, size, "ridge over items, lambda %s", term);
    }
    add_term(text, size, rounded(r->two), "S^2");
    add_term(text, size, rounded(r->three), one_mode ? "S^3" : "G");
    add_term(text, size, rounded(r->five), one_mode ? "S^5" : "G^2");
    snprintf(term, sizeof term, r->squared ? "V%lld W^2 V'" : "V%lld V'", (long long)r->columns);
    add_term(text, size, rounded(r->low), term);
    if (r->power != 0 && (r->ridge > 0 || text[0])) {
        const size_t used = strlen(text);
        wgdn_number_text(power, sizeof power, rounded(r->power));
        snprintf(text + used, size - used, ", times degree^%s", power);
    }
    add_term(text, size, rounded(r->paths), paths[r->middle]);
}

void wgdn_recommender_describe(wgdn_recommender_info *info, const wgdn_recommender *r)
{
    const int64_t entries = wgdn_csr_entries(&r->x.r);
    wgdn_recommender_info i = {.struct_size = sizeof i,
                               .users = r->x.r.rows,
                               .items = r->x.r.cols,
                               .interactions = r->x.one_mode ? entries / 2 : entries,
                               .bipartite = !r->x.one_mode,
                               .columns = r->recipe.low != 0 ? r->k : 0,
                               .ridge = (double)r->recipe.ridge,
                               .values = r->values,
                               .held_users = r->held_users,
                               .held_interactions = r->held_queries,
                               .held = r->held,
                               .reading = r->reading,
                               .popular = r->popular,
                               .paths = r->paths};
    recipe_text(i.formula, sizeof i.formula, &r->recipe, r->x.one_mode);
    if (r->x.r.value) {
        const size_t used = strlen(i.formula);
        snprintf(i.formula + used, sizeof i.formula - used, "; weights: %s",
                 r->values == WGDN_INTERACTION_VALUES_LOG ? "log(1 + w)" : "w");
    }
    (void)wgdn_result_give(info, &i, sizeof i, NULL);
}

int64_t wgdn_recommender_id(char *buffer, size_t size, const wgdn_recommender *r, wgdn_side side,
                            int64_t i)
{
    const wgdn_names *n = side == WGDN_SIDE_ITEMS ? &r->x.item_id : &r->x.user_id;
    return i < 0 || i >= n->count ? -1 : wgdn_text_put(buffer, size, wgdn_names_get(n, i));
}

int64_t wgdn_recommender_find(const wgdn_recommender *r, wgdn_side side, const char *id,
                              size_t size)
{
    const wgdn_ids *ids = side == WGDN_SIDE_ITEMS ? &r->item_index : &r->user_index;
    return wgdn_ids_find(ids, wgdn_text_of(id, size));
}

/* ---- lists ---- */

static wgdn_status refuse(const wgdn_recommender *r, const wgdn_recommend_query *q, wgdn_error *err)
{
    const int64_t users = r->x.r.rows, items = r->x.r.cols;
    if (q->k < 1 || q->count < 0)
        return wgdn_fail(err, WGDN_EINVAL, "recommend: %lld lists of %lld items",
                         (long long)q->count, (long long)q->k);
    for (int64_t c = 0; !q->offset && c < q->count; c++) {
        const int64_t u = q->user ? q->user[c] : c;
        if (u < 0 || u >= users)
            return wgdn_fail(err, WGDN_EINVAL, "recommend: user %lld of %lld", (long long)u,
                             (long long)users);
    }
    for (int64_t c = 0; q->offset && c < q->count; c++)
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++)
            if (q->item[k] < 0 || q->item[k] >= items ||
                (k > q->offset[c] && q->item[k] <= q->item[k - 1]))
                return wgdn_fail(err, WGDN_EINVAL,
                                 "recommend: interaction %lld is with item %d of %lld; items have "
                                 "to ascend within a row",
                                 (long long)k, q->item[k], (long long)items);
    for (int64_t i = 0; q->among && i < q->among_count; i++)
        if (q->among[i] < 0 || q->among[i] >= items)
            return wgdn_fail(err, WGDN_EINVAL, "recommend: candidate %lld is item %lld of %lld",
                             (long long)i, (long long)q->among[i], (long long)items);
    return WGDN_OK;
}

wgdn_scorer wgdn_recommender_scorer(const wgdn_recommender *r)
{
    return (wgdn_scorer){
        .x = &r->x, .v = r->v, .probe = r->probe, .k = r->k, .value = r->value, .ridge = r->ridge};
}

typedef struct ranking {
    const wgdn_recommender *r;
    const wgdn_recommend_query *q;
    uint8_t *allowed; /* from the query's `among`, or NULL */
    int64_t *item;
    float *score;
} ranking;

/* Lists of the rows of the query from 64 i on. */
static wgdn_status rank_block(int64_t i, wgdn_scores *p, void *context, wgdn_error *err)
{
    const ranking *w = context;
    const wgdn_recommender *r = w->r;
    const wgdn_recommend_query *q = w->q;
    const int64_t first = i * USERS, count = wgdn_min(USERS, q->count - first);
    const wgdn_scorer s = wgdn_recommender_scorer(r);
    const wgdn_csr given = {.rows = q->count,
                            .cols = r->x.r.cols,
                            .offset = (int64_t *)(uintptr_t)q->offset,
                            .column = (int32_t *)(uintptr_t)q->item,
                            .value = r->x.r.value ? (float *)(uintptr_t)q->weight : NULL};
    int64_t row[USERS], self[USERS];
    for (int64_t c = 0; c < count; c++) {
        row[c] = !q->offset && q->user ? q->user[first + c] : first + c;
        self[c] = q->offset && q->user ? q->user[first + c] : q->offset ? -1 : row[c];
    }
    const wgdn_listing l = {.k = q->k,
                            .rows = count,
                            .seen = q->include_seen != 0,
                            .allowed = w->allowed,
                            .self = r->x.one_mode ? self : NULL};
    wgdn_status st = wgdn_scores_ask(p, q->offset ? &given : &r->x.r, row, count, err);
    if (!st) st = wgdn_scores_fill(p, &s, &r->recipe, err);
    if (st) return st;
    return wgdn_scores_list(w->item + first * q->k, w->score + first * q->k, p, &s, &r->recipe,
                            r->popularity, &l, err);
}

/* Which parts of scores there are; near: where the users who ask reach few interactions. */
static wgdn_score_set find_set(const wgdn_recommender *r, const wgdn_recommend_query *q)
{
    const wgdn_csr given = {.offset = (int64_t *)(uintptr_t)q->offset,
                            .column = (int32_t *)(uintptr_t)q->item};
    wgdn_score_set has = wgdn_recipe_set(&r->recipe);
    double reach = 0;
    for (int64_t c = 0; c < q->count; c++)
        reach += wgdn_row_reach(&r->x, q->offset ? &given : &r->x.r,
                                !q->offset && q->user ? q->user[c] : c);
    has.near = r->recipe.three != 0 && r->recipe.five == 0 && !has.two && !has.paths &&
               wgdn_is_near(&r->x, q->count, reach);
    return has;
}

wgdn_status wgdn_recommender_rank(int64_t *item, float *score, const wgdn_recommender *r,
                                  const wgdn_recommend_query *asked, wgdn_error *err)
{
    wgdn_recommend_query q = {.k = 10};
    ranking w = {.r = r, .q = &q, .item = item, .score = score};
    wgdn_result_ask(&q, asked, sizeof q);
    wgdn_status st = refuse(r, &q, err);
    if (st || q.count == 0) return st;
    const wgdn_scorer s = wgdn_recommender_scorer(r);
    const wgdn_scores_work work = {.s = &s,
                                   .has = find_set(r, &q),
                                   .count = (q.count + USERS - 1) / USERS,
                                   .threads = r->alone ? 1 : q.threads,
                                   .block = rank_block,
                                   .context = &w};
    if (q.among) {
        w.allowed = wgdn_alloc_zero((size_t)r->x.r.cols, sizeof *w.allowed);
        if (!w.allowed) return no_memory(r, err);
    }
    for (int64_t i = 0; q.among && i < q.among_count; i++)
        w.allowed[q.among[i]] = 1;
    const bool former = wgdn_stop_enter(true);
    const int threads = wgdn_threads_use(q.threads);
    st = wgdn_scores_each(&work, err);
    wgdn_release(w.allowed);
    wgdn_threads_use(threads);
    return wgdn_stop_leave(former, st, err);
}
