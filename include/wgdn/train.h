/* SPDX-License-Identifier: Apache-2.0 */
/** @file train.h Training: the Wiener graph autoencoder. */
#ifndef WGDN_TRAIN_API_H
#define WGDN_TRAIN_API_H

#include <wgdn/model.h>
#include <wgdn/spectral.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the channels of a decoder layer become one. */
typedef enum wgdn_aggregate {
    WGDN_AGGREGATE_MAX = 0,
    WGDN_AGGREGATE_SUM = 1,
    WGDN_AGGREGATE_MEAN = 2
} wgdn_aggregate;

/** How encoder outputs join the decoder. */
typedef enum wgdn_skip {
    WGDN_SKIP_NONE = 0,
    WGDN_SKIP_SUM = 1, /**< as in the published results */
    WGDN_SKIP_MEAN = 2 /**< as in the paper's text */
} wgdn_skip;

/** Normalization within layers. */
typedef enum wgdn_norm { WGDN_NORM_NONE = 0, WGDN_NORM_LAYER = 1, WGDN_NORM_BATCH = 2 } wgdn_norm;

/** The decoder's response: g / (g^2 + penalty), or 1/g for comparison. */
typedef enum wgdn_decoder { WGDN_DECODER_WIENER = 0, WGDN_DECODER_INVERSE = 1 } wgdn_decoder;

/** The reconstruction loss. */
typedef enum wgdn_loss {
    WGDN_LOSS_RMSE = 0,     /**< root of the summed squares per node */
    WGDN_LOSS_ROW_RMSE = 1, /**< mean over nodes of the root per node */
    WGDN_LOSS_MSE = 2,      /**< mean over all entries */
    WGDN_LOSS_COSINE = 3    /**< mean over nodes of 1 - cosine; rows of zeros stay out */
} wgdn_loss;

/** Whether non-zero features weigh as much in the loss as all zeros together. */
typedef enum wgdn_balance { WGDN_BALANCE_BALANCED = 0, WGDN_BALANCE_PLAIN = 1 } wgdn_balance;

/** Memory against time; the result is the same. */
typedef enum wgdn_workspace_policy {
    WGDN_WORKSPACE_POLICY_AUTO = 0,     /**< recompute where that costs next to nothing */
    WGDN_WORKSPACE_POLICY_STORE = 1,    /**< what the backward pass needs is stored */
    WGDN_WORKSPACE_POLICY_RECOMPUTE = 2 /**< decoder layers share buffers and filter again */
} wgdn_workspace_policy;

/** Structural features, for datasets that have none of their own. */
typedef enum wgdn_structural_features {
    WGDN_STRUCTURAL_FEATURES_RANDOM_WALK =
        0,                              /**< random vectors averaged along walks of 1 to 3 steps */
    WGDN_STRUCTURAL_FEATURES_DEGREE = 1 /**< one column per power of two of the degree */
} wgdn_structural_features;

/** What is done to encoder outputs on their way to the decoder, in training. */
typedef enum wgdn_augment {
    WGDN_AUGMENT_NOISE = 0, /**< normal noise is added */
    WGDN_AUGMENT_NONE = 1,
    WGDN_AUGMENT_DROP_EDGE = 2, /**< nothing, but the decoder's graph lacks some edges */
    WGDN_AUGMENT_DROP_NODE = 3  /**< the vectors of some nodes become 0 */
} wgdn_augment;

/** Of matrix products in training; embeddings are always computed in fp32. */
typedef enum wgdn_precision {
    WGDN_PRECISION_FP32 = 0,
    WGDN_PRECISION_BF16 =
        1 /**< factors rounded to 8 bits, sums in fp32; weights are kept in fp32 */
} wgdn_precision;

