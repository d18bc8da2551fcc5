/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates link prediction: it holds out edges, draws pairs without an edge, and scores both with
 * vectors or with the graph alone. `wgdn eval --task links` calls it.
 */
#include "base/streams.h"
#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Finds the two sides of a bipartite graph: by the kinds that its file gives the nodes, or by
 * colors. A graph of one kind that happens to have no odd cycle, such as a tree or a ring, does not
 * count as bipartite here.
 */

enum { UNKNOWN = 2 };

/* Colors 0 and 1 along the edges, component by component; false: there is an odd cycle. */
static bool color_graph(uint8_t *side, int64_t *queue, const wgdn_csr *a)
{
    memset(side, UNKNOWN, (size_t)a->rows);
    for (int64_t start = 0; start < a->rows; start++) {
        int64_t first = 0, end = 0;
        if (side[start] != UNKNOWN || a->offset[start] == a->offset[start + 1]) continue;
        side[start] = 0;
        queue[end++] = start;
        while (first < end) {
            const int64_t i = queue[first++];
            for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
                const int32_t j = a->column[k];
                if (side[j] == side[i]) return false;
                if (side[j] != UNKNOWN) continue;
                side[j] = !side[i];
                queue[end++] = j;
            }
        }
    }
    return true;
}

/* What stands before the colon of an id; empty: nothing does. */
static wgdn_text kind_of(const wgdn_dataset *d, int64_t node, char buffer[WGDN_INDEX_TEXT])
{
    const wgdn_text id = wgdn_dataset_name(d, node, buffer);
    const unsigned char *colon = id.size ? memchr(id.at, ':', id.size) : NULL;
    return wgdn_text_of(id.at, colon ? (size_t)(colon - id.at) : 0);
}

/* Sides by two kinds of ids that edges join; false: there are none. */
static bool name_sides(uint8_t *side, const wgdn_dataset *d, const wgdn_csr *a)
{
    char buffer[2][WGDN_INDEX_TEXT], own[WGDN_INDEX_TEXT];
    wgdn_text kind[2] = {{0}, {0}};
    int kinds = 0;
    if (!d->named || d->ids.numeric) return false;
    for (int64_t i = 0; i < a->rows; i++) {
        const wgdn_text here = kind_of(d, i, own);
        int k = 0;
        if (here.size == 0) return false;
        while (k < kinds && wgdn_text_compare(kind[k], here) != 0)
            k++;
        if (k == 2) return false;
        if (k == kinds) kind[kinds++] = kind_of(d, i, buffer[k]);
        side[i] = (uint8_t)k;
    }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (side[a->column[k]] == side[i]) return false;
    return kinds == 2;
}

/* The larger side becomes the left one, 0. */
static void larger_left(uint8_t *side, int64_t n)
{
    int64_t count[3] = {0, 0, 0};
    for (int64_t i = 0; i < n; i++)
        count[side[i]]++;
    for (int64_t i = 0; i < n && count[1] > count[0]; i++)
        if (side[i] != UNKNOWN) side[i] = !side[i];
}

wgdn_status wgdn_sides_find(uint8_t **side, bool *kinds, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t n = wgdn_graph_nodes(g);
    uint8_t *made = wgdn_alloc((size_t)n, sizeof *made);
    int64_t *queue = wgdn_alloc((size_t)n, sizeof *queue);
    bool is = false;
    if (made && queue) {
        *kinds = is = name_sides(made, d, &g->adjacency);
        is = is || (wgdn_graph_edges(g) > n && color_graph(made, queue, &g->adjacency));
    }
    const wgdn_status st =
        made && queue ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "sides of %lld nodes", (long long)n);
    wgdn_release(queue);
    if (is)
        *side = made;
    else
        wgdn_release(made);
    return st;
}

/* Holds out edges, draws pairs without an edge, and measures how well vectors distinguish them. */

struct wgdn_links {
    wgdn_plain plain; /* whose features reduced borrows */
    wgdn_dataset *reduced;
    int64_t held;
    int64_t *pair; /* 2 x 2 held: the edges, then the pairs without one */
    int64_t right; /* nodes of the right side; 0: the graph is not bipartite */
};

typedef struct edge {
    uint32_t draw;
    float weight;
    int64_t number, from, to;
} edge;

static int by_draw(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->draw != y->draw) return x->draw < y->draw ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Every edge once, in random order. */
static void list_edges(edge *e, const wgdn_graph *g, wgdn_stream s)
{
    const wgdn_csr *a = &g->adjacency;
    int64_t m = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (a->column[k] > i) {
                e[m] = (edge){wgdn_random_bits(s, m, 0), a->value ? a->value[k] : 1, m, i,
                              a->column[k]};
                m++;
            }
    qsort(e, (size_t)m, sizeof *e, by_draw);
}

