/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets, reads, checks and describes options by name, using the tables in options.c. The command
 * line, INI files, Python keywords and the options in model files all go through these calls.
 */
#include "options.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each conversion only where the type asks for it: out of range it would be undefined. */
static void put_number(char *field, wgdn_option_type type, double value)
{
    if (type == OPTION_DOUBLE) {
        memcpy(field, &value, sizeof value);
    } else if (type == OPTION_INT64) {
        const int64_t wide = (int64_t)value;
        memcpy(field, &wide, sizeof wide);
    } else if (type == OPTION_SEED) {
        const uint64_t seed = (uint64_t)value;
        memcpy(field, &seed, sizeof seed);
    } else {
        const int whole = (int)value;
        memcpy(field, &whole, sizeof whole);
    }
}

static double get_number(const char *field, wgdn_option_type type)
{
    double value;
    int64_t wide;
    int whole;
    if (type == OPTION_INT64) {
        memcpy(&wide, field, sizeof wide);
        return (double)wide;
    }
    if (type == OPTION_DOUBLE) {
        memcpy(&value, field, sizeof value);
        return value;
    }
    memcpy(&whole, field, sizeof whole);
    return whole;
}

void wgdn_option_defaults(void *o, size_t size, const wgdn_option_set *set)
{
    memset(o, 0, size);
    memcpy(o, &size, sizeof size);
    for (size_t i = 0; i < set->count; i++) {
        const wgdn_option_row *r = &set->row[i];
        char *field = (char *)o + r->offset;
        if (r->offset + r->size > size) continue;
        if (r->type == OPTION_TEXT)
            snprintf(field, r->size, "%s", r->default_text);
        else
            put_number(field, r->type, r->default_number);
    }
}

static double choice_count(const wgdn_option_row *r)
{
    int count = 0;
    while (r->choices[count])
        count++;
    return count;
}

enum { RANGE = 64 };

/* "0 .. 4096" */
static const char *range_text(char text[RANGE], double min, double max)
{
    char low[24], high[24];
    wgdn_number_text(low, sizeof low, min);
    wgdn_number_text(high, sizeof high, max);
    snprintf(text, RANGE, "%s .. %s", low, high);
    return text;
}

static wgdn_status check(const void *o, const wgdn_option_set *set, wgdn_error *err)
{
    char range[RANGE];
    for (size_t i = 0; i < set->count; i++) {
        const wgdn_option_row *r = &set->row[i];
        const char *field = (const char *)o + r->offset;
        double min = r->min, max = r->max;
        if (r->type == OPTION_SEED) continue;
        if (r->type == OPTION_TEXT) {
            if (memchr(field, 0, r->size)) continue;
            return wgdn_fail(err, WGDN_EINVAL, "%s: %s has no end", set->what, r->name);
        }
        if (r->type == OPTION_BOOLEAN) max = 1;
        if (r->type == OPTION_CHOICE) max = choice_count(r) - 1;
        const double value = get_number(field, r->type);
        if (!(value >= min && value <= max))
            return wgdn_fail(err, WGDN_EINVAL, "%s: %s = %g is not within %s", set->what, r->name,
                             value, range_text(range, min, max));
    }
    return WGDN_OK;
}

wgdn_status wgdn_option_read(void *out, const void *in, const wgdn_option_set *set, wgdn_error *err)
{
    wgdn_option_defaults(out, set->size, set);
    if (in) {
        size_t given;
        memcpy(&given, in, sizeof given);
        if (given < sizeof(size_t))
            return wgdn_fail(err, WGDN_EINVAL,
                             "%s: struct_size is %zu: set the struct up with its _init call",
                             set->what, given);
        memcpy(out, in, given < set->size ? given : set->size);
        memcpy(out, &set->size, sizeof set->size);
    }
    return check(out, set, err);
}

static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return false;
    return *a == *b;
}

static const wgdn_option_row *find(const wgdn_option_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (same_name(set->row[i].name, name) ||
            (set->row[i].alias && same_name(set->row[i].alias, name)))
            return &set->row[i];
    return NULL;
}

/* As users write it. */
static void dashed(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s", name);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = '-';
}

/* There is no option of that name; perhaps one that is two letters off, or one if it is short. */
static wgdn_status unknown(const wgdn_option_set *set, const char *name, wgdn_error *err)
{
    char word[WGDN_WORD_MAX + 2], known[sizeof word], nearest[sizeof word] = "";
    int apart = 3;
    dashed(word, sizeof word, name);
    for (size_t i = 0; i < set->count; i++) {
        dashed(known, sizeof known, set->row[i].name);
        const int distance = wgdn_word_distance(word, known);
        if (distance >= apart || distance > ((int)strlen(known) + 2) / 3) continue;
        apart = distance;
        memcpy(nearest, known, sizeof nearest);
    }
    return wgdn_fail(err, WGDN_EINVAL, "%s: there is no '%.60s'%s%s%s", set->what, name,
                     *nearest ? "; did you mean '" : "", nearest, *nearest ? "'?" : "");
}

