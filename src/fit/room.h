/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of a fit of features, or of structure, and what they come to in memory: room.c. */
#ifndef WGDN_FIT_ROOM_H
#define WGDN_FIT_ROOM_H

#include "fit.h"

enum { WGDN_FIT_PROCESS = 24 << 20 }; /* program, libraries, and what the dense engine packs */

typedef struct wgdn_sizes {
    double n, entries, features, nonzeros, dim, k;
    double inner;  /* columns of features that are filtered, then mapped */
    double refine; /* epochs */
    bool structure, weighted, sparse;
    bool reduces; /* features are more than that */
    bool filters; /* by a scale that is given, before they are reduced, and not mapped then */
} wgdn_sizes;

wgdn_sizes wgdn_sizes_of(const wgdn_dataset *d, const wgdn_fit_options *o);
/* Bytes: of the graph, of as much of it as is in memory with slabs, of the dataset, and of the
 * largest of the stages of fitting and embedding at once; slab 0: all in memory. */
double wgdn_sizes_graph(const wgdn_sizes *s);
double wgdn_sizes_held(const wgdn_dataset *d, const wgdn_sizes *s);
double wgdn_sizes_dataset(const wgdn_dataset *d, const wgdn_sizes *s);
double wgdn_sizes_workspace(const wgdn_dataset *d, const wgdn_sizes *s, int64_t slab);

#endif
