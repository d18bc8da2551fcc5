/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors are like: lengths, what is zero or equal, how many directions count. All are finite:
 * readers refuse the rest, and say where it stands. */
#include "info.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024, RANK_DIM = 1024 };

typedef struct vector_facts {
    int64_t rows, dim, zero, duplicates;
    bool ids;
    double least, mean, most; /* lengths */
    double rank;              /* of a sample; 0: not known */
} vector_facts;

/* Ids are names unless each is the number of its row. */
static bool has_names(const wgdn_embedding *e)
{
    for (int64_t i = 0; i < wgdn_embedding_rows(e); i++) {
        char number[32], id[32];
        snprintf(number, sizeof number, "%" PRId64, i);
        (void)wgdn_embedding_id(id, sizeof id, e, i);
        if (strcmp(id, number) != 0) return true;
    }
    return false;
}

static void measure_lengths(vector_facts *f, const float *x)
{
    double sum = 0;
    f->least = INFINITY;
    for (int64_t i = 0; i < f->rows; i++) {
        double squares = 0;
        for (int64_t j = 0; j < f->dim; j++) {
            const double v = (double)x[i * f->dim + j];
            squares += v * v;
        }
        const double length = sqrt(squares);
        f->zero += length == 0;
        f->least = fmin(f->least, length);
        f->most = fmax(f->most, length);
        sum += length;
    }
    f->mean = sum / (double)f->rows;
}

typedef struct row_key {
    uint64_t hash;
    const float *at;
    size_t size;
} row_key;

static int by_bytes(const void *a, const void *b)
{
    const row_key *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return memcmp(x->at, y->at, x->size);
}

/* FNV-1a over the bits of the numbers. */
static uint64_t hash_of(const float *x, int64_t dim)
{
    uint64_t h = 14695981039346656037u;
    for (int64_t j = 0; j < dim; j++) {
        uint32_t bits;
        memcpy(&bits, x + j, sizeof bits);
        h = (h ^ bits) * 1099511628211u;
    }
    return h;
}

/* Rows that are equal to another one before them; -1 without memory. */
static int64_t count_duplicates(const float *x, int64_t rows, int64_t dim)
{
    row_key *key = rows > 0 ? calloc((size_t)rows, sizeof *key) : NULL;
    int64_t count = 0;
    if (!key) return -1;
    for (int64_t i = 0; i < rows; i++)
        key[i] = (row_key){hash_of(x + i * dim, dim), x + i * dim, (size_t)dim * sizeof(float)};
    qsort(key, (size_t)rows, sizeof *key, by_bytes);
    for (int64_t i = 1; i < rows; i++)
        count += by_bytes(&key[i - 1], &key[i]) == 0;
    free(key);
    return count;
}

/*
 * (sum s)^2 / sum s^2 over the squared singular values s of centred rows, an evenly spaced sample:
 * 1 when all lie on a line, dim when they fill the space alike. By G = C^T C or C C^T, the smaller
 * one: sum s is its trace, sum s^2 its squared norm.
 */
double info_effective_rank(const float *x, int64_t rows, int64_t dim)
{
    const int64_t n = rows < SAMPLE ? rows : SAMPLE;
    double *c = calloc((size_t)(n * dim), sizeof *c), trace = 0, squares = 0;
    if (!c || n < 2 || dim > RANK_DIM) {
        free(c);
        return 0;
    }
    for (int64_t j = 0; j < dim; j++) {
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += (double)x[i * rows / n * dim + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            c[i * dim + j] = (double)x[i * rows / n * dim + j] - mean;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= i; k++) {
            double dot = 0;
            for (int64_t j = 0; j < dim; j++)
                dot += c[i * dim + j] * c[k * dim + j];
            trace += i == k ? dot : 0;
            squares += (i == k ? 1 : 2) * dot * dot;
        }
    free(c);
    return squares > 0 ? trace * trace / squares : 0;
}

static vector_facts look_at(const wgdn_embedding *e)
{
    const float *x = wgdn_embedding_get_values(e);
    vector_facts f = {
        .rows = wgdn_embedding_rows(e), .dim = wgdn_embedding_dim(e), .ids = has_names(e)};
    measure_lengths(&f, x);
    f.duplicates = count_duplicates(x, f.rows, f.dim);
    f.rank = info_effective_rank(x, f.rows, f.dim);
    return f;
}

void info_vectors_text(FILE *to, const char *path, const wgdn_embedding *e)
{
    const vector_facts f = look_at(e);
    fprintf(to, "%s\n  vectors       %" PRId64 "\n  columns       %" PRId64 "\n", path, f.rows,
            f.dim);
    if (f.ids)
        fputs("  ids           given\n", to);
    else
        fprintf(to, "  ids           0 .. %" PRId64 "\n", f.rows - 1);
    fprintf(to, "  lengths       min %.4g, mean %.4g, max %.4g\n", f.least, f.mean, f.most);
    fprintf(to, "  zero          %" PRId64 "\n", f.zero);
    if (f.duplicates >= 0)
        fprintf(to, "  duplicates    %" PRId64 " equal to another one before them\n", f.duplicates);
    if (f.rank > 0) fprintf(to, "  effective dim %.1f of %" PRId64 "\n", f.rank, f.dim);
}

void info_vectors_json(FILE *to, const char *path, const wgdn_embedding *e)
{
    const vector_facts f = look_at(e);
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_integer(&j, "vectors", f.rows);
    json_put_integer(&j, "dim", f.dim);
    json_put_text(&j, "ids", f.ids ? "given" : "numbers");
    json_put_open(&j, "length", '{');
    json_put_real(&j, "min", f.least);
    json_put_real(&j, "mean", f.mean);
    json_put_real(&j, "max", f.most);
    json_put_close(&j, '}');
    json_put_integer(&j, "zero_rows", f.zero);
    json_put_integer(&j, "duplicate_rows", f.duplicates);
    if (f.rank > 0)
        json_put_real(&j, "effective_rank", f.rank);
    else
        json_put_null(&j, "effective_rank");
    json_put_close(&j, '}');
    fputc('\n', to);
}
