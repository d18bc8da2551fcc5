/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form as a model. */
#include "dataset/reading.h"
#include "model.h"

wgdn_status wgdn_model_enclose(wgdn_model **out, wgdn_fitted *f, wgdn_error *err)
{
    wgdn_model *m = wgdn_alloc_zero(1, sizeof *m);
    if (!m) {
        wgdn_fitted_free(f);
        return wgdn_fail(err, WGDN_ENOMEM, "model: handle");
    }
    m->fitted = f;
    *out = m;
    return WGDN_OK;
}

wgdn_status wgdn_model_fit(wgdn_model **out, const wgdn_dataset *d, const wgdn_fit_options *o,
                           wgdn_error *err)
{
    wgdn_fit_options opt;
    wgdn_fitted *f = NULL;
    wgdn_model *m = NULL;
    wgdn_status st = wgdn_fit_options_read(&opt, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_fitted_make(&f, d, &opt, err);
    wgdn_threads_use(former);
    if (!st) st = wgdn_model_enclose(&m, f, err);
    if (!st) st = wgdn_dataset_unchanged(d, err);
    if (!st) st = wgdn_model_keep_encoding(m, f->features ? d->encoding : NULL, err);
    if (!st && d->choice.read) st = wgdn_reading_text(&m->reading, d, err);
    if (st)
        wgdn_model_free(m);
    else
        *out = m;
    return st;
}

wgdn_status wgdn_model_get_fit(wgdn_fit_report *out, const wgdn_model *m, wgdn_error *err)
{
    const wgdn_fitted *f = m->fitted;
    if (!f)
        return wgdn_fail(err, WGDN_EINVAL, "this model was trained; a fitted one tells of a scale");
    wgdn_fit_report made = {.parts = f->shows,
                            .part = f->shown,
                            .scales = f->scales,
                            .scale = f->scale,
                            .agreement = f->agreement,
                            .refined = {f->refined.loss[0], f->refined.loss[1]},
                            .halo_bytes = f->halo_sent,
                            .sum_bytes = f->sums_sent,
                            .remarks = f->remarks.count,
                            .remark = f->remarks.list};
    for (int t = 0; t < f->scales; t++)
        if (t == 0 || f->agreement[t] > made.best) made.best = f->agreement[t];
    return wgdn_result_give(out, &made, sizeof made, err);
}
