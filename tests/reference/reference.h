/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole model once more, in plain double and naive loops over dense operators, to judge the
 * fast one. Nothing here knows the library. Matrices are row-major, weights (out x in):
 * lin(x) = x W^T + b. n nodes, F features, H width, K order, C channels.
 *
 * A call that can run out of memory or meets a number that it cannot use says so by its result.
 */
#ifndef WGDN_REFERENCE_H
#define WGDN_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_LAYERS = 8, REF_CHANNELS = 4, REF_ORDER = 15, REF_SLICES = 136, REF_BLOCKS = 256 };

typedef enum ref_kernel { REF_GCN, REF_HEAT, REF_PPR } ref_kernel;
typedef enum ref_response { REF_FORWARD, REF_WIENER, REF_INVERSE } ref_response;
typedef enum ref_aggregate { REF_MAX, REF_SUM, REF_MEAN } ref_aggregate;
typedef enum ref_skip { REF_SKIP_NONE, REF_SKIP_SUM, REF_SKIP_MEAN } ref_skip;
typedef enum ref_norm { REF_NORM_NONE, REF_NORM_LAYER, REF_NORM_BATCH } ref_norm;
typedef enum ref_average { REF_ROW, REF_COLUMN } ref_average; /* D^-1 A, A D^-1 */
typedef enum ref_loss { REF_RMSE, REF_ROW_RMSE, REF_MSE, REF_COSINE } ref_loss;

typedef struct ref_config {
    ref_kernel kernel;
    double parameter; /* t of heat, alpha of ppr */
    int encoder_layers, decoder_layers, encoder_order, decoder_order;
    int features, width, channels;
    double gamma[REF_CHANNELS];
    ref_aggregate aggregate; /* of more than one channel */
    ref_skip skip;
    bool embedding_activation;
    ref_norm norm;
    ref_loss loss;
    bool balanced; /* non-zeros of X weigh #zeros / #non-zeros */
    double beta;
    ref_response decoder; /* REF_WIENER or REF_INVERSE */
} ref_config;

/* Two layers each way, one channel, balanced RMSE, no noise; the kernel's own parameter, orders. */
void ref_config_init(ref_config *c, ref_kernel kernel, int features, int width);

/* filters.c */

double ref_kernel_value(ref_kernel kernel, double parameter, double x);
/* Chebyshev nodes of [0, 2], ascending: order + 2 of them. */
void ref_nodes(double *x, int order);
/*
 * c_0 .. c_order of the one-step fit to g, g / (g^2 + penalty) or 1 / g. False when the response
 * is not finite at a node: 1 / g of gcn at 1.
 */
bool ref_coefficients(double *c, int order, ref_kernel kernel, double parameter, ref_response f,
                      double penalty);

/* graph.c */

typedef struct ref_graph {
    int64_t n;
    double *laplacian; /* n x n: I - D^-1/2 A D^-1/2, d_i = sum_j A_ij */
    double *average;   /* n x n: M, the neighbor mean of the noise estimate */
} ref_graph;

/*
 * Edges may come in either direction or both; self-loops and repeats are dropped. weight NULL: all
 * are 1.
 */
bool ref_graph_from_edges(ref_graph *g, int64_t n, int64_t m, const int64_t *src,
                          const int64_t *dst, const double *weight, ref_average average);
/* The same from rows of neighbors; column[offset[i]] .. are those of node i, value their weights. */
bool ref_graph_from_rows(ref_graph *g, int64_t n, const int64_t *offset, const int32_t *column,
                         const float *value, ref_average average);
void ref_graph_free(ref_graph *g);
/* Y = sum_m c_m L^m X, n x d; work: 2 n d. */
void ref_filter(double *Y, const ref_graph *g, const double *X, int d, const double *c, int order,
                double *work);

/* layout.c */

typedef struct ref_slice {
    char name[40]; /* as in the golden file */
    int64_t offset;
    int rows, cols;
} ref_slice;

/* Offsets into a block of parameters; -1: there is none. */
typedef struct ref_layer_layout {
    int64_t W[REF_CHANNELS], b[REF_CHANNELS]; /* encoder: W[0], b[0] */
    int64_t channel_slope;                    /* decoder, of PReLU(o_c) */
    int64_t slope, scale, shift;              /* activation and norm after the layer */
} ref_layer_layout;

/* One block for parameters, gradient or Adam's moments: the same layout fits all. */
typedef struct ref_layout {
    int64_t size;
    int count;
    ref_slice slice[REF_SLICES];
    ref_layer_layout encoder[REF_LAYERS], decoder[REF_LAYERS];
} ref_layout;

