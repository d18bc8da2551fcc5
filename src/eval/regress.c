/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One split by logistic regression: C of {1, 8, 64, 512}, each fit starting where the last one
 * ended, chosen on the validation nodes: the smallest of the best. What is compared is accuracy,
 * AUC with two classes, micro-F1 with several labels a node.
 */
#include "logistic.h"

#include <math.h>

static const double penalty[] = {1, 8, 64, 512};
enum { PENALTIES = 4, MIDDLE = 2 };

typedef struct judging {
    const wgdn_answers *a;
    const float *y; /* n x cols */
    int64_t cols;
    const int64_t *row; /* nodes that are judged */
    int64_t rows;
    int32_t *guess, *truth; /* of each; room */
    double *score;
    uint8_t *positive;
} judging;

int32_t wgdn_best_column(const float *y, int64_t cols)
{
    int32_t best = 0;
    if (cols == 1) return *y > 0;
    for (int64_t k = 1; k < cols; k++)
        if (y[k] > y[best]) best = (int32_t)k;
    return best;
}

static double guess_rows(const judging *j)
{
    for (int64_t i = 0; i < j->rows; i++) {
        j->truth[i] = j->a->label[j->row[i]];
        j->guess[i] = wgdn_best_column(j->y + j->row[i] * j->cols, j->cols);
    }
    return wgdn_accuracy(j->guess, j->truth, j->rows);
}

/* Of nodes that are all of one class there is no AUC: NAN. */
static wgdn_status two_class_auc(double *auc, const judging *j, wgdn_error *err)
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

/* Everything that is told of the test nodes, or what validation compares. */
static wgdn_status judge(wgdn_outcome *out, double *compared, const judging *j, bool all,
                         wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *out = (wgdn_outcome){NAN, NAN, NAN, NAN, NAN};
    if (j->a->lists) {
        st = wgdn_several_f1(&out->micro_f1, &out->f1, j->y, j->a->lists, j->row, j->rows, err);
        *compared = out->micro_f1;
        return st;
    }
    *compared = out->honest = guess_rows(j);
    if (j->cols == 1) {
        st = two_class_auc(&out->auc, j, err);
        *compared = isnan(out->auc) ? 0.5 : out->auc; /* then C does not matter */
    }
    if (!st && all) {
        out->micro_f1 = out->honest;
        st = wgdn_macro_f1(&out->f1, j->guess, j->truth, j->rows, j->a->classes, err);
    }
    return st;
}

/* All penalties, or the middle one where there is nothing to choose by. */
static wgdn_status choose(wgdn_outcome *out, wgdn_logistic *f, wgdn_sweep *s, judging *j,
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
        if (!st && p->val > 0) st = judge(&one, &compared, j, false, err);
        if (st || compared <= best) continue;
        best = compared;
        j->row += p->val;
        j->rows = p->test;
        st = judge(out, &compared, j, true, err);
    }
    return st;
}

wgdn_status wgdn_regress(wgdn_outcome *out, const wgdn_unit *u, const wgdn_answers *a,
                         const wgdn_parts *p, wgdn_error *err)
{
    const size_t most = (size_t)(p->val > p->test ? p->val : p->test);
    judging j = {.a = a, .cols = wgdn_answers_columns(a)};
    wgdn_logistic f = {0};
    wgdn_sweep s = {0};
    wgdn_status st = wgdn_logistic_open(&f, u, a, p->row, p->train, err);
    if (!st) st = wgdn_sweep_open(&s, u->in, j.cols, err);
    j.guess = wgdn_alloc(most, sizeof *j.guess);
    j.truth = wgdn_alloc(most, sizeof *j.truth);
    j.score = wgdn_alloc(most, sizeof *j.score);
    j.positive = wgdn_alloc(most, sizeof *j.positive);
    if (!st && !(j.guess && j.truth && j.score && j.positive))
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: answers of %lld nodes", (long long)most);
    if (!st) st = choose(out, &f, &s, &j, p, err);
    wgdn_release(j.positive);
    wgdn_release(j.score);
    wgdn_release(j.truth);
    wgdn_release(j.guess);
    wgdn_sweep_close(&s);
    wgdn_logistic_close(&f);
    return st;
}
