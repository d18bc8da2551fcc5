/* SPDX-License-Identifier: Apache-2.0 */
/* What the words of a heading mean, in seven languages: ends of an edge, kinds of nodes, dates, amounts. */
#ifndef WGDN_FORMATS_EDGE_LIST_ENDS_H
#define WGDN_FORMATS_EDGE_LIST_ENDS_H

#include "io/text.h"

/* Of two kinds of nodes in one row, people and goods are the edge; a place or a company comes next. */
typedef enum wgdn_kind_group { WGDN_PEOPLE = 1, WGDN_GOODS, WGDN_PLACES } wgdn_kind_group;

/* How well a column stands for a node: the number of a customer is better than its name. */
enum { WGDN_NAMED_BY_NAME = 1, WGDN_NAMED_BY_OTHER, WGDN_NAMED_BY_ID, WGDN_NAMED_PLAINLY };

typedef struct wgdn_heading {
    bool source, target, either; /* an end: which one, or the one that the other column is not */
    bool when, measure;          /* a date, a number: no end */
    bool record;            /* names the row, such as a transaction; an end only beside a kind */
    bool attribute;         /* a category of the row; likewise */
    bool weight, graph, id; /* the whole heading */
    int kind;               /* of nodes; 0: none that is known */
    wgdn_kind_group group;
    int named;     /* one of the above */
    bool numbered; /* holds a word such as id or iban */
    char index;    /* 1, 2, a, b, ... at its end; 0: none */
    char word[32]; /* the word that makes it an end, or a kind */
    char rest[64]; /* the heading without that word and without the index */
    char whole[64];
} wgdn_heading;

#endif
