/* SPDX-License-Identifier: Apache-2.0 */
/* info for people: a name on the left, what there is to say on the right. */
#include "info.h"
#include "show.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS_MAX = 20, BAR_MAX = 40 };

static void put_spread(FILE *to, const char *name, const spread *s)
{
    fprintf(to, "  %-14smin %" PRId64 ", median %g, mean %.2f, max %" PRId64 "\n", name, s->min,
            s->median, s->mean, s->max);
}

static void put_histogram(FILE *to, const summary *s)
{
    int64_t largest = 1;
    for (int i = 0; i < BINS; i++)
        if (s->bin[i] > largest) largest = s->bin[i];
    for (int i = 0; i < BINS; i++) {
        char range[48], bar[BAR_MAX + 1];
        int64_t from = 0, upto = 0;
        if (s->bin[i] == 0) continue;
        bin_range(i, &from, &upto);
        if (from == upto)
            snprintf(range, sizeof range, "%" PRId64, from);
        else
            snprintf(range, sizeof range, "%" PRId64 "-%" PRId64, from, upto);
        const int length = (int)((s->bin[i] * BAR_MAX + largest - 1) / largest);
        memset(bar, '#', (size_t)length);
        bar[length] = '\0';
        fprintf(to, "    %-12s%10" PRId64 "  %s\n", range, s->bin[i], bar);
    }
}

static void put_features(FILE *to, const wgdn_dataset *d, const summary *s)
{
    const int64_t *offset = NULL;
    const int32_t *column = NULL;
    const float *value = NULL;
    if (s->info.features == 0) {
        fputs("  features      none\n", to);
        return;
    }
    const bool sparse = wgdn_dataset_get_sparse(&offset, &column, &value, d);
    fprintf(to, "  features      %" PRId64 " columns, %s, %" PRId64 " non-zero (%.3g %%)\n",
            s->info.features,
            !sparse ? "dense"
            : value ? "sparse"
                    : "sparse, all 1",
            s->info.entries, 100 * s->density);
}

static void put_more(FILE *to, int64_t left)
{
    if (left > 0) fprintf(to, "    ... and %" PRId64 " more\n", left);
}

static void put_classes(FILE *to, const wgdn_dataset *d, const summary *s)
{
    const int64_t classes = s->info.classes;
    if (classes == 0) {
        fputs("  classes       none\n", to);
        return;
    }
    fprintf(to, "  classes       %" PRId64, classes);
    if (s->info.label_offset)
        fprintf(to, ", multi-label: %" PRId64 " labels of %" PRId64 " nodes",
                s->info.label_offset[s->info.nodes], s->info.nodes - s->class_size[classes]);
    if (s->class_size[classes]) fprintf(to, ", %" PRId64 " unlabelled", s->class_size[classes]);
    fputc('\n', to);
    for (int64_t c = 0; c < classes && c < ROWS_MAX; c++) {
        size_t size = 0;
        const char *name = wgdn_dataset_get_class_name(&size, d, c);
        fprintf(to, "    %10" PRId64 "  ", s->class_size[c]);
        if (name)
            show_name(to, name, size);
        else
            fprintf(to, "%" PRId64, c);
        fputc('\n', to);
    }
    put_more(to, classes - ROWS_MAX);
}

static void put_splits(FILE *to, const summary *s)
{
    const int64_t splits = s->info.splits;
    if (splits == 0) {
        fputs("  splits        none\n", to);
        return;
    }
    fprintf(to, "  splits        %" PRId64 "\n", splits);
    for (int64_t k = 0; k < splits && k < ROWS_MAX; k++) {
        const int64_t *n = s->split_size + 4 * k;
        fprintf(to, "    train %" PRId64 ", val %" PRId64 ", test %" PRId64 ", none %" PRId64 "\n",
                n[WGDN_SPLIT_TRAIN], n[WGDN_SPLIT_VAL], n[WGDN_SPLIT_TEST], n[WGDN_SPLIT_NONE]);
    }
    put_more(to, splits - ROWS_MAX);
}

static void put_graphs(FILE *to, const summary *s)
{
    const int64_t classes = s->info.graph_classes;
    if (s->info.graphs == 1 && classes == 0) return;
    fprintf(to, "  graphs        %" PRId64 "\n", s->info.graphs);
    put_spread(to, "  their nodes", &s->graph_nodes);
    if (classes == 0) return;
    fprintf(to, "  graph classes %" PRId64 "\n", classes);
    for (int64_t c = 0; c < classes && c < ROWS_MAX; c++)
        fprintf(to, "    %10" PRId64 "  %" PRId64 "\n", s->graph_class_size[c], c);
    put_more(to, classes - ROWS_MAX);
}

static void put_count(FILE *to, int64_t count, const char *words)
{
    if (count > 0) fprintf(to, "    %10" PRId64 "  %s\n", count, words);
}

static void put_counts(FILE *to, const wgdn_dataset_info *n)
{
    fprintf(to, "  edges read    %" PRId64 "\n", n->edges_read);
    put_count(to, n->self_loops, "self loops, dropped");
    put_count(to, n->repeats, "duplicates or reversed edges, merged");
    put_count(to, n->zero_weights, "with weight 0, dropped");
    put_count(to, n->other_weights, "with weights other than 1, taken as 1");
    put_count(to, n->without_features, "nodes without features, taken as zeros");
    put_count(to, n->attributes_ignored, "attributes, ignored");
}

void info_text(FILE *to, const char *path, const wgdn_dataset *d, const summary *s)
{
    show_name(to, path, strlen(path));
    fprintf(to, "\n  nodes         %" PRId64 ", %" PRId64 " of them isolated\n", s->info.nodes,
            s->isolated);
    fprintf(to, "  edges         %" PRId64 " (%" PRId64 " directed)\n", s->info.edges,
            2 * s->info.edges);
    if (s->info.weighted)
        fprintf(to, "  weights       from %.7g to %.7g\n", s->info.weight_min, s->info.weight_max);
    if (s->info.has_ids)
        fputs("  ids           given\n", to);
    else
        fprintf(to, "  ids           0 .. %" PRId64 "\n", s->info.nodes - 1);
    if (wgdn_dataset_get_order(d)) fputs("  order         nodes reordered\n", to);
    put_spread(to, "degree", &s->degree);
    put_histogram(to, s);
    put_features(to, d, s);
    put_classes(to, d, s);
    put_splits(to, s);
    put_graphs(to, s);
    put_counts(to, &s->info);
}
