/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/graphml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    const wgdn_input in = fuzz_input(data, size);
    fuzz_end(&c, wgdn_graphml_parse(&c.w, &in, &c.err));
    return 0;
}