static bool is_edge(const wgdn_csr *a, int64_t i, int64_t j)
{
    int64_t low = a->offset[i], high = a->offset[i + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (a->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->offset[i + 1] && a->column[low] == j;
}

/* From the left end of test edge k, the first of the pair, to any node of the right side. */
static wgdn_status draw_right(wgdn_links *l, const wgdn_graph *g, const uint8_t *side,
                              wgdn_stream s, wgdn_error *err)
{
    enum { TRIES = 1000 };
    const int64_t n = wgdn_graph_nodes(g);
    int64_t *right = wgdn_alloc((size_t)n, sizeof *right), *pair = l->pair + 2 * l->held, lost = 0;
    if (!right) return wgdn_fail(err, WGDN_ENOMEM, "links: %lld nodes", (long long)n);
    for (int64_t i = 0; i < n; i++)
        if (side[i] == 1) right[l->right++] = i;
    for (int64_t k = 0; k < l->held; k++) {
        int64_t j = -1, left = l->pair[2 * k];
        for (int t = 0; t < TRIES && j < 0; t++) {
            /* a left node that has all edges is replaced by the next one */
            if (t == TRIES / 2) left = l->pair[2 * ((k + 1) % l->held)];
            const uint64_t draw = wgdn_random_bits(s, k * TRIES + t, 3);
            j = right[(int64_t)((draw * (uint64_t)l->right) >> 32)];
            if (is_edge(&g->adjacency, left, j)) j = -1;
        }
        lost += j < 0;
        pair[2 * k] = left;
        pair[2 * k + 1] = j;
    }
    wgdn_release(right);
    if (lost == 0) return WGDN_OK;
    return wgdn_fail(
        err, WGDN_EINVAL,
        "links: %lld pairs without an edge were not found; the graph is nearly complete",
        (long long)l->held);
}

static wgdn_status draw_others(int64_t *pair, int64_t wanted, const wgdn_graph *g, wgdn_stream s,
                               wgdn_error *err)
{
    const uint64_t n = (uint64_t)wgdn_graph_nodes(g);
    int64_t made = 0;
    for (int64_t t = 0; made < wanted && t < 100 * wanted + 1000; t++) {
        const int64_t i = (int64_t)((wgdn_random_bits(s, t, 1) * n) >> 32);
        const int64_t j = (int64_t)((wgdn_random_bits(s, t, 2) * n) >> 32);
        if (i == j || is_edge(&g->adjacency, i, j)) continue;
        pair[2 * made] = i;
        pair[2 * made + 1] = j;
        made++;
    }
    if (made == wanted) return WGDN_OK;
    return wgdn_fail(
        err, WGDN_EINVAL,
        "links: %lld pairs without an edge were not found; the graph is nearly complete",
        (long long)wanted);
}

/* ---- the dataset without the edges ---- */

/* Names of all nodes, one after the other, and where they start. */
static wgdn_status copy_ids(const char ***id, char **text, const wgdn_dataset *d, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d);
    size_t bytes = 0;
    if (!wgdn_dataset_has_ids(d)) return WGDN_OK;
    for (int64_t i = 0; i < n; i++)
        bytes += (size_t)wgdn_dataset_id(NULL, 0, d, i) + 1;
    *id = wgdn_alloc((size_t)n, sizeof **id);
    *text = wgdn_alloc(bytes, 1);
    if (!*id || !*text) return wgdn_fail(err, WGDN_ENOMEM, "links: %lld ids", (long long)n);
    char *at = *text;
    for (int64_t i = 0; i < n; i++) {
        const size_t size = (size_t)wgdn_dataset_id(NULL, 0, d, i) + 1;
        (void)wgdn_dataset_id(at, size, d, i);
        (*id)[i] = at;
        at += size;
    }
    return WGDN_OK;
}

static wgdn_status reduce(wgdn_dataset **out, const wgdn_dataset *d, const edge *kept,
                          int64_t count, wgdn_error *err)
{
    const char **id = NULL;
    char *text = NULL;
    int64_t *end = wgdn_alloc(2 * (size_t)count, sizeof *end);
    float *weight = wgdn_alloc((size_t)count, sizeof *weight);
    wgdn_status st = WGDN_OK;
    if (!end || !weight) {
        st = wgdn_fail(err, WGDN_ENOMEM, "links: %lld edges", (long long)count);
        goto done;
    }
    for (int64_t k = 0; k < count; k++) {
        end[k] = kept[k].from;
        end[count + k] = kept[k].to;
        weight[k] = kept[k].weight;
    }
    st = copy_ids(&id, &text, d, err);
    if (!st) {
        const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                       .nodes = d->nodes,
                                       .edges = count,
                                       .source = end,
                                       .target = end + count,
                                       .features = d->features.width,
                                       .dense = d->features.dense,
                                       .feature_offset = d->features.sparse.offset,
                                       .feature_column = d->features.sparse.column,
                                       .feature_value = d->features.sparse.value,
                                       .label = d->label,
                                       .splits = d->splits,
                                       .split = d->split,
                                       .id = id,
                                       .borrow = 1,
                                       .weight = wgdn_dataset_weighted(d) ? weight : NULL};
        st = wgdn_dataset_from_arrays(out, &a, err);
    }

done:
    wgdn_release(text);
    wgdn_release(id);
    wgdn_release(weight);
    wgdn_release(end);
    return st;
}

