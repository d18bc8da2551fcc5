/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manages the scratch folder for data that does not fit in memory: its files, the manifest that
 * lets a run resume, and matrices mapped to files. The out-of-core reader of edge lists and the
 * column blocks of the closed form use it.
 */
#define _DEFAULT_SOURCE /* flock, mkdtemp */
#include "scratch.h"
#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

/*
 * Opens the scratch folder, which other users cannot read. Files that an earlier run left there are
 * used only if they belong to this user alone. Files are reached through the open folder, so
 * another user who renames it, or puts a link in its place, changes nothing.
 */

static const char lock_name[] = "lock";

/* ---- its files ---- */

/* A regular file that only this user can reach, by this name alone. */
static bool is_private(const struct stat *s)
{
    return S_ISREG(s->st_mode) && s->st_uid == geteuid() && s->st_nlink == 1 &&
           (s->st_mode & 077) == 0;
}

int wgdn_scratch_create(const wgdn_scratch *s, const char *name)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    wgdn_scratch_drop(s, name);
    return wgdn_system_open_in(s->fd, name, flags, 0600);
}

int wgdn_scratch_reopen(const wgdn_scratch *s, const char *name, int flags)
{
    struct stat about;
    const int fd = wgdn_system_open_in(s->fd, name, flags | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0 || (fstat(fd, &about) == 0 && is_private(&about))) return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

wgdn_status wgdn_scratch_map(wgdn_bytes *b, const wgdn_scratch *s, const char *name,
                             wgdn_error *err)
{
    const int fd = wgdn_scratch_reopen(s, name, O_RDONLY), why = errno;
    char *path = wgdn_scratch_path(s, name);
    errno = why;
    const wgdn_status st = wgdn_bytes_map_file(b, fd, path ? path : s->folder, err);
    b->name = s->folder; /* which lives as long as the file does */
    wgdn_release(path);
    return st;
}

/* Removes a name and never what a link points to; other users' files stay. */
void wgdn_scratch_drop(const wgdn_scratch *s, const char *name)
{
    struct stat about;
    if (fstatat(s->fd, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && about.st_uid == geteuid())
        (void)unlinkat(s->fd, name, 0);
}

/* ---- the folder ---- */

/* Named after the input, so that the next run finds it; without a place for it, a name by chance. */
static wgdn_status make_folder(wgdn_scratch *s, const char *folder, const char *input,
                               wgdn_error *err)
{
    char real[PATH_MAX];
    const char *root = getenv("TMPDIR");
    const char *in = folder ? folder : root && *root ? root : "/tmp";
    const char *name = realpath(input, real) ? real : input;
    const size_t size = strlen(in) + 32;
    s->folder = wgdn_alloc(size, 1);
    if (!s->folder) return wgdn_fail(err, WGDN_ENOMEM, "scratch: the name of a folder");
    s->fresh = !folder;
    if (folder)
        snprintf(s->folder, size, "%s/wgdn-pack-%016llx", in,
                 (unsigned long long)XXH3_64bits(name, strlen(name)));
    else
        snprintf(s->folder, size, "%s/wgdn-pack-XXXXXX", in);
    if (folder ? mkdir(s->folder, 0700) == 0 || errno == EEXIST : mkdtemp(s->folder) != NULL)
        return WGDN_OK;
    return wgdn_fail(err, WGDN_EWRITE, "%s: the scratch folder cannot be created: %s", s->folder,
                     strerror(errno));
}

static wgdn_status open_folder(wgdn_scratch *s, wgdn_error *err)
{
    static const char remedy[] = "remove it, or name another scratch folder";
    struct stat about;
    s->fd = wgdn_system_open(s->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (s->fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        return wgdn_fail(err, WGDN_EWRITE, "%s: is a link or a file, not a scratch folder; %s",
                         s->folder, remedy);
    if (s->fd < 0 || fstat(s->fd, &about) != 0)
        return wgdn_fail(err, WGDN_EWRITE, "%s: the scratch folder cannot be opened: %s", s->folder,
                         strerror(errno));
    if (about.st_uid != geteuid())
        return wgdn_fail(err, WGDN_EWRITE,
                         "%s: the scratch folder belongs to another user (uid %lld); %s", s->folder,
                         (long long)about.st_uid, remedy);
    if (about.st_mode & 077)
        return wgdn_fail(err, WGDN_EWRITE,
                         "%s: the scratch folder is open to other users (mode %04o, expected "
                         "0700); %s",
                         s->folder, (unsigned)about.st_mode & 0777, remedy);
    return WGDN_OK;
}

/* Whether the folder still has its name. */
static bool is_named(const wgdn_scratch *s)
{
    struct stat held, named;
    return fstat(s->fd, &held) == 0 && lstat(s->folder, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

/* Whoever held the lock may have removed the folder between our opening and locking it. */
static wgdn_status take_lock(wgdn_scratch *s, wgdn_error *err)
{
    struct stat held, named;
    s->lock =
        wgdn_system_open_in(s->fd, lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (s->lock < 0 || fstat(s->lock, &held) != 0)
        return wgdn_fail(err, WGDN_EWRITE, "%s/%s: cannot be created: %s", s->folder, lock_name,
                         strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return wgdn_fail(err, WGDN_EWRITE,
                         "%s: another run works there on the same input: wait for it, or give "
                         "another scratch folder",
                         s->folder);
    if (!is_named(s) || fstatat(s->fd, lock_name, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
        held.st_ino != named.st_ino)
        return wgdn_fail(err, WGDN_EWRITE, "%s: was removed just now by another run; start again",
                         s->folder);
    s->held = true;
    return WGDN_OK;
}

wgdn_status wgdn_scratch_open(wgdn_scratch **out, const char *folder, const char *input,
                              wgdn_error *err)
{
    wgdn_scratch *s = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "scratch: a folder");
    s->fd = s->lock = -1;
    wgdn_status st = make_folder(s, folder, input, err);
    if (!st) st = open_folder(s, err);
    if (!st) st = take_lock(s, err);
    if (st)
        wgdn_scratch_close(s);
    else
        *out = s;
    return st;
}

static void clear(const wgdn_scratch *s, bool lock_too)
{
    const int fd = openat(s->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    for (const struct dirent *e = NULL; dir && (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (lock_too || strcmp(e->d_name, lock_name) != 0) wgdn_scratch_drop(s, e->d_name);
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
}

void wgdn_scratch_clear(const wgdn_scratch *s)
{
    clear(s, false);
}

static void release(wgdn_scratch *s)
{
    if (s->lock >= 0) close(s->lock);
    if (s->fd >= 0) close(s->fd);
    wgdn_release(s->folder);
    wgdn_release(s);
}

void wgdn_scratch_close(wgdn_scratch *s)
{
    if (s && s->fresh)
        wgdn_scratch_remove(s); /* nobody could find it again */
    else if (s)
        release(s);
}

void wgdn_scratch_remove(wgdn_scratch *s)
{
    if (!s) return;
    if (s->held) {
        clear(s, true);
        if (is_named(s)) (void)rmdir(s->folder);
    }
    release(s);
}

/* ---- files that are written or read from start to end ---- */

static const int64_t drop_every = (int64_t)16 << 20;

static wgdn_status tape_failed(const wgdn_tape *s, wgdn_error *err)
{
    return wgdn_fail(err, s->writing ? WGDN_EWRITE : WGDN_EIO, "%s: cannot be %s: %s", s->path,
                     s->writing ? "written" : "read", strerror(errno));
}

static wgdn_status start_tape(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                              wgdn_error *err)
{
    s->fd = -1;
    s->path = wgdn_scratch_path(in, name);
    s->buffer = wgdn_alloc(room, 1);
    s->room = room;
    if (s->writing) s->hash = XXH3_createState();
    if (!s->path || !s->buffer || (s->writing && !s->hash))
        return wgdn_fail(err, WGDN_ENOMEM, "scratch: a buffer of %zu bytes", room);
    if (s->writing) (void)XXH3_64bits_reset(s->hash);
    s->fd = s->writing ? wgdn_scratch_create(in, name) : wgdn_scratch_reopen(in, name, O_RDONLY);
    return s->fd < 0 ? tape_failed(s, err) : WGDN_OK;
}

wgdn_status wgdn_tape_create(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                             wgdn_error *err)
{
    *s = (wgdn_tape){.writing = true};
    return start_tape(s, in, name, room, err);
}

wgdn_status wgdn_tape_open(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                           wgdn_error *err)
{
    *s = (wgdn_tape){.writing = false};
    struct stat about;
    wgdn_status st = start_tape(s, in, name, room, err);
    if (!st && fstat(s->fd, &about) != 0) st = tape_failed(s, err);
    if (st) return st;
    s->length = about.st_size;
    wgdn_os_read_ahead(s->fd);
    return WGDN_OK;
}

static wgdn_status put_all(wgdn_tape *s, const unsigned char *data, size_t size, wgdn_error *err)
{
    (void)XXH3_64bits_update(s->hash, data, size);
    return wgdn_system_write(s->fd, data, size) < 0 ? tape_failed(s, err) : WGDN_OK;
}

static wgdn_status flush_tape(wgdn_tape *s, wgdn_error *err)
{
    const size_t filled = s->filled;
    s->filled = 0;
    return put_all(s, s->buffer, filled, err);
}

wgdn_status wgdn_tape_put(wgdn_tape *s, const void *data, size_t size, wgdn_error *err)
{
    s->size += (int64_t)size;
    if (size > s->room - s->filled) {
        const wgdn_status st = flush_tape(s, err);
        if (st) return st;
        if (size >= s->room) return put_all(s, data, size, err);
    }
    if (size) memcpy(s->buffer + s->filled, data, size);
    s->filled += size;
    return WGDN_OK;
}

wgdn_status wgdn_tape_finish(wgdn_tape *s, uint64_t *hash, wgdn_error *err)
{
    wgdn_status st = flush_tape(s, err);
    *hash = XXH3_64bits_digest(s->hash);
    if (!st && close(s->fd) != 0) st = tape_failed(s, err); /* some report a full disk here */
    s->fd = -1;
    wgdn_tape_close(s);
    return st;
}

/* What was read is not needed again: other files may have its place in the page cache. */
static void drop_behind(wgdn_tape *s)
{
    if (s->size - s->dropped < drop_every) return;
    wgdn_os_forget_file(s->fd, s->dropped, s->size - s->dropped);
    s->dropped = s->size;
}

wgdn_status wgdn_tape_take(wgdn_tape *s, void *data, size_t size, wgdn_error *err)
{
    unsigned char *to = data;
    while (size > 0) {
        if (s->at == s->filled) {
            const ssize_t got = wgdn_system_read(s->fd, s->buffer, s->room);
            if (got < 0) return tape_failed(s, err);
            if (got == 0)
                return wgdn_fail(err, WGDN_EIO, "%s: was cut at byte %lld; start again", s->path,
                                 (long long)s->size);
            s->at = 0;
            s->filled = (size_t)got;
            drop_behind(s);
        }
        const size_t left = s->filled - s->at, part = size < left ? size : left;
        memcpy(to, s->buffer + s->at, part);
        s->at += part;
        s->size += (int64_t)part;
        to += part;
        size -= part;
    }
    return WGDN_OK;
}

void wgdn_tape_close(wgdn_tape *s)
{
    if (s->fd >= 0 && s->path) close(s->fd);
    if (s->hash) (void)XXH3_freeState(s->hash);
    wgdn_release(s->buffer);
    wgdn_release(s->path);
    *s = (wgdn_tape){.fd = -1};
}

/* ---- the manifest ---- */

static const char file_name[] = "manifest", new_name[] = "manifest.new";

/* In the file: this, the pieces, and the hash of both. */
typedef struct head {
    char magic[16];
    uint64_t digest;
    int64_t state[WGDN_MANIFEST_STATE], pieces;
} head;

static const char magic[16] = "wgdn manifest 1";

static uint64_t hash_of(const head *h, const wgdn_piece *piece)
{
    const uint64_t of_head = XXH3_64bits(h, sizeof *h);
    return XXH3_64bits_withSeed(piece, (size_t)h->pieces * sizeof *piece, of_head);
}

wgdn_status wgdn_manifest_save(const wgdn_manifest *m, const wgdn_scratch *s, wgdn_error *err)
{
    enum { ROOM = 1 << 12 };
    head h = {.digest = m->digest, .pieces = m->pieces};
    wgdn_tape to = {.fd = -1};
    uint64_t unused;
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.state, m->state, sizeof h.state);
    const uint64_t hash = hash_of(&h, m->piece);
    wgdn_status st = wgdn_tape_create(&to, s, new_name, ROOM, err);
    if (!st) st = wgdn_tape_put(&to, &h, sizeof h, err);
    if (!st) st = wgdn_tape_put(&to, m->piece, (size_t)m->pieces * sizeof *m->piece, err);
    if (!st) st = wgdn_tape_put(&to, &hash, sizeof hash, err);
    if (!st) st = wgdn_tape_finish(&to, &unused, err);
    wgdn_tape_close(&to);
    if (st) return st;
    if (renameat(s->fd, new_name, s->fd, file_name) == 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_EWRITE, "%s: %s cannot be renamed to %s: %s", s->folder, new_name,
                     file_name, strerror(errno));
}

/* Names stay within the folder, sizes add up: a manifest is checked like any other input. */
static bool check_pieces(const wgdn_piece *piece, int64_t count)
{
    int64_t left = INT64_MAX;
    for (int64_t i = 0; i < count; i++) {
        const wgdn_piece *p = &piece[i];
        if (!memchr(p->name, '\0', sizeof p->name) || strchr(p->name, '/') || p->bytes < 0 ||
            p->bytes > left)
            return false;
        left -= p->bytes;
    }
    return true;
}

static bool parse(wgdn_manifest *m, const wgdn_bytes *b)
{
    head h;
    uint64_t hash;
    if (b->size < sizeof h + sizeof hash) return false;
    memcpy(&h, b->data, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.digest != m->digest || h.pieces < 0 ||
        h.pieces > (int64_t)(b->size / sizeof(wgdn_piece)))
        return false;
    const size_t bytes = (size_t)h.pieces * sizeof(wgdn_piece);
    if (b->size != sizeof h + bytes + sizeof hash) return false;
    if (!wgdn_grow(&m->piece, &m->room, h.pieces, sizeof *m->piece)) return false;
    if (bytes) memcpy(m->piece, b->data + sizeof h, bytes);
    memcpy(&hash, b->data + sizeof h + bytes, sizeof hash);
    if (hash != hash_of(&h, m->piece) || !check_pieces(m->piece, h.pieces)) return false;
    memcpy(m->state, h.state, sizeof m->state);
    m->pieces = h.pieces;
    return true;
}

bool wgdn_manifest_load(wgdn_manifest *m, const wgdn_scratch *s)
{
    wgdn_bytes b = {0};
    const bool good = !wgdn_scratch_map(&b, s, file_name, NULL) && parse(m, &b);
    wgdn_bytes_free(&b);
    return good;
}

/* Where the file system has no files without a name, one that loses it at once. */
static int open_unnamed(const char *folder)
{
    int fd = wgdn_system_open_unnamed(folder);
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

static wgdn_status open_file(wgdn_storage *s, const char *folder, const char *what, wgdn_error *err)
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

wgdn_status wgdn_storage_open(wgdn_storage *s, size_t bytes, const char *folder, const char *what,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *s = (wgdn_storage){.size = bytes};
    if (folder && bytes) {
        st = open_file(s, folder, what, err);
    } else {
        s->at = wgdn_alloc(bytes, 1);
        if (!s->at) st = wgdn_fail(err, WGDN_ENOMEM, "%s: %.1f MB", what, (double)bytes / 1e6);
    }
    if (st) wgdn_storage_close(s);
    return st;
}

void wgdn_storage_close(wgdn_storage *s)
{
    if (!s->in_file)
        wgdn_release(s->at);
    else if (s->at)
        (void)munmap(s->at, s->size);
    *s = (wgdn_storage){.at = NULL};
}
