/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three propositions of the theory, by experiment: noise is drawn, filters are applied with the
 * exact spectrum, errors are averaged. 60 graphs of six shapes, three kernels that vanish nowhere
 * (1/g must exist; gcn is 0 at lambda = 1, where stars, paths and isolated nodes have eigenvalues).
 * A mean over columns comes with its standard error; bounds are five of these, so that one of the
 * 180 x 5 comparisons fails by chance with probability below 1e-3.
 */
#include "check.h"
#include "graphs.h"
#include "spectral/spectral.h"

#ifndef WGDN_HAVE_LAPACK
int main(void)
{
    printf("skipped: no LAPACK\n");
    return EXIT_SUCCESS;
}
#else

enum { GRAPHS = 60, D = 300, NODES_MAX = 64 };
static const char *const kernels[] = {"heat", "ppr", "poly:1,-0.4"};
static const double sigma = 0.3, errors_allowed = 5;

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
    if (wgdn_spectrum_apply(y, t->spectrum, response, x, D, NULL, NULL)) abort();
}

static void begin(trial *t, int number, const char *kernel)
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
    float *white = normals(t->n, D, (uint64_t)number, 1);
    t->x = normals(t->n, D, (uint64_t)number, 2);
    t->y = normals(t->n, D, (uint64_t)number, 3);
    t->restored = normals(t->n, D, (uint64_t)number, 4);
    apply(t->x, t, root, white);
    free(white);
    wgdn_kernel_free(k);
}

/* All columns the same signal: what varies is the noise alone. */
static void repeat_first_column(trial *t)
{
    for (int64_t i = 0; i < t->n; i++)
        for (int j = 1; j < D; j++)
            t->x[i * D + j] = t->x[i * D];
}

static void blur_and_add_noise(trial *t, int number)
{
    float *z = normals(t->n, D, (uint64_t)number, 5);
    apply(t->y, t, t->g, t->x);
    for (int64_t i = 0; i < t->n * D; i++)
        t->y[i] += (float)sigma * z[i];
    free(z);
}

static void finish(trial *t)
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
    memset(e, 0, D * sizeof *e);
    for (int64_t i = 0; i < t->n; i++) {
        const float *row = t->restored + i * D;
        double centre = 0;
        for (int j = 0; j < D; j++)
            centre += row[j] / (double)D;
        for (int j = 0; j < D; j++) {
            const double apart = row[j] - (truth ? truth[i * D + j] : centre);
            e[j] += apart * apart * (truth ? 1 : D / (D - 1.0));
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
        w[i] = wgdn_wiener(t->g[i], sigma * sigma / (average > 0 ? average : t->energy[i]));
}

/* 1: the inverse filter is off by sum_i sigma^2 / g_i^2 in the mean square. */
static void proposition_1(void)
{
    double worst = 0, widest = 0;
    for (int number = 0; number < GRAPHS; number++)
        for (int k = 0; k < 3; k++) {
            trial t;
            double w[NODES_MAX], e[D], expected = 0;
            begin(&t, number, kernels[k]);
            blur_and_add_noise(&t, number);
            inverse_response(w, &t);
            column_errors(e, &t, w, t.x);
            for (int64_t i = 0; i < t.n; i++)
                expected += sigma * sigma / (t.g[i] * t.g[i]);
            const mean m = mean_of(e, D);
            CHECK_NEAR(m.value, expected, errors_allowed * m.error);
            worst = fmax(worst, fabs(m.value - expected) / m.error);
            widest = fmax(widest, m.error / m.value);
            finish(&t);
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
                double inverse[NODES_MAX], wiener[NODES_MAX], ei[D], ew[D];
                begin(&t, number, kernels[k]);
                if (fixed) repeat_first_column(&t);
                blur_and_add_noise(&t, number);
                inverse_response(inverse, &t);
                wiener_response(wiener, &t, 0);
                column_errors(ei, &t, inverse, fixed ? NULL : t.x);
                column_errors(ew, &t, wiener, fixed ? NULL : t.x);
                for (int j = 0; j < D; j++)
                    ew[j] -= ei[j];
                const mean gain = mean_of(ew, D);
                CHECK(gain.value <= errors_allowed * gain.error);
                double *least = fixed ? &steadiest : &nearest;
                *least = fmax(*least, gain.value / gain.error);
                finish(&t);
            }
    printf("     error and variance smaller in all 180 cases, by at least %.1f and %.1f standard "
           "errors\n",
           -nearest, -steadiest);
}

enum { BATCHES = 10, BATCH = D / BATCHES };

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
                const int64_t at = i * D + b * BATCH + j;
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
            begin(&t, number, kernels[k]);
            blur_and_add_noise(&t, number);
            for (int64_t i = 0; i < t.n; i++)
                average += t.energy[i] / (double)t.n;
            wiener_response(one, &t, gamma[0] * average);
            wiener_response(two, &t, gamma[1] * average);
            inverse_response(inverse, &t);
            ordered(&t, one, two, gamma[0] * average, &least);
            ordered(&t, two, inverse, gamma[0] * average, &least);
            finish(&t);
        }
    printf("     ordered in all 360 comparisons, by at least %.1f standard errors\n", -least);
}

int main(void)
{
    RUN(proposition_1);
    RUN(proposition_2);
    RUN(proposition_3);
    return check_result();
}
#endif
