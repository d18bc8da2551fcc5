/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the command line with the table of options, converts values, and applies them to the
 * library's structs. Commands read their options here; it also warns about options that have no
 * effect.
 */
#include "parse.h"
#include "cli.h"
#include "cmd_convert.h"
#include "command.h"
#include "files.h"
#include "program_options.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Builds the whole table: the program's own rows, then those of the library. */

typedef struct option_table {
    option row[OPTIONS_MAX];
    char text[OPTIONS_MAX - OPTIONS][640]; /* names, choices and defaults of the library's rows */
    char presets[512];
    char formats[3][160]; /* of datasets that are read, that are written, and of vectors */
    int count;
} option_table;

typedef struct library_table {
    option_home home;
    wgdn_options_kind kind;
} library_table;

static const library_table libraries[] = {
    {HOME_TRAIN, WGDN_OPTIONS_TRAIN},
    {HOME_EVAL, WGDN_OPTIONS_EVAL},
    {HOME_PROJECTION, WGDN_OPTIONS_PROJECTION},
    {HOME_FIT, WGDN_OPTIONS_FIT},
};

const char *option_topic(int i)
{
    static const char *const topics[] = {
        "Input",  "Features",      "Fit",        "Graph fits", "Settings",
        "Model",  "Graph filters", "Training",   "Graph sets", "Run",
        "Search", "Embedding",     "Evaluation", "Picture",    "2-D projection",
        "Output", "Limits",        "General",    NULL};
    return topics[i];
}

/* "max, sum or mean" to "max|sum|mean", in place. */
static void part_choices(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const bool comma = strncmp(at, ", ", 2) == 0, either = strncmp(at, " or ", 4) == 0;
        *to++ = *at;
        if (comma || either) to[-1] = '|';
        at += comma ? 2 : either ? 4 : 1;
    }
    *to = '\0';
}

