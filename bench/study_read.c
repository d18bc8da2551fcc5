/* SPDX-License-Identifier: Apache-2.0 */
#include "study.h"

#include <stdlib.h>
#include <string.h>

void study_must(wgdn_status status, const wgdn_error *err)
{
    if (status == WGDN_OK) return;
    fprintf(stderr, "%s: %s\n", wgdn_status_text(status), err->message);
    exit(EXIT_FAILURE);
}

static void bad_file(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(EXIT_FAILURE);
}

/* The numbers up to a stop, each below `limit`, handed on one by one. */
typedef void (*taker)(void *to, int64_t row, int64_t number);

static char *take_numbers(char *at, char stop, int64_t limit, taker take, void *to, int64_t row)
{
    for (;;) {
        while (*at == ' ')
            at++;
        if (*at == stop) return at + (stop != 0);
        char *end;
        const long long number = strtoll(at, &end, 10);
        if (end == at || number < 0 || number >= limit) return NULL;
        take(to, row, number);
        at = end;
    }
}

typedef struct edges {
    int64_t m, src[20000], dst[20000];
} edges;

static void take_edge(void *to, int64_t row, int64_t number)
{
    edges *e = to;
    if (e->m == 20000) return;
    e->src[e->m] = row;
    e->dst[e->m++] = number;
}

typedef struct matrix {
    float *x;
    int64_t width;
} matrix;

static void take_feature(void *to, int64_t row, int64_t number)
{
    matrix *m = to;
    m->x[row * m->width + number] = 1;
}

void study_read(wgdn_graph **graph, float **x, int64_t *width, const char *path)
{
    static edges e;
    char line[4096];
    long long n = 0, d = 0;
    wgdn_error err;
    FILE *file = fopen(path, "r");
    if (!file) bad_file(path, "cannot be opened");
    do {
        if (!fgets(line, sizeof line, file)) bad_file(path, "ends early");
    } while (line[0] == '#');
    if (sscanf(line, "%lld %lld", &n, &d) != 2 || n < 1 || n > 5000 || d < 1 || d > 10000)
        bad_file(path, "the line of counts is wrong");
    matrix m = {calloc((size_t)(n * d), sizeof *m.x), d};
    if (!m.x) bad_file(path, "no memory");
    for (int64_t i = 0; i < n; i++) {
        if (!fgets(line, sizeof line, file)) bad_file(path, "ends early");
        line[strcspn(line, "\n")] = 0;
        char *at = take_numbers(line, '|', n, take_edge, &e, i);
        if (!at || !take_numbers(at, 0, d, take_feature, &m, i)) bad_file(path, "bad line");
    }
    fclose(file);
    study_must(wgdn_graph_from_edges(graph, n, e.m, e.src, e.dst, &err), &err);
    *x = m.x;
    *width = d;
}
