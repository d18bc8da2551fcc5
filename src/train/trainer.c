/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The training loop: steps, counted over all epochs, each on what wgdn_batches hands out.
 * Everything it needs is allocated before the first one.
 */
#include "dataset/dataset.h"
#include "linalg/rows.h"
#include "train.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct trainer {
    const wgdn_dataset *data;
    wgdn_model *model;
    wgdn_batches batches;
    wgdn_workspace *work;
    wgdn_optimiser optimiser;
    float *grad;
    wgdn_train_run run;
    wgdn_ranks *ranks;                /* NULL: alone */
    wgdn_run_state at;                /* where the run stands; its states are the optimiser's */
    int64_t first;                    /* step that this call began with */
    int64_t halo_before, sums_before; /* sent until then */
    double began, before;             /* this call; seconds of the run until then */
} trainer;

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tell_all(const trainer *t, void *data, size_t bytes)
{
    t->ranks->call->broadcast(t->ranks, data, bytes);
}

/* Rank 0 takes up the checkpoint, and the others what it found. */
static wgdn_status resume(trainer *t, wgdn_error *err)
{
    const wgdn_layout *l = &t->model->layout;
    const size_t bytes = (size_t)l->size * sizeof(float);
    wgdn_status st = WGDN_OK;
    if (!t->run.checkpoint || t->run.fresh) return WGDN_OK;
    if (!t->ranks || t->ranks->rank == 0)
        st = wgdn_checkpoint_take(&t->at, t->model, t->run.checkpoint, err);
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (st || !t->ranks) return st;
    tell_all(t, &t->at.step, sizeof t->at.step);
    tell_all(t, &t->at.loss, sizeof t->at.loss);
    tell_all(t, &t->at.seconds, sizeof t->at.seconds);
    tell_all(t, t->model->param, bytes);
    for (int k = 0; k < t->at.states; k++)
        tell_all(t, t->at.state[k], bytes);
    if (t->model->buffer) tell_all(t, t->model->buffer, (size_t)l->buffer_size * sizeof(float));
    return WGDN_OK;
}

static wgdn_status begin(trainer *t, wgdn_error *err)
{
    const wgdn_status st =
        wgdn_optimiser_new(&t->optimiser, &wgdn_adam, t->model->layout.size, err);
    if (st) return st;
    t->at.states = t->optimiser.form->states;
    t->at.name = t->optimiser.form->state;
    memcpy(t->at.state, t->optimiser.state, sizeof t->at.state);
    return WGDN_OK;
}

static wgdn_status open_trainer(trainer *t, const wgdn_dataset *d, const wgdn_train_options *o,
                                const wgdn_train_run *run, wgdn_error *err)
{
    const wgdn_batches *b = &t->batches;
    wgdn_status st;
    if (run)
        memcpy(&t->run, run, run->struct_size < sizeof t->run ? run->struct_size : sizeof t->run);
    if (o->epochs > UINT32_MAX / wgdn_steps_of_epoch(o, d))
        return wgdn_fail(err, WGDN_ERANGE, "train: %d epochs of %lld steps are more than 2^32 - 1",
                         o->epochs, (long long)wgdn_steps_of_epoch(o, d));
    t->data = d;
    t->ranks = wgdn_dataset_ranks(d);
    if (t->ranks && o->precision == WGDN_PRECISION_BF16)
        return wgdn_fail(err, WGDN_EINVAL,
                         "train: ranks multiply in fp32; leave out --precision bf16 under mpirun");
    st = wgdn_data_digest(&t->at.data, d, err);
    if (!st) st = wgdn_model_make(&t->model, o, wgdn_feed_width(d, o), err);
    if (!st) st = wgdn_model_keep_encoding(t->model, d->encoding, err);
    if (!st) t->model->origin = wgdn_origin_of(d);
    if (!st) st = begin(t, err);
    if (!st) st = resume(t, err);
    if (!st) st = wgdn_batches_open(&t->batches, d, t->model, err);
    if (!st) st = wgdn_workspace_new(&t->work, t->model, b->input, true, err);
    if (!st) t->grad = wgdn_alloc_zero((size_t)t->model->layout.size, sizeof *t->grad);
    if (!st && !t->grad)
        st = wgdn_fail(err, WGDN_ENOMEM, "gradient of %lld parameters",
                       (long long)t->model->layout.size);
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (st) return st;
    t->first = t->at.step;
    t->before = t->at.seconds;
    t->at.steps = b->steps;
    t->halo_before = t->ranks ? t->ranks->halo_sent : 0;
    t->sums_before = t->ranks ? t->ranks->sums_sent : 0;
    t->began = seconds();
    return WGDN_OK;
}

static void close_trainer(trainer *t)
{
    wgdn_release(t->grad);
    wgdn_workspace_free(t->work);
    wgdn_batches_free(&t->batches);
    wgdn_optimiser_free(&t->optimiser);
    wgdn_model_free(t->model);
}

/* Loss and gradient must be finite; the first view that is not is named. */
static wgdn_status check_numbers(const trainer *t, double loss, int64_t epoch, wgdn_error *err)
{
    const wgdn_layout *l = &t->model->layout;
    const char *saved = t->run.checkpoint ? t->run.checkpoint : "none";
    for (int k = 0; k < l->views; k++) {
        const float *g = t->grad + l->view[k].offset;
        double squares;
        (void)wgdn_rows()->moments(&squares, g, l->view[k].rows * l->view[k].cols);
        if (!isfinite(squares))
            return wgdn_fail(err, WGDN_ENUMBER,
                             "epoch %lld: the gradient of %s is not finite (loss %g); last "
                             "checkpoint: %s. A smaller rate may help",
                             (long long)epoch, l->view[k].name, loss, saved);
    }
    if (!isfinite(loss))
        return wgdn_fail(err, WGDN_ENUMBER, "epoch %lld: the loss is %g; last checkpoint: %s",
                         (long long)epoch, loss, saved);
    return WGDN_OK;
}

