/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads zip archives from memory, checking every header, and writes them. The .npz functions in
 * npy.c, the TU reader and source.c use it.
 */
#include "zip.h"
#include "compression.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/*
 * A zip file ends with a directory of its members and an end record that points to the directory:
 *
 *     local header, data | ... | directory | [zip64 end record, zip64 locator] | end record
 *
 * The directory is authoritative; each local header must agree with it.
 */

enum {
    LOCAL = 0x04034b50,
    ENTRY = 0x02014b50,
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    LOCAL_SIZE = 30,
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    EXTRA64 = 1,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1 | 1 << 6 | 1 << 13,
    PATCHED = 1 << 5,
    SIZES_FOLLOW = 1 << 3,
};

/* Where the directory lies. */
typedef struct place {
    uint64_t entries, size, offset;
    size_t end; /* of what comes before the end records */
} place;

static wgdn_status bad(const wgdn_bytes *b, size_t at, const char *what, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: zip, byte %zu: %s", b->name, at, what);
}

/* WGDN_EFORMAT, naming file, member and byte. */
static wgdn_status zip_refuse(const wgdn_bytes *b, const wgdn_zip_member *m, const char *what,
                              wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: zip member '%s' at byte %zu: %s", b->name,
                     wgdn_quote(m->name, strlen(m->name)).text, m->local_offset, what);
}

static uint32_t signature_at(const wgdn_bytes *b, size_t at)
{
    wgdn_cursor c = wgdn_cursor_at(b->data, b->size, at);
    return wgdn_cursor_u32(&c);
}

/* The last end record whose comment reaches exactly to the end of the file. */
static bool find_end(const wgdn_bytes *b, size_t *at)
{
    const size_t comment_most = UINT16_MAX;
    for (size_t comment = 0; comment <= comment_most && comment + END_SIZE <= b->size; comment++) {
        *at = b->size - END_SIZE - comment;
        if (b->data[*at] != 'P' || signature_at(b, *at) != END) continue;
        wgdn_cursor c = wgdn_cursor_at(b->data, b->size, *at + END_SIZE - 2);
        if (wgdn_cursor_u16(&c) == comment) return true;
    }
    return false;
}

static wgdn_status read_end64(place *p, const wgdn_bytes *b, size_t locator, wgdn_error *err)
{
    wgdn_cursor c = wgdn_cursor_at(b->data, b->size, locator + 4);
    const uint32_t disk = wgdn_cursor_u32(&c);
    const uint64_t at = wgdn_cursor_u64(&c);
    const uint32_t disks = wgdn_cursor_u32(&c);
    if (disk != 0 || disks > 1) return bad(b, locator, "more than one disk", err);
    if (at > locator || locator - at < END64_SIZE || signature_at(b, (size_t)at) != END64)
        return bad(b, locator, "the zip64 end record is not where its locator says", err);
    c = wgdn_cursor_at(b->data, b->size, (size_t)at + 4);
    if (wgdn_cursor_u64(&c) != locator - at - 12)
        return bad(b, (size_t)at, "the zip64 end record does not end at its locator", err);
    wgdn_cursor_run(&c, 4);       /* versions */
    if (wgdn_cursor_u64(&c) != 0) /* two numbers of disks */
        return bad(b, (size_t)at, "more than one disk", err);
    const uint64_t here = wgdn_cursor_u64(&c);
    p->entries = wgdn_cursor_u64(&c);
    p->size = wgdn_cursor_u64(&c);
    p->offset = wgdn_cursor_u64(&c);
    p->end = (size_t)at;
    return here == p->entries ? WGDN_OK : bad(b, (size_t)at, "more than one disk", err);
}

