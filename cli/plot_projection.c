/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws embeddings as points in two dimensions, colored by labels. cmd_plot.c calls it as one kind
 * of picture; wgdn_embedding_project() computes the positions.
 */
#define _POSIX_C_SOURCE 200809L
#include "chart/chart.h"
#include "files.h"
#include "plot.h"
#include "terminal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_NAME = 96, POINT_TAIL = 32 };

typedef struct points {
    const wgdn_dataset *d; /* ids, labels and their names */
    int64_t n;             /* nodes */
    int64_t count;         /* that are shown: node i n / count for i = 0, 1, ... */
    int64_t classes;
    bool numeric;        /* labels are numbers: points have shades, and are all of one group */
    double low, high;    /* of the numbers, without the outermost hundredth at either end */
    int64_t *order;      /* the class of each group: 2 before 10, also within names */
    int64_t *group;      /* and the other way round */
    int64_t *first;      /* groups + 2: where the points of a group begin among those below */
    double *across, *up; /* points, group after group, those without a label last */
    double *shade;       /* of each, 0 .. 1, or NULL */
    char (*id)[POINT_NAME];
    const char **label;   /* their ids, or NULL */
    chart_series *series; /* groups + 1 at most, one for each that has points */
    char (*name)[POINT_NAME], (*tail)[POINT_TAIL]; /* of the series */
    int used;
} points;

static int64_t points_node(const points *p, int64_t point)
{
    return point * p->n / p->count;
}

static int64_t groups_of(const points *p)
{
    return p->numeric ? 1 : p->classes;
}

/* The group of a point; those without a label come after all others. */
static int64_t group_of(const points *p, int64_t point)
{
    const int32_t label = wgdn_dataset_label(p->d, points_node(p, point));
    if (label < 0) return groups_of(p);
    return p->numeric ? 0 : p->group[label];
}

static void name_series(const points *p, int64_t group, int64_t count)
{
    size_t size = 0;
    char *name = p->name[p->used];
    const int64_t class = group < p->classes && !p->numeric ? p->order[group] : p->classes;
    const char *word = class < p->classes ? wgdn_dataset_get_class_name(&size, p->d, class) : NULL;
    if (class == p->classes)
        snprintf(name, POINT_NAME, "no label");
    else if (word)
        show_cut(name, POINT_NAME, word, size);
    else
        snprintf(name, POINT_NAME, "class %lld", (long long)class);
    snprintf(p->tail[p->used], POINT_TAIL, "(%lld)", (long long)count);
}

/* ---- classes in the order of their names, numbers within them by value ---- */

typedef struct named {
    const char *at;
    size_t size;
    int64_t class;
} named;

static size_t digits_at(const named *n, size_t i)
{
    size_t count = 0;
    while (i + count < n->size && isdigit((unsigned char)n->at[i + count]))
        count++;
    return count;
}

static int natural(const void *a, const void *b)
{
    const named *x = a, *y = b;
    size_t i = 0, k = 0;
    while (i < x->size && k < y->size) {
        size_t m = digits_at(x, i), n = digits_at(y, k);
        if (m == 0 || n == 0) {
            if (x->at[i] != y->at[k])
                return (unsigned char)x->at[i] < (unsigned char)y->at[k] ? -1 : 1;
            i++, k++;
            continue;
        }
        for (; m > 1 && x->at[i] == '0'; m--)
            i++;
        for (; n > 1 && y->at[k] == '0'; n--)
            k++;
        if (m != n) return m < n ? -1 : 1;
        const int first = memcmp(x->at + i, y->at + k, m);
        if (first) return first;
        i += m, k += n;
    }
    if (i < x->size || k < y->size) return i < x->size ? 1 : -1;
    return (x->class > y->class) - (x->class < y->class);
}

/* Numbers are in their order already; a point in them, or a sign, means nothing above. */
static bool are_numbers(const named *list, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        char text[64], *end = NULL;
        snprintf(text, sizeof text, "%.*s", (int)(list[k].size < 63 ? list[k].size : 63),
                 list[k].at);
        (void)strtod(text, &end);
        if (end == text || *end) return false;
    }
    return true;
}

