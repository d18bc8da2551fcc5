/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/node_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    c.w.tabled = true;
    const wgdn_input in = fuzz_input(data, size);
    fuzz_end(&c, wgdn_table_read_json(&c.w.table, &c.w.ids, &in, &c.err));
    return 0;
}
