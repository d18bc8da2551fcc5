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
    wgdn_model_info info = {.struct_size = sizeof info, .examine = 1};
    wgdn_model_get_info(&info, m);
    return info;
}

static void print_option(const char *name, const char *text, void *user)
{
    fprintf(user, "    %-18s %s\n", name, text);
}

/* Of which data, as far as the file knows, and how far a run is. */
static void print_origin(FILE *to, const wgdn_model_info *i)
{
    if (i->graphs > 1)
        fprintf(to, "  made of       %lld graphs, %lld nodes, %lld edges\n", (long long)i->graphs,
                (long long)i->nodes, (long long)i->edges);
    else if (i->nodes)
        fprintf(to, "  made of       %lld nodes, %lld edges\n", (long long)i->nodes,
                (long long)i->edges);
    if (!i->step) return;
    fprintf(to, "  run           %lld steps", (long long)i->step);
    if (i->steps)
        fprintf(to, ", %lld of %d epochs, %.1f s", (long long)(i->step / i->steps),
                i->train->epochs, i->seconds);
    fprintf(to, ", on data %016llx\n", (unsigned long long)i->data);
}

/* Of a model that was trained with patience. */
static void print_stopped(FILE *to, const wgdn_model_info *i)
{
    if (!i->epochs) return;
    fprintf(to, "  stopped       after epoch %lld of %d: %s\n", (long long)i->epochs,
            i->train->epochs,
            i->epochs < i->train->epochs ? "held-out features were reconstructed hardly better"
                                         : "the limit");
    fprintf(to, "  best          after epoch %lld, held-out error %.4g\n", (long long)i->best_epoch,
            i->held_out);
}

/* The nodes that a model of the graph's structure recognizes, and how. */
static void print_known(FILE *to, const wgdn_model_info *i)
{
    if (!i->known) return;
    fprintf(to, "  known nodes   %lld, found by %s\n", (long long)i->known,
            i->has_ids ? "their ids, which the model holds"
                       : "64-bit hashes of their ids; the model holds no ids");
}

static void print_health(FILE *to, const wgdn_model_info *i)
{
    if (i->parameters) fprintf(to, "  parameters    %lld\n", (long long)i->parameters);
    if (i->not_finite)
        fprintf(to, "  health        broken: %lld numbers are not finite\n",
                (long long)i->not_finite);
    else if (i->rank > 0)
        fprintf(to, "  health        finite, effective rank %.1f of %lld\n", i->rank,
                (long long)i->dim);
    else
        fputs("  health        finite\n", to);
}

void info_model_text(FILE *to, const char *path, const wgdn_model *m)
{
    const wgdn_model_info info = facts_of(m);
    fprintf(to, "%s\n", path);
    fprintf(to, "  model         %s\n",
            info.fit    ? "fitted: the closed form"
            : info.step ? "checkpoint of an autoencoder"
                        : "trained: an autoencoder");
    fprintf(to, "  dim           %lld\n", (long long)info.dim);
    if (info.features)
        fprintf(to, "  features      %lld columns\n", (long long)info.features);
    else
        fputs("  features      none: the graph's structure\n", to);
    print_origin(to, &info);
    print_stopped(to, &info);
    print_known(to, &info);
    print_health(to, &info);
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

void info_put_stopped(json *j, const wgdn_model_info *i, int epochs)
{
    if (!i->epochs) return;
    json_put_open(j, "stopped", '{');
    json_put_integer(j, "epoch", i->epochs);
    json_put_text(j, "why", i->epochs < epochs ? "patience" : "epochs");
    json_put_integer(j, "best_epoch", i->best_epoch);
    json_put_real(j, "held_out", i->held_out);
    json_put_close(j, '}');
}

static void put_facts(json *j, const wgdn_model_info *i)
{
    json_put_open(j, "made_of", '{');
    json_put_integer(j, "graphs", i->graphs);
    json_put_integer(j, "nodes", i->nodes);
    json_put_integer(j, "edges", i->edges);
    json_put_close(j, '}');
    if (i->step) {
        char digest[24];
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)i->data);
        json_put_open(j, "run", '{');
        json_put_integer(j, "step", i->step);
        if (i->steps)
            json_put_integer(j, "epoch", i->step / i->steps);
        else
            json_put_null(j, "epoch");
        json_put_integer(j, "epochs", i->train->epochs);
        json_put_real(j, "seconds", i->seconds);
        json_put_text(j, "data", digest);
        json_put_close(j, '}');
    }
    if (i->train) info_put_stopped(j, i, i->train->epochs);
    json_put_integer(j, "known_nodes", i->known);
    json_put_bool(j, "has_ids", i->has_ids);
    json_put_integer(j, "parameters", i->parameters);
    json_put_integer(j, "not_finite", i->not_finite);
    if (i->rank > 0)
        json_put_real(j, "effective_rank", i->rank);
    else
        json_put_null(j, "effective_rank");
}

void info_model_json(FILE *to, const char *path, const wgdn_model *m)
{
    const wgdn_model_info info = facts_of(m);
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_text(&j, "model", info.fit ? "fitted" : info.step ? "checkpoint" : "trained");
    json_put_integer(&j, "dim", info.dim);
    json_put_integer(&j, "features", info.features);
    put_facts(&j, &info);
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
