/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks, locks and writes the outputs of a command. It rejects outputs that would overwrite an
 * input, before any work is done; results reach their file complete or not at all, through
 * io/output_file.c.
 */
#define _DEFAULT_SOURCE /* flock, realpath */
#include "cli.h"
#include "files.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCKS = 16, TRIES = 100, WHO = 96, WAITS = 40 };

/* Where a signal handler finds them. A child process has its parent's, which are not its own. */
static struct lock {
    char *path;
    int fd;
    pid_t owner;
} list[LOCKS];
static volatile sig_atomic_t locks;

/* The file itself where the path is a link; NULL for what is no regular file. To be freed. */
static char *target_of(const char *path)
{
    struct stat s;
    if (strcmp(path, "-") == 0) return NULL;
    if (stat(path, &s) != 0) return strdup(path);
    return S_ISREG(s.st_mode) ? realpath(path, NULL) : NULL;
}

/* Whether the descriptor's file is the one that has this name. */
static bool is_named(int fd, const char *path)
{
    struct stat held, named;
    return fstat(fd, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static int report_lock(const char *path, int fd)
{
    char text[WHO + 1] = "", host[WHO + 1] = "";
    long pid = 0;
    const ssize_t size = pread(fd, text, WHO, 0);
    close(fd);
    if (size > 0 && sscanf(text, "%ld %96s", &pid, host) == 2)
        complain("%s: process %ld on %s is writing it; wait until it ends, or choose another file",
                 path, pid, host);
    else
        complain("%s: another process is writing it; wait until it ends, or choose another file",
                 path);
    return FAILED;
}

/* Other files of that name are left alone. After a crash a lock may hold NUL bytes, or be empty. */
static bool is_lock(int fd)
{
    char text[WHO + 1] = "";
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > WHO) return false;
    const ssize_t size = pread(fd, text, WHO, 0);
    return size == 0 || (size > 0 && (!text[0] || (text[0] >= '1' && text[0] <= '9')));
}

/* The lock of a file; -1 where there can be none. Whoever had it may remove it before we have it. */
static int take_lock(const cli *c, const char *file, const char *path, bool *others)
{
    for (int i = 0; i < TRIES; i++) {
        const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        int fd = open(file, O_RDWR | O_CREAT | O_EXCL | flags, 0666);
        const bool made = fd >= 0;
        if (!made && errno == EEXIST) fd = open(file, O_RDWR | flags);
        if (fd < 0 && errno == ENOENT) continue;                          /* it is gone again */
        if (fd < 0 && errno == EACCES) fd = open(file, O_RDONLY | flags); /* another user's */
        if (fd < 0) return -1;
        if (!made && !is_lock(fd)) {
            close(fd);
            return -1;
        }
        const int result = flock(fd, LOCK_EX | LOCK_NB), why = errno;
        *others = result != 0 && why == EWOULDBLOCK;
        if (*others || (result == 0 && is_named(fd, file))) return fd;
        close(fd);
        if (result == 0) continue;
        (void)unlink(file);
        remark(
            c,
            "%s: no locks on this file system (%s): a second run could write it at the same time",
            path, strerror(why));
        return -1;
    }
    return -1;
}

/* A run that was killed has it until its memory is given back: two seconds for that. */
static int wait_for(const cli *c, const char *file, const char *path, bool *others)
{
    static const struct timespec moment = {.tv_nsec = 50000000};
    for (int i = 0;; i++) {
        const int fd = take_lock(c, file, path, others);
        if (!*others || i == WAITS) return fd;
        close(fd);
        (void)nanosleep(&moment, NULL);
    }
}

/* The name of its lock, to be freed; NULL: no memory. */
static char *name_lock(const char *target)
{
    static const char ending[] = ".wgdn-lock";
    char *file = malloc(strlen(target) + sizeof ending);
    if (file) sprintf(file, "%s%s", target, ending);
    return file;
}

/*
 * DONE, or after two seconds FAILED and a complaint that names who has it. The lock (flock) ends with the process
 * however that ends; what dead runs have left beside the path is removed. Devices, pipes and
 * standard output are not locked, nor is what lies in a folder that cannot be written to.
 */
static int lock_output(const cli *c, const char *path)
{
    bool others = false;
    char *target = target_of(path);
    char *file = target ? name_lock(target) : NULL;
    if (!file || locks == LOCKS) {
        free(target);
        free(file);
        return DONE;
    }
    const int fd = wait_for(c, file, path, &others);
    free(target);
    if (fd >= 0 && !others) {
        /* Later runs name this process in their message. */
        char text[WHO + 1], host[64] = "";
        if (gethostname(host, sizeof host - 1) != 0 || !host[0]) snprintf(host, sizeof host, "?");
        const int size = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
        const bool signed_it = ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)size, 0) == size;
        (void)signed_it; /* on a full disk the file stays empty; the lock holds */
        if (locks == 0)
            (void)atexit(lock_forget); /* OpenMP ends the process where it has no memory */
        list[locks] = (struct lock){file, fd, getpid()};
        atomic_signal_fence(memory_order_seq_cst);
        locks++;
        return DONE;
    }
    free(file);
    return others ? report_lock(path, fd) : DONE;
}

