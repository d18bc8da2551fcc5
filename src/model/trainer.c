/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the training loop: opening, steps, checkpoints and early stopping, and watches the run for divergence, collapsed
 * codes and badly scaled features. It is the public call wgdn_model_train(); step.c computes each step, and batches.c
 * supplies its data.
 */
#include "data/dataset.h"
#include "data/reading.h"
#include "encoder.h"
#include "linalg/rows.h"
#include "stopping.h"
#include "train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Measures a model while it trains: the effective dimensions of its code, columns that do not vary,
 * and features whose scales prevent learning. These measurements do not change the training.
 */

/* The code is looked at in so many columns, evenly spread: enough to tell one direction from some. */
enum { COLUMNS = WGDN_WATCHED_COLUMNS, ADVICE = 120 };

static const double dead_share = 1e-5; /* of the code's root mean square */

typedef struct pick_call {
    float *y;       /* n x k */
    const float *x; /* n x h */
    int64_t h, k;
} pick_call;

static void pick_rows(int64_t first, int64_t count, void *context)
{
    const pick_call *c = context;
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
    wgdn_for_rows(w->rows, pick_rows, (void *)&c);
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

static wgdn_status watch_features(wgdn_features_seen *out, const wgdn_model_input *in,
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
        /* The largest absolute value of each column of X, here. */
        const wgdn_csr *s = in->sparse;
        const int64_t f = in->features, n = in->rows.count;
        memset(top, 0, (size_t)f * sizeof *top);
        for (int64_t i = 0; in->dense && i < n; i++)
            for (int64_t j = 0; j < f; j++)
                top[j] = fmaxf(top[j], fabsf(in->dense[i * f + j]));
        for (int64_t k = 0; s && k < s->offset[n]; k++)
            top[s->column[k]] = fmaxf(top[s->column[k]], s->value ? fabsf(s->value[k]) : 1);
        st = two_tops(out, top, in->features, ranks, err);
    }
    wgdn_release(top);
    return st;
}

/*
 * Decides from these measurements whether a run is healthy. The limits are far from the values of
 * healthy runs: docs/explanation/methods.md lists the numbers of both.
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

/* Whether to watch the first step of this epoch. */
static bool is_watched(int64_t epoch, int64_t epochs)
{
    return epoch % WATCH_EVERY == 0 || epoch == epochs - 1;
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

/* Judges the features, before training. True: text says what is wrong. */
static bool judge_features(wgdn_health *h, const wgdn_train_options *o)
{
    const wgdn_features_seen *f = &h->features;
    const double top = f->top, others = f->others;
    char advice[ADVICE];
    advise(advice, sizeof advice, o, true);
    if (others > 0 && top > scale_limit * others)
        snprintf(
            h->text, sizeof h->text,
            "column %lld of the features (counted from 0) has values up to %.3g, the others up to "
            "%.3g; training would learn this column alone; %s",
            (long long)f->column, top, others, advice);
    else if (top > 0 && top < feature_limit)
        snprintf(h->text, sizeof h->text,
                 "no feature is above %.3g, and the squares of such numbers are 0 in fp32; %s", top,
                 advice);
    return h->text[0] != '\0';
}

/* Whether something is wrong that may yet pass: no checkpoint is made of that. */
static bool is_doubtful(const wgdn_run_health *k)
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
    char advice[ADVICE];
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
                 "epoch %lld: training diverged: the loss is %.4g (first epoch: %.4g), the "
                 "gradient %.3g; %s",
                 (long long)epoch, loss, k->first_loss, h->gradient, advice);
    else if (scales || flat)
        snprintf(
            h->text, sizeof h->text,
            "epoch %lld: the embedding %s: its effective rank is %.4f of %lld (first epoch: %.4f), "
            "and %.0f %% of the columns are dead; %s",
            (long long)epoch, scales ? "has one direction" : "collapsed", c->rank,
            (long long)c->columns, k->first_rank, 100 * c->dead, advice);
    return h->text[0] != '\0';
}

