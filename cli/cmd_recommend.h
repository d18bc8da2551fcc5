/* SPDX-License-Identifier: Apache-2.0 */
/* Between the commands `recommend` and `eval`. */
#ifndef CLI_CMD_RECOMMEND_H
#define CLI_CMD_RECOMMEND_H

#include "cli.h"

/* Fits a recommender to DATA without test edges and prints the quality of its lists. An exit code. */
int eval_lists(cli *c, double fraction, uint64_t seed);

#endif
