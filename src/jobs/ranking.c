/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes scores of all items for a block of users, and the best of them as lists. Users are
 * columns, so that steps along the interactions are sparse products, and items come in waves.
 */
#include "ranking.h"
#include "linalg/rows.h"

#include <stdatomic.h>

enum {
    USERS = WGDN_BLOCK_USERS,
    GROUP = 32, /* users that take a step together: floats of two cache lines */
    WAVE = 1024 /* items: 256 kB of scores, which stay in the cache */
};

/* ---- buffers ---- */

wgdn_score_set wgdn_recipe_set(const wgdn_recipe *r)
{
    return (wgdn_score_set){.two = r->two != 0,
                            .three = r->three != 0 || r->five != 0,
                            .low = r->low != 0,
                            .paths = r->paths != 0,
                            .ridge = r->ridge > 0};
}

/* So many zeros if they are wanted; NULL otherwise, and without memory. */
static float *part(wgdn_scores *p, bool wanted, int64_t floats)
{
    return wanted ? wgdn_arrays_add_zero(&p->arrays, (size_t)floats, sizeof(float)) : NULL;
}

wgdn_status wgdn_scores_open(wgdn_scores *p, const wgdn_scorer *s, wgdn_score_set has,
                             wgdn_error *err)
{
    const int64_t users = s->x->r.rows, items = s->x->r.cols;
    *p = (wgdn_scores){.query = {.rows = USERS, .cols = items}};
    const bool steps = has.two || has.three || has.paths;
    p->walk = part(p, steps && !has.near, (users + items) * GROUP);
    p->feed = p->walk ? p->walk + users * GROUP : NULL; /* together they get huge pages */
    p->near.walk = part(p, steps && !s->x->one_mode, users);
    p->near.sum = part(p, steps && !s->x->one_mode, items);
    p->near.by_user = (uint64_t *)part(p, steps && !s->x->one_mode, users / 32 + 2);
    p->near.by_item = (uint64_t *)part(p, steps && !s->x->one_mode, items / 32 + 2);
    p->two = part(p, has.two, items * USERS);
    p->three = part(p, has.three && !has.near, items * USERS);
    p->five = part(p, has.five, items * USERS);
    p->paths = part(p, has.paths, items * USERS);
    p->ridge = part(p, has.ridge, items * USERS);
    p->weight = part(p, has.low, s->k * USERS);
    p->folded = part(p, has.low, s->k * USERS);
    p->score = part(p, true, (int64_t)WAVE * USERS);
    p->query.offset = wgdn_alloc_zero(USERS + 1, sizeof *p->query.offset);
    if (!p->arrays.failed && p->query.offset) return WGDN_OK;
    wgdn_scores_free(p);
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: scores of %d users and %lld items", (int)USERS,
                     (long long)items);
}

void wgdn_scores_free(wgdn_scores *p)
{
    wgdn_csr_free(&p->query);
    wgdn_release(p->near.value);
    wgdn_release(p->near.item);
    wgdn_release(p->scaled);
    wgdn_arrays_release(&p->arrays);
    *p = (wgdn_scores){0};
}

/* A thread takes the next block that is left, and has buffers for one. */
typedef struct lanes {
    const wgdn_scores_work *w;
    atomic_llong next;
    atomic_int
        st; /* the first failure, or that the calling thread, which alone is asked, is to stop */
    wgdn_error *err; /* is written by who sets st */
} lanes;

static void run_lane(int64_t lane, void *context)
{
    lanes *all = context;
    const wgdn_scores_work *w = all->w;
    wgdn_scores p;
    wgdn_error err = {WGDN_OK, ""};
    int none = WGDN_OK;
    wgdn_status st = wgdn_scores_open(&p, w->s, w->has, &err);
    (void)lane;
    while (!st && !atomic_load(&all->st)) {
        const int64_t i = atomic_fetch_add(&all->next, 1);
        if (i >= w->count) break;
        st = wgdn_stop_check(&err);
        if (!st) st = w->block(i, &p, w->context, &err);
    }
    wgdn_scores_free(&p);
    if (st && atomic_compare_exchange_strong(&all->st, &none, (int)st) && all->err) *all->err = err;
}

wgdn_status wgdn_scores_each(const wgdn_scores_work *w, wgdn_error *err)
{
    const int64_t count = wgdn_min(w->count, wgdn_threads_count(w->threads));
    lanes all = {.w = w, .err = err};
    if (count == 1)
        run_lane(0, &all);
    else
        wgdn_for_each(count, run_lane, &all);
    return (wgdn_status)atomic_load(&all.st);
}

