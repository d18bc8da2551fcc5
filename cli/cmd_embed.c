/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn embed MODEL DATA -o VECTORS */
#include "cli.h"
#include "dataset.h"
#include "json.h"
#include "vectors.h"

#include <string.h>

/* In the order of the choices of --to. */
static const wgdn_format formats[] = {WGDN_FORMAT_AUTO,        WGDN_FORMAT_NPY, WGDN_FORMAT_NPZ,
                                      WGDN_FORMAT_SAFETENSORS, WGDN_FORMAT_TSV, WGDN_FORMAT_CSV,
                                      WGDN_FORMAT_WORD2VEC};

static bool ends(const char *path, const char *end)
{
    const size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

static wgdn_format format_of(const cli *c, const char *path)
{
    const wgdn_format said = formats[option_choice(&c->values, OPT_EMBED_TO)];
    if (said != WGDN_FORMAT_AUTO) return said;
    if (ends(path, ".npy")) return WGDN_FORMAT_NPY;
    if (ends(path, ".npz")) return WGDN_FORMAT_NPZ;
    if (ends(path, ".safetensors")) return WGDN_FORMAT_SAFETENSORS;
    if (ends(path, ".tsv")) return WGDN_FORMAT_TSV;
    if (ends(path, ".csv")) return WGDN_FORMAT_CSV;
    if (ends(path, ".w2v") || ends(path, ".txt")) return WGDN_FORMAT_WORD2VEC;
    return WGDN_FORMAT_AUTO;
}

/* Whether graphs get vectors, not nodes. */
static bool wants_graphs(const cli *c, const wgdn_model *m, const wgdn_dataset *d)
{
    const int said = option_choice(&c->values, OPT_EMBED_TASK);
    const wgdn_task task = said ? (wgdn_task)said : wgdn_model_get_options(m)->task;
    return task ? task == WGDN_TASK_GRAPH : wgdn_dataset_graphs(d) > 1;
}

static void report(const cli *c, const char *path, const wgdn_embedding *e, bool graphs)
{
    json j = {.to = c->out};
    if (!option_on(&c->values, OPT_JSON)) return;
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "vectors", path);
    json_put_integer(&j, graphs ? "graphs" : "nodes", wgdn_embedding_rows(e));
    json_put_integer(&j, "width", wgdn_embedding_dim(e));
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static int embed_data(const cli *c, const wgdn_model *m, const wgdn_dataset *d, const char *path,
                      wgdn_format format)
{
    const bool graphs = wants_graphs(c, m, d);
    const wgdn_pool pool =
        c->values.text[OPT_POOL] ? (wgdn_pool)option_choice(&c->values, OPT_POOL) : WGDN_POOL_AUTO;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *e = NULL;
    int code = vectors_embed(&e, m, d, graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE, pool,
                             option_threads(&c->values));
    if (code == DONE && is_speaker(c)) {
        const wgdn_status st =
            wgdn_embedding_write(e, strcmp(path, "-") == 0 ? "/dev/stdout" : path, format, &err);
        if (st) code = complain_status(st, &err);
    }
    if (code == DONE) report(c, path, e, graphs);
    wgdn_embedding_free(e);
    return code;
}

int cmd_embed(cli *c)
{
    const char *path = c->values.text[OPT_OUTPUT];
    const wgdn_format format = path ? format_of(c, path) : WGDN_FORMAT_AUTO;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    wgdn_dataset *d = NULL;
    int code = DONE;
    if (!path) {
        complain("'wgdn embed' wants -o VECTORS: where to write them");
        return USAGE;
    }
    if (format == WGDN_FORMAT_AUTO) {
        complain(
            "%s: the name does not say which format; end it with .npz, .npy, .tsv, .csv, .w2v or "
            ".safetensors, or add --to",
            path);
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
