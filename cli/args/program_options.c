/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the options that belong to the program, one row each. parse.c appends the options of the
 * library to this table; help, the manual page and completion are derived from it.
 */
#include "command.h"

#include <stddef.h>

#define DATASET(field) .home = HOME_DATASET, .offset = offsetof(wgdn_dataset_options, field)

#define FEATURE_FILES "npy|npz|tsv|csv|txt|json|gz"
#define TEXT_FILES "tsv|csv|txt|gz"

static const char input[] = "Input", limits[] = "Limits", settings[] = "Settings", run[] = "Run",
                  embedding[] = "Embedding", evaluation[] = "Evaluation", search[] = "Search",
                  picture[] = "Picture", output[] = "Output", general[] = "General";

const option program_options[OPTIONS] = {
    [OPT_FORMAT] = {"format", 'f', KIND_CHOICE, "FORMAT", input, .otherwise = "auto",
                    .help = "Format of the input; auto goes by the file's name and contents"},
    [OPT_FEATURES] = {"features", 'x', KIND_PATH, "FILE", input, .files = FEATURE_FILES,
                      .repeats = true, DATASET(features),
                      .help = "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several "
                              "files, separated by commas, become columns side by side"},
    [OPT_TRAIN_FEATURES] = {"features", 'x', KIND_PATH, "FILE", "Features",
                            .choices = "random-walk|degree", .files = FEATURE_FILES,
                            .repeats = true, DATASET(features),
                            .help = "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; "
                                    "several files, separated by commas, become columns side by "
                                    "side; or structural features of the graph by name"},
    [OPT_FIT_FEATURES] = {"features", 'x', KIND_PATH, "FILE", "Fit", .choices = "structure",
                          .files = FEATURE_FILES, .repeats = true, DATASET(features),
                          .help = "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; "
                                  "several files, separated by commas, become columns side by "
                                  "side; 'structure' takes the graph alone, and 'FILE,structure' "
                                  "both"},
    [OPT_LABELS] = {"labels", 'y', KIND_PATH, "FILE", input, .files = TEXT_FILES "|npy",
                    DATASET(labels),
                    .help = "Node labels: id and label on a line, several lines for several "
                            "labels; or .npy"},
    [OPT_LABEL_COLUMN] = {"label-column", 0, KIND_TEXT, "NAME", input,
                          .otherwise = "label, class, target or y, else the last",
                          DATASET(label_column),
                          .help = "Name of the column of --labels that holds the label"},
    [OPT_SPLITS] = {"splits", 0, KIND_PATH, "FILE", input, .files = TEXT_FILES, DATASET(splits),
                    .help = "Train, validation and test splits: id and train, val or test on a "
                            "line, one column for each split"},
    [OPT_EVAL_SPLITS] = {"splits", 0, KIND_PATH, "FILE", evaluation,
                         .choices = "dataset|random|stratified|paper", .files = TEXT_FILES,
                         .otherwise = "the preset's, else dataset if it has splits, else random",
                         DATASET(splits),
                         .help = "Where the train, validation and test splits come from: the "
                                 "dataset, random permutations, stratified folds, the paper's "
                                 "permutations, or a file with id and train, val or test on a "
                                 "line"},
    [OPT_HEADER] = {"header", 0, KIND_CHOICE, "WHETHER", input, .choices = "auto|no|yes",
                    DATASET(header),
                    .help = "Whether the first row of text files holds column names"},
    [OPT_SEPARATOR] = {"separator", 0, KIND_TEXT, "CHARACTER", input,
                       .choices = "tab|comma|semicolon|pipe|blanks",
                       .otherwise = "the one that the first hundred lines show", DATASET(separator),
                       .help = "What separates the fields of text files"},
    [OPT_DECIMAL] = {"decimal", 0, KIND_TEXT, "CHARACTER", input, .choices = ".|,",
                     .otherwise = "a point; a comma where semicolons separate numbers such as 1,5",
                     DATASET(decimal), .help = "Decimal point of numbers in text files"},
    [OPT_SOURCE] = {"source", 0, KIND_TEXT, "COLUMN", input,
                    .otherwise = "by its heading, else the first", DATASET(source),
                    .help = "Column of an edge list that holds the sources: its heading, or its "
                            "number from 1"},
    [OPT_TARGET] = {"target", 0, KIND_TEXT, "COLUMN", input,
                    .otherwise = "by its heading, else the second", DATASET(target),
                    .help = "Column of an edge list that holds the targets, by heading or number"},
    [OPT_WEIGHT] = {"weight", 0, KIND_TEXT, "COLUMN", input,
                    .otherwise = "weight; without a header, the third of three", DATASET(weight),
                    .help = "Column of an edge list that holds the weights, by heading or number"},
    [OPT_TYPE] = {"type", 0, KIND_TEXT, "COLUMN", input, DATASET(type),
                  .help = "Column of an edge list that holds the types of the edges, by heading or "
                          "number"},
    [OPT_GRAPH] = {"graph", 0, KIND_TEXT, "COLUMN", input, .otherwise = "graph or graph_id",
                   DATASET(graph),
                   .help = "Column of an edge list that names the graph of each edge, by heading "
                           "or number"},
    [OPT_ID] = {"id", 0, KIND_TEXT, "COLUMN", input,
                .otherwise = "by heading and values, else the first", DATASET(id),
                .help =
                    "Column of --features and --labels that holds the ids, by heading or number"},
    [OPT_BIPARTITE] = {"bipartite", 0, KIND_BOOLEAN, NULL, input, .otherwise = "by the headings",
                       DATASET(bipartite),
                       .help = "Sources and targets are of two kinds: the same id in both columns "
                               "is two nodes, named by headings, as user:1 and item:1; "
                               "--no-bipartite: it is one node"},
    [OPT_STRICT] = {"strict", 0, KIND_BOOLEAN, NULL, input, DATASET(strict),
                    .help = "Refuse rows that cannot be used, such as labels of unknown ids, "
                            "instead of skipping and counting them"},
    [OPT_VECTORS] = {"vectors", 0, KIND_BOOLEAN, NULL, input, .otherwise = "by its contents",
                     .help = "The input holds vectors, not a graph; --no-vectors: a graph"},
    [OPT_WEIGHTS] = {"weights", 0, KIND_CHOICE, "HOW", input, .choices = "use|ignore|log",
                     DATASET(weights),
                     .help = "What becomes of the weights of edges: they are used, ignored, or "
                             "replaced by log(1 + weight)"},
    [OPT_BINARISE] = {"binarise", 0, KIND_BOOLEAN, NULL, input, DATASET(binarise),
                      .help = "Replace features by 1 where they are above 0, else 0"},
    [OPT_FEATURE_SCALE] = {"feature-scale", 0, KIND_CHOICE, "SCALE", input,
                           .choices = "auto|standard|none|row", DATASET(feature_scale),
                           .help = "Scaling of feature tables: standard gives columns of numbers "
                                   "and dates mean 0 and deviation 1, row gives rows length 1; "
                                   "auto is standard for tables with headings whose columns are "
                                   "not of one kind, else none"},
    [OPT_MAX_CATEGORIES] = {"max-categories", 0, KIND_INT, "N", input, DATASET(max_categories),
                            .help = "Words in a column of a feature table become a feature each, "
                                    "up to this many; the words of a column with more are hashed "
                                    "to this many features"},
    [OPT_IGNORE] = {"ignore", 0, KIND_TEXT, "NAMES", input, .repeats = true, DATASET(ignore),
                    .help = "Columns of feature tables to leave out: headings or numbers from 1 on "
                            "behind the id, separated by commas"},
    [OPT_DIRECTED] = {"directed", 0, KIND_CHOICE, "HOW", input,
                      .choices = "ignore|forward|backward|both", DATASET(directed),
                      .help = "Filter along the edges (forward), against them (backward) or both, "
                              "beside the undirected graph; training ignores directions"},
    [OPT_MAX_NODES] = {"max-nodes", 0, KIND_LONG, "N", limits, DATASET(max_nodes),
                       .help = "Refuse inputs with more nodes than this"},
    [OPT_MAX_ENTRIES] = {"max-entries", 0, KIND_LONG, "N", limits, DATASET(max_entries),
                         .help = "Refuse inputs with more edges, or more non-zero features, than "
                                 "this"},
    [OPT_MAX_BYTES] = {"max-bytes", 0, KIND_LONG, "BYTES", limits,
                       .otherwise = "half of the available memory", DATASET(max_bytes),
                       .help = "Refuse to decompress more than this from one file"},
    [OPT_MEMORY] = {"memory", 0, KIND_LONG, "BYTES", run, .otherwise = "what there is",
                    DATASET(memory),
                    .help = "Memory for edge lists and the closed form, such as 8G or 500M; what "
                            "needs more goes through files, and the result is the same"},
    [OPT_SCRATCH] = {"scratch", 0, KIND_PATH, "FOLDER", run, .files = "/",
                     .otherwise = "the folder of the output", DATASET(scratch),
                     .help = "Folder for what does not fit into memory; it is empty again in the "
                             "end. 'wgdn convert' after a kill resumes from what is there"},
    [OPT_PRESET] = {"preset", 'p', KIND_TEXT, "NAME", settings,
                    .help = "Hyperparameters of the paper for a dataset"},
    [OPT_CONFIG] = {"config", 'c', KIND_PATH, "FILE", settings, .files = "ini",
                    .help = "Configuration file with lines 'name = value'; it overrides the "
                            "preset, and command-line options override both"},
    [OPT_CHECKPOINT] = {"checkpoint", 0, KIND_PATH, "FILE", run, .files = "*", .written = true,
                        .otherwise = "MODEL.checkpoint",
                        .help = "Checkpoint file of an interrupted run; deleted when the run "
                                "completes, unless this option names it"},
    [OPT_CHECKPOINT_EVERY] = {"checkpoint-every", 0, KIND_INT, "N", run, .otherwise = "50",
                              .help = "Epochs between checkpoints; 0 saves one on Ctrl-C, "
                                      "SIGTERM and SIGHUP only"},
    [OPT_CHECKPOINT_STEPS] = {"checkpoint-steps", 0, KIND_INT, "N", run, .otherwise = "0",
                              .help = "Optimiser steps between checkpoints, also within an epoch; "
                                      "0 saves none between epochs"},
    [OPT_HEALTH] = {"health", 0, KIND_CHOICE, "WHAT", run, .choices = "stop|warn",
                    .otherwise = "stop",
                    .help = "What becomes of a run whose loss grows to four times that of the "
                            "first epoch, or whose embedding collapses to one direction: it ends "
                            "(stop), or goes on (warn)"},
    [OPT_RESUME] = {"resume", 0, KIND_BOOLEAN, NULL, run, .otherwise = "yes",
                    .help = "Resume from a checkpoint of the same run; --no-resume starts again "
                            "from the first epoch"},
    [OPT_LOG] = {"log", 0, KIND_PATH, "FILE", run, .files = "csv|jsonl", .written = true,
                 .help = "Write epoch, loss and seconds after each epoch: CSV, or JSON lines if "
                         "the name ends in .jsonl"},
    [OPT_RANK_TIMEOUT] = {"rank-timeout", 0, KIND_INT, "SECONDS", run, .otherwise = "600",
                          .help = "Under mpirun: abort all ranks when one has not answered for "
                                  "this long, and name it; 0 waits forever"},
    [OPT_RANKS] = {"ranks", 0, KIND_INT, "N", run, .otherwise = "1",
                   .help = "Estimate memory and communication of each of N ranks under mpirun"},
    [OPT_EXPLAIN] = {"explain", 0, KIND_BOOLEAN, NULL, run,
                     .help = "Show which algebraic optimisations apply and how many operations "
                             "an epoch takes"},
    [OPT_EXPLAIN_FIT] = {"explain", 0, KIND_BOOLEAN, NULL, run,
                         .help = "Show what embeddings are made of, and how the scale of the "
                                 "filter was chosen"},
    [OPT_EVAL_TASK] = {"task", 't', KIND_CHOICE, "TASK", evaluation,
                       .choices = "auto|probe|cluster|links|graph|quality", .otherwise = "auto",
                       .help = "Downstream task: node classification by a linear probe, "
                               "clustering, link prediction or graph classification, or quality "
                               "without labels; auto is graph where the data has several labelled "
                               "graphs, else probe"},
    [OPT_EMBED_TASK] = {"task", 0, KIND_CHOICE, "TASK", embedding, .choices = "auto|node|graph",
                        .otherwise = "auto",
                        .help = "Whether every node or every graph gets an embedding; auto is "
                                "what MODEL was trained for"},
    [OPT_ALIGN] = {"align", 0, KIND_PATH, "VECTORS", embedding, .files = VECTOR_FILES,
                   .help = "Rotate the embeddings onto older ones, by the ids that both have, so "
                           "that what was built on these still fits; cosines do not change"},
    [OPT_POOL] = {"pool", 0, KIND_CHOICE, "POOL", embedding, .choices = "mean|sum|max",
                  .otherwise = "as MODEL was trained",
                  .help = "Pooling of node embeddings into graph embeddings"},
    [OPT_PROTOCOL] = {"protocol", 0, KIND_CHOICE, "PROTOCOL", evaluation,
                      .choices = "validation-selected|test-selected",
                      .otherwise = "validation-selected",
                      .help = "How the step of classifier adam is selected: by validation "
                              "accuracy; test-selected also shows what the paper's code reports, "
                              "which looks at test labels, and implies --classifier adam"},
    [OPT_BASELINES] = {"baselines", 0, KIND_BOOLEAN, NULL, evaluation, .otherwise = "yes",
                       .help = "Evaluate baselines, too: raw and smoothed features, a random "
                               "encoder and PCA, or degrees and adjacency rows without features; "
                               "degree product, Adamic-Adar and resource allocation of links; for "
                               "graphs pooled features, a random encoder and Weisfeiler-Lehman "
                               "subtrees"},
    [OPT_COUNT] = {"count", 'k', KIND_INT, "N", search, .otherwise = "10",
                   .help = "Number of nearest neighbours of each id"},
    [OPT_IDS] = {"ids", 'i', KIND_PATH, "FILE", search, .files = "*",
                 .help = "File with the ids to search for, one on a line; - is standard input"},
    [OPT_ALL] = {"all", 'a', KIND_BOOLEAN, NULL, search,
                 .help = "Search for the neighbours of every id"},
    [OPT_METRIC] = {"metric", 'm', KIND_CHOICE, "METRIC", search, .choices = "cosine|dot",
                    .otherwise = "cosine",
                    .help = "Similarity of embeddings: cosine or dot product"},
    [OPT_KIND] = {"kind", 0, KIND_CHOICE, "KIND", picture, .choices = "map|curve|response",
                  .otherwise = "map",
                  .help = "What is drawn: a map, which is a 2-D projection of embeddings, the loss "
                          "curve of a log, or the spectral responses of kernel and decoder"},
    [OPT_POINTS] = {"points", 0, KIND_INT, "N", picture, .otherwise = "20000",
                    .help = "Maximum number of points of a 2-D projection; larger embeddings are "
                            "subsampled"},
    [OPT_TITLE] = {"title", 0, KIND_TEXT, "TEXT", picture,
                   .otherwise = "what is drawn, and of which file", .help = "Title of the picture"},
    [OPT_SIZE] =
        {"size", 0, KIND_TEXT, "WxH", picture, .otherwise = "900x680 for a map, else 900x600",
         .help = "Width and height of the picture, 200x150 to 4000x4000; a PNG has twice as many "
                 "pixels either way"},
    [OPT_DARK] = {"dark", 0, KIND_BOOLEAN, NULL, picture,
                  .help = "Draw light on a dark background"},
    [OPT_CONVERT_TO] = {"to", 't', KIND_CHOICE, "FORMAT", output, .otherwise = "auto",
                        .help = "Format of the output; auto goes by the ending of its name"},
    [OPT_EMBED_TO] = {"to", 't', KIND_CHOICE, "FORMAT", output, .otherwise = "auto",
                      .help = "Format of the embeddings; auto goes by the ending of the name"},
    [OPT_PART] = {"part", 'p', KIND_CHOICE, "PART", output,
                  .choices = "all|graph|features|labels|splits", .otherwise = "all",
                  .help = "Write one part of the dataset only; features, labels and splits "
                          "become TSV keyed by id"},
    [OPT_ORDER] = {"order", 0, KIND_CHOICE, "ORDER", output, .choices = "none|metis|scotch",
                   .otherwise = "as in IN",
                   .help = "Node reordering of a packed dataset, for cache locality and for "
                           "sharing between ranks; ids and embeddings keep their order"},
    [OPT_NO_HEADER] = {"no-header", 0, KIND_BOOLEAN, NULL, output,
                       .help = "Write TSV and CSV embeddings without the row of column names "
                               "(id, v0, v1 and so on)"},
    [OPT_NUMBERS] = {"numbers", 0, KIND_CHOICE, "TYPE", output, .choices = "f32|f16|bf16",
                     .otherwise = "f32",
                     .help = "Type of the numbers in .npy, .npz and .safetensors; f16 halves the "
                             "file and keeps three digits; bf16 is for .safetensors"},
    [OPT_OUTPUT] = {"output", 'o', KIND_PATH, "FILE", output, .files = "*", .otherwise = "-",
                    .written = true, .help = "File to write the result to; - is standard output"},
    [OPT_OUTPUT_MODEL] = {"output", 'o', KIND_PATH, "MODEL", output, .files = MODEL_FILES,
                          .required = true, .written = true,
                          .help = "File to write the trained model to"},
    [OPT_OUTPUT_VECTORS] = {"output", 'o', KIND_PATH, "VECTORS", output, .files = VECTOR_FILES,
                            .required = true, .written = true,
                            .help = "File to write the embeddings to; - is standard output and "
                                    "needs --to"},
    [OPT_OUTPUT_PICTURE] = {"output", 'o', KIND_PATH, "PICTURE", output,
                            .files = "png|svg|pdf|html", .required = true, .written = true,
                            .help = "File to write the picture to: .png, .svg, .pdf or .html"},
    [OPT_OUTPUT_OPERAND] = {"output", 'o', KIND_PATH, "OUT", output, .files = DATA_FILES "|npy|w2v",
                            .help = "File to write; the same as the second operand"},
    [OPT_JSON] = {"json", 'j', KIND_BOOLEAN, NULL, output,
                  .help = "Print JSON, one object on a line for each input"},
    [OPT_MAN] = {"man", 0, KIND_BOOLEAN, NULL, output,
                 .help = "Print the manual page as troff source"},
    [OPT_THREADS] = {"threads", 'T', KIND_INT, "N", general, DATASET(threads),
                     .help = "Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores"},
    [OPT_QUIET] = {"quiet", 'q', KIND_BOOLEAN, NULL, general,
                   .help = "Print no progress and no notes; errors are still reported"},
    [OPT_HELP] = {"help", 'h', KIND_BOOLEAN, NULL, general,
                  .help = "Show help with the options that are used most"},
    [OPT_HELP_ALL] = {"help-all", 0, KIND_BOOLEAN, NULL, general,
                      .help = "Show help with all options, by topic"},
    [OPT_VERSION] = {"version", 'V', KIND_BOOLEAN, NULL, general, .help = "Print the version"},
};
