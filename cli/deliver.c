/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a command to standard output or to a file, which is whole or not there. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "interrupt.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *path)
{
    complain("%s: cannot be written: %s", path, strerror(errno));
    return FAILED;
}

static bool put(FILE *to, const char *data, size_t size)
{
    return fwrite(data, 1, size, to) == size && fflush(to) == 0;
}

/* A file beside the path; only regular ones are replaced, pipes and devices are written to. */
static FILE *open_file(char **name, mode_t *mode, const char *path)
{
    struct stat s;
    const bool there = lstat(path, &s) == 0;
    if (there && !S_ISREG(s.st_mode)) return fopen(path, "w");
    *mode = there ? s.st_mode & 0777 : 0;
    const int fd = temporary_open(name, path, there ? *mode & 0666 : 0666);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd < 0 || to) return to;
    (void)unlink(*name);
    close(fd);
    free(*name);
    *name = NULL;
    return NULL;
}

/* Pipes and devices are written to where they are; a file needs a folder that takes a new one. */
int deliver_check(const char *path)
{
    char folder[PATH_MAX];
    struct stat s;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder) return DONE;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        complain("%s is a folder; name a file in it", path);
        return FAILED;
    }
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) return DONE;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)length : 1, slash ? path : ".");
    if (access(folder, W_OK) == 0) return DONE;
    if (errno == ENOENT)
        complain("%s: the folder %s does not exist; create it first", path, folder);
    else
        complain("%s: cannot be created: %s", path, strerror(errno));
    return FAILED;
}

/* A rename lasts once its folder is on the disk; folders that cannot be opened or synced are let be. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    (void)fsync(fd);
    close(fd);
}

static int deliver_out(const char *data, size_t size)
{
    if (put(stdout, data, size)) return DONE;
    return errno == EPIPE ? NO_READER : failed("standard output");
}

/* It is renamed while it is locked, that is, open: whoever removes what is dead finds no gap. */
static int put_file(const char *path, const char *data, size_t size)
{
    char *name = NULL;
    mode_t mode = 0; /* of a file that is replaced, which the new one gets */
    FILE *to = open_file(&name, &mode, path);
    if (!to) return failed(path);
    int why = name && mode && fchmod(fileno(to), mode) != 0 ? errno : 0;
    if (!why && !put(to, data, size)) why = errno;
    if (!why && name && fsync(fileno(to)) != 0) why = errno;
    if (!why && name && rename(name, path) != 0) why = errno;
    if (!why && name) sync_folder(path);
    if (why && name) (void)unlink(name);
    if (fclose(to) != 0 && !why) why = errno;
    free(name);
    errno = why;
    return why ? failed(path) : DONE;
}

int deliver(const char *path, const char *data, size_t size)
{
    interrupt_hold();
    const int code = strcmp(path, "-") == 0 ? deliver_out(data, size) : put_file(path, data, size);
    interrupt_release();
    return code;
}
