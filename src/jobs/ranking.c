/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes scores of all items for a block of users, and the best of them as lists. A block is one
 * column each in matrices of items x users, so that every step is a sparse or dense product.
 */
#include "ranking.h"

#include <stdlib.h>

enum { USERS = WGDN_BLOCK_USERS, GROUP = 16 /* users of a task: floats of a cache line */ };

/* ---- buffers ---- */

wgdn_score_set wgdn_recipe_set(const wgdn_recipe *r)
{
    return (wgdn_score_set){.two = r->two != 0,
                            .three = r->three != 0 || r->five != 0,
                            .five = r->five != 0,
                            .low = r->low != 0,
                            .paths = r->paths != 0,
                            .ridge = r->ridge > 0};
}

static bool has_walk(wgdn_score_set has)
{
    return has.two || has.three || has.five || has.paths;
}

int64_t wgdn_scores_bytes(int64_t users, int64_t items, int64_t k, wgdn_score_set has)
{
    const int64_t parts = has.two + has.three + has.five + has.low + has.paths + has.ridge;
    return (int64_t)sizeof(float) * USERS * (users * has_walk(has) + items * parts + k * 2);
}

/* rows x USERS floats if wanted; NULL and failed without memory. */
static float *part(bool wanted, int64_t rows, bool *failed)
{
    float *x = wanted ? wgdn_alloc((size_t)rows * USERS, sizeof *x) : NULL;
    if (wanted && !x) *failed = true;
    return x;
}

wgdn_status wgdn_scores_open(wgdn_scores *p, const wgdn_scorer *s, wgdn_score_set has,
                             wgdn_error *err)
{
    const int64_t users = s->x->r.rows, items = s->x->r.cols;
    bool failed = false;
    *p = (wgdn_scores){.has = has};
    p->walk = part(has_walk(has), users, &failed);
    p->two = part(has.two, items, &failed);
    p->three = part(has.three, items, &failed);
    p->five = part(has.five, items, &failed);
    p->low = part(has.low, items, &failed);
    p->paths = part(has.paths, items, &failed);
    p->ridge = part(has.ridge, items, &failed);
    p->weight = part(has.low, s->k, &failed);
    if (has.low && !failed) {
        p->work = wgdn_alloc(wgdn_gemm_nt_work(s->k, USERS), 1);
        failed = !p->work;
    }
    p->query.offset = wgdn_alloc_zero(USERS + 1, sizeof *p->query.offset);
    p->query.rows = USERS;
    p->query.cols = items;
    if (!failed && p->query.offset) return WGDN_OK;
    wgdn_scores_free(p);
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: scores of %d users and %lld items", (int)USERS,
                     (long long)items);
}

void wgdn_scores_free(wgdn_scores *p)
{
    wgdn_csr_free(&p->query);
    wgdn_release(p->scaled);
    wgdn_release(p->work);
    wgdn_release(p->weight);
    wgdn_release(p->ridge);
    wgdn_release(p->paths);
    wgdn_release(p->low);
    wgdn_release(p->five);
    wgdn_release(p->three);
    wgdn_release(p->two);
    wgdn_release(p->walk);
    *p = (wgdn_scores){0};
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

/* ---- walks ---- */

typedef struct fill_job {
    wgdn_scores *p;
    const wgdn_scorer *s;
    float *to;
    wgdn_middle middle;
} fill_job;

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

/* Column c of `to` becomes the sum of the rows of R^T that the query has, each times its middle weight. */
static void walk_group(int64_t group, void *context)
{
    const fill_job *job = context;
    const wgdn_csr *q = &job->p->query, *t = &job->s->x->t;
    for (int64_t c = group * GROUP; c < (group + 1) * GROUP; c++)
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++) {
            const int64_t i = q->column[k];
            const float own = q->value ? q->value[k] : 1;
            const float w = own * middle_weight(t, i, job->middle);
            for (int64_t e = t->offset[i]; e < t->offset[i + 1]; e++)
                job->to[t->column[e] * (int64_t)USERS + c] += t->value ? w * t->value[e] : w;
        }
}