typedef struct wgdn_trainer {
    const wgdn_dataset *data;
    wgdn_model *model;
    wgdn_batches batches;
    wgdn_workspace *work;
    wgdn_optimizer optimizer;
    float *grad;
    wgdn_train_run run;
    wgdn_ranks *ranks;                /* NULL: alone */
    wgdn_run_state at;                /* where the run stands; its states are the optimizer's */
    int64_t first;                    /* step that this call began with */
    int64_t halo_before, sums_before; /* sent until then */
    double began, before;             /* this call; seconds of the run until then */
    bool kept;                        /* the checkpoint is there, and of this run */
    bool stopped;                     /* progress said so */
    wgdn_health health;
    bool done;       /* what is held out gets no better */
    wgdn_error lost; /* why the last one could not be written; "": it could */
} wgdn_trainer;

/*
 * Prepares a run before its first step: compares the ranks, opens the model and its states, and
 * loads a checkpoint if there is one.
 */

/* Seconds of the run, including earlier calls. */
static double trainer_seconds(const wgdn_trainer *t)
{
    return t->before + wgdn_seconds() - t->began;
}

static void tell_all(const wgdn_trainer *t, void *data, size_t bytes)
{
    t->ranks->call->broadcast(t->ranks, data, bytes);
}

/*
 * Take up a checkpoint, if there is one: the model's parameters and buffers, what run->state points
 * to, step and loss become those of the file. A file of another run, or of other data than
 * run->data, is an error that says so.
 */
static wgdn_status checkpoint_take(wgdn_run_state *run, wgdn_model *m, const char *path,
                                   wgdn_error *err)
{
    wgdn_run_state file = {.states = run->states, .name = run->name};
    wgdn_model *was = NULL;
    if (access(path, F_OK) != 0) return WGDN_OK;
    wgdn_status st = wgdn_model_read(&was, &file, path, err);
    if (st) return st;
    st = wgdn_checkpoint_adopt(run, m, was, &file, path, err);
    for (int k = 0; k < file.states; k++)
        wgdn_release(file.state[k]);
    wgdn_release(file.best);
    wgdn_model_free(was);
    return st;
}

/* Rank 0 reads the checkpoint and sends it to the others. */
static wgdn_status resume(wgdn_trainer *t, wgdn_error *err)
{
    const wgdn_layout *l = &t->model->layout;
    const size_t bytes = (size_t)l->size * sizeof(float);
    wgdn_status st = WGDN_OK;
    if (!t->run.checkpoint || t->run.fresh) return WGDN_OK;
    if (!t->ranks || t->ranks->rank == 0)
        st = checkpoint_take(&t->at, t->model, t->run.checkpoint, err);
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (st || !t->ranks) return st;
    tell_all(t, &t->at.step, sizeof t->at.step);
    tell_all(t, &t->at.loss, sizeof t->at.loss);
    tell_all(t, &t->at.seconds, sizeof t->at.seconds);
    tell_all(t, &t->at.health, sizeof t->at.health);
    tell_all(t, &t->at.stop, sizeof t->at.stop);
    if (t->at.best) tell_all(t, t->at.best, bytes + (size_t)l->buffer_size * sizeof(float));
    tell_all(t, t->model->param, bytes);
    for (int k = 0; k < t->at.states; k++)
        tell_all(t, t->at.state[k], bytes);
    if (t->model->buffer) tell_all(t, t->model->buffer, (size_t)l->buffer_size * sizeof(float));
    return WGDN_OK;
}

/* Compares what must be equal on all ranks before they exchange data; st is the status so far. */
static wgdn_status compare(const wgdn_trainer *t, wgdn_status st, const wgdn_train_options *o,
                           wgdn_error *err)
{
    const wgdn_train_run *r = &t->run;
    wgdn_facts f = {.used = 0};
    if (!t->ranks) return st;
    wgdn_facts_add(&f, "command", "train");
    wgdn_facts_options(&f, WGDN_OPTIONS_KIND_TRAIN, o);
    wgdn_facts_add(&f, "resume", "%s", r->checkpoint && !r->fresh ? "yes" : "no");
    wgdn_facts_add(&f, "checkpoint every", "%lld epochs, %lld steps",
                   (long long)(r->checkpoint ? r->checkpoint_every : 0),
                   (long long)(r->checkpoint ? r->checkpoint_steps : 0));
    return wgdn_ranks_compare(t->ranks, st, &f, err);
}

