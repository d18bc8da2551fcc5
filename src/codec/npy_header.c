/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of an .npy: magic, version, length, and a Python dict as text:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * Only this much of Python is understood; anything else is refused with its byte.
 */
#include "cursor.h"
#include "npy.h"
#include "unicode.h"

#include <string.h>

enum { HEADER_MAX = 1 << 16 };

const char wgdn_npy_object_reason[] =
    "holds Python objects, which only pickle can read, and pickle runs code from the file: save "
    "numbers or strings (array.astype) instead";

wgdn_status wgdn_npy_refuse_object(const char *name, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s", name, wgdn_npy_object_reason);
}

/* The text of the dict and a place in it; base is where it begins in the file. */
typedef struct reader {
    const char *text;
    size_t size, at, base;
    const char *name;
    wgdn_error *err;
} reader;

static wgdn_status expected(const reader *r, const char *what)
{
    const size_t left = r->size - r->at;
    return wgdn_fail(r->err, WGDN_EFORMAT, "%s: npy header, byte %zu: expected %s, found '%s'",
                     r->name, r->base + r->at, what,
                     wgdn_quote(r->text + r->at, left < 20 ? left : 20).text);
}

static void skip_spaces(reader *r)
{
    while (r->at < r->size && (r->text[r->at] == ' ' || r->text[r->at] == '\n'))
        r->at++;
}

static char peek(const reader *r)
{
    if (r->at < r->size) return r->text[r->at];
    return '\0';
}

/* c, with spaces around it; false moves nothing but spaces. */
static bool take(reader *r, char c)
{
    skip_spaces(r);
    if (peek(r) != c) return false;
    r->at++;
    skip_spaces(r);
    return true;
}

static bool take_word(reader *r, const char *word)
{
    const size_t size = strlen(word);
    if (r->size - r->at < size || memcmp(r->text + r->at, word, size) != 0) return false;
    r->at += size;
    return true;
}

/* A string without escapes in either kind of quotes. */
static bool take_string(reader *r, const char **text, size_t *size)
{
    const char quote = peek(r);
    if (quote != '\'' && quote != '"') return false;
    const char *begin = r->text + r->at + 1;
    const char *end = memchr(begin, quote, r->size - r->at - 1);
    if (!end || memchr(begin, '\\', (size_t)(end - begin))) return false;
    *text = begin;
    *size = (size_t)(end - begin);
    r->at += *size + 2;
    return true;
}

/* Digits that fit 63 bits; Python 2 wrote an L behind long ones. */
static bool take_number(reader *r, int64_t *out)
{
    const size_t begin = r->at;
    int64_t value = 0;
    for (; peek(r) >= '0' && peek(r) <= '9'; r->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, peek(r) - '0', &value))
            return false;
    if (r->at == begin) return false;
    if (peek(r) == 'L') r->at++;
    *out = value;
    return true;
}

static wgdn_status read_shape(reader *r, wgdn_npy_header *h)
{
    bool comma = true;
    if (!take(r, '(')) return expected(r, "a tuple of dimensions");
    for (h->rank = 0; !take(r, ')'); h->rank++) {
        if (!comma) return expected(r, "',' or ')'");
        if (h->rank == WGDN_RANK_MAX) return expected(r, "at most 8 dimensions");
        if (!take_number(r, &h->shape[h->rank])) return expected(r, "a dimension below 2^63");
        comma = take(r, ',');
    }
    return h->rank == 1 && !comma ? expected(r, "(n,) for a single dimension") : WGDN_OK;
}

static bool number_type(wgdn_npy_header *h, char kind, int64_t width)
{
    static const struct {
        char kind;
        int width;
        wgdn_dtype dtype;
    } known[] = {
        {'b', 1, WGDN_BOOL}, {'i', 1, WGDN_I8},  {'u', 1, WGDN_U8},  {'i', 2, WGDN_I16},
        {'u', 2, WGDN_U16},  {'i', 4, WGDN_I32}, {'u', 4, WGDN_U32}, {'i', 8, WGDN_I64},
        {'u', 8, WGDN_U64},  {'f', 2, WGDN_F16}, {'f', 4, WGDN_F32}, {'f', 8, WGDN_F64},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].kind != kind || known[i].width != width) continue;
        h->dtype = known[i].dtype;
        h->width = (size_t)width;
        return true;
    }
    return false;
}

