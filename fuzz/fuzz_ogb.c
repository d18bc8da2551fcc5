/* SPDX-License-Identifier: Apache-2.0 */
/* Edges, number of nodes, features, labels, one part of a split: a form feed between them. */
#include "fuzz_draft.h"

#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_ogb_files f = {.folder = "input"};
    wgdn_bytes part = {0};
    fuzz_case c;
    fuzz_files((wgdn_bytes *[]){&f.edges, &f.count, &f.features, &f.labels, &part}, 5, data, size);
    fuzz_begin(&c);
    wgdn_status st = wgdn_ogb_parse(&c.w, &f, &c.err);
    if (!st && part.data) {
        c.w.d->split = wgdn_alloc_zero((size_t)c.w.d->nodes, 1);
        c.w.d->splits = 1;
        FUZZ_EXPECT(c.w.d->split);
        st = wgdn_ogb_split(c.w.d->split, c.w.d->nodes, WGDN_SPLIT_VAL, &part, &c.err);
    }
    fuzz_end(&c, st);
    return 0;
}