static wgdn_status begin(wgdn_trainer *t, wgdn_error *err)
{
    const wgdn_status st =
        wgdn_optimizer_new(&t->optimizer, &wgdn_adam, t->model->layout.size, err);
    if (st) return st;
    t->at.states = t->optimizer.form->states;
    t->at.name = t->optimizer.form->state;
    memcpy(t->at.state, t->optimizer.state, sizeof t->at.state);
    if (t->model->options.patience == 0) return WGDN_OK;
    const int64_t size = t->model->layout.size + t->model->layout.buffer_size;
    t->at.best = wgdn_alloc_zero((size_t)size, sizeof *t->at.best);
    return t->at.best ? WGDN_OK
                      : wgdn_fail(err, WGDN_ENOMEM, "the best %lld parameters", (long long)size);
}

/* Ends a sick run with a message that names the last healthy checkpoint, unless it only warns. */
static wgdn_status trainer_sick(const wgdn_trainer *t, wgdn_error *err)
{
    if (t->run.health == WGDN_HEALTH_POLICY_WARN) return WGDN_OK;
    const char *path = t->kept ? t->run.checkpoint : "none yet";
    const wgdn_status st =
        wgdn_fail(err, WGDN_EHEALTH, "%s. Last healthy checkpoint: %s", t->health.text, path);
    return wgdn_ranks_agree(t->ranks, st, err);
}

static wgdn_status look_at_features(wgdn_trainer *t, wgdn_error *err)
{
    const wgdn_status st = watch_features(&t->health.features, &t->batches.feed.input, err);
    if (st || !judge_features(&t->health, &t->model->options)) return st;
    return trainer_sick(t, err);
}

/* Allocates everything, resumes from a checkpoint and checks the features. All ranks call it. */
static wgdn_status trainer_open(wgdn_trainer *t, const wgdn_dataset *d, const wgdn_train_options *o,
                                const wgdn_train_run *run, wgdn_error *err)
{
    const wgdn_batches *b = &t->batches;
    wgdn_status st = WGDN_OK;
    if (run)
        memcpy(&t->run, run, run->struct_size < sizeof t->run ? run->struct_size : sizeof t->run);
    t->data = d;
    t->ranks = wgdn_dataset_ranks(d);
    if (o->epochs > WGDN_STEPS_MAX / wgdn_steps_of_epoch(o, d))
        st = wgdn_fail(err, WGDN_ERANGE,
                       "train: %d epochs of %lld steps are more than 2^32 - 1 steps; reduce epochs",
                       o->epochs, (long long)wgdn_steps_of_epoch(o, d));
    else if (t->ranks && o->precision == WGDN_PRECISION_BF16)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "train: --precision bf16 is not supported with MPI; leave it out");
    else if (o->patience > 0 && wgdn_steps_of_epoch(o, d) > 1)
        st = wgdn_fail(
            err, WGDN_EINVAL,
            "train: patience needs all graphs in one batch; leave it out, or set batch-size "
            "0");
    st = compare(t, st, o, err);
    if (!st) st = wgdn_data_digest(&t->at.data, d, err);
    if (!st) st = wgdn_model_make(&t->model, o, wgdn_feed_width(d, o), err);
    if (!st) st = wgdn_model_keep_encoding(t->model, d->encoding, err);
    if (!st && d->choice.read) st = wgdn_reading_text(&t->model->reading, d, err);
    if (!st) t->model->origin = wgdn_origin_of(d);
    if (!st) st = begin(t, err);
    if (!st) st = resume(t, err);
    if (!st) st = wgdn_batches_open(&t->batches, d, t->model, false, err);
    if (!st) st = wgdn_workspace_new(&t->work, t->model, b->input, true, err);
    if (!st) t->grad = wgdn_alloc_zero((size_t)t->model->layout.size, sizeof *t->grad);
    if (!st && !t->grad)
        st = wgdn_fail(err, WGDN_ENOMEM, "gradient of %lld parameters",
                       (long long)t->model->layout.size);
    if (!st) t->health.gram = wgdn_alloc((size_t)COLUMNS * COLUMNS, sizeof *t->health.gram);
    if (!st && !t->health.gram) st = wgdn_fail(err, WGDN_ENOMEM, "health checks of the run");
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (st) return st;
    t->first = t->at.step;
    t->before = t->at.seconds;
    t->kept = t->at.step > 0 && !is_doubtful(&t->at.health);
    t->at.steps = b->steps;
    t->halo_before = t->ranks ? t->ranks->halo_sent : 0;
    t->sums_before = t->ranks ? t->ranks->sums_sent : 0;
    t->began = wgdn_seconds();
    return look_at_features(t, err);
}

