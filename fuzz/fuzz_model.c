/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models, trained and fitted, predictors and recommenders: loaded, looked at, and made to embed a small graph, to
 * predict its nodes, or to make lists.
 */
#include "fuzz_sizes.h"
#include "fuzz_use.h"

#include "jobs/predictor.h"
#include "jobs/ranking.h"

enum { LISTED = 5, USERS = 8 };

static void embed(const wgdn_model *m, const wgdn_model_info *i)
{
    wgdn_error err = {WGDN_OK, ""};
    if (i->features > FUZZ_COLUMNS_MAX) return;
    wgdn_dataset *d = fuzz_ring(i->features, fuzz_ring_graphs(m));
    FUZZ_EXPECT(fuzz_refuses(fuzz_embed(m, d, &err), &err));
    wgdn_dataset_free(d);
}

static void use(const wgdn_model *m)
{
    wgdn_model_info i = {.struct_size = sizeof i, .examine = 1};
    wgdn_fit_report r = {.struct_size = sizeof r};
    wgdn_model_describe(&i, m);
    FUZZ_EXPECT(i.dim > 0 && i.features >= 0 && i.not_finite == 0);
    if (i.encoding) fuzz_touch(i.encoding, strlen(i.encoding));
    if (i.fit) FUZZ_EXPECT(wgdn_model_describe_fit(&r, m, NULL) == WGDN_OK);
    embed(m, &i);
}

/* Probabilities, or numbers, of the nodes of the rings. */
static wgdn_status predict(const wgdn_predictor *p, const wgdn_model *m, const wgdn_dataset *d,
                           wgdn_error *err)
{
    wgdn_predict_report r = {.struct_size = sizeof r};
    wgdn_embedding *e = NULL;
    wgdn_predictor_describe(&r, p);
    const bool number = r.kind == WGDN_PREDICT_KIND_NUMBER;
    const int64_t nodes = wgdn_dataset_nodes(d), columns = number ? 1 : r.classes;
    float *values = wgdn_alloc((size_t)nodes, (size_t)columns * sizeof *values);
    int32_t *best = wgdn_alloc((size_t)nodes, sizeof *best);
    wgdn_status st = values && best ? wgdn_model_embed(&e, m, d, NULL, err)
                                    : wgdn_fail(err, WGDN_ENOMEM, "predictions");
    if (!st) st = wgdn_predictor_apply(values, number ? NULL : best, p, e, d, NULL, err);
    if (!st) fuzz_touch(values, (size_t)(nodes * columns) * sizeof *values);
    for (int64_t i = 0; !st && !number && i < nodes; i++)
        FUZZ_EXPECT(best[i] >= 0 && best[i] < r.classes);
    wgdn_embedding_free(e);
    wgdn_release(best);
    wgdn_release(values);
    return st;
}

static wgdn_status use_predictor(const wgdn_archive *a, wgdn_error *err)
{
    wgdn_predictor *p = NULL;
    wgdn_model *m = NULL;
    wgdn_model_info i = {.struct_size = sizeof i};
    size_t size;
    wgdn_status st = wgdn_predictor_parse(&p, &m, a, "input", err);
    if (!st) wgdn_model_describe(&i, m);
    for (int64_t c = 0; !st; c++) {
        const char *name = wgdn_predictor_get_class_name(&size, p, c);
        if (!name) break;
        fuzz_touch(name, size);
    }
    if (!st && i.features <= FUZZ_COLUMNS_MAX) {
        wgdn_dataset *d = fuzz_ring(i.features, fuzz_ring_graphs(m));
        st = predict(p, m, d, err);
        wgdn_dataset_free(d);
    }
    wgdn_predictor_free(p);
    wgdn_model_free(m);
    return st;
}

/* Lists of the first users, and vectors now and then. */
static wgdn_status make_lists(const wgdn_recommender *r, unsigned way, wgdn_error *err)
{
    wgdn_recommender_info i = {.struct_size = sizeof i};
    wgdn_recommend_query q;
    wgdn_embedding *e = NULL;
    int64_t item[USERS * LISTED];
    float score[USERS * LISTED];
    double kept;
    wgdn_recommender_describe(&i, r);
    FUZZ_EXPECT(i.users > 0 && i.items > 0 && strlen(i.formula) < sizeof i.formula);
    wgdn_recommend_query_init(&q);
    q.count = i.users < USERS ? i.users : USERS;
    q.k = LISTED;
    q.include_seen = way & 1;
    wgdn_status st = wgdn_recommender_rank(item, score, r, &q, err);
    for (int64_t k = 0; !st && k < q.count * LISTED; k++)
        FUZZ_EXPECT(item[k] >= -1 && item[k] < i.items);
    for (int64_t u = 0; u < q.count; u++) {
        char id[256];
        const int64_t size = wgdn_recommender_id(id, sizeof id, r, WGDN_SIDE_USERS, u);
        FUZZ_EXPECT(size >= 0);
        if (size < (int64_t)sizeof id)
            FUZZ_EXPECT(wgdn_recommender_find(r, WGDN_SIDE_USERS, id, (size_t)size) >= 0);
    }
    if (!st && way % 16 == 2) st = wgdn_recommender_embed(&e, &kept, r, 2, NULL, err);
    wgdn_embedding_free(e);
    return st;
}

static wgdn_status use_recommender(const wgdn_archive *a, unsigned way, wgdn_error *err)
{
    wgdn_recommender *r = NULL;
    wgdn_status st = wgdn_recommender_parse(&r, a, "input", err);
    if (!st) st = make_lists(r, way, err);
    wgdn_recommender_free(r);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_archive a = {0};
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const int64_t live = fuzz_use_begin();
    wgdn_status st = wgdn_archive_parse(&a, &b, FUZZ_LIMIT, &err);
    const bool predicts = !st && wgdn_archive_metadata(&a, "wgdn.predictor");
    const bool lists = !st && !predicts && wgdn_archive_metadata(&a, "wgdn.recommender");
    if (predicts) st = use_predictor(&a, &err);
    if (lists) st = use_recommender(&a, fuzz_way(data, size), &err);
    if (!st && !predicts && !lists) st = wgdn_any_model_parse(&m, &a, "input", &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_archive_free(&a); /* a model keeps nothing of its file */
    if (m) use(m);
    wgdn_model_free(m);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
