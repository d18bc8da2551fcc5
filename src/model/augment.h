/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_AUGMENT_H
#define WGDN_AUGMENT_H

#include "workspace.h"

/* The graph that the decoder works on in this step: g itself, or g without some edges. */
const wgdn_graph *wgdn_augment_graph(const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                                     wgdn_stream step);
/* x = aug(x). draw: standard normals to take instead of the stream's, or NULL. */
void wgdn_augment_rows(float *x, const wgdn_model *m, const wgdn_workspace *w, wgdn_stream noise,
                       const float *draw);
/* dx of what went in, from dx of what came out, in place. */
void wgdn_augment_rows_back(float *dx, const wgdn_model *m, const wgdn_workspace *w,
                            wgdn_stream step);

#endif
