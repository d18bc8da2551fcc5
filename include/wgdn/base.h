/* SPDX-License-Identifier: Apache-2.0 */
/** @file base.h Status, error, options, presets and the machine. */
#ifndef WGDN_BASE_API_H
#define WGDN_BASE_API_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WGDN_VERSION_MAJOR 0
#define WGDN_VERSION_MINOR 10
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
    WGDN_ENOMEM = -2,     /**< out of memory */
    WGDN_ERANGE = -3,     /**< a size is beyond what this build can address */
    WGDN_EENGINE = -4,    /**< the dense engine refused a product */
    WGDN_EIO = -5,        /**< a file could not be opened or read */
    WGDN_EFORMAT = -6,    /**< a file does not hold what it should */
    WGDN_ENOSUPPORT = -7, /**< this build of the library does not have the feature */
    WGDN_ESTOPPED = -8,   /**< stopped because a callback asked for it */
    WGDN_ENUMBER = -9,    /**< a number that should be finite is not */
    WGDN_EWRITE = -10,    /**< a file could not be created or written */
    WGDN_EHEALTH = -11,   /**< training diverged or collapsed */
} wgdn_status;

/** Why a call failed. The caller owns it; pass NULL to do without. */
typedef struct wgdn_error {
    wgdn_status code;
    char message[1024];
} wgdn_error;

/** "MAJOR.MINOR.PATCH": the version of the library in use, which may differ from the header's. Static
 * lifetime. */
WGDN_API const char *wgdn_version(void);

/** A few words for a status; never NULL, also for unknown numbers. Static lifetime. */
WGDN_API const char *wgdn_status_text(wgdn_status status);

/** What long calls ask whether to go on. */
typedef struct wgdn_stop {
    int (*wanted)(void *user); /**< return non-zero to cancel the call; NULL: never called */
    void *user;                /**< handed to wanted */
} wgdn_stop;

/**
 * Let the calls of this thread be stopped, as by Ctrl-C. wgdn_model_fit(), wgdn_model_embed() and
 * calls that write files ask between blocks of their work, in the thread that called them, up to 20
 * times a second. Once `wanted` returns something else than 0, they release what they have and
 * return WGDN_ESTOPPED. Where ranks share the data they do not ask. Calls with a `progress` of their
 * own, such as wgdn_dataset_read(), are stopped by that.
 *
 * @param next  asked from now on; what it points to has to stay
 * @return what was asked before, to be set again
 */
WGDN_API wgdn_stop wgdn_stop_use(wgdn_stop next);

/**
 * Set up a struct that a call fills or reads: all of it becomes 0, and struct_size its size. Each of
 * these structs has a shorter form of this call, wgdn_machine_init() and so on.
 */
static inline void wgdn_struct_init(void *o, size_t size)
{
    memset(o, 0, size);
    memcpy(o, &size, sizeof size); /* struct_size is the first field */
}

/* ---- Options: structs that are set up by their _init, then changed, then given to a call ---- */

/** Which of the option structs. Those of a call are declared beside it. */
typedef enum wgdn_options_kind {
    WGDN_OPTIONS_KIND_COMPUTE = 0,    /**< wgdn_compute_options */
    WGDN_OPTIONS_KIND_APPLY = 1,      /**< wgdn_apply_options */
    WGDN_OPTIONS_KIND_RESTORE = 2,    /**< wgdn_restore_options */
    WGDN_OPTIONS_KIND_DENSITY = 3,    /**< wgdn_density_options */
    WGDN_OPTIONS_KIND_DATASET = 4,    /**< wgdn_dataset_options */
    WGDN_OPTIONS_KIND_TRAIN = 5,      /**< wgdn_train_options */
    WGDN_OPTIONS_KIND_EMBED = 6,      /**< wgdn_embed_options */
    WGDN_OPTIONS_KIND_EVAL = 7,       /**< wgdn_eval_options */
    WGDN_OPTIONS_KIND_PROJECTION = 8, /**< wgdn_projection_options */
    WGDN_OPTIONS_KIND_FIT = 9,        /**< wgdn_fit_options */
    WGDN_OPTIONS_KIND_WRITE = 10,     /**< wgdn_write_options */
    WGDN_OPTIONS_KIND_PREDICT = 11,   /**< wgdn_predict_options */
    WGDN_OPTIONS_KIND_RECOMMEND = 12, /**< wgdn_recommend_options */
    WGDN_OPTIONS_KIND_CLUSTER = 13    /**< wgdn_cluster_options */
} wgdn_options_kind;

