/* SPDX-License-Identifier: Apache-2.0 */
/* Options as INI text, those of training half the time; then what texts among them say. */
#include "fuzz_use.h"

#include "model/model.h"

enum { KINDS = WGDN_OPTIONS_KIND_FIT + 1 };

/* Room for any of the structs. */
typedef union room {
    size_t struct_size;
    wgdn_dataset_options dataset;
    wgdn_train_options train;
    wgdn_fit_options fit;
    wgdn_eval_options eval;
    wgdn_restore_options restore;
} room;

/* Every option that was read can be written as text and read again. */
static void look_at(wgdn_options_kind kind, const room *o)
{
    const wgdn_option_info *row;
    room again;
    for (int i = 0; (row = wgdn_options_get_info(kind, i)); i++) {
        char text[160];
        FUZZ_EXPECT(!wgdn_options_get(text, sizeof text, kind, o, row->name, NULL));
        wgdn_options_init(kind, &again, sizeof again);
        FUZZ_EXPECT(!wgdn_options_set(kind, &again, row->name, text, NULL));
    }
}

/* The kernel, the shape and the layout that options of training give. */
static void plan(const wgdn_train_options *o)
{
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_model_plan(&m, o, 16, &err);
    if (!st) {
        const wgdn_layout *l = &m->layout;
        FUZZ_EXPECT(l->views <= WGDN_VIEWS_MAX && l->buffers <= 4 * WGDN_LAYERS_MAX && l->size > 0);
    }
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_model_free(m);
}

static void parse(wgdn_options_kind kind, const char *text)
{
    room o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_options_init(kind, &o, sizeof o);
    const wgdn_status st = wgdn_options_parse(kind, &o, text, "input", &err);
    FUZZ_EXPECT(st == WGDN_OK || (st == WGDN_EINVAL && err.message[0]));
    if (st) return;
    look_at(kind, &o);
    if (kind == WGDN_OPTIONS_KIND_TRAIN) plan(&o.train);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int64_t live = fuzz_use_begin();
    const unsigned way = fuzz_way(data, size);
    char *text = malloc(size + 1);
    FUZZ_EXPECT(text);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    parse(way % 2 ? WGDN_OPTIONS_KIND_TRAIN : (wgdn_options_kind)(way / 2 % KINDS), text);
    free(text);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
