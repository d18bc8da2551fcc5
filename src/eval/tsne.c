/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes t-SNE: the neighbor probabilities, the quadtree, and the gradient descent. projection.c
 * calls it after reducing the vectors; knn.c finds the neighbors.
 */
#include "projection.h"

#include <math.h>
#include <string.h>

/*
 * Builds a quadtree over points of the plane. A cell is the smallest square around its points and
 * is cut in the middle, so every cell with children has at least two, and there are fewer than 2 n
 * cells. Cells are stored in depth-first order: a walk goes to the next one, or jumps over all
 * children.
 */

enum { LEAF = 8 }; /* points at most, unless they coincide */

static void open_tree(wgdn_quadtree *t, int64_t n, wgdn_arrays *a)
{
    *t = (wgdn_quadtree){.n = n};
    t->cell = wgdn_arrays_add(a, (size_t)(2 * n), sizeof *t->cell);
    t->order = wgdn_arrays_add(a, (size_t)n, sizeof *t->order);
    t->at = wgdn_arrays_add(a, (size_t)(2 * n), sizeof *t->at);
    t->spare_order = wgdn_arrays_add(a, (size_t)n, sizeof *t->spare_order);
    t->spare_at = wgdn_arrays_add(a, (size_t)(2 * n), sizeof *t->spare_at);
}

typedef struct tree_square {
    double x, y, side; /* lower left corner */
} tree_square;

/* The square around points first .. first + count - 1, and their mean into the cell. */
static tree_square measure(const wgdn_quadtree *t, wgdn_cell *cell)
{
    const double *p = t->at + 2 * (int64_t)cell->first;
    double low_x = p[0], high_x = p[0], low_y = p[1], high_y = p[1], x = 0, y = 0;
    for (int32_t i = 0; i < cell->count; i++, p += 2) {
        low_x = fmin(low_x, p[0]);
        high_x = fmax(high_x, p[0]);
        low_y = fmin(low_y, p[1]);
        high_y = fmax(high_y, p[1]);
        x += p[0];
        y += p[1];
    }
    const double side = fmax(high_x - low_x, high_y - low_y);
    cell->x = x / cell->count;
    cell->y = y / cell->count;
    cell->square = side * side;
    return (tree_square){low_x, low_y, side};
}

/* Points by quarter, in the order they had; end[q] is where quarter q ends, from `first`. */
static void part(wgdn_quadtree *t, int32_t first, int32_t count, tree_square s, int32_t end[4])
{
    const double middle_x = s.x + s.side / 2, middle_y = s.y + s.side / 2;
    double *at = t->at + 2 * (int64_t)first;
    int32_t *order = t->order + first, place[4] = {0};
    for (int64_t i = 0; i < count; i++)
        place[(at[2 * i] > middle_x) + 2 * (at[2 * i + 1] > middle_y)]++;
    for (int q = 0, sum = 0; q < 4; q++) {
        const int size = place[q];
        place[q] = sum;
        sum += size;
    }
    for (int64_t i = 0; i < count; i++) {
        const int q = (at[2 * i] > middle_x) + 2 * (at[2 * i + 1] > middle_y);
        const int64_t to = place[q]++;
        t->spare_order[to] = order[i];
        t->spare_at[2 * to] = at[2 * i];
        t->spare_at[2 * to + 1] = at[2 * i + 1];
    }
    memcpy(order, t->spare_order, (size_t)count * sizeof *order);
    memcpy(at, t->spare_at, (size_t)count * 2 * sizeof *at);
    memcpy(end, place, sizeof place);
}

