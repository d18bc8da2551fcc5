/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every option, one row each: where it lies, what it may be, what it is when nobody says, and a
 * sentence for people. The command line, configuration files and other languages ask these tables.
 */
#include "options.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ROW(kind, type, field) \
#field, OPTION_##kind, offsetof(type, field), sizeof(((type *)0)->field)

#define THREADS(type)                                                                      \
    {                                                                                      \
        ROW(INT, type, threads), 0, 4096, 0, .help = "Threads; 0 = whatever OpenMP offers" \
    }

static const wgdn_option_row compute[] = {THREADS(wgdn_compute_options)};

static const char *const fits[] = {"one-step", "remez", NULL};
static const char *const averages[] = {"row", "column", NULL};

static const wgdn_option_row apply[] = {
    {ROW(INT, wgdn_apply_options, order), 0, 64, 24, .help = "Order of the polynomial"},
    {ROW(CHOICE, wgdn_apply_options, fit), .default_number = WGDN_FIT_ONE_STEP, .choices = fits,
     .help = "How the polynomial is fitted"},
    THREADS(wgdn_apply_options),
};

static const char *const modes[] = {"average", "resolved", "inverse", NULL};
static const char *const noises[] = {"neighbours", "given", "floor", NULL};

static const wgdn_option_row restore[] = {
    {ROW(CHOICE, wgdn_restore_options, mode), .default_number = WGDN_RESTORE_AVERAGE,
     .choices = modes, .help = "How the filter is regularised"},
    {ROW(CHOICE, wgdn_restore_options, noise), .default_number = WGDN_NOISE_NEIGHBOURS,
     .choices = noises, .help = "Where the variance of the noise comes from"},
    {ROW(DOUBLE, wgdn_restore_options, sigma), 0, 1e30, 0, .help = "Deviation of given noise"},
    {ROW(DOUBLE, wgdn_restore_options, gamma), 1e-9, 1e9, 1, .help = "Factor of the energy"},
    {ROW(CHOICE, wgdn_restore_options, average), .default_number = WGDN_AVERAGE_ROW,
     .choices = averages, .help = "Average of the neighbours: D^-1 A (row) or A D^-1 (column)"},
    {ROW(INT, wgdn_restore_options, order), 0, 64, 24, .help = "Order of the polynomial"},
    {ROW(CHOICE, wgdn_restore_options, fit), .default_number = WGDN_FIT_ONE_STEP, .choices = fits,
     .help = "How the polynomial is fitted"},
    {ROW(INT, wgdn_restore_options, moments), 8, 4096, 64, .help = "Moments of the densities"},
    {ROW(INT, wgdn_restore_options, probes), 1, 1024, 128, .help = "Random vectors for them"},
    {ROW(SEED, wgdn_restore_options, seed), .default_number = 1, .help = "Seed of these"},
    THREADS(wgdn_restore_options),
};

static const wgdn_option_row density[] = {
    {ROW(INT, wgdn_density_options, moments), 8, 4096, 64, .help = "Moments"},
    {ROW(INT, wgdn_density_options, probes), 1, 1024, 128, .help = "Random vectors"},
    {ROW(SEED, wgdn_density_options, seed), .default_number = 1, .help = "Seed of these"},
    THREADS(wgdn_density_options),
};

static const char *const formats[] = {"auto", "edges", "npz",         "mtx",
                                      "tu",   "ogb",   "safetensors", NULL};
static const char *const headers[] = {"look", "data", "names", NULL};

static const wgdn_option_row dataset[] = {
    {ROW(CHOICE, wgdn_dataset_options, format), .default_number = WGDN_FORMAT_AUTO,
     .choices = formats, .help = "What the input is"},
    {ROW(CHOICE, wgdn_dataset_options, header), .default_number = 0, .choices = headers,
     .help = "Whether the first row of a text file is data or names"},
    {ROW(BOOLEAN, wgdn_dataset_options, binarise), .default_number = 0,
     .help = "Features become x > 0"},
    THREADS(wgdn_dataset_options),
    {ROW(INT64, wgdn_dataset_options, max_nodes), 1, 2147483647, 2147483647,
     .help = "Refuse more nodes"},
    {ROW(INT64, wgdn_dataset_options, max_entries), 0, 0x1p46, 0x1p46,
     .help = "Refuse more edges or feature entries"},
    {ROW(INT64, wgdn_dataset_options, max_bytes), 0, 0x1p46, 0x1p40,
     .help = "Refuse to unpack more from one file"},
};

