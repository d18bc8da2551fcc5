/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies polynomial filters of the Laplacian to a matrix, and computes their gradients and
 * moments. The model's layers, the closed form and the spectral tools call it; each step is one
 * product with the graph.
 */
#include "linalg.h"
#include "rows.h"
#include "wide_rows.h"

#include <omp.h>
#include <string.h>

/*
 * Multiplies by the normalized Laplacian of the graph, by the normalized adjacency, and by row
 * averages. Polynomial filters, noise estimates and walks build on its gathering loop, which also
 * overlaps the exchange of halo rows.
 *
 *     L = I - S A S,   S = D^-1/2,   (L x)_i = x_i - s_i sum_j A_ij s_j x_j        [WGDN:laplacian]
 *
 * A node without edges gathers nothing and keeps x_i.
 */

enum {
    ROWS_A_TURN = 64,
    WINDOW_FLOATS = 1 << 28
}; /* gathered between two looks at whether to stop */

/* Entries A_ij s_j of a row. */
static wgdn_row neighbors(const wgdn_graph *g, int64_t i)
{
    const wgdn_csr *a = &g->adjacency;
    const int64_t from = a->offset[i];
    return (wgdn_row){.column = a->column + from,
                      .value = a->value ? a->value + from : NULL,
                      .scale = g->inv_sqrt_degree,
                      .count = a->offset[i + 1] - from,
                      .ahead = wgdn_csr_entries(a) - from,
                      .halo = g->halo ? g->halo->buffer : NULL,
                      .own = a->rows};
}

typedef void (*gather_call)(int64_t i, float *scratch, void *context);

/* Rows of x that others need, to where they are sent from. */
static void pack(const wgdn_halo *h, const float *x, int64_t d)
{
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t k = 0; k < h->sends; k++)
        memcpy(h->packed + k * d, x + h->send[k] * d, (size_t)d * sizeof *x);
}

/* The row after those of one window, which begins at `first`. */
static int64_t window_end(const wgdn_graph *g, int64_t first, int64_t d)
{
    const wgdn_csr *a = &g->adjacency;
    int64_t low = first + 1, high = a->rows;
    const int64_t most = g->used ? WGDN_GATHER_WINDOW : 1 + WINDOW_FLOATS / d;
    while (low < high) { /* the last that ends within it */
        const int64_t middle = low + (high - low + 1) / 2;
        if (a->offset[middle] - a->offset[first] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/*
 * Call row(i, scratch, context) for every row here, each on one thread; it may gather from x, n x
 * d. Rows that have no neighbors elsewhere come first, while those of x that others own are on
 * their way. scratch is the thread's own: stride floats each, one per thread.
 */
static void for_gather(const wgdn_graph *g, const float *x, int64_t d, gather_call row,
                       void *context, float *scratch, int64_t stride)
{
    const wgdn_halo *h = g->halo;
    if (wgdn_tally_add(WGDN_TALLY_LAPLACIAN, g->adjacency.rows, 0, d)) return;
    if (h) {
        pack(h, x, d);
        wgdn_halo_begin(g->halo, d);
    }
    for (int64_t first = 0, end; first < g->adjacency.rows && !wgdn_stopping(); first = end) {
        end = window_end(g, first, d);
#pragma omp parallel if (!wgdn_forked())
        {
            float *mine = scratch ? scratch + omp_get_thread_num() * stride : NULL;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t i = first; i < end; i++)
                if (!h || !h->outward[i]) row(i, mine, context);
        }
        if (g->used) g->used(g, g->adjacency.offset[first], g->adjacency.offset[end]);
    }
    if (!h) return;
    wgdn_halo_finish(g->halo, d);
#pragma omp parallel if (!wgdn_forked())
    {
        float *mine = scratch ? scratch + omp_get_thread_num() * stride : NULL;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
        for (int64_t k = 0; k < h->boundaries; k++)
            row(h->boundary[k], mine, context);
    }
}

/* Matrices of a product with L. */
typedef struct product {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    float *y, *z; /* z: M x, or what it is made in */
    const float *x;
    int64_t d;
    wgdn_average m;
    double *noise; /* of each row */
} product;

static void laplacian_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    const wgdn_row row = neighbors(p->g, i);
    float *y = p->y + i * p->d;
    (void)scratch;
    p->ops->gather(y, &row, p->x, p->d);
    p->ops->combine(y, 1, p->x + i * p->d, -p->g->inv_sqrt_degree[i], y, p->d);
}

void wgdn_laplacian(float *y, const wgdn_graph *g, const float *x, int64_t d)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d};
    for_gather(g, x, d, laplacian_row, &p, NULL, 0);
}

static void adjacency_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    wgdn_row row = neighbors(p->g, i);
    (void)scratch;
    row.scale = NULL;
    p->ops->gather(p->y + i * p->d, &row, p->x, p->d);
}

void wgdn_adjacency(float *y, const wgdn_graph *g, const float *x, int64_t d)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d};
    for_gather(g, x, d, adjacency_row, &p, NULL, 0);
}

/*
 * M x at node i is a sum of (M = A D^-1: divided by the neighbor's degree) neighbors, which
 * gather2 collects beside (L - 1) x, times a factor of the node (M = D^-1 A: its own degree).
 */