static void walk(float *to, wgdn_scores *p, const wgdn_scorer *s, wgdn_middle middle)
{
    fill_job job = {p, s, to, middle};
    memset(to, 0, (size_t)s->x->t.cols * USERS * sizeof *to);
    wgdn_for_each(USERS / GROUP, walk_group, &job);
}

typedef struct scale_job {
    float *y;
    const float *x, *scale;
    bool square;
    const wgdn_csr *rows; /* instead of scale: middle weights of its rows */
    wgdn_middle middle;
} scale_job;

static void scale_block(int64_t first, int64_t count, double *sums, void *context)
{
    const scale_job *job = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float by = job->rows ? middle_weight(job->rows, i, job->middle) : job->scale[i];
        if (job->square) by *= by;
        for (int64_t c = 0; c < USERS; c++)
            job->y[i * USERS + c] = by * job->x[i * USERS + c];
    }
}

/* y_i = s_i x_i, or s_i^2 x_i; y may be x. */
static void scale(float *y, const float *x, const float *by, bool square, int64_t rows)
{
    scale_job job = {.y = y, .x = x, .scale = by, .square = square};
    wgdn_for_blocks(wgdn_alone(rows), scale_block, &job, NULL, 0, NULL);
}

/* One mode: every column c times d^-1/2 of the row that asks. */
static void scale_columns(float *y, const wgdn_csr *q, int64_t rows)
{
    float by[USERS];
    for (int64_t c = 0; c < USERS; c++) {
        const double d = wgdn_graph_strength(q, c);
        by[c] = d > 0 ? (float)(1 / sqrt(d)) : 0;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < USERS; c++)
            y[i * USERS + c] *= by[c];
}

/* ---- all parts ---- */

/* r_u Di^-1/2, in one mode times the user's own d^-1/2. */
static void normalize_query(wgdn_scores *p, const wgdn_interactions *x)
{
    const wgdn_csr *q = &p->query;
    for (int64_t c = 0; c < USERS; c++) {
        const double d = wgdn_graph_strength(q, c);
        const float own = x->one_mode && d > 0 ? (float)(1 / sqrt(d)) : 1;
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++)
            p->scaled[k] = own * x->item_scale[q->column[k]] * (q->value ? q->value[k] : 1);
    }
}

static wgdn_status fill_low(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r,
                            wgdn_error *err)
{
    wgdn_csr scaled = p->query;
    scaled.value = p->scaled;
    normalize_query(p, s->x);
    wgdn_spmm(p->weight, &scaled, s->probe, s->k);
    for (int64_t l = 0; s->x->one_mode && !r->squared && l < s->k; l++)
        for (int64_t c = 0; c < USERS; c++) {
            const double value = s->value[l];
            float *w = p->weight + c * s->k + l;
            *w = value > 0 ? (float)(*w / (value * value)) : 0;
        }
    wgdn_product product =
        wgdn_product_of(p->low, s->v, p->weight, wgdn_alone(s->x->r.cols), s->k, USERS);
    product.work = p->work;
    return wgdn_gemm_nt(&product, err);
}

/* Powers of G by steps along R and R^T, from the walk that is there. */
static void fill_filter(wgdn_scores *p, const wgdn_interactions *x)
{
    const int64_t users = x->r.rows, items = x->r.cols;
    if (p->has.two) {
        scale(p->two, p->walk, x->item_scale, false, items);
        scale_columns(p->two, &p->query, items);
    }
    if (!p->has.three) return;
    scale(p->walk, p->walk, x->user_scale, true, users);
    wgdn_spmm(p->three, &x->t, p->walk, USERS);
    scale(p->three, p->three, x->item_scale, false, items);
    if (x->one_mode) scale_columns(p->three, &p->query, items);
    if (!p->has.five) return;
    scale(p->five, p->three, x->item_scale, false, items);
    wgdn_spmm(p->walk, &x->r, p->five, USERS);
    scale(p->walk, p->walk, x->user_scale, true, users);
    wgdn_spmm(p->five, &x->t, p->walk, USERS);
    scale(p->five, p->five, x->item_scale, false, items);
}

