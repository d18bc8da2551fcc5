/* SPDX-License-Identifier: Apache-2.0 */
/* Records of one or two 64-bit words, sorted by the first. */
#ifndef WGDN_RADIX_H
#define WGDN_RADIX_H

#include "base/base.h"

/* Stable. other has as much room; the sorted records are in the one that is returned. */
uint64_t *wgdn_radix_sort(uint64_t *record, uint64_t *other, int64_t count, int words);

#endif
