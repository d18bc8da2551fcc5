/* SPDX-License-Identifier: Apache-2.0 */
/* Options by kind: what command lines, configuration files and other languages ask. */
#include "options.h"

#include <ini.h>
#include <string.h>

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
    return set ? wgdn_option_describe(info, text, size, i, set, err) : no_kind(kind, err);
}

/* ---- INI text ---- */

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
