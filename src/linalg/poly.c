/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies polynomial filters of the Laplacian to a matrix, and computes their gradients and
 * moments. The model's layers, the closed form and the spectral tools call it; each step is one
 * product of laplacian.c.
 */
#include "laplacian.h"
#include "linalg.h"
#include "wide_rows.h"

#include <omp.h>

/*
 * Applies polynomial filters in the Chebyshev basis of B = L - 1, whose spectrum is within [-1, 1]:
 *                                                                                  [WGDN:chebyshev]
 *
 *     T_0 = 1,  T_1 = B,  T_(k+1) = 2 B T_k - T_(k-1),   (B x)_i = -s_i sum_j s_j x_j
 *
 * Powers of L cost as many products but reach 2^k: the gcn decoder of order 9 has coefficients near
 * 900 there, and float loses three digits. No T_k X is larger than X.
 */

enum { LINE = 16 }; /* floats of a cache line */

/* Floats of a row of scratch, on cache lines of its own; one per thread stands first in work. */
static int64_t poly_scratch(int64_t d)
{
    return (d + LINE - 1) / LINE * LINE;
}

static size_t scratches(int64_t d)
{
    return (size_t)omp_get_max_threads() * (size_t)poly_scratch(d);
}

size_t wgdn_poly_work(int64_t n, int64_t d, int order)
{
    const size_t kept = order < 2 ? 1 : order == 2 ? 1 : 2; /* matrices */
    return wgdn_size_sum(wgdn_size_product(kept, (size_t)n, (size_t)d), scratches(d));
}

float *wgdn_poly_first(float *work, int64_t d)
{
    return work + scratches(d);
}

/*
 * Row i of T_(k+1) X from T_k X and row i of T_(k-1) X (NULL: k = 0). next may be scratch, or lie
 * on prev: the neighbors are gathered aside first.
 */
static void chebyshev_row(float *next, float *scratch, const float *cur, const float *prev,
                          const wgdn_graph *g, int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbors(g, i);
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
 * X, Y_q : n x d, Y_q must not alias X.   a_q : order + 1.
 *
 * Walking up the degrees lets all channels share each T_k X, and products with B are what costs. A
 * row is added to the channels while it is still in the cache; degrees 0 and 1 are written by the
 * first pass that comes by, which is that of degree 2 when B X was made elsewhere. T_(k+1) may
 * lie on T_(k-1), of which it needs the same row only; the last degree is not kept at all.
 */
typedef struct filter_call {
    const wgdn_poly *p;
    const wgdn_row_ops *ops;
    float *const *y;
    const float *x, *first, *cur, *prev;
    float *next; /* NULL: not kept */
    int k, start;
    bool add;
} filter_call;

static void filter_row(int64_t i, float *scratch, void *context)
{
    const filter_call *c = context;
    const wgdn_poly *p = c->p;
    const int64_t d = p->d, at = i * d;
    float *row = c->next ? c->next + at : scratch;
    chebyshev_row(row, scratch, c->cur, c->prev ? c->prev + at : NULL, p->graph, i, d, c->ops);
    for (int q = 0; q < p->channels; q++) {
        float *y = c->y[q] + at;
        if (c->k == c->start)
            begin_row(y, c->add, p->a[q], c->x + at, c->first ? c->first + at : row, d, c->ops);
        if (c->k > 1) c->ops->axpy(y, (float)p->a[q][c->k], row, d);
    }
}

/* Degrees 0 and 1 alone, where no pass of filter_row comes by. */
static void begin_rows(const filter_call *c)
{
    const wgdn_poly *p = c->p;
    const float *first = p->order == 1 ? c->first : NULL;
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < p->graph->adjacency.rows; i++)
        for (int q = 0; q < p->channels; q++)
            begin_row(c->y[q] + i * p->d, c->add, p->a[q], c->x + i * p->d,
                      first ? first + i * p->d : NULL, p->d, c->ops);
}

