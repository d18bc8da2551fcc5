/* SPDX-License-Identifier: Apache-2.0 */
/* Losses: a descriptor each, in the order of the option `loss`. */
#ifndef WGDN_MODEL_LOSS_H
#define WGDN_MODEL_LOSS_H

#include "layers.h"
#include "linalg/rows.h"

/* ---- with the reconstruction R (n x f): loss.c ---- */

enum { WGDN_LOSS_SUMS = 2 };

/* What a loss of one row looks at besides that row. */
typedef struct wgdn_loss_call {
    const wgdn_row_ops *rows;
    const wgdn_layer_ops *layer;
    const wgdn_model_input *in;
    double balance; /* weight of the non-zeros of X; 1 unless the loss is balanced */
} wgdn_loss_call;

/* ---- without it, where R = B W^T + 1 (k b)^T: loss.c ---- */

/* What is known of R, what is wanted, and where to work. */
typedef struct wgdn_gram_call {
    const wgdn_model_input *in;
    const float *big, *w, *b; /* B n x h, W f x h, b f */
    float k;
    int64_t h;
    float *dw, *db, *dbig;
    float *room;  /* n x h */
    double *held; /* as in wgdn_pass */
    const wgdn_gram *at;
    void *work; /* of sums over blocks */
} wgdn_gram_call;

struct wgdn_loss_form {
    const char *name; /* as the option has it */
    bool balanced;    /* non-zeros of X weigh as the option `balance` says */
    bool directions;  /* rows of R may have any length */
    int sums;         /* that a row adds to */
    int gram_sums;    /* the same without R */
    /* Row i of R, at r, becomes its gradient but for the factor; its share is added to sums. */
    void (*row)(double *sums, float *r, int64_t i, const wgdn_loss_call *c);
    /* The loss, and that factor, from the sums over n rows of f features. */
    double (*finish)(double *factor, const double *sums, double n, double f);
    /* The loss, and dW, db and dB, without R; NULL: this loss needs R. */
    wgdn_status (*gram)(double *loss, const wgdn_loss_form *form, const wgdn_gram_call *c,
                        wgdn_error *err);
};

/* Loss of a reconstruction R (n x f), which becomes its own gradient but for the factor. held: as
 * in wgdn_pass. */
double wgdn_loss_dense(float *factor, double *held, float *r, const wgdn_model_input *in,
                       const wgdn_loss_form *form, void *work);

#endif
