/* SPDX-License-Identifier: Apache-2.0 */
#include "unicode.h"

#include <string.h>

static bool is_point(uint32_t point)
{
    return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}

int32_t wgdn_utf8_decode(const unsigned char *text, size_t size, size_t *used)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned lead = text[0];
    *used = 1;
    if (lead < 0x80) return (int32_t)lead;

    const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc0 || lead > 0xf7 || length > size) return -1;
    uint32_t point = lead & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) return -1;
        point = point << 6 | (text[i] & 0x3fU);
    }
    if (point < least[length] || !is_point(point)) return -1;
    *used = length;
    return (int32_t)point;
}

size_t wgdn_utf8_encode(unsigned char *out, uint32_t point)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (!is_point(point)) return 0;
    const size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (!out) return length;
    for (size_t i = length - 1; i > 0; i--, point >>= 6)
        out[i] = (unsigned char)(0x80 | (point & 0x3f));
    out[0] = (unsigned char)(lead[length] | point);
    return length;
}

bool wgdn_utf8_valid(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used;
    for (; size > 0; at += used, size -= used)
        if (wgdn_utf8_decode(at, size, &used) < 0) return false;
    return true;
}

wgdn_quoted wgdn_quote(const char *text, size_t size)
{
    enum { MAX = sizeof((wgdn_quoted *)0)->text - 1, HEAD = 28, TAIL = MAX - HEAD - 3 };
    wgdn_quoted q = {{0}};
    if (size <= MAX) {
        if (size) memcpy(q.text, text, size);
    } else {
        memcpy(q.text, text, HEAD);
        memcpy(q.text + HEAD, "...", 3);
        memcpy(q.text + HEAD + 3, text + size - TAIL, TAIL);
    }
    for (size_t i = 0; i < (size < MAX ? size : MAX); i++)
        if ((unsigned char)q.text[i] < 0x20 || q.text[i] == 0x7f) q.text[i] = '?';
    return q;
}
