/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input wherever a file is read. */
#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char device[] = "/dev/stdin";

const char *input_name(const char *path)
{
    return strcmp(path, device) == 0 ? "-" : path;
}

int input_each(const char *list, int (*visit)(void *user, const char *path), void *user)
{
    struct stat s;
    char name[4096];
    int code = DONE;
    if (!strchr(list, ',') || stat(list, &s) == 0) return visit(user, list);
    for (const char *at = list; code == DONE && *at;) {
        const size_t size = strcspn(at, ",");
        if (size > 0 && size < sizeof name) {
            memcpy(name, at, size);
            name[size] = '\0';
            if (strcmp(name, "structure") != 0) code = visit(user, name);
        }
        at += size + (at[size] == ',');
    }
    return code;
}

/* ---- which inputs there are ---- */

/* Options whose file is read. */
static const option_id side[] = {OPT_FEATURES, OPT_TRAIN_FEATURES, OPT_FIT_FEATURES, OPT_LABELS,
                                 OPT_SPLITS,   OPT_EVAL_SPLITS,    OPT_CONFIG,       OPT_ALIGN};
enum { SIDES = sizeof side / sizeof *side, NAME = 32 };

/* What stands for the text if it names standard input, else NULL. */
static const char *meant(const char *text)
{
    if (!text || text[0] != '-') return NULL;
    if (text[1] == '\0') return device;
    return strcmp(text + 1, ",structure") == 0 ? "/dev/stdin,structure" : NULL;
}

/* Every input that is - becomes the device; how many they are, and what two of them are called. */
static int find_inputs(cli *c, char name[2][NAME])
{
    int count = 0;
    for (int i = 0; i < c->operands; i++)
        if (command_reads(c->command, i) && meant(c->operand[i])) {
            c->operand[i] = meant(c->operand[i]);
            snprintf(name[count++ > 0], NAME, "operand %d", i + 1);
        }
    for (int i = 0; i < SIDES; i++)
        if (meant(c->values.text[side[i]])) {
            c->values.text[side[i]] = meant(c->values.text[side[i]]);
            snprintf(name[count++ > 0], NAME, "--%s", option_get(side[i])->name);
        }
    return count;
}

/* ---- a copy that can be read again ---- */

static int64_t most(const cli *c)
{
    wgdn_dataset_options o;
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, HOME_DATASET, &o);
    wgdn_machine_get(&m);
    return o.max_bytes > 0 && (m.memory_available == 0 || o.max_bytes < m.memory_available)
               ? o.max_bytes
               : m.memory_available;
}

static int failed(const char *what)
{
    complain("standard input: %s: %s", what, strerror(errno));
    return BAD_INPUT;
}

static int copy(int to, int64_t limit)
{
    char block[1 << 16];
    int64_t all = 0;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed("cannot be read");
        if (got == 0) return DONE;
        all += got;
        if (all > limit) {
            complain("standard input: more than the %lld bytes that fit: save it to a file",
                     (long long)limit);
            return DOES_NOT_FIT;
        }
        for (ssize_t put = 0; put < got;) {
            const ssize_t more = write(to, block + put, (size_t)(got - put));
            if (more < 0 && errno != EINTR) return failed("cannot be kept");
            if (more > 0) put += more;
        }
    }
}

/* A pipe can be read once, but is looked at first: its copy takes its place. */
static int keep(const cli *c)
{
    struct stat s;
    if (fstat(STDIN_FILENO, &s) != 0) return failed("is closed");
    if (S_ISREG(s.st_mode)) return DONE;
    const int fd = memfd_create("wgdn", MFD_CLOEXEC);
    if (fd < 0) return failed("cannot be kept");
    int code = copy(fd, most(c));
    if (code == DONE && dup2(fd, STDIN_FILENO) < 0) code = failed("cannot be kept");
    (void)close(fd);
    return code;
}

int input_open(cli *c)
{
    char name[2][NAME] = {"", ""};
    const int count = find_inputs(c, name);
    if (count == 0) return DONE;
    if (count > 1) {
        complain("standard input can be one input: %s and %s are both -", name[0], name[1]);
        complain("put one of them in a file, or write <(command) in place of it");
        return USAGE;
    }
    if (wgdn_ranks_count(c->ranks) > 1) {
        complain("standard input cannot be shared by ranks: name a file");
        return USAGE;
    }
    return keep(c);
}
