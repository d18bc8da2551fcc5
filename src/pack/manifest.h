/* SPDX-License-Identifier: Apache-2.0 */
/* What is finished in a scratch folder: the next run goes on from there. */
#ifndef WGDN_MANIFEST_H
#define WGDN_MANIFEST_H

#include "scratch.h"

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

WGDN_MUST_CHECK wgdn_status wgdn_manifest_add(wgdn_manifest *m, const wgdn_piece *p,
                                              wgdn_error *err);
/* Whole or not at all; the pieces that it names must have been written before. */
WGDN_MUST_CHECK wgdn_status wgdn_manifest_save(const wgdn_manifest *m, const wgdn_scratch *s,
                                               wgdn_error *err);
/* Whether there is one of this digest; m has nothing but its digest before, and else after. */
bool wgdn_manifest_load(wgdn_manifest *m, const wgdn_scratch *s);
void wgdn_manifest_free(wgdn_manifest *m);

#endif
