/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of docs/explanation/spectral.md: Cora's features are smoothed by a kernel, noise is added, and
 * each filter tries to bring them back.
 *
 *     restore_study tests/data/cora.txt docs/pictures/spectral.png > tables.md
 *
 * prints both tables, to be put in their places in docs/explanation/spectral.md, and draws the picture.
 */
#include "linalg/linalg.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>

enum { NONE, INVERSE, AVERAGE_LOW, AVERAGE_ONE, AVERAGE_HIGH, RESOLVED, EXACT, ESTIMATED, BLIND };

static study_results results = {
    .level = {0.1, 0.2, 0.5, 1, 2},
    .kernel = {"heat", "ppr"},
    .filter = {"no filter", "inverse", "average, 0.1", "average, 1", "average, 10", "resolved",
               "exact", "average, 1, estimated", "resolved, blind"},
};

typedef struct scene {
    wgdn_graph *graph;
    wgdn_spectrum *spectrum;
    int64_t n, width;
    float *x, *z, *blurred, *y, *restored; /* n x width: truth, noise, ... */
    double *ex, *ez, *cross;               /* n: |u_i X|^2, |u_i Z|^2, <u_i X, u_i Z> */
    double power;                          /* mean x^2 */
} scene;

static float *new_matrix(const scene *s)
{
    float *m = calloc((size_t)(s->n * s->width), sizeof *m);
    if (!m) exit(EXIT_FAILURE);
    return m;
}

/* Energies of X and Z, and from those of X + Z their products, eigenvalue by eigenvalue. */
static void find_energies(scene *s)
{
    wgdn_error err;
    double **each[] = {&s->ex, &s->ez, &s->cross};
    for (int k = 0; k < 3; k++)
        if (!(*each[k] = calloc((size_t)s->n, sizeof(double)))) exit(EXIT_FAILURE);
    for (int64_t i = 0; i < s->n * s->width; i++)
        s->y[i] = s->x[i] + s->z[i];
    study_must(wgdn_spectrum_energy(s->ex, s->spectrum, s->x, s->width, NULL, &err), &err);
    study_must(wgdn_spectrum_energy(s->ez, s->spectrum, s->z, s->width, NULL, &err), &err);
    study_must(wgdn_spectrum_energy(s->cross, s->spectrum, s->y, s->width, NULL, &err), &err);
    for (int64_t i = 0; i < s->n; i++)
        s->cross[i] = (s->cross[i] - s->ex[i] - s->ez[i]) / 2;
}

static void begin(scene *s, const char *path)
{
    wgdn_error err;
    study_read(&s->graph, &s->x, &s->width, path);
    s->n = wgdn_graph_nodes(s->graph);
    s->z = new_matrix(s);
    s->blurred = new_matrix(s);
    s->y = new_matrix(s);
    s->restored = new_matrix(s);
    wgdn_random_normals(s->z, s->width, (wgdn_stream){.seed = 1}, 0, s->n, 0, s->width);
    for (int64_t i = 0; i < s->n * s->width; i++)
        s->power += (double)s->x[i] * s->x[i] / (double)(s->n * s->width);
    study_must(wgdn_spectrum_from_graph(&s->spectrum, s->graph, &err), &err);
    find_energies(s);
}

static void end(scene *s)
{
    free(s->cross);
    free(s->ez);
    free(s->ex);
    free(s->restored);
    free(s->y);
    free(s->blurred);
    free(s->z);
    free(s->x);
    wgdn_spectrum_free(s->spectrum);
    wgdn_graph_free(s->graph);
}

/* Mean squared error over mean square of the truth. */
static double error_of(const scene *s, const float *estimate)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n * s->width; i++)
        sum += ((double)estimate[i] - s->x[i]) * ((double)estimate[i] - s->x[i]);
    return sum / (double)(s->n * s->width) / s->power;
}

static double deviation(const scene *s, const float *m)
{
    double mean = 0, sum = 0;
    const int64_t count = s->n * s->width;
    for (int64_t i = 0; i < count; i++)
        mean += m[i] / (double)count;
    for (int64_t i = 0; i < count; i++)
        sum += (m[i] - mean) * (m[i] - mean);
    return sqrt(sum / (double)(count - 1));
}

