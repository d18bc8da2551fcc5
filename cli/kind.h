/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_KIND_H
#define WGDN_CLI_KIND_H

#include "cli.h"

/*
 * Whether a file holds vectors, not a graph, by what is in it: arrays without a graph, word2vec's
 * two counts, a header id, v0, v1, ..., or numbers where a graph has ids. --vectors and
 * --no-vectors decide for the user. False for what cannot be looked at twice.
 */
bool is_vectors(const cli *c, const char *path);
bool holds_vectors(const char *path); /* by the file alone */
bool is_regular(const char *path);    /* no pipe, no folder */
/* By its header, a model or a checkpoint of this program, sound or not. */
bool is_model(const char *path);

#endif
