/* SPDX-License-Identifier: Apache-2.0 */
/* A packed dataset, to which the closed form is fitted, and which it then embeds. */
#include "fuzz_packed.h"

static wgdn_status use(const wgdn_dataset *d, unsigned way, wgdn_error *err)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = 8;
    o.features = (wgdn_fit_features)(way % 4);
    o.scale = way / 4 % 4 ? 1 : -1;
    /* Thousands of cosines a node are too many here: sets of graphs are fitted by their nodes. */
    o.task = way / 16 % 64 ? WGDN_TASK_NODE : WGDN_TASK_AUTO;
    wgdn_status st = wgdn_model_fit(&m, d, &o, err);
    if (!st) st = fuzz_embed(m, d, err);
    wgdn_model_free(m);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_packed(use, data, size);
    return 0;
}
