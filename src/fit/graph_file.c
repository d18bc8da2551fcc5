/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors of graphs need, as tensors: means and deviations of node columns, centre, basis. */
#include "codec/pairs.h"
#include "graphs.h"

#include <math.h>
#include <string.h>

enum { WIDTH = WGDN_GRAPH_WIDTH };

void wgdn_graph_form_list(wgdn_tensor *tensor, const wgdn_graph_form *form)
{
    tensor[0] = wgdn_tensor_of("graphs.nodes", &form->nodes[0][0], 2, WGDN_NODE_COLUMNS);
    tensor[1] = wgdn_tensor_of("graphs.centre", form->centre, 1, WIDTH);
    tensor[2] = wgdn_tensor_of("graphs.basis", form->basis, WIDTH, form->dim);
}

static wgdn_status check(const float *x, const wgdn_tensor *t, const char *path, wgdn_error *err)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++)
        if (!(fabsf(x[i]) <= WGDN_PARAMETER_MAX))
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is broken at row %lld", path, t->name,
                             (long long)(i / t->shape[1]));
    return WGDN_OK;
}

/* All shapes are right, or nothing is allocated. */
static wgdn_status measure(wgdn_graph_form *form, const wgdn_archive *a, const char *path,
                           wgdn_error *err)
{
    const wgdn_tensor *basis = wgdn_archive_find(a, "graphs.basis");
    wgdn_tensor want[WGDN_GRAPH_TENSORS];
    if (basis && basis->rank == 2) form->dim = basis->shape[1];
    wgdn_graph_form_list(want, form);
    for (int i = 0; i < WGDN_GRAPH_TENSORS; i++) {
        const wgdn_tensor *t = wgdn_archive_find(a, want[i].name);
        if (!t || t->rank != 2 || t->shape[0] != want[i].shape[0] ||
            t->shape[1] != want[i].shape[1] || t->shape[1] < 1 || t->shape[1] > WGDN_DIM_MAX)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %s of a fitted model is missing or damaged",
                             path, want[i].name);
    }
    return WGDN_OK;
}

static wgdn_status fetch_all(wgdn_graph_form *form, const wgdn_archive *a, const char *path,
                             wgdn_error *err)
{
    wgdn_tensor want[WGDN_GRAPH_TENSORS];
    float *const to[] = {&form->nodes[0][0], form->centre, form->basis};
    wgdn_status st = WGDN_OK;
    wgdn_graph_form_list(want, form);
    for (int i = 0; i < WGDN_GRAPH_TENSORS && !st; i++) {
        st = wgdn_tensor_fetch(to[i], a, &want[i], path, err);
        if (!st) st = check(to[i], &want[i], path, err);
    }
    for (int k = 0; k < WGDN_NODE_COLUMNS && !st; k++)
        if (!(form->nodes[1][k] > 0))
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: graphs.nodes: a deviation is %g", path,
                           form->nodes[1][k]);
    return st;
}

wgdn_status wgdn_graph_form_read(wgdn_graph_form **out, const wgdn_archive *a, const char *path,
                                 wgdn_error *err)
{
    const char *said = wgdn_archive_metadata(a, "wgdn.graphs");
    char blocks[WGDN_PAIR_TEXT];
    wgdn_graph_form shape = {.dim = 0}, *form = NULL;
    wgdn_cosine_blocks_text(blocks, sizeof blocks);
    if (!said || strcmp(said, blocks) != 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: made of other cosines than these (%s); fit it again", path, blocks);
    wgdn_status st = measure(&shape, a, path, err);
    if (st) return st;
    form = wgdn_alloc_zero(1, sizeof *form);
    if (!form) return wgdn_fail(err, WGDN_ENOMEM, "%s: a fitted model of graphs", path);
    form->dim = shape.dim;
    form->centre = wgdn_alloc(WIDTH, sizeof *form->centre);
    form->basis = wgdn_alloc(WIDTH * (size_t)form->dim, sizeof *form->basis);
    if (!form->centre || !form->basis)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: basis of %lld columns", path, (long long)form->dim);
    if (!st) st = fetch_all(form, a, path, err);
    if (st)
        wgdn_graph_form_free(form);
    else
        *out = form;
    return st;
}
