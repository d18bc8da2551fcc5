/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes scores of all items for a block of users, and the best of them as lists. Users are
 * columns, so that steps along the interactions are sparse products, and items come in waves.
 */
#include "ranking.h"

#include <stdlib.h>

enum {
    USERS = WGDN_BLOCK_USERS,
    GROUP = 16,  /* users of a task: floats of a cache line */
    WAVE = 1024, /* items: 256 kB of scores, which stay in the cache */
};

/* ---- buffers ---- */

wgdn_score_set wgdn_recipe_set(const wgdn_recipe *r)
{
    return (wgdn_score_set){.two = r->two != 0,
                            .three = r->three != 0,
                            .low = r->low != 0 || r->fourth != 0,
                            .paths = r->paths != 0,
                            .ridge = r->ridge > 0};
}

/* So many floats if they are wanted; NULL otherwise, and failed without memory. */
static float *part(bool wanted, int64_t floats, bool *failed)
{
    float *x = wanted ? wgdn_alloc((size_t)floats, sizeof *x) : NULL;
    if (wanted && !x) *failed = true;
    return x;
}

wgdn_status wgdn_scores_open(wgdn_scores *p, const wgdn_scorer *s, wgdn_score_set has,
                             wgdn_error *err)
{
    const int64_t users = s->x->r.rows * USERS, items = s->x->r.cols * USERS;
    const bool paths = has.paths && !s->x->one_mode;
    bool failed = false;
    *p = (wgdn_scores){.walk = part(has.two || has.three || paths, users, &failed)};
    p->three = part(has.three || paths, items, &failed);
    p->paths = part(has.paths && s->x->one_mode, items, &failed);
    p->ridge = part(has.ridge, items, &failed);
    p->weight = part(has.low, s->k * USERS, &failed);
    p->folded = part(has.low, s->k * USERS, &failed);
    p->low = part(has.low, (int64_t)WAVE * USERS, &failed);
    p->query.offset = wgdn_alloc_zero(USERS + 1, sizeof *p->query.offset);
    p->query.rows = USERS;
    p->query.cols = s->x->r.cols;
    if (!failed && p->query.offset) return WGDN_OK;
    wgdn_scores_free(p);
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: scores of %d users and %lld items", (int)USERS,
                     (long long)s->x->r.cols);
}

void wgdn_scores_free(wgdn_scores *p)
{
    wgdn_csr_free(&p->query);
    wgdn_release(p->scaled);
    wgdn_release(p->low);
    wgdn_release(p->folded);
    wgdn_release(p->weight);
    wgdn_release(p->ridge);
    wgdn_release(p->paths);
    wgdn_release(p->three);
    wgdn_release(p->walk);
    *p = (wgdn_scores){0};
}

/* Blocks i, i + lanes, ... belong to one thread, which has buffers for one block. */
typedef struct lane {
    const wgdn_scores_work *w;
    int64_t first, lanes;
    wgdn_status st;
    wgdn_error err;
} lane;

static void run_lane(int64_t i, void *context)
{
    lane *l = (lane *)context + i;
    wgdn_scores p;
    l->st = wgdn_scores_open(&p, l->w->s, l->w->has, &l->err);
    if (l->st) return;
    for (int64_t b = l->first; !l->st && b < l->w->count && !wgdn_stopping(); b += l->lanes)
        l->st = l->w->block(b, &p, l->w->context, &l->err);
    wgdn_scores_free(&p);
}

wgdn_status wgdn_scores_each(const wgdn_scores_work *w, wgdn_error *err)
{
    const int64_t lanes = wgdn_min(w->count, wgdn_threads_count(w->threads));
    lane *l = wgdn_alloc_zero((size_t)lanes, sizeof *l);
    wgdn_status st = WGDN_OK;
    if (!l) return wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld threads", (long long)lanes);
    for (int64_t i = 0; i < lanes; i++)
        l[i] = (lane){.w = w, .first = i, .lanes = lanes};
    if (lanes == 1)
        run_lane(0, l);
    else
        wgdn_for_each(lanes, run_lane, l);
    for (int64_t i = 0; i < lanes && !st; i++)
        st = l[i].st ? wgdn_fail(err, l[i].st, "%s", l[i].err.message) : WGDN_OK;
    wgdn_release(l);
    return st;
}

/* ---- the query ---- */

