/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists every option of the library, one row each: its field, type, range, default and a sentence
 * of help. The functions in option_access.c read these tables for the command line, configuration
 * files and other languages.
 */
#include "options.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ROW(kind, type, field) \
#field, OPTION_##kind, offsetof(type, field), sizeof(((type *)0)->field)

#define THREADS(type)                                                                 \
    {                                                                                 \
        ROW(INT, type, threads), 0, 4096, 0,                                          \
            .help = "Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores" \
    }

static const wgdn_option_row compute[] = {THREADS(wgdn_compute_options)};

static const char *const fits[] = {"one-step", "remez", NULL};
static const char *const averages[] = {"row", "column", NULL};

static const wgdn_option_row apply[] = {
    {ROW(INT, wgdn_apply_options, order), 0, 64, 24, .help = "Order of the filter polynomial"},
    {ROW(CHOICE, wgdn_apply_options, fit), .default_number = WGDN_FIT_ONE_STEP, .choices = fits,
     .help = "How the filter polynomial is fitted to the kernel"},
    THREADS(wgdn_apply_options),
};

static const char *const modes[] = {"average", "resolved", "inverse", NULL};
static const char *const noises[] = {"neighbours", "given", "floor", NULL};

static const wgdn_option_row restore[] = {
    {ROW(CHOICE, wgdn_restore_options, mode), .default_number = WGDN_RESTORE_AVERAGE,
     .choices = modes, .help = "How the Wiener filter is regularised"},
    {ROW(CHOICE, wgdn_restore_options, noise), .default_number = WGDN_NOISE_NEIGHBOURS,
     .choices = noises, .help = "How the noise variance is estimated"},
    {ROW(DOUBLE, wgdn_restore_options, sigma), 0, 1e30, 0,
     .help = "Standard deviation of the noise where it is given"},
    {ROW(DOUBLE, wgdn_restore_options, gamma), 1e-9, 1e9, 1,
     .help = "Energy factor of the Wiener filter"},
    {ROW(CHOICE, wgdn_restore_options, average), .default_number = WGDN_AVERAGE_ROW,
     .choices = averages,
     .help = "Neighbour average of the noise estimate: D^-1 A (row) or A D^-1 (column)"},
    {ROW(INT, wgdn_restore_options, order), 0, 64, 24, .help = "Order of the filter polynomial"},
    {ROW(CHOICE, wgdn_restore_options, fit), .default_number = WGDN_FIT_ONE_STEP, .choices = fits,
     .help = "How the filter polynomial is fitted to the kernel"},
    {ROW(INT, wgdn_restore_options, moments), 8, 4096, 64,
     .help = "Chebyshev moments of the spectral densities"},
    {ROW(INT, wgdn_restore_options, probes), 1, 1024, 128,
     .help = "Random vectors of the trace estimate behind the spectral densities"},
    {ROW(SEED, wgdn_restore_options, seed), .default_number = 1, .help = "Random seed"},
    THREADS(wgdn_restore_options),
};

static const wgdn_option_row density[] = {
    {ROW(INT, wgdn_density_options, moments), 8, 4096, 64,
     .help = "Chebyshev moments of the spectral density"},
    {ROW(INT, wgdn_density_options, probes), 1, 1024, 128,
     .help = "Random vectors of the trace estimate"},
    {ROW(SEED, wgdn_density_options, seed), .default_number = 1, .help = "Random seed"},
    THREADS(wgdn_density_options),
};

static const char *const headers[] = {"look", "data", "names", NULL};
static const char *const directions[] = {"ignore", "forward", "backward", "both", NULL};

static const char *const feature_scales[] = {"auto", "standard", "none", "row", NULL};
static const char *const weights[] = {"use", "ignore", "log", NULL};

