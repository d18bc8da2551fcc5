/* SPDX-License-Identifier: Apache-2.0 */
/* Options as INI text, those of training half the time; then what texts among them say. */
#include "fuzz_use.h"

#include "base/options.h"

enum { KINDS = WGDN_OPTIONS_FIT + 1 };

static void look_at(wgdn_options_kind kind, const void *o)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    wgdn_option_room again;
    for (size_t i = 0; i < set->count; i++) {
        char text[160];
        FUZZ_EXPECT(!wgdn_option_get_text(text, sizeof text, o, set, set->row[i].name, NULL));
        wgdn_option_defaults(&again, set->size, set);
        FUZZ_EXPECT(!wgdn_option_set_text(&again, set, set->row[i].name, text, NULL));
    }
}

/* The kernel and the shape that options of training come to. */
static void plan(const wgdn_train_options *o)
{
    wgdn_kernel *k = NULL;
    wgdn_shape s;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_status st = wgdn_kernel_parse(&k, o->kernel, &err);
    if (!st) st = wgdn_shape_from(&s, o, 16, k, &err);
    if (!st) {
        wgdn_layout *l = wgdn_alloc(1, sizeof *l);
        FUZZ_EXPECT(l);
        wgdn_layout_make(l, &s, o);
        FUZZ_EXPECT(l->views <= WGDN_VIEWS_MAX && l->buffers <= 4 * WGDN_LAYERS_MAX && l->size > 0);
        wgdn_release(l);
    }
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_kernel_free(k);
}

static void parse(wgdn_options_kind kind, const char *text)
{
    wgdn_option_room o;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    wgdn_option_defaults(&o, set->size, set);
    const wgdn_status st = wgdn_options_parse(kind, &o, text, "input", &err);
    FUZZ_EXPECT(st == WGDN_OK || (st == WGDN_EINVAL && err.message[0]));
    if (st) return;
    look_at(kind, &o);
    if (kind == WGDN_OPTIONS_TRAIN) plan(&o.train);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int64_t live = fuzz_use_begin();
    const unsigned way = fuzz_way(data, size);
    char *text = malloc(size + 1);
    FUZZ_EXPECT(text);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    parse(way % 2 ? WGDN_OPTIONS_TRAIN : (wgdn_options_kind)(way / 2 % KINDS), text);
    free(text);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
