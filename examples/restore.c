/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal on a ring of 1000 nodes is smoothed by heat and overlaid with noise; three filters try
 * to undo that. Prints how far each is from the truth.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wgdn/wgdn.h>

enum { NODES = 1000 };

static void must(wgdn_status status, const wgdn_error *err)
{
    if (status == WGDN_OK) return;
    fprintf(stderr, "%s: %s\n", wgdn_status_text(status), err->message);
    exit(EXIT_FAILURE);
}

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < NODES; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / NODES);
}

int main(void)
{
    static const struct {
        const char *name;
        wgdn_restore_mode mode;
    } filters[] = {{"inverse filter", WGDN_RESTORE_MODE_INVERSE},
                   {"Wiener filter, average energy", WGDN_RESTORE_MODE_AVERAGE},
                   {"Wiener filter, energy by frequency", WGDN_RESTORE_MODE_RESOLVED}};
    static int64_t src[NODES], dst[NODES];
    static float x[NODES], y[NODES], restored[NODES];
    const double sigma = 0.1;
    wgdn_error err;
    wgdn_graph *graph = NULL;
    wgdn_kernel *kernel = NULL;

    for (int i = 0; i < NODES; i++) {
        src[i] = i;
        dst[i] = (i + 1) % NODES;
        x[i] = (float)(sin(i * 0.05) + sin(i * 0.9));
    }
    must(wgdn_graph_from_edges(&graph, NODES, NODES, src, dst, &err), &err);
    must(wgdn_kernel_parse(&kernel, "heat:t=2", &err), &err);
    must(wgdn_kernel_apply(y, kernel, graph, x, 1, NULL, &err), &err);
    for (int i = 0; i < NODES; i++) /* twelve uniforms make a passable normal */
        for (int k = 0; k < 12; k++)
            y[i] += (float)(sigma * (rand() / (double)RAND_MAX - 0.5));
    printf("%-36s %.3f\n", "as observed", distance(y, x));

    for (size_t f = 0; f < sizeof filters / sizeof *filters; f++) {
        wgdn_restore_options o;
        wgdn_restore_options_init(&o);
        o.mode = filters[f].mode;
        o.noise = WGDN_NOISE_GIVEN;
        o.sigma = sigma;
        must(wgdn_graph_restore(restored, graph, kernel, y, 1, &o, &err), &err);
        printf("%-36s %.3f\n", filters[f].name, distance(restored, x));
    }
    wgdn_kernel_free(kernel);
    wgdn_graph_free(graph);
    return EXIT_SUCCESS;
}
