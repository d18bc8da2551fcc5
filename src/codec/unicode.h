/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, one code point at a time, and names from files made fit for a message. */
#ifndef WGDN_UNICODE_H
#define WGDN_UNICODE_H

#include "base/base.h"

/*
 * The code point at the start of text, whose length in bytes goes to *used; -1 for what is no
 * UTF-8 (also surrogates and needlessly long forms). size is at least 1.
 */
int32_t wgdn_utf8_decode(const unsigned char *text, size_t size, size_t *used);
/* 1 .. 4 bytes, or 0 for a number that is no code point. out may be NULL to ask for the length. */
size_t wgdn_utf8_encode(unsigned char *out, uint32_t point);
bool wgdn_utf8_valid(const char *text, size_t size);

/* Text from a file may hold anything: control bytes become '?', the middle of a long one "...". */
typedef struct wgdn_quoted {
    char text[64];
} wgdn_quoted;
wgdn_quoted wgdn_quote(const char *text, size_t size);

#endif
