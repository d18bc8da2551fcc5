/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The autoencoder: parameters, encoder, decoder, loss, and one step of training. Letters as in the
 * paper: n nodes, f input features, h width, X (n x f) features.
 */
#ifndef WGDN_MODEL_MODEL_H
#define WGDN_MODEL_MODEL_H

#include "fit/fit.h"

/* A decoder layer sees the layer below and, with skip, the encoder. */
enum { WGDN_BRANCHES_MAX = 2 };

/* ---- what the options come to: model.c ---- */

typedef struct wgdn_shape {
    int64_t features, width;
    int encoder_layers, decoder_layers, channels;
    int encoder_order, decoder_order;
    double gamma[WGDN_CHANNELS_MAX];
} wgdn_shape;

/* ---- parameters: model.c ---- */

/*
 * One block of floats, and named views into it. Gradients have the same layout, so that they bind
 * the same views. Encoder weights lie (in x out), decoder weights (out x in): a feature is a row in
 * both places that know features.
 */
typedef struct wgdn_view {
    char name[56]; /* "encoder.0.weight" */
    int64_t offset, rows, cols;
} wgdn_view;

enum { WGDN_VIEWS_MAX = WGDN_LAYERS_MAX * (5 + 2 * WGDN_CHANNELS_MAX + 4) };

typedef struct wgdn_layout {
    wgdn_view view[WGDN_VIEWS_MAX];
    int views;
    int64_t size;                          /* floats of the parameter block */
    wgdn_view buffer[4 * WGDN_LAYERS_MAX]; /* running statistics of BatchNorm, another block */
    int buffers;
    int64_t buffer_size;
} wgdn_layout;

typedef struct wgdn_encoder_layer {
    float *weight, *bias, *scale, *shift, *slope; /* scale, shift: norm; NULL where there is none */
} wgdn_encoder_layer;

typedef struct wgdn_decoder_layer {
    float *weight[WGDN_CHANNELS_MAX], *bias[WGDN_CHANNELS_MAX];
    float *channel_slope, *scale, *shift, *slope;
} wgdn_decoder_layer;

typedef struct wgdn_params {
    wgdn_encoder_layer encoder[WGDN_LAYERS_MAX];
    wgdn_decoder_layer decoder[WGDN_LAYERS_MAX];
} wgdn_params;

void wgdn_params_bind(wgdn_params *p, const wgdn_layout *l, float *block);

/* ---- the model: model.c ---- */

/* How the last decoder layer is computed; the answers agree but for rounding. */
typedef enum wgdn_last {
    WGDN_LAST_AUTO,   /* the cheapest of those below */
    WGDN_LAST_PLAIN,  /* filters, then products, then the loss of the reconstruction R */
    WGDN_LAST_GRAM,   /* R is never formed: one channel and sparse X */
    WGDN_LAST_NARROW, /* products before filters: few features */
} wgdn_last;

typedef struct wgdn_loss_form wgdn_loss_form; /* loss.h */
const wgdn_loss_form *wgdn_loss_form_get(
    int loss); /* of a wgdn_loss; NULL: there is none. loss.c */

/* Where a run stood when its checkpoint was written. */
typedef struct wgdn_run_place {
    int64_t step;   /* taken so far, over all epochs */
    int64_t steps;  /* of an epoch */
    double seconds; /* of the run so far */
    uint64_t data;  /* digest of what is trained on */
} wgdn_run_place;

/* How a run with patience ended. */
typedef struct wgdn_run_end {
    int64_t epochs, best_epoch;
    double held_out; /* error */
} wgdn_run_end;

struct wgdn_model {
    wgdn_fitted *fitted; /* the closed form; but for the encoding, nothing else is set then */
    wgdn_train_options options;
    wgdn_origin origin;    /* what it was trained on */
    wgdn_run_place at_run; /* of a checkpoint; else all 0 */
    wgdn_run_end end;      /* with patience; else all 0 */
    const wgdn_loss_form *loss;
    const wgdn_response_form *response; /* of the decoder */
    wgdn_kernel *kernel;
    wgdn_shape shape;
    wgdn_layout layout;
    double encoder_a[WGDN_POWERS_MAX + 1]; /* P as a Chebyshev series */
    double fixed_a[WGDN_POWERS_MAX + 1];   /* of a response that estimates nothing */
    wgdn_approximator *fit;                /* of the response */
    float *param;                          /* layout.size */
    float *buffer;                         /* layout.buffer_size, or NULL */
    wgdn_params at;                        /* views of param */
    wgdn_last last;                        /* auto, except in tests */
    char *reading;                         /* how its data was read (data/reading.h); or NULL */
    char *encoding;                        /* how its features came of tables; or NULL */
};

