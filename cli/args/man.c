/* SPDX-License-Identifier: Apache-2.0 */
/* The manual page, from the tables of commands and options. */
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

/* A paragraph; empty lines part the next. */
static void paragraphs(FILE *to, const char *text)
{
    for (const char *at = text; *at;) {
        const char *gap = strstr(at, "\n\n");
        const size_t length = gap ? (size_t)(gap - at) : strlen(at);
        put(to, at, length);
        fputc('\n', to);
        if (gap) fputs(".PP\n", to);
        at += length + (gap ? 2 : 0);
    }
}

static void print_command(FILE *to, const command *d)
{
    fprintf(to, ".SS wgdn %s [options] ", d->name);
    say(to, d->operands);
    fputc('\n', to);
    paragraphs(to, d->text);
    fputs(".PP\nOptions:", to);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (!(o->commands & d->bit)) continue;
        fputs(" \\fB\\-\\-", to);
        say(to, o->name);
        fputs("\\fR", to);
    }
    fputs(".\n", to);
    if (!d->example) return;
    fputs(".PP\n.nf\n.RS\n", to);
    say(to, d->example);
    fputs("\n.RE\n.fi\n", to);
}

static void print_option(FILE *to, option_id id)
{
    const option *o = option_get(id);
    char usual[64];
    fputs(".TP\n\\fB", to);
    if (o->letter) fprintf(to, "\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", to);
    say(to, o->name);
    fputs("\\fR", to);
    if (o->argument) fprintf(to, " \\fI%s\\fR", o->argument);
    fputc('\n', to);
    say(to, o->help);
    if (o->choices) fputs(": ", to);
    for (const char *c = o->choices; c && *c; c++)
        fputs(*c == '|' ? ", " : (char[]){*c, '\0'}, to);
    fputs(".\n", to);
    if (!option_usual(id, usual, sizeof usual)) return;
    fputs("Default: ", to);
    say(to, usual);
    fputs(".\n", to);
}

static void print_options(FILE *to)
{
    const char *section = "";
    fputs(".SH OPTIONS\nSwitches can be undone by \\fB\\-\\-no\\-\\fINAME\\fR; the last one said "
          "counts.\n",
          to);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (strcmp(o->section, section) != 0) fprintf(to, ".SS %s\n", o->section);
        section = o->section;
        print_option(to, (option_id)i);
    }
}

static void print_tail(FILE *to)
{
    fputs(".SH EXIT STATUS\n"
          ".TP\n0\nDone.\n"
          ".TP\n1\nSomething failed that is neither of the below.\n"
          ".TP\n2\nThe command line cannot be meant so.\n"
          ".TP\n3\nAn input is missing or does not hold what it should.\n"
          ".TP\n4\nIt does not fit into memory, or into the limits that were set.\n"
          ".TP\n75\nInterrupted. Outputs are whole or not there.\n"
          ".SH OUTPUT\n"
          "Data goes to standard output, everything else to standard error. On failure standard\n"
          "output stays empty. A progress bar is shown on a terminal only, after a second.\n"
          "In JSON, a byte of a name that is not UTF\\-8 is written as \\eudc80 to \\eudcff, the\n"
          "lone surrogate that Python's surrogateescape makes of it.\n"
          ".SH ENVIRONMENT\n"
          ".TP\n\\fBOMP_NUM_THREADS\\fR\nThe number of threads, where \\fB\\-\\-threads\\fR is 0.\n"
          ".TP\n\\fBWGDN_CPU\\fR\nplain, base, v3 or v4: use no more of the processor than this.\n"
          ".TP\n\\fBTMPDIR\\fR\nWhere output for a pipe is kept until it is complete.\n",
          to);
}

void print_man(const command *commands, FILE *to)
{
    fprintf(to, ".TH WGDN 1 \"\" \"wgdn %s\" \"User Commands\"\n", wgdn_version());
    fputs(".SH NAME\nwgdn \\- embeddings of graph nodes and graphs, learnt without labels\n"
          ".SH SYNOPSIS\n",
          to);
    for (const command *d = commands; d->name; d++) {
        fprintf(to, "\\fBwgdn %s\\fR [\\fIoptions\\fR] ", d->name);
        say(to, d->operands);
        fputs("\n.br\n", to);
    }
    fputs(".SH COMMANDS\n", to);
    for (const command *d = commands; d->name; d++)
        print_command(to, d);
    print_options(to);
    print_tail(to);
}