void wgdn_poly_filter(float *const *y, const wgdn_poly *p, const float *x, const float *first,
                      bool add)
{
    const int64_t size = p->graph->adjacency.rows * p->d;
    float *kept = p->work + scratches(p->d);
    filter_call c = {.p = p,
                     .ops = wgdn_rows(),
                     .y = y,
                     .x = x,
                     .first = first,
                     .cur = first ? first : x,
                     .prev = first ? x : NULL,
                     .start = first ? 2 : 1,
                     .add = add};

    if (p->order < c.start) begin_rows(&c);
    for (c.k = c.start; c.k <= p->order; c.k++) {
        float *next = kept + (c.k % 2 == 0 ? size : 0);
        c.next = c.k < p->order ? next : NULL;
        wgdn_for_gather(p->graph, c.cur, p->d, filter_row, &c, p->work, poly_scratch(p->d));
        c.prev = c.cur;
        c.cur = next;
    }
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
 * In bf16, what is gathered is rounded to bf16, which halves what has to be moved; a node's own
 * row is not. These copies take turns in work where the filter would keep its second matrix. b_1 is
 * gathered and nothing else, so it is there alone.
 */
typedef struct gradient_call {
    const wgdn_poly *p;
    const wgdn_row_ops *ops;
    const float *const *dy;
    float *here;
    const float *above;
    uint16_t *copy;             /* of b_k, or NULL */
    const uint16_t *copy_above; /* what is gathered instead of above, or NULL */
    int k;
    bool alone;  /* one channel, and a degree above 0 */
    bool stored; /* b_(k+2) lies where b_k will */
    double factor;
    float u;
} gradient_call;

/* row += sum of a_q[k] dY_q at node i over the channels from `first` on */
static void mix(float *row, const gradient_call *c, int first, int64_t i)
{
    const wgdn_poly *p = c->p;
    for (int q = first; q < p->channels; q++)
        c->ops->axpy(row, (float)p->a[q][c->k], c->dy[q] + i * p->d, p->d);
}

static void gradient_row(int64_t i, float *scratch, void *context)
{
    const gradient_call *c = context;
    const wgdn_graph *g = c->p->graph;
    const int64_t d = c->p->d;
    const wgdn_row row = wgdn_neighbors(g, i);
    const float s = (float)(c->factor * g->inv_sqrt_degree[i]);
    float *lies = c->here + i * d, *here = c->copy && c->k == 1 ? scratch : lies;
    if (c->copy_above)
        c->ops->gather_half(scratch, &row, c->copy_above, d);
    else
        c->ops->gather(scratch, &row, c->above, d);
    if (c->stored)
        c->ops->combine(here, -1, lies, s, scratch, d);
    else
        c->ops->combine(here, c->u, c->dy[0] + i * d, s, scratch, d);
    mix(here, c, c->stored ? 0 : 1, i);
    if (c->copy) wgdn_wide_rows()->halve(c->copy + i * d, here, d);
}

/* b_order, unless it is dY but for a factor, and its copy. */
static void gradient_top(const gradient_call *c)
{
    const wgdn_poly *p = c->p;
    const int64_t d = p->d;
    if (wgdn_tally_rows()) return;
#pragma omp parallel if (!wgdn_forked())
    {
        float *scratch = p->work + omp_get_thread_num() * poly_scratch(d);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < p->graph->adjacency.rows; i++) {
            const float *dy = c->dy[0] + i * d;
            float *top = c->copy && c->k == 1 ? scratch : c->here + i * d;
            if (!c->alone) {
                c->ops->scale(top, (float)p->a[0][c->k], dy, d);
                mix(top, c, 1, i);
            }
            if (c->copy) wgdn_wide_rows()->halve(c->copy + i * d, c->alone ? dy : top, d);
        }
    }
}

void wgdn_poly_gradient(float *dx, const wgdn_poly *p, const float *const *dy)
{
    const int order = p->order;
    const bool alone = p->channels == 1 && order > 0, bf16 = p->precision == WGDN_PRECISION_BF16;
    const int64_t size = p->graph->adjacency.rows * p->d;
    float *const kept = p->work + scratches(p->d), *const at[2] = {dx, kept};
    uint16_t *const even = (uint16_t *)(void *)(kept + (order > 2 ? size : 0));
    uint16_t *const copy[2] = {bf16 ? even : NULL, bf16 ? even + size : NULL};
    gradient_call c = {.p = p, .ops = wgdn_rows(), .dy = dy, .k = order, .alone = alone};

    c.here = at[order % 2];
    c.copy = order > 0 ? copy[order % 2] : NULL;
    if (!alone || bf16) gradient_top(&c);
    for (int k = order - 1; k >= 0; k--) {
        const bool bare = alone && k == order - 1;   /* b_(k+1) is dY but for a factor */
        const bool inside = alone && k + 2 == order; /* b_(k+2) is taken from u */
        c.k = k;
        c.stored = k + 2 + alone <= order;
        c.factor = (k > 0 ? -2 : -1) * (bare ? p->a[0][order] : 1);
        c.u = (float)(p->a[0][k] - (inside ? p->a[0][order] : 0));
        c.above = bare ? dy[0] : at[(k + 1) % 2];
        c.here = at[k % 2];
        c.copy = k > 0 ? copy[k % 2] : NULL;
        c.copy_above = copy[(k + 1) % 2];
        wgdn_for_gather(p->graph, c.above, p->d, gradient_row, &c, p->work, poly_scratch(p->d));
    }
}

