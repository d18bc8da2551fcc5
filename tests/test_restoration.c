/* SPDX-License-Identifier: Apache-2.0 */
/* Restored signals, and the paper's propositions. */
#include "check.h"
#include "graphs.h"

#include "spectral/spectral.h"

/* ---- restore ---- */

enum { N = 900, RESTORE_D = 24 };

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

static void restore_begin(scene *s, const char *blur, double sigma)
{
    wgdn_kernel *smooth = kernel("ppr:alpha=0.05");
    s->graph = shaped_graph(4, N, 0);
    s->kernel = kernel(blur);
    float *white = normals(N, RESTORE_D, 8, 1), *z = normals(N, RESTORE_D, 8, 2);
    s->x = normals(N, RESTORE_D, 8, 3);
    s->y = normals(N, RESTORE_D, 8, 4);
    s->out = normals(N, RESTORE_D, 8, 5);
    CHECK(wgdn_kernel_apply(s->x, smooth, s->graph, white, RESTORE_D, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(s->y, s->kernel, s->graph, s->x, RESTORE_D, NULL, NULL) == WGDN_OK);
    for (int i = 0; i < N * RESTORE_D; i++)
        s->y[i] += (float)sigma * z[i];
    free(z);
    free(white);
    wgdn_kernel_free(smooth);
}

static void restore_finish(scene *s)
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
    for (int i = 0; i < N * RESTORE_D; i++)
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    return sum / (N * RESTORE_D);
}

static double restored(scene *s, wgdn_restore_mode mode, wgdn_noise noise, double sigma)
{
    wgdn_restore_options o;
    wgdn_restore_options_init(&o);
    o.mode = mode;
    o.noise = noise;
    o.sigma = sigma;
    CHECK(wgdn_graph_restore(s->out, s->graph, s->kernel, s->y, RESTORE_D, &o, NULL) == WGDN_OK);
    return distance(s->out, s->x);
}

/* Each piece of knowledge must pay: energy by frequency over one average over none. */
static void order_of_the_filters(void)
{
    static const char *const blurs[] = {"heat", "ppr", "poly:1"};
    for (int b = 0; b < 3; b++) {
        const double sigma = 0.1;
        scene s;
        restore_begin(&s, blurs[b], sigma);
        const double none = distance(s.y, s.x);
        const double inverse = restored(&s, WGDN_RESTORE_MODE_INVERSE, WGDN_NOISE_GIVEN, sigma);
        const double average = restored(&s, WGDN_RESTORE_MODE_AVERAGE, WGDN_NOISE_GIVEN, sigma);
        const double resolved = restored(&s, WGDN_RESTORE_MODE_RESOLVED, WGDN_NOISE_GIVEN, sigma);
        const double blind = restored(&s, WGDN_RESTORE_MODE_RESOLVED, WGDN_NOISE_FLOOR, 0);
        printf("     %s: none %.5f, inverse %.5f, average %.5f, resolved %.5f, blind %.5f\n",
               blurs[b], none, inverse, average, resolved, blind);
        CHECK(resolved < average);
        CHECK(average < inverse * 1.0001); /* equal to rounding where nothing was blurred */
        CHECK(resolved < none);
        CHECK(blind < 1.2 * resolved);
        CHECK(blind < average);
        restore_finish(&s);
    }
}

/* Without noise, and told so, what was blurred comes back whatever the mode. */
static void no_noise_no_loss(void)
{
    for (int mode = 0; mode <= WGDN_RESTORE_MODE_INVERSE; mode++) {
        scene s;
        restore_begin(&s, "heat", 0);
        CHECK(restored(&s, (wgdn_restore_mode)mode, WGDN_NOISE_GIVEN, 0) < 1e-9);
        restore_finish(&s);
    }
}

