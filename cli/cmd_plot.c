/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn plot` and draws its first kind of picture, the spectral responses of a kernel.
 * plot_projection.c and plot_curve.c draw the other kinds; chart/picture.c writes the file.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "files.h"
#include "plot.h"
#include "terminal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENERGY_BINS = 50, ENERGY_STEPS = 2 * ENERGY_BINS }; /* between 0 and 2 */

typedef struct energy {
    double edge[ENERGY_STEPS], share[ENERGY_STEPS]; /* steps; per cent in each bin */
    wgdn_signal_noise estimate;
} energy;

enum {
    NODES = 4096,  /* of the density, evenly spaced in arccos(1 - lambda) */
    SLAB = 128,    /* columns at a time where the features are sparse */
    MOMENTS = 256, /* enough for the bins */
};
static const double pi = 3.141592653589793;

typedef struct measuring {
    energy *e;
    const wgdn_dataset *d;
    wgdn_average average;
    int threads;
    double lambda[NODES], density[NODES], part[NODES];
} measuring;

/* Columns from .. from + count - 1 of sparse features, as a dense matrix. */
static void fill_slab(float *slab, const wgdn_dataset *d, int64_t from, int64_t count)
{
    const int64_t n = wgdn_dataset_nodes(d), *offset;
    const int32_t *column;
    const float *value;
    if (!wgdn_dataset_get_sparse(&offset, &column, &value, d)) return;
    memset(slab, 0, (size_t)(n * count) * sizeof *slab);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            if (column[k] >= from && column[k] < from + count)
                slab[i * count + column[k] - from] = value ? value[k] : 1;
}

/* Energy, signal and noise are sums over the columns. */
static wgdn_status add_columns(measuring *m, const float *x, int64_t count, wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(m->d);
    wgdn_compute_options compute;
    wgdn_density_options o;
    wgdn_signal_noise e;
    wgdn_compute_options_init(&compute);
    wgdn_density_options_init(&o);
    compute.threads = o.threads = m->threads;
    o.moments = MOMENTS;
    wgdn_status st = wgdn_graph_measure_noise(&e, g, x, count, m->average, &compute, err);
    if (!st) st = wgdn_graph_density(m->part, g, m->lambda, NODES, x, count, &o, err);
    if (st) return st;
    m->e->estimate.signal += e.signal;
    m->e->estimate.noise += e.noise;
    for (int i = 0; i < NODES; i++)
        m->density[i] += m->part[i];
    return WGDN_OK;
}

/* Shares of the energy, as a line of steps. */
static void make_bins(const measuring *m)
{
    double all = 0, share[ENERGY_BINS] = {0};
    for (int i = 0; i < NODES; i++) {
        const double weight = m->density[i] * sin(pi * (i + 0.5) / NODES);
        const int bin = (int)(m->lambda[i] * ENERGY_BINS / 2);
        share[bin < ENERGY_BINS ? bin : ENERGY_BINS - 1] += weight;
        all += weight;
    }
    for (int k = 0; k < ENERGY_STEPS; k++) {
        const int bin = k / 2, edge = bin + k % 2;
        m->e->edge[k] = 2.0 * edge / ENERGY_BINS;
        m->e->share[k] = 100 * fmax(share[bin], 0) / all;
    }
}

static wgdn_status measure_slabs(measuring *m, float *slab, int64_t width, progress *bar,
                                 wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t from = 0; !st && from < width; from += SLAB) {
        const int64_t count = width - from < SLAB ? width - from : SLAB;
        fill_slab(slab, m->d, from, count);
        st = add_columns(m, slab, count, err);
        progress_show(bar, from + count, width);
    }
    return st;
}

/* Of a matrix, nodes x width; NULL: of the features of d, which are sparse. An exit code. */
static int energy_measure(energy *e, const cli *c, const wgdn_dataset *d, const float *dense,
                          int64_t width, wgdn_average average)
{
    measuring *m = calloc(1, sizeof *m);
    float *slab = dense ? NULL : malloc((size_t)wgdn_dataset_nodes(d) * SLAB * sizeof *slab);
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    int code = DONE;
    if (!m || (!dense && !slab)) {
        code = plot_no_memory();
        goto done;
    }
    *e = (energy){0};
    m->e = e;
    m->d = d;
    m->average = average;
    m->threads = option_threads(&c->values);
    for (int i = 0; i < NODES; i++)
        m->lambda[i] = 1 - cos(pi * (i + 0.5) / NODES);
    progress_start(&bar, "spectral energy", "columns", option_on(&c->values, OPT_QUIET));
    const wgdn_status st =
        dense ? add_columns(m, dense, width, &err) : measure_slabs(m, slab, width, &bar, &err);
    progress_end(&bar);
    if (st) {
        code = complain_status(st, &err);
    } else if (e->estimate.signal > 0) {
        make_bins(m);
    } else {
        complain("%s: all values are zero, so there is no spectral energy to show", c->operand[0]);
        code = BAD_INPUT;
    }

done:
    free(slab);
    free(m);
    return code;
}

/*
 * Draws the kernel and its Wiener responses over the spectral energy of the data they are applied
 * to.
 */

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
        const wgdn_model_info info = model_info(r->model);
        if (!info.train) {
            complain(
                "%s was fitted, not trained: it has no decoder, so there is no response to show",
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

static double wiener_value(void *user, double lambda)
{
    const wiener *w = user;
    const double g = wgdn_kernel_value(w->kernel, lambda);
    return g == 0 ? 0 : g / (g * g + w->penalty);
}

/* A kernel and, dashed, its polynomial approximation. */
static int add_curves(response *r, const wgdn_kernel *k, int order, int color, const char *name)
{
    double *exact = r->curve[r->count - 1], *fitted = r->curve[r->count], a[ORDER_MAX + 1];
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_kernel_coefficients(a, k, order, WGDN_APPROXIMATION_ONE_STEP, &err);
    if (st) return complain_status(st, &err);
    for (int i = 0; i < POINTS; i++) {
        exact[i] = wgdn_kernel_value(k, r->at[i]);
        fitted[i] = 0;
        for (int m = order; m >= 0; m--)
            fitted[i] = fitted[i] * r->at[i] + a[m];
    }
    const chart_series line = {
        .name = name, .kind = CHART_LINE, .color = color, .count = POINTS, .x = r->at};
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
    return complain_status(wgdn_train_explain(&r->run, r->d, &r->options, &err), &err);
}

static int make_curves(response *r)
{
    wgdn_error err = {WGDN_OK, ""};
    for (int i = 0; i < POINTS; i++)
        r->at[i] = 2.0 * i / (POINTS - 1);
    r->series[0] =
        (chart_series){.name = r->model ? "energy of the embeddings" : "energy of the features",
                       .kind = CHART_AREA,
                       .color = CHART_GREY,
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
             path_name(c->operand[c->operands - 1]));
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

static int plot_response(cli *c)
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
    wgdn_kernel_free(r->kernel);
    wgdn_embedding_free(r->vectors);
    wgdn_model_free(r->model);
    wgdn_dataset_free(r->d);
    free(r);
    return code;
}

/* In the order of the choices of --kind. */
static const struct {
    const char *name;
    int max; /* operands */
    int (*run)(cli *c);
} kinds[] = {
    {"map", 2, plot_projection}, {"curve", INT_MAX, plot_curve}, {"response", 2, plot_response}};

/* WxH, or nothing given. */
static int read_size(const cli *c, chart *picture)
{
    const char *text = c->values.text[OPT_SIZE];
    int width = 0, height = 0, end = 0;
    if (!text) return DONE;
    if (sscanf(text, "%5dx%5d%n", &width, &height, &end) < 2 || text[end] != '\0' || width < 200 ||
        width > 4000 || height < 150 || height > 4000) {
        complain("--size %s: expected WxH, 200x150 to 4000x4000, as in 900x600", text);
        return USAGE;
    }
    picture->width = width;
    picture->height = height;
    return DONE;
}

int plot_finish(const cli *c, const chart *picture, const plot_figure *figure, int figures)
{
    const char *path = c->values.text[OPT_OUTPUT_PICTURE];
    chart wanted = *picture;
    int code = read_size(c, &wanted);
    if (c->values.text[OPT_TITLE]) wanted.title = c->values.text[OPT_TITLE];
    wanted.dark = option_on(&c->values, OPT_DARK);
    if (code == DONE) code = chart_write(&wanted, path);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_JSON)) {
        json j = json_begin(c->out);
        json_put_text(&j, "picture", c->values.text[OPT_OUTPUT_PICTURE]);
        json_put_text(&j, "kind", option_text(&c->values, OPT_KIND));
        for (int i = 0; i < figures; i++)
            if (figure[i].whole)
                json_put_integer(&j, figure[i].name, (int64_t)figure[i].value);
            else
                json_put_real(&j, figure[i].name, figure[i].value);
        json_end(&j);
    } else if (!option_on(&c->values, OPT_QUIET) && isatty(STDERR_FILENO))
        fprintf(stderr, "the picture is in %s\n", path);
    return DONE;
}

static int plot(cli *c)
{
    const int kind = option_choice(&c->values, OPT_KIND);
    const char *path = c->values.text[OPT_OUTPUT_PICTURE];
    if (!path || strcmp(path, "-") == 0) {
        complain("'wgdn plot' needs -o PICTURE: a file .png, .svg, .pdf or .html");
        return USAGE;
    }
    if (c->operands > kinds[kind].max) {
        complain("'wgdn plot --kind %s' takes no operand '%s'", kinds[kind].name,
                 c->operand[kinds[kind].max]);
        return USAGE;
    }
    chart size = {0};
    int code = read_size(c, &size);
    if (code == DONE) code = chart_check(path);
    if (code == DONE) effects_plot(c, kinds[kind].name);
    return code == DONE ? kinds[kind].run(c) : code;
}

const command cmd_plot = {
    .name = "plot",
    .operands = "VECTORS|MODEL|LOG... [DATA]",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .operand = {{.files = VECTOR_FILES "|model|jsonl"}, {.files = DATA_FILES "|jsonl"}},
    .summary = "draw 2-D projections, loss curves, spectral responses",
    .text = "Draw a picture to the file that -o names: .png, .svg, .pdf or .html.\n\n"
            "--kind map shows VECTORS, or the embeddings that MODEL gives the nodes of DATA, in "
            "two dimensions by t-SNE or PCA, colored by the labels of DATA or --labels. Up to 20 "
            "classes have a color and mark of their own; of more, the largest 20. Up to 60 nodes "
            "have their names beside them, up to 200 those that find room; in .html, names show "
            "under the mouse. "
            "--kind curve draws the loss of each LOG that 'wgdn train --log' wrote. --kind "
            "response draws the kernel, its Wiener responses for the energy factors of --gamma "
            "and the polynomials fitted to them (dashed), over the spectral energy of the "
            "features of DATA; with MODEL DATA, those of the model over the energy of its "
            "embeddings.",
    .example = "wgdn plot vectors.npz cora.npz -o map.png\n"
               "wgdn plot vectors.npz cora.npz --title Cora --dark -o map.html\n"
               "wgdn plot vectors.tsv --labels labels.tsv --projection pca -o map.svg\n"
               "wgdn plot --kind curve cora.csv -o curve.png\n"
               "wgdn plot --kind response cora.npz --preset cora -o response.pdf",
    .topics = TOPICS("Limits", "Settings", "Picture", "2-D projection", "Graph filters"),
    .options = TAKES(READS_DATA, OPT_FEATURES, OPT_OUTPUT_PICTURE, OPT_JSON),
    .first = FIRST("output", "kind", "labels", "projection", "perplexity", "points", "title",
                   "size", "dark", "seed", "kernel", "gamma", "json", "threads"),
    .run = plot,
};
