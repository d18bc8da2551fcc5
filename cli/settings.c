/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"
#include "dataset.h"
#include "show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int unknown_preset(const char *name)
{
    guess g = {.word = name};
    char all[256] = "";
    size_t used = 0;
    for (int i = 0; wgdn_preset_name(i) && used < sizeof all; i++) {
        guess_offer(&g, wgdn_preset_name(i));
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                                 wgdn_preset_name(i));
    }
    if (g.best)
        complain("there is no preset '%s'; did you mean '%s'?", name, g.best);
    else
        complain("there is no preset '%s'", name);
    complain("presets are %s", all);
    return USAGE;
}

/* A whole small file as text, to be freed; NULL after a complaint. */
static char *read_text(const char *path)
{
    enum { MAX_SIZE = 1 << 20 };
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, MAX_SIZE + 1) : NULL;
    const size_t size = text ? fread(text, 1, MAX_SIZE, f) : 0;
    if (!text || ferror(f) || size == MAX_SIZE) {
        complain("%s: %s", path,
                 size == MAX_SIZE ? "too long for a configuration" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f) fclose(f);
    return text;
}

static int apply_text(wgdn_train_options *o, const char *text, const char *name)
{
    wgdn_error err = {WGDN_OK, ""};
    if (wgdn_options_parse(WGDN_OPTIONS_TRAIN, o, text, name, &err) == WGDN_OK) return DONE;
    complain("%s", err.message);
    complain("'wgdn train --help-all' lists the options");
    return USAGE;
}

/* --features random-walk and its like are a training option, not a file. */
static int structural_features(wgdn_train_options *o, const cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    if (!option_is_word(&c->values, OPT_TRAIN_FEATURES)) return DONE;
    const wgdn_status st = wgdn_options_set(WGDN_OPTIONS_TRAIN, o, "features",
                                            c->values.text[OPT_TRAIN_FEATURES], &err);
    return st ? complain_status(st, &err) : DONE;
}

int settings_read(wgdn_train_options *o, const cli *c)
{
    const char *preset = c->values.text[OPT_PRESET], *config = c->values.text[OPT_CONFIG];
    const char *threads = c->values.text[OPT_THREADS];
    wgdn_train_options_init(o);
    if (preset) {
        const char *text = wgdn_preset_text(preset);
        const int code = text ? apply_text(o, text, preset) : unknown_preset(preset);
        if (code != DONE) return code;
    }
    if (config) {
        char *text = read_text(config);
        const int code = text ? apply_text(o, text, config) : BAD_INPUT;
        free(text);
        if (code != DONE) return code;
    }
    options_apply(&c->values, HOME_TRAIN, o);
    if (threads) o->threads = atoi(threads);
    return structural_features(o, c);
}

/* Whether an option of evaluation stands on the command line. */
static bool is_given(const cli *c, const char *name)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get((option_id)i);
        if (o->home == HOME_EVAL && c->values.text[i] && strcmp(o->name, name) == 0) return true;
    }
    return false;
}

/* A file of splits makes them the dataset's own. */
static const char *splits_word(const cli *c)
{
    return option_is_word(&c->values, OPT_EVAL_SPLITS) ? c->values.text[OPT_EVAL_SPLITS]
                                                       : "dataset";
}

/* The test-selected protocol selects a step, and Adam alone has steps. */
static int settle_classifier(wgdn_eval_options *o, const cli *c)
{
    if (option_choice(&c->values, OPT_PROTOCOL) == 0) return DONE;
    if (is_given(c, "classifier") && o->classifier != WGDN_CLASSIFIER_ADAM) {
        complain("--protocol test-selected selects a step of --classifier adam; logistic "
                 "regression has none");
        return USAGE;
    }
    o->classifier = WGDN_CLASSIFIER_ADAM;
    return DONE;
}

int eval_settings_read(wgdn_eval_options *o, const cli *c)
{
    const char *preset = c->values.text[OPT_PRESET], *config = c->values.text[OPT_CONFIG];
    const char *threads = c->values.text[OPT_THREADS];
    wgdn_error err = {WGDN_OK, ""};
    wgdn_status st = WGDN_OK;
    wgdn_eval_options_init(o);
    if (preset) {
        const char *text = wgdn_preset_text(preset);
        if (!text) return unknown_preset(preset);
        st = wgdn_options_parse(WGDN_OPTIONS_EVAL, o, text, preset, &err);
    }
    if (!st && config) {
        char *text = read_text(config);
        if (!text) return BAD_INPUT;
        st = wgdn_options_parse(WGDN_OPTIONS_EVAL, o, text, config, &err);
        free(text);
    }
    if (!st && c->values.text[OPT_EVAL_SPLITS])
        st = wgdn_options_set(WGDN_OPTIONS_EVAL, o, "splits", splits_word(c), &err);
    if (st) return complain_status(st, &err);
    options_apply(&c->values, HOME_EVAL, o);
    if (threads) o->threads = atoi(threads);
    if (o->splits == WGDN_SPLITS_AUTO && is_given(c, "folds")) o->splits = WGDN_SPLITS_STRATIFIED;
    return settle_classifier(o, c);
}

int settings_fit(wgdn_train_needs *needs, const cli *c, const wgdn_dataset *d,
                 const wgdn_train_options *o)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_error err = {WGDN_OK, ""};
    char needed[32], there[32];
    *needs = (wgdn_train_needs){.struct_size = sizeof *needs};
    if (option_is_word(&c->values, OPT_TRAIN_FEATURES) && wgdn_dataset_features(d) > 0) {
        complain("the data has features, so --features %s has no effect",
                 c->values.text[OPT_TRAIN_FEATURES]);
        return USAGE;
    }
    const wgdn_status st = wgdn_train_estimate(needs, d, o, 0, 1, &err);
    if (st) return complain_status(st, &err);
    wgdn_machine_get(&m);
    /* What the dataset takes is taken already. */
    const int64_t more = needs->total - needs->dataset;
    if (m.memory_available < 0 || more <= m.memory_available) return DONE;
    show_bytes(needed, sizeof needed, more);
    show_bytes(there, sizeof there, m.memory_available);
    complain("training needs %s more memory, and %s are available (limit: %s)", needed, there,
             m.memory_limit);
    complain("a smaller --dim needs less; 'wgdn estimate' shows how much");
    return DOES_NOT_FIT;
}