/* The call is the stage's own pieces in a row. */
static void average_is_the_wiener_filter(void)
{
    scene s;
    wgdn_signal_sums sums;
    wgdn_restore_options o;
    double a[25], penalty, gamma = 3;
    restore_begin(&s, "ppr", 0.2);
    wgdn_restore_options_init(&o);
    o.gamma = gamma;
    o.average = WGDN_AVERAGE_COLUMN;
    CHECK(wgdn_graph_restore(s.out, s.graph, s.kernel, s.y, RESTORE_D, &o, NULL) == WGDN_OK);

    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(N), RESTORE_D), 1);
    float *store = wgdn_alloc(wgdn_poly_work(N, RESTORE_D, 24), sizeof *store);
    float *other = normals(N, RESTORE_D, 9, 1);
    wgdn_laplacian_sums(&sums, NULL, s.graph, s.y, RESTORE_D, WGDN_AVERAGE_COLUMN, work);
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, N);
    CHECK(wgdn_wiener_penalties(&penalty, &e, &gamma, 1, "test", NULL) == WGDN_OK);
    const wgdn_filter f = {s.kernel, penalty};
    CHECK(wgdn_approximate_any(a, 24, WGDN_APPROXIMATION_ONE_STEP, wgdn_wiener_response, &f,
                               NULL) == WGDN_OK);
    const wgdn_poly p = {
        .graph = s.graph, .d = RESTORE_D, .channels = 1, .order = 24, .a = {a}, .work = store};
    wgdn_poly_filter(&other, &p, s.y, NULL, false);
    CHECK(memcmp(other, s.out, N * RESTORE_D * sizeof *other) == 0);
    free(other);
    wgdn_release(store);
    wgdn_release(work);
    restore_finish(&s);
}

static void same_bits_for_any_threads(void)
{
    scene s;
    float *first = normals(N, RESTORE_D, 9, 2);
    restore_begin(&s, "heat", 0.1);
    for (int mode = 0; mode <= WGDN_RESTORE_MODE_INVERSE; mode++)
        for (int threads = 1; threads <= 4; threads++) {
            wgdn_restore_options o;
            wgdn_restore_options_init(&o);
            o.mode = (wgdn_restore_mode)mode;
            o.noise = mode == WGDN_RESTORE_MODE_RESOLVED ? WGDN_NOISE_FLOOR : WGDN_NOISE_NEIGHBORS;
            o.threads = threads;
            float *to = threads == 1 ? first : s.out;
            CHECK(wgdn_graph_restore(to, s.graph, s.kernel, s.y, RESTORE_D, &o, NULL) == WGDN_OK);
            if (threads > 1) CHECK(memcmp(first, s.out, N * RESTORE_D * sizeof *first) == 0);
        }
    free(first);
    restore_finish(&s);
}

