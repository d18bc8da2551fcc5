/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON on one line, written as it comes; commas look after themselves. The names keep clear of
 * those of the JSON library that the static libwgdn brings along.
 */
#ifndef WGDN_CLI_JSON_H
#define WGDN_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *to;
    bool comma; /* something stands before, on this level */
} json;

/* key is NULL inside arrays and at the top. */
void json_put_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_put_close(json *j, char bracket);                 /* '}' or ']' */
void json_put_integer(json *j, const char *key, int64_t value);
void json_put_real(json *j, const char *key, double value); /* null when it is not finite */
void json_put_bool(json *j, const char *key, bool value);
void json_put_null(json *j, const char *key);
void json_put_text(json *j, const char *key, const char *text); /* NULL becomes null */
/*
 * Any bytes. What is not UTF-8 comes out as the lone surrogate U+DC80 .. U+DCFF for each byte, as
 * Python's surrogateescape has it, so that nothing is lost and the line stays valid.
 */
void json_put_bytes(json *j, const char *key, const char *bytes, size_t size);

#endif
