/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg.h"

#include <omp.h>
#include <string.h>

enum {
    BLOCKS_WANTED = 32, /* enough for the threads of one machine to share evenly */
    BLOCKS_FEW = 8,     /* and of a small matrix, so many rather than small ones */
    ROWS_GOOD = 256,  /* below, dense products and the sums over their blocks cost a quarter more */
    ROWS_MOST = 1024, /* dense products are no faster beyond, measured at widths 512 and 1024 */
    ROWS_STEP = 16,   /* whole tiles of the dense engine */
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
    return many < least ? least : many > ROWS_MOST ? ROWS_MOST : many;
}

int64_t wgdn_block_count(int64_t n)
{
    const int64_t rows = wgdn_block_rows(n);
    return (n + rows - 1) / rows;
}

/* Blocks grow by ROWS_STEP rows at multiples of this, and there are fewer of them just behind. */
int64_t wgdn_most_blocks(int64_t n)
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

int wgdn_threads_use(int threads)
{
    const int former = omp_get_max_threads();
    if (threads > 0) omp_set_num_threads(threads);
    return former;
}

size_t wgdn_for_blocks_work(int64_t n, int64_t width)
{
    return (size_t)wgdn_block_count(n) * (size_t)width * sizeof(double);
}

void wgdn_for_blocks(int64_t n, wgdn_block_rows_call rows, void *context, double *sums,
                     int64_t width, void *work)
{
    const int64_t size = wgdn_block_rows(n), blocks = wgdn_block_count(n);
    double *partial = work;
    if (width > 0) memset(partial, 0, wgdn_for_blocks_work(n, width));
#pragma omp parallel for schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t first = b * size;
        rows(first, first + size < n ? size : n - first, width > 0 ? partial + b * width : NULL,
             context);
    }
    if (width == 0) return;
    wgdn_tree_fold(partial, blocks, width, width);
    memcpy(sums, partial, (size_t)width * sizeof *sums);
}

void wgdn_for_each(int64_t count, wgdn_item_call item, void *context)
{
#pragma omp parallel for schedule(dynamic)
    for (int64_t i = 0; i < count; i++)
        item(i, context);
}
