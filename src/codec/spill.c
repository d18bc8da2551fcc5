/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "spill.h"

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the file system has no files without a name, one that loses it at once. */
static int open_unnamed(const char *folder)
{
    int fd = wgdn_system_open(folder, O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
    const size_t size = strlen(folder) + 32;
    char *name = wgdn_alloc(size, 1);
    if (!name) return -1;
    snprintf(name, size, "%s/wgdn-scratch-XXXXXX", folder);
    fd = mkstemp(name);
    if (fd >= 0) (void)unlink(name);
    wgdn_release(name);
    return fd;
}

static wgdn_status failed(const char *folder, const char *what, size_t bytes, int why,
                          wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EWRITE,
                     "%s: no scratch file of %.1f GB for %s: %s; name another folder (scratch), or "
                     "allow more memory",
                     folder, (double)bytes / 1e9, what, strerror(why));
}

static wgdn_status open_file(wgdn_spill *s, const char *folder, const char *what, wgdn_error *err)
{
    const int fd = open_unnamed(folder);
    if (fd < 0) return failed(folder, what, s->size, errno, err);
    s->in_file = true;
    int why = wgdn_system_allocate(fd, s->size);
    if (!why) {
        s->at = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        why = errno;
    }
    (void)close(fd); /* the mapping keeps the file */
    if (s->at && s->at != MAP_FAILED) return WGDN_OK;
    s->at = NULL;
    return failed(folder, what, s->size, why, err);
}

wgdn_status wgdn_spill_open(wgdn_spill *s, size_t bytes, const char *folder, const char *what,
                            wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *s = (wgdn_spill){.size = bytes};
    if (folder && bytes) {
        st = open_file(s, folder, what, err);
    } else {
        s->at = wgdn_alloc(bytes, 1);
        if (!s->at) st = wgdn_fail(err, WGDN_ENOMEM, "%s: %.1f MB", what, (double)bytes / 1e6);
    }
    if (st) wgdn_spill_close(s);
    return st;
}

void wgdn_spill_forget(const wgdn_spill *s, size_t from, size_t to)
{
    const wgdn_bytes b = {.block = s->at, .size = s->size, .mapped = s->in_file};
    wgdn_bytes_forget(&b, from, to);
}

void wgdn_spill_close(wgdn_spill *s)
{
    if (!s->in_file)
        wgdn_release(s->at);
    else if (s->at)
        (void)munmap(s->at, s->size);
    *s = (wgdn_spill){.at = NULL};
}
