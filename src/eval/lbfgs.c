/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least value of a smooth convex f by limited-memory BFGS.                        [WGDN:lbfgs]
 *
 *     d = -H g,   H from the last PAIRS of s = x' - x and y = g' - g,   H_0 = (s.y / y.y) I
 *
 * A step t along d is taken where f has fallen and has become flat:
 *
 *     f(x + t d) <= f(x) + t g.d / 10^4 + noise,   |g(x + t d).d| <= 0.9 |g.d|
 *
 * f is convex, so its slope along d only rises: between a step too short and one too long, the next
 * is where the line through their slopes meets zero. Where no step will do, rounding is all that is
 * left, and x is the answer.
 */
#include "logistic.h"

#include <math.h>
#include <string.h>

enum {
    PAIRS = 20,
    TRIALS = 20,
    OWN = 4,     /* g, d, x' and g' */
    LANE = 128,  /* entries make a row of so many, with zeros behind the last */
    SHORT = 512, /* rows */
};

static const double fall = 1e-4, flat = 0.9, noise = 1e-7, longer = 4;

/* Where it is: pair k of those held is number (oldest + k) % PAIRS. */
typedef struct state {
    wgdn_lbfgs *m;
    int64_t rows; /* of LANE entries */
    float *g, *d, *next_x, *next_g;
    float *s[PAIRS], *y[PAIRS];
    double inverse[PAIRS]; /* 1 / s.y */
    int held, oldest;
} state;

int64_t wgdn_lbfgs_padded(int64_t size)
{
    return (size + LANE - 1) / LANE * LANE;
}

size_t wgdn_lbfgs_room(int64_t size)
{
    return wgdn_size_product(OWN + 2 * (size_t)PAIRS, (size_t)wgdn_lbfgs_padded(size), 1);
}

size_t wgdn_lbfgs_work(int64_t size)
{
    return wgdn_reduce_work(wgdn_alone(wgdn_lbfgs_padded(size) / LANE), LANE);
}

/*
 * Short vectors are summed lane by lane, here: a region of OpenMP costs more than they do, and this
 * is called in regions, too. Their length alone decides, never the threads.
 */
