/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as they were read, or as another stage made them. */
#ifndef WGDN_EMBEDDING_H
#define WGDN_EMBEDDING_H

#include "features.h"
#include "ids.h"

struct wgdn_embedding {
    wgdn_features vectors; /* dense */
    bool named;            /* ids has a name for every row; else row i has the number i */
    wgdn_ids ids;
    wgdn_archive archive; /* what the vectors were lent from */
};

/* wgdn_embedding_read() with the file in memory. Takes over *a, also on failure. */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_archive(wgdn_embedding **out, wgdn_archive *a,
                                                        const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_text(wgdn_embedding **out, const void *data,
                                                     size_t size, const char *path,
                                                     wgdn_error *err);

/* Takes over *values, also on failure: rows x width, from wgdn_alloc(). */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_take(wgdn_embedding **out, float **values, int64_t rows,
                                                int64_t width, wgdn_error *err);

#endif
