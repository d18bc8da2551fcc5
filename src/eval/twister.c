/* SPDX-License-Identifier: Apache-2.0 */
/* MT19937 by its standard initialisation, which published splits and folds come from. */
#include "eval.h"

enum { MT_SHIFT = 397, MT_WORDS = sizeof((wgdn_twister *)0)->word / sizeof(uint32_t) };

void wgdn_twister_seed(wgdn_twister *t, uint32_t seed)
{
    t->word[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++)
        t->word[i] = 1812433253U * (t->word[i - 1] ^ (t->word[i - 1] >> 30)) + i;
    t->used = MT_WORDS;
}

static void refill(wgdn_twister *t)
{
    for (int i = 0; i < MT_WORDS; i++) {
        const uint32_t y = (t->word[i] & 0x80000000U) | (t->word[(i + 1) % MT_WORDS] & 0x7fffffffU);
        t->word[i] =
            t->word[(i + MT_SHIFT) % MT_WORDS] ^ (y >> 1) ^ (y & 1 ? UINT32_C(0x9908b0df) : 0);
    }
    t->used = 0;
}

uint32_t wgdn_twister_next(wgdn_twister *t)
{
    if (t->used == MT_WORDS) refill(t);
    uint32_t y = t->word[t->used++];
    y ^= y >> 11;
    y ^= (y << 7) & UINT32_C(0x9d2c5680);
    y ^= (y << 15) & UINT32_C(0xefc60000);
    return y ^ (y >> 18);
}
