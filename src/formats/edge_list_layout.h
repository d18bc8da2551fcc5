/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of an edge list, and its records. */
#ifndef WGDN_FORMATS_EDGE_LIST_LAYOUT_H
#define WGDN_FORMATS_EDGE_LIST_LAYOUT_H

#include "formats.h"

/* An adjacency matrix as text, where an edge list could be: edge_list.c. */
typedef struct wgdn_adjacency {
    bool is;
    bool perhaps; /* as many rows as columns, and nothing else that speaks for it */
    bool header;  /* row 1 has names of nodes, */
    bool named;   /* and column 1 has the same */
    int64_t nodes;
} wgdn_adjacency;

/* By the rows from where l stands, behind row 1; its fields are in `name`. */
WGDN_MUST_CHECK wgdn_status wgdn_adjacency_look(wgdn_adjacency *a, wgdn_lines *l,
                                                const wgdn_text *name, int64_t columns,
                                                wgdn_error *err);

/* Words; nothing; numbers, half of them at least; seconds or milliseconds since 1970 in our time; dates. */
typedef enum wgdn_column_kind {
    WGDN_COLUMN_WORDS,
    WGDN_COLUMN_EMPTY,
    WGDN_COLUMN_NUMBERS,
    WGDN_COLUMN_TIMES,
    WGDN_COLUMN_DATES
} wgdn_column_kind;

/* A column below row 1, by the first thousand rows. Missing values do not count. */
typedef struct wgdn_column_look {
    int64_t filled, distinct;
    bool dates, times; /* all of it */
    bool amounts;      /* numbers, some of them with a fraction */
    bool integers;     /* all of it */
    bool digits;       /* most values hold one */
    bool names_itself; /* row 1 has a date in this column */
    bool signs;        /* all of it one sign such as -> */
} wgdn_column_look;

enum {
    WGDN_LOOK_COLUMNS = 12,  /* whose values are compared with each other */
    WGDN_LOOK_FEW = 10,      /* rows: with fewer, values show little */
    WGDN_END_CANDIDATES = 6, /* columns that a question names */
};

/* Ids that may have been changed by other software, for example Excel; "" if there are none. */
typedef struct wgdn_edge_spelling {
    char twice[2][48]; /* two ids that are one in another spelling, such as 7.0 and 7 */
    char rounded[48];  /* a number such as 1.23E+15 */
} wgdn_edge_spelling;
/* Compares the different ids of the sources and of the targets. */
void wgdn_edge_spelling_find(wgdn_edge_spelling *out, const wgdn_ids *const end[2]);

/* What the columns of an edge list hold; places from 0, -1 for none. */
typedef struct wgdn_edge_layout {
    int64_t columns; /* of every row; 0: there is no row */
    int64_t source, target, weight, graph, type;
    wgdn_header header; /* AUTO: only the whole list tells */
    bool inferred;      /* the whole list told that it is YES */
    bool two_kinds;     /* its headings are such as user and item */
    bool
        undecided; /* two_kinds, and the options leave it to the ids: bipartite if some are in both columns */
    bool bipartite; /* source and target are nodes of two kinds whatever their ids */
    char separator, decimal;
    wgdn_text *name; /* the fields of row 1, a copy; columns of them */
    unsigned char *text;
    wgdn_column_kind *kind; /* of what stands below row 1; columns of them */
    wgdn_column_look *look; /* likewise */
    int64_t
        *shared;   /* WGDN_LOOK_COLUMNS squared: values that two columns have in common; or NULL */
    int64_t rows;  /* that were looked at */
    bool asking;   /* refuse where it is in doubt which columns are the ends */
    bool directed; /* a column headed type says so, as Gephi writes it */
    wgdn_edge_spelling spelling;
    wgdn_adjacency matrix; /* if that is what it is, the columns hold nothing of all this */
} wgdn_edge_layout;