/*
 * The Wiener filter that knows the energy at every eigenvalue, w = g / (g^2 + sigma^2 / E). What it
 * leaves is ((w g - 1) x + w sigma z)^2 in the eigenbasis.
 */
static double exact_error(const scene *s, const wgdn_kernel *k, double sigma)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const double g = wgdn_kernel_value(k, wgdn_spectrum_get_values(s->spectrum)[i]);
        const double e = s->ex[i] / (double)s->width;
        const double w = g * e / (g * g * e + sigma * sigma);
        sum += (w * g - 1) * (w * g - 1) * s->ex[i] + w * w * sigma * sigma * s->ez[i] +
               2 * (w * g - 1) * w * sigma * s->cross[i];
    }
    return sum / (double)(s->n * s->width) / s->power;
}

static double filtered(const scene *s, const wgdn_kernel *k, wgdn_restore_mode mode,
                       wgdn_noise noise, double sigma, double gamma)
{
    wgdn_error err;
    wgdn_restore_options o;
    wgdn_restore_options_init(&o);
    o.mode = mode;
    o.noise = noise;
    o.sigma = sigma;
    o.gamma = gamma;
    study_must(wgdn_graph_restore(s->restored, s->graph, k, s->y, s->width, &o, &err), &err);
    return error_of(s, s->restored);
}

static void one_level(const scene *s, const wgdn_kernel *k, int kernel, int level, double spread)
{
    const double sigma = results.level[level] * spread;
    const wgdn_noise given = WGDN_NOISE_GIVEN;
    double(*e)[STUDY_LEVELS] = results.error[kernel];
    for (int64_t i = 0; i < s->n * s->width; i++)
        s->y[i] = s->blurred[i] + (float)sigma * s->z[i];
    e[NONE][level] = error_of(s, s->y);
    e[INVERSE][level] = filtered(s, k, WGDN_RESTORE_MODE_INVERSE, given, sigma, 1);
    e[AVERAGE_LOW][level] = filtered(s, k, WGDN_RESTORE_MODE_AVERAGE, given, sigma, 0.1);
    e[AVERAGE_ONE][level] = filtered(s, k, WGDN_RESTORE_MODE_AVERAGE, given, sigma, 1);
    e[AVERAGE_HIGH][level] = filtered(s, k, WGDN_RESTORE_MODE_AVERAGE, given, sigma, 10);
    e[RESOLVED][level] = filtered(s, k, WGDN_RESTORE_MODE_RESOLVED, given, sigma, 1);
    e[EXACT][level] = exact_error(s, k, sigma);
    e[ESTIMATED][level] = filtered(s, k, WGDN_RESTORE_MODE_AVERAGE, WGDN_NOISE_NEIGHBORS, 0, 1);
    e[BLIND][level] = filtered(s, k, WGDN_RESTORE_MODE_RESOLVED, WGDN_NOISE_FLOOR, 0, 1);
}

static void print_results(void)
{
    printf("| kernel | beta |");
    for (int f = 0; f < STUDY_FILTERS; f++)
        printf(" %s |", results.filter[f]);
    printf("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < STUDY_KERNELS; k++)
        for (int l = 0; l < STUDY_LEVELS; l++) {
            printf("| %s | %g |", results.kernel[k], results.level[l]);
            for (int f = 0; f < STUDY_FILTERS; f++)
                printf(" %.4g |", results.error[k][f][l]);
            printf("\n");
        }
}

int main(int argc, char **argv)
{
    scene s = {0};
    wgdn_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: restore_study EXTRACT PICTURE\n");
        return 2;
    }
    begin(&s, argv[1]);
    for (int k = 0; k < STUDY_KERNELS; k++) {
        wgdn_kernel *kernel = NULL;
        study_must(wgdn_kernel_parse(&kernel, results.kernel[k], &err), &err);
        study_must(wgdn_kernel_apply(s.blurred, kernel, s.graph, s.x, s.width, NULL, &err), &err);
        const double spread = deviation(&s, s.blurred);
        for (int l = 0; l < STUDY_LEVELS; l++)
            one_level(&s, kernel, k, l, spread);
        wgdn_kernel_free(kernel);
    }
    end(&s);
    print_results();
    printf("\n");
    study_fits(stdout);
    study_picture(argv[2], &results);
    return EXIT_SUCCESS;
}
