/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads)
{
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.task = task;
    o.pool = pool;
    o.threads = threads;
    return vectors_embed_with(e, m, d, &o);
}

int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_model_embed(e, m, d, o, &err);
    return st ? complain_status(st, &err) : DONE;
}

int vectors_read(wgdn_embedding **e, const char *path)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_embedding_read(e, path, &err);
    return st ? complain_status(st, &err) : DONE;
}