/* "a, b or c" */
static void list_choices(char *out, size_t size, const wgdn_option_row *r)
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; r->choices[i] && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0              ? ""
                                 : r->choices[i + 1] ? ", "
                                                     : " or ",
                                 r->choices[i]);
}

static wgdn_status set_choice(char *field, const wgdn_option_row *r, const char *value,
                              wgdn_error *err)
{
    char names[120];
    for (int i = 0; r->choices[i]; i++)
        if (same_name(r->choices[i], value)) {
            put_number(field, r->type, i);
            return WGDN_OK;
        }
    list_choices(names, sizeof names, r);
    return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s': it may be %s", r->name, value, names);
}

static wgdn_status set_boolean(char *field, const wgdn_option_row *r, const char *value,
                               wgdn_error *err)
{
    static const char *const yes[] = {"yes", "true", "on", "1"}, *const no[] = {"no", "false",
                                                                                "off", "0"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, yes[i]) != 0 && strcmp(value, no[i]) != 0) continue;
        put_number(field, r->type, strcmp(value, yes[i]) == 0);
        return WGDN_OK;
    }
    return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s': it may be yes or no", r->name, value);
}

static wgdn_status set_number(char *field, const wgdn_option_row *r, const char *value,
                              wgdn_error *err)
{
    char range[RANGE];
    double number = 0;
    const bool whole = r->type == OPTION_INT || r->type == OPTION_INT64;
    if (!wgdn_number_read(&number, value) || !isfinite(number) ||
        (whole && number != floor(number)))
        return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s' is not %s", r->name, value,
                         whole ? "an integer" : "a number");
    if (number < r->min || number > r->max)
        return wgdn_fail(err, WGDN_EINVAL, "%s = %.40s is not within %s", r->name, value,
                         range_text(range, r->min, r->max));
    put_number(field, r->type, number);
    return WGDN_OK;
}

static wgdn_status set_seed(char *field, const wgdn_option_row *r, const char *value,
                            wgdn_error *err)
{
    char *end;
    errno = 0;
    const uint64_t seed = strtoull(value, &end, 0);
    if (end == value || *end || errno || strchr(value, '-'))
        return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s' is not an integer below 2^64", r->name,
                         value);
    memcpy(field, &seed, sizeof seed);
    return WGDN_OK;
}

wgdn_status wgdn_option_set_text(void *o, const wgdn_option_set *set, const char *name,
                                 const char *value, wgdn_error *err)
{
    const wgdn_option_row *r = find(set, name);
    size_t given;
    if (!r) return unknown(set, name, err);
    memcpy(&given, o, sizeof given);
    if (r->offset + r->size > given)
        return wgdn_fail(err, WGDN_EINVAL, "%s: struct_size is %zu: there is no %s in it",
                         set->what, given, r->name);
    char *field = (char *)o + r->offset;
    switch (r->type) {
    case OPTION_TEXT: break;
    case OPTION_CHOICE: return set_choice(field, r, value, err);
    case OPTION_BOOLEAN: return set_boolean(field, r, value, err);
    case OPTION_SEED: return set_seed(field, r, value, err);
    default: return set_number(field, r, value, err);
    }
    if (strlen(value) >= r->size)
        return wgdn_fail(err, WGDN_EINVAL, "%s: '%.40s...' is longer than %zu bytes", r->name,
                         value, r->size - 1);
    snprintf(field, r->size, "%s", value);
    return WGDN_OK;
}

wgdn_status wgdn_option_get_text(char *out, size_t size, const void *o, const wgdn_option_set *set,
                                 const char *name, wgdn_error *err)
{
    const wgdn_option_row *r = find(set, name);
    if (!r) return unknown(set, name, err);
    const char *field = (const char *)o + r->offset;
    uint64_t seed;
    switch (r->type) {
    case OPTION_TEXT: snprintf(out, size, "%s", field); break;
    case OPTION_CHOICE:
        snprintf(out, size, "%s", r->choices[(int)get_number(field, r->type)]);
        break;
    case OPTION_BOOLEAN:
        snprintf(out, size, "%s", get_number(field, r->type) != 0 ? "yes" : "no");
        break;
    case OPTION_SEED:
        memcpy(&seed, field, sizeof seed);
        snprintf(out, size, "%llu", (unsigned long long)seed);
        break;
    case OPTION_INT64:
    case OPTION_INT: snprintf(out, size, "%.0f", get_number(field, r->type)); break;
    case OPTION_DOUBLE: wgdn_number_text(out, size, get_number(field, r->type)); break;
    }
    return WGDN_OK;
}

/* Append a text to a buffer and give its place; "" when there is no room. */
static const char *keep(char **at, size_t *left, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *place = *at;
    if (size > *left) return "";
    memcpy(place, text, size);
    *at += size;
    *left -= size;
    return place;
}

