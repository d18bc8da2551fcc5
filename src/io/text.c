/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Works on slices of text: numbers, quoting, UTF-8 and byte cursors.
 * All text readers and most messages use it; it allocates nothing.
 */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

bool wgdn_text_is(wgdn_text t, const char *word)
{
    if (strlen(word) != t.size) return false;
    for (size_t i = 0; i < t.size; i++)
        if (lower(t.at[i]) != lower((unsigned char)word[i])) return false;
    return true;
}

bool wgdn_text_index(wgdn_text t, int64_t *out)
{
    int64_t value = 0;
    if (t.size == 0 || t.size > 18 || (t.at[0] == '0' && t.size > 1)) return false;
    for (size_t i = 0; i < t.size; i++) {
        const unsigned digit = t.at[i] - (unsigned)'0';
        if (digit > 9) return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool wgdn_text_integer(wgdn_text t, int64_t *out)
{
    const bool minus = t.size > 0 && t.at[0] == '-';
    int64_t value = 0;
    if (t.size > 0 && (minus || t.at[0] == '+')) t = wgdn_text_of(t.at + 1, t.size - 1);
    if (t.size == 0) return false;
    for (size_t i = 0; i < t.size; i++) {
        const unsigned digit = t.at[i] - (unsigned)'0';
        if (digit > 9 || value > (INT64_MAX - 9) / 10) return false;
        value = value * 10 + digit;
    }
    *out = minus ? -value : value;
    return true;
}

static bool word_number(wgdn_text t, double *out)
{
    static const char *const infinite[] = {"inf", "infinity"};
    const bool minus = t.size > 0 && t.at[0] == '-';
    if (t.size > 0 && (minus || t.at[0] == '+')) t = wgdn_text_of(t.at + 1, t.size - 1);
    for (int i = 0; i < 2; i++)
        if (wgdn_text_is(t, infinite[i])) {
            *out = minus ? -INFINITY : INFINITY;
            return true;
        }
    if (!wgdn_text_is(t, "nan")) return false;
    *out = NAN;
    return true;
}

/* strtod knows only the locale's decimal point, so give it that one. The
 * text is checked already. */
static bool slow_number(wgdn_text t, double *out)
{
    enum { TEXT_MAX = 1100 }; /* every double has an exact decimal form that fits */
    const char *point = localeconv()->decimal_point;
    char copy[TEXT_MAX + 16], *end;
    size_t used = 0;
    if (t.size > TEXT_MAX || strlen(point) > 8) return false;
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] != '.') {
            copy[used++] = (char)t.at[i];
            continue;
        }
        memcpy(copy + used, point, strlen(point));
        used += strlen(point);
    }
    copy[used] = '\0';
    *out = strtod(copy, &end);
    return end == copy + used;
}

/*
 * Up to 19 digits and a small power of ten: the digits below 2^53 and the power are exact doubles,
 * so one multiplication or division rounds once, correctly. All else goes the slow way.
 */
bool wgdn_text_number(wgdn_text t, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const unsigned char *p = t.at, *const end = t.at + t.size;
    uint64_t mantissa = 0;
    int digits = 0, significant = 0, scale = 0, exponent = 0;

    if (p < end && (*p == '-' || *p == '+')) p++;
    for (bool fraction = false; p < end; p++) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        const unsigned digit = *p - (unsigned)'0';
        if (digit > 9) break;
        digits = 1;
        if (significant < 19) mantissa = mantissa * 10 + digit;
        if (significant < 1000) significant += mantissa > 0;
        if (scale > -2000) scale -= fraction;
    }
    if (!digits) return word_number(t, out);
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool minus = false;
        if (++p < end && (*p == '-' || *p == '+')) minus = *p++ == '-';
        if (p == end) return false;
        for (; p < end && *p >= '0' && *p <= '9'; p++)
            if (exponent < 10000) exponent = exponent * 10 + (*p - '0');
        if (minus) exponent = -exponent;
    }
    if (p != end) return false;
    scale += exponent;
    if (significant > 19 || mantissa > (UINT64_C(1) << 53) || scale < -22 || scale > 22)
        return slow_number(t, out);
    const double exact = (double)mantissa;
    const double size = scale < 0 ? exact / power[-scale] : exact * power[scale];
    *out = t.at[0] == '-' ? -size : size;
    return true;
}

size_t wgdn_print_float(char out[WGDN_FLOAT_TEXT], float value)
{
    const int size = snprintf(out, WGDN_FLOAT_TEXT, "%.9g", (double)value);
    const char *point = localeconv()->decimal_point;
    if (strcmp(point, ".") != 0) {
        char *at = strstr(out, point);
        if (at) {
            *at = '.';
            memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
            return strlen(out);
        }
    }
    return (size_t)size;
}

size_t wgdn_print_index(char out[WGDN_INDEX_TEXT], int64_t value)
{
    char digits[WGDN_INDEX_TEXT];
    size_t size = 0;
    do {
        digits[size++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < size; i++)
        out[i] = digits[size - 1 - i];
    return size;
}

/* Printable characters stay as they are, also outside ASCII. Controls, and marks that change the
 * direction of the text around them, are escaped. */
static bool is_printable(int32_t point)
{
    const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    const bool direction = (point >= 0x200e && point <= 0x200f) ||
                           (point >= 0x2028 && point <= 0x202e) ||
                           (point >= 0x2066 && point <= 0x2069) || point == 0x61c;
    return !control && !direction;
}

wgdn_shown wgdn_show(wgdn_text t)
{
    enum { TEXT_MAX = 40 };
    wgdn_shown s;
    size_t used = 0, at = 0;
    s.text[used++] = '"';
    while (at < t.size) {
        size_t length;
        const bool plain = is_printable(wgdn_utf8_decode(t.at + at, t.size - at, &length));
        if (at + length > TEXT_MAX) break;
        for (size_t i = at; i < at + length; i++)
            if (plain)
                s.text[used++] = (char)t.at[i];
            else
                used += (size_t)snprintf(s.text + used, 5, "\\x%02x", t.at[i]);
        at += length;
    }
    snprintf(s.text + used, sizeof s.text - used, at < t.size ? "...\"" : "\"");
    return s;
}

wgdn_shown wgdn_show_name(const char *name)
{
    enum { TEXT_MAX = 90 };
    wgdn_shown s;
    const size_t size = strlen(name);
    if (size <= TEXT_MAX)
        snprintf(s.text, sizeof s.text, "%s", name);
    else
        snprintf(s.text, sizeof s.text, "...%s", name + size - (TEXT_MAX - 3));
    return s;
}

void wgdn_error_in(wgdn_error *err, wgdn_status code, const char *name, const char *format, ...)
{
    char said[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    wgdn_error_set(err, code, "%s: %s", wgdn_show_name(name).text, said);
}

void wgdn_error_at(wgdn_error *err, wgdn_status code, const char *name, int64_t line,
                   const char *format, ...)
{
    char said[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    wgdn_error_set(err, code, "%s:%lld: %s", wgdn_show_name(name).text, (long long)line, said);
}
