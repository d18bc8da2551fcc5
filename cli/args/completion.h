/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion scripts, one file a shell. Each offers, for a command, its options and what may follow
 * them or stand as an operand: words, files with certain endings (any file where none has one), or
 * folders.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli.h"

void print_bash(const command *const *commands, FILE *to);
void print_zsh(const command *const *commands, FILE *to);
void print_fish(const command *const *commands, FILE *to);

/* What the first operand may be (0) or those after it (1): words and endings, 'a b' 'npz npy'. */
void print_operand(FILE *to, const command *const *commands, const command *d, int which,
                   char quote);
/* The same of an option's value. */
void print_value(FILE *to, const option *o, char quote);
/* A boolean that is on unless --no-NAME is given. */
bool is_default_on(const option *o);

#endif
