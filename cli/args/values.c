/* SPDX-License-Identifier: Apache-2.0 */
/* Options from text to numbers and fields, and back to text for help. */
#include "../show.h"
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
