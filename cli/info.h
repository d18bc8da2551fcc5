/* SPDX-License-Identifier: Apache-2.0 */
/* What cmd_info.c computes for other commands. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "terminal.h"

#include <wgdn/wgdn.h>

/* The histogram of degrees has bins for 0, 1, 2, 3-4, 5-8, ..., up to 2^31. */
enum { BINS = 33 };
int bin_of(int64_t degree);
void bin_range(int bin, int64_t *from, int64_t *to); /* both included */

/* When and why a model that was trained with patience stopped; epochs: the most there could be. */
void info_put_stopped(json *j, const wgdn_model_info *i, int epochs);

/* The effective dimensions of vectors; 0: not known. */
double info_effective_rank(const float *x, int64_t rows, int64_t dim);

#endif
