/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/networkx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse(wgdn_networkx_parse, data, size);
    return 0;
}
