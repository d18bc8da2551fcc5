/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and numbers as people read them. */
#ifndef WGDN_CLI_SHOW_H
#define WGDN_CLI_SHOW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Length of the UTF-8 character at the start of `bytes`; 0 when there is none. */
size_t utf8_length(const char *bytes, size_t size);
/* A name on a terminal: control characters and bytes that are not UTF-8 as \xNN. */
void show_name(FILE *to, const char *bytes, size_t size);
/* A name for a picture, in `size` bytes: what is longer keeps its ends around an ellipsis; control
 * characters and bytes that are not UTF-8 become '?'. */
void show_cut(char *out, size_t size, const char *bytes, size_t length);
/* "1.5 GB", in powers of 1000. */
void show_bytes(char *text, size_t size, int64_t bytes);
/* "1 TiB": a limit, which is a power of 1024 times some number. */
void show_limit(char *text, size_t size, int64_t bytes);
/* "512", "2.1 billion", "70 trillion". */
void show_count(char *text, size_t size, int64_t count);

#endif
