/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stddef.h>
#include <string.h>

#define DATASET(field) HOME_DATASET, offsetof(wgdn_dataset_options, field)
#define NO_HOME HOME_NONE, 0

/* The choices of --format stand in the order of wgdn_format, those of --header in the field's. */
static const option table[OPTIONS] = {
    [OPT_FORMAT] = {"format", 'f', KIND_CHOICE, "FORMAT", "auto|edges|npz|mtx|tu|ogb|safetensors",
                    NULL, "Format of the input, where name and contents mislead", "Input",
                    IN_READERS, DATASET(format)},
    [OPT_FEATURES] =
        {"features", 'x', KIND_PATH, "FILE", NULL, NULL,
         "Features of the nodes: TSV or CSV keyed by id, JSON, .npy or .npz; for training "
         "also random-walk or degree, made of the graph",
         "Input", IN_READERS, DATASET(features)},
    [OPT_LABELS] = {"labels", 'y', KIND_PATH, "FILE", NULL, NULL,
                    "Labels of the nodes: id and label on a line, or .npy", "Input", IN_READERS,
                    DATASET(labels)},
    [OPT_LABEL_COLUMN] = {"label-column", 0, KIND_TEXT, "NAME", NULL,
                          "label, class, target or y, else the last",
                          "Heading of the column of --labels that holds the label", "Input",
                          IN_READERS, DATASET(label_column)},
    [OPT_SPLITS] =
        {"splits", 0, KIND_PATH, "FILE", NULL, NULL,
         "Splits: id and train, val or test on a line, one column for each split; for evaluation "
         "also paper (the permutations behind published numbers), stratified (folds) or dataset",
         "Input", IN_READERS & ~IN_PLOT, DATASET(splits)},
    [OPT_HEADER] = {"header", 0, KIND_CHOICE, "WHETHER", "auto|no|yes", NULL,
                    "Whether the first row of text files holds names", "Input", IN_READERS,
                    DATASET(header)},
    [OPT_BINARISE] = {"binarise", 0, KIND_BOOLEAN, NULL, NULL, NULL,
                      "Turn features into 1 where they are above 0, else 0", "Input", IN_LOOKERS,
                      DATASET(binarise)},
    [OPT_MAX_NODES] = {"max-nodes", 0, KIND_LONG, "N", NULL, NULL, "Refuse inputs with more nodes",
                       "Limits", IN_READERS, DATASET(max_nodes)},
    [OPT_MAX_ENTRIES] = {"max-entries", 0, KIND_LONG, "N", NULL, NULL,
                         "Refuse inputs with more edges, or more features that are not 0", "Limits",
                         IN_READERS, DATASET(max_entries)},
    [OPT_MAX_BYTES] = {"max-bytes", 0, KIND_LONG, "N", NULL, NULL,
                       "Refuse to unpack more bytes from one file", "Limits", IN_READERS,
                       DATASET(max_bytes)},
    [OPT_PRESET] =
        {"preset", 'p', KIND_TEXT, "NAME", NULL, NULL,
         "Settings behind a published number: arxiv, citeseer, computers, cora, cs, photo, "
         "physics or pubmed; for graphs collab, dd, imdb-binary, imdb-multi, nci1 or proteins",
         "Settings", IN_MODELS | IN_EVAL | IN_PLOT, NO_HOME},
    [OPT_CONFIG] = {"config", 'c', KIND_PATH, "FILE", NULL, NULL,
                    "Options as lines 'name = value'; they win over the preset, flags over both",
                    "Settings", IN_MODELS | IN_EVAL | IN_PLOT, NO_HOME},
    [OPT_CHECKPOINT] = {"checkpoint", 0, KIND_PATH, "FILE", NULL, "OUTPUT.checkpoint",
                        "Where a run that is broken off is kept; removed after a whole run unless "
                        "it was named",
                        "Run", IN_TRAIN, NO_HOME},
    [OPT_CHECKPOINT_EVERY] = {"checkpoint-every", 0, KIND_INT, "N", NULL, "50",
                              "Epochs between two checkpoints; 0 saves on Ctrl-C and SIGTERM alone",
                              "Run", IN_TRAIN, NO_HOME},
    [OPT_CHECKPOINT_STEPS] = {"checkpoint-steps", 0, KIND_INT, "N", NULL, "0",
                              "Steps between two checkpoints, also within an epoch; 0 for none",
                              "Run", IN_TRAIN, NO_HOME},
    [OPT_RESUME] = {"resume", 0, KIND_BOOLEAN, NULL, NULL, "yes",
                    "Go on from a checkpoint of the same run; --no-resume starts afresh", "Run",
                    IN_TRAIN, NO_HOME},
    [OPT_LOG] = {"log", 0, KIND_PATH, "FILE", NULL, NULL,
                 "Epoch, loss and seconds on a line each: CSV, or JSON if the name ends in .jsonl",
                 "Run", IN_TRAIN, NO_HOME},
    [OPT_RANK_TIMEOUT] = {"rank-timeout", 0, KIND_INT, "SECONDS", NULL, "600",
                          "Under mpirun: end all ranks when one has not answered for so long, and "
                          "name it; 0 waits for ever",
                          "Run", IN_SHARED, NO_HOME},
    [OPT_RANKS] = {"ranks", 0, KIND_INT, "N", NULL, "1",
                   "Processes that will share the graph under mpirun: what each needs and sends",
                   "Run", IN_ESTIMATE, NO_HOME},
    [OPT_EXPLAIN] = {"explain", 0, KIND_BOOLEAN, NULL, NULL, NULL,
                     "Tell which exact savings are used and how much work an epoch is", "Run",
                     IN_MODELS, NO_HOME},
    [OPT_TASK] = {"task", 't', KIND_CHOICE, "TASK", "auto|probe|cluster|links|graph", "auto",
                  "What the vectors are asked for: labels of nodes, clusters like the classes, "
                  "edges, or labels of graphs; auto is graph where the data has several, else "
                  "probe",
                  "Evaluation", IN_EVAL, NO_HOME},
    [OPT_EMBED_TASK] = {"task", 0, KIND_CHOICE, "TASK", "auto|node|graph", "auto",
                        "What gets a vector: every node or every graph; auto is what MODEL was "
                        "trained for",
                        "Vectors", IN_EMBED, NO_HOME},
    [OPT_POOL] = {"pool", 0, KIND_CHOICE, "HOW", "mean|sum|max", "as MODEL was trained",
                  "How the vectors of a graph's nodes become the graph's", "Vectors",
                  IN_EMBED | IN_EVAL, NO_HOME},
    [OPT_PROTOCOL] = {"protocol", 0, KIND_CHOICE, "WHICH", "validation-selected|test-selected",
                      "validation-selected",
                      "How a probe's step is chosen; published also shows the best test accuracy "
                      "where validation tied or beat its best, which looks at test labels",
                      "Evaluation", IN_EVAL, NO_HOME},
    [OPT_BASELINES] =
        {"baselines", 0, KIND_BOOLEAN, NULL, NULL, "yes",
         "Show raw and smoothed features, a random encoder and PCA beside; for graphs "
         "pooled features, a random encoder and counts of subtrees",
         "Evaluation", IN_EVAL, NO_HOME},
    [OPT_DATA] = {"data", 'd', KIND_PATH, "DIR", NULL, "WGDN_DATA in the environment",
                  "Folder of the datasets, each in a folder of its own", "Experiments",
                  IN_REPRODUCE, NO_HOME},
    [OPT_RESULTS] = {"results", 'r', KIND_PATH, "DIR", NULL, "results",
                     "Folder of the results; what is there is not done again", "Experiments",
                     IN_REPRODUCE, NO_HOME},
    [OPT_STUDY] = {"study", 's', KIND_CHOICE, "WHICH",
                   "all|main|ablation|kernels|beta|drop|precision", "all",
                   "The main table, or one of the studies beside it", "Experiments", IN_REPRODUCE,
                   NO_HOME},
    [OPT_SETS] =
        {"sets", 0, KIND_TEXT, "NAMES", NULL, "all of them",
         "Datasets, with commas between: cora, citeseer, photo, computers, cs, physics; of graphs "
         "proteins, imdb-binary, imdb-multi, dd, nci1",
         "Experiments", IN_REPRODUCE, NO_HOME},
    [OPT_SEEDS] = {"seeds", 0, KIND_INT, "N", NULL, "3 or 5 in the main table, 1 in the studies",
                   "Pre-training runs of each setting", "Experiments", IN_REPRODUCE, NO_HOME},
    [OPT_QUICK] = {"quick", 0, KIND_BOOLEAN, NULL, NULL, NULL,
                   "Two short runs that a broken model fails, in a minute or two", "Experiments",
                   IN_REPRODUCE, NO_HOME},
    [OPT_COUNT] = {"count", 'k', KIND_INT, "N", NULL, "10", "Neighbours of each id", "Search",
                   IN_SIMILAR, NO_HOME},
    [OPT_METRIC] = {"metric", 'm', KIND_CHOICE, "METRIC", "cosine|dot", "cosine",
                    "What makes vectors similar", "Search", IN_SIMILAR, NO_HOME},
    [OPT_KIND] = {"kind", 0, KIND_CHOICE, "KIND", "map|curve|response", "map",
                  "What is drawn: a map of vectors, the loss of a log, or the kernel's responses",
                  "Picture", IN_PLOT, NO_HOME},
    [OPT_POINTS] = {"points", 0, KIND_INT, "N", NULL, "20000",
                    "Most points of a map; of more nodes every so many-th is shown", "Picture",
                    IN_PLOT, NO_HOME},
    [OPT_TO] = {"to", 't', KIND_CHOICE, "FORMAT", "auto|edges|npz|safetensors", "auto",
                "Format of the output; auto goes by the ending of its name", "Output", IN_CONVERT,
                NO_HOME},
    [OPT_EMBED_TO] = {"to", 't', KIND_CHOICE, "FORMAT", "auto|npy|npz|safetensors|tsv|csv|word2vec",
                      "auto", "Format of the vectors; auto goes by the ending of the name",
                      "Output", IN_EMBED, NO_HOME},
    [OPT_ORDER] =
        {"order", 0, KIND_CHOICE, "ORDER", "none|metis|scotch", "as in IN",
         "Lay neighbours near each other in a packed dataset, which makes training faster "
         "and is what ranks share; ids and vectors keep their order",
         "Output", IN_CONVERT, NO_HOME},
    [OPT_PART] = {"part", 'p', KIND_CHOICE, "PART", "all|graph|features|labels|splits", "all",
                  "Write one part alone; features, labels and splits become TSV keyed by id",
                  "Output", IN_CONVERT, NO_HOME},
    [OPT_OUTPUT] =
        {"output", 'o', KIND_PATH, "FILE", NULL, "-",
         "Write the result there instead of to standard output (-); a model, vectors and "
         "a picture need it",
         "Output",
         IN_INFO | IN_MODELS | IN_EMBED | IN_EVAL | IN_SIMILAR | IN_PLOT | IN_DOCTOR | IN_HELP |
             IN_COMPLETION,
         NO_HOME},
    [OPT_JSON] = {"json", 'j', KIND_BOOLEAN, NULL, NULL, NULL,
                  "Print JSON, one object on a line for each input", "Output",
                  IN_INFO | IN_MODELS | IN_EMBED | IN_EVAL | IN_SIMILAR | IN_PLOT | IN_DOCTOR,
                  NO_HOME},
    [OPT_MAN] = {"man", 0, KIND_BOOLEAN, NULL, NULL, NULL, "Print the manual page as troff source",
                 "Output", IN_HELP, NO_HOME},
    [OPT_THREADS] = {"threads", 'T', KIND_INT, "N", NULL, NULL,
                     "Number of threads; 0 takes what OpenMP offers; never changes a result",
                     "General", IN_READERS | IN_SIMILAR | IN_REPRODUCE, DATASET(threads)},
    [OPT_QUIET] = {"quiet", 'q', KIND_BOOLEAN, NULL, NULL, NULL,
                   "No progress and no remarks; errors are still reported", "General",
                   IN_READERS | IN_SIMILAR | IN_REPRODUCE, NO_HOME},
    [OPT_HELP] = {"help", 'h', KIND_BOOLEAN, NULL, NULL, NULL, "Explain the command and stop",
                  "General", IN_ALL, NO_HOME},
    [OPT_VERSION] = {"version", 'V', KIND_BOOLEAN, NULL, NULL, NULL, "Print the version and stop",
                     "General", IN_PROGRAM, NO_HOME},
};