static const wgdn_option_row dataset[] = {
    {ROW(CHOICE, wgdn_dataset_options, header), .default_number = 0, .choices = headers,
     .help = "Whether the first row of a text file is data or column names"},
    {ROW(BOOLEAN, wgdn_dataset_options, binarise), .default_number = 0,
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(CHOICE, wgdn_dataset_options, directed), .default_number = WGDN_DIRECTED_IGNORE,
     .choices = directions,
     .help = "Filter along the edges (forward), against them (backward) or both, beside the "
             "undirected graph; training ignores directions"},
    THREADS(wgdn_dataset_options),
    {ROW(INT64, wgdn_dataset_options, max_nodes), 1, WGDN_NODES_MAX, WGDN_NODES_MAX,
     .help = "Refuse inputs with more nodes than this"},
    {ROW(INT64, wgdn_dataset_options, max_entries), 0, WGDN_ENTRIES_MAX, WGDN_ENTRIES_MAX,
     .help = "Refuse inputs with more edges, or more non-zero features, than this"},
    {ROW(INT64, wgdn_dataset_options, max_bytes), 0, WGDN_UNPACKED_MAX, 0,
     .help = "Refuse to decompress more than this from one file; 0: half of the available memory"},
    {ROW(CHOICE, wgdn_dataset_options, feature_scale), .default_number = 0,
     .choices = feature_scales, .help = "What is done to the numbers of feature tables"},
    {ROW(INT, wgdn_dataset_options, max_categories), 1, 65536, 32,
     .help = "Values of a column of a feature table that get a feature each"},
    {ROW(INT, wgdn_dataset_options, bipartite), -1, 1, -1,
     .help = "Whether sources and targets are of two kinds, so that the same id is two nodes; -1: "
             "as the headings say"},
    {ROW(CHOICE, wgdn_dataset_options, weights), .default_number = WGDN_WEIGHTS_USE,
     .choices = weights,
     .help = "What becomes of the weights of edges: they are used, ignored, or replaced by "
             "log(1 + weight)"},
    {ROW(INT64, wgdn_dataset_options, memory), 0, 0x1p50, 0,
     .help = "Bytes of memory for an edge list; one that needs more is sorted in files; 0: any"},
    {ROW(BOOLEAN, wgdn_dataset_options, strict), .default_number = 0,
     .help = "Refuse rows that cannot be used, instead of skipping and counting them"},
};

static const char *const aggregates[] = {"max", "sum", "mean", NULL};
static const char *const skips[] = {"none", "sum", "mean", NULL};
static const char *const norms[] = {"none", "layer", "batch", NULL};
static const char *const decoders[] = {"wiener", "inverse", NULL};
static const char *const losses[] = {"rmse", "row-rmse", "mse", "cosine", NULL};
static const char *const balances[] = {"balanced", "plain", NULL};
static const char *const augments[] = {"noise", "none", "drop-edge", "drop-node", NULL};
static const char *const workspaces[] = {"auto", "store", "recompute", NULL};
static const char *const tasks[] = {"auto", "node", "graph", NULL};
static const char *const pools[] = {"mean", "sum", "max", NULL};
static const char *const precisions[] = {"fp32", "bf16", NULL};
static const char *const structural[] = {"random-walk", "degree", NULL};

#define MODEL .topic = "Model"
#define FILTERS .topic = "Graph filters"
#define TRAINING .topic = "Training"
#define FEATURES .topic = "Features"
#define GRAPH_SETS .topic = "Graph sets"

