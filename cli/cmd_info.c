/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn info`, which describes datasets, models and vectors as text or JSON. files.c
 * decides the kind of each file.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "cmd_embed.h"
#include "files.h"
#include "info.h"
#include "terminal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Counts what a dataset holds. */

/* How a number is spread over nodes or graphs. */
typedef struct spread {
    int64_t min, max;
    double median, mean;
} spread;

typedef struct summary {
    wgdn_dataset_info info;
    double density; /* of the features */
    int64_t isolated;
    spread degree;
    int64_t bin[BINS];   /* nodes by degree */
    int64_t *class_size; /* nodes of each class, then those without a label */
    int64_t *split_size; /* 4 for each split, in the order of wgdn_split */
    spread graph_nodes;
    int64_t *graph_class_size; /* as class_size, of graphs */
} summary;

typedef int64_t (*quantity)(const wgdn_dataset *d, int64_t i);

static int64_t degree_of(const wgdn_dataset *d, int64_t node)
{
    return wgdn_graph_degree(wgdn_dataset_get_graph(d), node);
}

static int64_t nodes_of(const wgdn_dataset *d, int64_t graph)
{
    return wgdn_dataset_graph_start(d, graph + 1) - wgdn_dataset_graph_start(d, graph);
}

/* The k-th smallest by counting: values are at most the number of nodes. */
static int64_t ranked(const int64_t *times, int64_t k)
{
    int64_t value = 0;
    for (int64_t below = times[0]; below <= k; below += times[value])
        value++;
    return value;
}

static bool spread_of(spread *s, const wgdn_dataset *d, quantity f, int64_t count)
{
    double sum = 0;
    *s = (spread){.min = INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = f(d, i);
        if (x < s->min) s->min = x;
        if (x > s->max) s->max = x;
        sum += (double)x;
    }
    if (count == 0) s->min = 0;
    if (count == 0) return true;

    int64_t *times = calloc((size_t)s->max + 1, sizeof *times);
    if (!times) return false;
    for (int64_t i = 0; i < count; i++)
        times[f(d, i)]++;
    s->median = 0.5 * (double)(ranked(times, (count - 1) / 2) + ranked(times, count / 2));
    s->mean = sum / (double)count;
    free(times);
    return true;
}

int bin_of(int64_t degree)
{
    int bin = 1;
    if (degree < 1) return 0;
    while (bin < BINS - 1 && ((int64_t)1 << (bin - 1)) < degree)
        bin++;
    return bin;
}

void bin_range(int bin, int64_t *from, int64_t *to)
{
    *to = bin < 1 ? 0 : (int64_t)1 << (bin - 1);
    *from = bin < 3 ? *to : ((int64_t)1 << (bin - 2)) + 1;
}

static void count_nodes(summary *s, const wgdn_dataset *d)
{
    const int64_t nodes = wgdn_dataset_nodes(d), classes = wgdn_dataset_classes(d);
    const int64_t splits = s->info.splits, *offset = s->info.label_offset;
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        s->bin[bin_of(degree_of(d, i))]++;
        s->class_size[label < 0 ? classes : label]++;
        for (int64_t k = offset ? offset[i] + 1 : 0; offset && k < offset[i + 1]; k++)
            s->class_size[s->info.label_list[k]]++; /* the first is counted */
        for (int64_t k = 0; k < splits; k++)
            s->split_size[4 * k + (int)wgdn_dataset_split(d, k, i)]++;
    }
    s->isolated = s->bin[0];
}

static void count_graphs(summary *s, const wgdn_dataset *d)
{
    const int64_t graphs = s->info.graphs, classes = s->info.graph_classes;
    for (int64_t g = 0; g < graphs; g++) {
        const int32_t label = wgdn_dataset_graph_label(d, g);
        s->graph_class_size[label < 0 ? classes : label]++;
    }
}

static void summary_free(summary *s)
{
    free(s->graph_class_size);
    free(s->split_size);
    free(s->class_size);
    *s = (summary){0};
}

static bool summary_make(summary *s, const wgdn_dataset *d)
{
    *s = (summary){.info = dataset_info(d)};
    if (s->info.features > 0)
        s->density = (double)s->info.entries / ((double)s->info.nodes * (double)s->info.features);
    s->class_size = calloc((size_t)s->info.classes + 1, sizeof(int64_t));
    s->split_size = calloc((size_t)s->info.splits + 1, 4 * sizeof(int64_t));
    s->graph_class_size = calloc((size_t)s->info.graph_classes + 1, sizeof(int64_t));
    if (!s->class_size || !s->split_size || !s->graph_class_size ||
        !spread_of(&s->degree, d, degree_of, wgdn_dataset_nodes(d)) ||
        !spread_of(&s->graph_nodes, d, nodes_of, wgdn_dataset_graphs(d))) {
        summary_free(s);
        return false;
    }
    count_nodes(s, d);
    count_graphs(s, d);
    return true;
}

/* Prints info for people: a name on the left, its value on the right. */

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
    if (s->class_size[classes]) fprintf(to, ", %" PRId64 " unlabeled", s->class_size[classes]);
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

static void info_text(FILE *to, const char *path, const wgdn_dataset *d, const summary *s)
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
    fprintf(to, "  edges read    %" PRId64 "\n", s->info.edges_read);
    put_count(to, s->info.self_loops, "self loops, dropped");
    put_count(to, s->info.repeats, "duplicates or reversed edges, merged");
    put_count(to, s->info.zero_weights, "with weight 0, dropped");
    put_count(to, s->info.other_weights, "with weights other than 1, taken as 1");
    put_count(to, s->info.without_features, "nodes without features, taken as zeros");
    put_count(to, s->info.attributes_ignored, "attributes, ignored");
}

/* Prints info --json: one object per line. */

static void put_json_spread(json *j, const char *key, const spread *s)
{
    json_put_open(j, key, '{');
    json_put_integer(j, "min", s->min);
    json_put_real(j, "median", s->median);
    json_put_real(j, "mean", s->mean);
    json_put_integer(j, "max", s->max);
    json_put_close(j, '}');
}

static void put_json_histogram(json *j, const summary *s)
{
    json_put_open(j, "degree_histogram", '[');
    for (int i = 0; i < BINS; i++) {
        int64_t from = 0, to = 0;
        if (s->bin[i] == 0) continue;
        bin_range(i, &from, &to);
        json_put_open(j, NULL, '{');
        json_put_integer(j, "from", from);
        json_put_integer(j, "to", to);
        json_put_integer(j, "nodes", s->bin[i]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

static void put_json_features(json *j, const wgdn_dataset *d, const summary *s)
{
    const int64_t *offset = NULL;
    const int32_t *column = NULL;
    const float *value = NULL;
    if (s->info.features == 0) {
        json_put_null(j, "features");
        return;
    }
    const bool sparse = wgdn_dataset_get_sparse(&offset, &column, &value, d);
    json_put_open(j, "features", '{');
    json_put_integer(j, "dim", s->info.features);
    json_put_integer(j, "entries", s->info.entries);
    json_put_real(j, "density", s->density);
    json_put_text(j, "kind", sparse ? "sparse" : "dense");
    json_put_bool(j, "ones", sparse && !value);
    json_put_close(j, '}');
}

static void put_json_splits(json *j, const summary *s)
{
    static const char *const name[] = {"none", "train", "val", "test"};
    json_put_open(j, "splits", '[');
    for (int64_t k = 0; k < s->info.splits; k++) {
        json_put_open(j, NULL, '{');
        for (int i = 0; i < 4; i++)
            json_put_integer(j, name[i], s->split_size[4 * k + i]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

static void put_json_graphs(json *j, const summary *s)
{
    json_put_integer(j, "graphs", s->info.graphs);
    put_json_spread(j, "graph_nodes", &s->graph_nodes);
    json_put_open(j, "graph_classes", '[');
    for (int64_t c = 0; c < s->info.graph_classes; c++)
        json_put_integer(j, NULL, s->graph_class_size[c]);
    json_put_close(j, ']');
}

static void put_json_counts(json *j, const wgdn_dataset_info *n)
{
    json_put_open(j, "read", '{');
    json_put_integer(j, "edges", n->edges_read);
    json_put_integer(j, "self_loops_dropped", n->self_loops);
    json_put_integer(j, "duplicates_merged", n->repeats);
    json_put_integer(j, "zero_weights_dropped", n->zero_weights);
    json_put_integer(j, "weights_ignored", n->other_weights);
    json_put_integer(j, "nodes_without_features", n->without_features);
    json_put_integer(j, "attributes_ignored", n->attributes_ignored);
    json_put_close(j, '}');
    json_put_open(j, "remarks", '[');
    for (int64_t i = 0; i < n->remarks; i++) {
        json_put_open(j, NULL, '{');
        json_put_text(j, "what", n->remark[i].what);
        json_put_integer(j, "count", n->remark[i].count);
        json_put_bytes(j, "text", n->remark[i].text, strlen(n->remark[i].text));
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

static void info_json(FILE *to, const char *path, const wgdn_dataset *d, const summary *s)
{
    json j = json_begin(to);
    json_put_text(&j, "path", path);
    json_put_integer(&j, "nodes", s->info.nodes);
    json_put_integer(&j, "edges", s->info.edges);
    json_put_integer(&j, "directed_edges", 2 * s->info.edges);
    if (s->info.weighted) {
        json_put_open(&j, "weights", '{');
        json_put_real(&j, "min", s->info.weight_min);
        json_put_real(&j, "max", s->info.weight_max);
        json_put_close(&j, '}');
    }
    json_put_text(&j, "ids", s->info.has_ids ? "given" : "numbers");
    json_put_bool(&j, "ordered", wgdn_dataset_get_order(d) != NULL);
    json_put_integer(&j, "isolated", s->isolated);
    put_json_spread(&j, "degree", &s->degree);
    put_json_histogram(&j, s);
    put_json_features(&j, d, s);
    const int64_t classes = s->info.classes;
    json_put_open(&j, "classes", '[');
    for (int64_t c = 0; c < classes; c++) {
        size_t size = 0;
        const char *name = wgdn_dataset_get_class_name(&size, d, c);
        json_put_open(&j, NULL, '{');
        json_put_bytes(&j, "name", name, size);
        json_put_integer(&j, "nodes", s->class_size[c]);
        json_put_close(&j, '}');
    }
    json_put_close(&j, ']');
    json_put_integer(&j, "unlabeled", s->class_size[classes]);
    if (s->info.label_offset) json_put_bool(&j, "multi_label", true);
    put_json_splits(&j, s);
    put_json_graphs(&j, s);
    put_json_counts(&j, &s->info);
    json_end(&j);
}

/* Describes a model: its origin, its options and, for the closed form, the chosen parts. */

/* Prints the options of a model: as members of a JSON object, or as lines where j is NULL. */
static void put_options(FILE *to, json *j, const wgdn_model_info *info)
{
    const wgdn_options_kind kind = info->fit ? WGDN_OPTIONS_KIND_FIT : WGDN_OPTIONS_KIND_TRAIN;
    const void *o = info->fit ? (const void *)info->fit : info->train;
    const wgdn_option_info *row;
    for (int i = 0; (row = wgdn_options_get_info(kind, i)); i++) {
        char name[40], text[160];
        if (wgdn_options_get(text, sizeof text, kind, o, row->name, NULL)) continue;
        snprintf(name, sizeof name, "%s", row->name);
        for (char *at = name; *at; at++)
            if (*at == '_') *at = '-';
        if (j)
            json_put_text(j, name, text);
        else
            fprintf(to, "    %-18s %s\n", name, text);
    }
}

static wgdn_model_info facts_of(const wgdn_model *m)
{
    wgdn_model_info info = {.struct_size = sizeof info, .examine = 1};
    wgdn_model_describe(&info, m);
    return info;
}

/* Of which data, as far as the file knows, and how far a run is. */
static void print_origin(FILE *to, const wgdn_model_info *i)
{
    if (i->graphs > 1)
        fprintf(to, "  made of       %lld graphs, %lld nodes, %lld edges\n", (long long)i->graphs,
                (long long)i->nodes, (long long)i->edges);
    else if (i->nodes)
        fprintf(to, "  made of       %lld nodes, %lld edges\n", (long long)i->nodes,
                (long long)i->edges);
    if (!i->step) return;
    fprintf(to, "  run           %lld steps", (long long)i->step);
    if (i->steps)
        fprintf(to, ", %lld of %d epochs, %.1f s", (long long)(i->step / i->steps),
                i->train->epochs, i->seconds);
    fprintf(to, ", on data %016llx\n", (unsigned long long)i->data);
}

/* Of a model that was trained with patience. */
static void print_stopped(FILE *to, const wgdn_model_info *i)
{
    if (!i->epochs) return;
    fprintf(to, "  stopped       after epoch %lld of %d: %s\n", (long long)i->epochs,
            i->train->epochs,
            i->epochs < i->train->epochs ? "held-out features were reconstructed hardly better"
                                         : "the limit");
    fprintf(to, "  best          after epoch %lld, held-out error %.4g\n", (long long)i->best_epoch,
            i->held_out);
}

/* The nodes that a model of the graph's structure recognizes, and how. */
static void print_known(FILE *to, const wgdn_model_info *i)
{
    if (!i->known) return;
    fprintf(to, "  known nodes   %lld, found by %s\n", (long long)i->known,
            i->has_ids ? "their ids, which the model holds"
                       : "64-bit hashes of their ids; the model holds no ids");
}

static void info_model_text(FILE *to, const char *path, const wgdn_model *m)
{
    const wgdn_model_info info = facts_of(m);
    fprintf(to, "%s\n", path);
    fprintf(to, "  model         %s\n",
            info.fit    ? "fitted: the closed form"
            : info.step ? "checkpoint of an autoencoder"
                        : "trained: an autoencoder");
    fprintf(to, "  dim           %lld\n", (long long)info.dim);
    if (info.features)
        fprintf(to, "  features      %lld columns\n", (long long)info.features);
    else
        fputs("  features      none: the graph's structure\n", to);
    print_origin(to, &info);
    print_stopped(to, &info);
    print_known(to, &info);
    if (info.parameters) fprintf(to, "  parameters    %lld\n", (long long)info.parameters);
    if (info.not_finite)
        fprintf(to, "  health        broken: %lld numbers are not finite\n",
                (long long)info.not_finite);
    else if (info.rank > 0)
        fprintf(to, "  health        finite, effective rank %.1f of %lld\n", info.rank,
                (long long)info.dim);
    else
        fputs("  health        finite\n", to);
    if (info.fit) fitting_explain(to, m);
    fputs("  options\n", to);
    put_options(to, NULL, &info);
}

void info_put_stopped(json *j, const wgdn_model_info *i, int epochs)
{
    if (!i->epochs) return;
    json_put_open(j, "stopped", '{');
    json_put_integer(j, "epoch", i->epochs);
    json_put_text(j, "why", i->epochs < epochs ? "patience" : "epochs");
    json_put_integer(j, "best_epoch", i->best_epoch);
    json_put_real(j, "held_out", i->held_out);
    json_put_close(j, '}');
}

static void put_facts(json *j, const wgdn_model_info *i)
{
    json_put_open(j, "made_of", '{');
    json_put_integer(j, "graphs", i->graphs);
    json_put_integer(j, "nodes", i->nodes);
    json_put_integer(j, "edges", i->edges);
    json_put_close(j, '}');
    if (i->step) {
        char digest[24];
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)i->data);
        json_put_open(j, "run", '{');
        json_put_integer(j, "step", i->step);
        if (i->steps)
            json_put_integer(j, "epoch", i->step / i->steps);
        else
            json_put_null(j, "epoch");
        json_put_integer(j, "epochs", i->train->epochs);
        json_put_real(j, "seconds", i->seconds);
        json_put_text(j, "data", digest);
        json_put_close(j, '}');
    }
    if (i->train) info_put_stopped(j, i, i->train->epochs);
    json_put_integer(j, "known_nodes", i->known);
    json_put_bool(j, "has_ids", i->has_ids);
    json_put_integer(j, "parameters", i->parameters);
    json_put_integer(j, "not_finite", i->not_finite);
    json_put_real(j, "effective_rank", i->rank > 0 ? i->rank : NAN);
}

/*
 * Describes vectors: lengths, rows that are zero or equal, effective dimensions. All numbers are
 * finite, because readers reject others with their position.
 */

enum { SAMPLE = 1024, RANK_DIM = 1024 };

typedef struct vector_facts {
    int64_t rows, dim, zero, duplicates;
    bool ids;
    double least, mean, most; /* lengths */
    double rank;              /* of a sample; 0: not known */
} vector_facts;

/* Ids are names unless each is the number of its row. */
static bool has_names(const wgdn_embedding *e)
{
    for (int64_t i = 0; i < wgdn_embedding_rows(e); i++) {
        char number[32], id[32];
        snprintf(number, sizeof number, "%" PRId64, i);
        (void)wgdn_embedding_id(id, sizeof id, e, i);
        if (strcmp(id, number) != 0) return true;
    }
    return false;
}

typedef struct row_key {
    uint64_t hash;
    const float *at;
    size_t size;
} row_key;

static int by_bytes(const void *a, const void *b)
{
    const row_key *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return memcmp(x->at, y->at, x->size);
}

/* FNV-1a over the bits of the numbers. */
static uint64_t hash_of(const float *x, int64_t dim)
{
    uint64_t h = 14695981039346656037u;
    for (int64_t j = 0; j < dim; j++) {
        uint32_t bits;
        memcpy(&bits, x + j, sizeof bits);
        h = (h ^ bits) * 1099511628211u;
    }
    return h;
}

/* Rows that are equal to another one before them; -1 without memory. */
static int64_t count_duplicates(const float *x, int64_t rows, int64_t dim)
{
    row_key *key = rows > 0 ? calloc((size_t)rows, sizeof *key) : NULL;
    int64_t count = 0;
    if (!key) return -1;
    for (int64_t i = 0; i < rows; i++)
        key[i] = (row_key){hash_of(x + i * dim, dim), x + i * dim, (size_t)dim * sizeof(float)};
    qsort(key, (size_t)rows, sizeof *key, by_bytes);
    for (int64_t i = 1; i < rows; i++)
        count += by_bytes(&key[i - 1], &key[i]) == 0;
    free(key);
    return count;
}

/*
 * (sum s)^2 / sum s^2 over the squared singular values s of centered rows, an evenly spaced sample:
 * 1 when all lie on a line, dim when they fill the space alike. By G = C^T C or C C^T, the smaller
 * one: sum s is its trace, sum s^2 its squared norm.
 */
double info_effective_rank(const float *x, int64_t rows, int64_t dim)
{
    const int64_t n = rows < SAMPLE ? rows : SAMPLE;
    double *c = calloc((size_t)(n * dim), sizeof *c), trace = 0, squares = 0;
    if (!c || n < 2 || dim > RANK_DIM) {
        free(c);
        return 0;
    }
    for (int64_t j = 0; j < dim; j++) {
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += (double)x[i * rows / n * dim + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            c[i * dim + j] = (double)x[i * rows / n * dim + j] - mean;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= i; k++) {
            double dot = 0;
            for (int64_t j = 0; j < dim; j++)
                dot += c[i * dim + j] * c[k * dim + j];
            trace += i == k ? dot : 0;
            squares += (i == k ? 1 : 2) * dot * dot;
        }
    free(c);
    return squares > 0 ? trace * trace / squares : 0;
}

static vector_facts measure_vectors(const wgdn_embedding *e)
{
    const float *x = wgdn_embedding_get_values(e);
    vector_facts f = {
        .rows = wgdn_embedding_rows(e), .dim = wgdn_embedding_dim(e), .ids = has_names(e)};
    double sum = 0;
    f.least = INFINITY;
    for (int64_t i = 0; i < f.rows; i++) {
        double squares = 0;
        for (int64_t j = 0; j < f.dim; j++) {
            const double v = (double)x[i * f.dim + j];
            squares += v * v;
        }
        const double length = sqrt(squares);
        f.zero += length == 0;
        f.least = fmin(f.least, length);
        f.most = fmax(f.most, length);
        sum += length;
    }
    f.mean = sum / (double)f.rows;
    f.duplicates = count_duplicates(x, f.rows, f.dim);
    f.rank = info_effective_rank(x, f.rows, f.dim);
    return f;
}

static void info_vectors_text(FILE *to, const char *path, const wgdn_embedding *e)
{
    const vector_facts f = measure_vectors(e);
    fprintf(to, "%s\n  vectors       %" PRId64 "\n  columns       %" PRId64 "\n", path, f.rows,
            f.dim);
    if (f.ids)
        fputs("  ids           given\n", to);
    else
        fprintf(to, "  ids           0 .. %" PRId64 "\n", f.rows - 1);
    fprintf(to, "  lengths       min %.4g, mean %.4g, max %.4g\n", f.least, f.mean, f.most);
    fprintf(to, "  zero          %" PRId64 "\n", f.zero);
    if (f.duplicates >= 0)
        fprintf(to, "  duplicates    %" PRId64 " equal to another one before them\n", f.duplicates);
    if (f.rank > 0) fprintf(to, "  effective dim %.1f of %" PRId64 "\n", f.rank, f.dim);
}

static int describe_vectors(const cli *c, const char *path)
{
    wgdn_embedding *e = NULL;
    const int code = vectors_read(&e, path);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_JSON)) {
        const vector_facts f = measure_vectors(e);
        json j = json_begin(c->out);
        json_put_text(&j, "path", input_name(path));
        json_put_integer(&j, "vectors", f.rows);
        json_put_integer(&j, "dim", f.dim);
        json_put_text(&j, "ids", f.ids ? "given" : "numbers");
        json_put_open(&j, "length", '{');
        json_put_real(&j, "min", f.least);
        json_put_real(&j, "mean", f.mean);
        json_put_real(&j, "max", f.most);
        json_put_close(&j, '}');
        json_put_integer(&j, "zero_rows", f.zero);
        json_put_integer(&j, "duplicate_rows", f.duplicates);
        json_put_real(&j, "effective_rank", f.rank > 0 ? f.rank : NAN);
        json_end(&j);
    } else
        info_vectors_text(c->out, input_name(path), e);
    wgdn_embedding_free(e);
    return DONE;
}

static int describe(cli *c, const char *path)
{
    const char *name = input_name(path);
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    summary s;
    if (is_model(path)) {
        wgdn_error err = {WGDN_OK, ""};
        const wgdn_status st = wgdn_model_load(&m, path, &err);
        if (st) return complain_status(st, &err);
        if (option_on(&c->values, OPT_JSON)) {
            const wgdn_model_info info = facts_of(m);
            json j = json_begin(c->out);
            json_put_text(&j, "path", name);
            json_put_text(&j, "model", info.fit ? "fitted" : info.step ? "checkpoint" : "trained");
            json_put_integer(&j, "dim", info.dim);
            json_put_integer(&j, "features", info.features);
            put_facts(&j, &info);
            if (info.fit) fitting_json(&j, m);
            json_put_open(&j, "options", '{');
            put_options(NULL, &j, &info);
            json_put_close(&j, '}');
            json_end(&j);
        } else
            info_model_text(c->out, name, m);
        wgdn_model_free(m);
        return DONE;
    }
    if (is_vectors(c, path)) return describe_vectors(c, path);
    int code = dataset_read(&d, c, path);
    if (code != DONE) return code;
    if (!summary_make(&s, d)) {
        complain("%s: out of memory for the degrees", path);
        wgdn_dataset_free(d);
        return DOES_NOT_FIT;
    }
    if (option_on(&c->values, OPT_JSON))
        info_json(c->out, name, d, &s);
    else
        info_text(c->out, name, d, &s);
    summary_free(&s);
    wgdn_dataset_free(d);
    return DONE;
}

/* One side file belongs to one graph. */
static int check_sides(const cli *c)
{
    static const option_id side[] = {OPT_FEATURES, OPT_LABELS, OPT_SPLITS};
    for (int i = 0; c->operands > 1 && i < 3; i++)
        if (c->values.text[side[i]]) {
            complain("--%s needs one FILE, not %d", option_get(side[i])->row.name, c->operands);
            return USAGE;
        }
    return DONE;
}

/* Describes all files that can be read; the exit code is that of the first failure. */
static int info(cli *c)
{
    int code = check_sides(c);
    if (code != DONE) return code;
    for (int i = 0; i < c->operands; i++) {
        const int one = describe(c, c->operand[i]);
        if (code == DONE) code = one;
        if (one == INTERRUPTED) return one;
    }
    return code;
}

const command cmd_info = {
    .name = "info",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .operand = {{.files = DATA_FILES "|npy|w2v|model"}, {.files = DATA_FILES "|npy|w2v|model"}},
    .summary = "show what a dataset, a model or vectors hold",
    .text =
        "Print what each FILE holds. Of a dataset: nodes, edges, degrees, features, classes, "
        "splits, graphs, and which edges were dropped or merged. Of a model: how it was made, "
        "and of a fitted one what was chosen and why. Of vectors: rows, columns, ids, lengths, "
        "rows that are zero or equal, and how many directions count. FILE may be a folder "
        "where the format is one; - is standard input, here and wherever a command reads a file.",
    .example = "wgdn info cora.npz\nwgdn info cora.model\nwgdn info edges.csv --features "
               "features.npy --json",
    .topics = TOPICS("Input", "Limits"),
    .options = TAKES(OPT_OUTPUT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .first = FIRST("features", "labels", "splits", "format", "json", "output", "threads"),
    .run = info,
};