static float mean_row(float *y, float *z, const product *p, int64_t i)
{
    const wgdn_graph *g = p->g;
    const wgdn_row row = neighbors(g, i);
    p->ops->gather2(y, z, &row, p->m == WGDN_AVERAGE_COLUMN ? g->inv_degree : NULL, p->x, p->d);
    p->ops->scale(y, -g->inv_sqrt_degree[i], y, p->d);
    return p->m == WGDN_AVERAGE_ROW ? g->inv_degree[i] : 1;
}

static void laplacian_mean_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    float *y = p->y + i * p->d, *z = p->z + i * p->d;
    (void)scratch;
    const float factor = mean_row(y, z, p, i);
    p->ops->axpy(y, 1, p->x + i * p->d, p->d);
    p->ops->scale(z, factor, z, p->d);
}

void wgdn_laplacian_mean(float *y, float *z, const wgdn_graph *g, const float *x, int64_t d,
                         wgdn_average m)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .z = z, .x = x, .d = d, .m = m};
    for_gather(g, x, d, laplacian_mean_row, &p, NULL, 0);
}

/* Per block: squares, noise, then d column sums. */
static size_t block_doubles(int64_t d)
{
    return ((size_t)(2 + d) + 7) / 8 * 8;
}

/* Per thread: a row of M x, and one of (L - 1) x that nobody wants. */
static int64_t thread_floats(int64_t d)
{
    return (2 * d + 15) / 16 * 16;
}

size_t wgdn_laplacian_sums_work(wgdn_span s, int64_t d)
{
    const size_t threads = (size_t)omp_get_max_threads() * (size_t)thread_floats(d);
    const size_t noise = s.dist ? ((size_t)s.count + 7) / 8 * 8 : 0;
    return (wgdn_span_room(s) * block_doubles(d) + noise) * sizeof(double) +
           threads * sizeof(float);
}

/* (x - M x)^2 of one row, and its (L - 1) x. */
static double noise_row(const product *p, int64_t i, float *scratch)
{
    const float factor = mean_row(p->y ? p->y + i * p->d : scratch + p->d, scratch, p, i);
    return p->ops->residual(p->x + i * p->d, factor, scratch, p->d);
}

static void keep_noise(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    p->noise[i] = noise_row(p, i, scratch);
}

/*
 * Sums go through the rows of a block in order, and gathering does not where rows of others are
 * waited for: then it goes first and leaves a number a row.
 */
static void block_sums(double *sum, const product *p, int64_t first, int64_t count, float *scratch)
{
    memset(sum, 0, (size_t)(2 + p->d) * sizeof *sum);
    for (int64_t i = first; i < first + count; i++) {
        const float *x = p->x + i * p->d;
        double squares;
        sum[1] += p->noise ? p->noise[i] : noise_row(p, i, scratch);
        (void)p->ops->moments(&squares, x, p->d);
        sum[0] += squares;
        p->ops->accumulate(sum + 2, x, p->d);
    }
}

void wgdn_laplacian_sums(wgdn_signal_sums *sums, float *y, const wgdn_graph *g, const float *x,
                         int64_t d, wgdn_average m, void *work)
{
    const wgdn_span s = wgdn_graph_span(g);
    if (wgdn_span_tally(NULL, 2 + d, s) && wgdn_tally_add(WGDN_TALLY_LAPLACIAN, s.count, 0, d)) {
        *sums = (wgdn_signal_sums){.squares = 2, .means = 1, .noise = 1};
        return;
    }
    const int64_t rows = wgdn_block_rows(s.total), blocks = wgdn_span_blocks(s);
    const int64_t stride = (int64_t)block_doubles(d), floats = thread_floats(d);
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d, .m = m};
    double *partial = work, *noise = partial + wgdn_span_room(s) * (size_t)stride;
    float *scratch = (float *)(noise + (s.dist ? (s.count + 7) / 8 * 8 : 0));

    if (s.dist) {
        p.noise = noise;
        for_gather(g, x, d, keep_noise, &p, scratch, floats);
    }
#pragma omp parallel if (!wgdn_forked())
    {
        float *mine = scratch + omp_get_thread_num() * floats;
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++)
            block_sums(partial + b * stride, &p, b * rows, wgdn_min(rows, s.count - b * rows),
                       mine);
    }

    wgdn_span_fold(partial, stride, 2 + d, s);
    double means = 0;
    for (int64_t j = 0; j < d; j++)
        means += partial[2 + j] * partial[2 + j];
    *sums = (wgdn_signal_sums){
        .squares = partial[0], .means = means / (double)s.total, .noise = partial[1]};
}

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
    const wgdn_row row = neighbors(g, i);
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
        for_gather(p->graph, c.cur, p->d, filter_row, &c, p->work, poly_scratch(p->d));
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
    const wgdn_row row = neighbors(g, i);
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
        for_gather(p->graph, c.above, p->d, gradient_row, &c, p->work, poly_scratch(p->d));
    }
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
    for_gather(g, cur, d, step_row, &s, work, poly_scratch(d));
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
