/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features, labels and splits of a few nodes, and an encoding: four files, a form feed between
 * them. The encoding that a table got, applied to the same table, makes the same features.
 */
#include "fuzz_draft.h"

#include "formats/node_table.h"

static void look_beside(wgdn_dataset *d, const wgdn_bytes *labels, const wgdn_bytes *splits)
{
    wgdn_error err;
    wgdn_status st = WGDN_OK;
    const wgdn_input label = wgdn_input_of(labels), split = wgdn_input_of(splits);
    const wgdn_dataset_options o = {.struct_size = sizeof o};
    if (labels->data) st = wgdn_labels_read(d, &label, &o, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    if (splits->data) st = wgdn_splits_read(d, &split, &o, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
}

static void same_table(const wgdn_table *a, const wgdn_table *b)
{
    FUZZ_EXPECT(a->rows == b->rows && a->width == b->width);
    const size_t entries = a->rows ? (size_t)a->offset[a->rows] : 0;
    if (a->rows)
        FUZZ_EXPECT(memcmp(a->offset, b->offset, (size_t)(a->rows + 1) * sizeof *a->offset) == 0);
    if (!entries) return;
    FUZZ_EXPECT(memcmp(a->column, b->column, entries * sizeof *a->column) == 0);
    FUZZ_EXPECT(memcmp(a->value, b->value, entries * sizeof *a->value) == 0);
}

static void read_again(fuzz_case *c, const wgdn_input *in, const wgdn_block *made)
{
    wgdn_encoding e = {.block = (wgdn_block *)(uintptr_t)made, .blocks = 1}, back;
    wgdn_block left = {0};
    wgdn_table t = {.max = c->w.table.max};
    char *text = NULL;
    FUZZ_EXPECT(wgdn_encoding_text(&text, &e, NULL) == WGDN_OK);
    FUZZ_EXPECT(wgdn_encoding_parse(&back, text, NULL) == WGDN_OK && wgdn_encoding_same(&e, &back));
    const wgdn_table_plan plan = {
        .max_categories = 3, .given = back.block, .made = &left, .remarks = &c->w.d->remarks};
    FUZZ_EXPECT(wgdn_table_read_columns(&t, &c->w.ids, in, &plan, &c->err) == WGDN_OK);
    same_table(&c->w.table, &t);
    wgdn_table_free(&t);
    wgdn_encoding_free(&back);
    wgdn_release(text);
}

static void look_at_encoding(const wgdn_bytes *b)
{
    wgdn_encoding e, back;
    char *text = NULL, *copy = b->data ? wgdn_alloc(b->size + 1, 1) : NULL;
    if (!copy) return;
    memcpy(copy, b->data, b->size);
    copy[b->size] = '\0';
    if (wgdn_encoding_parse(&e, copy, NULL) == WGDN_OK) {
        FUZZ_EXPECT(wgdn_encoding_text(&text, &e, NULL) == WGDN_OK);
        FUZZ_EXPECT(wgdn_encoding_parse(&back, text, NULL) == WGDN_OK);
        FUZZ_EXPECT(wgdn_encoding_same(&e, &back));
        wgdn_encoding_free(&back);
        wgdn_encoding_free(&e);
    }
    wgdn_release(text);
    wgdn_release(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const wgdn_text known[] = {{(const unsigned char *)"a", 1},
                                      {(const unsigned char *)"7", 1}};
    wgdn_bytes features = {0}, labels = {0}, splits = {0}, encoding = {0};
    wgdn_block made = {0};
    fuzz_case c;
    int32_t at[2];
    fuzz_files((wgdn_bytes *[]){&features, &labels, &splits, &encoding}, 4, data, size);
    look_at_encoding(&encoding);
    fuzz_begin(&c);
    wgdn_status st = wgdn_ids_add(&c.w.ids, known, 2, at, &c.err);
    const wgdn_input in = wgdn_input_of(&features);
    const wgdn_table_plan plan = {.max_categories = 3,
                                  .scale = (wgdn_feature_scale)(size % 4),
                                  .made = &made,
                                  .remarks = &c.w.d->remarks};
    if (!st) st = wgdn_table_read_columns(&c.w.table, &c.w.ids, &in, &plan, &c.err);
    if (!st) read_again(&c, &in, &made);
    wgdn_block_free(&made);
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
