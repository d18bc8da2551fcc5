/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the score of a recommender on held-out interactions. All recipes are compared on a pool of
 * items for each user, which some very different recipes rank highest; the rule is the same for all
 * data.
 */
#include "linalg/rows.h"
#include "ranking.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    USERS = WGDN_BLOCK_USERS,
    POOL = 120, /* items that each corner brings into the pool */
    DEPTH = 20, /* of lists that are judged, with two sides */
    EDGES = 10, /* the same between nodes of one kind */
    WIDTHS = 4, /* numbers of columns of the low-pass part */
    RIDGES = 3, /* penalties */
    POWERS = 7,
    RECIPES = 512,
    CORNERS = 8,
    COLUMNS_MAX = 1024, /* of the basis */
    ROUNDS = 2,
};

static const double ridges[RIDGES] = {100, 300, 1000};
static const double powers[POWERS] = {-0.2, 0, 0.2, 0.25, 0.3, 0.4, 0.5};

/* Parts of a score that an item of a pool has. */
enum {
    TWO,
    THREE,
    FIVE,
    PATHS_LOG,
    PATHS_ONE,
    RIDGE,                  /* one for each penalty */
    LOW = RIDGE + RIDGES,   /* one for each number of columns */
    SQUARED = LOW + WIDTHS, /* likewise */
    POWER = SQUARED + WIDTHS,
    COLUMNS = POWER + POWERS
};

typedef struct pool {
    int64_t count, wanted; /* items, and those that are held out, which come first */
    int32_t *item;
    float *part; /* count x COLUMNS */
} pool;

/* A recipe as weights of the columns of a pool: the product of one power and a sum, and more. */
typedef struct weighing {
    wgdn_recipe recipe;
    float weight[POWER];
    int power;
} weighing;

typedef struct trial {
    const wgdn_interactions *rest;
    const wgdn_csr *held;
    bool one_mode;
    int64_t *user, users;
    pool *pool; /* of each user */
    float *v, *probe;
    double *value;
    int64_t k, width[WIDTHS];
    int widths;
    float *ridge[RIDGES];
    bool ridged;
    float *popularity[POWERS];
    weighing *recipe;
    int recipes;
    double *score;                                      /* users x recipes */
    int64_t *popular;                                   /* items in the order of their popularity */
    wgdn_list_quality *popular_quality, *paths_quality; /* of each user */
    atomic_bool stopped; /* only the calling thread notices a request to stop */
    wgdn_arrays arrays;
    wgdn_error *err;
} trial;

/* ---- the recipes ---- */

static void add_recipe(trial *t, weighing w)
{
    if (t->recipes < RECIPES) t->recipe[t->recipes++] = w;
}

/* The low-pass part is added in every strength and width, or left out. */
static void add_low(trial *t, weighing w, const float *strength, int strengths, bool alone)
{
    if (!alone) add_recipe(t, w);
    for (int a = 0; a < strengths; a++)
        for (int k = 0; k < t->widths; k++)
            for (int squared = 0; squared <= (t->one_mode ? 1 : 0); squared++) {
                weighing x = w;
                x.recipe.low = strength[a];
                x.recipe.columns = t->width[k];
                x.recipe.squared = squared;
                x.weight[(squared ? SQUARED : LOW) + k] = strength[a];
                add_recipe(t, x);
            }
}

static void list_two_sides(trial *t)
{
    static const float strength[] = {0.1F, 0.2F, 0.4F, 0.8F}, alone[] = {1};
    for (int power = 2; power < POWERS; power++) {
        weighing w = {.power = power, .recipe.power = (float)powers[power]};
        if (power == 3) continue; /* 0.25 is for one mode */
        weighing g = w, two = w;
        g.recipe.three = g.weight[THREE] = 1;
        two.recipe.three = two.weight[THREE] = 2;
        two.recipe.five = two.weight[FIVE] = -1;
        add_low(t, g, strength, 4, false);
        add_low(t, two, strength, 4, false);
        add_low(t, w, alone, 1, true);
    }
    for (int l = 0; t->ridged && l < RIDGES; l++)
        for (int power = 0; power < 2; power++) {
            weighing w = {.power = power, .recipe.power = (float)powers[power]};
            w.recipe.ridge = (float)ridges[l];
            w.weight[RIDGE + l] = 1;
            add_recipe(t, w);
        }
}

