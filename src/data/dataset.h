/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that was read about a graph. */
#ifndef WGDN_DATA_DATASET_H
#define WGDN_DATA_DATASET_H

#include "graph/graph.h"
#include "ids.h"
#include "io/archive.h"
#include "io/scratch.h"
#include "ranks/ranks.h"
#include "relations.h"

#include <stdio.h>

/* What reading dropped, merged, converted or decided: nothing of it happens in silence. */
typedef struct wgdn_remarks {
    wgdn_remark *list;
    int64_t count, room;
} wgdn_remarks;

/* what: a word for machines; count: how many, 0 where nothing is counted; then a sentence. */
__attribute__((format(printf, 5, 6))) WGDN_MUST_CHECK wgdn_status wgdn_remarks_add(
    wgdn_remarks *r, const char *what, int64_t count, wgdn_error *err, const char *format, ...);

static inline void wgdn_remarks_free(wgdn_remarks *r)
{
    for (int64_t i = 0; i < r->count; i++)
        wgdn_release((void *)(uintptr_t)r->list[i].what);
    wgdn_release(r->list);
    *r = (wgdn_remarks){0};
}

/* ---- features: dense, or compressed rows: features.c ---- */

typedef struct wgdn_features {
    int64_t rows, width; /* width 0: there are none */
    float *dense;        /* rows x width, or NULL */
    wgdn_csr sparse;     /* when dense is NULL; no zeros stored */
    int64_t entries;     /* values that are not 0 */
    bool borrowed;       /* the arrays belong to somebody else */
    const void *narrow;  /* what dense was made of, if that has two bytes a number; borrowed */
    wgdn_dtype narrow_type;
} wgdn_features;

static inline void wgdn_features_free(wgdn_features *f)
{
    if (!f->borrowed) {
        wgdn_release(f->dense);
        wgdn_csr_free(&f->sparse);
    }
    *f = (wgdn_features){0};
}

/* Count what is not 0 and refuse what is not finite, naming row and column from 0. */
WGDN_MUST_CHECK wgdn_status wgdn_features_check(wgdn_features *f, const char *name,
                                                wgdn_error *err);
/* x > 0 becomes 1, all else 0. */
WGDN_MUST_CHECK wgdn_status wgdn_features_binarize(wgdn_features *f, wgdn_error *err);

/*
 * Compressed rows as they come (columns in any order, repeats to be added up, zeros) to how they
 * should be. Takes the arrays of *a, also on failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_features_from_csr(wgdn_features *f, wgdn_csr *a, const char *name,
                                                   wgdn_error *err);
/* Dense instead, if that takes less memory and time: a quarter of the entries or more. */
WGDN_MUST_CHECK wgdn_status wgdn_features_settle(wgdn_features *f, wgdn_error *err);

/* A matrix in an archive, of any number type; one that is float already is borrowed, not copied. */
WGDN_MUST_CHECK wgdn_status wgdn_features_from_tensor(wgdn_features *f, const wgdn_tensor *t,
                                                      wgdn_archive *in, const char *name,
                                                      wgdn_error *err);
/* A 1 in the given column of each row, below width. */
WGDN_MUST_CHECK wgdn_status wgdn_features_one_hot(wgdn_features *f, int64_t rows, int64_t width,
                                                  const int64_t *column, wgdn_error *err);
/* Row r is row[r] of f, or r where row is NULL, in arrays of its own. */
WGDN_MUST_CHECK wgdn_status wgdn_features_arrange(wgdn_features *out, const wgdn_features *f,
                                                  const int32_t *row, wgdn_error *err);

/* What happened on the way in. */
typedef struct wgdn_dataset_counts {
    int64_t edges_read, self_loops, repeats, zero_weights, other_weights, without_features;
    int64_t attributes_ignored;
} wgdn_dataset_counts;

/*
 * How an edge list was read, so that a model can repeat it with other rows: columns by heading, or
 * by number from 1 where they have none; NULL: there is no such column. All NULL for other formats.
 */
typedef struct wgdn_edge_choice {
    char *source, *target, *weight, *type, *graph;
    bool bipartite;       /* ids are KIND:ID */
    wgdn_weights weights; /* what was made of the weights */
    char *id;             /* column of ids of the features, where it was given; or NULL */
    wgdn_direction directed;
    bool read; /* from a file, not made of arrays */
} wgdn_edge_choice;

