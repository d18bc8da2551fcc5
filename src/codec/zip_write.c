/* SPDX-License-Identifier: Apache-2.0 */
#include "zip_write.h"

#include "inflate.h"
#include "unicode.h"
#include "zip.h"

#include <string.h>
#include <zlib.h>

/* Deflating runs at some 20 MB/s: only what takes a blink is tried, and only where it pays. */
static const size_t deflate_below = (size_t)16 << 20, sample_size = (size_t)64 << 10;

enum { DATE_1980 = 1 << 5 | 1, UTF8 = 1 << 11, VERSION = 20, VERSION_64 = 45 };

struct wgdn_zip_written {
    char *name;
    uint64_t size, packed, offset;
    uint32_t crc;
    bool deflated;
};

/* A record of little-endian numbers in the making. */
typedef struct record {
    unsigned char bytes[96];
    size_t size;
} record;

static void put(record *r, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++)
        r->bytes[r->size++] = (unsigned char)(value >> (8 * i));
}

static wgdn_status emit(wgdn_zip_writer *w, const void *data, size_t size, wgdn_error *err)
{
    w->offset += size;
    return wgdn_output_write(w->output, data, size, err);
}

wgdn_status wgdn_zip_begin(wgdn_zip_writer *w, const char *path, wgdn_error *err)
{
    *w = (wgdn_zip_writer){.path = path, .wide_from = UINT32_MAX};
    return wgdn_output_open(&w->output, path, err);
}

void wgdn_zip_abandon(wgdn_zip_writer *w)
{
    wgdn_output_abandon(w->output);
    for (size_t i = 0; i < w->members; i++)
        wgdn_release(w->member[i].name);
    wgdn_release(w->member);
    *w = (wgdn_zip_writer){0};
}

static bool wide(const wgdn_zip_writer *w, const wgdn_zip_written *m)
{
    return m->size >= w->wide_from || m->packed >= w->wide_from || m->offset >= w->wide_from;
}

/* What a local header and a directory entry have in common, from "version needed" on. */
static void put_common(record *r, const wgdn_zip_writer *w, const wgdn_zip_written *m, size_t extra)
{
    bool ascii = true;
    for (const char *c = m->name; *c; c++)
        ascii &= (unsigned char)*c < 0x80;
    put(r, wide(w, m) ? VERSION_64 : VERSION, 2);
    put(r, ascii ? 0 : UTF8, 2);
    put(r, m->deflated ? 8 : 0, 2);
    put(r, (uint64_t)DATE_1980 << 16, 4); /* midnight: a clock would make every file differ */
    put(r, m->crc, 4);
    put(r, wide(w, m) ? UINT32_MAX : m->packed, 4);
    put(r, wide(w, m) ? UINT32_MAX : m->size, 4);
    put(r, strlen(m->name), 2);
    put(r, extra, 2);
}

/* An extra field that only fills, so that stored data begin on a line of 64 and may be mapped. */
static void put_filler(record *extra, uint64_t at)
{
    enum { ALIGN = 64, HEAD = 6 };
    const size_t short_of = (size_t)((ALIGN - at % ALIGN) % ALIGN);
    if (short_of == 0) return;
    const size_t fill = short_of < HEAD ? short_of + ALIGN : short_of;
    put(extra, 0xd935, 2); /* as Android's zipalign does it: size, then the alignment */
    put(extra, fill - 4, 2);
    put(extra, ALIGN, 2);
    for (size_t i = HEAD; i < fill; i++)
        put(extra, 0, 1);
}

static wgdn_status emit_local(wgdn_zip_writer *w, const wgdn_zip_written *m, wgdn_error *err)
{
    enum { LOCAL_SIZE = 30, WORTH_FILLING = 4096 };
    record r = {.size = 0}, extra = {.size = 0};
    const size_t name = strlen(m->name);
    if (wide(w, m)) {
        put(&extra, 1, 2);
        put(&extra, 16, 2);
        put(&extra, m->size, 8);
        put(&extra, m->packed, 8);
    }
    if (!m->deflated && m->size >= WORTH_FILLING)
        put_filler(&extra, w->offset + LOCAL_SIZE + name + extra.size);
    put(&r, 0x04034b50, 4);
    put_common(&r, w, m, extra.size);
    wgdn_status st = emit(w, r.bytes, r.size, err);
    if (st == WGDN_OK) st = emit(w, m->name, name, err);
    if (st == WGDN_OK) st = emit(w, extra.bytes, extra.size, err);
    return st;
}

