/* SPDX-License-Identifier: Apache-2.0 */
#include "effects.h"
#include "dataset.h"

#include <string.h>

/* "--option acts only when --by is one of these": "a|b"; "!a": anything but a; ",": a list. */
typedef struct rule {
    const char *option, *by, *only;
} rule;

static const rule training[] = {
    {"beta", "augment", "noise"},
    {"drop-rate", "augment", "drop-edge|drop-node"},
    {"structural-dim", "features", "random-walk"},
    {"decay-every", "decay", "!1"},
    {"aggregate", "gamma", ","},
    {"average", "decoder", "wiener"},
    {"balance", "loss", "rmse|row-rmse"},
    {"skip", "decoder-layers", "!1"},
    {"skip", "layers", "!1"},
    {"batch-size", "task", "!node"},
    {"pool", "task", "!node"},
    {NULL, NULL, NULL},
};
static const rule fitting[] = {
    {"scale", "features", "!structure"},
    {"binarise", "features", "!structure"},
    {NULL, NULL, NULL},
};
static const rule probing[] = {
    {"steps", "classifier", "adam"},
    {"learning-rate", "classifier", "adam"},
    {"weight-decay", "classifier", "adam"},
    {"train-fraction", "splits", "auto|random"},
    {"validation-fraction", "splits", "auto|random"},
    {"folds", "splits", "stratified"},
    {NULL, NULL, NULL},
};
static const rule projecting[] = {
    {"perplexity", "projection", "tsne"},
    {"steps", "projection", "tsne"},
    {"theta", "projection", "tsne"},
    {NULL, NULL, NULL},
};
/* What is evaluated, and what each task looks at. */
static const rule tasks[] = {
    {"classifier", "task", "probe"},
    {"steps", "task", "probe"},
    {"learning-rate", "task", "probe"},
    {"weight-decay", "task", "probe"},
    {"protocol", "task", "probe"},
    {"runs", "task", "probe"},
    {"splits", "task", "probe"},
    {"train-fraction", "task", "probe"},
    {"validation-fraction", "task", "probe"},
    {"folds", "task", "probe|graph"},
    {"restarts", "task", "cluster"},
    {"test-edge-fraction", "task", "links|quality"},
    {"metric", "task", "links|cluster|quality"},
    {"pool", "task", "graph"},
    {NULL, NULL, NULL},
};

static bool is_given(const cli *c, const char *name)
{
    const int id = command_option(c->command, name, strlen(name));
    return id >= 0 && c->values.text[id];
}

static bool is_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|')) {
        if (*at == '|') at++;
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool acts(const char *only, const char *value)
{
    if (*only == '!') return strcmp(only + 1, value) != 0;
    return *only == ',' ? strchr(value, ',') != NULL : is_word(only, value);
}

/* A rule, once the value of `by` is known. True after a remark. */
static bool judge(const cli *c, const rule *r, const char *value)
{
    if (!is_given(c, r->option) || acts(r->only, value)) return false;
    remark(c, "--%s has no effect with --%s %s", r->option, r->by, value);
    return true;
}

/* All of them, by a struct of the library's. */
static void judge_all(const cli *c, const rule *r, wgdn_options_kind kind, const void *o)
{
    for (; r->option; r++) {
        char value[160];
        if (wgdn_options_get(value, sizeof value, kind, o, r->by, NULL) == WGDN_OK &&
            judge(c, r, value) && r[1].option && strcmp(r->option, r[1].option) == 0)
            r++; /* once is enough */
    }
}

static void say(const cli *c, const char *name, const char *why)
{
    if (is_given(c, name)) remark(c, "--%s has no effect: %s", name, why);
}

/* Everything that embeds does so without labels. */
static void no_labels(const cli *c)
{
    static const char why[] = "labels and splits are for 'wgdn eval'";
    say(c, "labels", why);
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
    say(c, "splits", why);
}

