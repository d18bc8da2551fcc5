/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns scores into probabilities by one temperature, and measures predictions on nodes whose labels
 * are known. predict.c hands it scores of nodes that were held out.
 */
#include "predictor.h"

#include <math.h>
#include <string.h>

enum { BINS = 15, HALVINGS = 40, THRESHOLDS = 19 };
static const double coldest = 0.02, hottest = 50, least_probability = 1e-9;

void wgdn_calibrate_row(float *p, const float *z, int64_t classes, double temperature, bool several)
{
    double sum = 0;
    float most = z[0];
    for (int64_t k = 1; k < classes; k++)
        most = z[k] > most ? z[k] : most;
    for (int64_t k = 0; k < classes; k++) {
        const double x = several ? 1 / (1 + exp(-(double)z[k] / temperature))
                                 : exp(((double)z[k] - (double)most) / temperature);
        p[k] = (float)x;
        sum += x;
    }
    for (int64_t k = 0; !several && k < classes; k++)
        p[k] = (float)((double)p[k] / sum);
}

/* Whether the node has label k. */
static bool has_label(const wgdn_targets *a, int64_t node, int64_t k)
{
    if (!a->lists) return a->label[node] == k;
    for (int64_t at = a->lists->offset[node]; at < a->lists->offset[node + 1]; at++)
        if (a->lists->column[at] == k) return true;
    return false;
}

static double weight_of(const wgdn_scored *s, int64_t i)
{
    const wgdn_targets *a = s->targets;
    return a->weight && !a->lists ? (double)a->weight[a->label[s->node[i]]] : 1;
}

/* ---- temperature ---- */

/*
 * Log loss of a row at z / T, and its slope in b = 1 / T. A share `doubt` of each label is spread over the classes, so
 * that a few nodes that are all right do not make it certain.
 */
static double row_loss(double *slope, const wgdn_scored *s, int64_t i, double b, double doubt)
{
    const float *z = s->z + i * s->classes;
    double sum = 0, mean = 0, level = 0, most = -INFINITY;
    if (s->targets->lists) {
        double loss = 0;
        *slope = 0;
        for (int64_t k = 0; k < s->classes; k++) {
            const double y = b * (double)z[k],
                         own = has_label(s->targets, s->node[i], k) ? 1 - doubt / 2 : doubt / 2;
            loss += fmax(y, 0) + log1p(exp(-fabs(y))) - own * y;
            *slope += (1 / (1 + exp(-y)) - own) * (double)z[k];
        }
        return loss;
    }
    for (int64_t k = 0; k < s->classes; k++)
        if ((double)z[k] > most) most = z[k];
    for (int64_t k = 0; k < s->classes; k++) {
        const double e = exp(b * ((double)z[k] - most));
        sum += e;
        mean += e * (double)z[k];
        level += (double)z[k] / (double)s->classes;
    }
    const double label = (double)z[s->targets->label[s->node[i]]];
    const double own = (1 - doubt) * label + doubt * level;
    *slope = mean / sum - own;
    return log(sum) - b * (own - most);
}

/* The loss is convex in 1 / T, so its slope changes sign once. */
double wgdn_temperature_fit(const wgdn_scored *s, const int32_t *fold, int32_t but)
{
    const double doubt = 1 / ((double)s->rows + 2);
    double low = log(1 / hottest), high = log(1 / coldest);
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2;
        double sum = 0, slope;
        for (int64_t i = 0; i < s->rows; i++) {
            if (fold[i] == but) continue;
            (void)row_loss(&slope, s, i, exp(middle), doubt);
            sum += weight_of(s, i) * slope;
        }
        if (sum > 0)
            high = middle;
        else
            low = middle;
    }
    return exp(-(low + high) / 2);
}

double wgdn_log_loss(const wgdn_scored *s, double temperature)
{
    double sum = 0, all = 0, slope;
    for (int64_t i = 0; i < s->rows; i++) {
        sum += weight_of(s, i) * row_loss(&slope, s, i, 1 / temperature, 0);
        all += weight_of(s, i);
    }
    return sum / all;
}

/* ---- several labels ---- */

typedef struct tally {
    double right, said, there;
} tally;

static double f1_of(tally t)
{
    return t.said + t.there > 0 ? 2 * t.right / (t.said + t.there) : 0;
}

/* Counts of each class into of, unless NULL; all of them together. */
static tally count_several(tally *of, const wgdn_scored *p, double threshold)
{
    tally all = {0, 0, 0};
    for (int64_t i = 0; i < p->rows; i++) {
        const float *x = p->z + i * p->classes;
        const int32_t best = wgdn_best_column(x, p->classes);
        for (int64_t k = 0; k < p->classes; k++) {
            const bool said = wgdn_is_predicted(x, k, best, threshold);
            const bool there = has_label(p->targets, p->node[i], k);
            const tally one = {said && there, said, there};
            all = (tally){all.right + one.right, all.said + one.said, all.there + one.there};
            if (!of) continue;
            of[k] =
                (tally){of[k].right + one.right, of[k].said + one.said, of[k].there + one.there};
        }
    }
    return all;
}