/* As deep as the logarithm of how uneven the points are; a side halves with every level. */
static void grow(wgdn_quadtree *t, int32_t first, int32_t count)
{
    const int64_t self = t->cells++;
    wgdn_cell *cell = &t->cell[self];
    int32_t end[4] = {0};
    *cell = (wgdn_cell){.first = first, .count = count, .leaf = true};
    const tree_square s = measure(t, cell);
    if (count > LEAF && s.side > 0) {
        part(t, first, count, s, end);
        for (int q = 0, from = 0; q < 4; from = end[q++])
            if (end[q] - from > 0 && end[q] - from < count) {
                cell->leaf = false;
                grow(t, first + from, end[q] - from);
            }
    }
    cell->next = (int32_t)t->cells;
}

static void build_tree(wgdn_quadtree *t, const double *y)
{
    for (int64_t i = 0; i < t->n; i++)
        t->order[i] = (int32_t)i;
    memcpy(t->at, y, (size_t)t->n * 2 * sizeof *y);
    t->cells = 0;
    grow(t, 0, (int32_t)t->n);
}

/*
 * Sums over all other points of w (y - y_j), w = q^2, and of q, with q = 1 / (1 + |y - y_j|^2). A
 * cell whose side is below theta times its distance counts as one point of its weight.
 */
static double repulsion(double force[2], const wgdn_quadtree *t, double x, double y, double theta)
{
    double sum = 0, fx = 0, fy = 0;
    for (int64_t c = 0; c < t->cells;) {
        const wgdn_cell *cell = &t->cell[c];
        const double dx = x - cell->x, dy = y - cell->y, d = dx * dx + dy * dy;
        if (cell->leaf) {
            const double *p = t->at + 2 * (int64_t)cell->first;
            for (int64_t i = 0; i < cell->count; i++) {
                const double ax = x - p[2 * i], ay = y - p[2 * i + 1];
                const double q = 1 / (1 + ax * ax + ay * ay);
                sum += q;
                fx += q * q * ax;
                fy += q * q * ay;
            }
            c = cell->next;
        } else if (cell->square < theta * theta * d) {
            const double q = 1 / (1 + d), weight = cell->count * q;
            sum += weight;
            fx += weight * q * dx;
            fy += weight * q * dy;
            c = cell->next;
        } else {
            c++;
        }
    }
    force[0] = fx;
    force[1] = fy;
    return sum - 1; /* the point itself: no force, and q = 1 */
}

/*
 * Runs t-SNE by gradient descent with the forces of a quadtree.                         [WGDN:tsne]
 *
 *     q_ij = w_ij / z,  w_ij = 1 / (1 + |y_i - y_j|^2),  z = sum of all w
 *     minimize KL(P | Q) = sum_ij p_ij log(p_ij / q_ij)
 *     dKL/dy_i = 4 sum_j (p_ij - q_ij) w_ij (y_i - y_j)
 *              = 4 (sum_j p_ij w_ij (y_i - y_j)  -  sum_j w_ij^2 (y_i - y_j) / z)
 *
 * The first sum runs over the entries of P, the second one over the cells of the tree.
 */

static const double early_exaggeration = 12, early_momentum = 0.5, momentum = 0.8;
enum { EARLY = 250 }; /* steps, a quarter of all at most */

wgdn_status wgdn_tsne_open(wgdn_tsne *t, wgdn_csr *p, double theta, wgdn_error *err)
{
    const size_t numbers = 2 * (size_t)p->rows;
    *t = (wgdn_tsne){.n = p->rows, .p = *p, .theta = theta, .exaggeration = 1};
    *p = (wgdn_csr){0};
    wgdn_arrays *a = &t->arrays;
    open_tree(&t->tree, t->n, a);
    t->y = wgdn_arrays_add_zero(a, numbers, sizeof *t->y);
    t->gradient = wgdn_arrays_add(a, numbers, sizeof *t->gradient);
    t->velocity = wgdn_arrays_add_zero(a, numbers, sizeof *t->velocity);
    t->gain = wgdn_arrays_add(a, numbers, sizeof *t->gain);
    t->work = wgdn_arrays_add(a, wgdn_for_blocks_work(wgdn_alone(t->n), 2), 1);
    if (!a->failed) return WGDN_OK;
    const wgdn_status st = wgdn_fail(err, WGDN_ENOMEM, "t-SNE of %lld points", (long long)t->n);
    wgdn_tsne_close(t);
    return st;
}

