/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn convert`, which reads a dataset or vectors and writes another format. It also
 * lists format names and suffixes from the library's tables for options and messages.
 */
#define _POSIX_C_SOURCE 200809L
#include "cmd_convert.h"
#include "cli.h"
#include "files.h"
#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void formats_choices(char *out, size_t size, format_table *table, bool written)
{
    size_t used = (size_t)snprintf(out, size, "auto");
    for (int i = 0; table(i) && used < size; i++)
        if (written ? table(i)->writes : table(i)->reads)
            used += (size_t)snprintf(out + used, size - used, "|%s", table(i)->name);
}

void formats_more(char *out, size_t size, format_table *table)
{
    for (int i = 0; table(i); i++) {
        char word[40];
        const size_t used = strlen(out);
        snprintf(word, sizeof word, "|%s", table(i)->name);
        const char *at = strstr(out, word);
        const bool there = at && (at[strlen(word)] == '|' || !at[strlen(word)]);
        if (table(i)->writes && !there) snprintf(out + used, size - used, "%s", word);
    }
}

/* Put a word behind others; the comma before the last word becomes "or" in the end. */
static void append(char *out, size_t size, const char *word)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used ? ", " : "", word);
}

static void say_or(char *out, size_t size)
{
    char *comma = strrchr(out, ',');
    char last[32];
    if (!comma) return;
    snprintf(last, sizeof last, " or%s", comma + 1);
    snprintf(comma, size - (size_t)(comma - out), "%s", last);
}

/* "a, b or c": names of those that are written, or their suffixes. */
static void formats_names(char *out, size_t size, format_table *table)
{
    *out = '\0';
    for (int i = 0; table(i); i++)
        if (table(i)->writes) append(out, size, table(i)->name);
    say_or(out, size);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcasecmp(text + n - m, ending) == 0;
}

void formats_suffixes(char *out, size_t size, format_table *table)
{
    *out = '\0';
    for (int i = 0; table(i); i++)
        for (const char *const *s = table(i)->suffixes; table(i)->writes && *s; s++)
            if (!ends_with(*s, ".gz")) append(out, size, *s);
    say_or(out, size);
}

const char *format_by_suffix(const char *path, format_table *table)
{
    for (int i = 0; table(i); i++)
        for (const char *const *s = table(i)->suffixes; table(i)->writes && *s; s++)
            if (ends_with(path, *s)) return table(i)->name;
    return NULL;
}

/* Implements `wgdn convert IN OUT`, which writes the output completely or not at all. */

typedef enum part { ALL, GRAPH, FEATURES, LABELS, SPLITS } part; /* as --part has them */

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* What OUT shall be; NULL after a complaint. */
static const char *choose_format(const cli *c, part p, const char *path)
{
    const char *said = option_text(&c->values, OPT_CONVERT_TO);
    const char *f = same(said, "auto") ? format_by_suffix(path, wgdn_dataset_get_format) : said;
    bool known = !f;
    for (int i = 0; wgdn_dataset_get_format(i); i++)
        known = known || (f && same(f, wgdn_dataset_get_format(i)->name));
    if (!known) {
        complain("--to %s is for vectors, and %s is read as a graph; add --vectors to read it as "
                 "vectors",
                 f, c->operand[0]);
        return NULL;
    }
    if (p == GRAPH && !f) f = "edges";
    if (p == GRAPH && !same(f, "edges")) {
        complain("--part graph makes an edge list: name OUT something.tsv");
        return NULL;
    }
    if (!f) {
        char names[128];
        formats_names(names, sizeof names, wgdn_dataset_get_format);
        complain("%s: cannot infer the format from the file name; add --to %s", path, names);
    }
    return f;
}

/* Rejects a dataset that an edge list cannot hold completely. */
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
    return complain_status(wgdn_dataset_write_part(d, path, wanted, &err), &err);
}

typedef struct writing {
    const cli *c;
    const wgdn_dataset *d;
    part p;
} writing;

static int write_at(const char *path, void *user)
{
    const writing *w = user;
    wgdn_error err = {0};
    if (w->p > GRAPH) return write_part(w->c, w->d, path, w->p);
    const char *f = choose_format(w->c, w->p, w->c->operand[1]);
    if (!f) return USAGE;
    if (w->p == ALL && same(f, "edges")) {
        const int code = check_edges(w->d, w->c->operand[1]);
        if (code != DONE) return code;
    }
    return complain_status(wgdn_dataset_write(w->d, path, f, &err), &err);
}

/* Without --order things stay as they are. */
static int reorder(const cli *c, wgdn_dataset *d)
{
    wgdn_error err = {0};
    if (!c->values.text[OPT_ORDER]) return DONE;
    return complain_status(
        wgdn_dataset_reorder(d, (wgdn_order)option_choice(&c->values, OPT_ORDER), &err), &err);
}

/* What belongs to graphs alone, where there are vectors, and the other way round. */
static int refuse_options(const cli *c, bool vectors)
{
    static const option_id of[2][8] = {{OPT_NO_HEADER, OPT_NUMBERS, OPTIONS},
                                       {OPT_FEATURES, OPT_LABELS, OPT_LABEL_COLUMN, OPT_SPLITS,
                                        OPT_PART, OPT_ORDER, OPT_BINARIZE, OPTIONS}};
    for (const option_id *o = of[vectors]; *o != OPTIONS; o++)
        if (c->values.text[*o]) {
            complain("%s holds %s, and --%s is for %s; leave it out, or add --%s", c->operand[0],
                     vectors ? "vectors" : "a graph", option_get(*o)->row.name,
                     vectors ? "graphs" : "vectors", vectors ? "no-vectors" : "vectors");
            return USAGE;
        }
    return DONE;
}

/* Vectors stay vectors. */
static int convert_vectors(const cli *c)
{
    const char *said = option_text(&c->values, OPT_CONVERT_TO), *path = c->operand[1];
    const char *format =
        same(said, "auto") ? format_by_suffix(path, wgdn_embedding_get_format) : said;
    wgdn_embedding *e = NULL;
    bool known = false;
    for (int i = 0; format && wgdn_embedding_get_format(i); i++)
        known = known || same(format, wgdn_embedding_get_format(i)->name);
    if (!known) {
        char names[128];
        formats_names(names, sizeof names, wgdn_embedding_get_format);
        complain("%s holds vectors, and '%s' names no format for vectors; add --to %s",
                 c->operand[0], format ? format : path, names);
        return USAGE;
    }
    int code = refuse_options(c, true);
    if (code == DONE) code = vectors_check_numbers(c, format);
    if (code == DONE) code = vectors_read(&e, c->operand[0]);
    if (code != DONE) return code;
    remark(c, "%s: %lld vectors of %lld columns", input_name(c->operand[0]),
           (long long)wgdn_embedding_rows(e), (long long)wgdn_embedding_dim(e));
    interrupt_hold();
    code = vectors_write(c, e, path, format);
    interrupt_release();
    wgdn_embedding_free(e);
    return code;
}

/* The default scratch folder is that of OUT, which needs at least as much room. */
static int choose_scratch(cli *c, const char *format, const char *path, char *folder, size_t size)
{
    if (!c->values.text[OPT_MEMORY] && c->values.text[OPT_SCRATCH]) {
        complain("--scratch has an effect only with --memory; add --memory");
        return USAGE;
    }
    if (!c->values.text[OPT_MEMORY]) return DONE;
    if (!same(format, "safetensors") || option_choice(&c->values, OPT_ORDER) > 0) {
        complain("--memory writes packed datasets in the original order; name OUT "
                 "something.safetensors and leave --order out");
        return USAGE;
    }
    if (!same(path, "-")) dataset_scratch(c, path, folder, size);
    return DONE;
}

static int convert(cli *c)
{
    if (is_vectors(c, c->operand[0])) return convert_vectors(c);
    if (refuse_options(c, false) != DONE) return USAGE;
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
    char folder[PATH_MAX];
    int code = choose_scratch(c, f, path, folder, sizeof folder);
    if (code == DONE) code = dataset_read(&d, c, c->operand[0]);
    if (code == DONE) code = reorder(c, d);
    if (code != DONE) {
        wgdn_dataset_free(d);
        return code;
    }
    interrupt_hold();
    code = deliver_file(path, write_at, &(writing){c, d, p});
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
    .output_operand = 2,
    .operand = {{.files = DATA_FILES "|npy|w2v"}, {.files = DATA_FILES "|npy|w2v"}},
    .summary = "convert a dataset, or vectors, to another format",
    .text = "Read IN and write OUT, which is complete or absent. The format of OUT follows the "
            "ending of its name: .npz, .safetensors, and .tsv, .txt, .edges for an edge list. "
            "OUT - is standard output and needs --to.\n\n"
            "With --memory, an edge list larger than that is sorted in files; after a kill the "
            "same command resumes.\n\n"
            "An edge list holds the graph and its ids only: --part graph leaves out the rest. "
            "Safetensors keeps everything; with --order its nodes are reordered so that "
            "neighbors are close in memory.\n\n"
            "Vectors are converted to vectors: .npz, .npy, .safetensors, .tsv, .csv, and .w2v for "
            "word2vec text. IN is known by its contents: arrays without a graph, word2vec's two "
            "counts, or an id and numbers on every line; --vectors and --no-vectors say it.",
    .example = "wgdn convert edges.csv graph.safetensors --features features.npy --labels "
               "labels.tsv\n"
               "wgdn convert large.txt.gz large.safetensors --memory 8G\n"
               "wgdn convert cora.npz cora.tsv --part graph\n"
               "wgdn convert cora.npz cora.safetensors --order metis\n"
               "wgdn convert vectors.npz vectors.csv",
    .topics = TOPICS("Input", "Limits"),
    .options = TAKES(OPT_CONVERT_TO, OPT_PART, OPT_ORDER, OPT_MEMORY, OPT_SCRATCH, OPT_NO_HEADER,
                     OPT_NUMBERS, OPT_OUTPUT_OPERAND, OPT_THREADS, OPT_QUIET),
    .first =
        FIRST("features", "labels", "splits", "format", "to", "part", "order", "memory", "threads"),
    .run = convert,
};
