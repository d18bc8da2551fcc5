/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the loss of training runs from the logs that `wgdn train --log` writes. cmd_plot.c calls
 * it as one kind of picture.
 */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add(curve *l, double epoch, double loss)
{
    if (l->count == l->room) {
        const int64_t room = l->room ? 2 * l->room : 256;
        double *epochs = realloc(l->epoch, (size_t)room * sizeof *epochs);
        if (epochs) l->epoch = epochs;
        double *losses = realloc(l->loss, (size_t)room * sizeof *losses);
        if (losses) l->loss = losses;
        if (!epochs || !losses) return false;
        l->room = room;
    }
    l->epoch[l->count] = epoch;
    l->loss[l->count++] = loss;
    return true;
}

/* The number after "key": in a line of JSON. */
static bool json_number(const char *line, const char *key, double *value)
{
    const char *at = strstr(line, key);
    char *end = NULL;
    if (at) at = strchr(at, ':');
    if (at) *value = strtod(at + 1, &end);
    return at && end != at + 1;
}

static bool csv_numbers(const char *line, double value[3])
{
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        value[i] = strtod(line, &end);
        if (end == line || (i < 2 && *end != ',')) return false;
        line = end + 1;
    }
    return true;
}

static bool read_line(const char *line, double value[3])
{
    if (line[0] != '{') return csv_numbers(line, value);
    return json_number(line, "\"epoch\"", &value[0]) && json_number(line, "\"loss\"", &value[1]) &&
           json_number(line, "\"seconds\"", &value[2]);
}

int curve_read(curve *l, FILE *file, const char *path)
{
    char line[512];
    for (int64_t number = 1; fgets(line, sizeof line, file); number++) {
        double value[3] = {0};
        if (strncmp(line, "epoch,", 6) == 0 || line[strspn(line, " \r\n")] == '\0') continue;
        if (!read_line(line, value)) {
            complain("%s: line %lld: expected epoch, loss and seconds, as 'wgdn train --log' "
                     "writes them",
                     path, (long long)number);
            return BAD_INPUT;
        }
        if (!add(l, value[0], value[1])) return plot_no_memory();
        l->seconds = value[2];
    }
    if (l->count > 0) return DONE;
    complain("%s: it contains no epochs", path);
    return BAD_INPUT;
}

static int read_log(curve *l, const char *path)
{
    int code = path_check(path);
    if (code != DONE) return code;
    FILE *file = fopen(path, "r");
    if (!file) {
        complain("%s: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    code = curve_read(l, file, path);
    fclose(file);
    return code;
}

/* Whether the losses span so much that only their logarithms can be read. */
static bool wide(const curve *l, int count)
{
    double low = INFINITY, high = 0;
    for (int k = 0; k < count; k++)
        for (int64_t i = 0; i < l[k].count; i++) {
            low = fmin(low, l[k].loss[i]);
            high = fmax(high, l[k].loss[i]);
        }
    return low > 0 && high > 30 * low;
}

int curve_draw(const cli *c, const curve *l, chart_series *s)
{
    char under[256];
    double epoch = 0, loss = 0; /* at the end of the last run */
    int64_t points = 0;
    for (int k = 0; k < c->operands; k++) {
        s[k] = (chart_series){.name = c->operands > 1 ? path_name(c->operand[k]) : NULL,
                              .kind = CHART_LINE,
                              .color = k,
                              .count = l[k].count,
                              .x = l[k].epoch,
                              .y = l[k].loss,
                              .marks = l[k].count < 20};
        points += l[k].count;
        if (l[k].count == 0) continue;
        epoch = l[k].epoch[l[k].count - 1];
        loss = l[k].loss[l[k].count - 1];
    }
    if (c->operands > 1)
        snprintf(under, sizeof under, "%d runs", c->operands);
    else
        snprintf(under, sizeof under, "%.100s: loss %.5g after %.0f epochs",
                 path_name(c->operand[0]), loss, epoch);
    const chart picture = {.title = "Training loss",
                           .subtitle = under,
                           .x_title = "epoch",
                           .y_title = "loss",
                           .log_y = wide(l, c->operands),
                           .series = s,
                           .count = c->operands};
    const plot_figure figures[] = {
        {"logs", c->operands, true}, {"points", (double)points, true}, {"loss", loss, false}};
    return plot_finish(c, &picture, figures, 3);
}

int plot_curve(cli *c)
{
    curve *l = calloc((size_t)c->operands, sizeof *l);
    chart_series *s = calloc((size_t)c->operands, sizeof *s);
    int code = l && s ? DONE : plot_no_memory();
    for (int k = 0; code == DONE && k < c->operands; k++)
        code = read_log(&l[k], c->operand[k]);
    if (code == DONE) code = curve_draw(c, l, s);
    for (int k = 0; l && k < c->operands; k++) {
        free(l[k].loss);
        free(l[k].epoch);
    }
    free(s);
    free(l);
    return code;
}
