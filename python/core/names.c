/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of nodes as numbers. Columns of text come as one block of UTF-8 and its offsets, as Arrow holds them, so that no
 * Python object is made but for the names that are different. Also finds the columns of a table of edges.
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
