/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes NumPy's .npy and .npz files. archive.c calls the readers for datasets and
 * vectors; the writers produce embeddings and datasets.
 */
#include "archive.h"
#include "text.h"
#include "zip.h"

#include <stdio.h>
#include <string.h>

/* A tensor as the bytes of an .npy, in two pieces: head, then data. */
typedef struct wgdn_npy_image {
    char head[512];
    size_t head_size;
    const void *data; /* the tensor's, or block */
    size_t data_size;
    void *block; /* to be released */
} wgdn_npy_image;

/*
 * Reads the header of an .npy file: magic, version, length, and a Python dict as text:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * Only this subset of Python is parsed; anything else is rejected with its byte position.
 */

enum { HEADER_MAX = 1 << 16 };

static const char object_reason[] =
    "holds Python objects, which only pickle can read, and pickle runs code from the file: save "
    "numbers or strings (array.astype) instead";

static wgdn_status npy_refuse_object(const char *name, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s", name, object_reason);
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

/*
 * Reads the data of an .npy file as a tensor. Little-endian arrays in C order are borrowed from the
 * file, so a mapped one costs nothing until it is accessed; all others are converted into new
 * memory.
 */

/* What takes part in each step: the header, the file's bytes, and where new memory comes from. */
typedef struct job {
    const wgdn_npy_header *h;
    const unsigned char *data;
    size_t count;
    const wgdn_bytes *file;
    wgdn_archive *a;
    size_t *limit;
    wgdn_error *err;
} job;

static wgdn_status take_room(unsigned char **out, const job *j, size_t size)
{
    if (size > *j->limit)
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: needs %zu bytes to convert; %zu are allowed",
                         j->file->name, size, *j->limit);
    *j->limit -= size;
    *out = wgdn_archive_room(j->a, size, j->file->name, j->err);
    return *out ? WGDN_OK : WGDN_ENOMEM;
}

/* Whether the order of the elements is another than C's. */
static bool moved(const wgdn_npy_header *h)
{
    return h->fortran && h->rank == 2 && h->shape[0] > 1 && h->shape[1] > 1;
}

/* Where element k in C order stands in the file. */
static size_t source_of(const job *j, size_t k)
{
    if (!moved(j->h)) return k;
    const size_t rows = (size_t)j->h->shape[0], cols = (size_t)j->h->shape[1];
    return k % cols * rows + k / cols;
}

static void copy_element(unsigned char *out, const unsigned char *in, size_t width, bool swap)
{
    if (!swap) {
        memcpy(out, in, width);
        return;
    }
    for (size_t i = 0; i < width; i++)
        out[i] = in[width - 1 - i];
}

static wgdn_status convert_plain(const job *j, wgdn_tensor *t)
{
    const size_t width = j->h->width, size = j->count * width; /* as long as the file's: fits */
    unsigned char *out = NULL;
    wgdn_status st = take_room(&out, j, size);
    if (!out) return st;
    t->data = out;
    if (!moved(j->h) && !j->h->swapped) {
        memcpy(out, j->data, size);
        return WGDN_OK;
    }
    for (size_t k = 0; k < j->count; k++)
        copy_element(out + k * width, j->data + source_of(j, k) * width, width, j->h->swapped);
    return WGDN_OK;
}

