/* SPDX-License-Identifier: Apache-2.0 */
#include "points.h"
#include "plot.h"
#include "show.h"

#include <stdlib.h>

void points_close(points *p)
{
    free(p->tail);
    free(p->name);
    free(p->series);
    free(p->label);
    free(p->id);
    free(p->up);
    free(p->across);
    free(p->first);
}

int64_t points_node(const points *p, int64_t point)
{
    return point * p->n / p->count;
}

/* The class of a point; those without a label come after all classes. */
static int64_t class_of(const points *p, int64_t point)
{
    const int32_t label = wgdn_dataset_label(p->d, points_node(p, point));
    return label >= 0 ? label : p->classes;
}

static void name_series(const points *p, int64_t class, int64_t count)
{
    size_t size = 0;
    char *name = p->name[p->used];
    const char *word = class < p->classes ? wgdn_dataset_get_class_name(&size, p->d, class) : NULL;
    if (class == p->classes)
        snprintf(name, POINT_NAME, "no label");
    else if (word)
        show_cut(name, POINT_NAME, word, size);
    else
        snprintf(name, POINT_NAME, "class %lld", (long long)class);
    snprintf(p->tail[p->used], POINT_TAIL, "(%lld)", (long long)count);
}

typedef struct rank {
    int64_t class, count;
} rank;

static int larger_first(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return (x->class > y->class) - (x->class < y->class);
}

/* The least of the classes that get a colour of their own, where not all of them do. */
static int find_least(const points *p, rank *least)
{
    *least = (rank){0};
    if (p->classes <= CHART_DISTINCT) return DONE;
    rank *all = malloc((size_t)p->classes * sizeof *all);
    if (!all) return plot_no_memory();
    for (int64_t k = 0; k < p->classes; k++)
        all[k] = (rank){k, p->first[k + 1]};
    qsort(all, (size_t)p->classes, sizeof *all, larger_first);
    *least = all[CHART_DISTINCT - 1];
    free(all);
    return DONE;
}

static void add_series(points *p, int64_t class, int64_t from, int64_t count, int colour)
{
    name_series(p, class, count);
    p->series[p->used] = (chart_series){.name = p->classes > 0 ? p->name[p->used] : NULL,
                                        .tail = p->tail[p->used],
                                        .kind = CHART_POINTS,
                                        .colour = colour,
                                        .count = count,
                                        .x = p->across + from,
                                        .y = p->up + from,
                                        .label = p->label ? p->label + from : NULL};
    p->used++;
}

/* What class k is drawn with; classes keep their colours where there are enough. */
static int colour_of(const points *p, const rank *own, const rank *least, int *next)
{
    if (own->class == p->classes) return p->classes > 0 ? CHART_GREY : 0;
    if (p->classes <= CHART_DISTINCT) return (int)own->class;
    return larger_first(own, least) > 0 ? CHART_REST : (*next)++;
}

/* A series for each class that has points; first[k + 1] counts those of class k, and after it
 * first[k] is where they begin. */
static int make_series(points *p)
{
    rank least;
    int next = 0;
    const int code = find_least(p, &least);
    for (int64_t k = 0; code == DONE && k <= p->classes; k++) {
        const rank own = {k, p->first[k + 1]};
        p->first[k + 1] += p->first[k];
        if (own.count > 0)
            add_series(p, k, p->first[k], own.count, colour_of(p, &own, &least, &next));
    }
    return code;
}

static int reserve(points *p, bool ids)
{
    const size_t groups = (size_t)p->classes + 1, count = (size_t)p->count;
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

int points_sort(points *p, const float *at, bool ids)
{
    p->classes = wgdn_dataset_classes(p->d);
    int code = reserve(p, ids);
    for (int64_t i = 0; code == DONE && i < p->count; i++)
        p->first[class_of(p, i) + 1]++;
    if (code == DONE) code = make_series(p);
    for (int64_t i = 0; code == DONE && i < p->count; i++) {
        const int64_t place = p->first[class_of(p, i)]++;
        p->across[place] = at[2 * i];
        p->up[place] = at[2 * i + 1];
        if (ids) read_id(p, place, points_node(p, i));
    }
    return code;
}
