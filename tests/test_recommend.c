/* SPDX-License-Identifier: Apache-2.0 */
/* Recommenders: scores against plain double, lists, what is held out, threads, order of the rows. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "base/limits.h"
#include "check.h"
#include "jobs/ranking.h"

#include <unistd.h>

enum { PEOPLE = 60, THINGS = 40, PAIRS_MAX = PEOPLE * THINGS };

/* Person i has thing j with a chance that depends on two tastes and on the thing's popularity. */
static bool has(int64_t i, int64_t j)
{
    const uint32_t draw = wgdn_random_bits((wgdn_stream){.seed = 5, .call = 3}, i, j) % 1000;
    const uint32_t chance = (uint32_t)(i % 2 == j % 2 ? 300 : 40) / (uint32_t)(1 + j / 10);
    return draw < chance || j == i % THINGS;
}

static const char *name(char *to, const char *kind, int64_t i)
{
    sprintf(to, "%s:%lld", kind, (long long)(i * 7 % 101));
    return to;
}

/* Rows in another order with `turn`; what node 0 is does not matter as long as it is a person. */
static wgdn_dataset *shop(bool turn)
{
    static char text[PEOPLE + THINGS][16];
    const char *id[PEOPLE + THINGS];
    static int64_t from[PAIRS_MAX], to[PAIRS_MAX];
    int64_t m = 0;
    wgdn_dataset *d = NULL;
    wgdn_dataset_arrays a;
    wgdn_dataset_arrays_init(&a);
    for (int64_t i = 0; i < PEOPLE; i++) {
        const int64_t own = turn ? PEOPLE - 1 - i : i;
        id[i] = name(text[i], "user", own);
        for (int64_t j = 0; j < THINGS; j++) {
            const int64_t thing = turn ? (j * 7 + 3) % THINGS : j;
            if (!has(own, thing)) continue;
            from[m] = i;
            to[m++] = PEOPLE + j;
        }
    }
    for (int64_t j = 0; j < THINGS; j++)
        id[PEOPLE + j] = name(text[PEOPLE + j], "item", turn ? (j * 7 + 3) % THINGS : j);
    a.nodes = PEOPLE + THINGS;
    a.edges = m;
    a.source = from;
    a.target = to;
    a.id = id;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* A ring with chords: one kind of nodes. */
static wgdn_dataset *ring(int64_t n)
{
    int64_t *from = wgdn_alloc((size_t)(3 * n), sizeof *from), *to = wgdn_alloc((size_t)(3 * n), 8);
    wgdn_dataset *d = NULL;
    wgdn_dataset_arrays a;
    wgdn_dataset_arrays_init(&a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t s = 0; s < 3; s++) {
            from[3 * i + s] = i;
            to[3 * i + s] = (i + 1 + s * s) % n;
        }
    a.nodes = n;
    a.edges = 3 * n;
    a.source = from;
    a.target = to;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(from);
    wgdn_release(to);
    return d;
}

static wgdn_recommender *fitted(const wgdn_dataset *d, int threads)
{
    wgdn_recommender *r = NULL;
    wgdn_recommend_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_recommend_options_init(&o);
    o.threads = threads;
    if (wgdn_recommender_fit(&r, d, &o, &err)) fprintf(stderr, "%s\n", err.message);
    CHECK(r);
    return r;
}

/* ---- scores against plain double ---- */

/* N of users x items, dense. */
static double *dense_n(const wgdn_interactions *x)
{
    const int64_t n = x->r.rows, m = x->r.cols;
    double *a = calloc((size_t)(n * m), sizeof *a), *row = calloc((size_t)n, sizeof *row),
           *column = calloc((size_t)m, sizeof *column);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = x->r.offset[i]; k < x->r.offset[i + 1]; k++) {
            a[i * m + x->r.column[k]] = 1;
            row[i] += 1;
            column[x->r.column[k]] += 1;
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            if (a[i * m + j] > 0) a[i * m + j] /= sqrt(row[i] * column[j]);
    free(row);
    free(column);
    return a;
}

/* C = A B, or A B^T. */
static double *times(const double *a, const double *b, int64_t n, int64_t k, int64_t m, bool turned)
{
    double *c = calloc((size_t)(n * m), sizeof *c);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * (turned ? b[j * k + l] : b[l * m + j]);
    return c;
}

/* The lists of all items have exactly these scores, to within float rounding. */
static void check_scores(const wgdn_interactions *x, const wgdn_scorer *s, const wgdn_recipe *r,
                         const double *wanted)
{
    enum { ROWS = WGDN_BLOCK_USERS };
    const int64_t items = x->r.cols, users = wgdn_min(ROWS, x->r.rows);
    int64_t *item = calloc((size_t)(ROWS * items), sizeof *item), row[ROWS];
    float *score = calloc((size_t)(ROWS * items), sizeof *score);
    float *popularity = calloc((size_t)items, sizeof *popularity);
    wgdn_scores p;
    const wgdn_listing l = {.k = items, .rows = users, .seen = true};
    for (int64_t c = 0; c < users; c++)
        row[c] = c;
    wgdn_popularity(popularity, x, (double)r->power);
    CHECK(wgdn_scores_open(&p, s, wgdn_recipe_set(r), NULL) == WGDN_OK);
    CHECK(wgdn_scores_ask(&p, &x->r, row, users, NULL) == WGDN_OK);
    CHECK(wgdn_scores_fill(&p, s, r, NULL) == WGDN_OK);
    CHECK(wgdn_scores_list(item, score, &p, s, r, popularity, &l, NULL) == WGDN_OK);
    for (int64_t c = 0; c < users; c++)
        for (int64_t i = 0; i < items; i++) {
            const int64_t at = c * items + i;
            CHECK(i == 0 || score[at] <= score[at - 1]);
            CHECK_NEAR(score[at], wanted[c * items + item[at]],
                       1e-5 * (1 + fabs(wanted[c * items + item[at]])));
        }
    wgdn_scores_free(&p);
    free(popularity);
    free(score);
    free(item);
}

static void filter_scores(void)
{
    wgdn_dataset *d = shop(false);
    wgdn_interactions x;
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    CHECK(!x.one_mode && x.r.rows == PEOPLE && x.r.cols == THINGS);
    double *n = dense_n(&x), *g = times(n, n, PEOPLE, THINGS, PEOPLE, true);
    double *t = times(g, n, PEOPLE, PEOPLE, THINGS, false); /* N N^T N */
    double *f = times(g, t, PEOPLE, PEOPLE, THINGS, false);
    enum { K = 5 };
    float v[THINGS * K];
    double wide[THINGS * K];
    wgdn_random_normals(v, K, (wgdn_stream){.seed = 3, .call = 9}, 0, THINGS, 0, K);
    for (int i = 0; i < THINGS * K; i++)
        wide[i] = (double)v[i];
    double *nv = times(n, wide, PEOPLE, THINGS, K, false);
    double *low = times(nv, wide, PEOPLE, K, THINGS, true);
    for (int64_t i = 0; i < PEOPLE; i++)
        for (int64_t j = 0; j < THINGS; j++) {
            const double du = (double)(x.r.offset[i + 1] - x.r.offset[i]);
            const double dj = (double)(x.t.offset[j + 1] - x.t.offset[j]);
            double *to = t + i * THINGS + j;
            *to =
                sqrt(du) * pow(dj, 0.4) * (2 * *to - f[i * THINGS + j] + 0.3 * low[i * THINGS + j]);
        }
    const wgdn_recipe r = {.three = 2, .five = -1, .low = 0.3F, .columns = K, .power = 0.4F};
    check_scores(&x, &(wgdn_scorer){.x = &x, .v = v, .probe = v, .k = K}, &r, t);
    free(low);
    free(nv);
    free(f);
    free(t);
    free(g);
    free(n);
    wgdn_interactions_free(&x);
    wgdn_dataset_free(d);
}

/* Lists by a recipe, where users may be gone through one after another, or may not. */
static void list_recipe(int64_t *item, float *score, wgdn_interactions *x, const wgdn_recipe *r,
                        bool near, bool kept)
{
    enum { K = 12 };
    wgdn_scores p;
    int64_t row[WGDN_BLOCK_USERS], *reach = calloc((size_t)x->r.cols, sizeof *reach);
    int64_t *own = x->reach;
    const wgdn_scorer s = {.x = x};
    const wgdn_listing l = {.k = K, .rows = WGDN_BLOCK_USERS};
    wgdn_score_set has = wgdn_recipe_set(r);
    has.near = kept;
    for (int64_t i = 0; i < x->r.cols; i++)
        reach[i] = INT64_MAX / 4096;
    for (int64_t i = 0; i < WGDN_BLOCK_USERS; i++)
        row[i] = 7 * i;
    if (!near) x->reach = reach;
    CHECK(wgdn_is_near(x, 1, wgdn_row_reach(x, &x->r, 0)) == near);
    CHECK(wgdn_scores_open(&p, &s, has, NULL) == WGDN_OK);
    for (int again = 0; again < 2; again++) {
        CHECK(wgdn_scores_ask(&p, &x->r, row, WGDN_BLOCK_USERS, NULL) == WGDN_OK);
        CHECK(wgdn_scores_fill(&p, &s, r, NULL) == WGDN_OK);
    }
    CHECK(wgdn_scores_list(item, score, &p, &s, r, NULL, &l, NULL) == WGDN_OK);
    CHECK((p.three == NULL) == (kept || r->three == 0));
    wgdn_scores_free(&p);
    x->reach = own;
    free(reach);
}

/* Users one after another have the scores, to the last bit, that steps of groups of users make. */
static void near_scores(void)
{
    enum { SIDE = 2400, EACH = 4, LISTED = 12 * WGDN_BLOCK_USERS };
    static const wgdn_recipe recipe[] = {
        {.three = 1}, {.three = 2, .five = -1}, {.paths = 1, .middle = WGDN_MIDDLE_LOG}};
    static int64_t from[SIDE * EACH], to[SIDE * EACH], item[2][LISTED];
    static float weight[SIDE * EACH], score[2][LISTED];
    for (int64_t i = 0; i < SIDE * EACH; i++) {
        from[i] = i / EACH;
        to[i] = SIDE + (i / EACH / 40 * 40 + (i * 2654435761 >> 12) % 40) % SIDE;
        weight[i] = (float)(1 + i % 5);
    }
    for (int weighted = 0; weighted < 2; weighted++) {
        wgdn_dataset *d = NULL;
        wgdn_interactions x;
        wgdn_dataset_arrays a;
        wgdn_dataset_arrays_init(&a);
        a.nodes = 2 * SIDE;
        a.edges = (int64_t)SIDE * EACH;
        a.source = from;
        a.target = to;
        a.weight = weighted ? weight : NULL;
        CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
        CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_LOG, NULL) == WGDN_OK);
        CHECK(!x.one_mode && (x.r.value != NULL) == (weighted != 0));
        for (int r = 0; r < 3; r++)
            for (int kept = 0; kept < (r == 0 ? 2 : 1); kept++) {
                list_recipe(item[0], score[0], &x, &recipe[r], false, false);
                list_recipe(item[1], score[1], &x, &recipe[r], true, kept);
                CHECK(memcmp(item[0], item[1], sizeof *item) == 0);
                CHECK(memcmp(score[0], score[1], sizeof *score) == 0 && score[0][0] > 0);
            }
        wgdn_interactions_free(&x);
        wgdn_dataset_free(d);
    }
}

