/* SPDX-License-Identifier: Apache-2.0 */
/* The whole table: the program's own rows, then those of the library. */
#include "options.h"
#include "formats.h"

#include <string.h>

typedef struct option_table {
    option row[OPTIONS_MAX];
    char text[OPTIONS_MAX - OPTIONS][640]; /* names, choices and defaults of the library's rows */
    char presets[512];
    char formats[3][160]; /* of datasets that are read, that are written, and of vectors */
    int count;
} option_table;

typedef struct library_table {
    option_home home;
    wgdn_options_kind kind;
} library_table;

static const library_table libraries[] = {
    {HOME_TRAIN, WGDN_OPTIONS_TRAIN},
    {HOME_EVAL, WGDN_OPTIONS_EVAL},
    {HOME_PROJECTION, WGDN_OPTIONS_PROJECTION},
    {HOME_FIT, WGDN_OPTIONS_FIT},
};

const char *option_topic(int i)
{
    static const char *const topics[] = {
        "Input",  "Features",      "Fit",        "Graph fits", "Settings",
        "Model",  "Graph filters", "Training",   "Graph sets", "Run",
        "Search", "Embedding",     "Evaluation", "Picture",    "2-D projection",
        "Output", "Limits",        "General",    NULL};
    return topics[i];
}

/* "max, sum or mean" to "max|sum|mean", in place. */
static void part_choices(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const bool comma = strncmp(at, ", ", 2) == 0, either = strncmp(at, " or ", 4) == 0;
        *to++ = *at;
        if (comma || either) to[-1] = '|';
        at += comma ? 2 : either ? 4 : 1;
    }
    *to = '\0';
}

static const char *argument_of(const wgdn_option_info *info)
{
    const struct {
        const char *type, *argument;
    } known[] = {{"boolean", NULL}, {"choice", "WHICH"}, {"number", "X"}, {"text", "TEXT"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(info->type, known[i].type) == 0) return known[i].argument;
    return "N";
}

static void add_row(option_table *t, const wgdn_option_info *info, option_home home)
{
    const bool choice = strcmp(info->type, "choice") == 0,
               flag = strcmp(info->type, "boolean") == 0;
    if (choice) part_choices((char *)(uintptr_t)info->choices); /* the text is ours */
    t->row[t->count++] = (option){.name = info->name,
                                  .alias = *info->alias ? info->alias : NULL,
                                  .kind = flag     ? KIND_BOOLEAN
                                          : choice ? KIND_CHOICE
                                                   : KIND_TEXT,
                                  .argument = argument_of(info),
                                  .choices = choice ? info->choices : NULL,
                                  .otherwise = info->default_text,
                                  .help = info->help,
                                  .topic = info->topic,
                                  .home = home};
}

/* --features, --splits and --threads are among the program's own and serve all. */
static bool is_own(const char *name)
{
    return strcmp(name, "features") == 0 || strcmp(name, "splits") == 0 ||
           strcmp(name, "threads") == 0;
}

static void add_library(option_table *t, const library_table *l)
{
    for (int i = 0; i < wgdn_options_count(l->kind) && t->count < OPTIONS_MAX; i++) {
        char *text = t->text[t->count - OPTIONS];
        wgdn_option_info info;
        if (wgdn_options_info(&info, text, sizeof t->text[0], l->kind, i, NULL)) continue;
        if (!is_own(info.name)) add_row(t, &info, l->home);
    }
}

static void list_presets(option_table *t)
{
    size_t used = 0;
    for (int i = 0; wgdn_preset_name(i) && used < sizeof t->presets; i++)
        used += (size_t)snprintf(t->presets + used, sizeof t->presets - used, "%s%s", i ? "|" : "",
                                 wgdn_preset_name(i));
    t->row[OPT_PRESET].choices = t->presets;
}

/* The library knows the names of formats. */
static void list_formats(option_table *t)
{
    const size_t size = sizeof t->formats[0];
    formats_choices(t->formats[0], size, wgdn_dataset_format, false);
    formats_choices(t->formats[1], size, wgdn_dataset_format, true);
    formats_choices(t->formats[2], size, wgdn_embedding_format, true);
    formats_more(t->formats[1], size, wgdn_embedding_format);
    t->row[OPT_FORMAT].choices = t->formats[0];
    t->row[OPT_CONVERT_TO].choices = t->formats[1];
    t->row[OPT_EMBED_TO].choices = t->formats[2];
}

/* Made once. */
static const option_table *all(void)
{
    static option_table t;
    if (t.count > 0) return &t;
    memcpy(t.row, program_options, sizeof program_options);
    t.count = OPTIONS;
    list_presets(&t);
    list_formats(&t);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        add_library(&t, &libraries[i]);
    return &t;
}

int option_count(void)
{
    return all()->count;
}

const option *option_get(option_id id)
{
    return &all()->row[id];
}
