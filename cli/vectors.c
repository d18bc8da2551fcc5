/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include "dataset.h"
#include "kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads)
{
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.task = task;
    o.pool = pool;
    o.threads = threads;
    return vectors_embed_with(e, m, d, &o);
}

int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_model_embed(e, m, d, o, &err);
    return st ? complain_status(st, &err) : DONE;
}

static wgdn_status read_file(wgdn_embedding **e, const char *path, int *code)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_embedding_read(e, path, &err);
    *code = st ? complain_status(st, &err) : DONE;
    return st;
}

int vectors_read(wgdn_embedding **e, const char *path)
{
    int code;
    (void)read_file(e, path, &code);
    return code;
}

/*
 * An id and a whole number on every line, or up to two numbers more, a weight and a time, where a
 * quarter of the ids are among the whole numbers: edges, more likely than vectors.
 */
static bool could_be_edges(const wgdn_embedding *e)
{
    enum { WIDEST = 3 };
    const int64_t rows = wgdn_embedding_rows(e), dim = wgdn_embedding_dim(e);
    const float *x = wgdn_embedding_get_values(e);
    bool whole = dim <= WIDEST;
    bool *met = whole && rows ? calloc((size_t)rows, 1) : NULL;
    int64_t ids = 0;
    for (int64_t i = 0; met && whole && i < rows; i++) {
        char id[32];
        const float to = x[i * dim];
        const int size = snprintf(id, sizeof id, "%.0f", to);
        const int64_t at = size < (int)sizeof id ? wgdn_embedding_find(e, id, (size_t)size) : -1;
        whole = to == floorf(to);
        if (at < 0 || met[at]) continue;
        met[at] = true;
        ids++;
    }
    free(met);
    return rows > 0 && whole && (dim == 1 || 4 * ids >= rows);
}

int vectors_wanted(wgdn_embedding **e, const char *path)
{
    int code;
    if (is_model(path)) {
        complain("%s is a model; make vectors first: wgdn embed %s DATA -o vectors.npz", path,
                 path);
        return BAD_INPUT;
    }
    const wgdn_status st = read_file(e, path, &code);
    const bool doubtful = st ? st == WGDN_EFORMAT : could_be_edges(*e);
    if (!doubtful || !is_regular(path) || holds_vectors(path)) return code;
    if (!st) {
        complain("%s: an id and a whole number on every line: edges, or vectors? A row of column "
                 "names, id, v0 and so on, makes them vectors",
                 path);
        wgdn_embedding_free(*e);
        *e = NULL;
    }
    complain("vectors are wanted here; of a graph, 'wgdn embed %s -o vectors.npz' makes them",
             path);
    return BAD_INPUT;
}

int vectors_alone(wgdn_dataset **d, wgdn_embedding **e, const cli *c)
{
    const char *labels = c->values.text[OPT_LABELS];
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    int code = labels ? path_check(labels) : DONE;
    if (code == DONE) code = vectors_wanted(e, c->operand[0]);
    if (code != DONE) return code;
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, HOME_DATASET, &o);
    const wgdn_status st = wgdn_dataset_from_embedding(d, *e, &o, &err);
    if (st) return complain_status(st, &err);
    const char *slash = strrchr(c->operand[0], '/');
    dataset_tell(c, slash && slash[1] ? slash + 1 : c->operand[0], *d);
    return DONE;
}

int vectors_check_numbers(const cli *c, const char *format)
{
    const bool numpy = strcmp(format, "npy") == 0 || strcmp(format, "npz") == 0;
    if (option_choice(&c->values, OPT_NUMBERS) != WGDN_NUMBERS_BF16 || !numpy) return DONE;
    complain("--numbers bf16: NumPy has no such type; take f16, or end the name with .safetensors");
    return USAGE;
}

typedef struct writing {
    const wgdn_embedding *e;
    char format[64];
} writing;

static int write_at(const char *path, void *user)
{
    const writing *w = user;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_embedding_write(w->e, path, w->format, &err);
    return st ? complain_status(st, &err) : DONE;
}

int vectors_write(const cli *c, const wgdn_embedding *e, const char *path, const char *format)
{
    static const char *const types[] = {"", ":f16", ":bf16"}; /* as wgdn_numbers */
    const bool text = strcmp(format, "tsv") == 0 || strcmp(format, "csv") == 0;
    const bool arrays = !text && strcmp(format, "word2vec") != 0 && strcmp(format, "jsonl") != 0;
    const bool bare = option_on(&c->values, OPT_NO_HEADER);
    const int numbers = option_choice(&c->values, OPT_NUMBERS);
    writing w = {.e = e};
    if (bare && !text) remark(c, "--no-header has no effect with --to %s", format);
    if (numbers && !arrays) remark(c, "--numbers has no effect with --to %s", format);
    snprintf(w.format, sizeof w.format, "%s%s%s", format, bare && text ? ":no-header" : "",
             arrays ? types[numbers] : "");
    return deliver_file(path, write_at, &w);
}
