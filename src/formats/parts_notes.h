/* SPDX-License-Identifier: Apache-2.0 */
/* What labels and splits have in common: rows that start with the id of a node. */
#ifndef WGDN_PARTS_NOTES_H
#define WGDN_PARTS_NOTES_H

#include "parts.h"

bool wgdn_is_any(wgdn_text t, const char *const *word, size_t count);
/* Row 1 holds column names: so it was said, or its first word is over ids and is none. */
bool wgdn_names_columns(const wgdn_dataset *d, const wgdn_lines *l, wgdn_header header);
/* The node that the current row is of. */
WGDN_MUST_CHECK wgdn_status wgdn_note_node(int64_t *node, const wgdn_dataset *d,
                                           const wgdn_lines *l, wgdn_error *err);

#endif
