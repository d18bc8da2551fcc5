/* SPDX-License-Identifier: Apache-2.0 */
/** @file base.h Status, errors, options and the machine. */
#ifndef WGDN_BASE_API_H
#define WGDN_BASE_API_H

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
    const char *topic;        /**< "Model", "Training": what it is about, as a heading */
    const char *alias;        /**< a well-known second name that is accepted as well, or "" */
} wgdn_option_info;

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

#ifdef __cplusplus
}
#endif

#endif
