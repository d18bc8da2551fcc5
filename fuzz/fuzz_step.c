/* SPDX-License-Identifier: Apache-2.0 */
/* A packed dataset, on which a small model takes one epoch and which it then embeds. */
#include "fuzz_packed.h"

static wgdn_status use(const wgdn_dataset *d, unsigned way, wgdn_error *err)
{
    wgdn_train_options o;
    wgdn_model *m = NULL;
    wgdn_train_options_init(&o);
    o.dim = 3;
    o.structural_dim = 4;
    o.epochs = 1;
    o.batch_size = 2;
    o.layers = 1 + (int)(way % 2);
    o.encoder_order = 2;
    o.decoder_order = 2;
    o.aggregate = (wgdn_aggregate)(way / 2 % 3);
    o.norm = (wgdn_norm)(way / 8 % 3);
    o.loss = (wgdn_loss)(way / 32 % 4);
    o.decoder = (wgdn_decoder)(way / 128 % 2);
    o.features = (wgdn_structural_features)(way / 256 % 2);
    o.augment = (wgdn_augment)(way / 512 % 4);
    wgdn_status st = wgdn_model_train(&m, d, &o, NULL, err);
    if (!st) st = fuzz_embed(m, d, err);
    wgdn_model_free(m);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_packed(use, data, size);
    return 0;
}
