/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of any columns on its way to features: parts_look.c decides what its columns are,
 * parts_match.c finds those of an encoding, parts_columns.c reads the rows, parts_remarks.c tells.
 */
#ifndef WGDN_PARTS_COLUMNS_H
#define WGDN_PARTS_COLUMNS_H

#include "dataset/survey.h"
#include "parts.h"

typedef struct wgdn_reading {
    wgdn_table *t;
    wgdn_ids *ids;
    const wgdn_input *in;
    const wgdn_table_plan *plan;
    wgdn_names head; /* the fields of row 1 */
    bool headed;     /* they are names */
    int64_t columns; /* behind the id */
    int64_t id;      /* where ids stand in a row */
    bool id_named;   /* by a heading, so that row 1 is a header */
    char decimal;
    wgdn_survey *survey; /* columns of them; NULL where an encoding was given */
    wgdn_block *block;   /* what the columns become */
    int64_t *place;      /* the column of each of the block's */
    int64_t *missing;    /* values of each of the block's columns that are not there */
    int64_t *unknown;    /* and categories that are none of its own */
    wgdn_cell *cell;     /* of a row */
} wgdn_reading;

typedef wgdn_status wgdn_row_taker(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err);
/* Every row of data; the first sets how many columns there are. skip: row 1 is none. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_walk(wgdn_reading *r, bool skip, wgdn_row_taker *take,
                                              wgdn_error *err);
/* Room for what is noted of so many columns. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_reserve(wgdn_reading *r, int64_t columns, wgdn_error *err);
wgdn_status wgdn_reading_no_memory(const wgdn_reading *r, wgdn_error *err);

/* The block and the places of its columns: by looking at all rows, and as the block says. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_decide(wgdn_reading *r, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_reading_match(wgdn_reading *r, wgdn_error *err);
void wgdn_reading_forget(wgdn_reading *r); /* the survey */

/* Columns are found by their headings: one that is a feature must be there once. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_unique(const wgdn_reading *r, wgdn_error *err);
/* The heading of column j, or "column 3" in words; for messages. */
wgdn_shown wgdn_reading_name(const wgdn_reading *r, int64_t j);
/* What was made of the columns. */
WGDN_MUST_CHECK wgdn_status wgdn_reading_remark(const wgdn_reading *r, wgdn_error *err);

#endif
