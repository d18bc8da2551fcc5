/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_TEXT_H
#define WGDN_IO_TEXT_H

#include "base/base.h"

#include <string.h>

/* Pieces of text: slices, numbers, and how to show them to a person. */
/* Bytes inside something larger; not ended by NUL, not always UTF-8. */
typedef struct wgdn_text {
    const unsigned char *at;
    size_t size;
} wgdn_text;

static inline wgdn_text wgdn_text_of(const void *at, size_t size)
{
    return (wgdn_text){(const unsigned char *)at, size};
}

bool wgdn_text_is(wgdn_text t, const char *word); /* ASCII letters match in either case */

/* Whether the text is one of these; NULL ends them. */
static inline bool wgdn_text_is_any(wgdn_text t, const char *const *word)
{
    while (*word && !wgdn_text_is(t, *word))
        word++;
    return *word != NULL;
}

/* somewhere, to the letter */
static inline bool wgdn_text_holds(wgdn_text t, const char *word)
{
    const size_t size = strlen(word);
    for (; t.size >= size; t = wgdn_text_of(t.at + 1, t.size - 1))
        if (memcmp(t.at, word, size) == 0) return true;
    return false;
}

/* by bytes; a prefix comes first */
static inline int wgdn_text_compare(wgdn_text a, wgdn_text b)
{
    const size_t both = a.size < b.size ? a.size : b.size;
    const int order = both ? memcmp(a.at, b.at, both) : 0;
    if (order) return order;
    return a.size < b.size ? -1 : a.size > b.size;
}

/* Visible ASCII as it is, all else and % as %xx: bytes of names in the text of a model. */
static inline size_t wgdn_text_escape(char out[4], unsigned char c)
{
    static const char digit[] = "0123456789abcdef";
    const bool plain = c > ' ' && c <= '~' && c != '%';
    const char code[4] = {(char)(plain ? c : '%'), (char)(plain ? '\0' : digit[c >> 4]),
                          digit[c & 15], '\0'};
    memcpy(out, code, sizeof code);
    return plain ? 1 : 3;
}
/* The byte that %xx stands for; -1 for any other text, which ends with NUL. */
static inline int wgdn_text_unescape(const char *text)
{
    static const char digit[] = "0123456789abcdef";
    const char *high = text[0] == '%' && text[1] ? strchr(digit, text[1]) : NULL;
    const char *low = high && text[2] ? strchr(digit, text[2]) : NULL;
    return low ? (int)(16 * (high - digit) + (low - digit)) : -1;
}

/* Digits without sign or needless zeros, below 2^63: the one way to write that integer. */
bool wgdn_text_index(wgdn_text t, int64_t *out);
/* Any sign, leading zeros allowed; false if it is not an integer or does not fit. */
bool wgdn_text_integer(wgdn_text t, int64_t *out);
/*
 * A decimal number, the whole text, whatever the locale; also inf and nan in their common
 * spellings, so that the caller can refuse them by name. Correctly rounded.
 */
bool wgdn_text_number(wgdn_text t, double *out);

enum { WGDN_FLOAT_TEXT = 24, WGDN_INDEX_TEXT = 20 };
/* Nine digits, which a float survives; always a point, never a comma. Gives the length. */
size_t wgdn_print_float(char out[WGDN_FLOAT_TEXT], float value);
size_t wgdn_print_index(char out[WGDN_INDEX_TEXT], int64_t value); /* value >= 0 */

/* The text in quotes, cut after 40 bytes, unprintable bytes as \xNN: for messages. */
typedef struct wgdn_shown {
    char text[176];
} wgdn_shown;
wgdn_shown wgdn_show(wgdn_text t);
/* The end of a long file name, so that a message keeps room for its news. */
wgdn_shown wgdn_show_name(const char *name);

/* The error "NAME: ..." of a file, and "NAME:LINE: ..."; as wgdn_error_set() and wgdn_fail(). */
__attribute__((format(printf, 4, 5))) void wgdn_error_in(wgdn_error *err, wgdn_status code,
                                                         const char *name, const char *format, ...);
__attribute__((format(printf, 5, 6))) void wgdn_error_at(wgdn_error *err, wgdn_status code,
                                                         const char *name, int64_t line,
                                                         const char *format, ...);
#define wgdn_fail_in(err, code, ...) (wgdn_error_in((err), (code), __VA_ARGS__), (code))
#define wgdn_fail_at(err, code, ...) (wgdn_error_at((err), (code), __VA_ARGS__), (code))

/* t into buffer, cut to size - 1 bytes and ended with NUL; returns its whole length. */
static inline int64_t wgdn_text_put(char *buffer, size_t size, wgdn_text t)
{
    if (size > 0) {
        const size_t copied = t.size < size ? t.size : size - 1;
        memcpy(buffer, t.at, copied);
        buffer[copied] = '\0';
    }
    return (int64_t)t.size;
}

/* Reading numbers from bytes that may end too soon. */
/*
 * A place in a run of bytes. A read that would pass the end gives 0 (NULL for a run), moves nothing
 * and sets `over`, which stays set: read a whole record, then ask once.
 */
typedef struct wgdn_cursor {
    const unsigned char *data;
    size_t size, at;
    bool over;
} wgdn_cursor;

static inline wgdn_cursor wgdn_cursor_at(const unsigned char *data, size_t size, size_t at)
{
    return (wgdn_cursor){
        .data = data, .size = size, .at = at < size ? at : size, .over = at > size};
}

static inline size_t wgdn_cursor_left(const wgdn_cursor *c)
{
    return c->over ? 0 : c->size - c->at;
}

/* The next bytes, borrowed. */
static inline const unsigned char *wgdn_cursor_run(wgdn_cursor *c, size_t size)
{
    if (c->over || size > c->size - c->at) {
        c->over = true;
        return NULL;
    }
    c->at += size;
    return c->data + (c->at - size);
}

/* A little-endian number of `width` bytes. */
static inline uint64_t wgdn_cursor_number(wgdn_cursor *c, size_t width)
{
    const unsigned char *p = wgdn_cursor_run(c, width);
    uint64_t value = 0;
    for (size_t i = 0; p && i < width; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static inline uint16_t wgdn_cursor_u16(wgdn_cursor *c)
{
    return (uint16_t)wgdn_cursor_number(c, 2);
}

static inline uint32_t wgdn_cursor_u32(wgdn_cursor *c)
{
    return (uint32_t)wgdn_cursor_number(c, 4);
}

static inline uint64_t wgdn_cursor_u64(wgdn_cursor *c)
{
    return wgdn_cursor_number(c, 8);
}

/* UTF-8, one code point at a time, and names from files made fit for a message. */
/*
 * The code point at the start of text, whose length in bytes goes to *used; -1 for what is no
 * UTF-8 (also surrogates and needlessly long forms). size is at least 1.
 */
int32_t wgdn_utf8_decode(const unsigned char *text, size_t size, size_t *used);
/* 1 .. 4 bytes, or 0 for a number that is no code point. out may be NULL to ask for the length. */
size_t wgdn_utf8_encode(unsigned char *out, uint32_t point);

static inline bool wgdn_utf8_valid(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used;
    for (; size > 0; at += used, size -= used)
        if (wgdn_utf8_decode(at, size, &used) < 0) return false;
    return true;
}

/* Text from a file may hold anything: control bytes become '?', the middle of a long one "...". */
typedef struct wgdn_quoted {
    char text[64];
} wgdn_quoted;
wgdn_quoted wgdn_quote(const char *text, size_t size);

#endif
