/* SPDX-License-Identifier: Apache-2.0 */
#include "edge_list.h"

#include "codec/page.h"
#include "edge_pack.h"
#include "parts.h"

/* Features in an array say how many nodes there are, so they come before the edges. */
static wgdn_status read_array(wgdn_draft *w, bool graphs, bool packed, wgdn_error *err)
{
    bool arrays;
    wgdn_status st = wgdn_features_list(&arrays, w, err);
    if (st || !arrays) return st;
    if (graphs)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: with a column of graphs, features are text keyed by graph/node",
                         wgdn_show_name(w->o->features).text);
    st = wgdn_features_arrays(w, err);
    return st || packed ? st : wgdn_draft_number(w, w->array_rows, 0, w->o->features, err);
}

/* A first row such as "2708 5429" may count nodes and edges; nobody but the user knows. */
static wgdn_status remark_counts(const wgdn_edge_layout *y, wgdn_draft *w, wgdn_error *err)
{
    const int64_t rows = w->edges.count + w->edges.zero_weights;
    int64_t nodes, edges;
    if (y->columns != 2 || y->matrix.is || y->header == WGDN_HEADER_YES || rows < 4) return WGDN_OK;
    if (!wgdn_text_index(y->name[0], &nodes) || !wgdn_text_index(y->name[1], &edges) ||
        edges != rows - 1 || nodes < w->ids.count - 2)
        return WGDN_OK;
    return wgdn_remarks_add(&w->d->remarks, "first-row", 1, err,
                            "row 1 was read as an edge from %lld to %lld; if it counts nodes and "
                            "edges, --header yes passes over it",
                            (long long)nodes, (long long)edges);
}

/* What is not done in files. */
static wgdn_status check_packing(const wgdn_draft *w, const wgdn_edge_layout *y,
                                 const wgdn_input *in, wgdn_error *err)
{
    const char *what = y->matrix.is                             ? "an adjacency matrix"
                       : y->graph >= 0                          ? "a column of graphs"
                       : y->type >= 0                           ? "a column of types"
                       : w->o->directed != WGDN_DIRECTED_IGNORE ? "--directed"
                       : w->o->binarise                         ? "--binarise"
                       : w->files > 1                           ? "several files of features"
                       : w->files == 1 && !w->file[0].array     ? "features as text"
                                                                : NULL;
    if (!what) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL,
                     "%s: with %s it is read at once, which takes about %.1f MB: allow that by "
                     "--memory",
                     wgdn_show_name(in->name).text, what,
                     WGDN_PACK_TIMES * (double)in->size / (1 << 20) + 0.1);
}

/* The heading of a column, or its number. */
static wgdn_status copy_column(char **out, const wgdn_edge_layout *y, int64_t j, wgdn_error *err)
{
    char number[WGDN_INDEX_TEXT];
    if (j < 0) return WGDN_OK;
    wgdn_text t = y->header == WGDN_HEADER_YES ? y->name[j] : wgdn_text_of(NULL, 0);
    if (t.size == 0) t = wgdn_text_of(number, wgdn_print_index(number, j + 1));
    *out = wgdn_alloc(t.size + 1, 1);
    if (!*out) return wgdn_fail(err, WGDN_ENOMEM, "the heading of a column");
    wgdn_text_put(*out, t.size + 1, t);
    return WGDN_OK;
}

static wgdn_status keep_choice(wgdn_draft *w, const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_edge_choice *const c = &w->d->choice;
    if (y->matrix.is || y->columns < 2) return WGDN_OK;
    c->bipartite = y->bipartite;
    c->weights = w->o->weights;
    wgdn_status st = copy_column(&c->source, y, y->source, err);
    if (!st) st = copy_column(&c->target, y, y->target, err);
    if (!st) st = copy_column(&c->weight, y, y->weight, err);
    if (!st) st = copy_column(&c->type, y, y->type, err);
    return st ? st : copy_column(&c->graph, y, y->graph, err);
}

static wgdn_status load_rows(wgdn_draft *w, const wgdn_input *in, const wgdn_bytes *file,
                             wgdn_edge_layout *y, wgdn_error *err)
{
    const bool packed = wgdn_pack_needed(w->o, (int64_t)in->size);
    wgdn_status st = wgdn_edge_layout_find(y, in, w->o, err);
    if (!st) st = read_array(w, y->graph >= 0, packed, err);
    if (w->array_rows && w->o->bipartite < 0)
        y->bipartite = y->undecided = false; /* ids are rows */
    if (!st && packed) st = check_packing(w, y, in, err);
    if (!st && packed)
        st = wgdn_edge_pack(w, in, file, y, err);
    else if (!st && y->graph >= 0)
        st = wgdn_graph_edges_read(w, in, y, err);
    else if (!st)
        st = wgdn_edge_list_read(w, in, y, err);
    if (!st) st = wgdn_edge_layout_remark(y, w, err);
    if (!st) st = keep_choice(w, y, err);
    return st ? st : remark_counts(y, w, err);
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_edge_layout y;
    wgdn_status st = wgdn_pack_source(&s, w, path, err);
    if (st) return st;
    const wgdn_input in = wgdn_draft_input(w, &s);
    st = load_rows(w, &in, &s.file, &y, err);
    wgdn_edge_layout_free(&y);
    wgdn_source_free(&s);
    return st;
}

/* ---- writing ---- */

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static wgdn_status write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_csr *a = &d->graph->adjacency;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    wgdn_page_word(p, a->value ? "source\ttarget\tweight\n" : "source\ttarget\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        int64_t k = a->offset[i];
        if (k == a->offset[i + 1]) { /* a loop is dropped again, the node stays */
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, i);
            wgdn_page_word(p, a->value ? "\t1\n" : "\n");
        }
        for (; k < a->offset[i + 1]; k++) {
            if (a->column[k] < i) continue;
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, a->column[k]);
            if (a->value) {
                wgdn_page_put(p, "\t", 1);
                wgdn_page_float(p, a->value[k]);
            }
            wgdn_page_put(p, "\n", 1);
        }
    }
    return wgdn_page_close(p);
}

const wgdn_format wgdn_edges_format = {
    .info = {"edges", (const char *const[]){".tsv", ".txt", ".edges", NULL},
             "Edge list as text: TSV, CSV or blanks, also zipped; written as TSV", 1, 1},
    .columns = true,
    .load = load,
    .write = write,
};
