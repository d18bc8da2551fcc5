/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Approximates a spectral response by a polynomial of the Laplacian, and converts between
 * Chebyshev series and powers, and computes Wiener and inverse responses of a kernel. Kernels and the
 * decoder's filters get their coefficients here; Remez's exchange improves them on request.
 */
#include "spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * Computes the polynomial of order K with the smallest maximum error on [0, 2], by Remez's
 * exchange of all K + 2 points, where the best approximation is asked for.         [WGDN:remez]
 *
 *   1. Solve p(x_i) + (-1)^i e = f(x_i) at the K + 2 points of the reference.
 *   2. Between two sign changes of f - p, find the largest |f - p|.
 *   3. Choose K + 2 adjacent ones, including the largest, as the next reference.
 *
 * At convergence |f - p| reaches its maximum at all points with alternating signs, and no other
 * polynomial has a smaller maximum. The search starts from the one-step fit and keeps the best
 * polynomial it finds, so the result is never worse than that fit.
 */

enum {
    POINTS = WGDN_ORDER_MAX + 2,
    GRID = 32,       /* steps between two extrema, about */
    ROUNDS_MAX = 60, /* smooth responses need 4 to 8 */
    STALE_MAX = 6,   /* rounds in a row without gain: rounding, or a jump */
    NARROW_STEPS = 48,
    EXTREMA = 4 * POINTS,
};
static const double enough = 1e-11; /* error / levelled - 1 */
static const double pi = 3.14159265358979323846;

typedef struct search {
    int order;
    wgdn_response response;
    const void *what;
    double a[WGDN_ORDER_MAX + 1]; /* the series under test */
    bool finite;                  /* the response was, wherever it was asked */
    double bad_at, most;          /* where it was not; its largest magnitude */
} search;

typedef struct extremum {
    double u, error; /* lambda = 1 - cos u */
} extremum;

static double lambda_of(double u)
{
    const double s = sin(u / 2);
    return 2 * s * s;
}

static double error_at(search *s, double u)
{
    const double lambda = lambda_of(u), f = s->response(lambda, s->what);
    if (!isfinite(f)) {
        s->finite = false;
        s->bad_at = lambda;
    }
    if (fabs(f) > s->most) s->most = fabs(f);
    return f - wgdn_series_value(s->a, s->order, lambda);
}

/* The largest sign * error in [low, high] by golden section; it has one hill there. */
static extremum climb(search *s, double low, double high, double sign)
{
    const double ratio = 0.61803398874989485;
    double x1 = high - ratio * (high - low), x2 = low + ratio * (high - low);
    double e1 = sign * error_at(s, x1), e2 = sign * error_at(s, x2);
    for (int k = 0; k < NARROW_STEPS; k++) {
        if (e1 > e2) {
            high = x2;
            x2 = x1;
            e2 = e1;
            x1 = high - ratio * (high - low);
            e1 = sign * error_at(s, x1);
        } else {
            low = x1;
            x1 = x2;
            e1 = e2;
            x2 = low + ratio * (high - low);
            e2 = sign * error_at(s, x2);
        }
    }
    return e1 > e2 ? (extremum){x1, sign * e1} : (extremum){x2, sign * e2};
}

/* The top of every run of equal sign, in ascending lambda; at most EXTREMA of them. */
static int find_extrema(extremum *found, search *s)
{
    const int steps = GRID * (s->order + 2);
    const double h = pi / steps;
    int count = 0;

    for (int i = 0; i <= steps; i++) {
        const extremum here = {i * h, error_at(s, i * h)};
        const bool same = count > 0 && (here.error < 0) == (found[count - 1].error < 0);
        if (same) {
            if (fabs(here.error) > fabs(found[count - 1].error)) found[count - 1] = here;
        } else if (count < EXTREMA) {
            found[count++] = here;
        }
    }
    for (int k = 0; k < count; k++) {
        const double low = fmax(found[k].u - h, 0), high = fmin(found[k].u + h, pi);
        const extremum top = climb(s, low, high, found[k].error < 0 ? -1 : 1);
        if (fabs(top.error) > fabs(found[k].error)) found[k] = top;
    }
    return count;
}

static void drop(extremum *e, int *count, int at, int how_many)
{
    memmove(e + at, e + at + how_many, (size_t)(*count - at - how_many) * sizeof *e);
    *count -= how_many;
}

