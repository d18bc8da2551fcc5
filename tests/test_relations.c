/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* Directions and types of edges: their random walks, in files, in another order, and as vectors. */
#include "check.h"
#include "data/draft.h"
#include "fit/fit.h"
#include "scratch.h"
#include "support.h"

enum { N = 120, M = 600 };

/* 0 -> 1 twice, with weights 1 and 2; 0 -> 2 with 3; 2 -> 0 with 4; a loop. */
static int32_t few_ends[] = {0, 1, 0, 2, 0, 1, 2, 0, 1, 1};
static float few_weights[] = {1, 3, 2, 4, 9};
static int32_t few_types[] = {0, 1, 0, 1, 0};

static wgdn_names two_types(void)
{
    wgdn_names names;
    const wgdn_text text[] = {wgdn_text_of("buys", 4), wgdn_text_of("sells", 5)};
    CHECK(wgdn_names_from(&names, text, 2, NULL) == WGDN_OK);
    return names;
}

static double share(const wgdn_relations *r, const char *name, int64_t i, int64_t j)
{
    const int64_t k = wgdn_relations_find(r, wgdn_text_of(name, strlen(name)));
    CHECK(k >= 0);
    if (k < 0) return -1;
    const wgdn_csr a = wgdn_relations_get(r, k);
    for (int64_t at = a.offset[i]; at < a.offset[i + 1]; at++)
        if (a.column[at] == j) return a.value[at];
    return 0;
}

static void few_edges(void)
{
    const wgdn_edges e = {.end = few_ends, .weight = few_weights, .count = 5};
    const wgdn_names none = {0};
    wgdn_relations r;
    CHECK(wgdn_relations_make(&r, &e, 3, WGDN_DIRECTION_IGNORE, &none, NULL) == WGDN_OK);
    CHECK(r.count == 0);
    CHECK(wgdn_relations_make(&r, &e, 3, WGDN_DIRECTION_BOTH, &none, NULL) == WGDN_OK);
    CHECK(r.count == 2 && r.rows.rows == 6);
    CHECK(share(&r, "forward", 0, 1) == 0.5 && share(&r, "forward", 0, 2) == 0.5);
    CHECK(share(&r, "forward", 2, 0) == 1 && share(&r, "forward", 1, 1) == 0);
    CHECK(share(&r, "backward", 1, 0) == 1 && share(&r, "backward", 0, 2) == 1);
    wgdn_relations_free(&r);
    CHECK_ALLOCATIONS(wgdn_relations_make(&r, &e, 3, WGDN_DIRECTION_BOTH, &none, NULL),
                      wgdn_relations_free(&r));
}

static void few_types_of_edges(void)
{
    const wgdn_edges e = {.end = few_ends, .weight = few_weights, .type = few_types, .count = 5};
    wgdn_names types = two_types();
    wgdn_relations r;
    CHECK(wgdn_relations_make(&r, &e, 3, WGDN_DIRECTION_IGNORE, &types, NULL) == WGDN_OK);
    CHECK(r.count == 2);
    CHECK(share(&r, "buys", 0, 1) == 1 && share(&r, "buys", 1, 0) == 1);
    CHECK(share(&r, "buys", 0, 2) == 0 && share(&r, "sells", 0, 2) == 1);
    wgdn_relations_free(&r);
    CHECK(wgdn_relations_make(&r, &e, 3, WGDN_DIRECTION_BOTH, &types, NULL) == WGDN_OK);
    CHECK(r.count == 4 && share(&r, "sells forward", 2, 0) == 1);
    CHECK(share(&r, "buys backward", 0, 1) == 0);
    const int32_t row[] = {2, 0, 1}; /* node 2 comes first */
    wgdn_relations moved;
    CHECK(wgdn_relations_arrange(&moved, &r, row, NULL) == WGDN_OK);
    CHECK(share(&moved, "sells forward", 0, 1) == 1 && share(&moved, "buys forward", 1, 2) == 1);
    wgdn_relations_free(&moved);
    CHECK_ALLOCATIONS(wgdn_relations_arrange(&moved, &r, row, NULL), wgdn_relations_free(&moved));
    wgdn_relations_free(&r);
    wgdn_names_free(&types);
}

/* ---- vectors ---- */

static void write_edges(void)
{
    char text[64 * M];
    size_t used = 0;
    const wgdn_stream s = {.seed = 3, .call = 1};
    used += (size_t)sprintf(text, "source\ttarget\n");
    for (int k = 0; k < M; k++)
        used +=
            (size_t)sprintf(text + used, "n%d\tn%d\n", k % N, (int)(wgdn_random_bits(s, 0, k) % N));
    scratch_write("g.tsv", text, used);
}

static wgdn_dataset *read_edges(const char *name, wgdn_direction directed)
{
    wgdn_dataset *d = NULL;
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.directed = directed;
    CHECK(wgdn_dataset_read(&d, scratch(name).text, &o, NULL) == WGDN_OK);
    return d;
}

static float *vectors(const wgdn_model *m, const wgdn_dataset *d, int threads)
{
    wgdn_embed_options o;
    wgdn_embedding *e = NULL;
    wgdn_embed_options_init(&o);
    o.threads = threads;
    CHECK(wgdn_model_embed(&e, m, d, &o, NULL) == WGDN_OK);
    float *x = matrix(wgdn_embedding_rows(e), wgdn_embedding_dim(e));
    memcpy(x, wgdn_embedding_get_values(e),
           (size_t)(wgdn_embedding_rows(e) * wgdn_embedding_dim(e)) * sizeof *x);
    wgdn_embedding_free(e);
    return x;
}

