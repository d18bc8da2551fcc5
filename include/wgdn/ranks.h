/* SPDX-License-Identifier: Apache-2.0 */
/** @file ranks.h Processes that share one graph. */
#ifndef WGDN_RANKS_API_H
#define WGDN_RANKS_API_H

#include <wgdn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/**
 * The same with a limit for the start, which wgdn_ranks_set_timeout() comes too late for. A rank that waits
 * longer for the others ends them all, with a message that names those of its host that are stopped or gone.
 *
 * @param seconds  the limit, also for data of others from then on; 0: none
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_ranks_open_within(wgdn_ranks **out, double seconds,
                                                            wgdn_error *err);
WGDN_API void wgdn_ranks_close(wgdn_ranks *r);     /**< NULL is fine */
WGDN_API int wgdn_ranks_rank(const wgdn_ranks *r); /**< of this process: 0 .. count - 1 */
/**
 * How long to wait for data of others, 600 s at first; 0: without limit. A rank that waits longer
 * ends them all with a message on standard error that names those that do not answer.
 */
WGDN_API void wgdn_ranks_set_timeout(wgdn_ranks *r, double seconds);
/** The largest of the numbers that the ranks give. All ranks call it. */
WGDN_API int wgdn_ranks_allreduce_max(wgdn_ranks *r, int number);
/** A number of each rank: on rank 0, all[r] becomes that of rank r. All ranks call it. */
WGDN_API void wgdn_ranks_gather(int64_t *all, wgdn_ranks *r, int64_t number);
WGDN_API int wgdn_ranks_count(const wgdn_ranks *r); /**< 1: alone */

#ifdef __cplusplus
}
#endif

#endif
