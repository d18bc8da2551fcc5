/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the job "recommend" share: interactions, score parts, lists, the fitted object. */
#ifndef WGDN_JOBS_RANKING_H
#define WGDN_JOBS_RANKING_H

#include "data/dataset.h"
#include "linalg/linalg.h"

#include <wgdn/recommend.h>

/* ---- who has what: interactions.c ---- */

/*
 * The matrix R of users x items, and its transpose. In a graph with one kind of nodes both sides
 * are the nodes, and t has the arrays of r.
 */
typedef struct wgdn_interactions {
    bool one_mode;
    wgdn_csr r, t;
    wgdn_names user_id, item_id; /* one mode: item_id has the arrays of user_id */
    uint64_t *user_key, *item_key;
    float *user_scale, *item_scale; /* d^-1/2, 0 where there is none; one mode: the same array */
    int32_t *order; /* place of each item where scores tie: more interactions first, then by id */
    int64_t *reach; /* interactions of all users of each item */
} wgdn_interactions;

WGDN_MUST_CHECK wgdn_status wgdn_interactions_from(wgdn_interactions *x, const wgdn_dataset *d,
                                                   wgdn_interaction_values values, wgdn_error *err);
/* From rows and names that it takes over, also after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_interactions_make(wgdn_interactions *x, wgdn_error *err);
void wgdn_interactions_free(wgdn_interactions *x);
/*
 * x without the part that is held out, which becomes the rows `held`. Names and keys stay x's. Of
 * two sides, `fraction` of the interactions of every user who has two or more, and at least one; of one
 * mode, `fraction` of the edges, each in the row of one of its ends.
 */
WGDN_MUST_CHECK wgdn_status wgdn_interactions_hold(wgdn_interactions *rest, wgdn_csr *held,
                                                   const wgdn_interactions *x, double fraction,
                                                   uint64_t seed, wgdn_error *err);
void wgdn_interactions_free_rest(wgdn_interactions *rest);
/* Users with held-out rows, in an order that the seed fixes, until these rows have `wanted` queries. */
WGDN_MUST_CHECK wgdn_status wgdn_interactions_sample(int64_t **user, int64_t *count,
                                                     const wgdn_interactions *x,
                                                     const wgdn_csr *held, int64_t wanted,
                                                     uint64_t seed, wgdn_error *err);

/* ---- the ridge over items: item_ridge.c ---- */

/*
 * B = I - P diag(P)^-1, P = (R^T R + lambda I)^-1, transposed: row i has what an interaction with item
 * i adds to the score of each item. *b: items x items, new.
 */
WGDN_MUST_CHECK wgdn_status wgdn_item_ridge(float **b, const wgdn_interactions *x, double lambda,
                                            wgdn_error *err);

/* ---- scores for a block of users: ranking.c ---- */

/* Weights of the node in the middle of two steps, or of both nodes in the middle of three. */
typedef enum wgdn_middle {
    WGDN_MIDDLE_NONE,   /* no such part */
    WGDN_MIDDLE_DEGREE, /* 1 / d */
    WGDN_MIDDLE_LOG,    /* 1 / log d */
    WGDN_MIDDLE_ONE,    /* 1 */
} wgdn_middle;

/*
 * The score of item j for the row r_u of a user. G = N^T N, N = Du^-1/2 R Di^-1/2:
 *     two sides   r_u Di^-1/2 (three G + five G^2 + low V V^T) Di^power,  or ridge: r_u B Di^power
 *     one mode    (two S^2 + three S^3 + five S^5 + low V Sigma^(2 squared) V^T)_u D^power
 *                 + paths A diag(m) A for the middle weights m
 * paths of two sides, for comparison and without another part: R diag(m) R^T diag(m) R.
 */
typedef struct wgdn_recipe {
    float two, three, five, low, paths;
    wgdn_middle middle; /* of paths */
    int64_t columns;    /* of V, where low is not 0 */
    bool squared;
    float power;
    float ridge; /* lambda, or 0 */
} wgdn_recipe;

/* What scores are computed from. */
typedef struct wgdn_scorer {
    const wgdn_interactions *x;
    const float *v; /* items x k, or NULL */
    const float
        *probe; /* a user's row times this gives the weights of the columns of v: v or N V */
    int64_t k;
    const double *value; /* of the columns: singular values */
    const float *ridge;  /* items x items, or NULL */
} wgdn_scorer;

enum {
    WGDN_BLOCK_USERS = 128,
    WGDN_BAND = 64, /* columns that are multiplied at a time */
    WGDN_NEAR = 8   /* steps of a group of users that cost as much as a step of one user */
};

