/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn embed MODEL DATA -o VECTORS */
#include "cli.h"
#include "dataset.h"
#include "formats.h"
#include "json.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

static const char *format_of(const cli *c, const char *path)
{
    const char *said = option_text(&c->values, OPT_EMBED_TO);
    return strcmp(said, "auto") == 0 ? format_by_suffix(path, wgdn_embedding_format) : said;
}

/* What gets vectors: nodes of the data, or its graphs, which are then nodes of `of`. */
typedef struct subject {
    bool graphs;
    const wgdn_dataset *of;
    wgdn_dataset *made; /* NULL: of is the data itself */
} subject;

static wgdn_status choose(subject *s, const cli *c, const wgdn_model *m, const wgdn_dataset *d,
                          wgdn_error *err)
{
    const int said = option_choice(&c->values, OPT_EMBED_TASK);
    const wgdn_task task = said ? (wgdn_task)said : wgdn_model_get_options(m)->task;
    s->graphs = task ? task == WGDN_TASK_GRAPH : wgdn_dataset_graphs(d) > 1;
    const wgdn_status st = s->graphs ? wgdn_dataset_from_graphs(&s->made, d, err) : WGDN_OK;
    s->of = s->made ? s->made : d;
    return st;
}

static void report(const cli *c, const char *path, const subject *s, int64_t width)
{
    json j = {.to = c->out};
    if (!option_on(&c->values, OPT_JSON)) return;
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "vectors", path);
    json_put_integer(&j, s->graphs ? "graphs" : "nodes", wgdn_dataset_nodes(s->of));
    json_put_integer(&j, "dim", width);
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static int embed(float **x, const cli *c, const subject *s, const wgdn_model *m,
                 const wgdn_dataset *d)
{
    const int threads = option_threads(&c->values);
    if (!s->graphs) return vectors_embed(x, m, d, threads);
    return vectors_embed_graphs(x, m, d,
                                c->values.text[OPT_POOL]
                                    ? (wgdn_pool)option_choice(&c->values, OPT_POOL)
                                    : wgdn_model_get_options(m)->pool,
                                threads);
}

static int write_vectors(const cli *c, const subject *s, const wgdn_model *m, const wgdn_dataset *d,
                         const char *path, const char *format)
{
    const int64_t width = wgdn_model_dim(m);
    wgdn_error err = {WGDN_OK, ""};
    float *x = NULL;
    int code = embed(&x, c, s, m, d);
    if (code == DONE && is_root(c)) {
        const wgdn_status st = wgdn_embedding_write(
            s->of, strcmp(path, "-") == 0 ? "/dev/stdout" : path, format, x, width, &err);
        if (st) code = complain_status(st, &err);
    }
    free(x);
    if (code == DONE) report(c, path, s, width);
    return code;
}

static int embed_data(const cli *c, const wgdn_model *m, const wgdn_dataset *d, const char *path,
                      const char *format)
{
    subject s = {0};
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = choose(&s, c, m, d, &err);
    const int code = st ? complain_status(st, &err) : write_vectors(c, &s, m, d, path, format);
    wgdn_dataset_free(s.made);
    return code;
}

static int run_embed(cli *c)
{
    const char *path = c->values.text[OPT_OUTPUT_VECTORS];
    const char *format = path ? format_of(c, path) : NULL;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    wgdn_dataset *d = NULL;
    int code = DONE;
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
    const wgdn_status st = wgdn_model_load(&m, c->operand[0], &err);
    if (st) return complain_status(st, &err);
    code = dataset_read(&d, c, c->operand[1]);
    if (code == DONE) code = embed_data(c, m, d, path, format);
    wgdn_dataset_free(d);
    wgdn_model_free(m);
    return code;
}

const command cmd_embed = {
    .name = "embed",
    .operands = "MODEL DATA",
    .min_operands = 2,
    .max_operands = 2,
    .operand = {{.files = MODEL_FILES}, {.files = DATA_FILES}},
    .summary = "compute embeddings of nodes or graphs with a model",
    .text = "Write an embedding of each node of DATA, or of each graph where MODEL was trained on "
            "graphs. DATA is the graph that MODEL was trained on, the same with more nodes, or "
            "another one with the same features. Ids are kept in every format that can hold them: "
            ".npz, .safetensors, .tsv, .csv, and .w2v for word2vec text; .npy holds the numbers "
            "only.",
    .example = "wgdn embed cora.model cora.npz -o vectors.npz\n"
               "wgdn embed edges.model edges.tsv -o - --to tsv\n"
               "wgdn embed proteins.model PROTEINS.zip --pool max -o graphs.npz",
    .topics = TOPICS("Limits", "Embedding"),
    .options = TAKES(READS_DATA, OPT_FEATURES, OPT_SPLITS, OPT_RANK_TIMEOUT, OPT_EMBED_TO,
                     OPT_OUTPUT_VECTORS, OPT_JSON),
    .first = FIRST("output", "to", "features", "format", "task", "pool", "json", "threads"),
    .ranks = true,
    .run = run_embed,
};
