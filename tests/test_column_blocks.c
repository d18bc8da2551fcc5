/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form in blocks of columns, its scales, and subspace iteration. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "support.h"

#include "base/streams.h"
#include "data/embedding.h"
#include "model/model.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- slabs ---- */

/* Little memory: the closed form by slabs of columns has the bits that it has in memory. */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined WGDN_COUNTED
enum { LIMITS = 1 }; /* slow, and the paths are the same; bits are compared in other builds */
#else
enum { LIMITS = 2 };
#endif
enum { SLABS_N = 120000, SLABS_F = 64, WIDE = 160, DEGREE = 4, WORDS = 4 };

static const wgdn_stream drawn = {.seed = 3, .call = 1};

/* Communities of 500 nodes, with the features that are given. */
static wgdn_dataset *make_with(wgdn_dataset_arrays a)
{
    int64_t *source = wgdn_alloc((size_t)SLABS_N * DEGREE, sizeof *source), edges = 0;
    int64_t *target = wgdn_alloc((size_t)SLABS_N * DEGREE, sizeof *target);
    wgdn_dataset *d = NULL;
    CHECK(source && target);
    for (int64_t i = 0; i < SLABS_N; i++)
        for (int64_t k = 0; k < DEGREE; k++) {
            source[edges] = i;
            target[edges++] = i / 500 * 500 + (int64_t)(wgdn_random_bits(drawn, i, 1000 + k) % 500);
        }
    a.struct_size = sizeof a;
    a.nodes = SLABS_N;
    a.edges = edges;
    a.source = source;
    a.target = target;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(target);
    wgdn_release(source);
    return d;
}

/* Features that a community shares. */
static wgdn_dataset *slabs_make(int64_t f)
{
    float *x = wgdn_alloc((size_t)(SLABS_N * f), sizeof *x);
    CHECK(x);
    wgdn_random_normals(x, f, drawn, 0, SLABS_N, 0, f);
    for (int64_t i = 0; i < SLABS_N; i++) /* of two strengths, so that as many directions differ */
        x[i * f + i / 500 % f] += (float)(4 + i / 500 / f % 2 * 2);
    memset(x + 70 * f, 0, (size_t)f * sizeof *x); /* nothing is known of node 70 */
    wgdn_dataset *d = make_with((wgdn_dataset_arrays){.features = f, .dense = x});
    wgdn_release(x);
    return d;
}

/* Words: one of a community's own, and others. */
static wgdn_dataset *make_sparse(int64_t f)
{
    int64_t *offset = wgdn_alloc(SLABS_N + 1, sizeof *offset);
    int32_t *column = wgdn_alloc((size_t)SLABS_N * WORDS, sizeof *column);
    float *value = wgdn_alloc((size_t)SLABS_N * WORDS, sizeof *value);
    CHECK(offset && column && value);
    for (int64_t i = 0; i < SLABS_N; i++) {
        const int64_t own = i / 500 % (f / 2);
        offset[i + 1] = (i + 1) * WORDS;
        offset[i] = i * WORDS;
        for (int64_t k = 0; k < WORDS; k++) {
            const int64_t bits = (int64_t)(wgdn_random_bits(drawn, i, 2000 + k) % 1000);
            const int64_t other = f / 2 + k * f / 8 + bits % (f / 8);
            column[i * WORDS + k] = (int32_t)(k ? other : own);
            value[i * WORDS + k] = 1 + (float)bits / 1000;
        }
    }
    wgdn_dataset *d = make_with((wgdn_dataset_arrays){
        .features = f, .feature_offset = offset, .feature_column = column, .feature_value = value});
    CHECK(wgdn_matrix_is_sparse(d));
    wgdn_release(value);
    wgdn_release(column);
    wgdn_release(offset);
    return d;
}

static char folder[] = "/tmp/wgdn-slabs-XXXXXX";

/* Beside the features, which are no mapped file here: they count as well. */
static void allow(wgdn_dataset *d, int64_t memory)
{
    const int64_t x = d->features.dense ? SLABS_N * d->features.width : SLABS_N * 2 * WORDS;
    d->memory = memory ? memory + 4 * x : 0;
    wgdn_release(d->folder);
    d->folder = memory ? wgdn_alloc(sizeof folder, 1) : NULL;
    if (d->folder) memcpy(d->folder, folder, sizeof folder);
}

