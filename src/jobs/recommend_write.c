/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes lists of recommendations to a file, block after block, for users of the fit or for visitors
 * that bring their own interactions.
 */
#include "jobs.h"
#include "ranking.h"

#include <stdlib.h>

enum { BLOCK = 64 * WGDN_BLOCK_USERS };

typedef struct known_item {
    int32_t item;
    float value;
} known_item;

wgdn_status wgdn_recommender_match(wgdn_csr *rows, int64_t *unknown, const wgdn_recommender *r,
                                   const wgdn_interactions *x, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(&x->r);
    known_item *e = wgdn_alloc((size_t)entries, sizeof *e);
    int32_t *place = wgdn_alloc((size_t)x->r.cols, sizeof *place);
    wgdn_status st = WGDN_OK;
    if (!e || !place ||
        !wgdn_csr_alloc(rows, x->r.rows, r->x.r.cols, entries, x->r.value != NULL)) {
        st = wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld interactions", (long long)entries);
        goto done;
    }
    for (int64_t j = 0; j < x->r.cols; j++)
        place[j] = (int32_t)wgdn_ids_find(&r->item_index, wgdn_names_get(&x->item_id, j));
    *unknown = 0;
    for (int64_t i = 0, at = 0; i < x->r.rows; i++) {
        const int64_t first = at;
        for (int64_t k = x->r.offset[i]; k < x->r.offset[i + 1]; k++) {
            const int32_t item = place[x->r.column[k]];
            if (item >= 0) e[at++] = (known_item){item, x->r.value ? x->r.value[k] : 1};
            *unknown += item < 0;
        }
        qsort(e + first, (size_t)(at - first), sizeof *e, wgdn_by_int32);
        rows->offset[i + 1] = at;
    }
    for (int64_t k = 0; k < rows->offset[rows->rows]; k++) {
        rows->column[k] = e[k].item;
        if (rows->value) rows->value[k] = e[k].value;
    }

done:
    wgdn_release(place);
    wgdn_release(e);
    return st;
}

typedef struct listing {
    const wgdn_recommender *r;
    wgdn_recommend_query q;      /* of all */
    const wgdn_interactions *of; /* whose users these are */
    wgdn_job_table *table;
    int64_t *item, *user;
    float *score;
} listing;

static void put_block(listing *w, int64_t first, int64_t count)
{
    const wgdn_names *users = &w->of->user_id, *items = &w->r->x.item_id;
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < w->q.k && w->item[c * w->q.k + i] >= 0; i++) {
            const int64_t at = c * w->q.k + i;
            wgdn_job_put_text(w->table,
                              wgdn_names_get(users, w->q.user ? w->q.user[first + c] : first + c));
            wgdn_job_put_text(w->table, wgdn_names_get(items, w->item[at]));
            wgdn_job_put_real(w->table, (double)w->score[at]);
        }
}

static wgdn_status write_lists(listing *w, wgdn_error *err)
{
    const int64_t k = w->q.k;
    wgdn_status st = WGDN_OK;
    w->item = wgdn_alloc((size_t)(BLOCK * k), sizeof *w->item);
    w->score = wgdn_alloc((size_t)(BLOCK * k), sizeof *w->score);
    w->user = wgdn_alloc(BLOCK, sizeof *w->user);
    if (!w->item || !w->score || !w->user)
        return wgdn_fail(err, WGDN_ENOMEM, "recommend: %d lists of %lld", (int)BLOCK, (long long)k);
    for (int64_t at = 0; !st && at < w->q.count; at += BLOCK) {
        wgdn_recommend_query q = w->q;
        q.count = wgdn_min(BLOCK, w->q.count - at);
        for (int64_t c = 0; c < q.count; c++)
            w->user[c] = w->q.user ? w->q.user[at + c] : at + c;
        q.user = w->q.offset ? NULL : w->user;
        q.offset = w->q.offset ? w->q.offset + at : NULL;
        st = wgdn_recommender_rank(w->item, w->score, w->r, &q, err);
        if (!st) put_block(w, at, q.count);
    }
    return st;
}

/* The table of what the query asks for. */
static wgdn_status write_table(listing *w, const char *path, const char *format, wgdn_error *err)
{
    const bool one = w->r->x.one_mode;
    const char *name[] = {one ? "id" : "user", one ? "neighbor" : "item", "score"};
    wgdn_job_column column[3];
    for (int i = 0; i < 3; i++)
        column[i] = (wgdn_job_column){wgdn_text_of(name[i], strlen(name[i])),
                                      i < 2 ? WGDN_JOB_TEXT : WGDN_JOB_REAL};
    wgdn_status st = wgdn_job_table_open(&w->table, path, format, column, 3, err);
    if (st) return st;
    st = write_lists(w, err);
    if (!st) return wgdn_job_table_close(w->table);
    wgdn_job_table_abandon(w->table);
    return st;
}

wgdn_status wgdn_recommender_write(const wgdn_recommender *r, const wgdn_recommend_query *asked,
                                   const wgdn_dataset *visitors, const char *path,
                                   const char *format, wgdn_error *err)
{
    listing w = {.r = r, .of = &r->x};
    wgdn_interactions x = {0};
    wgdn_csr rows = {0};
    int64_t unknown = 0;
    wgdn_status st = WGDN_OK;
    wgdn_result_ask(&w.q, asked, sizeof w.q);
    if (visitors) {
        st = wgdn_interactions_from(&x, visitors, r->values, err);
        if (!st) st = wgdn_recommender_match(&rows, &unknown, r, &x, err);
        if (!st && unknown == wgdn_csr_entries(&x.r))
            st = wgdn_fail(err, WGDN_EINVAL,
                           "recommend: none of the %lld interactions of new users is with a known "
                           "item",
                           (long long)unknown);
        w.of = &x;
        w.q.user = NULL;
        w.q.count = x.r.rows;
        w.q.offset = rows.offset;
        w.q.item = rows.column;
        w.q.weight = rows.value;
    }
    if (!st) st = write_table(&w, path, format, err);
    wgdn_release(w.user);
    wgdn_release(w.score);
    wgdn_release(w.item);
    wgdn_csr_free(&rows);
    wgdn_interactions_free(&x);
    return st;
}
