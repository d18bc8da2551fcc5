/* SPDX-License-Identifier: Apache-2.0 */
/* What a command says of itself; each stands at the end of its own file. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "program_options.h"

typedef struct cli cli;

/* What an operand may be, for completion: words "a|b", or files as in option; NULL: neither. */
typedef struct operand_values {
    const char *choices, *files;
} operand_values;

typedef struct command {
    const char *name;
    const char *operands; /* "FILE...", for the synopsis */
    int min_operands, max_operands;
    int output_operand;        /* the place, from 1, of the operand that is written; 0: none */
    operand_values operand[2]; /* of the first, and of those after it */
    const char *summary;       /* a few words */
    const char *text;          /* a paragraph or two, separated by an empty line */
    const char *example;       /* lines that run as they stand, or NULL */
    const char *const *topics; /* takes all options of these; NULL at the end */
    const option_id *options;  /* and these; OPT_END at the end */
    const char *const *fits;   /* and these of fits and recommenders, by name; or NULL */
    const char *const *first;  /* names that --help shows, NULL at the end; NULL: all of them */
    bool joins;                /* files behind the data are one graph with it */
    bool ranks;                /* ranks work on it together; else the root rank does it alone */
    int (*run)(cli *c);
} command;

#define TOPICS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define TAKES(...) ((const option_id[]){__VA_ARGS__, OPT_END})
#define FIRST(...) ((const char *const[]){__VA_ARGS__, NULL})

#define COMMAND_NAMES "COMMAND" /* as choices of an operand: the names of all commands */

/* What every command that reads a dataset takes besides features and splits. */
#define READS_DATA OPT_INPUT, OPT_THREADS, OPT_QUIET

/* Whether an operand, from 0 on, is a file that the command reads. */
bool command_reads(const command *d, int operand);
/* Without a command (NULL) there are --help and --version alone. */
bool command_takes(const command *d, option_id id);
/* An option of the command, by name, by alias or by letter; -1 when it has none. */
int command_option(const command *d, const char *name);
int command_letter(const command *d, char letter);
/* The same among all options, whoever takes them. */
int any_option(const char *name);

const command *command_find(const command *const *commands, const char *name); /* or NULL */

/*
 * parse.c: print a note for each option that was given and changes nothing, after the options are settled and the data is
 * there. Commands call the one that is theirs.
 */
void effects_train(const cli *c, const wgdn_train_options *o, const wgdn_dataset *d);
void effects_fit(const cli *c, const wgdn_fit_options *o, const wgdn_dataset *d);
void effects_estimate(const cli *c, const wgdn_train_options *t, const wgdn_fit_options *f,
                      const wgdn_dataset *d);
void effects_embed(const cli *c, bool graphs);
void effects_eval(const cli *c, const wgdn_eval_options *o, const char *task,
                  const wgdn_dataset *d);
void effects_plot(const cli *c, const char *kind);

#endif
