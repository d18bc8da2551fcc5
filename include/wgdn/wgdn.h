/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file wgdn.h
 * The whole public interface of libwgdn: embeddings of graph nodes by Wiener graph deconvolution.
 *
 * Conventions. The result comes first, the error slot last; a call that can fail returns a
 * wgdn_status and leaves its result untouched on failure. Matrices are row-major, float, without
 * padding. Handles are opaque, immutable once built unless said otherwise, and may be shared
 * between threads. The library keeps no state between calls and starts no threads of its own
 * beyond OpenMP's; the number of threads never changes a result.
 */
#ifndef WGDN_H
#define WGDN_H

#include <stddef.h>
#include <stdint.h>

#define WGDN_VERSION_MAJOR 0
#define WGDN_VERSION_MINOR 1
#define WGDN_VERSION_PATCH 0

#if defined(_WIN32)
#define WGDN_API
#elif defined(__GNUC__)
#define WGDN_API __attribute__((visibility("default")))
#else
#define WGDN_API
#endif

#if defined(__GNUC__)
#define WGDN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define WGDN_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Zero is success; failures are negative and never renumbered. */
typedef enum wgdn_status {
    WGDN_OK = 0,
    WGDN_EINVAL = -1,     /**< an argument is out of its range */
    WGDN_ENOMEM = -2,     /**< memory could not be had */
    WGDN_ERANGE = -3,     /**< a size is beyond what this build can address */
    WGDN_EENGINE = -4,    /**< the dense engine refused a product */
    WGDN_EIO = -5,        /**< a file could not be opened, read or written */
    WGDN_EFORMAT = -6,    /**< a file does not hold what it should */
    WGDN_ENOSUPPORT = -7, /**< this build of the library does not have the feature */
    WGDN_ESTOPPED = -8,   /**< stopped because a callback asked for it */
    WGDN_ENUMBER = -9,    /**< a number that should be finite is not */
} wgdn_status;

/** Why a call failed. The caller owns it; pass NULL to do without. */
typedef struct wgdn_error {
    wgdn_status code;
    char message[256];
} wgdn_error;

/** "0.1.0": the version of the library in use, which may differ from the header's. */
WGDN_API const char *wgdn_version(void);

/** A few words for a status; never NULL, also for unknown numbers. */
WGDN_API const char *wgdn_status_text(wgdn_status status);

