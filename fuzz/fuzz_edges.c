/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    const wgdn_header header = size ? (wgdn_header)(data[size - 1] % 3) : WGDN_HEADER_AUTO;
    bool graphs = false;
    wgdn_status st = wgdn_graph_edges_look(&graphs, data, size, "input", &c.err);
    if (!st && graphs && header != WGDN_HEADER_NO)
        st = wgdn_graph_edges_read(&c.w, data, size, "input", &c.err);
    else
        st = wgdn_edges_read(&c.w.edges, &c.w.ids, data, size, "input", header, 1, &c.err);
    fuzz_end(&c, st);
    return 0;
}
