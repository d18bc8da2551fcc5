/* SPDX-License-Identifier: Apache-2.0 */
/** @file dataset.h A graph with features, labels, splits and ids. */
#ifndef WGDN_DATASET_API_H
#define WGDN_DATASET_API_H

#include <wgdn/graph.h>
#include <wgdn/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wgdn_embedding wgdn_embedding; /**< vectors and their ids; immutable, shareable */

/** What was read or given, checked and complete; immutable, safe to share (docs/reference/formats.md). */
typedef struct wgdn_dataset wgdn_dataset;

/** A format of files. Static lifetime; fields may be added at the end. */
typedef struct wgdn_format_info {
    const char *name;            /**< as options and calls take it */
    const char *const *suffixes; /**< how names of such files end; NULL behind the last */
    const char *description;     /**< a sentence without a full stop */
    int reads;                   /**< 1 if files of it can be read */
    int writes;                  /**< 1 if they can be written */
} wgdn_format_info;

/** Format i of datasets, from 0 on; NULL beyond the last. */
WGDN_API const wgdn_format_info *wgdn_dataset_get_format(int i);

/** What a node is for in a split. */
typedef enum wgdn_split {
    WGDN_SPLIT_NONE = 0,
    WGDN_SPLIT_TRAIN = 1,
    WGDN_SPLIT_VAL = 2,
    WGDN_SPLIT_TEST = 3
} wgdn_split;

/** What is done to the numbers of feature tables (docs/reference/formats.md, "Features as tables"). */
typedef enum wgdn_feature_scale {
    WGDN_FEATURE_SCALE_AUTO = 0, /**< standard where columns are of several kinds, else none */
    WGDN_FEATURE_SCALE_STANDARD =
        1,                       /**< mean 0 and deviation 1 in every column of numbers and dates */
    WGDN_FEATURE_SCALE_NONE = 2, /**< as they are */
    WGDN_FEATURE_SCALE_ROW = 3   /**< rows of length 1 */
} wgdn_feature_scale;

/** What the direction of edges is for. The graph itself is undirected either way. */
typedef enum wgdn_direction {
    WGDN_DIRECTION_IGNORE = 0,   /**< nothing */
    WGDN_DIRECTION_FORWARD = 1,  /**< a closed form also filters along the edges */
    WGDN_DIRECTION_BACKWARD = 2, /**< against them */
    WGDN_DIRECTION_BOTH = 3      /**< both, side by side */
} wgdn_direction;

/** What is made of the weights of edges. */
typedef enum wgdn_weights {
    WGDN_WEIGHTS_USE = 0,    /**< A_ij = w, summed where an edge is given again */
    WGDN_WEIGHTS_IGNORE = 1, /**< every edge counts 1 */
    WGDN_WEIGHTS_LOG = 2     /**< A_ij = log(1 + w), w summed first */
} wgdn_weights;

