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
    if (e->row[0].probe.multi_label) return "micro-F1";
    return isnan(e->row[0].probe.auc.mean) ? "accuracy" : "AUC";
}

static wgdn_spread score_of(const evaluation *e, int row)
{
    const eval_row *r = &e->row[row];
    if (e->task == TASK_GRAPH) return r->svm.has_rbf ? r->svm.rbf : r->svm.linear;
    if (r->probe.multi_label) return r->probe.micro_f1;
    return isnan(r->probe.auc.mean) ? r->probe.validation_selected : r->probe.auc;
}

static double paired_error(const double *x, const double *y, int count)
{
    double mean = 0, sum = 0;
    for (int k = 0; k < count; k++)
        mean += (x[k] - y[k]) / count;
    for (int k = 0; k < count; k++)
        sum += (x[k] - y[k] - mean) * (x[k] - y[k] - mean);
    return sqrt(sum / (count - 1) / count);
}

/* Of the difference between two rows. */
static double standard_error(const evaluation *e, int a, int b)
{
    const wgdn_spread x = score_of(e, a), y = score_of(e, b);
    const wgdn_probe_result *p = &e->row[a].probe, *q = &e->row[b].probe;
    if (e->task == TASK_GRAPH)
        return sqrt((x.deviation * x.deviation + y.deviation * y.deviation) / e->row[a].svm.folds);
    if (p->splits > 1) return paired_error(p->each, q->each, p->runs);
    return sqrt((x.mean * (1 - x.mean) + y.mean * (1 - y.mean)) / (double)p->test);
}

/* What a baseline that is ahead suggests. */
static const char *advice(const evaluation *e, int row)
{
    const char *name = e->row[row].name;
    if (e->task == TASK_GRAPH)
        return "; the graphs' structure or features alone are ahead: try another --pool or "
               "--kernel";
    if (strcmp(name, "raw features") == 0)
        return "; the features alone are ahead: try a weaker filter, e.g. --kernel heat:t=0.5";
    if (strcmp(name, "random encoder") == 0)
        return "; training has not helped: try fewer --epochs, or 'wgdn fit'";
    return "; the filtered features are ahead: try 'wgdn fit'";
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
    const double ours = 100 * score_of(e, 0).mean, theirs = 100 * score_of(e, best).mean;
    const double error = 100 * standard_error(e, 0, best);
    char *to = e->conclusion;
    const size_t size = sizeof e->conclusion;
    if (fabs(ours - theirs) <= error + 1e-9)
        snprintf(to, size,
                 "the vectors and the best baseline, %s, are level: %s %.2f and %.2f, standard "
                 "error of the difference %.2f",
                 name, what, ours, theirs, error);
    else if (ours > theirs)
        snprintf(to, size, "the vectors are best: %s %.2f, %.2f ahead of %s, standard error %.2f",
                 what, ours, ours - theirs, name, error);
    else
        snprintf(to, size,
                 "the baseline %s is best: %s %.2f, %.2f ahead of the vectors, standard error "
                 "%.2f%s",
                 name, what, theirs, theirs - ours, error, advice(e, best));
}
