/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a model is sound: its numbers, and how many directions its encoder keeps. */
#include "model.h"

#include <math.h>

static int64_t count_not_finite(const float *x, int64_t count)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad += !isfinite(x[i]);
    return bad;
}

/*
 * (sum s)^2 / sum s^2 over the squared singular values s of W, rows x cols: 1 for one direction,
 * cols for all alike. sum s is the trace of G = W^T W, sum s^2 its squared norm.
 */
static double effective_rank(const float *w, int64_t rows, int64_t cols, double *room)
{
    double trace = 0, squares = 0;
    for (int64_t i = 0; i < cols * cols; i++)
        room[i] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < cols; i++)
            for (int64_t j = 0; j <= i; j++)
                room[i * cols + j] += (double)w[r * cols + i] * (double)w[r * cols + j];
    for (int64_t i = 0; i < cols; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double g = room[i * cols + j];
            trace += i == j ? g : 0;
            squares += (i == j ? 1 : 2) * g * g;
        }
    return squares > 0 ? trace * trace / squares : 0;
}

void wgdn_model_examine(wgdn_model_info *info, const wgdn_model *m)
{
    enum { WIDTH_MAX = 1024, ROWS_MAX = 4096 }; /* beyond it takes longer than a glance */
    const wgdn_fitted *f = m->fitted;
    for (int i = 0; f && i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        if (p->basis) info->parameters += p->rows * wgdn_basis_columns(f, p);
        if (p->map) info->parameters += (p->inner + 1) * p->dim;
    }
    if (f && f->refined.in) info->parameters += 2 * wgdn_fitted_width(f) * wgdn_fitted_width(f);
    if (f) return; /* readers refuse what is not finite */
    const int64_t width = m->shape.width, last = m->shape.encoder_layers - 1;
    const int64_t rows = last > 0 ? width : m->shape.features;
    info->parameters = m->layout.size;
    info->not_finite = count_not_finite(m->param, m->layout.size);
    if (info->not_finite || width > WIDTH_MAX || rows > ROWS_MAX) return;
    double *room = wgdn_alloc((size_t)(width * width), sizeof *room);
    if (room) info->rank = effective_rank(m->at.encoder[last].weight, rows, width, room);
    wgdn_release(room);
}
