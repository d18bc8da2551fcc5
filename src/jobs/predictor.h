/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that predict labels: smoothing over the graph, calibration, the predictor. */
#ifndef WGDN_JOBS_PREDICTOR_H
#define WGDN_JOBS_PREDICTOR_H

#include "eval/probe.h"

/* ---- predictions smoothed over the graph: smoothing.c ---- */

/* How scores of vectors and of neighbors become one. */
typedef struct wgdn_mix {
    wgdn_predict_method method;
    bool symmetric; /* smoothing by D^-1/2 A D^-1/2, else by D^-1 A */
    double decay;   /* of a step; 0 for the vectors alone */
    double power;   /* of what the neighbors tell */
} wgdn_mix;

/* What is known of the labels of all nodes. */
typedef struct wgdn_evidence {
    const wgdn_graph *graph;
    int64_t n, classes;
    const wgdn_targets *targets; /* labels of all nodes that have one, */
    const uint8_t *known;        /* n: and whether the label of a node may be used */
    const float
        *score; /* n x classes, by the vectors: log probabilities; log odds with several labels */
} wgdn_evidence;

/* Scores of all nodes by a mix, of the same kind but for a constant in each row. z: n x classes. */
WGDN_MUST_CHECK wgdn_status wgdn_mix_scores(float *z, const wgdn_mix *m, const wgdn_evidence *e,
                                            wgdn_error *err);
/*
 * Numbers: f + r, r the smoothed mean of the residuals of nodes that are known. y, f and out: n; value of the
 * nodes that are known in y.
 */
WGDN_MUST_CHECK wgdn_status wgdn_mix_numbers(float *out, const wgdn_mix *m, const wgdn_graph *g,
                                             const float *f, const double *y, const uint8_t *known,
                                             wgdn_error *err);

/* ---- scores to probabilities and what these are worth: calibration.c ---- */

/* Labeled nodes and their scores. */
typedef struct wgdn_scored {
    const float *z; /* rows x classes */
    int64_t rows, classes;
    const int64_t *node;         /* of each row */
    const wgdn_targets *targets; /* labels by node */
} wgdn_scored;

/* Probabilities of a row of scores, which may be z itself. several: each class by itself. */
void wgdn_calibrate_row(float *p, const float *z, int64_t classes, double temperature,
                        bool several);
/* The temperature with the least log loss on the rows whose fold is another one than `but`. */
double wgdn_temperature_fit(const wgdn_scored *s, const int32_t *fold, int32_t but);
/* The threshold of several labels with the best micro-F1. p: probabilities of the rows. */
double wgdn_threshold_fit(const wgdn_scored *p);
/* Whether class k is predicted: it reaches the threshold, or is the most likely one. */
static inline bool wgdn_is_predicted(const float *p, int64_t k, int32_t best, double threshold)
{
    return k == best || (double)p[k] >= threshold;
}
/* Accuracy, F1, AUC and average precision into the report, whose threshold and positive class are set. */
WGDN_MUST_CHECK wgdn_status wgdn_measure_labels(wgdn_predict_report *r, const wgdn_scored *p,
                                                wgdn_error *err);
/* Log loss and calibration error of probabilities. */
void wgdn_measure_probabilities(wgdn_predict_report *r, const wgdn_scored *p);
/* Log loss of scores at a temperature, mean over rows. */
double wgdn_log_loss(const wgdn_scored *s, double temperature);

/* ---- the predictor: predict.c, predictor_file.c ---- */

struct wgdn_predictor {
    wgdn_predict_report report;
    int64_t width, cols; /* cols of the weights: 1 for two classes or a number */
    float *weight;       /* width x cols, then cols constants */
    wgdn_names names;    /* of the classes */
    wgdn_mix mix;
    bool balanced;
};

/* Both from a file that is open; nothing is left after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_predictor_parse(wgdn_predictor **out, wgdn_model **model,
                                                 const wgdn_archive *a, const char *path,
                                                 wgdn_error *err);

/* Scores of all n nodes by the vectors alone, as in wgdn_evidence. in: with u, rows of length 1. */
WGDN_MUST_CHECK wgdn_status wgdn_vector_scores(float *score, const wgdn_unit_input *u,
                                               const wgdn_targets *a, const float *weight,
                                               wgdn_error *err);

/* The same of numbers: X w and a constant. */
WGDN_MUST_CHECK wgdn_status wgdn_vector_numbers(float *f, const wgdn_probe_input *in,
                                                const float *weight, wgdn_error *err);

#endif
