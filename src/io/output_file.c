/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes files that appear either complete or not at all, as bytes or as lines of delimited text.
 * Every output of the library and of the program goes through it.
 */
#define _DEFAULT_SOURCE /* flock */
#include "output_file.h"
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

enum { WGDN_TEMPORARY_EXTRA = 24 }; /* bytes that a name gets beyond its target's, NUL included */

enum { SWEPT = 8, NAMES_MAX = 10000 }; /* names that are always examined; names that are tried */

static void call_it(char *name, const char *target, int k)
{
    snprintf(name, strlen(target) + WGDN_TEMPORARY_EXTRA, "%s.wgdn-%d.tmp", target, k);
}

/* The file, if it is a regular one of this user, under its lock; else -1. NFS locks only what it may write. */
static int take(const char *name)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct stat s;
    int fd = open(name, O_WRONLY | flags);
    if (fd < 0 && errno == EACCES) fd = open(name, O_RDONLY | flags);
    if (fd < 0) return -1;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Remove what a dead run left; false if there is no such file. Who has the lock may remove. */
static bool sweep(const char *name)
{
    struct stat held, named;
    if (lstat(name, &named) != 0) return false;
    const int fd = take(name);
    if (fd < 0) return true;
    if (fstat(fd, &held) == 0 && lstat(name, &named) == 0 && held.st_ino == named.st_ino &&
        held.st_dev == named.st_dev)
        (void)unlink(name);
    close(fd);
    return true;
}

/* Between its creation and its lock somebody may have taken it for a dead run's, and removed it. */
static bool keep(int fd)
{
    struct stat s;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(fd, &s) != 0 || s.st_nlink > 0;
}

/* Remove what dead runs of this user left beside the target. The room of `name` is used. */
static void temporary_sweep(char *name, const char *target)
{
    bool there = true;
    for (int k = 0; k < SWEPT || (there && k < NAMES_MAX); k++) {
        call_it(name, target, k);
        there = sweep(name);
    }
}

/*
 * A new file NAME.wgdn-K.tmp with the smallest K that nobody uses; its name goes to `name`, which
 * has room for it. The lock (flock) ends with the process however that ends, and with the last
 * duplicate of the descriptor: files of that name without one are of dead runs and are removed.
 * Where the file system has no locks, nothing is. -1 and errno on failure.
 */
static int temporary_open(char *name, const char *target, mode_t mode)
{
    int fd = -1;
    temporary_sweep(name, target);
    for (int k = 0; fd < 0 && k < NAMES_MAX; k++) {
        call_it(name, target, k);
        fd = wgdn_system_open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (fd < 0 && errno != EEXIST) return -1;
        if (fd < 0 || keep(fd)) continue;
        close(fd);
        fd = -1;
        errno = EEXIST;
    }
    return fd;
}

/*
 * Writes a file as a temporary file beside the target, which is then renamed to the target. The
 * library and the program write all files this way. Links are followed, unless another user created
 * them.
 */

enum { ROOM = 1 << 18 };

struct wgdn_output {
    int fd, lock; /* the lock is the temporary's, and outlives the descriptor that is written to */
    size_t filled;
    char *path;      /* as the caller said it, for messages */
    char *target;    /* where it ends up: the path, or where a link there leads */
    char *temporary; /* NULL when writing straight to a pipe or a device */
    unsigned char *buffer;
};

static wgdn_status failed(const wgdn_output *o, const char *what, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EWRITE, "%s: cannot be %s: %s", o->path, what, strerror(errno));
}

