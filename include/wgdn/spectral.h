/* SPDX-License-Identifier: Apache-2.0 */
/** @file spectral.h Kernels, restoration and spectra. */
#ifndef WGDN_SPECTRAL_API_H
#define WGDN_SPECTRAL_API_H

#include <wgdn/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels: a function g(lambda) on the spectrum [0, 2] of L ---- */

typedef struct wgdn_kernel wgdn_kernel; /**< immutable, safe to share */

/** A kernel as a function: its value at lambda, finite and the same in every call. */
typedef double (*wgdn_kernel_function)(void *user, double lambda);

/**
 * Read a kernel from its text form. Numbers have a decimal point in every locale.
 *
 *     gcn                     1 - lambda
 *     heat, heat:t=2          exp(-t lambda), t in (0, 100], default 1
 *     ppr, ppr:alpha=0.1      alpha / (1 - (1 - alpha)(1 - lambda)), alpha in (0, 1], default 0.2
 *     band, band:mu=0.5       exp(-(lambda - mu)^2 / (2 width^2)), mu in [0, 2], default 1, width
 *     band:mu=0.5,width=0.2   in (0, 2], default 0.5; in either order
 *     poly:1,-0.5,0.1         1 - 0.5 lambda + 0.1 lambda^2; 1 .. 65 coefficients
 *     table:0=1,1=0.4,2=0.1   straight lines between points of ascending lambda in [0, 2], constant
 *                             beyond the first and the last; 1 .. 4096 points
 *
 * @param out  receives the kernel, to be released with wgdn_kernel_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL (the message says what was expected), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_parse(wgdn_kernel **out, const char *text,
                                                       wgdn_error *err);
/**
 * Make a kernel of a function. user is handed to it and must outlive the kernel; the function may
 * be called from any thread that uses the kernel.
 *
 * @param out  receives the kernel, to be released with wgdn_kernel_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL (no function), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_from_function(wgdn_kernel **out,
                                                               wgdn_kernel_function function,
                                                               void *user, wgdn_error *err);
WGDN_API void wgdn_kernel_free(wgdn_kernel *k); /**< NULL is fine */

WGDN_API double wgdn_kernel_value(const wgdn_kernel *k, double lambda);
/** The text that parses to the same kernel, with all its numbers; "function" for a function.
 * Borrowed. */
WGDN_API const char *wgdn_kernel_text(const wgdn_kernel *k);

/** How a polynomial approximates a response. */
typedef enum wgdn_approximation {
    WGDN_APPROXIMATION_ONE_STEP = 0, /**< one solve on Chebyshev nodes, as published */
    WGDN_APPROXIMATION_REMEZ = 1 /**< the Remez exchange to its end: the smallest maximum error */
} wgdn_approximation;

/**
 * Coefficients of the polynomial in lambda that stands for a kernel, as wgdn_graph_filter() takes
 * them. Powers of lambda lose about log10(sum_k |c_k| 2^k) digits when they are evaluated: use
 * wgdn_kernel_apply(), which does not, where the order is high.
 *
 * @param c      receives order + 1 coefficients, constant term first
 * @param order  0..30
 * @return WGDN_OK, WGDN_EINVAL (also: the kernel is not finite somewhere), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_coefficients(double *c, const wgdn_kernel *k,
                                                              int order,
                                                              wgdn_approximation approximation,
                                                              wgdn_error *err);

/** How a kernel is applied. Set it up with wgdn_apply_options_init(). */
typedef struct wgdn_apply_options {
    size_t struct_size;               /**< set by _init */
    int order;                        /**< of the polynomial, 0..64, default 24 */
    wgdn_approximation approximation; /**< default WGDN_APPROXIMATION_ONE_STEP */
    int threads;                      /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_apply_options;

static inline void wgdn_apply_options_init(wgdn_apply_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_APPLY, o, sizeof *o);
}

/**
 * Apply a kernel to a matrix: Y = p(L) X, where the polynomial p is fitted to g on [0, 2].
 *
 * @param y      nodes x width; must not alias x
 * @param x      nodes x width
 * @param width  columns of x and y, at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_apply(float *y, const wgdn_kernel *k,
                                                       const wgdn_graph *g, const float *x,
                                                       int64_t width, const wgdn_apply_options *o,
                                                       wgdn_error *err);

/* ---- Restoration: undo a kernel in the presence of noise ---- */

/** Which average of the neighbors the noise is measured against. */
typedef enum wgdn_average {
    WGDN_AVERAGE_ROW = 0,   /**< D^-1 A, the mean */
    WGDN_AVERAGE_COLUMN = 1 /**< A D^-1, as in two published results */
} wgdn_average;

/** What a Wiener filter is made of; its penalty at energy factor gamma: noise / (gamma signal). */
typedef struct wgdn_signal_noise {
    double signal; /**< per node: variance and mean square, over all columns */
    double noise;  /**< per node: mean square distance to the neighbors' average */
} wgdn_signal_noise;

/**
 * Signal and noise of a matrix on a graph, as the decoder estimates them. Both are sums over the
 * columns, so a wide matrix may be given in parts.
 *
 * @param x      nodes x width
 * @param width  at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_measure_noise(wgdn_signal_noise *out,
                                                              const wgdn_graph *g, const float *x,
                                                              int64_t width, wgdn_average average,
                                                              const wgdn_compute_options *o,
                                                              wgdn_error *err);

/** How the filter is regularized. */
typedef enum wgdn_restore_mode {
    WGDN_RESTORE_MODE_AVERAGE =
        0, /**< Wiener filter, one energy for all frequencies, as published */
    WGDN_RESTORE_MODE_RESOLVED = 1, /**< Wiener filter, energy at each frequency from the matrix */
    WGDN_RESTORE_MODE_INVERSE = 2   /**< 1/g: not at all */
} wgdn_restore_mode;

