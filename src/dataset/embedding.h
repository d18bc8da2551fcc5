/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as they were read, or as another stage made them. */
#ifndef WGDN_EMBEDDING_H
#define WGDN_EMBEDDING_H

#include "features.h"
#include "ids.h"

struct wgdn_embedding {
    wgdn_features vectors; /* dense */
    bool named; /* ids has a name for every row; else row i has the number first_id + i */
    wgdn_ids ids;
    int64_t first_id;
    wgdn_archive archive; /* what the vectors were borrowed from */
};

/* Takes over *values, also on failure: rows x width, from wgdn_alloc(). */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_take(wgdn_embedding **out, float **values, int64_t rows,
                                                int64_t width, wgdn_error *err);
wgdn_text wgdn_embedding_name(const wgdn_embedding *e, int64_t row, char buffer[WGDN_INDEX_TEXT]);

#endif