static const char *type_name(wgdn_option_type type)
{
    switch (type) {
    case OPTION_DOUBLE: return "number";
    case OPTION_CHOICE: return "choice";
    case OPTION_BOOLEAN: return "boolean";
    case OPTION_TEXT: return "text";
    default: return "integer";
    }
}

/* Facts about row i, in texts kept in the caller's buffer. */
static wgdn_status option_describe(wgdn_option_info *info, char *text, size_t size, int i,
                                   const wgdn_option_set *set, wgdn_error *err)
{
    wgdn_option_room defaults;
    char word[160];
    if (i < 0 || (size_t)i >= set->count)
        return wgdn_fail(err, WGDN_EINVAL, "%s: there is no option number %d", set->what, i);
    const wgdn_option_row *r = &set->row[i];
    *info = (wgdn_option_info){.type = type_name(r->type),
                               .help = r->help,
                               .topic = r->topic ? r->topic : "",
                               .alias = r->alias ? r->alias : ""};
    dashed(word, sizeof word, r->name);
    info->name = keep(&text, &size, word);
    word[0] = 0;
    if (r->type == OPTION_CHOICE) list_choices(word, sizeof word, r);
    info->choices = keep(&text, &size, word);
    word[0] = 0;
    if (r->type == OPTION_INT || r->type == OPTION_INT64 || r->type == OPTION_DOUBLE)
        range_text(word, r->min, r->max);
    info->range = keep(&text, &size, word);
    wgdn_option_defaults(&defaults, set->size, set);
    const wgdn_status st = wgdn_option_get_text(word, sizeof word, &defaults, set, r->name, err);
    info->default_text = keep(&text, &size, word);
    return st;
}

/* Gives access to options by kind, for command lines, configuration files and other languages. */

static wgdn_status no_kind(wgdn_options_kind kind, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "options: there is no kind %d", (int)kind);
}

void wgdn_options_init(wgdn_options_kind kind, void *o, size_t size)
{
    static const wgdn_option_set none = {0};
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    if (size >= sizeof size) wgdn_option_defaults(o, size, set ? set : &none);
}

wgdn_status wgdn_options_set(wgdn_options_kind kind, void *o, const char *name, const char *value,
                             wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    return set ? wgdn_option_set_text(o, set, name, value, err) : no_kind(kind, err);
}

wgdn_status wgdn_options_get(char *value, size_t size, wgdn_options_kind kind, const void *o,
                             const char *name, wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    wgdn_option_room all;
    if (!set) return no_kind(kind, err);
    const wgdn_status st = wgdn_option_read(&all, o, set, err);
    return st ? st : wgdn_option_get_text(value, size, &all, set, name, err);
}

int wgdn_options_count(wgdn_options_kind kind)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    return set ? (int)set->count : 0;
}

wgdn_status wgdn_options_info(wgdn_option_info *info, char *text, size_t size,
                              wgdn_options_kind kind, int i, wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    return set ? option_describe(info, text, size, i, set, err) : no_kind(kind, err);
}

/* Reads options from INI text: presets and configuration files. */

typedef struct reading {
    void *o;
    const wgdn_option_set *set;
    wgdn_error why; /* of the first setting that was refused */
} reading;

/* Whether the settings of a section are for this set. */
static bool is_for(const wgdn_option_set *set, const char *section)
{
    const wgdn_option_set *other;
    if (set->section) return strcmp(section, set->section) == 0;
    for (int kind = 0; (other = wgdn_option_set_of((wgdn_options_kind)kind)) != NULL; kind++)
        if (other->section && strcmp(section, other->section) == 0) return false;
    return true;
}

/* inih counts the handler's zeros as errors and goes on; the first one is kept. */
static int set_one(void *user, const char *section, const char *name, const char *value)
{
    reading *r = user;
    if (r->why.code || !is_for(r->set, section)) return 1;
    return wgdn_option_set_text(r->o, r->set, name, value, &r->why) == WGDN_OK;
}

wgdn_status wgdn_options_parse(wgdn_options_kind kind, void *o, const char *text, const char *name,
                               wgdn_error *err)
{
    wgdn_option_room parsed;
    reading r = {.o = &parsed, .set = wgdn_option_set_of(kind)};
    size_t size;
    if (!r.set) return wgdn_fail(err, WGDN_EINVAL, "options: there is no kind %d", (int)kind);
    memset(&parsed, 0, sizeof parsed);
    memcpy(&size, o, sizeof size);
    memcpy(&parsed, o, size < r.set->size ? size : r.set->size);
    const int line = ini_parse_string(text, set_one, &r);
    if (line < 0) return wgdn_fail(err, WGDN_ENOMEM, "%s: out of memory", name);
    if (line > 0)
        return wgdn_fail(err, WGDN_EINVAL, "%s, line %d: %.160s", name, line,
                         r.why.code ? r.why.message : "expected `option = value`");
    memcpy(o, &parsed, size < r.set->size ? size : r.set->size);
    return WGDN_OK;
}