/* ---- the query ---- */

wgdn_status wgdn_scores_ask(wgdn_scores *p, const wgdn_csr *rows, const int64_t *row, int64_t count,
                            wgdn_error *err)
{
    wgdn_csr *q = &p->query;
    int64_t entries = 1, at = 0;
    for (int64_t c = 0; c < count; c++)
        if (row[c] >= 0) entries += rows->offset[row[c] + 1] - rows->offset[row[c]];
    if (entries > p->room || (rows->value && !q->value)) {
        wgdn_csr_free(&(wgdn_csr){.column = q->column, .value = q->value});
        wgdn_release(p->scaled);
        q->column = wgdn_alloc((size_t)entries, sizeof *q->column);
        q->value = rows->value ? wgdn_alloc((size_t)entries, sizeof *q->value) : NULL;
        p->scaled = wgdn_alloc((size_t)entries, sizeof *p->scaled);
        p->room = q->column && p->scaled && (q->value || !rows->value) ? entries : 0;
        if (p->room == 0)
            return wgdn_fail(err, WGDN_ENOMEM, "recommend: a query of %lld interactions",
                             (long long)entries);
    }
    p->rows = count;
    for (int64_t c = 0; c < USERS; c++) {
        const int64_t u = c < count ? row[c] : -1;
        for (int64_t k = u < 0 ? 0 : rows->offset[u]; u >= 0 && k < rows->offset[u + 1];
             k++, at++) {
            q->column[at] = rows->column[k];
            if (rows->value) q->value[at] = rows->value[k];
        }
        q->offset[c + 1] = at;
    }
    return WGDN_OK;
}

/* ---- steps along the interactions ---- */

/*
 * Of a group of users, whose rows are the columns q:
 *
 *     walk = Du^-1 R Di^-1 q;   feed = Di^-1 R^T walk;   walk <- Du^-1 R feed;   Di^-1 R^T walk
 *
 * Di^1/2 times the second and the fourth is what G and G^2 make of Di^-1/2 q. In one mode Di is Du, and
 * q has a factor d^-1/2 of the node that asks.
 */

static float middle_weight(const wgdn_csr *rows, int64_t i, wgdn_middle middle)
{
    const double d = wgdn_graph_strength(rows, i);
    if (middle == WGDN_MIDDLE_DEGREE) return d > 0 ? (float)(1 / d) : 0;
    return middle == WGDN_MIDDLE_LOG ? (float)(1 / log(fmax(d, 2))) : 1;
}

/* In filters of one mode the factor d^-1/2 of the node that asks. */
static float own_scale(const wgdn_csr *q, int64_t c, bool one_mode)
{
    const double d = one_mode ? wgdn_graph_strength(q, c) : 0;
    return d > 0 ? (float)(1 / sqrt(d)) : 1;
}

/*
 * Column c of a group becomes the sum of the rows of R^T that the query has, each times its middle
 * weight; in filters also times Du^-1.
 */
static void walk_group(float *to, const wgdn_csr *q, const wgdn_interactions *x, int64_t first,
                       wgdn_middle middle, bool filter)
{
    const wgdn_csr *t = &x->t;
    memset(to, 0, (size_t)(t->cols * GROUP) * sizeof *to);
    for (int64_t c = first; c < first + GROUP; c++, to++) {
        const float own = own_scale(q, c, filter && x->one_mode);
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++) {
            const int64_t i = q->column[k];
            const float w = own * (q->value ? q->value[k] : 1) * middle_weight(t, i, middle);
            for (int64_t e = t->offset[i]; e < t->offset[i + 1]; e++) {
                const int64_t u = t->column[e];
                const float by = t->value ? w * t->value[e] : w, s = x->user_scale[u];
                to[u * GROUP] += filter ? by * s * s : by;
            }
        }
    }
}

/* y_i = old s_i^-1 before_i + new s_i^power (A x)_i: rows of GROUP floats, those of y `stride` apart. */
typedef struct step {
    float *y;
    int64_t stride;
    const wgdn_csr *a;
    const float *x, *scale;
    int power;
    float new, old;
    const float *before; /* or NULL */
} step;

/* s_i^power, 0 where s_i is. */
static float factor_of(float scale, int power)
{
    if (power == 0) return 1;
    return power == 2 ? scale * scale : power == 1 || scale == 0 ? scale : 1 / scale;
}

