/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table of options. Parsing, --help, the manual page and completion all come from it. Its
 * end is made of the library's own tables of training, evaluation and projection options, which
 * presets, configuration files and other languages ask as well. A row knows nothing of commands:
 * these say which topics and which options they take (command.h), so that two options may share a
 * name. Values stay text until somebody asks.
 */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <wgdn/wgdn.h>

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
    OPT_HEADER,
    OPT_SEPARATOR,
    OPT_DECIMAL,
    OPT_SOURCE,
    OPT_TARGET,
    OPT_WEIGHT,
    OPT_TYPE,
    OPT_GRAPH,
    OPT_ID,
    OPT_BIPARTITE,
    OPT_STRICT,
    OPT_VECTORS,
    OPT_BINARISE,
    OPT_FEATURE_SCALE,
    OPT_MAX_CATEGORIES,
    OPT_IGNORE,
    OPT_DIRECTED,
    OPT_MAX_NODES,
    OPT_MAX_ENTRIES,
    OPT_MAX_BYTES,
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
    OPT_JSON,
    OPT_MAN,
    OPT_THREADS,
    OPT_QUIET,
    OPT_HELP,
    OPT_HELP_ALL,
    OPT_VERSION,
    OPTIONS, /* from here on: options of the library's own tables */
    OPTIONS_MAX = OPTIONS + 96,
    OPT_END = -1
} option_id;

/* What the text must be, and the type of the field that it goes to. */
typedef enum option_kind {
    KIND_BOOLEAN, /* int 0 or 1 */
    KIND_CHOICE,  /* int, the place of the word among the choices */
    KIND_INT,     /* int */
    KIND_LONG,    /* int64_t */
    KIND_TEXT,    /* const char * */
    KIND_PATH,    /* const char *; one of the choices is a word of its own, not a path */
} option_kind;

/* Which struct of the library an option is a field of. The library knows defaults and ranges. */
typedef enum option_home {
    HOME_NONE,
    HOME_DATASET,
    HOME_TRAIN,
    HOME_EVAL,
    HOME_PROJECTION,
    HOME_FIT
} option_home;

typedef struct option {
    const char *name;
    char letter; /* 0: none */
    option_kind kind;
    const char *argument;  /* what it is called in help; NULL for booleans */
    const char *topic;     /* the heading that it stands under */
    const char *help;      /* one sentence without a full stop, readable by itself */
    const char *alias;     /* a well-known second name, or NULL */
    const char *choices;   /* "a|b|c"; of texts and paths: words that are offered */
    const char *files;     /* of paths: endings "npy|npz", "*" for any file, "/" for folders */
    const char *otherwise; /* default in words, for options that have no home or no number */
    bool required;
    bool repeats; /* given again, values are joined by commas */
    bool written; /* of paths: made by the command, not read */
    option_home home;
    size_t offset;
} option;

typedef struct option_values {
    const char *text[OPTIONS_MAX]; /* borrowed; NULL: not given */
    char joined[8192];             /* values of options that repeat */
    size_t used;
} option_values;

extern const option program_options[OPTIONS]; /* table.c */

int option_count(void); /* ids are below this */
const option *option_get(option_id id);
const char *option_topic(int i); /* the headings in the order of help; NULL after the last */

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

/* Write every option given that lives in this struct to its field. */
void options_apply(const option_values *v, option_home home, void *to);
/* The default as text: what the library says, else the table's words; false if there is none. */
bool option_default(option_id id, char *text, size_t size);

#endif