static bool text_type(wgdn_npy_header *h, char kind, int64_t length)
{
    if ((kind != 'U' && kind != 'S') || length > INT32_MAX / 4) return false;
    h->dtype = WGDN_TEXT;
    h->unicode = kind == 'U';
    h->width = (size_t)length * (h->unicode ? 4 : 1);
    return true;
}

/* '<f4', '|b1', '>U10': byte order, kind, size. */
static wgdn_status read_type(reader *r, wgdn_npy_header *h)
{
    const size_t begin = r->at;
    const char *text;
    size_t size;
    int64_t length = 0;
    if (peek(r) == '[') return expected(r, "a plain type, not a record: save one array per field");
    if (!take_string(r, &text, &size)) return expected(r, "a type such as '<f4'");
    const size_t end = r->at;
    r->at = begin + 1;
    const char order = peek(r);
    r->at++;
    const char kind = peek(r);
    h->object = size >= 2 && kind == 'O';
    if (h->object) {
        r->at = end;
        return WGDN_OK;
    }
    r->at++;
    const bool known = size >= 3 && order != 0 && strchr("<>|=", order) &&
                       take_number(r, &length) && r->at == end - 1 &&
                       (number_type(h, kind, length) || text_type(h, kind, length)) &&
                       (order != '|' || h->width == 1 || kind == 'S');
    h->swapped = order == '>' && (h->width > 1 || h->unicode) && kind != 'S';
    r->at = known ? end : begin;
    return known ? WGDN_OK : expected(r, "a type of bool, int, uint, float (2, 4, 8), U or S");
}

static wgdn_status read_value(reader *r, wgdn_npy_header *h, int key)
{
    if (key == 0) return read_type(r, h);
    if (key == 2) return read_shape(r, h);
    h->fortran = take_word(r, "True");
    return h->fortran || take_word(r, "False") ? WGDN_OK : expected(r, "True or False");
}

static wgdn_status read_dict(reader *r, wgdn_npy_header *h)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool seen[3] = {false, false, false}, comma = true;
    if (!take(r, '{')) return expected(r, "'{'");
    while (!take(r, '}')) {
        const char *text;
        size_t size;
        int key = 0;
        if (!comma) return expected(r, "',' or '}'");
        const size_t begin = r->at;
        if (!take_string(r, &text, &size)) return expected(r, "a key");
        while (key < 3 && (strlen(keys[key]) != size || memcmp(keys[key], text, size) != 0))
            key++;
        if (key == 3 || seen[key]) {
            r->at = begin;
            return expected(r, "descr, fortran_order and shape, each once");
        }
        seen[key] = true;
        if (!take(r, ':')) return expected(r, "':'");
        wgdn_status st = read_value(r, h, key);
        if (st != WGDN_OK) return st;
        comma = take(r, ',');
    }
    if (!seen[0] || !seen[1] || !seen[2])
        return expected(r, "descr, fortran_order and shape before the end");
    return r->at < r->size ? expected(r, "nothing after '}' but spaces") : WGDN_OK;
}

wgdn_status wgdn_npy_header_read(wgdn_npy_header *h, const wgdn_bytes *file, wgdn_error *err)
{
    wgdn_cursor c = wgdn_cursor_at(file->data, file->size, 0);
    const unsigned char *magic = wgdn_cursor_run(&c, 8);
    *h = (wgdn_npy_header){0};
    if (!magic || memcmp(magic, "\x93NUMPY", 6) != 0)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: expected \\x93NUMPY at byte 0", file->name);
    if (magic[6] < 1 || magic[6] > 3 || magic[7] != 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: npy version %d.%d at byte 6; expected 1.0, 2.0 or 3.0", file->name,
                         magic[6], magic[7]);
    const size_t length = magic[6] == 1 ? wgdn_cursor_u16(&c) : wgdn_cursor_u32(&c);
    reader r = {.size = length, .base = c.at, .name = file->name, .err = err};
    r.text = length <= HEADER_MAX ? (const char *)wgdn_cursor_run(&c, length) : NULL;
    if (!r.text)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: npy header of %zu bytes at byte 8; the file has %zu left and %d is "
                         "the most",
                         file->name, length, wgdn_cursor_left(&c), HEADER_MAX);
    h->data = c.at;
    return read_dict(&r, h);
}
