/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES, madvise */
#include "archive_build.h"
#include "cursor.h"
#include "inflate.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tensors are little endian in files and in memory; this machine is not"
#endif

/* Everything the tensors may point at, in the order of taking. */
typedef struct holdings {
    wgdn_bytes *kept;
    size_t count, room;
} holdings;

static wgdn_status start(wgdn_archive *a, wgdn_error *err)
{
    a->inside = wgdn_alloc_zero(1, sizeof(holdings));
    return a->inside ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "archive: no memory to begin");
}

wgdn_status wgdn_archive_keep(wgdn_archive *a, wgdn_bytes *b, wgdn_error *err)
{
    if (!a->inside && start(a, err)) return WGDN_ENOMEM;
    holdings *h = a->inside;
    if (h->count == h->room) {
        const size_t room = h->room ? 2 * h->room : 8;
        wgdn_bytes *wider = wgdn_alloc(room, sizeof *wider);
        if (!wider) return wgdn_fail(err, WGDN_ENOMEM, "archive: a list of %zu blocks", room);
        if (h->count) memcpy(wider, h->kept, h->count * sizeof *wider);
        wgdn_release(h->kept);
        h->kept = wider;
        h->room = room;
    }
    h->kept[h->count++] = *b;
    *b = (wgdn_bytes){0};
    return WGDN_OK;
}

void *wgdn_archive_room(wgdn_archive *a, size_t size, const char *what, wgdn_error *err)
{
    void *block = wgdn_alloc(size, 1);
    wgdn_bytes b = {.data = block, .size = size, .block = block};
    if (!block) {
        wgdn_error_set(err, WGDN_ENOMEM, "%s: no memory for %zu bytes", what, size);
        return NULL;
    }
    if (wgdn_archive_keep(a, &b, err) != WGDN_OK) {
        wgdn_release(block);
        return NULL;
    }
    return block;
}

