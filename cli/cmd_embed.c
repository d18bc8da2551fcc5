/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn embed [MODEL] DATA -o VECTORS */
#include "dataset.h"
#include "effects.h"
#include "fitting.h"
#include "formats.h"
#include "json.h"
#include "vectors.h"

#include <string.h>

static const char *format_of(const cli *c, const char *path)
{
    const char *said = option_text(&c->values, OPT_EMBED_TO);
    return strcmp(said, "auto") == 0 ? format_by_suffix(path, wgdn_embedding_format) : said;
}

/* Whether graphs get vectors, not nodes. */
static bool wants_graphs(const cli *c, const wgdn_model *m, const wgdn_dataset *d)
{
    const int said = option_choice(&c->values, OPT_EMBED_TASK);
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_get_info(&info, m);
    const wgdn_task own = info.train ? info.train->task : info.fit->task;
    const wgdn_task task = said ? (wgdn_task)said : own;
    return task ? task == WGDN_TASK_GRAPH : wgdn_dataset_graphs(d) > 1;
}

static void report(const cli *c, const char *path, const wgdn_embedding *e, bool graphs)
{
    const int64_t rows = wgdn_embedding_rows(e), dim = wgdn_embedding_dim(e);
    json j = {.to = c->out};
    if (!option_on(&c->values, OPT_JSON)) {
        if (strcmp(path, "-") != 0)
            remark(c, "wrote vectors of %lld %s%s, %lld column%s, to %s", (long long)rows,
                   graphs ? "graph" : "node", rows == 1 ? "" : "s", (long long)dim,
                   dim == 1 ? "" : "s", path);
        return;
    }
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "vectors", path);
    json_put_integer(&j, graphs ? "graphs" : "nodes", rows);
    json_put_integer(&j, "dim", dim);
    if (wgdn_embedding_zeros(e)) json_put_integer(&j, "zeros", wgdn_embedding_zeros(e));
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static void remark_zeros(const cli *c, const wgdn_embedding *e, bool graphs)
{
    const int64_t zeros = wgdn_embedding_zeros(e), rows = wgdn_embedding_rows(e);
    if (zeros == 0) return;
    remark(c, "%lld of %lld vectors are all zeros: these %s", (long long)zeros, (long long)rows,
           graphs ? "graphs do not differ from the average"
                  : "nodes have no edges and no features that the model knows");
}

/* Vectors of zeros alone are no answer of a model: it was made for other nodes. */
static int check_known(const cli *c, const wgdn_embedding *e, bool graphs)
{
    const int64_t rows = wgdn_embedding_rows(e);
    if (c->operands < 2 || graphs || rows == 0 || wgdn_embedding_zeros(e) < rows) return DONE;
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

/* What only a fit listens to, when there is a model already. */
static int without_effect(const cli *c, const wgdn_fit_options *o)
{
    for (int i = 0; i < option_count(); i++)
        if (c->values.text[i] && option_get((option_id)i)->home == HOME_FIT) {
            complain(
                "--%s has no effect with a MODEL, which was made before; leave one of them out",
                option_get((option_id)i)->name);
            return USAGE;
        }
    if (o->features != WGDN_USE_AUTO) {
        complain("--features ...structure has no effect with a MODEL, which was made before");
        return USAGE;
    }
    if (!option_on(&c->values, OPT_EXPLAIN_FIT)) return DONE;
    complain("--explain has no effect with a MODEL; 'wgdn info MODEL' tells what it is made of");
    return USAGE;
}

static int load(wgdn_model **m, cli *c, const wgdn_fit_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    const int code = without_effect(c, o);
    if (code != DONE) return code;
    const wgdn_status st = wgdn_model_load(m, c->operand[0], &err);
    if (!st) return dataset_encode(c, *m);
    const int failed = complain_status(st, &err);
    if (strstr(err.message, "looks like text"))
        complain(
            "of two operands the first is a model; several edge lists are read as one graph by "
            "'cat %s %s | wgdn embed - -o VECTORS', which skips repeated rows of column names",
            c->operand[0], c->operand[1]);
    return failed;
}

static int check_output(const char *path, const char *format)
{
    if (!path) {
        complain("'wgdn embed' needs -o VECTORS: the file to write the embeddings to");
        return USAGE;
    }
    if (!format) {
        char suffixes[128];
        formats_suffixes(suffixes, sizeof suffixes, wgdn_embedding_format);
        complain("%s: the name does not tell the format; end it with %s, or add --to", path,
                 suffixes);
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
    int code = check_output(path, format);
    if (code == DONE && format) code = vectors_check_numbers(c, format);
    if (code == DONE) code = fitting_settings(&o, c, features);
    if (code == DONE) code = c->operands > 1 ? load(&m, c, &o) : DONE;
    code = ranks_code(c, code);
    if (code != DONE || !path || !format) { /* the latter are a complaint, which analysers miss */
        wgdn_model_free(m);
        return code;
    }
    if (strcmp(path, "-") != 0) dataset_scratch(c, path, folder, sizeof folder);
    code = dataset_read(&d, c, c->operand[c->operands - 1]);
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
    .operands = "[MODEL] DATA",
    .min_operands = 1,
    .max_operands = 2,
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