static const char *const aggregates[] = {"max", "sum", "mean", NULL};
static const char *const skips[] = {"none", "sum", "mean", NULL};
static const char *const norms[] = {"none", "layer", "batch", NULL};
static const char *const decoders[] = {"wiener", "inverse", NULL};
static const char *const losses[] = {"rmse", "row-rmse", "mse", NULL};
static const char *const balances[] = {"balanced", "plain", NULL};
static const char *const augments[] = {"noise", "none", "drop-edge", "drop-node", NULL};
static const char *const workspaces[] = {"auto", "store", "recompute", NULL};
static const char *const tasks[] = {"auto", "node", "graph", NULL};
static const char *const pools[] = {"mean", "sum", "max", NULL};
static const char *const precisions[] = {"fp32", "bf16", NULL};
static const char *const made[] = {"random-walk", "degree", NULL};

static const wgdn_option_row train[] = {
    {ROW(SEED, wgdn_train_options, seed), .default_number = 1, .help = "Fixes every random choice"},
    {ROW(TEXT, wgdn_train_options, kernel), .default_text = "heat",
     .help = "Graph filter: gcn, heat:t=1, ppr:alpha=0.2, poly: or table: with numbers"},
    {ROW(TEXT, wgdn_train_options, gamma), .default_text = "1",
     .help = "Energy factors, one decoder channel each, e.g. 0.1,1,10"},
    {ROW(INT, wgdn_train_options, dim), 1, 65536, 512, .help = "Width of the embedding"},
    {ROW(INT, wgdn_train_options, layers), 1, 8, 2, .help = "Encoder layers"},
    {ROW(INT, wgdn_train_options, decoder_layers), 0, 8, 0,
     .help = "Decoder layers: as the encoder (0) or 1"},
    {ROW(INT, wgdn_train_options, encoder_order), 0, 30, 0,
     .help = "Order of the encoder's polynomial; 0 = 2, or that of a polynomial kernel"},
    {ROW(INT, wgdn_train_options, decoder_order), 0, 30, 0,
     .help = "Order of the decoder's polynomial; 0 = 2, for gcn 9"},
    {ROW(CHOICE, wgdn_train_options, aggregate), .default_number = WGDN_AGGREGATE_MAX,
     .choices = aggregates, .help = "How decoder channels become one"},
    {ROW(CHOICE, wgdn_train_options, skip), .default_number = WGDN_SKIP_NONE, .choices = skips,
     .help = "How encoder outputs join the decoder"},
    {ROW(CHOICE, wgdn_train_options, norm), .default_number = WGDN_NORM_NONE, .choices = norms,
     .help = "Normalisation within layers"},
    {ROW(BOOLEAN, wgdn_train_options, embedding_activation), .default_number = 0,
     .help = "Activation on the embedding itself"},
    {ROW(CHOICE, wgdn_train_options, average), .default_number = WGDN_AVERAGE_ROW,
     .choices = averages, .help = "Average of the neighbours: D^-1 A (row) or A D^-1 (column)"},
    {ROW(CHOICE, wgdn_train_options, decoder), .default_number = WGDN_DECODER_WIENER,
     .choices = decoders, .help = "Response of the decoder"},
    {ROW(CHOICE, wgdn_train_options, loss), .default_number = WGDN_LOSS_RMSE, .choices = losses,
     .help = "What is minimised"},
    {ROW(CHOICE, wgdn_train_options, balance), .default_number = WGDN_BALANCE_BALANCED,
     .choices = balances, .help = "Whether non-zero features weigh as much as all zeros together"},
    {ROW(CHOICE, wgdn_train_options, augment), .default_number = WGDN_AUGMENT_NOISE,
     .choices = augments, .help = "What is done to the embedding before it is decoded"},
    {ROW(DOUBLE, wgdn_train_options, beta), 0, 1e6, 1, .help = "Scale of the latent noise"},
    {ROW(INT, wgdn_train_options, epochs), 0, 1e9, 200,
     .help = "Times that all of the data is seen"},
    {ROW(DOUBLE, wgdn_train_options, learning_rate), 0, 1e6, 1e-3, .help = "Learning rate of Adam"},
    {ROW(DOUBLE, wgdn_train_options, decay), 0, 1, 0.98, .help = "Factor of the rate"},
    {ROW(INT, wgdn_train_options, decay_every), 1, 1e9, 100, .help = "Epochs between two of these"},
    THREADS(wgdn_train_options),
    {ROW(CHOICE, wgdn_train_options, features), .default_number = WGDN_FEATURES_RANDOM_WALK,
     .choices = made, .help = "What stands in for features where the data has none"},
    {ROW(INT, wgdn_train_options, structural_dim), 1, 65536, 128,
     .help = "Columns of random-walk features"},
    {ROW(BOOLEAN, wgdn_train_options, binarise), .default_number = 0,
     .help = "Features become x > 0"},
    {ROW(CHOICE, wgdn_train_options, workspace), .default_number = WGDN_WORKSPACE_AUTO,
     .choices = workspaces, .help = "Memory against time; the result is the same"},
    {ROW(DOUBLE, wgdn_train_options, drop_rate), 0, 1, 0.2,
     .help = "Share of the edges or nodes that drop-edge or drop-node leaves out of a step"},
    {ROW(CHOICE, wgdn_train_options, task), .default_number = WGDN_TASK_AUTO, .choices = tasks,
     .help = "What is learnt: nodes, or whole graphs; auto: graphs where the data has several"},
    {ROW(INT, wgdn_train_options, batch_size), 0, 1e9, 32,
     .help = "Graphs in a step where graphs are the task; 0 = all of them"},
    {ROW(CHOICE, wgdn_train_options, pool), .default_number = WGDN_POOL_MEAN, .choices = pools,
     .help = "How the vectors of a graph's nodes become the graph's"},
    {ROW(CHOICE, wgdn_train_options, precision), .default_number = WGDN_PRECISION_FP32,
     .choices = precisions,
     .help = "Of matrix products in training: bf16 is faster on processors that have it"},
};

