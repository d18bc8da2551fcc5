/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes vectors of whole graphs in closed form: random Fourier features of each neighborhood,
 * pooled over the nodes, beside counts of subtrees, and reduced. fit.c calls it when the task is
 * whole graphs; fit_file.c stores the result.
 */
#include "base/streams.h"
#include "cosine_rows.h"
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/*
 * Computes two columns for each node of a set of graphs, beside its features.
 *
 *     log(1 + d_i),    t_i / (d_i (d_i - 1)),  0 for d_i < 2
 *
 * t_i counts the pairs (j, k) of neighbors of i that are neighbors of each other, in either order.
 * Both columns are centered and divided by their standard deviation over all nodes of the fit.
 */

static const double deviation_min = 1e-3;

/* Columns of row i that row j has, too: those of the shorter row are looked for in the longer. */
static int64_t common(const wgdn_csr *a, int64_t i, int64_t j)
{
    const bool swap = a->offset[i + 1] - a->offset[i] > a->offset[j + 1] - a->offset[j];
    const int64_t from = swap ? j : i, in = swap ? i : j;
    int64_t low = a->offset[in], found = 0;
    for (int64_t k = a->offset[from]; k < a->offset[from + 1]; k++) {
        int64_t high = a->offset[in + 1];
        while (low < high) { /* the first that is not smaller */
            const int64_t middle = low + (high - low) / 2;
            if (a->column[middle] < a->column[k])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == a->offset[in + 1]) break;
        found += a->column[low] == a->column[k];
    }
    return found;
}

typedef struct columns {
    float *column;
    const wgdn_csr *a;
    const wgdn_graph_form *form;
    double mean[WGDN_NODE_COLUMNS];
} columns;

static void fill_rows(int64_t first, int64_t count, void *context)
{
    const columns *c = context;
    for (int64_t i = first; i < first + count; i++) {
        const double d = (double)(c->a->offset[i + 1] - c->a->offset[i]);
        int64_t pairs = 0;
        for (int64_t k = c->a->offset[i]; k < c->a->offset[i + 1]; k++)
            pairs += common(c->a, i, c->a->column[k]);
        float *to = c->column + i * WGDN_NODE_COLUMNS;
        to[0] = (float)log1p(d);
        to[1] = d > 1 ? (float)((double)pairs / (d * (d - 1))) : 0;
    }
}

/* log(1 + degree) and clustering coefficient of every node. */
static void node_columns(float *column, const wgdn_csr *a)
{
    columns c = {.column = column, .a = a};
    wgdn_for_rows(wgdn_alone(a->rows), fill_rows, &c);
}

static void add_squares(int64_t first, int64_t count, double *sums, void *context)
{
    const columns *c = context;
    for (int64_t i = first; i < first + count; i++)
        for (int k = 0; k < WGDN_NODE_COLUMNS; k++)
            sums[k] += pow(c->column[i * WGDN_NODE_COLUMNS + k] - c->mean[k], 2);
}

/* Means and deviations of them, the latter at least a thousandth. */
static wgdn_status node_columns_measure(wgdn_graph_form *form, const float *column, int64_t nodes,
                                        wgdn_error *err)
{
    const wgdn_span all = wgdn_alone(nodes);
    const size_t sums = wgdn_reduce_work(all, WGDN_NODE_COLUMNS);
    const size_t blocks = wgdn_for_blocks_work(all, WGDN_NODE_COLUMNS);
    columns c = {.column = (float *)(uintptr_t)column};
    double squares[WGDN_NODE_COLUMNS];
    void *work = wgdn_alloc(sums > blocks ? sums : blocks, 1);
    if (!work) return wgdn_fail(err, WGDN_ENOMEM, "means of %lld nodes", (long long)nodes);
    wgdn_column_sums(c.mean, NULL, column, all, WGDN_NODE_COLUMNS, work);
    for (int k = 0; k < WGDN_NODE_COLUMNS; k++)
        c.mean[k] /= (double)nodes;
    wgdn_for_blocks(all, add_squares, &c, squares, WGDN_NODE_COLUMNS, work);
    for (int k = 0; k < WGDN_NODE_COLUMNS; k++) {
        form->nodes[0][k] = (float)c.mean[k];
        form->nodes[1][k] = (float)fmax(sqrt(squares[k] / (double)nodes), deviation_min);
    }
    wgdn_release(work);
    return WGDN_OK;
}

