/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_DATA_COLUMNS_H
#define WGDN_DATA_COLUMNS_H

#include "ids.h"
#include "io/text.h"

/* Dates and times as people write them in tables. */
/* How 03/04/2024 is read. */
typedef enum wgdn_day_order {
    WGDN_DAY_FIRST,  /* 3 April, as in most of the world */
    WGDN_MONTH_FIRST /* 4 March, as in the United States */
} wgdn_day_order;

/*
 * 2024-01-31 or 2024/01/31; 31.01.2024, always with the day first; 31/01/2024 or 31-01-2024 in the
 * order given, also with single digits. Then perhaps T or a blank and 13:45, 13:45:59 or
 * 13:45:59.25, or 1:45 PM, then perhaps Z, +02, +0200 or +02:00: the whole text, as days since 1970
 * in UTC. A time without an offset is taken for UTC.
 */
bool wgdn_text_day(wgdn_text t, wgdn_day_order order, double *out);

/*
 * What the columns of a table are made into: numbers, dates, booleans, categories. An encoding is
 * decided once, over the whole table, and then serves any other rows of the same columns: a model
 * keeps it as text.
 */
/* What one field is. */
typedef enum wgdn_field {
    WGDN_FIELD_MISSING, /* empty, NA, N/A, NaN, null, None, ? */
    WGDN_FIELD_NUMBER,  /* its value; also infinite */
    WGDN_FIELD_DAY,     /* days since 1970 */
    WGDN_FIELD_BOOLEAN, /* 0 or 1 */
    WGDN_FIELD_WORD
} wgdn_field;
/* Empty, NA, N/A, NaN, null, None or ?, in either case. */
static inline bool wgdn_field_missing(wgdn_text t)
{
    static const char *const word[] = {"", "na", "n/a", "nan", "null", "none", "?", NULL};
    return t.size <= 4 && wgdn_text_is_any(t, word);
}

/* decimal: ',' or the point. */
wgdn_field wgdn_field_of(wgdn_text t, char decimal, wgdn_day_order order, double *value);

typedef enum wgdn_feature_kind {
    WGDN_FEATURE_NUMBER,
    WGDN_FEATURE_DATE,
    WGDN_FEATURE_BOOLEAN,
    WGDN_FEATURE_CATEGORY, /* a feature for each value */
    WGDN_FEATURE_HASHED    /* the value's hash chooses one of N columns */
} wgdn_feature_kind;

typedef struct wgdn_column {
    wgdn_feature_kind kind;
    wgdn_day_order order; /* of dates */
    bool flagged;         /* a last feature is 1 where the value is missing */
    wgdn_names name;      /* one text: the heading; without headings the place, from 1 on */
    double mean;          /* stands for what is missing */
    double shift, unit;   /* x becomes (x - shift) / unit; unit 0: the column is constant, so 0 */
    wgdn_names category;  /* in the order of their features */
    int64_t buckets;      /* of hashes */
    int64_t first, width; /* the features that it becomes */
} wgdn_column;

/* A file of features. */
typedef enum wgdn_block_kind {
    WGDN_BLOCK_ARRAY,   /* .npy and the like */
    WGDN_BLOCK_NUMBERS, /* a table of numbers without headings, as they are */
    WGDN_BLOCK_TABLE    /* columns */
} wgdn_block_kind;

typedef struct wgdn_block {
    wgdn_block_kind kind;
    int64_t width;            /* features */
    wgdn_feature_scale scale; /* of a table; never auto */
    bool headed;              /* columns have names, else they go by their places */
    wgdn_column *column;
    int64_t columns, room;
    int64_t of; /* columns of the table, also those that were left out */
} wgdn_block;

typedef struct wgdn_encoding {
    wgdn_block *block;
    int64_t blocks, room;
} wgdn_encoding;

/* ---- rows ---- */

typedef struct wgdn_cell {
    int32_t column;
    float value;
} wgdn_cell;

enum { WGDN_CELLS = 2 }; /* the most that a field becomes */

typedef enum wgdn_cell_news {
    WGDN_CELL_FINE,
    WGDN_CELL_MISSING,
    WGDN_CELL_UNKNOWN, /* a category that is not among them: zeros */
    WGDN_CELL_WRONG    /* no number, no date, no boolean: nothing is made of it */
} wgdn_cell_news;
/* What is not 0 of a field's features, ascending. */
wgdn_cell_news wgdn_column_cells(wgdn_cell out[WGDN_CELLS], int *count, const wgdn_column *c,
                                 wgdn_text field, char decimal);
void wgdn_block_lay_out(wgdn_block *b); /* first and width of its columns, and its own */

/* ---- an encoding as text ---- */

/* Words of ASCII in lines; to be released. */
WGDN_MUST_CHECK wgdn_status wgdn_encoding_text(char **out, const wgdn_encoding *e, wgdn_error *err);
/* WGDN_EFORMAT for anything that the call above does not write. */
WGDN_MUST_CHECK wgdn_status wgdn_encoding_parse(wgdn_encoding *e, const char *text,
                                                wgdn_error *err);
/* Whether features made by both mean the same; means of what is missing do not count. */
bool wgdn_encoding_same(const wgdn_encoding *a, const wgdn_encoding *b);
/* The same of texts; true if either is NULL: then nobody knows better. */
WGDN_MUST_CHECK wgdn_status wgdn_encodings_agree(const char *model, const char *data,
                                                 wgdn_error *err);

WGDN_MUST_CHECK static inline wgdn_status wgdn_encoding_add(wgdn_encoding *e, wgdn_block **out,
                                                            wgdn_error *err)
{
    if (!wgdn_grow(&e->block, &e->room, e->blocks + 1, sizeof *e->block))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld blocks", (long long)e->blocks);
    *out = &e->block[e->blocks++];
    **out = (wgdn_block){0};
    return WGDN_OK;
}

WGDN_MUST_CHECK static inline wgdn_status wgdn_block_add(wgdn_block *b, wgdn_column **out,
                                                         wgdn_error *err)
{
    if (!wgdn_grow(&b->column, &b->room, b->columns + 1, sizeof *b->column))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld columns", (long long)b->columns);
    *out = &b->column[b->columns++];
    **out = (wgdn_column){.unit = 1};
    return WGDN_OK;
}

static inline void wgdn_block_free(wgdn_block *b)
{
    for (int64_t i = 0; i < b->columns; i++) {
        wgdn_names_free(&b->column[i].category);
        wgdn_names_free(&b->column[i].name);
    }
    wgdn_release(b->column);
    *b = (wgdn_block){0};
}

static inline void wgdn_encoding_free(wgdn_encoding *e)
{
    for (int64_t i = 0; i < e->blocks; i++)
        wgdn_block_free(&e->block[i]);
    wgdn_release(e->block);
    *e = (wgdn_encoding){0};
}

#endif
