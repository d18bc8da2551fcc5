/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets made up for measurements: the size of a known set, or R-MAT graphs of any size. */
#ifndef WGDN_BENCH_SYNTHETIC_H
#define WGDN_BENCH_SYNTHETIC_H

#include "base/base.h"

#include <stdio.h>

/*
 * "arxiv-sized" or "pubmed-sized", and the preset that goes with it; NULL for any other name. The
 * graph has power-law degrees and exactly the edges of its model.
 */
wgdn_dataset *synthetic_sized(const char *name, const char **preset);

/*
 * R-MAT with the usual corners 0.57, 0.19, 0.19, 0.05: `edges` drawn, repeats and loops dropped,
 * an eighth as many nodes, and dense normal features.
 */
wgdn_dataset *synthetic_rmat(int64_t edges, int64_t width);

/*
 * Communities of about 700 nodes, a tenth of the edges between them, eight edges a node, the nodes'
 * numbers shuffled, and one column of features.
 */
wgdn_dataset *synthetic_clustered(int64_t nodes);

/* Edges first .. end - 1 as lines of text, as drawn: nothing of their number is in memory. */
bool synthetic_rmat_text(FILE *to, int64_t edges, int64_t first, int64_t end);

/*
 * Features for such a graph as a .npy of float32, written as they are made: the bits of a node's
 * number, which neighbors in an R-MAT graph tend to share, in random directions, and noise.
 */
bool synthetic_rmat_features(FILE *to, int64_t edges, int64_t width);

/* The graphs of the two alone; communities lie together where they are not shuffled. */
wgdn_graph *synthetic_rmat_graph(int64_t edges);
wgdn_graph *synthetic_clustered_graph(int64_t nodes, bool shuffled);

#endif
