/* SPDX-License-Identifier: Apache-2.0 */
/* Byte after byte from the lowest on; bytes that are the same everywhere cost nothing. */
#include "radix.h"

#include <string.h>

enum { BYTES = 8 };

static void count_bytes(int64_t count[BYTES][256], const uint64_t *record, int64_t n, int words)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = record[i * words];
        for (int b = 0; b < BYTES; b++)
            count[b][key >> (8 * b) & 255]++;
    }
}

static void move_one(uint64_t *to, const uint64_t *from, int64_t n, int64_t at[256], int shift)
{
    for (int64_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
}

static void move_two(uint64_t *to, const uint64_t *from, int64_t n, int64_t at[256], int shift)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = at[from[2 * i] >> shift & 255]++;
        to[2 * k] = from[2 * i];
        to[2 * k + 1] = from[2 * i + 1];
    }
}

uint64_t *wgdn_radix_sort(uint64_t *record, uint64_t *other, int64_t count, int words)
{
    int64_t seen[BYTES][256];
    memset(seen, 0, sizeof seen);
    count_bytes(seen, record, count, words);
    for (int b = 0; b < BYTES && count > 1; b++) {
        int64_t at[256], sum = 0;
        if (seen[b][record[0] >> (8 * b) & 255] == count) continue;
        for (int i = 0; i < 256; i++) {
            at[i] = sum;
            sum += seen[b][i];
        }
        if (words == 1)
            move_one(other, record, count, at, 8 * b);
        else
            move_two(other, record, count, at, 8 * b);
        uint64_t *const swap = record;
        record = other;
        other = swap;
    }
    return record;
}