/* Columns of a slab; 0: all is in memory, -1: it is refused. */
static int64_t slab_of(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_fit_memory memory;
    if (wgdn_fit_memory_find(&memory, d, o, NULL)) return -1;
    CHECK(!memory.block == !memory.scratch);
    return memory.block;
}

/* Limits that leave room for slabs, each for wider ones. How many. */
static int find_limits(int64_t *memory, wgdn_dataset *d, const wgdn_fit_options *o)
{
    int64_t last = 0;
    int count = 0;
    for (int64_t m = 50000000; m < 400000000 && count < LIMITS; m += 1000000) {
        allow(d, m);
        const int64_t slab = slab_of(d, o);
        if (slab <= last) continue;
        memory[count++] = m;
        last = slab;
    }
    return count;
}

static int files_in(const char *path)
{
    DIR *dir = opendir(path);
    int count = 0;
    for (const struct dirent *e; dir && (e = readdir(dir));)
        count += e->d_name[0] != '.';
    if (dir) closedir(dir);
    return count;
}

/* The same in a file, which is written row by row where memory is short. */
static void check_file(const float *vectors, const wgdn_model *m, const wgdn_dataset *d,
                       int64_t dim)
{
    static const char path[] = "slabs.npy"; /* where the tests of this build run */
    wgdn_embedding *e = NULL, *back = NULL;
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.path = path;
    CHECK(wgdn_model_embed(&e, m, d, &o, NULL) == WGDN_OK);
    CHECK(!wgdn_embedding_get_values(e) == (d->folder != NULL));
    CHECK(wgdn_embedding_rows(e) == SLABS_N && wgdn_embedding_dim(e) == dim);
    CHECK(wgdn_embedding_read(&back, path, NULL) == WGDN_OK);
    CHECK(memcmp(vectors, wgdn_embedding_get_values(back),
                 (size_t)(SLABS_N * dim) * sizeof *vectors) == 0);
    wgdn_embedding_free(back);
    wgdn_embedding_free(e);
    o.numbers = WGDN_NUMBERS_F16;
    CHECK(wgdn_model_embed(&e, m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_read(&back, path, NULL) == WGDN_OK);
    for (int64_t i = 0; i < SLABS_N * dim; i++) {
        const double x = vectors[i], off = wgdn_embedding_get_values(back)[i] - x;
        CHECK(fabs(off) <= 0x1p-11 * fabs(x) + 0x1p-25);
    }
    wgdn_embedding_free(back);
    wgdn_embedding_free(e);
    o.numbers = WGDN_NUMBERS_BF16;
    wgdn_error err = {WGDN_OK, ""};
    CHECK(unlink(path) == 0 && wgdn_model_embed(&e, m, d, &o, &err) == WGDN_EINVAL);
    CHECK(access(path, F_OK) != 0 && strstr(err.message, "bfloat16"));
}

/* Eigenvectors and transitions, whose bases have a row for each node. */
static void check_structure(const wgdn_fitted *f)
{
    CHECK(f->parts == 2 && f->part[0].kind == WGDN_PART_EIGEN);
    CHECK(f->part[1].kind == WGDN_PART_TRANSITIONS && f->part[1].scale > 0);
}

static float *vectors(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    const bool structure = o->features == WGDN_FIT_FEATURES_STRUCTURE;
    wgdn_model *m = NULL;
    wgdn_embedding *e = NULL;
    float *out = wgdn_alloc((size_t)(SLABS_N * o->dim), sizeof *out);
    CHECK(wgdn_model_fit(&m, d, o, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_dim(e) == o->dim);
    if (structure) check_structure(m->fitted);
    CHECK(structure || (m->fitted->parts == 1 && m->fitted->part[0].dim == o->dim));
    CHECK(structure ||
          m->fitted->part[0].kind == (o->scale < 0 ? WGDN_PART_SHARED : WGDN_PART_FILTERED));
    CHECK((e->archive.sparing && e->vectors.borrowed) == (d->folder != NULL));
    memcpy(out, e->vectors.dense, (size_t)(SLABS_N * o->dim) * sizeof *out);
    wgdn_embedding_free(e);
    if (!structure && (LIMITS > 1 || d->folder)) check_file(out, m, d, o->dim);
    wgdn_model_free(m);
    return out;
}

/* The same for every slab and number of threads, and nothing is left in the folder. */
static void same_bits(wgdn_dataset *d, int64_t dim, double scale, wgdn_fit_features use)
{
    const size_t bytes = (size_t)(SLABS_N * dim) * sizeof(float);
    int64_t memory[LIMITS];
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = dim;
    o.scale = scale;
    o.features = use;
    o.threads = 2;
    CHECK(find_limits(memory, d, &o) == LIMITS);
    allow(d, 0);
    float *whole = LIMITS > 1 ? vectors(d, &o) : NULL;
    for (int i = 0; i < LIMITS; i++) {
        allow(d, memory[i]);
        o.threads = 1 + i % 2;
        o.keep = i % 2;
        float *parts = vectors(d, &o);
        CHECK(!whole || memcmp(whole, parts, bytes) == 0);
        CHECK(files_in(folder) == 0);
        wgdn_release(parts);
    }
    wgdn_release(whole);
}

static void test_bits(void)
{
    wgdn_dataset *d = slabs_make(SLABS_F);
    same_bits(d, SLABS_F, -1, WGDN_FIT_FEATURES_AUTO);
    if (LIMITS > 1) same_bits(d, SLABS_F, 2, WGDN_FIT_FEATURES_AUTO);
    wgdn_dataset_free(d);
}

/* Features that are reduced first, by chunks. */
static void test_wide(void)
{
    wgdn_dataset *d = slabs_make(WIDE);
    same_bits(d, 64, -1, WGDN_FIT_FEATURES_AUTO);
    same_bits(d, 120, 2, WGDN_FIT_FEATURES_AUTO); /* and filtered before that */
    wgdn_dataset_free(d);
}

/* The same of words: slabs of columns of the basis as well. */
static void test_wide_sparse(void)
{
    wgdn_dataset *d = make_sparse(800);
    same_bits(d, 32, -1, WGDN_FIT_FEATURES_AUTO);
    same_bits(d, 32, 2, WGDN_FIT_FEATURES_AUTO);
    wgdn_dataset_free(d);
}

/* The graph alone. */
static void test_structure(void)
{
    wgdn_dataset *d = slabs_make(1);
    same_bits(d, 40, -1, WGDN_FIT_FEATURES_STRUCTURE);
    wgdn_dataset_free(d);
}

static wgdn_dataset *read_with(const char *path, const char *features, int64_t memory)
{
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_dataset_options_init(&o);
    o.features = features;
    o.memory = memory;
    o.scratch = memory ? folder : NULL;
    CHECK(wgdn_dataset_read(&d, path, &o, NULL) == WGDN_OK);
    return d;
}

/* Features in two bytes a number stay that in a packed dataset; where memory is short they are
 * widened in a file. */
static void test_half(void)
{
    static const char graph[] = "slabs-graph.safetensors", half[] = "slabs-half.npy";
    static const char packed[] = "slabs-packed.safetensors";
    wgdn_dataset *d = slabs_make(SLABS_F), *as[3];
    const size_t bytes = (size_t)SLABS_N * SLABS_F * sizeof(float);
    int64_t memory[LIMITS];
    wgdn_embedding *e = NULL;
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = SLABS_F;
    CHECK(wgdn_dataset_write(d, graph, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_from_values(&e, d->features.dense, SLABS_N, SLABS_F, NULL, NULL) ==
          WGDN_OK);
    wgdn_write_options in_halves;
    wgdn_write_options_init(&in_halves);
    in_halves.numbers = WGDN_NUMBERS_F16;
    CHECK(wgdn_embedding_write(e, half, &in_halves, NULL) == WGDN_OK);
    wgdn_embedding_free(e);
    wgdn_dataset_free(d);
    as[0] = read_with(graph, half, 0);
    CHECK(as[0]->features.narrow && !as[0]->features.borrowed);
    CHECK(wgdn_dataset_write(as[0], packed, NULL, NULL) == WGDN_OK);
    as[1] = read_with(packed, NULL, 0);
    as[2] = read_with(packed, NULL, 200000000);
    CHECK(as[1]->features.narrow_type == WGDN_F16 && as[2]->features.borrowed);
    float *first = vectors(as[0], &o);
    for (int i = 1; i < 3; i++) {
        CHECK(memcmp(as[0]->features.dense, as[i]->features.dense, bytes) == 0);
        if (i == 2) CHECK(find_limits(memory, as[2], &o) == LIMITS);
        if (i == 2) allow(as[2], memory[0]);
        float *same = vectors(as[i], &o);
        CHECK(memcmp(first, same, bytes) == 0);
        wgdn_release(same);
    }
    d = read_with(graph, half, 200000000);
    CHECK(d->features.borrowed && memcmp(as[0]->features.dense, d->features.dense, bytes) == 0);
    wgdn_dataset_free(d);
    for (int i = 0; i < 3; i++)
        wgdn_dataset_free(as[i]);
    wgdn_release(first);
    CHECK(files_in(folder) == 0);
    CHECK(unlink(graph) == 0 && unlink(half) == 0 && unlink(packed) == 0);
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
/* Kilobytes of files that are mapped, and in memory: now, and at most so far. */
static long kilobytes(const char *what)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[200];
    long found = -1;
    CHECK(f);
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, what, strlen(what)) == 0)
            found = strtol(line + strlen(what) + 1, NULL, 10);
    if (f) fclose(f);
    return found;
}

/* Reading a packed dataset does not keep its features in memory where that is limited. */
static void test_pages(void)
{
    static const char path[] = "slabs.safetensors";
    wgdn_dataset *d = slabs_make(WIDE);
    wgdn_dataset_options o;
    const long features = (long)SLABS_N * WIDE * 4 / 1024;
    CHECK(wgdn_dataset_write(d, path, NULL, NULL) == WGDN_OK);
    wgdn_dataset_free(d);
    wgdn_dataset_options_init(&o);
    o.memory = 200000000;
    FILE *peak = fopen("/proc/self/clear_refs", "w"); /* 5: the peak begins anew */
    bool anew = peak && fputs("5", peak) >= 0;
    anew = peak && fclose(peak) == 0 && anew;
    if (!anew) puts("no peak can be measured here");
    const long before = kilobytes("VmRSS");
    CHECK(wgdn_dataset_read(&d, path, &o, NULL) == WGDN_OK);
    CHECK(d->features.borrowed);
    CHECK(!anew || kilobytes("VmHWM") - before < features * 3 / 4);
    wgdn_dataset_free(d);
    CHECK(unlink(path) == 0);
}
#endif

static void test_refusals(void)
{
    wgdn_dataset *d = slabs_make(SLABS_F);
    wgdn_error err;
    wgdn_model *m = NULL;
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = SLABS_F;
    allow(d, 50000000);
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ENOMEM);
    CHECK(strstr(err.message, "narrowest"));
    o.features = WGDN_FIT_FEATURES_STRUCTURE;
    allow(d, 40000000);
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ENOMEM);
    CHECK(strstr(err.message, "narrowest"));
    allow(d, 140000000);
    o.features = WGDN_FIT_FEATURES_AUTO;
    d->folder[1] = '?'; /* no such folder */
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_EWRITE);
    CHECK(strstr(err.message, "name another folder"));
    CHECK(!m && files_in(folder) == 0);
    wgdn_dataset_free(d);
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
/* Pages of vectors that take much of the memory go once they were used; what is found stays the same. */
static void test_search(void)
{
    enum { ROWS = 700000, WIDTH = 40, K = 5 };
    static const char path[] = "slabs-large.npy";
    int64_t found[2][K];
    float *x = random_matrix(5, ROWS, WIDTH), score[2][K];
    wgdn_embedding *e = NULL, *query = NULL;
    struct rlimit before, little;
    CHECK(wgdn_embedding_from_values(&e, x, ROWS, WIDTH, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_write(e, path, NULL, NULL) == WGDN_OK);
    wgdn_embedding_free(e);
    CHECK(wgdn_embedding_from_values(&query, x + 7 * WIDTH, 1, WIDTH, NULL, NULL) == WGDN_OK);
    CHECK(getrlimit(RLIMIT_DATA, &before) == 0);
    for (int i = 0; i < 2; i++) {
        int64_t total, available;
        e = NULL;
        little = before;
        if (i) little.rlim_cur = 400 << 20; /* of which this process has some already */
        CHECK(setrlimit(RLIMIT_DATA, &little) == 0);
        wgdn_memory_get(&total, &available);
        if (i) CHECK(available < (int64_t)4 * ROWS * WIDTH * 4);
        CHECK(wgdn_embedding_read(&e, path, NULL) == WGDN_OK && e->archive.sparing == (i == 1));
        CHECK(wgdn_embedding_search(found[i], score[i], e, query, K, WGDN_SIMILARITY_COSINE, NULL,
                                    NULL) == WGDN_OK);
        wgdn_embedding_free(e);
    }
    CHECK(setrlimit(RLIMIT_DATA, &before) == 0);
    for (int k = 0; k < K; k++)
        CHECK(found[0][k] == found[1][k] && score[0][k] == score[1][k]);
    CHECK(found[0][0] == 7);
    wgdn_embedding_free(query);
    wgdn_release(x);
    CHECK(unlink(path) == 0);
}
#endif

/* A block is exchanged with other ranks, so all of them must have the same number of blocks. */
static void test_blocks_of_ranks(void)
{
    wgdn_ranks ranks = {.count = 2};
    const wgdn_dist dist = {.ranks = &ranks};
    const int64_t n = 262100, k = 512, more = 132000;
    const wgdn_fit_input one = {.rows = {.count = more, .total = n, .dist = &dist}};
    const wgdn_fit_input other = {.rows = {n - more, more, n, &dist}};
    CHECK(wgdn_block_default(more, k) != wgdn_block_default(n - more, k));
    CHECK(wgdn_block_width(&one, k) == wgdn_block_width(&other, k));
}

static int slabs_tests(void)
{
    CHECK(mkdtemp(folder));
    RUN(test_blocks_of_ranks);
    RUN(test_bits);
    RUN(test_wide);
    RUN(test_wide_sparse);
    RUN(test_structure);
    RUN(test_half);
    RUN(test_refusals);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* these take terabytes */
    RUN(test_pages);
    RUN(test_search);
#endif
    CHECK(rmdir(folder) == 0);
    return check_result();
}

/* ---- scales ---- */

/* How well each scale predicts a node from its neighbors: against the definition, in double. */

enum { SCALES_N = 90, SCALES_F = 40, C = 32, EDGES = 4 * SCALES_N };

/* A ring of groups: neighbors are alike, and node 7 stands alone. */
typedef struct example {
    int64_t source[EDGES], target[EDGES];
    float x[SCALES_N * SCALES_F];
    double s[SCALES_N * SCALES_N]; /* D^-1/2 A D^-1/2 */
} example;

static wgdn_dataset *scales_make(example *e)
{
    const wgdn_stream s = {.seed = 11, .call = 1};
    int64_t edges = 0;
    wgdn_dataset *d = NULL;
    wgdn_random_normals(e->x, SCALES_F, s, 0, SCALES_N, 0, SCALES_F);
    for (int64_t i = 0; i < SCALES_N; i++)
        for (int64_t k = 0; k < 4; k++) {
            const int64_t j =
                (i / 9 * 9 + (int64_t)(wgdn_random_bits(s, i, 100 + k) % 10)) % SCALES_N;
            e->x[i * SCALES_F + i / 9] += 2;
            if (i == 7 || j == 7 || i == j) continue;
            e->source[edges] = i;
            e->target[edges++] = j;
        }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = SCALES_N,
                                   .edges = edges,
                                   .source = e->source,
                                   .target = e->target,
                                   .features = SCALES_F,
                                   .dense = e->x};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    const wgdn_csr *m = &wgdn_dataset_get_graph(d)->adjacency;
    for (int64_t i = 0; i < SCALES_N; i++)
        for (int64_t k = m->offset[i]; k < m->offset[i + 1]; k++) {
            const int64_t j = m->column[k];
            e->s[i * SCALES_N + j] = 1 / sqrt((double)(m->offset[i + 1] - m->offset[i]) *
                                              (double)(m->offset[j + 1] - m->offset[j]));
        }
    return d;
}

