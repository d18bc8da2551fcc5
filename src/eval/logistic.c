/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits logistic regression with L-BFGS, on rows that may be sparse or filtered by the graph.
 * probe.c runs it once for each split; classification_data.c provides the rows.
 */
#include "probe.h"

#include <math.h>
#include <string.h>

/*
 * Minimizes a smooth convex f by limited-memory BFGS.                                  [WGDN:lbfgs]
 *
 *     d = -H g,   H from the last PAIRS of s = x' - x and y = g' - g,   H_0 = (s.y / y.y) I
 *
 * A step t along d is accepted if f has decreased and has become flat:
 *
 *     f(x + t d) <= f(x) + t g.d / 10^4 + noise,   |g(x + t d).d| <= 0.9 |g.d|
 *
 * f is convex, so its slope along d only rises. Between a step that is too short and one that is
 * too long, the next is where the line through their slopes meets zero. If no step is accepted,
 * only rounding errors remain, and x is the result.
 */

enum {
    PAIRS = 20,
    TRIALS = 20,
    OWN = 5,     /* x, g, d, x' and g' */
    LANE = 128,  /* entries of a padded row, zeros behind the last */
    SHORT = 512, /* rows */
};

static const double fall = 1e-4, flat = 0.9, noise = 1e-7, longer = 4;

/* Where it is: pair k of those held is number (oldest + k) % PAIRS. */
typedef struct state {
    wgdn_lbfgs *m;
    int64_t rows; /* of LANE entries */
    float *x, *g, *d, *next_x, *next_g;
    float *s[PAIRS], *y[PAIRS];
    double inverse[PAIRS]; /* 1 / s.y */
    int held, oldest;
    void *work;
    wgdn_arrays arrays;
} state;

/*
 * Short vectors are summed lane by lane, here: a region of OpenMP costs more than they do, and this
 * is called in regions, too. Their length alone decides, never the threads.
 */
