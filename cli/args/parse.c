/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses command lines with the table of options, and warns about options that have no effect. It
 * also knows which options a command takes.
 */
#include "cli.h"
#include "files.h"
#include "terminal.h"

#include <string.h>

static bool is_among(const char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

bool command_takes(const command *d, option_id id)
{
    if (id == OPT_HELP) return true;
    if (!d || id == OPT_VERSION) return !d && id == OPT_VERSION;
    if (id == OPT_HELP_ALL) return true;
    const option *o = option_get(id);
    for (const option_id *listed = d->options; listed && *listed != OPT_END; listed++)
        if (*listed == id || (*listed == OPT_INPUT && option_is_input(o))) return true;
    return is_among(d->topics, o->row.topic) ||
           ((o->kind == WGDN_OPTIONS_KIND_FIT || o->kind == WGDN_OPTIONS_KIND_RECOMMEND) &&
            is_among(d->fits, o->row.name));
}

bool command_reads(const command *d, int operand)
{
    return d->operand[operand > 0].files && operand != d->output_operand - 1;
}

/* Compares a name with the first bytes of a word; '-' and '_' are the same, as in the library. */
static bool is_called(const char *name, const char *word, size_t length)
{
    size_t i = 0;
    while (name && i < length && (name[i] == word[i] || (name[i] == '-' && word[i] == '_')))
        i++;
    return name && i == length && !name[i];
}

/* The option of a name, or of a letter if that is not 0, that the command takes, or anyone; or -1. */
static int find(const command *d, bool any, const char *name, size_t length, char letter)
{
    for (int i = 0; i < option_count(); i++) {
        const option_id id = option_at(i);
        const option *o = option_get(id);
        const bool found = letter ? o->letter == letter
                                  : is_called(o->row.name, name, length) ||
                                        is_called(o->row.alias, name, length) ||
                                        is_called(o->row.old_name, name, length);
        if (found && (any || command_takes(d, id))) return (int)id;
    }
    return -1;
}

int command_option(const command *d, const char *name)
{
    return find(d, false, name, strlen(name), 0);
}

int command_letter(const command *d, char letter)
{
    return find(d, false, NULL, 0, letter);
}

int any_option(const char *name)
{
    return find(NULL, true, name, strlen(name), 0);
}

const command *command_find(const command *const *commands, const char *name)
{
    for (; *commands; commands++)
        if (strcmp((*commands)->name, name) == 0) return *commands;
    return NULL;
}

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
        if (command_takes(c->command, option_at(i)))
            guess_offer(&g, option_get(option_at(i))->row.name);
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
                 option_get((option_id)id)->row.name);
    return see_help(c);
}

static int wants_value(const cli *c, const option *o)
{
    complain("--%s needs a value: %s", o->row.name, o->row.argument);
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
    if (!first || option_is_flag(o) || o->row.repeats) return false;
    complain("--%s was given twice, as '%s' and as '%s'; leave one out", o->row.name, first, text);
    return true;
}

/* Gives `words` when the value is one. */
static int set(cli *c, int id, const char *text, int words)
{
    char why[WHY];
    if (is_repeated(c, id, text)) return see_help(c);
    if (option_set(&c->values, (option_id)id, text, why, sizeof why)) return words;
    const char *name = option_get((option_id)id)->row.name;
    const size_t length = strlen(name);
    /* A message of the library begins with the field, as in "max_nodes = 0 is not within ...". */
    const bool again = is_called(name, why, length) && strncmp(why + length, " = ", 3) == 0;
    complain("--%s: %s", name, again ? why + length + 3 : why);
    return see_help(c);
}

/* --name or, for booleans, --no-name; among the options of the command, or among all. */
static int find_long(const cli *c, bool any, const char *name, size_t length, bool *no)
{
    int id = find(c->command, any, name, length, 0);
    *no = false;
    if (id >= 0 || length <= 3 || strncmp(name, "no-", 3) != 0) return id;
    id = find(c->command, any, name + 3, length - 3, 0);
    *no = id >= 0 && option_is_flag(option_get((option_id)id));
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
    if (option_is_flag(o))
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
            const int other = find(NULL, true, NULL, 0, *at);
            return other < 0 ? unknown(c, word[0]) : misplaced(c, word[0], other);
        }
        const option *o = option_get((option_id)id);
        if (!option_is_flag(o)) {
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

/* Whether a value meets what stands behind '=' in only_if, up to `end`. */
static bool meets(const char *words, const char *end, const char *value)
{
    const size_t length = strlen(value);
    const bool negated = *words == '!';
    if (*words == ',') return strchr(value, ',') != NULL;
    for (const char *at = words + negated; at < end;) {
        const char *bar = memchr(at, '|', (size_t)(end - at)), *last = bar ? bar : end;
        if ((size_t)(last - at) == length && memcmp(at, value, length) == 0) return !negated;
        at = last + 1;
    }
    return negated;
}

/* What is known of other options when effects are judged. */
typedef struct situation {
    wgdn_options_kind kind; /* of o; 0: there is none */
    const void *o;
    const char *by, *value; /* an option of the program, and its value; or NULL */
} situation;

/* Warn of an option if a condition of only_if that is about known options does not hold. */
static void judge(const cli *c, const option *o, const situation *s)
{
    for (const char *at = o->row.only_if; at && *at; at += *at == ';') {
        const char *equals = strchr(at, '='), *end = equals + strcspn(equals, ";");
        char name[40], value[160] = "";
        snprintf(name, sizeof name, "%.*s", (int)(equals - at), at);
        at = end;
        if (s->by && strcmp(name, s->by) == 0)
            snprintf(value, sizeof value, "%s", s->value);
        else if (o->kind != s->kind || !s->o ||
                 wgdn_options_get(value, sizeof value, s->kind, s->o, name, NULL))
            continue;
        if (meets(equals + 1, end, value)) continue;
        for (char *dash = name; (dash = strchr(dash, '_'));)
            *dash = '-';
        remark(c, "--%s has no effect with --%s %s", o->row.name, name, value);
        return;
    }
}

static void judge_all(const cli *c, const situation *s)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (c->values.text[option_at(i)] && (o->kind == s->kind || s->by)) judge(c, o, s);
    }
}

