/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_DATA_TABLE_H
#define WGDN_DATA_TABLE_H

#include "columns.h"
#include "dataset.h"
#include "ids.h"

/* Features row by row, as readers of text meet them. */
/* Rows in the order of the file, only what is not 0. */
typedef struct wgdn_table {
    int64_t rows, width;
    int32_t *node; /* of each row, as numbered by the ids so far */
    int64_t node_room;
    int64_t *offset; /* rows + 1 */
    int64_t offset_room;
    int32_t *column;
    int64_t column_room;
    float *value;
    int64_t value_room;
    int64_t *line; /* of each node seen, 0 for none; to refuse a second row */
    int64_t line_room;
    int64_t max;         /* entries allowed */
    const char *name;    /* of the file, for messages */
    int64_t known;       /* nodes that were there before the table was read */
    bool strict;         /* a row of an id that can be no node is an error */
    int64_t unknown;     /* rows of ids that were not known: nodes without edges, or skipped */
    int64_t skipped;     /* of them, those skipped, as there can be no more nodes */
    int64_t nameless;    /* rows without an id, skipped */
    wgdn_shown first[2]; /* ids that were not known */
} wgdn_table;

/* Whether a row is to be skipped for its id, which is counted then. */
bool wgdn_table_skips(wgdn_table *t, const wgdn_ids *ids, wgdn_text id);

/* Begin a row, then give its entries with ascending columns. line is for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_table_row(wgdn_table *t, wgdn_ids *ids, wgdn_text id, int64_t line,
                                           wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_table_entry(wgdn_table *t, int32_t column, float value,
                                             wgdn_error *err);

/* The rows in the order of the nodes; rank renumbers them, or is NULL. *absent: nodes without. */
WGDN_MUST_CHECK wgdn_status wgdn_table_features(wgdn_features *f, int64_t *absent,
                                                const wgdn_table *t, int64_t nodes,
                                                const int32_t *rank, wgdn_error *err);

static inline void wgdn_table_free(wgdn_table *t)
{
    wgdn_release(t->line);
    wgdn_release(t->value);
    wgdn_release(t->column);
    wgdn_release(t->offset);
    wgdn_release(t->node);
    *t = (wgdn_table){.max = t->max, .known = t->known, .strict = t->strict};
}

#endif