static void scale_rows(int64_t first, int64_t count, void *context)
{
    const columns *c = context;
    for (int64_t i = first; i < first + count; i++)
        for (int k = 0; k < WGDN_NODE_COLUMNS; k++) {
            float *x = c->column + i * WGDN_NODE_COLUMNS + k;
            *x = (*x - c->form->nodes[0][k]) / c->form->nodes[1][k];
        }
}

void wgdn_node_columns_scale(float *column, int64_t nodes, const wgdn_graph_form *form)
{
    columns c = {.column = column, .form = form};
    wgdn_for_rows(wgdn_alone(nodes), scale_rows, &c);
}

/*
 * Counts subtrees by the Weisfeiler-Lehman algorithm.                         [WGDN:graph-subtrees]
 *
 *     l_v^(r+1) = h(l_v^r, sum of l_u^r over neighbors u of v),   l_v^0 = h(features of v)
 *     t_G = sum over the names l of rounds 1 to 3 in G of s_l (count of l in G / |G|)^1/2 e_l
 *
 * Names are hashes of 64 bits, which choose the sign s_l and the column e_l, so they do not depend
 * on the dataset. The columns are used where a subtree of the last round is in more than two graphs
 * on average. Where most are in one graph, as with continuous features, the columns would be noise.
 */

static uint64_t hash_two(uint64_t a, uint64_t b)
{
    const uint64_t both[] = {a, b};
    return XXH3_64bits(both, sizeof both);
}

typedef struct naming {
    uint64_t *to; /* of this round; those of the last one are before them */
    const wgdn_csr *a;
    const wgdn_matrix *x;
    int64_t features;
} naming;

/* A sum over the features that are not 0, the same for dense and sparse rows. */
static void name_rows(int64_t first, int64_t count, void *context)
{
    const naming *c = context;
    const wgdn_csr *x = c->x->sparse;
    for (int64_t i = first; i < first + count; i++) {
        uint64_t sum = 0;
        const int64_t from = x ? x->offset[i] : i * c->features;
        const int64_t end = x ? x->offset[i + 1] : from + c->features;
        for (int64_t k = from; c->features && k < end; k++) {
            const float value = !x ? c->x->dense[k] : x->value ? x->value[k] : 1;
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            if (value != 0) sum += hash_two((uint64_t)(x ? x->column[k] : k - from), bits);
        }
        c->to[i] = hash_two(sum, 0);
    }
}

static void rename_rows(int64_t first, int64_t count, void *context)
{
    const naming *c = context;
    const uint64_t *was = c->to - c->a->rows;
    for (int64_t i = first; i < first + count; i++) {
        uint64_t sum = 0;
        for (int64_t k = c->a->offset[i]; k < c->a->offset[i + 1]; k++)
            sum += was[c->a->column[k]];
        c->to[i] = hash_two(was[i], sum);
    }
}

void wgdn_subtrees_name(uint64_t *name, int rounds, const wgdn_csr *a, const wgdn_matrix *x,
                        int64_t features)
{
    for (int r = 0; r <= rounds; r++) {
        naming c = {name + r * a->rows, a, x, features};
        wgdn_for_rows(wgdn_alone(a->rows), r ? rename_rows : name_rows, &c);
    }
}

static void sort_names(int64_t g, void *context)
{
    const wgdn_graph_input *in = context;
    for (int r = 1; r <= WGDN_SUBTREE_ROUNDS; r++)
        qsort(in->name + r * in->nodes + in->start[g], (size_t)(in->start[g + 1] - in->start[g]),
              sizeof *in->name, wgdn_by_uint64);
}

static wgdn_status open_names(wgdn_graph_input *in, wgdn_error *err)
{
    in->name = wgdn_arrays_add(&in->arrays, (size_t)in->nodes,
                               (WGDN_SUBTREE_ROUNDS + 1) * sizeof *in->name);
    if (!in->name)
        return wgdn_fail(err, WGDN_ENOMEM, "subtrees of %lld nodes", (long long)in->nodes);
    wgdn_subtrees_name(in->name, WGDN_SUBTREE_ROUNDS, &in->graph->adjacency, &in->x, in->features);
    wgdn_for_each(in->graphs, sort_names, in);
    return WGDN_OK;
}

