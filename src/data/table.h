/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_DATA_TABLE_H
#define WGDN_DATA_TABLE_H

#include "columns.h"
#include "features.h"
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
void wgdn_table_free(wgdn_table *t);

/* A look at all of a table's columns, before it is decided what they are. */
/* One column. */
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

/* The first look; false for a number that a float cannot hold. */
bool wgdn_survey_see(wgdn_survey *s, wgdn_text field, int64_t line);
/* Behind the first look: whether days or months come first in dates. */
void wgdn_survey_settle(wgdn_survey *s);
/* No kind of value fits all that is there. */
bool wgdn_survey_words(const wgdn_survey *s);
/* The second look. */
WGDN_MUST_CHECK wgdn_status wgdn_survey_count(wgdn_survey *s, wgdn_text field, wgdn_error *err);
void wgdn_survey_free(wgdn_survey *s);
double wgdn_survey_deviation(const wgdn_survey *s);

/* What to do with a column. */
typedef enum wgdn_verdict {
    WGDN_VERDICT_TAKE,
    WGDN_VERDICT_EMPTY, /* all of it is missing */
    WGDN_VERDICT_TEXT,  /* prose, or names: no categories */
    WGDN_VERDICT_ODD    /* numbers or dates, but for a few: see odd_number, odd_day */
} wgdn_verdict;
/* Kind, mean, flag and categories of a column with at most so many categories of its own. */
WGDN_MUST_CHECK wgdn_status wgdn_survey_judge(wgdn_column *c, wgdn_verdict *verdict,
                                              const wgdn_survey *s, int64_t most, wgdn_error *err);
/*
 * How a table of these columns is scaled by default. Standard if a column is not of numbers or has
 * gaps. A table of numbers stays as it is when its columns are of one kind, such as counts,
 * fractions and vectors are: half or more are 0, or all lie in -1 .. 1, or no column is ten times
 * as large as another and none lies further from 0 than three deviations.
 */
wgdn_feature_scale wgdn_survey_scale(const wgdn_survey *s, int64_t columns);

#endif
