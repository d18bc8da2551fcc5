/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A quadtree over points of the plane. A cell is the smallest square around its points and is cut
 * in the middle, so every cell with children has two at least and there are fewer than 2 n cells.
 * Cells stand in depth-first order: a walk goes to the next one, or jumps over all children.
 */
#include "map.h"

#include <math.h>
#include <string.h>

enum { LEAF = 8 }; /* points at most, unless they cannot be told apart */

wgdn_status wgdn_quadtree_open(wgdn_quadtree *t, int64_t n, wgdn_error *err)
{
    *t = (wgdn_quadtree){.n = n};
    t->cell = wgdn_alloc((size_t)(2 * n), sizeof *t->cell);
    t->order = wgdn_alloc((size_t)n, sizeof *t->order);
    t->at = wgdn_alloc((size_t)(2 * n), sizeof *t->at);
    t->spare_order = wgdn_alloc((size_t)n, sizeof *t->spare_order);
    t->spare_at = wgdn_alloc((size_t)(2 * n), sizeof *t->spare_at);
    if (t->cell && t->order && t->at && t->spare_order && t->spare_at) return WGDN_OK;
    wgdn_quadtree_close(t);
    return wgdn_fail(err, WGDN_ENOMEM, "a quadtree of %lld points", (long long)n);
}

void wgdn_quadtree_close(wgdn_quadtree *t)
{
    wgdn_release(t->spare_at);
    wgdn_release(t->spare_order);
    wgdn_release(t->at);
    wgdn_release(t->order);
    wgdn_release(t->cell);
    *t = (wgdn_quadtree){0};
}

typedef struct square {
    double x, y, side; /* lower left corner */
} square;

/* The square around points first .. first + count - 1, and their mean into the cell. */
static square measure(const wgdn_quadtree *t, wgdn_cell *cell)
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
    return (square){low_x, low_y, side};
}

/* Points by quarter, in the order they had; end[q] is where quarter q ends, from `first`. */
static void part(wgdn_quadtree *t, int32_t first, int32_t count, square s, int32_t end[4])
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
    const square s = measure(t, cell);
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

void wgdn_quadtree_build(wgdn_quadtree *t, const double *y)
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
double wgdn_quadtree_repulsion(double force[2], const wgdn_quadtree *t, double x, double y,
                               double theta)
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
