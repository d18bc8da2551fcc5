/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn reproduce node, graph: the paper's experiments, run by run, and their tables. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"
#include "lock.h"
#include "reproduce/reproduce.h"
#include "reproduce/vector_sets.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is run for --quick, and the validation-selected accuracy below which something is broken. */
static const struct quick {
    const char *set, *options;
    double min;
} quick[] = {
    {"cora", "epochs=40", 79},
    {"citeseer", "epochs=40", 66},
};
enum { QUICK_PROBES = 5 };

typedef struct errand {
    const cli *c;
    char folder[1024], path[1100]; /* of the results, and of their ledger */
    ledger done;
    int seeds;        /* 0: as many as the set has by default */
    const char *sets; /* "cora,photo", or NULL: all */
    const char *data; /* their folder, or NULL: nobody said */
    int runs;         /* that were made */
    bool graphs;      /* of whole graphs, not of nodes */
} errand;

static bool named(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return !list;
}

static int check_sets(const char *list)
{
    char word[32];
    for (const char *at = list; at && *at; at += strspn(at, ",")) {
        guess g = {.word = word};
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        at += strcspn(at, ",");
        if (paper_find_set(word)) continue;
        for (int i = 0; paper_node_set(i); i++)
            guess_offer(&g, paper_node_set(i)->name);
        for (int i = 0; paper_graph_set(i); i++)
            guess_offer(&g, paper_graph_set(i)->name);
        complain(g.best ? "no experiment has a dataset '%s'; did you mean '%s'?"
                        : "no experiment has a dataset '%s'",
                 word, g.best);
        return USAGE;
    }
    return DONE;
}

/* The file of a set, or a word on where it should lie. */
static int check_data(const char *data, const paper_set *s)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", data ? data : ".", s->file);
    if (data && access(path, R_OK) == 0) return DONE;
    if (data)
        complain("%s: %s", path, strerror(errno));
    else
        complain("the folder of the data is not known: give it with --data, or in WGDN_DATA");
    complain("%s is expected as %s below that folder", s->title, s->file);
    return BAD_INPUT;
}

static int do_run(errand *e, const paper_set *s, const char *options, int seed)
{
    const bool quickly = option_on(&e->c->values, OPT_QUICK);
    paper_run run = {.set = s,
                     .data = e->data,
                     .options = options,
                     .seed = seed,
                     .probes = quickly ? QUICK_PROBES : 0};
    wgdn_train_options t;
    wgdn_eval_options o;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = paper_options(&t, &o, run.config, sizeof run.config, s, options, &err);
    if (st) return complain_status(st, &err);
    run.baselines = seed == 1 && (quickly || strcmp(run.config, "preset") == 0);
    if (ledger_find(&e->done, s->name, run.config, seed)) {
        paper_run_tidy(&run, e->c, e->folder);
        return DONE;
    }
    int code = check_data(e->data, s);
    if (code == DONE) code = paper_run_do(&run, e->c, e->folder, e->path);
    if (code != DONE) return code;
    e->runs++;
    ledger_free(&e->done);
    code = ledger_read(&e->done, e->path);
    return code == DONE && !quickly ? report_write(e->folder, &e->done, e->graphs) : code;
}

static int do_seeds(errand *e, const paper_set *s, const char *options, int otherwise)
{
    const int seeds = e->seeds > 0 ? e->seeds : otherwise;
    int code = DONE;
    for (int seed = 1; code == DONE && seed <= seeds; seed++)
        code = do_run(e, s, options, seed);
    return code;
}

static bool asked(const errand *e, const char *study)
{
    const char *which = option_text(&e->c->values, OPT_STUDY);
    return strcmp(which, "all") == 0 || strcmp(which, study) == 0;
}

static int do_study(errand *e, const paper_study *s)
{
    int code = DONE;
    for (int i = 0; s->set[i]; i++) {
        const paper_set *set = paper_find_set(s->set[i]);
        if (!named(e->sets, set->name)) continue;
        for (int k = 0; code == DONE && s->setting[k].name; k++)
            code = do_seeds(e, set, s->setting[k].options, 1);
    }
    return code;
}

static int do_studies(errand *e)
{
    const paper_set *(*const set)(int) = e->graphs ? paper_graph_set : paper_node_set;
    const paper_study *(*const study)(int) = e->graphs ? paper_graph_study : paper_node_study;
    int code = DONE;
    for (int i = 0; code == DONE && asked(e, "main") && set(i); i++)
        if (named(e->sets, set(i)->name)) code = do_seeds(e, set(i), "", set(i)->seeds);
    for (int i = 0; code == DONE && study(i); i++)
        if (asked(e, study(i)->name)) code = do_study(e, study(i));
    return code;
}