static double short_dot(const float *a, const float *b, int64_t size)
{
    double lane[8] = {0};
    for (int64_t i = 0; i < size; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += (double)a[i + k] * b[i + k];
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

static double dot(const state *z, const float *a, const float *b)
{
    if (z->rows <= SHORT) return short_dot(a, b, z->rows * LANE);
    return wgdn_reduce(WGDN_REDUCE_DOT, a, b, wgdn_alone(z->rows), LANE, z->work);
}

static void add(const state *z, float *a, double factor, const float *b)
{
    if (z->rows > SHORT) {
        wgdn_axpy(a, (float)factor, b, z->rows, LANE);
        return;
    }
    for (int64_t i = 0; i < z->rows * LANE; i++)
        a[i] += (float)factor * b[i];
}

static void scale(const state *z, float *a, double factor)
{
    for (int64_t i = 0; i < z->rows * LANE; i++)
        a[i] *= (float)factor;
}

static void copy(const state *z, float *a, const float *b)
{
    memcpy(a, b, (size_t)(z->rows * LANE) * sizeof *a);
}

static double largest(const float *g, int64_t size)
{
    float most = 0;
    for (int64_t i = 0; i < size; i++)
        most = fabsf(g[i]) > most ? fabsf(g[i]) : most;
    return (double)most;
}

/* s = x' - x and y = g' - g push out the oldest pair, if f curves along s at all. */
static void remember(state *z)
{
    const int i = (z->oldest + z->held) % PAIRS;
    copy(z, z->s[i], z->next_x);
    add(z, z->s[i], -1, z->x);
    copy(z, z->y[i], z->next_g);
    add(z, z->y[i], -1, z->g);
    const double sy = dot(z, z->s[i], z->y[i]);
    const double long_s = sqrt(dot(z, z->s[i], z->s[i])), long_y = sqrt(dot(z, z->y[i], z->y[i]));
    if (!(sy > noise * long_s * long_y)) {
        z->held = 0; /* that pair's room may have been the oldest's */
        return;
    }
    z->inverse[i] = 1 / sy;
    if (z->held < PAIRS)
        z->held++;
    else
        z->oldest = (z->oldest + 1) % PAIRS;
}

/* Computes x' = x + t d, with g', f and the slope along d there. */
static wgdn_status evaluate_step(state *z, double t, double *f, double *slope, wgdn_error *err)
{
    copy(z, z->next_x, z->x);
    add(z, z->next_x, t, z->d);
    const wgdn_status st = z->m->gradient(f, z->next_g, z->next_x, z->m->context, err);
    *slope = dot(z, z->next_g, z->d);
    return st;
}

/* Finds a step; *found is false if no step is accepted. */
static wgdn_status find_step(state *z, bool *found, wgdn_error *err)
{
    const double start = dot(z, z->g, z->d), from = z->m->f;
    double low = 0, low_slope = start, high = 0, high_slope = 0, t = 1, f = 0, slope = 0;
    *found = false;
    for (int k = 0; k < TRIALS && start < 0; k++) {
        const wgdn_status st = evaluate_step(z, t, &f, &slope, err);
        if (st) return st;
        const bool far =
            !(f <= from + fall * t * start + noise * fabs(from)) || slope > flat * -start;
        if (!far && slope >= flat * start) {
            *found = true;
            z->m->f = f;
            return WGDN_OK;
        }
        if (far) {
            high = t;
            high_slope = slope;
        } else {
            low = t;
            low_slope = slope;
        }
        const double share = low_slope / (low_slope - high_slope);
        t = high == 0                      ? longer * t
            : share > 0.05 && share < 0.95 ? low + share * (high - low)
                                           : (low + high) / 2;
    }
    return WGDN_OK;
}

static wgdn_status open_state(state *z, wgdn_error *err)
{
    const int64_t size = z->rows * LANE;
    float *at = wgdn_arrays_add(&z->arrays, OWN + 2 * (size_t)PAIRS, (size_t)size * sizeof *at);
    float **const place[] = {&z->x, &z->g, &z->d, &z->next_x, &z->next_g};
    z->work = wgdn_arrays_add(&z->arrays, wgdn_reduce_work(wgdn_alone(z->rows), LANE), 1);
    if (z->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "logistic regression: %lld parameters",
                         (long long)z->m->size);
    memset(at, 0, OWN * (size_t)size * sizeof *at);
    for (int k = 0; k < OWN; k++, at += size)
        *place[k] = at;
    for (int k = 0; k < PAIRS; k++, at += 2 * size) {
        z->s[k] = at;
        z->y[k] = at + size;
    }
    memcpy(z->x, z->m->x, (size_t)z->m->size * sizeof *z->x);
    return WGDN_OK;
}

static void step(state *z)
{
    float *g = z->g;
    remember(z);
    copy(z, z->x, z->next_x);
    z->g = z->next_g;
    z->next_g = g;
}

wgdn_status wgdn_lbfgs_run(wgdn_lbfgs *m, wgdn_error *err)
{
    state z = {.m = m, .rows = (m->size + LANE - 1) / LANE};
    wgdn_status st = open_state(&z, err);
    if (!st) st = m->gradient(&m->f, z.g, z.x, m->context, err);
    for (m->steps = 0; !st && m->steps < m->steps_max; m->steps++) {
        bool found = false;
        if (largest(z.g, m->size) <= m->tolerance) break;
        /* d = -H g by the two loops; without a pair, -g. */
        double a[PAIRS];
        copy(&z, z.d, z.g);
        for (int k = z.held - 1; k >= 0; k--) {
            const int i = (z.oldest + k) % PAIRS;
            a[k] = z.inverse[i] * dot(&z, z.s[i], z.d);
            add(&z, z.d, -a[k], z.y[i]);
        }
        double factor = 1;
        if (z.held > 0) {
            const int i = (z.oldest + z.held - 1) % PAIRS;
            factor = 1 / (z.inverse[i] * dot(&z, z.y[i], z.y[i]));
        }
        scale(&z, z.d, factor);
        for (int k = 0; k < z.held; k++) {
            const int i = (z.oldest + k) % PAIRS;
            add(&z, z.d, a[k] - z.inverse[i] * dot(&z, z.y[i], z.d), z.s[i]);
        }
        scale(&z, z.d, -1);
        st = find_step(&z, &found, err);
        if (!st && !found && z.held == 0) break;
        if (found)
            step(&z);
        else
            z.held = 0; /* once more, straight down */
    }
    if (z.x) memcpy(m->x, z.x, (size_t)m->size * sizeof *z.x);
    wgdn_arrays_release(&z.arrays);
    return st;
}

/*
 * Fits logistic regression on rows of length 1.                                     [WGDN:logistic]
 *
 *     minimum of  1/2 |W|^2 + C sum_i l_i,   Y = X W + 1 b^T,   b without a penalty
 *     l_i = log sum_k exp(y_ik) - y_i,label(i)                   classes, one for each row
 *     l_i = sum_k log(1 + exp(y_ik)) - sum_{k of row i} y_ik     one column per label, several per
 *                                                                row; or one for two classes
 *     l_i is multiplied by the weight of its class, if there are weights
 *     dl_i / dy_ik = softmax(y_i)_k - [k = label(i)],  or  1 / (1 + exp(-y_ik)) - [k of row i]
 *
 * The objective is divided by C n, n the number of rows: a mean loss, whose gradient has the same
 * size for every C. scikit-learn also uses one column for two classes, and an independent column
 * for each label.
 */

/* Of the mean loss's gradient: test accuracy to 0.02 points, micro-F1 of several labels to 0.05. */
static const double tolerance = 5e-6, several_tolerance = 2e-5;
enum { STEPS_MAX = 1000, SUMS = 1 };
static const double small = 0x1p23; /* multiplications that are over before a thread is awake */

/* ---- loss and gradient of a row: y becomes dl/dy, times share ---- */

static double softmax_row(float *y, int64_t cols, int32_t label, float share)
{
    double sum = 0;
    float most = y[0];
    for (int64_t k = 1; k < cols; k++)
        most = y[k] > most ? y[k] : most;
    const double own = (double)y[label] - most;
    for (int64_t k = 0; k < cols; k++) {
        y[k] = expf(y[k] - most);
        sum += y[k];
    }
    for (int64_t k = 0; k < cols; k++)
        y[k] *= share / (float)sum;
    y[label] -= share;
    return log(sum) - own;
}

/*
 * Without its labels: log(1 + exp(y)) = max(y, 0) + log(1 + e), e = exp(-|y|). Factors 1 + e, at
 * most 2, are multiplied and have one logarithm together: it would take most of the time.
 */
static double sigmoid_row(float *y, int64_t cols, float share)
{
    double loss = 0, product = 1;
    for (int64_t k = 0; k < cols; k++) {
        const float up = y[k] > 0 ? y[k] : 0, e = expf(y[k] - 2 * up), one = 1 + e;
        loss += (double)up;
        product *= (double)one;
        if (k % 512 == 511) {
            loss += log(product);
            product = 1;
        }
        y[k] = share * (y[k] > 0 ? 1 : e) / one;
    }
    return loss + log(product);
}

static double several_row(float *y, const wgdn_logistic *f, int64_t node, float share)
{
    const wgdn_csr *a = f->answers->lists;
    double loss = 0;
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        loss -= y[a->column[k]];
    loss += sigmoid_row(y, f->cols, share);
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        y[a->column[k]] -= share;
    return loss;
}

static double two_row(float *y, int32_t label, float share)
{
    const double own = label == 1 ? (double)*y : 0;
    const double loss = sigmoid_row(y, 1, share) - own;
    if (label == 1) *y -= share;
    return loss;
}

static void loss_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_logistic *f = context;
    const float *weight = f->answers->lists ? NULL : f->answers->weight;
    const float *bias = f->now + f->width * f->cols;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t node = f->lesson.row[i];
        const float times = weight ? weight[f->answers->label[node]] : 1;
        const float share = times / (float)f->lesson.rows;
        float *y = f->y + i * f->cols;
        for (int64_t k = 0; k < f->cols; k++)
            y[k] += bias[k];
        sums[0] += (double)times * (f->answers->lists ? several_row(y, f, node, share)
                                    : f->cols == 1
                                        ? two_row(y, f->answers->label[node], share)
                                        : softmax_row(y, f->cols, f->answers->label[node], share));
    }
}

