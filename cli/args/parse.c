/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a command line, by the table of options. */
#include "cli.h"

#include <string.h>

enum { WHY = 256 };

const command *command_find(const command *commands, const char *name)
{
    for (const command *d = commands; d->name; d++)
        if (strcmp(d->name, name) == 0) return d;
    return NULL;
}

static unsigned taken(const cli *c)
{
    return c->command ? c->command->bit : (unsigned)IN_PROGRAM;
}

/* Where to look; gives 0, the number of words that a complaint uses up. */
static int see_help(const cli *c)
{
    if (c->command)
        complain("'wgdn %s --help' shows what it takes", c->command->name);
    else
        complain("'wgdn --help' shows what there is");
    return 0;
}

static int unknown(const cli *c, const char *word)
{
    char name[64];
    guess g = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (int i = 0; word[1] == '-' && i < option_count(); i++)
        if (option_get((option_id)i)->commands & taken(c))
            guess_offer(&g, option_get((option_id)i)->name);
    if (g.best)
        complain("unknown option '%s'; did you mean '--%s'?", word, g.best);
    else
        complain("unknown option '%s'", word);
    return see_help(c);
}

static int misplaced(const cli *c, const char *word, const option *o)
{
    const char *owner = "";
    for (const command *d = c->commands; d->name && !*owner; d++)
        if (d->bit & o->commands) owner = d->name;
    if (c->command)
        complain("'%s' is no option of 'wgdn %s'; '%s' takes it", word, c->command->name, owner);
    else
        complain("'%s' goes behind a command, as in 'wgdn %s --%s'", word, owner, o->name);
    return see_help(c);
}

static int wants_value(const cli *c, const option *o)
{
    complain("--%s wants a value: %s", o->name, o->argument);
    return see_help(c);
}

static int takes_none(const cli *c, const char *word)
{
    complain("'%s' takes no value", word);
    return see_help(c);
}

/* Gives `words` when the value is one. */
static int set(cli *c, int id, const char *text, int words)
{
    char why[WHY];
    if (option_set(&c->values, (option_id)id, text, why, sizeof why)) return words;
    complain("--%s: %s", option_get((option_id)id)->name, why);
    return see_help(c);
}

/* --name or, for switches, --no-name. */
static int find_long(const char *name, size_t length, unsigned commands, bool *no)
{
    int id = option_find(name, length, commands);
    *no = false;
    if (id >= 0 || length <= 3 || strncmp(name, "no-", 3) != 0) return id;
    id = option_find(name + 3, length - 3, commands);
    *no = id >= 0 && option_get((option_id)id)->kind == KIND_BOOLEAN;
    return *no ? id : -1;
}

/* --name value, --name=value, --switch, --no-switch. Gives how many words it took, 0 for none. */
static int parse_long(cli *c, int left, const char **word)
{
    bool no = false;
    const char *name = word[0] + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const int id = find_long(name, length, taken(c), &no);
    if (id < 0) return unknown(c, word[0]);

    const option *o = option_get((option_id)id);
    if (!(o->commands & taken(c))) return misplaced(c, word[0], o);
    if (o->kind == KIND_BOOLEAN)
        return equals ? takes_none(c, word[0]) : set(c, id, no ? "no" : "yes", 1);
    if (equals) return set(c, id, equals + 1, 1);
    return left < 2 ? wants_value(c, o) : set(c, id, word[1], 2);
}

/* -x value, -xvalue, -abc for switches. */
static int parse_short(cli *c, int left, const char **word)
{
    for (const char *at = word[0] + 1; *at; at++) {
        const int id = option_find_letter(*at, taken(c));
        if (id < 0) return unknown(c, word[0]);
        const option *o = option_get((option_id)id);
        if (!(o->commands & taken(c))) return misplaced(c, word[0], o);
        if (o->kind != KIND_BOOLEAN) {
            if (at[1]) return set(c, id, at + 1, 1);
            return left < 2 ? wants_value(c, o) : set(c, id, word[1], 2);
        }
        if (set(c, id, "yes", 1) == 0) return 0;
    }
    return 1;
}

static int count_operands(const cli *c)
{
    const command *d = c->command;
    if (!d || option_on(&c->values, OPT_HELP)) return DONE;
    if (c->operands < d->least)
        complain("'wgdn %s' wants %s", d->name, d->operands);
    else if (c->operands > d->most)
        complain("'wgdn %s' does not know what to do with '%s'", d->name, c->operand[d->most]);
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
    return count_operands(c);
}