/*
 * Runs the training loop: steps, counted over all epochs, each on the data that wgdn_batches
 * returns. All memory is allocated before the first step.
 */

enum { COMPARE_EVERY = 16 }; /* epochs between two comparisons of the parameters of ranks */

/* Ranks have their own copies of the parameters, which no message repairs. */
static wgdn_status compare_parameters(const wgdn_trainer *t, int64_t epoch, wgdn_error *err)
{
    wgdn_facts f = {.status = WGDN_ENUMBER};
    char name[96];
    snprintf(name, sizeof name, "digest of the parameters after epoch %lld", (long long)epoch);
    wgdn_facts_digest(&f, name, t->model->param, (size_t)t->model->layout.size * sizeof(float));
    const wgdn_status st = wgdn_ranks_compare(t->ranks, WGDN_OK, &f, err);
    if (st != WGDN_ENUMBER || !err) return st;
    const wgdn_error why = *err;
    return wgdn_fail(err, st,
                     "%.180s; the parameters of the ranks differ; resume from the last checkpoint",
                     why.message);
}

/* Judges each epoch before anything of it is saved. */
static wgdn_status look_at_epoch(wgdn_trainer *t, double loss, int64_t epoch, wgdn_error *err)
{
    if (!wgdn_health_judge(&t->health, &t->at.health, &t->model->options, loss, epoch))
        return WGDN_OK;
    return trainer_sick(t, err);
}

/* Refuses a loss or a gradient that is not finite, and names the first such parameters. */
static wgdn_status check_numbers(wgdn_trainer *t, double loss, int64_t epoch, wgdn_error *err)
{
    const wgdn_layout *l = &t->model->layout;
    const char *kept = t->kept ? "; last checkpoint: " : "";
    const char *path = t->kept ? t->run.checkpoint : "";
    double all = 0;
    for (int k = 0; k < l->views; k++) {
        const float *g = t->grad + l->view[k].offset;
        double squares;
        (void)wgdn_rows()->moments(&squares, g, l->view[k].rows * l->view[k].cols);
        all += squares;
        if (!isfinite(squares))
            return wgdn_fail(
                err, WGDN_ENUMBER,
                "epoch %lld: the gradient of %s is not finite (loss %g); try a smaller "
                "learning-rate%s%s",
                (long long)epoch, l->view[k].name, loss, kept, path);
    }
    if (!isfinite(loss))
        return wgdn_fail(err, WGDN_ENUMBER,
                         "epoch %lld: the loss is %g; try a smaller learning-rate%s%s",
                         (long long)epoch, loss, kept, path);
    t->health.gradient = sqrt(all);
    return WGDN_OK;
}

/* Rank 0 writes; all know whether it could. */
static wgdn_status save(wgdn_trainer *t, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!t->run.checkpoint) return WGDN_OK;
    t->at.seconds = trainer_seconds(t);
    if (!t->ranks || t->ranks->rank == 0)
        st = wgdn_model_write(t->model, &t->at, t->run.checkpoint, err);
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (!st) t->kept = true;
    return st;
}

/* Keeps the former checkpoint and continues if a checkpoint cannot be written. */
static bool try_to_save(wgdn_trainer *t)
{
    t->lost = (wgdn_error){WGDN_OK, ""};
    const wgdn_status st = save(t, &t->lost);
    if (st && !t->lost.message[0]) wgdn_fail(&t->lost, st, "%s", wgdn_status_text(st));
    return st == WGDN_OK;
}

