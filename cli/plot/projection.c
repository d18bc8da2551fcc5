/* SPDX-License-Identifier: Apache-2.0 */
/* Embeddings as points in two dimensions, coloured by their labels. */
#define _POSIX_C_SOURCE 200809L
#include "dataset.h"
#include "plot.h"
#include "points.h"
#include "progress.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

typedef struct projection {
    wgdn_dataset *d; /* ids, labels and their names */
    wgdn_embedding *e;
    bool of_graphs; /* nodes of d are graphs */
    int64_t *row;   /* the vector of each node */
    points points;  /* that are shown */
    float *sample;  /* points x dim: their vectors */
    float *at;      /* points x 2 */
    wgdn_projection_options options;
    wgdn_projection_result result;
    double seconds;
} projection;

static void close_projection(projection *m)
{
    points_close(&m->points);
    free(m->at);
    free(m->sample);
    free(m->row);
    wgdn_embedding_free(m->e);
    wgdn_dataset_free(m->d);
}

/* Vectors of graphs belong to a dataset whose nodes are these. */
static int settle_graphs(projection *m)
{
    const int64_t rows = wgdn_embedding_rows(m->e), graphs = wgdn_dataset_graphs(m->d);
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *of_graphs = NULL;
    if (graphs < 2 || rows != graphs || rows == wgdn_dataset_nodes(m->d)) return DONE;
    const wgdn_status st = wgdn_dataset_from_graphs(&of_graphs, m->d, &err);
    if (st) return complain_status(st, &err);
    wgdn_dataset_free(m->d);
    m->d = of_graphs;
    m->of_graphs = true;
    return DONE;
}

static int find_rows(projection *m)
{
    wgdn_error err = {WGDN_OK, ""};
    m->points.d = m->d;
    m->points.n = wgdn_dataset_nodes(m->d);
    m->row = malloc((size_t)m->points.n * sizeof *m->row);
    if (!m->row) return plot_no_memory();
    const wgdn_status st = wgdn_embedding_match(m->row, m->e, m->d, &err);
    return st ? complain_status(st, &err) : DONE;
}

static int open_projection(projection *m, cli *c)
{
    const char *path = c->operand[0];
    wgdn_model *model = NULL;
    int code = path_check(path);
    if (code != DONE) return code;
    const bool is_model = wgdn_model_load(&model, path, NULL) == WGDN_OK;
    if (c->operands == 1 && is_model) {
        complain("%s is a model: add the DATA whose nodes are shown", path);
        code = USAGE;
    } else if (c->operands == 1) {
        code = vectors_alone(&m->d, &m->e, c);
    } else {
        if (is_model) code = dataset_encode(c, model);
        if (code == DONE) code = dataset_read(&m->d, c, c->operand[1]);
        if (code == DONE)
            code = is_model ? vectors_embed(&m->e, model, m->d, WGDN_TASK_NODE, WGDN_POOL_AUTO,
                                            option_threads(&c->values))
                            : vectors_wanted(&m->e, path);
        if (code == DONE) code = settle_graphs(m);
    }
    wgdn_model_free(model);
    return code == DONE ? find_rows(m) : code;
}

/* The nodes' vectors, evenly subsampled where there are more than can be shown. */
static int take_sample(projection *m, const cli *c)
{
    const int64_t dim = wgdn_embedding_dim(m->e);
    const float *x = wgdn_embedding_get_values(m->e);
    const int max = atoi(option_text(&c->values, OPT_POINTS));
    if (max < 1) {
        complain("--points %d: expected at least 1", max);
        return USAGE;
    }
    m->points.count = m->points.n < max ? m->points.n : max;
    m->at = malloc((size_t)m->points.count * 2 * sizeof *m->at);
    m->sample = malloc((size_t)m->points.count * (size_t)dim * sizeof *m->sample);
    if (!m->at || !m->sample) return plot_no_memory();
    if (m->points.count < m->points.n && !option_on(&c->values, OPT_QUIET))
        complain("showing %lld of %lld nodes; --points %lld would show all",
                 (long long)m->points.count, (long long)m->points.n, (long long)m->points.n);
    for (int64_t i = 0; i < m->points.count; i++)
        memcpy(m->sample + i * dim, x + m->row[points_node(&m->points, i)] * dim,
               (size_t)dim * sizeof *x);
    return DONE;
}

