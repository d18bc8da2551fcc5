/* SPDX-License-Identifier: Apache-2.0 */
/* JSON by Jansson, whose parser calls itself for every level: the levels are counted first. */
#ifndef WGDN_IO_JSON_H
#define WGDN_IO_JSON_H

#include <jansson.h>

enum { WGDN_JSON_DEPTH = 64 }; /* levels of objects and arrays; Jansson's own bound is 2048 */

/* json_loadb() without duplicate keys; *why as there, also for what is nested too deeply. */
json_t *wgdn_json_load(const void *data, size_t size, json_error_t *why);
/*
 * The text of a value, to be released; NULL: no memory. json_dumps() leaves words out without a
 * sign where its buffer cannot grow (seen in 2.14); here the size is known first.
 */
char *wgdn_json_text(const json_t *value, size_t flags);

#endif
