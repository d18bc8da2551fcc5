/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* Little memory: the closed form by slabs of columns has the bits that it has in memory. */
#include "check.h"
#include "dataset/embedding.h"
#include "model/model.h"
#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { LIMITS = 1 }; /* slow, and the paths are the same */
#else
enum { LIMITS = 3 };
#endif
enum { N = 120000, F = 64, DEGREE = 4 };

/* Communities of 500 nodes, which share features. */
static wgdn_dataset *make(void)
{
    const wgdn_stream s = {.seed = 3, .call = 1};
    int64_t *source = wgdn_alloc((size_t)N * DEGREE, sizeof *source), edges = 0;
    int64_t *target = wgdn_alloc((size_t)N * DEGREE, sizeof *target);
    float *x = wgdn_alloc((size_t)N * F, sizeof *x);
    wgdn_dataset *d = NULL;
    CHECK(source && target && x);
    wgdn_random_normals(x, F, s, 0, N, 0, F);
    for (int64_t i = 0; i < N; i++) {
        x[i * F + i / 500 % F] += 4;
        for (int64_t k = 0; k < DEGREE; k++) {
            source[edges] = i;
            target[edges++] = i / 500 * 500 + (int64_t)(wgdn_random_bits(s, i, 1000 + k) % 500);
        }
    }
    memset(x + 70 * F, 0, F * sizeof *x); /* nothing is known of node 70 */
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = edges,
                                   .source = source,
                                   .target = target,
                                   .features = F,
                                   .dense = x};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(x);
    wgdn_release(target);
    wgdn_release(source);
    return d;
}

static char folder[] = "/tmp/wgdn-slabs-XXXXXX";

/* Beside the features, which are no mapped file here: they count as well. */
static void allow(wgdn_dataset *d, int64_t memory)
{
    d->memory = memory ? memory + (int64_t)N * F * 4 : 0;
    wgdn_release(d->folder);
    d->folder = memory ? wgdn_alloc(sizeof folder, 1) : NULL;
    if (d->folder) memcpy(d->folder, folder, sizeof folder);
}

static int64_t slab_of(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_room room;
    CHECK(wgdn_room_find(&room, d, o, NULL) == WGDN_OK);
    CHECK(!room.slab == !room.scratch);
    return room.slab;
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
static void check_file(const float *vectors, const wgdn_model *m, const wgdn_dataset *d)
{
    static const char path[] = "/tmp/wgdn-slabs.npy";
    wgdn_embedding *e = NULL, *back = NULL;
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.path = path;
    CHECK(wgdn_model_embed(&e, m, d, &o, NULL) == WGDN_OK);
    CHECK(!wgdn_embedding_get_values(e) == (d->folder != NULL));
    CHECK(wgdn_embedding_rows(e) == N && wgdn_embedding_dim(e) == F);
    CHECK(wgdn_embedding_read(&back, path, NULL) == WGDN_OK);
    CHECK(memcmp(vectors, wgdn_embedding_get_values(back), (size_t)N * F * sizeof *vectors) == 0);
    wgdn_embedding_free(back);
    wgdn_embedding_free(e);
    o.numbers = WGDN_NUMBERS_F16;
    CHECK(wgdn_model_embed(&e, m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_read(&back, path, NULL) == WGDN_OK);
    for (int64_t i = 0; i < (int64_t)N * F; i++) {
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

static float *vectors(const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_model *m = NULL;
    wgdn_embedding *e = NULL;
    float *out = wgdn_alloc((size_t)N * F, sizeof *out);
    CHECK(wgdn_model_fit(&m, d, o, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    CHECK(m->fitted->parts == 1 && m->fitted->part[0].dim == F && wgdn_embedding_dim(e) == F);
    CHECK(m->fitted->part[0].kind == (o->scale < 0 ? WGDN_PART_SHARED : WGDN_PART_FILTERED));
    CHECK((e->archive.sparing && e->vectors.borrowed) == (d->folder != NULL));
    memcpy(out, e->vectors.dense, (size_t)N * F * sizeof *out);
    wgdn_embedding_free(e);
    check_file(out, m, d);
    wgdn_model_free(m);
    return out;
}

/* The same for every slab and number of threads, and nothing is left in the folder. */
static void same_bits(wgdn_dataset *d, double scale)
{
    static const int64_t memory[3] = {115000000, 140000000, 170000000};
    const size_t bytes = (size_t)N * F * sizeof(float);
    int64_t slab = 0;
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = F;
    o.scale = scale;
    o.threads = 2;
    allow(d, 0);
    float *whole = vectors(d, &o);
    for (int i = 0; i < LIMITS; i++) {
        allow(d, memory[i]);
        CHECK(slab_of(d, &o) > slab);
        slab = slab_of(d, &o);
        o.threads = 1 + i % 2;
        o.keep = i % 2;
        float *parts = vectors(d, &o);
        CHECK(memcmp(whole, parts, bytes) == 0);
        CHECK(files_in(folder) == 0);
        wgdn_release(parts);
    }
    CHECK(slab < F);
    wgdn_release(whole);
}

static void test_bits(void)
{
    wgdn_dataset *d = make();
    same_bits(d, -1);
    same_bits(d, 2);
    wgdn_dataset_free(d);
}

static void test_refusals(void)
{
    wgdn_dataset *d = make();
    wgdn_error err;
    wgdn_model *m = NULL;
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = F;
    allow(d, 50000000);
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ENOMEM);
    CHECK(strstr(err.message, "at its narrowest"));
    allow(d, 140000000);
    o.dim = F / 2; /* a basis is found in memory */
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ENOMEM);
    o.dim = F;
    o.features = WGDN_USE_STRUCTURE;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ENOMEM);
    o.features = WGDN_USE_AUTO;
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
    static const char path[] = "/tmp/wgdn-large.npy";
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

int main(void)
{
    CHECK(mkdtemp(folder));
    RUN(test_bits);
    RUN(test_refusals);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* these take terabytes */
    RUN(test_search);
#endif
    CHECK(rmdir(folder) == 0);
    return check_result();
}
