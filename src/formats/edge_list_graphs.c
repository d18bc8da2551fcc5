/* SPDX-License-Identifier: Apache-2.0 */
/* Many graphs in one edge list: a column says which one an edge is of. */
#include "edge_list.h"

#include <string.h>

/* What is known while rows come in. */
typedef struct reading {
    wgdn_draft *w;
    const wgdn_edge_layout *y;
    wgdn_lines l;
    wgdn_ids graphs;
    int32_t *graph; /* of each node */
    int64_t graph_room;
    unsigned char *name; /* scratch: GRAPH/NODE */
    int64_t name_room;
} reading;

static wgdn_status no_memory(const reading *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: more than %lld nodes", wgdn_show_name(r->l.name).text,
                     (long long)r->w->ids.count);
}

static wgdn_status check_row(bool *keep, reading *r, wgdn_error *err)
{
    const wgdn_lines *l = &r->l;
    const wgdn_edge_layout *y = r->y;
    if (l->fields != y->columns)
        return wgdn_lines_fail(l, -1, err,
                               "%lld columns: expected graph, source, target and perhaps a weight, "
                               "as in the header",
                               (long long)l->fields);
    const wgdn_status st = wgdn_edge_row_check(keep, r->w, l, y, err);
    if (!st && *keep && l->field[y->graph].size == 0)
        return wgdn_lines_fail(l, y->graph, err, "the graph is empty: expected an id");
    return st;
}

/* The node that a field names within its graph; its id in the dataset is GRAPH/NODE. */
static wgdn_status find_node(int32_t *node, reading *r, int32_t graph, int64_t field,
                             wgdn_error *err)
{
    const wgdn_text g = r->l.field[r->y->graph], n = r->l.field[field];
    const int64_t before = r->w->ids.count;
    if (!wgdn_grow(&r->name, &r->name_room, (int64_t)(g.size + n.size) + 1, 1))
        return no_memory(r, err);
    memcpy(r->name, g.at, g.size);
    r->name[g.size] = '/';
    memcpy(r->name + g.size + 1, n.at, n.size);
    const wgdn_text name = wgdn_text_of(r->name, g.size + n.size + 1);
    const wgdn_status st = wgdn_ids_add(&r->w->ids, &name, 1, node, err);
    if (st == WGDN_ERANGE)
        return wgdn_fail(err, st, "%s:%lld: more than %lld different nodes, the most allowed here",
                         wgdn_show_name(r->l.name).text, (long long)r->l.line,
                         (long long)r->w->ids.max);
    if (st) return st;
    if (*node < 0)
        return wgdn_lines_fail(&r->l, field, err,
                               "graph and node have %zu bytes together; the most are %d", name.size,
                               WGDN_ID_MAX);
    if (!wgdn_grow(&r->graph, &r->graph_room, (int64_t)*node + 1, sizeof *r->graph))
        return no_memory(r, err);
    if (r->w->ids.count > before) r->graph[*node] = graph;
    if (r->graph[*node] != graph)
        return wgdn_lines_fail(&r->l, field, err,
                               "%s is a node of another graph as well: a / in the graph's name "
                               "makes two of them one",
                               wgdn_show(name).text);
    return WGDN_OK;
}

static wgdn_status read_row(reading *r, wgdn_error *err)
{
    const wgdn_edge_layout *y = r->y;
    int32_t graph, u, v;
    double weight = 1;
    bool keep = false;
    wgdn_status st = check_row(&keep, r, err);
    if (st || !keep) return st;
    st = wgdn_ids_add(&r->graphs, &r->l.field[y->graph], 1, &graph, err);
    if (!st && graph < 0)
        st = wgdn_lines_fail(&r->l, y->graph, err,
                             "the name of the graph has %zu bytes; the most are %d",
                             r->l.field[y->graph].size, WGDN_ID_MAX);
    if (!st && y->weight >= 0) st = wgdn_edge_weight(&weight, r->w, &r->l, y->weight, err);
    if (!st) st = find_node(&u, r, graph, y->source, err);
    if (!st) st = find_node(&v, r, graph, y->target, err);
    r->w->edges.line = r->l.line;
    return st ? st : wgdn_edges_add(&r->w->edges, u, v, weight, r->l.name, err);
}

