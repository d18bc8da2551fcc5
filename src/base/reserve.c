/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries in C++ throw when `new` finds no memory, and nothing in C can catch that: the process
 * ends. While a reserve is open, C++ calls us first (std::set_new_handler): the reserve is given
 * back to the heap, and `new` tries again. A reserve is open for a moment only, since the handler
 * belongs to the whole process; what the host had there is put back.
 */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <pthread.h>
#include <stdlib.h>

typedef void (*handler)(void);
/* std::set_new_handler; not there where nothing is in C++. */
__attribute__((weak)) handler set_new_handler(handler next) __asm__("_ZSt15set_new_handlerPFvvE");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static int users;
static void *reserve;
static handler former;

/* Called by a `new` that failed. Without a reserve it fails as it would without us. */
static void give(void)
{
    pthread_mutex_lock(&lock);
    if (reserve) {
        free(reserve);
        reserve = NULL;
    } else {
        set_new_handler(former);
    }
    pthread_mutex_unlock(&lock);
}

bool wgdn_reserve_open(size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (!reserve) reserve = malloc(bytes);
    const bool good = reserve != NULL;
    if (good && users++ == 0 && set_new_handler) former = set_new_handler(give);
    pthread_mutex_unlock(&lock);
    return good;
}

void wgdn_reserve_close(void)
{
    pthread_mutex_lock(&lock);
    if (--users == 0) {
        if (set_new_handler) set_new_handler(former);
        free(reserve);
        reserve = NULL;
    }
    pthread_mutex_unlock(&lock);
}
