/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates parameters with Adam. The trainer calls it after each step, and the linear probe in eval
 * uses it, too.
 */
#include "layer_rows.h"
#include "train.h"

#include <math.h>

/*
 * Adam:  m = 0.9 m + 0.1 g,   v = 0.999 v + 0.001 g^2                              [WGDN:adam]
 *        p = p - rate * (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
 */

static const double beta1 = 0.9, beta2 = 0.999; /* and in layer_rows_loops.h */

typedef struct adam_call {
    float *param, *m, *v;
    const float *grad;
    double step, root; /* rate / (1 - beta1^t), 1 / sqrt(1 - beta2^t) */
    const wgdn_layer_ops *ops;
} adam_call;

static void rows(int64_t first, int64_t count, void *context)
{
    const adam_call *c = context;
    c->ops->adam(c->param + first, c->m + first, c->v + first, c->grad + first, c->step, c->root,
                 count);
}

static void step(const wgdn_optimizer *o, float *param, const float *grad, double rate, int64_t t)
{
    adam_call c = {.param = param,
                   .m = o->state[0],
                   .v = o->state[1],
                   .grad = grad,
                   .step = rate / (1 - pow(beta1, (double)t)),
                   .root = 1 / sqrt(1 - pow(beta2, (double)t)),
                   .ops = wgdn_layer_rows()};
    wgdn_for_rows(wgdn_alone(o->size), rows, &c);
}

const wgdn_optimizer_form wgdn_adam = {
    .name = "Adam", .states = 2, .state = {"adam.m", "adam.v"}, .step = step};

wgdn_status wgdn_optimizer_new(wgdn_optimizer *o, const wgdn_optimizer_form *form, int64_t size,
                               wgdn_error *err)
{
    bool all = true;
    *o = (wgdn_optimizer){.form = form, .size = size};
    for (int k = 0; k < form->states; k++) {
        o->state[k] = wgdn_alloc_zero((size_t)size, sizeof *o->state[k]);
        all = all && o->state[k];
    }
    if (all) return WGDN_OK;
    wgdn_optimizer_free(o);
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %d x %lld numbers", form->name, form->states,
                     (long long)size);
}