static char *copy_text(const char *text, size_t extra)
{
    const size_t size = strlen(text) + 1;
    char *copy = wgdn_alloc(size + extra, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static wgdn_status open_temporary(wgdn_output *o, mode_t mode, wgdn_error *err)
{
    char *name = copy_text(o->target, WGDN_TEMPORARY_EXTRA);
    if (!name) return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for a temporary name", o->path);
    o->fd = temporary_open(name, o->target, mode);
    if (o->fd < 0) { /* whatever has that name is not ours */
        const int why = errno;
        wgdn_release(name);
        errno = why;
        return failed(o, "created", err);
    }
    o->temporary = name;
    o->lock = fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
    return WGDN_OK;
}

/* What is no regular file (a pipe, /dev/null) must not be replaced by one: write to it instead. */
static wgdn_status open_target(wgdn_output *o, wgdn_error *err)
{
    struct stat s;
    if (wgdn_system_stat(o->target, &s) != 0)
        return errno == ENOENT ? open_temporary(o, 0666, err) : failed(o, "examined", err);
    if (S_ISDIR(s.st_mode))
        return wgdn_fail(err, WGDN_EWRITE, "%s: is a folder, a file name was expected", o->path);
    if (S_ISREG(s.st_mode)) { /* who may read the old file may read the new one, and nobody else */
        const mode_t mode = s.st_mode & 0777;
        const wgdn_status st = open_temporary(o, mode & 0666, err);
        if (!st && fchmod(o->fd, mode) != 0) return failed(o, "given the old one's mode", err);
        return st;
    }
    o->fd = wgdn_system_open(o->target, O_WRONLY, 0);
    return o->fd < 0 ? failed(o, "opened", err) : WGDN_OK;
}

/*
 * Follows the links at the end of a path. The kernel protects links in folders such as /tmp only
 * while it follows them itself, so their owners are compared here.
 */
static wgdn_status follow_links(char at[PATH_MAX], const char *path, wgdn_error *err)
{
    enum { OUTPUT_MOST = 40 };
    struct stat s;
    if ((size_t)snprintf(at, PATH_MAX, "%s", path) >= PATH_MAX)
        return wgdn_fail(err, WGDN_EWRITE, "%.80s...: the path is too long", path);
    for (int i = 0; i < OUTPUT_MOST && lstat(at, &s) == 0 && S_ISLNK(s.st_mode); i++) {
        char to[PATH_MAX];
        if (s.st_uid != geteuid() && s.st_uid != 0)
            return wgdn_fail(err, WGDN_EWRITE,
                             "%s: is a link of another user (uid %lld) and is not followed; "
                             "name another file",
                             path, (long long)s.st_uid);
        const ssize_t size = readlink(at, to, sizeof to - 1);
        if (size < 0) break;
        const char *slash = to[0] == '/' ? NULL : strrchr(at, '/');
        const size_t kept = slash ? (size_t)(slash - at) + 1 : 0;
        if (kept + (size_t)size >= PATH_MAX) break;
        memcpy(at + kept, to, (size_t)size);
        at[kept + (size_t)size] = '\0';
    }
    /* Links of /proc lead to what has no path: the kernel opens it by the link. */
    if (lstat(at, &s) != 0 && stat(path, &s) == 0) snprintf(at, PATH_MAX, "%s", path);
    return WGDN_OK;
}

/* The folder of a path: with its last slash removed, "." or "/". */
static void name_folder(char folder[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    const int length = slash && slash != path ? (int)(slash - path) : 1;
    snprintf(folder, PATH_MAX, "%.*s", length, slash ? path : ".");
}

wgdn_status wgdn_file_check(const char *path, wgdn_error *err)
{
    char at[PATH_MAX], folder[PATH_MAX];
    struct stat s;
    if (!path) return wgdn_fail(err, WGDN_EINVAL, "file: no path");
    const wgdn_status st = follow_links(at, path, err);
    if (st) return st;
    if (stat(at, &s) == 0 && S_ISDIR(s.st_mode))
        return wgdn_fail(err, WGDN_EWRITE, "%s is a folder; name a file in it", path);
    if (stat(at, &s) == 0 && !S_ISREG(s.st_mode)) return WGDN_OK;
    name_folder(folder, at);
    if (access(folder, W_OK) != 0 && errno == ENOENT)
        return wgdn_fail(err, WGDN_EWRITE, "%s: the folder %s/ does not exist; create it first",
                         path, folder);
    if (access(folder, W_OK) != 0)
        return wgdn_fail(err, WGDN_EWRITE, "%s: cannot be created: %s", path, strerror(errno));
    char *name = copy_text(at, WGDN_TEMPORARY_EXTRA);
    if (!name) return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for a temporary name", path);
    temporary_sweep(name, at);
    wgdn_release(name);
    return WGDN_OK;
}

wgdn_status wgdn_output_open(wgdn_output **out, const char *path, wgdn_error *err)
{
    char at[PATH_MAX];
    wgdn_status st = follow_links(at, path, err);
    if (st) return st;
    wgdn_output *o = wgdn_alloc_zero(1, sizeof *o);

    if (!o) goto no_memory;
    o->fd = o->lock = -1;
    o->path = copy_text(path, 0);
    o->target = copy_text(at, 0);
    o->buffer = wgdn_alloc(ROOM, 1);
    if (!o->path || !o->target || !o->buffer) goto no_memory;
    st = open_target(o, err);
    if (st == WGDN_OK)
        *out = o;
    else
        wgdn_output_abandon(o);
    return st;

no_memory:
    wgdn_output_abandon(o);
    return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for a write buffer", path);
}

static wgdn_status put(wgdn_output *o, const unsigned char *data, size_t size, wgdn_error *err)
{
    return wgdn_system_write(o->fd, data, size) < 0 ? failed(o, "written", err) : WGDN_OK;
}

static wgdn_status flush(wgdn_output *o, wgdn_error *err)
{
    const size_t filled = o->filled;
    if (wgdn_stopping()) return wgdn_fail(err, WGDN_ESTOPPED, "%s: stopped on request", o->path);
    o->filled = 0;
    return put(o, o->buffer, filled, err);
}

wgdn_status wgdn_output_write(wgdn_output *o, const void *data, size_t size, wgdn_error *err)
{
    if (size > ROOM - o->filled) {
        wgdn_status st = flush(o, err);
        if (st != WGDN_OK) return st;
        if (size >= ROOM) return put(o, data, size, err);
    }
    if (size) memcpy(o->buffer + o->filled, data, size);
    o->filled += size;
    return WGDN_OK;
}

/* A rename lasts only once the folder is on the disk; file systems that cannot say
 * so are let be. */
static wgdn_status sync_folder(const wgdn_output *o, wgdn_error *err)
{
    char folder[PATH_MAX];
    name_folder(folder, o->target);
    const int fd = wgdn_system_open(folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return errno == EACCES ? WGDN_OK : failed(o, "made to last", err);
    const int result = wgdn_system_fsync(fd);
    const int why = errno;
    close(fd);
    errno = why;
    return result != 0 && why != EINVAL ? failed(o, "made to last", err) : WGDN_OK;
}

wgdn_status wgdn_output_commit(wgdn_output *o, wgdn_error *err)
{
    wgdn_status st = flush(o, err);
    if (st == WGDN_OK && o->temporary && wgdn_system_fsync(o->fd) != 0)
        st = failed(o, "written to the disk", err);
    if (st == WGDN_OK) {
        const int result = close(o->fd); /* network file systems may report a full disk here */
        o->fd = -1;
        if (result != 0) st = failed(o, "written", err);
    }
    if (st == WGDN_OK && o->temporary) {
        if (wgdn_system_rename(o->temporary, o->target) != 0) {
            st = failed(o, "put in place", err);
        } else {
            wgdn_release(o->temporary);
            o->temporary = NULL;
            st = sync_folder(o, err);
        }
    }
    wgdn_output_abandon(o);
    return st;
}

void wgdn_output_abandon(wgdn_output *o)
{
    if (!o) return;
    if (o->temporary) (void)unlink(o->temporary); /* as long as it is locked, it is ours */
    if (o->fd >= 0) close(o->fd);
    if (o->lock >= 0) close(o->lock);
    wgdn_release(o->buffer);
    wgdn_release(o->temporary);
    wgdn_release(o->target);
    wgdn_release(o->path);
    wgdn_release(o);
}

wgdn_status wgdn_file_write(const char *path, const void *data, size_t size, wgdn_error *err)
{
    wgdn_output *o = NULL;
    if (!path || (!data && size)) return wgdn_fail(err, WGDN_EINVAL, "file: no path, or no data");
    wgdn_status st = wgdn_output_open(&o, path, err);
    if (st) return st;
    st = wgdn_output_write(o, data, size, err);
    if (!st) return wgdn_output_commit(o, err);
    wgdn_output_abandon(o);
    return st;
}

/* Writes lines of text fields through a buffer, and compresses them if the file name ends in .gz. */

/* A gzip stream. Its header has no time and no name, so equal text gives equal bytes. */
typedef struct wgdn_gzip {
    z_stream stream;
    unsigned char packed[1 << 16];
} wgdn_gzip;

static wgdn_status gzip_open(wgdn_page *p, const char *path)
{
    enum { LEVEL = 6, GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    p->gzip = wgdn_alloc_zero(1, sizeof *p->gzip);
    if (p->gzip && deflateInit2(&p->gzip->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                                Z_DEFAULT_STRATEGY) == Z_OK)
        return WGDN_OK;
    wgdn_release(p->gzip);
    p->gzip = NULL;
    return wgdn_fail_in(p->err, WGDN_ENOMEM, path, "compressing it");
}

static void gzip_close(wgdn_gzip *g)
{
    if (g) (void)deflateEnd(&g->stream);
    wgdn_release(g);
}

static wgdn_status gzip_write(wgdn_page *p, const void *text, size_t size, int flush)
{
    z_stream *z = &p->gzip->stream;
    wgdn_status st = WGDN_OK;
    z->next_in = (unsigned char *)(uintptr_t)text; /* zlib does not write to it */
    z->avail_in = (uInt)size;
    do {
        z->next_out = p->gzip->packed;
        z->avail_out = sizeof p->gzip->packed;
        (void)deflate(z, flush);
        st = wgdn_output_write(p->out, p->gzip->packed, sizeof p->gzip->packed - z->avail_out,
                               p->err);
    } while (!st && z->avail_out == 0);
    return st;
}

static void write_text(wgdn_page *p, const void *text, size_t size)
{
    enum { MOST = 1 << 30 }; /* bytes that zlib takes at once */
    const char *at = text;
    for (size_t left = size; !p->st && left > 0;) {
        const size_t part = p->gzip && left > MOST ? MOST : left;
        p->st = p->gzip ? gzip_write(p, at, part, Z_NO_FLUSH)
                        : wgdn_output_write(p->out, at, part, p->err);
        at += part;
        left -= part;
    }
}

static void flush_page(wgdn_page *p)
{
    write_text(p, p->text, p->used);
    p->used = 0;
}

void wgdn_page_put(wgdn_page *p, const void *text, size_t size)
{
    if (size > sizeof p->text - p->used) flush_page(p);
    if (size > sizeof p->text) {
        write_text(p, text, size);
        return;
    }
    if (size) memcpy(p->text + p->used, text, size);
    p->used += size;
}

/* In quotes if a reader would read it as something else. */
void wgdn_page_field(wgdn_page *p, wgdn_text t)
{
    bool plain = t.size > 0;
    for (size_t i = 0; i < t.size && plain; i++) {
        const unsigned char c = t.at[i];
        plain = c != '\t' && c != (unsigned char)p->between && c != '\n' && c != '\r' && c != '"' &&
                !(i == 0 && (c == '#' || c == '%' || c == ' ' || c == 0xef));
    }
    if (plain) {
        wgdn_page_put(p, t.at, t.size);
        return;
    }
    wgdn_page_put(p, "\"", 1);
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] == '"') wgdn_page_put(p, "\"", 1);
        wgdn_page_put(p, t.at + i, 1);
    }
    wgdn_page_put(p, "\"", 1);
}

void wgdn_page_json_text(wgdn_page *p, wgdn_text t)
{
    wgdn_page_put(p, "\"", 1);
    for (size_t i = 0; i < t.size;) {
        size_t length;
        const int32_t point = wgdn_utf8_decode(t.at + i, t.size - i, &length);
        char code[8];
        if (point == '"' || point == '\\') wgdn_page_put(p, "\\", 1);
        if (point >= 0x20) {
            wgdn_page_put(p, t.at + i, length);
        } else { /* a control character, or a byte that is not UTF-8, as Python's surrogateescape */
            snprintf(code, sizeof code, "\\u%04x", point < 0 ? 0xdc00U + t.at[i] : (unsigned)point);
            wgdn_page_word(p, code);
        }
        i += length;
    }
    wgdn_page_put(p, "\"", 1);
}

wgdn_status wgdn_page_open(wgdn_page **out, const char *path, wgdn_error *err)
{
    wgdn_page *p = wgdn_alloc(1, sizeof *p);
    if (!p) return wgdn_fail_in(err, WGDN_ENOMEM, path, "writing it");
    p->out = NULL;
    p->between = '\t';
    p->gzip = NULL;
    p->used = 0;
    p->err = err;
    p->st = wgdn_path_ends(path, ".gz") ? gzip_open(p, path) : WGDN_OK;
    if (!p->st) p->st = wgdn_output_open(&p->out, path, err);
    if (p->st) {
        const wgdn_status st = p->st;
        gzip_close(p->gzip);
        wgdn_release(p);
        return st;
    }
    *out = p;
    return WGDN_OK;
}

wgdn_status wgdn_page_close(wgdn_page *p)
{
    flush_page(p);
    if (!p->st && p->gzip) p->st = gzip_write(p, "", 0, Z_FINISH);
    wgdn_status st = p->st;
    if (st)
        wgdn_output_abandon(p->out);
    else
        st = wgdn_output_commit(p->out, p->err);
    gzip_close(p->gzip);
    wgdn_release(p);
    return st;
}