/* Down to `wanted` that still alternate: an end by itself, an inner one
 * with its lesser neighbor. */
static void thin(extremum *e, int *count, int wanted)
{
    while (*count > wanted) {
        int least = 0;
        const int last = *count - 1;
        for (int k = 1; k <= last; k++)
            if (fabs(e[k].error) < fabs(e[least].error)) least = k;
        if (*count == wanted + 1) least = fabs(e[0].error) < fabs(e[last].error) ? 0 : last;
        if (least == 0 || least == last)
            drop(e, count, least, 1);
        else
            drop(e, count, fabs(e[least - 1].error) < fabs(e[least + 1].error) ? least - 1 : least,
                 2);
    }
}

/* Gauss with row pivots on n rows of n + 1; the solution ends in the last column. */
static bool solve(double (*m)[POINTS + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
        if (!(fabs(m[pivot][k]) > DBL_EPSILON)) return false;
        for (int j = k; j <= n; j++) {
            const double swap = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; factor != 0 && j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        m[i][n] /= m[i][i];
    return true;
}

/*
 * The series levelled on a reference, and |e|. The unknown is the correction to the last series,
 * whose errors are small, so that rounding in the solve is a share of the error, not of f.
 */
static bool level(double *a, double *levelled, const extremum *e, int order)
{
    const int n = order + 2;
    double m[POINTS][POINTS + 1] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= order; k++)
            m[i][k] = cos(k * (pi - e[i].u));
        m[i][n - 1] = i % 2 ? -1 : 1;
        m[i][n] = e[i].error;
    }
    if (!solve(m, n)) return false;
    for (int k = 0; k <= order; k++)
        a[k] += m[k][n];
    *levelled = fabs(m[n - 1][n]);
    return true;
}

static double largest(const extremum *e, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (fabs(e[k].error) > most) most = fabs(e[k].error);
    return most;
}

static void exchange(double *best, wgdn_remez_result *r, search *s)
{
    const size_t size = (size_t)(s->order + 1) * sizeof *best;
    extremum e[EXTREMA] = {{0}};
    memcpy(s->a, best, size);
    *r = (wgdn_remez_result){.error = INFINITY};
    for (int stale = 0; stale < STALE_MAX && r->rounds < ROUNDS_MAX;) {
        int count = find_extrema(e, s);
        const double error = largest(e, count);
        if (!s->finite) return;
        stale++;
        if (error < r->error) {
            stale = 0;
            r->error = error;
            memcpy(best, s->a, size);
        }
        if (error <= (1 + enough) * r->levelled || error <= 2 * DBL_EPSILON * s->most) return;
        if (count < s->order + 2) return;
        thin(e, &count, s->order + 2);
        if (!level(s->a, &r->levelled, e, s->order)) return;
        r->rounds++;
    }
}

wgdn_status wgdn_remez(double *a, wgdn_remez_result *result, int order, wgdn_response response,
                       const void *what, wgdn_error *err)
{
    wgdn_remez_result r;
    search s = {.order = order, .response = response, .what = what, .finite = true};
    wgdn_status st =
        wgdn_approximate_any(a, order, WGDN_APPROXIMATION_ONE_STEP, response, what, err);
    if (st) return st;
    exchange(a, &r, &s);
    if (!s.finite)
        return wgdn_fail(err, WGDN_EINVAL,
                         "Remez approximation: the response at lambda = %g is not finite; it must "
                         "be finite on 0 .. 2",
                         s.bad_at);
    if (result) *result = r;
    return WGDN_OK;
}

/*
 * The one-step fit: K + 2 Chebyshev nodes, one linear system                        [WGDN:one-step]
 *
 *     p(x_i) + (-1)^i e = f(x_i),   x_i = 1 + t_i,   t_i = -cos((2i + 1) pi / (2N)),   N = K + 2.
 *
 * On these nodes T_0 .. T_(N-1) are orthogonal, so the solution is explicit and needs no
 * factorization. Let f^_m = (2 - [m = 0]) / N sum_i f(x_i) T_m(t_i) be the coefficients of f on the
 * nodes, and s^_m those of (-1)^i. The coefficient m = K + 1 must come from e alone:
 *
 *     e = f^_(K+1) / s^_(K+1),     a_m = f^_m - e s^_m,   m = 0 .. K.
 *
 * This is a constant matrix times f(x_0 .. x_(K+1)), well conditioned at every order.
 */

