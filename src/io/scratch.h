/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_SCRATCH_H
#define WGDN_IO_SCRATCH_H

#include "bytes.h"

#include <stdio.h>
#include <string.h>

/*
 * A folder for what does not fit into memory, private to its user. It is named after the input,
 * locked while somebody works in it, and stays when a run is killed, so that the next one resumes.
 */
typedef struct wgdn_scratch {
    char *folder;
    int fd, lock; /* of the folder, and of the file in it that is locked */
    bool fresh;   /* under a name by chance: removed when it is closed */
    bool held;    /* the lock is ours */
} wgdn_scratch;

/*
 * FOLDER/wgdn-pack-DIGEST of the input's name, which is created with mode 0700 or resumed; one that
 * another user owns or can enter, or that is a link, is refused. NULL: a new folder in TMPDIR, or
 * /tmp, which no later run resumes.
 */
WGDN_MUST_CHECK wgdn_status wgdn_scratch_open(wgdn_scratch **out, const char *folder,
                                              const char *input, wgdn_error *err);
void wgdn_scratch_close(wgdn_scratch *s);  /* what is in it stays; NULL is fine */
void wgdn_scratch_remove(wgdn_scratch *s); /* and it is gone; NULL is fine */
void wgdn_scratch_clear(const wgdn_scratch *s);

/* The path of a file in it, for messages, to be released; NULL: no memory. */
static inline char *wgdn_scratch_path(const wgdn_scratch *s, const char *name)
{
    const size_t size = strlen(s->folder) + strlen(name) + 2;
    char *path = wgdn_alloc(size, 1);
    if (path) snprintf(path, size, "%s/%s", s->folder, name);
    return path;
}

/* A new file of mode 0600 to write to, instead of one of that name. -1 and errno on failure. */
int wgdn_scratch_create(const wgdn_scratch *s, const char *name);
/* A file of this or an earlier run; EPERM: a link, or a file that others own or can reach. */
int wgdn_scratch_reopen(const wgdn_scratch *s, const char *name, int flags);
/* All of such a file; its name in messages lives as long as the scratch. */
WGDN_MUST_CHECK wgdn_status wgdn_scratch_map(wgdn_bytes *b, const wgdn_scratch *s, const char *name,
                                             wgdn_error *err);
void wgdn_scratch_drop(const wgdn_scratch *s, const char *name); /* that file, if it is ours */

/*
 * A large block of bytes in memory, or in a file without a name that is mapped. The file vanishes
 * with the process, however that ends. Its disk space is allocated at once, so that a full disk is
 * reported then and does not raise a signal later.
 */
typedef struct wgdn_storage {
    void *at;
    size_t size;
    bool in_file;
} wgdn_storage;

/* folder: of the file, or NULL for memory. what: for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_storage_open(wgdn_storage *s, size_t bytes, const char *folder,
                                              const char *what, wgdn_error *err);
/* Releases the pages of bytes from .. to - 1 of a file, which stay on disk; memory stays as it is. */
static inline void wgdn_storage_release(const wgdn_storage *s, size_t from, size_t to)
{
    const wgdn_bytes b = {.block = s->at, .size = s->size, .mapped = s->in_file};
    wgdn_bytes_forget(&b, from, to);
}

void wgdn_storage_close(wgdn_storage *s);

/* ---- files that are written or read from start to end ---- */

typedef struct wgdn_tape {
    char *path;
    int fd;
    unsigned char *buffer;
    size_t room, filled, at; /* read: the next byte; written: all of it is filled */
    int64_t size;            /* bytes that went through */
    int64_t length;          /* read: bytes of the file when it was opened */
    int64_t dropped;         /* read: bytes that the page cache no longer needs */
    void *hash;              /* of what is written */
    bool writing;
} wgdn_tape;

/* Creates one with a buffer of the given size. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_create(wgdn_tape *s, const wgdn_scratch *in, const char *name,
                                             size_t room, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_tape_put(wgdn_tape *s, const void *data, size_t size,
                                          wgdn_error *err);
/* Writes the rest and returns the hash of the whole file. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_finish(wgdn_tape *s, uint64_t *hash, wgdn_error *err);

WGDN_MUST_CHECK wgdn_status wgdn_tape_open(wgdn_tape *s, const wgdn_scratch *in, const char *name,
                                           size_t room, wgdn_error *err);
/* Reads the next bytes; fails if there are fewer. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_take(wgdn_tape *s, void *data, size_t size, wgdn_error *err);
void wgdn_tape_close(wgdn_tape *s); /* also when it was never opened, if zeroed */

/* Lists the finished files of a scratch folder, from which the next run resumes. */
/* A sorted run among others in one file, or a file of its own. */
typedef struct wgdn_piece {
    char name[16]; /* of the file; empty: a run */
    int64_t bytes;
    uint64_t hash;
    int64_t words; /* of 64 bits in a record */
} wgdn_piece;

enum { WGDN_MANIFEST_STATE = 32 };

typedef struct wgdn_manifest {
    uint64_t digest;                    /* of the input and of all options that matter */
    int64_t state[WGDN_MANIFEST_STATE]; /* what the user of the folder keeps */
    wgdn_piece *piece;
    int64_t pieces, room;
} wgdn_manifest;

WGDN_MUST_CHECK static inline wgdn_status wgdn_manifest_add(wgdn_manifest *m, const wgdn_piece *p,
                                                            wgdn_error *err)
{
    if (!wgdn_grow(&m->piece, &m->room, m->pieces + 1, sizeof *m->piece))
        return wgdn_fail(err, WGDN_ENOMEM, "scratch: a list of %lld runs", (long long)m->pieces);
    m->piece[m->pieces++] = *p;
    return WGDN_OK;
}

/* Writes the manifest completely or not at all; the pieces that it names must exist. */
WGDN_MUST_CHECK wgdn_status wgdn_manifest_save(const wgdn_manifest *m, const wgdn_scratch *s,
                                               wgdn_error *err);
/* Whether there is one of this digest; m has nothing but its digest before, and else after. */
bool wgdn_manifest_load(wgdn_manifest *m, const wgdn_scratch *s);

static inline void wgdn_manifest_free(wgdn_manifest *m)
{
    wgdn_release(m->piece);
    *m = (wgdn_manifest){0};
}

#endif
