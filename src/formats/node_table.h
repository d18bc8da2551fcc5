/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_FORMATS_NODE_TABLE_H
#define WGDN_FORMATS_NODE_TABLE_H

#include "table_columns.h"

/* What lies beside a graph in files of its own: features, labels, splits; text keyed by id. */
/* The features that the options name, from text into the table, from an array into the dataset. */
WGDN_MUST_CHECK wgdn_status wgdn_features_read(wgdn_draft *w, wgdn_error *err);
/* Whether there are arrays among them. */
WGDN_MUST_CHECK wgdn_status wgdn_features_list(bool *arrays, wgdn_draft *w, wgdn_error *err);
/* Those among them that are arrays: their rows say how many nodes there are. */
WGDN_MUST_CHECK wgdn_status wgdn_features_arrays(wgdn_draft *w, wgdn_error *err);
/* Labels and splits from the files that the options name, for a dataset whose nodes are final. */
WGDN_MUST_CHECK wgdn_status wgdn_notes_read(wgdn_dataset *d, const wgdn_dataset_options *o,
                                            wgdn_error *err);

/* Any text table, or word2vec's text form, whose first line has two counts. */
WGDN_MUST_CHECK wgdn_status wgdn_table_read(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                            wgdn_error *err);
/* A table of any columns, as the plan says. */
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