static wgdn_status emit_entry(wgdn_zip_writer *w, const wgdn_zip_written *m, wgdn_error *err)
{
    record r = {.size = 0}, extra = {.size = 0};
    put(&r, 0x02014b50, 4);
    put(&r, VERSION_64, 2);
    put_common(&r, w, m, wide(w, m) ? 28 : 0);
    put(&r, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
    put(&r, 0, 4);         /* external attributes */
    put(&r, wide(w, m) ? UINT32_MAX : m->offset, 4);
    put(&extra, 1, 2);
    put(&extra, 24, 2);
    put(&extra, m->size, 8);
    put(&extra, m->packed, 8);
    put(&extra, m->offset, 8);
    wgdn_status st = emit(w, r.bytes, r.size, err);
    if (st == WGDN_OK) st = emit(w, m->name, strlen(m->name), err);
    if (st == WGDN_OK && wide(w, m)) st = emit(w, extra.bytes, extra.size, err);
    return st;
}

static wgdn_status check_name(const wgdn_zip_writer *w, const char *name, wgdn_error *err)
{
    if (w->members >= WGDN_ZIP_MEMBERS_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "%s: more than %d members", w->path,
                         WGDN_ZIP_MEMBERS_MAX);
    if (strlen(name) > UINT16_MAX || !wgdn_utf8_valid(name, strlen(name)))
        return wgdn_fail(err, WGDN_EINVAL, "%s: '%s' cannot name a zip member: UTF-8 below 64 KB",
                         w->path, wgdn_quote(name, strlen(name)).text);
    for (size_t i = 0; i < w->members; i++)
        if (strcmp(w->member[i].name, name) == 0)
            return wgdn_fail(err, WGDN_EINVAL, "%s: two arrays are called '%s'", w->path,
                             wgdn_quote(name, strlen(name)).text);
    return WGDN_OK;
}

/* A place in the list for one more member, its name copied; it counts once it is written. */
static wgdn_status next_member(wgdn_zip_written **out, wgdn_zip_writer *w, const char *name,
                               wgdn_error *err)
{
    if (w->members == w->room) {
        const size_t room = w->room ? 2 * w->room : 16;
        wgdn_zip_written *wider = wgdn_alloc(room, sizeof *wider);
        if (!wider) return wgdn_fail(err, WGDN_ENOMEM, "%s: a list of %zu members", w->path, room);
        if (w->members) memcpy(wider, w->member, w->members * sizeof *wider);
        wgdn_release(w->member);
        w->member = wider;
        w->room = room;
    }
    wgdn_zip_written *m = &w->member[w->members];
    *m = (wgdn_zip_written){.name = wgdn_alloc(strlen(name) + 1, 1), .offset = w->offset};
    if (!m->name) return wgdn_fail(err, WGDN_ENOMEM, "%s: a member's name", w->path);
    memcpy(m->name, name, strlen(name) + 1);
    w->members++;
    *out = m;
    return WGDN_OK;
}

/* Whether a sample from the middle shrinks by a quarter: ids do, embeddings do not. */
static wgdn_status worth_packing(bool *worth, const void *body, size_t size, wgdn_error *err)
{
    void *out = NULL;
    size_t packed = 0;
    *worth = size < deflate_below;
    if (!*worth || size <= sample_size) return WGDN_OK;
    const unsigned char *sample = (const unsigned char *)body + (size - sample_size) / 2;
    const wgdn_status st = wgdn_deflate(&out, &packed, sample, sample_size, err);
    *worth = packed <= sample_size / 4 * 3;
    wgdn_release(out);
    return st;
}

/* Head and body as one deflated block, or *out = NULL when it would not be smaller. */
static wgdn_status pack(void **out, size_t *packed, const void *head, size_t head_size,
                        const void *body, size_t body_size, wgdn_error *err)
{
    const size_t size = head_size + body_size;
    unsigned char *whole = wgdn_alloc(size, 1);
    if (!whole) return wgdn_fail(err, WGDN_ENOMEM, "zip: no memory to pack %zu bytes", size);
    memcpy(whole, head, head_size);
    if (body_size) memcpy(whole + head_size, body, body_size);
    wgdn_status st = wgdn_deflate(out, packed, whole, size, err);
    if (st == WGDN_OK && *packed >= size) {
        wgdn_release(*out);
        *out = NULL;
    }
    wgdn_release(whole);
    return st;
}

wgdn_status wgdn_zip_add(wgdn_zip_writer *w, const char *name, const void *head, size_t head_size,
                         const void *body, size_t body_size, wgdn_error *err)
{
    wgdn_zip_written *m = NULL;
    void *packed = NULL;
    size_t size, packed_size = 0;
    bool worth = false;

    if (!wgdn_size_add(&size, head_size, body_size))
        return wgdn_fail(err, WGDN_ERANGE, "%s: a member of %zu bytes", w->path, body_size);
    wgdn_status st = check_name(w, name, err);
    if (st == WGDN_OK) st = next_member(&m, w, name, err);
    if (st == WGDN_OK) st = worth_packing(&worth, body, body_size, err);
    if (st == WGDN_OK && worth)
        st = pack(&packed, &packed_size, head, head_size, body, body_size, err);
    if (!m || st != WGDN_OK) goto done;
    m->size = size;
    m->deflated = packed != NULL;
    m->packed = packed ? packed_size : size;
    m->crc = (uint32_t)crc32_z(0, head, head_size);
    if (body_size) m->crc = (uint32_t)crc32_z(m->crc, body, body_size); /* NULL would reset it */
    st = emit_local(w, m, err);
    if (st == WGDN_OK && packed) st = emit(w, packed, packed_size, err);
    if (st == WGDN_OK && !packed) st = emit(w, head, head_size, err);
    if (st == WGDN_OK && !packed) st = emit(w, body, body_size, err);

done:
    wgdn_release(packed);
    return st;
}

static wgdn_status emit_end(wgdn_zip_writer *w, uint64_t start, wgdn_error *err)
{
    const uint64_t size = w->offset - start, at = w->offset;
    const bool large = at >= w->wide_from || w->members >= UINT16_MAX;
    wgdn_status st = WGDN_OK;
    record r = {.size = 0};
    if (large) {
        put(&r, 0x06064b50, 4);
        put(&r, 44, 8);
        put(&r, VERSION_64, 2);
        put(&r, VERSION_64, 2);
        put(&r, 0, 8); /* disks */
        put(&r, w->members, 8);
        put(&r, w->members, 8);
        put(&r, size, 8);
        put(&r, start, 8);
        put(&r, 0x07064b50, 4);
        put(&r, 0, 4);
        put(&r, at, 8);
        put(&r, 1, 4);
        st = emit(w, r.bytes, r.size, err);
        r.size = 0;
    }
    put(&r, 0x06054b50, 4);
    put(&r, 0, 4);
    put(&r, large ? UINT16_MAX : w->members, 2);
    put(&r, large ? UINT16_MAX : w->members, 2);
    put(&r, large ? UINT32_MAX : size, 4);
    put(&r, large ? UINT32_MAX : start, 4);
    put(&r, 0, 2);
    return st == WGDN_OK ? emit(w, r.bytes, r.size, err) : st;
}

wgdn_status wgdn_zip_commit(wgdn_zip_writer *w, wgdn_error *err)
{
    const uint64_t start = w->offset;
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; st == WGDN_OK && i < w->members; i++)
        st = emit_entry(w, &w->member[i], err);
    if (st == WGDN_OK) st = emit_end(w, start, err);
    if (st == WGDN_OK) {
        st = wgdn_output_commit(w->output, err);
        w->output = NULL;
    }
    wgdn_zip_abandon(w);
    return st;
}