/* Whether a name of the last round is in more than two graphs on average. Overwrites the first. */
static bool names_recur(const wgdn_graph_input *in)
{
    const uint64_t *last = in->name + WGDN_SUBTREE_ROUNDS * in->nodes;
    int64_t pairs = 0, names = 0;
    for (int64_t g = 0; g < in->graphs; g++)
        for (int64_t i = in->start[g]; i < in->start[g + 1]; i++)
            if (i == in->start[g] || last[i] != last[i - 1]) in->name[pairs++] = last[i];
    qsort(in->name, (size_t)pairs, sizeof *in->name, wgdn_by_uint64);
    for (int64_t i = 0; i < pairs; i++)
        names += i == 0 || in->name[i] != in->name[i - 1];
    return pairs > 2 * names;
}

/*
 * Cuts a set of graphs into runs of whole graphs. The matrices of one run fit into the caches, and
 * a set of any size needs no more of them. The columns of the adjacency count from the first node
 * of a run, so a part of its arrays is the adjacency of the run.
 */

enum { RUN_NODES = 8192 };

/* Runs, and how many nodes the largest has; run may be NULL. */
static void cut(wgdn_graph_input *in)
{
    int64_t first = 0;
    in->runs = 0;
    while (first < in->graphs) {
        int64_t end = first + 1;
        while (end < in->graphs && in->start[end + 1] - in->start[first] <= RUN_NODES)
            end++;
        const int64_t nodes = in->start[end] - in->start[first];
        in->run[in->runs++] = first;
        if (nodes > in->nodes_max) in->nodes_max = nodes;
        first = end;
    }
    in->run[in->runs] = first;
}

static void count_from_runs(wgdn_graph_input *in)
{
    const wgdn_csr *a = &in->graph->adjacency;
    for (int64_t r = 0; r < in->runs; r++) {
        const int64_t first = in->start[in->run[r]], end = in->start[in->run[r + 1]];
        for (int64_t k = a->offset[first]; k < a->offset[end]; k++)
            in->local[k] = (int32_t)(a->column[k] - first);
    }
}

static wgdn_status open_features(wgdn_graph_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                 wgdn_error *err)
{
    const int64_t there = d->degrees ? 0 : wgdn_dataset_features(d);
    if (f->features == 0) return WGDN_OK;
    if (there != f->features)
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)there, (long long)f->features);
    return wgdn_matrix_open(&in->x, d, f->features, f->options.binarize, err);
}

wgdn_status wgdn_graph_input_open(wgdn_graph_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                  wgdn_error *err)
{
    *in = (wgdn_graph_input){.graph = wgdn_dataset_get_graph(d),
                             .nodes = wgdn_dataset_nodes(d),
                             .graphs = wgdn_dataset_graphs(d),
                             .features = f->features};
    if (wgdn_dataset_rows(d).dist)
        return wgdn_fail(err, WGDN_EINVAL,
                         "vectors of graphs: not supported with MPI; run without mpirun");
    wgdn_status st = open_features(in, d, f, err);
    if (st) goto done;
    const wgdn_csr *a = &in->graph->adjacency;
    wgdn_arrays *all = &in->arrays;
    in->start = wgdn_arrays_add(all, (size_t)in->graphs + 1, sizeof *in->start);
    in->run = wgdn_arrays_add(all, (size_t)in->graphs + 1, sizeof *in->run);
    in->local = wgdn_arrays_add(all, (size_t)wgdn_csr_entries(a), sizeof *in->local);
    in->column = wgdn_arrays_add(all, (size_t)in->nodes, WGDN_NODE_COLUMNS * sizeof *in->column);
    if (all->failed) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%lld graphs of %lld nodes", (long long)in->graphs,
                       (long long)in->nodes);
        goto done;
    }
    for (int64_t g = 0; g <= in->graphs; g++)
        in->start[g] = wgdn_dataset_graph_start(d, g);
    cut(in);
    count_from_runs(in);
    node_columns(in->column, a);
    if (!f->graphs || f->graphs->width > WGDN_GRAPH_WIDTH) st = open_names(in, err);

done:
    if (st) wgdn_graph_input_close(in);
    return st;
}

/*
 * Reduces the pooled columns.                                                    [WGDN:graph-basis]
 *
 *     B = (T - 1 m^T) C,   B ~ U diag(s) V^T,   vectors B V (s / s_0)^-p = U s^(1-p) s_0^p
 *
 * C scales each block to rows of mean squared length 1, that of subtrees to 4. Dividing by a power of
 * the singular values gives weight to small differences between graphs, which a kernel on the
 * vectors would not see otherwise. The model keeps m and C V (s / s_0)^-p.
 */

