/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registry of formats. A format is one row, defined beside its reader and writer, and one line
 * in registry.c; datasets and vectors have a table each.
 */
#ifndef WGDN_FORMATS_FORMATS_H
#define WGDN_FORMATS_FORMATS_H

#include "data/draft.h"
#include "data/embedding.h"

typedef struct wgdn_format {
    wgdn_format_info info;
    const char *magic; /* first bytes that are its own, or NULL: looked at where no name decides */
    bool (*look)(wgdn_text start); /* likewise: whether its first kilobytes, unpacked, may be one */
    bool folders;                  /* a folder may be one */
    bool columns;                  /* it has columns, which the options may name */
    /* Whether a path that has its suffix, or a folder, is one; NULL: always. */
    wgdn_status (*probe)(bool *is, const char *path, wgdn_error *err);

    /* Datasets: fill ids and edges, and what else the format has; NULL: cannot. */
    wgdn_status (*load)(wgdn_draft *w, const char *path, wgdn_error *err);
    /* Instead of load, for one file of text, whatever it is packed in. */
    wgdn_status (*parse)(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);
    /* The rows of one rank; all of them together. */
    wgdn_status (*share)(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                         wgdn_error *err);
    wgdn_status (*write)(const wgdn_dataset *d, const char *path, wgdn_error *err);
    bool keeps_order; /* of the rows; else it is given them in the order of the nodes */

    /* Vectors. */
    wgdn_status (*load_vectors)(wgdn_embedding **out, const char *path, wgdn_error *err);
    wgdn_status (*write_vectors)(const wgdn_embedding *e, const char *path, wgdn_error *err);
} wgdn_format;

/* NULL behind the last. Where neither name nor first bytes decide, a file is of the first one. */
extern const wgdn_format *const wgdn_dataset_formats[], *const wgdn_embedding_formats[];

/* The one that a path is to be read with; name NULL or "auto": by what it names and holds. */
WGDN_MUST_CHECK wgdn_status wgdn_format_to_read(const wgdn_format **out,
                                                const wgdn_format *const *all, const char *name,
                                                const char *path, wgdn_error *err);
/* The one that a path is to be written with; name NULL or "auto": by its suffix. */
WGDN_MUST_CHECK wgdn_status wgdn_format_to_write(const wgdn_format **out,
                                                 const wgdn_format *const *all, const char *name,
                                                 const char *path, wgdn_error *err);

/* The files of an OGB set, or of a TU set, in memory; data NULL where there is none. */
typedef struct wgdn_ogb_files {
    const char *folder;
    wgdn_bytes edges, count, features, labels;
} wgdn_ogb_files;

typedef struct wgdn_tu_files {
    wgdn_bytes edges;        /* NAME_A.txt: "i, j", nodes from 1 */
    wgdn_bytes indicator;    /* NAME_graph_indicator.txt: the graph of each node, from 1 */
    wgdn_bytes graph_labels; /* NAME_graph_labels.txt, optional */
    wgdn_bytes node_labels;  /* NAME_node_labels.txt, optional */
    int ignored;             /* bit i: the file other[i] of tu.c exists, which nobody reads */
} wgdn_tu_files;

/* Readers of several files in memory; the splits of an OGB set are read one part at a time. */
WGDN_MUST_CHECK wgdn_status wgdn_ogb_parse(wgdn_draft *w, const wgdn_ogb_files *f, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_ogb_split(int8_t *split, int64_t nodes, int kind,
                                           const wgdn_bytes *b, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_tu_parse(wgdn_draft *w, const wgdn_tu_files *f, wgdn_error *err);

/* The rows of the registry that are defined beside them. */
extern const wgdn_format wgdn_gexf_format, wgdn_gml_format, wgdn_graphml_format, wgdn_metis_format,
    wgdn_mtx_format, wgdn_networkx_format, wgdn_node_link_format, wgdn_ogb_format, wgdn_tu_format;

#endif