/* The same vectors from the file, from the packed dataset, reordered, saved, with more threads. */
static void as_vectors(void)
{
    wgdn_dataset *d = read_edges("g.tsv", WGDN_DIRECTION_BOTH), *packed = NULL, *plain = NULL;
    wgdn_model *m = NULL, *again = NULL;
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_fit_options_init(&o);
    o.dim = 32;
    CHECK(wgdn_dataset_write(d, scratch("g.safetensors").text, NULL, NULL) == WGDN_OK);
    packed = read_edges("g.safetensors", WGDN_DIRECTION_IGNORE);
    plain = read_edges("g.tsv", WGDN_DIRECTION_IGNORE);
    CHECK(packed->relations.count == 2 && plain->relations.count == 0);
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_model_save(m, scratch("m").text, NULL) == WGDN_OK);
    CHECK(wgdn_model_load(&again, scratch("m").text, NULL) == WGDN_OK);
    float *x = vectors(m, d, 1), *y = vectors(again, packed, 3);
    CHECK(memcmp(x, y, N * 32 * sizeof *x) == 0);
    wgdn_release(y);
    CHECK(wgdn_dataset_reorder(d, WGDN_ORDER_METIS, NULL) == WGDN_OK);
    y = vectors(again, d, 2);
    for (int64_t k = 0; k < (int64_t)N * 32; k++)
        CHECK(fabsf(x[k] - y[k]) < 1e-4F);
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, plain, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "--directed"));
    wgdn_release(y);
    wgdn_release(x);
    wgdn_model_free(again);
    wgdn_model_free(m);
    wgdn_dataset_free(plain);
    wgdn_dataset_free(packed);
    wgdn_dataset_free(d);
}

/* The order of rows shows in rounding alone, also where the fit sees another one. */
static void in_another_order(void)
{
    wgdn_dataset *d = read_edges("g.tsv", WGDN_DIRECTION_BOTH);
    wgdn_dataset *moved = read_edges("g.tsv", WGDN_DIRECTION_BOTH);
    wgdn_model *m = NULL, *other = NULL;
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    CHECK(wgdn_dataset_reorder(moved, WGDN_ORDER_METIS, NULL) == WGDN_OK);
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_model_fit(&other, moved, &o, NULL) == WGDN_OK);
    float *x = vectors(m, d, 1), *y = vectors(other, moved, 1);
    for (int64_t k = 0; k < (int64_t)N * 16; k++)
        CHECK(fabsf(x[k] - y[k]) < 1e-3F);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_model_free(other);
    wgdn_model_free(m);
    wgdn_dataset_free(moved);
    wgdn_dataset_free(d);
}

/* Models of former versions walk from random rows instead of a basis: they load and embed as before. */
static void of_former_versions(void)
{
    wgdn_dataset *d = read_edges("g.tsv", WGDN_DIRECTION_BOTH);
    wgdn_fitted *f = NULL;
    wgdn_model *m = NULL;
    wgdn_fit_options o;
    double sum = 0;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    CHECK(wgdn_fitted_make(&f, d, &o, NULL) == WGDN_OK);
    CHECK(f->parts == 3 && f->part[2].kind == WGDN_PART_SINGULAR);
    wgdn_fitted_part *p = &f->part[2];
    wgdn_release(p->block);
    wgdn_storage_close(&p->held);
    *p =
        (wgdn_fitted_part){.kind = WGDN_PART_RELATED, .hops = -1, .weight = 1, .dim = 8, .rows = 3};
    CHECK(wgdn_fitted_write(f, NULL, NULL, NULL, scratch("old").text, NULL) == WGDN_OK);
    CHECK(wgdn_model_load(&m, scratch("old").text, NULL) == WGDN_OK);
    float *x = vectors(m, d, 1), *y = vectors(m, d, 3);
    CHECK(memcmp(x, y, N * 16 * sizeof *x) == 0);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = 8; k < 16; k++)
            sum += (double)x[i * 16 + k] * (double)x[i * 16 + k];
    CHECK(fabs(sum - N / 3.0) < 1e-3 * N); /* one of three parts of the same length */
    wgdn_release(y);
    wgdn_release(x);
    wgdn_model_free(m);
    wgdn_fitted_free(f);
    wgdn_dataset_free(d);
}

/* Too many of them for the columns there are. */
static void too_narrow(void)
{
    wgdn_dataset *d = read_edges("g.tsv", WGDN_DIRECTION_BOTH);
    wgdn_fitted *f = NULL;
    wgdn_fit_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_fit_options_init(&o);
    o.dim = 8;
    CHECK(wgdn_fitted_make(&f, d, &o, NULL) == WGDN_OK);
    wgdn_fitted_free(f);
    d->relations.count = 8; /* as if there were more: nothing looks at their rows before */
    wgdn_names names = d->relations.names;
    int64_t start[9] = {0};
    d->relations.names = (wgdn_names){.count = 8, .start = start, .text = names.text};
    CHECK(wgdn_fitted_make(&f, d, &o, &err) == WGDN_EINVAL && strstr(err.message, "--dim 24"));
    d->relations.names = names;
    wgdn_dataset_free(d);
}

int main(void)
{
    scratch_begin();
    write_edges();
    RUN(few_edges);
    RUN(few_types_of_edges);
    RUN(as_vectors);
    RUN(in_another_order);
    RUN(of_former_versions);
    RUN(too_narrow);
    scratch_end();
    return check_result();
}
