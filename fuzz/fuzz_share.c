/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packed dataset as ranks read it: each of one or three ranks in turn, over calls that carry
 * nothing. The others always agree, ask for no rows, and send zeros.
 */
#define _GNU_SOURCE
#include "fuzz_sizes.h"
#include "fuzz_use.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void gather(wgdn_ranks *r, const void *mine, size_t bytes, void *all, const size_t *of)
{
    char *to = all;
    for (int k = 0; r->rank == 0 && k < r->count; to += of[k++])
        if (k == 0)
            memmove(to, mine, bytes);
        else
            memset(to, 0, of[k]);
}

static void broadcast(wgdn_ranks *r, void *data, size_t bytes)
{
    (void)r, (void)data, (void)bytes;
}

static void swap(wgdn_ranks *r, const void *out, const size_t *out_bytes, void *in,
                 const size_t *in_bytes)
{
    const char *from = out;
    char *to = in;
    for (int k = 0; k < r->count; k++) {
        fuzz_touch(from, out_bytes[k]);
        if (in_bytes[k]) memset(to, 0, in_bytes[k]);
        if (k == r->rank && in_bytes[k]) memcpy(to, from, in_bytes[k]);
        from += out_bytes[k];
        to += in_bytes[k];
    }
}

static int64_t same(wgdn_ranks *r, int64_t value)
{
    (void)r;
    return value;
}

static void begin(wgdn_halo *h, int64_t width)
{
    fuzz_touch(h->packed, (size_t)(h->sends * width) * sizeof *h->packed);
}

static void finish(wgdn_halo *h, int64_t width)
{
    memset(h->buffer, 0, (size_t)(h->count * width) * sizeof *h->buffer);
}

static void forget(wgdn_halo *h)
{
    (void)h;
}

static void end(wgdn_ranks *r, int code)
{
    (void)r, (void)code;
    abort();
}

static void leave(wgdn_ranks *r)
{
    (void)r;
}

static const wgdn_ranks_calls calls = {.gather = gather,
                                       .broadcast = broadcast,
                                       .swap = swap,
                                       .sum = same,
                                       .max = same,
                                       .begin = begin,
                                       .finish = finish,
                                       .forget = forget,
                                       .end = end,
                                       .close = leave};

/* What a rank has of the graph, and its features, are what they say. */
static void look_at(const wgdn_dataset *d)
{
    const wgdn_csr *a = &d->graph->adjacency;
    const wgdn_features *f = &d->features;
    FUZZ_EXPECT(a->rows >= 0 && a->rows <= d->nodes && a->offset[0] == 0);
    for (int64_t i = 0; i < a->rows; i++)
        FUZZ_EXPECT(a->offset[i] <= a->offset[i + 1]);
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        FUZZ_EXPECT(a->column[k] >= 0 && a->column[k] < a->cols);
    if (f->dense) fuzz_touch(f->dense, (size_t)(f->rows * f->width) * sizeof *f->dense);
    if (f->width == 0 || f->dense) return;
    FUZZ_EXPECT(f->width > 0 && f->width <= INT32_MAX);
    for (int64_t k = 0; k < wgdn_csr_entries(&f->sparse); k++)
        FUZZ_EXPECT(f->sparse.column[k] >= 0 && f->sparse.column[k] < f->width);
}

static void read_as(const char *path, int rank, int count)
{
    static double room[64];
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_ranks r = {.rank = rank, .count = count, .call = &calls, .limit = 1 << 20, .join = room};
    wgdn_dataset_options_init(&o);
    o.max_nodes = 1 << 12;
    o.max_entries = 1 << 16;
    o.ranks = &r;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    FUZZ_EXPECT(d);
    d->graphs = 1;
    const wgdn_status st = wgdn_packed_share(d, path, &o, &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    if (!st) look_at(d);
    wgdn_dataset_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    const int64_t live = fuzz_use_begin();
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        FUZZ_EXPECT(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    FUZZ_EXPECT(ftruncate(file, (off_t)size) == 0);
    FUZZ_EXPECT(pwrite(file, data, size, 0) == (ssize_t)size);
    const unsigned way = fuzz_way(data, size) % 4;
    if (way == 3)
        read_as(path, 0, 1);
    else
        read_as(path, (int)way, 3);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
