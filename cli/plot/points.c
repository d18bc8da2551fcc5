/* SPDX-License-Identifier: Apache-2.0 */
#include "points.h"
#include "plot.h"
#include "show.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void points_close(points *p)
{
    free(p->tail);
    free(p->name);
    free(p->series);
    free(p->label);
    free(p->id);
    free(p->shade);
    free(p->group);
    free(p->order);
    free(p->up);
    free(p->across);
    free(p->first);
}

int64_t points_node(const points *p, int64_t point)
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

/* The least of the classes that get a colour of their own, where not all of them do. */
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

static void add_series(points *p, int64_t group, int64_t from, int64_t count, int colour)
{
    const bool shaded = p->numeric && group == 0;
    name_series(p, group, count);
    p->series[p->used] = (chart_series){.name = p->classes > 0 && !shaded ? p->name[p->used] : NULL,
                                        .shade = shaded ? p->shade + from : NULL,
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
            add_series(p, k, p->first[k], own.count, colour_of(p, &own, &least, &next));
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

int points_sort(points *p, const float *at, bool ids)
{
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_get_info(&info, p->d);
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
