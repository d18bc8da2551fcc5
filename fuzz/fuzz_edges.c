/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    const wgdn_header header = size ? (wgdn_header)(data[size - 1] % 3) : WGDN_HEADER_AUTO;
    fuzz_end(&c, wgdn_edges_read(&c.w.edges, &c.w.ids, data, size, "input", header, 1, &c.err));
    return 0;
}
