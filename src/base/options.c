/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists every option of the library, one row each: its field, type, range, default and a sentence
 * of help. The functions in option_access.c read these tables for the command line, configuration
 * files and other languages.
 */
#include "options.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ROW(kind, type, field) \
#field, WGDN_OPTION_TYPE_##kind, offsetof(type, field), sizeof(((type *)0)->field)

#define THREADS(type)                                                                 \
    {                                                                                 \
        ROW(INTEGER, type, threads), 0, 4096, "0",                                    \
            .topic = "General",                                                       \
            .help = "Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores" \
    }

static const wgdn_option_info compute[] = {THREADS(wgdn_compute_options)};

static const char approximations[] = "one-step|remez";
static const char averages[] = "row|column";

static const wgdn_option_info apply[] = {
    {ROW(INTEGER, wgdn_apply_options, order), 0, 64, "24",
     .help = "Order of the filter polynomial"},
    {ROW(CHOICE, wgdn_apply_options, approximation), 0, 0, "one-step", .choices = approximations,
     .old_name = "fit", .help = "How the filter polynomial approximates the kernel"},
    THREADS(wgdn_apply_options),
};

static const wgdn_option_info restore[] = {
    {ROW(CHOICE, wgdn_restore_options, mode), 0, 0, "average",
     .choices = "average|resolved|inverse", .help = "How the Wiener filter is regularized"},
    {ROW(CHOICE, wgdn_restore_options, noise), 0, 0, "neighbors",
     .choices = "neighbors|given|floor", .old_choices = "neighbours|given|floor",
     .help = "How the noise variance is estimated"},
    {ROW(NUMBER, wgdn_restore_options, sigma), 0, 1e30, "0",
     .help = "Standard deviation of the noise where it is given"},
    {ROW(NUMBER, wgdn_restore_options, gamma), 1e-9, 1e9, "1",
     .help = "Energy factor of the Wiener filter"},
    {ROW(CHOICE, wgdn_restore_options, average), 0, 0, "row", .choices = averages,
     .help = "Neighbor average of the noise estimate: D^-1 A (row) or A D^-1 (column)"},
    {ROW(INTEGER, wgdn_restore_options, order), 0, 64, "24",
     .help = "Order of the filter polynomial"},
    {ROW(CHOICE, wgdn_restore_options, approximation), 0, 0, "one-step", .choices = approximations,
     .old_name = "fit", .help = "How the filter polynomial approximates the kernel"},
    {ROW(INTEGER, wgdn_restore_options, moments), 8, 4096, "64",
     .help = "Chebyshev moments of the spectral densities"},
    {ROW(INTEGER, wgdn_restore_options, probes), 1, 1024, "128",
     .help = "Random vectors of the trace estimate behind the spectral densities"},
    {ROW(SEED, wgdn_restore_options, seed), 0, 0x1p64, "1", .help = "Random seed"},
    THREADS(wgdn_restore_options),
};

static const wgdn_option_info density[] = {
    {ROW(INTEGER, wgdn_density_options, moments), 8, 4096, "64",
     .help = "Chebyshev moments of the spectral density"},
    {ROW(INTEGER, wgdn_density_options, probes), 1, 1024, "128",
     .help = "Random vectors of the trace estimate"},
    {ROW(SEED, wgdn_density_options, seed), 0, 0x1p64, "1", .help = "Random seed"},
    THREADS(wgdn_density_options),
};

#define INPUT .topic = "Input"
#define LIMITS .topic = "Limits"
#define STORAGE .topic = "Run"