static wgdn_status make_room(wgdn_scores *p, int64_t entries, bool values, wgdn_error *err)
{
    wgdn_csr *q = &p->query;
    if (entries <= p->room && (!values || q->value)) return WGDN_OK;
    wgdn_release(q->column);
    wgdn_release(q->value);
    wgdn_release(p->scaled);
    q->column = wgdn_alloc((size_t)entries, sizeof *q->column);
    q->value = values ? wgdn_alloc((size_t)entries, sizeof *q->value) : NULL;
    p->scaled = wgdn_alloc((size_t)entries, sizeof *p->scaled);
    p->room = entries;
    if (q->column && p->scaled && (q->value || !values)) return WGDN_OK;
    p->room = 0;
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: a query of %lld interactions",
                     (long long)entries);
}

wgdn_status wgdn_scores_ask(wgdn_scores *p, const wgdn_csr *rows, const int64_t *row, int64_t count,
                            wgdn_error *err)
{
    wgdn_csr *q = &p->query;
    int64_t entries = 1, at = 0;
    for (int64_t c = 0; c < count; c++)
        if (row[c] >= 0) entries += rows->offset[row[c] + 1] - rows->offset[row[c]];
    const wgdn_status st = make_room(p, entries, rows->value != NULL, err);
    if (st) return st;
    for (int64_t c = 0; c < USERS; c++) {
        const int64_t from = c < count && row[c] >= 0 ? rows->offset[row[c]] : 0;
        const int64_t end = c < count && row[c] >= 0 ? rows->offset[row[c] + 1] : 0;
        for (int64_t k = from; k < end; k++, at++) {
            q->column[at] = rows->column[k];
            if (rows->value) q->value[at] = rows->value[k];
        }
        q->offset[c + 1] = at;
    }
    return WGDN_OK;
}

/* ---- steps along the interactions ---- */

typedef struct walk_job {
    const wgdn_scores *p;
    const wgdn_interactions *x;
    float *to;
    wgdn_middle middle;
    bool filter; /* the walk of `two` and `three`, else that of `paths` */
} walk_job;

static float middle_weight(const wgdn_csr *rows, int64_t i, wgdn_middle middle)
{
    const double d = wgdn_graph_strength(rows, i);
    switch (middle) {
    case WGDN_MIDDLE_DEGREE: return d > 0 ? (float)(1 / d) : 0;
    case WGDN_MIDDLE_LOG: return (float)(1 / log(fmax(d, 2)));
    case WGDN_MIDDLE_NONE:
    case WGDN_MIDDLE_ONE: break;
    }
    return 1;
}

/* In one mode the factor d^-1/2 of the node that asks, in filters. */
static float own_scale(const wgdn_csr *q, int64_t c)
{
    const double d = wgdn_graph_strength(q, c);
    return d > 0 ? (float)(1 / sqrt(d)) : 1;
}

/*
 * Column c of a group becomes the sum of the rows of R^T that the query has, each times its middle
 * weight; in filters also times Du^-1, and in one mode times the factor of the node that asks.
 */
static void walk_group(int64_t group, void *context)
{
    const walk_job *job = context;
    const wgdn_csr *q = &job->p->query, *t = &job->x->t;
    const float *us = job->x->user_scale;
    float *to = job->to + group * GROUP * t->cols;
    memset(to, 0, (size_t)(t->cols * GROUP) * sizeof *to);
    for (int64_t c = group * GROUP; c < (group + 1) * GROUP; c++, to++) {
        const float own = job->filter && job->x->one_mode ? own_scale(q, c) : 1;
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++) {
            const int64_t i = q->column[k];
            const float given = q->value ? q->value[k] : 1;
            const float w = own * given * middle_weight(t, i, job->middle);
            for (int64_t e = t->offset[i]; e < t->offset[i + 1]; e++) {
                const int64_t u = t->column[e];
                const float by = t->value ? w * t->value[e] : w;
                to[u * GROUP] += job->filter ? by * us[u] * us[u] : by;
            }
        }
    }
}

/* The third step, of one group after the other: the walk of a group fits into the cache. */
static void step_on(const wgdn_scores *p, const wgdn_interactions *x)
{
    for (int64_t c = 0; c < USERS; c += GROUP)
        wgdn_spmm(p->three + c * x->t.rows, &x->t, p->walk + c * x->t.cols, GROUP);
}

static void weigh_middle(int64_t first, int64_t count, double *sums, void *context)
{
    const walk_job *job = context;
    const int64_t users = job->x->r.rows;
    (void)sums;
    for (int64_t u = first; u < first + count; u++) {
        const float by = middle_weight(&job->x->r, u, job->middle);
        for (int64_t c = 0; c < USERS; c++)
            job->to[(c / GROUP * users + u) * GROUP + c % GROUP] *= by;
    }
}

