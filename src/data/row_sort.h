/* SPDX-License-Identifier: Apache-2.0 */
/* Between edges.c and the variants of its innermost loop. */
#ifndef WGDN_DATA_ROW_SORT_H
#define WGDN_DATA_ROW_SORT_H

#include <stdint.h>

enum { WGDN_ROW_SHORT = 64 };

/*
 * Sort up to WGDN_ROW_SHORT columns, none negative, and drop repeats; gives what is left. May write
 * count of them to `to`, which must not alias row.
 */
typedef int64_t wgdn_row_sort(int32_t *to, const int32_t *row, int count);

wgdn_row_sort wgdn_row_sort_base, wgdn_row_sort_v3, wgdn_row_sort_v4;

#endif