static const wgdn_option_info dataset[] = {
    {ROW(TEXT, wgdn_dataset_options, format), INPUT, .argument = "FORMAT", .otherwise = "auto",
     .help = "Format of the input; auto goes by the file's name and contents"},
    {ROW(PATH, wgdn_dataset_options, features), INPUT, .argument = "FILE", .repeats = 1,
     .help = "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated "
             "by commas, become columns side by side"},
    {ROW(PATH, wgdn_dataset_options, labels), INPUT, .argument = "FILE",
     .help = "Node labels: id and label on a line, several lines for several labels; or .npy"},
    {ROW(TEXT, wgdn_dataset_options, label_column), INPUT, .argument = "NAME",
     .otherwise = "label, class, target or y, else the last",
     .help = "Name of the column of --labels that holds the label"},
    {ROW(PATH, wgdn_dataset_options, splits), INPUT, .argument = "FILE",
     .help = "Train, validation and test splits: id and train, val or test on a line, one column "
             "for each split"},
    {ROW(CHOICE, wgdn_dataset_options, weights), 0, 0, "use", INPUT, .argument = "HOW",
     .choices = "use|ignore|log",
     .help = "What becomes of the weights of edges: they are used, ignored, or replaced by "
             "log(1 + weight)"},
    {ROW(CHOICE, wgdn_dataset_options, header), 0, 0, "auto", INPUT, .argument = "WHETHER",
     .choices = "auto|no|yes", .old_choices = "look|data|names",
     .help = "Whether the first row of text files holds column names"},
    {ROW(TEXT, wgdn_dataset_options, separator), INPUT, .argument = "CHARACTER",
     .choices = "tab|comma|semicolon|pipe|blanks",
     .otherwise = "the one that the first hundred lines show",
     .help = "What separates the fields of text files"},
    {ROW(TEXT, wgdn_dataset_options, decimal), INPUT, .argument = "CHARACTER", .choices = ".|,",
     .otherwise = "a point; a comma where semicolons separate numbers such as 1,5",
     .help = "Decimal point of numbers in text files"},
    {ROW(TEXT, wgdn_dataset_options, source), INPUT, .argument = "COLUMN",
     .otherwise = "by its heading, else the first",
     .help = "Column of an edge list that holds the sources: its heading, or its number from 1"},
    {ROW(TEXT, wgdn_dataset_options, target), INPUT, .argument = "COLUMN",
     .otherwise = "by its heading, else the second",
     .help = "Column of an edge list that holds the targets, by heading or number"},
    {ROW(TEXT, wgdn_dataset_options, weight), INPUT, .argument = "COLUMN",
     .otherwise = "weight; without a header, the third of three",
     .help = "Column of an edge list that holds the weights, by heading or number"},
    {ROW(TEXT, wgdn_dataset_options, type), INPUT, .argument = "COLUMN",
     .help = "Column of an edge list that holds the types of the edges, by heading or number"},
    {ROW(TEXT, wgdn_dataset_options, graph), INPUT, .argument = "COLUMN",
     .otherwise = "graph or graph_id",
     .help = "Column of an edge list that names the graph of each edge, by heading or number"},
    {ROW(TEXT, wgdn_dataset_options, id), INPUT, .argument = "COLUMN",
     .otherwise = "by heading and values, else the first",
     .help = "Column of --features and --labels that holds the ids, by heading or number"},
    {ROW(BOOLEAN, wgdn_dataset_options, bipartite), -1, 1, "auto", INPUT,
     .otherwise = "by the headings",
     .help = "Sources and targets are of two kinds: the same id in both columns is two nodes, "
             "named by headings, as user:1 and item:1; --no-bipartite: it is one node"},
    {ROW(BOOLEAN, wgdn_dataset_options, strict), 0, 1, "no", INPUT,
     .help = "Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping "
             "and counting them"},
    {ROW(BOOLEAN, wgdn_dataset_options, binarize), 0, 1, "no", .old_name = "binarise", INPUT,
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(CHOICE, wgdn_dataset_options, feature_scale), 0, 0, "auto", INPUT, .argument = "SCALE",
     .choices = "auto|standard|none|row",
     .help = "Scaling of feature tables: standard gives columns of numbers and dates mean 0 and "
             "deviation 1, row gives rows length 1; auto is standard for tables with headings "
             "whose columns are not of one kind, else none"},
    {ROW(INTEGER, wgdn_dataset_options, max_categories), 1, 65536, "32", INPUT,
     .help = "Words in a column of a feature table become a feature each, up to this many; the "
             "words of a column with more are hashed to this many features"},
    {ROW(TEXT, wgdn_dataset_options, ignore), INPUT, .argument = "NAMES", .repeats = 1,
     .help = "Columns of feature tables to leave out: headings or numbers from 1 on behind the "
             "id, separated by commas"},
    {ROW(CHOICE, wgdn_dataset_options, directed), 0, 0, "ignore", INPUT, .argument = "HOW",
     .choices = "ignore|forward|backward|both",
     .help = "Filter along the edges (forward), against them (backward) or both, beside the "
             "undirected graph; training ignores directions"},
    {ROW(INTEGER, wgdn_dataset_options, max_nodes), 1, WGDN_NODES_MAX, "2147483647", LIMITS,
     .help = "Refuse inputs with more nodes than this"},
    {ROW(INTEGER, wgdn_dataset_options, max_entries), 0, WGDN_ENTRIES_MAX, "70368744177664", LIMITS,
     .help = "Refuse inputs with more edges, or more non-zero features, than this"},
    {ROW(SIZE, wgdn_dataset_options, max_bytes), 0, WGDN_UNPACKED_MAX, "0", LIMITS,
     .otherwise = "half of the available memory",
     .help = "Refuse to decompress more than this from one file"},
    {ROW(SIZE, wgdn_dataset_options, memory), 0, 0x1p50, "0", STORAGE, .otherwise = "what there is",
     .help = "Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes "
             "through files, and vectors are the same"},
    {ROW(PATH, wgdn_dataset_options, scratch), STORAGE, .argument = "FOLDER",
     .otherwise = "the folder of the output",
     .help = "Folder for what does not fit into memory; it is empty again in the end. 'wgdn "
             "convert' after a kill resumes from what is there"},
    THREADS(wgdn_dataset_options),
};

