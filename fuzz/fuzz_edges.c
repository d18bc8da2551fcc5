/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/edge_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    wgdn_input in = fuzz_input(data, size);
    if (size) in.header = (wgdn_header)(data[size - 1] % 3);
    bool graphs = false;
    wgdn_status st = wgdn_graph_edges_look(&graphs, &in, &c.err);
    if (!st && graphs && in.header != WGDN_HEADER_NO)
        st = wgdn_graph_edges_read(&c.w, &in, &c.err);
    else
        st = wgdn_edge_list_read(&c.w.edges, &c.w.ids, &in, 1, &c.err);
    fuzz_end(&c, st);
    return 0;
}