/** A model and how it is trained. Set it up with wgdn_train_options_init(). */
typedef struct wgdn_train_options {
    size_t struct_size;       /**< set by _init */
    uint64_t seed;            /**< default 1; fixes every random choice */
    char kernel[128];         /**< text form of wgdn_kernel_parse(), default "heat" */
    char gamma[128];          /**< energy factors, a decoder channel each, default "1" */
    int dim;                  /**< of the embedding, 1..65536, default 512 */
    int layers;               /**< of the encoder, 1..8, default 2 */
    int decoder_layers;       /**< 0 = as the encoder, or 1; default 0 */
    int encoder_order;        /**< 0..30, 0 = 2 or the kernel's own; default 0 */
    int decoder_order;        /**< 0..30, 0 = 2, for gcn 9; default 0 */
    wgdn_aggregate aggregate; /**< default WGDN_AGGREGATE_MAX */
    wgdn_skip skip;           /**< default WGDN_SKIP_NONE */
    wgdn_norm norm;           /**< default WGDN_NORM_NONE */
    int embedding_activation; /**< 0 or 1, default 0 */
    wgdn_average average;     /**< default WGDN_AVERAGE_ROW */
    wgdn_decoder decoder;     /**< default WGDN_DECODER_WIENER */
    wgdn_loss loss;           /**< default WGDN_LOSS_RMSE */
    wgdn_balance balance;     /**< default WGDN_BALANCE_BALANCED */
    wgdn_augment augment;     /**< default WGDN_AUGMENT_NOISE */
    double beta;              /**< latent noise scale, 0..1e6, default 1 */
    int epochs;               /**< 0..1e9, default 200 */
    double learning_rate;     /**< of Adam, 0..1e6, default 0.001 */
    double decay;             /**< learning-rate decay factor, 0..1, default 0.98 */
    int decay_every;          /**< epochs between decays, 1..1e9, default 100 */
    int threads;              /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    wgdn_structural_features
        features; /**< of a dataset without any, default WGDN_STRUCTURAL_FEATURES_RANDOM_WALK */
    int structural_dim;              /**< columns of random-walk features, 1..65536, default 128 */
    int binarize;                    /**< 0 or 1: features become x > 0, default 0 */
    wgdn_workspace_policy workspace; /**< default WGDN_WORKSPACE_POLICY_AUTO */
    double drop_rate; /**< share of the edges or nodes dropped in a step, 0..1, default 0.2 */
    wgdn_task task;   /**< default WGDN_TASK_AUTO */
    int batch_size; /**< graphs in a step where graphs are the task, 0..1e9, 0 = all; default 32 */
    wgdn_pool pool; /**< how graphs are pooled unless set otherwise, default WGDN_POOL_MEAN */
    wgdn_precision precision; /**< default WGDN_PRECISION_FP32 */
    int patience; /**< epochs without a better reconstruction of held-out features after which
                       training stops, 0..1e9; 0 = never, nothing is held out; default 0 */
} wgdn_train_options;

static inline void wgdn_train_options_init(wgdn_train_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_TRAIN, o, sizeof *o);
}

/** Progress of a run, reported after every step. An epoch is one step, or one for each batch. */
typedef struct wgdn_progress {
    int64_t epoch;  /**< epochs done */
    int64_t epochs; /**< in total */
    double loss;    /**< mean over the steps of the last epoch, or of the current one so far */
    double seconds; /**< since the run began, those before it was resumed included */
    int64_t first;  /**< epochs that were done before it was resumed */
    int64_t step;   /**< steps done in the current epoch; 0: the last one is complete */
    int64_t steps;  /**< in total */
    /** Under several ranks: bytes that this one has sent in this call, rows of halos and sums. */
    int64_t halo_bytes, sum_bytes;
    double seconds_before; /**< of the run until it was resumed; 0: it was not */
    /** Why the last checkpoint could not be written (the former one stays, and the next is tried
        when it is due), or NULL. */
    const char *checkpoint_error;
    /** The health of the run, watched every few epochs: loss of the first epoch; effective rank of
        the embedding's directions, of at most 128 of its columns, 1: all nodes on one line, and what
        it was at first; share of columns that do not vary; norm of the last gradient. */
    double first_loss, rank, first_rank, dead, gradient;
    const char
        *sick; /**< with WGDN_HEALTH_POLICY_WARN: what is wrong and what to try, until the call
                           returns; or NULL */
    /** With patience: the root mean squared error of held-out features when it was last looked at,
        the best so far, and after how many epochs that was. Else 0. */
    double held_out, best_held_out;
    int64_t best_epoch;
} wgdn_progress;

/** Anything but 0 stops the run after a checkpoint. */
typedef int (*wgdn_progress_call)(void *user, const wgdn_progress *p);

/** What becomes of a run that collapses or diverges. */
typedef enum wgdn_health_policy {
    WGDN_HEALTH_POLICY_STOP =
        0, /**< it ends with WGDN_EHEALTH, before a checkpoint of it is written */
    WGDN_HEALTH_POLICY_WARN = 1 /**< it continues, and progress reports it */
} wgdn_health_policy;

