/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of options. Parsing, --help, the manual page and completion all come from it. Most rows
 * are those of the library (src/base/options.c), which presets, configuration files and Python use
 * as well. A row knows nothing of commands: these say which topics and which options they take
 * (command.h), so that two options may share a name. Values stay text until somebody asks.
 */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <wgdn/wgdn.h>

/* Endings of the files that commands read. */
#define DATA_FILES \
    "npz|tsv|csv|txt|edges|mtx|zip|gz|zst|xz|bz2|safetensors|graphml|gexf|gml|json|edgelist|graph"
#define MODEL_FILES "model|safetensors"
#define VECTOR_FILES "npz|npy|safetensors|tsv|csv|txt|w2v|jsonl|gz"

typedef enum option_id {
    OPT_FORMAT,
    OPT_FEATURES,
    OPT_TRAIN_FEATURES,
    OPT_FIT_FEATURES,
    OPT_LABELS,
    OPT_LABEL_COLUMN,
    OPT_SPLITS,
    OPT_EVAL_SPLITS,
    OPT_WEIGHTS,
    OPT_BIPARTITE,
    OPT_STRICT,
    OPT_VECTORS,
    OPT_BINARIZE,
    OPT_FEATURE_SCALE,
    OPT_MAX_CATEGORIES,
    OPT_IGNORE,
    OPT_DIRECTED,
    OPT_MEMORY,
    OPT_SCRATCH,
    OPT_PRESET,
    OPT_CONFIG,
    OPT_CHECKPOINT,
    OPT_CHECKPOINT_EVERY,
    OPT_CHECKPOINT_STEPS,
    OPT_HEALTH,
    OPT_RESUME,
    OPT_LOG,
    OPT_RANK_TIMEOUT,
    OPT_RANKS,
    OPT_ESTIMATE_METHOD,
    OPT_EXPLAIN,
    OPT_EXPLAIN_FIT,
    OPT_EVAL_TASK,
    OPT_EMBED_TASK,
    OPT_ALIGN,
    OPT_POOL,
    OPT_PROTOCOL,
    OPT_BASELINES,
    OPT_COUNT,
    OPT_IDS,
    OPT_ALL,
    OPT_METRIC,
    OPT_ALL_NODES,
    OPT_LIST_COUNT,
    OPT_NEW,
    OPT_AMONG,
    OPT_INCLUDE_SEEN,
    OPT_EXPLAIN_LISTS,
    OPT_LIST_VECTORS,
    OPT_LIST_DIM,
    OPT_SAVE_LISTS,
    OPT_TEST,
    OPT_KIND,
    OPT_POINTS,
    OPT_TITLE,
    OPT_SIZE,
    OPT_DARK,
    OPT_CONVERT_TO,
    OPT_EMBED_TO,
    OPT_PART,
    OPT_ORDER,
    OPT_NO_HEADER,
    OPT_NUMBERS,
    OPT_OUTPUT,
    OPT_OUTPUT_MODEL,
    OPT_OUTPUT_VECTORS,
    OPT_OUTPUT_PICTURE,
    OPT_OUTPUT_OPERAND,
    OPT_OUTPUT_TABLE,
    OPT_SAVE,
    OPT_JSON,
    OPT_MAN,
    OPT_THREADS,
    OPT_QUIET,
    OPT_HELP,
    OPT_HELP_ALL,
    OPT_VERSION,
    OPTIONS, /* from here on: options of the library's own tables */
    OPTIONS_MAX = OPTIONS + 176,
    OPT_INPUT, /* in a command's list: all for which option_is_input() */
    OPT_END = -1
} option_id;

typedef struct option {
    wgdn_option_info row; /* as in the library's tables */
    wgdn_options_kind
        kind;          /* the struct of the library that has this field; 0: the program's own */
    char letter;       /* 0: none */
    const char *files; /* of paths: endings "npy|npz", "*" for any file, "/" for folders */
    bool required;
    bool written; /* of paths: made by the command, not read */
} option;

typedef struct option_values {
    const char *text[OPTIONS_MAX]; /* borrowed; NULL: not given */
    char joined[8192];             /* values of options that repeat */
    size_t used;
} option_values;

int option_count(void);
option_id option_at(int i); /* in the order of help, below option_count() */
const option *option_get(option_id id);
bool option_is_flag(const option *o);  /* it takes no value */
bool option_is_input(const option *o); /* how a dataset is read, whatever is done with it */
const char *option_topic(int i);       /* the headings in the order of help; NULL after the last */

/*
 * Note a value; the last one set wins, but where the option repeats they are joined. False when
 * the text cannot be one, with the reason in
 * `why`. The text must outlive the values. Booleans take yes, no, true, false, 1, 0.
 */
bool option_set(option_values *v, option_id id, const char *text, char *why, size_t size);

bool option_on(const option_values *v, option_id id);          /* a boolean */
const char *option_text(const option_values *v, option_id id); /* given or default; may be NULL */
int option_choice(const option_values *v, option_id id);       /* the place of the word */
bool option_is_word(const option_values *v, option_id id);     /* of a path: one of its choices */
int option_threads(const option_values *v);                    /* 0: not given */

/* Write every option given that is a field of this struct to it. */
void options_apply(const option_values *v, wgdn_options_kind kind, void *to);
/* The default in words, or as text; false if there is none worth a word. */
bool option_default(option_id id, char *text, size_t size);

#endif
