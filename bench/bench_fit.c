/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The closed form on R-MAT graphs of growing size, 128 dense features, beside the bare products that
 * it needs.
 *
 *     OMP_NUM_THREADS=2 bench_fit ENTRIES
 *
 * Features are noise, so that the scale is compared, which is measured, and then given: 2. The floor
 * is the filter's products with S by themselves, over all columns at once or in slabs as the fit
 * takes them, whichever is faster here.
 */
#include "fit/fit.h"
#include "synthetic.h"
#include "timing.h"

#include <string.h>

enum { WIDTH = 128 };

static double time_fit(wgdn_model **m, const wgdn_dataset *d, double scale)
{
    wgdn_fit_options o;
    wgdn_error err;
    wgdn_fit_options_init(&o);
    o.scale = scale;
    const double start = seconds();
    if (wgdn_model_fit(m, d, &o, &err)) {
        fprintf(stderr, "bench_fit: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return seconds() - start;
}

/* As many products with L, of as many columns, as the filter has. */
static double floor_seconds(const wgdn_dataset *d, int64_t width)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const size_t n = (size_t)wgdn_dataset_nodes(d);
    double series[WGDN_FIT_ORDER_MAX + 1];
    const int order = wgdn_heat_series(series, 2);
    float *x = wgdn_alloc_zero(n * (size_t)width, sizeof *x);
    float *y = wgdn_alloc_zero(n * (size_t)width, sizeof *y);
    if (!x || !y) exit(EXIT_FAILURE);
    for (size_t i = 0; i < n * (size_t)width; i++)
        x[i] = (float)(i % 7);
    wgdn_laplacian(y, g, x, width);
    const double start = seconds();
    for (int64_t at = 0; at < WIDTH; at += width)
        for (int k = 0; k < order; k++)
            wgdn_laplacian(y, g, x, width);
    const double taken = seconds() - start;
    wgdn_release(y);
    wgdn_release(x);
    return taken;
}

int main(int argc, char **argv)
{
    const int64_t entries = argc > 1 ? (int64_t)atof(argv[1]) : 0;
    wgdn_model *scaled = NULL, *m = NULL;
    wgdn_embedding *e = NULL;
    wgdn_error err;
    if (entries < 1600) {
        fprintf(stderr, "usage: bench_fit ENTRIES\n");
        return 2;
    }
    wgdn_dataset *d = synthetic_rmat(entries / 2, WIDTH);
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_describe(&info, d);
    const double compare = time_fit(&scaled, d, -1), fit = time_fit(&m, d, 2), start = seconds();
    if (wgdn_model_embed(&e, m, d, NULL, &err)) {
        fprintf(stderr, "bench_fit: %s\n", err.message);
        return EXIT_FAILURE;
    }
    const double embed = seconds() - start, all = compare + fit + embed, peak = peak_bytes();
    const double there = 2 * (double)info.edges;
    wgdn_embedding_free(e);
    const double bare = floor_seconds(d, wgdn_block_default(info.nodes, WIDTH));
    printf("{\"entries\": %.0f, \"nodes\": %lld, \"scale_seconds\": %.3f, \"fit_seconds\": %.3f, "
           "\"embed_seconds\": %.3f, \"seconds\": %.3f, \"ns_per_entry\": %.1f, \"floor_seconds\": "
           "%.3f, \"share_of_floor\": %.2f, \"peak_gb\": %.2f}\n",
           there, (long long)info.nodes, compare, fit, embed, all, all / there * 1e9, bare,
           embed / bare, peak / 1e9);
    wgdn_model_free(m);
    wgdn_model_free(scaled);
    wgdn_dataset_free(d);
    return 0;
}
