/* SPDX-License-Identifier: Apache-2.0 */
/* What two embeddings of the same nodes have in common. */
#include "compare.h"

#include "info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 2000,  /* nodes whose neighbours are compared */
    BLOCK = 1024,   /* of them at a time */
    PAIRS = 100000, /* of nodes whose similarities are */
    ID_ROOM = 65536,
};

static int no_memory(int64_t nodes)
{
    complain("out of memory for the comparison of %lld nodes", (long long)nodes);
    return DOES_NOT_FIT;
}

/* ---- nodes that both have ---- */

static int match(comparison *p)
{
    char *id = malloc(ID_ROOM);
    p->row = calloc((size_t)p->before.rows + 1, sizeof *p->row);
    int64_t *old = calloc((size_t)p->before.rows + 1, sizeof *old);
    int code = id && old && p->row ? DONE : no_memory(p->before.rows);
    for (int64_t i = 0; code == DONE && i < p->before.rows; i++) {
        const int64_t size = wgdn_embedding_id(id, ID_ROOM, p->before.e, i);
        const int64_t at = wgdn_embedding_find(p->after.e, id, (size_t)size);
        if (size >= ID_ROOM || at < 0) continue;
        old[p->both] = i;
        p->row[p->both++] = at;
    }
    for (int s = 0; code == DONE && s < 2; s++) {
        side *to = s ? &p->after : &p->before;
        const float *x = wgdn_embedding_get_values(to->e);
        const int64_t *row = s ? p->row : old;
        to->x = calloc((size_t)(p->both * to->dim) + 1, sizeof *to->x);
        if (!to->x) code = no_memory(p->both);
        for (int64_t i = 0; code == DONE && i < p->both; i++)
            memcpy(to->x + i * to->dim, x + row[i] * to->dim, (size_t)to->dim * sizeof *x);
    }
    free(old);
    free(id);
    return code;
}

/* ---- cosines ---- */

