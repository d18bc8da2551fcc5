/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table of options. Parsing, --help, the man page and completion all come from it. Its end
 * is made of the library's own tables of training, evaluation and map options, which presets,
 * configuration files and other languages ask as well. Values stay text until somebody asks.
 */
#ifndef WGDN_CLI_OPTIONS_H
#define WGDN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <wgdn/wgdn.h>

typedef enum option_id {
    OPT_FORMAT,
    OPT_FEATURES,
    OPT_LABELS,
    OPT_LABEL_COLUMN,
    OPT_SPLITS,
    OPT_HEADER,
    OPT_BINARISE,
    OPT_MAX_NODES,
    OPT_MAX_ENTRIES,
    OPT_MAX_BYTES,
    OPT_PRESET,
    OPT_CONFIG,
    OPT_CHECKPOINT,
    OPT_CHECKPOINT_EVERY,
    OPT_CHECKPOINT_STEPS,
    OPT_RESUME,
    OPT_LOG,
    OPT_RANK_TIMEOUT,
    OPT_RANKS,
    OPT_EXPLAIN,
    OPT_TASK,
    OPT_EMBED_TASK,
    OPT_POOL,
    OPT_PROTOCOL,
    OPT_BASELINES,
    OPT_DATA,
    OPT_RESULTS,
    OPT_STUDY,
    OPT_SETS,
    OPT_SEEDS,
    OPT_QUICK,
    OPT_COUNT,
    OPT_METRIC,
    OPT_KIND,
    OPT_POINTS,
    OPT_TO,
    OPT_EMBED_TO,
    OPT_PART,
    OPT_ORDER,
    OPT_OUTPUT,
    OPT_JSON,
    OPT_MAN,
    OPT_THREADS,
    OPT_QUIET,
    OPT_HELP,
    OPT_VERSION,
    OPTIONS, /* from here on: options of training, evaluation and maps, which the library tells */
    OPTIONS_MAX = OPTIONS + 64
} option_id;

/* Bits of the commands that take an option. */
typedef enum command_bit {
    IN_INFO = 1 << 0,
    IN_CONVERT = 1 << 1,
    IN_ESTIMATE = 1 << 2,
    IN_DOCTOR = 1 << 3,
    IN_HELP = 1 << 4,
    IN_COMPLETION = 1 << 5,
    IN_TRAIN = 1 << 6,
    IN_EMBED = 1 << 7,
    IN_EVAL = 1 << 8,
    IN_SIMILAR = 1 << 9,
    IN_REPRODUCE = 1 << 10,
    IN_PLOT = 1 << 11,
    IN_PROGRAM = 1 << 15, /* also without a command: wgdn --version */
    IN_LOOKERS = IN_INFO | IN_CONVERT,
    IN_MODELS = IN_TRAIN | IN_ESTIMATE,
    IN_SHARED = IN_TRAIN | IN_EMBED, /* what ranks do together */
    IN_READERS = IN_LOOKERS | IN_MODELS | IN_EMBED | IN_EVAL | IN_PLOT,
    IN_ALL = (1 << 16) - 1,
} command_bit;

/* What the text must be, and the type of the field that it goes to. */
typedef enum option_kind {
    KIND_BOOLEAN, /* int 0 or 1 */
    KIND_CHOICE,  /* int, the place of the word among the choices */
    KIND_INT,     /* int */
    KIND_LONG,    /* int64_t */
    KIND_REAL,    /* double */
    KIND_TEXT,    /* const char * */
    KIND_PATH,    /* const char * */
} option_kind;

/* Which struct of the library an option is a field of. The library knows defaults and ranges. */
typedef enum option_home { HOME_NONE, HOME_DATASET, HOME_TRAIN, HOME_EVAL, HOME_MAP } option_home;

typedef struct option {
    const char *name;
    char letter; /* 0: none */
    option_kind kind;
    const char *argument; /* what it is called in help; NULL for switches */
    const char *choices;  /* "a|b|c" */
    const char *usual;    /* default in words, for options that have no home or no number */
    const char *help;     /* one sentence without a full stop */
    const char *section;
    unsigned commands;
    option_home home;
    size_t offset;
} option;

typedef struct option_values {
    const char *text[OPTIONS_MAX]; /* lent; NULL: not given */
} option_values;

int option_count(void); /* ids are below this */
const option *option_get(option_id id);
/*
 * By name of any length, or by letter; -1 when there is none. Commands may have options of the
 * same name: one of these commands is preferred.
 */
int option_find(const char *name, size_t length, unsigned commands);
int option_find_letter(char letter, unsigned commands);

/*
 * Note a value; the last one said wins. False when the text cannot be one, with the reason in
 * `why`. The text must outlive the values. Switches take yes, no, true, false, 1, 0.
 */
bool option_set(option_values *v, option_id id, const char *text, char *why, size_t size);

bool option_on(const option_values *v, option_id id);          /* a switch */
const char *option_text(const option_values *v, option_id id); /* given or usual; may be NULL */
int option_choice(const option_values *v, option_id id);       /* the place of the word */
int option_threads(const option_values *v);                    /* 0: nobody said */

/* Write every option given that lives in this struct to its field. */
void options_apply(const option_values *v, option_home home, void *to);
/* The default as text: what the library says, else the table's words; false if there is none. */
bool option_usual(option_id id, char *text, size_t size);

#endif
