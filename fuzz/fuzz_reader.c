/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of one text, a target for each: FUZZ_FORMAT names the format of this one. */
#include "fuzz_draft.h"

#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse(FUZZ_FORMAT.parse, data, size);
    return 0;
}
