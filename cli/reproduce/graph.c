/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger of graph sets as graph.md and graph.json, and the SVMs behind a line of it. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wgdn_status baselines(ledger_row *r, const wgdn_dataset *d, const wgdn_train_options *t,
                             const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_svm_result p = {.struct_size = sizeof p};
    wgdn_status st = WGDN_OK;
    for (int b = 0; !st && wgdn_graph_baseline_name(b); b++) {
        st = wgdn_svm_baseline(&p, d, (wgdn_graph_baseline)b, t, o, err);
        if (p.has_rbf) r->baseline[b] = 100 * p.rbf.mean;
    }
    if (!st && p.has_linear) r->baseline[LEDGER_BASELINES - 1] = 100 * p.linear.mean;
    return st;
}

wgdn_status paper_classify(ledger_row *r, const float *x, const wgdn_dataset *d,
                           const paper_run *run, const wgdn_train_options *t,
                           const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_svm_result p = {.struct_size = sizeof p};
    wgdn_dataset *graphs = NULL;
    wgdn_status st = wgdn_dataset_from_graphs(&graphs, d, err);
    if (!st) st = wgdn_svm_vectors(&p, graphs, x, t->dim, o, err);
    wgdn_dataset_free(graphs);
    r->graphs = true;
    r->probes = p.folds;
    r->test_selected = per_cent(p.rbf);
    r->validation_selected = per_cent(p.linear);
    for (int b = 0; b < LEDGER_BASELINES; b++)
        r->baseline[b] = NAN;
    return !st && run->baselines ? baselines(r, d, t, o, err) : st;
}

static void print_config(FILE *to, const paper_set *p, const char *config, const ledger *l)
{
    const bool preset = strcmp(config, "preset") == 0;
    ledger_sum s;
    ledger_sum_up(&s, l, p->name, config);
    fprintf(to, "| %s%s%s | %.2f | %.2f ± %.2f (%.2f) | %+.2f | %.2f ± %.2f (%.2f) |", p->title,
            preset ? "" : ", ", preset ? "" : config, p->published, s.test_selected.mean,
            s.test_selected.deviation, s.test_selected_probes, s.test_selected.mean - p->published,
            s.validation_selected.mean, s.validation_selected.deviation,
            s.validation_selected_probes);
    for (int b = 0; b < LEDGER_BASELINES; b++)
        report_share(to, s.baseline[b]);
    report_taken(to, &s);
}

/* A line for each configuration, in the order of the ledger. */
static void print_set(FILE *to, const paper_set *p, const ledger *l)
{
    for (int i = 0; i < l->rows; i++)
        if (strcmp(l->row[i].set, p->name) == 0 && ledger_first(l, i))
            print_config(to, p, l->row[i].config, l);
}

void report_graphs(FILE *to, const ledger *l)
{
    fputs(
        "# Graph tasks\n\n"
        "Written by `wgdn reproduce graph` from the runs in `graph.csv`, one line each; the last "
        "column is the commit\nof the run. The same command on another machine repeats the runs, "
        "and skips those recorded there.\n\n"
        "Accuracy in % of SVMs on pooled embeddings: ten stratified folds, shuffled by seed 0, C "
        "selected by five-fold\ncross-validation within the training folds; no test label selects "
        "anything. **RBF SVM** is what the paper's\nnumbers were made with, **linear SVM** what "
        "its text says. Means over training seeds ± their standard\ndeviation, with the mean "
        "standard deviation over folds in brackets. Baselines by RBF SVM, Weisfeiler-Lehman\n"
        "subtrees (three iterations) by both. An epoch's time is processor time divided by the "
        "threads; it is empty\nwhere a checkpoint already held the whole run.\n\n"
        "| dataset | paper | RBF SVM | difference | linear SVM | pooled features | random "
        "encoder | subtrees | subtrees, linear SVM | seeds | epoch ms | peak MB | commit |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        to);
    for (int i = 0; paper_graph_set(i); i++)
        print_set(to, paper_graph_set(i), l);
}

static void put_config(json *j, const paper_set *p, const char *config, const ledger *l)
{
    static const char *const baseline[LEDGER_BASELINES] = {"pooled_features", "random_encoder",
                                                           "subtrees", "subtrees_linear_svm"};
    ledger_sum s;
    ledger_sum_up(&s, l, p->name, config);
    json_put_open(j, NULL, '{');
    json_put_text(j, "dataset", p->name);
    json_put_text(j, "config", config);
    json_put_real(j, "paper", p->published);
    report_spread(j, "rbf_svm", s.test_selected, "folds", s.test_selected_probes);
    report_spread(j, "linear_svm", s.validation_selected, "folds", s.validation_selected_probes);
    report_rest(j, &s, baseline);
    json_put_close(j, '}');
}

void report_graphs_json(FILE *to, const ledger *l)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '[');
    for (int i = 0; i < l->rows; i++) {
        const paper_set *p = paper_find_set(l->row[i].set);
        if (p && ledger_first(l, i)) put_config(&j, p, l->row[i].config, l);
    }
    json_put_close(&j, ']');
    fputc('\n', to);
}
