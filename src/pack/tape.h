/* SPDX-License-Identifier: Apache-2.0 */
/* A file of the scratch folder, written or read from its start to its end. */
#ifndef WGDN_TAPE_H
#define WGDN_TAPE_H

#include "scratch.h"

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

/* New, with a buffer of so many bytes. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_create(wgdn_tape *s, const wgdn_scratch *in, const char *name,
                                             size_t room, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_tape_put(wgdn_tape *s, const void *data, size_t size,
                                          wgdn_error *err);
/* All is written, and what is its hash. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_finish(wgdn_tape *s, uint64_t *hash, wgdn_error *err);

WGDN_MUST_CHECK wgdn_status wgdn_tape_open(wgdn_tape *s, const wgdn_scratch *in, const char *name,
                                           size_t room, wgdn_error *err);
/* The next bytes, which must be there. */
WGDN_MUST_CHECK wgdn_status wgdn_tape_take(wgdn_tape *s, void *data, size_t size, wgdn_error *err);
void wgdn_tape_close(wgdn_tape *s); /* also when it was never opened, if zeroed */

/* All of a file: its size and its hash; false where it is not there, or cannot be read. */
bool wgdn_tape_digest(const wgdn_scratch *in, const char *name, int64_t *size, uint64_t *hash);

#endif
