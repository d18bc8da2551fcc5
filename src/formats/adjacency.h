/* SPDX-License-Identifier: Apache-2.0 */
/* An adjacency matrix as text, where an edge list could be: a row and a column for each node, weights in them. */
#ifndef WGDN_FORMATS_ADJACENCY_H
#define WGDN_FORMATS_ADJACENCY_H

#include "formats.h"

typedef struct wgdn_adjacency {
    bool is;
    bool perhaps; /* as many rows as columns, and nothing else that speaks for it */
    bool header;  /* row 1 has names of nodes, */
    bool named;   /* and column 1 has the same */
    int64_t nodes;
} wgdn_adjacency;

/* By the rows from where l stands, behind row 1; its fields are in `name`. */
WGDN_MUST_CHECK wgdn_status wgdn_adjacency_look(wgdn_adjacency *a, wgdn_lines *l,
                                                const wgdn_text *name, int64_t columns,
                                                wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_adjacency_read(wgdn_draft *w, const wgdn_input *in,
                                                const wgdn_adjacency *a, const wgdn_text *name,
                                                wgdn_error *err);

#endif