/* Rows of the tree's order, so that neighbors in a block walk the same cells. */
static void repel(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_tsne *t = context;
    for (int64_t k = first; k < first + count; k++) {
        const double *at = t->tree.at + 2 * k;
        double *force = t->gradient + 2 * (int64_t)t->tree.order[k];
        sums[0] += repulsion(force, &t->tree, at[0], at[1], t->theta);
    }
}

static void attract(int64_t first, int64_t count, void *context)
{
    const wgdn_tsne *t = context;
    for (int64_t i = first; i < first + count; i++) {
        const double *y = t->y + 2 * i;
        double *g = t->gradient + 2 * i, fx = 0, fy = 0;
        for (int64_t k = t->p.offset[i]; k < t->p.offset[i + 1]; k++) {
            const double *other = t->y + 2 * (int64_t)t->p.column[k];
            const double dx = y[0] - other[0], dy = y[1] - other[1];
            const double pull = t->p.value[k] / (1 + dx * dx + dy * dy);
            fx += pull * dx;
            fy += pull * dy;
        }
        g[0] = 4 * (t->exaggeration * fx - g[0] / t->z);
        g[1] = 4 * (t->exaggeration * fy - g[1] / t->z);
    }
}

void wgdn_tsne_gradient(wgdn_tsne *t)
{
    build_tree(&t->tree, t->y);
    wgdn_for_blocks(wgdn_alone(t->n), repel, t, &t->z, 1, t->work);
    wgdn_for_rows(wgdn_alone(t->n), attract, t);
}

/* sums: p log(p / w), and p */
static void compare(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_tsne *t = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t k = t->p.offset[i]; k < t->p.offset[i + 1]; k++) {
            const double *y = t->y + 2 * i, *other = t->y + 2 * (int64_t)t->p.column[k];
            const double dx = y[0] - other[0], dy = y[1] - other[1], p = t->p.value[k];
            if (p <= 0) continue;
            sums[0] += p * log(p * (1 + dx * dx + dy * dy));
            sums[1] += p;
        }
}

double wgdn_tsne_kl(wgdn_tsne *t)
{
    double sums[2];
    wgdn_for_blocks(wgdn_alone(t->n), compare, t, sums, 2, t->work);
    return sums[0] + sums[1] * log(t->z);
}

/* A coordinate that keeps its direction gains speed, one that swings loses it; the mean stays 0. */
static void move(wgdn_tsne *t, double rate, double inertia)
{
    double mean[2] = {0, 0};
    for (int64_t i = 0; i < 2 * t->n; i++) {
        const bool swings = (t->gradient[i] > 0) == (t->velocity[i] > 0);
        t->gain[i] = fmax(swings ? t->gain[i] * 0.8 : t->gain[i] + 0.2, 0.01);
        t->velocity[i] = inertia * t->velocity[i] - rate * t->gain[i] * t->gradient[i];
        t->y[i] += t->velocity[i];
        mean[i % 2] += t->y[i] / (double)t->n;
    }
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->y[i] -= mean[i % 2];
}

wgdn_status wgdn_tsne_run(wgdn_tsne *t, const wgdn_projection_options *o, wgdn_error *err)
{
    const int early = o->steps / 4 < EARLY ? o->steps / 4 : EARLY;
    const double rate = fmax((double)t->n / (4 * early_exaggeration), 50);
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->gain[i] = 1;
    for (int step = 0; step < o->steps; step++) {
        t->exaggeration = step < early ? early_exaggeration : 1;
        wgdn_tsne_gradient(t);
        move(t, rate, step < early ? early_momentum : momentum);
        if (o->progress && o->progress(o->progress_user, step + 1, o->steps))
            return wgdn_fail(err, WGDN_ESTOPPED, "t-SNE was stopped after step %d of %d", step + 1,
                             o->steps);
    }
    t->exaggeration = 1;
    wgdn_tsne_gradient(t); /* z where the points are now, for wgdn_tsne_kl() */
    return WGDN_OK;
}