/* (2 - [m = 0]) / N T_m(t_i), by its angle: T_m(-cos(u)) = (-1)^m cos(m u). */
static double basis(int m, int i, int n)
{
    /* The angle m (2i + 1) pi / 2N is reduced in integers first: whole turns are 4N. */
    const int64_t angle = (int64_t)m * (2 * i + 1) % (4 * (int64_t)n);
    const double value = cos((double)angle * pi / (2.0 * n));
    return (m == 0 ? 1.0 : 2.0) / n * (m % 2 ? -value : value);
}

static void fill(wgdn_approximator *f)
{
    const int n = f->order + 2, last = n - 1;
    double share[WGDN_ORDER_MAX + 2]; /* s^_m */

    /* 1 - cos u = 2 sin^2(u / 2) does not cancel; the middle node is 1 to the bit,
     * where gcn is 0. */
    for (int i = 0; i < n; i++)
        f->node[i] = 2 * i + 1 == n ? 1 : 2 * pow(sin((2 * i + 1) * pi / (4.0 * n)), 2);
    for (int m = 0; m < n; m++) {
        share[m] = 0;
        for (int i = 0; i < n; i++)
            share[m] += i % 2 ? -basis(m, i, n) : basis(m, i, n);
    }
    for (int m = 0; m < last; m++)
        for (int i = 0; i < n; i++)
            f->matrix[m * n + i] = basis(m, i, n) - share[m] / share[last] * basis(last, i, n);
}

wgdn_status wgdn_approximator_new(wgdn_approximator **out, int order, wgdn_error *err)
{
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL,
                         "polynomial approximation: order %d is not within 0 .. %d", order,
                         WGDN_ORDER_MAX);
    const size_t n = (size_t)order + 2;
    wgdn_approximator *f = wgdn_alloc_zero(1, sizeof *f);
    if (f) {
        f->order = order;
        f->node = wgdn_alloc(n, sizeof *f->node);
        f->matrix = wgdn_alloc((n - 1) * n, sizeof *f->matrix);
    }
    if (!f || !f->node || !f->matrix) {
        wgdn_approximator_free(f);
        return wgdn_fail(err, WGDN_ENOMEM, "a polynomial of order %d", order);
    }
    fill(f);
    *out = f;
    return WGDN_OK;
}

/* a = matrix * values, values being the response at the nodes. */
static void fit_series(double *a, const wgdn_approximator *f, const double *values)
{
    const int n = f->order + 2;
    for (int m = 0; m < n - 1; m++) {
        const double *row = f->matrix + (ptrdiff_t)m * n;
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += row[i] * values[i];
        a[m] = sum;
    }
}

wgdn_status wgdn_approximate_response(double *a, const wgdn_approximator *f, wgdn_response response,
                                      const void *what, wgdn_error *err)
{
    double values[WGDN_ORDER_MAX + 2];
    for (int i = 0; i < f->order + 2; i++) {
        values[i] = response(f->node[i], what);
        if (!isfinite(values[i]))
            return wgdn_fail(
                err, WGDN_EINVAL,
                "polynomial approximation: the response at lambda = %g is %g; it must be finite",
                f->node[i], values[i]);
    }
    fit_series(a, f, values);
    return WGDN_OK;
}

wgdn_status wgdn_approximate_any(double *a, int order, wgdn_approximation mode,
                                 wgdn_response response, const void *what, wgdn_error *err)
{
    wgdn_approximator *f = NULL;
    if (mode == WGDN_APPROXIMATION_REMEZ) return wgdn_remez(a, NULL, order, response, what, err);
    wgdn_status st = wgdn_approximator_new(&f, order, err);
    if (!f) return st;
    st = wgdn_approximate_response(a, f, response, what, err);
    wgdn_approximator_free(f);
    return st;
}

/*
 * Converts between Chebyshev series on [0, 2], p(lambda) = sum_k a_k T_k(lambda - 1), and powers of
 * lambda.                                                                             [WGDN:series]
 *
 * Published filters are written in powers, which is the weaker form: T_k(lambda-1) has coefficients
 * up to about 5.8^k / 4, which alternate. Unless the a_k decrease faster than that, the powers c_k
 * are huge and cancel, and an evaluation loses log10(sum_k |c_k| 2^k / |p|) digits with any
 * conversion. Smooth responses (heat, ppr at moderate penalties) decrease fast enough; gcn at a
 * small penalty does not.
 */

