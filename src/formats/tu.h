/* SPDX-License-Identifier: Apache-2.0 */
/* Many small graphs in the TU collection's text files. */
#ifndef WGDN_FORMATS_TU_H
#define WGDN_FORMATS_TU_H

#include "formats.h"

/* The files of one set, in memory; data NULL where there is none. */
typedef struct wgdn_tu_files {
    wgdn_bytes edges;        /* NAME_A.txt: "i, j", nodes from 1 */
    wgdn_bytes indicator;    /* NAME_graph_indicator.txt: the graph of each node, from 1 */
    wgdn_bytes graph_labels; /* NAME_graph_labels.txt, optional */
    wgdn_bytes node_labels;  /* NAME_node_labels.txt, optional */
    int64_t ignored;         /* files beside them that nobody reads */
} wgdn_tu_files;

extern const wgdn_format wgdn_tu_format;

/* A set in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_tu_parse(wgdn_draft *w, const wgdn_tu_files *f, wgdn_error *err);

#endif