/* The filter is its own gradient, and there nothing is shared that the gradient does not share. */
void wgdn_poly_apply(float *y, const wgdn_poly *p, const float *x)
{
    wgdn_poly_gradient(y, p, &x);
}

/*
 * Computes Chebyshev degrees one by one, and moments of a signal along the spectrum, two per
 * product with L.
 */

typedef struct stepping {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    float *next;
    const float *cur, *prev;
    int64_t d;
} stepping;

static void step_row(int64_t i, float *scratch, void *context)
{
    const stepping *s = context;
    const int64_t at = i * s->d;
    chebyshev_row(s->next + at, scratch, s->cur, s->prev ? s->prev + at : NULL, s->g, i, s->d,
                  s->ops);
}

void wgdn_chebyshev_step(float *next, const wgdn_graph *g, const float *cur, const float *prev,
                         int64_t d, float *work)
{
    stepping s = {g, wgdn_rows(), next, cur, prev, d};
    wgdn_for_gather(g, cur, d, step_row, &s, work, poly_scratch(d));
}

/* Two degrees and the rows of scratch, to whole cache lines. */
static size_t floats(int64_t n, int64_t d)
{
    return (wgdn_poly_work(n, d, 3) + 15) / 16 * 16;
}

size_t wgdn_chebyshev_moments_work(wgdn_span s, int64_t d)
{
    return floats(s.count, d) * sizeof(float) +
           wgdn_reduce_work(s, d); /* two doubles a block, or more */
}

/* next = T_(k+1) X; sums[0] = |T_(k+1) X|^2, sums[1] = |T_(k+1) X - T_k X|^2. */
static void step_sums(double sums[2], float *next, const float *cur, const float *prev,
                      const wgdn_graph *g, int64_t d, float *scratches, double *partial)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, rows = wgdn_block_rows(n), blocks = wgdn_block_count(n);
#pragma omp parallel if (!wgdn_forked())
    {
        float *scratch = scratches + omp_get_thread_num() * poly_scratch(d);
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++) {
            double squares, all = 0, apart = 0;
            for (int64_t i = b * rows; i < n && i < (b + 1) * rows; i++) {
                chebyshev_row(next + i * d, scratch, cur, prev ? prev + i * d : NULL, g, i, d, ops);
                (void)ops->moments(&squares, next + i * d, d);
                all += squares;
                apart += ops->residual(next + i * d, 1, cur + i * d, d);
            }
            partial[2 * b] = all;
            partial[2 * b + 1] = apart;
        }
    }
    wgdn_tree_fold(partial, blocks, 2, 2);
    sums[0] = partial[0];
    sums[1] = partial[1];
}

/*
 * m[k] = <X, T_k(L - 1) X>, summed over columns, k = 0 .. order              [WGDN:moments]
 *
 * 2 T_i T_j = T_(i+j) + T_|i-j| gives two moments per product:
 *     m[2k] = 2 |T_k X|^2 - m[0],   m[2k+1] = 2 <T_(k+1) X, T_k X> - m[1],
 * and 2 <u, v> = |u|^2 + |v|^2 - |u - v|^2, whose three sums are made in double.
 */
void wgdn_chebyshev_moments(double *m, const wgdn_graph *g, const float *x, int64_t d, int order,
                            void *work)
{
    const int64_t n = g->adjacency.rows;
    float *rows = work, *store = rows + omp_get_max_threads() * poly_scratch(d);
    double *partial = (double *)(void *)(rows + floats(n, d));
    const float *prev = NULL, *cur = x;
    double before = wgdn_sum_squares(x, wgdn_alone(n), d, partial); /* |T_k X|^2 */

    m[0] = before;
    for (int k = 0; 2 * k < order; k++) {
        float *next = store + (k % 2 == 1 ? n * d : 0);
        double sums[2];
        step_sums(sums, next, cur, prev, g, d, rows, partial);
        const double twice = sums[0] + before - sums[1]; /* 2 <T_(k+1) X, T_k X> */
        m[2 * k + 1] = k == 0 ? twice / 2 : twice - m[1];
        if (2 * k + 2 <= order) m[2 * k + 2] = 2 * sums[0] - m[0];
        before = sums[0];
        prev = cur;
        cur = next;
    }
}
