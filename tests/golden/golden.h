/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of golden.json by path. A path is keys and indices between slashes, printf-style;
 * a key that ends in * is the first that begins so: "cases/avg_skip_heat/deconv_calls*" + "/0".
 */
#ifndef WGDN_GOLDEN_H
#define WGDN_GOLDEN_H

#include "reference/reference.h"

#include <jansson.h>

/* NULL, with a line on stderr, when the file at WGDN_GOLDEN cannot be read; release: json_decref */
json_t *golden_load(void);

/* The node, lent; NULL when there is none. */
__attribute__((format(printf, 2, 3))) json_t *golden_at(json_t *root, const char *format, ...);

/*
 * All numbers below a node, in order, rows of matrices one after the other. Writes at most
 * `room` of them and returns how many there are; null and NULL have none.
 */
int64_t golden_read(double *out, int64_t room, const json_t *node);

/* A single number, NaN when it is none; a text, "" when it is none. */
double golden_number(const json_t *node);
const char *golden_text(const json_t *node);

/*
 * Largest |got - want| over what may be expected of a file with nine significant digits: half a
 * unit of the ninth digit is at most 5e-9 |want|, hence 6e-9 |want|, and `slack` on top. More
 * than 1 is a failure.
 *
 * The inputs have nine digits too, so slack is not only for rounding: moving every parameter of
 * the file's cases by up to half a unit of its ninth digit moves what follows by up to 1.6e-8 of
 * an array's largest entry (three BatchNorms in a row), and small gradients by up to 1.4e-8 of
 * the largest of all. 2e-8 of the largest magnitude is what the file allows to ask for.
 */
double golden_excess(const double *got, const double *want, int64_t count, double slack);
double golden_largest(const double *want, int64_t count); /* |want| */

/* cases.c: a case of the file as the reference's configuration, and its blocks. */

/* False when the case is unknown or says something that the reference does not. */
bool golden_config(ref_config *c, ref_average *average, json_t *root, const char *name);
/* The graph of all cases, with its features (n x F). */
bool golden_graph(ref_graph *g, json_t *root, ref_average average, double *X, int64_t room);
/* A block by names: "params", "grads", "params_after_3_adam_steps". Null counts as 0. */
bool golden_block(double *block, const ref_layout *l, json_t *root, const char *name,
                  const char *part);

#endif
