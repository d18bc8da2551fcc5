/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the program share: commands, exit codes, messages. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "args/command.h"

/* Exit codes, as the manual page states them. */
enum {
    DONE = 0,
    FAILED = 1,
    USAGE = 2,
    BAD_INPUT = 3,
    DOES_NOT_FIT = 4,
    INTERRUPTED = 75,
    NO_READER = 141, /* of standard output: 128 + SIGPIPE, as in a shell; no message */
};

struct cli {
    const command *const *commands; /* NULL after the last */
    const command *command;         /* the one that runs, NULL before it is known */
    option_values values;
    const char **operand;
    int operands;
    FILE *out; /* where data goes */
    wgdn_ranks *ranks;
    char *encoding; /* how a model encodes features: dataset_encode(); or NULL */
    char *reading;  /* of the rest, likewise */
    bool sides;     /* headings such as user and item are two kinds of nodes */
};

/* The root rank prints and writes; the others compute. */
bool is_root(const cli *c);
/* The worst exit code of all ranks, after the complaints of the first that has it. ranks_report.c */
int ranks_code(const cli *c, int code);
/* The same of a command that ranks share; the code itself of others, which the root rank runs alone. */
int shared_code(const cli *c, int code);

/* Each at the end of its own file. */
extern const command cmd_demo, cmd_info, cmd_convert, cmd_train, cmd_fit, cmd_embed, cmd_eval,
    cmd_similar, cmd_compare, cmd_plot, cmd_predict, cmd_recommend, cmd_cluster, cmd_estimate,
    cmd_doctor, cmd_completion, cmd_help;

/* main.c: one command within another, by the words that a user would type. Its exit code. */
int run_words(const cli *c, int count, const char **word);

/* args/parse.c: the words after the command into values and operands. DONE or USAGE. */
int parse_arguments(cli *c, int count, const char **word);

/* args/help.c, help.c: texts made of commands and options. */
void print_program_help(const cli *c, FILE *to);
void print_command_help(const command *d, bool all, FILE *to);

/* outputs.c: DONE, or FAILED after a complaint; - is standard output. */
int deliver(const char *path, const char *data, size_t size);
/*
 * outputs.c: what `write` writes to a path. Standard output gets it when it is whole, made in a
 * folder of its own; a file is opened by its name, which would replace what is redirected to.
 */
int deliver_file(const char *path, int (*write)(const char *path, void *user), void *user);

/*
 * outputs.c: DONE, or USAGE after a complaint: an output is the same file as an input or as another output,
 * through links and other spellings, too, or a text file in a folder that is an input; or FAILED:
 * it cannot be created, another user's link is in its place, or another process writes it. Then the
 * root rank has locked them all (FILE.wgdn-lock beside it). Nothing has been read or written yet.
 */
int outputs_check(const cli *c);

/* Give up all that this process took, and remove their files; at the end. */
void lock_release(void);
/* The same in a signal handler. */
void lock_forget(void);

/* terminal.c: one line each, "wgdn: ..." on standard error; control characters made visible. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);
/* The same for notes. Failures of ranks that share work are printed later, when all ranks know of them. */
__attribute__((format(printf, 1, 2))) void complain_now(const char *format, ...);
/* terminal.c: "wgdn: note: ...", to know but no error; by the root rank, unless --quiet. */
__attribute__((format(printf, 2, 3))) void remark(const cli *c, const char *format, ...);
void complain_no_more(void); /* of this process, which is not the root rank */
/* The one of several words that is nearest to a misspelt one, or NULL when none is near. */
typedef struct guess {
    const char *word; /* what the user wrote */
    const char *best;
    int distance;
} guess;
void guess_offer(guess *g, const char *candidate);
/* The exit code for a status; prints the message of a failure. */
int complain_status(wgdn_status status, const wgdn_error *err);

#endif
