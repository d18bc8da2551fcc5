/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

wgdn_status wgdn_model_embed(float *out, const wgdn_model *m, const wgdn_dataset *d,
                             const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    wgdn_feed s = {0};
    wgdn_workspace *w = NULL;
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_feed_open(&s, d, m, err);
    if (!st) st = wgdn_workspace_new(&w, m, &s.input, false, err);
    if (!st) st = wgdn_encode(out, m, w, wgdn_dataset_get_graph(d), &s.input, err);
    wgdn_workspace_free(w);
    wgdn_feed_free(&s);
    wgdn_threads_use(former);
    return st;
}