static const char *argument_of(const wgdn_option_info *info)
{
    const struct {
        const char *type, *argument;
    } known[] = {{"boolean", NULL}, {"choice", "WHICH"}, {"number", "X"}, {"text", "TEXT"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(info->type, known[i].type) == 0) return known[i].argument;
    return "N";
}

static void add_row(option_table *t, const wgdn_option_info *info, option_home home)
{
    const bool choice = strcmp(info->type, "choice") == 0,
               flag = strcmp(info->type, "boolean") == 0;
    if (choice) part_choices((char *)(uintptr_t)info->choices); /* the text is ours */
    t->row[t->count++] = (option){.name = info->name,
                                  .alias = *info->alias ? info->alias : NULL,
                                  .kind = flag     ? KIND_BOOLEAN
                                          : choice ? KIND_CHOICE
                                                   : KIND_TEXT,
                                  .argument = argument_of(info),
                                  .choices = choice ? info->choices : NULL,
                                  .otherwise = info->default_text,
                                  .help = info->help,
                                  .topic = info->topic,
                                  .home = home};
}

/* --features, --splits and --threads are among the program's own and serve all. */
static bool is_own(const char *name)
{
    return strcmp(name, "features") == 0 || strcmp(name, "splits") == 0 ||
           strcmp(name, "threads") == 0;
}

static void add_library(option_table *t, const library_table *l)
{
    for (int i = 0; i < wgdn_options_count(l->kind) && t->count < OPTIONS_MAX; i++) {
        char *text = t->text[t->count - OPTIONS];
        wgdn_option_info info;
        if (wgdn_options_info(&info, text, sizeof t->text[0], l->kind, i, NULL)) continue;
        if (!is_own(info.name)) add_row(t, &info, l->home);
    }
}

static void list_presets(option_table *t)
{
    size_t used = 0;
    for (int i = 0; wgdn_preset_name(i) && used < sizeof t->presets; i++)
        used += (size_t)snprintf(t->presets + used, sizeof t->presets - used, "%s%s", i ? "|" : "",
                                 wgdn_preset_name(i));
    t->row[OPT_PRESET].choices = t->presets;
}

/* The library knows the names of formats. */
static void list_formats(option_table *t)
{
    const size_t size = sizeof t->formats[0];
    formats_choices(t->formats[0], size, wgdn_dataset_format, false);
    formats_choices(t->formats[1], size, wgdn_dataset_format, true);
    formats_choices(t->formats[2], size, wgdn_embedding_format, true);
    formats_more(t->formats[1], size, wgdn_embedding_format);
    t->row[OPT_FORMAT].choices = t->formats[0];
    t->row[OPT_CONVERT_TO].choices = t->formats[1];
    t->row[OPT_EMBED_TO].choices = t->formats[2];
}

/* Made once. */
static const option_table *all(void)
{
    static option_table t;
    if (t.count > 0) return &t;
    memcpy(t.row, program_options, sizeof program_options);
    t.count = OPTIONS;
    list_presets(&t);
    list_formats(&t);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        add_library(&t, &libraries[i]);
    return &t;
}

int option_count(void)
{
    return all()->count;
}

const option *option_get(option_id id)
{
    return &all()->row[id];
}

/* Converts options from text to numbers and fields, and back to text for help. */

/* The place of a word in "a|b|c", or -1. */
static int place_of(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int place = 0;
    for (const char *at = choices; at; place++) {
        const char *bar = strchr(at, '|');
        const size_t size = bar ? (size_t)(bar - at) : strlen(at);
        if (size == length && memcmp(at, word, size) == 0) return place;
        at = bar ? bar + 1 : NULL;
    }
    return -1;
}

static const char *word_at(const char *choices, int place, size_t *size)
{
    const char *at = choices;
    for (; place > 0 && at; place--) {
        at = strchr(at, '|');
        if (at) at++;
    }
    *size = at ? strcspn(at, "|") : 0;
    return at;
}

static bool read_boolean(const char *text, int *out)
{
    const int place = place_of("no|yes|false|true|0|1|off|on", text);
    *out = place % 2;
    return place >= 0;
}

static bool read_long(const char *text, int64_t *out)
{
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *out = (int64_t)value;
    return *text && !strchr(" \t\n", *text) && *end == '\0' && errno == 0;
}

static bool read_bytes(const char *text, int64_t *out)
{
    return wgdn_size_parse(out, text, NULL) == WGDN_OK;
}

static bool counts_bytes(const option *o)
{
    return strcmp(o->argument, "BYTES") == 0;
}

/* Text to field; false when it cannot be. field may be NULL: only look. */
static bool convert(const option *o, const char *text, void *field)
{
    int number = 0;
    int64_t large = 0;
    switch (o->kind) {
    case KIND_BOOLEAN:
        if (!read_boolean(text, &number)) return false;
        if (field) *(int *)field = number;
        return true;
    case KIND_CHOICE:
        number = place_of(o->choices, text);
        if (field) *(int *)field = number;
        return number >= 0;
    case KIND_INT:
        if (!read_long(text, &large) || large < INT32_MIN || large > INT32_MAX) return false;
        if (field) *(int *)field = (int)large;
        return true;
    case KIND_LONG:
        if (!(counts_bytes(o) ? read_bytes : read_long)(text, &large)) return false;
        if (field) *(int64_t *)field = large;
        return true;
    case KIND_TEXT:
    case KIND_PATH:
        if (field) *(const char **)field = text;
        return *text != '\0';
    }
    return false;
}

static void explain(const option *o, const char *text, char *why, size_t size)
{
    switch (o->kind) {
    case KIND_BOOLEAN: snprintf(why, size, "'%s' is neither yes nor no", text); break;
    case KIND_CHOICE: {
        size_t used = (size_t)snprintf(why, size, "'%s' is not one of ", text);
        for (const char *c = o->choices; *c && used + 3 < size; c++) {
            if (*c == '|') why[used++] = ',';
            if (*c == '|')
                why[used++] = ' ';
            else
                why[used++] = *c;
        }
        why[used < size ? used : size - 1] = '\0';
        break;
    }
    case KIND_INT:
    case KIND_LONG:
        snprintf(why, size,
                 counts_bytes(o) ? "'%s' is not a number of bytes, such as 500M or 1.5G"
                                 : "'%s' is not an integer in range",
                 text);
        break;
    case KIND_TEXT:
    case KIND_PATH: snprintf(why, size, "it is empty"); break;
    }
}

static bool is_library(const option *o)
{
    return o->home == HOME_TRAIN || o->home == HOME_EVAL || o->home == HOME_PROJECTION ||
           o->home == HOME_FIT;
}

static wgdn_options_kind kind_of(const option *o)
{
    return o->home == HOME_TRAIN  ? WGDN_OPTIONS_TRAIN
           : o->home == HOME_EVAL ? WGDN_OPTIONS_EVAL
           : o->home == HOME_FIT  ? WGDN_OPTIONS_FIT
                                  : WGDN_OPTIONS_PROJECTION;
}

static wgdn_status library_set(const option *o, void *to, const char *text, wgdn_error *err)
{
    return wgdn_options_set(kind_of(o), to, o->name, text, err);
}

/* The library itself judges what is its own. */
static bool library_takes(const option *o, const char *text, char *why, size_t size)
{
    union {
        wgdn_train_options train;
        wgdn_eval_options eval;
        wgdn_projection_options projection;
        wgdn_fit_options fit;
    } to;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_options_init(kind_of(o), &to, sizeof to);
    if (library_set(o, &to, text, &err) == WGDN_OK) return true;
    snprintf(why, size, "%s", err.message);
    return false;
}

/* "a" and "b" given one after the other are "a,b". */
static const char *join(option_values *v, const char *first, const char *second)
{
    char *to = v->joined + v->used;
    const size_t room = sizeof v->joined - v->used;
    const int size = snprintf(to, room, "%s,%s", first, second);
    if (size < 0 || (size_t)size >= room) return NULL;
    v->used += (size_t)size + 1;
    return to;
}

bool option_set(option_values *v, option_id id, const char *text, char *why, size_t size)
{
    const option *o = option_get(id);
    if (is_library(o) && !library_takes(o, text, why, size)) return false;
    if (!is_library(o) && !convert(o, text, NULL)) {
        explain(o, text, why, size);
        return false;
    }
    if (o->repeats && v->text[id]) text = join(v, v->text[id], text);
    if (!text) {
        snprintf(why, size, "the values together are longer than %d bytes", (int)sizeof v->joined);
        return false;
    }
    v->text[id] = text;
    return true;
}

bool option_on(const option_values *v, option_id id)
{
    const char *text = option_text(v, id);
    int on = 0;
    return text && read_boolean(text, &on) && on;
}

const char *option_text(const option_values *v, option_id id)
{
    return v->text[id] ? v->text[id] : option_get(id)->otherwise;
}

int option_choice(const option_values *v, option_id id)
{
    const char *text = option_text(v, id);
    return text ? place_of(option_get(id)->choices, text) : 0;
}

bool option_is_word(const option_values *v, option_id id)
{
    const char *choices = option_get(id)->choices;
    return v->text[id] && choices && place_of(choices, v->text[id]) >= 0;
}

int option_threads(const option_values *v)
{
    return v->text[OPT_THREADS] ? atoi(v->text[OPT_THREADS]) : 0;
}

static void ignore(wgdn_status status)
{
    (void)status;
}

void options_apply(const option_values *v, option_home home, void *to)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->home != home || !v->text[i]) continue;
        if (is_library(o))
            ignore(library_set(o, to, v->text[i], NULL)); /* judged before */
        else if (o->kind != KIND_PATH || !option_is_word(v, (option_id)i))
            (void)convert(o, v->text[i], (char *)to + o->offset);
    }
}