/* exp(-t L) X by Taylor's series. */
static void filter(double *h, const example *e, const double *x, double t)
{
    static double term[SCALES_N * C], next[SCALES_N * C];
    memcpy(h, x, sizeof term);
    memcpy(term, x, sizeof term);
    for (int k = 1; k < 90; k++) {
        for (int64_t i = 0; i < SCALES_N; i++)
            for (int64_t j = 0; j < C; j++) {
                double sum = term[i * C + j];
                for (int64_t o = 0; o < SCALES_N; o++)
                    sum -= e->s[i * SCALES_N + o] * term[o * C + j];
                next[i * C + j] = -t / k * sum;
            }
        memcpy(term, next, sizeof term);
        for (int64_t i = 0; i < SCALES_N * C; i++)
            h[i] += term[i];
    }
}

static void center(double *x)
{
    for (int64_t j = 0; j < C; j++) {
        double mean = 0;
        for (int64_t i = 0; i < SCALES_N; i++)
            mean += x[i * C + j] / SCALES_N;
        for (int64_t i = 0; i < SCALES_N; i++)
            x[i * C + j] -= mean;
    }
}

/* What the fit draws: Y, and signs. */
static void draw(double *y, double *z, const example *e, const wgdn_dataset *d)
{
    float v[SCALES_F * C], row[C];
    uint64_t *key = NULL;
    CHECK(wgdn_dataset_keys(&key, d, NULL) == WGDN_OK);
    wgdn_random_normals(v, C, (wgdn_stream){.seed = 1, .call = WGDN_CALL_SCALE}, 0, SCALES_F, 0, C);
    for (int64_t i = 0; i < SCALES_N; i++) {
        double length = 0;
        for (int64_t k = 0; k < SCALES_F; k++)
            length += (double)e->x[i * SCALES_F + k] * e->x[i * SCALES_F + k];
        wgdn_random_uniforms(row, C, (wgdn_stream){.seed = 1, .call = WGDN_CALL_SIGNS},
                             wgdn_key_row(key[i]), 1, 0, C);
        for (int64_t j = 0; j < C; j++) {
            double sum = 0;
            for (int64_t k = 0; k < SCALES_F; k++)
                sum += (double)e->x[i * SCALES_F + k] * v[k * C + j];
            y[i * C + j] = sum / sqrt(length);
            z[i * C + j] = row[j] < 0.5F ? -1 : 1;
        }
    }
    wgdn_release(key);
}

