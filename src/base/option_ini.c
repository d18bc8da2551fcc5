/* SPDX-License-Identifier: Apache-2.0 */
/* Options from INI text: presets and configuration files. */
#include "options.h"

#include <ini.h>
#include <string.h>

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