static bool print_field(const option *o, const void *field, char *text, size_t size)
{
    size_t length = 0;
    const char *word = NULL;
    switch (o->kind) {
    case KIND_BOOLEAN: return false; /* off, as one would think */
    case KIND_CHOICE:
        word = word_at(o->choices, *(const int *)field, &length);
        snprintf(text, size, "%.*s", (int)length, word ? word : "");
        return word != NULL;
    case KIND_INT: snprintf(text, size, "%d", *(const int *)field); return true;
    case KIND_LONG:
        (counts_bytes(o) ? show_limit : show_count)(text, size, *(const int64_t *)field);
        return true;
    case KIND_TEXT:
    case KIND_PATH:
        word = *(const char *const *)field;
        if (word) snprintf(text, size, "%s", word);
        return word != NULL;
    }
    return false;
}

bool option_default(option_id id, char *text, size_t size)
{
    const option *o = option_get(id);
    wgdn_dataset_options dataset;
    if (o->otherwise) {
        snprintf(text, size, "%s", o->otherwise);
        return true;
    }
    if (o->home != HOME_DATASET) return false;
    wgdn_dataset_options_init(&dataset);
    return print_field(o, (const char *)&dataset + o->offset, text, size);
}

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
    for (const option_id *o = d->options; o && *o != OPT_END; o++)
        if (*o == id) return true;
    const option *o = option_get(id);
    return is_among(d->topics, o->topic) || (o->home == HOME_FIT && is_among(d->fits, o->name));
}

