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

static void print_option(FILE *to, option_id id)
{
    const option *o = option_get(id);
    char usual[64], text[400], letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int column = fprintf(to, "  %s--%s%s%s", letter, o->name, o->argument ? " " : "",
                         o->argument ? o->argument : "");
    if (column + 2 > INDENT) {
        fputc('\n', to);
        column = 0;
    }
    fprintf(to, "%*s", INDENT - column, "");

    int used = snprintf(text, sizeof text, "%s", o->help);
    if (o->choices) used += snprintf(text + used, sizeof text - (size_t)used, ": ");
    for (const char *c = o->choices; c && *c && (size_t)used + 3 < sizeof text; c++)
        used += snprintf(text + used, sizeof text - (size_t)used, *c == '|' ? ", " : "%c", *c);
    if (option_usual(id, usual, sizeof usual))
        snprintf(text + used, sizeof text - (size_t)used, " (default: %s)", usual);
    wrap(to, text, INDENT, INDENT);
}

/* Options stand in the table section by section, so a heading is due where the name changes. */
static void print_options(FILE *to, unsigned bit)
{
    const char *section = "";
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (!(o->commands & bit)) continue;
        if (strcmp(o->section, section) != 0) fprintf(to, "\n%s:\n", o->section);
        section = o->section;
        print_option(to, (option_id)i);
    }
}

void print_command_help(const command *d, FILE *to)
{
    fprintf(to, "usage: wgdn %s [options]%s%s\n\n", d->name, *d->operands ? " " : "", d->operands);
    wrap(to, d->text, 0, 0);
    print_options(to, d->bit);
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
    wrap(to, "Embeddings of graph nodes and graphs, learnt without labels.", 0, 0);
    fputs("\nCommands:\n", to);
    for (const command *d = c->commands; d->name; d++)
        fprintf(to, "  %-12s%s\n", d->name, d->summary);
    print_options(to, IN_PROGRAM);
    fputs("\n'wgdn COMMAND --help' explains a command, 'man wgdn' all of it.\n", to);
}

int cmd_help(cli *c)
{
    const command *d = c->operands ? command_find(c->commands, c->operand[0]) : NULL;
    if (option_on(&c->values, OPT_MAN)) {
        print_man(c->commands, c->out);
    } else if (d) {
        print_command_help(d, c->out);
    } else if (c->operands) {
        complain("unknown command '%s'", c->operand[0]);
        complain("'wgdn --help' lists the commands");
        return USAGE;
    } else {
        print_program_help(c, c->out);
    }
    return DONE;
}