static uint32_t point_at(const unsigned char *p, bool swapped)
{
    return swapped ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                   : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* The UTF-8 of one element into out, or only its length when out is NULL; false if it has none. */
static bool text_element(unsigned char *out, size_t *length, const job *j, size_t k)
{
    const size_t points = j->h->width / 4;
    const unsigned char *p = j->data + source_of(j, k) * j->h->width;
    size_t used = points;
    while (used > 0 && point_at(p + 4 * (used - 1), j->h->swapped) == 0)
        used--;
    *length = 0;
    for (size_t i = 0; i < used; i++) {
        const uint32_t point = point_at(p + 4 * i, j->h->swapped);
        const size_t n = point ? wgdn_utf8_encode(out ? out + *length : NULL, point) : 0;
        if (n == 0) return false;
        *length += n;
    }
    return true;
}

static wgdn_status bad_text(const job *j, size_t k)
{
    return wgdn_fail(j->err, WGDN_EFORMAT,
                     "%s: string %zu at byte %zu holds a NUL or no Unicode character",
                     j->file->name, k, j->h->data + source_of(j, k) * j->h->width);
}

static wgdn_status convert_unicode(const job *j, wgdn_tensor *t)
{
    size_t width = 1, length;
    for (size_t k = 0; k < j->count; k++) {
        if (!text_element(NULL, &length, j, k)) return bad_text(j, k);
        if (length > width) width = length;
    }
    const size_t size = j->count * width; /* a character is four bytes there, at most four here */
    unsigned char *out = NULL;
    wgdn_status st = take_room(&out, j, size);
    if (!out) return st;
    memset(out, 0, size);
    for (size_t k = 0; k < j->count; k++)
        (void)text_element(out + k * width, &length, j, k);
    t->width = width;
    t->data = out;
    return WGDN_OK;
}

/* A NUL may only be padding, else the end of a string would be unknown. */
static wgdn_status check_bytes(const job *j)
{
    for (size_t k = 0; k < j->count; k++) {
        const unsigned char *p = j->data + k * j->h->width;
        const unsigned char *nul = memchr(p, 0, j->h->width);
        for (; nul && nul < p + j->h->width; nul++)
            if (*nul)
                return wgdn_fail(j->err, WGDN_EFORMAT, "%s: string %zu at byte %zu holds a NUL",
                                 j->file->name, k, j->h->data + k * j->h->width);
    }
    return WGDN_OK;
}

/* Exactly the bytes of the shape must follow: NumPy passes over more, but more is a mistake. */
static wgdn_status check_size(job *j)
{
    const wgdn_npy_header *h = j->h;
    const size_t left = j->file->size - h->data;
    size_t bytes;
    if (h->width == 0)
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: strings of width 0; expected at least 1",
                         j->file->name);
    if (!wgdn_shape_size(&j->count, &bytes, h->shape, h->rank, h->width))
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: the shape asks for more than 2^63 bytes",
                         j->file->name);
    if (bytes != left)
        return wgdn_fail(j->err, WGDN_EFORMAT,
                         "%s: %zu bytes follow the header at byte %zu; its shape and type ask for "
                         "%zu: %s",
                         j->file->name, left, h->data, bytes,
                         bytes > left ? "the file is cut short" : "something was added behind");
    if (h->fortran && h->rank > 2 && j->count > 1)
        return wgdn_fail(j->err, WGDN_EFORMAT,
                         "%s: Fortran order with %d dimensions; at most 2 are read: save "
                         "numpy.ascontiguousarray(a)",
                         j->file->name, h->rank);
    return WGDN_OK;
}

wgdn_status wgdn_read_npy(wgdn_archive *a, wgdn_tensor *t, const wgdn_bytes *file, size_t *limit,
                          wgdn_error *err)
{
    wgdn_npy_header h;
    wgdn_status st = wgdn_npy_header_read(&h, file, err);
    if (st != WGDN_OK) return st;
    if (h.object) return npy_refuse_object(file->name, err);
    job j = {
        .h = &h, .data = file->data + h.data, .file = file, .a = a, .limit = limit, .err = err};
    st = check_size(&j);
    if (st != WGDN_OK) return st;

    t->dtype = h.dtype;
    t->rank = h.rank;
    memcpy(t->shape, h.shape, sizeof t->shape);
    t->width = h.width;
    t->data = j.data;
    if (h.unicode) return convert_unicode(&j, t);
    if (h.dtype == WGDN_TEXT && (st = check_bytes(&j)) != WGDN_OK) return st;
    const bool aligned = h.dtype == WGDN_TEXT || (uintptr_t)j.data % h.width == 0;
    return moved(&h) || h.swapped || !aligned ? convert_plain(&j, t) : WGDN_OK;
}

enum { ALIGN = 64 };

