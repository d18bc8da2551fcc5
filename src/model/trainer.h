/* SPDX-License-Identifier: Apache-2.0 */
/* Between trainer.c and trainer.c: a run of training. */
#ifndef WGDN_MODEL_TRAINER_H
#define WGDN_MODEL_TRAINER_H

#include "data/dataset.h"
#include "train.h"
#include "training_health.h"

typedef struct wgdn_trainer {
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
    bool kept;                        /* the checkpoint is there, and of this run */
    bool stopped;                     /* progress said so */
    wgdn_health health;
    bool done;       /* what is held out gets no better */
    wgdn_error lost; /* why the last one could not be written; "": it could */
} wgdn_trainer;

#endif
