/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polynomial filters in the Chebyshev basis of B = L - 1, whose spectrum lies in [-1, 1]:
 *
 *     T_0 = 1,  T_1 = B,  T_(k+1) = 2 B T_k - T_(k-1),   (B x)_i = -s_i sum_j s_j x_j
 *                                                                            [WGDN:chebyshev]
 * Powers of L cost as many products but reach 2^k: the gcn decoder of order 9 has coefficients near
 * 900 there, and three digits of a float are lost. No T_k X is larger than X.
 */
#include "poly.h"
#include "wide_rows.h"

#include <omp.h>

enum { LINE = 16 }; /* floats of a cache line */

int64_t wgdn_poly_scratch(int64_t d)
{
    return (d + LINE - 1) / LINE * LINE;
}

static size_t scratches(int64_t d)
{
    return (size_t)omp_get_max_threads() * (size_t)wgdn_poly_scratch(d);
}

size_t wgdn_poly_work(int64_t n, int64_t d, int order)
{
    const size_t kept = order < 2 ? 1 : order == 2 ? 1 : 2; /* matrices */
    return kept * (size_t)n * (size_t)d + scratches(d);
}

float *wgdn_poly_first(float *work, int64_t d)
{
    return work + scratches(d);
}

void wgdn_chebyshev_row(float *next, float *scratch, const float *cur, const float *prev,
                        const wgdn_graph *g, int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbours(g, i);
    const float s = g->inv_sqrt_degree[i];
    ops->gather(scratch, &row, cur, d);
    if (prev)
        ops->combine(next, -2 * s, scratch, -1, prev, d);
    else
        ops->scale(next, -s, scratch, d);
}

/* Degrees 0 and 1 of one row; degree 1 only when there is a row for it. */
static void begin_row(float *y, bool add, const double *a, const float *x, const float *first,
                      int64_t d, const wgdn_row_ops *ops)
{
    if (add)
        ops->axpy(y, (float)a[0], x, d);
    else if (first)
        ops->combine(y, (float)a[0], x, (float)a[1], first, d);
    else
        ops->scale(y, (float)a[0], x, d);
    if (add && first) ops->axpy(y, (float)a[1], first, d);
}

/*
 * Y_q = sum_k a_q[k] T_k(B) X,   q = 0 .. channels - 1                     [WGDN:poly-filter]
 *
 * X, Y_q : n x d, Y_q apart from X.   a_q : order + 1.
 *
 * Walking up the degrees lets all channels share each T_k X, and products with B are what costs. A
 * row is added to the channels while it is still in the cache; degrees 0 and 1 are written by the
 * first pass that comes by, which is that of degree 2 when B X was made elsewhere. T_(k+1) may
 * lie on T_(k-1), of which it needs the same row only; the last degree is not kept at all.
 */
typedef struct filter_call {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    float *const *y;
    const float *x, *first, *cur, *prev;
    float *next; /* NULL: not kept */
    const double *const *a;
    int channels, k, start;
    bool add;
    int64_t d;
} filter_call;

static void filter_row(int64_t i, float *scratch, void *context)
{
    const filter_call *c = context;
    const int64_t at = i * c->d;
    float *row = c->next ? c->next + at : scratch;
    wgdn_chebyshev_row(row, scratch, c->cur, c->prev ? c->prev + at : NULL, c->g, i, c->d, c->ops);
    for (int q = 0; q < c->channels; q++) {
        float *y = c->y[q] + at;
        if (c->k == c->start)
            begin_row(y, c->add, c->a[q], c->x + at, c->first ? c->first + at : row, c->d, c->ops);
        if (c->k > 1) c->ops->axpy(y, (float)c->a[q][c->k], row, c->d);
    }
}

void wgdn_poly_filter(float *const *y, int channels, bool add, const wgdn_graph *g, const float *x,
                      const float *first, int64_t d, const double *const *a, int order, float *work)
{
    const int64_t n = g->adjacency.rows;
    float *kept = work + scratches(d);
    filter_call c = {.g = g,
                     .ops = wgdn_rows(),
                     .y = y,
                     .x = x,
                     .first = first,
                     .cur = first ? first : x,
                     .prev = first ? x : NULL,
                     .a = a,
                     .channels = channels,
                     .start = first ? 2 : 1,
                     .add = add,
                     .d = d};

    if (order < c.start) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            for (int q = 0; q < channels; q++)
                begin_row(y[q] + i * d, add, a[q], x + i * d, order == 1 ? first + i * d : NULL, d,
                          c.ops);
    }
    for (c.k = c.start; c.k <= order; c.k++) {
        float *next = kept + (c.k % 2 == 0 ? n * d : 0);
        c.next = c.k < order ? next : NULL;
        wgdn_for_gather(g, c.cur, d, filter_row, &c, work, wgdn_poly_scratch(d));
        c.prev = c.cur;
        c.cur = next;
    }
}

/* row += sum of a_q[k] dY_q at node i over the channels from `first` on */
static void mix(float *row, int first, int channels, const float *const *dy, const double *const *a,
                int k, int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    for (int q = first; q < channels; q++)
        ops->axpy(row, (float)a[q][k], dy[q] + i * d, d);
}