static double short_dot(const float *a, const float *b, int64_t size)
{
    double lane[8] = {0};
    for (int64_t i = 0; i < size; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += (double)a[i + k] * b[i + k];
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

static double dot(const state *z, const float *a, const float *b)
{
    if (z->rows <= SHORT) return short_dot(a, b, z->rows * LANE);
    return wgdn_dot(a, b, wgdn_alone(z->rows), LANE, z->m->work);
}

static void add(const state *z, float *a, double factor, const float *b)
{
    if (z->rows > SHORT) {
        wgdn_axpy(a, (float)factor, b, z->rows, LANE);
        return;
    }
    for (int64_t i = 0; i < z->rows * LANE; i++)
        a[i] += (float)factor * b[i];
}

static void scale(const state *z, float *a, double factor)
{
    for (int64_t i = 0; i < z->rows * LANE; i++)
        a[i] *= (float)factor;
}

static void copy(const state *z, float *a, const float *b)
{
    memcpy(a, b, (size_t)(z->rows * LANE) * sizeof *a);
}

static double largest(const float *g, int64_t size)
{
    float most = 0;
    for (int64_t i = 0; i < size; i++)
        most = fabsf(g[i]) > most ? fabsf(g[i]) : most;
    return (double)most;
}

/* d = -H g by the two loops; without a pair, -g. */
static void direct(state *z)
{
    double a[PAIRS];
    copy(z, z->d, z->g);
    for (int k = z->held - 1; k >= 0; k--) {
        const int i = (z->oldest + k) % PAIRS;
        a[k] = z->inverse[i] * dot(z, z->s[i], z->d);
        add(z, z->d, -a[k], z->y[i]);
    }
    double factor = 1;
    if (z->held > 0) {
        const int i = (z->oldest + z->held - 1) % PAIRS;
        factor = 1 / (z->inverse[i] * dot(z, z->y[i], z->y[i]));
    }
    scale(z, z->d, factor);
    for (int k = 0; k < z->held; k++) {
        const int i = (z->oldest + k) % PAIRS;
        add(z, z->d, a[k] - z->inverse[i] * dot(z, z->y[i], z->d), z->s[i]);
    }
    scale(z, z->d, -1);
}

/* s = x' - x and y = g' - g push out the oldest pair, if f curves along s at all. */
static void remember(state *z)
{
    const int i = (z->oldest + z->held) % PAIRS;
    copy(z, z->s[i], z->next_x);
    add(z, z->s[i], -1, z->m->x);
    copy(z, z->y[i], z->next_g);
    add(z, z->y[i], -1, z->g);
    const double sy = dot(z, z->s[i], z->y[i]);
    const double long_s = sqrt(dot(z, z->s[i], z->s[i])), long_y = sqrt(dot(z, z->y[i], z->y[i]));
    if (!(sy > noise * long_s * long_y)) {
        z->held = 0; /* that pair's room may have been the oldest's */
        return;
    }
    z->inverse[i] = 1 / sy;
    if (z->held < PAIRS)
        z->held++;
    else
        z->oldest = (z->oldest + 1) % PAIRS;
}

/* x', g' and f there, t d from x; the slope along d. */
static wgdn_status look(state *z, double t, double *f, double *slope, wgdn_error *err)
{
    copy(z, z->next_x, z->m->x);
    add(z, z->next_x, t, z->d);
    const wgdn_status st = z->m->gradient(f, z->next_g, z->next_x, z->m->context, err);
    *slope = dot(z, z->next_g, z->d);
    return st;
}

/* Find a step; *found is false where none will do. */
static wgdn_status search(state *z, bool *found, wgdn_error *err)
{
    const double start = dot(z, z->g, z->d), from = z->m->f;
    double low = 0, low_slope = start, high = 0, high_slope = 0, t = 1, f = 0, slope = 0;
    *found = false;
    for (int k = 0; k < TRIALS && start < 0; k++) {
        const wgdn_status st = look(z, t, &f, &slope, err);
        if (st) return st;
        const bool far =
            !(f <= from + fall * t * start + noise * fabs(from)) || slope > flat * -start;
        if (!far && slope >= flat * start) {
            *found = true;
            z->m->f = f;
            return WGDN_OK;
        }
        if (far) {
            high = t;
            high_slope = slope;
        } else {
            low = t;
            low_slope = slope;
        }
        const double share = low_slope / (low_slope - high_slope);
        t = high == 0                      ? longer * t
            : share > 0.05 && share < 0.95 ? low + share * (high - low)
                                           : (low + high) / 2;
    }
    return WGDN_OK;
}

static void lay_out(state *z)
{
    const int64_t size = z->rows * LANE;
    float *at = z->m->store;
    float **const place[] = {&z->g, &z->d, &z->next_x, &z->next_g};
    for (int k = 0; k < OWN; k++, at += size)
        *place[k] = at;
    for (int k = 0; k < PAIRS; k++, at += 2 * size) {
        z->s[k] = at;
        z->y[k] = at + size;
    }
    memset(z->g, 0, (size_t)size * sizeof *z->g);
    memset(z->next_g, 0, (size_t)size * sizeof *z->next_g);
}

static void step(state *z)
{
    float *g = z->g;
    remember(z);
    copy(z, z->m->x, z->next_x);
    z->g = z->next_g;
    z->next_g = g;
}

wgdn_status wgdn_lbfgs_run(wgdn_lbfgs *m, wgdn_error *err)
{
    state z = {.m = m, .rows = wgdn_lbfgs_padded(m->size) / LANE};
    lay_out(&z);
    wgdn_status st = m->gradient(&m->f, z.g, m->x, m->context, err);
    for (m->steps = 0; !st && m->steps < m->steps_max; m->steps++) {
        bool found = false;
        if (largest(z.g, m->size) <= m->tolerance) break;
        direct(&z);
        st = search(&z, &found, err);
        if (!st && !found && z.held == 0) break;
        if (found)
            step(&z);
        else
            z.held = 0; /* once more, straight down */
    }
    return st;
}
