/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include <inttypes.h>
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

void show_name(FILE *to, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)bytes[i];
        const size_t length = utf8_length(bytes + i, size - i);
        /* 0xc2 0x80 .. 0x9f are control characters too */
        const int control = c < 0x20 || c == 0x7f ||
                            (length == 2 && c == 0xc2 && (unsigned char)bytes[i + 1] < 0xa0);
        if (length == 0 || control)
            fprintf(to, "\\x%02x", c);
        else
            fwrite(bytes + i, 1, length, to);
        i += length && !control ? length : 1;
    }
}

/* Cleaned bytes after what out has; what does not fit is left out. */
static size_t append(char *out, size_t room, const char *bytes, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const unsigned char c = (unsigned char)bytes[at];
        const size_t step = utf8_length(bytes + at, length - at);
        const int plain = step > 0 && c >= 0x20 && c != 0x7f;
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