static const char *const poolings[] = {"mean", "sum", "max", "auto", NULL};

static const wgdn_option_row embed[] = {
    {ROW(CHOICE, wgdn_embed_options, task), .default_number = WGDN_TASK_AUTO, .choices = tasks,
     .help = "What is embedded: nodes, or whole graphs; auto: what the model was trained for"},
    {ROW(CHOICE, wgdn_embed_options, pool), .default_number = WGDN_POOL_AUTO, .choices = poolings,
     .help = "How the vectors of a graph's nodes become the graph's; auto: as the model says"},
    THREADS(wgdn_embed_options),
};

static const char *const splits[] = {"auto", "dataset", "paper", "stratified", NULL};
static const char *const classifiers[] = {"adam", "liblinear", NULL};
static const char *const similarities[] = {"cosine", "dot", NULL};

static const wgdn_option_row eval[] = {
    {ROW(SEED, wgdn_eval_options, seed), .default_number = 1, .help = "Fixes every random choice"},
    {ROW(CHOICE, wgdn_eval_options, splits), .default_number = WGDN_SPLITS_AUTO, .choices = splits,
     .help = "Which nodes teach, validate and test"},
    {ROW(INT, wgdn_eval_options, runs), 1, 10000, 20, .help = "Probes, over splits and starts"},
    {ROW(CHOICE, wgdn_eval_options, classifier), .default_number = WGDN_CLASSIFIER_ADAM,
     .choices = classifiers, .help = "How a probe is fitted"},
    {ROW(INT, wgdn_eval_options, steps), 1, 1e6, 300, .help = "Steps of a probe"},
    {ROW(DOUBLE, wgdn_eval_options, learning_rate), 0, 1e6, 0.01,
     .help = "Learning rate of a probe"},
    {ROW(DOUBLE, wgdn_eval_options, weight_decay), 0, 1e6, 0, .help = "Weight decay of a probe"},
    {ROW(INT, wgdn_eval_options, folds), 3, 1000, 10, .help = "Folds of stratified splits"},
    {ROW(INT, wgdn_eval_options, restarts), 1, 1000, 10, .help = "Restarts of k-means"},
    {ROW(DOUBLE, wgdn_eval_options, test_edge_fraction), 0, 0.9, 0.1,
     .help = "Share of the edges held out"},
    {ROW(CHOICE, wgdn_eval_options, metric), .default_number = WGDN_SIMILARITY_COSINE,
     .choices = similarities,
     .help = "Similarity for links; clusters are of unit vectors (cosine) or as they are"},
    THREADS(wgdn_eval_options),
};

