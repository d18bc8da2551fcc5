/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets, reads and checks options by name, using the tables in options.c. The command line, INI
 * files, Python keywords and the options in model files all go through these calls.
 */
#include "options.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for any of the structs. */
typedef union room {
    size_t struct_size;
    wgdn_compute_options compute;
    wgdn_apply_options apply;
    wgdn_restore_options restore;
    wgdn_density_options density;
    wgdn_dataset_options dataset;
    wgdn_train_options train;
    wgdn_fit_options fit;
    wgdn_embed_options embed;
    wgdn_eval_options eval;
    wgdn_projection_options projection;
    wgdn_write_options write;
} room;

/* Whether the first `size` bytes of a name are that word; '-' and '_' are the same. */
static bool same_name(const char *name, size_t size, const char *word)
{
    size_t i = 0;
    for (; i < size && word[i]; i++)
        if (name[i] != word[i] && !(strchr("-_", name[i]) && strchr("-_", word[i]))) return false;
    return i == size && !word[i];
}

static bool is_wide(const wgdn_option_info *r)
{
    return r->size == sizeof(int64_t);
}

/* Each conversion only where the type asks for it: out of range it would be undefined. */
static void put_number(char *field, const wgdn_option_info *r, double value)
{
    if (r->type == WGDN_OPTION_TYPE_NUMBER) {
        memcpy(field, &value, sizeof value);
    } else if (is_wide(r)) {
        const int64_t wide = (int64_t)value;
        memcpy(field, &wide, sizeof wide);
    } else {
        const int narrow = (int)value;
        memcpy(field, &narrow, sizeof narrow);
    }
}

static double get_number(const char *field, const wgdn_option_info *r)
{
    double value;
    int64_t wide;
    int narrow;
    if (r->type == WGDN_OPTION_TYPE_NUMBER) {
        memcpy(&value, field, sizeof value);
        return value;
    }
    if (is_wide(r)) {
        memcpy(&wide, field, sizeof wide);
        return (double)wide;
    }
    memcpy(&narrow, field, sizeof narrow);
    return narrow;
}

/* The number of a word among "a|b|c"; -1 if it is none of them. */
static int place_of(const char *choices, const char *word)
{
    int place = 0;
    for (const char *at = choices; at; place++) {
        const size_t size = strcspn(at, "|");
        if (same_name(at, size, word)) return place;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
}

/* The word of that number, and its length. */
static const char *word_at(const char *choices, int place, size_t *size)
{
    for (; place > 0; place--)
        choices += strcspn(choices, "|") + 1;
    *size = strcspn(choices, "|");
    return choices;
}

static int choice_count(const wgdn_option_info *r)
{
    int count = 1;
    for (const char *at = r->choices; *at; at++)
        count += *at == '|';
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
        const wgdn_option_info *r = &set->row[i];
        const char *field = (const char *)o + r->offset;
        if (r->type == WGDN_OPTION_TYPE_SEED || wgdn_option_borrows(r)) continue;
        if (r->type == WGDN_OPTION_TYPE_TEXT) {
            if (memchr(field, 0, r->size)) continue;
            return wgdn_fail(err, WGDN_EINVAL, "%s: %s is not NUL-terminated", set->what, r->name);
        }
        const double value = get_number(field, r),
                     max = r->type == WGDN_OPTION_TYPE_CHOICE ? choice_count(r) - 1 : r->max;
        if (!(value >= r->min && value <= max))
            return wgdn_fail(err, WGDN_EINVAL, "%s: %s = %g is not within %s", set->what, r->name,
                             value, range_text(range, r->min, max));
    }
    return WGDN_OK;
}

static bool is_called(const char *called, const char *name)
{
    return called && same_name(called, strlen(called), name);
}

static const wgdn_option_info *find(const wgdn_option_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++) {
        const wgdn_option_info *r = &set->row[i];
        if (is_called(r->name, name) || is_called(r->alias, name) || is_called(r->old_name, name))
            return r;
    }
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
static void list_choices(char *out, size_t size, const char *choices)
{
    size_t used = 0, length = 0;
    out[0] = '\0';
    for (const char *at = choices; *at && used < size; at += length + (at[length] == '|')) {
        length = strcspn(at, "|");
        const bool last = !at[length];
        used += (size_t)snprintf(out + used, size - used, "%s%.*s",
                                 at == choices ? ""
                                 : last        ? " or "
                                               : ", ",
                                 (int)length, at);
    }
}

