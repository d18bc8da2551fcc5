/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/edge_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    wgdn_input in = fuzz_input(data, size);
    if (size) in.header = (wgdn_header)(data[size - 1] % 3);
    wgdn_edge_layout y;
    if (size > 1) c.o.bipartite = data[size - 2] % 4 == 1 ? 1 : data[size - 2] % 4 == 2 ? 0 : -1;
    wgdn_status st = wgdn_edge_layout_find(&y, &in, &c.o, &c.err);
    if (!st && y.graph >= 0) y.bipartite = false;
    if (!st) st = wgdn_edge_list_read(&c.w, &in, &y, &c.err);
    if (!st) st = wgdn_edge_layout_remark(&y, &c.w, &c.err);
    wgdn_edge_layout_free(&y);
    fuzz_end(&c, st);
    return 0;
}
