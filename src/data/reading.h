/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the data of a model was read, so that other data is read alike: columns of an edge list and of a table of
 * features, weights, directions.
 */
#ifndef WGDN_DATA_READING_H
#define WGDN_DATA_READING_H

#include "dataset.h"

/* As text, which a model keeps. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_text(char **out, const wgdn_dataset *d, wgdn_error *err);

enum { WGDN_READING_COLUMNS = 6 };

typedef struct wgdn_reading {
    bool listed; /* an edge list was read: its columns are known */
    const char
        *column[WGDN_READING_COLUMNS]; /* source, target, weight, type, graph, id; NULL: none */
    const char *given[WGDN_READING_COLUMNS]; /* by the options, instead; or NULL */
    int bipartite, weights, directed;
    char *text; /* what the columns point at */
} wgdn_reading;

/* To be freed, also after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_parse(wgdn_reading *r, const char *text, wgdn_error *err);

static inline void wgdn_reading_free(wgdn_reading *r)
{
    wgdn_release(r->text);
    *r = (wgdn_reading){.listed = false};
}

/*
 * Options that were not given become those of the model's data; WGDN_EINVAL, naming both, for one that contradicts
 * it. columns: whether the input is an edge list as text; head: its first row, as far as it is known.
 */
WGDN_MUST_CHECK wgdn_status wgdn_reading_apply(wgdn_dataset_options *o, wgdn_reading *r,
                                               bool columns, wgdn_text head, wgdn_error *err);

/* The same of columns that were given by number, once it is known what they are headed. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_check(const wgdn_reading *r, const wgdn_dataset *d,
                                               wgdn_error *err);

#endif