static wgdn_status hold(wgdn_links *l, const wgdn_dataset *d, edge *e, const wgdn_eval_options *o,
                        wgdn_error *err)
{
    const wgdn_stream s = {.seed = o->seed, .call = WGDN_CALL_LINKS};
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    uint8_t *side = NULL;
    bool kinds = false;
    wgdn_status st = wgdn_sides_find(&side, &kinds, d, err);
    if (side) larger_left(side, wgdn_graph_nodes(g));
    list_edges(e, g, s);
    for (int64_t k = 0; !st && k < l->held; k++) {
        const bool turned = side && side[e[k].from] == 1;
        l->pair[2 * k] = turned ? e[k].to : e[k].from;
        l->pair[2 * k + 1] = turned ? e[k].from : e[k].to;
    }
    if (!st)
        st = side ? draw_right(l, g, side, s, err)
                  : draw_others(l->pair + 2 * l->held, l->held, g, s, err);
    wgdn_release(side);
    return st ? st : reduce(&l->reduced, d, e + l->held, wgdn_graph_edges(g) - l->held, err);
}

wgdn_status wgdn_links_from_dataset(wgdn_links **out, const wgdn_dataset *d,
                                    const wgdn_eval_options *o, wgdn_error *err)
{
    const int64_t m = wgdn_dataset_edges(d);
    wgdn_eval_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    const int64_t held = (int64_t)(opt.test_edge_fraction * (double)m);
    if (held < 1 || wgdn_dataset_graphs(d) > 1)
        return wgdn_fail(err, WGDN_EINVAL, "links: %g of %lld edges in %lld graphs",
                         opt.test_edge_fraction, (long long)m, (long long)wgdn_dataset_graphs(d));
    wgdn_links *l = wgdn_alloc_zero(1, sizeof *l);
    edge *e = wgdn_alloc((size_t)m, sizeof *e);
    if (l) l->pair = wgdn_alloc(4 * (size_t)held, sizeof *l->pair);
    if (!l || !e || !l->pair) {
        st = wgdn_fail(err, WGDN_ENOMEM, "links: %lld edges", (long long)m);
    } else {
        l->held = held;
        st = wgdn_plain_open(&l->plain, d, err);
        if (!st) st = hold(l, l->plain.d, e, &opt, err);
    }
    wgdn_release(e);
    if (st)
        wgdn_links_free(l);
    else
        *out = l;
    return st;
}

int64_t wgdn_links_get_edges(const int64_t **pair, const wgdn_links *l)
{
    *pair = l->pair;
    return l->held;
}

void wgdn_links_free(wgdn_links *l)
{
    if (!l) return;
    wgdn_dataset_free(l->reduced);
    wgdn_plain_close(&l->plain);
    wgdn_release(l->pair);
    wgdn_release(l);
}

const wgdn_dataset *wgdn_links_get_dataset(const wgdn_links *l)
{
    return l->reduced;
}

/* ---- scores ---- */

typedef struct scoring {
    const wgdn_links *l;
    const float *x;
    int64_t width;
    bool cosine;
    double *score;
} scoring;

static void score_rows(int64_t first, int64_t count, void *context)
{
    const scoring *c = context;
    for (int64_t k = first; k < first + count; k++) {
        const float *u = c->x + c->l->pair[2 * k] * c->width;
        const float *v = c->x + c->l->pair[2 * k + 1] * c->width;
        double uv = 0, uu = 0, vv = 0;
        for (int64_t j = 0; j < c->width; j++) {
            uv += (double)u[j] * v[j];
            uu += (double)u[j] * u[j];
            vv += (double)v[j] * v[j];
        }
        c->score[k] = !c->cosine ? uv : uu > 0 && vv > 0 ? uv / sqrt(uu * vv) : 0;
    }
}