/* ---- the whole fit ---- */

static wgdn_status gradient(double *value, float *g, const float *x, void *context, wgdn_error *err)
{
    wgdn_logistic *f = context;
    const int64_t rows = f->lesson.rows, c = f->cols;
    const wgdn_span all = wgdn_alone(rows);
    wgdn_status st = wgdn_shared_progress_report(f->lesson.unit->pulse, err);
    if (!st) st = wgdn_row_subset_forward(f->y, &f->lesson, x, err);
    if (st) return st;
    f->now = x;
    wgdn_for_blocks(all, loss_rows, f, value, SUMS, f->work);
    *value /= (double)rows;
    st = wgdn_row_subset_back(g, &f->lesson, f->y, err);
    if (st) return st;
    wgdn_weighted_sum(g + f->width * c, NULL, f->y, all, c, 1, 0, f->work);
    *value += f->penalty / 2 * wgdn_sum_squares(x, wgdn_alone(f->width), c, f->work);
    wgdn_axpy(g, (float)f->penalty, x, f->width, c);
    return WGDN_OK;
}

static size_t work_bytes(int64_t rows, int64_t width, int64_t cols)
{
    const wgdn_span all = wgdn_alone(rows);
    const size_t sums = wgdn_larger(wgdn_for_blocks_work(all, SUMS), wgdn_reduce_work(all, cols));
    return wgdn_larger(sums, wgdn_reduce_work(wgdn_alone(width), cols));
}