void lock_forget(void)
{
    for (int i = 0; i < locks; i++)
        if (list[i].owner == getpid()) (void)unlink(list[i].path);
}

void lock_release(void)
{
    while (locks > 0 && list[locks - 1].owner == getpid()) {
        const struct lock *l = &list[locks - 1];
        (void)unlink(l->path); /* while it is ours */
        close(l->fd);
        locks--;
        atomic_signal_fence(memory_order_seq_cst);
        free(l->path);
    }
}

/*
 * Checks that a command does not overwrite its inputs, that no two results go to the same file, and
 * that every output can be written. The check runs before the work.
 */

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
        if (option_get(option_at(i))->written)
            code = add(o, option_get(option_at(i))->row.name, c->values.text[option_at(i)]);
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
    const identity in = identify(strcmp(path, "-") == 0 ? "/dev/stdin" : path);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < o->count; i++) {
            const place *p = &o->list[i];
            const char *dashes = p->option ? "--" : "", *what = p->option ? p->option : "OUT";
            if (pass == 0 ? !is_inside(path, p->path) : !same_file(&in, &p->file)) continue;
            if (pass == 0)
                complain("%s%s %s is a file of the input %s and would be overwritten; name another "
                         "file",
                         dashes, what, p->path, path);
            else if (strcmp(p->path, path) == 0)
                complain("%s%s %s is an input as well and would be overwritten; name another file",
                         dashes, what, path);
            else
                complain("%s%s %s is the input %s and would overwrite it; name another file",
                         dashes, what, p->path, path);
            return USAGE;
        }
    return DONE;
}

/* Checks that it can be written and that no other process writes it. */
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
        const option_id id = option_at(i);
        const option *read = option_get(id);
        const char *path = c->values.text[id];
        if (path && read->row.type == WGDN_OPTION_TYPE_PATH && !read->written &&
            !option_is_word(&c->values, id))
            code = input_each(path, compare, o);
    }
    for (int i = o->count - 1; code == DONE && is_root(c) && i >= 0; i--) /* -o, then the rest */
        code = check_output(c, o->list[i].path);
    free(o);
    return code;
}

/*
 * Writes the data of a command to standard output or to a file, which appears completely or not at
 * all.
 */

static int deliver_out(const char *data, size_t size)
{
    if (fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0) return DONE;
    if (errno == EPIPE) return NO_READER;
    complain("standard output: cannot be written: %s", strerror(errno));
    return FAILED;
}

static int put_file(const char *path, const char *data, size_t size)
{
    wgdn_error err = {0};
    return complain_status(wgdn_file_write(path, data, size, &err), &err);
}

int deliver(const char *path, const char *data, size_t size)
{
    interrupt_hold();
    const int code = strcmp(path, "-") == 0 ? deliver_out(data, size) : put_file(path, data, size);
    interrupt_release();
    return code;
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
    const bool unread = !good && errno == EPIPE; /* as 'head' does when it has enough */
    if (!good && !unread) complain("standard output: cannot be written: %s", strerror(errno));
    if (from) fclose(from);
    return good ? DONE : unread ? NO_READER : FAILED;
}

static int through_folder(int (*write)(const char *path, void *user), void *user)
{
    char folder[512], file[560];
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/wgdn.XXXXXX", root && *root ? root : "/tmp");
    if (!mkdtemp(folder)) {
        complain("%s: cannot create a temporary folder: %s", folder, strerror(errno));
        return FAILED;
    }
    snprintf(file, sizeof file, "%s/out", folder);
    int code = write(file, user);
    if (code == DONE) code = copy_out(file);
    (void)unlink(file);
    (void)rmdir(folder);
    return code;
}

int deliver_file(const char *path, int (*write)(const char *path, void *user), void *user)
{
    interrupt_hold();
    const int code = strcmp(path, "-") != 0 ? write(path, user) : through_folder(write, user);
    interrupt_release();
    return code;
}
