/* SPDX-License-Identifier: Apache-2.0 */
/* The small matrices of features that neighbors share, for shared_signal.c and its test. */
#ifndef WGDN_FIT_SHARED_SIGNAL_H
#define WGDN_FIT_SHARED_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of work for wgdn_shared_map(). */
size_t wgdn_shared_work(int64_t k);
/* Computes M, k x k, from the covariances of nodes, and of nodes with their neighbors, made symmetric. */
void wgdn_shared_map(double *m, const double *c, const double *n, int64_t k, void *work);

#endif