wgdn_status wgdn_logistic_open(wgdn_logistic *f, const wgdn_unit_input *u, const wgdn_targets *a,
                               const int64_t *row, int64_t rows, wgdn_error *err)
{
    const int64_t width = u->in->width, cols = wgdn_target_columns(a);
    *f = (wgdn_logistic){.answers = a, .width = width, .cols = cols};
    f->param = wgdn_arrays_add_zero(&f->arrays, (size_t)((width + 1) * cols), sizeof *f->param);
    f->y = wgdn_arrays_add(&f->arrays, (size_t)rows, (size_t)cols * sizeof *f->y);
    f->work = wgdn_arrays_add(&f->arrays, work_bytes(rows, width, cols), 1);
    const wgdn_status st =
        f->arrays.failed
            ? wgdn_fail(err, WGDN_ENOMEM, "logistic regression: width %lld, %lld columns",
                        (long long)width, (long long)cols)
            : wgdn_row_subset_open(&f->lesson, u, row, rows, cols, err);
    if (st) wgdn_logistic_close(f);
    return st;
}

wgdn_status wgdn_logistic_fit(wgdn_logistic *f, double c, wgdn_error *err)
{
    wgdn_lbfgs m = {.size = (f->width + 1) * f->cols,
                    .gradient = gradient,
                    .context = f,
                    .tolerance = f->answers->lists ? several_tolerance : tolerance,
                    .steps_max = STEPS_MAX,
                    .x = f->param};
    f->penalty = 1 / (c * (double)f->lesson.rows);
    const int former = wgdn_threads_use(wgdn_row_subset_cost(&f->lesson) < small ? 1 : 0);
    const wgdn_status st = wgdn_lbfgs_run(&m, err);
    wgdn_threads_use(former);
    return st;
}

/* ---- scores ---- */

typedef struct scoring {
    float *y;
    const float *inverse, *bias;
    int64_t cols;
} scoring;

static void scale_rows(int64_t first, int64_t count, void *context)
{
    const scoring *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t k = 0; k < s->cols; k++)
            s->y[i * s->cols + k] = s->inverse[i] * s->y[i * s->cols + k] + s->bias[k];
}

wgdn_status wgdn_logistic_scores(float **y, const wgdn_logistic *f, wgdn_node_product *s,
                                 wgdn_error *err)
{
    const wgdn_unit_input *u = f->lesson.unit;
    const wgdn_status st = wgdn_node_product_forward(y, s, f->param, err);
    scoring now = {*y, u->inverse, f->param + f->width * f->cols, f->cols};
    if (!st) wgdn_for_rows(wgdn_alone(u->in->n), scale_rows, &now);
    return st;
}

/*
 * Evaluates one split by logistic regression with C of {1, 8, 64, 512}. Each fit starts where the
 * last one ended. C is chosen on the validation nodes: the smallest of the best, by accuracy, by
 * AUC with two classes, or by micro-F1 with several labels per node.
 */

static const double penalty[] = {1, 8, 64, 512};
enum { PENALTIES = 4, MIDDLE = 2 };

typedef struct predictions {
    const wgdn_targets *a;
    const float *y; /* n x cols */
    int64_t cols;
    const int64_t *row; /* nodes that are judged */
    int64_t rows;
    int32_t *guess, *truth; /* of each; room */
    double *score;
    uint8_t *positive;
} predictions;

