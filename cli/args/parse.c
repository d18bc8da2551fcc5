/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a command line, by the table of options. */
#include "cli.h"

#include <string.h>

enum { WHY = 256 };

/* Where to look; gives 0, the number of words that a complaint uses up. */
static int see_help(const cli *c)
{
    if (c->command)
        complain("'wgdn %s --help-all' lists its options", c->command->name);
    else
        complain("'wgdn --help' lists commands and options");
    return 0;
}

static int unknown(const cli *c, const char *word)
{
    char name[64];
    guess g = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (int i = 0; word[1] == '-' && i < option_count(); i++)
        if (command_takes(c->command, (option_id)i))
            guess_offer(&g, option_get((option_id)i)->name);
    if (g.best)
        complain("unknown option '%s'; did you mean '--%s'?", word, g.best);
    else
        complain("unknown option '%s'", word);
    return see_help(c);
}

/* An option that this command does not take, but another does. */
static int misplaced(const cli *c, const char *word, int id)
{
    const char *owner = "";
    for (const command *const *d = c->commands; *d && !*owner; d++)
        if (command_takes(*d, (option_id)id)) owner = (*d)->name;
    if (c->command && !*owner)
        complain("'%s' goes without a command, as in 'wgdn %s'", word, word);
    else if (c->command)
        complain("'%s' is not an option of 'wgdn %s'; '%s' takes it", word, c->command->name,
                 owner);
    else
        complain("'%s' goes after a command, as in 'wgdn %s --%s'", word, owner,
                 option_get((option_id)id)->name);
    return see_help(c);
}

static int wants_value(const cli *c, const option *o)
{
    complain("--%s needs a value: %s", o->name, o->argument);
    return see_help(c);
}

static int takes_none(const cli *c, const char *word)
{
    complain("'%s' takes no value", word);
    return see_help(c);
}

/* A second value would silently replace the first; of --json and --no-json the last counts. */
static bool is_repeated(const cli *c, int id, const char *text)
{
    const option *o = option_get((option_id)id);
    const char *first = c->values.text[id];
    if (!first || o->kind == KIND_BOOLEAN || o->repeats) return false;
    complain("--%s was given twice, as '%s' and as '%s'; leave one out", o->name, first, text);
    return true;
}

/* Gives `words` when the value is one. */
static int set(cli *c, int id, const char *text, int words)
{
    char why[WHY];
    if (is_repeated(c, id, text)) return see_help(c);
    if (option_set(&c->values, (option_id)id, text, why, sizeof why)) return words;
    complain("--%s: %s", option_get((option_id)id)->name, why);
    return see_help(c);
}

static int find_name(const cli *c, bool any, const char *name, size_t length)
{
    return any ? any_option(name, length) : command_option(c->command, name, length);
}

/* --name or, for booleans, --no-name; among the options of the command, or among all. */
static int find_long(const cli *c, bool any, const char *name, size_t length, bool *no)
{
    int id = find_name(c, any, name, length);
    *no = false;
    if (id >= 0 || length <= 3 || strncmp(name, "no-", 3) != 0) return id;
    id = find_name(c, any, name + 3, length - 3);
    *no = id >= 0 && option_get((option_id)id)->kind == KIND_BOOLEAN;
    return *no ? id : -1;
}

/* --name value, --name=value, --flag, --no-flag. Gives how many words it took, 0 for none. */
static int parse_long(cli *c, int left, const char **word)
{
    bool no = false;
    const char *name = word[0] + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const int id = find_long(c, false, name, length, &no);
    if (id < 0) {
        const int other = find_long(c, true, name, length, &no);
        return other < 0 ? unknown(c, word[0]) : misplaced(c, word[0], other);
    }
    const option *o = option_get((option_id)id);
    if (o->kind == KIND_BOOLEAN)
        return equals ? takes_none(c, word[0]) : set(c, id, no ? "no" : "yes", 1);
    if (equals) return set(c, id, equals + 1, 1);
    return left < 2 ? wants_value(c, o) : set(c, id, word[1], 2);
}

/* -x value, -xvalue, -abc for booleans. */
static int parse_short(cli *c, int left, const char **word)
{
    for (const char *at = word[0] + 1; *at; at++) {
        const int id = command_letter(c->command, *at);
        if (id < 0) {
            const int other = any_letter(*at);
            return other < 0 ? unknown(c, word[0]) : misplaced(c, word[0], other);
        }
        const option *o = option_get((option_id)id);
        if (o->kind != KIND_BOOLEAN) {
            if (at[1]) return set(c, id, at + 1, 1);
            return left < 2 ? wants_value(c, o) : set(c, id, word[1], 2);
        }
        if (set(c, id, "yes", 1) == 0) return 0;
    }
    return 1;
}

/* -o OUT stands for the operand that is written. */
static int take_output(cli *c)
{
    const int place = c->command ? c->command->output_operand : 0;
    const char **said = &c->values.text[OPT_OUTPUT_OPERAND];
    if (!place || !*said) return DONE;
    if (c->operands >= place) {
        complain("OUT was given twice, as '%s' and as --output '%s'; leave one out",
                 c->operand[place - 1], *said);
        see_help(c);
        return USAGE;
    }
    c->operand[c->operands++] = *said;
    *said = NULL;
    return DONE;
}

static int count_operands(const cli *c)
{
    const command *d = c->command;
    if (!d || option_on(&c->values, OPT_HELP) || option_on(&c->values, OPT_HELP_ALL)) return DONE;
    if (c->operands < d->min_operands)
        complain("'wgdn %s' needs %s", d->name, d->operands);
    else if (c->operands > d->max_operands)
        complain("'wgdn %s' takes no operand '%s'", d->name, c->operand[d->max_operands]);
    else
        return DONE;
    see_help(c);
    return USAGE;
}

int parse_arguments(cli *c, int count, const char **word)
{
    bool plain = false; /* after -- */
    for (int i = 0; i < count;) {
        int used = 1;
        if (plain || word[i][0] != '-' || word[i][1] == '\0')
            c->operand[c->operands++] = word[i];
        else if (strcmp(word[i], "--") == 0)
            plain = true;
        else if (word[i][1] == '-')
            used = parse_long(c, count - i, word + i);
        else
            used = parse_short(c, count - i, word + i);
        if (used == 0) return USAGE;
        i += used;
    }
    const int code = take_output(c);
    return code == DONE ? count_operands(c) : code;
}