static int watch(void *user, int64_t done, int64_t total)
{
    progress_show(user, done, total);
    return 0;
}

static int place_points(projection *m, const cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    wgdn_projection_options_init(&m->options);
    options_apply(&c->values, HOME_PROJECTION, &m->options);
    m->options.threads = option_threads(&c->values);
    m->options.progress = watch;
    m->options.progress_user = &bar;
    m->result = (wgdn_projection_result){.struct_size = sizeof m->result};
    progress_start(&bar, "t-SNE", "steps", option_on(&c->values, OPT_QUIET));
    const double from = seconds_now();
    wgdn_embedding *shown = NULL;
    wgdn_status st = wgdn_embedding_from_values(&shown, m->sample, m->points.count,
                                                wgdn_embedding_dim(m->e), NULL, &err);
    if (!st) st = wgdn_embedding_project(m->at, &m->result, shown, &m->options, &err);
    wgdn_embedding_free(shown);
    m->options.progress_user = NULL;
    m->seconds = seconds_now() - from;
    progress_end(&bar);
    return st ? complain_status(st, &err) : DONE;
}

/* Names are wanted where there is room for them, and where they show when pointed at. */
static int sort_points(projection *m, const cli *c)
{
    return points_sort(&m->points, m->at,
                       m->points.count <= CHART_NAMES_MAX ||
                           chart_hovers(c->values.text[OPT_OUTPUT_PICTURE]));
}

static int draw(const projection *m, const cli *c)
{
    const bool tsne = m->options.projection == WGDN_PROJECTION_TSNE;
    char title[256], under[256], labels[64] = "", of[64] = "", axis[2][64];
    snprintf(title, sizeof title, "%s projection of %.150s", tsne ? "t-SNE" : "PCA",
             plot_name(c->operand[0]));
    if (m->points.count < m->points.n) snprintf(of, sizeof of, " of %lld", (long long)m->points.n);
    if (m->points.classes > 0 && !m->points.numeric)
        snprintf(labels, sizeof labels, " in %lld class%s", (long long)m->points.classes,
                 m->points.classes == 1 ? "" : "es");
    snprintf(under, sizeof under, "%lld%s %s%s, %lld dimensions", (long long)m->points.count, of,
             m->of_graphs ? "graphs" : "nodes", labels, (long long)wgdn_embedding_dim(m->e));
    if (tsne && strlen(under) < 180)
        snprintf(under + strlen(under), sizeof under - strlen(under),
                 "; perplexity %g, divergence %.3g", m->options.perplexity, m->result.kl);
    for (int j = 0; j < 2; j++)
        snprintf(axis[j], sizeof axis[j], "%s component, %.1f %% of the variance",
                 j == 0 ? "first" : "second", 100 * m->result.share[j]);
    const chart picture = {.title = title,
                           .subtitle = under,
                           .x_title = tsne ? NULL : axis[0],
                           .y_title = tsne ? NULL : axis[1],
                           .equal = true,
                           .series = m->points.series,
                           .count = m->points.used,
                           .height = 680,
                           .bar_low = m->points.low,
                           .bar_high = m->points.high,
                           .names = m->points.count <= CHART_NAMES_MAX};
    const plot_figure figures[] = {{"points", (double)m->points.count, true},
                                   {"nodes", (double)m->points.n, true},
                                   {"classes", (double)m->points.classes, true},
                                   {"kl", m->result.kl, false},
                                   {"seconds", m->seconds, false}};
    return plot_finish(c, &picture, figures, 5);
}

int plot_projection(cli *c)
{
    projection m = {0};
    int code = open_projection(&m, c);
    if (code == DONE) code = take_sample(&m, c);
    if (code == DONE) code = place_points(&m, c);
    if (code == DONE) code = sort_points(&m, c);
    if (code == DONE) code = draw(&m, c);
    close_projection(&m);
    return code;
}