/* Reports progress, and stops after a checkpoint if the caller asks for it. */
static wgdn_status tell(wgdn_trainer *t, double loss, bool saved, wgdn_error *err)
{
    const int64_t steps = t->batches.steps;
    /* The time that the checkpoint has, if one was just written: a resumed run continues from it. */
    const double now = saved ? t->at.seconds : trainer_seconds(t);
    const wgdn_progress p = {.epoch = t->at.step / steps,
                             .epochs = t->model->options.epochs,
                             .loss = loss,
                             .seconds = now,
                             .first = t->first / steps,
                             .step = t->at.step % steps,
                             .steps = steps,
                             .halo_bytes = t->ranks ? t->ranks->halo_sent - t->halo_before : 0,
                             .sum_bytes = t->ranks ? t->ranks->sums_sent - t->sums_before : 0,
                             .seconds_before = t->before,
                             .checkpoint_error = t->lost.message[0] ? t->lost.message : NULL,
                             .first_loss = t->at.health.first_loss,
                             .rank = t->health.code.rank,
                             .first_rank = t->at.health.first_rank,
                             .dead = t->health.code.dead,
                             .gradient = t->health.gradient,
                             .sick = t->health.text[0] ? t->health.text : NULL,
                             .held_out = t->at.stop.error,
                             .best_held_out = t->at.stop.best,
                             .best_epoch = t->at.stop.epoch};
    wgdn_status st;
    const bool wish = t->run.progress && t->run.progress(t->run.progress_user, &p);
    int64_t stop = !wish ? 0 : t->ranks ? t->ranks->count - t->ranks->rank : 1;
    char who[32] = "";
    st = wgdn_ranks_meet(t->ranks, WGDN_OK, &stop, err); /* anyone's wish is everyone's */
    if (st || !stop) return st;
    st = saved ? WGDN_OK : save(t, err);
    if (st) return st;
    t->stopped = true;
    if (t->run.keep && p.step == 0) { /* as if no more had been asked for */
        t->model->options.epochs = (int)p.epoch;
        return WGDN_OK;
    }
    if (t->ranks) snprintf(who, sizeof who, ", requested by rank %d", t->ranks->count - (int)stop);
    if (p.step > 0)
        return wgdn_fail(err, WGDN_ESTOPPED, "stopped after epoch %lld and %lld steps, of %lld%s",
                         (long long)p.epoch, (long long)p.step, (long long)p.epochs, who);
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after epoch %lld of %lld%s", (long long)p.epoch,
                     (long long)p.epochs, who);
}

static double rate_of(const wgdn_train_options *o, int64_t epoch)
{
    return o->learning_rate * pow(o->decay, floor((double)epoch / o->decay_every));
}

/* Whether a checkpoint is due after so many steps. */
static bool due(const wgdn_trainer *t, int64_t done)
{
    const wgdn_train_run *r = &t->run;
    if (r->checkpoint_steps > 0 && done % r->checkpoint_steps == 0) return true;
    return r->checkpoint_every > 0 && done % (r->checkpoint_every * t->batches.steps) == 0;
}

/* Copies parameters and buffers to the place of the best ones, or back. */
static void keep_best(const wgdn_trainer *t, bool back)
{
    const wgdn_layout *l = &t->model->layout;
    float *best = t->at.best, *param = t->model->param, *buffer = t->model->buffer;
    const size_t bytes = (size_t)l->size * sizeof *best;
    memcpy(back ? param : best, back ? best : param, bytes);
    if (!buffer) return;
    best += l->size;
    memcpy(back ? buffer : best, back ? best : buffer, (size_t)l->buffer_size * sizeof *best);
}

/* Before a step moves the parameters: how well they do on what is held out. */
static void look_at_held(wgdn_trainer *t, const double *sums, int64_t epoch)
{
    const double error = wgdn_held_error(t->model, &t->batches.feed.input, sums);
    if (wgdn_stop_better(&t->at.stop, error, epoch)) keep_best(t, false);
    t->done = wgdn_stop_done(&t->at.stop, epoch, t->model->options.patience);
}

/* Makes the best model that was seen the result. */
static void end_run(wgdn_trainer *t)
{
    const wgdn_run_stop *s = &t->at.stop;
    if (!s->seen) return;
    keep_best(t, true);
    t->model->end = (wgdn_run_end){t->at.step / t->batches.steps, s->epoch, s->best};
}

