/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#include "scratch.h"

#include "codec/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

static const char lock_name[] = "lock";

char *wgdn_scratch_path(const wgdn_scratch *s, const char *name)
{
    const size_t size = strlen(s->folder) + strlen(name) + 2;
    char *path = wgdn_alloc(size, 1);
    if (path) snprintf(path, size, "%s/%s", s->folder, name);
    return path;
}

void wgdn_scratch_drop(const wgdn_scratch *s, const char *name)
{
    char *path = wgdn_scratch_path(s, name);
    if (path) (void)unlink(path);
    wgdn_release(path);
}

static wgdn_status name_folder(wgdn_scratch *s, const char *folder, const char *input,
                               wgdn_error *err)
{
    char real[PATH_MAX];
    const char *root = getenv("TMPDIR");
    const char *in = folder ? folder : root && *root ? root : "/tmp";
    const char *name = realpath(input, real) ? real : input;
    const size_t size = strlen(in) + 32;
    s->folder = wgdn_alloc(size, 1);
    if (!s->folder) return wgdn_fail(err, WGDN_ENOMEM, "scratch: the name of a folder");
    snprintf(s->folder, size, "%s/wgdn-pack-%016llx", in,
             (unsigned long long)XXH3_64bits(name, strlen(name)));
    return WGDN_OK;
}

/* Whoever held the lock may have removed the folder between our opening and locking it. */
static wgdn_status take_lock(wgdn_scratch *s, wgdn_error *err)
{
    struct stat held, named;
    char *path = wgdn_scratch_path(s, lock_name);
    wgdn_status st = path ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "scratch: a lock");
    if (!st && mkdir(s->folder, 0777) != 0 && errno != EEXIST)
        st = wgdn_fail(err, WGDN_EWRITE, "%s: the scratch folder cannot be created: %s", s->folder,
                       strerror(errno));
    if (!st) s->lock = wgdn_system_open(path, O_RDWR | O_CREAT, 0666);
    if (!st && s->lock < 0)
        st = wgdn_fail(err, WGDN_EWRITE, "%s: cannot be created: %s", path, strerror(errno));
    if (!st && flock(s->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        st = wgdn_fail(err, WGDN_EWRITE,
                       "%s: another run works there on the same input: wait for it, or give "
                       "another scratch folder",
                       s->folder);
    if (!st &&
        (fstat(s->lock, &held) != 0 || stat(path, &named) != 0 || held.st_ino != named.st_ino))
        st = wgdn_fail(err, WGDN_EWRITE, "%s: was removed just now by another run; start again",
                       s->folder);
    wgdn_release(path);
    return st;
}

wgdn_status wgdn_scratch_open(wgdn_scratch **out, const char *folder, const char *input,
                              wgdn_error *err)
{
    wgdn_scratch *s = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "scratch: a folder");
    s->lock = -1;
    wgdn_status st = name_folder(s, folder, input, err);
    if (!st) st = take_lock(s, err);
    if (st)
        wgdn_scratch_close(s);
    else
        *out = s;
    return st;
}

static void clear(const wgdn_scratch *s, bool lock_too)
{
    DIR *dir = opendir(s->folder);
    for (const struct dirent *e = NULL; dir && (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (lock_too || strcmp(e->d_name, lock_name) != 0) wgdn_scratch_drop(s, e->d_name);
    }
    if (dir) closedir(dir);
}

void wgdn_scratch_clear(const wgdn_scratch *s)
{
    clear(s, false);
}

void wgdn_scratch_close(wgdn_scratch *s)
{
    if (!s) return;
    if (s->lock >= 0) close(s->lock);
    wgdn_release(s->folder);
    wgdn_release(s);
}

void wgdn_scratch_remove(wgdn_scratch *s)
{
    if (!s) return;
    clear(s, true);
    (void)rmdir(s->folder);
    wgdn_scratch_close(s);
}
