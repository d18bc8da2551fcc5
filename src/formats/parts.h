/* SPDX-License-Identifier: Apache-2.0 */
/* What lies beside a graph in files of its own: features, labels, splits; text keyed by id. */
#ifndef WGDN_PARTS_H
#define WGDN_PARTS_H

#include "dataset/columns.h"
#include "dataset/draft.h"

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
/* Row 1 has numbers behind the id, or the two counts of word2vec. */
bool wgdn_table_starts_bare(const wgdn_input *in);

/* What is wanted of a table of any columns. */
typedef struct wgdn_table_plan {
    wgdn_feature_scale scale;
    int64_t max_categories;
    const char *ignore;    /* columns, separated by commas; or NULL */
    bool several;          /* there are more tables, which may have the columns to ignore */
    bool numbers;          /* nothing but numbers, unchanged */
    wgdn_block *given;     /* encode as this says; or NULL */
    wgdn_block *made;      /* empty; receives what was decided */
    wgdn_remarks *remarks; /* told what was made of the columns */
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

#endif