/** How a call may use the machine. Set it up with wgdn_compute_options_init(). */
typedef struct wgdn_compute_options {
    size_t struct_size; /**< set by _init; lets an old program meet a new library */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_compute_options;

WGDN_API void wgdn_compute_options_init_sized(wgdn_compute_options *o, size_t size);
#define wgdn_compute_options_init(o) wgdn_compute_options_init_sized((o), sizeof *(o))

/** What an option is. Lent, for ever. */
typedef struct wgdn_option_info {
    const char *name;         /**< with '-': as on a command line */
    const char *type;         /**< "integer", "number", "choice", "boolean" or "text" */
    const char *choices;      /**< "max, sum or mean"; "" unless it is a choice */
    const char *default_text; /**< the default as text */
    const char *range;        /**< "0 .. 4096", or "" */
    const char *help;         /**< one sentence */
} wgdn_option_info;

/* ---- ranks: processes that share one graph ---- */

typedef struct wgdn_ranks wgdn_ranks; /**< those that were started together; one per process */

/**
 * Join the ranks that were started together, by mpirun or what does its work; a process that was
 * started by itself, and every process of a library that was built without MPI, is alone. To be
 * called once, and closed after everything that was read with it is freed. A rank that fails, or
 * does not answer, ends them all.
 *
 * @param out  receives the ranks, to be released with wgdn_ranks_close(); untouched on failure
 * @return WGDN_OK, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_ranks_open(wgdn_ranks **out, wgdn_error *err);
WGDN_API void wgdn_ranks_close(wgdn_ranks *r);     /**< NULL is fine */
WGDN_API int wgdn_ranks_rank(const wgdn_ranks *r); /**< of this process: 0 .. count - 1 */
/**
 * How long to wait for data of others, 600 s at first; 0: for ever. Who waits in vain ends all
 * ranks with a message on standard error that names those that do not answer.
 */
WGDN_API void wgdn_ranks_set_timeout(wgdn_ranks *r, double seconds);
/** The largest of the numbers that the ranks give, all together. */
WGDN_API int wgdn_ranks_allreduce_max(wgdn_ranks *r, int number);
/** A number of each rank: on rank 0, all[r] becomes that of rank r. All together. */
WGDN_API void wgdn_ranks_gather(wgdn_ranks *r, int64_t number, int64_t *all);
WGDN_API int wgdn_ranks_count(const wgdn_ranks *r); /**< 1: alone */

typedef struct wgdn_graph wgdn_graph; /**< graph and its Laplacian; immutable, safe to share */

/**
 * Build a graph from an undirected edge list. Self-loops and repeats are dropped; an edge may be
 * given in either direction or in both; nodes without edges stay. Arrays are copied.
 *
 * @param out  receives the graph, to be released with wgdn_graph_free(); untouched on failure
 * @param n    number of nodes, 1 .. 2^31 - 1
 * @param m    number of edges, >= 0; src and dst hold m endpoints each, all in [0, n)
 * @return WGDN_OK, WGDN_EINVAL (a count or an endpoint is out of range), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_from_edges(wgdn_graph **out, int64_t n, int64_t m,
                                                           const int64_t *src, const int64_t *dst,
                                                           wgdn_error *err);
WGDN_API void wgdn_graph_free(wgdn_graph *g); /**< NULL is fine */

WGDN_API int64_t wgdn_graph_nodes(const wgdn_graph *g);
/** Undirected edges kept: each counts once. */
WGDN_API int64_t wgdn_graph_edges(const wgdn_graph *g);
/** Number of neighbours of a node in [0, nodes); -1 for any other. */
WGDN_API int64_t wgdn_graph_degree(const wgdn_graph *g, int64_t node);

/**
 * Filter a matrix on the graph: Y = sum_k c[k] L^k X with L = I - D^-1/2 A D^-1/2.
 * A node without edges has L_ii = 1.
 *
 * @param y      nodes x width, apart from x
 * @param x      nodes x width
 * @param width  columns of x and y, at least 1
 * @param c      order + 1 coefficients, constant term first
 * @param order  0..64
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_filter(float *y, const wgdn_graph *g,
                                                       const float *x, int64_t width,
                                                       const double *c, int order,
                                                       const wgdn_compute_options *o,
                                                       wgdn_error *err);

/* ---- datasets: graph, features, labels, splits, ids ---- */

/** What was read or given, checked and complete; immutable, safe to share. docs/formats.md. */
typedef struct wgdn_dataset wgdn_dataset;

typedef enum wgdn_format {
    WGDN_FORMAT_AUTO = 0,        /**< by what the path names and holds */
    WGDN_FORMAT_EDGES = 1,       /**< edge list as text: TSV, CSV, blanks; written as TSV */
    WGDN_FORMAT_NPZ = 2,         /**< named arrays in a zip, in one of three layouts */
    WGDN_FORMAT_MTX = 3,         /**< Matrix Market, read only */
    WGDN_FORMAT_TU = 4,          /**< many graphs as text, folder or zip, read only */
    WGDN_FORMAT_OGB = 5,         /**< folder of csv.gz files, read only */
    WGDN_FORMAT_SAFETENSORS = 6, /**< the packed dataset, which keeps everything */
    WGDN_FORMAT_NPY = 7,         /**< one array; embeddings only */
    WGDN_FORMAT_TSV = 8,         /**< id and values per line; embeddings only */
    WGDN_FORMAT_WORD2VEC = 9,    /**< word2vec's text form; embeddings only */
    WGDN_FORMAT_CSV = 10,        /**< as TSV, with commas; embeddings only */
} wgdn_format;

typedef enum wgdn_split {
    WGDN_SPLIT_NONE = 0,
    WGDN_SPLIT_TRAIN = 1,
    WGDN_SPLIT_VAL = 2,
    WGDN_SPLIT_TEST = 3,
} wgdn_split;

/** How to read a dataset. Set it up with wgdn_dataset_options_init(). */
typedef struct wgdn_dataset_options {
    size_t struct_size;   /**< set by _init */
    int format;           /**< a wgdn_format, default WGDN_FORMAT_AUTO */
    int header;           /**< first row of text files: 0 = look, 1 = data, 2 = names; default 0 */
    int binarise;         /**< 0 or 1: features become x > 0, default 0 */
    int threads;          /**< 0..4096, for large edge lists; 0 = whatever OpenMP offers */
    int64_t max_nodes;    /**< refuse more, 1 .. 2^31 - 1, default 2^31 - 1 */
    int64_t max_entries;  /**< refuse more edges or feature entries, default 2^46 */
    int64_t max_bytes;    /**< refuse to unpack more from one file, default 2^40 */
    const char *features; /**< path or NULL: TSV, CSV, JSON, .npy, .npz */
    const char *labels;   /**< path or NULL: id and label per line, or .npy */
    const char *splits;   /**< path or NULL: id and train, val or test, a column per split */
    const char *label_column; /**< its heading; NULL: label, class, target or y, else the last */
    /** NULL, or told now and then, by the calling thread, how many bytes of a text are read; the
     * next file, or a second attempt at one, starts over; what is not 0 stops the reading. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
    /** NULL, or ranks that share the rows of a packed dataset between them: all of them read it
     * together, and all train and embed together. Rank 0 alone has ids, labels and splits. */
    wgdn_ranks *ranks;
} wgdn_dataset_options;

WGDN_API void wgdn_dataset_options_init_sized(wgdn_dataset_options *o, size_t size);
#define wgdn_dataset_options_init(o) wgdn_dataset_options_init_sized((o), sizeof *(o))

/**
 * Read a dataset from a file or folder and the files that the options name.
 *
 * @param out   receives the dataset, to be released with wgdn_dataset_free(); untouched on failure
 * @param path  edge list, .npz, .mtx, TU folder or zip, OGB folder, or .safetensors; .gz is fine
 * @param o     NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE (more than the options allow), WGDN_EIO,
 *         WGDN_EFORMAT (the message names file, line and what was expected), WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_read(wgdn_dataset **out, const char *path,
                                                       const wgdn_dataset_options *o,
                                                       wgdn_error *err);

/** A dataset in memory. Zero it, set struct_size and what there is; the rest stays 0 or NULL. */
typedef struct wgdn_dataset_arrays {
    size_t struct_size;            /**< sizeof(wgdn_dataset_arrays) */
    int64_t nodes;                 /**< 1 .. 2^31 - 1 */
    int64_t edges;                 /**< >= 0 */
    const int64_t *source;         /**< edges of them, in [0, nodes) */
    const int64_t *target;         /**< edges of them, in [0, nodes) */
    int64_t width;                 /**< columns of the features, 0 for none */
    const float *dense;            /**< nodes x width; or NULL and the three below */
    const int64_t *feature_offset; /**< nodes + 1 */
    const int32_t *feature_column; /**< ascending in each row, in [0, width) */
    const float *feature_value;    /**< NULL: all 1 */
    const int32_t *label;          /**< nodes of them, -1 for none; or NULL */
    int64_t splits;                /**< rows of split */
    const int8_t *split;           /**< splits x nodes, wgdn_split each */
    const char *const *id;         /**< nodes different names; NULL: 0, 1, 2, ... */
    int64_t graphs;                /**< 0 or 1: one graph */
    const int64_t *graph_start;    /**< graphs + 1 ascending from 0 to nodes; no edge may cross */
    const int32_t *graph_label;    /**< graphs of them, -1 for none; or NULL */
    int borrow; /**< 1: the features are not copied and must outlive the dataset */
} wgdn_dataset_arrays;

/** @return WGDN_OK, WGDN_EINVAL (the message names the array and the place), WGDN_ENOMEM */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_from_arrays(wgdn_dataset **out,
                                                              const wgdn_dataset_arrays *a,
                                                              wgdn_error *err);
WGDN_API void wgdn_dataset_free(wgdn_dataset *d); /**< NULL is fine */

/** What happened on the way in. Fields may be added at the end. */
typedef struct wgdn_dataset_counts {
    size_t struct_size;       /**< sizeof(wgdn_dataset_counts), set by the caller */
    int64_t edges_read;       /**< edges as given, before anything was dropped or merged */
    int64_t self_loops;       /**< dropped */
    int64_t repeats;          /**< given again, in either direction, and merged */
    int64_t zero_weights;     /**< edges of weight 0: not there */
    int64_t other_weights;    /**< edges whose weight is neither 0 nor 1: read, counted as 1 */
    int64_t without_features; /**< nodes of the graph that the features do not name: zero rows */
} wgdn_dataset_counts;
WGDN_API void wgdn_dataset_get_counts(const wgdn_dataset *d, wgdn_dataset_counts *counts);

WGDN_API int64_t wgdn_dataset_nodes(const wgdn_dataset *d);
WGDN_API int64_t wgdn_dataset_edges(const wgdn_dataset *d); /**< undirected: each counts once */
/** Lent. Its rows, and those of the features below, lie as wgdn_dataset_get_order() says. */
WGDN_API const wgdn_graph *wgdn_dataset_get_graph(const wgdn_dataset *d);

WGDN_API int64_t wgdn_dataset_width(const wgdn_dataset *d);   /**< of the features; 0: none */
WGDN_API int64_t wgdn_dataset_entries(const wgdn_dataset *d); /**< features that are not 0 */
WGDN_API double wgdn_dataset_density(const wgdn_dataset *d); /**< entries / (nodes x width), or 0 */
/** nodes x width, lent; NULL when there are none or they are sparse. */
WGDN_API const float *wgdn_dataset_get_dense(const wgdn_dataset *d);
/** Compressed rows, lent; value NULL when all are 1. Returns 0 when they are not sparse. */
WGDN_API int wgdn_dataset_get_sparse(const wgdn_dataset *d, const int64_t **offset,
                                     const int32_t **column, const float **value);

WGDN_API int64_t wgdn_dataset_classes(const wgdn_dataset *d);             /**< 0: no labels */
WGDN_API int32_t wgdn_dataset_label(const wgdn_dataset *d, int64_t node); /**< -1: none */
/** Bytes and their number, lent; not always UTF-8. NULL when classes have no names. */
WGDN_API const char *wgdn_dataset_get_class_name(const wgdn_dataset *d, int64_t c, size_t *size);
WGDN_API int64_t wgdn_dataset_splits(const wgdn_dataset *d);
WGDN_API wgdn_split wgdn_dataset_split(const wgdn_dataset *d, int64_t split, int64_t node);

WGDN_API int wgdn_dataset_has_ids(const wgdn_dataset *d); /**< 0: ids are numbers in order */
/**
 * The id of a node into buffer, cut to size - 1 bytes and ended with NUL. Returns its whole length
 * in bytes, or -1 if there is no such node. Ids are bytes: not always UTF-8, NUL is possible.
 */
WGDN_API int64_t wgdn_dataset_id(const wgdn_dataset *d, int64_t node, char *buffer, size_t size);
/** The node of an id, or -1. */
WGDN_API int64_t wgdn_dataset_find(const wgdn_dataset *d, const char *id, size_t size);

WGDN_API int64_t wgdn_dataset_graphs(const wgdn_dataset *d); /**< 1 unless there are several */
/** First node of graph g; of graph `graphs`, the number of nodes. -1 for any other. */
WGDN_API int64_t wgdn_dataset_graph_start(const wgdn_dataset *d, int64_t g);
WGDN_API int64_t wgdn_dataset_graph_classes(const wgdn_dataset *d);
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
 * edge list the graph and its ids alone, nodes without edges as a loop on themselves.
 *
 * @param format  WGDN_FORMAT_SAFETENSORS, WGDN_FORMAT_NPZ or WGDN_FORMAT_EDGES
 * @return WGDN_OK, WGDN_EINVAL (the format cannot hold this dataset), WGDN_ENOMEM, WGDN_EIO
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path,
                                                        wgdn_format format, wgdn_error *err);