/* ---- the library's own tables of training, evaluation and map options ---- */

typedef struct library_rows {
    option row[OPTIONS_MAX - OPTIONS];
    char text[OPTIONS_MAX - OPTIONS][640];
    int count;
} library_rows;

/* "max, sum or mean" to "max|sum|mean", in place. */
static void part_choices(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const bool comma = strncmp(at, ", ", 2) == 0, either = strncmp(at, " or ", 4) == 0;
        *to++ = *at;
        if (comma || either) to[-1] = '|';
        at += comma ? 2 : either ? 4 : 1;
    }
    *to = '\0';
}

typedef struct library_table {
    option_home home;
    const char *section;
    unsigned commands;
    wgdn_options_kind kind;
} library_table;

/* Evaluation first: its section goes on where the table above leaves it. */
static const library_table tables[] = {
    {HOME_EVAL, "Evaluation", IN_EVAL, WGDN_OPTIONS_EVAL},
    {HOME_MAP, "Map", IN_PLOT, WGDN_OPTIONS_PROJECTION},
    {HOME_TRAIN, "Model and training", IN_MODELS, WGDN_OPTIONS_TRAIN},
};

static bool is_among(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void add_row(library_rows *l, const wgdn_option_info *info, const library_table *t)
{
    static const char *const drawn[] = {"kernel", "gamma", "encoder-order", "decoder-order",
                                        "average"}; /* by wgdn plot --kind response */
    const bool choice = strcmp(info->type, "choice") == 0,
               flag = strcmp(info->type, "boolean") == 0;
    const bool plotted = t->home == HOME_TRAIN && is_among(info->name, drawn, 5);
    if (choice) part_choices((char *)(uintptr_t)info->choices); /* the text is ours */
    l->row[l->count++] = (option){.name = info->name,
                                  .kind = flag     ? KIND_BOOLEAN
                                          : choice ? KIND_CHOICE
                                                   : KIND_TEXT,
                                  .argument = flag                                ? NULL
                                              : choice                            ? "WHICH"
                                              : strcmp(info->type, "number") == 0 ? "X"
                                              : strcmp(info->type, "text") == 0   ? "TEXT"
                                                                                  : "N",
                                  .choices = choice ? info->choices : NULL,
                                  .usual = info->default_text,
                                  .help = info->help,
                                  .section = t->section,
                                  .commands = t->commands | (plotted ? IN_PLOT : 0),
                                  .home = t->home};
}

/* --features, --splits and --threads are in the table above and serve all. */
static void add_rows(library_rows *l, const library_table *t)
{
    static const char *const above[] = {"features", "splits", "threads"};
    for (int i = 0; i < wgdn_options_count(t->kind) && l->count < OPTIONS_MAX - OPTIONS; i++) {
        wgdn_option_info info;
        if (wgdn_options_info(&info, l->text[l->count], sizeof l->text[0], t->kind, i, NULL))
            continue;
        if (!is_among(info.name, above, 3)) add_row(l, &info, t);
    }
}

/* Made once. */
static const library_rows *library(void)
{
    static library_rows l;
    if (l.count > 0) return &l;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        add_rows(&l, &tables[i]);
    return &l;
}

int option_count(void)
{
    return OPTIONS + library()->count;
}

const option *option_get(option_id id)
{
    return id < OPTIONS ? &table[id] : &library()->row[id - OPTIONS];
}

int option_find(const char *name, size_t length, unsigned commands)
{
    int found = -1;
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (strlen(o->name) != length || memcmp(o->name, name, length) != 0) continue;
        if (o->commands & commands) return i;
        if (found < 0) found = i;
    }
    return found;
}

int option_find_letter(char letter, unsigned commands)
{
    int found = -1;
    for (int i = 0; letter && i < OPTIONS; i++) {
        if (table[i].letter != letter) continue;
        if (table[i].commands & commands) return i;
        if (found < 0) found = i;
    }
    return found;
}