static void step_rows(int64_t first, int64_t count, void *context)
{
    const step *s = context;
    const wgdn_row_ops *ops = wgdn_rows();
    const wgdn_csr *a = s->a;
    const int64_t entries = wgdn_csr_entries(a);
    float sum[GROUP];
    for (int64_t i = first; i < first + count; i++) {
        const int64_t from = a->offset[i];
        const wgdn_row row = {.column = a->column + from,
                              .value = a->value ? a->value + from : NULL,
                              .count = a->offset[i + 1] - from,
                              .ahead = entries - from};
        const float by = s->new *factor_of(s->scale[i], s->power);
        float *y = s->y + i * s->stride;
        ops->gather(sum, &row, s->x, GROUP);
        if (s->before)
            ops->combine(y, s->old * factor_of(s->scale[i], -1), s->before + i * GROUP, by, sum,
                         GROUP);
        else
            ops->scale(y, by, sum, GROUP);
    }
}

static void take_step(step s)
{
    wgdn_for_rows(wgdn_alone(s.a->rows), step_rows, &s);
}

/* Columns of a part of all items become s_i^power times those of a group. */
static void put_group(float *to, const float *group, const float *scale, int power, int64_t items)
{
    for (int64_t i = 0; i < items; i++)
        wgdn_rows()->scale(to + i * USERS, factor_of(scale[i], power), group + i * GROUP, GROUP);
}

/* ---- the same for one user after another ---- */

double wgdn_row_reach(const wgdn_interactions *x, const wgdn_csr *rows, int64_t row)
{
    double sum = 0;
    for (int64_t k = rows->offset[row]; k < rows->offset[row + 1]; k++)
        sum += (double)x->reach[rows->column[k]];
    return sum;
}

bool wgdn_is_near(const wgdn_interactions *x, int64_t users, double reach)
{
    return !x->one_mode && WGDN_NEAR * reach <= (double)users * (double)wgdn_csr_entries(&x->r);
}

static void set_bit(uint64_t *bits, int64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Calls for the bits that are set, in ascending order: *at, from -1 on, becomes the next one; false: none is left. */
static bool next_bit(uint64_t *bits, int64_t words, int64_t *at)
{
    int64_t w = *at < 0 ? 0 : *at / 64;
    if (*at >= 0) bits[w] &= ~((uint64_t)1 << (*at % 64));
    while (w < words && bits[w] == 0)
        w++;
    if (w == words) return false;
    *at = w * 64 + __builtin_ctzll(bits[w]);
    return true;
}

/* How a row of the query is walked, and which one. */
typedef struct near_walk {
    int64_t first;
    wgdn_middle middle;
    bool filter;
} near_walk;

/* Room for the items that rows of the query may reach. */
static wgdn_status reserve_near(wgdn_scores *p, const wgdn_interactions *x, int64_t first,
                                int64_t rows, wgdn_error *err)
{
    wgdn_near *n = &p->near;
    int64_t most = 1;
    for (int64_t c = first; c < first + rows; c++)
        most += (int64_t)fmin(wgdn_row_reach(x, &p->query, c), (double)x->r.cols);
    if (most <= n->room) return WGDN_OK;
    wgdn_release(n->item);
    wgdn_release(n->value);
    n->item = wgdn_alloc((size_t)most, sizeof *n->item);
    n->value = wgdn_alloc((size_t)most, sizeof *n->value);
    n->room = n->item && n->value ? most : 0;
    return n->room ? WGDN_OK
                   : wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld items that are near",
                               (long long)most);
}

/* walk_group() and R^T of it, for row c alone: the terms of each sum are the same, in the same order. */
static void find_near(wgdn_scores *p, const wgdn_interactions *x, int64_t c, wgdn_middle middle,
                      bool filter)
{
    const wgdn_csr *q = &p->query, *t = &x->t, *r = &x->r;
    const wgdn_row_ops *ops = wgdn_rows();
    wgdn_near *n = &p->near;
    int64_t at = n->offset[c];
    for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++) {
        const int64_t i = q->column[k];
        const float w = (q->value ? q->value[k] : 1) * middle_weight(t, i, middle);
        for (int64_t e = t->offset[i]; e < t->offset[i + 1]; e++) {
            const int64_t u = t->column[e];
            const float by = t->value ? w * t->value[e] : w, s = x->user_scale[u];
            n->walk[u] += filter ? by * s * s : by;
            set_bit(n->by_user, u);
        }
    }
    for (int64_t u = -1; next_bit(n->by_user, r->rows / 64 + 1, &u);) {
        const float w = filter ? n->walk[u] : middle_weight(r, u, middle) * n->walk[u];
        n->walk[u] = 0;
        for (int64_t e = r->offset[u]; e < r->offset[u + 1]; e++) {
            const int64_t i = r->column[e];
            if (r->value)
                ops->axpy(n->sum + i, r->value[e], &w, 1);
            else
                n->sum[i] += w;
            set_bit(n->by_item, i);
        }
    }
    for (int64_t i = -1; next_bit(n->by_item, r->cols / 64 + 1, &i); at++) {
        n->item[at] = (int32_t)i;
        n->value[at] = n->sum[i];
        n->sum[i] = 0;
    }
    n->offset[c + 1] = at;
}