/* R R^T R counts the paths of three steps; resource allocation divides by both degrees between. */
static void path_scores(void)
{
    wgdn_dataset *d = shop(false);
    wgdn_interactions x;
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    double *a = dense_n(&x);
    for (int i = 0; i < PEOPLE * THINGS; i++)
        a[i] = a[i] > 0;
    for (int divided = 0; divided < 2; divided++) {
        double right[PEOPLE * THINGS];
        for (int64_t i = 0; i < PEOPLE * THINGS; i++) {
            const double du = (double)(x.r.offset[i / THINGS + 1] - x.r.offset[i / THINGS]);
            const double dj = (double)(x.t.offset[i % THINGS + 1] - x.t.offset[i % THINGS]);
            right[i] = divided && dj > 0 ? a[i] / dj : a[i];
            if (divided && du > 0) right[i] /= du;
        }
        double *g = times(a, right, PEOPLE, THINGS, PEOPLE, true);
        double *paths = times(g, a, PEOPLE, PEOPLE, THINGS, false);
        const wgdn_recipe r = {.paths = 1,
                               .middle = divided ? WGDN_MIDDLE_DEGREE : WGDN_MIDDLE_ONE};
        check_scores(&x, &(wgdn_scorer){.x = &x}, &r, paths);
        free(paths);
        free(g);
    }
    free(a);
    wgdn_interactions_free(&x);
    wgdn_dataset_free(d);
}