static void list_one_mode(trial *t)
{
    static const struct {
        wgdn_middle middle;
        float weight;
    } middle[] = {{WGDN_MIDDLE_NONE, 0},
                  {WGDN_MIDDLE_DEGREE, 1},
                  {WGDN_MIDDLE_LOG, 0.1F},
                  {WGDN_MIDDLE_LOG, 1},
                  {WGDN_MIDDLE_ONE, 0.1F}};
    static const float strength[] = {0.1F, 0.3F, 1}, alone[] = {1};
    for (int power = 3; power < POWERS; power += 3) /* 0.25 and 0.5 */
        for (int m = 0; m < 5; m++)
            for (int three = 0; three < 2; three++) {
                weighing w = {.power = power, .recipe.power = (float)powers[power]};
                w.recipe.three = w.weight[THREE] = (float)three;
                if (middle[m].middle == WGDN_MIDDLE_DEGREE)
                    w.recipe.two = w.weight[TWO] = middle[m].weight;
                else if (m > 0) {
                    w.recipe.middle = middle[m].middle;
                    w.recipe.paths = middle[m].weight;
                    w.weight[middle[m].middle == WGDN_MIDDLE_LOG ? PATHS_LOG : PATHS_ONE] =
                        middle[m].weight;
                }
                if (m == 0 && !three)
                    add_low(t, w, alone, 1, true);
                else
                    add_low(t, w, strength, 3, false);
            }
}

/* ---- pools ---- */

static wgdn_scorer scorer_of(const trial *t)
{
    return (wgdn_scorer){.x = t->rest,
                         .v = t->v,
                         .probe = t->probe,
                         .k = t->k,
                         .value = t->value,
                         .ridge = t->ridge[1]};
}

/* Lists of a block of users. */
typedef struct block {
    trial *t;
    wgdn_scores *s;
    int64_t first, count;
    int64_t *item, *pooled;
    int corners; /* lists of each user in `pooled` */
    float *score;
    wgdn_error *err;
} block;

/* Different items of the lists of user c of the block, which are sorted. */
static wgdn_status open_pool(const block *b, int64_t *item, int64_t count, int64_t c)
{
    const trial *t = b->t;
    pool *p = t->pool + b->first + c;
    const int64_t u = t->user[b->first + c];
    const int32_t *held = t->held->column + t->held->offset[u];
    const int64_t helds = t->held->offset[u + 1] - t->held->offset[u];
    int64_t used = 0;
    qsort(item, (size_t)count, sizeof *item, wgdn_by_int64);
    for (int64_t i = 0; i < count; i++)
        if (item[i] >= 0 && (used == 0 || item[i] != item[used - 1])) item[used++] = item[i];
    p->item = wgdn_alloc((size_t)used, sizeof *p->item);
    p->part = wgdn_alloc_zero((size_t)used * COLUMNS, sizeof *p->part);
    if (!p->item || !p->part)
        return wgdn_fail(b->err, WGDN_ENOMEM, "recommend: %lld items to choose by",
                         (long long)used);
    for (int wanted = 1; wanted >= 0; wanted--) {
        for (int64_t i = 0; i < used; i++)
            if (wgdn_is_wanted(held, helds, item[i]) == (wanted != 0))
                p->item[p->count++] = (int32_t)item[i];
        if (wanted) p->wanted = p->count;
    }
    return WGDN_OK;
}

/* Low-pass parts of one item, of all widths, by partial sums of one dot product. */
static void fill_low(float *part, const trial *t, const float *weight, int64_t j)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const float *v = t->v + j * t->k;
    double low = 0, squared = 0;
    for (int64_t k = 0, l = 0; k < t->widths; l = t->width[k++]) {
        low += (double)ops->dot(v + l, weight + l, t->width[k] - l);
        squared += (double)ops->dot(v + l, weight + t->k + l, t->width[k] - l);
        part[LOW + k] = (float)low;
        part[SQUARED + k] = (float)squared;
    }
}

