/* SPDX-License-Identifier: Apache-2.0 */
#include "paper.h"

#include <stdio.h>
#include <string.h>

static const paper_set sets[] = {
    {"cora", "Cora", "cora/cora.npz", 84.2, 5},
    {"citeseer", "CiteSeer", "citeseer/citeseer.npz", 72.2, 5},
    {"photo", "Photo", "amazon_photo/amazon_electronics_photo.npz", 93.89, 5},
    {"computers", "Computers", "amazon_computers/amazon_electronics_computers.npz", 89.72, 3},
    {"cs", "CS", "coauthor_cs/ms_academic_cs.npz", 93.67, 3},
    {"physics", "Physics", "coauthor_physics/ms_academic_phy.npz", 95.76, 3},
};

static const paper_set graph_sets[] = {
    {"proteins", "PROTEINS", "tu/PROTEINS.zip", 76.53, 5},
    {"imdb-binary", "IMDB-B", "tu/IMDB-BINARY.zip", 75.76, 5},
    {"imdb-multi", "IMDB-M", "tu/IMDB-MULTI.zip", 51.77, 5},
    {"dd", "DD", "tu/DD.zip", 79.54, 2},
    {"nci1", "NCI1", "tu/NCI1.zip", 80.70, 2},
};

#define STUDIED                     \
    {                               \
        "cora", "photo", "cs", NULL \
    }

#define PRECISIONS                    \
    {                                 \
        {"fp32", "", {0}},            \
        {                             \
            "bf16", "precision=bf16", \
            {                         \
                0                     \
            }                         \
        }                             \
    }

static const paper_study studies[] = {
    {"ablation",
     "Ablations: without augmentation (A), without the Wiener filter (W)",
     "model",
     "The paper: WGDN above WGDN-A above WGDN-AW; WGDN-W may fall below WGDN-AW.",
     false,
     STUDIED,
     {{"WGDN", "", {84.2, 93.89, 93.67}},
      {"WGDN-A", "augment=none", {0}},
      {"WGDN-W", "decoder=inverse", {0}},
      {"WGDN-AW", "augment=none decoder=inverse", {0}}}},
    {"kernels",
     "Graph kernels",
     "kernel",
     "The paper: heat above ppr above gcn on Photo and CS.",
     false,
     STUDIED,
     {{"gcn", "kernel=gcn", {0, 92.26, 92.48}},
      {"heat", "kernel=heat", {0, 93.89, 93.67}},
      {"ppr", "kernel=ppr", {0, 92.96, 92.75}}}},
    {"beta",
     "Scale of the latent noise",
     "beta",
     "The paper: accuracy rises with beta to a peak, then falls slowly.",
     true,
     STUDIED,
     {{"0", "augment=none", {0}},
      {"0.25", "beta=0.25", {0}},
      {"0.5", "beta=0.5", {0}},
      {"1", "beta=1", {0}},
      {"2", "beta=2", {0}},
      {"4", "beta=4", {0}}}},
    {"drop",
     "Dropped edges or nodes instead of noise",
     "augmentation",
     "The paper: noise first, the others within a fifth of a point on CS.",
     false,
     STUDIED,
     {{"noise", "", {84.2, 93.89, 93.67}},
      {"drop-edge", "augment=drop-edge", {0, 0, 93.56}},
      {"drop-node", "augment=drop-node", {0, 0, 93.53}}}},
    {"precision",
     "Products in bf16",
     "precision",
     "Not of the paper: bf16 should be within 0.3 points of fp32, over three seeds.",
     false,
     {"photo", "cs", NULL},
     PRECISIONS},
};

static const paper_study graph_studies[] = {
    {"precision",
     "Products in bf16",
     "precision",
     "",
     false,
     {"proteins", "imdb-binary", NULL},
     PRECISIONS},
};

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

const paper_set *paper_node_set(int i)
{
    return i < COUNT(sets) ? &sets[i] : NULL;
}

const paper_set *paper_graph_set(int i)
{
    return i < COUNT(graph_sets) ? &graph_sets[i] : NULL;
}

const paper_set *paper_find_set(const char *name)
{
    for (int i = 0; i < COUNT(sets); i++)
        if (strcmp(sets[i].name, name) == 0) return &sets[i];
    for (int i = 0; i < COUNT(graph_sets); i++)
        if (strcmp(graph_sets[i].name, name) == 0) return &graph_sets[i];
    return NULL;
}

const paper_study *paper_node_study(int i)
{
    return i < COUNT(studies) ? &studies[i] : NULL;
}

const paper_study *paper_graph_study(int i)
{
    return i < COUNT(graph_studies) ? &graph_studies[i] : NULL;
}

/* "a=1 b=2" into the options, one by one. */
static wgdn_status apply(wgdn_train_options *o, const char *options, wgdn_error *err)
{
    char text[128], *rest = text;
    snprintf(text, sizeof text, "%s", options);
    while (*rest) {
        char *name = rest, *value = strchr(name, '=');
        char *end = name + strcspn(name, " ");
        rest = *end ? end + 1 : end;
        *end = '\0';
        if (value) *value++ = '\0';
        const wgdn_status st = wgdn_train_options_set(o, name, value ? value : "yes", err);
        if (st) return st;
    }
    return WGDN_OK;
}

/* Whether all options have the same texts. */
static bool alike(const wgdn_train_options *a, const wgdn_train_options *b)
{
    for (int i = 0; i < wgdn_train_option_count(); i++) {
        char text[512], x[128] = "", y[128] = "";
        wgdn_option_info info;
        if (wgdn_train_option_info(&info, text, sizeof text, i, NULL) ||
            wgdn_train_options_get(x, sizeof x, a, info.name, NULL) ||
            wgdn_train_options_get(y, sizeof y, b, info.name, NULL) || strcmp(x, y) != 0)
            return false;
    }
    return true;
}

wgdn_status paper_options(wgdn_train_options *train, wgdn_eval_options *eval, char *config,
                          size_t size, const paper_set *s, const char *options, wgdn_error *err)
{
    const char *text = wgdn_preset_text(s->name);
    wgdn_train_options preset;
    wgdn_train_options_init(&preset);
    wgdn_eval_options_init(eval);
    wgdn_status st = wgdn_train_options_parse(&preset, text, s->name, err);
    if (!st) st = wgdn_eval_options_parse(eval, text, s->name, err);
    *train = preset;
    if (!st) st = apply(train, options, err);
    if (st) return st;
    snprintf(config, size, "%s", alike(train, &preset) ? "preset" : options);
    return WGDN_OK;
}