/* Clenshaw:  b_k = a_k + 2 t b_(k+1) - b_(k+2),  p = a_0 + t b_1 - b_2,  t = lambda - 1. */
double wgdn_series_value(const double *a, int order, double lambda)
{
    const double t = lambda - 1;
    double b1 = 0, b2 = 0;
    for (int k = order; k > 0; k--) {
        const double b = a[k] + 2 * t * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return a[0] + t * b1 - b2;
}

/* The order without the last coefficients that are rounding: they would be blown up 5.8^k times. */
static int true_order(const double *a, int order)
{
    double most = 0;
    for (int k = 0; k <= order; k++)
        if (fabs(a[k]) > most) most = fabs(a[k]);
    while (order > 0 && fabs(a[order]) <= 2 * DBL_EPSILON * most)
        order--;
    return order;
}

/*
 * Clenshaw again, with polynomials in lambda for the b_k: 2 t b = 2 lambda b - 2 b. In long double,
 * which is wider than double on some machines and never narrower.
 */
void wgdn_series_to_powers(double *c, const double *a, int order)
{
    long double b1[WGDN_ORDER_MAX + 2] = {0}, b2[WGDN_ORDER_MAX + 2] = {0};
    const int last = true_order(a, order);
    for (int k = last; k >= 0; k--) {
        const long double factor = k > 0 ? 2 : 1; /* the last step has t b_1, not 2 t b_1 */
        for (int j = last - k; j >= 0; j--) {
            const long double shifted = (j > 0 ? b1[j - 1] : 0) - b1[j];
            const long double b = (j == 0 ? (long double)a[k] : 0) + factor * shifted - b2[j];
            b2[j] = b; /* b_(k+2) is not needed again; swapped with b_(k+1) below */
        }
        for (int j = 0; j <= last; j++) {
            const long double swap = b1[j];
            b1[j] = b2[j];
            b2[j] = swap;
        }
    }
    for (int j = 0; j <= order; j++)
        c[j] = j <= last ? (double)b1[j] : 0;
}

/* Horner in the Chebyshev basis: lambda T_k = T_k + (T_(k+1) + T_|k-1|) / 2. */
void wgdn_series_from_powers(double *a, const double *c, int order)
{
    memset(a, 0, (size_t)(order + 1) * sizeof *a);
    for (int m = order; m >= 0; m--) {
        double next[WGDN_ORDER_MAX + 1] = {0};
        for (int k = 0; k <= order - m - 1; k++) {
            next[k] += a[k];
            next[k + 1] += k == 0 ? a[k] : a[k] / 2;
            if (k > 0) next[k - 1] += a[k] / 2;
        }
        next[0] += c[m];
        memcpy(a, next, (size_t)(order + 1) * sizeof *a);
    }
}

/*
 * Applies polynomial filters with their own scratch memory: a series, and the public call with
 * powers of L.
 */

wgdn_status wgdn_series_apply(float *y, const wgdn_poly *p, const float *x, int threads,
                              const char *task, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(p->graph);
    const int former = wgdn_threads_use(threads); /* first: scratch is per thread */
    wgdn_poly poly = *p;
    poly.work = wgdn_alloc(wgdn_poly_work(n, p->d, p->order), sizeof *poly.work);
    if (poly.work) wgdn_poly_filter(&y, &poly, x, NULL, false);
    wgdn_threads_use(former);
    if (!poly.work)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: buffers of %lld x %lld", task, (long long)n,
                         (long long)p->d);
    wgdn_release(poly.work);
    return WGDN_OK;
}

