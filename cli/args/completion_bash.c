/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

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
        const option *o = option_get((option_id)i);
        if (!command_takes(d, (option_id)i)) continue;
        fprintf(to, "%s--%s", gap, o->name);
        if (is_default_on(o)) fprintf(to, " --no-%s", o->name);
        if (o->alias) fprintf(to, " --%s", o->alias);
        gap = " ";
    }
}

/* The names of an option with a value, "--format|-f". */
static void print_names(FILE *to, const option *o, const char *between)
{
    fprintf(to, "--%s", o->name);
    if (o->alias) fprintf(to, "%s--%s", between, o->alias);
    if (o->letter) fprintf(to, "%s-%c", between, o->letter);
}

static void print_valued(FILE *to, const command *d)
{
    const char *gap = "";
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->kind == KIND_BOOLEAN || !command_takes(d, (option_id)i)) continue;
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
    print_valued(to, d);
    fputs("'\n      first=(", to);
    print_operand(to, commands, d, 0, '\'');
    fputs(") rest=(", to);
    print_operand(to, commands, d, 1, '\'');
    fputs(")\n      case $previous in\n", to);
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->kind == KIND_BOOLEAN || !command_takes(d, (option_id)i)) continue;
        fputs("        ", to);
        print_names(to, o, "|");
        fputs(") _wgdn_offer ", to);
        print_value(to, o, '\'');
        fputs("; return ;;\n", to);
    }
    fputs("      esac ;;\n", to);
}

void print_bash(const command *const *commands, FILE *to)
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
