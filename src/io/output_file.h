/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear whole or not at all, and lines of text on their way to one. */
#ifndef WGDN_IO_OUTPUT_FILE_H
#define WGDN_IO_OUTPUT_FILE_H

#include "text.h"

#include <string.h>

/*
 * Write a file atomically: a temporary name beside it, then fsync, rename and fsync of the folder.
 * Until wgdn_output_commit() nothing is seen under the real name; wgdn_output_abandon() after any
 * failure leaves no trace. Writes may fail late: commit reports it.
 */
typedef struct wgdn_output wgdn_output;
WGDN_MUST_CHECK wgdn_status wgdn_output_open(wgdn_output **out, const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_output_write(wgdn_output *o, const void *data, size_t size,
                                              wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_output_commit(wgdn_output *o, wgdn_error *err); /* frees o */
void wgdn_output_abandon(wgdn_output *o);                                        /* NULL is fine */

/* Text on its way to a file, in lines of fields; compressed where the name ends in .gz. */
/* Lines are gathered here; the first failure is kept and the rest is quiet. */
typedef struct wgdn_page {
    wgdn_output *out;
    wgdn_status st;
    wgdn_error *err;
    char between;           /* two fields */
    struct wgdn_gzip *gzip; /* NULL: the file holds plain text */
    size_t used;
    char text[1 << 16];
} wgdn_page;

WGDN_MUST_CHECK wgdn_status wgdn_page_open(wgdn_page **out, const char *path, wgdn_error *err);
void wgdn_page_put(wgdn_page *p, const void *text, size_t size);
static inline void wgdn_page_word(wgdn_page *p, const char *word)
{
    wgdn_page_put(p, word, strlen(word));
}

static inline void wgdn_page_float(wgdn_page *p, float value)
{
    char text[WGDN_FLOAT_TEXT];
    if (value == 0)
        wgdn_page_put(p, "0", 1);
    else
        wgdn_page_put(p, text, wgdn_print_float(text, value));
}

void wgdn_page_field(wgdn_page *p, wgdn_text t);     /* in quotes if a reader would mistake it */
void wgdn_page_json_text(wgdn_page *p, wgdn_text t); /* in quotes, with JSON's escapes */
/* Writes what is left, or nothing after a failure; frees p. */
WGDN_MUST_CHECK wgdn_status wgdn_page_close(wgdn_page *p);

#endif
