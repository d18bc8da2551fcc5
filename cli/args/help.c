/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints --help for the program and its commands, and the manual page. Both come from the tables
 * of commands and options, so no option is described twice.
 */
#include "cli.h"

#include <string.h>

/* Text with what troff would take for its own escaped. */
static void put(FILE *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool first = i == 0 || text[i - 1] == '\n';
        if (first && (text[i] == '.' || text[i] == '\'')) fputs("\\&", to);
        switch (text[i]) {
        case '\\': fputs("\\e", to); break;
        case '-': fputs("\\-", to); break;
        default: fputc(text[i], to);
        }
    }
}

static void say(FILE *to, const char *text)
{
    put(to, text, strlen(text));
}

static void operands(FILE *to, const command *d)
{
    say(to, d->operands);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (o->required && command_takes(d, option_at(i)))
            fprintf(to, " \\-%c %s", o->letter, o->row.argument);
    }
}

static void print_command(FILE *to, const command *d)
{
    fprintf(to, ".SS wgdn %s [options] ", d->name);
    operands(to, d);
    fputc('\n', to);
    /* A paragraph; empty lines part the next. */
    for (const char *at = d->text; *at;) {
        const char *gap = strstr(at, "\n\n");
        const size_t length = gap ? (size_t)(gap - at) : strlen(at);
        put(to, at, length);
        fputc('\n', to);
        if (gap) fputs(".PP\n", to);
        at += length + (gap ? 2 : 0);
    }
    fputs(".PP\nOptions:", to);
    for (int i = 0; i < option_count(); i++) {
        if (!command_takes(d, option_at(i))) continue;
        fputs(" \\fB\\-\\-", to);
        say(to, option_get(option_at(i))->row.name);
        fputs("\\fR", to);
    }
    fputs(".\n", to);
    if (!d->example) return;
    fputs(".PP\n.nf\n.RS\n", to);
    say(to, d->example);
    fputs("\n.RE\n.fi\n", to);
}

/* "Commands: train, estimate." */
static void print_takers(FILE *to, const command *const *commands, option_id id)
{
    const char *before = "Commands: ";
    for (const command *const *d = commands; *d; d++) {
        if (!command_takes(*d, id)) continue;
        fprintf(to, "%s%s", before, (*d)->name);
        before = ", ";
    }
    if (before[0] == ',') fputs(".\n", to);
}

static void print_option(FILE *to, const command *const *commands, option_id id)
{
    const option *o = option_get(id);
    char otherwise[96];
    fputs(".TP\n\\fB", to);
    if (o->letter) fprintf(to, "\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", to);
    say(to, o->row.name);
    if (o->row.alias) fputs("\\fR, \\fB\\-\\-", to);
    if (o->row.alias) say(to, o->row.alias);
    fputs("\\fR", to);
    if (o->row.argument) fprintf(to, " \\fI%s\\fR", o->row.argument);
    fputc('\n', to);
    say(to, o->row.help);
    fputs(".\n", to);
    if (o->row.choices) fputs("Choices: ", to);
    for (const char *c = o->row.choices; c && *c; c++)
        if (*c == '|')
            fputs(", ", to);
        else
            put(to, c, 1);
    if (o->row.choices) fputs(o->row.type == WGDN_OPTION_TYPE_PATH ? " or a file.\n" : ".\n", to);
    if (o->required) {
        fputs("Required.\n", to);
    } else if (option_default(id, otherwise, sizeof otherwise)) {
        fputs("Default: ", to);
        say(to, otherwise);
        fputs(".\n", to);
    }
    if (id != OPT_HELP && id != OPT_HELP_ALL) print_takers(to, commands, id);
}