/* Rows of the query become columns of a group of a part: s_i^power times their sums, zeros elsewhere. */
static wgdn_status spread_near(float *to, int64_t stride, int power, wgdn_scores *p,
                               const wgdn_interactions *x, const near_walk *w, wgdn_error *err)
{
    wgdn_near *n = &p->near;
    const wgdn_status st = reserve_near(p, x, w->first, GROUP, err);
    if (st) return st;
    for (int64_t i = 0; i < x->r.cols; i++)
        memset(to + i * stride, 0, GROUP * sizeof *to);
    n->offset[w->first] = 0;
    for (int64_t c = w->first; c < w->first + GROUP; c++) {
        find_near(p, x, c, w->middle, w->filter);
        for (int64_t k = n->offset[c]; k < n->offset[c + 1]; k++)
            to[n->item[k] * stride + c - w->first] =
                factor_of(x->item_scale[n->item[k]], power) * n->value[k];
    }
    return WGDN_OK;
}

static bool is_group_near(const wgdn_scores *p, const wgdn_interactions *x, int64_t first)
{
    double reach = 0;
    for (int64_t c = first; c < first + GROUP; c++)
        reach += wgdn_row_reach(x, &p->query, c);
    return wgdn_is_near(x, GROUP, reach);
}

/* ---- all steps ---- */

/* Paths whose middle nodes have weights: of two steps between nodes of one kind, else of three. */
static wgdn_status fill_paths(wgdn_scores *p, const wgdn_interactions *x, wgdn_middle middle,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t c = 0; !st && c < p->rows; c += GROUP) {
        if (is_group_near(p, x, c)) {
            st = spread_near(p->paths + c, USERS, 0, p, x, &(near_walk){c, middle, false}, err);
            continue;
        }
        walk_group(p->walk, &p->query, x, c, middle, false);
        if (x->one_mode) {
            put_group(p->paths + c, p->walk, x->item_scale, 0, x->r.cols);
            continue;
        }
        for (int64_t u = 0; u < x->r.rows; u++)
            wgdn_rows()->scale(p->walk + u * GROUP, middle_weight(&x->r, u, middle),
                               p->walk + u * GROUP, GROUP);
        take_step((step){p->paths + c, USERS, &x->t, p->walk, x->item_scale, 0, 1, 0, NULL});
    }
    return st;
}

/* `three` gets five times G^2, too, where that has no buffer of its own. */
static wgdn_status fill_steps(wgdn_scores *p, const wgdn_interactions *x, const wgdn_recipe *r,
                              wgdn_error *err)
{
    const bool five = p->five || r->five != 0;
    wgdn_status st = WGDN_OK;
    for (int64_t c = 0; !st && c < p->rows; c += GROUP) {
        const near_walk w = {c, WGDN_MIDDLE_DEGREE, true};
        step last = {p->three + c, USERS, &x->t, p->walk, x->item_scale, 1, 1, 0, NULL};
        const bool near = is_group_near(p, x, c);
        if (near && !five) {
            st = spread_near(last.y, USERS, 1, p, x, &w, err);
            continue;
        }
        if (near)
            st = spread_near(p->feed, GROUP, 2, p, x, &w, err);
        else
            walk_group(p->walk, &p->query, x, c, w.middle, w.filter);
        if (p->two) put_group(p->two + c, p->walk, x->item_scale, -1, x->r.cols);
        if (!p->three) continue;
        if (five) {
            if (!near)
                take_step((step){p->feed, GROUP, &x->t, p->walk, x->item_scale, 2, 1, 0, NULL});
            take_step((step){p->walk, GROUP, &x->r, p->feed, x->user_scale, 2, 1, 0, NULL});
        }
        if (p->five) {
            put_group(p->three + c, p->feed, x->item_scale, -1, x->r.cols);
            last.y = p->five + c;
        } else if (five) {
            last.before = p->feed;
            last.old = r->three;
            last.new = r->five;
        }
        take_step(last);
    }
    return st;
}

