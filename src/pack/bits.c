/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

bool wgdn_bits_open(wgdn_bits *b, int64_t reach)
{
    *b = (wgdn_bits){.reach = reach};
    b->word = wgdn_alloc_zero(((size_t)reach / 512 + 1) * 8, sizeof *b->word);
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
    const int64_t blocks = b->reach / 512 + 1;
    wgdn_release(b->below);
    b->below = wgdn_alloc((size_t)blocks, sizeof *b->below);
    b->count = 0;
    for (int64_t k = 0; b->below && k < blocks; k++) {
        b->below[k] = (uint32_t)b->count;
        for (int w = 0; w < 8; w++)
            b->count += __builtin_popcountll(b->word[8 * k + w]);
    }
    return b->below != NULL;
}
