/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short row, sorted: how many are smaller is an element's place. Equal ones meet in one place and
 * leave a hole behind it, so repeats drop out by the way. No branch depends on the order of the
 * values. Compiled once per CPU level (cmake/variants.cmake), which only changes how many are
 * compared at once.
 */
#include "row_sort.h"

#include "base/lanes.h"

#include <string.h>

typedef int32_t lanes __attribute__((vector_size(4 * LANES)));

int64_t WGDN_LEVEL_OPS(int32_t *to, const int32_t *row, int count)
{
    enum { BLOCKS = WGDN_ROW_SHORT / LANES };
    union {
        lanes block[BLOCKS];
        int32_t at[WGDN_ROW_SHORT];
    } value, place, sorted;
    const int blocks = (count + LANES - 1) / LANES;
    int32_t hole = 0;
    int64_t kept = 0;
    if (count == 0) return 0;
    value.block[blocks - 1] = (lanes){0};
    memcpy(value.at, row, (size_t)count * sizeof *row);
    for (int b = 0; b < blocks; b++) {
        lanes smaller = {0};
        for (int j = 0; j < count; j++)
            smaller -= row[j] < value.block[b]; /* true is -1 */
        place.block[b] = smaller;
        sorted.block[b] = (lanes){0} - 1;
    }
    for (int i = 0; i < count; i++)
        sorted.at[place.at[i]] = row[i];
    for (int i = 0; i < count; i++)
        hole |= sorted.at[i];
    if (hole >= 0) {
        memcpy(to, sorted.at, (size_t)count * sizeof *to);
        return count;
    }
    for (int i = 0; i < count; i++) {
        to[kept] = sorted.at[i];
        kept += sorted.at[i] >= 0;
    }
    return kept;
}