static void fill_pool(const block *b, int64_t c)
{
    const trial *t = b->t;
    const wgdn_scores *s = b->s;
    const wgdn_csr *q = &s->query;
    const pool *p = t->pool + b->first + c;
    float weight[2 * COLUMNS_MAX]; /* of the columns of V, and the same times Sigma^2 */
    for (int64_t l = 0; l < t->k; l++) {
        weight[l] = s->folded[l * USERS + c];
        weight[t->k + l] = (float)(t->value[l] * t->value[l]) * weight[l];
    }
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t j = p->item[i];
        float *part = p->part + i * COLUMNS;
        part[THREE] = s->three[j * USERS + c];
        part[TWO] = s->two ? s->two[j * USERS + c] : 0;
        part[FIVE] = s->five ? s->five[j * USERS + c] : 0;
        part[PATHS_LOG] = t->one_mode ? s->paths[j * USERS + c] : 0;
        if (t->k > 0) fill_low(part, t, weight, j);
        for (int l = 0; t->ridged && l < RIDGES; l++)
            for (int64_t e = q->offset[c]; e < q->offset[c + 1]; e++)
                part[RIDGE + l] +=
                    (q->value ? q->value[e] : 1) * t->ridge[l][q->column[e] * t->rest->r.cols + j];
        for (int power = 0; power < POWERS; power++)
            part[POWER + power] = t->popularity[power][j];
    }
}

/* Recipes so different that what any recipe ranks high is high for one of them; paths come first. */
static int corners_of(wgdn_recipe corner[CORNERS], const trial *t)
{
    int n = 0;
    corner[n++] = (wgdn_recipe){.paths = 1, .middle = WGDN_MIDDLE_LOG};
    for (int b = 0; b < 2; b++) {
        const float power = (float)powers[b ? POWERS - 1 : 2];
        corner[n++] = t->one_mode ? (wgdn_recipe){.two = 1, .three = 1, .power = power}
                                  : (wgdn_recipe){.three = 2, .five = -1, .power = power};
        if (t->k > 0) corner[n++] = (wgdn_recipe){.low = 1, .columns = t->k, .power = power};
    }
    if (t->one_mode) corner[n++] = (wgdn_recipe){.three = 1, .power = 0.5F};
    if (t->ridged) corner[n++] = (wgdn_recipe){.ridge = (float)ridges[1]};
    return n;
}

static int power_of(float power)
{
    int b = POWERS - 1;
    while (b > 0 && (float)powers[b] != power)
        b--;
    return b;
}

/* The quality of the lists of each user. */
static void put_quality(wgdn_list_quality *of, const block *b)
{
    const trial *t = b->t;
    for (int64_t c = 0; c < b->count; c++) {
        const int64_t u = t->user[b->first + c], from = t->held->offset[u];
        of[b->first + c] =
            wgdn_list_judge(b->item + c * POOL, POOL, t->one_mode ? EDGES : DEPTH, t->one_mode,
                            t->held->column + from, t->held->offset[u + 1] - from);
    }
}

/* Lists of popular items, and of all corners, of which all but paths of two sides make the pools. */
static wgdn_status list_corners(block *b, const wgdn_scorer *s)
{
    trial *t = b->t;
    wgdn_recipe corner[CORNERS];
    const wgdn_listing l = {
        .k = POOL, .rows = b->count, .self = t->one_mode ? t->user + b->first : NULL};
    const int corners = corners_of(corner, t);
    wgdn_status st = WGDN_OK;
    wgdn_popular_list(b->item, b->s, t->popular, t->rest->r.cols, &l);
    put_quality(t->popular_quality, b);
    for (int i = 0; !st && i < corners; i++) {
        st = wgdn_scores_list(b->item, b->score, b->s, s, &corner[i],
                              t->popularity[power_of(corner[i].power)], &l, b->err);
        if (!st && i == 0) put_quality(t->paths_quality, b);
        if (i == 0 && !t->one_mode) continue;
        for (int64_t c = 0; !st && c < b->count; c++)
            memcpy(b->pooled + (c * CORNERS + b->corners) * POOL, b->item + c * POOL,
                   POOL * sizeof *b->item);
        b->corners++;
    }
    return st;
}

