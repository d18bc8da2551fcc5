/* SPDX-License-Identifier: Apache-2.0 */
/* The layers and the decoder: forward above, gradient below. */
#include "reference/internal.h"

#include <math.h>
#include <string.h>

/* ---- layers ---- */

/* Linear layer, PReLU, LayerNorm and BatchNorm: forward above, gradient below. */

static const double norm_epsilon = 1e-5, norm_momentum = 0.1;

void ref_linear(double *Y, const double *X, const double *W, const double *b, int64_t n, int in,
                int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int o = 0; o < out; o++) {
            double sum = b[o];
            for (int k = 0; k < in; k++)
                sum += X[i * in + k] * W[o * in + k];
            Y[i * out + o] = sum;
        }
}

void ref_linear_back(double *dW, double *db, const double *dY, const double *X, int64_t n, int in,
                     int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int o = 0; o < out; o++) {
            const double dy = dY[i * out + o];
            db[o] += dy;
            for (int k = 0; k < in; k++)
                dW[o * in + k] += dy * X[i * in + k];
        }
}

void ref_linear_input(double *dX, const double *dY, const double *W, int64_t n, int in, int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < in; k++) {
            double sum = 0;
            for (int o = 0; o < out; o++)
                sum += dY[i * out + o] * W[o * in + k];
            dX[i * in + k] = sum;
        }
}

void ref_prelu(double *y, const double *x, double a, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : a * x[i];
}

void ref_prelu_back(double *dx, double *da, const double *dy, const double *x, double a,
                    int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(x[i] > 0)) *da += dy[i] * x[i];
        dx[i] = x[i] > 0 ? dy[i] : a * dy[i];
    }
}

/*
 * What is normalized together: entry e of group k is at k * step + e * stride. A row for
 * LayerNorm, a column for BatchNorm; scale and shift go by column in both.
 */
typedef struct groups {
    int64_t count, size, step, stride;
} groups;

static groups norm_groups(ref_norm kind, int64_t n, int d)
{
    return kind == REF_NORM_LAYER ? (groups){n, d, d, 1} : (groups){d, n, 1, d};
}

/* mean and biased variance of group k */
static void moments(double *mean, double *variance, const double *x, groups by, int64_t k)
{
    *mean = *variance = 0;
    for (int64_t e = 0; e < by.size; e++)
        *mean += x[k * by.step + e * by.stride] / (double)by.size;
    for (int64_t e = 0; e < by.size; e++) {
        const double t = x[k * by.step + e * by.stride] - *mean;
        *variance += t * t / (double)by.size;
    }
}

/* Running averages keep the unbiased variance, although the batch is divided by the biased one. */
static void move_running(double *running, int64_t k, int d, double mean, double variance, int64_t n)
{
    const double unbiased = variance * (double)n / (double)(n - 1);
    running[k] += norm_momentum * (mean - running[k]);
    running[d + k] += norm_momentum * (unbiased - running[d + k]);
}

/* unit = (u - mean) / sqrt(variance + eps),  v = scale unit + shift */
void ref_norm_forward(const ref_after *after, ref_norm kind, const double *scale,
                      const double *shift, double *running, bool evaluate, int64_t n, int d)
{
    const groups by = norm_groups(kind, n, d);
    for (int64_t k = 0; k < by.count; k++) {
        double mean, variance;
        moments(&mean, &variance, after->U, by, k);
        if (kind == REF_NORM_BATCH && evaluate) {
            mean = running[k];
            variance = running[d + k];
        } else if (kind == REF_NORM_BATCH && running) {
            move_running(running, k, d, mean, variance, n);
        }
        after->inverse[k] = 1 / sqrt(variance + norm_epsilon);
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            after->unit[i] = (after->U[i] - mean) * after->inverse[k];
            after->V[i] = scale[i % d] * after->unit[i] + shift[i % d];
        }
    }
}

/*
 * With s = 1 / sqrt(var + eps), z = s (u - mean) and t = scale dv, in a group of m entries:
 *   d mean / du_i = 1 / m,  d s / du_i = -s^2 z_i / m   (since d var / du_i = 2 (u_i - mean) / m)
 *   dz_j / du_i = s (delta_ij - 1 / m) - s z_i z_j / m
 *   du_i = sum_j t_j dz_j / du_i = s (t_i - mean(t) - z_i mean(t z)).
 */
void ref_norm_back(double *D, double *dscale, double *dshift, const ref_after *after, ref_norm kind,
                   const double *scale, int64_t n, int d)
{
    const groups by = norm_groups(kind, n, d);
    for (int64_t k = 0; k < by.count; k++) {
        double mean = 0, along = 0;
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            dscale[i % d] += D[i] * after->unit[i];
            dshift[i % d] += D[i];
            D[i] *= scale[i % d];
            mean += D[i] / (double)by.size;
            along += D[i] * after->unit[i] / (double)by.size;
        }
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            D[i] = after->inverse[k] * (D[i] - mean - after->unit[i] * along);
        }
    }
}

/* ---- decoder ---- */

/* Dec(x): signal and noise of x, the filters that they ask for, the channels and their sum. */

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

/* ---- branches ---- */

/* On which smooth piece of the loss a forward was. */

static uint64_t mix(uint64_t hash, int branch) /* FNV-1a */
{
    return (hash ^ (uint64_t)branch) * UINT64_C(1099511628211);
}

static uint64_t mix_signs(uint64_t hash, const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        hash = mix(hash, x[i] > 0);
    return hash;
}

static uint64_t mix_call(uint64_t hash, const ref_state *s, const ref_call *call, double slope,
                         int64_t size)
{
    for (int q = 0; q < s->config.channels; q++)
        hash = mix_signs(hash, call->O[q], size);
    for (int64_t i = 0; i < size && s->config.aggregate == REF_MAX; i++)
        hash = mix(hash, ref_winner(s, call, slope, i));
    return hash;
}

uint64_t ref_branches(const ref_state *s, const double *p)
{
    const ref_config *c = &s->config;
    const int64_t n = s->graph->n;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int l = 0; l < c->encoder_layers; l++)
        if (s->layout.encoder[l].slope >= 0) hash = mix_signs(hash, s->encoder[l].V, n * c->width);
    for (int l = 0; l < c->decoder_layers; l++) {
        const int64_t size = n * ref_decoder_out(c, l);
        const double slope = p[s->layout.decoder[l].channel_slope];
        for (int k = 0; k < 2 && c->channels > 1; k++)
            hash = mix_call(hash, s, &s->decoder[l].call[k], slope, size);
        if (l < c->decoder_layers - 1) hash = mix_signs(hash, s->decoder[l].after.V, n * c->width);
    }
    return hash;
}