/* By the first rows and by what the options ask for. To be freed, also after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_layout_find(wgdn_edge_layout *y, const wgdn_input *in,
                                                  const wgdn_dataset_options *o, wgdn_error *err);
void wgdn_edge_layout_free(wgdn_edge_layout *y);
/* Which columns hold what, given y->header and what the rest of y says of the rows. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_layout_assign(wgdn_edge_layout *y, const char *file,
                                                    const wgdn_dataset_options *o, wgdn_error *err);
/* The current row is row 1 again, as in files that were put behind one another. */
bool wgdn_edge_layout_repeats(const wgdn_edge_layout *y, const wgdn_lines *l);
/* NA, NULL, NaN, None, empty and the like: no id, and no weight. */
bool wgdn_edge_missing(wgdn_text t);

/* Two columns; -1 for none. In doubt there are other candidates: somebody has to choose. */
typedef struct wgdn_edge_ends {
    int64_t source, target;
    bool doubt;
    int64_t candidate[WGDN_END_CANDIDATES];
    int candidates;
} wgdn_edge_ends;
/* By headings and values; by places and values, where row 1 is data. */
void wgdn_edge_ends_named(wgdn_edge_ends *out, const wgdn_edge_layout *y);
void wgdn_edge_ends_placed(wgdn_edge_ends *out, const wgdn_edge_layout *y);
/* Whether row 1 names the ends of edges. */
bool wgdn_edge_ends_known(const wgdn_edge_layout *y);
/* Whether the headings of two columns mean two kinds of nodes. */
bool wgdn_edge_ends_two_kinds(const wgdn_edge_layout *y, int64_t source, int64_t target);
/* Whether an id of the first rows is in both. */
bool wgdn_edge_ends_meet(const wgdn_edge_layout *y, int64_t source, int64_t target);
/* The column headed weight, or graph; -1: none. */
int64_t wgdn_edge_ends_column(const wgdn_edge_layout *y, bool weight);
/* Say what was decided. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_layout_remark(const wgdn_edge_layout *y, wgdn_draft *w,
                                                    wgdn_error *err);

/* ---- records: edge_list_records.c ---- */

/* Rows whose ids are not looked up yet: one at a time would wait for memory each time. */
enum { WGDN_EDGE_BATCH = 128 };
typedef struct wgdn_edge_batch {
    wgdn_text id[2 * WGDN_EDGE_BATCH]; /* source and target in turn */
    int64_t line[WGDN_EDGE_BATCH];
    double weight[WGDN_EDGE_BATCH];
    int32_t type[WGDN_EDGE_BATCH];    /* -1: edges have none */
    wgdn_text graph[WGDN_EDGE_BATCH]; /* where there is a column of graphs */
    int64_t rows;
    unsigned char *text; /* of ids with prefixes */
    int64_t text_used, text_room;
} wgdn_edge_batch;
/* Where batches go. */
typedef struct wgdn_edge_sink {
    wgdn_status (*add)(void *user, const wgdn_lines *l, const wgdn_edge_batch *b, wgdn_error *err);
    void *user;
} wgdn_edge_sink;
/* The lines behind the header. To be closed, also after a failure. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_lines_open(wgdn_lines *l, const wgdn_input *in,
                                                 const wgdn_edge_layout *y, wgdn_error *err);
/* Rows from the current line of l on, until that is stop or behind it. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_rows_read(wgdn_lines *l, const wgdn_edge_layout *y,
                                                wgdn_draft *w, const unsigned char *stop,
                                                const wgdn_edge_sink *to, wgdn_error *err);
/* The text of l as edges between the integers that it holds; *good = false and no edges if it has
 * other lines than two integers followed by what is ignored. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_pairs_read(wgdn_edges *e, const wgdn_lines *l,
                                                 const wgdn_edge_layout *y, int threads,
                                                 int32_t *largest, bool *good, wgdn_error *err);
/* Id k of the batch is too long, or none of the numbers below nodes. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_refuse(const wgdn_lines *l, const wgdn_edge_batch *b,
                                             int64_t k, int64_t nodes, wgdn_error *err);

#endif
