/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program asks of the operating system beyond POSIX, and what takes its place elsewhere: its start, and files
 * in memory. `held` is a text that grows in memory and is whole, or known not to be.
 */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

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

/* A descriptor of an empty file without a name, in memory where possible; -1 and errno. */
int open_buffer(void);

/*
 * Called first. OpenMP's threads shall wait asleep, the C library keep little, and mapped files that others change end
 * the program with a message and `code`, after before_end(). Does what the system allows.
 */
void process_prepare(char **argv, void (*before_end)(void), int code);

#endif
