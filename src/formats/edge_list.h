/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists as text: source, target and perhaps a weight on every line; written as TSV. */
#ifndef WGDN_FORMATS_EDGE_LIST_H
#define WGDN_FORMATS_EDGE_LIST_H

#include "formats.h"
#include "io/sorter.h"

/* ---- the layout, and its records ---- */

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

static inline void wgdn_edge_layout_free(wgdn_edge_layout *y)
{
    wgdn_release(y->shared);
    wgdn_release(y->look);
    wgdn_release(y->kind);
    wgdn_release(y->text);
    wgdn_release(y->name);
    *y = (wgdn_edge_layout){0};
}

/* Which columns hold what, given y->header and what the rest of y says of the rows. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_layout_assign(wgdn_edge_layout *y, const char *file,
                                                    const wgdn_dataset_options *o, wgdn_error *err);
/* The current row is row 1 again, as in files that were put behind one another. */
bool wgdn_edge_layout_repeats(const wgdn_edge_layout *y, const wgdn_lines *l);
/* NA, NULL, NaN, None, empty and the like: no id, and no weight. */
static inline bool wgdn_edge_missing(wgdn_text t)
{
    static const char *const all[] = {"NA",  "N/A", "n/a",  "#N/A", "NULL", "null",
                                      "NaN", "nan", "None", "<NA>", "\\N",  "NaT"};
    if (t.size == 0) return true;
    if (t.size > 4) return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == t.size && memcmp(all[i], t.at, t.size) == 0) return true;
    return false;
}

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
static inline bool wgdn_edge_ends_meet(const wgdn_edge_layout *y, int64_t source, int64_t target)
{
    return y->shared && source < WGDN_LOOK_COLUMNS && target < WGDN_LOOK_COLUMNS &&
           y->shared[source * WGDN_LOOK_COLUMNS + target] > 0;
}

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
WGDN_MUST_CHECK static inline wgdn_status wgdn_edge_lines_open(wgdn_lines *l, const wgdn_input *in,
                                                               const wgdn_edge_layout *y,
                                                               wgdn_error *err)
{
    bool more;
    wgdn_lines_open(l, in);
    return y->header == WGDN_HEADER_YES ? wgdn_lines_next(l, &more, err) : WGDN_OK;
}

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

/* ---- reading ---- */

extern const wgdn_format wgdn_edges_format;

/* Ids are numbered by value if all are integers, else by first appearance. Settles y->header. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_list_read(wgdn_draft *w, const wgdn_input *in,
                                                wgdn_edge_layout *y, wgdn_error *err);
/* There are more than max nodes. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_edge_nodes_refuse(const char *name, int64_t max,
                                                                 wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ERANGE, name,
                        "more than %lld different nodes, the maximum allowed", (long long)max);
}

/* Calls visit for every edge in the order of the rows. */
typedef wgdn_status wgdn_edge_visit(void *user, int32_t u, int32_t v, float weight,
                                    wgdn_error *err);
typedef wgdn_status wgdn_edge_walk(void *edges, wgdn_edge_visit *visit, void *user,
                                   wgdn_error *err);
/*
 * Words over words: row 1 is a header if it is the one row, among ten at least, whose two ids are
 * nowhere else. Where other rows are like it, edges apart from all others are common here.
 */
static inline bool wgdn_edge_header_possible(int64_t edges, int64_t zero_weights)
{
    enum { ENOUGH = 10 };
    return edges >= ENOUGH && zero_weights == 0;
}
WGDN_MUST_CHECK wgdn_status wgdn_edge_header_find(bool *is, wgdn_edge_walk *walk, void *edges,
                                                  int64_t nodes, wgdn_error *err);

/* ---- lists that do not fit in memory: the state of reading one, and its stages ---- */

/* What ids are: integers below the reach of the bits; all numbers below a count; any text. */
typedef enum wgdn_pack_mode { WGDN_PACK_INTEGERS, WGDN_PACK_FIXED, WGDN_PACK_TEXT } wgdn_pack_mode;
/* What is finished; between the first two, ids of texts are in buckets, and have numbers. */
typedef enum wgdn_pack_stage {
    WGDN_PACK_READING,
    WGDN_PACK_SPLIT,
    WGDN_PACK_NUMBERED,
    WGDN_PACK_SORTED,
    WGDN_PACK_ROWS
} wgdn_pack_stage;

