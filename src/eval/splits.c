/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Provides the train, validation and test split of each run: from the dataset, as published, or
 * drawn at random. It also turns the accuracies of a run into one number; the probes, the SVMs and
 * the clustering call it.
 */
#include "base/streams.h"
#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Generates MT19937 random numbers with the standard initialization, on which published splits and
 * folds are based.
 */

enum { MT_SHIFT = 397, MT_WORDS = sizeof((wgdn_twister *)0)->word / sizeof(uint32_t) };

void wgdn_twister_seed(wgdn_twister *t, uint32_t seed)
{
    t->word[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++)
        t->word[i] = 1812433253U * (t->word[i - 1] ^ (t->word[i - 1] >> 30)) + i;
    t->used = MT_WORDS;
}

static void refill(wgdn_twister *t)
{
    for (int i = 0; i < MT_WORDS; i++) {
        const uint32_t y = (t->word[i] & 0x80000000U) | (t->word[(i + 1) % MT_WORDS] & 0x7fffffffU);
        t->word[i] =
            t->word[(i + MT_SHIFT) % MT_WORDS] ^ (y >> 1) ^ (y & 1 ? UINT32_C(0x9908b0df) : 0);
    }
    t->used = 0;
}

static uint32_t twister_next(wgdn_twister *t)
{
    if (t->used == MT_WORDS) refill(t);
    uint32_t y = t->word[t->used++];
    y ^= y >> 11;
    y ^= (y << 7) & UINT32_C(0x9d2c5680);
    y ^= (y << 15) & UINT32_C(0xefc60000);
    return y ^ (y >> 18);
}

/* ---- the permutation behind published splits ---- */

void wgdn_published_permutation(int64_t *p, int64_t n, uint32_t seed)
{
    wgdn_twister t;
    wgdn_twister_seed(&t, seed);
    for (int64_t i = 0; i < n; i++)
        p[i] = i;
    for (int64_t i = 0; i < n - 1; i++) {
        const int64_t j = i + (int64_t)(twister_next(&t) % (uint64_t)(n - i)), swapped = p[i];
        p[i] = p[j];
        p[j] = swapped;
    }
}

/* ---- the part of each node ---- */

static wgdn_status mark_published(int8_t *mark, int64_t n, int64_t split, wgdn_error *err)
{
    const int64_t tenth = n / 10;
    int64_t *p = wgdn_alloc((size_t)n, sizeof *p);
    if (!p) return wgdn_fail(err, WGDN_ENOMEM, "splits: permutation of %lld", (long long)n);
    wgdn_published_permutation(p, n, (uint32_t)split);
    for (int64_t i = 0; i < n; i++)
        mark[p[i]] = (int8_t)(i < tenth       ? WGDN_SPLIT_TRAIN
                              : i < 2 * tenth ? WGDN_SPLIT_VAL
                                              : WGDN_SPLIT_TEST);
    wgdn_release(p);
    return WGDN_OK;
}

static int by_class_and_draw(const void *a, const void *b)
{
    const wgdn_ticket *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    if (x->draw != y->draw) return x->draw < y->draw ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

void wgdn_tickets_sort(wgdn_ticket *t, int64_t count)
{
    qsort(t, (size_t)count, sizeof *t, by_class_and_draw);
}

int64_t wgdn_rarest_class(int64_t *labels, int32_t *class, const wgdn_dataset *d)
{
    int64_t count[2] = {0, 0};
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        if (label >= 0) count[label == 1]++;
    }
    *labels = count[0] + count[1];
    *class = count[1] <= count[0];
    return count[*class];
}

static bool has_two_classes(const wgdn_dataset *d)
{
    return wgdn_dataset_classes(d) == 2 && !d->lists.offset;
}

/*
 * Where folds are a choice made here, the rarer of two classes is in each: a fold without one has
 * no AUC.
 */
static int64_t folds_of(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    enum { FOLDS_MIN = 3 };
    int64_t labels;
    int32_t class;
    if (o->splits != WGDN_SPLITS_AUTO || !has_two_classes(d)) return o->folds;
    const int64_t rarest = wgdn_rarest_class(&labels, &class, d);
    return rarest < FOLDS_MIN ? FOLDS_MIN : wgdn_min(rarest, o->folds);
}

