/* SPDX-License-Identifier: Apache-2.0 */
/* Embeddings as points in two dimensions, coloured by their labels. */
#define _POSIX_C_SOURCE 200809L
#include "dataset.h"
#include "plot.h"
#include "progress.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME = 128 };

typedef struct projection {
    wgdn_dataset *d; /* ids, labels and their names */
    wgdn_embedding *e;
    int64_t *row; /* the vector of each node */
    int64_t n;
    int64_t points; /* that are shown: row i n / points for i = 0, 1, ... */
    float *sample;  /* points x dim: their vectors */
    float *at;      /* points x 2 */
    wgdn_projection_options options;
    wgdn_projection_result result;
    double seconds;
    int64_t classes;
    int64_t *first;       /* classes + 2: where the points of a class begin among those below */
    double *across, *up;  /* points, class after class, those without a label last */
    chart_series *series; /* classes + 1 at most */
    char (*name)[NAME];
    int count;
} projection;

static void close_projection(projection *m)
{
    free(m->name);
    free(m->series);
    free(m->up);
    free(m->across);
    free(m->first);
    free(m->at);
    free(m->sample);
    free(m->row);
    wgdn_embedding_free(m->e);
    wgdn_dataset_free(m->d);
}

/* Vectors by themselves: their ids, and labels keyed by these. */
static int open_alone(projection *m, const cli *c)
{
    const char *labels = c->values.text[OPT_LABELS];
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    const int code = labels ? path_check(labels) : DONE;
    if (code != DONE) return code;
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, HOME_DATASET, &o);
    wgdn_status st = wgdn_embedding_read(&m->e, c->operand[0], &err);
    if (!st) st = wgdn_dataset_from_embedding(&m->d, m->e, &o, &err);
    return st ? complain_status(st, &err) : DONE;
}

static int find_rows(projection *m)
{
    wgdn_error err = {WGDN_OK, ""};
    m->n = wgdn_dataset_nodes(m->d);
    m->row = malloc((size_t)m->n * sizeof *m->row);
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
        code = open_alone(m, c);
    } else {
        if (is_model) code = dataset_encode(c, model);
        if (code == DONE) code = dataset_read(&m->d, c, c->operand[1]);
        if (code == DONE)
            code = is_model ? vectors_embed(&m->e, model, m->d, WGDN_TASK_NODE, WGDN_POOL_AUTO,
                                            option_threads(&c->values))
                            : vectors_read(&m->e, path);
    }
    wgdn_model_free(model);
    return code == DONE ? find_rows(m) : code;
}

static int64_t node_of(const projection *m, int64_t point)
{
    return point * m->n / m->points;
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
    m->points = m->n < max ? m->n : max;
    m->at = malloc((size_t)m->points * 2 * sizeof *m->at);
    m->sample = malloc((size_t)m->points * (size_t)dim * sizeof *m->sample);
    if (!m->at || !m->sample) return plot_no_memory();
    if (m->points < m->n && !option_on(&c->values, OPT_QUIET))
        complain("showing %lld of %lld nodes; --points %lld would show all", (long long)m->points,
                 (long long)m->n, (long long)m->n);
    for (int64_t i = 0; i < m->points; i++)
        memcpy(m->sample + i * dim, x + m->row[node_of(m, i)] * dim, (size_t)dim * sizeof *x);
    return DONE;
}

static int watch(void *user, int64_t done, int64_t total)
{
    progress_show(user, done, total);
    return 0;
}

static int place_points(projection *m, const cli *c)
{
    struct timespec from = {0}, to = {0};
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    wgdn_projection_options_init(&m->options);
    options_apply(&c->values, HOME_PROJECTION, &m->options);
    m->options.threads = option_threads(&c->values);
    m->options.progress = watch;
    m->options.progress_user = &bar;
    m->result = (wgdn_projection_result){.struct_size = sizeof m->result};
    progress_start(&bar, "t-SNE", "steps", option_on(&c->values, OPT_QUIET));
    clock_gettime(CLOCK_MONOTONIC, &from);
    wgdn_embedding *shown = NULL;
    wgdn_status st = wgdn_embedding_from_values(&shown, m->sample, m->points,
                                                wgdn_embedding_dim(m->e), NULL, &err);
    if (!st) st = wgdn_embedding_project(m->at, &m->result, shown, &m->options, &err);
    wgdn_embedding_free(shown);
    m->options.progress_user = NULL;
    clock_gettime(CLOCK_MONOTONIC, &to);
    progress_end(&bar);
    m->seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    return st ? complain_status(st, &err) : DONE;
}

