/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: taken up by the run that they say they are of, which then takes one step. */
#include "fuzz_sizes.h"
#include "fuzz_use.h"

#include "model/train.h"

#include <math.h>

static wgdn_status step(wgdn_model *m, wgdn_optimizer *o, const wgdn_run_state *at,
                        const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_batches b = {0};
    wgdn_workspace *w = NULL;
    double loss = 0;
    float *grad = wgdn_alloc_zero((size_t)m->layout.size, sizeof *grad);
    wgdn_status st = grad ? wgdn_batches_open(&b, d, m, false, err) : WGDN_ENOMEM;
    if (!st) st = wgdn_workspace_new(&w, m, b.input, true, err);
    if (!st) {
        wgdn_batches_take(&b, at->step);
        wgdn_workspace_fit(w, b.input->rows);
        const wgdn_pass pass = wgdn_pass_of(m, w, b.graph, b.input, (uint32_t)at->step);
        st = wgdn_step(&loss, grad, &pass, err);
    }
    if (!st && isfinite(loss)) o->form->step(o, m->param, grad, 0.001, at->step + 1);
    wgdn_workspace_free(w);
    wgdn_batches_free(&b);
    wgdn_release(grad);
    return st;
}

/* A run with the options of the file, on data of the digest that it says. */
static void resume(const wgdn_model *was, const wgdn_run_state *file)
{
    wgdn_model *m = NULL;
    wgdn_optimizer o = {0};
    wgdn_error err = {WGDN_OK, ""};
    if (was->shape.features > FUZZ_COLUMNS_MAX) return;
    wgdn_dataset *d = fuzz_ring(was->shape.features, fuzz_ring_graphs(was));
    wgdn_status st = wgdn_model_make(&m, &was->options, was->shape.features, &err);
    if (!st) st = wgdn_optimizer_new(&o, &wgdn_adam, m->layout.size, &err);
    wgdn_run_state at = {.states = file->states, .name = file->name, .data = file->data};
    memcpy(at.state, o.state, sizeof at.state);
    if (!st) st = wgdn_checkpoint_adopt(&at, m, was, file, "input", &err);
    if (!st) st = step(m, &o, &at, d, &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err) || st == WGDN_ENOMEM);
    wgdn_optimizer_free(&o);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_archive a = {0};
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    wgdn_run_state file = {.states = wgdn_adam.states, .name = wgdn_adam.state};
    const int64_t live = fuzz_use_begin();
    wgdn_status st = wgdn_archive_parse(&a, &b, FUZZ_LIMIT, &err);
    if (!st) st = wgdn_model_parse(&m, &file, &a, "input", &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_archive_free(&a);
    if (!st) resume(m, &file);
    for (int k = 0; k < file.states; k++)
        wgdn_release(file.state[k]);
    wgdn_model_free(m);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