static void node_scores(void)
{
    enum { N = 50 };
    wgdn_dataset *d = ring(N);
    wgdn_interactions x;
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    CHECK(x.one_mode && x.r.rows == N);
    double *s = dense_n(&x), *s2 = times(s, s, N, N, N, false), *s3 = times(s2, s, N, N, N, false);
    double *wanted = calloc(N * N, sizeof *wanted);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            double paths = 0;
            for (int64_t l = 0; l < N; l++)
                if (s[i * N + l] > 0 && s[l * N + j] > 0)
                    paths += 1 / log((double)(x.r.offset[l + 1] - x.r.offset[l]));
            wanted[i * N + j] = (s2[i * N + j] + 2 * s3[i * N + j]) *
                                    pow((double)(x.r.offset[j + 1] - x.r.offset[j]), 0.25) +
                                0.1 * paths;
        }
    const wgdn_recipe r = {
        .two = 1, .three = 2, .paths = 0.1F, .middle = WGDN_MIDDLE_LOG, .power = 0.25F};
    check_scores(&x, &(wgdn_scorer){.x = &x}, &r, wanted);
    free(wanted);
    free(s3);
    free(s2);
    free(s);
    wgdn_interactions_free(&x);
    wgdn_dataset_free(d);
}

/* B (R^T R + lambda I) has the columns that define the ridge: off its diagonal it is -B's multiple. */
static void ridge_scores(void)
{
    wgdn_dataset *d = shop(false);
    wgdn_interactions x;
    float *b = NULL;
    const double lambda = 20;
    double gram[THINGS * THINGS] = {0};
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    CHECK(wgdn_item_ridge(&b, &x, lambda, NULL) == WGDN_OK);
    for (int64_t i = 0; i < x.r.rows; i++)
        for (int64_t k = x.r.offset[i]; k < x.r.offset[i + 1]; k++)
            for (int64_t l = x.r.offset[i]; l < x.r.offset[i + 1]; l++)
                gram[x.r.column[k] * THINGS + x.r.column[l]] += 1;
    for (int j = 0; j < THINGS; j++) /* normal equations of item j on the others */
        for (int i = 0; i < THINGS; i++) {
            double sum = lambda * (double)b[i * THINGS + j];
            for (int l = 0; l < THINGS; l++)
                sum += gram[i * THINGS + l] * (double)b[l * THINGS + j];
            if (i == j)
                CHECK(b[i * THINGS + j] == 0);
            else
                CHECK_NEAR(sum, gram[i * THINGS + j], 1e-4);
        }
    wgdn_release(b);
    wgdn_interactions_free(&x);
    wgdn_dataset_free(d);
}

