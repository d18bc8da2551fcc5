/* SPDX-License-Identifier: Apache-2.0 */
/* Largest error on 10^4 points of [0, 2]: the one-step fit and the full exchange. */
#include "spectral/spectral.h"
#include "study.h"

#include <math.h>

static double largest_error(int order, wgdn_approximation mode, const wgdn_filter *f)
{
    double a[WGDN_ORDER_MAX + 1], most = 0;
    wgdn_error err;
    study_must(wgdn_approximate_any(a, order, mode, wgdn_wiener_response, f, &err), &err);
    for (int i = 0; i < 10000; i++) {
        const double lambda = 2.0 * i / 9999;
        most =
            fmax(most, fabs(wgdn_series_value(a, order, lambda) - wgdn_wiener_response(lambda, f)));
    }
    return most;
}

void study_fits(FILE *out)
{
    static const char *const kernels[] = {"heat", "ppr", "gcn"};
    static const double penalties[] = {0.01, 0.1, 1, 10};
    wgdn_error err;

    fprintf(out, "| kernel | order |");
    for (int p = 0; p < 4; p++)
        fprintf(out, " one-step, %g | Remez, %g |", penalties[p], penalties[p]);
    fprintf(out, "\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 3; k++) {
        wgdn_kernel *kernel = NULL;
        study_must(wgdn_kernel_parse(&kernel, kernels[k], &err), &err);
        for (int order = 1; order <= 12; order++) {
            fprintf(out, "| %s | %d |", kernels[k], order);
            for (int p = 0; p < 4; p++) {
                const wgdn_filter f = {kernel, penalties[p]};
                fprintf(out, " %.2e | %.2e |",
                        largest_error(order, WGDN_APPROXIMATION_ONE_STEP, &f),
                        largest_error(order, WGDN_APPROXIMATION_REMEZ, &f));
            }
            fprintf(out, "\n");
        }
        wgdn_kernel_free(kernel);
    }
}