static double agreement(const example *e, const double *y, const double *z, double t)
{
    static double h[SCALES_N * C], g[SCALES_N * C], from[SCALES_N * C], cy[SCALES_N * C];
    double ey = 0, ee = 0, yy = 0;
    filter(h, e, y, t);
    filter(g, e, z, t);
    memcpy(cy, y, sizeof cy);
    for (int64_t i = 0; i < SCALES_N; i++) {
        double d[2] = {0}, squares = 0;
        for (int64_t j = 0; j < C; j++)
            d[j >= C / 2] += z[i * C + j] * g[i * C + j] / (C / 2);
        for (int64_t j = 0; j < C; j++) {
            from[i * C + j] = h[i * C + j] - (d[0] + d[1]) / 2 * y[i * C + j];
            squares += y[i * C + j] * y[i * C + j];
        }
        /* d e instead of the square of the mean of both */
        ee -= (d[0] - d[1]) * (d[0] - d[1]) / 4 * squares;
    }
    center(from);
    center(cy);
    for (int64_t i = 0; i < SCALES_N * C; i++) {
        ey += from[i] * cy[i];
        ee += from[i] * from[i];
        yy += cy[i] * cy[i];
    }
    return ey / sqrt(ee * yy);
}

static void the_agreement(void)
{
    static double y[SCALES_N * C], z[SCALES_N * C];
    example *e = wgdn_alloc_zero(1, sizeof *e);
    wgdn_dataset *d = scales_make(e);
    wgdn_model *m = NULL;
    double worst = 0;
    CHECK(wgdn_scale_columns(SCALES_N) == C);
    CHECK(wgdn_model_fit(&m, d, NULL, NULL) == WGDN_OK);
    CHECK(m->fitted->scales == WGDN_FIT_SCALES);
    draw(y, z, e, d);
    for (int t = 0; t < WGDN_FIT_SCALES; t++) {
        const double is = m->fitted->agreement[t], truth = agreement(e, y, z, m->fitted->scale[t]);
        worst = fmax(worst, fabs(is - truth));
        CHECK(truth > 0.05 && truth < 0.95);
    }
    printf("agreements differ by %.1e at most\n", worst);
    CHECK(worst < 2e-3); /* the filters' series are cut off at a thousandth */
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

static int scales_tests(void)
{
    RUN(the_agreement);
    return check_result();
}

/* ---- subspace ---- */

/* ---- small symmetric matrices ---- */

static double *symmetric(int64_t n, double scale)
{
    float *x = random_matrix(3, n, n);
    double *a = wgdn_alloc((size_t)(n * n), sizeof *a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = scale * ((double)x[i * n + j] + x[j * n + i]);
    wgdn_release(x);
    return a;
}

static double inner(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* |A v - w v| of the worst pair, and how far the vectors are from orthonormal. */
static void check_eigen(const double *a, int64_t n, double size)
{
    double *v = wgdn_alloc((size_t)(n * n), sizeof *v), *w = wgdn_alloc((size_t)n, sizeof *w);
    void *work = wgdn_alloc(wgdn_symmetric_work(n), 1);
    double worst = 0, skew = 0;
    memcpy(v, a, (size_t)(n * n) * sizeof *v);
    wgdn_symmetric_eigen(w, v, n, work);
    for (int64_t k = 0; k < n; k++) {
        CHECK(k == 0 || w[k] <= w[k - 1]);
        for (int64_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(inner(a + i * n, v + k * n, n) - w[k] * v[k * n + i]));
        for (int64_t j = 0; j <= k; j++)
            skew = fmax(skew, fabs(inner(v + j * n, v + k * n, n) - (j == k)));
    }
    CHECK(worst <= 1e-13 * (double)n * size);
    CHECK(skew <= 1e-13 * (double)(n + 8));
    wgdn_release(work);
    wgdn_release(w);
    wgdn_release(v);
}

static void test_eigen(void)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 64, 150};
    for (int s = 0; s < 6; s++) {
        const int64_t n = sizes[s];
        double *a = symmetric(n, 1);
        check_eigen(a, n, 30);
        for (int64_t i = 0; i < n * n; i++) /* rank one, then nothing: all the rest is 0 */
            a[i] = 1;
        check_eigen(a, n, (double)n);
        memset(a, 0, (size_t)(n * n) * sizeof *a);
        check_eigen(a, n, 1);
        for (int64_t i = 0; i < n; i++) /* all eigenvalues equal */
            a[i * n + i] = 3;
        check_eigen(a, n, 3);
        wgdn_release(a);
    }
}

/* ---- orthonormal columns ---- */

static double skewness(const float *q, int64_t n, int64_t k, int64_t skip)
{
    double worst = 0;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += (double)q[i * k + a] * q[i * k + b];
            if (a == skip || b == skip)
                CHECK(sum == 0);
            else
                worst = fmax(worst, fabs(sum - (a == b)));
        }
    return worst;
}