/**
 * Set the defaults. Each struct has a shorter form of this call, wgdn_train_options_init() and so
 * on, which knows kind and size.
 *
 * @param o     a struct of that kind
 * @param size  its size where the caller was compiled; becomes its struct_size, and no call reads
 *              or writes beyond it, so that an old program may meet a new library
 */
WGDN_API void wgdn_options_init(wgdn_options_kind kind, void *o, size_t size);

/**
 * Set one option by its name, "beta" or "embedding-activation" ('-' and '_' are the same), from
 * text, as a command line or a configuration file has it.
 *
 * @param value  where the field is a pointer (paths, columns), it keeps pointing to this text; "" is NULL
 * @return WGDN_OK, WGDN_EINVAL (no such option, or not such a value: the message says what may be)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_options_set(wgdn_options_kind kind, void *o,
                                                      const char *name, const char *value,
                                                      wgdn_error *err);
/**
 * The value of an option as the text that sets it.
 *
 * @param value  receives it, cut to size - 1 bytes; 128 are always enough
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no such option, or one that is out of its range)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_options_get(char *value, size_t size,
                                                      wgdn_options_kind kind, const void *o,
                                                      const char *name, wgdn_error *err);
/**
 * Set options from the lines of an INI text, `beta = 0.5`; comments come after ; or #. Evaluation
 * reads the section [eval] and nothing else; all others read everything outside it.
 *
 * @param o     untouched on failure
 * @param name  of the text, for messages
 * @return WGDN_OK, WGDN_EINVAL (the message names the line), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_options_parse(wgdn_options_kind kind, void *o,
                                                        const char *text, const char *name,
                                                        wgdn_error *err);
/** What the value of an option is. */
typedef enum wgdn_option_type {
    WGDN_OPTION_TYPE_INTEGER = 0,
    WGDN_OPTION_TYPE_NUMBER = 1,
    WGDN_OPTION_TYPE_CHOICE = 2,  /**< one of several words; an enumerator in the struct */
    WGDN_OPTION_TYPE_BOOLEAN = 3, /**< yes or no; also auto, which is -1, where min is -1 */
    WGDN_OPTION_TYPE_TEXT = 4,
    WGDN_OPTION_TYPE_PATH = 5,
    WGDN_OPTION_TYPE_SIZE = 6, /**< a number of bytes, as wgdn_size_parse() reads it */
    WGDN_OPTION_TYPE_SEED = 7  /**< an integer below 2^64 */
} wgdn_option_type;

/**
 * One option. All options are rows of this type, and help texts, keywords of other languages and
 * configuration files derive from them. Texts that are not there are NULL. Static lifetime; fields
 * may be added at the end.
 */
typedef struct wgdn_option_info {
    const char *name; /**< that of the field; '-' and '_' are the same wherever it is read */
    wgdn_option_type type;
    size_t offset, size;      /**< of the field in its struct */
    double min, max;          /**< of integers, numbers and sizes */
    const char *default_text; /**< the default as the text that sets it; NULL: not set */
    const char *otherwise;   /**< what holds by default, in words, where the text does not say it */
    const char *choices;     /**< "max|sum|mean"; of texts and paths: words that are offered */
    const char *argument;    /**< what help calls the value: "FILE" */
    const char *topic;       /**< "Model", "Training": what it is about, as a heading */
    const char *alias;       /**< a well-known second name */
    const char *old_name;    /**< accepted until 1.0 */
    const char *old_choices; /**< likewise, in the order of the choices: "look|data|names" */
    /** When it has an effect: "augment=noise" if that option is noise; "a|b" is either, "!a" is
     * anything else, "," is a list; all conditions that ';' separates have to hold. */
    const char *only_if;
    int repeats;      /**< 1: a list, whose values are separated by commas */
    const char *help; /**< a sentence without a full stop, readable by itself */
} wgdn_option_info;

/** Row i of the table of a kind, from 0 on; NULL beyond the last. Callbacks and handles have none. */
WGDN_API const wgdn_option_info *wgdn_options_get_info(wgdn_options_kind kind, int i);

/** How a call may use the machine. Set it up with wgdn_compute_options_init(). */
typedef struct wgdn_compute_options {
    size_t struct_size; /**< set by _init */
    int threads;        /**< 0..4096, 0 = OMP_NUM_THREADS or all usable cores, default 0 */
} wgdn_compute_options;

