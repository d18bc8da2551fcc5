/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of nodes as numbers. Columns of text come as one block of UTF-8 and its offsets, as Arrow holds them, so that no
 * Python object is made but for the names that are different. Arrays of Python's text are brought into this form. Also finds
 * the columns of a table of edges.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Texts of one end of the edges. */
typedef struct column {
    core_buffer bytes, offset, out;
    int64_t count;
} column;

typedef struct name {
    const char *at;
    int64_t size;
    uint64_t hash;
} name;

/* Open addressing: a power of two of slots, each with the number of a name + 1, or 0. */
typedef struct table {
    int64_t *slot;
    uint64_t mask;
    name *known;
    int64_t count, room;
    uint64_t seed;
} table;

static int grow(table *t)
{
    const uint64_t slots = 2 * (t->mask + 1);
    int64_t *slot = calloc(slots, sizeof *slot);
    name *known = realloc(t->known, slots / 2 * sizeof *known);
    if (known) t->known = known;
    if (!slot || !known) {
        free(slot);
        return -1;
    }
    for (int64_t i = 0; i < t->count; i++) {
        uint64_t at = known[i].hash & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->mask = slots - 1;
    t->room = (int64_t)(slots / 2);
    return 0;
}

/* The number of a text, a new one if it is not known; -1: out of memory. */
static int64_t number_of(table *t, const char *at, int64_t size, uint64_t hash)
{
    if (t->count == t->room && grow(t)) return -1;
    uint64_t place = hash & t->mask;
    for (; t->slot[place]; place = (place + 1) & t->mask) {
        const name *k = &t->known[t->slot[place] - 1];
        if (k->hash == hash && k->size == size && memcmp(k->at, at, (size_t)size) == 0)
            return t->slot[place] - 1;
    }
    t->known[t->count] = (name){at, size, hash};
    t->slot[place] = ++t->count;
    return t->count - 1;
}

/* Whether offsets ascend within the block. */
static int is_sound(const column *c)
{
    const int64_t *offset = c->offset.data;
    int sound = offset[0] >= 0 && offset[c->count] <= c->bytes.items;
    for (int64_t i = 0; i < c->count && sound; i++)
        sound = offset[i] <= offset[i + 1];
    return sound;
}

enum {
    AHEAD = 32
}; /* texts that are hashed before they are looked up: slots come from memory meanwhile */

static const char *text_at(const column *c, int64_t i, int64_t *size)
{
    static const char none[1] = "";
    const int64_t *offset = c->offset.data;
    *size = offset[i + 1] - offset[i];
    return c->bytes.data ? (const char *)c->bytes.data + offset[i] : none;
}

/* Edges [first, first + count) with count up to AHEAD: source, then target of each. 0, or -1: out of memory. */
static int number_edges(table *t, const column *const end[2], int64_t first, int64_t count)
{
    uint64_t hash[2 * AHEAD];
    int64_t size;
    for (int64_t k = 0; k < 2 * count; k++) {
        const char *at = text_at(end[k % 2], first + k / 2, &size);
        hash[k] = XXH3_64bits_withSeed(at, (size_t)size, t->seed);
        __builtin_prefetch(&t->slot[hash[k] & t->mask]);
    }
    for (int64_t k = 0; k < 2 * count; k++) {
        const int64_t known = t->slot[hash[k] & t->mask];
        if (known) __builtin_prefetch(&t->known[known - 1]);
    }
    for (int64_t k = 0; k < 2 * count; k++) {
        const int64_t known = t->slot[hash[k] & t->mask];
        if (known) __builtin_prefetch(t->known[known - 1].at);
    }
    for (int64_t k = 0; k < 2 * count; k++) {
        const char *at = text_at(end[k % 2], first + k / 2, &size);
        const int64_t n = number_of(t, at, size, hash[k]);
        if (n < 0) return -1;
        ((int64_t *)end[k % 2]->out.data)[first + k / 2] = n;
    }
    return 0;
}

static int borrow_column(column *c, PyObject *const part[3], const char *what)
{
    if (core_borrow(&c->bytes, part[0], what, CORE_BYTE, -1) ||
        core_borrow(&c->offset, part[1], what, CORE_INT64, -1))
        return -1;
    c->count = c->offset.items - 1;
    if (core_borrow_out(&c->out, part[2], what, CORE_INT64, c->count)) return -1;
    if (c->count >= 0 && is_sound(c)) return 0;
    PyErr_Format(PyExc_ValueError, "%s: the offsets of its texts are invalid", what);
    return -1;
}

static void return_column(column *c)
{
    core_return(&c->out);
    core_return(&c->offset);
    core_return(&c->bytes);
}

static PyObject *names_of(const table *t)
{
    PyObject *list = PyList_New((Py_ssize_t)t->count);
    for (int64_t i = 0; list && i < t->count; i++) {
        PyObject *text = core_text(t->known[i].at, (Py_ssize_t)t->known[i].size);
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *core_number_texts(PyObject *module, PyObject *args)
{
    table t = {.mask = 511};
    column source = {.count = 0}, target = {.count = 0};
    PyObject *part[6], *list = NULL;
    unsigned long long seed;
    (void)module;
    if (!PyArg_ParseTuple(args, "KOOOOOO", &seed, &part[0], &part[1], &part[2], &part[3], &part[4],
                          &part[5]))
        return NULL;
    PyObject *const from[3] = {part[0], part[1], part[4]}, *const to[3] = {part[2], part[3],
                                                                           part[5]};
    t.seed = seed;
    if (borrow_column(&source, from, "sources of edges") ||
        borrow_column(&target, to, "targets of edges"))
        goto done;
    if (source.count != target.count) {
        PyErr_SetString(PyExc_ValueError, "edges: as many sources as targets were expected");
        goto done;
    }
    int failed;
    Py_BEGIN_ALLOW_THREADS failed = grow(&t);
    for (int64_t i = 0; i < source.count && !failed; i += AHEAD)
        failed = number_edges(&t, (const column *const[2]){&source, &target}, i,
                              source.count - i < AHEAD ? source.count - i : AHEAD);
    Py_END_ALLOW_THREADS list = failed ? PyErr_NoMemory() : names_of(&t);

done:
    free(t.known);
    free(t.slot);
    return_column(&target);
    return_column(&source);
    return list;
}

/* ---- Python's text as a block of UTF-8 ---- */

/* A block that grows, and room for the code points of one text. */
typedef struct growing {
    char *bytes;
    Py_UCS4 *point;
    size_t size, room, points;
} growing;

static int reserve(growing *b, size_t points)
{
    enum { UTF8_MAX = 4 };
    if (points > b->points) {
        const size_t count = 2 * points + 64;
        Py_UCS4 *more = realloc(b->point, count * sizeof *more);
        if (!more) return -1;
        b->point = more;
        b->points = count;
    }
    if (b->room - b->size < UTF8_MAX * points) {
        const size_t room = b->room + b->room / 2 + UTF8_MAX * points + 4096;
        char *more = realloc(b->bytes, room);
        if (!more) return -1;
        b->bytes = more;
        b->room = room;
    }
    return 0;
}

/*
 * The UTF-8 of code points, behind which the block has room. A surrogate of U+DC80 .. U+DCFF stands for a byte that was no UTF-8, as
 * Python's "surrogateescape" has it; any other one is refused: -1.
 */
static int append_points(growing *b, const Py_UCS4 *point, size_t count)
{
    unsigned char *to = (unsigned char *)b->bytes + b->size;
    Py_UCS4 all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= point[i];
        to[i] = (unsigned char)point[i];
    }
    if (all < 0x80) {
        b->size += count;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const Py_UCS4 c = point[i];
        if (c >= 0xdc80 && c <= 0xdcff) {
            *to++ = (unsigned char)(c - 0xdc00);
        } else if (c >= 0xd800 && c <= 0xdfff) {
            return -1;
        } else if (c < 0x80) {
            *to++ = (unsigned char)c;
        } else if (c < 0x800) {
            *to++ = (unsigned char)(0xc0 | c >> 6);
            *to++ = (unsigned char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            *to++ = (unsigned char)(0xe0 | c >> 12);
            *to++ = (unsigned char)(0x80 | (c >> 6 & 0x3f));
            *to++ = (unsigned char)(0x80 | (c & 0x3f));
        } else {
            *to++ = (unsigned char)(0xf0 | c >> 18);
            *to++ = (unsigned char)(0x80 | (c >> 12 & 0x3f));
            *to++ = (unsigned char)(0x80 | (c >> 6 & 0x3f));
            *to++ = (unsigned char)(0x80 | (c & 0x3f));
        }
    }
    b->size = (size_t)((char *)to - b->bytes);
    return 0;
}

/*
 * The references of an array of objects, as long as all are text. The stable ABI of Python 3.9 has no call that lends the UTF-8 of
 * a text, but one that copies its code points without making an object. 1: done, 0: one is no text, -1: an exception.
 */
static int append_objects(growing *b, int64_t *offset, PyObject *const *object, int64_t count)
{
    enum { AWAY = 12 }; /* texts lie anywhere in memory */
    for (int64_t i = 0; i < count; i++) {
        if (i + AWAY < count) __builtin_prefetch(object[i + AWAY]);
        if (!object[i] || !PyUnicode_CheckExact(object[i])) return 0;
        const Py_ssize_t size = PyUnicode_GetLength(object[i]);
        if (size < 0) return -1;
        if (reserve(b, (size_t)size)) {
            PyErr_NoMemory();
            return -1;
        }
        if (size && !PyUnicode_AsUCS4(object[i], b->point, size, 0)) return -1;
        if (append_points(b, b->point, (size_t)size)) return 0;
        offset[i + 1] = (int64_t)b->size;
    }
    return 1;
}

/* The same of NumPy's text of a fixed width, which ends with zeros. */
static int append_fixed(growing *b, int64_t *offset, const Py_UCS4 *point, int64_t width,
                        int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const Py_UCS4 *at = point + i * width;
        size_t size = (size_t)width;
        while (size > 0 && at[size - 1] == 0)
            size--;
        if (reserve(b, size)) {
            PyErr_NoMemory();
            return -1;
        }
        if (append_points(b, at, size)) return 0;
        offset[i + 1] = (int64_t)b->size;
    }
    return 1;
}

PyObject *core_encode_texts(PyObject *module, PyObject *args)
{
    core_buffer from = {0}, offset = {0};
    growing b = {0};
    PyObject *array, *to, *made = NULL;
    long long width;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLO", &array, &width, &to)) return NULL;
    int done = core_borrow(&from, array, "texts", width > 0 ? CORE_INT32 : CORE_OBJECT, -1);
    const int64_t count = width > 0 ? from.items / width : from.items;
    if (!done) done = core_borrow_out(&offset, to, "offsets", CORE_INT64, count + 1);
    if (!done) {
        ((int64_t *)offset.data)[0] = 0;
        done = width > 0 ? append_fixed(&b, offset.data, from.data, width, count)
                         : append_objects(&b, offset.data, from.data, count);
        if (done == 1) made = PyBytes_FromStringAndSize(b.bytes, (Py_ssize_t)b.size);
        if (done == 0) made = Py_BuildValue("");
    }
    free(b.point);
    free(b.bytes);
    core_return(&offset);
    core_return(&from);
    return made;
}

/* The text of one view of Arrow: beside its size where it is short, else in a block. NULL where it lies in none. */
static const char *find_view(const int32_t *view, const int64_t *address, const int64_t *size,
                             int64_t blocks)
{
    if (view[0] <= 12) return (const char *)(view + 1);
    const int32_t block = view[2], start = view[3];
    if (block < 0 || block >= blocks || start < 0 || !address[block] ||
        size[block] - start < view[0])
        return NULL;
    return (const char *)(intptr_t)address[block] + start;
}

PyObject *core_gather_texts(PyObject *module, PyObject *args)
{
    core_buffer views = {.items = 0}, offset = {.items = 0}, address = {.items = 0},
                size = {.items = 0}, out = {.items = 0};
    PyObject *part[5];
    int sound = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOO", &part[0], &part[1], &part[2], &part[3], &part[4]))
        return NULL;
    if (core_borrow(&views, part[0], "views", CORE_INT32, -1) ||
        core_borrow(&offset, part[1], "offsets", CORE_INT64, views.items / 4 + 1) ||
        core_borrow(&address, part[2], "blocks", CORE_INT64, -1) ||
        core_borrow(&size, part[3], "sizes of blocks", CORE_INT64, address.items) ||
        core_borrow_out(&out, part[4], "texts", CORE_BYTE, -1))
        goto done;
    const int64_t *at = offset.data;
    sound = 1;
    Py_BEGIN_ALLOW_THREADS for (int64_t i = 0; i < views.items / 4 && sound; i++)
    {
        const int32_t *view = (const int32_t *)views.data + 4 * i;
        const char *text =
            view[0] < 0 ? NULL : find_view(view, address.data, size.data, address.items);
        sound = text && at[i + 1] - at[i] == view[0] && at[i + 1] <= out.items;
        if (sound && view[0]) memcpy((char *)out.data + at[i], text, (size_t)view[0]);
    }
    Py_END_ALLOW_THREADS if (!sound)
        PyErr_SetString(PyExc_ValueError, "a view of the Arrow column lies outside its blocks");

done:
    core_return(&out);
    core_return(&size);
    core_return(&address);
    core_return(&offset);
    core_return(&views);
    if (!sound) return NULL;
    Py_RETURN_NONE;
}

PyObject *core_edge_columns(PyObject *module, PyObject *args)
{
    wgdn_edge_columns c = {.struct_size = sizeof c};
    wgdn_error err = {WGDN_OK, ""};
    char *text;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "y#", &text, &size)) return NULL;
    const wgdn_status st = wgdn_edge_columns_find(&c, text, (size_t)size, &err);
    if (st) return core_fail(module, st, &err);
    return Py_BuildValue("LLLLNN", (long long)c.source, (long long)c.target, (long long)c.weight,
                         (long long)c.graph, PyBool_FromLong(c.known),
                         PyBool_FromLong(c.two_kinds));
}