double wgdn_threshold_fit(const wgdn_scored *p)
{
    double best = -1, threshold = 0.5;
    for (int t = 1; t <= THRESHOLDS; t++) {
        const double at = t / (THRESHOLDS + 1.0), f1 = f1_of(count_several(NULL, p, at));
        if (f1 <= best) continue;
        best = f1;
        threshold = at;
    }
    return threshold;
}

static wgdn_status measure_several(wgdn_predict_report *r, const wgdn_scored *p, wgdn_error *err)
{
    tally *of = wgdn_alloc_zero((size_t)p->classes, sizeof *of);
    double sum = 0, seen = 0;
    if (!of) return wgdn_fail(err, WGDN_ENOMEM, "counts of %lld labels", (long long)p->classes);
    r->micro_f1 = f1_of(count_several(of, p, r->threshold));
    for (int64_t k = 0; k < p->classes; k++) {
        if (of[k].said + of[k].there <= 0) continue;
        sum += f1_of(of[k]);
        seen++;
    }
    r->macro_f1 = sum / seen;
    wgdn_release(of);
    return WGDN_OK;
}

/* ---- one label ---- */

static wgdn_status measure_classes(wgdn_predict_report *r, const wgdn_scored *p, wgdn_error *err)
{
    const bool two = r->positive >= 0;
    wgdn_arrays a = {0};
    int32_t *guess = wgdn_arrays_add(&a, (size_t)p->rows, sizeof *guess);
    int32_t *truth = wgdn_arrays_add(&a, (size_t)p->rows, sizeof *truth);
    double *score = wgdn_arrays_add(&a, (size_t)p->rows, sizeof *score), right = 0;
    uint8_t *positive = wgdn_arrays_add(&a, (size_t)p->rows, sizeof *positive);
    wgdn_status st =
        a.failed ? wgdn_fail(err, WGDN_ENOMEM, "measures of %lld predictions", (long long)p->rows)
                 : WGDN_OK;
    for (int64_t i = 0; !st && i < p->rows; i++) {
        const float *x = p->z + i * p->classes;
        guess[i] = wgdn_best_column(x, p->classes);
        truth[i] = p->targets->label[p->node[i]];
        right += guess[i] == truth[i];
        /* odds keep apart what floats near 1 do not */
        if (two) score[i] = (double)x[r->positive] - (double)x[1 - r->positive];
        positive[i] = truth[i] == r->positive;
    }
    r->accuracy = right / (double)p->rows;
    if (!st) st = wgdn_macro_f1(&r->macro_f1, guess, truth, p->rows, p->classes, err);
    if (!st && two) st = wgdn_auc_ap(&r->auc, &r->average_precision, score, positive, p->rows, err);
    wgdn_arrays_release(&a);
    return st;
}

/*
 * Expected calibration error: mean of |share that is right - mean probability| over 15 bins of the
 * probability of what is predicted, or, with several labels, of every label.
 */
static double calibration_error(const wgdn_scored *p)
{
    double right[BINS] = {0}, said[BINS] = {0}, error = 0, all = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        const float *x = p->z + i * p->classes;
        const int64_t best = wgdn_best_column(x, p->classes);
        const int64_t from = p->targets->lists ? 0 : best,
                      to = p->targets->lists ? p->classes : from + 1;
        for (int64_t k = from; k < to; k++) {
            const double by = weight_of(p, i), sure = (double)x[k];
            const int bin = sure >= 1 ? BINS - 1 : (int)(sure * BINS);
            right[bin] += by * has_label(p->targets, p->node[i], k);
            said[bin] += by * sure;
            all += by;
        }
    }
    for (int b = 0; b < BINS; b++)
        error += fabs(right[b] - said[b]);
    return error / all;
}

void wgdn_measure_probabilities(wgdn_predict_report *r, const wgdn_scored *p)
{
    double loss = 0, all = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        const float *x = p->z + i * p->classes;
        for (int64_t k = 0; k < p->classes; k++) {
            const bool own = has_label(p->targets, p->node[i], k);
            const double sure = own ? (double)x[k] : 1 - (double)x[k];
            if (own || p->targets->lists)
                loss -= weight_of(p, i) * log(fmax(sure, least_probability));
        }
        all += weight_of(p, i);
    }
    r->log_loss = loss / all;
    r->ece = calibration_error(p);
}

wgdn_status wgdn_measure_labels(wgdn_predict_report *r, const wgdn_scored *p, wgdn_error *err)
{
    return p->targets->lists ? measure_several(r, p, err) : measure_classes(r, p, err);
}
