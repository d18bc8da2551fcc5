/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* How well each scale predicts a node from its neighbours: against the definition, in double. */
#include "base/streams.h"
#include "check.h"
#include "model/model.h"
#include "support.h"

enum { N = 90, F = 40, C = 32, EDGES = 4 * N };

/* A ring of groups: neighbours are alike, and node 7 stands alone. */
typedef struct example {
    int64_t source[EDGES], target[EDGES];
    float x[N * F];
    double s[N * N]; /* D^-1/2 A D^-1/2 */
} example;

static wgdn_dataset *make(example *e)
{
    const wgdn_stream s = {.seed = 11, .call = 1};
    int64_t edges = 0;
    wgdn_dataset *d = NULL;
    wgdn_random_normals(e->x, F, s, 0, N, 0, F);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = 0; k < 4; k++) {
            const int64_t j = (i / 9 * 9 + (int64_t)(wgdn_random_bits(s, i, 100 + k) % 10)) % N;
            e->x[i * F + i / 9] += 2;
            if (i == 7 || j == 7 || i == j) continue;
            e->source[edges] = i;
            e->target[edges++] = j;
        }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = edges,
                                   .source = e->source,
                                   .target = e->target,
                                   .features = F,
                                   .dense = e->x};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    const wgdn_csr *m = &wgdn_dataset_get_graph(d)->adjacency;
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = m->offset[i]; k < m->offset[i + 1]; k++) {
            const int64_t j = m->column[k];
            e->s[i * N + j] = 1 / sqrt((double)(m->offset[i + 1] - m->offset[i]) *
                                       (double)(m->offset[j + 1] - m->offset[j]));
        }
    return d;
}

/* exp(-t L) X by Taylor's series. */
static void filter(double *h, const example *e, const double *x, double t)
{
    static double term[N * C], next[N * C];
    memcpy(h, x, sizeof term);
    memcpy(term, x, sizeof term);
    for (int k = 1; k < 90; k++) {
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < C; j++) {
                double sum = term[i * C + j];
                for (int64_t o = 0; o < N; o++)
                    sum -= e->s[i * N + o] * term[o * C + j];
                next[i * C + j] = -t / k * sum;
            }
        memcpy(term, next, sizeof term);
        for (int64_t i = 0; i < N * C; i++)
            h[i] += term[i];
    }
}

static void centre(double *x)
{
    for (int64_t j = 0; j < C; j++) {
        double mean = 0;
        for (int64_t i = 0; i < N; i++)
            mean += x[i * C + j] / N;
        for (int64_t i = 0; i < N; i++)
            x[i * C + j] -= mean;
    }
}

/* What the fit draws: Y, and signs. */
static void draw(double *y, double *z, const example *e, const wgdn_dataset *d)
{
    float v[F * C], row[C];
    uint64_t *key = NULL;
    CHECK(wgdn_dataset_keys(&key, d, NULL) == WGDN_OK);
    wgdn_random_normals(v, C, (wgdn_stream){.seed = 1, .call = WGDN_CALL_SCALE}, 0, F, 0, C);
    for (int64_t i = 0; i < N; i++) {
        double length = 0;
        for (int64_t k = 0; k < F; k++)
            length += (double)e->x[i * F + k] * e->x[i * F + k];
        wgdn_random_uniforms(row, C, (wgdn_stream){.seed = 1, .call = WGDN_CALL_SIGNS},
                             wgdn_key_row(key[i]), 1, 0, C);
        for (int64_t j = 0; j < C; j++) {
            double sum = 0;
            for (int64_t k = 0; k < F; k++)
                sum += (double)e->x[i * F + k] * v[k * C + j];
            y[i * C + j] = sum / sqrt(length);
            z[i * C + j] = row[j] < 0.5F ? -1 : 1;
        }
    }
    wgdn_release(key);
}

static double agreement(const example *e, const double *y, const double *z, double t)
{
    static double h[N * C], g[N * C], from[N * C], cy[N * C];
    double ey = 0, ee = 0, yy = 0;
    filter(h, e, y, t);
    filter(g, e, z, t);
    memcpy(cy, y, sizeof cy);
    for (int64_t i = 0; i < N; i++) {
        double d[2] = {0}, squares = 0;
        for (int64_t j = 0; j < C; j++)
            d[j >= C / 2] += z[i * C + j] * g[i * C + j] / (C / 2);
        for (int64_t j = 0; j < C; j++) {
            from[i * C + j] = h[i * C + j] - (d[0] + d[1]) / 2 * y[i * C + j];
            squares += y[i * C + j] * y[i * C + j];
        }
        /* d e instead of the square of the mean of both */
        ee -= (d[0] - d[1]) * (d[0] - d[1]) / 4 * squares;
    }
    centre(from);
    centre(cy);
    for (int64_t i = 0; i < N * C; i++) {
        ey += from[i] * cy[i];
        ee += from[i] * from[i];
        yy += cy[i] * cy[i];
    }
    return ey / sqrt(ee * yy);
}

static void the_agreement(void)
{
    static double y[N * C], z[N * C];
    example *e = wgdn_alloc_zero(1, sizeof *e);
    wgdn_dataset *d = make(e);
    wgdn_model *m = NULL;
    double worst = 0;
    CHECK(wgdn_scale_columns(N) == C);
    CHECK(wgdn_model_fit(&m, d, NULL, NULL) == WGDN_OK);
    CHECK(m->fitted->scales == WGDN_FIT_SCALES);
    draw(y, z, e, d);
    for (int t = 0; t < WGDN_FIT_SCALES; t++) {
        const double is = m->fitted->agreement[t], truth = agreement(e, y, z, m->fitted->scale[t]);
        worst = fmax(worst, fabs(is - truth));
        CHECK(truth > 0.05 && truth < 0.95);
    }
    printf("agreements differ by %.1e at most\n", worst);
    CHECK(worst < 2e-3); /* the filters' series are cut off at a thousandth */
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

int main(void)
{
    RUN(the_agreement);
    return check_result();
}
