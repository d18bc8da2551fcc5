/* SPDX-License-Identifier: Apache-2.0 */
/* Options as INI text. The section [eval] belongs to evaluation, everything else to training. */
#include "train.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    wgdn_train_options *train;
    wgdn_eval_options *eval; /* one of the two */
    wgdn_error why;          /* of the first setting that was refused */
} reading;

/* inih counts the handler's zeros as errors and continues; the first one is kept. */
static int set(void *user, const char *section, const char *key, const char *value)
{
    reading *r = user;
    const bool eval = strcmp(section, "eval") == 0;
    if (r->why.code || eval != (r->eval != NULL)) return 1;
    if (eval) return wgdn_eval_options_set(r->eval, key, value, &r->why) == WGDN_OK;
    return wgdn_train_options_set(r->train, key, value, &r->why) == WGDN_OK;
}

static wgdn_status parse(reading *r, const char *text, const char *name, wgdn_error *err)
{
    const int line = ini_parse_string(text, set, r);
    if (line < 0) return wgdn_fail(err, WGDN_ENOMEM, "%s: out of memory", name);
    if (line > 0)
        return wgdn_fail(err, WGDN_EINVAL, "%s, line %d: %.160s", name, line,
                         r->why.code ? r->why.message : "expected `option = value`");
    return WGDN_OK;
}

wgdn_status wgdn_train_options_parse(wgdn_train_options *o, const char *text, const char *name,
                                     wgdn_error *err)
{
    wgdn_train_options parsed = *o;
    reading r = {.train = &parsed};
    const wgdn_status st = parse(&r, text, name, err);
    if (!st) *o = parsed;
    return st;
}

wgdn_status wgdn_eval_options_parse(wgdn_eval_options *o, const char *text, const char *name,
                                    wgdn_error *err)
{
    wgdn_eval_options parsed = *o;
    reading r = {.eval = &parsed};
    const wgdn_status st = parse(&r, text, name, err);
    if (!st) *o = parsed;
    return st;
}