/* Rank 0 writes; all know whether it could. */
static wgdn_status save(trainer *t, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!t->run.checkpoint) return WGDN_OK;
    t->at.seconds = t->before + seconds() - t->began;
    if (!t->ranks || t->ranks->rank == 0)
        st = wgdn_model_write(t->model, &t->at, t->run.checkpoint, err);
    return wgdn_ranks_agree(t->ranks, st, err);
}

/* Tell how far it is; a wish to stop is granted after a checkpoint. */
static wgdn_status tell(trainer *t, double loss, bool saved, wgdn_error *err)
{
    const int64_t steps = t->batches.steps;
    const wgdn_progress p = {.epoch = t->at.step / steps,
                             .epochs = t->model->options.epochs,
                             .loss = loss,
                             .seconds = t->before + seconds() - t->began,
                             .first = t->first / steps,
                             .step = t->at.step % steps,
                             .steps = steps,
                             .halo_bytes = t->ranks ? t->ranks->halo_sent - t->halo_before : 0,
                             .sum_bytes = t->ranks ? t->ranks->sums_sent - t->sums_before : 0,
                             .seconds_before = t->before};
    wgdn_status st;
    int64_t stop = t->run.progress && t->run.progress(&p, t->run.user);
    if (t->ranks) stop = t->ranks->call->max(t->ranks, stop); /* anyone's wish is everyone's */
    if (!stop) return WGDN_OK;
    st = saved ? WGDN_OK : save(t, err);
    if (st) return st;
    if (p.step > 0)
        return wgdn_fail(err, WGDN_ESTOPPED, "stopped after epoch %lld and %lld steps, of %lld",
                         (long long)p.epoch, (long long)p.step, (long long)p.epochs);
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after epoch %lld of %lld", (long long)p.epoch,
                     (long long)p.epochs);
}

static double rate_of(const wgdn_train_options *o, int64_t epoch)
{
    return o->learning_rate * pow(o->decay, floor((double)epoch / o->decay_every));
}

/* Whether a checkpoint is due after so many steps. */
static bool due(const trainer *t, int64_t done)
{
    const wgdn_train_run *r = &t->run;
    if (r->checkpoint_steps > 0 && done % r->checkpoint_steps == 0) return true;
    return r->checkpoint_every > 0 && done % (r->checkpoint_every * t->batches.steps) == 0;
}

static wgdn_status one_step(trainer *t, double *loss, int64_t step, wgdn_error *err)
{
    const wgdn_train_options *o = &t->model->options;
    const wgdn_batches *b = &t->batches;
    const int64_t epoch = step / b->steps;
    wgdn_batches_take(&t->batches, step);
    wgdn_workspace_fit(t->work, b->input->rows);
    const wgdn_pass pass = wgdn_pass_of(t->model, t->work, b->graph, b->input, (uint32_t)step);
    wgdn_status st = wgdn_step(loss, t->grad, &pass, err);
    if (st == WGDN_EENGINE && t->ranks) /* the others are in the middle of a sum */
        wgdn_ranks_end(t->ranks, err ? err->message : "the dense engine failed");
    if (!st) st = check_numbers(t, *loss, epoch, err);
    if (st) return st;
    t->at.step++;
    t->optimiser.form->step(&t->optimiser, t->model->param, t->grad, rate_of(o, epoch), t->at.step);
    return WGDN_OK;
}

static wgdn_status loop(trainer *t, wgdn_error *err)
{
    const int64_t steps = t->batches.steps, all = t->model->options.epochs * steps;
    for (int64_t step = t->first; step < all; step++) {
        const int64_t into = step % steps + 1; /* steps of this epoch, with this one */
        double loss = 0;
        wgdn_status st = one_step(t, &loss, step, err);
        if (st) return st;
        t->at.loss += loss;
        loss = t->at.loss / (double)into;
        if (into == steps) t->at.loss = 0;

        /* A file that was changed is mixed into nothing that is kept. Ranks have copies. */
        const bool saved = due(t, step + 1);
        if (saved || into == steps) st = wgdn_dataset_unchanged(t->data, err);
        if (!st && saved) st = save(t, err);
        if (!st) st = tell(t, loss, saved, err);
        if (st) return st;
    }
    return WGDN_OK;
}

wgdn_status wgdn_model_train(wgdn_model **out, const wgdn_dataset *d, const wgdn_train_options *o,
                             const wgdn_train_run *run, wgdn_error *err)
{
    wgdn_train_options opt;
    trainer t = {0};
    wgdn_status st = wgdn_train_options_read(&opt, o, err);
    if (st) return st;
    if (!d || (run && run->struct_size < sizeof(size_t)))
        return wgdn_fail(err, WGDN_EINVAL, "train: a dataset and a run with its struct_size set");
    const int former = wgdn_threads_use(opt.threads);
    st = open_trainer(&t, d, &opt, run, err);
    if (!st) st = loop(&t, err);
    if (!st) {
        *out = t.model;
        t.model = NULL;
    }
    close_trainer(&t);
    wgdn_threads_use(former);
    return st;
}
