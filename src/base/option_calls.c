/* SPDX-License-Identifier: Apache-2.0 */
/* Options by kind: what command lines, configuration files and other languages ask. */
#include "options.h"

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