static wgdn_status set_choice(char *field, const wgdn_option_info *r, const char *value,
                              wgdn_error *err)
{
    char names[120];
    int place = place_of(r->choices, value);
    if (place < 0) place = place_of(r->old_choices, value);
    if (place < 0) {
        list_choices(names, sizeof names, r->choices);
        return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s': it may be %s", r->name, value, names);
    }
    put_number(field, r, place);
    return WGDN_OK;
}

static wgdn_status set_boolean(char *field, const wgdn_option_info *r, const char *value,
                               wgdn_error *err)
{
    static const char words[] = "no|yes|false|true|off|on|0|1";
    const int place = place_of(words, value);
    const bool is_auto = r->min < 0 && place_of("auto|-1", value) >= 0;
    if (place < 0 && !is_auto)
        return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s': it may be yes or no", r->name, value);
    put_number(field, r, is_auto ? -1 : place % 2);
    return WGDN_OK;
}

static wgdn_status set_number(char *field, const wgdn_option_info *r, const char *value,
                              wgdn_error *err)
{
    static const char *const what[] = {
        [WGDN_OPTION_TYPE_INTEGER] = "an integer",
        [WGDN_OPTION_TYPE_NUMBER] = "a number",
        [WGDN_OPTION_TYPE_SIZE] = "a number of bytes, such as 500M or 1.5G",
    };
    char range[RANGE];
    int64_t bytes = 0;
    double number = 0;
    bool good = r->type == WGDN_OPTION_TYPE_SIZE
                    ? wgdn_size_parse(&bytes, value, NULL) == WGDN_OK
                    : wgdn_number_read(&number, value) && isfinite(number);
    if (r->type == WGDN_OPTION_TYPE_SIZE) number = (double)bytes;
    if (!good || (r->type == WGDN_OPTION_TYPE_INTEGER && number != floor(number)))
        return wgdn_fail(err, WGDN_EINVAL, "%s = '%.40s' is not %s", r->name, value, what[r->type]);
    if (number < r->min || number > r->max)
        return wgdn_fail(err, WGDN_EINVAL, "%s = %.40s is not within %s", r->name, value,
                         range_text(range, r->min, r->max));
    put_number(field, r, number);
    return WGDN_OK;
}