static const char tasks[] = "auto|node|graph";

#define MODEL .topic = "Model"
#define FILTERS .topic = "Graph filters"
#define TRAINING .topic = "Training"
#define FEATURES .topic = "Features"
#define GRAPH_SETS .topic = "Graph sets"

static const wgdn_option_info train[] = {
    {ROW(SEED, wgdn_train_options, seed), 0, 0x1p64, "1", TRAINING,
     .help = "Random seed; it fixes initialization, noise and batches"},
    {ROW(TEXT, wgdn_train_options, kernel), 0, 0, "heat", FILTERS,
     .help = "Graph filter g(lambda): gcn, heat:t=1, ppr:alpha=0.2, band:mu=1,width=0.5, "
             "poly: or table: with numbers"},
    {ROW(TEXT, wgdn_train_options, gamma), 0, 0, "1", FILTERS,
     .help = "Energy factors of the Wiener decoder, one decoder channel each, e.g. 0.1,1,10"},
    {ROW(INTEGER, wgdn_train_options, dim), 1, WGDN_DIM_MAX, "512", MODEL,
     .help = "Embedding dimension"},
    {ROW(INTEGER, wgdn_train_options, layers), 1, WGDN_LAYERS_MAX, "2", MODEL,
     .help = "Number of encoder layers"},
    {ROW(INTEGER, wgdn_train_options, decoder_layers), 0, WGDN_LAYERS_MAX, "0", MODEL,
     .help = "Number of decoder layers: 1, or 0 for as many as the encoder has"},
    {ROW(INTEGER, wgdn_train_options, encoder_order), 0, WGDN_ORDER_OPTION_MAX, "0", FILTERS,
     .help = "Polynomial order of the encoder's filter; 0 takes the kernel's default, 2 for heat"},
    {ROW(INTEGER, wgdn_train_options, decoder_order), 0, WGDN_ORDER_OPTION_MAX, "0", FILTERS,
     .help = "Polynomial order of the decoder's filter; 0 takes the kernel's default, 2 for heat"},
    {ROW(CHOICE, wgdn_train_options, aggregate), 0, 0, "max", .choices = "max|sum|mean", MODEL,
     .only_if = "gamma=,", .help = "Aggregation of the decoder channels"},
    {ROW(CHOICE, wgdn_train_options, skip), 0, 0, "none", .choices = "none|sum|mean", MODEL,
     .only_if = "decoder_layers=!1;layers=!1",
     .help = "Skip connections from encoder layers to decoder layers"},
    {ROW(CHOICE, wgdn_train_options, norm), 0, 0, "none", .choices = "none|layer|batch", MODEL,
     .help = "Normalization within layers: LayerNorm, BatchNorm or none"},
    {ROW(BOOLEAN, wgdn_train_options, embedding_activation), 0, 1, "no", MODEL,
     .help = "Apply the activation function to the embedding, too"},
    {ROW(CHOICE, wgdn_train_options, average), 0, 0, "row", .choices = averages, FILTERS,
     .only_if = "decoder=wiener",
     .help = "Neighbor average of the noise estimate: D^-1 A (row) or A D^-1 (column)"},
    {ROW(CHOICE, wgdn_train_options, decoder), 0, 0, "wiener", .choices = "wiener|inverse", MODEL,
     .help = "Spectral response of the decoder: Wiener filter or plain inverse"},
    {ROW(CHOICE, wgdn_train_options, loss), 0, 0, "rmse", .choices = "rmse|row-rmse|mse|cosine",
     TRAINING, .help = "Reconstruction loss"},
    {ROW(CHOICE, wgdn_train_options, balance), 0, 0, "balanced", .choices = "balanced|plain",
     TRAINING, .only_if = "loss=rmse|row-rmse",
     .help = "Weights of the reconstruction loss: balanced gives all non-zero features together "
             "the weight of all zeros, plain weighs every entry alike"},
    {ROW(CHOICE, wgdn_train_options, augment), 0, 0, "noise",
     .choices = "noise|none|drop-edge|drop-node", TRAINING,
     .help = "Augmentation of the embedding before it is decoded"},
    {ROW(NUMBER, wgdn_train_options, beta), 0, 1e6, "1", TRAINING, .only_if = "augment=noise",
     .help = "Scale of the latent noise"},
    {ROW(INTEGER, wgdn_train_options, epochs), 0, 1e9, "200", TRAINING, .help = "Number of epochs"},
    {ROW(NUMBER, wgdn_train_options, learning_rate), 0, 1e6, "0.001", TRAINING, .alias = "lr",
     .help = "Learning rate of Adam"},
    {ROW(NUMBER, wgdn_train_options, decay), 0, 1, "0.98", TRAINING,
     .help = "Learning-rate decay factor"},
    {ROW(INTEGER, wgdn_train_options, decay_every), 1, 1e9, "100", TRAINING, .only_if = "decay=!1",
     .help = "Epochs between learning-rate decays"},
    THREADS(wgdn_train_options),
    {ROW(CHOICE, wgdn_train_options, features), 0, 0, "random-walk",
     .choices = "random-walk|degree", FEATURES,
     .help = "Structural features of a dataset that has no features"},
    {ROW(INTEGER, wgdn_train_options, structural_dim), 1, WGDN_DIM_MAX, "128", FEATURES,
     .only_if = "features=random-walk", .help = "Dimension of random-walk structural features"},
    {ROW(BOOLEAN, wgdn_train_options, binarize), 0, 1, "no", .old_name = "binarise", FEATURES,
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(CHOICE, wgdn_train_options, workspace), 0, 0, "auto", .choices = "auto|store|recompute",
     TRAINING,
     .help = "Whether the decoder's filtered inputs are stored for the backward pass, or "
             "recomputed to save memory; the result is the same"},
    {ROW(NUMBER, wgdn_train_options, drop_rate), 0, 1, "0.2", TRAINING,
     .only_if = "augment=drop-edge|drop-node",
     .help = "Fraction of the edges or nodes that drop-edge or drop-node removes in a step"},
    {ROW(CHOICE, wgdn_train_options, task), 0, 0, "auto", .choices = tasks, GRAPH_SETS,
     .help = "Whether node or graph embeddings are trained; auto is graph where the data has "
             "several graphs"},
    {ROW(INTEGER, wgdn_train_options, batch_size), 0, 1e9, "32", GRAPH_SETS,
     .only_if = "task=!node",
     .help = "Graphs in a batch where graph embeddings are trained; 0 takes all of them"},
    {ROW(CHOICE, wgdn_train_options, pool), 0, 0, "mean", .choices = "mean|sum|max", GRAPH_SETS,
     .only_if = "task=!node", .help = "Pooling of node embeddings into graph embeddings"},
    {ROW(CHOICE, wgdn_train_options, precision), 0, 0, "fp32", .choices = "fp32|bf16", TRAINING,
     .help = "Precision of matrix products in training; bf16 is faster on processors with units "
             "for it"},
    {ROW(INTEGER, wgdn_train_options, patience), 0, 1e9, "0", TRAINING,
     .help = "Stop when some features that are held out of training have been reconstructed no "
             "better for so many epochs, and keep the best parameters; 0: train for all epochs on "
             "all features"},
};

