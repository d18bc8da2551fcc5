/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    fuzz_end(&c, wgdn_mtx_parse(&c.w, data, size, "input", &c.err));
    return 0;
}
