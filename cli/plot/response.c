/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel and its Wiener responses over the spectral energy of what they are applied to. */
#include "dataset.h"
#include "energy.h"
#include "plot.h"
#include "settings.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 401,  /* of a curve */
    CHANNELS = 16, /* energy factors */
    ORDER_MAX = 30,
    WIDEST = 1 << 20, /* features */
};

typedef struct response {
    wgdn_train_options options;
    wgdn_dataset *d;
    wgdn_model *model;       /* or NULL: the features themselves */
    wgdn_embedding *vectors; /* its own */
    int64_t width;
    wgdn_kernel *kernel;
    double gamma[CHANNELS];
    int channels;
    wgdn_explanation run;
    energy energy;
    double at[POINTS], curve[2 + 2 * CHANNELS][POINTS];
    chart_series series[3 + 2 * CHANNELS];
    char name[CHANNELS][64];
    int count;
} response;

static void close_response(response *r)
{
    wgdn_kernel_free(r->kernel);
    wgdn_embedding_free(r->vectors);
    wgdn_model_free(r->model);
    wgdn_dataset_free(r->d);
    free(r);
}

static int read_gammas(response *r)
{
    const char *at = r->options.gamma;
    while (r->channels < CHANNELS) {
        char *end = NULL;
        const double gamma = strtod(at, &end);
        if (end == at || !(gamma > 0)) break;
        r->gamma[r->channels++] = gamma;
        if (*end == '\0') return DONE;
        if (*end != ',') break;
        at = end + 1;
    }
    complain("--gamma %s: expected up to %d numbers above 0, separated by commas", r->options.gamma,
             CHANNELS);
    return USAGE;
}

static int open_response(response *r, const cli *c)
{
    const char *data = c->operand[c->operands - 1];
    wgdn_error err = {WGDN_OK, ""};
    int code = settings_read(&r->options, c);
    if (code == DONE && c->operands > 1) {
        code = path_check(c->operand[0]);
        if (code != DONE) return code;
        const wgdn_status st = wgdn_model_load(&r->model, c->operand[0], &err);
        if (st) return complain_status(st, &err);
        wgdn_model_info info = {.struct_size = sizeof info};
        wgdn_model_get_info(&info, r->model);
        if (!info.train) {
            complain("%s was fitted, not trained: it has no decoder whose response could be shown",
                     c->operand[0]);
            return BAD_INPUT;
        }
        r->options = *info.train;
    }
    if (code == DONE) code = read_gammas(r);
    if (code != DONE) return code;
    const wgdn_status st = wgdn_kernel_parse(&r->kernel, r->options.kernel, &err);
    if (st) return complain_status(st, &err);
    code = dataset_read(&r->d, c, data);
    if (code != DONE) return code;
    if (r->model) {
        r->width = r->options.dim;
        return vectors_embed(&r->vectors, r->model, r->d, WGDN_TASK_NODE, WGDN_POOL_AUTO,
                             option_threads(&c->values));
    }
    r->width = wgdn_dataset_features(r->d);
    if (r->width > WIDEST) {
        complain("%s has %lld columns of features; a response is drawn for up to %d", data,
                 (long long)r->width, WIDEST);
        return BAD_INPUT;
    }
    if (r->width > 0) return DONE;
    complain("%s has no features whose energy could be shown; a model of it has embeddings: "
             "'wgdn plot --kind response MODEL %s'",
             data, data);
    return BAD_INPUT;
}

typedef struct wiener {
    const wgdn_kernel *kernel;
    double penalty;
} wiener;

static double wiener_value(double lambda, void *user)
{
    const wiener *w = user;
    const double g = wgdn_kernel_value(w->kernel, lambda);
    return g == 0 ? 0 : g / (g * g + w->penalty);
}