static wgdn_status one_step(wgdn_trainer *t, double *loss, int64_t step, wgdn_error *err)
{
    const wgdn_train_options *o = &t->model->options;
    const wgdn_batches *b = &t->batches;
    const int64_t epoch = step / b->steps;
    wgdn_batches_take(&t->batches, step);
    wgdn_workspace_fit(t->work, b->input->rows);
    wgdn_pass pass = wgdn_pass_of(t->model, t->work, b->graph, b->input, (uint32_t)step);
    double held[WGDN_HELD_SUMS] = {0};
    if (t->at.best && wgdn_stop_due(epoch)) pass.held = held;
    wgdn_status st = wgdn_step(loss, t->grad, &pass, err);
    if (st == WGDN_EENGINE && t->ranks) /* the others are in the middle of a sum */
        wgdn_ranks_end(t->ranks, err ? err->message : "the dense engine failed");
    if (!st) st = check_numbers(t, *loss, epoch, err);
    const bool watched = !st && step % b->steps == 0 && is_watched(epoch, o->epochs);
    if (watched) st = wgdn_watch_code(&t->health.code, t->health.gram, &pass, err);
    if (watched) t->health.fresh = st == WGDN_OK;
    if (!st && wgdn_fault_is(t->ranks, "step", step + 1))
        st = wgdn_fail(err, WGDN_ENUMBER, "a fault in step %lld", (long long)step + 1);
    if (st) return wgdn_ranks_agree(t->ranks, st, err);
    if (pass.held) look_at_held(t, held, epoch);
    if (t->done) return WGDN_OK;
    t->at.step++;
    t->optimizer.form->step(&t->optimizer, t->model->param, t->grad, rate_of(o, epoch), t->at.step);
    if (wgdn_fault_is(t->ranks, "parameters", t->at.step)) t->model->param[0] += 1;
    return WGDN_OK;
}

/* Whether the parameters of ranks are to be compared after so many steps: checkpoints are sound. */
static bool compares(const wgdn_trainer *t, int64_t done)
{
    const int64_t epoch = done / t->batches.steps;
    if (!t->ranks || done % t->batches.steps != 0) return false;
    return epoch % COMPARE_EVERY == 0 || epoch == t->model->options.epochs || due(t, done);
}

static wgdn_status loop(wgdn_trainer *t, wgdn_error *err)
{
    const int64_t steps = t->batches.steps, all = t->model->options.epochs * steps;
    for (int64_t step = t->first; step < all; step++) {
        const int64_t into = step % steps + 1; /* steps of this epoch, with this one */
        double loss = 0;
        wgdn_status st = one_step(t, &loss, step, err);
        if (st || t->done) return st;
        t->at.loss += loss;
        loss = t->at.loss / (double)into;
        if (into == steps) t->at.loss = 0;
        if (into == steps) st = look_at_epoch(t, loss, step / steps + 1, err);
        if (st) return st;

        if (compares(t, step + 1)) st = compare_parameters(t, (step + 1) / steps, err);
        /* A file that was changed is mixed into nothing that is kept. Ranks have copies. */
        const bool due_now = due(t, step + 1);
        if (!st && (due_now || into == steps)) st = wgdn_dataset_unchanged(t->data, err);
        const bool healthy =
            t->run.health == WGDN_HEALTH_POLICY_WARN || !is_doubtful(&t->at.health);
        if (!st) st = tell(t, loss, due_now && healthy && try_to_save(t), err);
        if (st || t->stopped) return st;
    }
    return WGDN_OK;
}

wgdn_status wgdn_model_train(wgdn_model **out, const wgdn_dataset *d, const wgdn_train_options *o,
                             const wgdn_train_run *run, wgdn_error *err)
{
    wgdn_train_options opt;
    wgdn_trainer t = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_TRAIN, err);
    if (st) return st;
    if (!d || (run && run->struct_size < sizeof(size_t)))
        return wgdn_fail(err, WGDN_EINVAL,
                         "train: a dataset is needed, and a run set up by wgdn_train_run_init()");
    const int former = wgdn_threads_use(opt.threads);
    st = trainer_open(&t, d, &opt, run, err);
    if (!st) st = loop(&t, err);
    if (!st) {
        end_run(&t);
        *out = t.model;
        t.model = NULL;
    }
    wgdn_release(t.health.gram);
    wgdn_release(t.at.best);
    wgdn_release(t.grad);
    wgdn_workspace_free(t.work);
    wgdn_batches_free(&t.batches);
    wgdn_optimizer_free(&t.optimizer);
    wgdn_model_free(t.model);
    wgdn_threads_use(former);
    return st;
}