/* Paths whose middle nodes have weights: of two steps between nodes of one kind, else of three. */
static void fill_paths(wgdn_scores *p, const wgdn_interactions *x, wgdn_middle middle)
{
    walk_job job = {p, x, x->one_mode ? p->paths : p->walk, middle, false};
    wgdn_for_each(USERS / GROUP, walk_group, &job);
    if (x->one_mode) return;
    wgdn_for_blocks(wgdn_alone(x->r.rows), weigh_middle, &job, NULL, 0, NULL);
    step_on(p, x);
}

static void fill_steps(wgdn_scores *p, const wgdn_interactions *x, bool three)
{
    walk_job job = {p, x, p->walk, WGDN_MIDDLE_DEGREE, true};
    wgdn_for_each(USERS / GROUP, walk_group, &job);
    if (three) step_on(p, x);
}

/* `two` is the walk without its Du^-1, times D^-1/2; the end of `three` is Di^-1/2. */
static float two_factor(const wgdn_interactions *x, int64_t j)
{
    return x->user_scale[j] > 0 ? 1 / x->user_scale[j] : 0;
}

/* Where item j is in a buffer of items in groups of users, for user c. */
static int64_t place_of(const wgdn_interactions *x, int64_t j, int64_t c)
{
    return (c / GROUP * x->r.cols + j) * GROUP + c % GROUP;
}

void wgdn_scores_steps(float *two, float *three, float *paths, const wgdn_scores *p,
                       const wgdn_interactions *x, int64_t j, int64_t c)
{
    const int64_t at = place_of(x, j, c);
    *three = p->three[at] * x->item_scale[j];
    *two = x->one_mode ? two_factor(x, j) * p->walk[at] : 0;
    *paths = x->one_mode ? p->paths[at] : 0;
}

/* ---- the low-pass part ---- */

/* r_u Di^-1/2, in one mode times the user's own d^-1/2. */
static void normalize_query(wgdn_scores *p, const wgdn_interactions *x)
{
    const wgdn_csr *q = &p->query;
    for (int64_t c = 0; c < USERS; c++) {
        const float own = x->one_mode ? own_scale(q, c) : 1;
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++)
            p->scaled[k] = own * x->item_scale[q->column[k]] * (q->value ? q->value[k] : 1);
    }
}

/* What the recipe makes of a column; in one mode its weight has Sigma^2 already. */
static double column_factor(const wgdn_recipe *r, bool one_mode, double value, int64_t l)
{
    const double g = value * value, low = l < r->columns ? (double)r->low : 0;
    if (!one_mode) return low + (double)r->fourth * g * g;
    return r->squared ? low : g > 0 ? low / g : 0;
}

static void fill_low(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r)
{
    wgdn_csr scaled = p->query;
    scaled.value = p->scaled;
    normalize_query(p, s->x);
    wgdn_spmm(p->weight, &scaled, s->probe, s->k);
    for (int64_t l = 0; l < s->k; l++) {
        const double by = column_factor(r, s->x->one_mode, s->value ? s->value[l] : 1, l);
        for (int64_t c = 0; c < USERS; c++)
            p->folded[l * USERS + c] = (float)by * p->weight[c * s->k + l];
    }
}

void wgdn_scores_give(wgdn_scores *p, const float *weight, int64_t k, const int64_t *row,
                      int64_t count)
{
    for (int64_t c = 0; c < USERS; c++)
        for (int64_t l = 0; l < k; l++)
            p->folded[l * USERS + c] = c < count ? weight[row[c] * k + l] : 0;
}

void wgdn_scores_fill(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r)
{
    const wgdn_score_set has = wgdn_recipe_set(r);
    if (has.paths) fill_paths(p, s->x, r->middle);
    if (has.two || has.three) fill_steps(p, s->x, has.three);
    if (has.ridge) wgdn_spmm(p->ridge, &p->query, s->ridge, s->x->r.cols);
    if (has.low) fill_low(p, s, r);
}

void wgdn_popularity(float *out, const wgdn_interactions *x, double power)
{
    for (int64_t j = 0; j < x->r.cols; j++) {
        const double d = wgdn_graph_strength(&x->t, j);
        out[j] = d > 0 ? (float)pow(d, power) : 0;
    }
}

/* ---- lists ---- */

typedef struct list_job {
    int64_t *item;
    float *score;
    const wgdn_scores *p;
    const wgdn_scorer *s;
    const wgdn_recipe *r;
    const float *popularity;
    const wgdn_listing *l;
    int64_t first, count; /* the wave */
    int64_t held[USERS];  /* items of each list */
} list_job;