/*
 * The loss sees X through every Y_q, and B is symmetric, so
 *     dX = sum_q sum_k a_q[k] T_k(B) dY_q = sum_k T_k(B) u_k,   u_k = sum_q a_q[k] dY_q.
 * Here Clenshaw's rule is the cheap one: the channels are mixed first, and a degree costs a single
 * product whatever their number:
 *     b_k = u_k + 2 B b_(k+1) - b_(k+2),  k = order .. 1,    dX = u_0 + B b_1 - b_2.
 * b_k may lie on b_(k+2): those of even k lie on dX, those of odd k in work. A channel that is
 * alone has b_order = a[order] dY, which is not made: b_(order-1) gathers dY itself, b_(order-2)
 * takes it from u.
 *
 * With half, what is gathered is rounded to bf16, which halves what has to be moved; a node's own
 * row is not. These copies take turns in work where the filter would keep its second matrix. b_1 is
 * gathered and nothing else, so it is there alone.
 */
typedef struct gradient_call {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    const float *const *dy;
    const double *const *a;
    float *here;
    const float *above;
    uint16_t *copy;             /* of b_k, or NULL */
    const uint16_t *copy_above; /* what is gathered instead of above, or NULL */
    int channels, k;
    bool stored; /* b_(k+2) lies where b_k will */
    double factor;
    float u;
    int64_t d;
} gradient_call;

static void gradient_row(int64_t i, float *scratch, void *context)
{
    const gradient_call *c = context;
    const wgdn_row row = wgdn_neighbours(c->g, i);
    const float s = (float)(c->factor * c->g->inv_sqrt_degree[i]);
    float *lies = c->here + i * c->d, *here = c->copy && c->k == 1 ? scratch : lies;
    if (c->copy_above)
        c->ops->gather_half(scratch, &row, c->copy_above, c->d);
    else
        c->ops->gather(scratch, &row, c->above, c->d);
    if (c->stored)
        c->ops->combine(here, -1, lies, s, scratch, c->d);
    else
        c->ops->combine(here, c->u, c->dy[0] + i * c->d, s, scratch, c->d);
    mix(here, c->stored ? 0 : 1, c->channels, c->dy, c->a, c->k, i, c->d, c->ops);
    if (c->copy) wgdn_wide_rows()->halve(c->copy + i * c->d, here, c->d);
}

/* b_order, unless it is dY but for a factor, and its copy. */
static void gradient_top(const gradient_call *c, bool alone, int order, float *work)
{
#pragma omp parallel
    {
        float *scratch = work + omp_get_thread_num() * wgdn_poly_scratch(c->d);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < c->g->adjacency.rows; i++) {
            const float *dy = c->dy[0] + i * c->d;
            float *top = c->copy && order == 1 ? scratch : c->here + i * c->d;
            if (!alone) {
                c->ops->scale(top, (float)c->a[0][order], dy, c->d);
                mix(top, 1, c->channels, c->dy, c->a, order, i, c->d, c->ops);
            }
            if (c->copy) wgdn_wide_rows()->halve(c->copy + i * c->d, alone ? dy : top, c->d);
        }
    }
}

void wgdn_poly_gradient(float *dx, int channels, const wgdn_graph *g, const float *const *dy,
                        int64_t d, const double *const *a, int order, bool half, float *work)
{
    const bool alone = channels == 1 && order > 0;
    const int64_t size = g->adjacency.rows * d;
    float *const kept = work + scratches(d), *const at[2] = {dx, kept};
    uint16_t *const even = (uint16_t *)(void *)(kept + (order > 2 ? size : 0));
    uint16_t *const copy[2] = {half ? even : NULL, half ? even + size : NULL};
    gradient_call c = {.g = g, .ops = wgdn_rows(), .dy = dy, .a = a, .channels = channels, .d = d};

    c.here = at[order % 2];
    c.copy = order > 0 ? copy[order % 2] : NULL;
    if (!alone || half) gradient_top(&c, alone, order, work);
    for (int k = order - 1; k >= 0; k--) {
        const bool bare = alone && k == order - 1;   /* b_(k+1) is dY but for a factor */
        const bool inside = alone && k + 2 == order; /* b_(k+2) is taken from u */
        c.k = k;
        c.stored = k + 2 + alone <= order;
        c.factor = (k > 0 ? -2 : -1) * (bare ? a[0][order] : 1);
        c.u = (float)(a[0][k] - (inside ? a[0][order] : 0));
        c.above = bare ? dy[0] : at[(k + 1) % 2];
        c.here = at[k % 2];
        c.copy = k > 0 ? copy[k % 2] : NULL;
        c.copy_above = copy[(k + 1) % 2];
        wgdn_for_gather(g, c.above, d, gradient_row, &c, work, wgdn_poly_scratch(d));
    }
}

/* The filter is its own gradient, and there nothing is shared that the gradient does not share. */
void wgdn_poly_apply(float *y, const wgdn_graph *g, const float *x, int64_t d, const double *a,
                     int order, bool half, float *work)
{
    wgdn_poly_gradient(y, 1, g, &x, d, &a, order, half, work);
}