/** Where the variance of the noise comes from. */
typedef enum wgdn_noise {
    WGDN_NOISE_NEIGHBORS = 0, /**< mean square distance to the neighbors' average, as published */
    WGDN_NOISE_GIVEN = 1,     /**< sigma */
    WGDN_NOISE_FLOOR = 2      /**< energy per eigenvalue where that is least */
} wgdn_noise;

/** How a matrix is restored. Set it up with wgdn_restore_options_init(). */
typedef struct wgdn_restore_options {
    size_t struct_size;     /**< set by _init */
    wgdn_restore_mode mode; /**< default WGDN_RESTORE_MODE_AVERAGE */
    wgdn_noise noise;       /**< default WGDN_NOISE_NEIGHBORS */
    double sigma;           /**< standard deviation of the noise if given, 0..1e30, default 0 */
    double gamma;           /**< factor of the average energy, 1e-9..1e9, default 1 */
    wgdn_average average;   /**< default WGDN_AVERAGE_ROW */
    int order;              /**< of the polynomial, 0..64, default 24 */
    wgdn_approximation approximation; /**< default WGDN_APPROXIMATION_ONE_STEP */
    int moments;                      /**< of energy and spectral density, 8..4096, default 64 */
    int probes;    /**< random vectors for the spectral density, 1..1024, default 128 */
    uint64_t seed; /**< of these, default 1 */
    int threads;   /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_restore_options;

static inline void wgdn_restore_options_init(wgdn_restore_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_RESTORE, o, sizeof *o);
}

/**
 * Estimate X from Y = g(L) X + noise by a graph Wiener filter. Nothing is trained; all columns
 * share one filter.
 *
 * @param x      receives the estimate, nodes x width; must not alias y
 * @param k      the kernel that blurred; `poly:1` if none did
 * @param y      nodes x width, finite
 * @param width  columns of x and y, at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (also: y is zero, so there is nothing to restore), WGDN_ENOMEM,
 *         WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_restore(float *x, const wgdn_graph *g,
                                                        const wgdn_kernel *k, const float *y,
                                                        int64_t width,
                                                        const wgdn_restore_options *o,
                                                        wgdn_error *err);

/* ---- Spectra: densities for any size, exact to 5000 nodes ---- */

/** How densities are estimated. Set it up with wgdn_density_options_init(). */
typedef struct wgdn_density_options {
    size_t struct_size; /**< set by _init */
    int moments;        /**< 8..4096, default 64; features closer than about 6 / moments merge */
    int probes;         /**< random vectors, 1..1024, default 128; for the spectral density only */
    uint64_t seed;      /**< of these, default 1 */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_density_options;

static inline void wgdn_density_options_init(wgdn_density_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_DENSITY, o, sizeof *o);
}

/**
 * Density of the eigenvalues of L, or of the energy of a matrix along them, smoothed.
 *
 * @param density  receives one value per point; over [0, 2] they integrate to 1 without x, and to
 *                 the sum of all x_ij^2 with it
 * @param lambda   points strictly between 0 and 2
 * @param points   how many, at least 1
 * @param x        nodes x width, or NULL for the density of the eigenvalues (width is ignored)
 * @param o        NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_density(double *density, const wgdn_graph *g,
                                                        const double *lambda, int64_t points,
                                                        const float *x, int64_t width,
                                                        const wgdn_density_options *o,
                                                        wgdn_error *err);

typedef struct wgdn_spectrum wgdn_spectrum; /**< all eigenpairs of L; immutable, safe to share */

/**
 * Find all eigenvalues and eigenvectors of L, in time n^3 and 24 n^2 bytes, of which 8 n^2 are
 * kept.
 *
 * @param out  receives the spectrum, to be released with wgdn_spectrum_free(); untouched on failure
 * @param g    1 .. 5000 nodes
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ERANGE (too many nodes), WGDN_ENOMEM, WGDN_EENGINE, and
 *         WGDN_ENOSUPPORT when the library was built without LAPACK
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_from_graph(wgdn_spectrum **out,
                                                              const wgdn_graph *g, wgdn_error *err);
WGDN_API void wgdn_spectrum_free(wgdn_spectrum *s); /**< NULL is fine */
/** The eigenvalues, ascending, one per node. Borrowed. */
WGDN_API const double *wgdn_spectrum_get_values(const wgdn_spectrum *s);

/**
 * Energy of a matrix at each eigenvalue: energy[i] = sum_j (u_i . x_j)^2, columns x_j.
 *
 * @param energy  receives one value per node
 * @param x       nodes x width
 * @param width   at least 1
 * @param o       NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_energy(double *energy, const wgdn_spectrum *s,
                                                          const float *x, int64_t width,
                                                          const wgdn_compute_options *o,
                                                          wgdn_error *err);
/**
 * Apply any response exactly: Y = U diag(response) U^T X.
 *
 * @param y         nodes x width; must not alias x
 * @param response  nodes: the factor at each eigenvalue
 * @param x         nodes x width
 * @param width     at least 1
 * @param o         NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_apply(float *y, const wgdn_spectrum *s,
                                                         const double *response, const float *x,
                                                         int64_t width,
                                                         const wgdn_compute_options *o,
                                                         wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
