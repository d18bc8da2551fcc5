/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn completion SHELL, and what the scripts of all shells share. */
#include "completion.h"

#include <string.h>

static const struct {
    const char *name;
    void (*print)(const command *const *commands, FILE *to);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

/* "a|b" as 'a b' */
static void print_quoted(FILE *to, const char *list, char quote)
{
    fputc(quote, to);
    for (const char *c = list; c && *c; c++)
        fputc(*c == '|' ? ' ' : *c, to);
    fputc(quote, to);
}

static void print_names(FILE *to, const command *const *commands, char quote)
{
    for (const command *const *d = commands; *d; d++)
        fprintf(to, "%c%s", d == commands ? quote : ' ', (*d)->name);
    fputc(quote, to);
}

void print_operand(FILE *to, const command *const *commands, const command *d, int which,
                   char quote)
{
    const operand_values *v = &d->operand[which];
    if (v->choices && strcmp(v->choices, COMMAND_NAMES) == 0)
        print_names(to, commands, quote);
    else
        print_quoted(to, v->choices, quote);
    fputc(' ', to);
    print_quoted(to, v->files, quote);
}

void print_value(FILE *to, const option *o, char quote)
{
    print_quoted(to, o->choices, quote);
    fputc(' ', to);
    print_quoted(to, o->files, quote);
}

bool is_default_on(const option *o)
{
    return o->kind == KIND_BOOLEAN && o->otherwise && strcmp(o->otherwise, "yes") == 0;
}

static int completion(cli *c)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(c->operand[0], shells[i].name) == 0) {
            shells[i].print(c->commands, c->out);
            return DONE;
        }
    complain("no completion for '%s': bash, zsh and fish have one", c->operand[0]);
    return USAGE;
}

const command cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .operand = {{.choices = "bash|zsh|fish"}},
    .summary = "print a completion script for a shell",
    .text = "Print a script with which a shell completes commands, options and their values.",
    .example = "source <(wgdn completion bash)\n"
               "wgdn completion zsh -o ~/.zfunc/_wgdn\n"
               "wgdn completion fish -o ~/.config/fish/completions/wgdn.fish",
    .options = TAKES(OPT_OUTPUT),
    .run = completion,
};
