/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of one text, a target for each: FUZZ_PARSE names the function of this one. */
#include "fuzz_draft.h"

#include "formats/gexf.h"
#include "formats/gml.h"
#include "formats/graphml.h"
#include "formats/matrix_market.h"
#include "formats/metis.h"
#include "formats/networkx.h"
#include "formats/node_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse(FUZZ_PARSE, data, size);
    return 0;
}
