/* SPDX-License-Identifier: Apache-2.0 */
/* One vector for each node of a dataset, from a model or a file. */
#ifndef WGDN_CLI_VECTORS_H
#define WGDN_CLI_VECTORS_H

#include "cli.h"

/* Each gives an exit code, what went wrong has been said, and *x, which is to be freed anyhow. */
int vectors_embed(float **x, const wgdn_model *m, const wgdn_dataset *d, int threads);
/* One for each graph. */
int vectors_embed_graphs(float **x, const wgdn_model *m, const wgdn_dataset *d, wgdn_pool pool,
                         int threads);
int vectors_read(float **x, int64_t *width, const char *path, const wgdn_dataset *d);

#endif
