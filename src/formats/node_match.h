/* SPDX-License-Identifier: Apache-2.0 */
/* What labels, splits and tables of features have in common: rows with the id of a node. */
#ifndef WGDN_FORMATS_NODE_MATCH_H
#define WGDN_FORMATS_NODE_MATCH_H

#include "node_table.h"

bool wgdn_is_any(wgdn_text t, const char *const *word, size_t count);

/* The ids of a graph: those of a draft, or of a dataset whose nodes are final; one of the two. */
typedef struct wgdn_known {
    const wgdn_ids *ids;
    const wgdn_dataset *d;
} wgdn_known;
/* Finds the column of ids, unless the input names it, and notes it in the input. */
WGDN_MUST_CHECK wgdn_status wgdn_id_look(wgdn_input *in, const wgdn_known *known, wgdn_error *err);

/* A file of labels or splits that is being read: its column of ids, and the rows skipped so far. */
typedef struct wgdn_notes {
    const wgdn_dataset *d;
    const char *what;    /* "labeled", "split": the ids of the file */
    const char *wanted;  /* beside the id, for messages */
    int64_t id;          /* the column of ids */
    bool named;          /* row 1 holds column names */
    bool guessed;        /* they may be data of an unknown id, too */
    bool strict;         /* an unknown id is an error */
    int64_t rows;        /* with an id */
    int64_t unknown;     /* of them, with an id that no node has */
    int64_t nameless;    /* rows without an id */
    wgdn_shown first[2]; /* unknown ids */
} wgdn_notes;

/* Reads row 1; passes over it if it holds column names. The column of ids is noted in `in`. */
WGDN_MUST_CHECK wgdn_status wgdn_notes_open(wgdn_notes *n, wgdn_lines *l, const wgdn_input *in,
                                            wgdn_error *err);
/* The node of the current row; -1: the row is skipped, and was counted. */
WGDN_MUST_CHECK wgdn_status wgdn_note_node(int64_t *node, wgdn_notes *n, const wgdn_lines *l,
                                           wgdn_error *err);
/* Counts an unknown id. */
void wgdn_note_unknown(wgdn_notes *n, wgdn_text id);
/* Reports the rows that were skipped; fails if no row was of a node. */
WGDN_MUST_CHECK wgdn_status wgdn_notes_report(wgdn_notes *n, wgdn_dataset *d, const char *name,
                                              wgdn_error *err);

#endif