enum { ROUNDS = 4 };

const double wgdn_graph_power = 0.25;
static const double subtree_weight = 2;
static const double least = 1e-5; /* of the largest singular value: below, there is rounding only */

typedef struct pooled {
    float *t; /* graphs x width */
    int64_t width;
    wgdn_span graphs;
    double *factor; /* width: C */
    float *center;  /* width: m */
    float *side;    /* graphs x k */
    void *work;
} pooled;

static wgdn_status times(float *y, const wgdn_tall *v, void *self, wgdn_error *err)
{
    const pooled *b = self;
    const wgdn_product p = wgdn_product_of(y, b->t, v->x, b->graphs, b->width, v->k);
    return wgdn_gemm_nn(&p, err);
}

static wgdn_status normal(wgdn_tall *v, void *self, wgdn_error *err)
{
    const pooled *b = self;
    const wgdn_status st = times(b->side, v, self, err);
    wgdn_product p = wgdn_product_of(v->x, b->t, b->side, b->graphs, b->width, v->k);
    p.work = b->work;
    return st ? st : wgdn_gemm_tn(&p, err);
}

static void center_rows(int64_t first, int64_t count, void *context)
{
    const pooled *b = context;
    for (int64_t g = first; g < first + count; g++)
        for (int64_t j = 0; j < b->width; j++)
            b->t[g * b->width + j] -= b->center[j];
}

static void graph_basis_scale_rows(int64_t first, int64_t count, void *context)
{
    const pooled *b = context;
    for (int64_t g = first; g < first + count; g++)
        for (int64_t j = 0; j < b->width; j++)
            b->t[g * b->width + j] = (float)(b->t[g * b->width + j] * b->factor[j]);
}

/* T becomes B. sum: 2 x width */
static void standardize(pooled *b, double *sum)
{
    double *squares = sum + b->width;
    wgdn_column_sums(sum, NULL, b->t, b->graphs, b->width, b->work);
    for (int64_t j = 0; j < b->width; j++)
        b->center[j] = (float)(sum[j] / (double)b->graphs.total);
    wgdn_for_rows(b->graphs, center_rows, b);
    wgdn_column_sums(sum, squares, b->t, b->graphs, b->width, b->work);
    for (int64_t at = 0; at < b->width; at += WGDN_GRAPH_COSINES) {
        const double length = at < WGDN_GRAPH_WIDTH ? 1 : subtree_weight;
        const double all = wgdn_tree_sum(squares + at, WGDN_GRAPH_COSINES);
        const double factor = all > 0 ? length * sqrt((double)b->graphs.total / all) : 0;
        for (int64_t j = at; j < at + WGDN_GRAPH_COSINES; j++)
            b->factor[j] = factor;
    }
    wgdn_for_rows(b->graphs, graph_basis_scale_rows, b);
}

/* Columns that have something in them, at least one. */
static int64_t columns_of(const wgdn_subspace *s, int64_t most)
{
    int64_t dim = 1;
    while (dim < s->v->k && dim < most && s->value[dim] > least * s->value[0])
        dim++;
    return dim;
}

static wgdn_status keep(wgdn_graph_form *form, const wgdn_subspace *s, const double *factor,
                        int64_t dim, wgdn_error *err)
{
    form->dim = dim;
    form->basis = wgdn_alloc((size_t)(form->width * dim), sizeof *form->basis);
    if (!form->basis)
        return wgdn_fail(err, WGDN_ENOMEM, "basis of %lld x %lld", (long long)form->width,
                         (long long)dim);
    for (int64_t j = 0; j < dim; j++) {
        const double part = s->value[0] > 0 ? pow(s->value[j] / s->value[0], -wgdn_graph_power) : 0;
        for (int64_t i = 0; i < form->width; i++)
            form->basis[i * dim + j] = (float)(s->v->x[i * s->v->k + j] * factor[i] * part);
    }
    return WGDN_OK;
}