static int order_classes(points *p)
{
    named *list = malloc(((size_t)p->classes + 1) * sizeof *list);
    if (!list) return plot_no_memory();
    bool named_all = true;
    for (int64_t k = 0; k < p->classes; k++) {
        list[k].class = k;
        list[k].at = wgdn_dataset_get_class_name(&list[k].size, p->d, k);
        named_all = named_all && list[k].at;
    }
    if (named_all && !are_numbers(list, p->classes))
        qsort(list, (size_t)p->classes, sizeof *list, natural);
    for (int64_t k = 0; k < p->classes; k++) {
        p->order[k] = list[k].class;
        p->group[list[k].class] = k;
    }
    free(list);
    return DONE;
}

/* ---- numbers as shades ---- */

static double number_of(const points *p, int32_t label)
{
    char text[64];
    size_t size = 0;
    const char *word = wgdn_dataset_get_class_name(&size, p->d, label);
    snprintf(text, sizeof text, "%.*s", (int)(size < 63 ? size : 63), word ? word : "");
    return strtod(text, NULL);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Low and high: outliers do not take the scale from all others. */
static int find_range(points *p)
{
    double *all = malloc((size_t)p->count * sizeof *all);
    int64_t known = 0;
    if (!all) return plot_no_memory();
    for (int64_t i = 0; i < p->count; i++) {
        const int32_t label = wgdn_dataset_label(p->d, points_node(p, i));
        if (label >= 0) all[known++] = number_of(p, label);
    }
    qsort(all, (size_t)known, sizeof *all, ascending);
    p->low = known ? all[known / 100] : 0;
    p->high = known ? all[known - 1 - known / 100] : 1;
    free(all);
    return DONE;
}

static double shade_of(const points *p, int64_t point)
{
    const int32_t label = wgdn_dataset_label(p->d, points_node(p, point));
    if (label < 0 || !(p->low < p->high)) return 0;
    return fmin(fmax((number_of(p, label) - p->low) / (p->high - p->low), 0), 1);
}

/* ---- series ---- */

typedef struct rank {
    int64_t class, count; /* class: the group */
} rank;

static int larger_first(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return (x->class > y->class) - (x->class < y->class);
}

/* The smallest of the classes that have a color of their own, if not all do. */
static int find_least(const points *p, rank *least)
{
    *least = (rank){0};
    const int64_t groups = groups_of(p);
    if (groups <= CHART_DISTINCT) return DONE;
    rank *all = malloc((size_t)groups * sizeof *all);
    if (!all) return plot_no_memory();
    for (int64_t k = 0; k < groups; k++)
        all[k] = (rank){k, p->first[k + 1]};
    qsort(all, (size_t)groups, sizeof *all, larger_first);
    *least = all[CHART_DISTINCT - 1];
    free(all);
    return DONE;
}

static void add_series(points *p, int64_t group, int64_t from, int64_t count, int color)
{
    const bool shaded = p->numeric && group == 0;
    name_series(p, group, count);
    p->series[p->used] = (chart_series){.name = p->classes > 0 && !shaded ? p->name[p->used] : NULL,
                                        .shade = shaded ? p->shade + from : NULL,
                                        .tail = p->tail[p->used],
                                        .kind = CHART_POINTS,
                                        .color = color,
                                        .count = count,
                                        .x = p->across + from,
                                        .y = p->up + from,
                                        .label = p->label ? p->label + from : NULL};
    p->used++;
}

/* What class k is drawn with; classes keep their colors where there are enough. */
static int color_of(const points *p, const rank *own, const rank *least, int *next)
{
    if (own->class == groups_of(p)) return p->classes > 0 ? CHART_GREY : 0;
    if (groups_of(p) <= CHART_DISTINCT) return (int)own->class;
    return larger_first(own, least) > 0 ? CHART_REST : (*next)++;
}

/* A series for each class that has points; first[k + 1] counts those of class k, and after it
 * first[k] is where they begin. */
static int make_series(points *p)
{
    rank least;
    int next = 0;
    const int code = find_least(p, &least);
    for (int64_t k = 0; code == DONE && k <= groups_of(p); k++) {
        const rank own = {k, p->first[k + 1]};
        p->first[k + 1] += p->first[k];
        if (own.count > 0)
            add_series(p, k, p->first[k], own.count, color_of(p, &own, &least, &next));
    }
    return code;
}

static int reserve(points *p, bool ids)
{
    const size_t groups = (size_t)groups_of(p) + 1, count = (size_t)p->count;
    p->order = malloc(((size_t)p->classes + 1) * sizeof *p->order);
    p->group = malloc(((size_t)p->classes + 1) * sizeof *p->group);
    p->shade = p->numeric ? calloc(count, sizeof *p->shade) : NULL;
    if (!p->order || !p->group || (p->numeric && !p->shade)) return plot_no_memory();
    p->first = calloc(groups + 1, sizeof *p->first);
    p->across = malloc(count * sizeof *p->across);
    p->up = malloc(count * sizeof *p->up);
    p->id = ids ? malloc(count * sizeof *p->id) : NULL;
    p->label = ids ? malloc(count * sizeof *p->label) : NULL;
    p->series = calloc(groups, sizeof *p->series);
    p->name = calloc(groups, sizeof *p->name);
    p->tail = calloc(groups, sizeof *p->tail);
    if (!p->first || !p->across || !p->up || !p->series || !p->name || !p->tail)
        return plot_no_memory();
    return ids && (!p->id || !p->label) ? plot_no_memory() : DONE;
}

static void read_id(const points *p, int64_t place, int64_t node)
{
    char whole[1024];
    const int64_t length = wgdn_dataset_id(whole, sizeof whole, p->d, node);
    const size_t size = length < (int64_t)sizeof whole ? (size_t)length : sizeof whole - 1;
    show_cut(p->id[place], POINT_NAME, whole, length > 0 ? size : 0);
    p->label[place] = p->id[place];
}

/* Series of the places at (count x 2), with ids if asked; the largest 20 classes get colors of
 * their own. d, n and count are set. An exit code; what went wrong has been said. */
static int points_sort(points *p, const float *at, bool ids)
{
    const wgdn_dataset_info info = dataset_info(p->d);
    p->classes = info.classes;
    p->numeric = info.numeric_labels != 0;
    int code = reserve(p, ids);
    if (code == DONE) code = p->numeric ? find_range(p) : order_classes(p);
    for (int64_t i = 0; code == DONE && i < p->count; i++)
        p->first[group_of(p, i) + 1]++;
    if (code == DONE) code = make_series(p);
    for (int64_t i = 0; code == DONE && i < p->count; i++) {
        const int64_t place = p->first[group_of(p, i)]++;
        if (p->numeric) p->shade[place] = shade_of(p, i);
        p->across[place] = at[2 * i];
        p->up[place] = at[2 * i + 1];
        if (ids) read_id(p, place, points_node(p, i));
    }
    return code;
}

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
    return complain_status(wgdn_embedding_match(m->row, m->e, m->d, &err), &err);
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

static int place_points(projection *m, const cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    wgdn_projection_options_init(&m->options);
    options_apply(&c->values, WGDN_OPTIONS_KIND_PROJECTION, &m->options);
    m->options.threads = option_threads(&c->values);
    m->options.progress = progress_watch;
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
    return complain_status(st, &err);
}

static int draw(const projection *m, const cli *c)
{
    const bool tsne = m->options.projection == WGDN_PROJECTION_TSNE;
    char title[256], under[256], labels[64] = "", of[64] = "", axis[2][64];
    snprintf(title, sizeof title, "%s projection of %.150s", tsne ? "t-SNE" : "PCA",
             path_name(c->operand[0]));
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
    if (code == DONE) {
        /* Names are wanted where there is room for them, and where they show when pointed at. */
        code = points_sort(&m.points, m.at,
                           m.points.count <= CHART_NAMES_MAX ||
                               chart_hovers(c->values.text[OPT_OUTPUT_PICTURE]));
    }
    if (code == DONE) code = draw(&m, c);
    free(m.points.tail);
    free(m.points.name);
    free(m.points.series);
    free(m.points.label);
    free(m.points.id);
    free(m.points.shade);
    free(m.points.group);
    free(m.points.order);
    free(m.points.up);
    free(m.points.across);
    free(m.points.first);
    free(m.at);
    free(m.sample);
    free(m.row);
    wgdn_embedding_free(m.e);
    wgdn_dataset_free(m.d);
    return code;
}
