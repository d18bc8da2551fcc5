/* SPDX-License-Identifier: Apache-2.0 */
/* Edges, graph indicator, graph labels, node labels: a form feed between them. */
#include "fuzz_draft.h"

#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_tu_files f = {0};
    fuzz_case c;
    fuzz_files((wgdn_bytes *[]){&f.edges, &f.indicator, &f.graph_labels, &f.node_labels}, 4, data,
               size);
    if (!f.indicator.data) return 0;
    fuzz_begin(&c);
    fuzz_end(&c, wgdn_tu_parse(&c.w, &f, &c.err));
    return 0;
}