/* ---- scores from the graph alone ---- */

const char *wgdn_link_score_name(wgdn_link_score score)
{
    static const char *const name[] = {"degree product", "Adamic-Adar", "resource allocation"};
    return (int)score < 0 || score > WGDN_LINK_SCORE_RESOURCE_ALLOCATION ? NULL : name[score];
}

typedef struct counting {
    const wgdn_links *l;
    const wgdn_csr *a;
    wgdn_link_score how;
    double *score;
} counting;

static int64_t degree_in(const wgdn_csr *a, int64_t i)
{
    return a->offset[i + 1] - a->offset[i];
}

/* What a node on the way between two ends counts. */
static double share_of(const counting *c, int64_t i)
{
    const double d = (double)degree_in(c->a, i);
    if (c->how == WGDN_LINK_SCORE_RESOURCE_ALLOCATION) return 1 / d;
    return 1 / log(fmax(d, 2)); /* of two ends, so d >= 2, but for paths of three edges */
}

/* Sum over the nodes next to both, whose rows ascend. */
static double common_neighbors(const counting *c, int64_t i, int64_t j)
{
    const wgdn_csr *a = c->a;
    double sum = 0;
    for (int64_t k = a->offset[i], m = a->offset[j];
         k < a->offset[i + 1] && m < a->offset[j + 1];) {
        const int32_t x = a->column[k], y = a->column[m];
        if (x == y) sum += share_of(c, x);
        k += x <= y;
        m += y <= x;
    }
    return sum;
}

static void count_rows(int64_t first, int64_t count, void *context)
{
    const counting *c = context;
    const wgdn_csr *a = c->a;
    for (int64_t p = first; p < first + count; p++) {
        const int64_t i = c->l->pair[2 * p], j = c->l->pair[2 * p + 1];
        double sum = 0;
        if (c->how == WGDN_LINK_SCORE_DEGREE_PRODUCT)
            sum = (double)degree_in(a, i) * (double)degree_in(a, j);
        else if (c->l->right == 0)
            sum = common_neighbors(c, i, j);
        else /* i - x - y - j: y next to j, x next to both i and y */
            for (int64_t k = a->offset[j]; k < a->offset[j + 1]; k++)
                if (a->column[k] != i)
                    sum += share_of(c, a->column[k]) * common_neighbors(c, i, a->column[k]);
        c->score[p] = sum;
    }
}

/* ---- results ---- */

/* What fills in the scores of all pairs, and what it needs. */
typedef struct scorer {
    wgdn_span_rows_call fill;
    void *context;
    double **score;
} scorer;

static wgdn_status score(wgdn_links_result *out, const wgdn_links *l, const scorer *by,
                         wgdn_error *err)
{
    double *score = wgdn_alloc(2 * (size_t)l->held, sizeof *score);
    uint8_t *truth = wgdn_alloc_zero(2 * (size_t)l->held, sizeof *truth);
    wgdn_status st = WGDN_OK;
    out->test_edges = l->held;
    out->right = l->right;
    *by->score = score;
    if (score && truth) {
        wgdn_for_rows(wgdn_alone(2 * l->held), by->fill, by->context);
        memset(truth, 1, (size_t)l->held);
        st = wgdn_auc_ap(&out->auc, &out->average_precision, score, truth, 2 * l->held, err);
    } else {
        st = wgdn_fail(err, WGDN_ENOMEM, "links: %lld scores", 2 * (long long)l->held);
    }
    wgdn_release(truth);
    wgdn_release(score);
    return st;
}

wgdn_status wgdn_links_score(wgdn_links_result *out, const wgdn_links *l, const wgdn_embedding *e,
                             const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_eval_options opt;
    wgdn_links_result made = {0};
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open_for(&v, e, l->reduced, false, err);
    scoring c = {l, v.x, v.width, opt.metric == WGDN_SIMILARITY_COSINE, NULL};
    if (!st) st = score(&made, l, &(scorer){score_rows, &c, &c.score}, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}

wgdn_status wgdn_links_score_graph(wgdn_links_result *out, const wgdn_links *l, wgdn_link_score how,
                                   const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_eval_options opt;
    wgdn_links_result made = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    if (!wgdn_link_score_name(how))
        return wgdn_fail(err, WGDN_EINVAL, "links: there is no score number %d", (int)how);
    const int former = wgdn_threads_use(opt.threads);
    counting c = {l, &wgdn_dataset_get_graph(l->reduced)->adjacency, how, NULL};
    st = score(&made, l, &(scorer){count_rows, &c, &c.score}, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_threads_use(former);
    return st;
}