/* What a manifest keeps. */
typedef struct wgdn_pack_state {
    int64_t stage, mode;
    int64_t at, line;            /* of the text: what is read */
    int64_t edges, loops, zeros; /* in it */
    int64_t other_weights, weighted;
    int64_t header, inferred;           /* of the layout */
    int64_t rows, numeric, has_weights; /* of texts: rows, what all ids are, a file of weights */
    int64_t nodes, entries, named, summed, valued;
    int64_t both;  /* 1: a node is a source and a target, as all rows show */
    int64_t kinds; /* 1: so they are read as nodes of two kinds */
    wgdn_dropped_rows dropped;
    float range[2]; /* of the weights */
} wgdn_pack_state;

typedef struct wgdn_pack {
    wgdn_draft *w;
    const wgdn_input *in;
    wgdn_input quiet;       /* the same, whose lines report no progress */
    const wgdn_bytes *file; /* the text, to give its pages back */
    wgdn_edge_layout *y;
    int64_t memory; /* bytes allowed */
    wgdn_scratch *scratch;
    wgdn_manifest manifest;
    wgdn_pack_state state; /* as it is now */
    wgdn_pack_state saved; /* at the last place from where a run may go on */
    wgdn_bits bits;
    wgdn_sorter sorter;
    int32_t *alone; /* ends of edges of weight 0: nodes nevertheless */
    int64_t alones, alone_room;
    bool torn;    /* a run ended within a slab */
    bool leave;   /* an id is no small integer */
    bool resumed; /* from files of an earlier run, which are checked before they are used */
    bool broken;  /* a record of such a file names a node that cannot be there */
    bool kinds;   /* ids are in both columns of two kinds: read as two nodes */
} wgdn_pack;

/* ---- entries ---- */

/* Of an edge that was given as row - column, or the other way round. */
static inline uint64_t wgdn_pack_key(int64_t row, int64_t column, int backward)
{
    return (uint64_t)row << 32 | (uint64_t)column << 1 | (unsigned)backward;
}

/* The entries of an edge; room for two must be there. A loop says that there is the node. */
static inline void wgdn_pack_edge(wgdn_sorter *s, int64_t u, int64_t v, float weight)
{
    wgdn_sorter_add(s, wgdn_pack_key(u, v, 0), weight);
    if (u != v) wgdn_sorter_add(s, wgdn_pack_key(v, u, 1), weight);
}

/* Saves the state, from which a later run resumes. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_pack_save(wgdn_pack *p, wgdn_error *err)
{
    _Static_assert(sizeof p->state <= sizeof p->manifest.state, "a manifest keeps the state");
    p->saved = p->state;
    memcpy(p->manifest.state, &p->state, sizeof p->state);
    return wgdn_manifest_save(&p->manifest, p->scratch, err);
}

/* Reports that such a part of the whole work is done; WGDN_ESTOPPED if the caller stops it. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_pack_report(const wgdn_pack *p, double part,
                                                           wgdn_error *err)
{
    const wgdn_watch *watch = &p->in->watch;
    const int64_t all = (int64_t)p->in->size;
    if (!watch->tell || watch->tell(watch->user, (int64_t)(part * (double)all), all) == 0)
        return WGDN_OK;
    return wgdn_fail_in(err, WGDN_ESTOPPED, p->in->name, "stopped on request");
}

/* Forgets what was done. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_restart(wgdn_pack *p, wgdn_pack_mode mode, wgdn_error *err);

/* Files whose names begin so are not listed any more; NULL: the runs. */
static inline void wgdn_pack_unlist(wgdn_pack *p, const char *kind)
{
    wgdn_manifest *const m = &p->manifest;
    int64_t kept = 0;
    for (int64_t i = 0; i < m->pieces; i++) {
        const char *name = m->piece[i].name;
        if (kind ? strncmp(name, kind, strlen(kind)) != 0 : name[0] != '\0')
            m->piece[kept++] = m->piece[i];
    }
    m->pieces = kept;
}

/* A file is finished, and listed. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_finish(wgdn_pack *p, wgdn_tape *t, const char *name,
                                             wgdn_error *err);
/* ---- the stages ---- */

/* The same for ids of any kind: they are numbered first. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_read_text(wgdn_pack *p, wgdn_error *err);

/* ---- all of it ---- */

/*
 * Reading at once takes the text, 8 bytes for an edge, twice 4 or 8 for its entries, and for those
 * of weights 12 more each; a short line has 12 bytes.
 */
enum { WGDN_PACK_TIMES = 4 };
/* Whether a text of this many bytes is too long for that. */
static inline bool wgdn_pack_needed(const wgdn_dataset_options *o, int64_t size)
{
    return o->memory > 0 && size > o->memory / WGDN_PACK_TIMES;
}

/* The draft's graph, ids and counts. The text is mapped. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_pack(wgdn_draft *w, const wgdn_input *in,
                                           const wgdn_bytes *file, wgdn_edge_layout *y,
                                           wgdn_error *err);

#endif