static const wgdn_option_row train[] = {
    {ROW(SEED, wgdn_train_options, seed), .default_number = 1, TRAINING,
     .help = "Random seed; it fixes initialisation, noise and batches"},
    {ROW(TEXT, wgdn_train_options, kernel), .default_text = "heat", FILTERS,
     .help = "Graph filter g(lambda): gcn, heat:t=1, ppr:alpha=0.2, band:mu=1,width=0.5, "
             "poly: or table: with numbers"},
    {ROW(TEXT, wgdn_train_options, gamma), .default_text = "1", FILTERS,
     .help = "Energy factors of the Wiener decoder, one decoder channel each, e.g. 0.1,1,10"},
    {ROW(INT, wgdn_train_options, dim), 1, WGDN_DIM_MAX, 512, MODEL, .help = "Embedding dimension"},
    {ROW(INT, wgdn_train_options, layers), 1, WGDN_LAYERS_MAX, 2, MODEL,
     .help = "Number of encoder layers"},
    {ROW(INT, wgdn_train_options, decoder_layers), 0, WGDN_LAYERS_MAX, 0, MODEL,
     .help = "Number of decoder layers: 1, or 0 for as many as the encoder has"},
    {ROW(INT, wgdn_train_options, encoder_order), 0, WGDN_ORDER_OPTION_MAX, 0, FILTERS,
     .help = "Polynomial order of the encoder's filter; 0 takes the kernel's default, 2 for heat"},
    {ROW(INT, wgdn_train_options, decoder_order), 0, WGDN_ORDER_OPTION_MAX, 0, FILTERS,
     .help = "Polynomial order of the decoder's filter; 0 takes the kernel's default, 2 for heat"},
    {ROW(CHOICE, wgdn_train_options, aggregate), .default_number = WGDN_AGGREGATE_MAX,
     .choices = aggregates, MODEL, .help = "Aggregation of the decoder channels"},
    {ROW(CHOICE, wgdn_train_options, skip), .default_number = WGDN_SKIP_NONE, .choices = skips,
     MODEL, .help = "Skip connections from encoder layers to decoder layers"},
    {ROW(CHOICE, wgdn_train_options, norm), .default_number = WGDN_NORM_NONE, .choices = norms,
     MODEL, .help = "Normalisation within layers: LayerNorm, BatchNorm or none"},
    {ROW(BOOLEAN, wgdn_train_options, embedding_activation), .default_number = 0, MODEL,
     .help = "Apply the activation function to the embedding, too"},
    {ROW(CHOICE, wgdn_train_options, average), .default_number = WGDN_AVERAGE_ROW,
     .choices = averages, FILTERS,
     .help = "Neighbour average of the noise estimate: D^-1 A (row) or A D^-1 (column)"},
    {ROW(CHOICE, wgdn_train_options, decoder), .default_number = WGDN_DECODER_WIENER,
     .choices = decoders, MODEL,
     .help = "Spectral response of the decoder: Wiener filter or plain inverse"},
    {ROW(CHOICE, wgdn_train_options, loss), .default_number = WGDN_LOSS_RMSE, .choices = losses,
     TRAINING, .help = "Reconstruction loss"},
    {ROW(CHOICE, wgdn_train_options, balance), .default_number = WGDN_BALANCE_BALANCED,
     .choices = balances, TRAINING,
     .help = "Weights of the reconstruction loss: balanced gives all non-zero features together "
             "the weight of all zeros, plain weighs every entry alike"},
    {ROW(CHOICE, wgdn_train_options, augment), .default_number = WGDN_AUGMENT_NOISE,
     .choices = augments, TRAINING, .help = "Augmentation of the embedding before it is decoded"},
    {ROW(DOUBLE, wgdn_train_options, beta), 0, 1e6, 1, TRAINING,
     .help = "Scale of the latent noise"},
    {ROW(INT, wgdn_train_options, epochs), 0, 1e9, 200, TRAINING, .help = "Number of epochs"},
    {ROW(DOUBLE, wgdn_train_options, learning_rate), 0, 1e6, 1e-3, TRAINING, .alias = "lr",
     .help = "Learning rate of Adam"},
    {ROW(DOUBLE, wgdn_train_options, decay), 0, 1, 0.98, TRAINING,
     .help = "Learning-rate decay factor"},
    {ROW(INT, wgdn_train_options, decay_every), 1, 1e9, 100, TRAINING,
     .help = "Epochs between learning-rate decays"},
    THREADS(wgdn_train_options),
    {ROW(CHOICE, wgdn_train_options, features), .default_number = WGDN_FEATURES_RANDOM_WALK,
     .choices = structural, FEATURES,
     .help = "Structural features of a dataset that has no features"},
    {ROW(INT, wgdn_train_options, structural_dim), 1, WGDN_DIM_MAX, 128, FEATURES,
     .help = "Dimension of random-walk structural features"},
    {ROW(BOOLEAN, wgdn_train_options, binarise), .default_number = 0, FEATURES,
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(CHOICE, wgdn_train_options, workspace), .default_number = WGDN_WORKSPACE_AUTO,
     .choices = workspaces, TRAINING,
     .help = "Whether the decoder's filtered inputs are stored for the backward pass, or "
             "recomputed to save memory; the result is the same"},
    {ROW(DOUBLE, wgdn_train_options, drop_rate), 0, 1, 0.2, TRAINING,
     .help = "Fraction of the edges or nodes that drop-edge or drop-node removes in a step"},
    {ROW(CHOICE, wgdn_train_options, task), .default_number = WGDN_TASK_AUTO, .choices = tasks,
     GRAPH_SETS,
     .help = "Whether node or graph embeddings are trained; auto is graph where the data has "
             "several graphs"},
    {ROW(INT, wgdn_train_options, batch_size), 0, 1e9, 32, GRAPH_SETS,
     .help = "Graphs in a batch where graph embeddings are trained; 0 takes all of them"},
    {ROW(CHOICE, wgdn_train_options, pool), .default_number = WGDN_POOL_MEAN, .choices = pools,
     GRAPH_SETS, .help = "Pooling of node embeddings into graph embeddings"},
    {ROW(CHOICE, wgdn_train_options, precision), .default_number = WGDN_PRECISION_FP32,
     .choices = precisions, TRAINING,
     .help = "Precision of matrix products in training; bf16 is faster on processors with units "
             "for it"},
    {ROW(INT, wgdn_train_options, patience), 0, 1e9, 0, TRAINING,
     .help = "Stop when some features that are held out of training have been reconstructed no "
             "better for so many epochs, and keep the best parameters; 0: train for all epochs on "
             "all features"},
};

