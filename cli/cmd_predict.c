/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn predict`: it fits the closed form and a predictor, or loads both, prints how good the
 * predictions are, and writes them. The library does the work.
 */
#include "cmd_embed.h"
#include "files.h"
#include "terminal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct prediction {
    wgdn_dataset *d;
    wgdn_model *m;
    wgdn_embedding *e;
    wgdn_predictor *p;
    wgdn_predict_report report;
    float *values;
    int64_t written; /* rows */
    const char *path, *format;
    bool all, loaded;
} prediction;

static void close_prediction(prediction *x)
{
    free(x->values);
    wgdn_predictor_free(x->p);
    wgdn_embedding_free(x->e);
    wgdn_model_free(x->m);
    wgdn_dataset_free(x->d);
}

/* ---- the report ---- */

enum { METHODS = sizeof((wgdn_predict_report *)0)->method_score / sizeof(double), NAME = 64 };

/* The word of the option `method`. */
static const char *name_method(char to[NAME], wgdn_predict_method method)
{
    wgdn_predict_options o;
    wgdn_predict_options_init(&o);
    o.method = method;
    return wgdn_options_get(to, NAME, WGDN_OPTIONS_KIND_PREDICT, &o, "method", NULL) ? "" : to;
}

static void name_class(char *to, const wgdn_predictor *p, int64_t c)
{
    size_t size = 0;
    const char *word = wgdn_predictor_get_class_name(&size, p, c);
    to[0] = '\0';
    if (word) show_cut(to, NAME, word, size);
}

static void print_methods(FILE *to, const wgdn_predict_report *r)
{
    const char *between = "";
    char name[NAME];
    fprintf(to, "predicted by: %s (", name_method(name, r->method));
    for (int k = 1; k < METHODS; k++) {
        if (isnan(r->method_score[k])) continue;
        fprintf(to, "%s%s %.3f", between, name_method(name, (wgdn_predict_method)k),
                r->method_score[k]);
        between = ", ";
    }
    fputs(")\n", to);
}

static void print_report(FILE *to, const prediction *x)
{
    const wgdn_predict_report *r = &x->report;
    char name[NAME];
    fprintf(to, "%lld-fold cross-validation on %lld labeled nodes", (long long)r->folds,
            (long long)r->labeled);
    if (r->kind == WGDN_PREDICT_KIND_NUMBER) {
        fprintf(to, ", numbers:\n  R2                 %7.3f\n", r->r2);
        fprintf(to, "  error (RMSE)       %7.4g   the mean alone: %.4g\n", r->error, r->baseline);
        print_methods(to, r);
        return;
    }
    fprintf(to, ", %lld %s:\n", (long long)r->classes,
            r->kind == WGDN_PREDICT_KIND_SEVERAL ? "labels, several a node" : "classes");
    if (r->kind == WGDN_PREDICT_KIND_SEVERAL)
        fprintf(to, "  micro-F1           %7.3f   most frequent label: %.3f\n", r->micro_f1,
                r->baseline);
    else
        fprintf(to, "  accuracy           %7.3f   most frequent class: %.3f\n", r->accuracy,
                r->baseline);
    fprintf(to, "  macro-F1           %7.3f\n", r->macro_f1);
    if (r->positive >= 0) {
        name_class(name, x->p, r->positive);
        fprintf(to, "  AUC                %7.3f   of %s, the rarer class\n", r->auc, name);
        fprintf(to, "  average precision  %7.3f\n", r->average_precision);
    }
    fprintf(to, "  calibration error  %7.3f   expected (ECE); log loss %.3f\n", r->ece,
            r->log_loss);
    print_methods(to, r);
}

static void print_json(FILE *to, const prediction *x)
{
    static const char *const kind[] = {"class", "several", "number"};
    const wgdn_predict_report *r = &x->report;
    char name[NAME];
    json j = json_begin(to);
    json_put_text(&j, "kind", kind[r->kind]);
    json_put_integer(&j, "nodes", wgdn_dataset_nodes(x->d));
    json_put_integer(&j, "labeled", r->labeled);
    json_put_integer(&j, "folds", r->folds);
    json_put_text(&j, "method", name_method(name, r->method));
    json_put_open(&j, "methods", '{');
    for (int k = 1; k < METHODS; k++)
        if (!isnan(r->method_score[k]))
            json_put_real(&j, name_method(name, (wgdn_predict_method)k), r->method_score[k]);
    json_put_close(&j, '}');
    json_put_real(&j, "baseline", r->baseline);
    if (r->kind == WGDN_PREDICT_KIND_NUMBER) {
        json_put_real(&j, "r2", r->r2);
        json_put_real(&j, "error", r->error);
    } else {
        json_put_integer(&j, "classes", r->classes);
        if (r->kind == WGDN_PREDICT_KIND_SEVERAL) {
            json_put_real(&j, "micro_f1", r->micro_f1);
            json_put_real(&j, "threshold", r->threshold);
        } else {
            json_put_real(&j, "accuracy", r->accuracy);
        }
        json_put_real(&j, "macro_f1", r->macro_f1);
        json_put_real(&j, "log_loss", r->log_loss);
        json_put_real(&j, "ece", r->ece);
        json_put_real(&j, "temperature", r->temperature);
    }
    if (r->positive >= 0) {
        size_t size = 0;
        const char *word = wgdn_predictor_get_class_name(&size, x->p, r->positive);
        json_put_bytes(&j, "positive", word, size);
        json_put_real(&j, "auc", r->auc);
        json_put_real(&j, "average_precision", r->average_precision);
    }
    if (x->path) {
        json_put_text(&j, "predictions", x->path);
        json_put_integer(&j, "predicted", x->written);
    }
    json_end(&j);
}

/* ---- the work ---- */

/* Says what the labels were taken for, where people may have meant something else. */
static int check_labels(const cli *c, const prediction *x)
{
    const wgdn_dataset_info info = dataset_info(x->d);
    int64_t labeled = 0, several = 0;
    const bool automatic = !c->values.text[command_option(c->command, "label-kind")];
    if (info.classes == 0 && c->values.text[OPT_LABELS]) {
        complain("%s has no label for any node of %s; each line needs an id and a label",
                 c->values.text[OPT_LABELS], input_name(c->operand[0]));
        return BAD_INPUT;
    }
    if (info.classes == 0) {
        complain("%s has no labels; --labels FILE adds them: id and label on a line",
                 input_name(c->operand[0]));
        return USAGE;
    }
    if (info.numeric_labels && automatic)
        remark(c,
               "the labels are %lld different numbers, so numbers are predicted; --label-kind "
               "class treats them as classes",
               (long long)info.classes);
    for (int64_t i = 0; i < info.nodes; i++) {
        labeled += wgdn_dataset_label(x->d, i) >= 0;
        several += info.label_offset && info.label_offset[i + 1] - info.label_offset[i] > 1;
    }
    if (several > 0)
        remark(c,
               "%lld of %lld labeled nodes have more than one label, so several labels are "
               "predicted for a node; if a node has one, remove the others from the file",
               (long long)several, (long long)labeled);
    return DONE;
}

static int learn(prediction *x, const cli *c)
{
    wgdn_predict_options o;
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    wgdn_predict_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_PREDICT, &o);
    o.threads = option_threads(&c->values);
    progress_start(&bar, "learning", "regressions", option_on(&c->values, OPT_QUIET));
    o.progress = progress_watch;
    o.progress_user = &bar;
    const wgdn_status st = wgdn_predictor_fit(&x->p, x->e, x->d, &o, &err);
    progress_end(&bar);
    return complain_status(st, &err);
}

static int save(const prediction *x, const char *path)
{
    wgdn_error err = {WGDN_OK, ""};
    interrupt_hold();
    const wgdn_status st = wgdn_predictor_save(x->p, x->m, path, &err);
    interrupt_release();
    return complain_status(st, &err);
}

static int write_at(const char *path, void *user)
{
    const prediction *x = user;
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(
        wgdn_predictor_write(x->p, x->values, x->d, path, x->format, x->all, &err), &err);
}

static int write_predictions(prediction *x, const cli *c)
{
    const int64_t nodes = wgdn_dataset_nodes(x->d);
    const int64_t columns = x->report.kind == WGDN_PREDICT_KIND_NUMBER ? 1 : x->report.classes;
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_compute_options_init(&o);
    o.threads = option_threads(&c->values);
    x->values = calloc((size_t)nodes, (size_t)columns * sizeof *x->values);
    if (!x->values) {
        complain("out of memory for predictions of %lld nodes", (long long)nodes);
        return DOES_NOT_FIT;
    }
    const int code =
        complain_status(wgdn_predictor_apply(x->values, NULL, x->p, x->e, x->d, &o, &err), &err);
    if (code != DONE) return code;
    for (int64_t i = 0; i < nodes; i++)
        x->written += x->all || wgdn_dataset_label(x->d, i) < 0;
    if (x->written == 0)
        remark(c, "every node has a label, so there is nothing to predict; --all writes all nodes");
    return deliver_file(x->path, write_at, x);
}

/* Options of learning, where nothing is learned. */
static int check_loaded(const cli *c)
{
    for (int i = 0; i < option_count(); i++) {
        const option_id id = option_at(i);
        const option *o = option_get(id);
        if (!c->values.text[id] ||
            (o->kind != WGDN_OPTIONS_KIND_FIT && o->kind != WGDN_OPTIONS_KIND_PREDICT))
            continue;
        complain("--%s has no effect with a saved predictor; leave one of them out", o->row.name);
        return USAGE;
    }
    return DONE;
}

static int load(prediction *x, cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    int code = check_loaded(c);
    if (code == DONE && c->values.text[OPT_SAVE]) {
        complain("--save has no effect with a saved predictor; leave one of them out");
        code = USAGE;
    }
    if (code != DONE) return code;
    const wgdn_status st = wgdn_predictor_load(&x->p, &x->m, c->operand[0], &err);
    return st ? complain_status(st, &err) : dataset_encode(c, x->m);
}

static int settle_output(prediction *x, const cli *c)
{
    x->path = c->values.text[OPT_OUTPUT_TABLE];
    x->all = option_on(&c->values, OPT_ALL_NODES);
    if (!x->path && x->loaded) {
        complain("a saved predictor needs -o TABLE: the file to write predictions to");
        return USAGE;
    }
    return table_settle(&x->format, c, x->path);
}

static int prepare(prediction *x, cli *c, char features[FITTING_PATH])
{
    wgdn_fit_options o;
    int code = DONE;
    if (x->loaded) {
        code = load(x, c);
        if (code == DONE) code = dataset_read(&x->d, c, c->operand[1]);
        if (code == DONE)
            code = vectors_embed(&x->e, x->m, x->d, WGDN_TASK_NODE, WGDN_POOL_AUTO,
                                 option_threads(&c->values));
        return code;
    }
    code = fitting_settings(&o, c, features);
    if (code == DONE) code = dataset_read(&x->d, c, c->operand[0]);
    if (code == DONE) code = check_labels(c, x);
    o.task = WGDN_TASK_NODE;
    if (code == DONE) code = fitting_embed(&x->e, &x->m, c, x->d, &o);
    if (code == DONE) code = learn(x, c);
    return code;
}

static int run_predict(cli *c)
{
    prediction x = {.loaded = c->operands > 1 && is_model(c->operand[0])};
    char features[FITTING_PATH];
    int code = settle_output(&x, c);
    if (code == DONE) code = prepare(&x, c, features);
    if (code == DONE) {
        wgdn_predict_report_init(&x.report);
        wgdn_predictor_describe(&x.report, x.p);
        if (c->values.text[OPT_SAVE]) code = save(&x, c->values.text[OPT_SAVE]);
    }
    if (code == DONE && x.path) code = write_predictions(&x, c);
    if (code == DONE && option_on(&c->values, OPT_JSON))
        print_json(c->out, &x);
    else if (code == DONE && !x.loaded)
        print_report(x.path && strcmp(x.path, "-") == 0 ? stderr : c->out, &x);
    if (code == DONE && x.path && strcmp(x.path, "-") != 0)
        remark(c, "wrote predictions of %lld node%s to %s", (long long)x.written,
               x.written == 1 ? "" : "s", x.path);
    close_prediction(&x);
    return code;
}

const command cmd_predict = {
    .name = "predict",
    .operands = "[PREDICTOR] DATA...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES "|model"}, {.files = DATA_FILES}},
    .summary = "predict the labels of nodes that have none",
    .text =
        "Learn from the nodes of DATA that have a label, in DATA or in --labels, and predict all "
        "others: the class with calibrated probabilities, several labels where nodes have several, "
        "or the value where labels are numbers. First the quality is printed as cross-validation "
        "on the labeled nodes estimates it, beside that of the most frequent class. The same folds "
        "choose what predictions are made from: the vectors of 'wgdn embed', labels of neighbors, "
        "or both.\n\n"
        "-o TABLE has a row for each node without a label: id, label, probability, and the "
        "probability of every class. --save MODEL keeps the predictor together with the model of "
        "its vectors; with this file in front of DATA it predicts other data, new nodes included, "
        "without learning again.",
    .example = "wgdn predict edges.csv --labels labels.csv -o predictions.csv\n"
               "wgdn predict edges.csv --features nodes.csv --labels fraud.csv --balance\n"
               "wgdn predict edges.csv --labels labels.csv --save known.model\n"
               "wgdn predict known.model grown.csv -o predictions.csv",
    .topics = TOPICS("Limits", "Prediction"),
    .fits = FIRST("dim", "scale", "binarize", "refine"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_FIT_FEATURES, OPT_ALL_NODES,
                     OPT_OUTPUT_TABLE, OPT_SAVE, OPT_JSON),
    .first = FIRST("output", "labels", "features", "label-kind", "method", "folds", "balance",
                   "save", "all", "json", "threads"),
    .run = run_predict,
};
