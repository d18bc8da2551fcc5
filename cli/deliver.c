/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a command to standard output or to a file, which is whole or not there. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* A name beside the path; only regular files are replaced, pipes and devices are written to. */
static bool temporary_name(char *name, size_t size, mode_t *mode, const char *path)
{
    struct stat s;
    const bool there = lstat(path, &s) == 0;
    if (there && !S_ISREG(s.st_mode)) return false;
    *mode = there ? s.st_mode & 0777 : 0;
    const int length = snprintf(name, size, "%s.%ld.tmp", path, (long)getpid());
    return length > 0 && (size_t)length < size;
}

int deliver_check(const char *path)
{
    char folder[1024];
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder) return DONE;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)length : 1, slash ? path : ".");
    if (access(folder, W_OK) == 0) return DONE;
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

int deliver(const char *path, const char *data, size_t size)
{
    char name[PATH_MAX];
    if (strcmp(path, "-") == 0) return put(stdout, data, size) ? DONE : failed("standard output");
    mode_t mode = 0; /* of a file that is replaced, which the new one gets */
    const bool beside = temporary_name(name, sizeof name, &mode, path);
    FILE *to = fopen(beside ? name : path, "w");
    if (!to) return failed(path);
    int why = beside && mode && fchmod(fileno(to), mode) != 0 ? errno : 0;
    if (!why && !put(to, data, size)) why = errno;
    if (!why && beside && fsync(fileno(to)) != 0) why = errno;
    if (fclose(to) != 0 && !why) why = errno;
    if (beside && !why && rename(name, path) != 0) why = errno;
    if (!why && beside) sync_folder(path);
    if (!why) return DONE;
    if (beside) (void)unlink(name);
    errno = why;
    return failed(path);
}
