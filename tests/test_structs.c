/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results for callers that were compiled against an older header: their structs end earlier, and
 * not a byte behind that may change. Every public struct that a call fills in is here, cut after
 * its struct_size and in the middle.
 */
#include "vectors.h"

enum { N = 24, DIM = 2, ROOM = 1024, MARK = 0x5a };

typedef struct scene {
    wgdn_dataset *d;
    wgdn_embedding *e;
    wgdn_links *l;
    wgdn_eval_options o;
    wgdn_train_options t;
} scene;

/* A ring in two halves, which the vectors tell apart. */
static void open_scene(scene *s)
{
    static int64_t from[N], to[N];
    static int32_t label[N];
    static float x[N * DIM];
    for (int64_t i = 0; i < N; i++) {
        from[i] = i;
        to[i] = (i + 1) % N;
        label[i] = i < N / 2;
        x[DIM * i + label[i]] = 1 + (float)i / N;
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = N,
                                   .source = from,
                                   .target = to,
                                   .features = DIM,
                                   .dense = x,
                                   .label = label};
    *s = (scene){0};
    wgdn_eval_options_init(&s->o);
    wgdn_train_options_init(&s->t);
    s->o.runs = s->o.restarts = 1;
    s->o.steps = 2;
    s->o.folds = 3;
    s->t.dim = 4;
    CHECK(wgdn_dataset_from_arrays(&s->d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_from_values(&s->e, x, N, DIM, s->d, NULL) == WGDN_OK);
    CHECK(wgdn_links_from_dataset(&s->l, s->d, &s->o, NULL) == WGDN_OK);
}

static void close_scene(scene *s)
{
    wgdn_links_free(s->l);
    wgdn_embedding_free(s->e);
    wgdn_dataset_free(s->d);
}

typedef wgdn_status (*filler)(void *out, const scene *s, wgdn_error *err);

static wgdn_status fill_machine(void *out, const scene *s, wgdn_error *err)
{
    (void)s;
    (void)err;
    wgdn_machine_get(out);
    return WGDN_OK;
}

static wgdn_status fill_info(void *out, const scene *s, wgdn_error *err)
{
    (void)err;
    wgdn_dataset_get_info(out, s->d);
    return WGDN_OK;
}

static wgdn_status fill_projection(void *out, const scene *s, wgdn_error *err)
{
    float at[2 * N];
    return wgdn_embedding_project(at, out, s->e, NULL, err);
}

static wgdn_status fill_probe(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_probe(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_svm(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_classify(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_cluster(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_cluster(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_links(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_links_score(out, s->l, s->e, &s->o, err);
}

static wgdn_status fill_needs(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_train_estimate(out, s->d, &s->t, 0, 1, err);
}

static wgdn_status fill_explanation(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_train_explain(out, s->d, &s->t, err);
}

static const struct {
    const char *name;
    filler fill;
    size_t size;
} results[] = {
    {"machine", fill_machine, sizeof(wgdn_machine)},
    {"dataset_info", fill_info, sizeof(wgdn_dataset_info)},
    {"projection_result", fill_projection, sizeof(wgdn_projection_result)},
    {"probe_result", fill_probe, sizeof(wgdn_probe_result)},
    {"svm_result", fill_svm, sizeof(wgdn_svm_result)},
    {"cluster_result", fill_cluster, sizeof(wgdn_cluster_result)},
    {"links_result", fill_links, sizeof(wgdn_links_result)},
    {"train_needs", fill_needs, sizeof(wgdn_train_needs)},
    {"explanation", fill_explanation, sizeof(wgdn_explanation)},
};

/* A struct of this size; nothing but its inside may change, and struct_size stays. */
static void check_size(size_t r, size_t size, const scene *s)
{
    _Alignas(16) unsigned char out[ROOM];
    size_t kept;
    bool good = true;
    memset(out, MARK, sizeof out);
    memset(out, 0, size);
    memcpy(out, &size, sizeof size);
    const wgdn_status st = results[r].fill(out, s, NULL);
    if (st == WGDN_ENOSUPPORT) return; /* this build has no SVM */
    memcpy(&kept, out, sizeof kept);
    for (size_t i = size < results[r].size ? size : results[r].size; i < size; i++)
        good = good && out[i] == 0;
    for (size_t i = size; i < sizeof out; i++)
        good = good && out[i] == MARK;
    if (st || kept != size || !good)
        fprintf(stderr, "wgdn_%s, %zu of %zu bytes: status %d\n", results[r].name, size,
                results[r].size, (int)st);
    CHECK(st == WGDN_OK && kept == size && good);
}

static void short_and_long_ones(void)
{
    scene s;
    open_scene(&s);
    for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
        check_size(r, sizeof(size_t), &s);
        check_size(r, results[r].size / 2 / 8 * 8, &s);
        check_size(r, results[r].size, &s);
        check_size(r, results[r].size + 64, &s);
    }
    close_scene(&s);
}

/* A caller that forgot: refused where a call can say so, and nothing is written. */
static void size_not_set(void)
{
    scene s;
    open_scene(&s);
    for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
        _Alignas(16) unsigned char out[ROOM] = {0};
        const wgdn_status st = results[r].fill(out, &s, NULL);
        if (r > 1) CHECK(st == WGDN_EINVAL || st == WGDN_ENOSUPPORT);
        for (size_t i = 0; i < sizeof out; i++)
            CHECK(out[i] == 0);
    }
    close_scene(&s);
}

int main(void)
{
    RUN(short_and_long_ones);
    RUN(size_not_set);
    return check_result();
}