/* Whether item a, which scores x, comes before item b, which scores y. */
static inline bool is_before(float x, int64_t a, float y, int64_t b, const int32_t *order)
{
    return x != y ? x > y : order[a] < order[b];
}

/* Moves the root of a heap, whose root comes last in the list, to its place. */
static void sink(int64_t *item, float *score, int64_t count, const int32_t *order)
{
    const int64_t own = item[0];
    const float x = score[0];
    int64_t at = 0;
    for (int64_t next = 1; next < count; next = 2 * at + 1) {
        if (next + 1 < count &&
            is_before(score[next], item[next], score[next + 1], item[next + 1], order))
            next++;
        if (!is_before(x, own, score[next], item[next], order)) break;
        item[at] = item[next];
        score[at] = score[next];
        at = next;
    }
    item[at] = own;
    score[at] = x;
}

static bool is_in_row(const wgdn_csr *q, int64_t row, int64_t item)
{
    int64_t low = q->offset[row], high = q->offset[row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (q->column[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < q->offset[row + 1] && q->column[low] == item;
}

/* Adds `by` times what GROUP users have in a row of a buffer. */
static inline void add_part(float *restrict x, float by, const float *restrict row)
{
    for (int c = 0; c < GROUP; c++)
        x[c] += by * row[c];
}

/* Scores of item j for the users from column c0 on. */
static inline void score_group(float *restrict x, const list_job *job, int64_t j, int64_t c0)
{
    const wgdn_scores *p = job->p;
    const wgdn_recipe *r = job->r;
    const wgdn_interactions *of = job->s->x;
    const int64_t at = (c0 * of->r.cols) + j * GROUP, items = of->r.cols;
    const float popularity = job->popularity[j];
    for (int c = 0; c < GROUP; c++)
        x[c] = 0;
    if (r->three != 0) add_part(x, r->three * of->item_scale[j], p->three + at);
    if (r->two != 0) add_part(x, r->two * two_factor(of, j), p->walk + at);
    if (r->low != 0 || r->fourth != 0) add_part(x, 1, p->low + (j - job->first) * USERS + c0);
    for (int c = 0; r->ridge > 0 && c < GROUP; c++)
        x[c] += p->ridge[(c0 + c) * items + j];
    for (int c = 0; c < GROUP; c++)
        x[c] *= popularity;
    if (r->paths != 0) add_part(x, r->paths, (of->one_mode ? p->paths : p->three) + at);
}

/* Offers an item to the list of row c, a heap of job->held[c] items. */
static void offer(list_job *job, int64_t c, int64_t j, float x)
{
    const int64_t k = job->l->k;
    const int32_t *order = job->s->x->order;
    int64_t *item = job->item + c * k, *held = &job->held[c];
    float *score = job->score + c * k;
    if (*held == k && !is_before(x, j, score[0], item[0], order)) return;
    if (!job->l->seen && is_in_row(&job->p->query, c, j)) return;
    if (job->l->self && job->l->self[c] == j) return;
    if (*held == k) {
        item[0] = j;
        score[0] = x;
        sink(item, score, k, order);
        return;
    }
    int64_t at = (*held)++;
    for (int64_t up = (at - 1) / 2; at > 0 && is_before(score[up], item[up], x, j, order);
         up = (at - 1) / 2) {
        item[at] = item[up];
        score[at] = score[up];
        at = up;
    }
    item[at] = j;
    score[at] = x;
}

/* The heap becomes a list, best first, with -1 behind it. */
static void close_list(int64_t *item, float *score, int64_t held, int64_t k, const int32_t *order)
{
    for (int64_t left = held; left > 1; left--) {
        const int64_t last = item[0];
        const float x = score[0];
        item[0] = item[left - 1];
        score[0] = score[left - 1];
        sink(item, score, left - 1, order);
        item[left - 1] = last;
        score[left - 1] = x;
    }
    for (int64_t i = held; i < k; i++) {
        item[i] = -1;
        score[i] = 0;
    }
}

/* The least score that may enter the list of row c. */
static float least_of(const list_job *job, int64_t c)
{
    if (c >= job->l->rows) return INFINITY;
    return job->held[c] == job->l->k ? job->score[c * job->l->k] : -INFINITY;
}

static void list_group(int64_t group, void *context)
{
    list_job *job = context;
    const int64_t c0 = group * GROUP, end = job->first + job->count;
    const uint8_t *allowed = job->l->allowed;
    float x[GROUP], least[GROUP];
    int enters[GROUP];
    for (int c = 0; c < GROUP; c++)
        least[c] = least_of(job, c0 + c);
    for (int64_t j = job->first; j < end; j++) {
        int any = 0;
        if (allowed && !allowed[j]) continue;
        score_group(x, job, j, c0);
        for (int c = 0; c < GROUP; c++)
            enters[c] = x[c] >= least[c];
        for (int c = 0; c < GROUP; c++)
            any |= enters[c];
        for (int c = 0; any && c < GROUP; c++)
            if (enters[c]) {
                offer(job, c0 + c, j, x[c]);
                least[c] = least_of(job, c0 + c);
            }
    }
}

wgdn_status wgdn_scores_list(int64_t *item, float *score, const wgdn_scores *p,
                             const wgdn_scorer *s, const wgdn_recipe *r, const float *popularity,
                             const wgdn_listing *l, wgdn_error *err)
{
    list_job job = {item, score, p, s, r, popularity, l, .first = 0};
    const int64_t items = s->x->r.cols;
    wgdn_status st = WGDN_OK;
    for (; !st && job.first < items; job.first += WAVE) {
        job.count = wgdn_min(WAVE, items - job.first);
        if (l->allowed && !memchr(l->allowed + job.first, 1, (size_t)job.count)) continue;
        if (wgdn_recipe_set(r).low) {
            const wgdn_product product = wgdn_product_of(p->low, s->v + job.first * s->k, p->folded,
                                                         wgdn_alone(job.count), s->k, USERS);
            st = wgdn_gemm_nn(&product, err);
        }
        if (!st) wgdn_for_each((l->rows + GROUP - 1) / GROUP, list_group, &job);
    }
    for (int64_t c = 0; !st && c < l->rows; c++)
        close_list(item + c * l->k, score + c * l->k, job.held[c], l->k, s->x->order);
    return st;
}

void wgdn_popular_list(int64_t *item, const wgdn_scores *p, const int64_t *popular, int64_t items,
                       const wgdn_listing *l)
{
    for (int64_t c = 0; c < l->rows; c++) {
        int64_t held = 0;
        for (int64_t i = 0; i < items && held < l->k; i++)
            if (!is_in_row(&p->query, c, popular[i]) && !(l->self && l->self[c] == popular[i]))
                item[c * l->k + held++] = popular[i];
        while (held < l->k)
            item[c * l->k + held++] = -1;
    }
}

/* ---- quality ---- */

bool wgdn_is_wanted(const int32_t *wanted, int64_t count, int64_t item)
{
    const wgdn_csr row = {.offset = (int64_t[]){0, count}, .column = (int32_t *)(uintptr_t)wanted};
    return is_in_row(&row, 0, item);
}

void wgdn_rank_add(wgdn_rank_sums *s, int64_t rank, int64_t depth, bool each)
{
    const double own = 1 / ((double)rank + 1);
    if (rank < depth) {
        s->gain += 1 / log2((double)rank + 2);
        s->hits++;
    }
    if (each)
        s->reciprocal += own;
    else if (own > s->reciprocal)
        s->reciprocal = own;
}

wgdn_list_quality wgdn_rank_quality(const wgdn_rank_sums *s, int64_t depth, bool each,
                                    int64_t wanted)
{
    double best = 0;
    if (wanted < 1) return (wgdn_list_quality){0};
    for (int64_t i = 0; i < wgdn_min(depth, wanted); i++)
        best += 1 / log2((double)i + 2);
    const double recall = (double)s->hits / (double)wanted;
    return (wgdn_list_quality){.recall = recall,
                               .ndcg = s->gain / best,
                               .mrr = each ? s->reciprocal / (double)wanted : s->reciprocal,
                               .hits = each ? recall : s->hits > 0};
}

wgdn_list_quality wgdn_list_judge(const int64_t *list, int64_t k, int64_t depth, bool each,
                                  const int32_t *wanted, int64_t count)
{
    wgdn_rank_sums s = {0};
    for (int64_t i = 0; i < k && list[i] >= 0; i++)
        if (wgdn_is_wanted(wanted, count, list[i])) wgdn_rank_add(&s, i, depth, each);
    return wgdn_rank_quality(&s, depth, each, count);
}

void wgdn_quality_add(wgdn_list_quality *sum, const wgdn_list_quality *q, double weight)
{
    sum->recall += weight * q->recall;
    sum->ndcg += weight * q->ndcg;
    sum->mrr += weight * q->mrr;
    sum->hits += weight * q->hits;
}

void wgdn_quality_divide(wgdn_list_quality *sum, double by)
{
    if (by <= 0) return;
    sum->recall /= by;
    sum->ndcg /= by;
    sum->mrr /= by;
    sum->hits /= by;
}