/* False when the configuration is out of range. */
bool ref_layout_init(ref_layout *l, const ref_config *c);
/* Running mean and variance of every BatchNorm, encoder first: (mean, variance) x width each. */
int64_t ref_buffers_size(const ref_config *c);
void ref_buffers_init(double *buffers, const ref_config *c);

/* state.c */

/* What norm and activation leave behind: U -> V = norm(U) -> H = PReLU(V). n x d each. */
typedef struct ref_after {
    double *U, *unit, *inverse, *V, *H; /* unit: before scale and shift; inverse: 1 / deviation */
} ref_after;

/* One Dec(x): x n x in, B_c n x in, O_c and R n x out. */
typedef struct ref_call {
    double std; /* of h, where x = h + beta std Z */
    double signal, noise, penalty[REF_CHANNELS], coefficient[REF_CHANNELS][REF_ORDER + 1];
    double *x, *B[REF_CHANNELS], *O[REF_CHANNELS], *R;
    const double *keep; /* n factors of the rows of h in x, or NULL */
} ref_call;

typedef struct ref_decoder_layer {
    ref_call call[2]; /* of aug(h), and of d_l for l > 0; in this order */
    ref_after after;
} ref_decoder_layer;

typedef struct ref_state {
    ref_config config;
    ref_layout layout;
    const ref_graph *graph;
    const ref_graph *decoding; /* the decoder's, the same unless a test puts another here */
    const double *keep;        /* n: 0 for nodes that are dropped, else 1; NULL: none is */
    const bool *held;          /* n x F: entries that are held out, where X is 0; NULL: none is */
    double encoder_coefficient[REF_ORDER + 1];
    const double *X;               /* of the last forward */
    ref_after encoder[REF_LAYERS]; /* H of the last one is the embedding */
    double *dH[REF_LAYERS + 1];    /* gradient of h_l */
    ref_decoder_layer decoder[REF_LAYERS];
    const double *reconstruction; /* n x F */
    double loss;
    int failed_layer; /* decoder layer that stopped a forward, or -1 */
    double *work[4];  /* n x max(F, H) each, work[0] twice that */
    double *owned[REF_BLOCKS];
    int blocks;
} ref_state;

/* Room for one model on one graph, which must outlive it. NULL: bad configuration or no memory. */
ref_state *ref_state_new(const ref_config *c, const ref_graph *g);
void ref_state_free(ref_state *s);

/* model.c */

typedef enum ref_mode {
    REF_TRAIN,    /* batch statistics; running buffers, where given, move on */
    REF_FROZEN,   /* std, penalties and coefficients as the last call left them: what is a
                     constant for the gradient stays one under central differences */
    REF_EVALUATE, /* BatchNorm by the running buffers */
} ref_mode;

/* h_1 .. h_Le into state->encoder[].H. buffers may be NULL unless REF_EVALUATE meets BatchNorm. */
void ref_encode(ref_state *s, const double *p, const double *X, double *buffers, ref_mode mode);
/*
 * All of it, loss last. Z[k] is the k-th n x H draw: first for d_0 = aug(h_Le), then, with skip,
 * one per layer l >= 1 for aug(h_{Le-l}). NULL: no noise. False when a layer's signal is 0 or a
 * response is not finite; failed_layer says which.
 */
bool ref_forward(ref_state *s, const double *p, const double *X, const double *const *Z,
                 double *buffers, ref_mode mode);
/*
 * Gradient of the loss of the last REF_TRAIN or REF_FROZEN forward; overwrites g, and H of the
 * decoder's layers, which serve as room for their own gradients.
 */
void ref_backward(ref_state *s, const double *p, double *g);
/* branches.c */

/*
 * Which side of every PReLU and which channel of every max was taken, as a hash: two forwards
 * with the same hash lie on the same smooth piece. p is the last forward's.
 */
uint64_t ref_branches(const ref_state *s, const double *p);

/* optimizer.c */

/* One step; m and v start at 0, step at 1. */
void ref_adam(double *p, double *m, double *v, const double *g, int64_t count, int step, double lr);

/* probe.c */

/* Rows with a class each: Z n x d. */
typedef struct ref_labeled {
    const double *Z;
    const int *label;
    int64_t n;
    int d, classes;
} ref_labeled;

/*
 * Mean cross-entropy of softmax(Z W^T + b); p = (W, b), W classes x d. The gradient carries
 * l2 * p as well, the loss does not. work: classes.
 */
double ref_probe(double *g, const double *p, const ref_labeled *x, double l2, double *work);

#endif
