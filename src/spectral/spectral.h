/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a kernel g(lambda) and the statistics of a signal to the coefficients of a polynomial in L.
 * Coefficients and responses are double. A "series" a_0 .. a_K stands for sum_k a_k T_k(lambda -
 * 1); "powers" c_0 .. c_K stand for sum_k c_k lambda^k.
 */
#ifndef WGDN_SPECTRAL_SPECTRAL_H
#define WGDN_SPECTRAL_SPECTRAL_H

#include "linalg/linalg.h"

enum {
    WGDN_ORDER_MAX = 64,  /* of any polynomial */
    WGDN_POWERS_MAX = 30, /* of one written in powers of lambda */
};

/* A function on [0, 2] that a polynomial shall follow. */
typedef double (*wgdn_response)(double lambda, const void *what);

/* n x width floats can be addressed, three times over, or say so for the `task`. */
WGDN_MUST_CHECK wgdn_status wgdn_matrix_check(int64_t n, int64_t width, const char *task,
                                              wgdn_error *err); /* kernel.c */

/* ---- kernels: kernel.c ---- */

enum { WGDN_KERNEL_PARAMETERS = 4 };

/* A number with a name, within (min, max], or [min, max] where it may be min. */
typedef struct wgdn_kernel_parameter {
    const char *name;
    double default_value, min, max;
    bool closed;
} wgdn_kernel_parameter;

/*
 * One row per name, in kernel.c: all that reading, writing, messages and models know of a kernel.
 * Parameters may be left out; a list may not be empty.
 */
typedef struct wgdn_kernel_form {
    const char *name;
    const char *formula; /* of g(lambda), for messages */
    const char *example; /* of the text form */
    double (*value)(double lambda, const wgdn_kernel *k);
    wgdn_kernel_parameter parameter[WGDN_KERNEL_PARAMETERS]; /* as many as have a name */
    const double *fixed; /* coefficients of a polynomial that takes none, or NULL */
    int64_t fixed_count;
    int64_t list_max;  /* entries of a list, or 0 */
    bool points;       /* entries are lambda=value */
    bool polynomial;   /* value[0 .. count - 1] are coefficients of powers of lambda */
    int encoder_order; /* where none is asked for; 0: the kernel's own degree, up to the largest */
    int decoder_order; /* likewise */
} wgdn_kernel_form;

struct wgdn_kernel {
    const wgdn_kernel_form *form;
    double parameter[WGDN_KERNEL_PARAMETERS]; /* in the order of the form */
    int64_t count;                            /* coefficients, or points */
    double *point;                            /* count, ascending; NULL unless tabulated */
    double *value;                            /* count */
    wgdn_kernel_function function;
    void *user;
    char *text;
};

const wgdn_kernel_form *wgdn_kernel_form_get(int i); /* i = 0, 1, ...; NULL after the last */
/* Orders of the polynomials in a model with this kernel, where no others are asked for. */
static inline int wgdn_kernel_encoder_order(const wgdn_kernel *k)
{
    if (k->form->encoder_order) return k->form->encoder_order;
    return k->count <= WGDN_POWERS_MAX ? (int)k->count - 1 : WGDN_POWERS_MAX;
}

static inline int wgdn_kernel_decoder_order(const wgdn_kernel *k)
{
    return k->form->decoder_order;
}

/* a wgdn_response */
static inline double wgdn_kernel_response(double lambda, const void *kernel)
{
    return wgdn_kernel_value(kernel, lambda);
}

/* ---- series: approximation.c ---- */

double wgdn_series_value(const double *a, int order, double lambda);
void wgdn_series_to_powers(double *c, const double *a, int order);
void wgdn_series_from_powers(double *a, const double *c, int order);

/* ---- filters: approximation.c ---- */

/* Y = p_0(L) X with scratch of its own; task names the caller in messages. */
WGDN_MUST_CHECK wgdn_status wgdn_series_apply(float *y, const wgdn_poly *p, const float *x,
                                              int threads, const char *task, wgdn_error *err);

/* ---- fits: approximation.c ---- */

/* The one-step solve of one order: everything in it that does not depend on the response. */
typedef struct wgdn_approximator {
    int order;
    double *node;   /* order + 2, ascending in (0, 2) */
    double *matrix; /* (order + 1) x (order + 2): series = matrix * response at the nodes */
} wgdn_approximator;