/** How a training run reports, saves checkpoints and stops. Set it up with wgdn_train_run_init(). */
typedef struct wgdn_train_run {
    size_t struct_size;          /**< set by _init */
    wgdn_progress_call progress; /**< or NULL */
    void *progress_user;         /**< handed to progress */
    const char *checkpoint;      /**< path of the checkpoint, or NULL for none */
    int checkpoint_every;        /**< epochs between two; 0: only when the run is stopped */
    int fresh;                   /**< 1: do not resume from a checkpoint of the same run */
    int64_t checkpoint_steps;    /**< steps between two, also within an epoch; 0: none such */
    wgdn_health_policy health;   /**< default WGDN_HEALTH_POLICY_STOP */
    int keep; /**< 1: a run that progress stops after an epoch gives the model that it has, which
                   is that of a run of this many epochs, and returns WGDN_OK */
} wgdn_train_run;

static inline void wgdn_train_run_init(wgdn_train_run *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Train a model on a dataset. With a checkpoint of the same run (same data, same options but for
 * epochs and threads) it resumes; the result has the same bits as without the break. A dataset
 * without features gets structural features, see the option `features`.
 *
 * @param out  receives the model, to be released with wgdn_model_free(); untouched on failure
 * @param o    NULL for the defaults
 * @param run  NULL for none of it
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE,
 *         WGDN_EIO, WGDN_EFORMAT, WGDN_EWRITE (the checkpoint, when progress said stop),
 *         WGDN_ESTOPPED (progress said so, and keep did not; the checkpoint holds the run),
 *         WGDN_ENUMBER (a loss or gradient is not finite; the message names epoch and place),
 *         WGDN_EHEALTH (the run diverged or its embedding collapsed, or no training makes sense of
 *         the features; the message says what, when, what to try and where the last healthy
 *         checkpoint is)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_train(wgdn_model **out, const wgdn_dataset *d,
                                                      const wgdn_train_options *o,
                                                      const wgdn_train_run *run, wgdn_error *err);
/** What a training run will need and send. Bytes, unless said. Fields may be added at the end. */
typedef struct wgdn_train_needs {
    size_t struct_size; /**< set by _init */
    int64_t dataset;    /**< graph and features as they are */
    int64_t features;   /**< what is made of the features once */
    int64_t model;      /**< parameters, gradients, moments */
    int64_t workspace;  /**< of a step */
    int64_t total;      /**< of the process at its peak */
    int64_t rows;       /**< nodes that the rank owns */
    int64_t entries;    /**< number of their neighbors, counted with repetition */
    int64_t halo_rows;  /**< nodes of other ranks among these */
    int64_t sent_rows;  /**< nodes here that others neighbor on, once for each who does */
    int64_t halo_bytes; /**< sent in an epoch: rows of matrices */
    int64_t sum_bytes;  /**< sent in an epoch: parts of sums, and from rank 0 the results */
} wgdn_train_needs;

static inline void wgdn_train_needs_init(wgdn_train_needs *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Estimate what a training run will need: as a whole, or for one of several ranks, which need not
 * be there.
 *
 * @param o      NULL for the defaults
 * @param rank   0 .. ranks - 1
 * @param ranks  1: what is here of d; more: d must be here as a whole
 * @return WGDN_OK, WGDN_EINVAL (also for ranks and a set of graphs, which they do not share),
 *         WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_estimate(wgdn_train_needs *out,
                                                         const wgdn_dataset *d,
                                                         const wgdn_train_options *o, int rank,
                                                         int ranks, wgdn_error *err);

/**
 * An algebraic optimization, which changes no result but for rounding, and what it saves in an
 * epoch. The layout of this struct never changes.
 */
typedef struct wgdn_optimization {
    const char *name; /**< what it does, in a few words; static lifetime */
    const char *unit; /**< of the two numbers: "operations" or "bytes"; static lifetime */
    int used;         /**< 1: in this run */
    double with;      /**< of the part of an epoch that it touches */
    double without;   /**< the same if it were not used */
} wgdn_optimization;

/** How a training run will be computed. Fields may be added at the end. */
typedef struct wgdn_explanation {
    size_t struct_size;      /**< set by _init */
    wgdn_optimization *list; /**< set by the caller: room for optimizations, or NULL */
    int room;                /**< set by the caller: for how many; 0 with NULL */
    int count;               /**< how many there are; the first room of them are in list */
    double dense;            /**< operations of an epoch in dense products */
    double sparse;           /**< and in sparse products */
    double bytes;            /**< that the sparse products gather and write */
    int encoder_order; /**< of the encoder's polynomial; the kernel's default if 0 was asked */
    int decoder_order; /**< of the decoder's, likewise */
} wgdn_explanation;

static inline void wgdn_explanation_init(wgdn_explanation *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Tell which optimizations a training run uses and how much work an epoch is.
 *
 * @param o  NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_explain(wgdn_explanation *out,
                                                        const wgdn_dataset *d,
                                                        const wgdn_train_options *o,
                                                        wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
