/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a training run for divergence, collapsed codes and badly scaled features. The trainer
 * calls it between steps and stops or warns; finished models are examined here, too.
 */
#include "training_health.h"
#include "encoder.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Measures a model while it trains: the effective dimensions of its code, columns that do not vary,
 * and features whose scales prevent learning. These measurements do not change the training.
 */

/* The code is looked at in so many columns, evenly spread: enough to tell one direction from some. */
enum { COLUMNS = WGDN_WATCHED_COLUMNS };

static const double dead_share = 1e-5; /* of the code's root mean square */

typedef struct pick_call {
    float *y;       /* n x k */
    const float *x; /* n x h */
    int64_t h, k;
} pick_call;

static void pick_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pick_call *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->k; j++)
            c->y[i * c->k + j] = c->x[i * c->h + j * c->h / c->k];
}

/* Rows of length 1; rows of zeros stay. Their number is summed, and it is exact. */
static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pick_call *c = context;
    for (int64_t i = first; i < first + count; i++) {
        float *y = c->y + i * c->k;
        double squares = 0;
        for (int64_t j = 0; j < c->k; j++)
            squares += (double)y[j] * (double)y[j];
        const double scale = squares > 0 ? 1 / sqrt(squares) : 0;
        for (int64_t j = 0; j < c->k; j++)
            y[j] = (float)((double)y[j] * scale);
        sums[0] += squares > 0;
    }
}

/* Columns whose deviation is next to nothing beside the root mean square of the code. */
static double dead_columns(const double *sum, const double *squares, int64_t n, int64_t k)
{
    double all = 0;
    int64_t dead = 0;
    for (int64_t j = 0; j < k; j++)
        all += squares[j] / (double)n / (double)k;
    for (int64_t j = 0; j < k; j++) {
        const double mean = sum[j] / (double)n;
        dead += squares[j] / (double)n - mean * mean <= dead_share * dead_share * all;
    }
    return (double)dead / (double)k;
}

/* m^2 / sum of squares of G = U^T U, whose trace is m, the number of rows of length 1. */
static double rank_of(const float *gram, int64_t k, double trace)
{
    double squares = 0;
    for (int64_t i = 0; i < k * k; i++)
        squares += (double)gram[i] * (double)gram[i];
    return squares > 0 ? trace * trace / squares : 0;
}

/*
 * The effective rank of the code's directions:  U: rows of the code, scaled to length 1,
 *
 *     rank = (sum s)^2 / sum s^2 over the eigenvalues s of U^T U,   1: all nodes on one line.
 *
 * Lengths are left out: they follow the degrees, and one long row would be all that is seen.
 */
wgdn_status wgdn_watch_code(wgdn_code_seen *out, float *gram, const wgdn_pass *p, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    wgdn_ranks *ranks = w->rows.dist ? w->rows.dist->ranks : NULL;
    const int64_t sent = ranks ? ranks->sums_sent : 0; /* what a step sends does not count this */
    const int64_t h = p->m->shape.width, k = h < COLUMNS ? h : COLUMNS;
    const pick_call c = {.y = w->dh, .x = w->input, .h = h, .k = k};
    wgdn_product product = wgdn_workspace_product(w, gram, w->dh, w->dh, k, k);
    double sum[COLUMNS], squares[COLUMNS], rows = 0;
    product.gram = true;
    wgdn_encoder_output(w->input, p, p->m->shape.encoder_layers);
    wgdn_for_blocks(w->rows, pick_rows, (void *)&c, NULL, 0, NULL);
    wgdn_column_sums(sum, squares, w->dh, w->rows, k, w->sums);
    wgdn_for_blocks(w->rows, scale_rows, (void *)&c, &rows, 1, w->sums);
    const wgdn_status st = wgdn_gemm_tn(&product, err);
    if (st) return st;
    out->dead = dead_columns(sum, squares, w->rows.total, k);
    out->rank = rank_of(gram, k, rows);
    out->columns = k;
    if (ranks) ranks->sums_sent = sent;
    return WGDN_OK;
}

/* ---- features ---- */

/* The largest absolute value of each column of X, here. */
static void column_tops(float *top, const wgdn_model_input *in)
{
    const wgdn_csr *s = in->sparse;
    const int64_t f = in->features, n = in->rows.count;
    memset(top, 0, (size_t)f * sizeof *top);
    for (int64_t i = 0; in->dense && i < n; i++)
        for (int64_t j = 0; j < f; j++)
            top[j] = fmaxf(top[j], fabsf(in->dense[i * f + j]));
    for (int64_t k = 0; s && k < s->offset[n]; k++)
        top[s->column[k]] = fmaxf(top[s->column[k]], s->value ? fabsf(s->value[k]) : 1);
}