/* The same where three is all there is, and is kept as it is found. */
static wgdn_status fill_near(wgdn_scores *p, const wgdn_interactions *x, wgdn_error *err)
{
    const wgdn_status st = reserve_near(p, x, 0, USERS, err);
    for (int64_t c = 0; !st && c < USERS; c++)
        find_near(p, x, c, WGDN_MIDDLE_DEGREE, true);
    return st;
}

/* ---- the low-pass part ---- */

/* r_u Di^-1/2 V, or the like of N V, with what the recipe makes of Sigma. */
static void fill_low(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r)
{
    const wgdn_csr *q = &p->query;
    wgdn_csr scaled = *q;
    scaled.value = p->scaled;
    for (int64_t c = 0; c < USERS; c++) {
        const float own = own_scale(q, c, s->x->one_mode);
        for (int64_t k = q->offset[c]; k < q->offset[c + 1]; k++)
            p->scaled[k] = own * s->x->item_scale[q->column[k]] * (q->value ? q->value[k] : 1);
    }
    wgdn_spmm(p->weight, &scaled, s->probe, s->k);
    for (int64_t l = 0; l < s->k; l++) {
        const double g = s->x->one_mode && !r->squared ? s->value[l] * s->value[l] : 1;
        for (int64_t c = 0; c < USERS; c++)
            p->folded[l * USERS + c] = g > 0 ? (float)((double)p->weight[c * s->k + l] / g) : 0;
    }
}

void wgdn_scores_give(wgdn_scores *p, const float *weight, int64_t k, const int64_t *row,
                      int64_t count)
{
    for (int64_t c = 0; c < USERS; c++)
        for (int64_t l = 0; l < k; l++)
            p->folded[l * USERS + c] = c < count ? weight[row[c] * k + l] : 0;
}

wgdn_status wgdn_scores_fill(wgdn_scores *p, const wgdn_scorer *s, const wgdn_recipe *r,
                             wgdn_error *err)
{
    const wgdn_score_set has = wgdn_recipe_set(r);
    const bool near = has.three && !p->three;
    wgdn_status st = has.paths ? fill_paths(p, s->x, r->middle, err) : WGDN_OK;
    if (!st && near) st = fill_near(p, s->x, err);
    if (!st && !near && (has.two || has.three)) st = fill_steps(p, s->x, r, err);
    if (st) return st;
    if (has.ridge) wgdn_spmm(p->ridge, &p->query, s->ridge, s->x->r.cols);
    if (has.low) fill_low(p, s, r);
    return WGDN_OK;
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
    const wgdn_row_ops *ops;
    int64_t first, count; /* the wave */
    int64_t held[USERS];  /* items of each list */
    int64_t near[USERS];  /* where its items that are near go on */
    float least[USERS];   /* that may enter it */
} list_job;

/* Whether item a, which scores x, comes before item b, which scores y. */
static inline bool is_before(float x, int64_t a, float y, int64_t b, const int32_t *order)
{
    return x != y ? x > y : order[a] < order[b];
}

static bool is_in_row(const wgdn_csr *q, int64_t row, int64_t item)
{
    return wgdn_is_wanted(q->column + q->offset[row], q->offset[row + 1] - q->offset[row], item);
}

/* Of parts that hold the items that are near, those of the wave. */
static void add_near(list_job *job)
{
    const wgdn_near *n = &job->p->near;
    for (int64_t c = 0; c < job->l->rows; c++) {
        int64_t k = job->near[c];
        for (; k < n->offset[c + 1] && n->item[k] < job->first + job->count; k++) {
            const int64_t i = n->item[k];
            if (i >= job->first)
                job->p->score[(i - job->first) * USERS + c] =
                    job->r->three * (factor_of(job->s->x->item_scale[i], 1) * n->value[k]);
        }
        job->near[c] = k;
    }
}

