/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest numbers that a file may say. Readers refuse what is larger, so that everybody to the
 * right of them may multiply two of these numbers: such a product is below 2^62. The third factor,
 * mostly the size of an element, is checked by wgdn_alloc() or wgdn_size_product(). Options have
 * their ranges in options.c, where these names stand, too.
 */
#ifndef WGDN_BASE_BOUNDS_H
#define WGDN_BASE_BOUNDS_H

#include <stdint.h>

enum {
    WGDN_NODES_MAX = INT32_MAX,       /* rows of a graph; also graphs and ids, of which there are no
                                         more than nodes */
    WGDN_COLUMNS_MAX = INT32_MAX,     /* of features and of vectors that are read */
    WGDN_FIELDS_MAX = 1 << 20,        /* of a row of a text file */
    WGDN_CLASSES_MAX = INT32_MAX - 1, /* labels are below; -1 stands for none */
    WGDN_CLASSES_SPARE = 1 << 16,     /* classes that no node need have: evaluations take memory
                                         for each */
    WGDN_DIM_MAX = 65536,             /* of embeddings, and of structural features */
    WGDN_LAYERS_MAX = 8,              /* of an encoder or a decoder */
    WGDN_ORDER_OPTION_MAX = 30,       /* of a model's filters */
    WGDN_FIT_PARTS_MAX = 8,           /* of a closed form */
    WGDN_HOPS_MAX = 16,               /* of a part */
    WGDN_TYPES_MAX = 64,              /* of edges */
    WGDN_RELATIONS_MAX = 128,         /* each type in both directions */
};

#define WGDN_ENTRIES_MAX 0x1p46   /* edges, or entries of features, by option */
#define WGDN_UNPACKED_MAX 0x1p46  /* bytes of one file, by option */
#define WGDN_STEPS_MAX UINT32_MAX /* of a run: random numbers are addressed by the step */
#define WGDN_PARAMETER_MAX 1e18f  /* what is larger leaves floats in its first product */
#define WGDN_REFINE_MAX 10000     /* epochs on top of a closed form */
#define WGDN_SCALE_MAX 16.0       /* t of a part's filter exp(-t L) */
#define WGDN_PART_WEIGHT_MAX 1e6  /* length of a part's rows */

_Static_assert((int64_t)WGDN_NODES_MAX *WGDN_COLUMNS_MAX < INT64_MAX / 2, "a product of two fits");
_Static_assert(((int64_t)WGDN_COLUMNS_MAX + 1) * WGDN_CLASSES_MAX < INT64_MAX / 2, "a probe's");

#endif
