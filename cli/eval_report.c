/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations as a table and as JSON. */
#include "eval.h"
#include "json.h"

#include <stdlib.h>

static const char *const task_names[] = {"auto", "probe", "cluster", "links", "graph"};
static const char *const source_names[] = {"auto", "dataset", "paper", "stratified"};

/* ---- for people ---- */

static void print_spread(FILE *to, wgdn_spread s)
{
    fprintf(to, "  %6.2f +- %5.2f", 100 * s.mean, 100 * s.deviation);
}

static void print_probe(FILE *to, const evaluation *e)
{
    static const char *const source[] = {"", "of the dataset", "permutations of the paper",
                                         "stratified folds"};
    const wgdn_probe_result *first = &e->row[0].probe;
    fprintf(to, "%lld training nodes, %lld validation nodes, %lld test nodes\n",
            (long long)first->train, (long long)first->val, (long long)first->test);
    fprintf(to, "%d linear probe%s, %d split%s (%s), seed %llu\n\n", first->runs,
            first->runs == 1 ? "" : "s", first->splits, first->splits == 1 ? "" : "s",
            source[first->source], (unsigned long long)e->options.seed);
    fprintf(to, "%-26s  %-15s  %s\n", "test, %", "accuracy",
            e->test_selected ? "macro-F1         test-selected *" : "macro-F1");
    for (int i = 0; i < e->rows; i++) {
        const wgdn_probe_result *r = &e->row[i].probe;
        fprintf(to, "%-26s", e->row[i].name);
        print_spread(to, r->validation_selected);
        print_spread(to, r->f1);
        if (e->test_selected) print_spread(to, r->test_selected);
        fputc('\n', to);
    }
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
            e->options.metric == WGDN_SIMILARITY_COSINE ? "normalised embeddings"
                                                        : "embeddings as they are");
}

static void print_links(FILE *to, const evaluation *e)
{
    fprintf(to, "%lld test edges, as many pairs without an edge, %s, seed %llu\n\n",
            (long long)e->row[0].links.held,
            e->options.metric == WGDN_SIMILARITY_COSINE ? "cosine" : "dot product",
            (unsigned long long)e->options.seed);
    fprintf(to, "%-26s  %6s  %17s\n", "test edges, %", "AUC", "average precision");
    for (int i = 0; i < e->rows; i++)
        fprintf(to, "%-26s  %6.2f  %17.2f\n", e->row[i].name, 100 * e->row[i].links.auc,
                100 * e->row[i].links.average_precision);
    fputs("\nmodel and baselines do not see the test edges\n", to);
}

/* The accuracy of an SVM, or a word on why there is none. */
static void print_svm(FILE *to, int there, wgdn_spread s)
{
    if (there)
        print_spread(to, s);
    else
        fprintf(to, "  %-15s", "not built in");
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
    case TASK_AUTO: break;
    case TASK_GRAPH: print_graphs(to, e); break;
    case TASK_PROBE: print_probe(to, e); break;
    case TASK_CLUSTER: print_cluster(to, e); break;
    case TASK_LINKS: print_links(to, e); break;
    }
}

/* ---- JSON ---- */

/* Two columns, as a table would have them. */
static void put_spread(json *j, const char *key, wgdn_spread s)
{
    char name[64];
    snprintf(name, sizeof name, "%s_mean", key);
    json_put_real(j, name, s.mean);
    snprintf(name, sizeof name, "%s_std", key);
    json_put_real(j, name, s.deviation);
}

static void put_row(json *j, const evaluation *e, const eval_row *r)
{
    json_put_open(j, NULL, '{');
    json_put_text(j, "name", r->name);
    switch (e->task) {
    case TASK_PROBE:
        put_spread(j, "validation_selected", r->probe.validation_selected);
        put_spread(j, "test_selected", r->probe.test_selected);
        put_spread(j, "macro_f1", r->probe.f1);
        break;
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
    case TASK_AUTO: break;
    }
    json_put_close(j, '}');
}

/* The fold of every graph, so that others can be asked the same. */
static void put_folds(json *j, const evaluation *e)
{
    const int64_t n = wgdn_dataset_nodes(e->graphs);
    int32_t *fold = malloc((size_t)n * sizeof *fold);
    json_put_integer(j, "graphs", n);
    json_put_integer(j, "labelled", e->row[0].svm.rows);
    json_put_integer(j, "classes", e->row[0].svm.classes);
    json_put_integer(j, "folds", e->row[0].svm.folds);
    if (fold && wgdn_svm_folds(fold, e->graphs, &e->options, NULL) == WGDN_OK) {
        json_put_open(j, "fold", '[');
        for (int64_t i = 0; i < n; i++)
            json_put_integer(j, NULL, fold[i]);
        json_put_close(j, ']');
    }
    free(fold);
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
        break;
    case TASK_CLUSTER:
        json_put_integer(j, "clusters", e->row[0].cluster.clusters);
        json_put_integer(j, "restarts", e->row[0].cluster.restarts);
        break;
    case TASK_LINKS: json_put_integer(j, "test_edges", e->row[0].links.held); break;
    case TASK_GRAPH: put_folds(j, e); break;
    case TASK_AUTO: break;
    }
}

void eval_print_json(FILE *to, const evaluation *e)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "task", task_names[e->task]);
    json_put_text(&j, "vectors", e->vectors);
    json_put_text(&j, "data", e->data);
    json_put_integer(&j, "dim", e->dim);
    json_put_integer(&j, "seed", (int64_t)e->options.seed);
    put_setting(&j, e);
    json_put_open(&j, "results", '[');
    for (int i = 0; i < e->rows; i++)
        put_row(&j, e, &e->row[i]);
    json_put_close(&j, ']');
    json_put_close(&j, '}');
    fputc('\n', to);
}
