/* SPDX-License-Identifier: Apache-2.0 */
/* What stands between the fields of a text, and how its numbers are written. */
#ifndef WGDN_SEPARATOR_H
#define WGDN_SEPARATOR_H

#include "text.h"

enum { WGDN_SEPARATOR_LINES = 100, WGDN_SEPARATOR_BYTES = 1 << 18 };

/*
 * Of tab, comma, semicolon, pipe and blanks the one that cuts the largest part of the first lines
 * into the same number of fields, two at least. Among equals: tab; then the one with most fields of
 * the next three; blanks last. A comma loses where with another one as good it stands in nothing but
 * numbers such as 1,5. Blanks where none of them cuts anything. p is at a line with data.
 */
char wgdn_find_separator(const unsigned char *p, const unsigned char *end);
/* ',' where fields between semicolons are numbers such as 1,5 and none is one such as 1.5; else '.' */
char wgdn_find_decimal(const unsigned char *p, const unsigned char *end, char separator);

/* Any single byte that cannot be in the way, or tab, blanks, comma, semicolon, pipe in words. */
bool wgdn_separator_parse(char *out, const char *text);
const char *wgdn_separator_word(char separator); /* "commas"; NULL for one without a name */

#endif
