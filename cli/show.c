/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Least code of each length: longer spellings of the same are refused, as surrogates are. */
size_t utf8_length(const char *bytes, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)bytes;
    const size_t length = b[0] < 0x80             ? 1
                          : (b[0] & 0xe0) == 0xc0 ? 2
                          : (b[0] & 0xf0) == 0xe0 ? 3
                          : (b[0] & 0xf8) == 0xf0 ? 4
                                                  : 0;
    if (length < 2 || length > size) return length == 1 ? 1 : 0;
    uint32_t code = b[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (b[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    return length;
}

/* Length of a character that can be printed as it is; 0: no UTF-8, a control character (also U+0080
 * .. U+009F), or one that changes the direction of what follows, and so shows another text. */
static size_t plain_length(const char *bytes, size_t size)
{
    const unsigned char *b = (const unsigned char *)bytes;
    const size_t length = utf8_length(bytes, size);
    if (length == 1) return b[0] >= 0x20 && b[0] != 0x7f;
    if (length == 2) return (b[0] == 0xc2 && b[1] < 0xa0) || (b[0] == 0xd8 && b[1] == 0x9c) ? 0 : 2;
    if (length != 3 || b[0] != 0xe2) return length;
    const bool mark = b[1] == 0x80 && (b[2] == 0x8e || b[2] == 0x8f);   /* U+200E, U+200F */
    const bool embeds = b[1] == 0x80 && b[2] >= 0xa8 && b[2] <= 0xae;   /* U+2028 .. U+202E */
    const bool isolates = b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9; /* U+2066 .. U+2069 */
    return mark || embeds || isolates ? 0 : 3;
}

void show_name(FILE *to, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t length = plain_length(bytes + i, size - i);
        if (length)
            fwrite(bytes + i, 1, length, to);
        else
            fprintf(to, "\\x%02x", (unsigned char)bytes[i]);
        i += length ? length : 1;
    }
}

/* Cleaned bytes after what out has; what does not fit is left out. */
static size_t append(char *out, size_t room, const char *bytes, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const size_t step = utf8_length(bytes + at, length - at);
        const bool plain = plain_length(bytes + at, length - at) > 0;
        if (to + (plain ? step : 1) >= room) break;
        if (plain)
            memcpy(out + to, bytes + at, step);
        else
            out[to] = '?';
        to += plain ? step : 1;
        at += step > 0 ? step : 1;
    }
    out[to] = '\0';
    return to;
}

void show_cut(char *out, size_t size, const char *bytes, size_t length)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    if (length < size) {
        append(out, size, bytes, length);
        return;
    }
    const size_t half = (size - sizeof ellipsis) / 2;
    size_t from = length - half;
    while (from < length && ((unsigned char)bytes[from] & 0xc0) == 0x80)
        from++;
    size_t to = append(out, half + 1, bytes, length);
    to += append(out + to, size - to, ellipsis, sizeof ellipsis - 1);
    append(out + to, size - to, bytes + from, length - from);
}

void show_bytes(char *text, size_t size, int64_t bytes)
{
    static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes / 1000;
    int i = 0;
    if (bytes < 0) {
        snprintf(text, size, "unknown");
        return;
    }
    if (bytes < 1000) {
        snprintf(text, size, "%" PRId64 " bytes", bytes);
        return;
    }
    for (; value >= 999.5 && i < 5; i++)
        value /= 1000;
    snprintf(text, size, value < 99.95 ? "%.1f %s" : "%.0f %s", value, unit[i]);
}

void show_limit(char *text, size_t size, int64_t bytes)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int i = 0;
    for (; bytes > 0 && bytes % 1024 == 0 && i < 6; i++)
        bytes /= 1024;
    snprintf(text, size, "%" PRId64 " %s", bytes, unit[i]);
}

void show_count(char *text, size_t size, int64_t count)
{
    static const char *const unit[] = {"million", "billion", "trillion", "quadrillion"};
    double value = (double)count / 1e6;
    int i = 0;
    if (count < 1000000) {
        snprintf(text, size, "%" PRId64, count);
        return;
    }
    for (; value >= 999.5 && i < 3; i++)
        value /= 1000;
    snprintf(text, size, value < 9.95 ? "%.1f %s" : "%.0f %s", value, unit[i]);
}
