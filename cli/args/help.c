/* SPDX-License-Identifier: Apache-2.0 */
/* --help, from the tables of commands and options. */
#include "cli.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 26 };

/* Words of `text` from `column` on, wrapped, the next lines indented; an empty line is kept. */
static void wrap(FILE *to, const char *text, int indent, int column)
{
    for (const char *at = text; *at;) {
        const int length = (int)strcspn(at, " \n");
        if (column > indent && column + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        }
        if (column > indent) column += fprintf(to, " ");
        column += fprintf(to, "%.*s", length, at);
        at += length;
        if (strncmp(at, "\n\n", 2) == 0) {
            fprintf(to, "\n\n%*s", indent, "");
            column = indent;
        }
        at += strspn(at, " \n");
    }
    fputc('\n', to);
}

/* "Sentence (a, b, c; default: a)" */
static void sentence(char *text, size_t size, option_id id)
{
    const option *o = option_get(id);
    char otherwise[96];
    const bool known = option_default(id, otherwise, sizeof otherwise);
    size_t used = (size_t)snprintf(text, size, "%s", o->help);
    if (o->required) snprintf(text + used, size - used, " (required)");
    if (o->required || (!o->choices && !known)) return;
    used += (size_t)snprintf(text + used, size - used, " (");
    for (const char *c = o->choices; c && *c && used + 3 < size; c++)
        used += (size_t)snprintf(text + used, size - used, *c == '|' ? ", " : "%c", *c);
    if (o->choices && o->kind == KIND_PATH)
        used += (size_t)snprintf(text + used, size - used, " or a file");
    if (known)
        used += (size_t)snprintf(text + used, size - used, "%sdefault: %s", o->choices ? "; " : "",
                                 otherwise);
    snprintf(text + used, size - used, ")");
}

static void print_option(FILE *to, option_id id)
{
    const option *o = option_get(id);
    char text[640], letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int column = fprintf(to, "  %s--%s", letter, o->name);
    if (o->alias) column += fprintf(to, ", --%s", o->alias);
    if (o->argument) column += fprintf(to, " %s", o->argument);
    if (column + 2 > INDENT) {
        fputc('\n', to);
        column = 0;
    }
    fprintf(to, "%*s", INDENT - column, "");
    sentence(text, sizeof text, id);
    wrap(to, text, INDENT, INDENT);
}

/* Everything that a command takes, topic by topic. */
static void print_topics(FILE *to, const command *d)
{
    for (int t = 0; option_topic(t); t++) {
        bool heading = false;
        for (int i = 0; i < option_count(); i++) {
            if (!command_takes(d, (option_id)i) ||
                strcmp(option_get((option_id)i)->topic, option_topic(t)) != 0)
                continue;
            if (!heading) fprintf(to, "\n%s:\n", option_topic(t));
            heading = true;
            print_option(to, (option_id)i);
        }
    }
}

/* What one needs first, in the order of the command. */
static void print_first(FILE *to, const command *d)
{
    fputs("\nOptions that are used most:\n", to);
    for (const char *const *name = d->first; *name; name++)
        print_option(to, (option_id)command_option(d, *name, strlen(*name)));
    print_option(to, OPT_HELP_ALL);
}

static void print_usage(FILE *to, const command *d)
{
    fprintf(to, "usage: wgdn %s [options]%s%s", d->name, *d->operands ? " " : "", d->operands);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->required && command_takes(d, (option_id)i))
            fprintf(to, " -%c %s", o->letter, o->argument);
    }
    fputs("\n\n", to);
}

void print_command_help(const command *d, bool all, FILE *to)
{
    print_usage(to, d);
    wrap(to, d->text, 0, 0);
    if (d->first && !all)
        print_first(to, d);
    else
        print_topics(to, d);
    if (!d->example) return;
    fputs("\nExamples:\n", to);
    for (const char *at = d->example; *at;) {
        const int length = (int)strcspn(at, "\n");
        fprintf(to, "  %.*s\n", length, at);
        at += length + (at[length] == '\n');
    }
}

void print_program_help(const cli *c, FILE *to)
{
    fputs("usage: wgdn COMMAND [options] ...\n\n", to);
    wrap(to, "Self-supervised embeddings of graph nodes and whole graphs.", 0, 0);
    fputs("\nCommands:\n", to);
    for (const command *const *d = c->commands; *d; d++)
        fprintf(to, "  %-12s%s\n", (*d)->name, (*d)->summary);
    print_topics(to, NULL);
    fputs("\n'wgdn COMMAND --help' explains a command, 'man wgdn' everything.\n", to);
}

static int help(cli *c)
{
    const command *d = c->operands ? command_find(c->commands, c->operand[0]) : NULL;
    if (option_on(&c->values, OPT_MAN)) {
        print_man(c->commands, c->out);
    } else if (d) {
        print_command_help(d, false, c->out);
    } else if (c->operands) {
        complain("unknown command '%s'", c->operand[0]);
        complain("'wgdn --help' lists the commands");
        return USAGE;
    } else {
        print_program_help(c, c->out);
    }
    return DONE;
}

const command cmd_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .max_operands = 1,
    .operand = {{.choices = COMMAND_NAMES}},
    .summary = "explain a command",
    .text = "Explain a command, or the program. With --man, print the manual page.",
    .example = "wgdn help convert\nwgdn help --man | man -l -",
    .options = TAKES(OPT_OUTPUT, OPT_MAN),
    .run = help,
};
