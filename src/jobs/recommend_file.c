/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves recommenders as .safetensors files and loads them. recommend.c makes them; whatever follows
 * from the interactions and the recipe is computed again on loading.
 */
#include "base/bounds.h"
#include "io/archive.h"
#include "ranking.h"

enum { WHOLES = 8, REALS = 19, TENSORS = 12 };

static const char kind_key[] = "wgdn.kind", kind[] = "recommender";
static const char version_key[] = "wgdn.recommender", version[] = "1";
static const char reading_key[] = "wgdn.reading";

static void list_reals(double *slot, const wgdn_recommender *r)
{
    const wgdn_recipe *c = &r->recipe;
    const wgdn_list_quality *h = &r->held, *p = &r->popular, *a = &r->paths;
    const double all[REALS] = {(double)c->two,   (double)c->three, (double)c->five,  (double)c->low,
                               (double)c->paths, (double)c->power, (double)c->ridge, h->recall,
                               h->ndcg,          h->mrr,           h->hits,          p->recall,
                               p->ndcg,          p->mrr,           p->hits,          a->recall,
                               a->ndcg,          a->mrr,           a->hits};
    memcpy(slot, all, sizeof all);
}

wgdn_status wgdn_recommender_save(const wgdn_recommender *r, const char *path, wgdn_error *err)
{
    const wgdn_interactions *x = &r->x;
    const int64_t users = x->r.rows, items = x->r.cols, entries = wgdn_csr_entries(&x->r);
    const int64_t whole[WHOLES] = {
        x->one_mode,   r->recipe.middle, r->k, r->recipe.squared, r->values,
        r->held_users, r->held_queries,  items};
    const wgdn_text_pair pair[] = {
        {kind_key, kind}, {version_key, version}, {reading_key, r->reading}};
    double real[REALS];
    wgdn_tensor t[TENSORS];
    int64_t n = 0;
    list_reals(real, r);
    t[n++] = wgdn_tensor_of_vector("recommend.wholes", WGDN_I64, WHOLES, whole);
    t[n++] = wgdn_tensor_of_vector("recommend.reals", WGDN_F64, REALS, real);
    t[n++] = wgdn_tensor_of_vector("recommend.offset", WGDN_I64, users + 1, x->r.offset);
    t[n++] = wgdn_tensor_of_vector("recommend.column", WGDN_I32, entries, x->r.column);
    if (x->r.value)
        t[n++] = wgdn_tensor_of_vector("recommend.value", WGDN_F32, entries, x->r.value);
    t[n++] = wgdn_tensor_of_vector("recommend.user.start", WGDN_I64, users + 1, x->user_id.start);
    t[n++] = wgdn_tensor_of_vector("recommend.user.text", WGDN_U8, x->user_id.start[users],
                                   x->user_id.text);
    if (!x->one_mode) {
        t[n++] =
            wgdn_tensor_of_vector("recommend.item.start", WGDN_I64, items + 1, x->item_id.start);
        t[n++] = wgdn_tensor_of_vector("recommend.item.text", WGDN_U8, x->item_id.start[items],
                                       x->item_id.text);
    }
    if (r->v) t[n++] = wgdn_tensor_of_vector("recommend.v", WGDN_F32, items * r->k, r->v);
    if (r->v) t[n++] = wgdn_tensor_of_vector("recommend.values", WGDN_F64, r->k, r->value);
    if (r->ridge)
        t[n++] = wgdn_tensor_of_vector("recommend.ridge", WGDN_F32, items * items, r->ridge);
    return wgdn_write_safetensors(path, t, n, pair, r->reading ? 3 : 2, err);
}

/* ---- loading ---- */

typedef struct loading {
    const wgdn_archive *a;
    const char *path;
    bool no_memory;
    wgdn_error *err;
} loading;

static wgdn_status refuse(const loading *l, const char *what)
{
    if (l->no_memory) return wgdn_fail(l->err, WGDN_ENOMEM, "%s: a recommender", l->path);
    return wgdn_fail(l->err, WGDN_EFORMAT, "%s: %s of the recommender is missing or damaged",
                     l->path, what);
}