/*
 * Class after class in random order, dealt to the folds in turn: folds differ by one node at most,
 * and so do their shares of a class. Split s: repetition s / folds, and fold s % folds tests.
 */
static wgdn_status mark_folds(int8_t *mark, const wgdn_dataset *d, const wgdn_eval_options *o,
                              int64_t split, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d), folds = folds_of(d, o), test = split % folds;
    const wgdn_stream s = {o->seed, (uint32_t)(split / folds), WGDN_CALL_FOLDS};
    wgdn_ticket *t = wgdn_alloc((size_t)n, sizeof *t);
    int64_t count = 0;
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "splits: %lld folds", (long long)folds);
    for (int64_t i = 0; i < n; i++)
        if (wgdn_dataset_label(d, i) >= 0)
            t[count++] = (wgdn_ticket){wgdn_dataset_label(d, i), wgdn_random_bits(s, i, 0), i};
    wgdn_tickets_sort(t, count);
    for (int64_t k = 0; k < count; k++) {
        const int64_t fold = k % folds;
        mark[t[k].node] = (int8_t)(fold == test                 ? WGDN_SPLIT_TEST
                                   : fold == (test + 1) % folds ? WGDN_SPLIT_VAL
                                                                : WGDN_SPLIT_TRAIN);
    }
    wgdn_release(t);
    return WGDN_OK;
}

static double train_fraction(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    return o->train_fraction > 0 ? o->train_fraction : d->lists.offset ? 0.5 : 0.1;
}

/* Nodes that a fraction of `count` comes to; 0.3 of 10 are 3, whatever 0.3 is in binary. */
static int64_t share_of(double fraction, int64_t count)
{
    return (int64_t)(fraction * (double)count + 1e-6);
}

/* Nodes of a class of `count` to train on, and to train or validate on. */
typedef struct cuts {
    int64_t train, known;
} cuts;

/* As many as the shares come to over this class and those before it; each part has one if it can. */
static cuts cut_class(int64_t before, int64_t count, double learn, double validate)
{
    cuts c = {share_of(learn, before + count) - share_of(learn, before),
              share_of(learn + validate, before + count) - share_of(learn + validate, before)};
    if (c.train == 0 && count > 1) c.train = 1;
    if (c.known <= c.train && count > 2 && validate > 0) c.known = c.train + 1;
    if (c.known < c.train) c.known = c.train;
    if (c.known == count && c.known > c.train) c.known--;
    return c;
}

/* All labeled nodes, or class after class, in random order, cut by the fractions. */
static wgdn_status mark_random(int8_t *mark, const wgdn_dataset *d, const wgdn_eval_options *o,
                               int64_t split, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d);
    const wgdn_stream s = {o->seed, (uint32_t)split, WGDN_CALL_SPLITS};
    const bool stratified = wgdn_splits_source(d, o) == WGDN_SPLITS_STRATIFIED_RANDOM;
    int64_t count = 0;
    const double learn = train_fraction(d, o), validate = o->validation_fraction;
    if (learn + validate >= 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "splits: %g of the labeled nodes to train and %g to validate on leave "
                         "none to test",
                         learn, validate);
    wgdn_ticket *t = wgdn_alloc((size_t)n, sizeof *t);
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "splits: permutation of %lld", (long long)n);
    for (int64_t i = 0; i < n; i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        if (label < 0) continue;
        t[count] = (wgdn_ticket){stratified ? label : 0, wgdn_random_bits(s, count, 0), i};
        count++;
    }
    wgdn_tickets_sort(t, count);
    for (int64_t k = 0, size; k < count; k += size) {
        for (size = 1; k + size < count && t[k + size].label == t[k].label;)
            size++;
        cuts c = {share_of(learn, count), share_of(learn, count) + share_of(validate, count)};
        if (stratified) c = cut_class(k, size, learn, validate);
        for (int64_t i = 0; i < size; i++)
            mark[t[k + i].node] = (int8_t)(i < c.train   ? WGDN_SPLIT_TRAIN
                                           : i < c.known ? WGDN_SPLIT_VAL
                                                         : WGDN_SPLIT_TEST);
    }
    wgdn_release(t);
    return WGDN_OK;
}