/* Center and basis of pooled columns, graphs x form->width, which are centered and scaled on the way. */
static wgdn_status graph_basis_learn(wgdn_graph_form *form, float *t, int64_t graphs,
                                     const wgdn_fit_options *o, wgdn_error *err)
{
    const int64_t width = form->width;
    pooled b = {.t = t, .width = width, .graphs = wgdn_alone(graphs)};
    const int64_t k = wgdn_min(wgdn_min((int64_t)o->dim + WGDN_FIT_SPARE, graphs), width);
    const size_t n = (size_t)(graphs * k);
    wgdn_tall v = {.k = k};
    wgdn_subspace s = {.v = &v};
    wgdn_status st = wgdn_tall_open(&v, wgdn_alone(width), k, k, NULL, err);
    b.center = form->center = wgdn_alloc((size_t)width, sizeof *form->center);
    const size_t work =
        wgdn_larger(wgdn_gemm_tn_work(b.graphs, width, k), wgdn_reduce_work(b.graphs, width));
    wgdn_arrays arrays = {.count = 0};
    b.factor = wgdn_arrays_add(&arrays, 3 * (size_t)width, sizeof *b.factor);
    b.side = wgdn_arrays_add(&arrays, n, sizeof *b.side);
    b.work = wgdn_arrays_add(&arrays, work, 1);
    s.value = wgdn_arrays_add(&arrays, (size_t)k, sizeof *s.value);
    if (!st && (!b.center || arrays.failed))
        st = wgdn_fail(err, WGDN_ENOMEM, "vectors of graphs: matrices of %lld x %lld",
                       (long long)graphs, (long long)k);
    if (!st) {
        const wgdn_operator op = {.rows = b.graphs, .times = times, .normal = normal, .self = &b};
        standardize(&b, b.factor + width);
        wgdn_random_normals(v.x, k, (wgdn_stream){.seed = o->seed, .call = WGDN_CALL_SKETCH}, 0,
                            width, 0, k);
        st = wgdn_subspace_find(&s, &op, ROUNDS, err);
    }
    if (!st) st = keep(form, &s, b.factor, columns_of(&s, o->dim), err);
    wgdn_tall_close(&v);
    wgdn_arrays_release(&arrays);
    return st;
}

/*
 * Chooses the blocks of cosines for vectors of graphs: for each scale, degrees alone, then more
 * hops.
 */

enum { A_SCALE = WGDN_GRAPH_HOPS + 2 }; /* blocks */

static const double scales[WGDN_GRAPH_SCALES] = {0.12, 0.5};
static const char *const names[A_SCALE] = {"cosines of a node's degree", "cosines of a node",
                                           "cosines of hops 0 and 1", "cosines of hops 0 to 2",
                                           "cosines of hops 0 to 3"};

wgdn_cosine_block wgdn_cosine_block_get(int i)
{
    const int form = i % A_SCALE;
    const double s = scales[i / A_SCALE];
    if (form == 0) return (wgdn_cosine_block){names[0], s, s, 0, 1};
    return (wgdn_cosine_block){names[form], s, s * sqrt(2 * form), form - 1, WGDN_NODE_COLUMNS};
}

