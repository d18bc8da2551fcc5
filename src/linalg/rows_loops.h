/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner loops in vectors; compiled once per CPU level (cmake/variants.cmake). A row of d columns
 * is cut into tiles of eight vectors that stay in registers while the neighbors stream by, then
 * tiles of four, two and one, then single columns. The cut depends on d alone.
 */
#include "rows.h"

#include "base/lanes.h"

enum {
    TILE = 8, /* vectors of the widest tile */
    TILE_WIDTH = TILE * LANES,
    AHEAD = 12, /* how many neighbors ahead memory is asked for; 8 to 16 measured alike */
};

typedef float vec __attribute__((vector_size(4 * LANES)));
enum { HALF = LANES / 2 }; /* as many doubles fill a register */
typedef float half __attribute__((vector_size(4 * HALF)));
typedef double dvec __attribute__((vector_size(8 * HALF)));

static inline vec load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef uint16_t halves __attribute__((vector_size(2 * LANES)));

static inline vec load_half(const uint16_t *p)
{
    halves h;
    memcpy(&h, p, sizeof h);
    return (vec)(__builtin_convertvector(h, words) << 16);
}

static inline void store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline vec splat(float a)
{
    return (vec){0} + a;
}

static inline dvec widen(const float *p)
{
    half v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, dvec);
}