char *wgdn_archive_text(wgdn_archive *a, const char *text, size_t size, wgdn_error *err)
{
    char *copy = wgdn_archive_room(a, size + 1, "archive: a name", err);
    if (!copy) return NULL;
    if (size) memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

wgdn_status wgdn_archive_reserve(wgdn_archive *a, size_t tensors, size_t metadata, size_t left_out,
                                 wgdn_error *err)
{
    a->tensor = wgdn_alloc_zero(tensors, sizeof *a->tensor);
    a->metadata = wgdn_alloc_zero(metadata, sizeof *a->metadata);
    a->left_out = wgdn_alloc_zero(left_out, sizeof *a->left_out);
    if (!a->tensor || !a->metadata || !a->left_out)
        return wgdn_fail(err, WGDN_ENOMEM, "archive: no memory to list %zu arrays", tensors);
    return WGDN_OK;
}

void wgdn_archive_forget(const wgdn_archive *a)
{
    const holdings *h = a->inside;
    for (size_t i = 0; h && i < h->count; i++)
        if (h->kept[i].mapped) (void)madvise(h->kept[i].block, h->kept[i].size, MADV_DONTNEED);
}

void wgdn_archive_forget_at(const wgdn_archive *a, const void *data, size_t size, bool soon)
{
    const holdings *h = a->inside;
    for (size_t i = 0; h && a->sparing && i < h->count; i++) {
        wgdn_bytes b = h->kept[i];
        const uintptr_t from = (uintptr_t)data - (uintptr_t)b.data; /* far beyond where before it */
        if (soon) b.held = 0;
        if (b.mapped && from < b.size) wgdn_bytes_forget(&b, from, from + size);
    }
}

size_t wgdn_archive_window(const wgdn_archive *a, size_t left)
{
    const size_t window = (size_t)1 << 25;
    return a && left > window ? window : left;
}

wgdn_status wgdn_archive_copy(wgdn_output *o, const wgdn_archive *a, const void *data, size_t size,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (size_t at = 0, part; at < size && !st; at += part) {
        part = wgdn_archive_window(a, size - at);
        st = wgdn_output_write(o, (const char *)data + at, part, err);
        if (a) wgdn_archive_forget_at(a, (const char *)data + at, part, false);
    }
    return st;
}

bool wgdn_archive_changed(const wgdn_archive *a, char *name, size_t size)
{
    const holdings *h = a->inside;
    for (size_t i = 0; h && i < h->count; i++)
        if (wgdn_bytes_changed(&h->kept[i], name, size)) return true;
    return false;
}

void wgdn_archive_free(wgdn_archive *a)
{
    if (!a) return;
    holdings *h = a->inside;
    for (size_t i = 0; h && i < h->count; i++)
        wgdn_bytes_free(&h->kept[i]);
    if (h) wgdn_release(h->kept);
    wgdn_release(h);
    wgdn_release(a->left_out);
    wgdn_release(a->metadata);
    wgdn_release(a->tensor);
    *a = (wgdn_archive){0};
}

const wgdn_tensor *wgdn_archive_find(const wgdn_archive *a, const char *name)
{
    for (int64_t i = 0; i < a->tensors; i++)
        if (strcmp(a->tensor[i].name, name) == 0) return &a->tensor[i];
    return NULL;
}

const char *wgdn_archive_metadata(const wgdn_archive *a, const char *key)
{
    for (int64_t i = 0; i < a->metadata_count; i++)
        if (strcmp(a->metadata[i].key, key) == 0) return a->metadata[i].value;
    return NULL;
}

typedef enum { NPY, NPZ, SAFETENSORS, OTHER } kind;

static bool begins(const wgdn_bytes *b, const char *magic, size_t size)
{
    return b->size >= size && memcmp(b->data, magic, size) == 0;
}

static kind kind_of(const wgdn_bytes *b)
{
    if (begins(b, "\x93NUMPY", 6)) return NPY;
    if (begins(b, "PK\3\4", 4) || begins(b, "PK\5\6", 4)) return NPZ;
    if (b->size > 8 && b->data[8] == '{') return SAFETENSORS;
    return OTHER;
}

static bool is_text(unsigned char c)
{
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* What a file is that is none of ours, and what its owner may do. */
static const char *looks_like(const wgdn_bytes *b)
{
    static const struct {
        const char *magic;
        size_t size;
        const char *words;
    } known[] = {
        {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file: save its arrays with numpy.savez"},
        {"\x1f\x8b", 2, "gzip: unpack it first"},
        {"BZh", 3, "bzip2: unpack it first"},
        {"\xfd\x37zXZ", 5, "xz: unpack it first"},
        {"\x28\xb5\x2f\xfd", 4, "zstd: unpack it first"},
        {"\x80", 1, "a Python pickle, which is never read as it may run code: use numpy.savez"},
        {"PAR1", 4, "a Parquet file: save its columns with numpy.savez"},
        {"ARROW1", 6, "an Arrow file: save its columns with numpy.savez"},
        {"MATLAB 5.0", 10, "a MATLAB file: save its arrays with numpy.savez"},
        {"%%MatrixMarket", 14, "a Matrix Market file, which is no archive of arrays"},
    };
    if (b->size == 0) return "an empty file";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(b, known[i].magic, known[i].size)) return known[i].words;
    for (size_t i = 0; i < b->size && i < 512; i++)
        if (!is_text(b->data[i])) return "nothing known here";
    return "text";
}

static wgdn_status parse(wgdn_archive *a, const wgdn_bytes *file, size_t limit, wgdn_error *err)
{
    wgdn_status st;
    switch (kind_of(file)) {
    case NPY:
        st = wgdn_archive_reserve(a, 1, 0, 0, err);
        if (st != WGDN_OK) return st;
        a->tensor->name = "";
        st = wgdn_read_npy(a, a->tensor, file, &limit, err);
        a->tensors = 1;
        return st;
    case NPZ: return wgdn_read_npz(a, file, limit, err);
    case SAFETENSORS: return wgdn_read_safetensors(a, file, err);
    case OTHER: break;
    }
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: the file looks like %s; expected .npy, .npz or .safetensors by its first "
                     "bytes",
                     file->name, looks_like(file));
}

static wgdn_status take(wgdn_archive *a, wgdn_bytes *b, size_t limit, bool unread, wgdn_error *err)
{
    wgdn_archive made = {.unread = unread};
    const wgdn_bytes file = *b; /* stays a valid view once the archive owns it */
    wgdn_status st = start(&made, err);
    if (st == WGDN_OK) st = wgdn_archive_keep(&made, b, err);
    if (st == WGDN_OK) st = parse(&made, &file, limit, err);
    if (st == WGDN_OK)
        *a = made;
    else
        wgdn_archive_free(&made);
    wgdn_bytes_free(b);
    return st;
}

wgdn_status wgdn_archive_parse(wgdn_archive *a, wgdn_bytes *b, size_t limit, wgdn_error *err)
{
    return take(a, b, limit, false, err);
}

/* What can be unpacked at all: the memory of the machine. */
static size_t memory_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t bytes;
    if (pages <= 0 || page <= 0 || !wgdn_size_mul(&bytes, (size_t)pages, (size_t)page))
        return SIZE_MAX;
    return bytes;
}

wgdn_status wgdn_archive_open(wgdn_archive *a, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    return st == WGDN_OK ? wgdn_archive_parse(a, &b, memory_limit(), err) : st;
}

wgdn_status wgdn_archive_open_header(wgdn_archive *a, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    return st == WGDN_OK ? take(a, &b, memory_limit(), true, err) : st;
}