/* G V = V diag(value^2), and V^T V = I. */
static void basis(void)
{
    enum { K = 4 };
    wgdn_dataset *d = shop(false);
    wgdn_interactions x;
    float v[THINGS * K];
    double value[K], wide[THINGS * K];
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    CHECK(wgdn_basis_find(v, value, K, NULL, 0, 60, &x, NULL) == WGDN_OK);
    CHECK_NEAR(value[0], 1, 1e-5);
    for (int i = 0; i < THINGS * K; i++)
        wide[i] = (double)v[i];
    double *n = dense_n(&x), *nv = times(n, wide, PEOPLE, THINGS, K, false);
    for (int64_t j = 0; j < THINGS; j++)
        for (int l = 0; l < K; l++) {
            double sum = 0;
            for (int64_t i = 0; i < PEOPLE; i++)
                sum += n[i * THINGS + j] * nv[i * K + l];
            CHECK_NEAR(sum, value[l] * value[l] * wide[j * K + l], 1e-4);
        }
    free(nv);
    free(n);
    wgdn_interactions_free(&x);
    wgdn_dataset_free(d);
}

/* ---- what is held out ---- */

static bool is_there(const wgdn_csr *a, int64_t i, int64_t j)
{
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        if (a->column[k] == j) return true;
    return false;
}

