/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of csv.gz files as the Open Graph Benchmark ships node tasks. */
#ifndef WGDN_FORMATS_OGB_H
#define WGDN_FORMATS_OGB_H

#include "formats.h"

/* The files of one set, in memory; data NULL where there is none. */
typedef struct wgdn_ogb_files {
    const char *folder;
    wgdn_bytes edges, count, features, labels;
} wgdn_ogb_files;

extern const wgdn_format wgdn_ogb_format;

/* All but the splits, in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_ogb_parse(wgdn_draft *w, const wgdn_ogb_files *f, wgdn_error *err);
/* One part of a split: a node per line. */
WGDN_MUST_CHECK wgdn_status wgdn_ogb_split(int8_t *split, int64_t nodes, int kind,
                                           const wgdn_bytes *b, wgdn_error *err);

#endif
