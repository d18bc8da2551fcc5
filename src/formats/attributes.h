/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a file of nodes and edges with attributes and the draft: keys, then nodes and edges as
 * they come. GraphML, GEXF, GML and JSON share it.
 */
#ifndef WGDN_FORMATS_ATTRIBUTES_H
#define WGDN_FORMATS_ATTRIBUTES_H

#include "data/draft.h"

enum { WGDN_ATTRIBUTE_NODE, WGDN_ATTRIBUTE_EDGE, WGDN_ATTRIBUTE_SIDES };

/* What the values of a key become. */
typedef enum wgdn_attribute_use {
    WGDN_ATTRIBUTE_IGNORED,
    WGDN_ATTRIBUTE_FEATURE,
    WGDN_ATTRIBUTE_LABEL,
    WGDN_ATTRIBUTE_NAME,
    WGDN_ATTRIBUTE_WEIGHT,
} wgdn_attribute_use;

/* Each holds what stands before it, so that the type of several values is the largest one. */
typedef enum wgdn_attribute_type {
    WGDN_ATTRIBUTE_BOOLEAN,
    WGDN_ATTRIBUTE_INTEGER,
    WGDN_ATTRIBUTE_FLOAT,
    WGDN_ATTRIBUTE_STRING,
    WGDN_ATTRIBUTE_NESTED, /* lists and the like, which nobody reads */
} wgdn_attribute_type;

typedef struct wgdn_attribute_key {
    wgdn_attribute_type type;
    bool on[WGDN_ATTRIBUTE_SIDES];                 /* where it may stand */
    wgdn_attribute_use use[WGDN_ATTRIBUTE_SIDES];  /* known once all keys are */
    bool labels, names, captions, weights, values; /* its name is such a word */
    bool asked;                                    /* the option label_column names it */
    int32_t column;                                /* of a feature */
    bool defaulted;                                /* it has a default: */
    double number;                                 /* of numbers, */
    int32_t text;                                  /* of labels, among texts */
    int64_t last;                                  /* the element that had it last */
    bool hidden;                                   /* not counted where it is not used */
    char title[40];                                /* its name, for remarks */
} wgdn_attribute_key;

typedef struct wgdn_attribute_cell {
    int32_t column;
    float value;
} wgdn_attribute_cell;

typedef struct wgdn_attributes {
    wgdn_draft *w;
    const char *name; /* of the file */
    wgdn_error *err;
    int64_t line; /* for messages; the caller keeps it */
    wgdn_ids key_ids;
    wgdn_attribute_key *key;
    int64_t key_room;
    int64_t label_key, weight_key; /* -1: there is none */
    int64_t columns, ignored;
    int64_t defaults;         /* features that have one */
    int64_t filled, fill_max; /* values that defaults gave, and how many they may */
    int64_t missing;          /* values that neither a node nor a default gives */
    const char *unit;         /* what `line` counts, where it is not lines */
    bool by_value;            /* edges without a weight may have a "value" instead: GML, D3 */
    bool numbered; /* ids are numbers for the file's own use; names are better, if they differ */
    bool directed; /* the current edge */
    bool all_directed;
    int64_t directions; /* edges that have one */
    bool captioned;     /* labels that all differ became the ids */
    bool labels_unused, names_unused;
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
    wgdn_attribute_cell *cell; /* features of the current node */
    int64_t cells, cell_room;
    int32_t at[2]; /* the current node, or the ends of the current edge */
    double weight;
} wgdn_attributes;

void wgdn_attributes_open(wgdn_attributes *g, wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

static inline void wgdn_attributes_close(wgdn_attributes *g)
{
    wgdn_release(g->cell);
    wgdn_table_free(&g->table);
    wgdn_ids_close(&g->texts);
    wgdn_ids_close(&g->names);
    wgdn_ids_close(&g->classes);
    wgdn_release(g->given);
    wgdn_release(g->label);
    wgdn_release(g->seen);
    wgdn_release(g->key);
    wgdn_ids_close(&g->key_ids);
}

/* WGDN_EFORMAT as "name:line: ..." */
__attribute__((format(printf, 2, 3))) wgdn_status wgdn_attributes_refuse(const wgdn_attributes *g,
                                                                         const char *format, ...);

/* Text that ends with NUL; NULL has no bytes. */
static inline wgdn_text wgdn_attributes_text(const char *text)
{
    return wgdn_text_of(text ? text : "", text ? strlen(text) : 0);
}

/* A key as its attributes have it, NULL where there is none; then what its default says. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_add_key(wgdn_attributes *g, const char *id,
                                                    const char *on, const char *name,
                                                    const char *type);
WGDN_MUST_CHECK wgdn_status wgdn_attributes_default(wgdn_attributes *g, wgdn_text value);
wgdn_attribute_type wgdn_attributes_type(const char *word); /* text where it is unknown */
/* A key of nodes or of edges: both may have one of that id. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_declare(wgdn_attributes *g, int side, wgdn_text id,
                                                    wgdn_text name, wgdn_attribute_type type);
/* Files that declare nothing are read twice: first their values are noted by name and type. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_note(wgdn_attributes *g, int side, wgdn_text name,
                                                 wgdn_attribute_type type);
/* All keys are there: what each of them is for. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_settle(wgdn_attributes *g);

/* An element is noted: values that follow are of another one. */
static inline void wgdn_attributes_next(wgdn_attributes *g)
{
    g->element++;
}

/* An id that is not there has no bytes. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_begin_node(wgdn_attributes *g, wgdn_text id);
WGDN_MUST_CHECK wgdn_status wgdn_attributes_end_node(wgdn_attributes *g);
WGDN_MUST_CHECK wgdn_status wgdn_attributes_begin_edge(wgdn_attributes *g, wgdn_text source,
                                                       wgdn_text target);

WGDN_MUST_CHECK static inline wgdn_status wgdn_attributes_end_edge(wgdn_attributes *g)
{
    g->directions += g->directed;
    return wgdn_edges_add(&g->w->edges, g->at[0], g->at[1], g->weight, g->name, g->err);
}

/* The key that a value of the current node or edge is of, or NULL with the error set. */
wgdn_attribute_key *wgdn_attributes_find_key(wgdn_attributes *g, const char *id);
wgdn_attribute_key *wgdn_attributes_find_declared(wgdn_attributes *g, int side, wgdn_text id);
WGDN_MUST_CHECK wgdn_status wgdn_attributes_value(wgdn_attributes *g, const wgdn_attribute_key *k,
                                                  int side, wgdn_text value);
/* The current edge's, where no key gives it. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_weigh(wgdn_attributes *g, wgdn_text value);

/* Into the draft: ids, edges, features and labels in the nodes' final order. */
WGDN_MUST_CHECK wgdn_status wgdn_attributes_finish(wgdn_attributes *g);

#endif