/* Of all ranks; positive floats are in the order of their bits. */
static wgdn_status largest(float *x, wgdn_ranks *ranks, wgdn_error *err)
{
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    int64_t number = bits;
    const wgdn_status st = wgdn_ranks_meet(ranks, WGDN_OK, &number, err);
    bits = (uint32_t)number;
    memcpy(x, &bits, sizeof bits);
    return st;
}

/* The largest of all, which column that is, and the largest of the other columns. */
static wgdn_status two_tops(wgdn_features_seen *out, const float *top, int64_t f, wgdn_ranks *ranks,
                            wgdn_error *err)
{
    int64_t column = 0; /* counted from 1 */
    for (int64_t j = 0; j < f; j++)
        out->top = fmaxf(out->top, top[j]);
    wgdn_status st = largest(&out->top, ranks, err);
    for (int64_t j = 0; j < f; j++)
        if (top[j] == out->top) column = j + 1;
    if (!st) st = wgdn_ranks_meet(ranks, WGDN_OK, &column, err);
    for (int64_t j = 0; j < f; j++)
        if (j != column - 1) out->others = fmaxf(out->others, top[j]);
    if (!st) st = largest(&out->others, ranks, err);
    out->column = column - 1;
    return st;
}

wgdn_status wgdn_watch_features(wgdn_features_seen *out, const wgdn_model_input *in,
                                wgdn_error *err)
{
    wgdn_ranks *ranks = in->rows.dist ? in->rows.dist->ranks : NULL;
    float *top = wgdn_alloc((size_t)in->features, sizeof *top);
    wgdn_status st = top ? WGDN_OK
                         : wgdn_fail(err, WGDN_ENOMEM, "largest values of %lld features",
                                     (long long)in->features);
    st = wgdn_ranks_agree(ranks, st, err);
    *out = (wgdn_features_seen){0};
    if (!st && top) {
        column_tops(top, in);
        st = two_tops(out, top, in->features, ranks, err);
    }
    wgdn_release(top);
    return st;
}

/*
 * Decides from these measurements whether a run is healthy. The limits are far from the values of
 * healthy runs: docs/methods.md lists the numbers of both.
 *
 *     diverged   loss > 4 times that of the first epoch, in three epochs one after another
 *     collapsed  effective rank of the code - 1 < 0.004, in two checks one after another, or
 *                99 of 100 columns do not vary, which did at first
 *     scales     a feature is 10^6 times the others, or 100 times with a code of rank 1 from the
 *                start, or no feature reaches 10^-18, whose square underflows in float
 *
 * A code with one direction from the start, of features of one scale, is as good as it can be.
 */

enum { WATCH_EVERY = 5, HIGH = 3, LOW = 2 };

static const double loss_limit = 4, rank_limit = 0.004, dead_limit = 0.99;
static const double scale_limit = 1e6, low_scale = 100, feature_limit = 1e-18;

wgdn_status wgdn_health_open(wgdn_health *h, wgdn_error *err)
{
    h->gram = wgdn_alloc((size_t)WGDN_WATCHED_COLUMNS * WGDN_WATCHED_COLUMNS, sizeof *h->gram);
    return h->gram ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "health of the run");
}

void wgdn_health_close(wgdn_health *h)
{
    wgdn_release(h->gram);
}

bool wgdn_health_due(int64_t epoch, int64_t epochs)
{
    return epoch % WATCH_EVERY == 0 || epoch == epochs - 1;
}

wgdn_status wgdn_health_watch(wgdn_health *h, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_status st = wgdn_watch_code(&h->code, h->gram, p, err);
    h->fresh = st == WGDN_OK;
    return st;
}

/* What to try, as far as the options leave it to be tried. */
static void advise(char *out, size_t size, const wgdn_train_options *o, bool scales)
{
    const bool noise = o->augment == WGDN_AUGMENT_NOISE && o->beta > 0;
    int used = 0;
    if (scales) {
        snprintf(out, size, "scale the columns alike (of tables: --feature-scale standard)");
        return;
    }
    used = snprintf(out, size, "try a smaller --learning-rate (%g)", o->learning_rate);
    if (noise) used += snprintf(out + used, size - (size_t)used, " or --beta (%g)", o->beta);
    if (o->decoder == WGDN_DECODER_INVERSE)
        snprintf(out + used, size - (size_t)used, ", --decoder wiener");
    else
        snprintf(out + used, size - (size_t)used, ", or scaled features%s",
                 o->dim < 256 ? ", a larger --dim" : "");
}

bool wgdn_health_features(wgdn_health *h, const wgdn_train_options *o)
{
    const wgdn_features_seen *f = &h->features;
    const double top = f->top, others = f->others;
    char advice[WGDN_ADVICE_SIZE];
    advise(advice, sizeof advice, o, true);
    if (others > 0 && top > scale_limit * others)
        snprintf(h->text, sizeof h->text,
                 "column %lld of the features, from 0, has values to %.3g, the others to %.3g: "
                 "nothing else would be learnt; %s",
                 (long long)f->column, top, others, advice);
    else if (top > 0 && top < feature_limit)
        snprintf(h->text, sizeof h->text,
                 "no feature is above %.3g: squares of such numbers are 0 in floats; %s", top,
                 advice);
    return h->text[0] != '\0';
}