/*
 * Computes the probabilities that two points are neighbors, which are constant during t-SNE.
 *                                                                                       [WGDN:tsne]
 */

enum { HALVINGS = 64 }; /* of the range of a row's precision */

typedef struct nearness {
    const float *x;
    int64_t n, width, k;
    double entropy;  /* that each row is to have */
    float *point;    /* n x (width + 1): x, then -|x|^2 / 2 */
    float *query;    /* n x (width + 1): x, then 1 */
    int64_t *found;  /* n x (k + 1) */
    double *squares; /* n x k: distances */
    wgdn_csr rows;   /* n x n: k weights a row */
    wgdn_arrays arrays;
} nearness;

static wgdn_status open_nearness(nearness *a, wgdn_error *err)
{
    const size_t n = (size_t)a->n, wide = (size_t)a->width + 1, k = (size_t)a->k;
    a->point = wgdn_arrays_add(&a->arrays, n, wide * sizeof *a->point);
    a->query = wgdn_arrays_add(&a->arrays, n, wide * sizeof *a->query);
    a->found = wgdn_arrays_add(&a->arrays, n, (k + 1) * sizeof *a->found);
    a->squares = wgdn_arrays_add(&a->arrays, n, k * sizeof *a->squares);
    a->rows = (wgdn_csr){.rows = a->n, .cols = a->n};
    a->rows.offset = wgdn_arrays_add(&a->arrays, n + 1, sizeof *a->rows.offset);
    a->rows.column = wgdn_arrays_add(&a->arrays, n, k * sizeof *a->rows.column);
    a->rows.value = wgdn_arrays_add(&a->arrays, n, k * sizeof *a->rows.value);
    if (!a->arrays.failed) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "affinities: %lld neighbors of %lld points", (long long)a->k,
                     (long long)a->n);
}

/* q . x - |x|^2 / 2 is largest where |q - x| is least: a search by dot
 * product finds the nearest. */
static void extend(int64_t first, int64_t count, void *context)
{
    const nearness *a = context;
    for (int64_t i = first; i < first + count; i++) {
        float *p = a->point + i * (a->width + 1), *q = a->query + i * (a->width + 1);
        double square = 0;
        for (int64_t j = 0; j < a->width; j++) {
            p[j] = q[j] = a->x[i * a->width + j];
            square += (double)p[j] * p[j];
        }
        p[a->width] = (float)(-square / 2);
        q[a->width] = 1;
    }
}

static double distance(const nearness *a, int64_t i, int64_t j)
{
    const float *x = a->x + i * a->width, *y = a->x + j * a->width;
    double sum = 0;
    for (int64_t c = 0; c < a->width; c++)
        sum += ((double)x[c] - y[c]) * ((double)x[c] - y[c]);
    return sum;
}

/* Weights exp(-precision d) and their sum; the entropy of the weights over their sum. */
static double weigh(float *weight, double *total, const double *d, int64_t k, double least,
                    double precision)
{
    double sum = 0, mean = 0;
    for (int64_t j = 0; j < k; j++) {
        const double w = exp(-precision * (d[j] - least));
        weight[j] = (float)w;
        sum += w;
        mean += w * (d[j] - least);
    }
    *total = sum;
    return log(sum) + precision * mean / sum;
}

/* The precision at which a row has the entropy wanted; beyond reach, the nearest to it. */
static void weigh_row(const nearness *a, float *weight, const double *d)
{
    double low = 0, high = INFINITY, precision = 1, least = INFINITY, sum = 1, mean = 0;
    for (int64_t j = 0; j < a->k; j++) {
        least = fmin(least, d[j]);
        mean += d[j] / (double)a->k;
    }
    if (mean > least) precision = 1 / (mean - least);
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double over = weigh(weight, &sum, d, a->k, least, precision) - a->entropy;
        if (fabs(over) < 1e-6) break;
        if (over > 0)
            low = precision;
        else
            high = precision;
        precision = isfinite(high) ? (low + high) / 2 : 2 * low;
    }
    for (int64_t j = 0; j < a->k; j++)
        weight[j] = (float)(weight[j] / sum);
}

