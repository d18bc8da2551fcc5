/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn convert IN OUT: read one, write the other, whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "dataset.h"
#include "interrupt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum part { ALL, GRAPH, FEATURES, LABELS, SPLITS } part; /* as --part has them */

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

static wgdn_format format_by_name(const char *path)
{
    static const struct {
        const char *ending;
        wgdn_format format;
    } known[] = {
        {".npz", WGDN_FORMAT_NPZ},     {".safetensors", WGDN_FORMAT_SAFETENSORS},
        {".tsv", WGDN_FORMAT_EDGES},   {".txt", WGDN_FORMAT_EDGES},
        {".edges", WGDN_FORMAT_EDGES},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_with(path, known[i].ending)) return known[i].format;
    return WGDN_FORMAT_AUTO;
}

/* What OUT shall be; WGDN_FORMAT_AUTO after a complaint. */
static wgdn_format choose_format(const cli *c, part p, const char *path)
{
    static const wgdn_format asked[] = {WGDN_FORMAT_AUTO, WGDN_FORMAT_EDGES, WGDN_FORMAT_NPZ,
                                        WGDN_FORMAT_SAFETENSORS}; /* as --to has them */
    wgdn_format f = asked[option_choice(&c->values, OPT_TO)];
    if (f == WGDN_FORMAT_AUTO) f = format_by_name(path);
    if (p == GRAPH && f == WGDN_FORMAT_AUTO) f = WGDN_FORMAT_EDGES;
    if (p == GRAPH && f != WGDN_FORMAT_EDGES) {
        complain("--part graph makes an edge list: name OUT something.tsv");
        return WGDN_FORMAT_AUTO;
    }
    if (f == WGDN_FORMAT_AUTO)
        complain("'%s' does not tell its format: say --to edges, npz or safetensors", path);
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
    complain("write .safetensors, or say --part graph to leave them behind");
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
    const wgdn_format f = choose_format(c, p, c->operand[1]);
    if (f == WGDN_FORMAT_AUTO) return USAGE;
    if (p == ALL && f == WGDN_FORMAT_EDGES) {
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
        complain("%s: no room for a temporary folder: %s", folder, strerror(errno));
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

int cmd_convert(cli *c)
{
    const part p = (part)option_choice(&c->values, OPT_PART);
    const char *path = c->operand[1];
    wgdn_dataset *d = NULL;
    if (p > GRAPH && c->values.text[OPT_TO]) {
        complain("--part %s is TSV: it goes without --to", option_text(&c->values, OPT_PART));
        return USAGE;
    }
    const wgdn_format f = p <= GRAPH ? choose_format(c, p, path) : WGDN_FORMAT_EDGES;
    if (f == WGDN_FORMAT_AUTO) return USAGE;
    if (option_choice(&c->values, OPT_ORDER) > 0 && f != WGDN_FORMAT_SAFETENSORS) {
        complain("--order is kept in packed datasets alone: name OUT something.safetensors");
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