static void orthonormalize(float *q, int64_t n, int64_t k)
{
    wgdn_tall t = wgdn_tall_of(q, wgdn_alone(n), k);
    wgdn_tall_work work = {0};
    void *small = wgdn_alloc(wgdn_orthonormal_work(k), 1);
    CHECK(wgdn_orthonormalize(&t, small, &work, NULL) == WGDN_OK);
    wgdn_release(small);
    wgdn_tall_work_free(&work);
}

static void test_orthonormal(void)
{
    const int64_t n = 700, k = 24;
    float *q = random_matrix(5, n, k);
    for (int64_t i = 0; i < n; i++) /* columns that differ by a thousandth, and one of zeros */
        for (int64_t j = 0; j < k; j++)
            q[i * k + j] = j == 7 ? 0 : q[i * k] + 1e-3F * q[i * k + j];
    orthonormalize(q, n, k);
    CHECK(skewness(q, n, k, 7) < 2e-5);
    wgdn_release(q);
}

/* ---- singular vectors ---- */

/* A = U diag(s) V^T with U, V orthonormal and s falling by a tenth. */
typedef struct known {
    int64_t n, m, r;
    float *a, *u, *v;
    double s[12];
    void *work;
} known;

static wgdn_status known_times(float *y, const wgdn_tall *v, void *self, wgdn_error *err)
{
    const known *a = self;
    const wgdn_product p = wgdn_product_of(y, a->a, v->x, wgdn_alone(a->n), a->m, v->k);
    return wgdn_gemm_nn(&p, err);
}