/* A kernel and, dashed, the polynomial that stands for it. */
static int add_curves(response *r, const wgdn_kernel *k, int order, int colour, const char *name)
{
    double *exact = r->curve[r->count - 1], *fitted = r->curve[r->count], a[ORDER_MAX + 1];
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_kernel_coefficients(a, k, order, WGDN_FIT_ONE_STEP, &err);
    if (st) return complain_status(st, &err);
    for (int i = 0; i < POINTS; i++) {
        exact[i] = wgdn_kernel_value(k, r->at[i]);
        fitted[i] = 0;
        for (int m = order; m >= 0; m--)
            fitted[i] = fitted[i] * r->at[i] + a[m];
    }
    const chart_series line = {
        .name = name, .kind = CHART_LINE, .colour = colour, .count = POINTS, .x = r->at};
    chart_series *s = &r->series[r->count];
    s[0] = s[1] = line;
    s[0].y = exact;
    s[1].y = fitted;
    s[1].name = NULL;
    s[1].dashed = true;
    r->count += 2;
    return DONE;
}

/* Orders of the polynomials that training would take. */
static int find_orders(response *r)
{
    wgdn_error err = {WGDN_OK, ""};
    r->run.struct_size = sizeof r->run;
    const wgdn_status st = wgdn_train_explain(&r->run, r->d, &r->options, &err);
    return st ? complain_status(st, &err) : DONE;
}

static int make_curves(response *r)
{
    wgdn_error err = {WGDN_OK, ""};
    for (int i = 0; i < POINTS; i++)
        r->at[i] = 2.0 * i / (POINTS - 1);
    r->series[0] =
        (chart_series){.name = r->model ? "energy of the embeddings" : "energy of the features",
                       .kind = CHART_AREA,
                       .colour = CHART_GREY,
                       .count = ENERGY_STEPS,
                       .x = r->energy.edge,
                       .y = r->energy.share,
                       .second = true};
    r->count = 1;
    int code = add_curves(r, r->kernel, r->run.encoder_order, CHART_DARK, "kernel g");
    for (int q = 0; code == DONE && q < r->channels; q++) {
        wiener w = {r->kernel,
                    r->energy.estimate.noise / (r->gamma[q] * r->energy.estimate.signal)};
        wgdn_kernel *k = NULL;
        snprintf(r->name[q], sizeof r->name[q], "Wiener, gamma %g", r->gamma[q]);
        const wgdn_status st = wgdn_kernel_from_function(&k, wiener_value, &w, &err);
        code =
            st ? complain_status(st, &err) : add_curves(r, k, r->run.decoder_order, q, r->name[q]);
        wgdn_kernel_free(k);
    }
    return code;
}

static int draw(const response *r, const cli *c)
{
    const double ratio = r->energy.estimate.noise / r->energy.estimate.signal;
    char title[256], under[256];
    snprintf(title, sizeof title, "Responses of %.100s on %.100s", wgdn_kernel_text(r->kernel),
             plot_name(c->operand[c->operands - 1]));
    snprintf(under, sizeof under,
             "noise / signal of the %s: %.3g; dashed: polynomials of order %d (kernel) and %d "
             "(Wiener)",
             r->model ? "embeddings" : "features", ratio, r->run.encoder_order,
             r->run.decoder_order);
    const chart picture = {.title = title,
                           .subtitle = under,
                           .x_title = "eigenvalue \xce\xbb of the Laplacian",
                           .y_title = "response",
                           .second_title = "energy in each 0.04 of \xce\xbb, %",
                           .series = r->series,
                           .count = r->count};
    const plot_figure figures[] = {{"nodes", (double)wgdn_dataset_nodes(r->d), true},
                                   {"dim", (double)r->width, true},
                                   {"signal", r->energy.estimate.signal, false},
                                   {"noise", r->energy.estimate.noise, false},
                                   {"encoder_order", r->run.encoder_order, true},
                                   {"decoder_order", r->run.decoder_order, true}};
    return plot_finish(c, &picture, figures, 6);
}

int plot_response(cli *c)
{
    response *r = calloc(1, sizeof *r);
    if (!r) return plot_no_memory();
    wgdn_error err = {WGDN_OK, ""};
    int code = open_response(r, c);
    if (code == DONE && wgdn_dataset_reorder(r->d, WGDN_ORDER_NONE, &err))
        code = complain_status(err.code, &err);
    if (code == DONE)
        code = energy_measure(&r->energy, c, r->d,
                              r->model ? wgdn_embedding_get_values(r->vectors)
                                       : wgdn_dataset_get_dense(r->d),
                              r->width, r->options.average);
    if (code == DONE) code = find_orders(r);
    if (code == DONE) code = make_curves(r);
    if (code == DONE) code = draw(r, c);
    close_response(r);
    return code;
}