#define FIT .topic = "Fit"

static const wgdn_option_info fit[] = {
    {ROW(SEED, wgdn_fit_options, seed), 0, 0x1p64, "1", FIT,
     .help = "Random seed; it fixes every random choice"},
    {ROW(INTEGER, wgdn_fit_options, dim), 1, WGDN_DIM_MAX, "256", FIT,
     .help = "Dimension of the embedding; fewer columns where the data has a lower rank"},
    {ROW(BOOLEAN, wgdn_fit_options, pad), 0, 1, "no", FIT,
     .help = "Always return exactly dim columns: fill up with columns of zeros"},
    {ROW(CHOICE, wgdn_fit_options, features), 0, 0, "auto",
     .choices = "auto|features|structure|both", FIT,
     .help = "What embeddings are made of: features filtered by the graph, the graph's structure, "
             "or both; auto decides by the data, without labels"},
    {ROW(NUMBER, wgdn_fit_options, scale), -1, WGDN_SCALE_MAX, "-1", FIT,
     .only_if = "features=!structure",
     .help = "Scale t of the filter exp(-t L): 0 leaves features as they are, larger values "
             "smooth more; -1 chooses it without labels"},
    {ROW(BOOLEAN, wgdn_fit_options, binarize), 0, 1, "no", .old_name = "binarise", FIT,
     .only_if = "features=!structure",
     .help = "Replace features by 1 where they are above 0, else 0"},
    {ROW(INTEGER, wgdn_fit_options, refine), 0, WGDN_REFINE_MAX, "0", FIT,
     .help = "Epochs of training on top of the closed form: better with few labels on sparse "
             "graphs; 20 are enough, 0 is none"},
    {ROW(BOOLEAN, wgdn_fit_options, ids), 0, 1, "yes", FIT,
     .help = "Store the ids of the nodes in a model of the graph's structure, which finds known "
             "nodes by them; without them, known nodes are found by 64-bit hashes of their ids"},
    {ROW(CHOICE, wgdn_fit_options, task), 0, 0, "auto", .choices = tasks, .topic = "Graph fits",
     .help = "Whether nodes or whole graphs are embedded; auto is graph where the data has "
             "several graphs"},
    THREADS(wgdn_fit_options),
};