static wgdn_status known_normal(wgdn_tall *v, void *self, wgdn_error *err)
{
    const known *a = self;
    float *y = matrix(a->n, v->k);
    wgdn_product p = wgdn_product_of(v->x, a->a, y, wgdn_alone(a->n), a->m, v->k);
    p.work = a->work;
    wgdn_status st = known_times(y, v, self, err);
    if (!st) st = wgdn_gemm_tn(&p, err);
    wgdn_release(y);
    return st;
}

static known make_known(int64_t n, int64_t m, int64_t r)
{
    known a = {.n = n, .m = m, .r = r, .a = matrix(n, m)};
    a.u = random_matrix(11, n, r);
    a.v = random_matrix(12, m, r);
    orthonormalize(a.u, n, r);
    orthonormalize(a.v, m, r);
    for (int64_t k = 0; k < r; k++)
        a.s[k] = 100 * pow(0.9, (double)k);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t k = 0; k < r; k++)
                a.a[i * m + j] += (float)(a.s[k] * a.u[i * r + k] * a.v[j * r + k]);
    a.work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(n), m, 64), 1);
    return a;
}

static void free_known(known *a)
{
    wgdn_release(a->work);
    wgdn_release(a->v);
    wgdn_release(a->u);
    wgdn_release(a->a);
}

