/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg.h"

enum { CHUNK = 1 << 15 }; /* rows, at least */

int64_t wgdn_chunk_rows(wgdn_span rows)
{
    int64_t size = wgdn_leaf_rows(rows.total);
    if (rows.dist) return rows.count;
    while (size < CHUNK)
        size *= 2;
    return wgdn_min(size, rows.count);
}

int64_t wgdn_chunk_count(wgdn_span rows)
{
    const int64_t size = wgdn_chunk_rows(rows);
    return rows.dist || size < 1 ? 1 : (rows.count + size - 1) / size;
}

wgdn_span wgdn_chunk(wgdn_span rows, int64_t i)
{
    const int64_t size = wgdn_chunk_rows(rows), first = i * size;
    if (rows.dist) return rows;
    return (wgdn_span){
        .first = first, .count = wgdn_min(size, rows.count - first), .total = rows.total};
}
