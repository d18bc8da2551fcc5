/* SPDX-License-Identifier: Apache-2.0 */
/* Named arrays as a dataset: what comes of them, whatever they are. */
#include "fuzz_draft.h"

#include "formats/npz_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    fuzz_begin(&c);
    c.o.features = NULL;
    wgdn_status st = wgdn_archive_parse(&c.w.d->archive, &b, FUZZ_LIMIT, &c.err);
    if (!st) st = wgdn_npz_read(&c.w, "input", &c.err);
    fuzz_end(&c, st);
    return 0;
}
