/* SPDX-License-Identifier: Apache-2.0 */
/* What a program outside does with the installed library; also compiled as C++. */
#include <stdio.h>
#include <wgdn/wgdn.h>

int main(void)
{
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    const double c[] = {1, -1}; /* 1 - L: the average of the neighbors */
    const float x[3] = {0, 1, 0};
    float y[3];
    wgdn_compute_options o;
    wgdn_graph *g = NULL;
    wgdn_error err;

    wgdn_compute_options_init(&o);
    o.threads = 1;
    if (wgdn_graph_from_edges(&g, 3, 2, src, dst, &err) ||
        wgdn_graph_filter(y, g, x, 1, c, 1, &o, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    wgdn_graph_free(g);
    printf("wgdn %s: %.6f %.6f %.6f\n", wgdn_version(), y[0], y[1], y[2]);
    return !(y[0] > 0.707f && y[0] < 0.708f && y[1] == 0.0f);
}
