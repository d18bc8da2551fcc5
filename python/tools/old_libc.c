/* SPDX-License-Identifier: Apache-2.0 */
/* What archives of Debian 12 take from its C library and glibc 2.27 has not; see old_libc. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

/* For expat, which salts its hash tables with it. */
__attribute__((visibility("hidden"))) void arc4random_buf(void *bytes, size_t size)
{
    for (char *at = bytes; size > 0;) {
        const ssize_t got = getrandom(at, size, 0);
        if (got < 0 && errno != EINTR) abort(); /* as glibc does */
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}