static wgdn_status fill_block(block *b)
{
    trial *t = b->t;
    const wgdn_recipe all = {.two = t->one_mode,
                             .three = 1,
                             .low = t->k > 0 ? 1.0F : 0,
                             .paths = 1,
                             .middle = WGDN_MIDDLE_LOG,
                             .ridge = t->ridged ? (float)ridges[1] : 0};
    const wgdn_scorer s = scorer_of(t);
    wgdn_status st = wgdn_scores_ask(b->s, &t->rest->r, t->user + b->first, b->count, b->err);
    if (st) return st;
    st = wgdn_scores_fill(b->s, &s, &all, b->err);
    if (!st) st = list_corners(b, &s);
    for (int64_t c = 0; c < b->count && !st; c++) {
        st = open_pool(b, b->pooled + c * CORNERS * POOL, b->corners * (int64_t)POOL, c);
        if (!st) fill_pool(b, c);
    }
    if (st || !t->one_mode) return st;
    st = wgdn_scores_fill(b->s, &s, &(wgdn_recipe){.paths = 1, .middle = WGDN_MIDDLE_ONE}, b->err);
    for (int64_t c = 0; c < b->count; c++) {
        const pool *p = t->pool + b->first + c;
        for (int64_t i = 0; i < p->count; i++)
            p->part[i * COLUMNS + PATHS_ONE] = b->s->paths[p->item[i] * (int64_t)USERS + c];
    }
    return st;
}

static wgdn_status call_block(int64_t i, wgdn_scores *p, void *context, wgdn_error *err)
{
    trial *t = context;
    block b = {.t = t, .s = p, .first = i * USERS, .err = err};
    wgdn_arrays a = {0};
    wgdn_status st;
    b.count = wgdn_min(USERS, t->users - b.first);
    b.item = wgdn_arrays_add(&a, (size_t)USERS * POOL, sizeof *b.item);
    b.score = wgdn_arrays_add(&a, (size_t)USERS * POOL, sizeof *b.score);
    b.pooled = wgdn_arrays_add(&a, (size_t)USERS * CORNERS * POOL, sizeof *b.pooled);
    st = a.failed ? wgdn_fail(err, WGDN_ENOMEM, "recommend: lists of %d users", (int)USERS)
                  : fill_block(&b);
    wgdn_arrays_release(&a);
    return st;
}

static wgdn_status fill_all(trial *t, int threads)
{
    const wgdn_scorer s = scorer_of(t);
    const wgdn_scores_work work = {.s = &s,
                                   .has = {.two = t->one_mode,
                                           .three = true,
                                           .five = !t->one_mode,
                                           .low = t->k > 0,
                                           .paths = true,
                                           .ridge = t->ridged},
                                   .count = (t->users + USERS - 1) / USERS,
                                   .threads = threads,
                                   .block = call_block,
                                   .context = t};
    return wgdn_scores_each(&work, t->err);
}

/* ---- comparing the recipes ---- */

static int64_t wanted_of(const trial *t, int64_t i)
{
    const int64_t u = t->user[i];
    return t->held->offset[u + 1] - t->held->offset[u];
}

/* The score of each item of a pool. */
static void weigh_pool(float *score, const pool *p, const weighing *w)
{
    int used[POWER], n = 0;
    for (int c = 0; c < POWER; c++)
        if (c != PATHS_LOG && c != PATHS_ONE && w->weight[c] != 0) used[n++] = c;
    for (int64_t a = 0; a < p->count; a++) {
        const float *part = p->part + a * COLUMNS;
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += w->weight[used[i]] * part[used[i]];
        score[a] = sum * part[POWER + w->power] + w->weight[PATHS_LOG] * part[PATHS_LOG] +
                   w->weight[PATHS_ONE] * part[PATHS_ONE];
    }
}

