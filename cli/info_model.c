/* SPDX-License-Identifier: Apache-2.0 */
/* What a model is: how it was made, its options, and of a fitted one what was chosen. */
#include "fitting.h"
#include "info.h"
#include "json.h"

#include <stddef.h>

/* Options of a model that are not their defaults: name and text, one after the other. */
typedef void (*option_call)(const char *name, const char *text, void *user);

static void each_option(wgdn_options_kind kind, const void *o, option_call call, void *user)
{
    for (int i = 0; i < wgdn_options_count(kind); i++) {
        wgdn_option_info info;
        char room[2048], text[160];
        if (wgdn_options_info(&info, room, sizeof room, kind, i, NULL)) continue;
        if (wgdn_options_get(text, sizeof text, kind, o, info.name, NULL)) continue;
        call(info.name, text, user);
    }
}

static wgdn_model_info facts_of(const wgdn_model *m)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_get_info(&info, m);
    return info;
}

static void print_option(const char *name, const char *text, void *user)
{
    fprintf(user, "    %-18s %s\n", name, text);
}

void info_model_text(FILE *to, const char *path, const wgdn_model *m)
{
    const wgdn_model_info info = facts_of(m);
    fprintf(to, "%s\n", path);
    fprintf(to, "  model         %s\n",
            info.fit ? "fitted: the closed form" : "trained: an autoencoder");
    fprintf(to, "  dim           %lld\n", (long long)info.dim);
    if (info.features)
        fprintf(to, "  features      %lld columns\n", (long long)info.features);
    else
        fputs("  features      none: the graph's structure\n", to);
    if (info.fit) fitting_explain(to, m);
    fputs("  options\n", to);
    if (info.fit)
        each_option(WGDN_OPTIONS_FIT, info.fit, print_option, to);
    else
        each_option(WGDN_OPTIONS_TRAIN, info.train, print_option, to);
}

static void put_option(const char *name, const char *text, void *user)
{
    json_put_text(user, name, text);
}

void info_model_json(FILE *to, const char *path, const wgdn_model *m)
{
    const wgdn_model_info info = facts_of(m);
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_text(&j, "model", info.fit ? "fitted" : "trained");
    json_put_integer(&j, "dim", info.dim);
    json_put_integer(&j, "features", info.features);
    if (info.fit) fitting_json(&j, m);
    json_put_open(&j, "options", '{');
    if (info.fit)
        each_option(WGDN_OPTIONS_FIT, info.fit, put_option, &j);
    else
        each_option(WGDN_OPTIONS_TRAIN, info.train, put_option, &j);
    json_put_close(&j, '}');
    json_put_close(&j, '}');
    fputc('\n', to);
}
