/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a run is healthy, judged by what was seen of it. The limits are far from what healthy
 * runs show: docs/methods.md has the numbers of both.
 *
 *     diverged   loss > 4 times that of the first epoch, in three epochs one after another
 *     collapsed  effective rank of the code - 1 < 0.004, in two watches one after another, or
 *                99 of 100 columns do not vary, which did at first
 *     scales     a feature is 10^6 times the others, or 100 times with a code of rank 1 from the
 *                start, or no feature reaches 10^-18, whose square is no float
 *
 * A code that has one direction from the start on, of features of one scale, is as good as it can be.
 */
#include "health.h"

#include <math.h>
#include <stdio.h>

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
