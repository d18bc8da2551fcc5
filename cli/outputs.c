/* SPDX-License-Identifier: Apache-2.0 */
/* What a command writes must not be what it reads, nor may two results go to one file. Where a
 * result cannot be written is found out here, before the work. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "outputs.h"
#include "lock.h"

#include "input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file by device and inode, however it is called; one that is not there yet by folder and name. */
typedef struct identity {
    bool known;
    dev_t device;
    ino_t inode;
    const char *name; /* in that folder; "" for the file itself */
} identity;

typedef struct place {
    const char *option; /* its name; NULL: the operand OUT */
    const char *path;   /* as the user wrote it */
    identity file;
} place;

enum { PLACES = 8, PATH_ROOM = 4096 };

typedef struct outputs {
    place list[PLACES];
    int count;
    char checkpoint[PATH_ROOM];
} outputs;

static identity folder_of(const char *path)
{
    char folder[PATH_ROOM];
    struct stat s;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length >= sizeof folder || !*name) return (identity){0};
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    if (stat(folder, &s) != 0) return (identity){0};
    return (identity){true, s.st_dev, s.st_ino, name};
}

/* Pipes, devices and folders are not destroyed by what is written to them: they are unknown. */
static identity identify(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0) return folder_of(path);
    if (!S_ISREG(s.st_mode)) return (identity){0};
    return (identity){true, s.st_dev, s.st_ino, ""};
}

static bool same_file(const identity *a, const identity *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

/* One more output; it must differ from those before it. */
static int add(outputs *o, const char *name, const char *path)
{
    if (!path || strcmp(path, "-") == 0 || o->count == PLACES) return DONE;
    const place p = {name, path, identify(path)};
    for (int i = 0; i < o->count; i++)
        if (same_file(&p.file, &o->list[i].file)) {
            complain("--%s %s and --%s %s are one file; name another one", name, path,
                     o->list[i].option, o->list[i].path);
            return USAGE;
        }
    o->list[o->count++] = p;
    return DONE;
}

/* The checkpoint of a run has a name of its own accord. */
static int add_checkpoint(outputs *o, const cli *c)
{
    const char *model = c->values.text[OPT_OUTPUT_MODEL];
    if (c->values.text[OPT_CHECKPOINT] || !model || !command_takes(c->command, OPT_CHECKPOINT))
        return DONE;
    const int length = snprintf(o->checkpoint, sizeof o->checkpoint, "%s.checkpoint", model);
    return length < PATH_ROOM ? add(o, "checkpoint", o->checkpoint) : DONE;
}

static int list_outputs(outputs *o, const cli *c)
{
    int code = add_checkpoint(o, c);
    for (int i = 0; code == DONE && i < option_count(); i++)
        if (option_get((option_id)i)->written)
            code = add(o, option_get((option_id)i)->name, c->values.text[i]);
    if (code == DONE && c->command->output_operand)
        code = add(o, NULL, c->operand[c->command->output_operand - 1]);
    return code;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), part = strlen(end);
    return size >= part && strcmp(text + size - part, end) == 0;
}

/* Formats that are folders consist of text files: one of these is there and would be replaced. */
static bool is_inside(const char *folder, const char *path)
{
    struct stat s;
    if (stat(folder, &s) != 0 || !S_ISDIR(s.st_mode)) return false;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return false;
    char *outer = realpath(folder, NULL), *inner = realpath(path, NULL);
    const size_t size = outer ? strlen(outer) : 0;
    const bool text = inner && (ends_with(inner, ".txt") || ends_with(inner, ".csv") ||
                                ends_with(inner, ".csv.gz"));
    const bool inside = text && outer && strncmp(inner, outer, size) == 0 && inner[size] == '/';
    free(inner);
    free(outer);
    return inside;
}

/* An input must differ from every output. */
static int compare(void *outputs_so_far, const char *path)
{
    const outputs *o = outputs_so_far;
    for (int i = 0; i < o->count; i++)
        if (is_inside(path, o->list[i].path)) {
            complain(
                "%s%s %s is a file of the input %s and would be overwritten; name another file",
                o->list[i].option ? "--" : "", o->list[i].option ? o->list[i].option : "OUT",
                o->list[i].path, path);
            return USAGE;
        }
    const identity in = identify(strcmp(path, "-") == 0 ? "/dev/stdin" : path);
    for (int i = 0; i < o->count; i++) {
        const place *p = &o->list[i];
        if (!same_file(&in, &p->file)) continue;
        const char *dashes = p->option ? "--" : "", *what = p->option ? p->option : "OUT";
        if (strcmp(p->path, path) == 0)
            complain("%s%s %s is an input as well and would be overwritten; name another file",
                     dashes, what, path);
        else
            complain("%s%s %s is the input %s and would overwrite it; name another file", dashes,
                     what, p->path, path);
        return USAGE;
    }
    return DONE;
}

/* Could it be written, and does nobody else write it? */
static int check_output(const cli *c, const char *path)
{
    wgdn_error err = {0};
    const wgdn_status st = wgdn_file_check(path, &err);
    return st ? complain_status(st, &err) : lock_output(c, path);
}

int outputs_check(const cli *c)
{
    outputs *o = calloc(1, sizeof *o);
    if (!o) {
        complain("out of memory at the start");
        return DOES_NOT_FIT;
    }
    int code = list_outputs(o, c);
    for (int i = 0; code == DONE && i < c->operands; i++)
        if (command_reads(c->command, i)) code = compare(o, c->operand[i]);
    for (int i = 0; code == DONE && i < option_count(); i++) {
        const option *row = option_get((option_id)i);
        const char *path = c->values.text[i];
        if (path && row->kind == KIND_PATH && !row->written &&
            !option_is_word(&c->values, (option_id)i))
            code = input_each(path, compare, o);
    }
    for (int i = o->count - 1; code == DONE && is_root(c) && i >= 0; i--) /* -o, then the rest */
        code = check_output(c, o->list[i].path);
    free(o);
    return code;
}