static bool is_given(const cli *c, const char *name)
{
    const int id = command_option(c->command, name);
    return id >= 0 && c->values.text[id];
}

static void say(const cli *c, const char *name, const char *why)
{
    if (is_given(c, name)) remark(c, "--%s has no effect: %s", name, why);
}

/* Everything that embeds does so without labels. */
static void no_labels(const cli *c)
{
    static const char why[] = "labels and splits are for 'wgdn eval'";
    if (command_option(c->command, "label-kind") >= 0) return; /* it learns from labels */
    say(c, "labels", why);
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
    say(c, "splits", why);
}

void effects_train(const cli *c, const wgdn_train_options *o, const wgdn_dataset *d)
{
    const bool features = wgdn_dataset_features(d) > 0;
    judge_all(c, &(situation){WGDN_OPTIONS_KIND_TRAIN, o, NULL, NULL});
    if (features && o->features == WGDN_STRUCTURAL_FEATURES_RANDOM_WALK)
        say(c, "structural-dim", "the data has features");
    if (!features) say(c, "binarize", "the data has no features");
    if (o->task == WGDN_TASK_AUTO && wgdn_dataset_graphs(d) == 1) {
        say(c, "batch-size", "the data is one graph");
        say(c, "pool", "the data is one graph");
    }
    if (wgdn_ranks_count(c->ranks) == 1) say(c, "rank-timeout", "there is one process");
    no_labels(c);
}

void effects_fit(const cli *c, const wgdn_fit_options *o, const wgdn_dataset *d)
{
    judge_all(c, &(situation){WGDN_OPTIONS_KIND_FIT, o, NULL, NULL});
    if (wgdn_dataset_features(d) == 0 && o->features != WGDN_FIT_FEATURES_STRUCTURE) {
        say(c, "scale", "the data has no features");
        say(c, "binarize", "the data has no features");
    }
    if (wgdn_dataset_graphs(d) > 1)
        say(c, "memory", "sets of graphs are processed in batches of bounded size");
    if (wgdn_ranks_count(c->ranks) == 1) say(c, "rank-timeout", "there is one process");
    no_labels(c);
}

void effects_estimate(const cli *c, const wgdn_train_options *t, const wgdn_fit_options *f,
                      const wgdn_dataset *d)
{
    static const char alone[] = "of sets of graphs only training is estimated";
    const bool graphs = wgdn_dataset_graphs(d) > 1;
    effects_train(c, t, d);
    if (graphs) {
        say(c, "refine", alone);
        say(c, "scale", alone);
        say(c, "memory", alone);
    } else if (f->features == WGDN_FIT_FEATURES_STRUCTURE || wgdn_dataset_features(d) == 0) {
        say(c, "scale", "the closed form uses the graph's structure alone");
        say(c, "refine", "it is for features that neighbors share");
    }
}

void effects_embed(const cli *c, bool graphs)
{
    if (!graphs) say(c, "pool", "nodes are embedded, not graphs");
    if (c->encoding) no_labels(c); /* there is a model */
}

void effects_eval(const cli *c, const wgdn_eval_options *o, const char *task, const wgdn_dataset *d)
{
    const bool probe = strcmp(task, "probe") == 0;
    /* The other conditions of options of evaluation are about probes. */
    judge_all(c, &(situation){WGDN_OPTIONS_KIND_EVAL, probe ? o : NULL, "task", task});
    if (probe && o->splits == WGDN_SPLITS_AUTO && o->train_fraction <= 0 &&
        dataset_info(d).splits > 0)
        say(c, "validation-fraction", "the splits are those of the data");
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
}

void effects_plot(const cli *c, const char *kind)
{
    const bool map = strcmp(kind, "map") == 0, response = strcmp(kind, "response") == 0;
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_PROJECTION, &o);
    for (int i = 0; i < option_count(); i++) {
        const option_id id = option_at(i);
        const wgdn_options_kind of = option_get(id)->kind;
        const bool of_map = of == WGDN_OPTIONS_KIND_PROJECTION || id == OPT_LABELS ||
                            id == OPT_LABEL_COLUMN || id == OPT_POINTS,
                   of_response =
                       of == WGDN_OPTIONS_KIND_TRAIN || id == OPT_PRESET || id == OPT_CONFIG;
        if (c->values.text[id] && ((of_map && !map) || (of_response && !response)))
            remark(c, "--%s has no effect with --kind %s", option_get(id)->row.name, kind);
    }
    if (map) judge_all(c, &(situation){WGDN_OPTIONS_KIND_PROJECTION, &o, NULL, NULL});
}
