/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists that do not fit in memory: the state of reading one, and its stages. */
#ifndef WGDN_FORMATS_EDGE_LIST_PACK_H
#define WGDN_FORMATS_EDGE_LIST_PACK_H

#include "edge_list_layout.h"
#include "io/sorter.h"

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

/* The state, as of now, is where to go on from. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_save(wgdn_pack *p, wgdn_error *err);
/* Reports that such a part of the whole work is done; WGDN_ESTOPPED if the caller stops it. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_report(const wgdn_pack *p, double part, wgdn_error *err);

/* Forgets what was done. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_restart(wgdn_pack *p, wgdn_pack_mode mode, wgdn_error *err);

/* Files whose names begin so are not listed any more; NULL: the runs. */
void wgdn_pack_unlist(wgdn_pack *p, const char *kind);
/* A file is finished, and listed. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_finish(wgdn_pack *p, wgdn_tape *t, const char *name,
                                             wgdn_error *err);

/* ---- the stages ---- */

/* The same for ids of any kind: they are numbered first. */
WGDN_MUST_CHECK wgdn_status wgdn_pack_read_text(wgdn_pack *p, wgdn_error *err);

/* ---- all of it ---- */

/* The text, which is unpacked into the scratch folder where it does not fit. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_source_open(wgdn_source *s, wgdn_draft *w, const char *path,
                                                  wgdn_error *err);
/*
 * Reading at once takes the text, 8 bytes for an edge, twice 4 or 8 for its entries, and for those
 * of weights 12 more each; a short line has 12 bytes.
 */
enum { WGDN_PACK_TIMES = 4 };
/* Whether a text of so many bytes is too long for that. */
static inline bool wgdn_pack_needed(const wgdn_dataset_options *o, int64_t size)
{
    return o->memory > 0 && size > o->memory / WGDN_PACK_TIMES;
}

/* The draft's graph, ids and counts. The text is mapped. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_pack(wgdn_draft *w, const wgdn_input *in,
                                           const wgdn_bytes *file, wgdn_edge_layout *y,
                                           wgdn_error *err);

#endif
