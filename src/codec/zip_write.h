/* SPDX-License-Identifier: Apache-2.0 */
/* A zip file member by member, with the same bytes for the same members at any time. */
#ifndef WGDN_ZIP_WRITE_H
#define WGDN_ZIP_WRITE_H

#include "bytes.h"

typedef struct wgdn_zip_written wgdn_zip_written;

typedef struct wgdn_zip_writer {
    wgdn_output *output;
    wgdn_zip_written *member;
    size_t members, room;
    uint64_t offset;
    uint64_t wide_from; /* sizes and offsets from here on take zip64 records; tests lower it */
    const char *path;
} wgdn_zip_writer;

WGDN_MUST_CHECK wgdn_status wgdn_zip_begin(wgdn_zip_writer *w, const char *path, wgdn_error *err);
/* A member of two pieces, deflated when that is cheap and helps. Names must differ. */
WGDN_MUST_CHECK wgdn_status wgdn_zip_add(wgdn_zip_writer *w, const char *name, const void *head,
                                         size_t head_size, const void *body, size_t body_size,
                                         wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_zip_commit(wgdn_zip_writer *w, wgdn_error *err); /* or nothing */
void wgdn_zip_abandon(wgdn_zip_writer *w);

#endif