static void weigh_rows(int64_t first, int64_t count, void *context)
{
    const nearness *a = context;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t *found = a->found + i * (a->k + 1);
        int32_t *column = a->rows.column + i * a->k;
        double *d = a->squares + i * a->k;
        int64_t kept = 0;
        for (int64_t j = 0; j <= a->k && kept < a->k; j++)
            if (found[j] != i) column[kept++] = (int32_t)found[j];
        for (int64_t j = 0; j < a->k; j++)
            d[j] = distance(a, i, column[j]);
        weigh_row(a, a->rows.value + i * a->k, d);
    }
}

/* p = (a + b) / 2n; the rows of both ascend. */
static wgdn_status join(wgdn_csr *p, const wgdn_csr *a, const wgdn_csr *b, wgdn_error *err)
{
    const int64_t n = a->rows, most = 2 * wgdn_csr_entries(a);
    const float share = (float)(1 / (2.0 * (double)n));
    int64_t at = 0;
    *p = (wgdn_csr){.rows = n, .cols = n};
    p->offset = wgdn_alloc_zero((size_t)n + 1, sizeof *p->offset);
    p->column = wgdn_alloc((size_t)most, sizeof *p->column);
    p->value = wgdn_alloc((size_t)most, sizeof *p->value);
    if (!p->offset || !p->column || !p->value) {
        wgdn_csr_free(p);
        return wgdn_fail(err, WGDN_ENOMEM, "affinities: %lld pairs", (long long)most);
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t k = a->offset[i], l = b->offset[i];
        while (k < a->offset[i + 1] || l < b->offset[i + 1]) {
            const int32_t left = k < a->offset[i + 1] ? a->column[k] : INT32_MAX;
            const int32_t right = l < b->offset[i + 1] ? b->column[l] : INT32_MAX;
            float sum = 0;
            if (left <= right) sum += a->value[k++];
            if (right <= left) sum += b->value[l++];
            p->column[at] = left < right ? left : right;
            p->value[at++] = sum * share;
        }
        p->offset[i + 1] = at;
    }
    return WGDN_OK;
}

wgdn_status wgdn_affinities(wgdn_csr *p, const float *x, int64_t n, int64_t width,
                            double perplexity, wgdn_error *err)
{
    const double fair = fmin(perplexity, fmax((double)(n - 1) / 3, 1));
    const double wanted = ceil(3 * fair);
    nearness a = {.x = x, .n = n, .width = width, .entropy = log(fair)};
    wgdn_csr turned = {0}, sorted = {0};
    a.k = wanted < (double)(n - 1) ? (int64_t)wanted : n - 1;
    wgdn_status st = open_nearness(&a, err);
    if (!st) {
        wgdn_for_rows(wgdn_alone(n), extend, &a);
        const wgdn_search s = {a.point, n, width + 1, a.query, n, a.k + 1, false, NULL};
        st = wgdn_search_rows(a.found, NULL, &s, err);
    }
    if (!st) {
        for (int64_t i = 0; i <= n; i++)
            a.rows.offset[i] = i * a.k;
        wgdn_for_rows(wgdn_alone(n), weigh_rows, &a);
        st = wgdn_csr_transpose(&turned, &a.rows, err);
    }
    if (!st) st = wgdn_csr_transpose(&sorted, &turned, err); /* the rows again, in order */
    if (!st) st = join(p, &sorted, &turned, err);
    wgdn_csr_free(&sorted);
    wgdn_csr_free(&turned);
    wgdn_arrays_release(&a.arrays);
    return st;
}
