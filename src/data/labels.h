/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as words or numbers to classes 0, 1, 2, ... in sorted order. */
#ifndef WGDN_DATA_LABELS_H
#define WGDN_DATA_LABELS_H

#include "ids.h"

/* Several texts, one behind another. */
typedef struct wgdn_names {
    int64_t count;
    int64_t *start; /* count + 1 */
    unsigned char *text;
} wgdn_names;

static inline wgdn_text wgdn_names_get(const wgdn_names *n, int64_t i)
{
    return wgdn_text_of(n->text + n->start[i], (size_t)(n->start[i + 1] - n->start[i]));
}

void wgdn_names_free(wgdn_names *n);
WGDN_MUST_CHECK wgdn_status wgdn_names_from(wgdn_names *n, const wgdn_text *text, int64_t count,
                                            wgdn_error *err);

/*
 * Labels were numbered by first appearance in ids; number them by value if all are numbers, else by
 * their bytes, and give the classes' names in that order. Negative labels stay as they are.
 */
WGDN_MUST_CHECK wgdn_status wgdn_classes_sort(wgdn_names *names, int32_t *label, int64_t count,
                                              const wgdn_ids *ids, wgdn_error *err);

#endif
