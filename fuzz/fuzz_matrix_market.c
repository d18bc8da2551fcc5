/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_draft.h"

#include "formats/matrix_market.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse(wgdn_mtx_parse, data, size);
    return 0;
}
