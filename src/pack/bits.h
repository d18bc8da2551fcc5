/* SPDX-License-Identifier: Apache-2.0 */
/* Which integers there are, and which place each has among them. */
#ifndef WGDN_BITS_H
#define WGDN_BITS_H

#include "base/base.h"

typedef struct wgdn_bits {
    uint64_t *word;
    int64_t reach;   /* integers below it have a bit */
    uint32_t *below; /* word -> bits set before it; once they are ranked */
    int64_t count;   /* bits set; likewise */
} wgdn_bits;

bool wgdn_bits_open(wgdn_bits *b, int64_t reach); /* false: no memory */
void wgdn_bits_close(wgdn_bits *b);

static inline void wgdn_bits_set(wgdn_bits *b, int64_t i)
{
    b->word[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline bool wgdn_bits_get(const wgdn_bits *b, int64_t i)
{
    return b->word[i >> 6] >> (i & 63) & 1;
}

bool wgdn_bits_rank(wgdn_bits *b); /* count them; false: no memory */

/* Bits set below i. */
static inline int64_t wgdn_bits_below(const wgdn_bits *b, int64_t i)
{
    const uint64_t mask = (UINT64_C(1) << (i & 63)) - 1;
    return b->below[i >> 6] + __builtin_popcountll(b->word[i >> 6] & mask);
}

#endif