/* Guesses the class of every row, and returns the accuracy. */
static double guess_rows(const predictions *j)
{
    int64_t right = 0;
    for (int64_t i = 0; i < j->rows; i++) {
        j->truth[i] = j->a->label[j->row[i]];
        j->guess[i] = wgdn_best_column(j->y + j->row[i] * j->cols, j->cols);
        right += j->guess[i] == j->truth[i];
    }
    return j->rows > 0 ? (double)right / (double)j->rows : 0;
}

/* Of nodes that are all of one class there is no AUC: NAN. */
static wgdn_status two_class_auc(double *auc, const predictions *j, wgdn_error *err)
{
    int64_t ones = 0;
    double precision;
    for (int64_t i = 0; i < j->rows; i++) {
        j->score[i] = j->y[j->row[i]];
        j->positive[i] = j->a->label[j->row[i]] == 1;
        ones += j->positive[i];
    }
    *auc = NAN;
    if (ones == 0 || ones == j->rows) return WGDN_OK;
    return wgdn_auc_ap(auc, &precision, j->score, j->positive, j->rows, err);
}

/* All measures of the test nodes, or the one that validation compares. */
static wgdn_status evaluate(wgdn_outcome *out, double *compared, const predictions *j, bool all,
                            wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *out = (wgdn_outcome){NAN, NAN, NAN, NAN, NAN};
    if (j->a->lists) {
        st = wgdn_multilabel_f1(&out->micro_f1, &out->f1, j->y, j->a->lists, j->row, j->rows, err);
        *compared = out->micro_f1;
        return st;
    }
    *compared = out->by_validation = guess_rows(j);
    if (j->cols == 1) {
        st = two_class_auc(&out->auc, j, err);
        *compared = isnan(out->auc) ? 0.5 : out->auc; /* then C does not matter */
    }
    if (!st && all) {
        out->micro_f1 = out->by_validation;
        st = wgdn_macro_f1(&out->f1, j->guess, j->truth, j->rows, j->a->classes, err);
    }
    return st;
}

/* All penalties, or the middle one where there is nothing to choose by. */
static wgdn_status choose(wgdn_outcome *out, wgdn_logistic *f, wgdn_node_product *s, predictions *j,
                          const wgdn_parts *p, wgdn_error *err)
{
    double best = -1;
    wgdn_status st = WGDN_OK;
    for (int k = 0; !st && k < PENALTIES; k++) {
        wgdn_outcome one;
        double compared = 0;
        float *y = NULL;
        if (p->val == 0 && k != MIDDLE) continue;
        st = wgdn_logistic_fit(f, penalty[k], err);
        if (!st) st = wgdn_logistic_scores(&y, f, s, err);
        j->y = y;
        j->row = p->row + p->train;
        j->rows = p->val;
        if (!st && p->val > 0) st = evaluate(&one, &compared, j, false, err);
        if (st || compared <= best) continue;
        best = compared;
        j->row += p->val;
        j->rows = p->test;
        st = evaluate(out, &compared, j, true, err);
    }
    return st;
}

wgdn_status wgdn_logistic_evaluate(wgdn_outcome *out, const wgdn_unit_input *u,
                                   const wgdn_targets *a, const wgdn_parts *p, wgdn_error *err)
{
    const size_t most = (size_t)(p->val > p->test ? p->val : p->test);
    predictions j = {.a = a, .cols = wgdn_target_columns(a)};
    wgdn_arrays arrays = {0};
    wgdn_logistic f = {0};
    wgdn_node_product s = {0};
    wgdn_status st = wgdn_logistic_open(&f, u, a, p->row, p->train, err);
    if (!st) st = wgdn_node_product_open(&s, u->in, j.cols, err);
    j.guess = wgdn_arrays_add(&arrays, most, sizeof *j.guess);
    j.truth = wgdn_arrays_add(&arrays, most, sizeof *j.truth);
    j.score = wgdn_arrays_add(&arrays, most, sizeof *j.score);
    j.positive = wgdn_arrays_add(&arrays, most, sizeof *j.positive);
    if (!st && arrays.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: predictions for %lld nodes", (long long)most);
    if (!st) st = choose(out, &f, &s, &j, p, err);
    wgdn_arrays_release(&arrays);
    wgdn_node_product_close(&s);
    wgdn_logistic_close(&f);
    return st;
}
