/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_FIT_ORIGIN_H
#define WGDN_FIT_ORIGIN_H

#include "data/dataset.h"
#include "io/lines.h"

/* The data that a model was made of; all 0 where its file does not say. */
typedef struct wgdn_origin {
    int64_t nodes, edges, graphs;
} wgdn_origin;

wgdn_origin wgdn_origin_of(const wgdn_dataset *d);
void wgdn_origin_add(wgdn_pairs *p, const wgdn_origin *o);
wgdn_origin wgdn_origin_read(const wgdn_archive *a);

#endif
