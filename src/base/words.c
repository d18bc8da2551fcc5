/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <string.h>

int wgdn_word_distance(const char *a, const char *b)
{
    int row[WGDN_WORD_MAX + 1], columns = (int)strlen(b);
    if (columns > WGDN_WORD_MAX || strlen(a) > WGDN_WORD_MAX) return WGDN_WORD_MAX;
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            const int change = corner + (a[i - 1] != b[j - 1]);
            const int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = change < shift ? change : shift;
        }
    }
    return row[columns];
}
