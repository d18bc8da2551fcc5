/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The closed form: vectors that need no training. A vector is made of parts side by side, each with
 * rows of one length: features filtered by the graph, leading vectors of the graph itself. What a
 * part learns is a basis, to which its operator is applied again wherever something is embedded.
 */
#ifndef WGDN_FIT_FIT_H
#define WGDN_FIT_FIT_H

#include "cosine_rows.h"
#include "data/dataset.h"
#include "io/lines.h"
#include "linalg/tall.h"
#include "spectral/spectral.h"

#include <stdatomic.h>
#include <wgdn/fit.h>

enum {
    WGDN_FIT_SHOWN_MAX = 16, /* parts or blocks that are reported */
    WGDN_FIT_ORDER_MAX = 40, /* of a filter */
    WGDN_FIT_SCALES = 8,     /* that are compared */
    WGDN_FIT_SPARE = 16,     /* columns beyond those that are kept */
    WGDN_REFINE_VIEWS = 8,   /* of the graph */
};

/* The data that a model was made of; all 0 where its file does not say. */
typedef struct wgdn_origin {
    int64_t nodes, edges, graphs;
} wgdn_origin;

static inline wgdn_origin wgdn_origin_of(const wgdn_dataset *d)
{
    return (wgdn_origin){.nodes = wgdn_dataset_nodes(d),
                         .edges = wgdn_dataset_edges(d),
                         .graphs = wgdn_dataset_graphs(d)};
}

void wgdn_origin_add(wgdn_pairs *p, const wgdn_origin *o);
wgdn_origin wgdn_origin_read(const wgdn_archive *a);

enum {
    WGDN_GRAPH_SCALES = 2,
    WGDN_GRAPH_HOPS = 3, /* the farthest */
    WGDN_GRAPH_BLOCKS = WGDN_GRAPH_SCALES * (WGDN_GRAPH_HOPS + 2),
    WGDN_GRAPH_COSINES = 256, /* of a block */
    WGDN_GRAPH_WIDTH = WGDN_GRAPH_BLOCKS * WGDN_GRAPH_COSINES,
    WGDN_SUBTREE_ROUNDS = 3,                                    /* of renaming the nodes */
    WGDN_SUBTREE_WIDTH = WGDN_GRAPH_WIDTH + WGDN_GRAPH_COSINES, /* with counts of subtrees */
    WGDN_NODE_COLUMNS = 2, /* log(1 + degree), clustering coefficient */
    WGDN_SIZES = 3,        /* columns of WGDN_PART_SIZES */
};

/* What a fit of whole graphs learned. */
typedef struct wgdn_graph_form {
    float nodes[2][WGDN_NODE_COLUMNS]; /* means and deviations of the node columns */
    int64_t dim;
    int64_t width; /* WGDN_GRAPH_WIDTH, or WGDN_SUBTREE_WIDTH */
    float *center; /* width: means of the pooled columns over graphs */
    float *basis;  /* width x dim, with scales of blocks and of columns in it */
} wgdn_graph_form;

/* ---- parts ---- */

typedef enum wgdn_part_kind {
    WGDN_PART_FILTERED,    /* p(S) R X V: R scales rows to length 1, V is the basis */
    WGDN_PART_EIGEN,       /* eigenvectors of S, weighted by exp(-t (1 - w)) */
    WGDN_PART_TRANSITIONS, /* log transition probabilities, factorized */
    WGDN_PART_RELATED,     /* along directions and types of edges, a block each */
    WGDN_PART_SHARED,      /* features that neighbors share: filtered, and as they are */
    WGDN_PART_SINGULAR,    /* along directions and types of edges, without features: a block each */
    WGDN_PART_SIZES,       /* how many neighbors and features */
} wgdn_part_kind;

/* Y and p(S) Y of the dataset of the fit, for the first embedding of it: shared_signal.c. */
typedef struct wgdn_kept wgdn_kept;

