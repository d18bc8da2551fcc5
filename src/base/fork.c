/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After fork() the child has one thread. GNU's OpenMP does not know, and its next parallel region
 * waits for threads that are gone. Every parallel region therefore asks here. The child's handler
 * only leaves word: other OpenMP libraries hold locks while they fork.
 */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool child;

static void note(void)
{
    atomic_store(&child, true);
}

__attribute__((constructor)) static void watch(void)
{
    (void)pthread_atfork(NULL, NULL, note); /* out of memory this early: as it was without */
}

bool wgdn_forked(void)
{
    return atomic_load_explicit(&child, memory_order_relaxed);
}
