/* SPDX-License-Identifier: Apache-2.0 */
/* Names of formats, from the tables of the library. */
#ifndef CLI_CMD_CONVERT_H
#define CLI_CMD_CONVERT_H

#include <stdbool.h>
#include <wgdn/wgdn.h>

typedef const wgdn_format_info *format_table(int i); /* wgdn_dataset_get_format, ... */

/* "auto|a|b": all that are read, or all that are written. */
void formats_choices(char *out, size_t size, format_table *table, bool written);
/* Behind them those of another table that are written, once each. */
void formats_more(char *out, size_t size, format_table *table);
/* "a, b or c": names of those that are written, or their suffixes. */
void formats_suffixes(char *out, size_t size, format_table *table);
/* The one that is written to such a path, by its suffix; NULL if none is. */
const char *format_by_suffix(const char *path, format_table *table);

#endif
