/* SPDX-License-Identifier: Apache-2.0 */
#include "integer_lines.h"

#include <string.h>

int64_t wgdn_count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t lines = end > p && end[-1] != '\n';
    while (p < end) { /* small sums, which vectorise */
        const int64_t size = end - p < 255 ? end - p : 255;
        uint8_t sum = 0;
        for (int64_t i = 0; i < size; i++)
            sum += p[i] == '\n';
        lines += sum;
        p += size;
    }
    return lines;
}

/*
 * One to seven digits without a branch per digit: find the first byte that is none, move the digits
 * to the high end, then join neighbours, neighbouring pairs, and the two halves, each by a product
 * that adds ten, a hundred and ten thousand times the one before. Gives how many digits there are,
 * seven where more follow; 0 for none and for a needless zero in front. Reads eight bytes.
 */
static inline int quick_integer(const unsigned char *p, int32_t *out)
{
    const uint64_t high = UINT64_C(0x8080808080808080), eighth = UINT64_C(1) << 63;
    uint64_t t;
    memcpy(&t, p, sizeof t);
    t ^= UINT64_C(0x3030303030303030);
    const uint64_t other = (((t + UINT64_C(0x7676767676767676)) | t) & high) | eighth;
    const int bit = __builtin_ctzll(other); /* 7 of the first byte that is no digit */
    if (bit == 7 || (bit > 15 && (t & 255) == 0)) return 0;
    t = t << 8 << (bit ^ 63);
    t = t * (1 + (10 << 8)) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    t = t * (1 + (100 << 16)) >> 16 & UINT64_C(0x0000ffff0000ffff);
    *out = (int32_t)(t * (1 + (UINT64_C(10000) << 32)) >> 32);
    return bit >> 3;
}

enum { QUICK_LINE = 32 }; /* bytes that quick_line() may look at */

/* Behind a line as most are; NULL for one that read_line() should look at. */
static inline const unsigned char *quick_line(const unsigned char *p, char separator, int32_t *to)
{
    const int digits = quick_integer(p, to);
    p += digits;
    if (digits == 0 || *p++ != (unsigned char)separator) return NULL;
    const int more = quick_integer(p, to + 1);
    p += more;
    if (*p == '\r') p++;
    return more > 0 && *p == '\n' ? p + 1 : NULL;
}

static const unsigned char *read_integer(const unsigned char *p, const unsigned char *end,
                                         int32_t *out)
{
    int64_t value = 0;
    const unsigned char *const first = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value >= INT32_MAX) return NULL;
    }
    if (p == first || (p - first > 1 && *first == '0')) return NULL;
    *out = (int32_t)value;
    return p;
}

/* Behind the fields after two integers; NULL where they are not as they should be. */
static const unsigned char *pass_rest(const unsigned char *p, const unsigned char *end,
                                      char separator, wgdn_integer_rest rest)
{
    const unsigned char between = (unsigned char)separator;
    const unsigned char blank = separator == ' ' ? '\t' : '\n'; /* also between blanks */
    for (int64_t k = 0; k < rest.fields; k++) {
        if (p == end || *p++ != between) return NULL;
        const unsigned char *const from = p;
        while (p < end && *p != between && *p != '\n' && *p != blank)
            p++;
        if (rest.one) {
            if (p == from || *from != '1') return NULL;
            p = from + 1;
        } else if (p > from ? *from == '"' || *from == ' ' : separator == ' ') {
            return NULL;
        }
    }
    return p;
}

/* Any line of two integers; false for what is none, and for one line more than were counted. */
static bool read_line(wgdn_integer_text *c, char separator, wgdn_integer_rest rest)
{
    const unsigned char *p = c->p, *const end = c->end;
    if (c->to == c->to_end) return false;
    p = read_integer(p, end, c->to);
    if (!p || p == end) return false;
    if (*p != (unsigned char)separator && !(separator == ' ' && *p == '\t')) return false;
    p++;
    while (p < end && separator != '\t' && *p == ' ')
        p++;
    p = read_integer(p, end, c->to + 1);
    if (p && rest.fields) p = pass_rest(p, end, separator, rest);
    if (!p) return false;
    if (p < end && *p == '\r') p++;
    if (p < end && *p++ != '\n') return false;
    c->p = p;
    c->to += 2;
    return true;
}

/* Lines that may be read quickly from where c stands, whatever they are. */
static int64_t quick_lines(const wgdn_integer_text *c)
{
    const int64_t lines = (c->end - c->p) / QUICK_LINE, room = (c->to_end - c->to) / 2;
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return 0;
    return lines < room ? lines : room;
}

bool wgdn_integer_rows(wgdn_integer_text *c, char separator, wgdn_integer_rest rest)
{
    while (c->p < c->end)
        if (!read_line(c, separator, rest)) return false;
    return c->to == c->to_end;
}

bool wgdn_integer_lines(wgdn_integer_text *a, wgdn_integer_text *b, char separator)
{
    const wgdn_integer_rest none = {.fields = 0};
    for (;;) {
        const int64_t x = quick_lines(a), y = quick_lines(b), lines = x < y ? x : y;
        const unsigned char *p = a->p, *q = b->p;
        int64_t done = 0;
        if (lines == 0) break;
        for (; done < lines; done++) {
            const unsigned char *const after_p = quick_line(p, separator, a->to + 2 * done);
            const unsigned char *const after_q = quick_line(q, separator, b->to + 2 * done);
            if (!after_p || !after_q) break;
            p = after_p;
            q = after_q;
        }
        a->p = p;
        b->p = q;
        a->to += 2 * done;
        b->to += 2 * done;
        if (done < lines && !(read_line(a, separator, none) && read_line(b, separator, none)))
            return false;
    }
    return wgdn_integer_rows(a, separator, none) && wgdn_integer_rows(b, separator, none);
}