/* A copy of a tensor with this type, rank 1 and so many elements; -1: any number. NULL: refused. */
static void *copy_of(int64_t *count, loading *l, const char *name, wgdn_dtype dtype, int64_t wanted)
{
    const wgdn_tensor *t = wgdn_archive_find_vector(l->a, name, dtype, wanted);
    if (!t) return NULL;
    void *out = wgdn_alloc((size_t)t->shape[0], t->width);
    l->no_memory |= !out;
    if (out && t->shape[0]) memcpy(out, t->data, (size_t)t->shape[0] * t->width);
    *count = t->shape[0];
    return out;
}

static wgdn_status read_names(wgdn_names *n, const loading *l, const char *stem, int64_t count)
{
    return wgdn_names_read(n, l->a, stem, count, l->path, "the list of ids of the recommender",
                           l->err);
}

static bool are_finite(const float *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabsf(x[i]) <= WGDN_PARAMETER_MAX)) return false;
    return true;
}

static wgdn_status read_rows(wgdn_recommender *r, loading *l, int64_t items)
{
    wgdn_interactions *x = &r->x;
    wgdn_csr *c = &x->r;
    int64_t count, entries;
    c->cols = items;
    c->offset = copy_of(&count, l, "recommend.offset", WGDN_I64, -1);
    c->column = copy_of(&entries, l, "recommend.column", WGDN_I32, -1);
    if (!c->offset || !c->column || count < 2) return refuse(l, "the table of interactions");
    c->rows = count - 1;
    if (wgdn_archive_find(l->a, "recommend.value")) {
        c->value = copy_of(&count, l, "recommend.value", WGDN_F32, entries);
        if (!c->value || !are_finite(c->value, entries)) return refuse(l, "a weight");
    }
    if (x->one_mode && c->rows != items) return refuse(l, "the table of interactions");
    wgdn_status st = wgdn_rows_check(c, entries, "interactions", l->path, l->err);
    if (!st && x->one_mode) st = wgdn_symmetry_check(c, l->path, l->err);
    if (!st) st = read_names(&x->user_id, l, "recommend.user", c->rows);
    if (!st && !x->one_mode) st = read_names(&x->item_id, l, "recommend.item", items);
    return st;
}

/* The numbers; *items is how many there are. */
static wgdn_status read_numbers(wgdn_recommender *r, int64_t *items, loading *l)
{
    int64_t count;
    wgdn_status st = WGDN_OK;
    int64_t *w = copy_of(&count, l, "recommend.wholes", WGDN_I64, WHOLES);
    double *x = copy_of(&count, l, "recommend.reals", WGDN_F64, REALS);
    bool good = w && x;
    for (int i = 0; good && i < REALS; i++)
        good = fabs(x[i]) <= WGDN_PARAMETER_MAX;
    good = good && w[0] >= 0 && w[0] <= 1 && w[1] >= WGDN_MIDDLE_NONE && w[1] <= WGDN_MIDDLE_ONE &&
           w[2] >= 0 && w[2] <= 4096 && w[3] >= 0 && w[3] <= 1 &&
           w[4] >= WGDN_INTERACTION_VALUES_ONE && w[4] <= WGDN_INTERACTION_VALUES_WEIGHT &&
           w[7] >= 1 && w[7] < INT32_MAX && (x[3] == 0) == (w[2] == 0) && x[6] >= 0 &&
           !(w[0] && x[6] > 0);
    if (good) {
        r->x.one_mode = w[0] != 0;
        r->k = w[2];
        r->values = (wgdn_interaction_values)w[4];
        r->held_users = w[5];
        r->held_queries = w[6];
        *items = w[7];
        r->recipe = (wgdn_recipe){.two = (float)x[0],
                                  .three = (float)x[1],
                                  .five = (float)x[2],
                                  .low = (float)x[3],
                                  .paths = (float)x[4],
                                  .middle = (wgdn_middle)w[1],
                                  .columns = w[2],
                                  .squared = w[3] != 0,
                                  .power = (float)x[5],
                                  .ridge = (float)x[6]};
        r->held = (wgdn_list_quality){x[7], x[8], x[9], x[10]};
        r->popular = (wgdn_list_quality){x[11], x[12], x[13], x[14]};
        r->paths = (wgdn_list_quality){x[15], x[16], x[17], x[18]};
    } else {
        st = refuse(l, "a setting");
    }
    wgdn_release(x);
    wgdn_release(w);
    return st;
}