static wgdn_status read_end(place *p, const wgdn_bytes *b, wgdn_error *err)
{
    size_t at;
    if (!find_end(b, &at))
        return bad(b, b->size, "no end record before the end: the file is cut short or no zip",
                   err);
    wgdn_cursor c = wgdn_cursor_at(b->data, b->size, at + 4);
    const uint32_t disks = wgdn_cursor_u32(&c); /* two numbers, both 0 */
    const uint16_t here = wgdn_cursor_u16(&c), entries = wgdn_cursor_u16(&c);
    const uint32_t size = wgdn_cursor_u32(&c), offset = wgdn_cursor_u32(&c);
    *p = (place){.entries = entries, .size = size, .offset = offset, .end = at};
    if (at >= LOCATOR64_SIZE && signature_at(b, at - LOCATOR64_SIZE) == LOCATOR64) {
        wgdn_status st = read_end64(p, b, at - LOCATOR64_SIZE, err);
        if (st != WGDN_OK) return st;
        if ((entries != UINT16_MAX && entries != p->entries) ||
            (size != UINT32_MAX && size != p->size) ||
            (offset != UINT32_MAX && offset != p->offset))
            return bad(b, at, "the two end records disagree", err);
    } else if (disks != 0 || here != entries) {
        return bad(b, at, "more than one disk", err);
    }
    if (p->offset > p->end || p->size != p->end - p->offset)
        return bad(b, at, "the directory does not end where the end record begins", err);
    if (p->entries > p->size / ENTRY_SIZE || p->entries > WGDN_ZIP_MEMBERS_MAX)
        return bad(b, at, "more members than the directory can hold, or than 2^20", err);
    return WGDN_OK;
}

/* Sizes beyond 32 bits stand in extra field 1, in this order, each only if it is needed. */
static bool read_extra64(wgdn_cursor extra, uint64_t *size, uint64_t *packed, uint64_t *offset)
{
    uint64_t *const wide[] = {size, packed, offset};
    while (wgdn_cursor_left(&extra) >= 4) {
        const uint16_t id = wgdn_cursor_u16(&extra), length = wgdn_cursor_u16(&extra);
        const unsigned char *run = wgdn_cursor_run(&extra, length);
        if (!run) return false;
        if (id != EXTRA64) continue;
        wgdn_cursor c = wgdn_cursor_at(run, length, 0);
        for (int i = 0; i < 3; i++)
            if (*wide[i] == UINT32_MAX) *wide[i] = wgdn_cursor_u64(&c);
        return !c.over;
    }
    return *size != UINT32_MAX && *packed != UINT32_MAX && *offset != UINT32_MAX;
}

/* A size of 32 bits either is the real one or says that it stands elsewhere. */
static bool agrees(uint32_t narrow, size_t real)
{
    return narrow == UINT32_MAX || narrow == real;
}

/* The local header repeats name, method, checksum and sizes, and says where the data begins. */
static wgdn_status read_local(wgdn_zip_member *m, const wgdn_bytes *b, size_t end, wgdn_error *err)
{
    wgdn_cursor c = wgdn_cursor_at(b->data, end, m->local_offset);
    const uint32_t signature = wgdn_cursor_u32(&c);
    wgdn_cursor_run(&c, 2);
    const uint16_t flags = wgdn_cursor_u16(&c), method = wgdn_cursor_u16(&c);
    wgdn_cursor_run(&c, 4);
    const uint32_t crc = wgdn_cursor_u32(&c);
    const uint32_t packed = wgdn_cursor_u32(&c), size = wgdn_cursor_u32(&c);
    const uint16_t name_size = wgdn_cursor_u16(&c), extra_size = wgdn_cursor_u16(&c);
    const unsigned char *name = wgdn_cursor_run(&c, name_size);
    wgdn_cursor_run(&c, extra_size);
    if (c.over || signature != LOCAL)
        return zip_refuse(b, m, "no local header there, though the directory says so", err);
    if (name_size != strlen(m->name) || memcmp(name, m->name, name_size) != 0 ||
        method != (m->deflated ? DEFLATED : STORED) || (flags & (ENCRYPTED | PATCHED)) ||
        (!(flags & SIZES_FOLLOW) &&
         !(crc == m->crc && agrees(packed, m->packed) && agrees(size, m->size))))
        return zip_refuse(b, m, "its local header and the directory disagree", err);
    m->offset = c.at;
    return wgdn_cursor_run(&c, m->packed) ? WGDN_OK
                                          : zip_refuse(b, m, "its data leave the file", err);
}