/* A model without parameters, to ask for sizes; and one with fresh parameters. */
WGDN_MUST_CHECK wgdn_status wgdn_model_plan(wgdn_model **out, const wgdn_train_options *o,
                                            int64_t features, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_model_make(wgdn_model **out, const wgdn_train_options *o,
                                            int64_t features, wgdn_error *err);

/* Room for the parameters of a plan, which stay undefined; on failure it is still to be freed. */
WGDN_MUST_CHECK wgdn_status wgdn_model_fill(wgdn_model *m, wgdn_error *err);

/* Remember how features came of tables; NULL: they did not. model.c */
WGDN_MUST_CHECK static inline wgdn_status wgdn_model_keep_encoding(wgdn_model *m, const char *text,
                                                                   wgdn_error *err)
{
    wgdn_release(m->encoding);
    m->encoding = NULL;
    if (!text) return WGDN_OK;
    m->encoding = wgdn_alloc(strlen(text) + 1, 1);
    if (!m->encoding) return wgdn_fail(err, WGDN_ENOMEM, "model: encoding of its features");
    memcpy(m->encoding, text, strlen(text) + 1);
    return WGDN_OK;
}

/* A model around a closed form, which it takes, also on failure. model.c */
static inline wgdn_status wgdn_model_enclose(wgdn_model **out, wgdn_fitted *f, wgdn_error *err)
{
    wgdn_model *m = wgdn_alloc_zero(1, sizeof *m);
    if (!m) {
        wgdn_fitted_free(f);
        return wgdn_fail(err, WGDN_ENOMEM, "model: handle");
    }
    m->fitted = f;
    *out = m;
    return WGDN_OK;
}

/* ---- features: encoder.c ---- */

enum { WGDN_HELD_SUMS = 2 };

/* Entries of X that are held out of training, row by row: held.h. */
typedef struct wgdn_held {
    int64_t *offset; /* rows + 1: where those of a row begin */
    int32_t *column;
    float *truth;                /* X there */
    int64_t *entry;              /* which entries of X they are */
    int64_t all;                 /* how many, of all rows */
    int64_t *zero_offset, zeros; /* rows + 1, and how many, of all rows: zeros to compare with */
    int32_t *zero_column;
    bool *mark;    /* of the entries of sparse X: whether they are held out */
    float *shown;  /* X as it is shown, where it had to be copied; of sparse X its values */
    wgdn_csr rows; /* sparse X as it is shown, but for values borrowed */
    wgdn_arrays arrays;
} wgdn_held;

static inline void wgdn_held_free(wgdn_held *h)
{
    wgdn_arrays_release(&h->arrays);
    *h = (wgdn_held){0};
}

/*
 * X, dense or sparse, and what is made of it once per graph. The caller sets rows, features and one
 * of dense and sparse; the rest is made by wgdn_model_input_prepare.
 */
typedef struct wgdn_model_input {
    wgdn_span rows;
    int64_t features;
    const int32_t *order;   /* the node of each row, borrowed; NULL: the same */
    const float *dense;     /* rows x features, or NULL */
    const wgdn_csr *sparse; /* or NULL */
    const wgdn_held *held;  /* what X does not show; NULL: it shows all */
    wgdn_csr transposed;    /* of sparse, without values */
    int64_t *entry;         /* which entry of X each entry of the transpose is */
    float *values;          /* of the transpose */
    float *smooth;          /* P(L) X when X is dense: layer 0 then needs no product with L */
    float *smooth_one;      /* P(L) 1 */
    float *ones;            /* 1 */
    double balance;         /* weight of the non-zeros in the loss */
    int64_t nonzeros;       /* of the rows here */
    int64_t all_nonzeros;   /* of all rows */
    int64_t edges;          /* of the rows here, each in both directions */
    int64_t all_edges;      /* of all rows */
    int64_t halo;           /* rows of others that those here neighbor on */
    bool weighted;          /* edges have weights other than 1 */
    bool varies; /* of a batch: rows, nonzeros and edges are the most there will be, or less */
} wgdn_model_input;

WGDN_MUST_CHECK wgdn_status wgdn_model_input_prepare(wgdn_model_input *in, const wgdn_model *m,
                                                     const wgdn_graph *g, wgdn_error *err);

/* Frees what prepare made, not X. */
static inline void wgdn_model_input_free(wgdn_model_input *in)
{
    wgdn_release(in->smooth_one);
    wgdn_release(in->smooth);
    wgdn_release(in->values);
    wgdn_release(in->entry);
    wgdn_csr_free(&in->transposed);
    wgdn_release(in->ones);
    *in = (wgdn_model_input){.rows = in->rows,
                             .features = in->features,
                             .order = in->order,
                             .dense = in->dense,
                             .sparse = in->sparse,
                             .held = in->held};
}

/*
 * The steps of prepare, for inputs that are filled again and again: arrays for n rows and so many
 * entries (after a failure wgdn_model_input_free has to follow); X^T of sparse X; non-zeros and balance.
 */
WGDN_MUST_CHECK wgdn_status wgdn_model_input_room(wgdn_model_input *in, int64_t n, int64_t entries,
                                                  wgdn_error *err);

static inline void wgdn_model_input_transpose(wgdn_model_input *in)
{
    const float *value = in->sparse->value;
    in->nonzeros = wgdn_csr_entries(in->sparse);
    wgdn_csr_turn(&in->transposed, in->entry, in->sparse);
    for (int64_t k = 0; value && k < in->nonzeros; k++)
        in->values[k] = value[in->entry[k]];
}

void wgdn_model_input_weigh(wgdn_model_input *in, wgdn_balance how);
/* that an entry of X takes in X^T */
static inline size_t wgdn_transpose_bytes(bool values)
{
    const wgdn_model_input *in = NULL;
    return sizeof *in->transposed.column + sizeof *in->entry + (values ? sizeof *in->values : 0);
}

/* ---- features of a dataset: features.c ---- */

/*
 * X of a dataset as the model takes it: as it is, as a dense copy where it is sparse but full, or
 * structural features where there are none. What is made is owned.
 */
typedef struct wgdn_feed {
    wgdn_model_input input; /* prepared */
    wgdn_matrix matrix;
    float *owned; /* structural features */
    wgdn_held held;
} wgdn_feed;

int64_t wgdn_feed_width(const wgdn_dataset *d, const wgdn_train_options *o); /* columns of X */
/* Opens it to embed, or to train on: without what the options hold out. */
WGDN_MUST_CHECK wgdn_status wgdn_feed_open(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m,
                                           bool training, wgdn_error *err);

static inline void wgdn_feed_free(wgdn_feed *s)
{
    wgdn_model_input_free(&s->input);
    wgdn_held_free(&s->held);
    wgdn_matrix_free(&s->matrix);
    wgdn_release(s->owned);
    s->owned = NULL;
}

/* What open will allocate for a part of it, and the input as far as sizes go. */
size_t wgdn_feed_bytes(wgdn_model_input *shape, const wgdn_dataset *d, const wgdn_portion *part,
                       const wgdn_model *m);

/* ---- the model's file: model_file.c ---- */

enum { WGDN_STATES_MAX = 2 };

/* What the health of a run is judged by, and a resumed one needs; 0 where nothing was seen yet. */
typedef struct wgdn_run_health {
    double first_loss; /* of the first epoch */
    double first_rank; /* effective rank of the code */
    double first_dead; /* share of columns that do not vary */
    int64_t high;      /* epochs in a row in which the loss was too high */
    int64_t low;       /* watches in a row in which the rank was too low */
} wgdn_run_health;

/* What the end of a run is judged by; see model/stopping.h. */
typedef struct wgdn_run_stop {
    bool seen;          /* there is a best one */
    double best;        /* smallest error of what is held out */
    int64_t epoch;      /* epochs before it */
    double mark;        /* the last error that was clearly better than those before it */
    int64_t mark_epoch; /* epochs before that */
    double error;       /* when it was last looked at */
} wgdn_run_stop;

/* What a checkpoint has besides: the optimizer's states and where the run stands. */
typedef struct wgdn_run_state {
    int states;
    const char *const *name;       /* of their tensors */
    float *state[WGDN_STATES_MAX]; /* layout.size each */
    int64_t step;                  /* taken so far, over all epochs */
    int64_t steps;                 /* of an epoch */
    double loss;                   /* summed over the steps of the current epoch */
    double seconds;                /* of the run so far, over all calls */
    uint64_t data;                 /* digest of what is trained on */
    wgdn_run_health health;
    wgdn_run_stop stop;
    float *best; /* layout.size and layout.buffer_size: parameters and buffers; NULL: no patience */
} wgdn_run_state;

WGDN_MUST_CHECK wgdn_status wgdn_model_write(const wgdn_model *m, const wgdn_run_state *run,
                                             const char *path, wgdn_error *err);
/* run NULL: a model. Else its states, as it names them, are allocated and read, and the rest. */
WGDN_MUST_CHECK wgdn_status wgdn_model_read(wgdn_model **out, wgdn_run_state *run, const char *path,
                                            wgdn_error *err);
/* The same from a file that is open; path is for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_model_parse(wgdn_model **out, wgdn_run_state *run,
                                             const wgdn_archive *a, const char *path,
                                             wgdn_error *err);
/* Either kind of model. */
WGDN_MUST_CHECK wgdn_status wgdn_any_model_parse(wgdn_model **out, const wgdn_archive *a,
                                                 const char *path, wgdn_error *err);

/* ---- one step: workspace.c, step.c ---- */

typedef struct wgdn_workspace wgdn_workspace;

size_t wgdn_workspace_bytes(const wgdn_model *m, const wgdn_model_input *in, bool training);
WGDN_MUST_CHECK wgdn_status wgdn_workspace_new(wgdn_workspace **out, const wgdn_model *m,
                                               const wgdn_model_input *in, bool training,
                                               wgdn_error *err);
void wgdn_workspace_free(wgdn_workspace *w);
/* From here on for these rows, at most as many as it was made for; for inputs that vary. */
void wgdn_workspace_fit(wgdn_workspace *w, wgdn_span rows);
wgdn_last wgdn_last_choice(const wgdn_model *m, const wgdn_model_input *in); /* never auto */

/* ---- what a step comes to: step.c ---- */

/* Counts of one step are added to t; in as far as sizes go. */
WGDN_MUST_CHECK wgdn_status wgdn_step_tally(wgdn_tally *t, const wgdn_model *m,
                                            const wgdn_model_input *in, wgdn_error *err);
/* Bytes that its sparse products read and write, on the rows here. */
double wgdn_gathered_bytes(const wgdn_tally *t, const wgdn_model *m, const wgdn_model_input *in);

/* One Dec call: what was estimated. */
typedef struct wgdn_dec_call {
    double signal, noise, penalty[WGDN_CHANNELS_MAX];
    double a[WGDN_CHANNELS_MAX][WGDN_POWERS_MAX + 1]; /* series of each channel */
} wgdn_dec_call;

/* What a pass over a graph, or over a batch of graphs as one, has at hand in every layer. */
typedef struct wgdn_pass {
    const wgdn_model *m;
    wgdn_workspace *w;
    const wgdn_graph *g;       /* of the encoder */
    const wgdn_graph *decoded; /* of the decoder: g, or g without the edges that the step drops */
    const wgdn_model_input *in;
    float *running;            /* BatchNorm's averages, moved on; NULL for embedding, which takes
                                  the model's as they are */
    wgdn_stream noise;         /* of decoder layer 0; the others' follow */
    double *held;              /* receives WGDN_HELD_SUMS sums of (R - X)^2: over what is held out,
                                  and over some zeros; or NULL */
    const float *const *draws; /* draws[l]: n x width standard normals that replace the noise of
                                  decoder layer l; or NULL */
} wgdn_pass;

/* Of a step of training: noise is drawn from (seed, step), steps counted over all epochs. */
wgdn_pass wgdn_pass_of(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                       const wgdn_model_input *in, uint32_t step);
/* Loss and gradient of one step. */
WGDN_MUST_CHECK wgdn_status wgdn_step(double *loss, float *grad, const wgdn_pass *pass,
                                      wgdn_error *err);

/* Embeddings n x width, without noise, in the order of the nodes. */
WGDN_MUST_CHECK wgdn_status wgdn_encode(float *out, const wgdn_model *m, wgdn_workspace *w,
                                        const wgdn_graph *g, const wgdn_model_input *in,
                                        wgdn_error *err);

#endif
