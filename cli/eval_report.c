/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the results of an evaluation as a table or as JSON. cmd_eval.c fills in the rows and
 * calls it once at the end.
 */
#include "eval_report.h"
#include "terminal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void print_spread(FILE *to, wgdn_spread s)
{
    fprintf(to, "  %6.2f +- %5.2f", 100 * s.mean, 100 * s.deviation);
}

/* ---- probes ---- */

/* A column of the table, if there is anything in it. */
typedef struct column {
    const char *heading;
    size_t offset; /* of a wgdn_spread */
    bool there;
} column;

enum { COLUMNS_MAX = 7 };

static wgdn_spread spread_in(const column *c, const wgdn_probe_result *r)
{
    return *(const wgdn_spread *)((const char *)r + c->offset);
}

static void list_columns(column list[COLUMNS_MAX], const evaluation *e)
{
    const wgdn_probe_result *r = &e->row[0].probe;
    const column all[COLUMNS_MAX] = {
        {"AUC", offsetof(wgdn_probe_result, auc), !isnan(r->auc.mean)},
        {"micro-F1", offsetof(wgdn_probe_result, micro_f1), r->multi_label},
        {"accuracy", offsetof(wgdn_probe_result, validation_selected), !r->multi_label},
        {"macro-F1", offsetof(wgdn_probe_result, f1), true},
        {"5-shot", offsetof(wgdn_probe_result, few_shot), !isnan(r->few_shot.mean)},
        {"5-NN", offsetof(wgdn_probe_result, neighbors), !isnan(r->neighbors.mean)},
        {"test-selected *", offsetof(wgdn_probe_result, test_selected), e->test_selected},
    };
    memcpy(list, all, sizeof all);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_setting(FILE *to, const evaluation *e)
{
    static const char *const source[] = {"",
                                         "of the dataset",
                                         "permutations of the paper",
                                         "stratified folds",
                                         "random",
                                         "random, stratified by class"};
    const wgdn_probe_result *r = &e->row[0].probe;
    fprintf(to, "%lld training nodes, %lld validation nodes, %lld test nodes\n",
            (long long)r->train, (long long)r->val, (long long)r->test);
    if (r->numeric)
        fputs("ridge regression, ", to);
    else if (e->options.classifier == WGDN_CLASSIFIER_ADAM)
        fprintf(to, "%d linear probe%s trained by Adam, ", r->runs, plural(r->runs));
    else
        fputs("logistic regression, ", to);
    fprintf(to, "%d split%s (%s), seed %llu\n\n", r->splits, plural(r->splits), source[r->source],
            (unsigned long long)e->options.seed);
}

static void print_adam_notes(FILE *to, const evaluation *e)
{
    fputs("\nvalidation-selected: accuracy and macro-F1 at the first step with the best validation "
          "accuracy\n",
          to);
    if (e->test_selected)
        fputs(
            "* as the paper's code does: the best test accuracy over all steps at which validation "
            "accuracy\n  equals or exceeds its best so far; it looks at the test labels\n",
            to);
    fputs("+- is the standard deviation over probes, not over trained models\n", to);
}

static void print_logistic_notes(FILE *to, const evaluation *e)
{
    const wgdn_probe_result *r = &e->row[0].probe;
    fprintf(to, "\nnormalized embeddings; C of 1, 8, 64, 512 with the best validation %s\n",
            r->multi_label       ? "micro-F1"
            : isnan(r->auc.mean) ? "accuracy"
                                 : "AUC");
    if (r->multi_label)
        fputs("a node gets as many labels as it has, the most likely first\n", to);
    else if (r->few_shot_draws)
        fprintf(to,
                "5-shot: 5 training nodes of each class, %d draws; 5-NN: nearest training nodes by "
                "cosine, %d split%s\n",
                r->few_shot_draws, r->neighbor_splits, plural(r->neighbor_splits));
    else
        fprintf(to,
                "5-NN: nearest training nodes by cosine, %d split%s; not enough training nodes for "
                "5-shot\n",
                r->neighbor_splits, plural(r->neighbor_splits));
    fputs("+- is the standard deviation over splits or draws, not over trained models\n", to);
}

static void print_numeric(FILE *to, const evaluation *e)
{
    print_setting(to, e);
    fprintf(to, "%-26s  %-17s  %s\n", "test nodes", "R2", "Spearman");
    for (int i = 0; i < e->rows; i++) {
        const wgdn_probe_result *r = &e->row[i].probe;
        fprintf(to, "%-26s  %7.3f +- %6.3f  %7.3f +- %6.3f\n", e->row[i].name, r->r2.mean,
                r->r2.deviation, r->spearman.mean, r->spearman.deviation);
    }
    fputs("\nstandardized embeddings; penalty with the least validation error\n"
          "R2: 1 is exact, 0 no better than the mean; Spearman: rank correlation\n"
          "+- is the standard deviation over splits, not over trained models\n",
          to);
}

static void print_probe(FILE *to, const evaluation *e)
{
    column list[COLUMNS_MAX];
    if (e->row[0].probe.numeric) {
        print_numeric(to, e);
        return;
    }
    list_columns(list, e);
    print_setting(to, e);
    int gap = fprintf(to, "%-26s", "test, %") - 26;
    for (int k = 0; k < COLUMNS_MAX; k++) {
        if (!list[k].there) continue;
        fprintf(to, "%*s  %s", gap, "", list[k].heading);
        gap = 15 - (int)strlen(list[k].heading);
    }
    fputc('\n', to);
    for (int i = 0; i < e->rows; i++) {
        fprintf(to, "%-26s", e->row[i].name);
        for (int k = 0; k < COLUMNS_MAX; k++)
            if (list[k].there) print_spread(to, spread_in(&list[k], &e->row[i].probe));
        fputc('\n', to);
    }
    if (e->options.classifier == WGDN_CLASSIFIER_ADAM)
        print_adam_notes(to, e);
    else
        print_logistic_notes(to, e);
}

/* ---- other tasks ---- */

static void print_cluster(FILE *to, const evaluation *e)
{
    fprintf(to, "k-means, %lld clusters, %d restarts, seed %llu\n\n",
            (long long)e->row[0].cluster.clusters, e->row[0].cluster.restarts,
            (unsigned long long)e->options.seed);
    fprintf(to, "%-26s  %6s  %6s  %-15s  %s\n", "clusters and classes, %", "NMI", "ARI",
            "NMI, restarts", "ARI, restarts");
    for (int i = 0; i < e->rows; i++) {
        const wgdn_cluster_result *r = &e->row[i].cluster;
        fprintf(to, "%-26s  %6.2f  %6.2f", e->row[i].name, 100 * r->nmi, 100 * r->ari);
        print_spread(to, r->nmi_spread);
        print_spread(to, r->ari_spread);
        fputc('\n', to);
    }
    fprintf(to, "\nNMI and ARI of the restart with the lowest inertia, %s\n",
            e->options.metric == WGDN_SIMILARITY_COSINE ? "normalized embeddings"
                                                        : "embeddings as they are");
}

static void print_links(FILE *to, const evaluation *e)
{
    const wgdn_links_result *first = &e->row[0].links;
    fprintf(to, "%lld test edges, as many pairs without an edge", (long long)first->test_edges);
    if (first->right)
        fprintf(to, " from their left ends to the %lld nodes of the right side",
                (long long)first->right);
    fprintf(to, ", %s, seed %llu\n\n",
            e->options.metric == WGDN_SIMILARITY_COSINE ? "cosine" : "dot product",
            (unsigned long long)e->options.seed);
    fprintf(to, "%-26s  %6s  %17s\n", "test edges, %", "AUC", "average precision");
    for (int i = 0; i < e->rows; i++)
        fprintf(to, "%-26s  %6.2f  %17.2f\n", e->row[i].name, 100 * e->row[i].links.auc,
                100 * e->row[i].links.average_precision);
    fputs("\nmodel and baselines do not see the test edges\n", to);
    if (first->right)
        fputs("bipartite graph: Adamic-Adar and resource allocation are summed over paths of three "
              "edges\n",
              to);
}

/* The accuracy of an SVM, or that there is none. */
static void print_svm(FILE *to, int there, wgdn_spread s)
{
    if (there)
        print_spread(to, s);
    else
        fprintf(to, "  %-15s", "not run");
}

static void print_graphs(FILE *to, const evaluation *e)
{
    const wgdn_svm_result *first = &e->row[0].svm;
    const int64_t graphs = wgdn_dataset_nodes(e->graphs);
    if (first->rows < graphs) fprintf(to, "%lld of ", (long long)first->rows);
    fprintf(to, "%lld graphs, %lld classes, %d stratified folds, seed %llu\n\n", (long long)graphs,
            (long long)first->classes, first->folds, (unsigned long long)e->options.seed);
    fprintf(to, "%-26s  %-15s  %s\n", "test accuracy, %", "RBF SVM", "linear SVM");
    for (int i = 0; i < e->rows; i++) {
        const wgdn_svm_result *r = &e->row[i].svm;
        fprintf(to, "%-26s", e->row[i].name);
        print_svm(to, r->has_rbf, r->rbf);
        print_svm(to, r->has_linear, r->linear);
        fputc('\n', to);
    }
    fputs("\nC of 0.001 to 10 selected by five-fold cross-validation within the training folds\n"
          "+- is the standard deviation over folds, not over trained models\n",
          to);
}

void eval_print(FILE *to, const evaluation *e)
{
    switch (e->task) {
    case TASK_RECOMMEND:
    case TASK_QUALITY:
    case TASK_AUTO: break;
    case TASK_GRAPH: print_graphs(to, e); break;
    case TASK_PROBE: print_probe(to, e); break;
    case TASK_CLUSTER: print_cluster(to, e); break;
    case TASK_LINKS: print_links(to, e); break;
    }
    if (*e->conclusion) fprintf(to, "\n%s\n", e->conclusion);
}

const char *task_name(task t)
{
    static const char *const name[] = {"auto",  "probe",   "cluster",  "links",
                                       "graph", "quality", "recommend"};
    return name[t];
}

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

/* Both protocols of Adam are listed under their names, too. */
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
    put_known(j, "knn", r->neighbors);
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
    case TASK_RECOMMEND:
    case TASK_QUALITY:
    case TASK_AUTO: break;
    }
    json_put_close(j, '}');
}

/* The fold of every graph, so that another program can repeat the evaluation. */
static void put_folds(json *j, const evaluation *e)
{
    const int64_t n = wgdn_dataset_nodes(e->graphs);
    json_put_integer(j, "graphs", n);
    json_put_integer(j, "labeled", e->row[0].svm.rows);
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
        if (p->neighbor_splits) json_put_integer(j, "knn_splits", p->neighbor_splits);
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
    case TASK_RECOMMEND:
    case TASK_QUALITY:
    case TASK_AUTO: break;
    }
}

void eval_print_json(FILE *to, const evaluation *e)
{
    json j = json_begin(to);
    json_put_text(&j, "task", task_name(e->task));
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
    json_end(&j);
}