bool wgdn_health_doubtful(const wgdn_run_health *k)
{
    return k->high > 0 || (k->low > 0 && k->first_rank - 1 >= 2 * rank_limit);
}

static bool collapsed(const wgdn_health *h, const wgdn_run_health *k)
{
    if (h->code.dead >= dead_limit && k->first_dead < dead_limit) return true;
    return k->low >= LOW && k->first_rank - 1 >= 2 * rank_limit; /* else it never was any better */
}

/* One direction from the start on, where features have scales that explain it. */
static bool scales_differ(const wgdn_health *h, const wgdn_run_health *k)
{
    return k->first_rank > 0 && k->first_rank - 1 < rank_limit && h->features.others > 0 &&
           h->features.top > low_scale * h->features.others;
}

bool wgdn_health_judge(wgdn_health *h, wgdn_run_health *k, const wgdn_train_options *o, double loss,
                       int64_t epoch)
{
    const wgdn_code_seen *c = &h->code;
    char advice[WGDN_ADVICE_SIZE];
    if (k->first_loss == 0) k->first_loss = loss;
    if (h->fresh && k->first_rank == 0) {
        k->first_rank = c->rank;
        k->first_dead = c->dead;
    }
    k->high = k->first_loss > 0 && loss > loss_limit * k->first_loss ? k->high + 1 : 0;
    if (h->fresh) k->low = c->rank - 1 < rank_limit ? k->low + 1 : 0;
    const bool scales = h->fresh && scales_differ(h, k);
    const bool flat = h->fresh && collapsed(h, k);
    h->fresh = false;
    if (h->text[0]) return true; /* once is enough */
    advise(advice, sizeof advice, o, scales);
    if (k->high >= HIGH)
        snprintf(h->text, sizeof h->text,
                 "epoch %lld: training diverged: loss %.4g, at first %.4g, gradient %.3g; %s",
                 (long long)epoch, loss, k->first_loss, h->gradient, advice);
    else if (scales || flat)
        snprintf(
            h->text, sizeof h->text,
            "epoch %lld: the code %s: effective rank %.4f of %lld, at first %.4f, dead columns "
            "%.0f %%; %s",
            (long long)epoch, scales ? "has one direction" : "collapsed", c->rank,
            (long long)c->columns, k->first_rank, 100 * c->dead, advice);
    return h->text[0] != '\0';
}

/*
 * Checks whether a model is sound: its numbers are finite, and its encoder keeps enough directions.
 */

static int64_t count_not_finite(const float *x, int64_t count)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad += !isfinite(x[i]);
    return bad;
}

/*
 * (sum s)^2 / sum s^2 over the squared singular values s of W, rows x cols: 1 for one direction,
 * cols for all alike. sum s is the trace of G = W^T W, sum s^2 its squared norm.
 */
static double effective_rank(const float *w, int64_t rows, int64_t cols, double *room)
{
    double trace = 0, squares = 0;
    for (int64_t i = 0; i < cols * cols; i++)
        room[i] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < cols; i++)
            for (int64_t j = 0; j <= i; j++)
                room[i * cols + j] += (double)w[r * cols + i] * (double)w[r * cols + j];
    for (int64_t i = 0; i < cols; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double g = room[i * cols + j];
            trace += i == j ? g : 0;
            squares += (i == j ? 1 : 2) * g * g;
        }
    return squares > 0 ? trace * trace / squares : 0;
}

void wgdn_model_examine(wgdn_model_info *info, const wgdn_model *m)
{
    enum { WIDTH_MAX = 1024, ROWS_MAX = 4096 }; /* beyond it takes longer than a glance */
    const wgdn_fitted *f = m->fitted;
    for (int i = 0; f && i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        if (p->basis) info->parameters += p->rows * wgdn_basis_columns(f, p);
        if (p->map) info->parameters += (p->inner + 1) * p->dim;
    }
    if (f && f->refined.in) info->parameters += 2 * wgdn_fitted_width(f) * wgdn_fitted_width(f);
    if (f) return; /* readers refuse what is not finite */
    const int64_t width = m->shape.width, last = m->shape.encoder_layers - 1;
    const int64_t rows = last > 0 ? width : m->shape.features;
    info->parameters = m->layout.size;
    info->not_finite = count_not_finite(m->param, m->layout.size);
    if (info->not_finite || width > WIDTH_MAX || rows > ROWS_MAX) return;
    double *room = wgdn_alloc((size_t)(width * width), sizeof *room);
    if (room) info->rank = effective_rank(m->at.encoder[last].weight, rows, width, room);
    wgdn_release(room);
}