wgdn_status wgdn_graph_filter(float *y, const wgdn_graph *g, const float *x, int64_t width,
                              const double *c, int order, const wgdn_compute_options *o,
                              wgdn_error *err)
{
    double series[WGDN_ORDER_MAX + 1];
    wgdn_compute_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (!y || !g || !x || !c || y == x)
        return wgdn_fail(err, WGDN_EINVAL,
                         "filter: graph, x, y and c are needed, and y must not alias x");
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "filter: order %d is not within 0 .. %d", order,
                         WGDN_ORDER_MAX);
    st = wgdn_matrix_check(wgdn_graph_nodes(g), width, "filter", err);
    if (st) return st;
    wgdn_series_from_powers(series, c, order);
    const wgdn_poly p = {.graph = g, .d = width, .channels = 1, .order = order, .a = {series}};
    return wgdn_series_apply(y, &p, x, opt.threads, "filter", err);
}

/*
 * Computes Wiener and inverse responses of a kernel, and estimates the signal and noise energies
 * that set their penalty. The decoder calls it in every step; restoration and `wgdn plot` use the
 * same responses.
 */

/*
 * signal = sum_j [ var_j(x) + mean_i x_ij^2 ],  noise = sum_j mean_i (x - M x)_ij^2
 *                                                                              [WGDN:estimates]
 * var is unbiased, and 0 for a single node. The row of a node without edges is all noise.
 */
wgdn_signal_noise wgdn_wiener_estimate(const wgdn_signal_sums *sums, int64_t n)
{
    const double spread = sums->squares - sums->means; /* may round below 0 for equal rows */
    const double variance = n > 1 && spread > 0 ? spread / (double)(n - 1) : 0;
    return (wgdn_signal_noise){.signal = variance + sums->squares / (double)n,
                               .noise = sums->noise / (double)n};
}

/* penalty_c = noise / (gamma_c signal)                                         [WGDN:penalty] */
wgdn_status wgdn_wiener_penalties(double *penalty, const wgdn_signal_noise *e, const double *gamma,
                                  int channels, const char *where, wgdn_error *err)
{
    if (!(e->signal > 0 && e->signal <= 1e300 && e->noise >= 0 && e->noise <= 1e300))
        return wgdn_fail(
            err, WGDN_EINVAL,
            "%s: signal %g and noise %g give no Wiener filter; the input must be finite "
            "and not all zero",
            where, e->signal, e->noise);
    for (int c = 0; c < channels; c++) {
        if (!(gamma[c] > 0))
            return wgdn_fail(err, WGDN_EINVAL, "%s: gamma of channel %d is %g; it must be above 0",
                             where, c, gamma[c]);
        penalty[c] = e->noise / (gamma[c] * e->signal);
    }
    return WGDN_OK;
}

static const wgdn_response_form forms[] = {
    [WGDN_DECODER_WIENER] = {"wiener", wgdn_wiener_response, true},
    [WGDN_DECODER_INVERSE] = {"inverse", wgdn_inverse_response, false},
};

const wgdn_response_form *wgdn_response_form_get(int decoder)
{
    return decoder >= 0 && decoder < (int)(sizeof forms / sizeof *forms) ? &forms[decoder] : NULL;
}

wgdn_status wgdn_response_series(double *const *a, const wgdn_approximator *f,
                                 wgdn_response response, const wgdn_kernel *k,
                                 const double *penalty, int channels, wgdn_error *err)
{
    for (int q = 0; q < channels; q++) {
        const wgdn_filter filter = {k, penalty[q]};
        const wgdn_status st = wgdn_approximate_response(a[q], f, response, &filter, err);
        if (st) return st;
    }
    return WGDN_OK;
}

wgdn_status wgdn_graph_measure_noise(wgdn_signal_noise *out, const wgdn_graph *g, const float *x,
                                     int64_t width, wgdn_average average,
                                     const wgdn_compute_options *o, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    wgdn_compute_options opt;
    wgdn_signal_sums sums;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (width < 1 || (average != WGDN_AVERAGE_ROW && average != WGDN_AVERAGE_COLUMN))
        return wgdn_fail(
            err, WGDN_EINVAL,
            "noise: width %lld or average %d is unknown; width is at least 1, average 0 or 1",
            (long long)width, (int)average);
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), width), 1);
    if (!work)
        return wgdn_fail(err, WGDN_ENOMEM, "noise: sums of %lld x %lld", (long long)n,
                         (long long)width);
    const int former = wgdn_threads_use(opt.threads);
    wgdn_laplacian_sums(&sums, NULL, g, x, width, average, work);
    wgdn_threads_use(former);
    wgdn_release(work);
    *out = wgdn_wiener_estimate(&sums, n);
    return WGDN_OK;
}
