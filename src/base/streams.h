/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who draws random numbers: wgdn_stream.call of every place that does, so that no two of them meet.
 * The epoch of a stream is the parameter block, the epoch, the step, the repetition or the run, as
 * told here; 0 where there is one draw for a seed.
 */
#ifndef WGDN_BASE_STREAMS_H
#define WGDN_BASE_STREAMS_H

enum {
    WGDN_CALL_INIT = 1,       /* initial weights; epoch: the parameter block */
    WGDN_CALL_WALK,           /* structural features */
    WGDN_CALL_ORDER,          /* order of the graphs in an epoch */
    WGDN_CALL_HELD,           /* features that are held out of training */
    WGDN_CALL_DROP = 8,       /* nodes and edges that a step drops */
    WGDN_CALL_NOISE = 16,     /* noise of a step, plus the decoder layer */
    WGDN_CALL_PROBE = 40,     /* initial weights of a probe; epoch: the run */
    WGDN_CALL_FOLDS,          /* splits; epoch: the repetition */
    WGDN_CALL_KMEANS,         /* initial centers; epoch: the restart */
    WGDN_CALL_LINKS,          /* test edges and non-edges */
    WGDN_CALL_PCA,            /* initial subspace */
    WGDN_CALL_PROJECTION,     /* 2-D projection */
    WGDN_CALL_SPLITS,         /* random splits; epoch: the split */
    WGDN_CALL_SHOTS,          /* training nodes of few-shot; epoch: the split */
    WGDN_CALL_SKETCH = 60,    /* initial subspace of a fit */
    WGDN_CALL_SCALE,          /* random columns of the features, to choose a scale by */
    WGDN_CALL_SIGNS,          /* signs that estimate a diagonal */
    WGDN_CALL_COSINES,        /* weights of graphs' cosines; epoch: 16 x the block + the hop */
    WGDN_CALL_PHASES,         /* and what is added to their angles; epoch: the block */
    WGDN_CALL_RELATED,        /* what walks along directions and types start from */
    WGDN_CALL_VIEWS,          /* edges that a view of the graph leaves out; epoch: the view */
    WGDN_CALL_REFINE,         /* weights of a refinement at 0, then which views an epoch compares */
    WGDN_CALL_ITEMS,          /* initial subspace of a recommender */
    WGDN_CALL_DENSITY = 1488, /* probes of a spectral density */
};

#endif