static void find(float *out, void *context)
{
    known *a = context;
    const int64_t k = 16; /* more than A has */
    double value[16];
    const wgdn_operator op = {
        .rows = wgdn_alone(a->n), .times = known_times, .normal = known_normal, .self = a};
    float *q = random_matrix(21, a->m, k);
    wgdn_tall v = wgdn_tall_of(q, wgdn_alone(a->m), k);
    wgdn_subspace s = {.v = &v, .value = value};
    CHECK(wgdn_subspace_find(&s, &op, 2, NULL) == WGDN_OK);
    for (int64_t j = 0; j < a->r; j++) {
        double along = 0, cubes = 0;
        CHECK_NEAR(value[j], a->s[j], 1e-4 * a->s[j]);
        for (int64_t i = 0; i < a->m; i++) {
            along += (double)q[i * k + j] * a->v[i * a->r + j];
            cubes += pow(q[i * k + j], 3);
        }
        CHECK(fabs(along) > 1 - 1e-5);
        CHECK(cubes > 0);
    }
    for (int64_t j = a->r; j < k; j++)
        CHECK(value[j] < 1e-2);
    memcpy(out, q, (size_t)(a->m * k) * sizeof *out);
    wgdn_release(q);
}

static void test_subspace(void)
{
    known a = make_known(900, 300, 12);
    check_levels(find, &a, 300 * 16, NULL, 0);
    free_known(&a);
}

static int subspace_tests(void)
{
    RUN(test_eigen);
    RUN(test_orthonormal);
    RUN(test_subspace);
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"slabs", slabs_tests},
        {"scales", scales_tests},
        {"subspace", subspace_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
