/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints shell completion scripts for bash, fish and zsh, as the command `wgdn completion`. It
 * derives them from the tables of commands and options, as help.c derives help and the manual
 * page.
 */
#include "cli.h"

#include <string.h>

/* "a|b" as 'a b' */
static void print_quoted(FILE *to, const char *list, char quote)
{
    fputc(quote, to);
    for (const char *c = list; c && *c; c++)
        fputc(*c == '|' ? ' ' : *c, to);
    fputc(quote, to);
}

static void print_commands(FILE *to, const command *const *commands, char quote)
{
    for (const command *const *d = commands; *d; d++)
        fprintf(to, "%c%s", d == commands ? quote : ' ', (*d)->name);
    fputc(quote, to);
}

/* What the first operand may be (0) or those after it (1): words and endings, 'a b' 'npz npy'. */
static void print_operand(FILE *to, const command *const *commands, const command *d, int which,
                          char quote)
{
    const operand_values *v = &d->operand[which];
    if (v->choices && strcmp(v->choices, COMMAND_NAMES) == 0)
        print_commands(to, commands, quote);
    else
        print_quoted(to, v->choices, quote);
    fputc(' ', to);
    print_quoted(to, v->files, quote);
}

/* What the value of an option may be: words and endings, as above. */
static void print_value(FILE *to, const option *o, char quote)
{
    print_quoted(to, o->row.choices, quote);
    fputc(' ', to);
    print_quoted(to, o->files, quote);
}

/* A boolean that is on unless --no-NAME is given. */
static bool is_default_on(const option *o)
{
    return option_is_flag(o) && o->row.default_text && strcmp(o->row.default_text, "yes") == 0;
}

static const char head[] =
    "# bash completion for wgdn, made by 'wgdn completion bash'\n"
    "_wgdn_add() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$@\" -- \"$word\"); }\n"
    "\n"
    "_wgdn_offer() { # words; endings of files, * for any, / for folders\n"
    "  local ending endings\n"
    "  read -r -a endings <<< \"$2\"\n"
    "  [[ -n $1 ]] && _wgdn_add -W \"$1\"\n"
    "  case $2 in\n"
    "    '') ;;\n"
    "    /) _wgdn_add -d ;;\n"
    "    '*') _wgdn_add -f ;;\n"
    "    *)\n"
    "      for ending in \"${endings[@]}\"; do _wgdn_add -f -X \"!*.$ending\"; done\n"
    "      if [[ ${#COMPREPLY[@]} -gt 0 ]]; then _wgdn_add -d; else _wgdn_add -f; fi ;;\n"
    "  esac\n"
    "}\n"
    "\n"
    "_wgdn() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i count=0\n"
    "  local flags valued first rest\n"
    "  COMPREPLY=()\n"
    "  if [[ $word == = ]]; then word=; elif [[ $previous == = ]]; then "
    "previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";

static const char tail[] =
    "  if [[ $word == -* ]]; then _wgdn_add -W \"$flags\"; return; fi\n"
    "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "    case \" $valued \" in\n"
    "      *\" ${COMP_WORDS[i]} \"*) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++)); ((i++)) ;;\n"
    "      *) [[ ${COMP_WORDS[i]} == -* ]] || ((count++)) ;;\n"
    "    esac\n"
    "  done\n"
    "  if [[ $count -eq 0 ]]; then _wgdn_offer \"${first[@]}\"; else _wgdn_offer \"${rest[@]}\"; "
    "fi\n"
    "}\n"
    "complete -o filenames -F _wgdn wgdn\n";

static void print_flags(FILE *to, const command *d)
{
    const char *gap = "";
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (!command_takes(d, option_at(i))) continue;
        fprintf(to, "%s--%s", gap, o->row.name);
        if (is_default_on(o)) fprintf(to, " --no-%s", o->row.name);
        if (o->row.alias) fprintf(to, " --%s", o->row.alias);
        gap = " ";
    }
}

/* The names of an option with a value, "--format|-f". */
static void print_names(FILE *to, const option *o, const char *between)
{
    fprintf(to, "--%s", o->row.name);
    if (o->row.alias) fprintf(to, "%s--%s", between, o->row.alias);
    if (o->letter) fprintf(to, "%s-%c", between, o->letter);
}

/* The options that take a value, so that it is not taken for an operand. */
static void print_valued(FILE *to, const command *d, const char *gap)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (option_is_flag(o) || !command_takes(d, option_at(i))) continue;
        fputs(gap, to);
        print_names(to, o, " ");
        gap = " ";
    }
}

static void print_command(FILE *to, const command *const *commands, const command *d)
{
    fprintf(to, "    %s)\n      flags='", d->name);
    print_flags(to, d);
    fputs("'\n      valued='", to);
    print_valued(to, d, "");
    fputs("'\n      first=(", to);
    print_operand(to, commands, d, 0, '\'');
    fputs(") rest=(", to);
    print_operand(to, commands, d, 1, '\'');
    fputs(")\n      case $previous in\n", to);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (option_is_flag(o) || !command_takes(d, option_at(i))) continue;
        fputs("        ", to);
        print_names(to, o, "|");
        fputs(") _wgdn_offer ", to);
        print_value(to, o, '\'');
        fputs("; return ;;\n", to);
    }
    fputs("      esac ;;\n", to);
}

static void print_bash(const command *const *commands, FILE *to)
{
    fputs(head, to);
    fputs("  if [[ $COMP_CWORD -eq 1 ]]; then\n    _wgdn_add -W '", to);
    for (const command *const *d = commands; *d; d++)
        fprintf(to, "%s ", (*d)->name);
    print_flags(to, NULL);
    fputs("'\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", to);
    for (const command *const *d = commands; *d; d++)
        print_command(to, commands, *d);
    fputs("    *) return ;;\n  esac\n", to);
    fputs(tail, to);
}

