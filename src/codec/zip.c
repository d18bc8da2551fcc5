/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A zip file ends with a directory of its members and an end record that says where it begins:
 *
 *     local header, data | ... | directory | [zip64 end record, zip64 locator] | end record
 *
 * The directory is what counts; each local header must agree with it.
 */
#include "zip.h"

#include "cursor.h"
#include "inflate.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

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

wgdn_status wgdn_zip_refuse(const wgdn_bytes *b, const wgdn_zip_member *m, const char *what,
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
        return wgdn_zip_refuse(b, m, "no local header there, though the directory says so", err);
    if (name_size != strlen(m->name) || memcmp(name, m->name, name_size) != 0 ||
        method != (m->deflated ? DEFLATED : STORED) || (flags & (ENCRYPTED | PATCHED)) ||
        (!(flags & SIZES_FOLLOW) &&
         !(crc == m->crc && agrees(packed, m->packed) && agrees(size, m->size))))
        return wgdn_zip_refuse(b, m, "its local header and the directory disagree", err);
    m->offset = c.at;
    return wgdn_cursor_run(&c, m->packed) ? WGDN_OK
                                          : wgdn_zip_refuse(b, m, "its data leave the file", err);
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
        return wgdn_zip_refuse(b, m, "its extra fields are broken", err);
    m->local_offset = offset > end ? end : (size_t)offset;
    m->size = (size_t)size;
    m->packed = (size_t)packed;
    m->deflated = method == DEFLATED;
    if (flags & ENCRYPTED) return wgdn_zip_refuse(b, m, "it is encrypted; save it without", err);
    if ((flags & PATCHED) || (method != STORED && method != DEFLATED))
        return wgdn_zip_refuse(b, m, "expected it stored or deflated", err);
    if (disk != 0) return wgdn_zip_refuse(b, m, "it is on another disk", err);
    if (!m->deflated && m->size != m->packed)
        return wgdn_zip_refuse(b, m, "stored, but its two sizes differ", err);
    if (m->deflated && m->size / WGDN_DEFLATE_RATIO > m->packed)
        return wgdn_zip_refuse(b, m, "it claims to unpack to more than deflate can pack", err);
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
            st = wgdn_zip_refuse(z->bytes, &order[i], "there are two of this name", err);
    qsort(order, n, sizeof *order, by_offset);
    for (size_t i = 1; i < n && st == WGDN_OK; i++)
        if (order[i - 1].offset + order[i - 1].packed > order[i].local_offset)
            st = wgdn_zip_refuse(z->bytes, &order[i], "it overlaps the one before", err);
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

void wgdn_zip_free(wgdn_zip *z)
{
    if (!z) return;
    wgdn_release(z->names);
    wgdn_release(z->member);
    *z = (wgdn_zip){0};
}
