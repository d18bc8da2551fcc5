/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cmd_train.h"
#include "terminal.h"

#include <stdio.h>

/* Of one that was trained with patience, of at most so many epochs: when and why it ended. */
void info_put_stopped(json *j, const wgdn_model_info *i, int epochs);

/* And of vectors. cmd_info.c. The rank is how many directions count; 0: not known. */
double info_effective_rank(const float *x, int64_t rows, int64_t dim);

#endif