void effects_train(const cli *c, const wgdn_train_options *o, const wgdn_dataset *d)
{
    const bool features = wgdn_dataset_features(d) > 0;
    judge_all(c, training, WGDN_OPTIONS_TRAIN, o);
    if (features && o->features == WGDN_FEATURES_RANDOM_WALK)
        say(c, "structural-dim", "the data has features");
    if (!features) say(c, "binarise", "the data has no features");
    if (o->task == WGDN_TASK_AUTO && wgdn_dataset_graphs(d) == 1) {
        say(c, "batch-size", "the data is one graph");
        say(c, "pool", "the data is one graph");
    }
    if (wgdn_ranks_count(c->ranks) == 1) say(c, "rank-timeout", "there is one process");
    no_labels(c);
}

void effects_fit(const cli *c, const wgdn_fit_options *o, const wgdn_dataset *d)
{
    judge_all(c, fitting, WGDN_OPTIONS_FIT, o);
    if (wgdn_dataset_features(d) == 0 && o->features != WGDN_USE_STRUCTURE) {
        say(c, "scale", "the data has no features");
        say(c, "binarise", "the data has no features");
    }
    if (wgdn_dataset_graphs(d) > 1)
        say(c, "memory", "sets of graphs go through in runs of bounded size");
    if (wgdn_ranks_count(c->ranks) == 1) say(c, "rank-timeout", "there is one process");
    no_labels(c);
}

void effects_estimate(const cli *c, const wgdn_train_options *t, const wgdn_fit_options *f,
                      const wgdn_dataset *d)
{
    static const char alone[] = "of sets of graphs only training is estimated";
    const bool graphs = wgdn_dataset_graphs(d) > 1;
    effects_train(c, t, d);
    if (graphs) {
        say(c, "refine", alone);
        say(c, "scale", alone);
        say(c, "memory", alone);
    } else if (f->features == WGDN_USE_STRUCTURE || wgdn_dataset_features(d) == 0) {
        say(c, "scale", "the closed form is of the graph's structure");
        say(c, "refine", "it is for features that neighbours share");
    }
}

void effects_embed(const cli *c, bool graphs)
{
    if (!graphs) say(c, "pool", "nodes are embedded, not graphs");
    if (c->operands > 1) no_labels(c);
}

void effects_eval(const cli *c, const wgdn_eval_options *o, const char *task, const wgdn_dataset *d)
{
    const bool probe = strcmp(task, "probe") == 0;
    for (const rule *r = tasks; r->option; r++)
        (void)judge(c, r, task);
    if (probe) judge_all(c, probing, WGDN_OPTIONS_EVAL, o);
    if (probe && o->splits == WGDN_SPLITS_AUTO && o->train_fraction <= 0 &&
        dataset_info(d).splits > 0)
        say(c, "validation-fraction", "the splits are those of the data");
    if (!is_given(c, "labels")) say(c, "label-column", "there is no --labels");
}

void effects_plot(const cli *c, const char *kind)
{
    static const rule rules[] = {{"labels", "kind", "map"},      {"label-column", "kind", "map"},
                                 {"points", "kind", "map"},      {"preset", "kind", "response"},
                                 {"config", "kind", "response"}, {NULL, NULL, NULL}};
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    options_apply(&c->values, HOME_PROJECTION, &o);
    for (const rule *r = rules; r->option; r++)
        (void)judge(c, r, kind);
    for (int i = 0; i < option_count(); i++) {
        const option *row = option_get((option_id)i);
        if (!c->values.text[i]) continue;
        const rule whole = {row->name, "kind", row->home == HOME_TRAIN ? "response" : "map"};
        if (row->home == HOME_TRAIN || row->home == HOME_PROJECTION) (void)judge(c, &whole, kind);
    }
    if (strcmp(kind, "map") == 0) judge_all(c, projecting, WGDN_OPTIONS_PROJECTION, &o);
}
