/* SPDX-License-Identifier: Apache-2.0 */
/* Between the XML of GraphML and the draft: keys, then nodes and edges as they come. */
#ifndef WGDN_GRAPHML_BUILD_H
#define WGDN_GRAPHML_BUILD_H

#include "dataset/draft.h"

enum { WGDN_GRAPHML_NODE, WGDN_GRAPHML_EDGE, WGDN_GRAPHML_SIDES };

/* What the values of a key become. */
typedef enum wgdn_graphml_use {
    WGDN_GRAPHML_IGNORED,
    WGDN_GRAPHML_FEATURE,
    WGDN_GRAPHML_LABEL,
    WGDN_GRAPHML_NAME,
    WGDN_GRAPHML_WEIGHT,
} wgdn_graphml_use;

typedef enum wgdn_graphml_type {
    WGDN_GRAPHML_STRING,
    WGDN_GRAPHML_BOOLEAN,
    WGDN_GRAPHML_INTEGER,
    WGDN_GRAPHML_FLOAT,
} wgdn_graphml_type;

typedef struct wgdn_graphml_key {
    wgdn_graphml_type type;
    bool on[WGDN_GRAPHML_SIDES];              /* where it may stand */
    wgdn_graphml_use use[WGDN_GRAPHML_SIDES]; /* known once all keys are */
    bool labels, names, weights;              /* its name is such a word */
    bool asked;                               /* the option label_column names it */
    int32_t column;                           /* of a feature */
    bool defaulted;                           /* it has a default: */
    double number;                            /* of numbers, */
    int32_t text;                             /* of labels, among texts */
    int64_t last;                             /* the element that had it last */
} wgdn_graphml_key;

typedef struct wgdn_graphml_cell {
    int32_t column;
    float value;
} wgdn_graphml_cell;

typedef struct wgdn_graphml {
    wgdn_draft *w;
    const char *name; /* of the file */
    wgdn_error *err;
    int64_t line; /* for messages; the caller keeps it */
    wgdn_ids key_ids;
    wgdn_graphml_key *key;
    int64_t key_room;
    int64_t label_key, weight_key; /* -1: there is none */
    int64_t columns, ignored;
    bool defaults;   /* some feature has one */
    int64_t element; /* number of the current node or edge, from 1 */
    /* nodes, as the draft's ids number them */
    int64_t *seen; /* the line of a node; of an edge that named it first, negated */
    int64_t seen_room;
    int32_t *label; /* -1 for none */
    int64_t label_room;
    int32_t *given; /* among names, -1 for none */
    int64_t given_room;
    wgdn_ids classes, names, texts;
    wgdn_table table;
    wgdn_graphml_cell *cell; /* features of the current node */
    int64_t cells, cell_room;
    int32_t at[2]; /* the current node, or the ends of the current edge */
    double weight;
} wgdn_graphml;

void wgdn_graphml_open(wgdn_graphml *g, wgdn_draft *w, const char *name, wgdn_error *err);
void wgdn_graphml_close(wgdn_graphml *g);
/* WGDN_EFORMAT as "name:line: ..." */
__attribute__((format(printf, 2, 3))) wgdn_status wgdn_graphml_refuse(const wgdn_graphml *g,
                                                                      const char *format, ...);

wgdn_text wgdn_graphml_trimmed(wgdn_text t); /* without blanks around it */
/* A value of a numeric key. */
WGDN_MUST_CHECK wgdn_status wgdn_graphml_number(double *x, const wgdn_graphml *g,
                                                const wgdn_graphml_key *k, wgdn_text value);

/* A key as its attributes have it, NULL where there is none; then what its default says. */
WGDN_MUST_CHECK wgdn_status wgdn_graphml_add_key(wgdn_graphml *g, const char *id, const char *on,
                                                 const char *name, const char *type);
WGDN_MUST_CHECK wgdn_status wgdn_graphml_default(wgdn_graphml *g, wgdn_text value);
/* All keys are there: what each of them is for. */
WGDN_MUST_CHECK wgdn_status wgdn_graphml_settle(wgdn_graphml *g);

WGDN_MUST_CHECK wgdn_status wgdn_graphml_begin_node(wgdn_graphml *g, const char *id);
WGDN_MUST_CHECK wgdn_status wgdn_graphml_end_node(wgdn_graphml *g);
WGDN_MUST_CHECK wgdn_status wgdn_graphml_begin_edge(wgdn_graphml *g, const char *source,
                                                    const char *target);
WGDN_MUST_CHECK wgdn_status wgdn_graphml_end_edge(wgdn_graphml *g);
/* The key that a value of the current node or edge is of, or NULL with the error set. */
wgdn_graphml_key *wgdn_graphml_find_key(wgdn_graphml *g, const char *id);
WGDN_MUST_CHECK wgdn_status wgdn_graphml_value(wgdn_graphml *g, const wgdn_graphml_key *k, int side,
                                               wgdn_text value);

/* Into the draft: ids, edges, features and labels in the nodes' final order. */
WGDN_MUST_CHECK wgdn_status wgdn_graphml_finish(wgdn_graphml *g);

#endif
