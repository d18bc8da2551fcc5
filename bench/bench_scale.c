/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growth: an epoch on an R-MAT graph, in a process of its own, so that the peak is the size's own.
 *
 *     OMP_NUM_THREADS=2 bench_scale ENTRIES [epochs]
 *
 * 16 entries of the adjacency a node before repeats are merged, 128 dense features, width 128, one
 * layer each way, the tight workspace.
 */
#include "model/train.h"
#include "synthetic.h"
#include "timing.h"

#include <sys/resource.h>

enum { WIDTH = 128 };

typedef struct scale_run {
    double t[ROUNDS_MAX], cpu[ROUNDS_MAX];
    double last, last_cpu;
} scale_run;

/* Called after every epoch; the first one counts as warming up. */
static int note(void *user, const wgdn_progress *p)
{
    scale_run *r = user;
    const double now = seconds(), cpu = cpu_seconds();
    if (p->epoch >= 2) {
        r->t[p->epoch - 2] = now - r->last;
        r->cpu[p->epoch - 2] = cpu - r->last_cpu;
    }
    r->last = now;
    r->last_cpu = cpu;
    return 0;
}

int main(int argc, char **argv)
{
    const int64_t entries = argc > 1 ? (int64_t)atof(argv[1]) : 0;
    const int epochs = argc > 2 ? atoi(argv[2]) : 3;
    static scale_run r;
    wgdn_train_options o;
    wgdn_model *m = NULL;
    wgdn_error err;
    struct rusage use;
    if (entries < 1600 || epochs < 1 || epochs > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_scale ENTRIES [epochs]\n");
        return 2;
    }
    wgdn_train_options_init(&o);
    o.dim = WIDTH;
    o.layers = 1;
    o.epochs = epochs + 1;
    o.loss = WGDN_LOSS_MSE;
    o.workspace = WGDN_WORKSPACE_POLICY_RECOMPUTE;
    wgdn_dataset *d = synthetic_rmat(entries / 2, WIDTH);
    const wgdn_train_run run = {.struct_size = sizeof run, .progress = note, .progress_user = &r};
    if (wgdn_model_train(&m, d, &o, &run, &err)) {
        fprintf(stderr, "bench_scale: %s\n", err.message);
        return EXIT_FAILURE;
    }
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_describe(&info, d);
    getrusage(RUSAGE_SELF, &use);
    const double there = 2 * (double)info.edges, peak = (double)use.ru_maxrss * 1024;
    const double epoch = median(r.t, epochs), cpu = median(r.cpu, epochs);
    printf("{\"entries\": %.0f, \"nodes\": %lld, \"seconds\": %.4f, \"cpu_seconds\": %.4f, "
           "\"bytes\": %.0f, \"ns_per_entry\": %.2f, \"cpu_ns_per_entry\": %.2f, "
           "\"bytes_per_entry\": %.1f}\n",
           there, (long long)wgdn_dataset_nodes(d), epoch, cpu, peak, epoch / there * 1e9,
           cpu / there * 1e9, peak / there);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return 0;
}
