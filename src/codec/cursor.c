/* SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"

wgdn_cursor wgdn_cursor_at(const unsigned char *data, size_t size, size_t at)
{
    return (wgdn_cursor){
        .data = data, .size = size, .at = at < size ? at : size, .over = at > size};
}

size_t wgdn_cursor_left(const wgdn_cursor *c)
{
    return c->over ? 0 : c->size - c->at;
}

const unsigned char *wgdn_cursor_run(wgdn_cursor *c, size_t size)
{
    if (c->over || size > c->size - c->at) {
        c->over = true;
        return NULL;
    }
    c->at += size;
    return c->data + (c->at - size);
}

static uint64_t little(wgdn_cursor *c, size_t width)
{
    const unsigned char *p = wgdn_cursor_run(c, width);
    uint64_t value = 0;
    for (size_t i = 0; p && i < width; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

uint16_t wgdn_cursor_u16(wgdn_cursor *c)
{
    return (uint16_t)little(c, 2);
}

uint32_t wgdn_cursor_u32(wgdn_cursor *c)
{
    return (uint32_t)little(c, 4);
}

uint64_t wgdn_cursor_u64(wgdn_cursor *c)
{
    return little(c, 8);
}
