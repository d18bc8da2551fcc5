/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adam:  m = 0.9 m + 0.1 g,   v = 0.999 v + 0.001 g^2                              [WGDN:adam]
 *        p = p - rate * (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
 */
#include "model/loops/layer_rows.h"
#include "train.h"

#include <math.h>

static const double beta1 = 0.9, beta2 = 0.999; /* and in layer_rows_loops.h */

wgdn_status wgdn_adam_new(wgdn_adam *a, int64_t size, wgdn_error *err)
{
    *a = (wgdn_adam){.size = size};
    a->m = wgdn_alloc_zero((size_t)size, sizeof *a->m);
    a->v = wgdn_alloc_zero((size_t)size, sizeof *a->v);
    if (a->m && a->v) return WGDN_OK;
    wgdn_adam_free(a);
    return wgdn_fail(err, WGDN_ENOMEM, "Adam: moments of %lld parameters", (long long)size);
}

void wgdn_adam_free(wgdn_adam *a)
{
    wgdn_release(a->v);
    wgdn_release(a->m);
    *a = (wgdn_adam){0};
}

typedef struct adam_call {
    float *param, *m, *v;
    const float *grad;
    double step, root; /* rate / (1 - beta1^t), 1 / sqrt(1 - beta2^t) */
    const wgdn_layer_ops *ops;
} adam_call;

static void rows(int64_t first, int64_t count, double *sums, void *context)
{
    const adam_call *c = context;
    (void)sums;
    c->ops->adam(c->param + first, c->m + first, c->v + first, c->grad + first, c->step, c->root,
                 count);
}

void wgdn_adam_step(wgdn_adam *a, float *param, const float *grad, double rate)
{
    a->steps++;
    const double t = (double)a->steps;
    adam_call c = {.param = param,
                   .m = a->m,
                   .v = a->v,
                   .grad = grad,
                   .step = rate / (1 - pow(beta1, t)),
                   .root = 1 / sqrt(1 - pow(beta2, t)),
                   .ops = wgdn_layer_rows()};
    wgdn_for_blocks(wgdn_alone(a->size), rows, &c, NULL, 0, NULL);
}