/* The length of a text element without its padding. */
static size_t text_length(const unsigned char *p, size_t width)
{
    const unsigned char *nul = memchr(p, 0, width);
    return nul ? (size_t)(nul - p) : width;
}

/* The most code points of any element; false if some element is no UTF-8. */
static bool text_points(size_t *max, const wgdn_tensor *t, size_t count)
{
    *max = 1;
    for (size_t k = 0; k < count; k++) {
        const unsigned char *p = (const unsigned char *)t->data + k * t->width;
        size_t left = text_length(p, t->width), points = 0, used;
        for (; left > 0; p += used, left -= used, points++)
            if (wgdn_utf8_decode(p, left, &used) < 0) return false;
        if (points > *max) *max = points;
    }
    return true;
}

/* NumPy's U: four bytes a character, padded with zeros. */
static wgdn_status to_unicode(wgdn_npy_image *m, const wgdn_tensor *t, size_t count, size_t points,
                              wgdn_error *err)
{
    size_t size;
    if (!wgdn_size_mul(&size, points, 4 * sizeof(unsigned char)) ||
        !wgdn_size_mul(&size, size, count))
        return wgdn_fail(err, WGDN_ERANGE, "npy: %zu strings of %zu characters", count, points);
    unsigned char *out = m->block = wgdn_alloc_zero(size, 1);
    if (!out) return wgdn_fail(err, WGDN_ENOMEM, "npy: no memory for %zu bytes of text", size);
    for (size_t k = 0; k < count; k++) {
        const unsigned char *p = (const unsigned char *)t->data + k * t->width;
        size_t left = text_length(p, t->width), used;
        unsigned char *to = out + 4 * k * points;
        for (; left > 0; p += used, left -= used, to += 4) {
            const int32_t point = wgdn_utf8_decode(p, left, &used);
            to[0] = (unsigned char)point;
            to[1] = (unsigned char)(point >> 8);
            to[2] = (unsigned char)(point >> 16);
        }
    }
    m->data = out;
    m->data_size = size;
    return WGDN_OK;
}

