/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_MODEL_AUGMENT_H
#define WGDN_MODEL_AUGMENT_H

#include "workspace.h"

/* The graph that the decoder works on in this step: g itself, or g without some edges. */
const wgdn_graph *wgdn_augment_graph(const wgdn_pass *p);
/* x = aug(x), for decoder layer k. */
void wgdn_augment_rows(float *x, const wgdn_pass *p, int k);
/* dx of what went in, from dx of what came out, in place. */
void wgdn_augment_rows_back(float *dx, const wgdn_pass *p);

#endif
