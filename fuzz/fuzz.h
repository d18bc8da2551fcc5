/* SPDX-License-Identifier: Apache-2.0 */
/* What all targets share: libFuzzer's one function, and ways to touch all that a reader gave. */
#ifndef WGDN_FUZZ_H
#define WGDN_FUZZ_H

#include "base/base.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_LIMIT = 1 << 20 }; /* of unpacked bytes: an input of 4 KB cannot ask for more */

/* A rule of the reader that was broken is a finding, like a crash. */
#define FUZZ_EXPECT(condition)     \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

/* Read every byte, so that a sanitizer sees a block that is shorter than it says. */
static inline unsigned fuzz_touch(const void *data, size_t size)
{
    const volatile unsigned char *p = data;
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += p[i];
    return sum;
}

#endif
