/* SPDX-License-Identifier: Apache-2.0 */
/* A table of any columns on its way to features: what table_columns.c found in them and table_report.c reports. */
#ifndef WGDN_FORMATS_TABLE_COLUMNS_H
#define WGDN_FORMATS_TABLE_COLUMNS_H

#include "data/columns.h"
#include "data/draft.h"
#include "data/table.h"

/* ---- the column of ids: node_labels.c ---- */

/* The column of ids, by heading or by number; *named: row 1 has the heading. */
WGDN_MUST_CHECK wgdn_status wgdn_table_find_id(int64_t *id, bool *named, const wgdn_lines *l,
                                               const wgdn_input *in, wgdn_error *err);

/* The ids of a graph: those of a draft, or of a dataset whose nodes are final; one of the two. */
typedef struct wgdn_known {
    const wgdn_ids *ids;
    const wgdn_dataset *d;
} wgdn_known;
/* Finds the column of ids, unless the input names it, and notes it in the input. */
WGDN_MUST_CHECK wgdn_status wgdn_id_look(wgdn_input *in, const wgdn_known *known, wgdn_error *err);

/* ---- the other columns ---- */

/* What is wanted of a table of any columns. */
typedef struct wgdn_table_plan {
    wgdn_feature_scale scale;
    int64_t max_categories;
    const char *ignore;    /* columns, separated by commas; or NULL */
    bool several;          /* there are more tables, which may have the columns to ignore */
    bool numbers;          /* nothing but numbers, unchanged */
    wgdn_block *given;     /* encode as this says; or NULL */
    wgdn_block *made;      /* empty; receives what was decided */
    wgdn_remarks *remarks; /* receives what was made of the columns */
} wgdn_table_plan;

/* What two looks at all values of a column found. */
typedef struct wgdn_survey {
    char decimal; /* of numbers: a comma, or the point */
    int64_t rows, missing, numbers, days, booleans;
    int64_t zeros;               /* among the numbers */
    double largest;              /* |x| */
    double mean, squares;        /* of the values so far: their sum of squares about the mean */
    int64_t odd_number, odd_day; /* lines of the first value that is no number, no date; 0: none */
    /* Dates with the month first, beside days, mean, squares and odd_day with the day first. */
    int64_t month_days, odd_month_day;
    double month_mean, month_squares;
    bool two_orders;      /* some date is another day with the month first */
    wgdn_day_order order; /* settled behind the first look */
    /* the second look, at columns of words alone */
    wgdn_ids value;
    int64_t seen, blanks, bytes; /* until there are too many different values to go on counting */
    bool full;
    bool ignored; /* on request */
} wgdn_survey;

typedef struct wgdn_table_reading {
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
    wgdn_arrays arrays;
} wgdn_table_reading;

/* The heading of column j, or its number; for messages. */
static inline wgdn_shown wgdn_table_reading_name(const wgdn_table_reading *r, int64_t j)
{
    char digits[WGDN_INDEX_TEXT];
    if (r->headed) return wgdn_show(wgdn_names_get(&r->head, j + r->head.count - r->columns));
    wgdn_shown s;
    wgdn_text_put(s.text, sizeof s.text, wgdn_text_of(digits, wgdn_print_index(digits, j + 1)));
    return s;
}

/* Encodes the columns as the plan says, and adds the rows to the table. */
WGDN_MUST_CHECK wgdn_status wgdn_table_encode(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                              const wgdn_table_plan *plan, wgdn_error *err);
/* Reports how the columns were used. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_remark(const wgdn_table_reading *r, wgdn_error *err);

#endif