static wgdn_status read_matrices(wgdn_recommender *r, loading *l)
{
    const int64_t items = r->x.r.cols;
    int64_t count;
    if (r->recipe.ridge > 0) {
        r->ridge = copy_of(&count, l, "recommend.ridge", WGDN_F32, items * items);
        return r->ridge && are_finite(r->ridge, items * items) ? WGDN_OK : refuse(l, "the ridge");
    }
    if (r->k == 0) return WGDN_OK;
    r->v = copy_of(&count, l, "recommend.v", WGDN_F32, items * r->k);
    r->value = copy_of(&count, l, "recommend.values", WGDN_F64, r->k);
    bool good = r->v && r->value && are_finite(r->v, items * r->k);
    for (int64_t i = 0; good && i < r->k; i++)
        good = fabs(r->value[i]) <= WGDN_PARAMETER_MAX;
    if (!good) return refuse(l, "the low-pass part");
    r->probe = r->v;
    if (!r->x.one_mode) return WGDN_OK;
    r->probe = wgdn_alloc((size_t)items * (size_t)r->k, sizeof *r->probe);
    if (!r->probe) return wgdn_fail(l->err, WGDN_ENOMEM, "%s: a recommender", l->path);
    return wgdn_basis_image(r->probe, r->v, r->k, &r->x, l->err);
}

static wgdn_status read_parts(wgdn_recommender *r, loading *l)
{
    const char *said = wgdn_archive_metadata(l->a, version_key);
    const char *reading = wgdn_archive_metadata(l->a, reading_key);
    int64_t items = 0;
    if (!said)
        return wgdn_fail(l->err, WGDN_EFORMAT,
                         "%s: there is no recommender in it; 'wgdn recommend --save' writes one",
                         l->path);
    if (strcmp(said, version) != 0)
        return wgdn_fail(l->err, WGDN_EFORMAT,
                         "%s: a recommender of version %.20s; this library reads version %s",
                         l->path, said, version);
    wgdn_status st = wgdn_options_read(&r->options, NULL, WGDN_OPTIONS_KIND_RECOMMEND, l->err);
    if (!st) st = read_numbers(r, &items, l);
    if (!st) st = read_rows(r, l, items);
    if (!st) st = wgdn_interactions_make(&r->x, l->err);
    if (!st) st = read_matrices(r, l);
    if (!st && reading) {
        r->reading = wgdn_alloc(strlen(reading) + 1, 1);
        if (!r->reading) return wgdn_fail(l->err, WGDN_ENOMEM, "%s: a recommender", l->path);
        memcpy(r->reading, reading, strlen(reading) + 1);
    }
    return st ? st : wgdn_recommender_index(r, l->err);
}

wgdn_status wgdn_recommender_parse(wgdn_recommender **out, const wgdn_archive *a, const char *path,
                                   wgdn_error *err)
{
    wgdn_recommender *r = wgdn_alloc_zero(1, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "%s: a recommender", path);
    const wgdn_status st = read_parts(r, &(loading){a, path, false, err});
    if (st)
        wgdn_recommender_free(r);
    else
        *out = r;
    return st;
}

wgdn_status wgdn_recommender_load(wgdn_recommender **out, const char *path, wgdn_error *err)
{
    wgdn_archive a = {0};
    wgdn_status st = wgdn_archive_open(&a, path, err);
    if (!st) st = wgdn_recommender_parse(out, &a, path, err);
    wgdn_archive_free(&a);
    return st;
}
