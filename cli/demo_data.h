/* SPDX-License-Identifier: Apache-2.0 */
/* The sample data of 'wgdn demo', also for the Python package. */
#ifndef CLI_DEMO_DATA_H
#define CLI_DEMO_DATA_H

#include <stddef.h>
#include <stdio.h>

enum { DEMO_FILES = 4 }; /* at most, of one set */

typedef struct demo_file {
    const char *name, *about;
    void (*write)(FILE *to);
} demo_file;

typedef struct demo_set {
    const char *name, *about;
    demo_file files[DEMO_FILES]; /* the rest have no name */
} demo_set;

/* The sets in order; NULL ends them. */
const demo_set *demo_get_set(int i);

/* Returns the set of this name; NULL if there is none. */
const demo_set *demo_find_set(const char *name);

/* Returns the text of a file, with a NUL behind it, and its size; the caller frees it. NULL: out of memory. */
char *demo_file_text(const demo_file *file, size_t *size);

/* demo_borders.c: the files of the set "countries". */
void demo_write_borders(FILE *to);
void demo_write_continents(FILE *to);

#endif