static wgdn_status set_seed(char *field, const wgdn_option_info *r, const char *value,
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

static wgdn_status set_words(char *field, const wgdn_option_info *r, const char *value,
                             wgdn_error *err)
{
    if (wgdn_option_borrows(r)) {
        if (!*value) value = NULL;
        memcpy(field, &value, sizeof value);
        return WGDN_OK;
    }
    if (strlen(value) >= r->size)
        return wgdn_fail(err, WGDN_EINVAL, "%s: '%.40s...' is longer than %zu bytes", r->name,
                         value, r->size - 1);
    snprintf(field, r->size, "%s", value);
    return WGDN_OK;
}

static wgdn_status set_field(char *field, const wgdn_option_info *r, const char *value,
                             wgdn_error *err)
{
    switch (r->type) {
    case WGDN_OPTION_TYPE_CHOICE: return set_choice(field, r, value, err);
    case WGDN_OPTION_TYPE_BOOLEAN: return set_boolean(field, r, value, err);
    case WGDN_OPTION_TYPE_SEED: return set_seed(field, r, value, err);
    case WGDN_OPTION_TYPE_TEXT:
    case WGDN_OPTION_TYPE_PATH: return set_words(field, r, value, err);
    default: return set_number(field, r, value, err);
    }
}

/* Zeros a struct of this size and sets the defaults of those fields that it has. */
static void set_defaults(void *o, size_t size, const wgdn_option_set *set)
{
    memset(o, 0, size);
    memcpy(o, &size, sizeof size);
    for (size_t i = 0; i < set->count; i++) {
        const wgdn_option_info *r = &set->row[i];
        if (r->default_text && r->offset + r->size <= size)
            (void)!set_field((char *)o + r->offset, r, r->default_text, NULL);
    }
}

/* Sets one field, which the struct must have. */
static wgdn_status set_text(void *o, const wgdn_option_set *set, const char *name,
                            const char *value, wgdn_error *err)
{
    const wgdn_option_info *r = find(set, name);
    size_t given;
    if (!r) return unknown(set, name, err);
    memcpy(&given, o, sizeof given);
    if (r->offset + r->size > given)
        return wgdn_fail(err, WGDN_EINVAL, "%s: struct_size is %zu: there is no %s in it",
                         set->what, given, r->name);
    return set_field((char *)o + r->offset, r, value, err);
}

static wgdn_status get_text(char *out, size_t size, const void *o, const wgdn_option_set *set,
                            const char *name, wgdn_error *err)
{
    const wgdn_option_info *r = find(set, name);
    if (!r) return unknown(set, name, err);
    const char *field = (const char *)o + r->offset, *text = field;
    uint64_t seed;
    size_t length;
    switch (r->type) {
    case WGDN_OPTION_TYPE_TEXT:
    case WGDN_OPTION_TYPE_PATH:
        if (wgdn_option_borrows(r)) memcpy(&text, field, sizeof text);
        snprintf(out, size, "%s", text ? text : "");
        break;
    case WGDN_OPTION_TYPE_CHOICE:
        text = word_at(r->choices, (int)get_number(field, r), &length);
        snprintf(out, size, "%.*s", (int)length, text);
        break;
    case WGDN_OPTION_TYPE_BOOLEAN:
        snprintf(out, size, "%s",
                 get_number(field, r) < 0   ? "auto"
                 : get_number(field, r) > 0 ? "yes"
                                            : "no");
        break;
    case WGDN_OPTION_TYPE_SEED:
        memcpy(&seed, field, sizeof seed);
        snprintf(out, size, "%llu", (unsigned long long)seed);
        break;
    case WGDN_OPTION_TYPE_SIZE:
    case WGDN_OPTION_TYPE_INTEGER: snprintf(out, size, "%.0f", get_number(field, r)); break;
    case WGDN_OPTION_TYPE_NUMBER: wgdn_number_text(out, size, get_number(field, r)); break;
    }
    return WGDN_OK;
}

const wgdn_option_info *wgdn_options_get_info(wgdn_options_kind kind, int i)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    return set && i >= 0 && (size_t)i < set->count ? &set->row[i] : NULL;
}

wgdn_status wgdn_options_read(void *out, const void *in, wgdn_options_kind kind, wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    set_defaults(out, set->size, set);
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

static wgdn_status no_kind(wgdn_options_kind kind, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "options: there is no kind %d", (int)kind);
}

void wgdn_options_init(wgdn_options_kind kind, void *o, size_t size)
{
    static const wgdn_option_set none = {0};
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    if (size >= sizeof size) set_defaults(o, size, set ? set : &none);
}

wgdn_status wgdn_options_set(wgdn_options_kind kind, void *o, const char *name, const char *value,
                             wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    return set ? set_text(o, set, name, value, err) : no_kind(kind, err);
}

wgdn_status wgdn_options_get(char *value, size_t size, wgdn_options_kind kind, const void *o,
                             const char *name, wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    room all;
    if (!set) return no_kind(kind, err);
    const wgdn_status st = wgdn_options_read(&all, o, kind, err);
    return st ? st : get_text(value, size, &all, set, name, err);
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
    const wgdn_option_info *row = find(r->set, name);
    if (row && wgdn_option_borrows(row)) { /* the text is gone when it has been read */
        wgdn_error_set(&r->why, WGDN_EINVAL, "%s cannot be set in a file", row->name);
        return 0;
    }
    return set_text(r->o, r->set, name, value, &r->why) == WGDN_OK;
}

wgdn_status wgdn_options_parse(wgdn_options_kind kind, void *o, const char *text, const char *name,
                               wgdn_error *err)
{
    room parsed;
    reading r = {.o = &parsed, .set = wgdn_option_set_of(kind)};
    size_t size;
    if (!r.set) return no_kind(kind, err);
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
