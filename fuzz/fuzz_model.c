/* SPDX-License-Identifier: Apache-2.0 */
/* Models, trained and fitted: loaded, looked at, and made to embed a small graph. */
#include "fuzz_sizes.h"
#include "fuzz_use.h"

#include "model/model.h"

static void embed(const wgdn_model *m, const wgdn_model_info *i)
{
    wgdn_error err = {WGDN_OK, ""};
    if (i->features > FUZZ_COLUMNS_MAX) return;
    wgdn_dataset *d = fuzz_ring(i->features, fuzz_ring_graphs(m));
    FUZZ_EXPECT(fuzz_refuses(fuzz_embed(m, d, &err), &err));
    wgdn_dataset_free(d);
}

static void use(const wgdn_model *m)
{
    wgdn_model_info i = {.struct_size = sizeof i, .examine = 1};
    wgdn_fit_report r = {.struct_size = sizeof r};
    wgdn_model_describe(&i, m);
    FUZZ_EXPECT(i.dim > 0 && i.features >= 0 && i.not_finite == 0);
    if (i.encoding) fuzz_touch(i.encoding, strlen(i.encoding));
    if (i.fit) FUZZ_EXPECT(wgdn_model_describe_fit(&r, m, NULL) == WGDN_OK);
    embed(m, &i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_archive a = {0};
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const int64_t live = fuzz_use_begin();
    wgdn_status st = wgdn_archive_parse(&a, &b, FUZZ_LIMIT, &err);
    if (!st) st = wgdn_any_model_parse(&m, &a, "input", &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_archive_free(&a); /* a model keeps nothing of its file */
    if (!st) use(m);
    wgdn_model_free(m);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
