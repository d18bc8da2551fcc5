/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn info FILE...: what is in there. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "dataset.h"
#include "info.h"
#include "input.h"
#include "kind.h"
#include "vectors.h"

#include <limits.h>
#include <string.h>

static int tell_vectors(const cli *c, const char *path)
{
    wgdn_embedding *e = NULL;
    const int code = vectors_read(&e, path);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_JSON))
        info_vectors_json(c->out, input_name(path), e);
    else
        info_vectors_text(c->out, input_name(path), e);
    wgdn_embedding_free(e);
    return DONE;
}

static int tell(cli *c, const char *path)
{
    const char *name = input_name(path);
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    summary s;
    if (is_model(path)) {
        wgdn_error err = {WGDN_OK, ""};
        const wgdn_status st = wgdn_model_load(&m, path, &err);
        if (st) return complain_status(st, &err);
        if (option_on(&c->values, OPT_JSON))
            info_model_json(c->out, name, m);
        else
            info_model_text(c->out, name, m);
        wgdn_model_free(m);
        return DONE;
    }
    if (is_vectors(c, path)) return tell_vectors(c, path);
    int code = dataset_read(&d, c, path);
    if (code != DONE) return code;
    if (!summary_make(&s, d)) {
        complain("%s: out of memory for the degrees", path);
        wgdn_dataset_free(d);
        return DOES_NOT_FIT;
    }
    if (option_on(&c->values, OPT_JSON))
        info_json(c->out, name, d, &s);
    else
        info_text(c->out, name, d, &s);
    summary_free(&s);
    wgdn_dataset_free(d);
    return DONE;
}

/* One side file belongs to one graph. */
static int check_sides(const cli *c)
{
    static const option_id side[] = {OPT_FEATURES, OPT_LABELS, OPT_SPLITS};
    for (int i = 0; c->operands > 1 && i < 3; i++)
        if (c->values.text[side[i]]) {
            complain("--%s needs one FILE, not %d", option_get(side[i])->name, c->operands);
            return USAGE;
        }
    return DONE;
}

/* A file that cannot be read does not keep the others from being shown;
 * the first failure counts. */
static int info(cli *c)
{
    int code = check_sides(c);
    if (code != DONE) return code;
    for (int i = 0; i < c->operands; i++) {
        const int one = tell(c, c->operand[i]);
        if (code == DONE) code = one;
        if (one == INTERRUPTED) return one;
    }
    return code;
}

const command cmd_info = {
    .name = "info",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .operand = {{.files = DATA_FILES "|npy|w2v|model"}, {.files = DATA_FILES "|npy|w2v|model"}},
    .summary = "show what a dataset, a model or vectors hold",
    .text = "Print what each FILE holds. Of a dataset: nodes, edges, degrees, features, classes, "
            "splits, graphs, and which edges were dropped or merged. Of a model: how it was made, "
            "and of a fitted one what was chosen and why. Of vectors: rows, columns, ids, lengths, "
            "rows that are zero or equal, and how many directions count. FILE may be a folder "
            "where the format is "
            "one; "
            "- is standard input, here and wherever a command reads a file.",
    .example = "wgdn info cora.npz\nwgdn info cora.model\nwgdn info edges.csv --features "
               "features.npy --json",
    .topics = TOPICS("Input", "Limits"),
    .options = TAKES(OPT_OUTPUT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .first = FIRST("features", "labels", "splits", "format", "json", "output", "threads"),
    .run = info,
};