static const char *const projections[] = {"tsne", "pca", NULL};

static const wgdn_option_row projection[] = {
    {ROW(SEED, wgdn_projection_options, seed), .default_number = 1,
     .help = "Fixes every random choice"},
    {ROW(CHOICE, wgdn_projection_options, projection), .default_number = WGDN_PROJECTION_TSNE,
     .choices = projections,
     .help = "How vectors become points: t-SNE keeps neighbours, PCA is a shadow in no time"},
    {ROW(DOUBLE, wgdn_projection_options, perplexity), 2, 1000, 30,
     .help = "Neighbours that count in t-SNE"},
    {ROW(INT, wgdn_projection_options, steps), 0, 1e6, 750, .help = "Steps of t-SNE"},
    {ROW(DOUBLE, wgdn_projection_options, theta), 0, 0.7, 0.5,
     .help = "How far away points of t-SNE must be to count as one; 0 is exact, and slow"},
    {ROW(CHOICE, wgdn_projection_options, metric), .default_number = WGDN_SIMILARITY_COSINE,
     .choices = similarities,
     .help = "Whether unit vectors are shown (cosine) or as they are (dot)"},
    THREADS(wgdn_projection_options),
};

#define SET(name) name, COUNT(name), sizeof(wgdn_##name##_options)

static const wgdn_option_set sets[] = {
    [WGDN_OPTIONS_COMPUTE] = {"compute options", NULL, SET(compute)},
    [WGDN_OPTIONS_APPLY] = {"apply options", NULL, SET(apply)},
    [WGDN_OPTIONS_RESTORE] = {"restore options", NULL, SET(restore)},
    [WGDN_OPTIONS_DENSITY] = {"density options", NULL, SET(density)},
    [WGDN_OPTIONS_DATASET] = {"dataset options", NULL, SET(dataset)},
    [WGDN_OPTIONS_TRAIN] = {"training options", NULL, SET(train)},
    [WGDN_OPTIONS_EMBED] = {"embedding options", NULL, SET(embed)},
    [WGDN_OPTIONS_EVAL] = {"evaluation options", "eval", SET(eval)},
    [WGDN_OPTIONS_PROJECTION] = {"projection options", NULL, SET(projection)},
};

const wgdn_option_set *wgdn_option_set_of(wgdn_options_kind kind)
{
    return (size_t)kind < COUNT(sets) ? &sets[kind] : NULL;
}

#define READ(name, kind)                                                                     \
    wgdn_status wgdn_##name##_options_read(wgdn_##name##_options *out,                       \
                                           const wgdn_##name##_options *in, wgdn_error *err) \
    {                                                                                        \
        return wgdn_option_read(out, in, &sets[kind], err);                                  \
    }

READ(compute, WGDN_OPTIONS_COMPUTE)
READ(apply, WGDN_OPTIONS_APPLY)
READ(restore, WGDN_OPTIONS_RESTORE)
READ(density, WGDN_OPTIONS_DENSITY)
READ(dataset, WGDN_OPTIONS_DATASET)
READ(train, WGDN_OPTIONS_TRAIN)
READ(embed, WGDN_OPTIONS_EMBED)
READ(eval, WGDN_OPTIONS_EVAL)
READ(projection, WGDN_OPTIONS_PROJECTION)