/* Nodes without edges, fewer nodes than moments, a single node. */
static void small_and_scattered_graphs(void)
{
    for (int shape = 2; shape < SHAPES; shape++)
        for (int64_t n = 4; n <= 40; n += 12)
            for (int mode = 0; mode <= WGDN_RESTORE_MODE_INVERSE; mode++)
                for (int noise = 0; noise <= WGDN_NOISE_FLOOR; noise++) {
                    wgdn_graph *g = shaped_graph(shape, n, 1);
                    const int64_t nodes = wgdn_graph_nodes(g);
                    float *y = normals(nodes, 2, 1, 1), *x = normals(nodes, 2, 1, 2);
                    wgdn_kernel *k = kernel("heat");
                    wgdn_restore_options o;
                    wgdn_restore_options_init(&o);
                    o.mode = (wgdn_restore_mode)mode;
                    o.noise = (wgdn_noise)noise;
                    CHECK(wgdn_graph_restore(x, g, k, y, 2, &o, NULL) == WGDN_OK);
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
        for (int mode = 0; mode <= WGDN_RESTORE_MODE_INVERSE; mode++) {
            o.mode = (wgdn_restore_mode)mode;
            o.approximation = (wgdn_approximation)fit;
            CHECK_ALLOCATIONS(wgdn_graph_restore(x, g, k, y, 2, &o, NULL), (void)0);
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
    CHECK(wgdn_graph_restore(x, g, k, y, 1, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "restore: signal 0"));
    y[2] = NAN;
    CHECK(wgdn_graph_restore(x, g, k, y, 1, NULL, &err) == WGDN_EINVAL);
    y[2] = 1;
    CHECK(x[0] == 7);
    CHECK(wgdn_graph_restore(y, g, k, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_restore(x, NULL, k, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_restore(x, g, NULL, y, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_restore(x, g, k, y, -1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_restore(x, g, k, y, INT64_MAX, NULL, NULL) == WGDN_ERANGE);
    wgdn_restore_options_init(&o);
    CHECK(o.gamma == 1 && o.seed == 1 && o.order == 24 && o.moments == 64 && o.probes == 128);
    o.gamma = 0;
    CHECK(wgdn_graph_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "restore options: gamma = 0 is not within 1e-9 .. 1e9");
    o.gamma = NAN;
    CHECK(wgdn_graph_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    wgdn_restore_options_init(&o);
    o.mode = (wgdn_restore_mode)3;
    CHECK(wgdn_graph_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "restore options: mode = 3 is not within 0 .. 2");
    wgdn_restore_options_init(&o);
    o.struct_size = 0;
    CHECK(wgdn_graph_restore(x, g, k, y, 1, &o, &err) == WGDN_EINVAL);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

static void options_by_name(void)
{
    wgdn_restore_options o;
    wgdn_error err;
    wgdn_restore_options_init(&o);
    const wgdn_restore_options usual = o;
    const wgdn_option_info *info;
    for (int i = 0; (info = wgdn_options_get_info(WGDN_OPTIONS_KIND_RESTORE, i)); i++)
        CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_RESTORE, &o, info->name, info->default_text,
                               &err) == WGDN_OK);
    CHECK(memcmp(&o, &usual, sizeof o) == 0);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_RESTORE, &o, "mode", "resolved", &err) == WGDN_OK);
    CHECK(o.mode == WGDN_RESTORE_MODE_RESOLVED);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_RESTORE, &o, "mode", "magic", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "mode = 'magic': it may be average, resolved or inverse");
}

static int restore_tests(void)
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

/* ---- propositions ---- */

/*
 * The three propositions of the theory, by experiment: noise is drawn, filters are applied with the
 * exact spectrum, errors are averaged. 60 graphs of six shapes, three kernels that vanish nowhere
 * (1/g must exist; gcn is 0 at lambda = 1, where stars, paths and isolated nodes have eigenvalues).
 * A mean over columns comes with its standard error; bounds are five of these, so that one of the
 * 180 x 5 comparisons fails by chance with probability below 1e-3.
 */

#ifndef WGDN_HAVE_LAPACK
static int propositions_tests(void)
{
    printf("skipped: no LAPACK\n");
    return EXIT_SUCCESS;
}
#else

enum { GRAPHS = 60, PROPOSITIONS_D = 300, NODES_MAX = 64 };
static const char *const kernels[] = {"heat", "ppr", "poly:1,-0.4"};
static const double propositions_sigma = 0.3, errors_allowed = 5;

typedef struct trial {
    wgdn_graph *graph;
    wgdn_spectrum *spectrum;
    const double *lambda;
    int64_t n;
    double g[NODES_MAX];
    float *x, *y, *restored;  /* n x D */
    double energy[NODES_MAX]; /* expected (u_i . x)^2 of a column */
} trial;

typedef struct mean {
    double value, error; /* and its standard error */
} mean;

static mean mean_of(const double *v, int count)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += v[i];
    for (int i = 0; i < count; i++)
        squares += (v[i] - sum / count) * (v[i] - sum / count);
    return (mean){sum / count, sqrt(squares / (count - 1.0) / count)};
}

/* The signal: a spectrum that falls with lambda, drawn anew in every column. */
static double energy_at(double lambda)
{
    return 1 / (0.1 + lambda * lambda);
}

static void apply(float *y, const trial *t, const double *response, const float *x)
{
    if (wgdn_spectrum_apply(y, t->spectrum, response, x, PROPOSITIONS_D, NULL, NULL)) abort();
}

static void propositions_begin(trial *t, int number, const char *kernel)
{
    wgdn_kernel *k = NULL;
    double root[NODES_MAX];
    t->graph = shaped_graph(number % SHAPES, 36 + number % 20, (uint64_t)number);
    t->n = wgdn_graph_nodes(t->graph);
    if (wgdn_spectrum_from_graph(&t->spectrum, t->graph, NULL)) abort();
    if (wgdn_kernel_parse(&k, kernel, NULL)) abort();
    t->lambda = wgdn_spectrum_get_values(t->spectrum);
    for (int64_t i = 0; i < t->n; i++) {
        t->g[i] = wgdn_kernel_value(k, t->lambda[i]);
        t->energy[i] = energy_at(t->lambda[i]);
        root[i] = sqrt(t->energy[i]);
    }
    float *white = normals(t->n, PROPOSITIONS_D, (uint64_t)number, 1);
    t->x = normals(t->n, PROPOSITIONS_D, (uint64_t)number, 2);
    t->y = normals(t->n, PROPOSITIONS_D, (uint64_t)number, 3);
    t->restored = normals(t->n, PROPOSITIONS_D, (uint64_t)number, 4);
    apply(t->x, t, root, white);
    free(white);
    wgdn_kernel_free(k);
}

/* All columns the same signal: what varies is the noise alone. */
static void repeat_first_column(trial *t)
{
    for (int64_t i = 0; i < t->n; i++)
        for (int j = 1; j < PROPOSITIONS_D; j++)
            t->x[i * PROPOSITIONS_D + j] = t->x[i * PROPOSITIONS_D];
}

static void blur_and_add_noise(trial *t, int number)
{
    float *z = normals(t->n, PROPOSITIONS_D, (uint64_t)number, 5);
    apply(t->y, t, t->g, t->x);
    for (int64_t i = 0; i < t->n * PROPOSITIONS_D; i++)
        t->y[i] += (float)propositions_sigma * z[i];
    free(z);
}

static void propositions_finish(trial *t)
{
    free(t->restored);
    free(t->y);
    free(t->x);
    wgdn_spectrum_free(t->spectrum);
    wgdn_graph_free(t->graph);
}

/* Filter y by a response; squared error of every column against `truth` (or its own mean: NULL). */
static void column_errors(double *e, trial *t, const double *response, const float *truth)
{
    apply(t->restored, t, response, t->y);
    memset(e, 0, PROPOSITIONS_D * sizeof *e);
    for (int64_t i = 0; i < t->n; i++) {
        const float *row = t->restored + i * PROPOSITIONS_D;
        double center = 0;
        for (int j = 0; j < PROPOSITIONS_D; j++)
            center += row[j] / (double)PROPOSITIONS_D;
        for (int j = 0; j < PROPOSITIONS_D; j++) {
            const double apart = row[j] - (truth ? truth[i * PROPOSITIONS_D + j] : center);
            e[j] += apart * apart * (truth ? 1 : PROPOSITIONS_D / (PROPOSITIONS_D - 1.0));
        }
    }
}

static void inverse_response(double *w, const trial *t)
{
    for (int64_t i = 0; i < t->n; i++)
        w[i] = wgdn_inverse(t->g[i]);
}

/* penalty = sigma^2 / (energy of the eigenvalue), or over one energy for all if average > 0. */
static void wiener_response(double *w, const trial *t, double average)
{
    for (int64_t i = 0; i < t->n; i++)
        w[i] = wgdn_wiener(t->g[i], propositions_sigma * propositions_sigma /
                                        (average > 0 ? average : t->energy[i]));
}

/* 1: the inverse filter is off by sum_i sigma^2 / g_i^2 in the mean square. */
static void proposition_1(void)
{
    double worst = 0, widest = 0;
    for (int number = 0; number < GRAPHS; number++)
        for (int k = 0; k < 3; k++) {
            trial t;
            double w[NODES_MAX], e[PROPOSITIONS_D], expected = 0;
            propositions_begin(&t, number, kernels[k]);
            blur_and_add_noise(&t, number);
            inverse_response(w, &t);
            column_errors(e, &t, w, t.x);
            for (int64_t i = 0; i < t.n; i++)
                expected += propositions_sigma * propositions_sigma / (t.g[i] * t.g[i]);
            const mean m = mean_of(e, PROPOSITIONS_D);
            CHECK_NEAR(m.value, expected, errors_allowed * m.error);
            worst = fmax(worst, fabs(m.value - expected) / m.error);
            widest = fmax(widest, m.error / m.value);
            propositions_finish(&t);
        }
    printf("     180 cases, standard errors up to %.1f %%; at most %.1f of them apart\n",
           100 * widest, worst);
}

/* 2: the Wiener filter has no larger mean squared error, and no larger
 * variance, than the inverse. */
static void proposition_2(void)
{
    double nearest = -INFINITY, steadiest = -INFINITY;
    for (int number = 0; number < GRAPHS; number++)
        for (int k = 0; k < 3; k++)
            for (int fixed = 0; fixed < 2; fixed++) { /* a fixed signal for the variance */
                trial t;
                double inverse[NODES_MAX], wiener[NODES_MAX], ei[PROPOSITIONS_D],
                    ew[PROPOSITIONS_D];
                propositions_begin(&t, number, kernels[k]);
                if (fixed) repeat_first_column(&t);
                blur_and_add_noise(&t, number);
                inverse_response(inverse, &t);
                wiener_response(wiener, &t, 0);
                column_errors(ei, &t, inverse, fixed ? NULL : t.x);
                column_errors(ew, &t, wiener, fixed ? NULL : t.x);
                for (int j = 0; j < PROPOSITIONS_D; j++)
                    ew[j] -= ei[j];
                const mean gain = mean_of(ew, PROPOSITIONS_D);
                CHECK(gain.value <= errors_allowed * gain.error);
                double *least = fixed ? &steadiest : &nearest;
                *least = fmax(*least, gain.value / gain.error);
                propositions_finish(&t);
            }
    printf("     error and variance smaller in all 180 cases, by at least %.1f and %.1f standard "
           "errors\n",
           -nearest, -steadiest);
}

enum { BATCHES = 10, BATCH = PROPOSITIONS_D / BATCHES };

/*
 * 3: one energy for all, gamma_1 and gamma_2 times the average, both at least the true energy of an
 * eigenvalue: the error there is S(gamma_1) <= S(gamma_2) <= S(inverse). Errors are summed over the
 * eigenvalues to which that applies; the columns in ten batches give the standard error.
 */
static void spectral_errors(double *sum, const trial *t, const double *w, double bound)
{
    float *gap = normals(t->n, BATCH, 0, 0);
    apply(t->restored, t, w, t->y);
    for (int b = 0; b < BATCHES; b++) {
        double e[NODES_MAX];
        for (int64_t i = 0; i < t->n; i++)
            for (int j = 0; j < BATCH; j++) {
                const int64_t at = i * PROPOSITIONS_D + b * BATCH + j;
                gap[i * BATCH + j] = t->restored[at] - t->x[at];
            }
        if (wgdn_spectrum_energy(e, t->spectrum, gap, BATCH, NULL, NULL)) abort();
        sum[b] = 0;
        for (int64_t i = 0; i < t->n; i++)
            if (t->energy[i] <= bound) sum[b] += e[i] / BATCH;
    }
    free(gap);
}

static void ordered(const trial *t, const double *lower, const double *higher, double bound,
                    double *least)
{
    double apart[BATCHES], high[BATCHES];
    spectral_errors(apart, t, lower, bound);
    spectral_errors(high, t, higher, bound);
    for (int b = 0; b < BATCHES; b++)
        apart[b] -= high[b];
    const mean m = mean_of(apart, BATCHES);
    CHECK(m.value <= errors_allowed * m.error);
    *least = fmax(*least, m.value / m.error);
}

static void proposition_3(void)
{
    static const double gammas[][2] = {{0.5, 1}, {1, 3}, {5, 20}};
    double least = -INFINITY;
    for (int number = 0; number < GRAPHS; number++)
        for (int k = 0; k < 3; k++) {
            trial t;
            double one[NODES_MAX], two[NODES_MAX], inverse[NODES_MAX], average = 0;
            const double *gamma = gammas[(number + k) % 3];
            propositions_begin(&t, number, kernels[k]);
            blur_and_add_noise(&t, number);
            for (int64_t i = 0; i < t.n; i++)
                average += t.energy[i] / (double)t.n;
            wiener_response(one, &t, gamma[0] * average);
            wiener_response(two, &t, gamma[1] * average);
            inverse_response(inverse, &t);
            ordered(&t, one, two, gamma[0] * average, &least);
            ordered(&t, two, inverse, gamma[0] * average, &least);
            propositions_finish(&t);
        }
    printf("     ordered in all 360 comparisons, by at least %.1f standard errors\n", -least);
}

static int propositions_tests(void)
{
    RUN(proposition_1);
    RUN(proposition_2);
    RUN(proposition_3);
    return check_result();
}
#endif

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"restore", restore_tests},
        {"propositions", propositions_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