/* A broken model falls below a bound, or below what has learnt nothing. */
static int do_quick(errand *e)
{
    int code = DONE;
    for (size_t i = 0; code == DONE && i < sizeof quick / sizeof *quick; i++) {
        const paper_set *s = paper_find_set(quick[i].set);
        ledger_sum sum;
        code = do_run(e, s, quick[i].options, 1);
        if (code != DONE) return code;
        ledger_sum_up(&sum, &e->done, s->name, quick[i].options);
        const double raw = sum.baseline[WGDN_BASELINE_RAW],
                     random = sum.baseline[WGDN_BASELINE_RANDOM];
        const double bound = fmax(quick[i].min, fmax(raw, random));
        fprintf(e->c->out, "%-10s %6.2f %%, raw features %.2f %%, random encoder %.2f %%\n",
                s->title, sum.validation_selected.mean, raw, random);
        if (sum.validation_selected.mean > bound) continue;
        complain("%s: %.2f %% is not above %.2f %%: something is broken", s->title,
                 sum.validation_selected.mean, bound);
        code = FAILED;
    }
    return code;
}

static bool has_graph_study(const errand *e)
{
    bool has = asked(e, "main");
    for (int i = 0; paper_graph_study(i); i++)
        has = has || asked(e, paper_graph_study(i)->name);
    return has;
}

static int open_errand(errand *e, cli *c)
{
    const char *folder = option_text(&c->values, OPT_RESULTS), *seeds = c->values.text[OPT_SEEDS];
    *e = (errand){.c = c,
                  .sets = c->values.text[OPT_SETS],
                  .data = c->values.text[OPT_DATA],
                  .seeds = seeds ? atoi(seeds) : 0};
    if (!e->data) e->data = getenv("WGDN_DATA");
    e->graphs = strcmp(c->operand[0], "graph") == 0;
    if (!e->graphs && strcmp(c->operand[0], "node") != 0) {
        complain("'%s' cannot be reproduced; 'node', 'graph' and 'vectors' can", c->operand[0]);
        return USAGE;
    }
    if (e->graphs && (option_on(&c->values, OPT_QUICK) || !has_graph_study(e))) {
        complain("'wgdn reproduce graph' has --study main and precision only, and no --quick");
        return USAGE;
    }
    const int code = check_sets(e->sets);
    if (code != DONE) return code;
    const bool quick_run = option_on(&c->values, OPT_QUICK);
    snprintf(e->folder, sizeof e->folder, "%s", folder);
    snprintf(e->path, sizeof e->path, "%s/%s%s.csv", e->folder, e->graphs ? "graph" : "node",
             quick_run ? "-quick" : "");
    if (mkdir(e->folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: cannot be created: %s", e->folder, strerror(errno));
        return FAILED;
    }
    return ledger_read(&e->done, e->path);
}

/* The closed form on every set, beside other programs. */
static int reproduce_vectors(cli *c)
{
    const char *said = c->values.text[OPT_DATA], *data = said ? said : getenv("WGDN_DATA");
    const char *folder = option_text(&c->values, OPT_RESULTS);
    if (!data) {
        complain("the folder of the data is not known: give it with --data, or in WGDN_DATA");
        return BAD_INPUT;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: cannot be created: %s", folder, strerror(errno));
        return FAILED;
    }
    char path[1100];
    snprintf(path, sizeof path, "%s/vectors.csv", folder);
    const int code = lock_output(c, path);
    return code == DONE ? vectors_reproduce(data, folder, c->values.text[OPT_SETS]) : code;
}

static int reproduce(cli *c)
{
    errand e;
    if (strcmp(c->operand[0], "vectors") == 0) return reproduce_vectors(c);
    int code = open_errand(&e, c);
    if (code == DONE) code = option_on(&c->values, OPT_QUICK) ? do_quick(&e) : do_studies(&e);
    if (code == DONE && !option_on(&c->values, OPT_QUICK)) {
        code = report_write(e.folder, &e.done, e.graphs);
        fprintf(c->out, "%d runs made, %d in %s\n", e.runs, e.done.rows, e.path);
    }
    ledger_free(&e.done);
    return code;
}

const command cmd_reproduce = {
    .name = "reproduce",
    .operands = "node|graph|vectors",
    .min_operands = 1,
    .max_operands = 1,
    .operand = {{.choices = "node|graph|vectors"}},
    .summary = "repeat the paper's experiments",
    .text = "Train on the paper's datasets with their presets, several seeds each, evaluate the "
            "embeddings by linear probes, both validation-selected and test-selected (as the "
            "paper's code does), and write node.md, node.json and node.csv to the folder of the "
            "results. Every run is a line of node.csv; runs recorded there are not repeated, so "
            "an interrupted command resumes, and several may share a folder. --study selects the "
            "main table or one of the ablations: model parts, kernels, noise scale, dropped edges "
            "and nodes, bf16 products. 'graph' does the same for graph sets, by linear and RBF "
            "SVMs in cross-validation, with the bf16 ablation only, and writes graph.md, "
            "graph.json and graph.csv.\n\n"
            "'vectors' runs the closed form with its defaults on twenty sets, judges it beside the "
            "vectors of other programs that lie in the folder peers of the results "
            "(bench/peers/run makes them), and writes vectors.csv and vectors.md; --sets takes "
            "names as vectors.csv has them.\n\n"
            "--quick makes two short runs and fails when their accuracy is too low.",
    .example = "wgdn reproduce node --data datasets --study main --sets cora\n"
               "wgdn reproduce node --data datasets --quick\n"
               "wgdn reproduce graph --data datasets --sets proteins",
    .topics = TOPICS("Experiments"),
    .options = TAKES(OPT_THREADS, OPT_QUIET),
    .run = reproduce,
};
