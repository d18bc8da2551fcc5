/* SPDX-License-Identifier: Apache-2.0 */
/* Dec(x): signal and noise of x, the filters that they ask for, the channels and their sum. */
#include "reference/internal.h"

#include <math.h>
#include <string.h>

/* sum_j [ var_j(x) + mean_i x_ij^2 ], var unbiased */
static double signal_of(const double *x, int64_t n, int d)
{
    double total = 0;
    for (int j = 0; j < d; j++) {
        double mean = 0, variance = 0, square = 0;
        for (int64_t i = 0; i < n; i++) {
            mean += x[i * d + j] / (double)n;
            square += x[i * d + j] * x[i * d + j] / (double)n;
        }
        for (int64_t i = 0; i < n; i++)
            variance += (x[i * d + j] - mean) * (x[i * d + j] - mean) / (double)(n - 1);
        total += variance + square;
    }
    return total;
}

/* sum_j mean_i ((x - M x)_ij)^2 */
static double noise_of(const ref_graph *g, const double *x, int d)
{
    double total = 0;
    for (int64_t i = 0; i < g->n; i++)
        for (int j = 0; j < d; j++) {
            double rest = x[i * d + j];
            for (int64_t k = 0; k < g->n; k++)
                rest -= g->average[i * g->n + k] * x[k * d + j];
            total += rest * rest / (double)g->n;
        }
    return total;
}

/* penalty_c = noise / (gamma_c signal), and the polynomials; all of it constant for the gradient */
static bool estimate(const ref_state *s, ref_call *call)
{
    const ref_config *c = &s->config;
    call->signal = signal_of(call->x, s->graph->n, c->width);
    call->noise = noise_of(s->decoding, call->x, c->width);
    if (!(call->signal > 0)) return false;
    for (int q = 0; q < c->channels; q++) {
        call->penalty[q] = call->noise / (c->gamma[q] * call->signal);
        if (!ref_coefficients(call->coefficient[q], c->decoder_order, c->kernel, c->parameter,
                              c->decoder, call->penalty[q]))
            return false;
    }
    return true;
}

static double channel_value(const ref_call *call, double slope, int q, int64_t i)
{
    const double o = call->O[q][i];
    return o > 0 ? o : slope * o;
}

int ref_winner(const ref_state *s, const ref_call *call, double slope, int64_t i)
{
    int best = 0;
    for (int q = 1; q < s->config.channels; q++)
        if (channel_value(call, slope, q, i) > channel_value(call, slope, best, i)) best = q;
    return best;
}

/* R = o_1 for one channel; else max, sum or mean of PReLU(o_c). */
static void combine(const ref_state *s, const ref_call *call, double slope, int64_t size)
{
    const ref_config *c = &s->config;
    for (int64_t i = 0; i < size; i++) {
        double sum = 0;
        for (int q = 0; q < c->channels; q++)
            sum += channel_value(call, slope, q, i);
        if (c->channels == 1)
            sum = call->O[0][i];
        else if (c->aggregate == REF_MEAN)
            sum /= c->channels;
        else if (c->aggregate == REF_MAX)
            sum = channel_value(call, slope, ref_winner(s, call, slope, i), i);
        call->R[i] = sum;
    }
}

/* B_c = sum_m k_m(penalty_c) L^m x,  o_c = B_c W_c^T + 1 b_c^T */
bool ref_call_forward(ref_state *s, ref_call *call, int l, const double *p, ref_mode mode)
{
    const ref_config *c = &s->config;
    const ref_layer_layout *at = &s->layout.decoder[l];
    const int64_t n = s->graph->n;
    const int out = ref_decoder_out(c, l);
    if (mode != REF_FROZEN && !estimate(s, call)) {
        s->failed_layer = l;
        return false;
    }
    for (int q = 0; q < c->channels; q++) {
        ref_filter(call->B[q], s->decoding, call->x, c->width, call->coefficient[q],
                   c->decoder_order, s->work[0]);
        ref_linear(call->O[q], call->B[q], p + at->W[q], p + at->b[q], n, c->width, out);
    }
    combine(s, call, p[at->channel_slope], n * out);
    return true;
}

/* do_c of dR for channel q: R depends on PReLU(o_c) with weight 1, 1 / C or [c wins]. */
static void split(const ref_state *s, const ref_call *call, int q, double *dO, double *dslope,
                  const double *dR, double slope, int64_t size)
{
    const ref_config *c = &s->config;
    memcpy(dO, dR, (size_t)size * sizeof *dO);
    if (c->channels == 1) return;
    for (int64_t i = 0; i < size; i++) {
        if (c->aggregate == REF_MEAN) dO[i] /= c->channels;
        if (c->aggregate == REF_MAX && ref_winner(s, call, slope, i) != q) dO[i] = 0;
    }
    ref_prelu_back(dO, dslope, dO, call->O[q], slope, size);
}

/*
 * dW_c = do_c^T B_c,  db_c = 1^T do_c,  dB_c = do_c W_c,  dx = sum_c p_c(L) dB_c  (L symmetric,
 * coefficients constant)
 */
void ref_call_back(ref_state *s, const ref_call *call, int l, const double *p, double *g,
                   double *dx, const double *dR)
{
    const ref_config *c = &s->config;
    const ref_layer_layout *at = &s->layout.decoder[l];
    const int64_t n = s->graph->n;
    const int out = ref_decoder_out(c, l);
    double *dO = s->work[1], *dB = s->work[2], *through = s->work[3];
    for (int q = 0; q < c->channels; q++) {
        split(s, call, q, dO, g + at->channel_slope, dR, p[at->channel_slope], n * out);
        ref_linear_back(g + at->W[q], g + at->b[q], dO, call->B[q], n, c->width, out);
        ref_linear_input(dB, dO, p + at->W[q], n, c->width, out);
        ref_filter(through, s->decoding, dB, c->width, call->coefficient[q], c->decoder_order,
                   s->work[0]);
        for (int64_t i = 0; i < n * c->width; i++)
            dx[i] += through[i] * (call->keep ? call->keep[i / c->width] : 1);
    }
}