/** How to read a dataset. Set it up with wgdn_dataset_options_init(). */
typedef struct wgdn_dataset_options {
    size_t struct_size;   /**< set by _init */
    const char *format;   /**< name of a format; NULL or "auto": by what the path names and holds */
    int header;           /**< first row of text files: 0 = look, 1 = data, 2 = names; default 0 */
    int binarize;         /**< 0 or 1: features become x > 0, default 0 */
    int threads;          /**< 0..4096, for large edge lists; 0 = whatever OpenMP offers */
    int64_t max_nodes;    /**< refuse more, 1 .. 2^31 - 1, default 2^31 - 1 */
    int64_t max_entries;  /**< refuse more edges or feature entries, default 2^46 */
    int64_t max_bytes;    /**< refuse to unpack more from one file; default 0: half of the available
                               memory, or 2^40 with a limit in `memory` */
    const char *features; /**< path or NULL: TSV, CSV, JSON, .npy, .npz; several paths, separated by
                               commas, become columns side by side */
    const char *labels;   /**< path or NULL: id and label per line, several for a node with several
                               labels; or .npy */
    const char *splits;   /**< path or NULL: id and train, val or test, a column per split */
    const char *label_column; /**< its heading; NULL: label, class, target or y, else the last */
    /** NULL, or called periodically by the calling thread with the bytes of a text that were read;
     * the next file, or a second attempt at one, starts over; return non-zero to cancel. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
    /** NULL, or ranks that share the rows of a packed dataset between them: all of them read it
     * together, and all train and embed together. Rank 0 alone has ids, labels and splits. */
    wgdn_ranks *ranks;
    wgdn_feature_scale feature_scale; /**< of tables of features, default WGDN_FEATURE_SCALE_AUTO */
    int max_categories; /**< 1..65536, default 32: features of a column of words; more are hashed */
    const char *ignore; /**< columns of tables of features to leave out: headings, or places from 1
                             on behind the id, separated by commas; or NULL */
    /** NULL; or how features were encoded before, as the information on a model or a dataset says:
     * other rows of the same columns become the same features. "": as numbers, unchanged. */
    const char *encoding;
    wgdn_direction directed; /**< default WGDN_DIRECTION_IGNORE */
    /** Columns of an edge list, by heading or number from 1; NULL: found by themselves, type and
     * graph only by their headings. */
    const char *source, *target, *weight, *type, *graph;
    const char *id;        /**< column of ids of features and labels, likewise; NULL: found */
    const char *separator; /**< of text files: a byte, or tab, comma, semicolon, pipe, blanks */
    const char *decimal;   /**< "." or ","; NULL: a comma only where semicolons separate 1,5 */
    int bipartite; /**< 1: an id in both columns is two nodes, KIND:ID; 0: one; -1: by headings */
    wgdn_weights weights; /**< default WGDN_WEIGHTS_USE */
    int64_t memory; /**< bytes, for edge lists and the closed form; 0, the default: what there is */
    /** Folder for what exceeds it, where a killed reading resumes. NULL: a new one, edges alone. */
    const char *scratch;
    int strict; /**< 0 or 1: refuse rows that are skipped and counted otherwise; default 0 */
    /** NULL; or how the data of a model was read, as the information on the model says: columns, weights,
     * bipartite and directed are those of that data unless they are given, and an option that contradicts
     * them is WGDN_EINVAL. */
    const char *reading;
    /** NULL; or further edge lists, up to a NULL, which are one graph with that of the path if
     * separators and column names of all agree. */
    const char *const *more;
    /** 1: two columns with headings such as user and item always have two kinds of nodes, even where no
     * id is in both and `bipartite` is -1: for recommendations. Default 0. */
    int sides;
} wgdn_dataset_options;

static inline void wgdn_dataset_options_init(wgdn_dataset_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_DATASET, o, sizeof *o);
}

/**
 * Read a dataset from a file or folder and the files that the options name.
 *
 * @param out   receives the dataset, to be released with wgdn_dataset_free(); untouched on failure
 * @param path  a file or folder of one of the formats; text may be gzip, or alone in a zip
 * @param o     NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE (more than the options allow), WGDN_EIO,
 *         WGDN_EFORMAT (the message names file, line and what was expected), WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_read(wgdn_dataset **out, const char *path,
                                                       const wgdn_dataset_options *o,
                                                       wgdn_error *err);

/** A dataset in memory. After wgdn_dataset_arrays_init(), set the arrays that you have. */
typedef struct wgdn_dataset_arrays {
    size_t struct_size;            /**< set by _init */
    int64_t nodes;                 /**< 1 .. 2^31 - 1 */
    int64_t edges;                 /**< >= 0 */
    const int64_t *source;         /**< edges of them, in [0, nodes) */
    const int64_t *target;         /**< edges of them, in [0, nodes) */
    int64_t features;              /**< columns of the features, 0 for none */
    const float *dense;            /**< nodes x features; or NULL and the three below */
    const int64_t *feature_offset; /**< nodes + 1 */
    const int32_t *feature_column; /**< ascending in each row, in [0, features) */
    const float *feature_value;    /**< NULL: all 1 */
    const int32_t *label;          /**< nodes of them, -1 for none; or NULL */
    int64_t splits;                /**< rows of split */
    const int8_t *split;           /**< splits x nodes, wgdn_split each */
    const char *const *id;         /**< nodes different names; NULL: 0, 1, 2, ... */
    int64_t graphs;                /**< 0 or 1: one graph */
    const int64_t *graph_start;    /**< graphs + 1 ascending from 0 to nodes; no edge may cross */
    const int32_t *graph_label;    /**< graphs of them, -1 for none; or NULL */
    int borrow;          /**< 1: the features are not copied and must outlive the dataset */
    const float *weight; /**< edges of them, 0 (no edge) or 1e-30 .. 1e20, summed; NULL: all 1 */
    int64_t classes;     /**< names of classes; 0: they have none */
    const char *const *class_name; /**< of the labels 0, 1, ..., at least as many as there are */
    wgdn_weights weights;          /**< what is made of `weight` */
    wgdn_direction directed;       /**< what the order of source and target is for */
    int64_t types;                 /**< names in type_name */
    const int32_t *type;           /**< edges of them, in [0, types); or NULL */
    const char *const *type_name;  /**< types different names in ascending order; or NULL */
    const char *encoding;          /**< of the features, as wgdn_dataset_info has it; or NULL */
    int64_t memory;                /**< bytes that the closed form may use; 0: what there is */
    const char *scratch;         /**< folder for what exceeds it; NULL: nothing is put into files */
    const int64_t *label_offset; /**< nodes + 1; or NULL. In place of label, node i has */
    const int32_t *label_list;   /**< these, from label_offset[i] to before label_offset[i + 1] */
} wgdn_dataset_arrays;