/* A block of a part of singular vectors; written as a row of three numbers. */
typedef struct wgdn_block_facts {
    float expected; /* share of the edges of a node that are expected to be of the relation */
    float columns;  /* of the basis */
    float
        counted; /* 1: with a column for the number of edges; 0: it would be the same everywhere */
} wgdn_block_facts;

/* A part as it is planned, and then what was learned for it. */
typedef struct wgdn_fitted_part {
    wgdn_part_kind kind;
    double scale;   /* t of exp(-t L) */
    int hops;       /* instead: (I - L)^hops; -1: no */
    double weight;  /* length of its rows */
    int64_t dim;    /* columns */
    int64_t strong; /* structure, while fitting: columns before those that are faint; 0: all are */
    int64_t rows;   /* of the basis: features, or known nodes */
    float *basis;   /* rows x dim; NULL: the features as they are */
    wgdn_storage held; /* what the basis of structure lies in, unless it was read from a file */
    float *offset;     /* transitions: -log q of each known node; else NULL */
    double last;       /* eigenvectors, while fitting: the eigenvalue of S of the last one */
    /* Shared: columns of the basis, or features; the last columns that are not filtered; inner x
     * dim; and what is taken off every row afterwards. */
    int64_t inner, own;
    float *map, *center;     /* sizes: means and inverse deviations are the map */
    wgdn_block_facts *block; /* singular: of each relation; `inner` has the columns of all bases */
    wgdn_kept *kept;         /* of what it was learned from, for its vectors; or NULL */
    bool empty;              /* while fitting: zero for every node */
} wgdn_fitted_part;

/* Whether its basis has a row for every node that was there. */
static inline bool wgdn_part_is_structure(const wgdn_fitted_part *p)
{
    return p->kind == WGDN_PART_EIGEN || p->kind == WGDN_PART_TRANSITIONS ||
           p->kind == WGDN_PART_SINGULAR;
}

/* ---- memory: fit_cost.c ---- */

/* What the memory limit allows. */
typedef struct wgdn_fit_memory {
    int64_t block; /* columns of a block, if matrices are in scratch files; 0: they are in memory */
    const char *scratch; /* folder of these files; NULL: in memory */
    double left;         /* bytes beside the graph, with blocks */
} wgdn_fit_memory;
/* Chooses the widest block that fits; WGDN_ENOMEM, naming the limit, if none does. */
WGDN_MUST_CHECK wgdn_status wgdn_fit_memory_find(wgdn_fit_memory *out, const wgdn_dataset *d,
                                                 const wgdn_fit_options *o, wgdn_error *err);

/* What is added to the closed form: refine.h. */
typedef struct wgdn_refined {
    float *in, *out; /* dim x dim; NULL: nothing */
    double loss[2];  /* in the first epoch and in the last */
} wgdn_refined;

typedef struct wgdn_fitted {
    wgdn_fit_options options;
    wgdn_origin origin;
    int64_t features;     /* columns that X has; 0: none are looked at */
    wgdn_names relations; /* directions and types that a part has blocks for */
    int parts;
    wgdn_fitted_part part[WGDN_FIT_PARTS_MAX];
    wgdn_refined refined;
    wgdn_graph_form *graphs; /* instead of parts: vectors are of whole graphs; NULL: of nodes */
    int shows;
    wgdn_fit_part shown[WGDN_FIT_SHOWN_MAX];
    int scales;
    double scale[WGDN_FIT_SCALES], agreement[WGDN_FIT_SCALES];
    int64_t halo_sent, sums_sent; /* bytes, by this rank, while fitting */
    int64_t known;                /* nodes that the bases of structure have rows for */
    uint64_t *key;                /* theirs, ascending */
    bool holds_ids;               /* so are their ids, by key, then by bytes; rank 0 has them */
    wgdn_names ids;
    wgdn_storage
        id_store[2];      /* what they lie in, start and text, unless they were read from a file */
    wgdn_remarks remarks; /* of what the fit decided; not written to a file */
} wgdn_fitted;

