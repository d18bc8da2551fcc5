/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sentence on a table: which row is best, by how much against the standard error of the
 * difference, and what to try when that is a baseline.
 *
 *     several splits:  s / sqrt(r),  s the deviation of the r differences split by split;
 *     one split:       sqrt((p (1 - p) + q (1 - q)) / test nodes),  p and q the two scores;
 *     folds of SVMs:   sqrt((s_p^2 + s_q^2) / r)
 */
#include "eval.h"

#include <math.h>
#include <string.h>

/* The number that rows are compared by. */
static const char *score_name(const evaluation *e)
{
    if (e->task == TASK_GRAPH) return "accuracy";
    if (e->numeric) return "R2";
    if (e->row[0].probe.multi_label) return "micro-F1";
    return isnan(e->row[0].probe.auc.mean) ? "accuracy" : "AUC";
}

static wgdn_spread score_of(const evaluation *e, int row)
{
    const eval_row *r = &e->row[row];
    if (e->task == TASK_GRAPH) return r->svm.has_rbf ? r->svm.rbf : r->svm.linear;
    if (e->numeric) return r->probe.r2;
    if (r->probe.multi_label) return r->probe.micro_f1;
    return isnan(r->probe.auc.mean) ? r->probe.validation_selected : r->probe.auc;
}

static double paired_error(const double *x, const double *y, int count)
{
    double mean = 0, sum = 0, known = 0; /* a split may lack an AUC */
    for (int k = 0; k < count; k++)
        if (!isnan(x[k] - y[k])) mean += x[k] - y[k], known++;
    mean /= known;
    for (int k = 0; k < count; k++)
        if (!isnan(x[k] - y[k])) sum += (x[k] - y[k] - mean) * (x[k] - y[k] - mean);
    return known > 1 ? sqrt(sum / (known - 1) / known) : 0;
}

/* Of the difference between two rows. */
static double standard_error(const evaluation *e, int a, int b)
{
    const wgdn_spread x = score_of(e, a), y = score_of(e, b);
    const wgdn_probe_result *p = &e->row[a].probe, *q = &e->row[b].probe;
    if (e->task == TASK_GRAPH)
        return sqrt((x.deviation * x.deviation + y.deviation * y.deviation) / e->row[a].svm.folds);
    if (e->numeric && p->splits < 2) return 0;
    if (p->splits > 1) return paired_error(p->each, q->each, p->runs);
    return sqrt((x.mean * (1 - x.mean) + y.mean * (1 - y.mean)) / (double)p->test);
}

/* What a baseline that is ahead suggests. */
static const char *advice(const evaluation *e, int row)
{
    const char *name = e->row[row].name;
    if (e->task == TASK_GRAPH)
        return e->trained ? "; try to train with another --pool or --kernel"
                          : "; try a larger --dim";
    if (strcmp(name, "raw features") == 0)
        return e->trained ? "; try to train with a weaker filter, such as --kernel heat:t=0.5"
                          : "; try the features beside the vectors: the graph says little of these "
                            "labels";
    if (strcmp(name, "random encoder") == 0)
        return e->trained ? "; training has not helped: try fewer --epochs, or 'wgdn fit'" : "";
    if (strcmp(name, "degrees") == 0) return "; try the degrees beside the vectors";
    return e->trained ? "; try 'wgdn fit'" : "; try a larger --dim";
}

void eval_conclude(evaluation *e)
{
    const bool known = e->task == TASK_PROBE || e->task == TASK_GRAPH;
    int best = 1;
    *e->conclusion = '\0';
    if (!known || e->rows < 2) return;
    for (int i = 2; i < e->rows; i++)
        if (score_of(e, i).mean > score_of(e, best).mean) best = i;
    const char *what = score_name(e), *name = e->row[best].name;
    const double unit = e->numeric ? 1 : 100; /* R2 is no percentage */
    const double ours = unit * score_of(e, 0).mean, theirs = unit * score_of(e, best).mean;
    const double error = unit * standard_error(e, 0, best);
    if (isnan(ours) || isnan(theirs)) return;
    char *to = e->conclusion;
    const size_t size = sizeof e->conclusion;
    const int digits = e->numeric ? 3 : 2;
    if (e->numeric && fmax(ours, theirs) < 0.01)
        snprintf(to, size,
                 "neither the vectors nor the baselines predict these labels: R2 %.*f at best",
                 digits, fmax(ours, theirs));
    else if (fabs(ours - theirs) <= error + 1e-9)
        snprintf(to, size,
                 "the vectors and the best baseline, %s, are level: %s %.*f and %.*f, standard "
                 "error of the difference %.*f",
                 name, what, digits, ours, digits, theirs, digits, error);
    else if (ours > theirs)
        snprintf(to, size, "the vectors are best: %s %.*f, %.*f ahead of %s, standard error %.*f",
                 what, digits, ours, digits, ours - theirs, name, digits, error);
    else
        snprintf(to, size,
                 "the baseline %s is best: %s %.*f, %.*f ahead of the vectors, standard error "
                 "%.*f%s",
                 name, what, digits, theirs, digits, theirs - ours, digits, error, advice(e, best));
}