static const wgdn_option_info embed[] = {
    {ROW(CHOICE, wgdn_embed_options, task), 0, 0, "auto", .choices = tasks,
     .help = "What is embedded: nodes, or whole graphs; auto: what the model was trained for"},
    {ROW(CHOICE, wgdn_embed_options, pool), 0, 0, "auto", .choices = "mean|sum|max|auto",
     .help = "How the vectors of a graph's nodes become the graph's; auto: as the model says"},
    THREADS(wgdn_embed_options),
};

static const char similarities[] = "cosine|dot";

#define EVALUATION .topic = "Evaluation"

static const wgdn_option_info eval[] = {
    {ROW(SEED, wgdn_eval_options, seed), 0, 0x1p64, "1", EVALUATION,
     .help = "Random seed; it fixes splits, probes and restarts"},
    {ROW(CHOICE, wgdn_eval_options, splits), 0, 0, "auto",
     .choices = "auto|dataset|paper|stratified|random|stratified-random", EVALUATION,
     .help = "Where the train, validation and test splits come from; auto: the dataset's own, else "
             "random ones in which every class keeps its share, or stratified folds where a class "
             "has few nodes"},
    {ROW(NUMBER, wgdn_eval_options, train_fraction), 0, 1, "0", EVALUATION,
     .only_if = "task=probe;splits=auto|random",
     .help = "Fraction of the labeled nodes that random splits train on; 0 takes 0.1, or 0.5 "
             "where nodes have several labels"},
    {ROW(NUMBER, wgdn_eval_options, validation_fraction), 0, 1, "0.1", EVALUATION,
     .only_if = "task=probe;splits=auto|random",
     .help = "Fraction of the labeled nodes that random splits validate on"},
    {ROW(INTEGER, wgdn_eval_options, runs), 1, 10000, "10", EVALUATION, .only_if = "task=probe",
     .help = "Number of splits; with classifier adam number of probes, each with its own split "
             "and initialization"},
    {ROW(CHOICE, wgdn_eval_options, classifier), 0, 0, "logistic", .choices = "logistic|adam",
     EVALUATION, .only_if = "task=probe",
     .help = "Linear probe: logistic regression on normalized embeddings, C chosen on the "
             "validation nodes, or the paper's probe, a linear layer trained by Adam"},
    {ROW(INTEGER, wgdn_eval_options, steps), 1, 1e6, "300", EVALUATION,
     .only_if = "task=probe;classifier=adam", .help = "Optimizer steps of classifier adam"},
    {ROW(NUMBER, wgdn_eval_options, learning_rate), 0, 1e6, "0.01", EVALUATION, .alias = "lr",
     .only_if = "task=probe;classifier=adam", .help = "Learning rate of classifier adam"},
    {ROW(NUMBER, wgdn_eval_options, weight_decay), 0, 1e6, "0", EVALUATION,
     .only_if = "task=probe;classifier=adam", .help = "Weight decay of classifier adam"},
    {ROW(INTEGER, wgdn_eval_options, folds), 3, 1000, "10", EVALUATION,
     .only_if = "task=probe|graph;splits=stratified",
     .help = "Folds of stratified splits and of graph classification"},
    {ROW(CHOICE, wgdn_eval_options, svm), 0, 0, "both", .choices = "both|rbf|linear", EVALUATION,
     .help = "Support vector machines of graph classification: with an RBF kernel, linear, or "
             "both; the linear one is slow on some sets"},
    {ROW(INTEGER, wgdn_eval_options, restarts), 1, 1000, "10", EVALUATION,
     .only_if = "task=cluster", .help = "Restarts of k-means"},
    {ROW(NUMBER, wgdn_eval_options, test_edge_fraction), 0, 0.9, "0.1", EVALUATION,
     .only_if = "task=links|quality|recommend",
     .help = "Fraction of the edges that are test edges of link prediction"},
    {ROW(CHOICE, wgdn_eval_options, metric), 0, 0, "cosine", .choices = similarities, EVALUATION,
     .only_if = "task=links|cluster|quality",
     .help = "Similarity of embeddings in link prediction and clustering: cosine, which "
             "normalizes them, or dot product"},
    {ROW(CHOICE, wgdn_eval_options, label_kind), 0, 0, "auto", .choices = "auto|class|number",
     EVALUATION,
     .help = "Whether labels are classes, or numbers for ridge regression; auto: numbers where "
             "they have fractions or are mostly different"},
    THREADS(wgdn_eval_options),
};