/* Quality of a recipe for one user: the rank of each wanted item within the pool. */
static wgdn_list_quality judge_pool(const trial *t, int64_t i, const weighing *w, float *score)
{
    const pool *p = t->pool + i;
    const int32_t *order = t->rest->order;
    const int64_t depth = t->one_mode ? EDGES : DEPTH;
    wgdn_rank_sums sums = {0};
    weigh_pool(score, p, w);
    for (int64_t a = 0; a < p->wanted; a++) {
        int64_t rank = 0, same = 0;
        for (int64_t b = 0; b < p->count; b++) {
            rank += score[b] > score[a];
            same += score[b] == score[a];
        }
        for (int64_t b = 0; same > 1 && b < p->count; b++)
            rank += score[b] == score[a] && order[p->item[b]] < order[p->item[a]];
        wgdn_rank_add(&sums, rank, depth, t->one_mode);
    }
    return wgdn_rank_quality(&sums, depth, t->one_mode, wanted_of(t, i));
}

static void judge_user(int64_t i, void *context)
{
    trial *t = context;
    float score[CORNERS * POOL];
    if (wgdn_stopping()) atomic_store(&t->stopped, true);
    for (int r = 0; r < t->recipes && !atomic_load(&t->stopped); r++) {
        const wgdn_list_quality q = judge_pool(t, i, &t->recipe[r], score);
        t->score[i * t->recipes + r] = t->one_mode ? q.mrr : q.ndcg;
    }
}

/* The recipe with the highest mean; the first one of equals. */
static int best_recipe(const trial *t)
{
    int best = 0;
    double most = -1;
    for (int r = 0; r < t->recipes; r++) {
        double sum = 0;
        for (int64_t i = 0; i < t->users; i++)
            sum += t->score[i * t->recipes + r] * (t->one_mode ? (double)wanted_of(t, i) : 1);
        if (sum > most) {
            most = sum;
            best = r;
        }
    }
    return best;
}

static void conclude(wgdn_choice *c, const trial *t)
{
    const weighing *w = &t->recipe[best_recipe(t)];
    float score[CORNERS * POOL];
    double all = 0;
    c->recipe = w->recipe;
    c->users = t->users;
    for (int64_t i = 0; i < t->users; i++) {
        const wgdn_list_quality q = judge_pool(t, i, w, score);
        const double weight = t->one_mode ? (double)wanted_of(t, i) : 1;
        wgdn_quality_add(&c->held, &q, weight);
        wgdn_quality_add(&c->popular, &t->popular_quality[i], weight);
        wgdn_quality_add(&c->paths, &t->paths_quality[i], weight);
        c->queries += wanted_of(t, i);
        all += weight;
    }
    wgdn_quality_divide(&c->held, all);
    wgdn_quality_divide(&c->popular, all);
    wgdn_quality_divide(&c->paths, all);
}

/* ---- the whole choice ---- */

static wgdn_status no_memory(const trial *t)
{
    return wgdn_fail(t->err, WGDN_ENOMEM, "recommend: choosing a score for %lld x %lld",
                     (long long)t->rest->r.rows, (long long)t->rest->r.cols);
}

static const int64_t widths[WIDTHS] = {64, 128, 256, 512};

int64_t wgdn_choice_columns(const wgdn_interactions *x, int columns)
{
    int64_t k = wgdn_min(columns, wgdn_min(x->r.rows, x->r.cols) / 4);
    for (int i = 0; i < WIDTHS && widths[i] <= columns; i++)
        if (widths[i] <= wgdn_min(x->r.rows, x->r.cols) / 4) k = widths[i];
    return k;
}

static wgdn_status make_basis(trial *t, int columns)
{
    const wgdn_interactions *x = t->rest;
    t->k = wgdn_choice_columns(x, columns);
    for (int i = 0; i < WIDTHS && widths[i] <= t->k; i++)
        t->width[t->widths++] = widths[i];
    if (t->widths == 0 && t->k > 0) t->width[t->widths++] = t->k;
    if (t->k == 0) return WGDN_OK;
    t->v = wgdn_alloc((size_t)x->r.cols * (size_t)t->k, sizeof *t->v);
    t->value = wgdn_alloc((size_t)t->k, sizeof *t->value);
    t->probe = t->v;
    if (!t->v || !t->value) return no_memory(t);
    wgdn_status st = wgdn_basis_find(t->v, t->value, t->k, NULL, 0, ROUNDS, x, t->err);
    if (st || !t->one_mode) return st;
    t->probe = wgdn_alloc((size_t)x->r.rows * (size_t)t->k, sizeof *t->probe);
    return t->probe ? wgdn_basis_image(t->probe, t->v, t->k, x, t->err) : no_memory(t);
}