static double cosine(const float *x, const float *y, int64_t dim)
{
    double xy = 0, xx = 0, yy = 0;
    for (int64_t j = 0; j < dim; j++) {
        xy += (double)x[j] * y[j];
        xx += (double)x[j] * x[j];
        yy += (double)y[j] * y[j];
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : xx == yy;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of each node, old and new. */
static int compare_vectors(comparison *p)
{
    const int64_t n = p->both, dim = p->before.dim;
    double *value = calloc((size_t)n, sizeof *value), sum = 0;
    if (!value) return no_memory(n);
    for (int64_t i = 0; i < n; i++)
        sum += value[i] = cosine(p->before.x + i * dim, p->after.x + i * dim, dim);
    qsort(value, (size_t)n, sizeof *value, by_value);
    p->mean = sum / (double)n;
    p->median = value[n / 2];
    p->least = value[0];
    free(value);
    return DONE;
}

/* A number below n; the same ones every time. */
static int64_t draw(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((*state >> 33) % (uint64_t)n);
}

/* Of pairs of nodes: how old and new ones correlate, and their means. */
static void compare_pairs(comparison *p)
{
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    uint64_t state = 1;
    int64_t count = 0;
    for (int64_t t = 0; t < PAIRS && p->both > 1; t++) {
        const int64_t i = draw(&state, p->both), k = draw(&state, p->both);
        if (i == k) continue;
        const double x =
            cosine(p->before.x + i * p->before.dim, p->before.x + k * p->before.dim, p->before.dim);
        const double y =
            cosine(p->after.x + i * p->after.dim, p->after.x + k * p->after.dim, p->after.dim);
        a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
        count++;
    }
    if (!count) return;
    const double n = (double)count, va = aa - a * a / n, vb = bb - b * b / n;
    p->before.likeness = a / n;
    p->after.likeness = b / n;
    p->correlation = va > 0 && vb > 0 ? (ab - a * b / n) / sqrt(va * vb) : va == vb;
}

/* ---- neighbours ---- */

/* The nearest of the rows row[0 .. count - 1], with themselves: index is count x (k + 1). */
static int search(int64_t *index, float *score, const side *s, const int64_t *row, int64_t count,
                  const comparison *p)
{
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *queries = NULL;
    float *x = calloc((size_t)(count * s->dim), sizeof *x);
    if (!x) return no_memory(count);
    for (int64_t q = 0; q < count; q++)
        memcpy(x + q * s->dim, s->x + row[q] * s->dim, (size_t)s->dim * sizeof *x);
    wgdn_compute_options_init(&o);
    o.threads = p->threads;
    wgdn_status st = wgdn_embedding_from_values(&queries, x, count, s->dim, NULL, &err);
    if (!st)
        st = wgdn_embedding_search(index, score, s->both, queries, p->k + 1, WGDN_SIMILARITY_COSINE,
                                   &o, &err);
    wgdn_embedding_free(queries);
    free(x);
    return st ? complain_status(st, &err) : DONE;
}

/* How many of the first k others are among the first k others there. */
static double common(const int64_t *a, const int64_t *b, int64_t self, int64_t k)
{
    int64_t same = 0, left = 0;
    for (int64_t i = 0, mine = 0; i <= k && mine < k; i++) {
        if (a[i] == self) continue;
        mine++;
        left = k;
        for (int64_t t = 0; t <= k && left > 0; t++) {
            if (b[t] == self) continue;
            left--;
            if (b[t] != a[i]) continue;
            same++;
            break;
        }
    }
    return (double)same / (double)k;
}

static int by_kept(const void *a, const void *b)
{
    const moved *x = a, *y = b;
    if (x->kept != y->kept) return x->kept < y->kept ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int compare_block(comparison *p, int64_t from, int64_t count, int64_t *index[2],
                         float *score)
{
    int64_t row[BLOCK];
    int code = DONE;
    for (int64_t q = 0; q < count; q++)
        row[q] = (from + q) * p->both / p->looked_at;
    for (int s = 0; s < 2 && code == DONE; s++)
        code = search(index[s], score, s ? &p->after : &p->before, row, count, p);
    for (int64_t q = 0; q < count && code == DONE; q++) {
        const int64_t at = q * (p->k + 1);
        const double kept = common(index[0] + at, index[1] + at, row[q], p->k);
        p->moved[from + q] = (moved){p->row[row[q]], kept};
        p->kept += kept / (double)p->looked_at;
    }
    return code;
}

static int compare_neighbours(comparison *p)
{
    const size_t all = (size_t)BLOCK * (size_t)(p->k + 1);
    int64_t *index[2] = {calloc(all, sizeof **index), calloc(all, sizeof **index)};
    float *score = calloc(all, sizeof *score);
    int code = DONE;
    p->looked_at = p->all || p->both < SAMPLE ? p->both : SAMPLE;
    p->moved = calloc((size_t)p->looked_at, sizeof *p->moved);
    if (!index[0] || !index[1] || !score || !p->moved) code = no_memory(p->looked_at);
    for (int64_t from = 0; from < p->looked_at && code == DONE; from += BLOCK) {
        const int64_t left = p->looked_at - from;
        code = compare_block(p, from, left < BLOCK ? left : BLOCK, index, score);
    }
    if (code == DONE) qsort(p->moved, (size_t)p->looked_at, sizeof *p->moved, by_kept);
    free(score);
    free(index[1]);
    free(index[0]);
    return code;
}

/* ---- all of it ---- */

static int open_side(side *s, int64_t both)
{
    wgdn_error err = {WGDN_OK, ""};
    s->rank = info_effective_rank(wgdn_embedding_get_values(s->e), s->rows, s->dim);
    const wgdn_status st = wgdn_embedding_from_values(&s->both, s->x, both, s->dim, NULL, &err);
    return st ? complain_status(st, &err) : DONE;
}

int comparison_make(comparison *p)
{
    side *const of[] = {&p->before, &p->after};
    for (int s = 0; s < 2; s++) {
        of[s]->rows = wgdn_embedding_rows(of[s]->e);
        of[s]->dim = wgdn_embedding_dim(of[s]->e);
    }
    int code = match(p);
    if (code == DONE && p->both < 2) {
        complain("the two have %lld ids in common: are they of the same nodes?",
                 (long long)p->both);
        return BAD_INPUT;
    }
    for (int s = 0; s < 2 && code == DONE; s++)
        code = open_side(of[s], p->both);
    if (code != DONE) return code;
    if (p->k > p->both - 1) p->k = p->both - 1;
    p->same_space = p->before.dim == p->after.dim;
    if (p->same_space) code = compare_vectors(p);
    compare_pairs(p);
    return code == DONE ? compare_neighbours(p) : code;
}

void comparison_free(comparison *p)
{
    side *const of[] = {&p->before, &p->after};
    for (int s = 0; s < 2; s++) {
        wgdn_embedding_free(of[s]->both);
        free(of[s]->x);
        wgdn_embedding_free(of[s]->e);
    }
    free(p->moved);
    free(p->row);
}