static const wgdn_option_info write[] = {
    {ROW(TEXT, wgdn_write_options, format), .otherwise = "auto", .topic = "Output",
     .argument = "FORMAT", .help = "Format of the embeddings; auto goes by the ending of the name"},
    {ROW(CHOICE, wgdn_write_options, numbers), 0, 0, "f32", .choices = "f32|f16|bf16",
     .topic = "Output", .argument = "TYPE",
     .help = "Type of the numbers in .npy, .npz and .safetensors; f16 halves the file and keeps "
             "three digits; bf16 is for .safetensors"},
    {ROW(BOOLEAN, wgdn_write_options, no_header), 0, 1, "no", .topic = "Output",
     .help = "Write TSV and CSV embeddings without the row of column names (id, v0, v1 and so on)"},
};

#define PROJECTION .topic = "2-D projection"

static const wgdn_option_info projection[] = {
    {ROW(SEED, wgdn_projection_options, seed), 0, 0x1p64, "1", PROJECTION,
     .help = "Random seed of the projection"},
    {ROW(CHOICE, wgdn_projection_options, projection), 0, 0, "tsne", .choices = "tsne|pca",
     PROJECTION,
     .help = "Method of the 2-D projection: t-SNE, which keeps neighbors together, or PCA, a "
             "fast linear projection"},
    {ROW(NUMBER, wgdn_projection_options, perplexity), 2, 1000, "30", PROJECTION,
     .only_if = "projection=tsne",
     .help = "Perplexity of t-SNE: about how many neighbors of a point count"},
    {ROW(INTEGER, wgdn_projection_options, steps), 0, 1e6, "750", PROJECTION,
     .only_if = "projection=tsne", .help = "Gradient steps of t-SNE"},
    {ROW(NUMBER, wgdn_projection_options, theta), 0, 0.7, "0.5", PROJECTION,
     .only_if = "projection=tsne",
     .help = "Barnes-Hut angle of t-SNE: larger is faster and coarser, 0 is exact and slow"},
    {ROW(CHOICE, wgdn_projection_options, metric), 0, 0, "cosine", .choices = similarities,
     PROJECTION,
     .help = "Similarity of embeddings in the projection: cosine, which normalizes them, or dot "
             "product"},
    THREADS(wgdn_projection_options),
};

