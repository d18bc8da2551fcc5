/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows in memory and is whole, or known not to be. */
#ifndef CLI_MEMORY_FILE_H
#define CLI_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct held {
    FILE *to;   /* to be printed to */
    char *data; /* with a NUL behind it; NULL: nothing was printed */
    size_t size, room;
    bool broken; /* something of it found no room */
} held;

bool held_open(held *h);
/* data and size hold from now on; whether they are all that was printed. Data is to be freed. */
bool held_close(held *h);

#endif
