/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of the program: rows for those that only the program has, then those of the library's
 * tables. Values stay text here, and the library converts its own. parse.c reads command lines with
 * this table; help, the manual page and completion are derived from it.
 */
#include "program_options.h"
#include "cmd_convert.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OWN(title, kind, value, heading) \
    .row = {.name = title, .type = WGDN_OPTION_TYPE_##kind, .argument = value, .topic = heading}

/* A row of the library under an id, with what only the program knows, or says in other words. */
#define DATASET(field) .kind = WGDN_OPTIONS_KIND_DATASET, .row.name = #field
#define WRITE(field) .kind = WGDN_OPTIONS_KIND_WRITE, .row.name = #field

#define FEATURE_FILES "npy|npz|tsv|csv|txt|json|gz"
#define TEXT_FILES "tsv|csv|txt|gz"

static const char input[] = "Input", settings[] = "Settings", run[] = "Run",
                  embedding[] = "Embedding", evaluation[] = "Evaluation", search[] = "Search",
                  prediction[] = "Prediction", recommendation[] = "Recommendation",
                  picture[] = "Picture", output[] = "Output", general[] = "General";

static const option program_options[OPTIONS] = {
    [OPT_FORMAT] = {DATASET(format), .letter = 'f'},
    [OPT_FEATURES] = {DATASET(features), .letter = 'x', .files = FEATURE_FILES},
    [OPT_TRAIN_FEATURES] = {DATASET(features), .row.topic = "Features", .letter = 'x',
                            .row.choices = "random-walk|degree", .files = FEATURE_FILES,
                            .row.help =
                                "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; "
                                "several files, separated by commas, become columns side by "
                                "side; or structural features of the graph by name"},
    [OPT_FIT_FEATURES] = {DATASET(features), .row.topic = "Fit", .letter = 'x',
                          .row.choices = "structure", .files = FEATURE_FILES,
                          .row.help =
                              "Node features: TSV or CSV keyed by id, JSON, .npy or .npz; "
                              "several files, separated by commas, become columns side by "
                              "side; 'structure' takes the graph alone, and 'FILE,structure' "
                              "both"},
    [OPT_LABELS] = {DATASET(labels), .letter = 'y', .files = TEXT_FILES "|npy"},
    [OPT_LABEL_COLUMN] = {DATASET(label_column)},
    [OPT_SPLITS] = {DATASET(splits), .files = TEXT_FILES},
    [OPT_EVAL_SPLITS] = {DATASET(splits), .row.topic = evaluation,
                         .row.choices = "dataset|random|stratified|paper", .files = TEXT_FILES,
                         .row.otherwise =
                             "the preset's, else dataset if it has splits, else random",
                         .row.only_if = "task=probe",
                         .row.help = "Where the train, validation and test splits come from: the "
                                     "dataset, random permutations, stratified folds, the paper's "
                                     "permutations, or a file with id and train, val or test on a "
                                     "line"},
    [OPT_BIPARTITE] = {DATASET(bipartite)},
    [OPT_STRICT] = {DATASET(strict)},
    [OPT_VECTORS] = {OWN("vectors", BOOLEAN, NULL, input), .row.otherwise = "by its contents",
                     .row.help = "The input holds vectors, not a graph; --no-vectors: a graph"},
    [OPT_WEIGHTS] = {DATASET(weights)},
    [OPT_BINARIZE] = {DATASET(binarize)},
    [OPT_FEATURE_SCALE] = {DATASET(feature_scale)},
    [OPT_MAX_CATEGORIES] = {DATASET(max_categories)},
    [OPT_IGNORE] = {DATASET(ignore)},
    [OPT_DIRECTED] = {DATASET(directed)},
    [OPT_MEMORY] = {DATASET(memory)},
    [OPT_SCRATCH] = {DATASET(scratch), .files = "/"},
    [OPT_PRESET] = {OWN("preset", TEXT, "NAME", settings), .letter = 'p',
                    .row.help = "Hyperparameters of the paper for a dataset"},
    [OPT_CONFIG] = {OWN("config", PATH, "FILE", settings), .letter = 'c', .files = "ini",
                    .row.help = "Configuration file with lines 'name = value'; it overrides the "
                                "preset, and command-line options override both"},
    [OPT_CHECKPOINT] = {OWN("checkpoint", PATH, "FILE", run), .files = "*",
                        .row.otherwise = "MODEL.checkpoint", .written = true,
                        .row.help = "Checkpoint file of an interrupted run; deleted when the run "
                                    "completes, unless this option names it"},
    [OPT_CHECKPOINT_EVERY] = {OWN("checkpoint-every", INTEGER, "N", run), .row.default_text = "50",
                              .row.help = "Epochs between checkpoints; 0 saves one on Ctrl-C, "
                                          "SIGTERM and SIGHUP only"},
    [OPT_CHECKPOINT_STEPS] = {OWN("checkpoint-steps", INTEGER, "N", run), .row.default_text = "0",
                              .row.help =
                                  "Optimizer steps between checkpoints, also within an epoch; "
                                  "0 saves none between epochs"},
    [OPT_HEALTH] = {OWN("health", CHOICE, "WHAT", run), .row.choices = "stop|warn",
                    .row.default_text = "stop",
                    .row.help =
                        "What becomes of a run whose loss grows to four times that of the "
                        "first epoch, or whose embedding collapses to one direction: it ends "
                        "(stop), or goes on (warn)"},
    [OPT_RESUME] = {OWN("resume", BOOLEAN, NULL, run), .row.default_text = "yes",
                    .row.help =
                        "Resume from a checkpoint of the same run; --no-resume starts again "
                        "from the first epoch"},
    [OPT_LOG] = {OWN("log", PATH, "FILE", run), .files = "csv|jsonl", .written = true,
                 .row.help =
                     "Write epoch, loss and seconds after each epoch: CSV, or JSON lines if "
                     "the name ends in .jsonl"},
    [OPT_RANK_TIMEOUT] = {OWN("rank-timeout", INTEGER, "SECONDS", run), .row.default_text = "600",
                          .row.help = "Under mpirun: abort all ranks when one has not answered for "
                                      "this long, and name it; 0 waits forever"},
    [OPT_RANKS] = {OWN("ranks", INTEGER, "N", run), .row.default_text = "1",
                   .row.help = "Estimate memory and communication of each of N ranks under mpirun"},
    [OPT_ESTIMATE_METHOD] = {OWN("method", CHOICE, "METHOD", run), .row.choices = "embed|recommend",
                             .row.default_text = "embed",
                             .row.help = "What is estimated: the closed form and training (embed), "
                                         "or 'wgdn recommend' with lists for all users"},
    [OPT_EXPLAIN] = {OWN("explain", BOOLEAN, NULL, run),
                     .row.help = "Show which algebraic optimizations apply and how many operations "
                                 "an epoch takes"},
    [OPT_EXPLAIN_FIT] = {OWN("explain", BOOLEAN, NULL, run),
                         .row.help = "Show what embeddings are made of, and how the scale of the "
                                     "filter was chosen"},
    [OPT_EVAL_TASK] = {OWN("task", CHOICE, "TASK", evaluation), .letter = 't',
                       .row.choices = "auto|probe|cluster|links|graph|quality|recommend",
                       .row.default_text = "auto",
                       .row.help = "Downstream task: node classification by a linear probe, "
                                   "clustering, link prediction or graph classification, quality "
                                   "without labels, or lists of recommendations; auto is graph "
                                   "where the data has several labeled "
                                   "graphs, else probe"},
    [OPT_EMBED_TASK] = {OWN("task", CHOICE, "TASK", embedding), .row.choices = "auto|node|graph",
                        .row.default_text = "auto",
                        .row.help = "Whether every node or every graph gets an embedding; auto is "
                                    "what MODEL was trained for"},
    [OPT_ALIGN] = {OWN("align", PATH, "VECTORS", embedding), .files = VECTOR_FILES,
                   .row.help =
                       "Rotate the embeddings onto older ones, by the ids that both have, so "
                       "that what was built on these still fits; cosines do not change"},
    [OPT_POOL] = {OWN("pool", CHOICE, "POOL", embedding), .row.choices = "mean|sum|max",
                  .row.otherwise = "as MODEL was trained", .row.only_if = "task=graph",
                  .row.help = "Pooling of node embeddings into graph embeddings"},
    [OPT_PROTOCOL] = {OWN("protocol", CHOICE, "PROTOCOL", evaluation),
                      .row.choices = "validation-selected|test-selected",
                      .row.default_text = "validation-selected", .row.only_if = "task=probe",
                      .row.help =
                          "How the step of classifier adam is selected: by validation "
                          "accuracy; test-selected also shows what the paper's code reports, "
                          "which looks at test labels, and implies --classifier adam"},
    [OPT_BASELINES] = {OWN("baselines", BOOLEAN, NULL, evaluation), .row.default_text = "yes",
                       .row.help =
                           "Evaluate baselines, too: raw and smoothed features, a random "
                           "encoder and PCA, or degrees and adjacency rows without features; "
                           "degree product, Adamic-Adar and resource allocation of links; for "
                           "graphs pooled features, a random encoder and Weisfeiler-Lehman "
                           "subtrees"},
    [OPT_COUNT] = {OWN("count", INTEGER, "N", search), .letter = 'k', .row.default_text = "10",
                   .row.help = "Number of nearest neighbors of each id"},
    [OPT_IDS] = {OWN("ids", PATH, "FILE", search), .letter = 'i', .files = "*",
                 .row.help = "File with the ids to search for, one on a line; - is standard input"},
    [OPT_ALL] = {OWN("all", BOOLEAN, NULL, search), .letter = 'a',
                 .row.help = "Search for the neighbors of every id"},
    [OPT_METRIC] = {OWN("metric", CHOICE, "METRIC", search), .letter = 'm',
                    .row.choices = "cosine|dot", .row.default_text = "cosine",
                    .row.help = "Similarity of embeddings: cosine or dot product"},
    [OPT_ALL_NODES] = {OWN("all", BOOLEAN, NULL, prediction), .letter = 'a',
                       .row.help = "Write all nodes, also those that have a label"},
    [OPT_LIST_COUNT] = {OWN("count", INTEGER, "N", recommendation), .letter = 'k',
                        .row.default_text = "10", .row.help = "Length of each list"},
    [OPT_NEW] = {OWN("new", PATH, "FILE", recommendation), .files = DATA_FILES,
                 .row.help = "Interactions of users who are not in DATA, in the same columns; they "
                             "get the lists"},
    [OPT_AMONG] = {OWN("among", PATH, "FILE", recommendation), .files = "*",
                   .row.help = "File with the items that may be listed, one on a line"},
    [OPT_INCLUDE_SEEN] = {OWN("include-seen", BOOLEAN, NULL, recommendation),
                          .row.help = "List items that the user already has, too"},
    [OPT_EXPLAIN_LISTS] = {OWN("explain", BOOLEAN, NULL, recommendation),
                           .row.help = "Print how the score was chosen; lists are written only "
                                       "with -o"},
    [OPT_LIST_VECTORS] = {OWN("vectors", PATH, "FILE", recommendation), .files = VECTOR_FILES,
                          .written = true,
                          .row.help = "Write vectors of users and items whose dot products "
                                      "approximate the scores, for a vector index; lists are "
                                      "written only with -o"},
    [OPT_LIST_DIM] = {OWN("dim", INTEGER, "N", recommendation), .row.default_text = "128",
                      .row.help = "Columns of --vectors"},
    [OPT_SAVE_LISTS] = {OWN("save", PATH, "MODEL", recommendation), .files = MODEL_FILES,
                        .written = true,
                        .row.help = "Save the recommender; 'wgdn recommend MODEL' loads it. Lists "
                                    "are written only with -o"},
    [OPT_TEST] = {OWN("test", PATH, "FILE", evaluation), .files = DATA_FILES,
                  .row.only_if = "task=recommend|links",
                  .row.help = "Test interactions, in the same columns as DATA; without, a fraction "
                              "of the edges is drawn"},
    [OPT_KIND] = {OWN("kind", CHOICE, "KIND", picture), .row.choices = "map|curve|response",
                  .row.default_text = "map",
                  .row.help =
                      "What is drawn: a map, which is a 2-D projection of embeddings, the loss "
                      "curve of a log, or the spectral responses of kernel and decoder"},
    [OPT_POINTS] = {OWN("points", INTEGER, "N", picture), .row.default_text = "20000",
                    .row.only_if = "kind=map",
                    .row.help =
                        "Maximum number of points of a 2-D projection; larger embeddings are "
                        "subsampled"},
    [OPT_TITLE] = {OWN("title", TEXT, "TEXT", picture),
                   .row.otherwise = "what is drawn, and of which file",
                   .row.help = "Title of the picture"},
    [OPT_SIZE] =
        {OWN("size", TEXT, "WxH", picture), .row.otherwise = "900x680 for a map, else 900x600",
         .row.help =
             "Width and height of the picture, 200x150 to 4000x4000; a PNG has twice as many "
             "pixels either way"},
    [OPT_DARK] = {OWN("dark", BOOLEAN, NULL, picture),
                  .row.help = "Draw light on a dark background"},
    [OPT_CONVERT_TO] = {OWN("to", CHOICE, "FORMAT", output), .letter = 't',
                        .row.default_text = "auto",
                        .row.help = "Format of the output; auto goes by the ending of its name"},
    [OPT_EMBED_TO] = {OWN("to", CHOICE, "FORMAT", output), .letter = 't',
                      .row.default_text = "auto",
                      .row.help = "Format of the embeddings; auto goes by the ending of the name"},
    [OPT_PART] = {OWN("part", CHOICE, "PART", output), .letter = 'p',
                  .row.choices = "all|graph|features|labels|splits", .row.default_text = "all",
                  .row.help = "Write one part of the dataset only; features, labels and splits "
                              "become TSV keyed by id"},
    [OPT_ORDER] = {OWN("order", CHOICE, "ORDER", output), .row.choices = "none|metis|scotch",
                   .row.otherwise = "as in IN",
                   .row.help = "Node reordering of a packed dataset, for cache locality and for "
                               "sharing between ranks; ids and embeddings keep their order"},
    [OPT_NO_HEADER] = {WRITE(no_header)},
    [OPT_NUMBERS] = {WRITE(numbers)},
    [OPT_OUTPUT] = {OWN("output", PATH, "FILE", output), .letter = 'o', .files = "*",
                    .row.default_text = "-", .written = true,
                    .row.help = "File to write the result to; - is standard output"},
    [OPT_OUTPUT_MODEL] = {OWN("output", PATH, "MODEL", output), .letter = 'o', .files = MODEL_FILES,
                          .required = true, .written = true,
                          .row.help = "File to write the trained model to"},
    [OPT_OUTPUT_VECTORS] = {OWN("output", PATH, "VECTORS", output), .letter = 'o',
                            .files = VECTOR_FILES, .required = true, .written = true,
                            .row.help = "File to write the embeddings to; - is standard output and "
                                        "needs --to"},
    [OPT_OUTPUT_PICTURE] = {OWN("output", PATH, "PICTURE", output), .letter = 'o',
                            .files = "png|svg|pdf|html", .required = true, .written = true,
                            .row.help = "File to write the picture to: .png, .svg, .pdf or .html"},
    [OPT_OUTPUT_OPERAND] = {OWN("output", PATH, "OUT", output), .letter = 'o',
                            .files = DATA_FILES "|npy|w2v",
                            .row.help = "File to write; the same as the second operand"},
    [OPT_OUTPUT_TABLE] = {OWN("output", PATH, "TABLE", output), .letter = 'o',
                          .files = "csv|tsv|jsonl|npz", .written = true,
                          .row.help = "File to write the rows to: .csv, .tsv, .jsonl or .npz; - is "
                                      "standard output, as CSV"},
    [OPT_SAVE] = {OWN("save", PATH, "MODEL", output), .files = MODEL_FILES, .written = true,
                  .row.help = "File to save what was learned to, for other data later"},
    [OPT_JSON] = {OWN("json", BOOLEAN, NULL, output), .letter = 'j',
                  .row.help = "Print JSON, one object on a line for each input"},
    [OPT_MAN] = {OWN("man", BOOLEAN, NULL, output),
                 .row.help = "Print the manual page as troff source"},
    [OPT_THREADS] = {DATASET(threads), .letter = 'T'},
    [OPT_QUIET] = {OWN("quiet", BOOLEAN, NULL, general), .letter = 'q',
                   .row.help = "Print no progress and no notes; errors are still reported"},
    [OPT_HELP] = {OWN("help", BOOLEAN, NULL, general), .letter = 'h',
                  .row.help = "Show help with the options that are used most"},
    [OPT_HELP_ALL] = {OWN("help-all", BOOLEAN, NULL, general),
                      .row.help = "Show help with all options, by topic"},
    [OPT_VERSION] = {OWN("version", BOOLEAN, NULL, general), .letter = 'V',
                     .row.help = "Print the version"},
};

const char *option_topic(int i)
{
    static const char *const topics[] = {"Input",
                                         "Features",
                                         "Fit",
                                         "Graph fits",
                                         "Settings",
                                         "Model",
                                         "Graph filters",
                                         "Training",
                                         "Graph sets",
                                         "Run",
                                         "Search",
                                         "Embedding",
                                         "Evaluation",
                                         "Prediction",
                                         "Recommendation",
                                         "Clusters",
                                         "Picture",
                                         "2-D projection",
                                         "Output",
                                         "Limits",
                                         "General",
                                         NULL};
    return topics[i];
}

/* ---- the whole table ---- */

typedef struct option_table {
    option row[OPTIONS_MAX];      /* by id */
    option_id order[OPTIONS_MAX]; /* of help */
    int rows, ordered;
    char name[OPTIONS_MAX][32]; /* with '-' */
    char presets[512];
    char formats[3][160]; /* of datasets that are read, that are written, and of vectors */
} option_table;

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* The row of a field in a table of the library; NULL if it has none. */
static const wgdn_option_info *library_row(wgdn_options_kind kind, const char *name)
{
    const wgdn_option_info *r;
    int i = 0;
    while ((r = wgdn_options_get_info(kind, i)) && !same(r->name, name))
        i++;
    return r;
}

static const char *argument_of(wgdn_option_type type)
{
    switch (type) {
    case WGDN_OPTION_TYPE_BOOLEAN: return NULL;
    case WGDN_OPTION_TYPE_CHOICE: return "WHICH";
    case WGDN_OPTION_TYPE_NUMBER: return "X";
    case WGDN_OPTION_TYPE_TEXT: return "TEXT";
    case WGDN_OPTION_TYPE_PATH: return "FILE";
    case WGDN_OPTION_TYPE_SIZE: return "BYTES";
    default: return "N";
    }
}

/* What the program's row leaves open is as the library says. */
static void inherit(option *o, const wgdn_option_info *library)
{
    const wgdn_option_info own = o->row;
    o->row = *library;
    if (own.topic) o->row.topic = own.topic;
    if (own.help) o->row.help = own.help;
    if (own.choices) o->row.choices = own.choices;
    if (own.otherwise) o->row.otherwise = own.otherwise;
    if (own.only_if) o->row.only_if = own.only_if;
    if (!o->row.argument) o->row.argument = argument_of(o->row.type);
}

static void put_in_order(option_table *t, option_id id)
{
    option *o = &t->row[id];
    snprintf(t->name[id], sizeof t->name[id], "%s", o->row.name);
    for (char *c = t->name[id]; *c; c++)
        if (*c == '_') *c = '-';
    o->row.name = t->name[id];
    t->order[t->ordered++] = id;
}

static void add(option_table *t, wgdn_options_kind kind, const wgdn_option_info *r)
{
    option *o = &t->row[t->rows];
    if (t->rows == OPTIONS_MAX) return;
    *o = (option){.kind = kind};
    inherit(o, r);
    put_in_order(t, (option_id)t->rows++);
}

/* Rows of reading; those with an id stand where the library has them, but general ones at the end. */
static void add_dataset(option_table *t)
{
    const wgdn_option_info *r;
    for (int i = 0; (r = wgdn_options_get_info(WGDN_OPTIONS_KIND_DATASET, i)); i++) {
        bool has_id = false;
        for (int id = 0; id < OPTIONS; id++) {
            option *o = &t->row[id];
            if (o->kind != WGDN_OPTIONS_KIND_DATASET || !same(o->row.name, r->name)) continue;
            inherit(o, r);
            if (!same(r->topic, "General")) put_in_order(t, (option_id)id);
            has_id = true;
        }
        if (!has_id) add(t, WGDN_OPTIONS_KIND_DATASET, r);
    }
}

/* Other tables; --features, --splits and --threads are among those of reading and serve all. */
static void add_library(option_table *t, wgdn_options_kind kind)
{
    const wgdn_option_info *r;
    for (int i = 0; (r = wgdn_options_get_info(kind, i)); i++)
        if (!same(r->name, "features") && !same(r->name, "splits") && !same(r->name, "threads"))
            add(t, kind, r);
}

static void list_presets(option_table *t)
{
    size_t used = 0;
    for (int i = 0; wgdn_preset_name(i) && used < sizeof t->presets; i++)
        used += (size_t)snprintf(t->presets + used, sizeof t->presets - used, "%s%s", i ? "|" : "",
                                 wgdn_preset_name(i));
    t->row[OPT_PRESET].row.choices = t->presets;
}

/* The library knows the names of formats. */
static void list_formats(option_table *t)
{
    const size_t size = sizeof t->formats[0];
    formats_choices(t->formats[0], size, wgdn_dataset_get_format, false);
    formats_choices(t->formats[1], size, wgdn_dataset_get_format, true);
    formats_choices(t->formats[2], size, wgdn_embedding_get_format, true);
    formats_more(t->formats[1], size, wgdn_embedding_get_format);
    t->row[OPT_FORMAT].row.type = WGDN_OPTION_TYPE_CHOICE;
    t->row[OPT_FORMAT].row.choices = t->formats[0];
    t->row[OPT_CONVERT_TO].row.choices = t->formats[1];
    t->row[OPT_EMBED_TO].row.choices = t->formats[2];
}

/* Made once. */
static const option_table *all(void)
{
    static option_table t;
    if (t.rows > 0) return &t;
    memcpy(t.row, program_options, sizeof program_options);
    t.rows = OPTIONS;
    add_dataset(&t);
    for (int id = 0; id < OPTIONS; id++) {
        option *o = &t.row[id];
        if (o->kind == WGDN_OPTIONS_KIND_WRITE) inherit(o, library_row(o->kind, o->row.name));
        if (o->kind != WGDN_OPTIONS_KIND_DATASET || id == OPT_THREADS)
            put_in_order(&t, (option_id)id);
    }
    add_library(&t, WGDN_OPTIONS_KIND_TRAIN);
    add_library(&t, WGDN_OPTIONS_KIND_EVAL);
    add_library(&t, WGDN_OPTIONS_KIND_PROJECTION);
    add_library(&t, WGDN_OPTIONS_KIND_FIT);
    add_library(&t, WGDN_OPTIONS_KIND_PREDICT);
    add_library(&t, WGDN_OPTIONS_KIND_CLUSTER);
    add_library(&t, WGDN_OPTIONS_KIND_RECOMMEND);
    list_presets(&t);
    list_formats(&t);
    return &t;
}

int option_count(void)
{
    return all()->ordered;
}

option_id option_at(int i)
{
    return all()->order[i];
}

const option *option_get(option_id id)
{
    return &all()->row[id];
}

bool option_is_flag(const option *o)
{
    return o->row.type == WGDN_OPTION_TYPE_BOOLEAN;
}

bool option_is_input(const option *o)
{
    static const wgdn_options_kind settled[] = {WGDN_OPTIONS_KIND_TRAIN, WGDN_OPTIONS_KIND_FIT,
                                                WGDN_OPTIONS_KIND_EVAL};
    bool own = o->kind == WGDN_OPTIONS_KIND_DATASET && same(o->row.topic, input);
    for (size_t i = 0; own && i < sizeof settled / sizeof *settled; i++)
        own = !library_row(settled[i], o->row.name);
    return own;
}

/* ---- values ---- */

/* The place of a word in "a|b|c", or -1. */
static int place_of(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int place = 0;
    for (const char *at = choices; at; place++) {
        const size_t size = strcspn(at, "|");
        if (size == length && memcmp(at, word, size) == 0) return place;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
}

static int boolean_of(const char *text)
{
    const int place = place_of("no|yes|false|true|0|1|off|on", text);
    return place < 0 ? -1 : place % 2;
}

static bool is_integer(const char *text)
{
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    return *text && !strchr(" \t\n", *text) && !*end && !errno && value >= INT32_MIN &&
           value <= INT32_MAX;
}

/* The program judges what is its own, or has choices that only the program knows. */
static bool program_takes(const option *o, const char *text, char *why, size_t size)
{
    switch (o->row.type) {
    case WGDN_OPTION_TYPE_BOOLEAN:
        if (boolean_of(text) >= 0) return true;
        snprintf(why, size, "'%s' is neither yes nor no", text);
        return false;
    case WGDN_OPTION_TYPE_CHOICE:
        if (place_of(o->row.choices, text) >= 0) return true;
        snprintf(why, size, "'%s' is not one of ", text);
        /* "a|b" as "a, b" */
        size_t used = strlen(why);
        for (const char *c = o->row.choices; *c && used + 3 < size; c++)
            used += (size_t)snprintf(why + used, size - used, *c == '|' ? ", " : "%c", *c);
        return false;
    case WGDN_OPTION_TYPE_INTEGER:
        if (is_integer(text)) return true;
        snprintf(why, size, "'%s' is not an integer in range", text);
        return false;
    default:
        if (*text) return true;
        snprintf(why, size, "it is empty");
        return false;
    }
}

static bool is_words(const option *o)
{
    return o->row.type == WGDN_OPTION_TYPE_TEXT || o->row.type == WGDN_OPTION_TYPE_PATH;
}

/* The library judges what is its own. */
static bool library_takes(const option *o, const char *text, char *why, size_t size)
{
    union {
        wgdn_dataset_options dataset;
        wgdn_train_options train;
        wgdn_eval_options eval;
        wgdn_projection_options projection;
        wgdn_fit_options fit;
        wgdn_predict_options predict;
        wgdn_cluster_options cluster;
    } to;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_options_init(o->kind, &to, sizeof to);
    if (wgdn_options_set(o->kind, &to, o->row.name, text, &err) == WGDN_OK) return true;
    snprintf(why, size, "%s", err.message);
    return false;
}

/* "a" and "b" given one after the other are "a,b". */
static const char *join(option_values *v, const char *first, const char *second)
{
    char *to = v->joined + v->used;
    const size_t room = sizeof v->joined - v->used;
    const int size = snprintf(to, room, "%s,%s", first, second);
    if (size < 0 || (size_t)size >= room) return NULL;
    v->used += (size_t)size + 1;
    return to;
}

bool option_set(option_values *v, option_id id, const char *text, char *why, size_t size)
{
    const option *o = option_get(id);
    const bool program = !o->kind || is_words(o) || id == OPT_FORMAT;
    if (program && !program_takes(o, text, why, size)) return false;
    if (o->kind && !library_takes(o, text, why, size)) return false;
    if (o->row.repeats && v->text[id]) text = join(v, v->text[id], text);
    if (!text) {
        snprintf(why, size, "the values together are longer than %d bytes", (int)sizeof v->joined);
        return false;
    }
    v->text[id] = text;
    return true;
}

bool option_on(const option_values *v, option_id id)
{
    const char *text = option_text(v, id);
    return text && boolean_of(text) == 1;
}

const char *option_text(const option_values *v, option_id id)
{
    return v->text[id] ? v->text[id] : option_get(id)->row.default_text;
}

int option_choice(const option_values *v, option_id id)
{
    const char *text = option_text(v, id);
    return text ? place_of(option_get(id)->row.choices, text) : 0;
}

bool option_is_word(const option_values *v, option_id id)
{
    const char *choices = option_get(id)->row.choices;
    return v->text[id] && choices && place_of(choices, v->text[id]) >= 0;
}

int option_threads(const option_values *v)
{
    return v->text[OPT_THREADS] ? atoi(v->text[OPT_THREADS]) : 0;
}

void options_apply(const option_values *v, wgdn_options_kind kind, void *to)
{
    for (int i = 0; i < option_count(); i++) {
        const option_id id = option_at(i);
        const option *o = option_get(id);
        if (o->kind != kind || !v->text[id]) continue;
        if (o->row.type == WGDN_OPTION_TYPE_PATH && option_is_word(v, id))
            continue;                                                      /* not a file */
        (void)!wgdn_options_set(kind, to, o->row.name, v->text[id], NULL); /* judged before */
    }
}

bool option_default(option_id id, char *text, size_t size)
{
    const option *o = option_get(id);
    const char *said = o->row.otherwise ? o->row.otherwise : o->row.default_text;
    if (!said) return false;
    if (o->kind == WGDN_OPTIONS_KIND_DATASET && same(said, "no"))
        return false; /* as one would think */
    if (o->kind == WGDN_OPTIONS_KIND_DATASET && o->row.type == WGDN_OPTION_TYPE_INTEGER)
        show_count(text, size, strtoll(said, NULL, 10));
    else
        snprintf(text, size, "%s", said);
    return true;
}
