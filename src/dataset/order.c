/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of graph and features in another order than the nodes'. */
#include "dataset.h"

static wgdn_status no_memory(int64_t n, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "order: of %lld nodes", (long long)n);
}

/* to[from[r]] = r */
static void invert(int32_t *to, const int32_t *from, int64_t n)
{
    for (int64_t r = 0; r < n; r++)
        to[from[r]] = (int32_t)r;
}

/* What lies in rows: all of it is arranged together. */
typedef struct in_rows {
    wgdn_graph *graph;
    wgdn_relations relations;
    wgdn_features features;
} in_rows;

/* Row row[r] of d as row r. */
static wgdn_status arrange(in_rows *to, const wgdn_dataset *d, const int32_t *row, wgdn_error *err)
{
    wgdn_status st = wgdn_features_arrange(&to->features, &d->features, row, err);
    if (st) return st;
    st = wgdn_relations_arrange(&to->relations, &d->relations, row, err);
    if (!st) st = wgdn_graph_arrange(&to->graph, d->graph, row, err);
    if (st) wgdn_relations_free(&to->relations);
    if (st) wgdn_features_free(&to->features);
    return st;
}

static void put(wgdn_dataset *d, const in_rows *from)
{
    d->graph = from->graph;
    d->relations = from->relations;
    d->features = from->features;
}

wgdn_status wgdn_plain_open(wgdn_plain *p, const wgdn_dataset *d, wgdn_error *err)
{
    *p = (wgdn_plain){.d = d};
    if (!d->order) return WGDN_OK;
    int32_t *row = wgdn_alloc((size_t)d->nodes, sizeof *row);
    if (!row) return no_memory(d->nodes, err);
    invert(row, d->order, d->nodes);
    p->view = *d;
    p->view.serial = 0;
    p->view.order = NULL;
    in_rows plain;
    const wgdn_status st = arrange(&plain, d, row, err);
    wgdn_release(row);
    if (st) return st;
    put(&p->view, &plain);
    p->d = &p->view;
    return WGDN_OK;
}

void wgdn_plain_close(wgdn_plain *p)
{
    if (p->d == &p->view) {
        wgdn_graph_free(p->view.graph);
        wgdn_relations_free(&p->view.relations);
        wgdn_features_free(&p->view.features);
    }
    *p = (wgdn_plain){0};
}

wgdn_status wgdn_features_order(wgdn_features *f, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_features arranged;
    if (!d->order || f->rows != d->nodes) return WGDN_OK; /* the check will say what is wrong */
    const wgdn_status st = wgdn_features_arrange(&arranged, f, d->order, err);
    if (st) return st;
    wgdn_features_free(f);
    *f = arranged;
    return WGDN_OK;
}

/* Row r becomes what row[r] was. */
static wgdn_status replace(wgdn_dataset *d, const int32_t *row, wgdn_error *err)
{
    in_rows arranged;
    const wgdn_status st = arrange(&arranged, d, row, err);
    if (st) return st;
    wgdn_graph_free(d->graph);
    wgdn_relations_free(&d->relations);
    wgdn_features_free(&d->features);
    put(d, &arranged);
    return WGDN_OK;
}

static wgdn_status forget(wgdn_dataset *d, int32_t *row, wgdn_error *err)
{
    if (!d->order) return WGDN_OK;
    invert(row, d->order, d->nodes);
    const wgdn_status st = replace(d, row, err);
    if (st) return st;
    wgdn_release(d->order);
    d->order = NULL;
    return WGDN_OK;
}

wgdn_status wgdn_dataset_reorder(wgdn_dataset *d, wgdn_order how, wgdn_error *err)
{
    int32_t *row;
    if ((int)how < WGDN_ORDER_NONE || how > WGDN_ORDER_SCOTCH)
        return wgdn_fail(err, WGDN_EINVAL, "order: %d is neither none, metis nor scotch", (int)how);
    if (how == WGDN_ORDER_NONE && !d->order) return WGDN_OK;
    if (d->graph_start)
        return wgdn_fail(err, WGDN_EINVAL,
                         "order: %lld graphs keep theirs; it is for the nodes of one graph",
                         (long long)d->graphs);
    row = wgdn_alloc((size_t)d->nodes, sizeof *row);
    if (!row) return no_memory(d->nodes, err);
    wgdn_dataset_number(d);
    wgdn_status st = forget(d, row, err);
    if (!st && how != WGDN_ORDER_NONE) {
        st = wgdn_graph_order(row, d->graph, how, err);
        if (!st) st = replace(d, row, err);
        if (!st) {
            d->order = row;
            row = NULL;
        }
    }
    wgdn_release(row);
    return st;
}
