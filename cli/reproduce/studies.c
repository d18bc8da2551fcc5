/* SPDX-License-Identifier: Apache-2.0 */
/* The ablations beside the main table, and whether the paper's order holds in them. */
#include "chart/chart.h"
#include "reproduce.h"

#include <string.h>

void study_cell(ledger_sum *sum, const paper_study *s, int set, int setting, const ledger *l)
{
    char config[64];
    wgdn_train_options t;
    wgdn_eval_options o;
    const paper_set *p = paper_find_set(s->set[set]);
    *sum = (ledger_sum){0};
    if (!paper_options(&t, &o, config, sizeof config, p, s->setting[setting].options, NULL))
        ledger_sum_up(sum, l, p->name, config);
}

bool study_begun(const paper_study *s, const ledger *l)
{
    int cells = 0;
    for (int i = 0; s->set[i]; i++)
        for (int k = 0; s->setting[k].name; k++) {
            ledger_sum sum;
            study_cell(&sum, s, i, k, l);
            cells += sum.seeds > 0;
        }
    return cells > PAPER_SETS_MAX;
}

static void print_cell(FILE *to, const ledger_sum *s, double published)
{
    if (s->seeds == 0)
        fputs(" |", to);
    else if (s->seeds == 1)
        fprintf(to, " %.2f / %.2f", s->test_selected.mean, s->validation_selected.mean);
    else
        fprintf(to, " %.2f ± %.2f / %.2f ± %.2f", s->test_selected.mean, s->test_selected.deviation,
                s->validation_selected.mean, s->validation_selected.deviation);
    if (s->seeds > 0 && published > 0) fprintf(to, " (paper: %.2f)", published);
    if (s->seeds > 0) fputs(" |", to);
}

/* The settings of one set from the best to the worst, by validation-selected accuracy. */
static void print_order(FILE *to, const paper_study *s, int set, const ledger *l)
{
    double accuracy[PAPER_SETTINGS_MAX];
    int order[PAPER_SETTINGS_MAX], count = 0;
    for (int k = 0; s->setting[k].name; k++) {
        ledger_sum sum;
        study_cell(&sum, s, set, k, l);
        if (sum.seeds == 0) continue;
        accuracy[k] = sum.validation_selected.mean;
        int at = count++;
        for (; at > 0 && accuracy[order[at - 1]] < accuracy[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    if (count < 2) return;
    fprintf(to, "- %s: ", paper_find_set(s->set[set])->title);
    for (int i = 0; i < count; i++)
        fprintf(to, "%s%s", i ? " > " : "", s->setting[order[i]].name);
    fprintf(to, ", from %.2f to %.2f.\n", accuracy[order[0]], accuracy[order[count - 1]]);
}

void report_study(FILE *to, const paper_study *s, const ledger *l)
{
    if (!study_begun(s, l)) return;
    fprintf(to,
            "\n## %s\n\nTest-selected (as the paper's code does) / validation-selected.\n\n| %s |",
            s->title, s->axis);
    for (int i = 0; s->set[i]; i++)
        fprintf(to, " %s |", paper_find_set(s->set[i])->title);
    fputs("\n|---|", to);
    for (int i = 0; s->set[i]; i++)
        fputs("---|", to);
    fputc('\n', to);
    for (int k = 0; s->setting[k].name; k++) {
        fprintf(to, "| %s |", s->setting[k].name);
        for (int i = 0; s->set[i]; i++) {
            ledger_sum sum;
            study_cell(&sum, s, i, k, l);
            print_cell(to, &sum, s->setting[k].published[i]);
        }
        fputc('\n', to);
    }
    if (chart_feature()->present) fprintf(to, "\n![%s](node-%s.png)\n", s->title, s->name);
    fprintf(to, "\n%s\n\nBy validation-selected accuracy, best first:\n\n", s->claim);
    for (int i = 0; s->set[i]; i++)
        print_order(to, s, i, l);
}
