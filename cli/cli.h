/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the program share: commands, exit codes, messages. */
#ifndef WGDN_CLI_H
#define WGDN_CLI_H

#include "args/options.h"

/* Exit codes, as the manual page states them. */
enum {
    DONE = 0,
    FAILED = 1,
    USAGE = 2,
    BAD_INPUT = 3,
    DOES_NOT_FIT = 4,
    INTERRUPTED = 75,
};

typedef struct cli cli;

typedef struct command {
    const char *name;
    unsigned bit;         /* a command_bit */
    const char *operands; /* "FILE...", for the synopsis */
    int least, most;      /* number of operands */
    const char *summary;  /* a few words */
    const char *text;     /* a paragraph or two, apart by an empty line */
    const char *example;  /* lines that run as they stand, or NULL */
    int (*run)(cli *c);
} command;

struct cli {
    const command *commands; /* ends with a row whose name is NULL */
    const command *command;  /* the one that runs, NULL before it is known */
    option_values values;
    const char **operand;
    int operands;
    FILE *out; /* where data goes */
    wgdn_ranks *ranks;
};

/* Rank 0 speaks and writes; the others work. */
bool is_speaker(const cli *c);
/* The worst exit code of all ranks. */
int ranks_code(const cli *c, int code);

int cmd_info(cli *c);
int cmd_convert(cli *c);
int cmd_estimate(cli *c);
int cmd_train(cli *c);
int cmd_embed(cli *c);
int cmd_eval(cli *c);
int cmd_similar(cli *c);
int cmd_plot(cli *c);
int cmd_reproduce(cli *c);
int cmd_doctor(cli *c);
int cmd_help(cli *c);
int cmd_completion(cli *c);

/* parse.c: the words after the command into values and operands. DONE or USAGE. */
int parse_arguments(cli *c, int count, const char **word);
const command *command_find(const command *commands, const char *name);

/* help.c, man.c, completion.c: texts made of the two tables. */
void print_program_help(const cli *c, FILE *to);
void print_command_help(const command *d, FILE *to);
void print_man(const command *commands, FILE *to);
void print_completion(const command *commands, FILE *to);

/* deliver.c: DONE, or FAILED after a complaint; - is standard output. */
int deliver(const char *path, const char *data, size_t size);
/* Say at once that there is no such folder, not after long work. */
int deliver_check(const char *path);

/* message.c: one line each, "wgdn: ..." on standard error; control characters made visible. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);
void complain_no_more(void); /* of this process, which is not the one that speaks */
/* The one of several words that is nearest to a misspelt one, or NULL when none is near. */
typedef struct guess {
    const char *word; /* what the user wrote */
    const char *best;
    int distance;
} guess;
void guess_offer(guess *g, const char *candidate);
/* Report what the library said; gives the exit code for it. */
int complain_status(wgdn_status status, const wgdn_error *err);

#endif
