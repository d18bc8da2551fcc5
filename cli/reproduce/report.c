/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger as tables: node.md and node.json. */
#define _POSIX_C_SOURCE 200809L
#include "held.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_share(FILE *to, double x)
{
    if (isnan(x))
        fputs(" |", to);
    else
        fprintf(to, " %.2f |", x);
}

void report_taken(FILE *to, const ledger_sum *s)
{
    fprintf(to, " %d |", s->seeds);
    if (s->epoch_ms > 0)
        fprintf(to, " %.0f | %.0f |", s->epoch_ms, (double)s->peak_bytes / 1e6);
    else
        fputs(" | |", to);
    fprintf(to, " `%s` |\n", s->last->commit);
}

static const char *baseline_name(int b)
{
    return wgdn_baseline_name((wgdn_baseline)b, WGDN_TASK_NODE);
}

static void print_set(FILE *to, const paper_set *p, const ledger *l)
{
    ledger_sum s;
    ledger_sum_up(&s, l, p->name, "preset");
    if (s.seeds == 0) return;
    fprintf(to, "| %s | %.2f | %.2f ± %.2f (%.2f) | %.2f ± %.2f (%.2f) |", p->title, p->published,
            s.test_selected.mean, s.test_selected.deviation, s.test_selected_probes,
            s.validation_selected.mean, s.validation_selected.deviation,
            s.validation_selected_probes);
    for (int b = 0; b < LEDGER_BASELINES; b++)
        report_share(to, s.baseline[b]);
    report_share(to, s.validation_selected.mean - s.baseline[WGDN_BASELINE_RAW]);
    report_share(to, s.validation_selected.mean - s.baseline[WGDN_BASELINE_RANDOM]);
    report_taken(to, &s);
}

static void print_main(FILE *to, const ledger *l)
{
    fputs(
        "# Node tasks\n\n"
        "Written by `wgdn reproduce node` from the runs in `node.csv`, one line each; the last "
        "column is the commit\nof the run. The same command on another machine repeats the runs, "
        "and skips those recorded there.\n\n"
        "Accuracy in %. **Test-selected** (as the paper's code does): the best test accuracy over "
        "all steps at which\nvalidation accuracy equals or exceeds its best so far; it looks at "
        "test labels and is shown for comparison\nonly. **Validation-selected**: test accuracy "
        "at the first step with the best validation accuracy. Both are\nmeans over training "
        "seeds ± their standard deviation, with the mean standard deviation over the 20 linear\n"
        "probes of a seed in brackets; the paper's ± is over probes of one trained model. "
        "Baselines and margins are\nvalidation-selected. An epoch's time is processor time "
        "divided by the threads, which other work on the\nmachine does not disturb.\n\n"
        "| dataset | paper | test-selected (as the paper's code does) | validation-selected |",
        to);
    for (int b = 0; b < LEDGER_BASELINES; b++)
        fprintf(to, " %s |", baseline_name(b));
    fputs(" over raw features | over random encoder | seeds | epoch ms | peak MB | commit |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
          to);
    for (int i = 0; paper_node_set(i); i++)
        print_set(to, paper_node_set(i), l);
}

void report_spread(json *j, const char *key, wgdn_spread s, const char *over, double deviation)
{
    char name[64];
    snprintf(name, sizeof name, "%s_mean", key);
    json_put_real(j, name, s.mean);
    snprintf(name, sizeof name, "%s_std_seeds", key);
    json_put_real(j, name, s.deviation);
    snprintf(name, sizeof name, "%s_std_%s", key, over);
    json_put_real(j, name, deviation);
}

/* What the paper says of a configuration, or nothing. */
static double published_number(const paper_set *p, const char *config)
{
    if (strcmp(config, "preset") == 0) return p->published;
    for (int i = 0; paper_node_study(i); i++) {
        const paper_study *s = paper_node_study(i);
        for (int k = 0; s->set[k]; k++)
            for (int q = 0; s->setting[q].name && strcmp(s->set[k], p->name) == 0; q++)
                if (strcmp(s->setting[q].options, config) == 0 && s->setting[q].published[k] > 0)
                    return s->setting[q].published[k];
    }
    return NAN;
}

void report_rest(json *j, const ledger_sum *s, const char *const baseline[LEDGER_BASELINES])
{
    json_put_integer(j, "seeds", s->seeds);
    for (int b = 0; b < LEDGER_BASELINES; b++)
        if (!isnan(s->baseline[b])) json_put_real(j, baseline[b], s->baseline[b]);
    json_put_integer(j, "threads", s->last->threads);
    json_put_real(j, "epoch_ms", s->epoch_ms);
    json_put_integer(j, "peak_bytes", s->peak_bytes);
    json_put_text(j, "commit", s->last->commit);
}

static void put_config(json *j, const ledger *l, const char *set, const char *config)
{
    static const char *const baseline[LEDGER_BASELINES] = {"raw_features", "smoothed_features",
                                                           "random_encoder", "pca"};
    ledger_sum s;
    ledger_sum_up(&s, l, set, config);
    json_put_open(j, NULL, '{');
    json_put_text(j, "dataset", set);
    json_put_text(j, "config", config);
    json_put_real(j, "paper", published_number(paper_find_set(set), config));
    report_spread(j, "test_selected", s.test_selected, "probes", s.test_selected_probes);
    report_spread(j, "validation_selected", s.validation_selected, "probes",
                  s.validation_selected_probes);
    report_rest(j, &s, baseline);
    json_put_close(j, '}');
}

static void print_json(FILE *to, const ledger *l)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '[');
    for (int i = 0; i < l->rows; i++) {
        const ledger_row *r = &l->row[i];
        if (paper_find_set(r->set) && ledger_first(l, i)) put_config(&j, l, r->set, r->config);
    }
    json_put_close(&j, ']');
    fputc('\n', to);
}

/* One file, whole or not at all, by what prints it. */
static int write_file(const char *folder, const char *name, void (*print)(FILE *, const ledger *),
                      const ledger *l)
{
    char path[1200];
    held text;
    if (held_open(&text)) print(text.to, l);
    if (!held_close(&text)) {
        free(text.data);
        complain("out of memory for the tables");
        return DOES_NOT_FIT;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int code = deliver(path, text.data, text.size);
    free(text.data);
    return code;
}

static void print_tables(FILE *to, const ledger *l)
{
    print_main(to, l);
    for (int i = 0; paper_node_study(i); i++)
        report_study(to, paper_node_study(i), l);
}

int report_write(const char *folder, const ledger *l, bool graphs)
{
    if (graphs) {
        const int made = write_file(folder, "graph.md", report_graphs, l);
        return made == DONE ? write_file(folder, "graph.json", report_graphs_json, l) : made;
    }
    int code = write_file(folder, "node.md", print_tables, l);
    if (code == DONE) code = write_file(folder, "node.json", print_json, l);
    for (int i = 0; code == DONE && paper_node_study(i); i++)
        code = study_chart(folder, paper_node_study(i), l);
    return code;
}
