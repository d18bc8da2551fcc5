/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder for what does not fit into memory, private to its user. It is named after the input,
 * locked while somebody works in it, and stays when a run is killed, so that the next one resumes.
 */
#ifndef WGDN_PACK_SCRATCH_H
#define WGDN_PACK_SCRATCH_H

#include "codec/bytes.h"

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
char *wgdn_scratch_path(const wgdn_scratch *s, const char *name);
/* A new file of mode 0600 to write to, instead of one of that name. -1 and errno on failure. */
int wgdn_scratch_create(const wgdn_scratch *s, const char *name);
/* A file of this or an earlier run; EPERM: a link, or a file that others own or can reach. */
int wgdn_scratch_reopen(const wgdn_scratch *s, const char *name, int flags);
/* All of such a file; its name in messages lives as long as the scratch. */
WGDN_MUST_CHECK wgdn_status wgdn_scratch_map(wgdn_bytes *b, const wgdn_scratch *s, const char *name,
                                             wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_scratch_rename(const wgdn_scratch *s, const char *from,
                                                const char *to, wgdn_error *err);
void wgdn_scratch_drop(const wgdn_scratch *s, const char *name); /* that file, if it is ours */

#endif