static inline double lanes_sum(dvec v)
{
    for (int width = HALF / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            v[l] += v[l + width];
    return v[0];
}

/* What is gathered: rows of floats, of which some may lie in a halo, or of their upper halves; and
 * the row's values. */
typedef struct source {
    const float *x, *halo, *value;
    const uint16_t *half; /* unless NULL, instead of x and halo */
    int64_t d;
} source;

static inline float weight(const source *s, const wgdn_row *r, const float *scale, int64_t k)
{
    const float by = scale ? scale[r->column[k]] : 1;
    return s->value ? s->value[k] * by : by;
}

/* Some columns of a row of it. */
typedef struct place {
    const float *x;
    const uint16_t *half;
} place;

static inline place place_of(const source *s, const wgdn_row *r, int64_t k, int64_t j)
{
    const int64_t c = r->column[k];
    if (s->half) return (place){.half = s->half + c * s->d + j};
    return (place){.x = wgdn_row_at(r, s->x, s->halo, c, s->d) + j};
}

static inline vec fetch(place p, int64_t at)
{
    return p.half ? load_half(p.half + at) : load(p.x + at);
}

/* Columns [j, j + width) of neighbor k, and its factor. */
static inline void prefetch(const source *s, const wgdn_row *r, int64_t k, int64_t j, int width)
{
    const place p = place_of(s, r, k, j);
    const char *line = p.half ? (const char *)p.half : (const char *)p.x;
    for (int b = 0; b < width * (p.half ? 2 : 4); b += 64)
        __builtin_prefetch(line + b);
    if (r->scale) __builtin_prefetch(r->scale + r->column[k]);
}

/* Columns [j, j + vectors * LANES) of y and, when y2 is there, of y2. */
static inline __attribute__((always_inline)) void gather_tile(float *y, float *y2,
                                                              const wgdn_row *r,
                                                              const float *scale2, const source *s,
                                                              int64_t j, const int vectors)
{
    vec sum[TILE], sum2[TILE];
    for (int64_t v = 0; v < vectors; v++)
        sum[v] = sum2[v] = splat(0);
    for (int64_t k = 0; k < r->count; k++) {
        const place from = place_of(s, r, k, j);
        const vec w = splat(weight(s, r, r->scale, k));
        if (k + AHEAD < r->ahead) prefetch(s, r, k + AHEAD, j, vectors * LANES);
        if (!y2) {
            for (int64_t v = 0; v < vectors; v++)
                sum[v] += w * fetch(from, v * LANES);
        } else {
            const vec w2 = splat(weight(s, r, scale2, k));
            for (int64_t v = 0; v < vectors; v++) {
                const vec xv = fetch(from, v * LANES);
                sum[v] += w * xv;
                sum2[v] += w2 * xv;
            }
        }
    }
    for (int64_t v = 0; v < vectors; v++) {
        store(y + j + v * LANES, sum[v]);
        if (y2) store(y2 + j + v * LANES, sum2[v]);
    }
}

/* Columns [j, j + width), fewer than a vector has; best where the width is known to the compiler. */
static inline __attribute__((always_inline)) void gather_few(float *y, float *y2, const wgdn_row *r,
                                                             const float *scale2, const source *s,
                                                             int64_t j, const int width)
{
    float sum[LANES] = {0}, sum2[LANES] = {0};
    for (int64_t k = 0; k < r->count; k++) {
        const float w = weight(s, r, r->scale, k), w2 = y2 ? weight(s, r, scale2, k) : 0;
        const place from = place_of(s, r, k, j);
        if (k + AHEAD < r->ahead) prefetch(s, r, k + AHEAD, j, width);
        for (int t = 0; t < width; t++) {
            const float x = from.half ? wgdn_half_value(from.half[t]) : from.x[t];
            sum[t] += w * x;
            if (y2) sum2[t] += w2 * x;
        }
    }
    memcpy(y + j, sum, (size_t)width * sizeof *y);
    if (y2) memcpy(y2 + j, sum2, (size_t)width * sizeof *y2);
}

static inline __attribute__((always_inline)) void gather_row(float *y, float *y2, const wgdn_row *r,
                                                             const float *scale2, source s)
{
    int64_t j = 0;
    for (; j + TILE_WIDTH <= s.d; j += TILE_WIDTH)
        gather_tile(y, y2, r, scale2, &s, j, TILE);
    if (j + TILE_WIDTH / 2 <= s.d) {
        gather_tile(y, y2, r, scale2, &s, j, TILE / 2);
        j += TILE_WIDTH / 2;
    }
    if (j + TILE_WIDTH / 4 <= s.d) {
        gather_tile(y, y2, r, scale2, &s, j, TILE / 4);
        j += TILE_WIDTH / 4;
    }
    if (j + LANES <= s.d) {
        gather_tile(y, y2, r, scale2, &s, j, 1);
        j += LANES;
    }
    if (LANES > 8 && j + 8 <= s.d) {
        gather_few(y, y2, r, scale2, &s, j, 8);
        j += 8;
    }
    if (LANES > 4 && j + 4 <= s.d) {
        gather_few(y, y2, r, scale2, &s, j, 4);
        j += 4;
    }
    if (j < s.d) gather_few(y, y2, r, scale2, &s, j, (int)(s.d - j));
}

/* Four texts: where all rows are here, none is asked where it lies, and where all values are 1, none
 * is asked for its value. */
static inline __attribute__((always_inline)) void gather_any(float *y, float *y2, const wgdn_row *r,
                                                             const float *scale2, const float *x,
                                                             int64_t d)
{
    if (r->halo && r->value)
        gather_row(y, y2, r, scale2, (source){.x = x, .halo = r->halo, .value = r->value, .d = d});
    else if (r->halo)
        gather_row(y, y2, r, scale2, (source){.x = x, .halo = r->halo, .d = d});
    else if (r->value)
        gather_row(y, y2, r, scale2, (source){.x = x, .value = r->value, .d = d});
    else
        gather_row(y, y2, r, scale2, (source){.x = x, .d = d});
}

static void gather(float *y, const wgdn_row *r, const float *x, int64_t d)
{
    gather_any(y, NULL, r, NULL, x, d);
}

static void gather_half(float *y, const wgdn_row *r, const uint16_t *x, int64_t d)
{
    if (r->value)
        gather_row(y, NULL, r, NULL, (source){.half = x, .value = r->value, .d = d});
    else
        gather_row(y, NULL, r, NULL, (source){.half = x, .d = d});
}

static void gather2(float *y, float *y2, const wgdn_row *r, const float *scale2, const float *x,
                    int64_t d)
{
    gather_any(y, y2, r, scale2, x, d);
}

static void combine(float *y, float a, const float *x, float b, const float *t, int64_t d)
{
    int64_t j = 0;
    for (; j + LANES <= d; j += LANES)
        store(y + j, splat(a) * load(x + j) + splat(b) * load(t + j));
    for (; j < d; j++)
        y[j] = a * x[j] + b * t[j];
}

static void scale(float *y, float a, const float *x, int64_t d)
{
    int64_t j = 0;
    for (; j + LANES <= d; j += LANES)
        store(y + j, splat(a) * load(x + j));
    for (; j < d; j++)
        y[j] = a * x[j];
}

static void axpy(float *y, float a, const float *x, int64_t d)
{
    int64_t j = 0;
    for (; j + LANES <= d; j += LANES)
        store(y + j, load(y + j) + splat(a) * load(x + j));
    for (; j < d; j++)
        y[j] += a * x[j];
}

static float dot(const float *u, const float *v, int64_t d)
{
    vec sum[4] = {splat(0), splat(0), splat(0), splat(0)};
    float rest = 0;
    int64_t j = 0;
    for (; j + TILE_WIDTH / 2 <= d; j += TILE_WIDTH / 2)
        for (int64_t t = 0; t < 4; t++)
            sum[t] += load(u + j + t * LANES) * load(v + j + t * LANES);
    for (; j + LANES <= d; j += LANES)
        sum[0] += load(u + j) * load(v + j);
    for (; j < d; j++)
        rest += u[j] * v[j];
    float all[LANES];
    store(all, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    return (float)(lanes_sum(widen(all) + widen(all + HALF)) + rest);
}

static double residual(const float *x, float a, const float *t, int64_t d)
{
    dvec sum = {0};
    double rest = 0;
    int64_t j = 0;
    for (; j + HALF <= d; j += HALF) {
        const dvec e = widen(x + j) - (double)a * widen(t + j);
        sum += e * e;
    }
    for (; j < d; j++) {
        const double e = x[j] - (double)a * t[j];
        rest += e * e;
    }
    return lanes_sum(sum) + rest;
}

static double moments(double *squares, const float *x, int64_t d)
{
    dvec sum = {0}, square = {0};
    double rest = 0, rest2 = 0;
    int64_t j = 0;
    for (; j + HALF <= d; j += HALF) {
        const dvec v = widen(x + j);
        sum += v;
        square += v * v;
    }
    for (; j < d; j++) {
        rest += x[j];
        rest2 += (double)x[j] * x[j];
    }
    *squares = lanes_sum(square) + rest2;
    return lanes_sum(sum) + rest;
}

static double spread(const float *x, double mean, int64_t d)
{
    dvec sum = {0};
    double rest = 0;
    int64_t j = 0;
    for (; j + HALF <= d; j += HALF) {
        const dvec e = widen(x + j) - mean;
        sum += e * e;
    }
    for (; j < d; j++)
        rest += (x[j] - mean) * (x[j] - mean);
    return lanes_sum(sum) + rest;
}

static void accumulate(double *sum, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        sum[j] += x[j];
}

static void accumulate_squares(double *sum, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        sum[j] += (double)x[j] * x[j];
}

const wgdn_row_ops WGDN_LEVEL_OPS = {gather,  gather_half, gather2,    combine,
                                     scale,   axpy,        dot,        residual,
                                     moments, spread,      accumulate, accumulate_squares};
