/* SPDX-License-Identifier: Apache-2.0 */
/* Features, labels and splits of a few nodes: three files, a form feed between them. */
#include "fuzz_draft.h"

#include "formats/parts.h"

static void look_beside(wgdn_dataset *d, const wgdn_bytes *labels, const wgdn_bytes *splits)
{
    wgdn_error err;
    wgdn_status st = WGDN_OK;
    const wgdn_input label = wgdn_input_of(labels), split = wgdn_input_of(splits);
    if (labels->data) st = wgdn_labels_read(d, &label, NULL, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    if (splits->data) st = wgdn_splits_read(d, &split, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const wgdn_text known[] = {{(const unsigned char *)"a", 1},
                                      {(const unsigned char *)"7", 1}};
    wgdn_bytes features = {0}, labels = {0}, splits = {0};
    fuzz_case c;
    int32_t at[2];
    fuzz_files((wgdn_bytes *[]){&features, &labels, &splits}, 3, data, size);
    fuzz_begin(&c);
    wgdn_status st = wgdn_ids_add(&c.w.ids, known, 2, at, &c.err);
    const wgdn_input in = wgdn_input_of(&features);
    if (!st) st = wgdn_table_read(&c.w.table, &c.w.ids, &in, &c.err);
    c.w.tabled = true;
    if (!st) st = wgdn_draft_finish(&c.w, "input", &c.err);
    if (!st) {
        look_beside(c.w.d, &labels, &splits);
        fuzz_look(c.w.d);
        st = wgdn_fail(&c.err, WGDN_EFORMAT, "done"); /* nothing left to finish */
    }
    fuzz_end(&c, st);
    return 0;
}
