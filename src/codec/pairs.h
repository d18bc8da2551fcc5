/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata of a file in the making: keys and values as text, options among them. */
#ifndef WGDN_PAIRS_H
#define WGDN_PAIRS_H

#include "archive.h"
#include "base/options.h"

enum { WGDN_PAIRS_MAX = 96, WGDN_PAIR_TEXT = 160 };

typedef struct wgdn_pairs {
    wgdn_text_pair pair[WGDN_PAIRS_MAX];
    char key[WGDN_PAIRS_MAX][64], value[WGDN_PAIRS_MAX][WGDN_PAIR_TEXT];
    int count;
} wgdn_pairs;

/* prefix and key together are the key. */
void wgdn_pairs_add(wgdn_pairs *p, const char *prefix, const char *key, const char *value);
/* A long value, which is borrowed; NULL: none. */
void wgdn_pairs_lend(wgdn_pairs *p, const char *key, const char *value);
/* Options that say how something is computed, not what: threads, workspace. */
bool wgdn_how_not_what(const char *name);
/* All the others as "option.NAME". */
WGDN_MUST_CHECK wgdn_status wgdn_pairs_add_options(wgdn_pairs *p, wgdn_options_kind kind,
                                                   const void *o, wgdn_error *err);
/* The same from a file; o has its defaults already. */
WGDN_MUST_CHECK wgdn_status wgdn_pairs_read_options(void *o, wgdn_options_kind kind,
                                                    const wgdn_archive *a, const char *path,
                                                    wgdn_error *err);
/* Refuses a file of another version than 1, which a newer library may read. */
WGDN_MUST_CHECK wgdn_status wgdn_pairs_version(const wgdn_archive *a, const char *path,
                                               wgdn_error *err);
/* A matrix of floats as a tensor. */
wgdn_tensor wgdn_tensor_of(const char *name, const float *data, int64_t rows, int64_t cols);
/* A tensor of that shape from a file into its place. */
WGDN_MUST_CHECK wgdn_status wgdn_tensor_fetch(float *to, const wgdn_archive *a,
                                              const wgdn_tensor *shape, const char *path,
                                              wgdn_error *err);

#endif
