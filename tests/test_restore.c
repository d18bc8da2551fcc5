/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "graphs.h"
#include "spectral/spectral.h"

enum { N = 900, D = 24 };

static wgdn_kernel *kernel(const char *text)
{
    wgdn_kernel *k = NULL;
    if (wgdn_kernel_parse(&k, text, NULL)) abort();
    return k;
}

/* A grid, a smooth signal on it, its blurred and noisy image. */
typedef struct scene {
    wgdn_graph *graph;
    wgdn_kernel *kernel;
    float *x, *y, *out;
} scene;

static void begin(scene *s, const char *blur, double sigma)
{
    wgdn_kernel *smooth = kernel("ppr:alpha=0.05");
    s->graph = shaped_graph(4, N, 0);
    s->kernel = kernel(blur);
    float *white = normals(N, D, 8, 1), *z = normals(N, D, 8, 2);
    s->x = normals(N, D, 8, 3);
    s->y = normals(N, D, 8, 4);
    s->out = normals(N, D, 8, 5);
    CHECK(wgdn_kernel_apply(s->x, s->graph, smooth, white, D, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(s->y, s->graph, s->kernel, s->x, D, NULL, NULL) == WGDN_OK);
    for (int i = 0; i < N * D; i++)
        s->y[i] += (float)sigma * z[i];
    free(z);
    free(white);
    wgdn_kernel_free(smooth);
}

static void finish(scene *s)
{
    free(s->out);
    free(s->y);
    free(s->x);
    wgdn_kernel_free(s->kernel);
    wgdn_graph_free(s->graph);
}

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < N * D; i++)
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    return sum / (N * D);
}

static double restored(scene *s, wgdn_restore_mode mode, wgdn_noise noise, double sigma)
{
    wgdn_restore_options o;
    wgdn_restore_options_init(&o);
    o.mode = mode;
    o.noise = noise;
    o.sigma = sigma;
    CHECK(wgdn_restore(s->out, s->graph, s->kernel, s->y, D, &o, NULL) == WGDN_OK);
    return distance(s->out, s->x);
}

/* Each piece of knowledge must pay: energy by frequency over one average over none. */
static void order_of_the_filters(void)
{
    static const char *const blurs[] = {"heat", "ppr", "poly:1"};
    for (int b = 0; b < 3; b++) {
        const double sigma = 0.1;
        scene s;
        begin(&s, blurs[b], sigma);
        const double none = distance(s.y, s.x);
        const double inverse = restored(&s, WGDN_RESTORE_INVERSE, WGDN_NOISE_GIVEN, sigma);
        const double average = restored(&s, WGDN_RESTORE_AVERAGE, WGDN_NOISE_GIVEN, sigma);
        const double resolved = restored(&s, WGDN_RESTORE_RESOLVED, WGDN_NOISE_GIVEN, sigma);
        const double blind = restored(&s, WGDN_RESTORE_RESOLVED, WGDN_NOISE_FLOOR, 0);
        printf("     %s: none %.5f, inverse %.5f, average %.5f, resolved %.5f, blind %.5f\n",
               blurs[b], none, inverse, average, resolved, blind);
        CHECK(resolved < average);
        CHECK(average < inverse * 1.0001); /* equal to rounding where nothing was blurred */
        CHECK(resolved < none);
        CHECK(blind < 1.2 * resolved);
        CHECK(blind < average);
        finish(&s);
    }
}

/* Without noise, and told so, what was blurred comes back whatever the mode. */
static void no_noise_no_loss(void)
{
    for (int mode = 0; mode <= WGDN_RESTORE_INVERSE; mode++) {
        scene s;
        begin(&s, "heat", 0);
        CHECK(restored(&s, (wgdn_restore_mode)mode, WGDN_NOISE_GIVEN, 0) < 1e-9);
        finish(&s);
    }
}

/* The call is the stage's own pieces in a row. */
static void average_is_the_wiener_filter(void)
{
    scene s;
    wgdn_signal_sums sums;
    wgdn_restore_options o;
    double a[25], penalty, gamma = 3;
    begin(&s, "ppr", 0.2);
    wgdn_restore_options_init(&o);
    o.gamma = gamma;
    o.average = WGDN_AVERAGE_COLUMN;
    CHECK(wgdn_restore(s.out, s.graph, s.kernel, s.y, D, &o, NULL) == WGDN_OK);

    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(N), D), 1);
    float *store = wgdn_alloc(wgdn_poly_work(N, D, 24), sizeof *store);
    float *other = normals(N, D, 9, 1);
    wgdn_laplacian_sums(&sums, NULL, s.graph, s.y, D, WGDN_AVERAGE_COLUMN, work);
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, N);
    CHECK(wgdn_wiener_penalties(&penalty, &e, &gamma, 1, "test", NULL) == WGDN_OK);
    const wgdn_filter f = {s.kernel, penalty};
    CHECK(wgdn_fit_any(a, 24, WGDN_FIT_ONE_STEP, wgdn_wiener_response, &f, NULL) == WGDN_OK);
    const wgdn_poly p = {
        .graph = s.graph, .d = D, .channels = 1, .order = 24, .a = {a}, .work = store};
    wgdn_poly_filter(&other, &p, s.y, NULL, false);
    CHECK(memcmp(other, s.out, N * D * sizeof *other) == 0);
    free(other);
    wgdn_release(store);
    wgdn_release(work);
    finish(&s);
}

