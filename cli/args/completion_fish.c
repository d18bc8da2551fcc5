/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

static const char head[] =
    "# fish completion for wgdn, made by 'wgdn completion fish'\n"
    "function __wgdn_offer # words; endings of files, * for any, / for folders\n"
    "    string split -n ' ' -- $argv[1]\n"
    "    test -n \"$argv[2]\"; or return\n"
    "    set -l files (__fish_complete_path (commandline -ct) | string replace -r '\\t.*' '')\n"
    "    set -l endings (string join '|' -- (string split ' ' -- $argv[2]))\n"
    "    if test \"$argv[2]\" = /\n"
    "        string match -r '.*/$' -- $files\n"
    "    else if string match -qr \"\\\\.($endings)\\$\" -- $files\n"
    "        string match -r \".*(?:/|\\\\.(?:$endings))\\$\" -- $files\n"
    "    else\n"
    "        string join \\n -- $files\n"
    "    end\n"
    "end\n"
    "\n"
    "function __wgdn_at # command; 0 for its first operand, 1 for others, nothing for options\n"
    "    set -l words (commandline -opc)\n"
    "    test \"$words[2]\" = $argv[1]; or return\n"
    "    set -q argv[2]; or return 0\n"
    "    set -l count 0\n"
    "    set -l skip 0\n"
    "    for word in $words[3..-1]\n"
    "        if test $skip = 1\n"
    "            set skip 0\n"
    "        else if contains -- $word $argv[3..-1]\n"
    "            set skip 1\n"
    "        else if not string match -q -- '-*' $word\n"
    "            set count 1\n"
    "        end\n"
    "    end\n"
    "    test $count = $argv[2]\n"
    "end\n"
    "\n"
    "function __wgdn_bare # no command yet\n"
    "    test (count (commandline -opc)) = 1\n"
    "end\n"
    "\n"
    "complete -c wgdn -f\n";

/* Quoted by '. */
static void print_text(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') fputc('\\', to);
        fputc(*text, to);
    }
    fputc('\'', to);
}

static void print_condition(FILE *to, const command *d)
{
    if (d)
        fprintf(to, "complete -c wgdn -n '__wgdn_at %s'", d->name);
    else
        fputs("complete -c wgdn -n __wgdn_bare", to);
}

static void print_option(FILE *to, const command *d, const option *o)
{
    print_condition(to, d);
    if (o->letter) fprintf(to, " -s %c", o->letter);
    fprintf(to, " -l %s", o->name);
    if (o->alias) fprintf(to, " -l %s", o->alias);
    fputs(" -d ", to);
    print_text(to, o->help);
    if (o->kind != KIND_BOOLEAN) {
        fputs(" -x", to);
        if (o->choices || o->files) fputs(" -a '(__wgdn_offer ", to);
        if (o->choices || o->files) print_value(to, o, '"');
        if (o->choices || o->files) fputs(")'", to);
    }
    fputc('\n', to);
    if (!is_default_on(o)) return;
    print_condition(to, d);
    fprintf(to, " -l no-%s\n", o->name);
}

static void print_options(FILE *to, const command *d)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, (option_id)i)) print_option(to, d, option_get((option_id)i));
}

/* The options that take a value, so that it is not taken for an operand. */
static void print_valued(FILE *to, const command *d)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->kind == KIND_BOOLEAN || !command_takes(d, (option_id)i)) continue;
        fprintf(to, " --%s", o->name);
        if (o->alias) fprintf(to, " --%s", o->alias);
        if (o->letter) fprintf(to, " -%c", o->letter);
    }
}

static void print_operands(FILE *to, const command *const *commands, const command *d)
{
    for (int k = 0; k < 2 && k < d->max_operands; k++) {
        if (!d->operand[k].choices && !d->operand[k].files) continue;
        fprintf(to, "complete -c wgdn -n '__wgdn_at %s %d", d->name, k);
        print_valued(to, d);
        fputs("' -a '(__wgdn_offer ", to);
        print_operand(to, commands, d, k, '"');
        fputs(")'\n", to);
    }
}

void print_fish(const command *const *commands, FILE *to)
{
    fputs(head, to);
    for (const command *const *d = commands; *d; d++) {
        fprintf(to, "complete -c wgdn -n __wgdn_bare -a %s -d ", (*d)->name);
        print_text(to, (*d)->summary);
        fputc('\n', to);
    }
    print_options(to, NULL);
    for (const command *const *d = commands; *d; d++) {
        print_options(to, *d);
        print_operands(to, commands, *d);
    }
}