/** In which order rows of graph and features lie. */
typedef enum wgdn_order {
    WGDN_ORDER_NONE = 0,  /**< that of the nodes */
    WGDN_ORDER_METIS = 1, /**< neighbours near each other, by METIS */
    WGDN_ORDER_SCOTCH = 2 /**< likewise, by Scotch */
} wgdn_order;

/**
 * Lay the rows of graph and features in another order, in which training and embedding are faster
 * and which a packed dataset keeps. Nodes keep their numbers: ids, labels, splits and vectors are
 * in the nodes' order before and after. This is the one call that changes a dataset: nobody else
 * may be using it, and what was lent before is no longer valid. The same order every time. After
 * a failure the rows may lie in the order of the nodes.
 *
 * @return WGDN_OK, WGDN_EINVAL (several graphs), WGDN_ENOMEM, WGDN_ERANGE (more edges than the
 *         library was built for), WGDN_ENOSUPPORT (built without it), WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_reorder(wgdn_dataset *d, wgdn_order how,
                                                          wgdn_error *err);
/** The node of each row of the graph and features that the calls above lend; NULL: the same. */
WGDN_API const int32_t *wgdn_dataset_get_order(const wgdn_dataset *d);

typedef enum wgdn_part { WGDN_PART_FEATURES, WGDN_PART_LABELS, WGDN_PART_SPLITS } wgdn_part;
/** One part as TSV keyed by id, as the options of wgdn_dataset_read() take it. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d,
                                                             const char *path, wgdn_part part,
                                                             wgdn_error *err);

/**
 * Write one vector per node beside the node's id.
 *
 * @param values  nodes x width
 * @param format  NPY (no ids), NPZ, SAFETENSORS, TSV or WORD2VEC
 * @return WGDN_OK, WGDN_EINVAL (an id that the format cannot hold), WGDN_ENOMEM, WGDN_EIO
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_write(const wgdn_dataset *d, const char *path,
                                                          wgdn_format format, const float *values,
                                                          int64_t width, wgdn_error *err);

typedef struct wgdn_embedding wgdn_embedding; /**< vectors and their ids; immutable, shareable */

/**
 * Read vectors: .npy, .npz and .safetensors (the matrix `embedding`, or the only one there is;
 * with ids where the file has them), or text with an id and its numbers per line, also word2vec's.
 *
 * @param out  receives the vectors, to be released with wgdn_embedding_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_read(wgdn_embedding **out, const char *path,
                                                         wgdn_error *err);
WGDN_API void wgdn_embedding_free(wgdn_embedding *e); /**< NULL is fine */
WGDN_API int64_t wgdn_embedding_rows(const wgdn_embedding *e);
WGDN_API int64_t wgdn_embedding_dim(const wgdn_embedding *e);
WGDN_API const float *wgdn_embedding_get_values(const wgdn_embedding *e); /**< rows x width, lent */
/** As wgdn_dataset_id() and wgdn_dataset_find(); rows without names have their numbers. */
WGDN_API int64_t wgdn_embedding_id(const wgdn_embedding *e, int64_t row, char *buffer, size_t size);
WGDN_API int64_t wgdn_embedding_find(const wgdn_embedding *e, const char *id, size_t size);
/**
 * The vectors in the order of a dataset's nodes, by id; vectors without ids are taken in order.
 *
 * @param out  nodes x width
 * @return WGDN_OK, WGDN_EFORMAT (a node has no vector, or there are not as many)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_match(float *out, const wgdn_embedding *e,
                                                          const wgdn_dataset *d, wgdn_error *err);

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

/* ---- the machine: what the library found, and what it was built with ---- */

/** Set struct_size and call wgdn_machine_get(). Fields may be added at the end. */
typedef struct wgdn_machine {
    size_t struct_size;       /**< sizeof(wgdn_machine), set by the caller */
    const char *cpu_best;     /**< the richest level there is: base, v3 (AVX2) or v4 (AVX-512) */
    const char *cpu_used;     /**< the one in use; WGDN_CPU in the environment may ask for less */
    const char *engine;       /**< what makes dense products: onednn or cblas */
    const char *huge_pages;   /**< transparent ones: always, madvise, never or unknown */
    int cores;                /**< that are online */
    int threads;              /**< that a call takes unless its options say otherwise */
    int64_t memory_total;     /**< bytes, after the limits of container and process; -1: unknown */
    int64_t memory_available; /**< bytes that can be had without swapping; -1: unknown */
    const char *bf16; /**< what makes products in bf16: amx, avx512, or rounded (not faster) */
} wgdn_machine;
WGDN_API void wgdn_machine_get(wgdn_machine *machine);

/** Something that a build may have or lack. */
typedef struct wgdn_feature {
    const char *name;
    int present;
    const char *purpose; /**< what it is good for */
    const char *package; /**< what brings it, by its name in Debian */
} wgdn_feature;
WGDN_API const wgdn_feature *wgdn_feature_get(int i); /**< i = 0, 1, ...; NULL after the last */

/* ---- Kernels: a function g(lambda) on the spectrum [0, 2] of L ---- */

typedef struct wgdn_kernel wgdn_kernel; /**< immutable, safe to share */

/** A kernel of one's own: the value at lambda, finite and the same whenever it is asked. */
typedef double (*wgdn_kernel_function)(double lambda, void *user);

/**
 * Read a kernel from its text form. Numbers have a decimal point in every locale.
 *
 *     gcn                     1 - lambda
 *     heat, heat:t=2          exp(-t lambda), t in (0, 100], default 1
 *     ppr, ppr:alpha=0.1      alpha / (1 - (1 - alpha)(1 - lambda)), alpha in (0, 1], default 0.2
 *     band, band:mu=0.5       exp(-(lambda - mu)^2 / (2 width^2)), mu in [0, 2], default 1, width
 *     band:mu=0.5,width=0.2   in (0, 2], default 0.5; in either order
 *     poly:1,-0.5,0.1         1 - 0.5 lambda + 0.1 lambda^2; 1 .. 65 coefficients
 *     table:0=1,1=0.4,2=0.1   straight lines between points of ascending lambda in [0, 2], constant
 *                             beyond the first and the last; 1 .. 4096 points
 *
 * @param out  receives the kernel, to be released with wgdn_kernel_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL (the message says what was expected), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_parse(wgdn_kernel **out, const char *text,
                                                       wgdn_error *err);
/**
 * Make a kernel of a function. user is handed to it and must outlive the kernel; the function may
 * be called from any thread that uses the kernel.
 *
 * @return WGDN_OK, WGDN_EINVAL (no function), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_from_function(wgdn_kernel **out,
                                                               wgdn_kernel_function function,
                                                               void *user, wgdn_error *err);
WGDN_API void wgdn_kernel_free(wgdn_kernel *k); /**< NULL is fine */

