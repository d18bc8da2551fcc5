/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text: slices, numbers, and how to show them to a person. */
#ifndef WGDN_TEXT_H
#define WGDN_TEXT_H

#include "base/base.h"

/* Bytes inside something larger; not ended by NUL, not always UTF-8. */
typedef struct wgdn_text {
    const unsigned char *at;
    size_t size;
} wgdn_text;

static inline wgdn_text wgdn_text_of(const void *at, size_t size)
{
    return (wgdn_text){(const unsigned char *)at, size};
}

bool wgdn_text_is(wgdn_text t, const char *word);    /* ASCII letters match in either case */
bool wgdn_text_holds(wgdn_text t, const char *word); /* somewhere, to the letter */
int wgdn_text_compare(wgdn_text a, wgdn_text b);     /* by bytes; a prefix comes first */

/* Digits without sign or needless zeros, below 2^63: the one way to write that integer. */
bool wgdn_text_index(wgdn_text t, int64_t *out);
/* Any sign, leading zeros allowed; false if it is not an integer or does not fit. */
bool wgdn_text_integer(wgdn_text t, int64_t *out);
/*
 * A decimal number, the whole text, whatever the locale; also inf and nan in their common
 * spellings, so that the caller can refuse them by name. Correctly rounded.
 */
bool wgdn_text_number(wgdn_text t, double *out);

enum { WGDN_FLOAT_TEXT = 24, WGDN_INDEX_TEXT = 20 };
/* Nine digits, which a float survives; always a point, never a comma. Gives the length. */
size_t wgdn_print_float(char out[WGDN_FLOAT_TEXT], float value);
size_t wgdn_print_index(char out[WGDN_INDEX_TEXT], int64_t value); /* value >= 0 */

/* The text in quotes, cut after 40 bytes, unprintable bytes as \xNN: for messages. */
typedef struct wgdn_shown {
    char text[176];
} wgdn_shown;
wgdn_shown wgdn_show(wgdn_text t);
/* The end of a long file name, so that a message keeps room for its news. */
wgdn_shown wgdn_show_name(const char *name);

/* t into buffer, cut to size - 1 bytes and ended with NUL; returns its whole length. */
int64_t wgdn_text_put(char *buffer, size_t size, wgdn_text t);

#endif