struct wgdn_dataset {
    uint64_t
        serial; /* differs from that of all others, and from its own before a change; 0: none */
    int64_t nodes;
    wgdn_graph *graph;
    wgdn_relations relations; /* or none */
    wgdn_features features;
    int32_t *order;    /* the node of each row of graph, relations and features; NULL: the same */
    char ignored[128]; /* names of attributes that are not used, as far as there is room */
    bool degrees;      /* the features are one-hot degrees, clipped at the last column */
    bool summed;       /* weights of edges that were given again were added up */
    int32_t *label; /* nodes of them, -1 for none; the first one of those with several; or NULL */
    wgdn_csr lists; /* nodes x classes: all labels, where some nodes have several; or not there */
    int64_t classes;
    wgdn_names class_names; /* classes of them, or none */
    int8_t *split;          /* splits x nodes; or NULL */
    int64_t splits;
    bool named; /* ids has a name for every node; else node i has the number first_id + i */
    wgdn_ids ids;
    int64_t first_id;
    bool of_graphs;       /* nodes stand for the graphs of another dataset */
    int64_t graphs;       /* at least 1 */
    int64_t *graph_start; /* graphs + 1; NULL when there is one graph only */
    bool graphs_named;    /* graph_ids has a name for each; else graph g is first_graph + g */
    wgdn_ids graph_ids;
    int64_t first_graph;
    int32_t *graph_label; /* or NULL */
    int64_t graph_classes;
    wgdn_names graph_class_names;
    wgdn_dataset_counts counts;
    float *edge_value;      /* of the graph, where its other arrays are borrowed; or NULL */
    double weight_range[2]; /* of the edges that are here; both 1 without weights */
    wgdn_remarks remarks;
    wgdn_edge_choice choice;
    char *encoding;                        /* how tables became features, as text; or NULL */
    char *reading;                         /* how it was read, as text; or NULL */
    wgdn_archive archive, feature_archive; /* what arrays were borrowed from */
    /* Where ranks share it; dist.start is NULL where they do not. nodes and entries are of all. */
    wgdn_dist dist;
    wgdn_halo *halo;
    int64_t all_edges;
    wgdn_scratch *scratch;   /* whose files the arrays are; goes with the dataset; or NULL */
    int64_t *feature_offset; /* of the features, whose other arrays are borrowed */
    int64_t memory;          /* bytes that may be used for what is made of it; 0: what there is */
    char *folder;            /* for what does not fit; NULL: nothing is put into files */
};

void wgdn_dataset_number(wgdn_dataset *d); /* a new serial */
/* Undirected: each counts once. */
static inline int64_t wgdn_dataset_edges(const wgdn_dataset *d)
{
    return d->dist.start ? d->all_edges : wgdn_graph_edges(d->graph);
}
/* False: ids are numbers from 0 on. */
static inline bool wgdn_dataset_has_ids(const wgdn_dataset *d)
{
    return d->named || d->first_id != 0;
}
/* Of the features: entries / all, or 0. */
static inline double wgdn_dataset_density(const wgdn_dataset *d)
{
    const double all = (double)d->nodes * (double)d->features.width;
    return all > 0 ? (double)d->features.entries / all : 0;
}
/* Who shares the rows; NULL for a dataset that nobody does. */
static inline wgdn_ranks *wgdn_dataset_ranks(const wgdn_dataset *d)
{
    return d->dist.ranks;
}
/* Whether edges have weights other than 1. */
static inline bool wgdn_dataset_weighted(const wgdn_dataset *d)
{
    return d->graph && d->graph->adjacency.value;
}
/* WGDN_EIO where a file that arrays are borrowed from was written to since it was read. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_dataset_unchanged(const wgdn_dataset *d,
                                                                 wgdn_error *err)
{
    char name[200];
    if (!wgdn_archive_changed(&d->archive, name, sizeof name) &&
        !wgdn_archive_changed(&d->feature_archive, name, sizeof name))
        return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EIO, name, "was changed while it was in use; start again");
}

/* Rows that are here. */
static inline wgdn_span wgdn_dataset_rows(const wgdn_dataset *d)
{
    return d->dist.start ? wgdn_dist_span(&d->dist) : wgdn_alone(d->nodes);
}

/* Classes of all nodes and their names, both the dataset's from now on. */
static inline void wgdn_labels_take(wgdn_dataset *d, int32_t *label, const wgdn_names *names)
{
    wgdn_release(d->label);
    wgdn_csr_free(&d->lists);
    wgdn_names_free(&d->class_names);
    d->label = label;
    d->classes = names->count;
    d->class_names = *names;
}

/* Labels as pairs of node and class below d->classes, in any order; repeats do not count. */
typedef struct wgdn_label_pairs {
    int64_t count, room[2];
    int64_t *node;
    int32_t *label;
} wgdn_label_pairs;
WGDN_MUST_CHECK wgdn_status wgdn_lists_gather(wgdn_dataset *d, const wgdn_label_pairs *p,
                                              wgdn_error *err);
/* Labels that are classes already; a copy. All in -1 .. 2^31 - 2. */
WGDN_MUST_CHECK wgdn_status wgdn_labels_set(wgdn_dataset *d, const int32_t *label, const char *name,
                                            wgdn_error *err);
/* Whether labels are numbers rather than classes; the rule is in wgdn_dataset_info. */
bool wgdn_labels_numeric(const wgdn_dataset *d);
/* The number that a label's text is; false if it is none, or not finite. */
static inline bool wgdn_label_number(double *out, const wgdn_dataset *d, int64_t class)
{
    return class < d->class_names.count &&
           wgdn_text_number(wgdn_names_get(&d->class_names, class), out) && isfinite(*out);
}