static const char fish_head[] =
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
    fprintf(to, " -l %s", o->row.name);
    if (o->row.alias) fprintf(to, " -l %s", o->row.alias);
    fputs(" -d ", to);
    print_text(to, o->row.help);
    if (!option_is_flag(o)) {
        fputs(" -x", to);
        if (o->row.choices || o->files) fputs(" -a '(__wgdn_offer ", to);
        if (o->row.choices || o->files) print_value(to, o, '"');
        if (o->row.choices || o->files) fputs(")'", to);
    }
    fputc('\n', to);
    if (!is_default_on(o)) return;
    print_condition(to, d);
    fprintf(to, " -l no-%s\n", o->row.name);
}

static void print_options(FILE *to, const command *d)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, option_at(i))) print_option(to, d, option_get(option_at(i)));
}

static void print_operands(FILE *to, const command *const *commands, const command *d)
{
    for (int k = 0; k < 2 && k < d->max_operands; k++) {
        if (!d->operand[k].choices && !d->operand[k].files) continue;
        fprintf(to, "complete -c wgdn -n '__wgdn_at %s %d", d->name, k);
        print_valued(to, d, " ");
        fputs("' -a '(__wgdn_offer ", to);
        print_operand(to, commands, d, k, '"');
        fputs(")'\n", to);
    }
}

static void print_fish(const command *const *commands, FILE *to)
{
    fputs(fish_head, to);
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

static const char zsh_head[] =
    "#compdef wgdn\n"
    "# zsh completion for wgdn, made by 'wgdn completion zsh'\n"
    "_wgdn_offer() { # words; endings of files, * for any, / for folders\n"
    "  [[ -n $1 ]] && compadd -- ${=1}\n"
    "  case $2 in\n"
    "    '') ;;\n"
    "    /) _files -/ ;;\n"
    "    '*') _files ;;\n"
    "    *) _files -g \"*.(${2// /|})(-.)\" ;;\n"
    "  esac\n"
    "}\n"
    "\n"
    "_wgdn() {\n";

/* In a specification of _arguments, quoted by '. */
static void zsh_print_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", to);
            continue;
        }
        if (*text == '[' || *text == ']' || *text == ':' || *text == '\\') fputc('\\', to);
        fputc(*text, to);
    }
}

static void print_name(FILE *to, const option *o, const char *name)
{
    fprintf(to, "    '(");
    if (o->letter) fprintf(to, "-%c ", o->letter);
    if (o->row.alias) fprintf(to, "--%s ", o->row.alias);
    fprintf(to, "--%s)%s%s[", o->row.name, name, !option_is_flag(o) && name[1] == '-' ? "=" : "");
    zsh_print_text(to, o->row.help);
    fputc(']', to);
    if (option_is_flag(o)) {
        fputs("'\n", to);
        return;
    }
    fprintf(to, ":%s: _wgdn_offer ", o->row.argument);
    print_value(to, o, '"');
    fputs("'\n", to);
}

static void zsh_print_option(FILE *to, const option *o)
{
    char name[80];
    snprintf(name, sizeof name, "--%s", o->row.name);
    print_name(to, o, name);
    if (o->letter) {
        snprintf(name, sizeof name, "-%c", o->letter);
        print_name(to, o, name);
    }
    if (o->row.alias) {
        snprintf(name, sizeof name, "--%s", o->row.alias);
        print_name(to, o, name);
    }
    if (!is_default_on(o)) return;
    snprintf(name, sizeof name, "--no-%s", o->row.name);
    print_name(to, o, name);
}

static void zsh_print_options(FILE *to, const command *d)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, option_at(i))) zsh_print_option(to, option_get(option_at(i)));
}

static void zsh_print_command(FILE *to, const command *const *commands, const command *d)
{
    fprintf(to, "  %s) specs=(\n", d->name);
    zsh_print_options(to, d);
    for (int k = 0; k < 2 && k < d->max_operands; k++) {
        fprintf(to, "    '%s:operand: _wgdn_offer ",
                k == 0                ? "1"
                : d->max_operands > 2 ? "*"
                                      : "2");
        print_operand(to, commands, d, k, '"');
        fputs("'\n", to);
    }
    fputs("  ) ;;\n", to);
}

static void print_zsh(const command *const *commands, FILE *to)
{
    fputs(zsh_head, to);
    fputs("  local -a commands specs\n  commands=(\n", to);
    for (const command *const *d = commands; *d; d++) {
        fprintf(to, "    '%s:", (*d)->name);
        zsh_print_text(to, (*d)->summary);
        fputs("'\n", to);
    }
    fputs("  )\n"
          "  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
          "    _describe command commands\n"
          "    return\n"
          "  fi\n"
          "  case $words[2] in\n"
          "  -*) specs=(\n",
          to);
    zsh_print_options(to, NULL);
    fputs("  ) ;;\n", to);
    for (const command *const *d = commands; *d; d++)
        zsh_print_command(to, commands, *d);
    fputs("  *) return 1 ;;\n"
          "  esac\n"
          "  if [[ $words[2] != -* ]]; then shift words; ((CURRENT--)); fi\n"
          "  _arguments -s -S $specs\n"
          "}\n"
          "if [[ $funcstack[1] == _wgdn ]]; then _wgdn \"$@\"; else compdef _wgdn wgdn; fi\n",
          to);
}

static const struct {
    const char *name;
    void (*print)(const command *const *commands, FILE *to);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

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