/* One entry of the directory; names is where the copy of its name goes. */
static wgdn_status read_entry(wgdn_zip_member *m, wgdn_cursor *c, char **names, const wgdn_bytes *b,
                              size_t end, wgdn_error *err)
{
    const size_t at = c->at;
    const uint32_t signature = wgdn_cursor_u32(c);
    wgdn_cursor_run(c, 4); /* versions */
    const uint16_t flags = wgdn_cursor_u16(c), method = wgdn_cursor_u16(c);
    wgdn_cursor_run(c, 4); /* time and date */
    m->crc = wgdn_cursor_u32(c);
    uint64_t packed = wgdn_cursor_u32(c), size = wgdn_cursor_u32(c);
    const uint16_t name_size = wgdn_cursor_u16(c), extra_size = wgdn_cursor_u16(c);
    const uint16_t comment_size = wgdn_cursor_u16(c), disk = wgdn_cursor_u16(c);
    wgdn_cursor_run(c, 6); /* attributes */
    uint64_t offset = wgdn_cursor_u32(c);
    const unsigned char *name = wgdn_cursor_run(c, name_size);
    const unsigned char *extra = wgdn_cursor_run(c, extra_size);
    wgdn_cursor_run(c, comment_size);
    if (c->over || signature != ENTRY) return bad(b, at, "expected a directory entry", err);
    if (name_size == 0 || memchr(name, 0, name_size))
        return bad(b, at, "a member's name is empty or holds a NUL", err);
    memcpy(*names, name, name_size);
    (*names)[name_size] = '\0';
    m->name = *names;
    *names += name_size + 1;

    if (!read_extra64(wgdn_cursor_at(extra, extra_size, 0), &size, &packed, &offset))
        return zip_refuse(b, m, "its extra fields are broken", err);
    m->local_offset = offset > end ? end : (size_t)offset;
    m->size = (size_t)size;
    m->packed = (size_t)packed;
    m->deflated = method == DEFLATED;
    if (flags & ENCRYPTED) return zip_refuse(b, m, "it is encrypted; save it without", err);
    if ((flags & PATCHED) || (method != STORED && method != DEFLATED))
        return zip_refuse(b, m, "expected it stored or deflated", err);
    if (disk != 0) return zip_refuse(b, m, "it is on another disk", err);
    if (!m->deflated && m->size != m->packed)
        return zip_refuse(b, m, "stored, but its two sizes differ", err);
    if (m->deflated && m->size / WGDN_DEFLATE_RATIO > m->packed)
        return zip_refuse(b, m, "it claims to unpack to more than deflate can pack", err);
    return read_local(m, b, end, err);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const wgdn_zip_member *)a)->name, ((const wgdn_zip_member *)b)->name);
}

static int by_offset(const void *a, const void *b)
{
    const size_t x = ((const wgdn_zip_member *)a)->local_offset;
    const size_t y = ((const wgdn_zip_member *)b)->local_offset;
    return (x > y) - (x < y);
}

/* No name twice, no byte in two members. */
static wgdn_status check_apart(const wgdn_zip *z, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    const size_t n = (size_t)z->members;
    wgdn_zip_member *order = wgdn_alloc(n, sizeof *order);
    if (!order) return wgdn_fail(err, WGDN_ENOMEM, "%s: %zu members", z->bytes->name, n);
    memcpy(order, z->member, n * sizeof *order);
    qsort(order, n, sizeof *order, by_name);
    for (size_t i = 1; i < n && st == WGDN_OK; i++)
        if (strcmp(order[i - 1].name, order[i].name) == 0)
            st = zip_refuse(z->bytes, &order[i], "there are two of this name", err);
    qsort(order, n, sizeof *order, by_offset);
    for (size_t i = 1; i < n && st == WGDN_OK; i++)
        if (order[i - 1].offset + order[i - 1].packed > order[i].local_offset)
            st = zip_refuse(z->bytes, &order[i], "it overlaps the one before", err);
    wgdn_release(order);
    return st;
}

