/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn estimate`, which prints the memory and time of the closed form or of
 * recommendations and the memory of training before anything runs. wgdn_fit_estimate(),
 * wgdn_recommend_estimate() and wgdn_train_estimate() compute the numbers.
 */
#include "cli.h"
#include "cmd_embed.h"
#include "files.h"
#include "ranks_report.h"
#include "terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is estimated. */
typedef struct subject {
    wgdn_dataset *dataset;
    wgdn_train_options train;
    wgdn_fit_options fit;
    double reading; /* seconds that it took just now */
} subject;

static int ranks_asked(const cli *c)
{
    return atoi(option_text(&c->values, OPT_RANKS));
}

/* What each rank needs, to be freed; NULL after a complaint. */
static wgdn_train_needs *ask_ranks(const wgdn_dataset *d, const wgdn_train_options *o, int ranks)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_train_needs *r = calloc((size_t)ranks, sizeof *r);
    wgdn_status st = r ? WGDN_OK : WGDN_ENOMEM;
    for (int k = 0; k < ranks && !st; k++) {
        r[k].struct_size = sizeof *r;
        st = wgdn_train_estimate(&r[k], d, o, k, ranks, &err);
    }
    if (!st) return r;
    (void)complain_status(st, &err);
    free(r);
    return NULL;
}

static void print_ranks(cli *c, const wgdn_train_needs *r, int ranks)
{
    fprintf(c->out, "\n%6s %12s %14s %12s %10s %12s %12s\n", "rank", "nodes", "edge ends", "halo",
            "memory", "halo sent", "sums sent");
    for (int k = 0; k < ranks; k++) {
        char memory[32], halo[32], sums[32];
        show_bytes(memory, sizeof memory, r[k].total);
        show_bytes(halo, sizeof halo, r[k].halo_bytes);
        show_bytes(sums, sizeof sums, r[k].sum_bytes);
        fprintf(c->out, "%6d %12lld %14lld %12lld %10s %12s %12s\n", k, (long long)r[k].rows,
                (long long)r[k].entries, (long long)r[k].halo_rows, memory, halo, sums);
    }
    fprintf(c->out, "bytes sent in one epoch\n");
}

static void put_ranks(json *j, const wgdn_train_needs *r, int ranks)
{
    json_put_open(j, "ranks", '[');
    for (int k = 0; k < ranks; k++) {
        json_put_open(j, NULL, '{');
        json_put_integer(j, "nodes", r[k].rows);
        json_put_integer(j, "entries", r[k].entries);
        json_put_integer(j, "halo_nodes", r[k].halo_rows);
        json_put_integer(j, "sent_nodes", r[k].sent_rows);
        json_put_integer(j, "total_bytes", r[k].total);
        json_put_integer(j, "halo_bytes_sent", r[k].halo_bytes);
        json_put_integer(j, "sum_bytes_sent", r[k].sum_bytes);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

/* Of the closed form; of graphs only training is estimated. False, or why it is not. */
static bool ask_fit(wgdn_fit_needs *f, wgdn_error *why, const subject *s)
{
    if (wgdn_dataset_graphs(s->dataset) > 1) return false;
    *f = (wgdn_fit_needs){.struct_size = sizeof *f};
    if (wgdn_fit_estimate(f, s->dataset, &s->fit, why) != WGDN_OK) return false;
    f->seconds += s->reading;
    return true;
}

static int print_fit(cli *c, const subject *s)
{
    wgdn_fit_needs f;
    wgdn_error why = {WGDN_OK, ""};
    char text[32];
    if (!ask_fit(&f, &why, s)) {
        if (!why.message[0]) return DONE;
        fprintf(c->out, "the closed form does not fit: %s\n", why.message);
        return DOES_NOT_FIT;
    }
    show_bytes(text, sizeof text, f.total);
    fprintf(c->out, "the closed form ('wgdn fit', 'wgdn embed %s')\n", c->operand[0]);
    fprintf(c->out, "%-10s %10s  peak of the process\n", "memory", text);
    if (f.slab) {
        show_bytes(text, sizeof text, f.disk);
        fprintf(c->out,
                "%-10s %10s  in the scratch folder: %lld columns at a time fit into memory\n",
                "disk", text, (long long)f.slab);
    }
    fprintf(c->out, "%-10s %8.1f s  by reading, products and passes, measured now\n", "time",
            f.seconds);
    return DONE;
}

static int put_fit(json *j, const subject *s)
{
    wgdn_fit_needs f;
    wgdn_error why = {WGDN_OK, ""};
    if (!ask_fit(&f, &why, s)) {
        if (!why.message[0]) return DONE;
        json_put_text(j, "fit_error", why.message);
        return DOES_NOT_FIT;
    }
    json_put_integer(j, "fit_bytes", f.total);
    json_put_real(j, "fit_seconds", f.seconds);
    json_put_integer(j, "fit_slab", f.slab);
    json_put_integer(j, "fit_disk", f.disk);
    return DONE;
}

static int print_json(cli *c, const subject *s, const wgdn_train_needs *e, const wgdn_machine *m,
                      const wgdn_train_needs *ranks)
{
    json j = json_begin(c->out);
    int code = DONE;
    json_put_text(&j, "path", c->operand[0]);
    (void)put_fit(&j, s);
    json_put_integer(&j, "dataset_bytes", e->dataset);
    json_put_integer(&j, "feature_bytes", e->features);
    json_put_integer(&j, "model_bytes", e->model);
    json_put_integer(&j, "workspace_bytes", e->workspace);
    json_put_integer(&j, "total_bytes", e->total);
    json_put_integer(&j, "available_bytes", m->memory_available);
    json_put_text(&j, "available_limit", m->memory_limit);
    if (ranks) put_ranks(&j, ranks, ranks_asked(c));
    if (option_on(&c->values, OPT_EXPLAIN)) code = explain_json(&j, s->dataset, &s->train);
    json_end(&j);
    return code;
}

static int print_text(cli *c, const subject *s, const wgdn_train_needs *e, const wgdn_machine *m,
                      const wgdn_train_needs *ranks)
{
    const struct {
        const char *what, *why;
        int64_t bytes;
    } row[] = {
        {"dataset", "graph and features as read", e->dataset},
        {"features", "filtered or structural features, computed once", e->features},
        {"model", "parameters, gradient and the moments of Adam", e->model},
        {"workspace", "activations of one step", e->workspace},
        {"total", "peak of the process", e->total},
        {"available", "free memory before training", m->memory_available},
    };
    (void)print_fit(c, s);
    if (wgdn_dataset_graphs(s->dataset) < 2) fputs("\ntraining ('wgdn train')\n", c->out);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[32];
        show_bytes(text, sizeof text, row[i].bytes);
        fprintf(c->out, "%-10s %10s  %s\n", row[i].what, text, row[i].why);
    }
    fprintf(c->out, "%-10s %10s  %s\n", "limit", "", m->memory_limit);
    if (ranks) print_ranks(c, ranks, ranks_asked(c));
    return option_on(&c->values, OPT_EXPLAIN) ? explain_text(c->out, s->dataset, &s->train) : DONE;
}

static int estimate_fit(cli *c, const subject *s)
{
    if (!option_on(&c->values, OPT_JSON)) return print_fit(c, s);
    json j = json_begin(c->out);
    json_put_text(&j, "path", c->operand[0]);
    const int code = put_fit(&j, s);
    json_end(&j);
    return code;
}

static int estimate_all(cli *c, const subject *s, int asked)
{
    wgdn_train_needs e, *ranks = NULL;
    int code = DONE;
    if (asked > 1) {
        ranks = ask_ranks(s->dataset, &s->train, asked);
        if (!ranks) code = USAGE;
    }
    const int fits = settings_fit(&e, c, s->dataset, &s->train);
    const wgdn_machine m = machine_info();
    if (code == DONE && e.total > 0) {
        const bool machine = option_on(&c->values, OPT_JSON);
        code = (machine ? print_json : print_text)(c, s, &e, &m, ranks);
    }
    if (code == DONE && !ranks) code = fits;
    free(ranks);
    return code;
}

/* Options of both; --features may have 'structure' for the closed form. */
static int read_settings(subject *s, cli *c, char path[FITTING_PATH])
{
    const int dim = command_option(c->command, "dim");
    int code = fitting_settings(&s->fit, c, path);
    if (code == DONE) code = settings_read(&s->train, c);
    if (dim >= 0 && c->values.text[dim]) s->fit.dim = s->train.dim;
    s->fit.threads = s->train.threads;
    return code;
}

/* ---- recommenders ---- */

static void put_lists(cli *c, const wgdn_recommend_needs *n)
{
    json j = json_begin(c->out);
    json_put_text(&j, "path", c->operand[0]);
    json_put_integer(&j, "recommend_bytes", n->total);
    json_put_real(&j, "recommend_seconds", n->seconds);
    json_put_integer(&j, "recommend_columns", n->columns);
    json_put_integer(&j, "recommend_threads", n->threads);
    json_end(&j);
}

static void print_lists(cli *c, const wgdn_recommend_needs *n)
{
    char text[32];
    show_bytes(text, sizeof text, n->total);
    fprintf(c->out, "lists for all users ('wgdn recommend %s')\n", c->operand[0]);
    fprintf(c->out, "%-10s %10s  peak of the process\n", "memory", text);
    fprintf(c->out, "%-10s %10lld  of the low-pass part, at most\n", "columns",
            (long long)n->columns);
    fprintf(c->out, "%-10s %10d  that list with matrices of their own\n", "threads", n->threads);
    fprintf(c->out, "%-10s %8.1f s  roughly, by products measured now\n", "time", n->seconds);
}

static int estimate_lists(cli *c)
{
    wgdn_dataset *d = NULL;
    wgdn_recommend_options o;
    wgdn_recommend_needs n;
    wgdn_error err = {WGDN_OK, ""};
    const double start = seconds_now();
    wgdn_recommend_options_init(&o);
    wgdn_recommend_needs_init(&n);
    options_apply(&c->values, WGDN_OPTIONS_KIND_RECOMMEND, &o);
    o.threads = option_threads(&c->values);
    c->sides = true;
    int code = dataset_read(&d, c, c->operand[0]);
    const double reading = seconds_now() - start;
    if (code == DONE) code = complain_status(wgdn_recommend_estimate(&n, d, &o, &err), &err);
    wgdn_dataset_free(d);
    if (code != DONE) return code;
    n.seconds += reading;
    if (n.total < peak_bytes()) n.total = peak_bytes(); /* reading took more */
    (option_on(&c->values, OPT_JSON) ? put_lists : print_lists)(c, &n);
    return DONE;
}

static int estimate(cli *c)
{
    const int asked = ranks_asked(c);
    subject s = {0};
    char folder[8], path[FITTING_PATH];
    if (strcmp(option_text(&c->values, OPT_ESTIMATE_METHOD), "recommend") == 0) {
        dataset_scratch(c, "./lists", folder, sizeof folder);
        return estimate_lists(c);
    }
    int code = read_settings(&s, c, path);
    if (code == DONE && asked < 1) {
        complain("--ranks %d: expected at least 1", asked);
        code = USAGE;
    }
    if (code == DONE) dataset_scratch(c, "./vectors", folder, sizeof folder);
    const double start = seconds_now();
    if (code == DONE) code = dataset_read(&s.dataset, c, c->operand[0]);
    s.reading = seconds_now() - start;
    if (code != DONE) return code;
    effects_estimate(c, &s.train, &s.fit, s.dataset);
    /* With --memory it is about the closed form alone: training has no such limit. */
    const bool alone = c->values.text[OPT_MEMORY] && wgdn_dataset_graphs(s.dataset) < 2;
    code = alone ? estimate_fit(c, &s) : estimate_all(c, &s, asked);
    wgdn_dataset_free(s.dataset);
    return code;
}

const command cmd_estimate = {
    .name = "estimate",
    .operands = "DATA...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES}},
    .summary = "estimate memory and time of the closed form and of lists, and memory of training",
    .text = "Read DATA and print the peak memory and the time of the closed form, and the peak "
            "memory of training with the same options, beside what is available. The exit code is "
            "4 if training does not fit. With --memory it is about the closed form alone, and the "
            "exit code is 4 if not even one column at a time fits. --features also takes "
            "'structure', as 'wgdn embed' does, for the closed form.\n\n"
            "With --method recommend it is about 'wgdn recommend' and lists for all users. The "
            "exit code is 4 if they do not fit into --memory. The time is rough: which score is "
            "chosen is not known in advance, so the slowest one is assumed.",
    .example = "wgdn estimate cora.npz --preset cora\n"
               "wgdn estimate edges.tsv --features structure --memory 2G\n"
               "wgdn estimate purchases.csv --method recommend --memory 2G",
    .topics = TOPICS("Features", "Limits", "Settings", "Model", "Graph filters", "Training",
                     "Graph sets"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_SPLITS, OPT_RANKS,
                     OPT_ESTIMATE_METHOD, OPT_EXPLAIN, OPT_OUTPUT, OPT_JSON),
    .fits = FIRST("scale", "refine", "sample", "columns", "ridge-items", "values"),
    .first = FIRST("preset", "config", "features", "dim", "layers", "batch-size", "workspace",
                   "ranks", "method", "explain", "json", "output", "threads"),
    .run = estimate,
};
