/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

static const char head[] = "#compdef wgdn\n"
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
static void print_text(FILE *to, const char *text)
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
    if (o->alias) fprintf(to, "--%s ", o->alias);
    fprintf(to, "--%s)%s%s[", o->name, name, o->kind != KIND_BOOLEAN && name[1] == '-' ? "=" : "");
    print_text(to, o->help);
    fputc(']', to);
    if (o->kind == KIND_BOOLEAN) {
        fputs("'\n", to);
        return;
    }
    fprintf(to, ":%s: _wgdn_offer ", o->argument);
    print_value(to, o, '"');
    fputs("'\n", to);
}

static void print_option(FILE *to, const option *o)
{
    char name[80];
    snprintf(name, sizeof name, "--%s", o->name);
    print_name(to, o, name);
    if (o->letter) {
        snprintf(name, sizeof name, "-%c", o->letter);
        print_name(to, o, name);
    }
    if (o->alias) {
        snprintf(name, sizeof name, "--%s", o->alias);
        print_name(to, o, name);
    }
    if (!is_default_on(o)) return;
    snprintf(name, sizeof name, "--no-%s", o->name);
    print_name(to, o, name);
}

static void print_options(FILE *to, const command *d)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, (option_id)i)) print_option(to, option_get((option_id)i));
}

static void print_operands(FILE *to, const command *const *commands, const command *d)
{
    for (int k = 0; k < 2 && k < d->max_operands; k++) {
        fprintf(to, "    '%s:operand: _wgdn_offer ",
                k == 0                ? "1"
                : d->max_operands > 2 ? "*"
                                      : "2");
        print_operand(to, commands, d, k, '"');
        fputs("'\n", to);
    }
}

static void print_command(FILE *to, const command *const *commands, const command *d)
{
    fprintf(to, "  %s) specs=(\n", d->name);
    print_options(to, d);
    print_operands(to, commands, d);
    fputs("  ) ;;\n", to);
}

void print_zsh(const command *const *commands, FILE *to)
{
    fputs(head, to);
    fputs("  local -a commands specs\n  commands=(\n", to);
    for (const command *const *d = commands; *d; d++) {
        fprintf(to, "    '%s:", (*d)->name);
        print_text(to, (*d)->summary);
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
    print_options(to, NULL);
    fputs("  ) ;;\n", to);
    for (const command *const *d = commands; *d; d++)
        print_command(to, commands, *d);
    fputs("  *) return 1 ;;\n"
          "  esac\n"
          "  if [[ $words[2] != -* ]]; then shift words; ((CURRENT--)); fi\n"
          "  _arguments -s -S $specs\n"
          "}\n"
          "if [[ $funcstack[1] == _wgdn ]]; then _wgdn \"$@\"; else compdef _wgdn wgdn; fi\n",
          to);
}
