/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock, realpath */
#include "lock.h"

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

static int refuse(const char *path, int fd)
{
    char text[WHO + 1] = "", host[WHO + 1] = "";
    long pid = 0;
    const ssize_t size = pread(fd, text, WHO, 0);
    close(fd);
    if (size > 0 && sscanf(text, "%ld %96s", &pid, host) == 2)
        complain("%s: process %ld on %s is writing it; wait for its end, or name another file",
                 path, pid, host);
    else
        complain("%s: another process is writing it; wait for its end, or name another file", path);
    return FAILED;
}

/* For the message of who comes later. */
static void sign(int fd)
{
    char text[WHO + 1], host[64] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !host[0]) snprintf(host, sizeof host, "?");
    const int size = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    const bool signed_it = ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)size, 0) == size;
    (void)signed_it; /* a full disk: then it says nothing, and the lock holds */
}

/* What somebody else keeps under such a name is let be; a crash may leave NUL bytes, or less. */
static bool is_lock(int fd)
{
    char text[WHO + 1] = "";
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > WHO) return false;
    const ssize_t size = pread(fd, text, WHO, 0);
    return size == 0 || (size > 0 && (!text[0] || (text[0] >= '1' && text[0] <= '9')));
}

/* The lock of a file; -1 where there can be none. Whoever had it may remove it before we have it. */
static int take(const cli *c, const char *file, const char *path, bool *others)
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
        remark(c,
               "%s: no locks on this file system (%s): nothing would keep a second run from "
               "writing it",
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
        const int fd = take(c, file, path, others);
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

int lock_output(const cli *c, const char *path)
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
        sign(fd);
        if (locks == 0)
            (void)atexit(lock_forget); /* OpenMP ends the process where it has no memory */
        list[locks] = (struct lock){file, fd, getpid()};
        atomic_signal_fence(memory_order_seq_cst);
        locks++;
        return DONE;
    }
    free(file);
    return others ? refuse(path, fd) : DONE;
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