/* Whether a tenth is enough to train on: FEW nodes a class, of two classes also of the rarer. */
static bool random_serves(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    enum { FEW = 5, FEW_NUMBERS = 100 };
    int64_t count = 0;
    int32_t class;
    if (d->of_graphs || d->lists.offset) return !d->of_graphs;
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++)
        count += wgdn_dataset_label(d, i) >= 0;
    const int64_t train = share_of(train_fraction(d, o), count);
    if (wgdn_eval_numeric(d, o)) return train >= FEW_NUMBERS;
    if (has_two_classes(d) &&
        share_of(train_fraction(d, o), wgdn_rarest_class(&count, &class, d)) < FEW)
        return false;
    return train >= FEW * wgdn_dataset_classes(d);
}

wgdn_splits wgdn_splits_source(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    if (o->splits != WGDN_SPLITS_AUTO) return o->splits;
    if (d->splits > 0 && o->train_fraction <= 0) return WGDN_SPLITS_DATASET;
    if (o->train_fraction <= 0 && !random_serves(d, o)) return WGDN_SPLITS_STRATIFIED;
    return d->lists.offset || wgdn_eval_numeric(d, o) ? WGDN_SPLITS_RANDOM
                                                      : WGDN_SPLITS_STRATIFIED_RANDOM;
}

/* ---- parts ---- */

static int64_t collect(wgdn_parts *p, int64_t at, const wgdn_dataset *d, const int8_t *mark,
                       int8_t which)
{
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++)
        if (mark[i] == which && wgdn_dataset_label(d, i) >= 0) {
            p->row[at] = i;
            p->label[at++] = wgdn_dataset_label(d, i);
        }
    return at;
}

static wgdn_status mark_nodes(int8_t *mark, const wgdn_dataset *d, const wgdn_eval_options *o,
                              int64_t split, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d);
    switch (wgdn_splits_source(d, o)) {
    case WGDN_SPLITS_PAPER: return mark_published(mark, n, split, err);
    case WGDN_SPLITS_STRATIFIED: return mark_folds(mark, d, o, split, err);
    case WGDN_SPLITS_STRATIFIED_RANDOM:
    case WGDN_SPLITS_RANDOM: return mark_random(mark, d, o, split, err);
    default: break;
    }
    if (d->splits == 0)
        return wgdn_fail(err, WGDN_EINVAL,
                         "splits: the dataset has no splits of its own; use random ones");
    for (int64_t i = 0; i < n; i++)
        mark[i] = (int8_t)wgdn_dataset_split(d, split, i);
    return WGDN_OK;
}

wgdn_status wgdn_parts_make(wgdn_parts *out, const wgdn_dataset *d, const wgdn_eval_options *o,
                            int64_t split, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d);
    wgdn_parts p = {0};
    int8_t *mark = wgdn_alloc_zero((size_t)n, sizeof *mark);
    wgdn_status st = WGDN_OK;
    p.row = wgdn_alloc((size_t)n, sizeof *p.row);
    p.label = wgdn_alloc((size_t)n, sizeof *p.label);
    if (!mark || !p.row || !p.label) {
        st = wgdn_fail(err, WGDN_ENOMEM, "splits: parts of %lld nodes", (long long)n);
        goto done;
    }
    st = mark_nodes(mark, d, o, split, err);
    if (!st) {
        p.train = collect(&p, 0, d, mark, WGDN_SPLIT_TRAIN);
        p.val = collect(&p, p.train, d, mark, WGDN_SPLIT_VAL) - p.train;
        p.test = collect(&p, p.train + p.val, d, mark, WGDN_SPLIT_TEST) - p.train - p.val;
        if (p.train == 0 || p.test == 0)
            st = wgdn_fail(err, WGDN_EINVAL,
                           "split %lld: %lld labeled nodes to learn from and %lld to test",
                           (long long)split, (long long)p.train, (long long)p.test);
    }