static const char *const uses[] = {"auto", "features", "structure", "both", NULL};

#define FIT .topic = "Fit"

static const wgdn_option_row fit[] = {
    {ROW(SEED, wgdn_fit_options, seed), .default_number = 1, FIT,
     .help = "Random seed; it fixes every random choice"},
    {ROW(INT, wgdn_fit_options, dim), 1, WGDN_DIM_MAX, 256, FIT,
     .help = "Dimension of the embedding; fewer columns where the data has a lower rank"},
    {ROW(BOOLEAN, wgdn_fit_options, pad), .default_number = 0, FIT,
     .help = "Always return exactly dim columns: fill up with columns of zeros"},
    {ROW(CHOICE, wgdn_fit_options, features), .default_number = WGDN_USE_AUTO, .choices = uses, FIT,
     .help = "What embeddings are made of: features filtered by the graph, the graph's structure, "
             "or both; auto decides by the data, without labels"},
    {ROW(DOUBLE, wgdn_fit_options, scale), -1, WGDN_SCALE_MAX, -1, FIT,
     .help = "Scale t of the filter exp(-t L): 0 leaves features as they are, larger values "
             "smooth more; -1 chooses it without labels"},
    {ROW(BOOLEAN, wgdn_fit_options, binarise), .default_number = 0, FIT,
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(INT, wgdn_fit_options, refine), 0, WGDN_REFINE_MAX, 0, FIT,
     .help = "Epochs of training on top of the closed form: better with few labels on sparse "
             "graphs; 20 are enough, 0 is none"},
    {ROW(BOOLEAN, wgdn_fit_options, ids), .default_number = 1, FIT,
     .help = "Store the ids of the nodes in a model of the graph's structure, which finds known "
             "nodes by them; without them, known nodes are found by 64-bit hashes of their ids"},
    {ROW(CHOICE, wgdn_fit_options, task), .default_number = WGDN_TASK_AUTO, .choices = tasks,
     .topic = "Graph fits",
     .help = "Whether nodes or whole graphs are embedded; auto is graph where the data has "
             "several graphs"},
    THREADS(wgdn_fit_options),
};

static const char *const poolings[] = {"mean", "sum", "max", "auto", NULL};

static const wgdn_option_row embed[] = {
    {ROW(CHOICE, wgdn_embed_options, task), .default_number = WGDN_TASK_AUTO, .choices = tasks,
     .help = "What is embedded: nodes, or whole graphs; auto: what the model was trained for"},
    {ROW(CHOICE, wgdn_embed_options, pool), .default_number = WGDN_POOL_AUTO, .choices = poolings,
     .help = "How the vectors of a graph's nodes become the graph's; auto: as the model says"},
    THREADS(wgdn_embed_options),
};

static const char *const splits[] = {"auto",   "dataset",           "paper", "stratified",
                                     "random", "stratified-random", NULL};
static const char *const label_kinds[] = {"auto", "class", "number", NULL};
static const char *const classifiers[] = {"logistic", "adam", NULL};
static const char *const machines[] = {"both", "rbf", "linear", NULL};
static const char *const similarities[] = {"cosine", "dot", NULL};

#define EVALUATION .topic = "Evaluation"

