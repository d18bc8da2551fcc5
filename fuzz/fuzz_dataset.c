/* SPDX-License-Identifier: Apache-2.0 */
/* The packed dataset, as safetensors bytes. */
#include "fuzz_draft.h"

#include "formats/packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_case c;
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    fuzz_begin(&c);
    wgdn_status st = wgdn_archive_parse(&c.w.d->archive, &b, FUZZ_LIMIT, &c.err);
    if (!st) st = wgdn_packed_parse(c.w.d, "input", &c.o, &c.err);
    if (!st) {
        fuzz_look(c.w.d);
        st = wgdn_fail(&c.err, WGDN_EFORMAT, "done"); /* there is no draft to finish */
    }
    fuzz_end(&c, st);
    return 0;
}
