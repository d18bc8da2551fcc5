/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growth as a picture, of what bench/scale or bench/billion measured: time and memory per entry of
 * the adjacency.
 *
 *     scale_picture scale.json scale.png ["nanoseconds of what" "of which graphs"]
 */
#include "chart/chart.h"
#include "cli.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

enum { SIZES_MAX = 32 };

typedef struct growth {
    double entries[SIZES_MAX], ns[SIZES_MAX], bytes[SIZES_MAX], most;
    int64_t count;
} growth;

static bool read_growth(growth *g, const char *path)
{
    json_error_t err;
    json_t *rows = json_load_file(path, 0, &err), *row;
    size_t i;
    if (!json_is_array(rows) || json_array_size(rows) > SIZES_MAX) {
        fprintf(stderr, "scale_picture: %s: not a result of bench/scale or bench/billion\n", path);
        json_decref(rows);
        return false;
    }
    json_array_foreach(rows, i, row)
    {
        g->entries[i] = json_number_value(json_object_get(row, "entries"));
        g->ns[i] = json_number_value(json_object_get(row, "ns_per_entry"));
        g->bytes[i] = json_number_value(json_object_get(row, "bytes_per_entry"));
        g->most = fmax(g->most, fmax(g->ns[i], g->bytes[i]));
        g->count = (int64_t)i + 1;
    }
    json_decref(rows);
    return true;
}

int main(int argc, char **argv)
{
    static growth g;
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: scale_picture scale.json PICTURE [WHAT GRAPHS]\n");
        return 2;
    }
    if (!read_growth(&g, argv[1])) return EXIT_FAILURE;
    const char *what = argc > 3 ? argv[3] : "nanoseconds an epoch";
    const char *graphs =
        argc > 3 ? argv[4] : "R-MAT, 16 entries drawn a node, 128 features, width 128, 2 threads";
    const chart_series series[] = {{.name = what,
                                    .kind = CHART_LINE,
                                    .color = 0,
                                    .count = g.count,
                                    .x = g.entries,
                                    .y = g.ns,
                                    .marks = true},
                                   {.name = "bytes at the peak",
                                    .kind = CHART_LINE,
                                    .color = 1,
                                    .count = g.count,
                                    .x = g.entries,
                                    .y = g.bytes,
                                    .marks = true}};
    const chart c = {.title = "What an entry of the adjacency costs as graphs grow",
                     .subtitle = graphs,
                     .x_title = "entries of the adjacency",
                     .y_title = "per entry",
                     .log_x = true,
                     .y_low = 0,
                     .y_high = 1.05 * g.most,
                     .series = series,
                     .count = 2};
    return chart_write(&c, argv[2]);
}
