/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn eval`: it evaluates vectors or a model on a downstream task, or without labels
 * by their stability. The library computes the scores and the baselines; eval_report.c prints
 * them.
 */
#include "cli.h"
#include "cmd_compare.h"
#include "cmd_recommend.h"
#include "eval_report.h"
#include "files.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct quality {
    int64_t k;            /* neighbors of a node */
    double seeds, halves; /* fraction of them that is kept with another seed, with other edges */
    double auc;           /* of edges that were held out */
    double rank;          /* directions that count */
    double likeness;      /* mean cosine of two nodes */
} quality;

/*
 * Writes one sentence on a table: the best row, the difference to it in units of the standard
 * error, and advice if the best row is a baseline.
 *
 *     several splits:  s / sqrt(r),  s the standard deviation of the r differences split by split;
 *     one split:       sqrt((p (1 - p) + q (1 - q)) / test nodes),  p and q the two scores;
 *     folds of SVMs:   sqrt((s_p^2 + s_q^2) / r)
 */

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

/* Advice if a baseline is better than the vectors. */
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

static void eval_conclude(evaluation *e)
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

/*
 * Measures the quality of vectors without labels: whether they stay the same with another seed and
 * with other edges, whether they predict held-out edges, and how many of their dimensions are used.
 */

enum { NEIGHBORS = 10 };

/* Makes a model of other data in the way of another one: fitted, or trained with the options o. */
static wgdn_status model_again(wgdn_model **m, const wgdn_model *as, const wgdn_train_options *o,
                               uint64_t seed, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_model_info info = model_info(as);
    if (info.fit) {
        wgdn_fit_options fit = *info.fit;
        fit.seed = seed;
        fit.threads = o->threads;
        fit.keep = 1;
        return wgdn_model_fit(m, d, &fit, err);
    }
    wgdn_train_options train = *o;
    train.seed = seed;
    return wgdn_model_train(m, d, &train, NULL, err);
}

/* Everything that vectors are made again by. */
typedef struct makers {
    const wgdn_model *m;
    const wgdn_train_options *o;
    const wgdn_eval_options *e;
} makers;

static int make(wgdn_embedding **x, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *again = NULL;
    const wgdn_status st = model_again(&again, a->m, a->o, seed, d, &err);
    const int code = st ? complain_status(st, &err)
                        : vectors_embed(x, again, d, WGDN_TASK_NODE, WGDN_POOL_AUTO, a->o->threads);
    wgdn_model_free(again);
    return code;
}

/* The data without a part of its edges. */
static int hold_out(wgdn_links **l, const makers *a, const wgdn_dataset *d, double part,
                    uint64_t seed)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_eval_options e = *a->e;
    e.test_edge_fraction = part;
    e.seed = seed;
    return complain_status(wgdn_links_from_dataset(l, d, &e, &err), &err);
}

/* Of two seeds: neighbors kept, and what the vectors themselves are like. */
static int compare_seeds(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    comparison p = {.k = NEIGHBORS, .threads = a->o->threads};
    int code = make(&p.before.e, a, d, seed);
    if (code == DONE) code = make(&p.after.e, a, d, seed + 1);
    if (code == DONE) code = comparison_make(&p);
    q->k = p.k;
    q->seeds = p.kept;
    q->rank = p.before.rank;
    q->likeness = p.before.likeness;
    comparison_free(&p);
    return code;
}

/* Of two halves of the edges, drawn by themselves. */
static int compare_halves(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    comparison p = {.k = NEIGHBORS, .threads = a->o->threads};
    wgdn_links *half[2] = {NULL, NULL};
    int code = hold_out(&half[0], a, d, 0.5, seed);
    if (code == DONE) code = hold_out(&half[1], a, d, 0.5, seed + 1);
    if (code == DONE) code = make(&p.before.e, a, wgdn_links_get_dataset(half[0]), seed);
    if (code == DONE) code = make(&p.after.e, a, wgdn_links_get_dataset(half[1]), seed);
    if (code == DONE) code = comparison_make(&p);
    q->halves = p.kept;
    comparison_free(&p);
    for (int i = 0; i < 2; i++)
        wgdn_links_free(half[i]);
    return code;
}

static int score_edges(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    wgdn_links_result r = {.struct_size = sizeof r};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_links *l = NULL;
    wgdn_embedding *x = NULL;
    int code = hold_out(&l, a, d, a->e->test_edge_fraction, seed);
    if (code == DONE) code = make(&x, a, wgdn_links_get_dataset(l), seed);
    if (code == DONE) {
        const wgdn_status st = wgdn_links_score(&r, l, x, a->e, &err);
        if (st) code = complain_status(st, &err);
    }
    q->auc = r.auc;
    wgdn_embedding_free(x);
    wgdn_links_free(l);
    return code;
}

/* Returns an exit code after printing what failed. */
static int quality_measure(quality *q, const wgdn_model *m, const wgdn_train_options *o,
                           const wgdn_dataset *d, const wgdn_eval_options *e)
{
    const makers a = {m, o, e};
    int code = compare_seeds(q, &a, d, e->seed);
    if (code == DONE) code = compare_halves(q, &a, d, e->seed);
    return code == DONE ? score_edges(q, &a, d, e->seed) : code;
}

static void quality_print(FILE *to, const quality *q, int64_t dim)
{
    fprintf(to, "%-48s %6.1f of %lld\n", "nearest neighbors kept with another seed",
            q->seeds * (double)q->k, (long long)q->k);
    fprintf(to, "%-48s %6.1f of %lld\n", "nearest neighbors kept with other half the edges",
            q->halves * (double)q->k, (long long)q->k);
    fprintf(to, "%-48s %6.4f\n", "AUC of held-out edges", q->auc);
    fprintf(to, "%-48s %6.1f of %lld\n", "effective dimensions", q->rank, (long long)dim);
    fprintf(to, "%-48s %6.3f\n", "mean cosine of two random nodes", q->likeness);
}

static void quality_print_json(FILE *to, const quality *q, int64_t dim)
{
    json j = json_begin(to);
    json_put_text(&j, "task", "quality");
    json_put_integer(&j, "dim", dim);
    json_put_integer(&j, "neighbors", q->k);
    json_put_real(&j, "kept_with_another_seed", q->seeds);
    json_put_real(&j, "kept_with_other_edges", q->halves);
    json_put_real(&j, "held_out_auc", q->auc);
    json_put_real(&j, "effective_rank", q->rank);
    json_put_real(&j, "mean_cosine", q->likeness);
    json_end(&j);
}

/* What is evaluated, and with what kernel and features the baselines are made. */
typedef struct subject {
    wgdn_model *model; /* NULL: the vectors came from a file */
    wgdn_embedding *x;
    wgdn_train_options options;
} subject;

/* Whether models are made again, of fewer edges. */
static bool makes_again(task t)
{
    return t == TASK_LINKS || t == TASK_QUALITY;
}

/* The options of the baselines are those of the model; for vectors, those of preset and configuration. */
static int open_subject(subject *s, const cli *c, const wgdn_dataset *d, evaluation *e)
{
    const task what = e->task;
    const char *path = c->operand[0];
    int code = settings_read(&s->options, c);
    const int threads = s->options.threads;
    if (code != DONE || s->x) return code;
    if (wgdn_model_load(&s->model, path, NULL) == WGDN_OK) {
        const wgdn_model_info info = model_info(s->model);
        if (info.train) s->options = *info.train;
        e->trained = info.train != NULL;
        s->options.threads = threads;
        if (c->values.text[OPT_POOL])
            s->options.pool = (wgdn_pool)option_choice(&c->values, OPT_POOL);
        if (makes_again(what)) return DONE;
        const bool pools = info.train || c->values.text[OPT_POOL];
        return vectors_embed(&s->x, s->model, d,
                             what == TASK_GRAPH ? WGDN_TASK_GRAPH : WGDN_TASK_NODE,
                             pools ? s->options.pool : WGDN_POOL_AUTO, threads);
    }
    if (c->values.text[OPT_POOL]) s->options.pool = (wgdn_pool)option_choice(&c->values, OPT_POOL);
    if (!makes_again(what)) return vectors_wanted(&s->x, path);
    complain("%s is not a model; --task %s needs one, to make it again without some of the edges",
             path, task_name(what));
    return BAD_INPUT;
}

static void close_subject(subject *s)
{
    wgdn_embedding_free(s->x);
    wgdn_model_free(s->model);
}

/* A new row, and from now on a bar that names it; NULL without memory. */
static eval_row *add_row(evaluation *e, const char *name)
{
    eval_row *r = &e->row[e->rows];
    double *each = calloc((size_t)e->options.runs, sizeof *each);
    if (!each) {
        complain("out of memory for %d runs", e->options.runs);
        return NULL;
    }
    e->rows++;
    progress_end(&e->bar);
    progress_start(&e->bar, name, e->task == TASK_PROBE ? "probes" : "restarts", e->quiet);
    e->options.progress = progress_watch;
    e->options.progress_user = &e->bar;
    *r = (eval_row){.name = name,
                    .probe = {.struct_size = sizeof r->probe, .each = each},
                    .cluster = {.struct_size = sizeof r->cluster},
                    .links = {.struct_size = sizeof r->links},
                    .svm = {.struct_size = sizeof r->svm, .fold = e->fold}};
    return r;
}

static wgdn_status judge(eval_row *r, const evaluation *e, const wgdn_dataset *d,
                         const wgdn_links *l, const wgdn_embedding *x, wgdn_error *err)
{
    switch (e->task) {
    case TASK_PROBE: return wgdn_embedding_probe(&r->probe, x, d, &e->options, err);
    case TASK_CLUSTER: return wgdn_embedding_cluster(&r->cluster, x, d, &e->options, err);
    case TASK_GRAPH: return wgdn_embedding_classify(&r->svm, x, e->graphs, &e->options, err);
    case TASK_AUTO:
    case TASK_QUALITY:
    case TASK_RECOMMEND:
    case TASK_LINKS: break;
    }
    return wgdn_links_score(&r->links, l, x, &e->options, err);
}

/* Whether a baseline is for this data and this task. */
static bool fits(const evaluation *e, const wgdn_dataset *d, wgdn_baseline b, wgdn_task of)
{
    enum { DENSE_MAX = 4096 }; /* nodes whose adjacency matrix may be filled in */
    if (!wgdn_baseline_fits(b, d, of)) return false;
    if (b == WGDN_BASELINE_DEGREE) return e->task != TASK_LINKS;
    if (b != WGDN_BASELINE_ADJACENCY) return true;
    if (e->task == TASK_PROBE && !e->numeric) return true;
    return e->task != TASK_LINKS && wgdn_dataset_nodes(d) <= DENSE_MAX;
}

/* Scores of pairs by their degrees and common neighbors. */
static int add_link_scores(evaluation *e, const wgdn_links *l)
{
    const char *name;
    for (int k = 0; (name = wgdn_link_score_name((wgdn_link_score)k)) && e->rows < ROWS_MAX; k++) {
        wgdn_error err = {WGDN_OK, ""};
        eval_row *r = add_row(e, name);
        if (!r) return DOES_NOT_FIT;
        const wgdn_status st =
            wgdn_links_score_graph(&r->links, l, (wgdn_link_score)k, &e->options, &err);
        if (st) return complain_status(st, &err);
    }
    return DONE;
}

static int add_baselines(evaluation *e, const subject *s, const wgdn_dataset *d,
                         const wgdn_links *l)
{
    wgdn_train_options o = s->options;
    o.task = e->task == TASK_GRAPH ? WGDN_TASK_GRAPH : WGDN_TASK_NODE;
    for (int b = 0; b <= WGDN_BASELINE_ADJACENCY && e->rows < ROWS_MAX; b++) {
        wgdn_embedding *x = NULL;
        wgdn_error err = {WGDN_OK, ""};
        if (!fits(e, d, (wgdn_baseline)b, o.task)) continue;
        eval_row *r = add_row(e, wgdn_baseline_name((wgdn_baseline)b, o.task));
        if (!r) return DOES_NOT_FIT;
        wgdn_status st = wgdn_embedding_from_baseline(&x, d, (wgdn_baseline)b, &o, &err);
        if (!st) st = judge(r, e, d, l, x, &err);
        wgdn_embedding_free(x);
        if (st) return complain_status(st, &err);
    }
    return e->task == TASK_LINKS ? add_link_scores(e, l) : DONE;
}

static uint64_t seed_of(const subject *s)
{
    const wgdn_model_info info = model_info(s->model);
    return info.fit ? info.fit->seed : s->options.seed;
}

/* The model again, of what is left of the graph; *d becomes that. */
static int hold_links(wgdn_links **l, subject *s, const evaluation *e, const wgdn_dataset **d)
{
    const makers a = {s->model, &s->options, &e->options};
    const int code = hold_out(l, &a, *d, e->options.test_edge_fraction, e->options.seed);
    if (code != DONE) return code;
    *d = wgdn_links_get_dataset(*l);
    return make(&s->x, &a, *d, seed_of(s));
}

static int evaluate(evaluation *e, const cli *c, subject *s, const wgdn_dataset *d)
{
    wgdn_links *l = NULL;
    wgdn_error err = {WGDN_OK, ""};
    int code = e->task == TASK_LINKS ? hold_links(&l, s, e, &d) : DONE;
    if (code == DONE) {
        e->dim = wgdn_embedding_dim(s->x);
        eval_row *r = add_row(e, "vectors");
        const wgdn_status st = r ? judge(r, e, d, l, s->x, &err) : WGDN_ENOMEM;
        if (st) code = r ? complain_status(st, &err) : DOES_NOT_FIT;
    }
    if (code == DONE && option_on(&c->values, OPT_BASELINES)) code = add_baselines(e, s, d, l);
    progress_end(&e->bar);
    wgdn_links_free(l);
    return code;
}

/* Resolves the task `auto`, and makes a dataset whose nodes are the graphs if these are classified. */
static int settle_task(evaluation *e, wgdn_dataset **graphs, const wgdn_dataset *d)
{
    wgdn_error err = {WGDN_OK, ""};
    const bool many = wgdn_dataset_graphs(d) > 1 && dataset_info(d).graph_classes > 0;
    if (e->task == TASK_AUTO) e->task = many ? TASK_GRAPH : TASK_PROBE;
    if (e->task != TASK_GRAPH) return DONE;
    const wgdn_status st = wgdn_dataset_from_graphs(graphs, d, &err);
    if (st) return complain_status(st, &err);
    e->graphs = *graphs;
    e->fold = calloc((size_t)wgdn_dataset_nodes(*graphs), sizeof *e->fold);
    if (e->fold) return DONE;
    complain("out of memory for the folds of %lld graphs", (long long)wgdn_dataset_nodes(*graphs));
    return DOES_NOT_FIT;
}

/* The data is read as the model's was. */
static int encode_alike(cli *c)
{
    wgdn_model *m = NULL;
    if (wgdn_model_load(&m, c->operand[0], NULL)) return DONE;
    const int code = dataset_encode(c, m);
    wgdn_model_free(m);
    return code;
}

/* Without labels, and by a table of its own. */
static int eval_quality(cli *c, const evaluation *e, const subject *s, const wgdn_dataset *d)
{
    quality q = {0};
    const int code = quality_measure(&q, s->model, &s->options, d, &e->options);
    const int64_t dim = model_info(s->model).dim;
    if (code == DONE)
        (option_on(&c->values, OPT_JSON) ? quality_print_json : quality_print)(c->out, &q, dim);
    return code;
}

static int eval_task(cli *c, evaluation *e, subject *s, const wgdn_dataset *d)
{
    const int code = evaluate(e, c, s, d);
    if (code != DONE) return code;
    eval_conclude(e);
    (option_on(&c->values, OPT_JSON) ? eval_print_json : eval_print)(c->out, e);
    return DONE;
}

/* The name of a class, as it is shown. */
static void class_name(char *to, size_t room, const wgdn_dataset *d, int64_t k)
{
    size_t size = 0;
    const char *word = wgdn_dataset_get_class_name(&size, d, k);
    if (word)
        show_cut(to, room, word, size);
    else
        snprintf(to, room, "%lld", (long long)k);
}

/* Decides whether labels are classes or numbers, and reports classes with too few labels. */
static int check_labels(const cli *c, evaluation *e, const wgdn_dataset *d)
{
    enum { LEAST = 3, NAMED = 3, NAME = 40 };
    const wgdn_dataset_info info = dataset_info(d);
    if (e->task != TASK_PROBE && e->task != TASK_CLUSTER) return DONE;
    if (info.classes == 0) {
        complain("%s has no labels, which --task %s needs; --labels FILE adds them",
                 input_name(c->operand[c->operands - 1]), task_name(e->task));
        return USAGE;
    }
    e->numeric = e->options.label_kind == WGDN_LABEL_KIND_NUMBER ||
                 (e->options.label_kind == WGDN_LABEL_KIND_AUTO && info.numeric_labels);
    if (e->numeric && e->options.label_kind == WGDN_LABEL_KIND_AUTO && e->task == TASK_PROBE)
        remark(c,
               "the labels are %lld different numbers, predicted by ridge regression; --label-kind "
               "class treats them as classes",
               (long long)info.classes);
    if (e->numeric || info.label_offset || e->task != TASK_PROBE) return DONE;
    int64_t *count = calloc((size_t)info.classes, sizeof *count), few = 0;
    char names[NAMED * (NAME + 24)] = "";
    for (int64_t i = 0; count && i < info.nodes; i++)
        if (wgdn_dataset_label(d, i) >= 0) count[wgdn_dataset_label(d, i)]++;
    for (int64_t k = 0; count && k < info.classes; k++) {
        char name[NAME];
        if (count[k] == 0 || count[k] >= LEAST || few++ >= NAMED) continue;
        class_name(name, sizeof name, d, k);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s (%lld)", used ? ", " : "", name,
                 (long long)count[k]);
    }
    free(count);
    if (few > 0 && info.classes > 2 && e->options.splits != WGDN_SPLITS_DATASET && !info.splits)
        remark(c, "%lld class%s fewer than %d labels, too few to train, validate and test: %s%s",
               (long long)few, few == 1 ? " has" : "es have", LEAST, names,
               few > NAMED ? ", ..." : "");
    return DONE;
}

/* Reads the data that the vectors belong to, or only the vectors and their labels. */
static int read_data(wgdn_dataset **d, subject *s, cli *c, const evaluation *e)
{
    if (c->operands > 1) {
        const int code = encode_alike(c);
        return code == DONE ? dataset_read(d, c, c->operand[1]) : code;
    }
    if (is_model(c->operand[0])) {
        complain("%s is a model; name the data after it: wgdn eval %s DATA", c->operand[0],
                 c->operand[0]);
        return USAGE;
    }
    if (makes_again(e->task) || e->task == TASK_GRAPH) {
        complain("--task %s needs the graph%s: wgdn eval %s DATA", task_name(e->task),
                 e->task == TASK_GRAPH ? "s" : "", makes_again(e->task) ? "MODEL" : c->operand[0]);
        return USAGE;
    }
    if (!c->values.text[OPT_LABELS]) {
        complain("vectors are evaluated by labels: add --labels FILE, or the data that has them");
        return USAGE;
    }
    return vectors_alone(d, &s->x, c);
}

/* Whether the data alone is given, to rank items or nodes by a recommender. */
static bool ranks_lists(const cli *c, const evaluation *e)
{
    return e->task == TASK_RECOMMEND || (e->task == TASK_LINKS && c->operands == 1 &&
                                         !is_model(c->operand[0]) && !is_vectors(c, c->operand[0]));
}

static int eval(cli *c)
{
    evaluation e = {.task = (task)option_choice(&c->values, OPT_EVAL_TASK),
                    .quiet = option_on(&c->values, OPT_QUIET),
                    .test_selected = option_choice(&c->values, OPT_PROTOCOL) == 1,
                    .vectors = c->operand[0],
                    .data = c->operands > 1 ? c->operand[1] : NULL};
    subject s = {0};
    wgdn_dataset *d = NULL, *graphs = NULL;
    int code = eval_settings_read(&e.options, c);
    if (code == DONE && ranks_lists(c, &e)) {
        effects_eval(c, &e.options, task_name(e.task), NULL);
        return eval_lists(c, e.options.test_edge_fraction, e.options.seed);
    }
    if (code == DONE) code = path_check(c->operand[0]);
    if (code == DONE) code = read_data(&d, &s, c, &e);
    if (code == DONE) code = settle_task(&e, &graphs, d);
    if (code == DONE) code = check_labels(c, &e, d);
    if (code == DONE) effects_eval(c, &e.options, task_name(e.task), d);
    if (code == DONE) code = open_subject(&s, c, d, &e);
    if (code == DONE)
        code = e.task == TASK_QUALITY ? eval_quality(c, &e, &s, d) : eval_task(c, &e, &s, d);
    close_subject(&s);
    for (int i = 0; i < e.rows; i++)
        free(e.row[i].probe.each);
    free(e.fold);
    wgdn_dataset_free(graphs);
    wgdn_dataset_free(d);
    return code;
}

const command cmd_eval = {
    .name = "eval",
    .operands = "VECTORS|MODEL|DATA [DATA]",
    .min_operands = 1,
    .max_operands = 2,
    .operand = {{.files = VECTOR_FILES "|model|mtx|edges"}, {.files = DATA_FILES}},
    .summary = "evaluate embeddings on a downstream task, beside baselines",
    .text =
        "Evaluate embeddings on a downstream task. --task probe predicts the labels of DATA, or of "
        "--labels, by logistic regression on normalized embeddings, C chosen on the validation "
        "nodes: test accuracy (AUC with two classes, micro-F1 with several labels a node), "
        "macro-F1, 5-shot and 5-NN accuracy over splits, beside baselines; --classifier adam is "
        "the paper's probe. Numbers are predicted by ridge regression (R2, Spearman). --task "
        "cluster compares k-means clusters with the classes (NMI, ARI). --task links makes MODEL "
        "again without the test edges and scores them against pairs without an edge, which join "
        "the two sides of a bipartite graph. --task quality needs no labels: neighbors kept with "
        "another seed and with other edges, AUC of held-out edges, effective dimensions. --task "
        "graph classifies graphs by linear and RBF SVMs in cross-validation. --task recommend, and "
        "links without MODEL, measure the lists of 'wgdn recommend' for DATA alone.\n\n"
        "VECTORS are of 'wgdn embed' or of any other program: .npz, .safetensors, .npy, or text "
        "with an id and its numbers on a line. With --labels they need no DATA. A last sentence "
        "says which row is best.",
    .example = "wgdn eval cora.model cora.npz\n"
               "wgdn eval vectors.npz --labels labels.csv\n"
               "wgdn eval train.csv --task recommend --test test.csv\n"
               "wgdn eval proteins.model PROTEINS.zip --preset proteins",
    .topics = TOPICS("Limits", "Settings", "Evaluation"),
    .options = TAKES(READS_DATA, OPT_FEATURES, OPT_POOL, OPT_OUTPUT, OPT_JSON),
    .first = FIRST("task", "labels", "splits", "train-fraction", "runs", "seed", "json"),
    .run = eval,
};