static bool is_called(const option *o, const char *name, size_t length)
{
    if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return true;
    return o->alias && strlen(o->alias) == length && memcmp(o->alias, name, length) == 0;
}

bool command_reads(const command *d, int operand)
{
    return d->operand[operand > 0].files && operand != d->output_operand - 1;
}

int command_option(const command *d, const char *name, size_t length)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, (option_id)i) && is_called(option_get((option_id)i), name, length))
            return i;
    return -1;
}

int command_letter(const command *d, char letter)
{
    for (int i = 0; letter && i < option_count(); i++)
        if (option_get((option_id)i)->letter == letter && command_takes(d, (option_id)i)) return i;
    return -1;
}

int any_option(const char *name, size_t length)
{
    for (int i = 0; i < option_count(); i++)
        if (is_called(option_get((option_id)i), name, length)) return i;
    return -1;
}

static int any_letter(char letter)
{
    for (int i = 0; letter && i < option_count(); i++)
        if (option_get((option_id)i)->letter == letter) return i;
    return -1;
}

const command *command_find(const command *const *commands, const char *name)
{
    for (; *commands; commands++)
        if (strcmp((*commands)->name, name) == 0) return *commands;
    return NULL;
}

/* Parses the words of a command line by the table of options. */

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

/* "--option acts only when --by is one of these": "a|b"; "!a": anything but a; ",": a list. */
typedef struct rule {
    const char *option, *by, *only;
} rule;

static const rule training[] = {
    {"beta", "augment", "noise"},
    {"drop-rate", "augment", "drop-edge|drop-node"},
    {"structural-dim", "features", "random-walk"},
    {"decay-every", "decay", "!1"},
    {"aggregate", "gamma", ","},
    {"average", "decoder", "wiener"},
    {"balance", "loss", "rmse|row-rmse"},
    {"skip", "decoder-layers", "!1"},
    {"skip", "layers", "!1"},
    {"batch-size", "task", "!node"},
    {"pool", "task", "!node"},
    {NULL, NULL, NULL},
};
static const rule fitting[] = {
    {"scale", "features", "!structure"},
    {"binarise", "features", "!structure"},
    {NULL, NULL, NULL},
};
static const rule probing[] = {
    {"steps", "classifier", "adam"},
    {"learning-rate", "classifier", "adam"},
    {"weight-decay", "classifier", "adam"},
    {"train-fraction", "splits", "auto|random"},
    {"validation-fraction", "splits", "auto|random"},
    {"folds", "splits", "stratified"},
    {NULL, NULL, NULL},
};
static const rule projecting[] = {
    {"perplexity", "projection", "tsne"},
    {"steps", "projection", "tsne"},
    {"theta", "projection", "tsne"},
    {NULL, NULL, NULL},
};
/* What is evaluated, and what each task looks at. */
static const rule tasks[] = {
    {"classifier", "task", "probe"},
    {"steps", "task", "probe"},
    {"learning-rate", "task", "probe"},
    {"weight-decay", "task", "probe"},
    {"protocol", "task", "probe"},
    {"runs", "task", "probe"},
    {"splits", "task", "probe"},
    {"train-fraction", "task", "probe"},
    {"validation-fraction", "task", "probe"},
    {"folds", "task", "probe|graph"},
    {"restarts", "task", "cluster"},
    {"test-edge-fraction", "task", "links|quality"},
    {"metric", "task", "links|cluster|quality"},
    {"pool", "task", "graph"},
    {NULL, NULL, NULL},
};

static bool is_given(const cli *c, const char *name)
{
    const int id = command_option(c->command, name, strlen(name));
    return id >= 0 && c->values.text[id];
}

static bool is_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|')) {
        if (*at == '|') at++;
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool acts(const char *only, const char *value)
{
    if (*only == '!') return strcmp(only + 1, value) != 0;
    return *only == ',' ? strchr(value, ',') != NULL : is_word(only, value);
}