/* Which buffers there are; five: also where it has to be known apart from three. */
typedef struct wgdn_score_set {
    bool two, three, five, low, paths, ridge;
    bool near; /* three is kept for the items that are reached, and nothing else has steps */
} wgdn_score_set;

/*
 * Items within three steps of the users of a block, in ascending order, and what the steps sum up to.
 * One user after another: where few interactions are reached, this costs less than a step of all.
 */
typedef struct wgdn_near {
    float *walk, *sum;           /* of each user, of each item; zeros between two users */
    uint64_t *by_user, *by_item; /* a bit for each that is reached */
    int64_t offset[WGDN_BLOCK_USERS + 1], room;
    int32_t *item;
    float *value;
} wgdn_near;

/*
 * What the scores of a block of users follow from. Steps are taken by groups of 32 users, and scores
 * are made for a wave of items at a time, since these fit into the cache. `five` is in `three` already
 * unless it has a buffer of its own.
 */
typedef struct wgdn_scores {
    wgdn_arrays arrays;
    wgdn_csr query; /* rows of the users of the block, items in ascending order; at most as many */
    int64_t rows;   /* of the query that were asked for */
    float *scaled;  /* its entries, normalized; longest of them */
    int64_t room;   /* entries of the query */
    wgdn_near near; /* of two sides */
    float *walk, *feed;                /* a group: of users, of items */
    float *two, *three, *five, *paths; /* items x WGDN_BLOCK_USERS */
    float *ridge;                      /* WGDN_BLOCK_USERS x items */
    float *weight;                     /* of the columns of v: WGDN_BLOCK_USERS x k */
    float *folded;                     /* the same by the recipe: k x WGDN_BLOCK_USERS */
    float *score;                      /* of a wave of items x WGDN_BLOCK_USERS */
} wgdn_scores;

wgdn_score_set wgdn_recipe_set(const wgdn_recipe *r);
/* Whether users who reach so many interactions in two steps are better gone through one by one. */
bool wgdn_is_near(const wgdn_interactions *x, int64_t users, double reach);
/* What a row of the query reaches. */
double wgdn_row_reach(const wgdn_interactions *x, const wgdn_csr *rows, int64_t row);
WGDN_MUST_CHECK wgdn_status wgdn_scores_open(wgdn_scores *p, const wgdn_scorer *s,
                                             wgdn_score_set has, wgdn_error *err);
void wgdn_scores_free(wgdn_scores *p);
/*
 * Calls block(i, ...) for each block of users i < count, on as many of `threads` as there is work for,
 * each with scores of its own.
 */
typedef wgdn_status (*wgdn_scores_call)(int64_t i, wgdn_scores *p, void *context, wgdn_error *err);
typedef struct wgdn_scores_work {
    const wgdn_scorer *s;
    wgdn_score_set has;
    int64_t count;
    int threads; /* as in wgdn_threads_use() */
    wgdn_scores_call block;
    void *context;
} wgdn_scores_work;
WGDN_MUST_CHECK wgdn_status wgdn_scores_each(const wgdn_scores_work *w, wgdn_error *err);
/* The query becomes rows of a matrix; row -1 and those behind `count` are empty. */
WGDN_MUST_CHECK wgdn_status wgdn_scores_ask(wgdn_scores *p, const wgdn_csr *rows,
                                            const int64_t *row, int64_t count, wgdn_error *err);
/* All that the recipe needs of the query; what it does not need stays. */
WGDN_MUST_CHECK wgdn_status wgdn_scores_fill(wgdn_scores *p, const wgdn_scorer *s,
                                             const wgdn_recipe *r, wgdn_error *err);
/* In place of that: rows of users x k as weights of the columns of v. */
void wgdn_scores_give(wgdn_scores *p, const float *weight, int64_t k, const int64_t *row,
                      int64_t count);
/* d^power of every item. */
void wgdn_popularity(float *out, const wgdn_interactions *x, double power);

/* How lists are made. */
typedef struct wgdn_listing {
    int64_t k;
    int64_t rows;           /* of the query, from the first on */
    bool seen;              /* items of the row may be listed */
    const uint8_t *allowed; /* 1 for each item that may be listed; or NULL: all */
    const int64_t *self;    /* the node of each row, which is not listed; or NULL */
} wgdn_listing;

/*
 * The k best items of each row, best first: item and score are rows x k; item is -1 where there are
 * no more. The parts of r are filled. popularity: wgdn_popularity() of r->power; or NULL: all 1.
 */
WGDN_MUST_CHECK wgdn_status wgdn_scores_list(int64_t *item, float *score, const wgdn_scores *p,
                                             const wgdn_scorer *s, const wgdn_recipe *r,
                                             const float *popularity, const wgdn_listing *l,
                                             wgdn_error *err);