/* Magic, version 1.0, and the dict, filled with spaces so that the data begin on a line of 64. */
static void make_head(wgdn_npy_image *m, const wgdn_tensor *t, const char *type)
{
    char *dict = m->head + 10;
    const size_t room = sizeof m->head - 10;
    size_t used =
        (size_t)snprintf(dict, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (int i = 0; i < t->rank; i++)
        used += (size_t)snprintf(dict + used, room - used, "%lld%s", (long long)t->shape[i],
                                 t->rank == 1      ? ","
                                 : i + 1 < t->rank ? ", "
                                                   : "");
    used += (size_t)snprintf(dict + used, room - used, "), }");
    for (; (10 + used + 1) % ALIGN != 0; used++)
        dict[used] = ' ';
    dict[used++] = '\n';
    memcpy(m->head, "\x93NUMPY\1\0", 8);
    m->head[8] = (char)(used & 255);
    m->head[9] = (char)(used >> 8);
    m->head_size = 10 + used;
}

static wgdn_status check_tensor(size_t *count, size_t *bytes, const wgdn_tensor *t, wgdn_error *err)
{
    const size_t width = t->dtype == WGDN_TEXT ? t->width : wgdn_dtype_width(t->dtype);
    if (t->rank < 0 || t->rank > WGDN_RANK_MAX || width == 0 ||
        !wgdn_shape_size(count, bytes, t->shape, t->rank, width))
        return wgdn_fail(err, WGDN_EINVAL, "npy: array '%s' of type %s: bad rank, shape or width",
                         wgdn_quote(t->name, strlen(t->name)).text, wgdn_dtype_name(t->dtype));
    return WGDN_OK;
}

static wgdn_status npy_image_make(wgdn_npy_image *m, const wgdn_tensor *t, wgdn_error *err)
{
    static const char *const types[] = {
        [WGDN_BOOL] = "|b1", [WGDN_I8] = "|i1",  [WGDN_U8] = "|u1",  [WGDN_I16] = "<i2",
        [WGDN_U16] = "<u2",  [WGDN_I32] = "<i4", [WGDN_U32] = "<u4", [WGDN_I64] = "<i8",
        [WGDN_U64] = "<u8",  [WGDN_F16] = "<f2", [WGDN_F32] = "<f4", [WGDN_F64] = "<f8",
    };
    size_t count = 0, bytes = 0, points = 0;
    char type[32];
    wgdn_status st = check_tensor(&count, &bytes, t, err);
    if (st != WGDN_OK) return st;
    if (t->dtype == WGDN_BF16)
        return wgdn_fail(err, WGDN_EINVAL,
                         "npy: NumPy has no bfloat16: write float16, or a .safetensors");
    *m = (wgdn_npy_image){.data = t->data, .data_size = bytes};
    if (t->dtype != WGDN_TEXT) {
        make_head(m, t, types[t->dtype]);
        return WGDN_OK;
    }
    if (text_points(&points, t, count)) {
        st = to_unicode(m, t, count, points, err);
        snprintf(type, sizeof type, "<U%zu", points);
    } else {
        snprintf(type, sizeof type, "|S%zu", t->width);
    }
    make_head(m, t, type);
    return st;
}

/* A file that has the head, and wants the data. */
static wgdn_status begin(wgdn_output **out, const char *path, const wgdn_npy_image *m,
                         wgdn_error *err)
{
    wgdn_output *o = NULL;
    wgdn_status st = wgdn_output_open(&o, path, err);
    if (st == WGDN_OK) st = wgdn_output_write(o, m->head, m->head_size, err);
    if (st == WGDN_OK)
        *out = o;
    else
        wgdn_output_abandon(o);
    return st;
}

wgdn_status wgdn_npy_begin(wgdn_output **out, const char *path, wgdn_dtype dtype, int64_t rows,
                           int64_t width, wgdn_error *err)
{
    const wgdn_tensor t = {.name = "rows",
                           .dtype = dtype,
                           .rank = 2,
                           .shape = {rows, width},
                           .width = wgdn_dtype_width(dtype)};
    wgdn_npy_image m = {.block = NULL};
    const wgdn_status st = npy_image_make(&m, &t, err);
    return st == WGDN_OK ? begin(out, path, &m, err) : st;
}

wgdn_status wgdn_write_npy(const char *path, const wgdn_tensor *t, wgdn_error *err)
{
    wgdn_npy_image m = {.block = NULL};
    wgdn_output *o = NULL;
    wgdn_status st = npy_image_make(&m, t, err);
    if (st == WGDN_OK) st = begin(&o, path, &m, err);
    if (st == WGDN_OK) st = wgdn_archive_copy(o, t->in, m.data, m.data_size, err);
    if (st == WGDN_OK)
        st = wgdn_output_commit(o, err);
    else
        wgdn_output_abandon(o);
    wgdn_release(m.block);
    return st;
}

/*
 * Reads and writes .npz files: zip archives whose members are .npy files, named after their arrays.
 */

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

static bool is_array(const char *name)
{
    const size_t length = strlen(name);
    return length >= SUFFIX && strcmp(name + length - SUFFIX, suffix) == 0;
}

static bool is_folder(const wgdn_zip_member *m)
{
    return m->size == 0 && m->name[strlen(m->name) - 1] == '/';
}

/* Every member must be an array, and all of them together must fit. */
static wgdn_status check_members(const wgdn_zip *z, size_t limit, wgdn_error *err)
{
    size_t total = 0;
    for (int64_t i = 0; i < z->members; i++) {
        const wgdn_zip_member *m = &z->member[i];
        if (!is_array(m->name) && !is_folder(m))
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: zip member '%s' is no .npy, so this is no .npz%s", z->bytes->name,
                             wgdn_quote(m->name, strlen(m->name)).text,
                             wgdn_zip_find(z, "data.pkl") >= 0
                                 ? " but a PyTorch file, which pickles: save .safetensors"
                                 : "");
        if (!m->deflated) continue; /* borrowed, not unpacked */
        if (!wgdn_size_add(&total, total, m->size) || total > limit)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: unpacks to more than the %zu bytes allowed at member '%s'",
                             z->bytes->name, limit, wgdn_quote(m->name, strlen(m->name)).text);
    }
    return WGDN_OK;
}

