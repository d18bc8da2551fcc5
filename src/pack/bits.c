/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

bool wgdn_bits_open(wgdn_bits *b, int64_t reach)
{
    *b = (wgdn_bits){.reach = reach};
    b->word = wgdn_alloc_zero((size_t)reach / 64 + 1, sizeof *b->word);
    return b->word != NULL;
}

void wgdn_bits_close(wgdn_bits *b)
{
    wgdn_release(b->below);
    wgdn_release(b->word);
    *b = (wgdn_bits){0};
}

bool wgdn_bits_rank(wgdn_bits *b)
{
    const int64_t words = b->reach / 64 + 1;
    wgdn_release(b->below);
    b->below = wgdn_alloc((size_t)words, sizeof *b->below);
    b->count = 0;
    for (int64_t k = 0; b->below && k < words; k++) {
        b->below[k] = (uint32_t)b->count;
        b->count += __builtin_popcountll(b->word[k]);
    }
    return b->below != NULL;
}