/* Paths whose middle nodes have weights: of two steps between nodes of one kind, else of three. */
static void fill_paths(wgdn_scores *p, const wgdn_scorer *s, wgdn_middle middle)
{
    const wgdn_interactions *x = s->x;
    if (x->one_mode) {
        walk(p->paths, p, s, middle);
        return;
    }
    walk(p->walk, p, s, middle);
    scale_job job = {.y = p->walk, .x = p->walk, .rows = &x->r, .middle = middle};
    wgdn_for_blocks(wgdn_alone(x->r.rows), scale_block, &job, NULL, 0, NULL);
    wgdn_spmm(p->paths, &x->t, p->walk, USERS);
}

wgdn_status wgdn_scores_fill(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r,
                             wgdn_error *err)
{
    if (wgdn_stop_check(err)) return WGDN_ESTOPPED;
    if (p->has.paths) fill_paths(p, s, r->middle);
    if (p->has.two || p->has.three) {
        walk(p->walk, p, s, WGDN_MIDDLE_DEGREE);
        fill_filter(p, s->x);
    }
    if (p->has.ridge) wgdn_spmm(p->ridge, &p->query, s->ridge, s->x->r.cols);
    return p->has.low ? fill_low(p, s, r, err) : WGDN_OK;
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
    int64_t rows;
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

/* Scores of item j for the users from column c0 on. */
static void score_group(float x[GROUP], const list_job *job, int64_t j, int64_t c0)
{
    const wgdn_scores *p = job->p;
    const wgdn_recipe *r = job->r;
    const int64_t at = j * USERS + c0, items = p->query.cols;
    const float popularity = job->popularity[j];
    for (int c = 0; c < GROUP; c++)
        x[c] = 0;
    if (r->three != 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += r->three * p->three[at + c];
    if (r->five != 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += r->five * p->five[at + c];
    if (r->two != 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += r->two * p->two[at + c];
    if (r->low != 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += r->low * p->low[at + c];
    if (r->ridge > 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += p->ridge[(c0 + c) * items + j];
    for (int c = 0; c < GROUP; c++)
        x[c] *= popularity;
    if (r->paths != 0)
        for (int c = 0; c < GROUP; c++)
            x[c] += r->paths * p->paths[at + c];
}

/* Offers an item to the list of row c, a heap of `held` items. */
static void offer(const list_job *job, int64_t c, int64_t j, float x, int64_t *held)
{
    const int64_t k = job->l->k;
    const int32_t *order = job->s->x->order;
    int64_t *item = job->item + c * k;
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

static void list_group(int64_t group, void *context)
{
    const list_job *job = context;
    const wgdn_listing *l = job->l;
    const int64_t c0 = group * GROUP, k = l->k, users = wgdn_min(GROUP, job->rows - c0);
    const int64_t count = l->among ? l->among_count : job->p->query.cols;
    int64_t held[GROUP] = {0};
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = l->among ? l->among[i] : i;
        float x[GROUP];
        score_group(x, job, j, c0);
        for (int c = 0; c < users; c++)
            if (held[c] < k || x[c] >= job->score[(c0 + c) * k])
                offer(job, c0 + c, j, x[c], &held[c]);
    }
    for (int c = 0; c < users; c++)
        close_list(job->item + (c0 + c) * k, job->score + (c0 + c) * k, held[c], k,
                   job->s->x->order);
}

void wgdn_scores_list(int64_t *item, float *score, const wgdn_scores *p, const wgdn_scorer *s,
                      const wgdn_recipe *r, const float *popularity, const wgdn_listing *l,
                      int64_t rows)
{
    list_job job = {item, score, p, s, r, popularity, l, rows};
    wgdn_for_each((rows + GROUP - 1) / GROUP, list_group, &job);
}

void wgdn_popular_list(int64_t *item, const wgdn_scores *p, const int64_t *popular, int64_t items,
                       const wgdn_listing *l, int64_t rows)
{
    for (int64_t c = 0; c < rows; c++) {
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