void wgdn_graph_blocks_text(char *text, size_t size, int64_t width)
{
    int used =
        snprintf(text, size, "%d cosines, %d hops, scales", WGDN_GRAPH_COSINES, WGDN_GRAPH_HOPS);
    for (int s = 0; s < WGDN_GRAPH_SCALES && used > 0 && (size_t)used < size; s++) {
        char scale[32];
        wgdn_number_text(scale, sizeof scale, scales[s]);
        used += snprintf(text + used, size - (size_t)used, " %s", scale);
    }
    if (width > WGDN_GRAPH_WIDTH && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %d rounds of subtrees", WGDN_SUBTREE_ROUNDS);
}

/* the table of the CPU level in use */
static const wgdn_cosine_ops *cosine_rows(void)
{
    static const wgdn_cosine_ops *const variants[] =
        WGDN_VARIANTS(wgdn_cosine_rows_plain, wgdn_cosine_rows);
    return variants[wgdn_cpu_level()];
}

/*
 * Computes random Fourier features of the neighborhood within some hops, pooled.
 *                                                                              [WGDN:graph-cosines]
 *
 *     z_v = cos(sum_h (P^h F W_h)_v + b),   P = D^-1 A,   F = [X, node columns]
 *     t_G = sum over v in G of z_v / |G|^1/2
 *
 * Horner's rule Z <- F W_h + P Z runs from the farthest hop to the node itself, one block of
 * cosines and one run of graphs at a time. W ~ N(0, 1 / sigma^2) and b are addressed by (block,
 * hop, column of F, cosine). Angles are counted in turns: W and b contain the factor 1 / (2 pi).
 */

enum { SLAB = WGDN_GRAPH_SLAB, EPOCHS_A_BLOCK = 16 };

static const double two_pi = 6.283185307179586;

/* ---- one block of a run ---- */

typedef struct pass {
    const wgdn_cosines *c;
    const wgdn_cosine_ops *ops;
    const float *weight; /* of this hop */
    int64_t graph, node; /* the run's first */
    bool farther;        /* there is a hop behind this one, whose sums are in c->sum */
    float *out;          /* of the run's first graph, rows of ld */
    int64_t ld;
    int64_t column; /* the first one of a slab of counts */
} pass;

/* (F W_h + P Z)_i */
static wgdn_angles angles_of(const pass *p, int64_t i)
{
    const wgdn_cosines *c = p->c;
    const float *own = c->in->column + (p->node + i) * WGDN_NODE_COLUMNS;
    return (wgdn_angles){.column = {own[0], own[1]},
                         .factor = c->in->graph->inv_degree[p->node + i],
                         .weight = p->weight,
                         .x = c->in->features ? c->fx + i * SLAB : NULL,
                         .s = p->farther ? c->sum + i * SLAB : NULL};
}

static void hop_rows(int64_t first, int64_t count, void *context)
{
    const pass *p = context;
    for (int64_t i = first; i < first + count; i++) {
        const wgdn_angles a = angles_of(p, i);
        p->ops->angles(p->c->z + i * SLAB, &a);
    }
}

static void pool_graph(int64_t g, void *context)
{
    const pass *p = context;
    const int64_t *start = p->c->in->start + p->graph + g;
    double sum[SLAB] = {0};
    for (int64_t i = start[0] - p->node; i < start[1] - p->node; i++) {
        const wgdn_angles a = angles_of(p, i);
        p->ops->pool(sum, &a, p->c->phase);
    }
    const double root = sqrt((double)(start[1] - start[0]));
    for (int j = 0; j < SLAB; j++)
        p->out[g * p->ld + j] = (float)(sum[j] / root);
}

/* fx = X W of the rows of a run */
static wgdn_status features(const wgdn_cosines *c, const pass *p, int64_t rows, wgdn_error *err)
{
    const wgdn_graph_input *in = c->in;
    const float *w = p->weight + (ptrdiff_t)WGDN_NODE_COLUMNS * SLAB;
    if (!in->features) return WGDN_OK;
    if (in->x.sparse) {
        wgdn_csr x = *in->x.sparse;
        x.offset += p->node;
        x.rows = rows;
        wgdn_spmm(c->fx, &x, w, SLAB);
        return WGDN_OK;
    }
    const wgdn_product product = wgdn_product_of(c->fx, in->x.dense + p->node * in->features, w,
                                                 wgdn_alone(rows), in->features, SLAB);
    return wgdn_gemm_nn(&product, err);
}

static int64_t weights_of_hop(const wgdn_cosines *c)
{
    return (WGDN_NODE_COLUMNS + c->in->features) * SLAB;
}

static wgdn_status pool_run(float *out, int64_t ld, const wgdn_cosines *c, int64_t run,
                            wgdn_error *err)
{
    const wgdn_graph_input *in = c->in;
    const int64_t g = in->run[run], end = in->run[run + 1], first = in->start[g];
    const int64_t rows = in->start[end] - first;
    const wgdn_graph here = {.adjacency = {.rows = rows,
                                           .cols = rows,
                                           .offset = in->graph->adjacency.offset + first,
                                           .column = in->local,
                                           .value = in->graph->adjacency.value}};
    pass p = {
        .c = c, .ops = cosine_rows(), .graph = g, .node = first, .out = out + g * ld, .ld = ld};
    wgdn_status st = WGDN_OK;
    for (int h = c->block.hops; h >= 0 && !st; h--) {
        p.weight = c->weight + h * weights_of_hop(c);
        p.farther = h < c->block.hops;
        if (p.farther) wgdn_adjacency(c->sum, &here, c->z, SLAB);
        st = features(c, &p, rows, err);
        if (!st && h > 0) wgdn_for_rows(wgdn_alone(rows), hop_rows, &p);
    }
    if (!st) wgdn_for_each(end - g, pool_graph, &p);
    return st;
}

/* A slab of the counts of names in a graph. */
static void count_names(int64_t g, void *context)
{
    const pass *p = context;
    const wgdn_graph_input *in = p->c->in;
    const int64_t first = in->start[g], end = in->start[g + 1];
    double sum[WGDN_GRAPH_SLAB] = {0};
    for (int r = 1; r <= WGDN_SUBTREE_ROUNDS; r++) {
        const uint64_t *name = in->name + r * in->nodes;
        for (int64_t i = first, next; i < end; i = next) {
            const int64_t column = (int64_t)(name[i] % WGDN_GRAPH_COSINES) - p->column;
            for (next = i + 1; next < end && name[next] == name[i];)
                next++;
            const double root = sqrt((double)(next - i));
            if (column >= 0 && column < WGDN_GRAPH_SLAB)
                sum[column] += name[i] >> 63 ? root : -root;
        }
    }
    for (int j = 0; j < WGDN_GRAPH_SLAB; j++)
        p->out[g * p->ld + j] = (float)(sum[j] / sqrt((double)(end - first)));
}

/* ---- all blocks ---- */

static void draw(wgdn_cosines *c, int block, int64_t from)
{
    const int64_t rows = WGDN_NODE_COLUMNS + c->in->features;
    wgdn_stream s = {.seed = c->seed, .call = WGDN_CALL_COSINES};
    for (int h = 0; h <= c->block.hops; h++) {
        float *w = c->weight + h * weights_of_hop(c);
        s.epoch = (uint32_t)(block * EPOCHS_A_BLOCK + h);
        wgdn_random_normals(w, SLAB, s, 0, rows, from, SLAB);
        wgdn_scale(w, (float)(1 / (two_pi * c->block.sigma)), rows, SLAB);
        for (int64_t j = (int64_t)c->block.columns * SLAB; j < (int64_t)WGDN_NODE_COLUMNS * SLAB;
             j++)
            w[j] = 0;
    }
    s = (wgdn_stream){.seed = c->seed, .epoch = (uint32_t)block, .call = WGDN_CALL_PHASES};
    wgdn_random_uniforms(c->phase, SLAB, s, 0, 1, from, SLAB);
}

wgdn_status wgdn_cosines_open(wgdn_cosines *c, const wgdn_graph_input *in, uint64_t seed,
                              wgdn_error *err)
{
    const size_t slab = (size_t)in->nodes_max * SLAB;
    *c = (wgdn_cosines){.in = in, .seed = seed};
    const size_t weights = (WGDN_GRAPH_HOPS + 1) * (size_t)weights_of_hop(c);
    c->weight = wgdn_arrays_add(&c->arrays, weights, sizeof *c->weight);
    c->phase = wgdn_arrays_add(&c->arrays, SLAB, sizeof *c->phase);
    c->z = wgdn_arrays_add(&c->arrays, slab, sizeof *c->z);
    c->sum = wgdn_arrays_add(&c->arrays, slab, sizeof *c->sum);
    c->fx = wgdn_arrays_add(&c->arrays, in->features ? slab : 0, sizeof *c->fx);
    if (!c->arrays.failed) return WGDN_OK;
    wgdn_cosines_close(c);
    return wgdn_fail(err, WGDN_ENOMEM, "cosines: three matrices of %lld x %d",
                     (long long)in->nodes_max, SLAB);
}

wgdn_status wgdn_cosines_pool(float *out, int64_t ld, wgdn_cosines *c, int64_t at, wgdn_error *err)
{
    const int block = (int)(at / WGDN_GRAPH_COSINES);
    wgdn_status st = WGDN_OK;
    if (at >= WGDN_GRAPH_WIDTH) {
        pass p = {.c = c, .out = out, .ld = ld, .column = at - WGDN_GRAPH_WIDTH};
        wgdn_for_each(c->in->graphs, count_names, &p);
        return WGDN_OK;
    }
    c->block = wgdn_cosine_block_get(block);
    draw(c, block, at % WGDN_GRAPH_COSINES);
    for (int64_t r = 0; r < c->in->runs && !st; r++)
        st = pool_run(out, ld, c, r, err);
    return st;
}

/*
 * Fits the closed form of whole graphs (node columns, cosines, a basis) and applies it to other
 * graphs.
 */

/* ---- fitting ---- */

static wgdn_status tell(const wgdn_fit_options *o, int64_t done, wgdn_error *err)
{
    if (!o->progress || !o->progress(o->progress_user, done, WGDN_GRAPH_BLOCKS + 1)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "fit: stopped");
}

/* Pooled columns of all graphs. t: graphs x width */
static wgdn_status pool_all(float *t, int64_t width, const wgdn_graph_input *in,
                            const wgdn_fit_options *o, wgdn_error *err)
{
    wgdn_cosines c;
    wgdn_status st = wgdn_cosines_open(&c, in, o->seed, err);
    if (st) return st;
    for (int64_t at = 0; at < width && !st; at += SLAB) {
        if (at < WGDN_GRAPH_WIDTH && at % WGDN_GRAPH_COSINES == 0)
            st = tell(o, at / WGDN_GRAPH_COSINES, err);
        if (!st) st = wgdn_cosines_pool(t + at, width, &c, at, err);
    }
    if (!st) st = tell(o, WGDN_GRAPH_BLOCKS, err);
    wgdn_cosines_close(&c);
    return st;
}

static wgdn_status refuse(const wgdn_fit_options *o, const wgdn_dataset *d, wgdn_error *err)
{
    if (wgdn_dataset_graphs(d) < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         "fit: vectors of graphs need several graphs, and this is one; use task "
                         "node for vectors of its nodes");
    if (o->scale >= 0)
        return wgdn_fail(err, WGDN_EINVAL,
                         "scale: applies to vectors of nodes only; leave it out for whole graphs");
    if (o->refine)
        return wgdn_fail(err, WGDN_EINVAL,
                         "refine: applies to vectors of nodes only; leave it out for whole graphs");
    return WGDN_OK;
}

wgdn_status wgdn_graph_form_learn(wgdn_fitted *f, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_graph_input in = {0};
    float *t = NULL;
    wgdn_status st = refuse(&f->options, d, err);
    if (st) return st;
    if (d->degrees) f->features = 0; /* a column of its own says it better */
    st = wgdn_graph_input_open(&in, d, f, err);
    if (st) return st;
    wgdn_graph_form *form = f->graphs = wgdn_alloc_zero(1, sizeof *form);
    if (form) form->width = names_recur(&in) ? WGDN_SUBTREE_WIDTH : WGDN_GRAPH_WIDTH;
    if (form) t = wgdn_alloc((size_t)(in.graphs * form->width), sizeof *t);
    if (!t) {
        st = wgdn_fail(err, WGDN_ENOMEM, "cosines of %lld graphs", (long long)in.graphs);
        goto done;
    }
    st = node_columns_measure(form, in.column, in.nodes, err);
    if (!st) {
        wgdn_node_columns_scale(in.column, in.nodes, form);
        st = pool_all(t, form->width, &in, &f->options, err);
    }
    if (!st) st = graph_basis_learn(form, t, in.graphs, &f->options, err);

done:
    wgdn_release(t);
    wgdn_graph_input_close(&in);
    return st;
}

/* ---- embedding ---- */

/* out += (T - m) basis, a slab of columns of T at a time. */
static wgdn_status add_slab(float *out, float *t, const wgdn_graph_form *form, int64_t at,
                            int64_t graphs, wgdn_error *err)
{
    const wgdn_span all = wgdn_alone(graphs);
    pooled c = {.t = t, .width = SLAB, .center = form->center + at};
    wgdn_product p = wgdn_product_of(out, t, form->basis + at * form->dim, all, SLAB, form->dim);
    p.beta = at > 0 ? 1 : 0;
    wgdn_for_rows(all, center_rows, &c);
    return wgdn_gemm_nn(&p, err);
}

wgdn_status wgdn_graph_form_embed(float *out, const wgdn_fitted *f, const wgdn_dataset *d,
                                  wgdn_error *err)
{
    wgdn_graph_input in = {0};
    wgdn_cosines c = {0};
    wgdn_status st = wgdn_graph_input_open(&in, d, f, err);
    if (st) return st;
    wgdn_node_columns_scale(in.column, in.nodes, f->graphs);
    float *t = wgdn_alloc((size_t)in.graphs * SLAB, sizeof *t);
    if (!t) st = wgdn_fail(err, WGDN_ENOMEM, "cosines of %lld graphs", (long long)in.graphs);
    if (!st) st = wgdn_cosines_open(&c, &in, f->options.seed, err);
    for (int64_t at = 0; at < f->graphs->width && !st; at += SLAB) {
        st = wgdn_cosines_pool(t, SLAB, &c, at, err);
        if (!st) st = add_slab(out, t, f->graphs, at, in.graphs, err);
    }
    wgdn_cosines_close(&c);
    wgdn_release(t);
    wgdn_graph_input_close(&in);
    return st;
}
