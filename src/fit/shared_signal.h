/* SPDX-License-Identifier: Apache-2.0 */
/* What features a node shares with its neighbours: shared_signal.c, shared_signal.c, and
 * the small matrices: shared_signal.c. */
#ifndef WGDN_FIT_SHARED_SIGNAL_H
#define WGDN_FIT_SHARED_SIGNAL_H

#include "fit_cache.h"

/* Bytes for the two below. */
size_t wgdn_shared_work(int64_t k);
/* M, k x k, of the covariances of nodes, and of nodes with their neighbours, made symmetric. */
void wgdn_shared_map(double *m, const double *c, const double *n, int64_t k, void *work);

#endif