static void print_tail(FILE *to)
{
    fputs(".SH EXIT STATUS\n"
          ".TP\n0\nDone.\n"
          ".TP\n1\nAn output cannot be written, or another failure than those below.\n"
          ".TP\n2\nInvalid command line.\n"
          ".TP\n3\nAn input is missing or invalid.\n"
          ".TP\n4\nOut of memory, or beyond the limits that were set.\n"
          ".TP\n75\nInterrupted. Outputs are complete or absent.\n"
          ".TP\n141\nNobody reads standard output any more.\n"
          ".SH OUTPUT\n"
          "Data goes to standard output, everything else to standard error. On failure standard\n"
          "output stays empty. A progress bar is shown on a terminal after a second; elsewhere a\n"
          "line per minute reports progress.\n"
          "In JSON, a byte of a name that is not UTF\\-8 is written as \\eudc80 to \\eudcff, the\n"
          "lone surrogate that Python's surrogateescape makes of it.\n"
          ".SH ENVIRONMENT\n"
          ".TP\n\\fBOMP_NUM_THREADS\\fR\nThe number of threads, where \\fB\\-\\-threads\\fR is 0.\n"
          ".TP\n\\fBWGDN_PROGRESS\\fR\nSeconds between two lines of progress where standard error "
          "is no\n"
          "terminal; 0 prints none. Default: 60.\n"
          ".TP\n\\fBWGDN_CPU\\fR\nplain, base, v3 or v4: use no more of the processor than this.\n"
          ".TP\n\\fBTMPDIR\\fR\nWhere output for a pipe is kept until it is complete.\n",
          to);
}

static void print_man(const command *const *commands, FILE *to)
{
    fprintf(to, ".TH WGDN 1 \"\" \"wgdn %s\" \"User Commands\"\n", wgdn_version());
    fputs(".SH NAME\nwgdn \\- self\\-supervised embeddings of graph nodes and whole graphs\n"
          ".SH SYNOPSIS\n",
          to);
    for (const command *const *d = commands; *d; d++) {
        fprintf(to, "\\fBwgdn %s\\fR [\\fIoptions\\fR] ", (*d)->name);
        operands(to, *d);
        fputs("\n.br\n", to);
    }
    fputs(".SH COMMANDS\n", to);
    for (const command *const *d = commands; *d; d++)
        print_command(to, *d);
    fputs(".SH OPTIONS\nBooleans can be unset by \\fB\\-\\-no\\-\\fINAME\\fR; the last value given "
          "counts.\n",
          to);
    for (int t = 0; option_topic(t); t++) {
        fprintf(to, ".SS %s\n", option_topic(t));
        for (int i = 0; i < option_count(); i++)
            if (strcmp(option_get(option_at(i))->row.topic, option_topic(t)) == 0)
                print_option(to, commands, option_at(i));
    }
    print_tail(to);
}

/* Prints --help from the tables of commands and options. */

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
    size_t used = (size_t)snprintf(text, size, "%s", o->row.help);
    if (o->required) snprintf(text + used, size - used, " (required)");
    if (o->required || (!o->row.choices && !known)) return;
    used += (size_t)snprintf(text + used, size - used, " (");
    for (const char *c = o->row.choices; c && *c && used + 3 < size; c++)
        used += (size_t)snprintf(text + used, size - used, *c == '|' ? ", " : "%c", *c);
    if (o->row.choices && o->row.type == WGDN_OPTION_TYPE_PATH)
        used += (size_t)snprintf(text + used, size - used, " or a file");
    if (known)
        used += (size_t)snprintf(text + used, size - used, "%sdefault: %s",
                                 o->row.choices ? "; " : "", otherwise);
    snprintf(text + used, size - used, ")");
}

static void help_print_option(FILE *to, option_id id)
{
    const option *o = option_get(id);
    char text[640], letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int column = fprintf(to, "  %s--%s", letter, o->row.name);
    if (o->row.alias) column += fprintf(to, ", --%s", o->row.alias);
    if (o->row.argument) column += fprintf(to, " %s", o->row.argument);
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
            if (!command_takes(d, option_at(i)) ||
                strcmp(option_get(option_at(i))->row.topic, option_topic(t)) != 0)
                continue;
            if (!heading) fprintf(to, "\n%s:\n", option_topic(t));
            heading = true;
            help_print_option(to, option_at(i));
        }
    }
}

void print_command_help(const command *d, bool all, FILE *to)
{
    fprintf(to, "usage: wgdn %s [options]%s%s", d->name, *d->operands ? " " : "", d->operands);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (o->required && command_takes(d, option_at(i)))
            fprintf(to, " -%c %s", o->letter, o->row.argument);
    }
    fputs("\n\n", to);
    wrap(to, d->text, 0, 0);
    if (d->first && !all) {
        /* What one needs first, in the order of the command. */
        fputs("\nOptions that are used most:\n", to);
        for (const char *const *name = d->first; *name; name++)
            help_print_option(to, (option_id)command_option(d, *name));
        help_print_option(to, OPT_HELP_ALL);
    } else
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
