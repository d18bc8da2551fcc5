/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_SORTER_H
#define WGDN_IO_SORTER_H

#include "base/base.h"
#include "scratch.h"

/*
 * Records sorted by key with bounded memory: blocks of them are sorted and appended to one file as
 * runs, which are then merged. Records of the same key stay in the order in which they came.
 */
typedef struct wgdn_record {
    uint64_t key; /* below 2^63 */
    float weight;
    uint32_t unused; /* 0, as records are hashed */
} wgdn_record;

typedef struct wgdn_sorter {
    const wgdn_scratch *scratch;
    wgdn_manifest *manifest; /* lists the runs */
    int words;               /* of a record: 1, the key; 2, with its weight */
    int threads;
    uint64_t *block, *other;
    int64_t room, filled; /* words */
    int fd;
    char *path;
    int64_t end; /* of the runs in the file */
} wgdn_sorter;

/* Continues after the runs of the manifest. Allocates two blocks of bytes / 2 each. */
WGDN_MUST_CHECK wgdn_status wgdn_sorter_open(wgdn_sorter *s, const wgdn_scratch *in,
                                             wgdn_manifest *m, size_t bytes, wgdn_error *err);
/* Room for so many records more in this block. */
static inline bool wgdn_sorter_fits(const wgdn_sorter *s, int64_t records)
{
    return records <= (s->room - s->filled) / s->words;
}
/* For as long as there is room. */
static inline void wgdn_sorter_add(wgdn_sorter *s, uint64_t key, float weight)
{
    s->block[s->filled] = key;
    if (s->words == 2) {
        uint32_t bits;
        __builtin_memcpy(&bits, &weight, sizeof bits);
        s->block[s->filled + 1] = bits;
    }
    s->filled += s->words;
}
/* Writes the block as runs and lists them in the manifest, which the caller saves. */
WGDN_MUST_CHECK wgdn_status wgdn_sorter_flush(wgdn_sorter *s, wgdn_error *err);
/* Writes the last block and frees the memory. */
WGDN_MUST_CHECK wgdn_status wgdn_sorter_finish(wgdn_sorter *s, wgdn_error *err);
void wgdn_sorter_close(wgdn_sorter *s);
/* Whether the runs of the manifest are in the file; see, unless NULL, is shown their records. */
bool wgdn_sorter_verify(const wgdn_scratch *in, const wgdn_manifest *m,
                        void (*see)(void *user, const uint64_t *record, int64_t count, int words),
                        void *user);

/* ---- all runs at once: sorter.c ---- */

typedef struct wgdn_merge wgdn_merge;
/* With so many bytes of buffers in all; WGDN_ENOMEM where these are too few for so many runs. */
WGDN_MUST_CHECK wgdn_status wgdn_merge_open(wgdn_merge **out, const wgdn_scratch *in,
                                            const wgdn_manifest *m, size_t bytes, wgdn_error *err);
/* Up to room records in order; 0 at the end. Those without a weight have 1. */
WGDN_MUST_CHECK wgdn_status wgdn_merge_take(wgdn_merge *g, wgdn_record *out, int64_t room,
                                            int64_t *count, wgdn_error *err);
void wgdn_merge_close(wgdn_merge *g); /* NULL is fine */

extern const char wgdn_runs_name[]; /* of the file */

/* Which integers there are, and which place each has among them. */
typedef struct wgdn_bits {
    uint64_t *word;
    int64_t reach;   /* integers below it have a bit */
    uint32_t *below; /* word -> bits set before it; once they are ranked */
    int64_t count;   /* bits set; likewise */
} wgdn_bits;

/* False: no memory. */
static inline bool wgdn_bits_open(wgdn_bits *b, int64_t reach)
{
    *b = (wgdn_bits){.reach = reach};
    b->word = wgdn_alloc_zero((size_t)reach / 64 + 1, sizeof *b->word);
    return b->word != NULL;
}

static inline void wgdn_bits_close(wgdn_bits *b)
{
    wgdn_release(b->below);
    wgdn_release(b->word);
    *b = (wgdn_bits){0};
}

static inline void wgdn_bits_set(wgdn_bits *b, int64_t i)
{
    b->word[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline bool wgdn_bits_get(const wgdn_bits *b, int64_t i)
{
    return b->word[i >> 6] >> (i & 63) & 1;
}

bool wgdn_bits_rank(wgdn_bits *b); /* count them; false: no memory */

/* Bits set below i. */
static inline int64_t wgdn_bits_below(const wgdn_bits *b, int64_t i)
{
    const uint64_t mask = (UINT64_C(1) << (i & 63)) - 1;
    return b->below[i >> 6] + __builtin_popcountll(b->word[i >> 6] & mask);
}

/* Records of one or two 64-bit words, sorted by the first. */
/* Stable. other has as much room; the sorted records are in the one that is returned. */
uint64_t *wgdn_radix_sort(uint64_t *record, uint64_t *other, int64_t count, int words);

#endif
