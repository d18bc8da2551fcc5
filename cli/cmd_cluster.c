/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn cluster`: groups of the nodes of a graph, or of vectors, with their sizes and typical
 * members. The library finds them.
 */
#include "cmd_embed.h"
#include "files.h"
#include "terminal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct clustering {
    wgdn_dataset *d;
    wgdn_model *m;
    wgdn_embedding *e;
    wgdn_clusters *found;
    wgdn_clusters_report report;
    const char *path, *format;
    char *text; /* room for one id */
} clustering;

static void close_clustering(clustering *x)
{
    free(x->text);
    wgdn_clusters_free(x->found);
    wgdn_embedding_free(x->e);
    wgdn_model_free(x->m);
    wgdn_dataset_free(x->d);
}

static wgdn_cluster_info info_of(const clustering *x, int64_t k)
{
    wgdn_cluster_info info;
    wgdn_cluster_info_init(&info);
    wgdn_clusters_describe_one(&info, x->found, k);
    return info;
}

/* An id, until the next call. */
static size_t id_of(const clustering *x, int64_t node)
{
    const int64_t size = wgdn_dataset_id(x->text, ID_ROOM, x->d, node);
    return size < 0 ? 0 : size < ID_ROOM ? (size_t)size : ID_ROOM - 1;
}

static void print_report(FILE *to, const clustering *x)
{
    enum { SHOWN = 64 };
    const wgdn_clusters_report *r = &x->report;
    fprintf(to, "%lld nodes in %lld clusters%s: silhouette %.3f", (long long)r->nodes,
            (long long)r->clusters,
            !r->chosen                               ? ""
            : r->method == WGDN_CLUSTER_METHOD_GRAPH ? " of large modularity"
                                                     : ", the number with the best silhouette",
            r->silhouette);
    if (!isnan(r->modularity)) fprintf(to, ", modularity %.3f", r->modularity);
    if (!isnan(r->modularity) && r->method != WGDN_CLUSTER_METHOD_GRAPH)
        fprintf(to, " (%lld communities of the graph alone: %.3f)", (long long)r->communities,
                r->community_modularity);
    fputs("\ncluster     nodes  cohesion  typical members\n", to);
    for (int64_t k = 0; k < r->clusters && k < SHOWN; k++) {
        const wgdn_cluster_info info = info_of(x, k);
        fprintf(to, "%7lld  %8lld  %8.3f  ", (long long)k, (long long)info.size, info.cohesion);
        for (int t = 0; t < WGDN_CLUSTER_TYPICAL && info.typical[t] >= 0; t++) {
            const size_t size = id_of(x, info.typical[t]);
            if (t) fputs(", ", to);
            show_name(to, x->text, size);
        }
        fputc('\n', to);
    }
    if (r->clusters > SHOWN)
        fprintf(to, "and %lld smaller ones\n", (long long)(r->clusters - SHOWN));
}

static void print_json(FILE *to, const clustering *x)
{
    const wgdn_clusters_report *r = &x->report;
    wgdn_cluster_options o;
    char method[32];
    wgdn_cluster_options_init(&o);
    o.method = r->method;
    json j = json_begin(to);
    json_put_integer(&j, "nodes", r->nodes);
    json_put_integer(&j, "clusters", r->clusters);
    if (!wgdn_options_get(method, sizeof method, WGDN_OPTIONS_KIND_CLUSTER, &o, "method", NULL))
        json_put_text(&j, "method", method);
    json_put_bool(&j, "chosen", r->chosen);
    json_put_real(&j, "silhouette", r->silhouette);
    json_put_real(&j, "modularity", r->modularity);
    json_put_integer(&j, "communities", r->communities);
    json_put_real(&j, "community_modularity", r->community_modularity);
    json_put_open(&j, "each", '[');
    for (int64_t k = 0; k < r->clusters; k++) {
        const wgdn_cluster_info info = info_of(x, k);
        json_put_open(&j, NULL, '{');
        json_put_integer(&j, "cluster", k);
        json_put_integer(&j, "nodes", info.size);
        json_put_real(&j, "cohesion", info.cohesion);
        json_put_open(&j, "typical", '[');
        for (int t = 0; t < WGDN_CLUSTER_TYPICAL && info.typical[t] >= 0; t++) {
            const size_t size = id_of(x, info.typical[t]);
            json_put_bytes(&j, NULL, x->text, size);
        }
        json_put_close(&j, ']');
        json_put_close(&j, '}');
    }
    json_put_close(&j, ']');
    if (x->path) json_put_text(&j, "table", x->path);
    json_end(&j);
}

static int find(clustering *x, const cli *c)
{
    wgdn_cluster_options o;
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    wgdn_cluster_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_CLUSTER, &o);
    o.threads = option_threads(&c->values);
    progress_start(&bar, "clustering", "numbers of clusters",
                   option_on(&c->values, OPT_QUIET) || o.clusters);
    o.progress = progress_watch;
    o.progress_user = &bar;
    const wgdn_status st = wgdn_clusters_find(&x->found, x->e, x->d, &o, &err);
    progress_end(&bar);
    return complain_status(st, &err);
}

/* Options of the fit, where there are vectors already. */
static int check_vectors(const cli *c)
{
    for (int i = 0; i < option_count(); i++) {
        const option_id id = option_at(i);
        if (!c->values.text[id] ||
            (option_get(id)->kind != WGDN_OPTIONS_KIND_FIT && id != OPT_FIT_FEATURES))
            continue;
        complain("--%s has no effect on vectors; leave it out, or name the graph instead",
                 option_get(id)->row.name);
        return USAGE;
    }
    return DONE;
}

static int prepare(clustering *x, cli *c, char features[FITTING_PATH])
{
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    int code;
    if (is_vectors(c, c->operand[0])) {
        code = check_vectors(c);
        if (code == DONE) code = vectors_wanted(&x->e, c->operand[0]);
        if (code == DONE)
            code = complain_status(wgdn_dataset_from_embedding(&x->d, x->e, NULL, &err), &err);
        return code;
    }
    code = fitting_settings(&o, c, features);
    if (code == DONE) code = dataset_read(&x->d, c, c->operand[0]);
    o.task = WGDN_TASK_NODE;
    return code == DONE ? fitting_embed(&x->e, &x->m, c, x->d, &o) : code;
}

static int write_at(const char *path, void *user)
{
    const clustering *x = user;
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(wgdn_clusters_write(x->found, x->d, path, x->format, &err), &err);
}

static int run_cluster(cli *c)
{
    clustering x = {.path = c->values.text[OPT_OUTPUT_TABLE], .text = calloc(1, ID_ROOM)};
    char features[FITTING_PATH];
    const bool piped = x.path && strcmp(x.path, "-") == 0;
    int code = table_settle(&x.format, c, x.path);
    if (code == DONE && !x.text) {
        complain("out of memory at the start");
        code = DOES_NOT_FIT;
    }
    if (code == DONE) code = prepare(&x, c, features);
    if (code == DONE) code = find(&x, c);
    if (code == DONE) {
        wgdn_clusters_report_init(&x.report);
        wgdn_clusters_describe(&x.report, x.found);
        if (x.path) code = deliver_file(x.path, write_at, &x);
    }
    if (code == DONE && option_on(&c->values, OPT_JSON))
        print_json(c->out, &x);
    else if (code == DONE)
        print_report(piped ? stderr : c->out, &x);
    if (code == DONE && x.path && !piped)
        remark(c, "wrote the clusters of %lld nodes to %s", (long long)x.report.nodes, x.path);
    close_clustering(&x);
    return code;
}

const command cmd_cluster = {
    .name = "cluster",
    .operands = "DATA|VECTORS...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES "|npy|w2v"}, {.files = DATA_FILES}},
    .summary = "find groups of nodes, without labels",
    .text =
        "Put the nodes of DATA into clusters: k-means on the vectors of 'wgdn embed', from several "
        "starts and from the communities of the graph, and then neighbors pull nodes into their "
        "clusters. The number of clusters is the one with the best silhouette, or --clusters. "
        "VECTORS are clustered by themselves.\n\n"
        "The clusters are listed with their sizes, the mean cosine of their members and their "
        "center (cohesion), and the members nearest to it. -o TABLE has a row for each node: id, "
        "cluster, similarity to the center. --method graph finds communities of large modularity "
        "instead, usually more and smaller ones.",
    .example = "wgdn cluster friends.csv -o groups.csv\n"
               "wgdn cluster friends.csv --features people.csv --clusters 8 -o groups.csv\n"
               "wgdn cluster vectors.npz --json",
    .topics = TOPICS("Limits", "Clusters"),
    .fits = FIRST("dim", "scale", "binarize", "refine"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_FIT_FEATURES, OPT_VECTORS,
                     OPT_OUTPUT_TABLE, OPT_JSON),
    .first = FIRST("output", "clusters", "method", "features", "seed", "json", "threads"),
    .run = run_cluster,
};