/* Each interaction is either in the operator or held out, also the other way around. */
static void check_hold(const wgdn_dataset *d)
{
    wgdn_interactions x, rest;
    wgdn_csr held;
    CHECK(wgdn_interactions_from(&x, d, WGDN_INTERACTION_VALUES_ONE, NULL) == WGDN_OK);
    CHECK(wgdn_interactions_hold(&rest, &held, &x, 0.2, 1, NULL) == WGDN_OK);
    CHECK(wgdn_csr_entries(&held) > wgdn_csr_entries(&x.r) / 20);
    for (int64_t i = 0; i < x.r.rows; i++) {
        const int64_t count = x.r.offset[i + 1] - x.r.offset[i];
        if (!x.one_mode && count > 1) CHECK(held.offset[i + 1] > held.offset[i]);
        for (int64_t k = x.r.offset[i]; k < x.r.offset[i + 1]; k++) {
            const int64_t j = x.r.column[k];
            const bool out = is_there(&held, i, j) || (x.one_mode && is_there(&held, j, i));
            CHECK(out != is_there(&rest.r, i, j));
            CHECK(out != is_there(&rest.t, j, i));
        }
    }
    wgdn_csr_free(&held);
    wgdn_interactions_free_rest(&rest);
    wgdn_interactions_free(&x);
}

static void held_out(void)
{
    wgdn_dataset *a = shop(false), *b = ring(60);
    check_hold(a);
    check_hold(b);
    wgdn_dataset_free(b);
    wgdn_dataset_free(a);
}

/* Test interactions judge, and change nothing else: neither the choice nor any score. */
static void no_leak(void)
{
    wgdn_dataset *d = shop(false), *test[2] = {NULL, NULL};
    wgdn_recommend_report report[2];
    const char *id[] = {"user:0", "item:0", "item:7", "item:14"};
    const int64_t from[] = {0, 0}, to[2][2] = {{1, 2}, {2, 3}};
    for (int i = 0; i < 2; i++) {
        wgdn_dataset_arrays a;
        wgdn_dataset_arrays_init(&a);
        a.nodes = 4;
        a.edges = 2;
        a.source = from;
        a.target = to[i];
        a.id = id;
        wgdn_recommend_report_init(&report[i]);
        CHECK(wgdn_dataset_from_arrays(&test[i], &a, NULL) == WGDN_OK);
        CHECK(wgdn_recommend_evaluate(&report[i], d, test[i], NULL, 0.1, 1, NULL) == WGDN_OK);
        CHECK(report[i].rows == 6 && report[i].users == 1 && report[i].interactions == 2);
    }
    CHECK_TEXT(report[0].info.formula, report[1].info.formula);
    CHECK(memcmp(&report[0].info.held, &report[1].info.held, sizeof report[0].info.held) == 0);
    CHECK(wgdn_recommend_evaluate(&report[0], d, NULL, NULL, 0.1, 0, NULL) == WGDN_OK);
    CHECK(report[0].rows == 1 && report[0].interactions > 20);
    CHECK(report[0].row[0].quality.recall > 0);
    for (int i = 0; i < 2; i++)
        wgdn_dataset_free(test[i]);
    wgdn_dataset_free(d);
}

/* ---- lists ---- */

static void quality(void)
{
    const int64_t list[] = {4, 9, 2, -1};
    const int32_t wanted[] = {2, 9, 11};
    const wgdn_list_quality q = wgdn_list_judge(list, 4, 2, false, wanted, 3);
    CHECK_NEAR(q.recall, 1.0 / 3, 1e-12);
    CHECK_NEAR(q.ndcg, (1 / log2(3)) / (1 + 1 / log2(3)), 1e-12);
    CHECK_NEAR(q.mrr, 0.5, 1e-12);
    CHECK(q.hits == 1);
    CHECK_NEAR(wgdn_list_judge(list, 4, 2, true, wanted, 3).mrr, (1.0 / 2 + 1.0 / 3) / 3, 1e-12);
}

