/* SPDX-License-Identifier: Apache-2.0 */
/* A completion script for bash, from the tables of commands and options. */
#include "cli.h"

#include <string.h>

/* The words in front of a case arm: "--format|-f" */
static void print_names(FILE *to, const option *o)
{
    fprintf(to, "--%s", o->name);
    if (o->letter) fprintf(to, "|-%c", o->letter);
}

static void print_choices(FILE *to, const char *choices)
{
    for (const char *c = choices; *c; c++)
        fputc(*c == '|' ? ' ' : *c, to);
}

/* What may follow an option: one of its words, a file, or nothing that we know. */
static void print_values(FILE *to)
{
    fputs("  case $previous in\n", to);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->kind == KIND_BOOLEAN) continue;
        fputs("    ", to);
        print_names(to, o);
        if (o->choices) {
            fputs(") COMPREPLY=($(compgen -W '", to);
            print_choices(to, o->choices);
            fputs("' -- \"$word\")); return ;;\n", to);
        } else if (o->kind == KIND_PATH) {
            fputs(") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", to);
        } else {
            fputs(") return ;;\n", to);
        }
    }
    fputs("  esac\n", to);
}

static void print_flags(FILE *to, unsigned bit)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->commands & bit) fprintf(to, " --%s", o->name);
    }
}

static void print_commands(const command *commands, FILE *to)
{
    fputs("  local commands='", to);
    for (const command *d = commands; d->name; d++)
        fprintf(to, "%s%s", d == commands ? "" : " ", d->name);
    fputs("'\n  case ${COMP_WORDS[1]} in\n", to);
    for (const command *d = commands; d->name; d++) {
        fprintf(to, "    %s) flags='", d->name);
        print_flags(to, d->bit);
        fputs("' ;;\n", to);
    }
    fputs("    *) flags='", to);
    print_flags(to, IN_PROGRAM);
    fputs("' ;;\n  esac\n", to);
}

void print_completion(const command *commands, FILE *to)
{
    fputs("# bash completion for wgdn, made by 'wgdn completion bash'\n"
          "_wgdn() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} flags\n",
          to);
    print_values(to);
    print_commands(commands, to);
    fputs("  if [[ $word == -* ]]; then\n"
          "    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
          "  elif [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == help ]]; then\n"
          "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
          "  elif [[ ${COMP_WORDS[1]} == completion ]]; then\n"
          "    COMPREPLY=($(compgen -W bash -- \"$word\"))\n"
          "  else\n"
          "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "  fi\n"
          "}\n"
          "complete -o filenames -F _wgdn wgdn\n",
          to);
}

int cmd_completion(cli *c)
{
    if (strcmp(c->operand[0], "bash") != 0) {
        complain("no completion for '%s': bash is the one there is", c->operand[0]);
        return USAGE;
    }
    print_completion(c->commands, c->out);
    return DONE;
}
