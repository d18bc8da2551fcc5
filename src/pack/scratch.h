/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder for what does not fit into memory. It is named after the input, locked while somebody
 * works in it, and stays when a run is killed, so that the next one goes on from what is finished.
 */
#ifndef WGDN_PACK_SCRATCH_H
#define WGDN_PACK_SCRATCH_H

#include "base/base.h"

typedef struct wgdn_scratch {
    char *folder;
    int lock;
} wgdn_scratch;

/* FOLDER/wgdn-pack-DIGEST of the input's name; NULL: in TMPDIR, or /tmp. */
WGDN_MUST_CHECK wgdn_status wgdn_scratch_open(wgdn_scratch **out, const char *folder,
                                              const char *input, wgdn_error *err);
void wgdn_scratch_close(wgdn_scratch *s);  /* what is in it stays; NULL is fine */
void wgdn_scratch_remove(wgdn_scratch *s); /* and it is gone; NULL is fine */
void wgdn_scratch_clear(const wgdn_scratch *s);

/* The path of a file in it, to be released; NULL: no memory. */
char *wgdn_scratch_path(const wgdn_scratch *s, const char *name);
void wgdn_scratch_drop(const wgdn_scratch *s, const char *name); /* that file */

#endif