static void lists(void)
{
    enum { K = 6 };
    wgdn_dataset *d = shop(false);
    wgdn_recommender *r = fitted(d, 1);
    const int64_t user[] = {7, 3}, among[] = {5, 1, 2}, bad[] = {PEOPLE};
    int64_t item[2 * K], again[2 * K];
    float score[2 * K], other[2 * K];
    wgdn_recommend_query q;
    wgdn_recommend_query_init(&q);
    q.count = 2;
    q.user = user;
    q.k = K;
    CHECK(wgdn_recommender_rank(item, score, r, &q, NULL) == WGDN_OK);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < K; i++)
            CHECK(item[c * K + i] >= 0 && !is_there(&r->x.r, user[c], item[c * K + i]));
    q.among = among; /* at most three, none that the user has */
    q.among_count = 3;
    CHECK(wgdn_recommender_rank(again, other, r, &q, NULL) == WGDN_OK);
    CHECK(again[3] == -1 && again[K + 3] == -1);
    q.include_seen = 1;
    CHECK(wgdn_recommender_rank(again, other, r, &q, NULL) == WGDN_OK);
    CHECK(again[2] >= 0 && again[3] == -1);
    q.among = NULL;
    q.include_seen = 0;
    q.user = NULL; /* the same users as visitors */
    int64_t offset[3] = {0};
    int32_t column[2 * THINGS];
    for (int c = 0; c < 2; c++) {
        const wgdn_csr *a = &r->x.r;
        const int64_t count = a->offset[user[c] + 1] - a->offset[user[c]];
        memcpy(column + offset[c], a->column + a->offset[user[c]], (size_t)count * sizeof *column);
        offset[c + 1] = offset[c] + count;
    }
    q.offset = offset;
    q.item = column;
    CHECK(wgdn_recommender_rank(again, other, r, &q, NULL) == WGDN_OK);
    CHECK(memcmp(again, item, sizeof item) == 0 && memcmp(other, score, sizeof score) == 0);
    column[0] = THINGS;
    CHECK(wgdn_recommender_rank(again, other, r, &q, NULL) == WGDN_EINVAL);
    q.offset = NULL;
    q.user = bad;
    q.count = 1;
    CHECK(wgdn_recommender_rank(again, other, r, &q, NULL) == WGDN_EINVAL);
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
}

static void check_ids(void)
{
    wgdn_dataset *d = shop(false);
    wgdn_recommender *r = fitted(d, 1);
    char id[16];
    CHECK(wgdn_recommender_id(id, sizeof id, r, WGDN_SIDE_ITEMS, 1) == 1);
    CHECK_TEXT(id, "7");
    CHECK(wgdn_recommender_find(r, WGDN_SIDE_ITEMS, "7", 1) == 1);
    CHECK(wgdn_recommender_find(r, WGDN_SIDE_USERS, "none", 4) == -1);
    CHECK(wgdn_recommender_id(id, sizeof id, r, WGDN_SIDE_USERS, PEOPLE) == -1);
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
}

/* All lists of a recommender. */
static void list_all(int64_t *item, float *score, const wgdn_recommender *r, int64_t k, int threads)
{
    wgdn_recommend_query q;
    wgdn_recommend_query_init(&q);
    q.count = r->x.r.rows;
    q.k = k;
    q.threads = threads;
    CHECK(wgdn_recommender_rank(item, score, r, &q, NULL) == WGDN_OK);
}

static void threads(void)
{
    enum { K = 8 };
    wgdn_dataset *d[] = {shop(false), ring(PEOPLE)};
    for (int kind = 0; kind < 2; kind++) {
        int64_t item[2][PEOPLE * K];
        float score[2][PEOPLE * K];
        for (int t = 1; t <= 4; t *= 2) {
            wgdn_recommender *r = fitted(d[kind], t);
            list_all(item[t > 1], score[t > 1], r, K, t);
            CHECK(memcmp(item[0], item[t > 1], sizeof item[0]) == 0);
            CHECK(memcmp(score[0], score[t > 1], sizeof score[0]) == 0);
            wgdn_recommender_free(r);
        }
        wgdn_dataset_free(d[kind]);
    }
}

/* Shuffled rows: the same scores of the same ids, in the same order but for near ties. */
static void shuffled(void)
{
    enum { K = 8 };
    wgdn_dataset *d[] = {shop(false), shop(true)};
    wgdn_recommender *r[] = {fitted(d[0], 1), fitted(d[1], 1)};
    int64_t item[2][PEOPLE * K];
    float score[2][PEOPLE * K];
    wgdn_recommender_info info[2];
    for (int i = 0; i < 2; i++) {
        wgdn_recommender_info_init(&info[i]);
        wgdn_recommender_describe(&info[i], r[i]);
    }
    CHECK_TEXT(info[0].formula, info[1].formula);
    for (int i = 0; i < 2; i++)
        list_all(item[i], score[i], r[i], K, 1);
    for (int64_t u = 0; u < PEOPLE; u++)
        for (int64_t i = 0; i < K; i++) {
            const int64_t a = u * K + i, b = (PEOPLE - 1 - u) * K + i;
            char id[2][16];
            CHECK_NEAR(score[0][a], score[1][b], 1e-5);
            const bool near = (i > 0 && score[0][a - 1] - score[0][a] < 1e-5F) ||
                              (i + 1 < K && score[0][a] - score[0][a + 1] < 1e-5F) || i + 1 == K;
            (void)wgdn_recommender_id(id[0], 16, r[0], WGDN_SIDE_ITEMS, item[0][a]);
            (void)wgdn_recommender_id(id[1], 16, r[1], WGDN_SIDE_ITEMS, item[1][b]);
            if (!near) CHECK_TEXT(id[0], id[1]);
        }
    for (int i = 0; i < 2; i++) {
        wgdn_recommender_free(r[i]);
        wgdn_dataset_free(d[i]);
    }
}