static inline void wgdn_compute_options_init(wgdn_compute_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_COMPUTE, o, sizeof *o);
}

/** Name of built-in preset i = 0, 1, ...; NULL beyond the last. Settings of published results. */
WGDN_API const char *wgdn_preset_name(int i);
/** Its INI text, for wgdn_options_parse(); NULL when there is none. Static lifetime. */
WGDN_API const char *wgdn_preset_text(const char *name);

/**
 * Read a number of bytes: 4096, 500M, 1.5G, 8GB or 8GiB; K, M, G and T are powers of 1024. Options
 * of the program and the environment variable WGDN_MEMORY are read by it.
 *
 * @return WGDN_OK, WGDN_EINVAL
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_size_parse(int64_t *bytes, const char *text,
                                                     wgdn_error *err);

/* ---- Files ---- */

/**
 * Write a file as every call of this library does: under a temporary name beside it, which then
 * replaces it, so that the old file stays if anything fails. A link is followed, unless another
 * user made it. Pipes and devices are written to.
 *
 * @return WGDN_OK, WGDN_EINVAL, WGDN_EWRITE, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_file_write(const char *path, const void *data,
                                                     size_t size, wgdn_error *err);
/**
 * Check that a file can be written there, and remove what killed runs left beside it.
 *
 * @return WGDN_OK, WGDN_EINVAL, WGDN_EWRITE (a folder, no folder, another user's link), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_file_check(const char *path, wgdn_error *err);

/** What a file holds, as far as its beginning shows. */
typedef enum wgdn_file_kind {
    WGDN_FILE_KIND_OTHER = 0,      /**< a graph, or a file that the library does not know */
    WGDN_FILE_KIND_VECTORS = 1,    /**< ids and numbers, or an array that has no edges */
    WGDN_FILE_KIND_MODEL = 2,      /**< a model or a checkpoint, valid or damaged */
    WGDN_FILE_KIND_RECOMMENDER = 3 /**< a saved recommender */
} wgdn_file_kind;

/** WGDN_FILE_KIND_OTHER for files that cannot be read twice, such as pipes, and for folders. */
WGDN_API wgdn_file_kind wgdn_file_kind_of(const char *path);

/* ---- The machine and the build ---- */

/** What the library runs on. Pointers have static lifetime. Fields may be added at the end. */
typedef struct wgdn_machine {
    size_t struct_size;       /**< set by _init */
    const char *cpu_best;     /**< the richest level there is: base, v3 (AVX2) or v4 (AVX-512) */
    const char *cpu_used;     /**< the one in use; WGDN_CPU in the environment may ask for less */
    const char *engine;       /**< what makes dense products: onednn or cblas */
    const char *huge_pages;   /**< transparent ones: always, madvise, never or unknown */
    int cores;                /**< that are online */
    int threads;              /**< a call's default: OMP_NUM_THREADS, or else cpus */
    int64_t memory_total;     /**< bytes, after the limits of container and process; -1: unknown */
    int64_t memory_available; /**< bytes that can be had without swapping; -1: unknown */
    const char *bf16; /**< what makes products in bf16: amx, avx512, or rounded (not faster) */
    int cpus;         /**< that this process may use: affinity, quotas and other ranks counted */
    int threads_max;  /**< that can be started; threads is never more */
    int ranks;        /**< on this host, which share memory and cores; 1 without MPI */
    char memory_limit[192];  /**< what memory_available comes from: "the machine", or a limit */
    char cpu_limit[192];     /**< the same of cpus */
    char threads_limit[192]; /**< the same of threads_max */
} wgdn_machine;

static inline void wgdn_machine_init(wgdn_machine *o)
{
    wgdn_struct_init(o, sizeof *o);
}
WGDN_API void wgdn_machine_describe(wgdn_machine *machine);

/** Something that a build may have or lack. Static lifetime. */
typedef struct wgdn_build_feature {
    const char *name;
    int present;
    const char *purpose; /**< what it is good for */
    const char *package; /**< what brings it, by its name in Debian */
} wgdn_build_feature;
WGDN_API const wgdn_build_feature *wgdn_build_get_feature(
    int i); /**< i = 0, 1, ...; NULL after the last */

#ifdef __cplusplus
}
#endif

#endif
