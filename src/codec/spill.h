/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A large block that need not fit into memory: the process's own memory, or a file without a name
 * in a folder, mapped. Such a file is gone with the process, however that ends, and has its room on
 * the disk from the start, so that a full disk is told then and not by a signal later.
 */
#ifndef WGDN_SPILL_H
#define WGDN_SPILL_H

#include "base/base.h"

typedef struct wgdn_spill {
    void *at;
    size_t size;
    bool in_file;
} wgdn_spill;

/* folder: NULL for memory. what: for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_spill_open(wgdn_spill *s, size_t bytes, const char *folder,
                                            const char *what, wgdn_error *err);
/* Bytes from .. to - 1 are not needed soon: what lies in a file goes there; the rest stays. */
void wgdn_spill_forget(const wgdn_spill *s, size_t from, size_t to);
void wgdn_spill_close(wgdn_spill *s);

#endif
