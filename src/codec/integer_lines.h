/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of two integers, fast; what follows them on a line is passed over. */
#ifndef WGDN_INTEGER_LINES_H
#define WGDN_INTEGER_LINES_H

#include "base/base.h"

/* A text of whole lines, and where its numbers go: room for as many lines as were counted. */
typedef struct wgdn_integer_text {
    const unsigned char *p, *end;
    int32_t *to, *to_end;
} wgdn_integer_text;

int64_t wgdn_count_lines(const unsigned char *p, const unsigned char *end);

/*
 * Two texts in turn: where a line starts depends on the line before, so that a processor which
 * reads one text waits most of the time. False for anything that is not two integers below 2^31 - 1
 * in their canonical spelling, and if there are not as many lines as were counted: the text may be a
 * mapped file that somebody writes to.
 */
bool wgdn_integer_lines(wgdn_integer_text *a, wgdn_integer_text *b, char separator);

/* What else is on every line: so many fields that nobody wants, or one that is 1. */
typedef struct wgdn_integer_rest {
    int64_t fields;
    bool one;
} wgdn_integer_rest;

/* One text of such lines. False as above, and where a field is quoted or its blanks are many. */
bool wgdn_integer_rows(wgdn_integer_text *c, char separator, wgdn_integer_rest rest);

#endif
