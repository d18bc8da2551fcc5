/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn embed` and `wgdn fit`, which share the closed form. It also prints --explain
 * for training runs; wgdn_model_fit() and wgdn_model_embed() do the work.
 */
#define _DEFAULT_SOURCE
#include "cmd_embed.h"
#include "cmd_convert.h"
#include "files.h"
#include "ranks_report.h"
#include "terminal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list without 'structure'; false when it does not fit. *found: it was there. */
static bool remove_structure(char path[FITTING_PATH], const char *list, bool *found)
{
    static const char word[] = "structure";
    size_t used = 0;
    path[0] = '\0';
    *found = false;
    for (const char *at = list; *at;) {
        const size_t size = strcspn(at, ",");
        if (size == sizeof word - 1 && memcmp(at, word, size) == 0)
            *found = true;
        else
            used += (size_t)snprintf(path + used, FITTING_PATH - used, "%s%.*s", used ? "," : "",
                                     (int)size, at);
        if (used >= FITTING_PATH) return false;
        at += size + (at[size] == ',');
    }
    return true;
}

static int settle_features(wgdn_fit_options *o, cli *c, char path[FITTING_PATH])
{
    const int which = command_option(c->command, "features");
    const char **said = &c->values.text[which];
    bool structure = false;
    if (!*said) return DONE;
    if (!remove_structure(path, *said, &structure)) {
        complain("--features: the names of the files are longer than %d bytes", FITTING_PATH - 1);
        return USAGE;
    }
    if (!structure) return DONE;
    o->features = *path ? WGDN_FIT_FEATURES_BOTH : WGDN_FIT_FEATURES_STRUCTURE;
    *said = *path ? path : "structure";
    if (!*path && !option_is_word(&c->values, (option_id)which))
        *said = NULL; /* not a word of this option */
    return DONE;
}

int fitting_settings(wgdn_fit_options *o, cli *c, char path[FITTING_PATH])
{
    wgdn_fit_options_init(o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_FIT, o);
    o->threads = option_threads(&c->values);
    if (o->refine && o->scale >= 0) {
        complain("--refine needs the scale that wgdn chooses; leave --scale out");
        return USAGE;
    }
    return settle_features(o, c, path);
}

/* A bar of 1 to 24 characters. */
static const char *bar(double share)
{
    static const char full[] = "########################";
    return full + 24 - (size_t)fmin(fmax(24 * share + 0.5, 1), 24);
}

void fitting_explain(FILE *to, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    const wgdn_model_info info = model_info(m);
    int64_t all = 0;
    if (wgdn_model_describe_fit(&r, m, NULL)) return;
    if (r.scales) {
        fputs(
            "how well neighbors alone predict a node's features, by how far they reach:\n  scale ",
            to);
        for (int t = 0; t < r.scales; t++)
            fprintf(to, "%8g", r.scale[t]);
        fputs("\n  cosine", to);
        for (int t = 0; t < r.scales; t++)
            fprintf(to, "%8.3f", r.agreement[t]);
        fputc('\n', to);
    }
    for (int i = 0; i < r.parts; i++)
        all += r.part[i].dim;
    fputs("vectors are made of:\n", to);
    for (int i = 0; i < r.parts; i++) {
        const wgdn_fit_part *p = &r.part[i];
        char scale[32] = "";
        if (p->scale > 0) snprintf(scale, sizeof scale, ", scale %.2g", p->scale);
        fprintf(to, "  %-30s %4lld columns%-12s %s\n", p->name, (long long)p->dim, scale,
                bar((double)p->dim / (double)all));
    }
    if (all != info.dim) fprintf(to, "reduced together to %lld columns\n", (long long)info.dim);
    if (r.refined[0] > 0)
        fprintf(to,
                "refined in %d epochs, until views of the graph agree better: loss %.4g, then "
                "%.4g\n",
                info.fit->refine, r.refined[0], r.refined[1]);
}

void fitting_json(json *j, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (wgdn_model_describe_fit(&r, m, NULL)) return;
    json_put_open(j, "parts", '[');
    for (int i = 0; i < r.parts; i++) {
        json_put_open(j, NULL, '{');
        json_put_text(j, "name", r.part[i].name);
        json_put_integer(j, "dim", r.part[i].dim);
        json_put_real(j, "scale", r.part[i].scale);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    json_put_open(j, "scales", '[');
    for (int t = 0; t < r.scales; t++) {
        json_put_open(j, NULL, '{');
        json_put_real(j, "scale", r.scale[t]);
        json_put_real(j, "agreement", r.agreement[t]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    if (r.refined[0] <= 0) return;
    json_put_open(j, "refined", '[');
    json_put_real(j, NULL, r.refined[0]);
    json_put_real(j, NULL, r.refined[1]);
    json_put_close(j, ']');
}

static void print_remarks(const cli *c, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (wgdn_model_describe_fit(&r, m, NULL)) return;
    for (int64_t i = 0; i < r.remarks; i++) {
        const bool columns = strcmp(r.remark[i].what, "fewer-columns") == 0;
        if (columns && command_option(c->command, "pad") < 0) continue; /* nobody sees columns */
        remark(c, "%s", r.remark[i].text);
    }
}

/* Fits with a progress bar and prints --explain. Returns an exit code. */
static int fitting_run(wgdn_model **m, const cli *c, const wgdn_dataset *d,
                       const wgdn_fit_options *o)
{
    wgdn_fit_options with = *o;
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    effects_fit(c, o, d);
    progress_start(&bar, "fitting", "parts", option_on(&c->values, OPT_QUIET) || !is_root(c));
    with.progress = progress_watch;
    with.progress_user = &bar;
    const wgdn_status st = wgdn_model_fit(m, d, &with, &err);
    progress_end(&bar);
    const int code = shared_code(c, complain_status(st, &err));
    if (code != DONE) return code;
    print_remarks(c, *m);
    if (option_on(&c->values, OPT_EXPLAIN_FIT) && is_root(c)) fitting_explain(stderr, *m);
    return DONE;
}

int fitting_embed(wgdn_embedding **e, wgdn_model **m, const cli *c, const wgdn_dataset *d,
                  const wgdn_fit_options *o)
{
    wgdn_fit_options with = *o;
    with.keep = 1;
    const int code = fitting_run(m, c, d, &with);
    return code == DONE ? vectors_embed(e, *m, d, o->task, WGDN_POOL_AUTO, o->threads) : code;
}

/* Implements `wgdn embed [MODEL] DATA -o VECTORS`. */

static const char *format_of(const cli *c, const char *path)
{
    const char *said = option_text(&c->values, OPT_EMBED_TO);
    return strcmp(said, "auto") == 0 ? format_by_suffix(path, wgdn_embedding_get_format) : said;
}

/* Whether graphs get vectors, not nodes. */
static bool wants_graphs(const cli *c, const wgdn_model *m, const wgdn_dataset *d)
{
    const int said = option_choice(&c->values, OPT_EMBED_TASK);
    const wgdn_model_info info = model_info(m);
    const wgdn_task own = info.train ? info.train->task : info.fit->task;
    const wgdn_task task = said ? (wgdn_task)said : own;
    return task ? task == WGDN_TASK_GRAPH : wgdn_dataset_graphs(d) > 1;
}

static void report(const cli *c, const char *path, const wgdn_embedding *e, bool graphs)
{
    const int64_t rows = wgdn_embedding_rows(e), dim = wgdn_embedding_dim(e);
    if (!option_on(&c->values, OPT_JSON)) {
        if (strcmp(path, "-") != 0)
            remark(c, "wrote vectors of %lld %s%s, %lld column%s, to %s", (long long)rows,
                   graphs ? "graph" : "node", rows == 1 ? "" : "s", (long long)dim,
                   dim == 1 ? "" : "s", path);
        return;
    }
    json j = json_begin(c->out);
    json_put_text(&j, "vectors", path);
    json_put_integer(&j, graphs ? "graphs" : "nodes", rows);
    json_put_integer(&j, "dim", dim);
    if (wgdn_embedding_zeros(e)) json_put_integer(&j, "zeros", wgdn_embedding_zeros(e));
    json_end(&j);
}

static void remark_zeros(const cli *c, const wgdn_embedding *e, bool graphs)
{
    const int64_t zeros = wgdn_embedding_zeros(e), rows = wgdn_embedding_rows(e);
    if (zeros == 0) return;
    remark(c, "%lld of %lld vectors are all zeros: these %s", (long long)zeros, (long long)rows,
           graphs ? "graphs do not differ from the average"
                  : "nodes have no edges and no features that the model knows");
}

/* Refuses vectors that are all zeros: the model was made for other nodes. */
static int check_known(const cli *c, const wgdn_embedding *e, bool graphs)
{
    const int64_t rows = wgdn_embedding_rows(e);
    if (!c->encoding || graphs || rows == 0 || wgdn_embedding_zeros(e) < rows) return DONE;
    complain("%s knows none of the %lld nodes of %s, nor a neighbor of theirs, nor features; name "
             "the graph that it was made for, or fit a model to this one",
             c->operand[0], (long long)rows, c->operand[1]);
    return BAD_INPUT;
}

static int embed_data(const cli *c, const wgdn_model *m, const wgdn_dataset *d, const char *path,
                      const char *format)
{
    const bool graphs = wants_graphs(c, m, d);
    const wgdn_pool pool =
        c->values.text[OPT_POOL] ? (wgdn_pool)option_choice(&c->values, OPT_POOL) : WGDN_POOL_AUTO;
    const char *align = c->values.text[OPT_ALIGN];
    wgdn_embedding *e = NULL, *old = NULL;
    wgdn_embed_options o;
    effects_embed(c, graphs);
    wgdn_embed_options_init(&o);
    o.task = graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE;
    o.pool = pool;
    o.threads = option_threads(&c->values);
    int code = ranks_code(c, align ? vectors_wanted(&old, align) : DONE);
    o.align = old;
    if (strcmp(format, "npy") == 0 && strcmp(path, "-") != 0 &&
        !option_on(&c->values, OPT_NO_HEADER))
        o.path = path; /* written as it is made, where memory is short */
    o.numbers = (wgdn_numbers)option_choice(&c->values, OPT_NUMBERS);
    if (code == DONE) code = vectors_embed_with(&e, m, d, &o);
    if (code == DONE) code = check_known(c, e, graphs);
    if (code == DONE && is_root(c) && !o.path) code = vectors_write(c, e, path, format);
    code = ranks_code(c, code);
    if (code == DONE) remark_zeros(c, e, graphs);
    if (code == DONE) report(c, path, e, graphs);
    wgdn_embedding_free(old);
    wgdn_embedding_free(e);
    return code;
}

/* Refuses options that only a fit uses, if a model is given. */
static int without_effect(const cli *c, const wgdn_fit_options *o)
{
    for (int i = 0; i < option_count(); i++)
        if (c->values.text[option_at(i)] &&
            option_get(option_at(i))->kind == WGDN_OPTIONS_KIND_FIT) {
            complain(
                "--%s has no effect with a MODEL, which was made before; leave one of them out",
                option_get(option_at(i))->row.name);
            return USAGE;
        }
    if (o->features != WGDN_FIT_FEATURES_AUTO) {
        complain("--features ...structure has no effect with a MODEL, which was made before");
        return USAGE;
    }
    if (!option_on(&c->values, OPT_EXPLAIN_FIT)) return DONE;
    complain("--explain has no effect with a MODEL; 'wgdn info MODEL' describes it");
    return USAGE;
}

static int load(wgdn_model **m, cli *c, const wgdn_fit_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    const int code = without_effect(c, o);
    if (code != DONE) return code;
    const wgdn_status st = wgdn_model_load(m, c->operand[0], &err);
    return st ? complain_status(st, &err) : dataset_encode(c, *m);
}

/* Whether the first of several operands is a model, or else an edge list like those behind it. */
static bool begins_with_model(const cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    if (c->operands < 2 || is_model(c->operand[0])) return c->operands > 1;
    const wgdn_status st = wgdn_model_load(&m, c->operand[0], &err);
    wgdn_model_free(m);
    return !st || !(strstr(err.message, "looks like text") || strstr(err.message, "is packed"));
}

static int check_output(const char *path, const char *format)
{
    if (!path) {
        complain("'wgdn embed' needs -o VECTORS: the file to write the embeddings to");
        return USAGE;
    }
    if (!format) {
        char suffixes[128];
        formats_suffixes(suffixes, sizeof suffixes, wgdn_embedding_get_format);
        complain("%s: cannot infer the format from the file name; end it with %s, or add --to",
                 path, suffixes);
        return USAGE;
    }
    return DONE;
}

static int run_embed(cli *c)
{
    const char *path = c->values.text[OPT_OUTPUT_VECTORS];
    const char *format = path ? format_of(c, path) : NULL;
    char features[FITTING_PATH], folder[FITTING_PATH];
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_dataset *d = NULL;
    const bool model = begins_with_model(c);
    int code = check_output(path, format);
    if (code == DONE && format) code = vectors_check_numbers(c, format);
    if (code == DONE) code = fitting_settings(&o, c, features);
    if (code == DONE && model) code = load(&m, c, &o);
    code = ranks_code(c, code);
    if (code != DONE || !path || !format) { /* the latter are a complaint, which analyzers miss */
        wgdn_model_free(m);
        return code;
    }
    if (strcmp(path, "-") != 0) dataset_scratch(c, path, folder, sizeof folder);
    code = dataset_read(&d, c, c->operand[model]);
    if (code == DONE && !m) {
        const int said = option_choice(&c->values, OPT_EMBED_TASK);
        o.task = (wgdn_task)said;
        o.keep = 1;
        code = fitting_run(&m, c, d, &o);
    }
    if (code == DONE) code = embed_data(c, m, d, path, format);
    wgdn_dataset_free(d);
    wgdn_model_free(m);
    return code;
}

const command cmd_embed = {
    .name = "embed",
    .operands = "[MODEL] DATA...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES "|model"}, {.files = DATA_FILES}},
    .summary = "compute embeddings of nodes or graphs, with or without a model",
    .text = "Write an embedding of each node of DATA, or of each graph of a set of graphs. Without "
            "a MODEL the closed form is fitted to DATA first, as 'wgdn fit' does: seconds, no "
            "training, no labels. With a MODEL, fitted or trained, embeddings are in its space: "
            "DATA is the graph that it was made from, the same with more nodes, or another one "
            "with the same features.\n\n"
            "Ids are kept in every format that can hold them: "
            ".npz, .safetensors, .tsv, .csv, and .w2v for word2vec text; .npy holds the numbers "
            "only. TSV and CSV begin with a row of column names, id, v0, v1, ..., unless "
            "--no-header is given.",
    .example = "wgdn embed cora.npz -o vectors.npz\n"
               "wgdn embed cora.model cora.npz -o vectors.npz\n"
               "wgdn embed edges.model edges.tsv -o - --to tsv\n"
               "wgdn embed PROTEINS.zip -o graphs.npz\n"
               "wgdn embed proteins.model PROTEINS.zip --pool max -o graphs.npz",
    .topics = TOPICS("Limits", "Embedding", "Fit"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_FIT_FEATURES, OPT_SPLITS,
                     OPT_RANK_TIMEOUT, OPT_EXPLAIN_FIT, OPT_EMBED_TO, OPT_NO_HEADER, OPT_NUMBERS,
                     OPT_OUTPUT_VECTORS, OPT_JSON),
    .first =
        FIRST("output", "to", "features", "dim", "format", "task", "explain", "json", "threads"),
    .ranks = true,
    .run = run_embed,
};

/* Implements `wgdn fit DATA -o MODEL`. */

static void print_fit(const cli *c, const char *path, const wgdn_model *m, const rank_report *ranks)
{
    const wgdn_model_info info = model_info(m);
    if (option_on(&c->values, OPT_JSON)) {
        json j = json_begin(c->out);
        json_put_text(&j, "model", path);
        json_put_integer(&j, "dim", info.dim);
        fitting_json(&j, m);
        rank_report_json(&j, ranks, c);
        json_end(&j);
    } else if (!option_on(&c->values, OPT_QUIET) && isatty(STDERR_FILENO)) {
        fprintf(stderr, "%lld columns; the model is in %s\n", (long long)info.dim, path);
    }
}

/* All ranks call it; the root rank prints. */
static void report_fit(const cli *c, const char *path, const wgdn_model *m)
{
    wgdn_fit_report f = {.struct_size = sizeof f};
    if (wgdn_model_describe_fit(&f, m, NULL)) return;
    const rank_report ranks = rank_report_collect(c, f.halo_bytes, f.sum_bytes);
    if (is_root(c)) print_fit(c, path, m, &ranks);
    rank_report_free(&ranks);
}

static int run_fit(cli *c)
{
    const char *path = c->values.text[OPT_OUTPUT_MODEL];
    char features[FITTING_PATH], folder[FITTING_PATH];
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    int code = fitting_settings(&o, c, features);
    if (code == DONE && (!path || strcmp(path, "-") == 0)) {
        complain("'wgdn fit' needs -o MODEL: the file to write the model to");
        code = USAGE;
    }
    code = ranks_code(c, code);
    if (code == DONE) dataset_scratch(c, path, folder, sizeof folder);
    if (code == DONE) code = dataset_read(&d, c, c->operand[0]);
    if (code == DONE) code = fitting_run(&m, c, d, &o);
    if (code == DONE && is_root(c)) {
        interrupt_hold();
        const wgdn_status st = wgdn_model_save(m, path, &err);
        interrupt_release();
        if (st) code = complain_status(st, &err);
    }
    code = ranks_code(c, code);
    if (code == DONE) report_fit(c, path, m);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return code;
}

const command cmd_fit = {
    .name = "fit",
    .operands = "DATA...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES}},
    .summary = "fit the closed form to a graph: a model in seconds, without training",
    .text =
        "Fit the closed form to DATA, without labels and without training, and write it to the "
        "file that -o names. Features are filtered by the graph and reduced to --dim columns; the "
        "scale of the filter is the one at which a node's neighbors predict its features best. "
        "Where there are no features, or where neighbors tell little of them, the graph's "
        "structure makes vectors: leading eigenvectors and factorized transition "
        "probabilities.\n\n"
        "A set of graphs gets a vector for each graph, unless --task node is given: random cosines "
        "of what is seen within three hops of a node, its features, degree and clustering "
        "coefficient, are summed up over nodes and reduced to --dim columns.\n\n"
        "'wgdn embed' takes the model as it takes a trained one. 'wgdn embed DATA' by itself fits "
        "and embeds in one go; a model is for data that comes later.",
    .example = "wgdn fit cora.npz -o cora.model\n"
               "wgdn fit edges.tsv --features nodes.csv,structure --dim 128 -o edges.model\n"
               "wgdn fit cora.npz --explain -o cora.model\n"
               "wgdn fit PROTEINS.zip -o proteins.model",
    .topics = TOPICS("Limits", "Fit", "Graph fits"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_FIT_FEATURES, OPT_SPLITS,
                     OPT_RANK_TIMEOUT, OPT_EXPLAIN_FIT, OPT_OUTPUT_MODEL, OPT_JSON),
    .first = FIRST("output", "features", "dim", "scale", "explain", "seed", "json", "threads"),
    .ranks = true,
    .run = run_fit,
};

enum { LIST_MAX = 32 };

static int explain(wgdn_explanation *e, wgdn_optimization *list, const wgdn_dataset *d,
                   const wgdn_train_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    *e = (wgdn_explanation){.struct_size = sizeof *e, .list = list, .room = LIST_MAX};
    return complain_status(wgdn_train_explain(e, d, o, &err), &err);
}

int explain_text(FILE *to, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_optimization list[LIST_MAX];
    wgdn_explanation e;
    const int code = explain(&e, list, d, o);
    if (code != DONE) return code;
    fprintf(to, "%-48s  used  10^9 with   without\n", "optimization");
    for (int i = 0; i < e.count && i < e.room; i++) {
        const wgdn_optimization *s = &list[i];
        fprintf(to, "%-48s  %-4s  %9.3g %9.3g  %s\n", s->name, s->used ? "yes" : "no",
                s->with * 1e-9, s->without * 1e-9, s->unit);
    }
    fprintf(to,
            "one epoch: %.3g x 10^9 operations in dense products, %.3g x 10^9 in sparse products, "
            "which move %.3g GB\n",
            e.dense * 1e-9, e.sparse * 1e-9, e.bytes * 1e-9);
    if (o->precision == WGDN_PRECISION_BF16)
        fprintf(to,
                "dense products: factors rounded to bf16 (%s), sums in fp32; "
                "rows gathered from neighbors: bf16, sums in fp32\n",
                machine_info().bf16);
    return DONE;
}

int explain_json(json *j, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_optimization list[LIST_MAX];
    wgdn_explanation e;
    const int code = explain(&e, list, d, o);
    if (code != DONE) return code;
    json_put_open(j, "optimizations", '[');
    for (int i = 0; i < e.count && i < e.room; i++) {
        const wgdn_optimization *s = &list[i];
        json_put_open(j, NULL, '{');
        json_put_text(j, "name", s->name);
        json_put_text(j, "unit", s->unit);
        json_put_bool(j, "used", s->used);
        json_put_real(j, "with", s->with);
        json_put_real(j, "without", s->without);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    json_put_real(j, "dense_operations", e.dense);
    json_put_real(j, "sparse_operations", e.sparse);
    json_put_real(j, "sparse_bytes", e.bytes);
    if (o->precision == WGDN_PRECISION_BF16) json_put_text(j, "bf16", machine_info().bf16);
    return DONE;
}
