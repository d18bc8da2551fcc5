/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn convert IN OUT: read one, write the other, whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "dataset.h"
#include "formats.h"
#include "interrupt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum part { ALL, GRAPH, FEATURES, LABELS, SPLITS } part; /* as --part has them */

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* What OUT shall be; NULL after a complaint. */
static const char *choose_format(const cli *c, part p, const char *path)
{
    const char *said = option_text(&c->values, OPT_CONVERT_TO);
    const char *f = same(said, "auto") ? format_by_suffix(path, wgdn_dataset_format) : said;
    if (p == GRAPH && !f) f = "edges";
    if (p == GRAPH && !same(f, "edges")) {
        complain("--part graph makes an edge list: name OUT something.tsv");
        return NULL;
    }
    if (!f) {
        char names[128];
        formats_names(names, sizeof names, wgdn_dataset_format);
        complain("'%s' does not tell its format: add --to %s", path, names);
    }
    return f;
}

/* What an edge list would lose, unless the user says that it may. */
static int check_edges(const wgdn_dataset *d, const char *path)
{
    const char *lost = wgdn_dataset_graphs(d) > 1     ? "several graphs"
                       : wgdn_dataset_features(d) > 0 ? "features"
                       : wgdn_dataset_classes(d) > 0  ? "labels"
                       : dataset_info(d).splits > 0   ? "splits"
                                                      : NULL;
    if (!lost) return DONE;
    complain("%s: an edge list cannot hold %s", path, lost);
    complain("write .safetensors, or add --part graph to leave them out");
    return USAGE;
}

static int write_part(const cli *c, const wgdn_dataset *d, const char *path, part p)
{
    const bool there = p == FEATURES ? wgdn_dataset_features(d) > 0
                       : p == LABELS ? wgdn_dataset_classes(d) > 0
                                     : dataset_info(d).splits > 0;
    const wgdn_part wanted = p == FEATURES ? WGDN_PART_FEATURES
                             : p == LABELS ? WGDN_PART_LABELS
                                           : WGDN_PART_SPLITS;
    wgdn_error err = {0};
    if (!there) {
        complain("%s: has no %s", c->operand[0], option_text(&c->values, OPT_PART));
        return BAD_INPUT;
    }
    const wgdn_status st = wgdn_dataset_write_part(d, path, wanted, &err);
    if (st == WGDN_OK) return DONE;
    const int code = complain_status(st, &err);
    return st == WGDN_EIO ? FAILED : code;
}

static int write_to(const cli *c, const wgdn_dataset *d, const char *path, part p)
{
    wgdn_error err = {0};
    if (p > GRAPH) return write_part(c, d, path, p);
    const char *f = choose_format(c, p, c->operand[1]);
    if (!f) return USAGE;
    if (p == ALL && same(f, "edges")) {
        const int code = check_edges(d, c->operand[1]);
        if (code != DONE) return code;
    }
    const wgdn_status st = wgdn_dataset_write(d, path, f, &err);
    if (st == WGDN_OK) return DONE;
    const int code = complain_status(st, &err);
    return st == WGDN_EIO ? FAILED : code;
}

static int copy_out(const char *path)
{
    char block[1 << 16];
    size_t size = 0;
    FILE *from = fopen(path, "r");
    bool good = from != NULL;
    while (good && (size = fread(block, 1, sizeof block, from)) > 0)
        good = fwrite(block, 1, size, stdout) == size;
    good = good && !ferror(from) && fflush(stdout) == 0;
    if (!good) complain("standard output: cannot be written: %s", strerror(errno));
    if (from) fclose(from);
    return good ? DONE : FAILED;
}

/* A pipe gets a file that is complete: it is made in a folder of its own first. */
static int write_stdout(const cli *c, const wgdn_dataset *d, part p)
{
    char folder[512], path[560];
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/wgdn.XXXXXX", root && *root ? root : "/tmp");
    if (!mkdtemp(folder)) {
        complain("%s: cannot create a temporary folder: %s", folder, strerror(errno));
        return FAILED;
    }
    snprintf(path, sizeof path, "%s/out", folder);
    int code = write_to(c, d, path, p);
    if (code == DONE) code = copy_out(path);
    (void)unlink(path);
    (void)rmdir(folder);
    return code;
}

/* Without --order things stay as they are. */
static int reorder(const cli *c, wgdn_dataset *d)
{
    wgdn_error err = {0};
    if (!c->values.text[OPT_ORDER]) return DONE;
    const wgdn_status st =
        wgdn_dataset_reorder(d, (wgdn_order)option_choice(&c->values, OPT_ORDER), &err);
    return st ? complain_status(st, &err) : DONE;
}

static int convert(cli *c)
{
    const part p = (part)option_choice(&c->values, OPT_PART);
    const char *path = c->operand[1];
    wgdn_dataset *d = NULL;
    if (p > GRAPH && c->values.text[OPT_CONVERT_TO]) {
        complain("--part %s is written as TSV and takes no --to",
                 option_text(&c->values, OPT_PART));
        return USAGE;
    }
    const char *f = p <= GRAPH ? choose_format(c, p, path) : "edges";
    if (!f) return USAGE;
    if (option_choice(&c->values, OPT_ORDER) > 0 && !same(f, "safetensors")) {
        complain("--order needs a packed dataset: name OUT something.safetensors");
        return USAGE;
    }
    int code = dataset_read(&d, c, c->operand[0]);
    if (code == DONE) code = reorder(c, d);
    if (code != DONE) {
        wgdn_dataset_free(d);
        return code;
    }
    interrupt_hold();
    code = strcmp(path, "-") == 0 ? write_stdout(c, d, p) : write_to(c, d, path, p);
    interrupt_release();
    wgdn_dataset_free(d);
    if (code != DONE || !interrupt_asked()) return code;
    complain("interrupted when %s was complete", path);
    return INTERRUPTED;
}

const command cmd_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .min_operands = 2,
    .max_operands = 2,
    .operand = {{.files = DATA_FILES}, {.files = DATA_FILES, .written = true}},
    .summary = "convert a dataset to another format",
    .text = "Read IN and write OUT, which is complete or absent. The format of OUT follows the "
            "ending of its name: .npz, .safetensors, and .tsv, .txt, .edges for an edge list. "
            "OUT - is standard output and needs --to.\n\n"
            "An edge list holds the graph and its ids only: --part graph leaves out the rest. "
            "Safetensors keeps everything; with --order its nodes are reordered so that "
            "neighbours are close in memory.",
    .example = "wgdn convert edges.csv graph.safetensors --features features.npy --labels "
               "labels.tsv\n"
               "wgdn convert cora.npz cora.tsv --part graph\n"
               "wgdn convert cora.npz cora.safetensors --order metis",
    .topics = TOPICS("Input", "Limits"),
    .options = TAKES(OPT_CONVERT_TO, OPT_PART, OPT_ORDER, OPT_THREADS, OPT_QUIET),
    .first = FIRST("features", "labels", "splits", "format", "to", "part", "order", "threads"),
    .run = convert,
};