static wgdn_status open_trial(trial *t, const wgdn_recommend_options *o)
{
    const wgdn_interactions *x = t->rest;
    const int64_t items = x->r.cols;
    wgdn_status st = make_basis(t, o->columns);
    t->ridged = wgdn_choice_ridged(x, o);
    for (int l = 0; !st && t->ridged && l < RIDGES; l++)
        st = wgdn_item_ridge(&t->ridge[l], x, ridges[l], t->err);
    for (int b = 0; !st && b < POWERS; b++) {
        t->popularity[b] = wgdn_arrays_add(&t->arrays, (size_t)items, sizeof(float));
        if (t->popularity[b]) wgdn_popularity(t->popularity[b], x, powers[b]);
    }
    if (st) return st;
    t->recipe = wgdn_arrays_add(&t->arrays, RECIPES, sizeof *t->recipe);
    t->popular = wgdn_arrays_add(&t->arrays, (size_t)items, sizeof *t->popular);
    t->popular_quality = wgdn_arrays_add(&t->arrays, (size_t)t->users, sizeof(wgdn_list_quality));
    t->paths_quality = wgdn_arrays_add(&t->arrays, (size_t)t->users, sizeof(wgdn_list_quality));
    t->pool = wgdn_alloc_zero((size_t)t->users, sizeof *t->pool);
    if (t->arrays.failed || !t->pool) return no_memory(t);
    for (int64_t j = 0; j < items; j++)
        t->popular[x->order[j]] = j;
    (t->one_mode ? list_one_mode : list_two_sides)(t);
    t->score = wgdn_arrays_add(&t->arrays, (size_t)t->users * (size_t)t->recipes, sizeof(double));
    return t->score ? WGDN_OK : no_memory(t);
}

static void close_trial(trial *t)
{
    for (int64_t i = 0; t->pool && i < t->users; i++) {
        wgdn_release(t->pool[i].item);
        wgdn_release(t->pool[i].part);
    }
    if (t->probe != t->v) wgdn_release(t->probe);
    for (int l = 0; l < RIDGES; l++)
        wgdn_release(t->ridge[l]);
    wgdn_arrays_release(&t->arrays);
    wgdn_release(t->pool);
    wgdn_release(t->value);
    wgdn_release(t->v);
    wgdn_release(t->user);
}

wgdn_status wgdn_choice_make(wgdn_choice *c, const wgdn_interactions *x,
                             const wgdn_recommend_options *o, wgdn_error *err)
{
    wgdn_interactions rest;
    wgdn_csr held;
    trial t = {.rest = &rest, .held = &held, .one_mode = x->one_mode, .err = err};
    *c = (wgdn_choice){.recipe = {.three = 1, .power = 0.4F}};
    wgdn_status st = wgdn_interactions_hold(
        &rest, &held, x, x->one_mode ? o->hold_out / 2 : o->hold_out, o->seed, err);
    if (st) return st;
    st = wgdn_interactions_sample(&t.user, &t.users, x, &held, o->sample, o->seed, err);
    if (!st && t.users > 0) {
        st = open_trial(&t, o);
        if (!st) st = fill_all(&t, o->threads);
        if (!st) {
            wgdn_for_each(t.users, judge_user, &t);
            conclude(c, &t);
            c->v = t.v;
            c->k = t.k;
            t.probe = t.probe == t.v ? NULL : t.probe;
            t.v = NULL;
        }
    }
    close_trial(&t);
    wgdn_csr_free(&held);
    wgdn_interactions_free_rest(&rest);
    return st;
}
