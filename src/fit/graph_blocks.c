/* SPDX-License-Identifier: Apache-2.0 */
/* Which cosines vectors of graphs are made of: for each scale, degrees alone, then more hops. */
#include "graphs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A_SCALE = WGDN_GRAPH_HOPS + 2 }; /* blocks */

static const double scales[WGDN_GRAPH_SCALES] = {0.12, 0.5};
static const char *const names[A_SCALE] = {"cosines of a node's degree", "cosines of a node",
                                           "cosines of hops 0 and 1", "cosines of hops 0 to 2",
                                           "cosines of hops 0 to 3"};

wgdn_cosine_block wgdn_cosine_block_get(int i)
{
    const int form = i % A_SCALE;
    const double s = scales[i / A_SCALE];
    if (form == 0) return (wgdn_cosine_block){names[0], s, s, 0, 1};
    return (wgdn_cosine_block){names[form], s, s * sqrt(2 * form), form - 1, WGDN_NODE_COLUMNS};
}

void wgdn_cosine_blocks_text(char *text, size_t size)
{
    int used =
        snprintf(text, size, "%d cosines, %d hops, scales", WGDN_GRAPH_COSINES, WGDN_GRAPH_HOPS);
    for (int s = 0; s < WGDN_GRAPH_SCALES && used > 0 && (size_t)used < size; s++) {
        char scale[32];
        wgdn_number_text(scale, sizeof scale, scales[s]);
        used += snprintf(text + used, size - (size_t)used, " %s", scale);
    }
}