void wgdn_dataset_weigh(wgdn_dataset *d); /* weight_range of the graph */
/* A remark for each count that is not 0. */
/* Adds a name to those that the remark on ignored attributes lists. */
static inline void wgdn_dataset_ignore(wgdn_dataset *d, wgdn_text name)
{
    const size_t used = strlen(d->ignored), room = sizeof d->ignored - used;
    const wgdn_shown shown = wgdn_show(name);
    const char *between = used ? ", " : "";
    if (used >= 3 && strcmp(d->ignored + used - 3, "...") == 0) return; /* the list is full */
    const bool fits = strlen(shown.text) + sizeof ", , ..." <= room;
    snprintf(d->ignored + used, room, "%s%s", between, fits ? shown.text : "...");
}

/* What no reader may break: checked before a dataset leaves this stage. */
WGDN_MUST_CHECK wgdn_status wgdn_dataset_check(const wgdn_dataset *d, const char *name,
                                               wgdn_error *err);
/* Rows whose columns ascend within range; the entries of what, for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_rows_check(const wgdn_csr *a, int64_t entries, const char *what,
                                            const char *name, wgdn_error *err);
/* A number for the edge between two nodes, with its weight unless NULL: any bit of these changes half of its. */
uint64_t wgdn_edge_number(int64_t low, int64_t high, const float *value);

/* Every entry has its mirror image, none is on the diagonal. */
WGDN_MUST_CHECK wgdn_status wgdn_symmetry_check(const wgdn_csr *a, const char *name,
                                                wgdn_error *err);
/* Graphs follow one another, none is empty, no edge crosses. */
WGDN_MUST_CHECK wgdn_status wgdn_graphs_check(const wgdn_dataset *d, const char *name,
                                              wgdn_error *err);
/*
 * The dataset with rows of graph and features in the order of its nodes: itself, or a view of it
 * whose graph and features are new; to be closed, also after a failure.
 */
typedef struct wgdn_plain {
    const wgdn_dataset *d;
    wgdn_dataset view;
} wgdn_plain;
WGDN_MUST_CHECK wgdn_status wgdn_plain_open(wgdn_plain *p, const wgdn_dataset *d, wgdn_error *err);

static inline void wgdn_plain_close(wgdn_plain *p)
{
    if (p->d == &p->view) {
        wgdn_graph_free(p->view.graph);
        wgdn_relations_free(&p->view.relations);
        wgdn_features_free(&p->view.features);
    }
    *p = (wgdn_plain){0};
}

/* The node of an id, or -1. */
static inline int64_t wgdn_dataset_seek(const wgdn_dataset *d, wgdn_text id)
{
    int64_t value;
    if (d->named) return wgdn_ids_find(&d->ids, id);
    if (!wgdn_text_index(id, &value)) return -1;
    value -= d->first_id;
    return value >= 0 && value < d->nodes ? value : -1;
}

static inline wgdn_text wgdn_dataset_name(const wgdn_dataset *d, int64_t node,
                                          char buffer[WGDN_INDEX_TEXT])
{
    if (d->named) return wgdn_ids_text(&d->ids, node, buffer);
    return wgdn_text_of(buffer, wgdn_print_index(buffer, d->first_id + node));
}

/* ---- features as products take them: features.c ---- */

/* X as it is, as a dense copy where it is sparse but full, or changed on the way. */
typedef struct wgdn_matrix {
    const float *dense;     /* rows x width, or NULL */
    const wgdn_csr *sparse; /* or NULL; it is csr */
    wgdn_csr csr;           /* borrowed, but for columns */
    int32_t *columns;       /* of csr, where one-hot degrees are clipped at another width */
    float *owned;           /* what dense points to, if it was made */
} wgdn_matrix;

/*
 * X with `width` columns: those the dataset has, or fewer or more where they are one-hot degrees.
 * binarize: x > 0. The caller frees it, also after a failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_matrix_open(wgdn_matrix *x, const wgdn_dataset *d, int64_t width,
                                             bool binarize, wgdn_error *err);

static inline void wgdn_matrix_free(wgdn_matrix *x)
{
    wgdn_release(x->owned);
    wgdn_release(x->columns);
    x->owned = NULL;
    x->columns = NULL;
}

/* The dataset's compressed rows, borrowed; false where it has none. */
static inline bool wgdn_matrix_lend(wgdn_csr *csr, const wgdn_dataset *d)
{
    const wgdn_features *f = &d->features;
    if (f->dense || f->width == 0) return false;
    *csr = f->sparse;
    csr->rows = wgdn_dataset_rows(d).count;
    csr->cols = f->width;
    return true;
}

/* Whether X is multiplied as compressed rows. */
bool wgdn_matrix_is_sparse(const wgdn_dataset *d);

/*
 * A hash of each row's id: what a node's random numbers are addressed by, so that they do not
 * depend on where its row lies, and what a model knows it by. To be released. Ranks call together:
 * rank 0 alone has ids.
 */
WGDN_MUST_CHECK wgdn_status wgdn_dataset_keys(uint64_t **out, const wgdn_dataset *d,
                                              wgdn_error *err);

/* The row of a random number for a key; rows are below 2^48. */
static inline int64_t wgdn_key_row(uint64_t key)
{
    return (int64_t)(key >> 16);
}

#endif
