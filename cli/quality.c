/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How good vectors are, as far as that can be told without labels: whether they stay what they are
 * with another seed and with other edges, whether they know of edges that they were not shown, and
 * whether they fill the space that they are given.
 */
#include "quality.h"

#include "compare.h"
#include "json.h"
#include "vectors.h"

enum { NEIGHBOURS = 10 };

wgdn_status model_again(wgdn_model **m, const wgdn_model *as, const wgdn_train_options *o,
                        uint64_t seed, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_get_info(&info, as);
    if (info.fit) {
        wgdn_fit_options fit = *info.fit;
        fit.seed = seed;
        fit.threads = o->threads;
        fit.keep = 1;
        return wgdn_model_fit(m, d, &fit, err);
    }
    wgdn_train_options train = *o;
    train.seed = seed;
    return wgdn_model_train(m, d, &train, NULL, err);
}

/* Everything that vectors are made again by. */
typedef struct makers {
    const wgdn_model *m;
    const wgdn_train_options *o;
    const wgdn_eval_options *e;
} makers;

static int make(wgdn_embedding **x, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *again = NULL;
    const wgdn_status st = model_again(&again, a->m, a->o, seed, d, &err);
    const int code = st ? complain_status(st, &err)
                        : vectors_embed(x, again, d, WGDN_TASK_NODE, WGDN_POOL_AUTO, a->o->threads);
    wgdn_model_free(again);
    return code;
}

/* The data without a part of its edges. */
static int hold_out(wgdn_links **l, const makers *a, const wgdn_dataset *d, double part,
                    uint64_t seed)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_eval_options e = *a->e;
    e.test_edge_fraction = part;
    e.seed = seed;
    const wgdn_status st = wgdn_links_from_dataset(l, d, &e, &err);
    return st ? complain_status(st, &err) : DONE;
}

/* Of two seeds: neighbours kept, and what the vectors themselves are like. */
static int compare_seeds(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    comparison p = {.k = NEIGHBOURS, .threads = a->o->threads};
    int code = make(&p.before.e, a, d, seed);
    if (code == DONE) code = make(&p.after.e, a, d, seed + 1);
    if (code == DONE) code = comparison_make(&p);
    q->k = p.k;
    q->seeds = p.kept;
    q->rank = p.before.rank;
    q->likeness = p.before.likeness;
    comparison_free(&p);
    return code;
}

/* Of two halves of the edges, drawn by themselves. */
static int compare_halves(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    comparison p = {.k = NEIGHBOURS, .threads = a->o->threads};
    wgdn_links *half[2] = {NULL, NULL};
    int code = hold_out(&half[0], a, d, 0.5, seed);
    if (code == DONE) code = hold_out(&half[1], a, d, 0.5, seed + 1);
    if (code == DONE) code = make(&p.before.e, a, wgdn_links_get_dataset(half[0]), seed);
    if (code == DONE) code = make(&p.after.e, a, wgdn_links_get_dataset(half[1]), seed);
    if (code == DONE) code = comparison_make(&p);
    q->halves = p.kept;
    comparison_free(&p);
    for (int i = 0; i < 2; i++)
        wgdn_links_free(half[i]);
    return code;
}

static int score_edges(quality *q, const makers *a, const wgdn_dataset *d, uint64_t seed)
{
    wgdn_links_result r = {.struct_size = sizeof r};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_links *l = NULL;
    wgdn_embedding *x = NULL;
    int code = hold_out(&l, a, d, a->e->test_edge_fraction, seed);
    if (code == DONE) code = make(&x, a, wgdn_links_get_dataset(l), seed);
    if (code == DONE) {
        const wgdn_status st = wgdn_links_score(&r, l, x, a->e, &err);
        if (st) code = complain_status(st, &err);
    }
    q->auc = r.auc;
    wgdn_embedding_free(x);
    wgdn_links_free(l);
    return code;
}

int quality_measure(quality *q, const wgdn_model *m, const wgdn_train_options *o,
                    const wgdn_dataset *d, const wgdn_eval_options *e)
{
    const makers a = {m, o, e};
    int code = compare_seeds(q, &a, d, e->seed);
    if (code == DONE) code = compare_halves(q, &a, d, e->seed);
    return code == DONE ? score_edges(q, &a, d, e->seed) : code;
}

void quality_print(FILE *to, const quality *q, int64_t dim)
{
    fprintf(to, "%-48s %6.1f of %lld\n", "nearest neighbors kept with another seed",
            q->seeds * (double)q->k, (long long)q->k);
    fprintf(to, "%-48s %6.1f of %lld\n", "nearest neighbors kept with other half the edges",
            q->halves * (double)q->k, (long long)q->k);
    fprintf(to, "%-48s %6.4f\n", "AUC of held-out edges", q->auc);
    fprintf(to, "%-48s %6.1f of %lld\n", "effective dimensions", q->rank, (long long)dim);
    fprintf(to, "%-48s %6.3f\n", "mean cosine of two random nodes", q->likeness);
}

void quality_print_json(FILE *to, const quality *q, int64_t dim)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "task", "quality");
    json_put_integer(&j, "dim", dim);
    json_put_integer(&j, "neighbours", q->k);
    json_put_real(&j, "kept_with_another_seed", q->seeds);
    json_put_real(&j, "kept_with_other_edges", q->halves);
    json_put_real(&j, "held_out_auc", q->auc);
    json_put_real(&j, "effective_rank", q->rank);
    json_put_real(&j, "mean_cosine", q->likeness);
    json_put_close(&j, '}');
    fputc('\n', to);
}