/* The class of a point; those without a label come after all classes. */
static int64_t class_of(const projection *m, int64_t point)
{
    const int32_t label = wgdn_dataset_label(m->d, node_of(m, point));
    return label >= 0 ? label : m->classes;
}

static void name_series(const projection *m, char name[NAME], int64_t class, int64_t count)
{
    size_t size = 0;
    const char *word =
        class < m->classes ? wgdn_dataset_get_class_name(&size, m->d, class) : "no label";
    if (class == m->classes)
        snprintf(name, NAME, "%s (%lld)", word, (long long)count);
    else if (word)
        snprintf(name, NAME, "%.*s (%lld)", size < 90 ? (int)size : 90, word, (long long)count);
    else
        snprintf(name, NAME, "class %lld (%lld)", (long long)class, (long long)count);
}

/* Points class after class, and a series for each class that has any. */
static int sort_points(projection *m)
{
    m->classes = wgdn_dataset_classes(m->d);
    const size_t groups = (size_t)m->classes + 1;
    m->first = calloc(groups + 1, sizeof *m->first);
    m->across = malloc((size_t)m->points * sizeof *m->across);
    m->up = malloc((size_t)m->points * sizeof *m->up);
    m->series = calloc(groups, sizeof *m->series);
    m->name = calloc(groups, sizeof *m->name);
    if (!m->first || !m->across || !m->up || !m->series || !m->name) return plot_no_memory();
    for (int64_t i = 0; i < m->points; i++)
        m->first[class_of(m, i) + 1]++;
    for (int64_t k = 0; k <= m->classes; k++) {
        const int64_t count = m->first[k + 1], from = m->first[k];
        m->first[k + 1] += from;
        if (count == 0) continue;
        name_series(m, m->name[m->count], k, count);
        m->series[m->count] =
            (chart_series){.name = m->classes > 0 ? m->name[m->count] : NULL,
                           .kind = CHART_POINTS,
                           .colour = k == m->classes && m->classes > 0 ? CHART_GREY : (int)k,
                           .count = count,
                           .x = m->across + from,
                           .y = m->up + from};
        m->count++;
    }
    for (int64_t i = 0; i < m->points; i++) {
        const int64_t place = m->first[class_of(m, i)]++;
        m->across[place] = m->at[2 * i];
        m->up[place] = m->at[2 * i + 1];
    }
    return DONE;
}

static int draw(const projection *m, const cli *c)
{
    const bool tsne = m->options.projection == WGDN_PROJECTION_TSNE;
    char title[256], under[256], labels[64] = "", of[64] = "", axis[2][64];
    snprintf(title, sizeof title, "%s projection of %.150s", tsne ? "t-SNE" : "PCA",
             plot_name(c->operand[0]));
    if (m->points < m->n) snprintf(of, sizeof of, " of %lld", (long long)m->n);
    if (m->classes > 0) snprintf(labels, sizeof labels, " in %lld classes", (long long)m->classes);
    snprintf(under, sizeof under, "%lld%s nodes%s, %lld dimensions", (long long)m->points, of,
             labels, (long long)wgdn_embedding_dim(m->e));
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
                           .series = m->series,
                           .count = m->count,
                           .height = 680};
    const plot_figure figures[] = {{"points", (double)m->points, true},
                                   {"nodes", (double)m->n, true},
                                   {"classes", (double)m->classes, true},
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
    if (code == DONE) code = sort_points(&m);
    if (code == DONE) code = draw(&m, c);
    close_projection(&m);
    return code;
}