static const wgdn_option_row eval[] = {
    {ROW(SEED, wgdn_eval_options, seed), .default_number = 1, EVALUATION,
     .help = "Random seed; it fixes splits, probes and restarts"},
    {ROW(CHOICE, wgdn_eval_options, splits), .default_number = WGDN_SPLITS_AUTO, .choices = splits,
     EVALUATION,
     .help = "Where the train, validation and test splits come from; auto: the dataset's own, else "
             "random ones in which every class keeps its share, or stratified folds where a class "
             "has few nodes"},
    {ROW(DOUBLE, wgdn_eval_options, train_fraction), 0, 1, 0, EVALUATION,
     .help = "Fraction of the labelled nodes that random splits train on; 0 takes 0.1, or 0.5 "
             "where nodes have several labels"},
    {ROW(DOUBLE, wgdn_eval_options, validation_fraction), 0, 1, 0.1, EVALUATION,
     .help = "Fraction of the labelled nodes that random splits validate on"},
    {ROW(INT, wgdn_eval_options, runs), 1, 10000, 10, EVALUATION,
     .help = "Number of splits; with classifier adam number of probes, each with its own split "
             "and initialisation"},
    {ROW(CHOICE, wgdn_eval_options, classifier), .default_number = WGDN_CLASSIFIER_LOGISTIC,
     .choices = classifiers, EVALUATION,
     .help = "Linear probe: logistic regression on normalised embeddings, C chosen on the "
             "validation nodes, or the paper's probe, a linear layer trained by Adam"},
    {ROW(INT, wgdn_eval_options, steps), 1, 1e6, 300, EVALUATION,
     .help = "Optimiser steps of classifier adam"},
    {ROW(DOUBLE, wgdn_eval_options, learning_rate), 0, 1e6, 0.01, EVALUATION, .alias = "lr",
     .help = "Learning rate of classifier adam"},
    {ROW(DOUBLE, wgdn_eval_options, weight_decay), 0, 1e6, 0, EVALUATION,
     .help = "Weight decay of classifier adam"},
    {ROW(INT, wgdn_eval_options, folds), 3, 1000, 10, EVALUATION,
     .help = "Folds of stratified splits and of graph classification"},
    {ROW(CHOICE, wgdn_eval_options, svm), .default_number = WGDN_SVM_BOTH, .choices = machines,
     EVALUATION,
     .help = "Support vector machines of graph classification: with an RBF kernel, linear, or "
             "both; the linear one is slow on some sets"},
    {ROW(INT, wgdn_eval_options, restarts), 1, 1000, 10, EVALUATION, .help = "Restarts of k-means"},
    {ROW(DOUBLE, wgdn_eval_options, test_edge_fraction), 0, 0.9, 0.1, EVALUATION,
     .help = "Fraction of the edges that are test edges of link prediction"},
    {ROW(CHOICE, wgdn_eval_options, metric), .default_number = WGDN_SIMILARITY_COSINE,
     .choices = similarities, EVALUATION,
     .help = "Similarity of embeddings in link prediction and clustering: cosine, which "
             "normalises them, or dot product"},
    {ROW(CHOICE, wgdn_eval_options, label_kind), .default_number = WGDN_LABELS_AUTO,
     .choices = label_kinds, EVALUATION,
     .help = "Whether labels are classes, or numbers for ridge regression; auto: numbers where "
             "they have fractions or are mostly different"},
    THREADS(wgdn_eval_options),
};

static const char *const projections[] = {"tsne", "pca", NULL};

#define PROJECTION .topic = "2-D projection"

static const wgdn_option_row projection[] = {
    {ROW(SEED, wgdn_projection_options, seed), .default_number = 1, PROJECTION,
     .help = "Random seed of the projection"},
    {ROW(CHOICE, wgdn_projection_options, projection), .default_number = WGDN_PROJECTION_TSNE,
     .choices = projections, PROJECTION,
     .help = "Method of the 2-D projection: t-SNE, which keeps neighbours together, or PCA, a "
             "fast linear projection"},
    {ROW(DOUBLE, wgdn_projection_options, perplexity), 2, 1000, 30, PROJECTION,
     .help = "Perplexity of t-SNE: about how many neighbours of a point count"},
    {ROW(INT, wgdn_projection_options, steps), 0, 1e6, 750, PROJECTION,
     .help = "Gradient steps of t-SNE"},
    {ROW(DOUBLE, wgdn_projection_options, theta), 0, 0.7, 0.5, PROJECTION,
     .help = "Barnes-Hut angle of t-SNE: larger is faster and coarser, 0 is exact and slow"},
    {ROW(CHOICE, wgdn_projection_options, metric), .default_number = WGDN_SIMILARITY_COSINE,
     .choices = similarities, PROJECTION,
     .help = "Similarity of embeddings in the projection: cosine, which normalises them, or dot "
             "product"},
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
    [WGDN_OPTIONS_FIT] = {"fit options", NULL, SET(fit)},
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
READ(fit, WGDN_OPTIONS_FIT)
