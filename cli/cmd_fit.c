/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn fit DATA -o MODEL */
#define _DEFAULT_SOURCE
#include "dataset.h"
#include "fitting.h"
#include "interrupt.h"
#include "rank_report.h"

#include <string.h>
#include <unistd.h>

static void report(const cli *c, const char *path, const wgdn_model *m, const rank_report *ranks)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_get_info(&info, m);
    if (option_on(&c->values, OPT_JSON)) {
        json j = {.to = c->out};
        json_put_open(&j, NULL, '{');
        json_put_text(&j, "model", path);
        json_put_integer(&j, "dim", info.dim);
        fitting_json(&j, m);
        rank_report_json(&j, ranks, c);
        json_put_close(&j, '}');
        fputc('\n', c->out);
    } else if (!option_on(&c->values, OPT_QUIET) && isatty(STDERR_FILENO)) {
        fprintf(stderr, "%lld columns; the model is in %s\n", (long long)info.dim, path);
    }
}

/* All ranks together; the first one speaks. */
static void tell(const cli *c, const char *path, const wgdn_model *m)
{
    wgdn_fit_report f = {.struct_size = sizeof f};
    if (wgdn_model_get_fit(&f, m, NULL)) return;
    const rank_report ranks = rank_report_collect(c, f.halo_bytes, f.sum_bytes);
    if (is_root(c)) report(c, path, m, &ranks);
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
    if (code == DONE) tell(c, path, m);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return code;
}

const command cmd_fit = {
    .name = "fit",
    .operands = "DATA",
    .min_operands = 1,
    .max_operands = 1,
    .operand = {{.files = DATA_FILES}},
    .summary = "fit the closed form to a graph: a model in seconds, without training",
    .text =
        "Fit the closed form to DATA, without labels and without training, and write it to the "
        "file that -o names. Features are filtered by the graph and reduced to --dim columns; the "
        "scale of the filter is the one at which a node's neighbours predict its features best. "
        "Where there are no features, or where neighbours tell little of them, the graph's "
        "structure makes vectors: leading eigenvectors and factorised transition "
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
