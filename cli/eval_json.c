/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations as JSON. */
#include "eval.h"
#include "json.h"

#include <math.h>

static const char *const task_names[] = {"auto", "probe", "cluster", "links", "graph", "quality"};
static const char *const source_names[] = {"auto",       "dataset", "paper",
                                           "stratified", "random",  "stratified-random"};

/* Two columns, as a table would have them. */
static void put_spread(json *j, const char *key, wgdn_spread s)
{
    char name[64];
    snprintf(name, sizeof name, "%s_mean", key);
    json_put_real(j, name, s.mean);
    snprintf(name, sizeof name, "%s_std", key);
    json_put_real(j, name, s.deviation);
}

static void put_known(json *j, const char *key, wgdn_spread s)
{
    if (!isnan(s.mean)) put_spread(j, key, s);
}

/* Adam's two protocols stand side by side, under their names as well. */
static void put_probe(json *j, const wgdn_probe_result *r)
{
    if (!isnan(r->test_selected.mean)) put_spread(j, "validation_selected", r->validation_selected);
    put_known(j, "test_selected", r->test_selected);
    put_known(j, "accuracy", r->validation_selected);
    if (r->multi_label) put_spread(j, "micro_f1", r->micro_f1);
    put_known(j, "auc", r->auc);
    put_known(j, "macro_f1", r->f1);
    put_known(j, "r2", r->r2);
    put_known(j, "spearman", r->spearman);
    put_known(j, "few_shot", r->few_shot);
    put_known(j, "knn", r->neighbours);
}

static void put_row(json *j, const evaluation *e, const eval_row *r)
{
    json_put_open(j, NULL, '{');
    json_put_text(j, "name", r->name);
    switch (e->task) {
    case TASK_PROBE: put_probe(j, &r->probe); break;
    case TASK_CLUSTER:
        json_put_real(j, "nmi", r->cluster.nmi);
        json_put_real(j, "ari", r->cluster.ari);
        json_put_real(j, "inertia", r->cluster.inertia);
        put_spread(j, "nmi_restarts", r->cluster.nmi_spread);
        put_spread(j, "ari_restarts", r->cluster.ari_spread);
        break;
    case TASK_LINKS:
        json_put_real(j, "auc", r->links.auc);
        json_put_real(j, "average_precision", r->links.average_precision);
        break;
    case TASK_GRAPH:
        if (r->svm.has_rbf) put_spread(j, "rbf_svm", r->svm.rbf);
        if (r->svm.has_linear) put_spread(j, "linear_svm", r->svm.linear);
        break;
    case TASK_QUALITY:
    case TASK_AUTO: break;
    }
    json_put_close(j, '}');
}

/* The fold of every graph, so that others can be asked the same. */
static void put_folds(json *j, const evaluation *e)
{
    const int64_t n = wgdn_dataset_nodes(e->graphs);
    json_put_integer(j, "graphs", n);
    json_put_integer(j, "labelled", e->row[0].svm.rows);
    json_put_integer(j, "classes", e->row[0].svm.classes);
    json_put_integer(j, "folds", e->row[0].svm.folds);
    json_put_open(j, "fold", '[');
    for (int64_t i = 0; i < n; i++)
        json_put_integer(j, NULL, e->fold[i]);
    json_put_close(j, ']');
}

static void put_setting(json *j, const evaluation *e)
{
    const wgdn_probe_result *p = &e->row[0].probe;
    switch (e->task) {
    case TASK_PROBE:
        json_put_integer(j, "runs", p->runs);
        json_put_text(j, "splits", source_names[p->source]);
        json_put_integer(j, "distinct_splits", p->splits);
        json_put_integer(j, "train", p->train);
        json_put_integer(j, "val", p->val);
        json_put_integer(j, "test", p->test);
        if (p->numeric) json_put_text(j, "label_kind", "number");
        json_put_text(j, p->numeric ? "regression" : "classifier",
                      p->numeric                                      ? "ridge"
                      : e->options.classifier == WGDN_CLASSIFIER_ADAM ? "adam"
                                                                      : "logistic");
        if (p->multi_label) json_put_bool(j, "multi_label", true);
        if (p->few_shot_draws) json_put_integer(j, "few_shot_draws", p->few_shot_draws);
        if (p->neighbour_splits) json_put_integer(j, "knn_splits", p->neighbour_splits);
        break;
    case TASK_CLUSTER:
        json_put_integer(j, "clusters", e->row[0].cluster.clusters);
        json_put_integer(j, "restarts", e->row[0].cluster.restarts);
        break;
    case TASK_LINKS:
        json_put_integer(j, "test_edges", e->row[0].links.test_edges);
        if (e->row[0].links.right) json_put_integer(j, "right", e->row[0].links.right);
        break;
    case TASK_GRAPH: put_folds(j, e); break;
    case TASK_QUALITY:
    case TASK_AUTO: break;
    }
}

void eval_print_json(FILE *to, const evaluation *e)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "task", task_names[e->task]);
    json_put_text(&j, "vectors", e->vectors);
    if (e->data) json_put_text(&j, "data", e->data);
    json_put_integer(&j, "dim", e->dim);
    json_put_integer(&j, "seed", (int64_t)e->options.seed);
    put_setting(&j, e);
    json_put_open(&j, "results", '[');
    for (int i = 0; i < e->rows; i++)
        put_row(&j, e, &e->row[i]);
    json_put_close(&j, ']');
    if (*e->conclusion) json_put_text(&j, "conclusion", e->conclusion);
    json_put_close(&j, '}');
    fputc('\n', to);
}