/* Singular values below this part of the largest are rounding. */
#define WGDN_FIT_RANK 1e-5

static inline bool wgdn_fit_has_structure(const wgdn_fitted *f)
{
    for (int i = 0; i < f->parts; i++)
        if (wgdn_part_is_structure(&f->part[i])) return true;
    return false;
}

/* Columns of a part's basis, where it has one. */
static inline int64_t wgdn_basis_columns(const wgdn_fitted *f, const wgdn_fitted_part *p)
{
    if (p->kind == WGDN_PART_SHARED || p->kind == WGDN_PART_SINGULAR) return p->inner;
    return p->kind == WGDN_PART_RELATED ? p->dim / f->relations.count - 1 : p->dim;
}

WGDN_MUST_CHECK wgdn_status wgdn_fitted_make(wgdn_fitted **out, const wgdn_dataset *d,
                                             const wgdn_fit_options *o, wgdn_error *err);
void wgdn_fitted_free(wgdn_fitted *f);

/* columns that were learned, */
static inline int64_t wgdn_fitted_width(const wgdn_fitted *f)
{
    int64_t dim = f->graphs ? f->graphs->dim : 0;
    for (int i = 0; i < f->parts; i++)
        dim += f->part[i].dim;
    return dim;
}

/* Columns of a vector, which may be padded. */
static inline int64_t wgdn_fitted_dim(const wgdn_fitted *f)
{
    const int64_t width = wgdn_fitted_width(f);
    return f->options.pad && f->options.dim > width ? f->options.dim : width;
}

/* Vectors of the rows that are here, in their order, or of all graphs. out: rows x dim. */
WGDN_MUST_CHECK wgdn_status wgdn_fitted_embed(const wgdn_storage *out, const wgdn_fitted *f,
                                              const wgdn_dataset *d, wgdn_error *err);
/* The same, written to a file as they are made; whether the model's vectors are made by rows. */
WGDN_MUST_CHECK wgdn_status wgdn_fitted_write_rows(wgdn_output *file, wgdn_numbers numbers,
                                                   const wgdn_fitted *f, const wgdn_dataset *d,
                                                   int64_t *zeros, wgdn_error *err);
/* Adds the rows of zeros to *zeros; WGDN_ERANGE where a number is not finite. first: of the rows. */
WGDN_MUST_CHECK wgdn_status wgdn_made_check(int64_t *zeros, const float *rows, int64_t first,
                                            int64_t count, int64_t k, wgdn_error *err);

/* ---- its file: fit_file.c ---- */