/* ---- files and vectors ---- */

static void saved(void)
{
    enum { K = 6 };
    wgdn_dataset *d[] = {shop(false), ring(PEOPLE)};
    char path[] = "recommend_XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    for (int kind = 0; kind < 2; kind++) {
        wgdn_recommender *r[2] = {fitted(d[kind], 1), NULL};
        int64_t item[2][PEOPLE * K];
        float score[2][PEOPLE * K];
        CHECK(wgdn_recommender_save(r[0], path, NULL) == WGDN_OK);
        CHECK(wgdn_file_kind_of(path) == WGDN_FILE_KIND_RECOMMENDER);
        CHECK_ALLOCATIONS(wgdn_recommender_load(&r[1], path, NULL), wgdn_recommender_free(r[1]));
        CHECK(wgdn_recommender_load(&r[1], path, NULL) == WGDN_OK);
        for (int i = 0; i < 2; i++)
            list_all(item[i], score[i], r[i], K, 1);
        CHECK(memcmp(item[0], item[1], sizeof item[0]) == 0);
        CHECK(memcmp(score[0], score[1], sizeof score[0]) == 0);
        for (int i = 0; i < 2; i++)
            wgdn_recommender_free(r[i]);
    }
    unlink(path);
    for (int kind = 0; kind < 2; kind++)
        wgdn_dataset_free(d[kind]);
}

/* Any changed byte and any end that is too early are refused, and never crash. */
static void damaged(void)
{
    wgdn_dataset *d = ring(9);
    wgdn_recommender *r = fitted(d, 1), *other = NULL;
    char path[] = "recommend_XXXXXX";
    const int file = mkstemp(path);
    close(file);
    CHECK(wgdn_recommender_save(r, path, NULL) == WGDN_OK);
    FILE *f = fopen(path, "rb");
    static unsigned char byte[1 << 16];
    const size_t size = fread(byte, 1, sizeof byte, f);
    fclose(f);
    CHECK(size > 1000 && size < sizeof byte);
    for (size_t at = 0; at < size; at += 3) {
        byte[at] ^= 0x41;
        CHECK(wgdn_file_write(path, byte, size, NULL) == WGDN_OK);
        CHECK(wgdn_recommender_load(&other, path, NULL) != WGDN_OK);
        byte[at] ^= 0x41;
    }
    for (size_t left = 0; left < size; left += 97) {
        CHECK(wgdn_file_write(path, byte, left, NULL) == WGDN_OK);
        CHECK(wgdn_recommender_load(&other, path, NULL) != WGDN_OK);
    }
    unlink(path);
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
}