#define PREDICTION .topic = "Prediction"

static const wgdn_option_info predict[] = {
    {ROW(SEED, wgdn_predict_options, seed), 0, 0x1p64, "1", PREDICTION,
     .help = "Random seed; it fixes the folds of cross-validation"},
    {ROW(CHOICE, wgdn_predict_options, label_kind), 0, 0, "auto", .choices = "auto|class|number",
     PREDICTION,
     .help = "Whether labels are classes, or numbers to be predicted; auto: numbers where they "
             "have fractions or are mostly different"},
    {ROW(CHOICE, wgdn_predict_options, method), 0, 0, "auto",
     .choices = "auto|vectors|combined|neighbors|mixing", PREDICTION,
     .help = "What predictions are made from: the vectors, these combined with labels smoothed "
             "over the graph, smoothed labels alone (neighbors), or vectors and how often classes "
             "are linked (mixing); auto: the best one in cross-validation"},
    {ROW(INTEGER, wgdn_predict_options, folds), 2, 100, "5", PREDICTION,
     .help = "Folds of cross-validation"},
    {ROW(BOOLEAN, wgdn_predict_options, balance), 0, 1, "no", PREDICTION,
     .help = "Give all classes the same weight, however rare; probabilities are then those of "
             "equally frequent classes"},
    THREADS(wgdn_predict_options),
};

#define CLUSTERS .topic = "Clusters"

