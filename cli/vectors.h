/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of a dataset from a model or a file. */
#ifndef WGDN_CLI_VECTORS_H
#define WGDN_CLI_VECTORS_H

#include "cli.h"

/* Each gives an exit code, what went wrong has been said. */
int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads);
/* The same with every option. */
int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o);
int vectors_read(wgdn_embedding **e, const char *path);
/* The same where a graph may have been given instead: that is told, with the command that helps. */
int vectors_wanted(wgdn_embedding **e, const char *path);
/* The vectors of the first operand, and a dataset of their ids with the labels that --labels has. */
int vectors_alone(wgdn_dataset **d, wgdn_embedding **e, const cli *c);
/* Whether a format holds numbers as --numbers says; else that has been said. */
int vectors_check_numbers(const cli *c, const char *format);
/* To a path, - is standard output; --no-header and --numbers count. */
int vectors_write(const cli *c, const wgdn_embedding *e, const char *path, const char *format);

#endif