/* The bytes of member i, owned by the archive or the file; *limit shrinks by what was unpacked. */
static wgdn_status unpack(wgdn_bytes *view, wgdn_archive *a, const wgdn_zip *z, int64_t i,
                          size_t *limit, wgdn_error *err)
{
    wgdn_bytes got = {0};
    if (!z->member[i].deflated) return wgdn_zip_borrow(view, z, i, err);
    wgdn_status st = wgdn_zip_extract(&got, z, i, *limit, err);
    if (st != WGDN_OK) return st;
    *limit -= got.size;
    *view = got;
    st = wgdn_archive_keep(a, &got, err);
    wgdn_bytes_free(&got);
    return st;
}

static wgdn_status read_member(wgdn_archive *a, const wgdn_zip *z, int64_t i, size_t *limit,
                               wgdn_error *err)
{
    const char *member = z->member[i].name;
    wgdn_tensor *t = &a->tensor[a->tensors];
    wgdn_npy_header h;
    wgdn_bytes view;
    wgdn_status st = unpack(&view, a, z, i, limit, err);
    if (st != WGDN_OK) return st;
    char label[192];
    snprintf(label, sizeof label, "%.120s: %s", z->bytes->name,
             wgdn_quote(member, strlen(member)).text);
    view.name = label;
    const char *name = wgdn_archive_text(a, member, strlen(member) - SUFFIX, err);
    if (!name) return WGDN_ENOMEM;
    st = wgdn_npy_header_read(&h, &view, err);
    if (st == WGDN_OK && h.object) {
        a->left_out[a->left_out_count++] = (wgdn_text_pair){name, object_reason};
        return WGDN_OK;
    }
    t->name = name;
    if (st == WGDN_OK) st = wgdn_read_npy(a, t, &view, limit, err);
    if (st == WGDN_OK) a->tensors++;
    return st;
}

wgdn_status wgdn_read_npz(wgdn_archive *a, const wgdn_bytes *file, size_t limit, wgdn_error *err)
{
    wgdn_zip z = {0};
    wgdn_status st = wgdn_zip_open(&z, file, err);
    if (st != WGDN_OK) return st;
    st = check_members(&z, limit, err);
    if (st == WGDN_OK) st = wgdn_archive_reserve(a, (size_t)z.members, 0, (size_t)z.members, err);
    for (int64_t i = 0; st == WGDN_OK && i < z.members; i++)
        if (is_array(z.member[i].name)) st = read_member(a, &z, i, &limit, err);
    if (st == WGDN_OK && a->tensors == 0 && a->left_out_count > 0)
        st = npy_refuse_object(file->name, err);
    wgdn_zip_free(&z);
    return st;
}

static wgdn_status add_tensor(wgdn_zip_writer *w, const wgdn_tensor *t, wgdn_error *err)
{
    wgdn_npy_image m = {.block = NULL};
    const size_t length = strlen(t->name);
    char *name = wgdn_alloc(length + sizeof suffix, 1);
    wgdn_status st;
    if (!name) return wgdn_fail(err, WGDN_ENOMEM, "npz: a name of %zu bytes", length);
    memcpy(name, t->name, length);
    memcpy(name + length, suffix, sizeof suffix);
    st = npy_image_make(&m, t, err);
    if (st == WGDN_OK) st = wgdn_zip_add(w, name, m.head, m.head_size, m.data, m.data_size, err);
    wgdn_release(m.block);
    wgdn_release(name);
    return st;
}

wgdn_status wgdn_write_npz(const char *path, const wgdn_tensor *t, int64_t count, wgdn_error *err)
{
    wgdn_zip_writer w = {0};
    wgdn_status st = wgdn_zip_begin(&w, path, err);
    for (int64_t i = 0; st == WGDN_OK && i < count; i++)
        st = add_tensor(&w, &t[i], err);
    if (st == WGDN_OK) return wgdn_zip_commit(&w, err);
    wgdn_zip_abandon(&w);
    return st;
}
