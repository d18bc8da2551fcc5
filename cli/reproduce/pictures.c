/* SPDX-License-Identifier: Apache-2.0 */
/* A study as a picture: how many points each setting gains or loses against the preset. */
#include "chart/chart.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

enum { LOWEST = -10 }; /* points that are shown to scale */

typedef struct lines {
    const char *group[PAPER_SETTINGS_MAX];
    double x[PAPER_SETTINGS_MAX];
    double y[PAPER_SETS_MAX][PAPER_SETTINGS_MAX], error[PAPER_SETS_MAX][PAPER_SETTINGS_MAX];
    int settings, sets;
} lines;

/* Validation-selected accuracies less the preset's; NAN where there is no run. */
static void gather(lines *g, const paper_study *s, const ledger *l)
{
    for (int i = 0; s->set[i]; i++) {
        ledger_sum preset;
        ledger_sum_up(&preset, l, s->set[i], "preset");
        g->sets = i + 1;
        for (int k = 0; s->setting[k].name; k++) {
            ledger_sum sum;
            study_cell(&sum, s, i, k, l);
            const bool there = sum.seeds > 0 && preset.seeds > 0;
            g->group[k] = s->setting[k].name;
            g->x[k] = s->ordered ? atof(s->setting[k].name) : k;
            g->y[i][k] =
                there ? sum.validation_selected.mean - preset.validation_selected.mean : NAN;
            g->error[i][k] = there && sum.seeds > 1 ? sum.validation_selected.deviation : 0;
            g->settings = k + 1;
        }
    }
}

/* A model that has collapsed must not make the others unreadable: the axis ends above it. */
static void limit(chart *c, const lines *g)
{
    double low = 0, high = 0;
    bool cut = false;
    for (int i = 0; i < g->sets; i++)
        for (int k = 0; k < g->settings; k++) {
            const double y = g->y[i][k], e = g->error[i][k];
            cut = cut || y < LOWEST;
            if (y >= LOWEST) low = fmin(low, y - e);
            if (y >= LOWEST) high = fmax(high, y + e);
        }
    if (!cut) return;
    c->y_low = floor(1.2 * low) - 1;
    c->y_high = ceil(high);
}

int study_chart(const char *folder, const paper_study *s, const ledger *l)
{
    lines g = {0};
    chart_series series[PAPER_SETS_MAX];
    char path[1200];
    if (!chart_feature()->present || !study_begun(s, l)) return DONE;
    gather(&g, s, l);
    for (int i = 0; i < g.sets; i++)
        series[i] = (chart_series){.name = paper_find_set(s->set[i])->title,
                                   .kind = s->ordered ? CHART_LINE : CHART_BARS,
                                   .colour = i,
                                   .count = g.settings,
                                   .x = s->ordered ? g.x : NULL,
                                   .y = g.y[i],
                                   .error = g.error[i],
                                   .marks = true};
    chart c = {.title = s->title,
               .subtitle =
                   "validation-selected test accuracy; whiskers: standard deviation over seeds",
               .x_title = s->axis,
               .y_title = "points against the preset",
               .group = s->ordered ? NULL : g.group,
               .groups = s->ordered ? 0 : g.settings,
               .series = series,
               .count = g.sets};
    limit(&c, &g);
    snprintf(path, sizeof path, "%s/node-%s.png", folder, s->name);
    return chart_write(&c, path);
}