static const wgdn_option_info cluster[] = {
    {ROW(SEED, wgdn_cluster_options, seed), 0, 0x1p64, "1", CLUSTERS,
     .help = "Random seed; it fixes where k-means starts"},
    {ROW(INTEGER, wgdn_cluster_options, clusters), 0, 1024, "0", CLUSTERS,
     .otherwise = "the number with the best silhouette, 2 to 64", .help = "Number of clusters"},
    {ROW(CHOICE, wgdn_cluster_options, method), 0, 0, "auto", .choices = "auto|vectors|graph",
     CLUSTERS,
     .help = "What clusters are made from: k-means on the vectors, communities of large "
             "modularity in the graph, or, with auto, vectors first and then neighbors, which "
             "pull nodes into their clusters"},
    {ROW(INTEGER, wgdn_cluster_options, restarts), 1, 1000, "4", CLUSTERS,
     .only_if = "method=!graph", .help = "Restarts of k-means"},
    THREADS(wgdn_cluster_options),
};

#define RECOMMENDATION .topic = "Recommendation"

static const wgdn_option_info recommend[] = {
    {ROW(SEED, wgdn_recommend_options, seed), 0, 0x1p64, "1", RECOMMENDATION,
     .help = "Random seed; it fixes which interactions are held out to choose the score"},
    {ROW(NUMBER, wgdn_recommend_options, hold_out), 0.01, 0.5, "0.2", RECOMMENDATION,
     .help = "Fraction of the interactions that is held out to choose the score"},
    {ROW(INTEGER, wgdn_recommend_options, sample), 10, 1e6, "2000", RECOMMENDATION,
     .help = "Number of users, or of edges in a graph that is not bipartite, that the score is "
             "chosen for"},
    {ROW(INTEGER, wgdn_recommend_options, columns), 8, 1024, "512", RECOMMENDATION,
     .help = "Largest number of singular vectors in the low-pass part of the score"},
    {ROW(INTEGER, wgdn_recommend_options, ridge_items), 0, 20000, "5000", RECOMMENDATION,
     .help = "Largest number of items for which ridge regression over items competes"},
    {ROW(CHOICE, wgdn_recommend_options, values), 0, 0, "auto", .choices = "auto|one|log|weight",
     RECOMMENDATION,
     .help = "What weights of interactions are for: nothing (one), log(1 + weight), or the weight; "
             "auto: one or log, whichever finds more of what is held out"},
    THREADS(wgdn_recommend_options),
};

#define SET(name) name, COUNT(name), sizeof(wgdn_##name##_options)

static const wgdn_option_set sets[] = {
    [WGDN_OPTIONS_KIND_COMPUTE] = {"compute options", NULL, SET(compute)},
    [WGDN_OPTIONS_KIND_APPLY] = {"apply options", NULL, SET(apply)},
    [WGDN_OPTIONS_KIND_RESTORE] = {"restore options", NULL, SET(restore)},
    [WGDN_OPTIONS_KIND_DENSITY] = {"density options", NULL, SET(density)},
    [WGDN_OPTIONS_KIND_DATASET] = {"dataset options", NULL, SET(dataset)},
    [WGDN_OPTIONS_KIND_TRAIN] = {"training options", NULL, SET(train)},
    [WGDN_OPTIONS_KIND_EMBED] = {"embedding options", NULL, SET(embed)},
    [WGDN_OPTIONS_KIND_EVAL] = {"evaluation options", "eval", SET(eval)},
    [WGDN_OPTIONS_KIND_PROJECTION] = {"projection options", NULL, SET(projection)},
    [WGDN_OPTIONS_KIND_FIT] = {"fit options", NULL, SET(fit)},
    [WGDN_OPTIONS_KIND_WRITE] = {"output options", NULL, SET(write)},
    [WGDN_OPTIONS_KIND_PREDICT] = {"prediction options", NULL, SET(predict)},
    [WGDN_OPTIONS_KIND_CLUSTER] = {"cluster options", NULL, SET(cluster)},
    [WGDN_OPTIONS_KIND_RECOMMEND] = {"recommendation options", NULL, SET(recommend)},
};

const wgdn_option_set *wgdn_option_set_of(wgdn_options_kind kind)
{
    return (size_t)kind < COUNT(sets) && sets[kind].row ? &sets[kind] : NULL;
}
