/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run needs before its first step: what ranks have in common, the model and its states, a
 * checkpoint where there is one.
 */
#include "dataset/reading.h"
#include "trainer.h"

#include <string.h>

double wgdn_trainer_seconds(const wgdn_trainer *t)
{
    return t->before + wgdn_seconds() - t->began;
}

static void tell_all(const wgdn_trainer *t, void *data, size_t bytes)
{
    t->ranks->call->broadcast(t->ranks, data, bytes);
}

/* Rank 0 takes up the checkpoint, and the others what it found. */
static wgdn_status resume(wgdn_trainer *t, wgdn_error *err)
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
    tell_all(t, &t->at.health, sizeof t->at.health);
    tell_all(t, &t->at.stop, sizeof t->at.stop);
    if (t->at.best) tell_all(t, t->at.best, bytes + (size_t)l->buffer_size * sizeof(float));
    tell_all(t, t->model->param, bytes);
    for (int k = 0; k < t->at.states; k++)
        tell_all(t, t->at.state[k], bytes);
    if (t->model->buffer) tell_all(t, t->model->buffer, (size_t)l->buffer_size * sizeof(float));
    return WGDN_OK;
}

/* What ranks have to have in common before they share anything; with the status of each so far. */
static wgdn_status compare(const wgdn_trainer *t, wgdn_status st, const wgdn_train_options *o,
                           wgdn_error *err)
{
    const wgdn_train_run *r = &t->run;
    wgdn_facts f = {.used = 0};
    if (!t->ranks) return st;
    wgdn_facts_add(&f, "command", "train");
    wgdn_facts_options(&f, WGDN_OPTIONS_TRAIN, o);
    wgdn_facts_add(&f, "resume", "%s", r->checkpoint && !r->fresh ? "yes" : "no");
    wgdn_facts_add(&f, "checkpoint every", "%lld epochs, %lld steps",
                   (long long)(r->checkpoint ? r->checkpoint_every : 0),
                   (long long)(r->checkpoint ? r->checkpoint_steps : 0));
    return wgdn_ranks_compare(t->ranks, st, &f, err);
}

static wgdn_status begin(wgdn_trainer *t, wgdn_error *err)
{
    const wgdn_status st =
        wgdn_optimiser_new(&t->optimiser, &wgdn_adam, t->model->layout.size, err);
    if (st) return st;
    t->at.states = t->optimiser.form->states;
    t->at.name = t->optimiser.form->state;
    memcpy(t->at.state, t->optimiser.state, sizeof t->at.state);
    if (t->model->options.patience == 0) return WGDN_OK;
    const int64_t size = t->model->layout.size + t->model->layout.buffer_size;
    t->at.best = wgdn_alloc_zero((size_t)size, sizeof *t->at.best);
    return t->at.best ? WGDN_OK
                      : wgdn_fail(err, WGDN_ENOMEM, "best of %lld parameters", (long long)size);
}

wgdn_status wgdn_trainer_sick(const wgdn_trainer *t, wgdn_error *err)
{
    if (t->run.health == WGDN_HEALTH_WARN) return WGDN_OK;
    const char *path = t->kept ? t->run.checkpoint : "none yet";
    const wgdn_status st =
        wgdn_fail(err, WGDN_EHEALTH, "%s. Last healthy checkpoint: %s", t->health.text, path);
    return wgdn_ranks_agree(t->ranks, st, err);
}

static wgdn_status look_at_features(wgdn_trainer *t, wgdn_error *err)
{
    const wgdn_status st = wgdn_watch_features(&t->health.features, &t->batches.feed.input, err);
    if (st || !wgdn_health_features(&t->health, &t->model->options)) return st;
    return wgdn_trainer_sick(t, err);
}

wgdn_status wgdn_trainer_open(wgdn_trainer *t, const wgdn_dataset *d, const wgdn_train_options *o,
                              const wgdn_train_run *run, wgdn_error *err)
{
    const wgdn_batches *b = &t->batches;
    wgdn_status st = WGDN_OK;
    if (run)
        memcpy(&t->run, run, run->struct_size < sizeof t->run ? run->struct_size : sizeof t->run);
    t->data = d;
    t->ranks = wgdn_dataset_ranks(d);
    if (o->epochs > WGDN_STEPS_MAX / wgdn_steps_of_epoch(o, d))
        st = wgdn_fail(err, WGDN_ERANGE, "train: %d epochs of %lld steps are more than 2^32 - 1",
                       o->epochs, (long long)wgdn_steps_of_epoch(o, d));
    else if (t->ranks && o->precision == WGDN_PRECISION_BF16)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "train: ranks multiply in fp32; leave out --precision bf16 under mpirun");
    else if (o->patience > 0 && wgdn_steps_of_epoch(o, d) > 1)
        st =
            wgdn_fail(err, WGDN_EINVAL,
                      "train: patience is for graphs in one batch; leave it out, or set batch-size "
                      "0");
    st = compare(t, st, o, err);
    if (!st) st = wgdn_data_digest(&t->at.data, d, err);
    if (!st) st = wgdn_model_make(&t->model, o, wgdn_feed_width(d, o), err);
    if (!st) st = wgdn_model_keep_encoding(t->model, d->encoding, err);
    if (!st && d->choice.read) st = wgdn_reading_text(&t->model->reading, d, err);
    if (!st) t->model->origin = wgdn_origin_of(d);
    if (!st) st = begin(t, err);
    if (!st) st = resume(t, err);
    if (!st) st = wgdn_batches_open(&t->batches, d, t->model, err);
    if (!st) st = wgdn_workspace_new(&t->work, t->model, b->input, true, err);
    if (!st) t->grad = wgdn_alloc_zero((size_t)t->model->layout.size, sizeof *t->grad);
    if (!st && !t->grad)
        st = wgdn_fail(err, WGDN_ENOMEM, "gradient of %lld parameters",
                       (long long)t->model->layout.size);
    if (!st) st = wgdn_health_open(&t->health, err);
    st = wgdn_ranks_agree(t->ranks, st, err);
    if (st) return st;
    t->first = t->at.step;
    t->before = t->at.seconds;
    t->kept = t->at.step > 0 && !wgdn_health_doubtful(&t->at.health);
    t->at.steps = b->steps;
    t->halo_before = t->ranks ? t->ranks->halo_sent : 0;
    t->sums_before = t->ranks ? t->ranks->sums_sent : 0;
    t->began = wgdn_seconds();
    return look_at_features(t, err);
}

void wgdn_trainer_close(wgdn_trainer *t)
{
    wgdn_health_close(&t->health);
    wgdn_release(t->at.best);
    wgdn_release(t->grad);
    wgdn_workspace_free(t->work);
    wgdn_batches_free(&t->batches);
    wgdn_optimiser_free(&t->optimiser);
    wgdn_model_free(t->model);
}