static void same_bits_for_any_threads(void)
{
    scene s;
    float *first = normals(N, D, 9, 2);
    begin(&s, "heat", 0.1);
    for (int mode = 0; mode <= WGDN_RESTORE_INVERSE; mode++)
        for (int threads = 1; threads <= 4; threads++) {
            wgdn_restore_options o;
            wgdn_restore_options_init(&o);
            o.mode = (wgdn_restore_mode)mode;
            o.noise = mode == WGDN_RESTORE_RESOLVED ? WGDN_NOISE_FLOOR : WGDN_NOISE_NEIGHBOURS;
            o.threads = threads;
            float *to = threads == 1 ? first : s.out;
            CHECK(wgdn_restore(to, s.graph, s.kernel, s.y, D, &o, NULL) == WGDN_OK);
            if (threads > 1) CHECK(memcmp(first, s.out, N * D * sizeof *first) == 0);
        }
    free(first);
    finish(&s);
}

/* Nodes without edges, fewer nodes than moments, a single node. */
static void small_and_scattered_graphs(void)
{
    for (int shape = 2; shape < SHAPES; shape++)
        for (int64_t n = 4; n <= 40; n += 12)
            for (int mode = 0; mode <= WGDN_RESTORE_INVERSE; mode++)
                for (int noise = 0; noise <= WGDN_NOISE_FLOOR; noise++) {
                    wgdn_graph *g = shaped_graph(shape, n, 1);
                    const int64_t nodes = wgdn_graph_nodes(g);
                    float *y = normals(nodes, 2, 1, 1), *x = normals(nodes, 2, 1, 2);
                    wgdn_kernel *k = kernel("heat");
                    wgdn_restore_options o;
                    wgdn_restore_options_init(&o);
                    o.mode = (wgdn_restore_mode)mode;
                    o.noise = (wgdn_noise)noise;
                    CHECK(wgdn_restore(x, g, k, y, 2, &o, NULL) == WGDN_OK);
                    for (int64_t i = 0; i < 2 * nodes; i++)
                        CHECK(isfinite(x[i]) && fabsf(x[i]) < 100);
                    wgdn_kernel_free(k);
                    free(x);
                    free(y);
                    wgdn_graph_free(g);
                }
}

static void allocations(void)
{
    wgdn_graph *g = shaped_graph(4, 16, 0);
    wgdn_kernel *k = kernel("ppr");
    float *y = normals(16, 2, 1, 1), *x = normals(16, 2, 1, 2);
    wgdn_restore_options o;
    wgdn_restore_options_init(&o);
    for (int fit = 0; fit < 2; fit++)
        for (int mode = 0; mode <= WGDN_RESTORE_INVERSE; mode++) {
            o.mode = (wgdn_restore_mode)mode;
            o.fit = (wgdn_fit_mode)fit;
            CHECK_ALLOCATIONS(wgdn_restore(x, g, k, y, 2, &o, NULL), (void)0);
        }
    free(x);
    free(y);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

static void refusals(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    wgdn_kernel *k = kernel("heat");
    wgdn_restore_options o;
    wgdn_error err;
    float y[4] = {0, 0, 0, 0}, x[4] = {7, 7, 7, 7};
    CHECK(wgdn_restore(x, g, k, y, 1, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "restore: signal 0"));
    y[2] = NAN;
    CHECK(wgdn_restore(x, g, k, y, 1, NULL, &err) == WGDN_EINVAL);
    y[2] = 1;
    CHECK(x[0] == 7);
    CHECK(wgdn_restore(y, g, k, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_restore(x, NULL, k, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_restore(x, g, NULL, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_restore(x, g, k, y, -1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_restore(x, g, k, y, INT64_MAX, NULL, NULL) == WGDN_ERANGE);
    wgdn_restore_options_init(&o);
    CHECK(o.gamma == 1 && o.seed == 1 && o.order == 24 && o.moments == 64 && o.probes == 128);
    o.gamma = 0;
    CHECK(wgdn_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "restore options: gamma = 0 is not within 1e-9 .. 1e9");
    o.gamma = NAN;
    CHECK(wgdn_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    wgdn_restore_options_init(&o);
    o.mode = (wgdn_restore_mode)3;
    CHECK(wgdn_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "restore options: mode = 3 is not within 0 .. 2");
    wgdn_restore_options_init(&o);
    o.struct_size = 0;
    CHECK(wgdn_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

static void options_by_name(void)
{
    wgdn_restore_options o;
    wgdn_error err;
    wgdn_restore_options_init(&o);
    const wgdn_restore_options usual = o;
    for (int i = 0; i < wgdn_restore_option_count(); i++) {
        wgdn_option_info info;
        char text[512];
        CHECK(wgdn_restore_option_info(&info, text, sizeof text, i, &err) == WGDN_OK);
        CHECK(wgdn_restore_options_set(&o, info.name, info.default_text, &err) == WGDN_OK);
    }
    CHECK(memcmp(&o, &usual, sizeof o) == 0);
    CHECK(wgdn_restore_options_set(&o, "mode", "resolved", &err) == WGDN_OK);
    CHECK(o.mode == WGDN_RESTORE_RESOLVED);
    CHECK(wgdn_restore_options_set(&o, "mode", "magic", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "mode = 'magic': it may be average, resolved or inverse");
}

int main(void)
{
    RUN(order_of_the_filters);
    RUN(no_noise_no_loss);
    RUN(average_is_the_wiener_filter);
    RUN(same_bits_for_any_threads);
    RUN(small_and_scattered_graphs);
    RUN(allocations);
    RUN(refusals);
    RUN(options_by_name);
    return check_result();
}