WGDN_MUST_CHECK wgdn_status wgdn_approximator_new(wgdn_approximator **out, int order,
                                                  wgdn_error *err);

static inline void wgdn_approximator_free(wgdn_approximator *f)
{
    if (!f) return;
    wgdn_release(f->matrix);
    wgdn_release(f->node);
    wgdn_release(f);
}

/* The same for a response, which must be finite at the nodes. */
WGDN_MUST_CHECK wgdn_status wgdn_approximate_response(double *a, const wgdn_approximator *f,
                                                      wgdn_response response, const void *what,
                                                      wgdn_error *err);

/* What the exchange came to. */
typedef struct wgdn_remez_result {
    double error; /* largest |response - series| on [0, 2] */
    double
        levelled; /* the same at the last reference; error / levelled - 1 is what is left to gain */
    int rounds;
} wgdn_remez_result;

/* Series of the smallest maximum error; `result` may be NULL. */
WGDN_MUST_CHECK wgdn_status wgdn_remez(double *a, wgdn_remez_result *result, int order,
                                       wgdn_response response, const void *what, wgdn_error *err);

/* Either fit, by its name. */
WGDN_MUST_CHECK wgdn_status wgdn_approximate_any(double *a, int order, wgdn_approximation mode,
                                                 wgdn_response response, const void *what,
                                                 wgdn_error *err);

/* ---- Wiener: approximation.c ---- */

/*
 * w = g / (g^2 + penalty)                                                        [WGDN:wiener]
 *
 * Where g = 0 nothing of the signal came through and nothing is restored: w = 0, also for
 * penalty 0. The second form keeps g^2 from vanishing beside a penalty of 0.
 */
static inline double wgdn_wiener(double g, double penalty)
{
    if (g == 0) return 0;
    return penalty > 0 ? g / (g * g + penalty) : 1 / g;
}

/* 1 / g, the filter without regard to noise; 1/0 := 0 as above.                [WGDN:inverse] */
static inline double wgdn_inverse(double g)
{
    return g == 0 ? 0 : 1 / g;
}

wgdn_signal_noise wgdn_wiener_estimate(const wgdn_signal_sums *sums, int64_t n);
/* penalty[c] = noise / (gamma[c] signal); WGDN_EINVAL when the signal is zero: `where` names it. */
WGDN_MUST_CHECK wgdn_status wgdn_wiener_penalties(double *penalty, const wgdn_signal_noise *e,
                                                  const double *gamma, int channels,
                                                  const char *where, wgdn_error *err);
/* A response made of a kernel: what wgdn_wiener_response and wgdn_inverse_response look at. */
typedef struct wgdn_filter {
    const wgdn_kernel *kernel;
    double penalty;
} wgdn_filter;

static inline double wgdn_wiener_response(double lambda, const void *filter)
{
    const wgdn_filter *f = filter;
    return wgdn_wiener(wgdn_kernel_value(f->kernel, lambda), f->penalty);
}

static inline double wgdn_inverse_response(double lambda, const void *filter)
{
    const wgdn_filter *f = filter;
    return wgdn_inverse(wgdn_kernel_value(f->kernel, lambda));
}

/* A response that a decoder may have, in the order of the option `decoder`. */
typedef struct wgdn_response_form {
    const char *name;       /* as the option has it */
    wgdn_response response; /* of a wgdn_filter */
    bool estimates;         /* its penalty comes from the signal and noise of its input; else 0 */
} wgdn_response_form;

const wgdn_response_form *wgdn_response_form_get(int decoder); /* NULL: there is none */
/* a[q] = series of the one-step fit of the response at penalty[q]; at most WGDN_CHANNELS_MAX. */
WGDN_MUST_CHECK wgdn_status wgdn_response_series(double *const *a, const wgdn_approximator *f,
                                                 wgdn_response response, const wgdn_kernel *k,
                                                 const double *penalty, int channels,
                                                 wgdn_error *err);

/* ---- densities: density.c ---- */

/*
 * Moments of a density along theta = arccos(lambda - 1), already damped (Jackson):
 * value = sum_k m_k cos(k theta), of which wgdn_density_value makes a density in lambda.
 */
WGDN_MUST_CHECK wgdn_status wgdn_spectral_moments(double *m, const wgdn_graph *g, int order,
                                                  int probes, uint64_t seed, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_energy_moments(double *m, const wgdn_graph *g, const float *x,
                                                int64_t d, int order, wgdn_error *err);

#endif
