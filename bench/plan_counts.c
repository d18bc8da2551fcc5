/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an epoch comes to in a process that has so many rows of a graph: the step itself is walked,
 * and nothing is allocated for rows. One configuration a line of standard input,
 *
 *     layers f h store|recompute rows entries halo sends boundaries ranks
 *
 * and an object a line for it: bytes of the process, operations of the dense products, columns of
 * the products with L, bytes that these gather and write, bytes sent to and received from others for
 * them, bytes of a subtree's sums. Layers each way, f dense features, dim h; all rows are `ranks`
 * times those here. bench/plan_scale reads it.
 */
#include "base/tally.h"
#include "data/dataset.h"
#include "model/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct configuration {
    int layers, ranks;
    long long f, h, rows, entries, halo, sends, boundaries;
    wgdn_workspace_policy workspace;
} configuration;

static bool parse(configuration *c, const char *line)
{
    char workspace[16] = "", rest;
    const int read = sscanf(line, "%d %lld %lld %15s %lld %lld %lld %lld %lld %d %c", &c->layers,
                            &c->f, &c->h, workspace, &c->rows, &c->entries, &c->halo, &c->sends,
                            &c->boundaries, &c->ranks, &rest);
    const bool recompute = strcmp(workspace, "recompute") == 0;
    c->workspace = recompute ? WGDN_WORKSPACE_POLICY_RECOMPUTE : WGDN_WORKSPACE_POLICY_STORE;
    return read == 10 && (recompute || strcmp(workspace, "store") == 0) && c->f > 0 &&
           c->rows > 0 && c->entries >= 0 && c->halo >= 0 && c->sends >= 0 && c->boundaries >= 0 &&
           c->ranks > 0;
}

static void print(const configuration *c, const wgdn_train_needs *needs, const wgdn_tally *t,
                  double gathered)
{
    const long long row = (long long)sizeof(float) * t->exchanged;
    printf("{\"memory\": %lld, \"dense\": %.0f, \"columns\": %lld, \"gathered\": %.0f, "
           "\"sent\": %lld, \"received\": %lld, \"sums\": %lld}\n",
           (long long)needs->total, t->dense, (long long)t->columns[WGDN_TALLY_LAPLACIAN], gathered,
           row * c->sends, row * c->halo,
           (long long)sizeof(double) * (long long)(t->sums + t->leaf_sums));
}

/* The dataset has sizes only, and the others of the ranks are as one: what is asked for looks at no
 * more. */
static wgdn_status count(const configuration *c, wgdn_error *err)
{
    float any = 0;
    int64_t start[] = {0, c->rows, c->rows * c->ranks};
    wgdn_ranks ranks = {.count = 2};
    const wgdn_dist dist = {.ranks = &ranks, .total = start[2], .start = start};
    const wgdn_dataset d = {
        .nodes = dist.total,
        .features = {.rows = c->rows, .width = c->f, .dense = &any, .entries = dist.total * c->f},
        .graphs = 1,
        .dist = dist,
        .all_edges = c->entries * c->ranks / 2};
    const wgdn_portion part = {.rows = c->ranks > 1 ? wgdn_dist_span(&dist) : wgdn_alone(c->rows),
                               .edges = c->entries,
                               .halo = c->halo,
                               .sends = c->sends,
                               .boundaries = c->boundaries};
    wgdn_train_options o;
    wgdn_train_needs needs = {0};
    wgdn_model_input shape;
    wgdn_tally t = {0};
    wgdn_model *m = NULL;
    wgdn_train_options_init(&o);
    o.layers = c->layers;
    o.dim = (int)c->h;
    o.workspace = c->workspace;
    wgdn_status st = wgdn_train_plan(&m, &d, &o, err);
    if (!st) st = wgdn_portion_needs(&needs, &shape, &d, &part, m, err);
    if (!st) st = wgdn_step_tally(&t, m, &shape, err);
    if (!st) print(c, &needs, &t, wgdn_gathered_bytes(&t, m, &shape));
    wgdn_model_free(m);
    return st;
}

int main(void)
{
    char line[256];
    for (int number = 1; fgets(line, sizeof line, stdin); number++) {
        configuration c;
        wgdn_error err;
        if (!parse(&c, line)) {
            fprintf(stderr,
                    "plan_counts: line %d: not layers f h store|recompute rows entries "
                    "halo sends boundaries ranks\n",
                    number);
            return 2;
        }
        if (count(&c, &err)) {
            fprintf(stderr, "plan_counts: line %d: %s\n", number, err.message);
            return EXIT_FAILURE;
        }
    }
    return 0;
}
