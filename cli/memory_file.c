/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a stream that prints into a buffer in memory and reports when memory runs out. The
 * open_memstream() of glibc 2.36 drops data silently then, and neither ferror() nor fclose()
 * report it; charts, the demo and main.c need to know.
 */
#define _GNU_SOURCE /* fopencookie */
#include "memory_file.h"

#include <stdlib.h>
#include <string.h>

static ssize_t put(void *cookie, const char *data, size_t size)
{
    held *h = cookie;
    if (h->room - h->size <= size) { /* a NUL goes behind it */
        const size_t room = 2 * (h->size + size) + 1;
        char *wider = room / 2 >= size ? realloc(h->data, room) : NULL;
        if (!wider) {
            h->broken = true;
            return 0;
        }
        h->data = wider;
        h->room = room;
    }
    memcpy(h->data + h->size, data, size);
    h->size += size;
    h->data[h->size] = '\0';
    return (ssize_t)size;
}

bool held_open(held *h)
{
    *h = (held){.to = NULL};
    h->to = fopencookie(h, "w", (cookie_io_functions_t){.write = put});
    return h->to != NULL;
}

bool held_close(held *h)
{
    const bool broken = !h->to || ferror(h->to);
    const bool closed = h->to && fclose(h->to) == 0;
    h->to = NULL;
    return closed && !broken && !h->broken;
}