/* The same by the number of interactions alone. popular: items in their order. */
void wgdn_popular_list(int64_t *item, const wgdn_scores *p, const int64_t *popular, int64_t items,
                       const wgdn_listing *l);

/* ---- quality of lists: ranking.c ---- */

/* Whether an item is one of `count` wanted ones, which ascend. */
bool wgdn_is_wanted(const int32_t *wanted, int64_t count, int64_t item);
/* What the ranks of wanted items, from 0 on, add up to. */
typedef struct wgdn_rank_sums {
    double gain, reciprocal;
    int64_t hits;
} wgdn_rank_sums;
/* each: the reciprocal ranks of all wanted items count, not that of the first alone. */
void wgdn_rank_add(wgdn_rank_sums *s, int64_t rank, int64_t depth, bool each);
wgdn_list_quality wgdn_rank_quality(const wgdn_rank_sums *s, int64_t depth, bool each,
                                    int64_t wanted);
/* The same of a list of k. */
wgdn_list_quality wgdn_list_judge(const int64_t *list, int64_t k, int64_t depth, bool each,
                                  const int32_t *wanted, int64_t count);
void wgdn_quality_add(wgdn_list_quality *sum, const wgdn_list_quality *q, double weight);
void wgdn_quality_divide(wgdn_list_quality *sum, double by);

/* ---- leading singular vectors of N: ranking_basis.c ---- */

/*
 * V of items x k and the singular values, longest first, by G^2 in each round. start: items x start_k
 * that is near V already; other columns begin with random numbers by the keys of the items.
 */
WGDN_MUST_CHECK wgdn_status wgdn_basis_find(float *v, double *value, int64_t k, const float *start,
                                            int64_t start_k, int rounds, const wgdn_interactions *x,
                                            wgdn_error *err);
/* What that takes beside v. */
double wgdn_basis_bytes(int64_t k, const wgdn_interactions *x);
/* N V, users x k. */
WGDN_MUST_CHECK wgdn_status wgdn_basis_image(float *y, const float *v, int64_t k,
                                             const wgdn_interactions *x, wgdn_error *err);

/* ---- the choice: choice.c ---- */

typedef struct wgdn_choice {
    wgdn_recipe recipe;
    wgdn_list_quality held, popular, paths; /* on what was held out */
    int64_t users, queries;
    float *v; /* items x k of what was not held out, to start from; NULL where there is none */
    int64_t k;
} wgdn_choice;

/* Columns of the low-pass part that the choice may take; 0: there is none. */
int64_t wgdn_choice_columns(const wgdn_interactions *x, int columns);
/* Whether ridge regression competes. */
static inline bool wgdn_choice_ridged(const wgdn_interactions *x, const wgdn_recommend_options *o)
{
    return !x->one_mode && x->r.cols <= o->ridge_items;
}
WGDN_MUST_CHECK wgdn_status wgdn_choice_make(wgdn_choice *c, const wgdn_interactions *x,
                                             const wgdn_recommend_options *o, wgdn_error *err);

/* ---- the fitted object: recommend.c ---- */

struct wgdn_recommender {
    wgdn_recommend_options options; /* what a memory limit leaves of them */
    bool alone;                     /* lists have to be made by one thread */
    wgdn_interaction_values values; /* what was made of the weights */
    wgdn_interactions x;
    wgdn_ids user_index, item_index; /* borrow the names of x */
    wgdn_recipe recipe;
    float *v, *probe; /* probe: v, or an array of its own */
    int64_t k;
    double *value;
    float *ridge, *popularity;
    wgdn_list_quality held, popular, paths;
    int64_t held_users, held_queries;
    char *reading; /* how the data was read, as text; or NULL */
};

/* Indexes the ids, and prepares what follows from the recipe. */
WGDN_MUST_CHECK wgdn_status wgdn_recommender_index(wgdn_recommender *r, wgdn_error *err);
wgdn_scorer wgdn_recommender_scorer(const wgdn_recommender *r);

/* From a file that is open; nothing is left after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_recommender_parse(wgdn_recommender **out, const wgdn_archive *a,
                                                   const char *path, wgdn_error *err);

/* Interactions of a dataset in the rows of its own users and the items of r; those with other items are
 * counted in *unknown. */
WGDN_MUST_CHECK wgdn_status wgdn_recommender_match(wgdn_csr *rows, int64_t *unknown,
                                                   const wgdn_recommender *r,
                                                   const wgdn_interactions *x, wgdn_error *err);

#endif