static inline void wgdn_dataset_arrays_init(wgdn_dataset_arrays *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * A dataset of arrays in memory, which are copied unless `borrow` is set.
 *
 * @param out  receives the dataset, to be released with wgdn_dataset_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL (the message names the array and the place), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_from_arrays(wgdn_dataset **out,
                                                              const wgdn_dataset_arrays *a,
                                                              wgdn_error *err);
WGDN_API void wgdn_dataset_free(wgdn_dataset *d); /**< NULL is fine */

/** Something that reading dropped, merged, converted or decided. */
typedef struct wgdn_remark {
    const char *what; /**< a word for machines: self-loops, duplicates, header, ... */
    const char *text; /**< a sentence without a full stop; not always UTF-8 */
    int64_t count;    /**< how many; 0 where nothing is counted */
} wgdn_remark;

/** What a dataset holds, and what happened on the way in. Fields may be added at the end. */
typedef struct wgdn_dataset_info {
    size_t struct_size;         /**< set by _init */
    int64_t nodes;              /**< of all graphs */
    int64_t edges;              /**< undirected: each counts once */
    int64_t features;           /**< columns; 0: none */
    int64_t entries;            /**< features that are not 0 */
    int64_t classes;            /**< of the nodes' labels; 0: no labels */
    int64_t splits;             /**< into nodes for training, validation and test */
    int64_t has_ids;            /**< 0: ids are numbers from 0 on, in order */
    int64_t graphs;             /**< 1 unless there are several */
    int64_t graph_classes;      /**< of the graphs' labels; 0: no labels */
    int64_t edges_read;         /**< edges as given, before anything was dropped or merged */
    int64_t self_loops;         /**< dropped */
    int64_t repeats;            /**< given again, in either direction, and merged */
    int64_t zero_weights;       /**< edges of weight 0: not there */
    int64_t other_weights;      /**< edges whose weight is neither 0 nor 1: read, counted as 1 */
    int64_t without_features;   /**< nodes of the graph that the features do not name: zero rows */
    int64_t attributes_ignored; /**< in the file, but neither feature, label, id nor weight */
    /** Where nodes have several labels: node i has label_list[k], ascending, for k from
     * label_offset[i] to before label_offset[i + 1]. Borrowed; else both are NULL. */
    const int64_t *label_offset;
    const int32_t *label_list;
    int64_t remarks;           /**< of what reading did */
    const wgdn_remark *remark; /**< remarks of them, borrowed */
    const char *encoding;      /**< how tables became features, borrowed; NULL: nothing to tell */
    int64_t relations;         /**< directions and types of edges that a closed form filters by */
    int64_t weighted;          /**< 1 if edges have weights other than 1 */
    double weight_min;         /**< the least of them, and the largest; both 1 without */
    double weight_max;
    int64_t
        numeric_labels;  /**< 1 if the nodes' labels are numbers rather than names of classes: ten
                                 or more different ones with a fraction among them, or more than
                                 100 different integers with fewer than 5 nodes each on average */
    const char *reading; /**< how it was read, for wgdn_dataset_options.reading of other files;
                              borrowed; NULL if it was not read */
} wgdn_dataset_info;

static inline void wgdn_dataset_info_init(wgdn_dataset_info *o)
{
    wgdn_struct_init(o, sizeof *o);
}
WGDN_API void wgdn_dataset_describe(wgdn_dataset_info *info, const wgdn_dataset *d);

WGDN_API int64_t wgdn_dataset_nodes(const wgdn_dataset *d);
/** Borrowed. Its rows, and those of the features below, lie as wgdn_dataset_get_order() says. */
WGDN_API const wgdn_graph *wgdn_dataset_get_graph(const wgdn_dataset *d);

WGDN_API int64_t wgdn_dataset_features(const wgdn_dataset *d); /**< columns; 0: none */
/** nodes x features, borrowed; NULL when there are none or they are sparse. */
WGDN_API const float *wgdn_dataset_get_dense(const wgdn_dataset *d);
/** Compressed rows, borrowed; value NULL when all are 1. Returns 0 when they are not sparse. */
WGDN_API int wgdn_dataset_get_sparse(const int64_t **offset, const int32_t **column,
                                     const float **value, const wgdn_dataset *d);

WGDN_API int64_t wgdn_dataset_classes(const wgdn_dataset *d); /**< 0: no labels */
/** -1: none; the first of several. */
WGDN_API int32_t wgdn_dataset_label(const wgdn_dataset *d, int64_t node);
/** Bytes and their number, borrowed; not always UTF-8. NULL when classes have no names. */
WGDN_API const char *wgdn_dataset_get_class_name(size_t *size, const wgdn_dataset *d, int64_t c);
/** In [0, splits); WGDN_SPLIT_NONE beyond. */
WGDN_API wgdn_split wgdn_dataset_split(const wgdn_dataset *d, int64_t split, int64_t node);

/**
 * The id of a node into buffer, cut to size - 1 bytes and ended with NUL. Returns its whole length
 * in bytes, or -1 if there is no such node. Ids are bytes: not always UTF-8, NUL is possible.
 */
WGDN_API int64_t wgdn_dataset_id(char *buffer, size_t size, const wgdn_dataset *d, int64_t node);
/** The node of an id, or -1. */
WGDN_API int64_t wgdn_dataset_find(const wgdn_dataset *d, const char *id, size_t size);

WGDN_API int64_t wgdn_dataset_graphs(const wgdn_dataset *d); /**< 1 unless there are several */
/** First node of graph g; of graph `graphs`, the number of nodes. -1 for any other. */
WGDN_API int64_t wgdn_dataset_graph_start(const wgdn_dataset *d, int64_t g);
WGDN_API int32_t wgdn_dataset_graph_label(const wgdn_dataset *d, int64_t g); /**< -1: none */
/**
 * A dataset whose nodes are the graphs of another, with their ids and labels, without edges and
 * features: whatever takes vectors of nodes then takes vectors of graphs.
 *
 * @param out  receives the dataset, to be released with wgdn_dataset_free(); untouched on failure
 * @return WGDN_OK, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_from_graphs(wgdn_dataset **out,
                                                              const wgdn_dataset *d,
                                                              wgdn_error *err);

/**
 * Write a dataset. Safetensors keeps all of it; npz all but several graphs and several splits; an
 * edge list the graph, its weights and its ids alone, nodes without edges as a loop on themselves.
 *
 * @param format  name of a format that is written; NULL or "auto": by the suffix of path
 * @return WGDN_OK, WGDN_EINVAL (no such format, or it cannot hold this dataset), WGDN_ENOMEM,
 *         WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path,
                                                        const char *format, wgdn_error *err);

/** In which order rows of graph and features lie. */
typedef enum wgdn_order {
    WGDN_ORDER_NONE = 0,  /**< that of the nodes */
    WGDN_ORDER_METIS = 1, /**< neighbors close to each other, by METIS */
    WGDN_ORDER_SCOTCH = 2 /**< likewise, by Scotch */
} wgdn_order;

/**
 * Node reordering: lay the rows of graph and features in another order, in which training and
 * embedding are faster and which a packed dataset keeps. Nodes keep their numbers: ids, labels, splits and vectors are
 * in the nodes' order before and after. This is the one call that changes a dataset: nobody else
 * may be using it, and what was borrowed before is no longer valid. The same order every time. After
 * a failure the rows may lie in the order of the nodes.
 *
 * @return WGDN_OK, WGDN_EINVAL (several graphs), WGDN_ENOMEM, WGDN_ERANGE (more edges than the
 *         library was built for), WGDN_ENOSUPPORT (built without it), WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_reorder(wgdn_dataset *d, wgdn_order how,
                                                          wgdn_error *err);
/** The node of each row of graph and features, borrowed; NULL: the same. */
WGDN_API const int32_t *wgdn_dataset_get_order(const wgdn_dataset *d);

typedef enum wgdn_part { WGDN_PART_FEATURES, WGDN_PART_LABELS, WGDN_PART_SPLITS } wgdn_part;
/**
 * Write one part as TSV keyed by id, as the options of wgdn_dataset_read() take it.
 *
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d,
                                                             const char *path, wgdn_part part,
                                                             wgdn_error *err);

/**
 * A dataset without edges that has a node, and its id, for each vector, with the labels and splits
 * that the options name: for vectors whose graph is not at hand.
 *
 * @param out  receives the dataset, to be released with wgdn_dataset_free(); untouched on failure
 * @param o    NULL for the defaults; only limits, header, labels and splits matter
 * @return as wgdn_dataset_read()
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_from_embedding(wgdn_dataset **out,
                                                                 const wgdn_embedding *e,
                                                                 const wgdn_dataset_options *o,
                                                                 wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