WGDN_API double wgdn_kernel_value(const wgdn_kernel *k, double lambda);
/** The text that parses to the same kernel, with all its numbers; "function" for a function. Lent.
 */
WGDN_API const char *wgdn_kernel_text(const wgdn_kernel *k);

/** How a polynomial is fitted to a response. */
typedef enum wgdn_fit_mode {
    WGDN_FIT_ONE_STEP = 0, /**< one solve on Chebyshev nodes, as published */
    WGDN_FIT_REMEZ = 1     /**< the exchange carried to its end: the smallest maximum error */
} wgdn_fit_mode;

/**
 * Coefficients of the polynomial in lambda that stands for a kernel, as wgdn_graph_filter() takes
 * them. Powers of lambda lose about log10(sum_k |c_k| 2^k) digits when they are evaluated: use
 * wgdn_kernel_apply(), which does not, where the order is high.
 *
 * @param c      receives order + 1 coefficients, constant term first
 * @param order  0..30
 * @return WGDN_OK, WGDN_EINVAL (also: the kernel is not finite somewhere), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_coefficients(double *c, const wgdn_kernel *k,
                                                              int order, wgdn_fit_mode fit,
                                                              wgdn_error *err);

/** How a kernel is applied. Set it up with wgdn_apply_options_init(). */
typedef struct wgdn_apply_options {
    size_t struct_size; /**< set by _init */
    int order;          /**< of the polynomial, 0..64, default 24 */
    wgdn_fit_mode fit;  /**< default WGDN_FIT_ONE_STEP */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_apply_options;

WGDN_API void wgdn_apply_options_init_sized(wgdn_apply_options *o, size_t size);
#define wgdn_apply_options_init(o) wgdn_apply_options_init_sized((o), sizeof *(o))

/**
 * Apply a kernel to a matrix: Y = p(L) X, where the polynomial p is fitted to g on [0, 2].
 *
 * @param y      nodes x width, apart from x
 * @param x      nodes x width
 * @param width  columns of x and y, at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_kernel_apply(float *y, const wgdn_graph *g,
                                                       const wgdn_kernel *k, const float *x,
                                                       int64_t width, const wgdn_apply_options *o,
                                                       wgdn_error *err);

/* ---- Restoration: undo a kernel in the presence of noise ---- */

/** Which average of the neighbours the noise is measured against. */
typedef enum wgdn_average {
    WGDN_AVERAGE_ROW = 0,   /**< D^-1 A, the mean */
    WGDN_AVERAGE_COLUMN = 1 /**< A D^-1, as in two published results */
} wgdn_average;

/** What a Wiener filter is made of: its penalty at an energy factor gamma is noise / (gamma
 * signal).
 */
typedef struct wgdn_estimate {
    double signal; /**< per node: variance and mean square, over all columns */
    double noise;  /**< per node: mean square distance to the neighbours' average */
} wgdn_estimate;

/**
 * Signal and noise of a matrix on a graph, as the decoder estimates them. Both are sums over the
 * columns, so a wide matrix may be given in parts.
 *
 * @param x      nodes x width
 * @param width  at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_estimate(wgdn_estimate *out, const wgdn_graph *g,
                                                         const float *x, int64_t width,
                                                         wgdn_average average,
                                                         const wgdn_compute_options *o,
                                                         wgdn_error *err);

/** How the filter is regularised. */
typedef enum wgdn_restore_mode {
    WGDN_RESTORE_AVERAGE = 0,  /**< Wiener filter, one energy for all frequencies, as published */
    WGDN_RESTORE_RESOLVED = 1, /**< Wiener filter, energy at each frequency from the matrix */
    WGDN_RESTORE_INVERSE = 2   /**< 1/g: not at all */
} wgdn_restore_mode;

/** Where the variance of the noise comes from. */
typedef enum wgdn_noise {
    WGDN_NOISE_NEIGHBOURS = 0, /**< mean square distance to the neighbours' average, as published */
    WGDN_NOISE_GIVEN = 1,      /**< sigma */
    WGDN_NOISE_FLOOR = 2       /**< energy per eigenvalue where that is least */
} wgdn_noise;

/** How a matrix is restored. Set it up with wgdn_restore_options_init(). */
typedef struct wgdn_restore_options {
    size_t struct_size;     /**< set by _init */
    wgdn_restore_mode mode; /**< default WGDN_RESTORE_AVERAGE */
    wgdn_noise noise;       /**< default WGDN_NOISE_NEIGHBOURS */
    double sigma;           /**< standard deviation of the noise if given, 0..1e30, default 0 */
    double gamma;           /**< factor of the average energy, 1e-9..1e9, default 1 */
    wgdn_average average;   /**< default WGDN_AVERAGE_ROW */
    int order;              /**< of the polynomial, 0..64, default 24 */
    wgdn_fit_mode fit;      /**< default WGDN_FIT_ONE_STEP */
    int moments;            /**< of energy and spectral density, 8..4096, default 64 */
    int probes;             /**< random vectors for the spectral density, 1..1024, default 128 */
    uint64_t seed;          /**< of these, default 1 */
    int threads;            /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_restore_options;

WGDN_API void wgdn_restore_options_init_sized(wgdn_restore_options *o, size_t size);
#define wgdn_restore_options_init(o) wgdn_restore_options_init_sized((o), sizeof *(o))
/** As their namesakes of training. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_restore_options_set(wgdn_restore_options *o,
                                                              const char *name, const char *value,
                                                              wgdn_error *err);
WGDN_API int wgdn_restore_option_count(void);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_restore_option_info(wgdn_option_info *info, char *text,
                                                              size_t size, int i, wgdn_error *err);

/**
 * Estimate X from Y = g(L) X + noise by a graph Wiener filter. Nothing is trained; all columns
 * share one filter.
 *
 * @param x      receives the estimate, nodes x width, apart from y
 * @param k      the kernel that blurred; `poly:1` if none did
 * @param y      nodes x width, finite
 * @param width  columns of x and y, at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (also: y is zero, so there is nothing to restore), WGDN_ENOMEM,
 *         WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_restore(float *x, const wgdn_graph *g,
                                                  const wgdn_kernel *k, const float *y,
                                                  int64_t width, const wgdn_restore_options *o,
                                                  wgdn_error *err);

/* ---- Spectra: densities for any size, exact to 5000 nodes ---- */

/** How densities are estimated. Set it up with wgdn_density_options_init(). */
typedef struct wgdn_density_options {
    size_t struct_size; /**< set by _init */
    int moments;        /**< 8..4096, default 64; features closer than about 6 / moments merge */
    int probes;         /**< random vectors, 1..1024, default 128; for the spectral density only */
    uint64_t seed;      /**< of these, default 1 */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_density_options;

WGDN_API void wgdn_density_options_init_sized(wgdn_density_options *o, size_t size);
#define wgdn_density_options_init(o) wgdn_density_options_init_sized((o), sizeof *(o))

/**
 * Density of the eigenvalues of L, or of the energy of a matrix along them, smoothed.
 *
 * @param density  receives one value per point; over [0, 2] they integrate to 1 without x, and to
 *                 the sum of all x_ij^2 with it
 * @param lambda   points strictly between 0 and 2
 * @param points   how many, at least 1
 * @param x        nodes x width, or NULL for the density of the eigenvalues (width is ignored)
 * @param o        NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_density(double *density, const wgdn_graph *g,
                                                        const double *lambda, int64_t points,
                                                        const float *x, int64_t width,
                                                        const wgdn_density_options *o,
                                                        wgdn_error *err);

typedef struct wgdn_spectrum wgdn_spectrum; /**< all eigenpairs of L; immutable, safe to share */

/**
 * Find all eigenvalues and eigenvectors of L, in time n^3 and 24 n^2 bytes, of which 8 n^2 are
 * kept.
 *
 * @param out  receives the spectrum, to be released with wgdn_spectrum_free(); untouched on failure
 * @param g    1 .. 5000 nodes
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ERANGE (too many nodes), WGDN_ENOMEM, WGDN_EENGINE, and
 *         WGDN_ENOSUPPORT when the library was built without LAPACK
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_from_graph(wgdn_spectrum **out,
                                                              const wgdn_graph *g, wgdn_error *err);
WGDN_API void wgdn_spectrum_free(wgdn_spectrum *s); /**< NULL is fine */
/** The eigenvalues, ascending, one per node. Lent. */
WGDN_API const double *wgdn_spectrum_get_values(const wgdn_spectrum *s);

/**
 * Energy of a matrix at each eigenvalue: energy[i] = sum_j (u_i . x_j)^2, columns x_j.
 *
 * @param energy  nodes
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_energy(double *energy, const wgdn_spectrum *s,
                                                          const float *x, int64_t width,
                                                          const wgdn_compute_options *o,
                                                          wgdn_error *err);
/**
 * Apply any response exactly: Y = U diag(response) U^T X.
 *
 * @param y         nodes x width, apart from x
 * @param response  nodes: the factor at each eigenvalue
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_spectrum_apply(float *y, const wgdn_spectrum *s,
                                                         const double *response, const float *x,
                                                         int64_t width,
                                                         const wgdn_compute_options *o,
                                                         wgdn_error *err);

/* ---- Training ---- */

/** How the channels of a decoder layer become one. */
typedef enum wgdn_aggregate {
    WGDN_AGGREGATE_MAX = 0,
    WGDN_AGGREGATE_SUM = 1,
    WGDN_AGGREGATE_MEAN = 2
} wgdn_aggregate;

/** How encoder outputs join the decoder. */
typedef enum wgdn_skip {
    WGDN_SKIP_NONE = 0,
    WGDN_SKIP_SUM = 1, /**< as in the published results */
    WGDN_SKIP_MEAN = 2 /**< as in the paper's text */
} wgdn_skip;

typedef enum wgdn_norm { WGDN_NORM_NONE = 0, WGDN_NORM_LAYER = 1, WGDN_NORM_BATCH = 2 } wgdn_norm;

/** The decoder's response: g / (g^2 + penalty), or 1/g for comparison. */
typedef enum wgdn_decoder { WGDN_DECODER_WIENER = 0, WGDN_DECODER_INVERSE = 1 } wgdn_decoder;

typedef enum wgdn_loss {
    WGDN_LOSS_RMSE = 0,     /**< root of the summed squares per node */
    WGDN_LOSS_ROW_RMSE = 1, /**< mean over nodes of the root per node */
    WGDN_LOSS_MSE = 2,      /**< mean over all entries */
    WGDN_LOSS_COSINE = 3    /**< mean over nodes of 1 - cosine with the features */
} wgdn_loss;

typedef enum wgdn_balance { WGDN_BALANCE_BALANCED = 0, WGDN_BALANCE_PLAIN = 1 } wgdn_balance;

/** Memory against time; the result is the same. */
typedef enum wgdn_workspace_use {
    WGDN_WORKSPACE_AUTO = 0,     /**< tight where that costs next to nothing */
    WGDN_WORKSPACE_STORE = 1,    /**< what the way back needs is kept */
    WGDN_WORKSPACE_RECOMPUTE = 2 /**< decoder layers share their buffers and are filtered again */
} wgdn_workspace_use;

/** What stands in for features where a dataset has none. */
typedef enum wgdn_structural_features {
    WGDN_FEATURES_RANDOM_WALK = 0, /**< random vectors averaged along walks of 1 to 3 steps */
    WGDN_FEATURES_DEGREE = 1       /**< one column per power of two of the degree */
} wgdn_structural_features;

/** What is learnt and embedded: nodes of one graph, or whole graphs of a set of them. */
typedef enum wgdn_task {
    WGDN_TASK_AUTO = 0, /**< graphs where the dataset has several, else nodes */
    WGDN_TASK_NODE = 1, /**< every step sees all nodes */
    WGDN_TASK_GRAPH = 2 /**< every step sees a batch of graphs */
} wgdn_task;

/** How the vectors of a graph's nodes become the graph's. */
typedef enum wgdn_pool { WGDN_POOL_MEAN = 0, WGDN_POOL_SUM = 1, WGDN_POOL_MAX = 2 } wgdn_pool;

/** What is done to encoder outputs on their way to the decoder, in training. */
typedef enum wgdn_augment {
    WGDN_AUGMENT_NOISE = 0, /**< normal noise is added */
    WGDN_AUGMENT_NONE = 1,
    WGDN_AUGMENT_DROP_EDGE = 2, /**< nothing, but the decoder's graph lacks some edges */
    WGDN_AUGMENT_DROP_NODE = 3  /**< the vectors of some nodes become 0 */
} wgdn_augment;

/** In what products of matrices are made in training; vectors are always made in fp32. */
typedef enum wgdn_precision {
    WGDN_PRECISION_FP32 = 0,
    WGDN_PRECISION_BF16 =
        1 /**< factors rounded to 8 bits, sums in fp32; weights are kept in fp32 */
} wgdn_precision;

/** A model and how it is trained. Set it up with wgdn_train_options_init(). */
typedef struct wgdn_train_options {
    size_t struct_size;       /**< set by _init */
    uint64_t seed;            /**< default 1; fixes every random choice */
    char kernel[128];         /**< text form of wgdn_kernel_parse(), default "heat" */
    char gamma[128];          /**< energy factors, a decoder channel each, default "1" */
    int dim;                  /**< of the embedding, 1..65536, default 512 */
    int layers;               /**< of the encoder, 1..8, default 2 */
    int decoder_layers;       /**< 0 = as the encoder, or 1; default 0 */
    int encoder_order;        /**< 0..30, 0 = 2 or the kernel's own; default 0 */
    int decoder_order;        /**< 0..30, 0 = 2, for gcn 9; default 0 */
    wgdn_aggregate aggregate; /**< default WGDN_AGGREGATE_MAX */
    wgdn_skip skip;           /**< default WGDN_SKIP_NONE */
    wgdn_norm norm;           /**< default WGDN_NORM_NONE */
    int embedding_activation; /**< 0 or 1, default 0 */
    wgdn_average average;     /**< default WGDN_AVERAGE_ROW */
    wgdn_decoder decoder;     /**< default WGDN_DECODER_WIENER */
    wgdn_loss loss;           /**< default WGDN_LOSS_RMSE */
    wgdn_balance balance;     /**< default WGDN_BALANCE_BALANCED */
    wgdn_augment augment;     /**< default WGDN_AUGMENT_NOISE */
    double beta;              /**< latent noise scale, 0..1e6, default 1 */
    int epochs;               /**< 0..1e9, default 200 */
    double learning_rate;     /**< learning rate, default 0.001 */
    double decay;             /**< 0..1, default 0.98: the rate's factor ... */
    int decay_every;          /**< ... every so many epochs, default 100 */
    int threads;              /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    wgdn_structural_features
        features;       /**< of a dataset without any, default WGDN_FEATURES_RANDOM_WALK */
    int structural_dim; /**< columns of random-walk features, 1..65536, default 128 */
    int binarise;       /**< 0 or 1: features become x > 0, default 0 */
    wgdn_workspace_use workspace; /**< default WGDN_WORKSPACE_AUTO */
    double drop_rate; /**< share of the edges or nodes dropped in a step, 0..1, default 0.2 */
    wgdn_task task;   /**< default WGDN_TASK_AUTO */
    int batch_size; /**< graphs in a step where graphs are the task, 0..1e9, 0 = all; default 32 */
    wgdn_pool pool; /**< what embedding graphs takes unless told, default WGDN_POOL_MEAN */
    wgdn_precision precision; /**< default WGDN_PRECISION_FP32 */
} wgdn_train_options;

WGDN_API void wgdn_train_options_init_sized(wgdn_train_options *o, size_t size);
#define wgdn_train_options_init(o) wgdn_train_options_init_sized((o), sizeof *(o))

/**
 * Set one option by its name, "beta" or "embedding-activation" ('-' and '_' are the same), from
 * text, as a command line or a configuration file has it.
 *
 * @return WGDN_OK, WGDN_EINVAL (no such option, or not such a value: the message says what may be)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_options_set(wgdn_train_options *o, const char *name,
                                                            const char *value, wgdn_error *err);

/**
 * The value of an option as the text that sets it; numbers with all their digits.
 *
 * @param value  receives it, cut to size - 1 bytes; 128 are always enough
 * @return WGDN_OK, WGDN_EINVAL (no such option, or one that is out of its range)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_options_get(char *value, size_t size,
                                                            const wgdn_train_options *o,
                                                            const char *name, wgdn_error *err);

/**
 * Set options from the lines of an INI text, `beta = 0.5`; sections, and comments after ; or #, are
 * passed over.
 *
 * @param name  of the text, for messages
 * @return WGDN_OK, WGDN_EINVAL (the message names the line)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_options_parse(wgdn_train_options *o,
                                                              const char *text, const char *name,
                                                              wgdn_error *err);
/** Name of built-in preset i, or NULL beyond the last: settings behind published numbers. */
WGDN_API const char *wgdn_preset_name(int i);
/** Its INI text, or NULL when there is no such preset. Lent, for ever. */
WGDN_API const char *wgdn_preset_text(const char *name);

WGDN_API int wgdn_train_option_count(void);
/** Facts about option i in [0, count), filled into text of at least 512 bytes. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_option_info(wgdn_option_info *info, char *text,
                                                            size_t size, int i, wgdn_error *err);

typedef struct wgdn_model wgdn_model; /**< parameters and how they came about */

/** Where a run stands, told after every step. An epoch is one step, or one for each batch. */
typedef struct wgdn_progress {
    int64_t epoch;  /**< epochs done */
    int64_t epochs; /**< of so many */
    double loss;    /**< mean over the steps of the last epoch, or of the one in hand so far */
    double seconds; /**< since the run began or was resumed */
    int64_t first;  /**< epochs that were done before that */
    int64_t step;   /**< steps done in the epoch in hand; 0: the last one is whole */
    int64_t steps;  /**< of so many */
    /** Under several ranks: bytes that this one has sent since then, rows of halos and sums. */
    int64_t halo_bytes, sum_bytes;
} wgdn_progress;

/** Anything but 0 stops the run after a checkpoint. */
typedef int (*wgdn_progress_call)(const wgdn_progress *p, void *user);

/** Around a training run. Zero it, set struct_size and what is wanted. */
typedef struct wgdn_train_run {
    size_t struct_size;          /**< sizeof(wgdn_train_run) */
    wgdn_progress_call progress; /**< or NULL */
    void *user;                  /**< handed to progress */
    const char *checkpoint;      /**< path of the checkpoint, or NULL for none */
    int checkpoint_every;        /**< epochs between two; 0: only when the run is stopped */
    int fresh;                   /**< 1: do not resume from a checkpoint of the same run */
    int64_t checkpoint_steps;    /**< steps between two, also within an epoch; 0: none such */
} wgdn_train_run;

/**
 * Train a model on a dataset. With a checkpoint of the same run (same data, same options but for
 * epochs and threads) it goes on from there; the result has the same bits as without the break.
 * A dataset without features gets features made of its graph, see the option `features`.
 *
 * @param out  receives the model, to be released with wgdn_model_free(); untouched on failure
 * @param o    NULL for the defaults
 * @param run  NULL for none of it
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE, WGDN_EIO, WGDN_EFORMAT (the checkpoint),
 *         WGDN_ESTOPPED (progress said so; the checkpoint holds the run),
 *         WGDN_ENUMBER (a loss or gradient is not finite; the message names epoch and place)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_train(wgdn_model **out, const wgdn_dataset *d,
                                                      const wgdn_train_options *o,
                                                      const wgdn_train_run *run, wgdn_error *err);
WGDN_API void wgdn_model_free(wgdn_model *m); /**< NULL is fine */

WGDN_API int64_t wgdn_model_dim(const wgdn_model *m);      /**< of its embeddings */
WGDN_API int64_t wgdn_model_features(const wgdn_model *m); /**< columns it was trained on */
WGDN_API const wgdn_train_options *wgdn_model_get_options(const wgdn_model *m); /**< lent */

/**
 * Vectors of all nodes of a dataset: the one trained on, a grown one or another one with the same
 * features.
 *
 * @param out  nodes x width of the model
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (other features), WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_embed(float *out, const wgdn_model *m,
                                                      const wgdn_dataset *d,
                                                      const wgdn_compute_options *o,
                                                      wgdn_error *err);

/**
 * Vectors of all graphs of a dataset: those of their nodes, pooled. Memory does not grow with the
 * number of nodes.
 *
 * @param out   graphs x width of the model
 * @param pool  WGDN_POOL_MEAN, _SUM or _MAX; the model's own is wgdn_model_get_options()->pool
 * @param o     NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (other features), WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_embed_graphs(float *out, const wgdn_model *m,
                                                             const wgdn_dataset *d, wgdn_pool pool,
                                                             const wgdn_compute_options *o,
                                                             wgdn_error *err);

/** The model as a safetensors file, written at once or not at all. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_save(const wgdn_model *m, const char *path,
                                                     wgdn_error *err);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_load(wgdn_model **out, const char *path,
                                                     wgdn_error *err);

/** What a training run will need, in bytes. */
typedef struct wgdn_memory {
    size_t struct_size; /**< sizeof(wgdn_memory), set by the caller */
    int64_t dataset;    /**< graph and features as they are */
    int64_t features;   /**< what is made of the features once */
    int64_t model;      /**< parameters, gradients, moments */
    int64_t workspace;  /**< of a step */
    int64_t total;      /**< of the process at its peak */
} wgdn_memory;

/** @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_estimate(wgdn_memory *out, const wgdn_dataset *d,
                                                         const wgdn_train_options *o,
                                                         wgdn_error *err);

/** What one of several ranks will need, and what it will send to others in an epoch. */
typedef struct wgdn_rank_needs {
    size_t struct_size; /**< sizeof(wgdn_rank_needs), set by the caller */
    int64_t rows;       /**< nodes that it owns */
    int64_t entries;    /**< their neighbours, counted with repetition */
    int64_t halo_rows;  /**< nodes of others among these */
    int64_t sent_rows;  /**< nodes here that others neighbour on, once for each who does */
    int64_t halo_bytes; /**< sent in an epoch: rows of matrices */
    int64_t sum_bytes;  /**< sent in an epoch: parts of sums, and from rank 0 the results */
    wgdn_memory memory; /**< of the rank's process */
} wgdn_rank_needs;

/**
 * For a dataset that is here as a whole, and ranks that need not be.
 *
 * @param rank   0 .. ranks - 1
 * @param ranks  2 at least
 * @return WGDN_OK, WGDN_EINVAL (also for sets of graphs, which ranks do not share), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_estimate_rank(wgdn_rank_needs *out,
                                                              const wgdn_dataset *d,
                                                              const wgdn_train_options *o, int rank,
                                                              int ranks, wgdn_error *err);

/** A saving that changes no result but for rounding, and what it is worth in an epoch. */
typedef struct wgdn_saving {
    const char *name; /**< "S1" .. "S7", lent for ever */
    const char *what; /**< in a few words, lent for ever */
    int used;         /**< 1: in this run */
    double with;      /**< floating-point operations of what it touches (S6: bytes), used */
    double without;   /**< and not used */
} wgdn_saving;

enum { WGDN_SAVINGS = 7 };

/** How a training run will be computed. */
typedef struct wgdn_explanation {
    size_t struct_size;               /**< sizeof(wgdn_explanation), set by the caller */
    wgdn_saving saving[WGDN_SAVINGS]; /**< S1 .. S7 */
    double dense;                     /**< operations of an epoch in dense products */
    double sparse;                    /**< and in sparse products */
    double bytes;                     /**< that the sparse products gather and write */
} wgdn_explanation;

/** @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_train_explain(wgdn_explanation *out,
                                                        const wgdn_dataset *d,
                                                        const wgdn_train_options *o,
                                                        wgdn_error *err);

/* ---- Evaluation: what an embedding is worth ---- */

/** Which nodes teach and which are asked. */
typedef enum wgdn_splits {
    WGDN_SPLITS_AUTO = 0,      /**< the dataset's own if it has any, else stratified folds */
    WGDN_SPLITS_DATASET = 1,   /**< the dataset's own */
    WGDN_SPLITS_PAPER = 2,     /**< run k: permutation k behind published numbers, 10/10/80 % */
    WGDN_SPLITS_STRATIFIED = 3 /**< folds with the classes' shares; the next fold validates */
} wgdn_splits;

/** How a probe is fitted. */
typedef enum wgdn_classifier {
    WGDN_CLASSIFIER_ADAM = 0,     /**< one linear layer, full-batch Adam, as published */
    WGDN_CLASSIFIER_LIBLINEAR = 1 /**< logistic regression, its C chosen on the validation nodes */
} wgdn_classifier;

typedef enum wgdn_similarity {
    WGDN_SIMILARITY_COSINE = 0,
    WGDN_SIMILARITY_DOT = 1
} wgdn_similarity;

/** How something is evaluated. Set it up with wgdn_eval_options_init(). */
typedef struct wgdn_eval_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_splits splits;         /**< default WGDN_SPLITS_AUTO */
    int runs;                   /**< probes, 1..10000, default 20; run k has split k, in a circle */
    wgdn_classifier classifier; /**< default WGDN_CLASSIFIER_ADAM */
    int steps;                  /**< of a probe, 1..1000000, default 300 */
    double learning_rate;       /**< of its Adam, default 0.01 */
    double weight_decay;        /**< its weight decay, default 0 */
    int folds;                  /**< 3..1000, default 10 */
    int restarts;               /**< of k-means, 1..1000, default 10 */
    double test_edge_fraction;  /**< share of the edges held out, 0..0.9, default 0.1 */
    wgdn_similarity metric;     /**< of links; clusters of unit vectors, or as they are for
                                     WGDN_SIMILARITY_DOT; default WGDN_SIMILARITY_COSINE */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or told after every probe or restart how many are done; what is not 0 stops it. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_eval_options;

WGDN_API void wgdn_eval_options_init_sized(wgdn_eval_options *o, size_t size);
#define wgdn_eval_options_init(o) wgdn_eval_options_init_sized((o), sizeof *(o))
/** As their namesakes of training; parse reads the section [eval] of a preset and nothing else. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_eval_options_set(wgdn_eval_options *o, const char *name,
                                                           const char *value, wgdn_error *err);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_eval_options_parse(wgdn_eval_options *o, const char *text,
                                                             const char *name, wgdn_error *err);
WGDN_API int wgdn_eval_option_count(void);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_eval_option_info(wgdn_option_info *info, char *text,
                                                           size_t size, int i, wgdn_error *err);

/** A number over several runs; the deviation is that of a sample, 0 for a single run. */
typedef struct wgdn_spread {
    double mean, deviation;
} wgdn_spread;

/** What linear probes read from vectors. Fields may be added at the end. */
typedef struct wgdn_probe_result {
    size_t struct_size;       /**< sizeof(wgdn_probe_result), set by the caller */
    int runs;                 /**< probes */
    int splits;               /**< different splits among them */
    wgdn_splits source;       /**< of these; never WGDN_SPLITS_AUTO */
    int64_t train, val, test; /**< labelled nodes in the first one */
    wgdn_spread
        validation_selected;   /**< test accuracy at the first step with the best validation */
    wgdn_spread test_selected; /**< the best test accuracy of all steps at which validation tied or
                                beat its best so far: it looks at test labels */
    wgdn_spread f1;            /**< macro-F1 at the honest step */
} wgdn_probe_result;

/**
 * Fit linear probes to the labels and tell their accuracies. Without validation nodes the honest
 * step is the last one. Nodes without a label take no part.
 *
 * @param x      nodes x width, finite
 * @param width  at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no labels, no such splits, an empty part), WGDN_ENOMEM,
 *         WGDN_ENOSUPPORT (a classifier that this build lacks), WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_probe_vectors(wgdn_probe_result *out,
                                                        const wgdn_dataset *d, const float *x,
                                                        int64_t width, const wgdn_eval_options *o,
                                                        wgdn_error *err);

/** What to compare with; none of them has learnt anything from the graph. */
typedef enum wgdn_baseline {
    WGDN_BASELINE_RAW = 0,    /**< the features as they are */
    WGDN_BASELINE_SMOOTH = 1, /**< filtered with the model's kernel */
    WGDN_BASELINE_RANDOM = 2, /**< the encoder with fresh parameters */
    WGDN_BASELINE_PCA = 3     /**< principal components of the filtered ones, at most width */
} wgdn_baseline;

/** "raw features", ...; NULL beyond the last. Lent, for ever. */
WGDN_API const char *wgdn_baseline_name(int baseline);
/**
 * The same probes on a baseline. Sparse features stay sparse.
 *
 * @param model  kernel, width, seed and features of the model to compare with; NULL: the defaults
 */
WGDN_API WGDN_MUST_CHECK wgdn_status
wgdn_probe_baseline(wgdn_probe_result *out, const wgdn_dataset *d, wgdn_baseline baseline,
                    const wgdn_train_options *model, const wgdn_eval_options *o, wgdn_error *err);
/** Its vectors, all of them dense, without ids; to be released with wgdn_embedding_free(). */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_baseline(wgdn_embedding **out,
                                                                  const wgdn_dataset *d,
                                                                  wgdn_baseline baseline,
                                                                  const wgdn_train_options *model,
                                                                  wgdn_error *err);

/** What support vector machines read from vectors. Fields may be added at the end. */
typedef struct wgdn_svm_result {
    size_t struct_size; /**< sizeof(wgdn_svm_result), set by the caller */
    int folds;
    int64_t rows, classes;   /**< vectors with a label, and different ones of these */
    int has_rbf, has_linear; /**< 0 where this build lacks LIBSVM or LIBLINEAR */
    wgdn_spread rbf;    /**< accuracy over the folds; kernel exp(-g |x - y|^2), one against one,
                             1/g = width times the variance of all entries to learn from */
    wgdn_spread linear; /**< entries divided by their deviation, one against the rest */
} wgdn_svm_result;

/**
 * Classify labelled vectors by support vector machines: stratified folds, each tested once, C of
 * {0.001, 0.01, 0.1, 1, 10} chosen by five folds within what is learnt from. For vectors of graphs,
 * d is what wgdn_dataset_from_graphs() gives.
 *
 * @param x      nodes x width, finite
 * @param width  at least 1
 * @param o      NULL for the defaults; seed and folds count
 * @return WGDN_OK, WGDN_EINVAL (no labels, or a class with fewer rows than folds), WGDN_ENOMEM,
 *         WGDN_ENOSUPPORT (neither LIBSVM nor LIBLINEAR)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_vectors(wgdn_svm_result *out, const wgdn_dataset *d,
                                                      const float *x, int64_t width,
                                                      const wgdn_eval_options *o, wgdn_error *err);
/** The fold in which each node is tested, -1 for one without a label. @return as above */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_folds(int32_t *fold, const wgdn_dataset *d,
                                                    const wgdn_eval_options *o, wgdn_error *err);

/** What vectors of graphs are compared with; none of them was trained. */
typedef enum wgdn_graph_baseline {
    WGDN_GRAPH_BASELINE_RAW = 0,     /**< the features, pooled */
    WGDN_GRAPH_BASELINE_RANDOM = 1,  /**< the encoder with fresh parameters, pooled */
    WGDN_GRAPH_BASELINE_SUBTREES = 2 /**< counts of Weisfeiler-Lehman subtrees, 3 iterations */
} wgdn_graph_baseline;

/** "pooled raw features", ...; NULL beyond the last. Lent, for ever. */
WGDN_API const char *wgdn_graph_baseline_name(int baseline);
/**
 * The same machines on a baseline of a dataset with several graphs.
 *
 * @param model  width, seed and pooling of the model to compare with; NULL: the defaults
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_baseline(wgdn_svm_result *out, const wgdn_dataset *d,
                                                       wgdn_graph_baseline baseline,
                                                       const wgdn_train_options *model,
                                                       const wgdn_eval_options *o, wgdn_error *err);

/** What k-means finds, against the labels. Fields may be added at the end. */
typedef struct wgdn_cluster_result {
    size_t struct_size; /**< sizeof(wgdn_cluster_result), set by the caller */
    int restarts;
    int64_t clusters; /**< as many as there are classes */
    double nmi, ari;  /**< of the restart with the least inertia: no label chooses it */
    double inertia;   /**< its sum of squared distances */
    wgdn_spread nmi_spread, ari_spread; /**< over the restarts */
} wgdn_cluster_result;

/** @return WGDN_OK, WGDN_EINVAL (no labels), WGDN_ENOMEM, WGDN_ESTOPPED */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_cluster_vectors(wgdn_cluster_result *out,
                                                          const wgdn_dataset *d, const float *x,
                                                          int64_t width, const wgdn_eval_options *o,
                                                          wgdn_error *err);

typedef struct wgdn_links wgdn_links; /**< a graph without some edges, and these; immutable */

/**
 * Hold out a share of the edges, and draw as many pairs of nodes without an edge, with replacement.
 *
 * @param out  receives them, to be released with wgdn_links_free(); untouched on failure
 * @param d    one graph; it must outlive the result, which borrows its features
 * @return WGDN_OK, WGDN_EINVAL (too few edges, several graphs, hardly a pair without an edge),
 *         WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_hold(wgdn_links **out, const wgdn_dataset *d,
                                                     const wgdn_eval_options *o, wgdn_error *err);
WGDN_API void wgdn_links_free(wgdn_links *l); /**< NULL is fine */
/** The dataset without the held-out edges, to train on. Lent. */
WGDN_API const wgdn_dataset *wgdn_links_get_dataset(const wgdn_links *l);
WGDN_API int64_t wgdn_links_held(const wgdn_links *l); /**< edges held out */

/** How well the vectors' similarity tells edges from other pairs. */
typedef struct wgdn_links_result {
    size_t struct_size; /**< sizeof(wgdn_links_result), set by the caller */
    int64_t held;
    double auc, average_precision;
} wgdn_links_result;

/**
 * Score the held-out edges against the pairs without an edge.
 *
 * @param x  nodes x width, finite; made without the held-out edges
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_score(wgdn_links_result *out, const wgdn_links *l,
                                                      const float *x, int64_t width,
                                                      const wgdn_eval_options *o, wgdn_error *err);

/**
 * The k rows of x that are most similar to each query, best first, ties by row; exact.
 *
 * @param index    receives queries x k rows of x
 * @param score    receives queries x k similarities, or NULL; 0 for the cosine of a zero vector
 * @param x        n x width, finite
 * @param query    queries x width, finite
 * @param k        1 .. n
 * @param o        NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_vectors_search(int64_t *index, float *score,
                                                         const float *x, int64_t n, int64_t width,
                                                         const float *query, int64_t queries,
                                                         int64_t k, wgdn_similarity metric,
                                                         const wgdn_compute_options *o,
                                                         wgdn_error *err);

/** How vectors become points of the plane. */
typedef enum wgdn_projection {
    WGDN_PROJECTION_TSNE = 0, /**< t-SNE: neighbours stay neighbours, distances say little */
    WGDN_PROJECTION_PCA = 1   /**< the two principal components: a shadow, in no time */
} wgdn_projection;

/** How a map is made. Set it up with wgdn_projection_options_init(). */
typedef struct wgdn_projection_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_projection projection; /**< default WGDN_PROJECTION_TSNE */
    double perplexity;      /**< neighbours that count, 2..1000, default 30; (n - 1) / 3 at most */
    int steps;              /**< of t-SNE, 0..1e6, default 750 */
    double theta;           /**< 0..0.7, default 0.5: what is far counts as one point; 0: exact */
    wgdn_similarity metric; /**< WGDN_SIMILARITY_COSINE, the default: unit vectors are shown;
                                 WGDN_SIMILARITY_DOT: vectors as they are */
    int threads;            /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or told after every step by the calling thread; what is not 0 stops. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_projection_options;

WGDN_API void wgdn_projection_options_init_sized(wgdn_projection_options *o, size_t size);
#define wgdn_projection_options_init(o) wgdn_projection_options_init_sized((o), sizeof *(o))
/** As their namesakes of training. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_projection_options_set(wgdn_projection_options *o,
                                                                 const char *name,
                                                                 const char *value,
                                                                 wgdn_error *err);
WGDN_API int wgdn_projection_option_count(void);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_projection_option_info(wgdn_option_info *info, char *text,
                                                                 size_t size, int i,
                                                                 wgdn_error *err);

/** What a map is worth. Fields may be added at the end. */
typedef struct wgdn_projection_result {
    size_t struct_size; /**< sizeof(wgdn_projection_result), set by the caller */
    double kl;          /**< t-SNE: how far the map's neighbours are from the vectors'; else 0 */
    double share[2];    /**< of the variance, on the two principal components */
} wgdn_projection_result;

/**
 * Points of the plane for vectors. t-SNE looks at the 50 leading principal components, begins with
 * the first two of them, and takes time n log n; fewer than 4 vectors get their components.
 *
 * @param out     receives n x 2
 * @param result  or NULL
 * @param x       n x width, finite
 * @param n       1 .. 2^30 - 1
 * @param width   at least 1
 * @param o       NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE, WGDN_ESTOPPED (out is then undefined)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_vectors_project(float *out,
                                                          wgdn_projection_result *result,
                                                          const float *x, int64_t n, int64_t width,
                                                          const wgdn_projection_options *o,
                                                          wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
