/* SPDX-License-Identifier: Apache-2.0 */
#include "train.h"

#include <ini.h>
#include <stdio.h>

typedef struct reading {
    wgdn_train_options *o;
    wgdn_error why;
    int line; /* of the first setting that was refused */
} reading;

/* inih counts the handler's zeros as errors and goes on; the first one is kept. */
static int set(void *user, const char *section, const char *key, const char *value)
{
    reading *r = user;
    (void)section;
    if (r->why.code) return 1;
    return wgdn_train_options_set(r->o, key, value, &r->why) == WGDN_OK;
}

wgdn_status wgdn_train_options_parse(wgdn_train_options *o, const char *text, const char *name,
                                     wgdn_error *err)
{
    wgdn_train_options parsed = *o;
    reading r = {.o = &parsed};
    const int line = ini_parse_string(text, set, &r);
    if (line < 0) return wgdn_fail(err, WGDN_ENOMEM, "%s: out of memory", name);
    if (line > 0)
        return wgdn_fail(err, WGDN_EINVAL, "%s, line %d: %.160s", name, line,
                         r.why.code ? r.why.message : "expected `option = value`");
    *o = parsed;
    return WGDN_OK;
}
