/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn embed MODEL DATA -o VECTORS */
#include "cli.h"
#include "dataset.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the choices of --to. */
static const wgdn_format formats[] = {WGDN_FORMAT_AUTO, WGDN_FORMAT_NPY,
                                      WGDN_FORMAT_NPZ,  WGDN_FORMAT_SAFETENSORS,
                                      WGDN_FORMAT_TSV,  WGDN_FORMAT_WORD2VEC};

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
    if (ends(path, ".w2v") || ends(path, ".txt")) return WGDN_FORMAT_WORD2VEC;
    return WGDN_FORMAT_AUTO;
}

static void report(const cli *c, const char *path, int64_t nodes, int64_t width)
{
    json j = {.to = c->out};
    if (!option_on(&c->values, OPT_JSON)) return;
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "vectors", path);
    json_put_integer(&j, "nodes", nodes);
    json_put_integer(&j, "width", width);
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static int write_vectors(const cli *c, const wgdn_model *m, const wgdn_dataset *d, const char *path,
                         wgdn_format format)
{
    const int64_t n = wgdn_dataset_nodes(d), width = wgdn_model_width(m);
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    const char *threads = c->values.text[OPT_THREADS];
    float *x = malloc((size_t)n * (size_t)width * sizeof *x);
    if (!x) {
        complain("no memory for %lld vectors of width %lld", (long long)n, (long long)width);
        return DOES_NOT_FIT;
    }
    wgdn_compute_options_init(&o);
    if (threads) o.threads = atoi(threads);
    wgdn_status st = wgdn_model_embed(x, m, d, &o, &err);
    if (!st)
        st = wgdn_embedding_write(d, strcmp(path, "-") == 0 ? "/dev/stdout" : path, format, x,
                                  width, &err);
    free(x);
    if (st) return complain_status(st, &err);
    report(c, path, n, width);
    return DONE;
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
        complain("%s: the name does not say which format; end it with .npz, .npy, .tsv, .w2v or "
                 ".safetensors, or add --to",
                 path);
        return USAGE;
    }
    const wgdn_status st = wgdn_model_load(&m, c->operand[0], &err);
    if (st) return complain_status(st, &err);
    code = dataset_read(&d, c, c->operand[1]);
    if (code == DONE) code = write_vectors(c, m, d, path, format);
    wgdn_dataset_free(d);
    wgdn_model_free(m);
    return code;
}