done:
    wgdn_release(mark);
    if (st)
        wgdn_parts_free(&p);
    else
        *out = p;
    return st;
}

/* 0 .. most, as NumPy's RandomState draws it: bits are cut off and what is too large is redrawn. */
static uint32_t draw_up_to(wgdn_twister *t, uint32_t most)
{
    uint32_t mask = most, x;
    for (int shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    do
        x = twister_next(t) & mask;
    while (x > most);
    return x;
}

static void shuffle_folds(int32_t *fold, int64_t count, wgdn_twister *t)
{
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = draw_up_to(t, (uint32_t)i);
        const int32_t was = fold[i];
        fold[i] = fold[j];
        fold[j] = was;
    }
}

/* Classes in the order in which they first appear: how many rows each has, and which comes when. */
static int64_t count_classes(int64_t *size, int32_t *order, const int32_t *label, int64_t n)
{
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++)
        if (size[label[i]]++ == 0) order[found++] = label[i];
    return found;
}

/*
 * With all labels sorted, place p of the row goes to fold p % folds: that says how many of each
 * class a fold gets, and folds differ by one row at most. The rows of a class then get their folds
 * in stretches, in order of the rows or shuffled.
 */
wgdn_status wgdn_folds_make(int32_t *fold, const int32_t *label, int64_t n, int64_t classes,
                            int folds, wgdn_twister *shuffle, wgdn_error *err)
{
    wgdn_arrays a = {0};
    int64_t *size = wgdn_arrays_add_zero(&a, (size_t)classes, sizeof *size), place = 0;
    int32_t *order = wgdn_arrays_add(&a, (size_t)classes, sizeof *order);
    int32_t *dealt = wgdn_arrays_add(&a, (size_t)n, sizeof *dealt);
    if (a.failed) {
        wgdn_arrays_release(&a);
        return wgdn_fail(err, WGDN_ENOMEM, "folds: %lld rows", (long long)n);
    }
    const int64_t found = count_classes(size, order, label, n);
    for (int64_t c = 0; c < found; c++) {
        const int64_t end = place + size[order[c]];
        int64_t count = 0, next = 0;
        for (int32_t f = 0; f < folds; f++)
            for (int64_t p = place; p < end; p++)
                if (p % folds == f) dealt[count++] = f;
        if (shuffle) shuffle_folds(dealt, count, shuffle);
        for (int64_t i = 0; i < n; i++)
            if (label[i] == order[c]) fold[i] = dealt[next++];
        place = end;
    }
    wgdn_arrays_release(&a);
    return WGDN_OK;
}

wgdn_spread wgdn_spread_of(const double *x, int64_t all)
{
    wgdn_spread s = {0, 0};
    int64_t count = 0;
    for (int64_t i = 0; i < all; i++)
        count += !isnan(x[i]);
    if (count == 0) return (wgdn_spread){NAN, NAN};
    for (int64_t i = 0; i < all; i++)
        if (!isnan(x[i])) s.mean += x[i] / (double)count;
    for (int64_t i = 0; i < all; i++)
        if (!isnan(x[i])) s.deviation += (x[i] - s.mean) * (x[i] - s.mean);
    s.deviation = count > 1 ? sqrt(s.deviation / (double)(count - 1)) : 0;
    return s;
}

/* Its address tells threads apart. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

wgdn_shared_progress wgdn_shared_progress_of(const wgdn_eval_options *o, int64_t total)
{
    return (wgdn_shared_progress){.o = o, .caller = this_thread(), .total = total};
}

wgdn_status wgdn_shared_progress_report(wgdn_shared_progress *p, wgdn_error *err)
{
    if (!p || !p->o->progress) return WGDN_OK;
    if (p->caller == this_thread() && p->o->progress(p->o->progress_user, p->done, p->total))
        __atomic_store_n(&p->stopped, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&p->stopped, __ATOMIC_RELAXED)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after %lld of %lld", (long long)p->done,
                     (long long)p->total);
}
