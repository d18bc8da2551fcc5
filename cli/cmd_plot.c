/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn plot ... -o PICTURE */
#define _POSIX_C_SOURCE 200809L
#include "effects.h"
#include "json.h"
#include "plot/plot.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* In the order of the choices of --kind. */
static const struct {
    const char *name;
    int max; /* operands */
    int (*run)(cli *c);
} kinds[] = {
    {"map", 2, plot_projection}, {"curve", INT_MAX, plot_curve}, {"response", 2, plot_response}};

const char *plot_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void report(const cli *c, const plot_figure *figure, int figures)
{
    json j = {.to = c->out};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "picture", c->values.text[OPT_OUTPUT_PICTURE]);
    json_put_text(&j, "kind", option_text(&c->values, OPT_KIND));
    for (int i = 0; i < figures; i++)
        if (figure[i].whole)
            json_put_integer(&j, figure[i].name, (int64_t)figure[i].value);
        else
            json_put_real(&j, figure[i].name, figure[i].value);
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

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
    if (option_on(&c->values, OPT_JSON))
        report(c, figure, figures);
    else if (!option_on(&c->values, OPT_QUIET) && isatty(STDERR_FILENO))
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
            "two dimensions by t-SNE or PCA, coloured by the labels of DATA or --labels. Up to 20 "
            "classes have a colour and mark of their own; of more, the largest 20. Up to 60 nodes "
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
