/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg.h"

#include <string.h>

size_t wgdn_for_blocks_work(wgdn_span s, int64_t width)
{
    return wgdn_size_product(wgdn_span_room(s), (size_t)width, sizeof(double));
}

void wgdn_for_blocks(wgdn_span s, wgdn_block_rows_call rows, void *context, double *sums,
                     int64_t width, void *work)
{
    const int64_t size = wgdn_block_rows(s.total), blocks = wgdn_span_blocks(s);
    double *partial = work;
    if (wgdn_span_tally(sums, width, s)) return;
    if (width > 0) memset(partial, 0, wgdn_for_blocks_work(s, width));
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++)
        rows(b * size, wgdn_min(size, s.count - b * size), width > 0 ? partial + b * width : NULL,
             context);
    if (width == 0) return;
    wgdn_span_fold(partial, width, width, s);
    memcpy(sums, partial, (size_t)width * sizeof *sums);
}

void wgdn_for_each(int64_t count, wgdn_item_call item, void *context)
{
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t i = 0; i < count; i++)
        item(i, context);
}
