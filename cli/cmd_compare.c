/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn compare`, which reports the differences between two embeddings of the same
 * nodes. `wgdn eval` uses the same comparison to measure stability.
 */
#include "cmd_compare.h"
#include "files.h"
#include "info.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 2000,  /* nodes whose neighbors are compared */
    BLOCK = 1024,   /* queries per search */
    PAIRS = 100000, /* of nodes whose similarities are */
};

static int no_memory(int64_t nodes)
{
    complain("out of memory for the comparison of %lld nodes", (long long)nodes);
    return DOES_NOT_FIT;
}

/* ---- common nodes ---- */

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

/* ---- neighbors ---- */

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
        code = vectors_search(index[s], score, s ? p->after.both : p->before.both, row, count,
                              p->k + 1, WGDN_SIMILARITY_COSINE, p->threads);
    for (int64_t q = 0; q < count && code == DONE; q++) {
        const int64_t at = q * (p->k + 1);
        const double kept = common(index[0] + at, index[1] + at, row[q], p->k);
        p->moved[from + q] = (moved){p->row[row[q]], kept};
        p->kept += kept / (double)p->looked_at;
    }
    return code;
}

static int compare_neighbors(comparison *p)
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

/* ---- the whole comparison ---- */

static int open_side(side *s, int64_t both)
{
    wgdn_error err = {WGDN_OK, ""};
    s->rank = info_effective_rank(wgdn_embedding_get_values(s->e), s->rows, s->dim);
    return complain_status(wgdn_embedding_from_values(&s->both, s->x, both, s->dim, NULL, &err),
                           &err);
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
    return code == DONE ? compare_neighbors(p) : code;
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

enum { MOVED = 5 };

static void print_moved(cli *c, const comparison *p, char *text)
{
    const int64_t count = p->looked_at < MOVED ? p->looked_at : MOVED;
    fputs("\nmoved most       nearest neighbors kept\n", c->out);
    for (int64_t i = 0; i < count; i++) {
        const size_t size = vectors_id(text, p->after.e, p->moved[i].row);
        fprintf(c->out, "  %6.0f of %lld  ", p->moved[i].kept * (double)p->k, (long long)p->k);
        show_name(c->out, text, size);
        fputc('\n', c->out);
    }
}

static void put_side(json *j, const char *key, const side *s, int64_t both)
{
    json_put_open(j, key, '{');
    json_put_integer(j, "nodes", s->rows);
    json_put_integer(j, "alone", s->rows - both);
    json_put_integer(j, "dim", s->dim);
    json_put_real(j, "effective_rank", s->rank);
    json_put_real(j, "mean_cosine", s->likeness);
    json_put_close(j, '}');
}

static void print_json(cli *c, const comparison *p, char *text)
{
    json j = json_begin(c->out);
    json_put_integer(&j, "both", p->both);
    put_side(&j, "old", &p->before, p->both);
    put_side(&j, "new", &p->after, p->both);
    if (p->same_space) {
        json_put_open(&j, "cosine", '{');
        json_put_real(&j, "mean", p->mean);
        json_put_real(&j, "median", p->median);
        json_put_real(&j, "least", p->least);
        json_put_close(&j, '}');
    }
    json_put_real(&j, "similarity_correlation", p->correlation);
    json_put_real(&j, "neighbors_kept", p->kept);
    json_put_integer(&j, "neighbors", p->k);
    json_put_integer(&j, "looked_at", p->looked_at);
    json_put_open(&j, "moved_most", '[');
    for (int64_t i = 0; i < MOVED && i < p->looked_at; i++) {
        const size_t size = vectors_id(text, p->after.e, p->moved[i].row);
        json_put_open(&j, NULL, '{');
        json_put_bytes(&j, "id", text, size);
        json_put_real(&j, "neighbors_kept", p->moved[i].kept);
        json_put_close(&j, '}');
    }
    json_put_close(&j, ']');
    json_end(&j);
}

static int compare(cli *c)
{
    comparison p = {.k = atoi(option_text(&c->values, OPT_COUNT)),
                    .all = option_on(&c->values, OPT_ALL),
                    .threads = option_threads(&c->values)};
    char *text = malloc(ID_ROOM);
    int code = DONE;
    if (p.k < 1) {
        complain("--count %lld: expected at least 1", (long long)p.k);
        code = USAGE;
    } else if (!text) {
        complain("out of memory for an id");
        code = DOES_NOT_FIT;
    }
    if (code == DONE) code = vectors_wanted(&p.before.e, c->operand[0]);
    if (code == DONE) code = vectors_wanted(&p.after.e, c->operand[1]);
    if (code == DONE) code = comparison_make(&p);
    if (code == DONE && option_on(&c->values, OPT_JSON)) {
        print_json(c, &p, text);
    } else if (code == DONE) {
        const side *was = &p.before, *is = &p.after;
        fprintf(c->out, "nodes            %lld in both, %lld in %s alone, %lld in %s alone\n",
                (long long)p.both, (long long)(was->rows - p.both), c->operand[0],
                (long long)(is->rows - p.both), c->operand[1]);
        fprintf(c->out, "columns          %lld, %lld\n", (long long)was->dim, (long long)is->dim);
        if (p.same_space)
            fprintf(c->out, "cosine           %.4f on average, median %.4f, least %.4f\n", p.mean,
                    p.median, p.least);
        fprintf(c->out, "similarities     %.4f correlated, over pairs of nodes\n", p.correlation);
        fprintf(c->out, "neighbors kept   %.1f of %lld nearest, mean over %lld nodes\n",
                p.kept * (double)p.k, (long long)p.k, (long long)p.looked_at);
        fprintf(c->out, "effective dim    %.1f before, %.1f after\n", was->rank, is->rank);
        fprintf(c->out, "mean cosine      %.3f before, %.3f after, of two random nodes\n",
                was->likeness, is->likeness);
        print_moved(c, &p, text);
    }
    comparison_free(&p);
    free(text);
    return code;
}

const command cmd_compare = {
    .name = "compare",
    .operands = "OLD NEW",
    .min_operands = 2,
    .max_operands = 2,
    .operand = {{.files = VECTOR_FILES}, {.files = VECTOR_FILES}},
    .summary = "report what changed between two embeddings of the same nodes",
    .text = "Compare the vectors of nodes that both files have, by id: cosine of old and new where "
            "both have as many columns, how the similarities of pairs of nodes correlate, how many "
            "of the nearest neighbors of a node are the same, and which nodes kept fewest. The "
            "latter do not change under rotation. Of each file: how many "
            "dimensions are effective, and the mean cosine of two random nodes, which is near 1 "
            "where all vectors point the same way. Neighbors are those of 2000 nodes, spread over "
            "the file; --all looks at every one.",
    .example = "wgdn compare yesterday.tsv today.tsv\n"
               "wgdn compare yesterday.npz today.npz --count 20 --all --json",
    .options = TAKES(OPT_COUNT, OPT_ALL, OPT_OUTPUT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .run = compare,
};