wgdn_status wgdn_zip_open(wgdn_zip *z, const wgdn_bytes *b, wgdn_error *err)
{
    wgdn_zip made = {.bytes = b};
    place p = {0};
    wgdn_status st = read_end(&p, b, err);
    if (st != WGDN_OK) return st;
    made.members = (int64_t)p.entries;
    made.member = wgdn_alloc_zero((size_t)p.entries, sizeof *made.member);
    made.names = wgdn_alloc((size_t)p.size + 1, 1); /* an entry is longer than its name and a NUL */
    if (!made.member || !made.names) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: directory of %lld members", b->name,
                       (long long)made.members);
        goto done;
    }
    char *names = made.names;
    wgdn_cursor c = wgdn_cursor_at(b->data, p.end, (size_t)p.offset);
    for (int64_t i = 0; i < made.members; i++)
        if ((st = read_entry(&made.member[i], &c, &names, b, (size_t)p.offset, err)) != WGDN_OK)
            goto done;
    if (c.at != p.end) {
        st = bad(b, c.at, "bytes after the last directory entry", err);
        goto done;
    }
    st = check_apart(&made, err);
    if (st != WGDN_OK) goto done;
    *z = made;
    made = (wgdn_zip){0};

done:
    wgdn_zip_free(&made);
    return st;
}

static wgdn_status check_sum(const wgdn_bytes *out, const wgdn_zip *z, const wgdn_zip_member *m,
                             wgdn_error *err)
{
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
    return WGDN_OK; /* a fuzzer that had to guess checksums would see nothing behind them */
#endif
    if (crc32_z(0, out->data, out->size) == m->crc) return WGDN_OK;
    return zip_refuse(z->bytes, m, "its checksum is wrong: the file is damaged", err);
}

wgdn_status wgdn_zip_extract(wgdn_bytes *out, const wgdn_zip *z, int64_t i, size_t limit,
                             wgdn_error *err)
{
    const wgdn_zip_member *m = &z->member[i];
    const unsigned char *packed = z->bytes->data + m->offset;
    wgdn_status st = WGDN_OK;
    if (m->size > limit)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: zip member '%s' unpacks to %zu bytes; %zu are allowed",
                         z->bytes->name, wgdn_quote(m->name, strlen(m->name)).text, m->size, limit);
    wgdn_bytes made = {.size = m->size, .name = m->name, .block = wgdn_alloc(m->size, 1)};
    made.data = made.block;
    if (!made.block)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", z->bytes->name,
                         m->size);
    if (m->deflated)
        st = wgdn_inflate(made.block, m->size, packed, m->packed, z->bytes->name, m->offset, err);
    else if (m->size)
        memcpy(made.block, packed, m->size);
    if (st == WGDN_OK) st = check_sum(&made, z, m, err);
    if (st == WGDN_OK)
        *out = made;
    else
        wgdn_bytes_free(&made);
    return st;
}

wgdn_status wgdn_zip_borrow(wgdn_bytes *out, const wgdn_zip *z, int64_t i, wgdn_error *err)
{
    const wgdn_zip_member *m = &z->member[i];
    const wgdn_bytes view = {.data = z->bytes->data + m->offset, .size = m->size, .name = m->name};
    if (m->deflated) return zip_refuse(z->bytes, m, "it is deflated and cannot be borrowed", err);
    wgdn_status st = check_sum(&view, z, m, err);
    if (st == WGDN_OK) *out = view;
    return st;
}

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
    enum { ZIP_WRITE_LOCAL_SIZE = 30, WORTH_FILLING = 4096 };
    record r = {.size = 0}, extra = {.size = 0};
    const size_t name = strlen(m->name);
    if (wide(w, m)) {
        put(&extra, 1, 2);
        put(&extra, 16, 2);
        put(&extra, m->size, 8);
        put(&extra, m->packed, 8);
    }
    if (!m->deflated && m->size >= WORTH_FILLING)
        put_filler(&extra, w->offset + ZIP_WRITE_LOCAL_SIZE + name + extra.size);
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
    if (!wgdn_grow(&w->member, &w->room, (int64_t)w->members + 1, sizeof *w->member))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: a list of %zu members", w->path, w->members);
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
