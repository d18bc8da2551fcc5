/* SPDX-License-Identifier: Apache-2.0 */
/* How fast this machine is at what the closed form does, measured in about two seconds. */
#ifndef WGDN_FIT_RATES_H
#define WGDN_FIT_RATES_H

#include "fit.h"

/* Seconds. */
typedef struct wgdn_rates {
    double product;     /* of a step of a series, for a non-zero of L and a column */
    double dense;       /* of a multiplication of a dense product */
    double pass;        /* of a number that is read, and written to memory that is new */
    double read, write; /* of a byte of a file */
} wgdn_rates;

/* Of products with k columns at once; dense and pass, too, unless `product` alone is asked for. */
wgdn_status wgdn_rates_measure(wgdn_rates *r, const wgdn_graph *g, int64_t k, bool alone,
                               wgdn_error *err);
/* Of a file of so many bytes at most in that folder. */
wgdn_status wgdn_rates_measure_disk(wgdn_rates *r, const char *folder, double bytes,
                                    wgdn_error *err);

#endif
