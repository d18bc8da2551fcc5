/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_FORMATS_NODE_TABLE_H
#define WGDN_FORMATS_NODE_TABLE_H

#include "data/columns.h"
#include "data/draft.h"
#include "data/table.h"

/* What lies beside a graph in files of its own: features, labels, splits; text keyed by id. */
/* The features that the options name, from text into the table, from an array into the dataset. */
WGDN_MUST_CHECK wgdn_status wgdn_features_read(wgdn_draft *w, wgdn_error *err);
/* Whether there are arrays among them. */
WGDN_MUST_CHECK wgdn_status wgdn_features_list(bool *arrays, wgdn_draft *w, wgdn_error *err);
/* Those among them that are arrays: their rows say how many nodes there are. */
WGDN_MUST_CHECK wgdn_status wgdn_features_arrays(wgdn_draft *w, wgdn_error *err);
/* What a dataset remembers of them, once its nodes are final. */
WGDN_MUST_CHECK wgdn_status wgdn_features_keep(wgdn_draft *w, wgdn_error *err);
/* Labels and splits from the files that the options name, for a dataset whose nodes are final. */
WGDN_MUST_CHECK wgdn_status wgdn_notes_read(wgdn_dataset *d, const wgdn_dataset_options *o,
                                            wgdn_error *err);

/* Any text table, or word2vec's text form, whose first line has two counts. */
WGDN_MUST_CHECK wgdn_status wgdn_table_read(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                            wgdn_error *err);
/* The column of ids, by heading or by number; *named: row 1 has the heading. */
WGDN_MUST_CHECK wgdn_status wgdn_table_find_id(int64_t *id, bool *named, const wgdn_lines *l,
                                               const wgdn_input *in, wgdn_error *err);

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
WGDN_MUST_CHECK wgdn_status wgdn_table_read_columns(wgdn_table *t, wgdn_ids *ids,
                                                    const wgdn_input *in,
                                                    const wgdn_table_plan *plan, wgdn_error *err);

/* {"id": [feature, feature, ...], ...}: features that are 1, by number. */
WGDN_MUST_CHECK wgdn_status wgdn_table_read_json(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                                 wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_labels_read(wgdn_dataset *d, const wgdn_input *in,
                                             const wgdn_dataset_options *o, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_splits_read(wgdn_dataset *d, const wgdn_input *in,
                                             const wgdn_dataset_options *o, wgdn_error *err);

/*
 * A table of any columns on its way to features: node_labels.c decides what its columns are,
 * node_match.c finds those of an encoding, node_table.c reads the rows, node_labels.c reports.
 */
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
} wgdn_table_reading;

typedef wgdn_status wgdn_row_visit(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err);
/* Every row of data; the first sets how many columns there are. skip: row 1 is none. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_walk(wgdn_table_reading *r, bool skip,
                                                    wgdn_row_visit *visit, wgdn_error *err);
/* Room for what is noted of so many columns. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_reserve(wgdn_table_reading *r, int64_t columns,
                                                       wgdn_error *err);
wgdn_status wgdn_table_reading_no_memory(const wgdn_table_reading *r, wgdn_error *err);

/* The block and the places of its columns: by looking at all rows, and as the block says. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_decide(wgdn_table_reading *r, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_match(wgdn_table_reading *r, wgdn_error *err);
void wgdn_table_reading_forget(wgdn_table_reading *r); /* the survey */

/* Columns are found by their headings: one that is a feature must be there once. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_unique(const wgdn_table_reading *r, wgdn_error *err);
/* The heading of column j, or "column 3" in words; for messages. */
wgdn_shown wgdn_table_reading_name(const wgdn_table_reading *r, int64_t j);
/* What was made of the columns. */
WGDN_MUST_CHECK wgdn_status wgdn_table_reading_remark(const wgdn_table_reading *r, wgdn_error *err);

#endif
