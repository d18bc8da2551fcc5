/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are cut into blocks that their number alone fixes: no thread and no rank shows in a sum. */
#include "ranks.h"

enum {
    BLOCKS_WANTED = 32, /* enough for the threads of one machine to share evenly */
    BLOCKS_FEW = 8,     /* and of a small matrix, so many rather than small ones */
    ROWS_GOOD = 256, /* below, dense products and the sums over their blocks cost a quarter more */
    ROWS_MAX = 1024, /* dense products are no faster beyond, measured at widths 512 and 1024 */
    ROWS_STEP = 16,  /* whole tiles of the dense engine */
    LEAF_ROWS = 512, /* below this a leaf of A^T B costs more in the tree than in the product */
};

static int64_t share(int64_t n, int64_t blocks)
{
    const int64_t even = (n + blocks - 1) / blocks;
    return even < 1 ? ROWS_STEP : (even + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
}

int64_t wgdn_block_rows(int64_t n)
{
    const int64_t many = share(n, BLOCKS_WANTED), few = share(n, BLOCKS_FEW);
    const int64_t least = few < ROWS_GOOD ? few : ROWS_GOOD;
    return many < least ? least : many > ROWS_MAX ? ROWS_MAX : many;
}

int64_t wgdn_block_count(int64_t n)
{
    const int64_t rows = wgdn_block_rows(n);
    return (n + rows - 1) / rows;
}

/* Blocks grow by ROWS_STEP rows at multiples of this, and there are fewer of them just behind. */
int64_t wgdn_max_blocks(int64_t n)
{
    static const int64_t step[] = {(int64_t)BLOCKS_WANTED * ROWS_STEP,
                                   (int64_t)BLOCKS_FEW * ROWS_STEP};
    int64_t best = n;
    for (int k = 0; k < 2; k++) {
        const int64_t whole = n / step[k] * step[k];
        if (whole > 0 && wgdn_block_count(whole) > wgdn_block_count(best)) best = whole;
    }
    return best;
}

int64_t wgdn_leaf_rows(int64_t n)
{
    int64_t rows = wgdn_block_rows(n);
    while (rows < LEAF_ROWS && rows < n)
        rows *= 2;
    return rows;
}