/* What others store beside it in its file, which readers of the model ignore. */
enum { WGDN_FIT_EXTRA_MAX = 8 };
typedef struct wgdn_fitted_extra {
    const wgdn_tensor *tensor;
    int64_t tensors; /* WGDN_FIT_EXTRA_MAX at most */
    const wgdn_text_pair *pair;
    int pairs;
} wgdn_fitted_extra;
/* extra: or NULL */
WGDN_MUST_CHECK wgdn_status wgdn_fitted_write(const wgdn_fitted *f, const char *encoding,
                                              const char *reading, const wgdn_fitted_extra *extra,
                                              const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_fitted_read(wgdn_fitted **out, const wgdn_archive *a,
                                             const char *path, wgdn_error *err);

/* ---- filters: filtered.c ---- */

/* The series of a part's filter, or of its square; returns the order. */
int wgdn_part_series(double *a, const wgdn_fitted_part *p, bool squared);
int wgdn_heat_series(double *a, double t);

/* ---- features, filtered: filtered.c ---- */

/* What features tell: fit_input.c. */
typedef enum wgdn_worth {
    WGDN_WORTH_SOMETHING,
    WGDN_WORTH_NOTHING,  /* zeros */
    WGDN_WORTH_CONSTANT, /* the same of every node, but for a factor */
    WGDN_WORTH_IDENTITY, /* an entry of its own for each node, and nothing else */
} wgdn_worth;

/* X of a dataset with rows of length 1, on its graph. */
typedef struct wgdn_fit_input {
    const wgdn_dataset *data;
    const wgdn_graph *graph;
    const wgdn_relations *relations;
    wgdn_span rows;
    int64_t features;
    wgdn_matrix x;
    wgdn_csr turned;             /* X^T where X is sparse and somebody asked for it */
    float *inv_norm;             /* of each row; 0 for a row of zeros */
    uint64_t *key;               /* of each row */
    float *logs;                 /* log A_ij of each entry; NULL where all are 1 */
    const wgdn_archive *from[2]; /* what X is borrowed from */
    wgdn_fit_memory memory;
    wgdn_graph window; /* the graph, where it is looked at by windows */
    uint64_t serial;   /* of the dataset */
    bool keep;         /* what is filtered is wanted again */
    bool weighted;     /* edges have weights, on some rank at least */
    wgdn_worth worth;  /* of the features, where they were opened to learn from */
    int64_t tiny;      /* rows so short that they count as zeros */
    double *used;      /* nodes that have a value in each column, where columns are few; or NULL */
} wgdn_fit_input;

/* With learn, what products with X^T need is there, too. */
WGDN_MUST_CHECK wgdn_status wgdn_fit_input_open(wgdn_fit_input *in, const wgdn_dataset *d,
                                                const wgdn_fitted *f, bool learn, wgdn_error *err);

static inline void wgdn_fit_input_close(wgdn_fit_input *in)
{
    wgdn_release(in->logs);
    wgdn_release(in->key);
    wgdn_release(in->used);
    wgdn_release(in->inv_norm);
    wgdn_csr_free(&in->turned);
    wgdn_matrix_free(&in->x);
    in->logs = NULL;
    in->key = NULL;
    in->inv_norm = NULL;
    in->used = NULL;
}

/* Rows of `size` bytes of all ranks, on each of them; NULL if one of them is out of memory. */
void *wgdn_gather_rows(const void *mine, size_t size, const wgdn_fit_input *in);
/* Narrows the blocks to what the planned parts need; WGDN_ENOMEM if they do not fit at all. */
WGDN_MUST_CHECK wgdn_status wgdn_fit_memory_check(wgdn_fit_input *in, const wgdn_fitted *f,
                                                  wgdn_error *err);
/* A chunk of the rows, as an input that borrows all it has. */
static inline void wgdn_fit_rows(wgdn_fit_input *part, const wgdn_fit_input *in, wgdn_span chunk)
{
    const int64_t first = wgdn_chunk_first(chunk);
    *part = *in;
    part->rows = chunk;
    part->inv_norm += first;
    if (in->x.sparse) {
        part->x.csr = *in->x.sparse;
        part->x.csr.rows = chunk.count;
        part->x.csr.offset += first;
        part->x.sparse = &part->x.csr;
    } else {
        part->x.dense += first * in->features;
    }
}

/* X of these rows is not needed soon, which counts where memory is short. */
void wgdn_fit_forget(const wgdn_fit_input *part);
/* One row of k scaled to a length; by what factor; 0: it is a row of zeros, and stays one. */
static inline float wgdn_row_to_length(float *row, int64_t k, double length)
{
    double sum = 0;
    for (int64_t j = 0; j < k; j++)
        sum += (double)row[j] * row[j];
    const float a = sum > 0 ? (float)(length / sqrt(sum)) : 0;
    for (int64_t j = 0; j < k; j++)
        row[j] *= a;
    return a;
}

/* Y = R X V, V: features x k: of all rows, or of a chunk, whose X is not forgotten. */
WGDN_MUST_CHECK wgdn_status wgdn_scaled_product(float *y, const wgdn_fit_input *in, const float *v,
                                                int64_t k, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_scaled_chunk(float *y, const wgdn_fit_input *part, const float *v,
                                              int64_t k, wgdn_error *err);

enum { WGDN_BLOCK_BYTES = 1 << 28 }; /* of a block in memory */
static inline int64_t wgdn_block_default(int64_t rows, int64_t dim)
{
    const int64_t fits =
        WGDN_BLOCK_BYTES / (int64_t)sizeof(float) / (rows > 0 ? rows : 1) / 16 * 16;
    return wgdn_min(dim, fits > 32 ? fits : 32);
}

/* Columns of a block; results do not depend on it. */
static inline int64_t wgdn_block_width(const wgdn_fit_input *in, int64_t dim)
{
    const wgdn_dist *d = in->rows.dist; /* ranks exchange blocks: all have as many of them */
    const int64_t rows = d ? in->rows.total / d->ranks->count : in->rows.count;
    return in->memory.block ? wgdn_min(in->memory.block, dim) : wgdn_block_default(rows, dim);
}

/* Allocates columns of the nodes, as memory allows: in a scratch file, and in blocks. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_columns_open(wgdn_tall *t, const wgdn_fit_input *in,
                                                            int64_t k, wgdn_error *err)
{
    return wgdn_tall_open(t, in->rows, k, wgdn_block_width(in, k), in->memory.scratch, err);
}

/* Y = R X V, rows x k; without V it is R X, which is computed whenever it is read. */
WGDN_MUST_CHECK wgdn_status wgdn_features_open(wgdn_tall *y, const float *v,
                                               const wgdn_fit_input *in, int64_t k,
                                               wgdn_error *err);
/* to = p(S) from, or p(S)^2 from; both may be the same. */
WGDN_MUST_CHECK wgdn_status wgdn_part_filter(wgdn_tall *to, const wgdn_tall *from,
                                             const wgdn_fitted_part *by, bool twice,
                                             const wgdn_fit_input *in, wgdn_error *err);

/* Where the columns of a part go. */
typedef struct wgdn_destination {
    wgdn_tall columns;    /* of the vectors; */
    wgdn_output *file;    /* or NULL and this: rows are written to it, one after another, */
    wgdn_numbers numbers; /* as these */
    int64_t *zeros;       /* counts rows of zeros that are written */
    double length;        /* that rows are scaled to; 0: they stay as they are */
} wgdn_destination;
/* Scales rows of a chunk, k floats each, and puts them where they belong. */
WGDN_MUST_CHECK wgdn_status wgdn_destination_put(const wgdn_destination *to, float *rows, int64_t k,
                                                 wgdn_span chunk, wgdn_error *err);

/* What a kind of part does; `fit` supplies the seed and the relations. */
typedef struct wgdn_part_calls {
    const char *name; /* in reports */
    wgdn_status (*learn)(wgdn_fitted_part *p, const wgdn_fitted *fit, const wgdn_fit_input *in,
                         wgdn_error *err);
    wgdn_status (*embed)(const wgdn_destination *to, const wgdn_fitted_part *p,
                         const wgdn_fitted *fit, const wgdn_fit_input *in, wgdn_error *err);
} wgdn_part_calls;
extern const wgdn_part_calls wgdn_filtered_part, wgdn_sizes_part;    /* filtered.c */
extern const wgdn_part_calls wgdn_shared_part;                       /* shared_signal.c */
extern const wgdn_part_calls wgdn_eigen_part, wgdn_transitions_part; /* structure.c */
extern const wgdn_part_calls wgdn_related_part, wgdn_singular_part;  /* relation_blocks.c: with
                                                                       features, and without */

/* ---- features that neighbors share: shared_signal.c ---- */

struct wgdn_kept {
    atomic_flag taken; /* by one embedding, whichever thread is first */
    uint64_t serial;   /* of the dataset */
    bool filled;       /* on ranks without rows, too: all of them take it, or none */
    wgdn_tall y, filtered;
};

/* Whether it is of that dataset. */
static inline bool wgdn_kept_is_of(const wgdn_kept *k, uint64_t serial)
{
    return k && serial && k->serial == serial && k->filled;
}

static inline void wgdn_kept_free(wgdn_kept *k)
{
    if (!k) return;
    wgdn_tall_close(&k->filtered);
    wgdn_tall_close(&k->y);
    wgdn_release(k);
}

/* Columns in between, if there are as many. */
static inline int64_t wgdn_shared_inner(int64_t dim, int64_t nodes)
{
    enum { ENOUGH = 16 }; /* nodes for each column of a covariance */
    const int64_t most = wgdn_min(2 * dim, nodes / ENOUGH), least = dim + WGDN_FIT_SPARE;
    return most > least ? most : least;
}

/* Bytes of work for the three functions below, each of which needs what the first one leaves in it. */
size_t wgdn_shared_work(int64_t k);
/* Takes the covariances of nodes, and of nodes with their neighbors, k x k, made symmetric. */
void wgdn_shared_factors(const double *c, const double *n, int64_t k, void *work);
/* Computes M, k x k, of a power. */
void wgdn_shared_map(double *m, double power, int64_t k, void *work);
/*
 * Chooses the power for nodes that have covariance c before M and an agreement with their neighbors, and
 * computes M; returns the power.
 */
double wgdn_shared_power(double *m, const double *c, double agreement, int64_t k, void *work);

/* ---- the scale: scale.c ---- */

extern const double wgdn_scales[WGDN_FIT_SCALES]; /* those that are compared, ascending */
enum { WGDN_SCALE_HALVES = 2 };                   /* of the signs, which are estimates apart */

/* Random columns, and as many signs: 32 for a small graph and 8 for a large one. */
static inline int64_t wgdn_scale_columns(int64_t nodes)
{
    enum { WIDE = 32, NARROW = 8, ENOUGH = 1 << 21 }; /* entries from which it counts as large */
    const int64_t few = nodes > 0 ? ENOUGH / nodes / 2 * 2 : WIDE;
    return few > WIDE ? WIDE : few < NARROW ? NARROW : few;
}

/* Signs at once; block 0: no blocks. */
static inline int64_t wgdn_scale_signs(int64_t columns, int64_t block)
{
    const int64_t diagonals = (int64_t)WGDN_SCALE_HALVES * WGDN_FIT_SCALES;
    return block && 3 * columns + diagonals > 3 * block ? columns / WGDN_SCALE_HALVES : columns;
}

/* How well each scale predicts a node from its neighbors: f->scale, f->agreement. */
WGDN_MUST_CHECK wgdn_status wgdn_scales_compare(wgdn_fitted *f, const wgdn_fit_input *in,
                                                wgdn_error *err);

/* ---- structure: structure.c and structure.c over column_blocks.c, known_nodes.c ---- */

/* Normals for every node, by its key. v: rows x k. */
void wgdn_sketch_nodes(float *v, const wgdn_fit_input *in, int64_t k, wgdn_stream stream);
/* Weights of the nodes that tell columns of the same value apart. */
void wgdn_ties_break(float *tie, const wgdn_fit_input *in, uint64_t seed);
/*
 * Y = sum over neighbors j of (by[0]_i + by[1]_j + log A_ij) X_j, X: rows x k; two matrices of
 * scratch. Y may be any of the three.
 */
void wgdn_two_sided(float *y, const wgdn_fit_input *in, const float *x, const float *const by[2],
                    float *const scratch[2], int64_t k);

/* ---- leading vectors of an operator A over the nodes: structure.c ---- */

typedef wgdn_status (*wgdn_leading_call)(wgdn_tall *to, const wgdn_tall *v, void *self,
                                         wgdn_tall_work *w, wgdn_error *err);
typedef struct wgdn_leading {
    const wgdn_fit_input *in;
    int64_t k;
    double *value;                   /* k: the lengths of the columns of A V */
    wgdn_tall v;                     /* a row for each node */
    wgdn_leading_call times, normal; /* A V; and A^T A V, to V itself */
    void *self;
    float *tie; /* of each node: weights that tell columns of the same value apart */
    wgdn_tall_work work;
} wgdn_leading;

/* V is a random sketch at first. */
WGDN_MUST_CHECK wgdn_status wgdn_leading_open(wgdn_leading *l, const wgdn_fit_input *in, int64_t k,
                                              uint64_t seed, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_leading_find(wgdn_leading *l, int rounds, wgdn_error *err);
/* Sets the basis of a part to the first columns of V times value; by_row scales its rows, or NULL. */
WGDN_MUST_CHECK wgdn_status wgdn_leading_basis(wgdn_fitted_part *p, wgdn_leading *l,
                                               const float *by_row, wgdn_error *err);

static inline void wgdn_leading_close(wgdn_leading *l)
{
    wgdn_tall_work_free(&l->work);
    wgdn_release(l->tie);
    wgdn_release(l->value);
    wgdn_tall_close(&l->v);
}

/* Rows of the bases into the order of the keys. */
WGDN_MUST_CHECK wgdn_status wgdn_known_settle(wgdn_fitted *f, const wgdn_fit_input *in,
                                              wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_known_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                                             const wgdn_fitted *f, const wgdn_fit_input *in,
                                             wgdn_error *err);

/* The row of the bases that belongs to node i of the input, or -1. */
int64_t wgdn_known_row(const wgdn_fitted *f, const wgdn_fit_input *in, int64_t i);

/* ---- on top of the closed form: refine.c ---- */

typedef wgdn_status (*wgdn_refine_call)(const wgdn_fitted *f, int epoch, wgdn_error *err);
/* Share of the edges that a view has, of a graph whose nodes have so many neighbors on average. */
double wgdn_refine_kept(int view, double degree);
/* Whether what was planned can be refined, where that is asked for. */
WGDN_MUST_CHECK wgdn_status wgdn_refine_check(const wgdn_fitted *f, const wgdn_fit_input *in,
                                              wgdn_error *err);
/* options.refine epochs; the call is made after each, and what it returns ends it. */
WGDN_MUST_CHECK wgdn_status wgdn_refine_learn(wgdn_fitted *f, const wgdn_fit_input *in,
                                              wgdn_refine_call tell, wgdn_error *err);
/* The vectors of all rows that are here, in place. */
WGDN_MUST_CHECK wgdn_status wgdn_refine_embed(float *vectors, const wgdn_fitted *f,
                                              const wgdn_fit_input *in, wgdn_error *err);

/* ---- what is made of what: fit.c ---- */

/* Parts, their filters, dimensions and weights; after the scales were compared. */
WGDN_MUST_CHECK wgdn_status wgdn_fit_plan(wgdn_fitted *f, wgdn_error *err);
/* Columns of each of count directions or types of edges: those of a signal and one more. */
static inline int64_t wgdn_relation_width(int64_t dim, int64_t count, int64_t features)
{
    const int64_t room = count > 3 ? dim - dim / 4 : dim / 2, width = count > 0 ? room / count : 0;
    return features && features < width - 1 ? features + 1 : width;
}

double wgdn_transitions_scale(double w);
/* Reports the parts. */
void wgdn_fit_show(wgdn_fitted *f);

/*
 * ---- whole graphs: cosines of random combinations of what is seen within some hops of a node, summed up
 * over the nodes of a graph, and reduced: graph_vectors.c ----
 */

/* Cosines of W_0 F + W_1 P F + ... + W_hops P^hops F, normals of deviation 1 / sigma in W. */
typedef struct wgdn_cosine_block {
    const char *name;
    double scale, sigma;
    int hops;
    int columns; /* of the node columns, behind the features in F: 1 or 2 */
} wgdn_cosine_block;
wgdn_cosine_block wgdn_cosine_block_get(int i);
/* All blocks of a width in words: a file is of no use where they differ. */
void wgdn_graph_blocks_text(char *text, size_t size, int64_t width);

/* Runs are of whole graphs, as many nodes as is good for the caches. */
typedef struct wgdn_graph_input {
    const wgdn_graph *graph;
    int64_t nodes, graphs, features;
    wgdn_matrix x;           /* as it is; of no use where features is 0 */
    float *column;           /* nodes x WGDN_NODE_COLUMNS */
    int64_t *start;          /* graphs + 1: the first node of each */
    int64_t *run;            /* runs + 1: the first graph of each */
    int64_t runs, nodes_max; /* of a run */
    int32_t *local;          /* columns of the adjacency, counted from their run's first node */
    uint64_t *name;          /* of subtrees: ROUNDS + 1 x nodes, by graph, ascending; or NULL */
    wgdn_arrays arrays;
} wgdn_graph_input;

WGDN_MUST_CHECK wgdn_status wgdn_graph_input_open(wgdn_graph_input *in, const wgdn_dataset *d,
                                                  const wgdn_fitted *f, wgdn_error *err);

static inline void wgdn_graph_input_close(wgdn_graph_input *in)
{
    wgdn_arrays_release(&in->arrays);
    wgdn_matrix_free(&in->x);
    *in = (wgdn_graph_input){0};
}

/* Means and deviations of them, the latter at least a thousandth. */
void wgdn_node_columns_scale(float *column, int64_t nodes, const wgdn_graph_form *form);

typedef struct wgdn_cosines {
    const wgdn_graph_input *in;
    uint64_t seed;
    wgdn_cosine_block block;
    float *weight;       /* HOPS + 1 matrices, (2 + features) x SLAB */
    float *phase;        /* SLAB */
    float *z, *sum, *fx; /* nodes of a run x SLAB */
    wgdn_arrays arrays;
} wgdn_cosines;

WGDN_MUST_CHECK wgdn_status wgdn_cosines_open(wgdn_cosines *c, const wgdn_graph_input *in,
                                              uint64_t seed, wgdn_error *err);

static inline void wgdn_cosines_close(wgdn_cosines *c)
{
    wgdn_arrays_release(&c->arrays);
    *c = (wgdn_cosines){0};
}

/*
 * Names nodes by their features (x is dense or sparse, of `features` columns), then `rounds` times by
 * their own name and their neighbors'. name: rounds + 1 x nodes.
 */
void wgdn_subtrees_name(uint64_t *name, int rounds, const wgdn_csr *a, const wgdn_matrix *x,
                        int64_t features);

/* Columns at .. at + SLAB - 1 of all blocks for every graph, into rows of ld. */
WGDN_MUST_CHECK wgdn_status wgdn_cosines_pool(float *out, int64_t ld, wgdn_cosines *c, int64_t at,
                                              wgdn_error *err);

WGDN_MUST_CHECK wgdn_status wgdn_graph_form_learn(wgdn_fitted *f, const wgdn_dataset *d,
                                                  wgdn_error *err);

static inline void wgdn_graph_form_free(wgdn_graph_form *form)
{
    if (!form) return;
    wgdn_release(form->basis);
    wgdn_release(form->center);
    wgdn_release(form);
}

WGDN_MUST_CHECK wgdn_status wgdn_graph_form_embed(float *out, const wgdn_fitted *f,
                                                  const wgdn_dataset *d, wgdn_error *err);
extern const double wgdn_graph_power; /* of the singular values, that is taken out */

enum { WGDN_GRAPH_TENSORS = 3 };

#endif
