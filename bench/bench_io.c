/* SPDX-License-Identifier: Apache-2.0 */
/* bench_io FILE [THREADS]: milliseconds to load a dataset, one line of JSON per run. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wgdn/wgdn.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_error err;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_io FILE [THREADS]\n");
        return 2;
    }
    wgdn_dataset_options_init(&o);
    if (argc > 2) o.threads = atoi(argv[2]);
    const double start = now();
    if (wgdn_dataset_read(&d, argv[1], &o, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_describe(&info, d);
    printf("{\"ms\": %.1f, \"nodes\": %lld, \"edges\": %lld}\n", now() - start,
           (long long)wgdn_dataset_nodes(d), (long long)info.edges);
    wgdn_dataset_free(d);
    return 0;
}
