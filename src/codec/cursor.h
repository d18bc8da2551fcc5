/* SPDX-License-Identifier: Apache-2.0 */
/* Reading numbers from bytes that may end too soon. */
#ifndef WGDN_CURSOR_H
#define WGDN_CURSOR_H

#include "base/base.h"

/*
 * A place in a run of bytes. A read that would pass the end gives 0 (NULL for a run), moves nothing
 * and sets `over`, which stays set: read a whole record, then ask once.
 */
typedef struct wgdn_cursor {
    const unsigned char *data;
    size_t size, at;
    bool over;
} wgdn_cursor;

wgdn_cursor wgdn_cursor_at(const unsigned char *data, size_t size, size_t at);
size_t wgdn_cursor_left(const wgdn_cursor *c);

/* Little endian. */
uint16_t wgdn_cursor_u16(wgdn_cursor *c);
uint32_t wgdn_cursor_u32(wgdn_cursor *c);
uint64_t wgdn_cursor_u64(wgdn_cursor *c);
const unsigned char *wgdn_cursor_run(wgdn_cursor *c, size_t size); /* borrowed */

#endif