/* A rule, once the value of `by` is known. True after a remark. */
static bool judge(const cli *c, const rule *r, const char *value)
{
    if (!is_given(c, r->option) || acts(r->only, value)) return false;
    remark(c, "--%s has no effect with --%s %s", r->option, r->by, value);
    return true;
}

/* All of them, by a struct of the library's. */
static void judge_all(const cli *c, const rule *r, wgdn_options_kind kind, const void *o)
{
    for (; r->option; r++) {
        char value[160];
        if (wgdn_options_get(value, sizeof value, kind, o, r->by, NULL) == WGDN_OK &&
            judge(c, r, value) && r[1].option && strcmp(r->option, r[1].option) == 0)
            r++; /* once is enough */
    }
}

static void say(const cli *c, const char *name, const char *why)
{
    if (is_given(c, name)) remark(c, "--%s has no effect: %s", name, why);
}

/* Everything that embeds does so without labels. */
static void no_labels(const cli *c)
{
    static const char why[] = "labels and splits are for 'wgdn eval'";
    say(c, "labels", why);
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
    say(c, "splits", why);
}

void effects_train(const cli *c, const wgdn_train_options *o, const wgdn_dataset *d)
{
    const bool features = wgdn_dataset_features(d) > 0;
    judge_all(c, training, WGDN_OPTIONS_TRAIN, o);
    if (features && o->features == WGDN_FEATURES_RANDOM_WALK)
        say(c, "structural-dim", "the data has features");
    if (!features) say(c, "binarise", "the data has no features");
    if (o->task == WGDN_TASK_AUTO && wgdn_dataset_graphs(d) == 1) {
        say(c, "batch-size", "the data is one graph");
        say(c, "pool", "the data is one graph");
    }
    if (wgdn_ranks_count(c->ranks) == 1) say(c, "rank-timeout", "there is one process");
    no_labels(c);
}

void effects_fit(const cli *c, const wgdn_fit_options *o, const wgdn_dataset *d)
{
    judge_all(c, fitting, WGDN_OPTIONS_FIT, o);
    if (wgdn_dataset_features(d) == 0 && o->features != WGDN_USE_STRUCTURE) {
        say(c, "scale", "the data has no features");
        say(c, "binarise", "the data has no features");
    }
    if (wgdn_dataset_graphs(d) > 1)
        say(c, "memory", "sets of graphs go through in runs of bounded size");
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
    } else if (f->features == WGDN_USE_STRUCTURE || wgdn_dataset_features(d) == 0) {
        say(c, "scale", "the closed form is of the graph's structure");
        say(c, "refine", "it is for features that neighbours share");
    }
}

void effects_embed(const cli *c, bool graphs)
{
    if (!graphs) say(c, "pool", "nodes are embedded, not graphs");
    if (c->operands > 1) no_labels(c);
}

void effects_eval(const cli *c, const wgdn_eval_options *o, const char *task, const wgdn_dataset *d)
{
    const bool probe = strcmp(task, "probe") == 0;
    for (const rule *r = tasks; r->option; r++)
        (void)judge(c, r, task);
    if (probe) judge_all(c, probing, WGDN_OPTIONS_EVAL, o);
    if (probe && o->splits == WGDN_SPLITS_AUTO && o->train_fraction <= 0 &&
        dataset_info(d).splits > 0)
        say(c, "validation-fraction", "the splits are those of the data");
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
}

void effects_plot(const cli *c, const char *kind)
{
    static const rule rules[] = {{"labels", "kind", "map"},      {"label-column", "kind", "map"},
                                 {"points", "kind", "map"},      {"preset", "kind", "response"},
                                 {"config", "kind", "response"}, {NULL, NULL, NULL}};
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    options_apply(&c->values, HOME_PROJECTION, &o);
    for (const rule *r = rules; r->option; r++)
        (void)judge(c, r, kind);
    for (int i = 0; i < option_count(); i++) {
        const option *row = option_get((option_id)i);
        if (!c->values.text[i]) continue;
        const rule whole = {row->name, "kind", row->home == HOME_TRAIN ? "response" : "map"};
        if (row->home == HOME_TRAIN || row->home == HOME_PROJECTION) (void)judge(c, &whole, kind);
    }
    if (strcmp(kind, "map") == 0) judge_all(c, projecting, WGDN_OPTIONS_PROJECTION, &o);
}