/* Dot products are the low-pass part of the score; with as many columns as items, all of the filter. */
static void vectors(void)
{
    wgdn_dataset *d = shop(false);
    wgdn_recommender *r = fitted(d, 1);
    wgdn_embedding *e = NULL;
    double kept[2] = {0, 0};
    if (r->recipe.ridge > 0) { /* a filter in its place */
        r->recipe = (wgdn_recipe){.three = 2, .five = -1, .power = 0.4F};
        wgdn_popularity(r->popularity, &r->x, 0.4);
    }
    CHECK(wgdn_recommender_embed(&e, &kept[0], r, 4, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_rows(e) == PEOPLE + THINGS && wgdn_embedding_dim(e) == 4);
    CHECK(wgdn_embedding_find(e, "user:7", 6) == 1);
    CHECK(wgdn_embedding_find(e, "item:7", 6) == PEOPLE + 1);
    wgdn_embedding_free(e);
    CHECK(wgdn_recommender_embed(&e, &kept[1], r, THINGS, NULL, NULL) == WGDN_OK);
    wgdn_embedding_free(e);
    CHECK(kept[0] > 0.2 && kept[0] <= kept[1]);
    CHECK(kept[1] > 0.98);
    CHECK(wgdn_recommender_embed(&e, NULL, r, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK_ALLOCATIONS(wgdn_recommender_embed(&e, NULL, r, 4, NULL, NULL), wgdn_embedding_free(e));
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
}

static void refusals(void)
{
    wgdn_dataset *d = NULL;
    wgdn_recommender *r = NULL;
    wgdn_dataset_arrays a;
    wgdn_dataset_arrays_init(&a);
    a.nodes = 3;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_recommender_fit(&r, d, NULL, NULL) == WGDN_EINVAL && !r); /* no edges */
    wgdn_dataset_free(d);
    a.edges = 1; /* too few to hold out or to have a low-pass part, but enough for lists */
    a.source = (const int64_t[]){0};
    a.target = (const int64_t[]){1};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_recommender_fit(&r, d, NULL, NULL) == WGDN_OK);
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
    r = NULL;
    a.memory = 1; /* byte, less than the process has already */
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_recommender_fit(&r, d, NULL, NULL) == WGDN_ENOMEM && !r);
    wgdn_dataset_free(d);
}

/* A limit leaves fewer columns; without one there are as many as the data allows. */
static void memory_limit(void)
{
    enum { SIDE = 2400, EACH = 4 };
    int64_t *from = calloc((size_t)SIDE * EACH, sizeof *from),
            *to = calloc((size_t)SIDE * EACH, sizeof *to);
    int64_t columns[2] = {0, 0};
    for (int64_t i = 0; i < SIDE * EACH; i++) {
        from[i] = i / EACH;
        to[i] = SIDE + (i / EACH / 40 * 40 + i * 7919 % 40) % SIDE;
    }
    for (int limited = 0; limited < 2; limited++) {
        wgdn_dataset *d = NULL;
        wgdn_recommender *r = NULL;
        wgdn_dataset_arrays a;
        wgdn_limits l;
        wgdn_limits_read(&l, "");
        wgdn_dataset_arrays_init(&a);
        a.nodes = 2 * SIDE;
        a.edges = (int64_t)SIDE * EACH;
        a.source = from;
        a.target = to;
        a.memory = limited ? l.resident + (34 << 20) /* 24 are for libraries */ : 0;
        CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
        wgdn_recommend_options o;
        wgdn_recommend_options_init(&o);
        o.sample = 10;
        o.columns = 128;
        CHECK(wgdn_recommender_fit(&r, d, &o, NULL) == WGDN_OK);
        columns[limited] = r ? r->options.columns : 0;
        wgdn_recommender_free(r);
        wgdn_dataset_free(d);
    }
    CHECK(columns[0] == 128 && columns[1] < 128 && columns[1] >= 8);
    free(to);
    free(from);
}

static void allocations(void)
{
    wgdn_dataset *d = ring(9);
    wgdn_recommender *r = NULL;
    wgdn_recommend_options o;
    int64_t item[9];
    float score[9];
    wgdn_recommend_query q;
    wgdn_recommend_options_init(&o);
    wgdn_recommend_query_init(&q);
    o.sample = 10;
    q.k = 1;
    q.count = 9;
    CHECK_ALLOCATIONS(wgdn_recommender_fit(&r, d, &o, NULL), wgdn_recommender_free(r));
    CHECK(wgdn_recommender_fit(&r, d, &o, NULL) == WGDN_OK);
    CHECK_ALLOCATIONS(wgdn_recommender_rank(item, score, r, &q, NULL), (void)0);
    wgdn_recommender_free(r);
    wgdn_dataset_free(d);
}

int main(void)
{
    RUN(filter_scores);
    RUN(near_scores);
    RUN(path_scores);
    RUN(node_scores);
    RUN(ridge_scores);
    RUN(basis);
    RUN(held_out);
    RUN(no_leak);
    RUN(quality);
    RUN(lists);
    RUN(check_ids);
    RUN(threads);
    RUN(shuffled);
    RUN(saved);
    RUN(damaged);
    RUN(vectors);
    RUN(refusals);
    RUN(memory_limit);
    RUN(allocations);
    return check_failures > 0;
}