static wgdn_status read_rows(reading *r, wgdn_error *err)
{
    bool more = true;
    wgdn_status st = WGDN_OK;
    r->w->edges.counted = r->y->weight >= 0 && r->w->o->weights != WGDN_WEIGHTS_IGNORE;
    if (r->y->header == WGDN_HEADER_YES) st = wgdn_lines_next(&r->l, &more, err);
    while (!st) {
        st = wgdn_lines_next(&r->l, &more, err);
        if (st || !more) break;
        st = read_row(r, err);
    }
    if (!st && r->w->ids.count == 0)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows behind the header",
                       wgdn_show_name(r->l.name).text);
    return st;
}

/* New numbers for the nodes, graph after graph, within each as they came; rank[old] = new. */
static wgdn_status order_nodes(reading *r, int32_t *rank, int64_t *start, wgdn_error *err)
{
    const int64_t nodes = r->w->ids.count;
    wgdn_ids sorted;
    wgdn_status st = WGDN_OK;
    int32_t *old = wgdn_alloc((size_t)nodes, sizeof *old);
    if (!old) return no_memory(r, err);
    for (int64_t i = 0; i < nodes; i++)
        start[r->graph[i] + 1]++;
    for (int64_t g = 0; g < r->graphs.count; g++)
        start[g + 1] += start[g];
    for (int64_t i = 0; i < nodes; i++) {
        rank[i] = (int32_t)start[r->graph[i]]++; /* now the start of the next graph */
        old[rank[i]] = (int32_t)i;
    }
    for (int64_t g = r->graphs.count; g > 0; g--)
        start[g] = start[g - 1];
    start[0] = 0;
    wgdn_ids_open(&sorted, nodes);
    for (int64_t i = 0; !st && i < nodes; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&r->w->ids, old[i], buffer);
        int32_t at;
        st = wgdn_ids_add(&sorted, &id, 1, &at, err);
    }
    wgdn_release(old);
    if (st) {
        wgdn_ids_close(&sorted);
        return st;
    }
    wgdn_ids_close(&r->w->ids);
    r->w->ids = sorted;
    return WGDN_OK;
}

/* Graphs in the order of their ids, as nodes would be; then the nodes by graphs. */
static wgdn_status finish(reading *r, wgdn_error *err)
{
    wgdn_draft *w = r->w;
    wgdn_dataset *d = w->d;
    int32_t *graph_rank = NULL;
    const int64_t nodes = w->ids.count;
    int32_t *rank = wgdn_alloc((size_t)nodes, sizeof *rank);
    d->graph_start = wgdn_alloc_zero((size_t)r->graphs.count + 1, sizeof *d->graph_start);
    wgdn_status st =
        rank && d->graph_start ? wgdn_ids_sort(&r->graphs, &graph_rank, err) : no_memory(r, err);
    for (int64_t i = 0; !st && graph_rank && i < nodes; i++)
        r->graph[i] = graph_rank[r->graph[i]];
    if (!st) st = order_nodes(r, rank, d->graph_start, err);
    if (!st) {
        for (int64_t k = 0; k < 2 * w->edges.count; k++)
            w->edges.end[k] = rank[w->edges.end[k]];
        d->graphs = r->graphs.count;
        d->graph_ids = r->graphs;
        d->graphs_named = d->named = true;
        r->graphs = (wgdn_ids){0};
        w->ids.fixed = true; /* features cannot bring nodes of no graph */
        w->degrees = true;
    }
    wgdn_release(graph_rank);
    wgdn_release(rank);
    return st;
}

wgdn_status wgdn_graph_edges_read(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                                  wgdn_error *err)
{
    reading r = {.w = w, .y = y};
    if (y->bipartite)
        return wgdn_fail(err, WGDN_EINVAL, "%s: --bipartite does not go with a column of graphs",
                         wgdn_show_name(in->name).text);
    wgdn_lines_open(&r.l, in);
    wgdn_ids_open(&r.graphs, w->o->max_nodes);
    wgdn_status st = read_rows(&r, err);
    if (!st) st = finish(&r, err);
    wgdn_release(r.name);
    wgdn_release(r.graph);
    wgdn_ids_close(&r.graphs);
    wgdn_lines_close(&r.l);
    return st;
}