/* Scores of the items of a wave, but for their popularity where there are no paths. */
static wgdn_status score_wave(list_job *job, wgdn_error *err)
{
    const wgdn_scores *p = job->p;
    const wgdn_recipe *r = job->r;
    const bool folded = r->five != 0 && !p->five;
    const int64_t at = job->first * USERS, items = job->s->x->r.cols;
    const float weight[] = {folded ? 1 : r->three, p->five ? r->five : 0, r->two};
    const float *part[] = {p->three, p->five, p->two};
    const wgdn_span wave = {.count = job->count, .total = items};
    wgdn_product low = wgdn_product_of(p->score, NULL, p->folded, wave, job->s->k, USERS);
    wgdn_status st = WGDN_OK;
    memset(p->score, 0, (size_t)(job->count * USERS) * sizeof *p->score);
    for (int i = 0; i < 3; i++)
        if (weight[i] != 0 && part[i])
            job->ops->axpy(p->score, weight[i], part[i] + at, job->count * USERS);
    if (r->three != 0 && !p->three) add_near(job);
    if (r->low != 0) {
        low.a = job->s->v + job->first * job->s->k;
        low.alpha = r->low;
        low.beta = 1;
        st = wgdn_gemm_nn(&low, err);
    }
    for (int64_t j = 0; r->ridge > 0 && j < job->count; j++)
        for (int64_t c = 0; c < USERS; c++)
            p->score[j * USERS + c] += p->ridge[c * items + job->first + j];
    if (r->paths == 0) return st;
    for (int64_t j = 0; job->popularity && j < job->count; j++)
        job->ops->scale(p->score + j * USERS, job->popularity[job->first + j], p->score + j * USERS,
                        USERS);
    job->ops->axpy(p->score, r->paths, p->paths + at, job->count * USERS);
    return st;
}

/* Offers an item to the list of row c, which is in order. */
static void offer(list_job *job, int64_t c, int64_t j, float x)
{
    const int64_t k = job->l->k;
    const int32_t *order = job->s->x->order;
    int64_t *item = job->item + c * k, *held = &job->held[c];
    float *score = job->score + c * k;
    if (*held == k && !is_before(x, j, score[k - 1], item[k - 1], order)) return;
    if (!job->l->seen && is_in_row(&job->p->query, c, j)) return;
    if (job->l->self && job->l->self[c] == j) return;
    int64_t at = *held < k ? (*held)++ : k - 1;
    for (; at > 0 && is_before(x, j, score[at - 1], item[at - 1], order); at--) {
        item[at] = item[at - 1];
        score[at] = score[at - 1];
    }
    item[at] = j;
    score[at] = x;
}

/* The least score that may enter the list of row c. */
static float least_of(const list_job *job, int64_t c)
{
    if (c >= job->l->rows) return INFINITY;
    return job->held[c] == job->l->k ? job->score[(c + 1) * job->l->k - 1] : -INFINITY;
}

static void list_wave(list_job *job)
{
    const uint8_t *allowed = job->l->allowed;
    for (int64_t j = job->first; j < job->first + job->count; j++) {
        const float *x = job->p->score + (j - job->first) * USERS;
        const float by = job->r->paths == 0 && job->popularity ? job->popularity[j] : 1;
        float gap[USERS];
        int32_t bits[USERS], all = -1;
        if (allowed && !allowed[j]) continue;
        job->ops->combine(gap, by, x, -1, job->least, USERS);
        memcpy(bits, gap, sizeof bits);
        for (int c = 0; c < USERS; c++)
            all &= bits[c];
        if (all < 0) continue; /* all have the sign of a negative number: none reaches its list */
        for (int64_t c = 0; c < job->l->rows; c++)
            if (by * x[c] >= job->least[c]) {
                offer(job, c, j, by * x[c]);
                job->least[c] = least_of(job, c);
            }
    }
}

wgdn_status wgdn_scores_list(int64_t *item, float *score, const wgdn_scores *p,
                             const wgdn_scorer *s, const wgdn_recipe *r, const float *popularity,
                             const wgdn_listing *l, wgdn_error *err)
{
    list_job job = {item, score, p, s, r, popularity, l, wgdn_rows(), .first = 0};
    const int64_t items = s->x->r.cols;
    wgdn_status st = WGDN_OK;
    for (int64_t c = 0; c < USERS; c++) {
        job.least[c] = least_of(&job, c);
        job.near[c] = p->near.offset[c];
    }
    for (; !st && job.first < items; job.first += WAVE) {
        job.count = wgdn_min(WAVE, items - job.first);
        if (l->allowed && !memchr(l->allowed + job.first, 1, (size_t)job.count)) continue;
        st = score_wave(&job, err);
        if (!st) list_wave(&job);
    }
    for (int64_t c = 0; !st && c < l->rows; c++)
        for (int64_t i = c * l->k + job.held[c]; i < (c + 1) * l->k; i++) {
            item[i] = -1;
            score[i] = 0;
        }
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
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (wanted[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && wanted[low] == item;
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
