/* SPDX-License-Identifier: Apache-2.0 */
/* Text on its way to a file, in lines of fields; compressed where the name ends in .gz. */
#ifndef WGDN_PAGE_H
#define WGDN_PAGE_H

#include "bytes.h"
#include "text.h"

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
void wgdn_page_word(wgdn_page *p, const char *word);
void wgdn_page_float(wgdn_page *p, float value);
void wgdn_page_field(wgdn_page *p, wgdn_text t); /* in quotes if a reader would mistake it */
/* Writes what is left, or nothing after a failure; frees p. */
WGDN_MUST_CHECK wgdn_status wgdn_page_close(wgdn_page *p);

#endif
