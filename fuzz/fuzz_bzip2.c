/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_unpack(&wgdn_packing_bzip2, data, size);
    return 0;
}
