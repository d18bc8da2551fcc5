/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting beyond memory: runs, their merge, the manifest, and places among integers. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "pack/bits.h"
#include "pack/radix.h"
#include "pack/sorter.h"

static wgdn_error err;

enum { RECORDS = 20000 };

/* Few different keys, so that many are equal; the weight tells where a record came. */
static uint64_t key_of(int64_t i)
{
    return (uint64_t)(i * 2654435761) % 977 * 0x100000001;
}

static wgdn_scratch *open_scratch(void)
{
    wgdn_scratch *s = NULL;
    CHECK(wgdn_scratch_open(&s, scratch_folder, "input", &err) == WGDN_OK);
    return s;
}

static int folders(void)
{
    return scratch_files(false);
}

static void sorts_in_memory(void)
{
    static uint64_t record[2 * RECORDS], other[2 * RECORDS];
    for (int words = 1; words <= 2; words++) {
        for (int64_t i = 0; i < RECORDS; i++) {
            record[i * words] = key_of(i);
            if (words == 2) record[2 * i + 1] = (uint64_t)i;
        }
        const uint64_t *sorted = wgdn_radix_sort(record, other, RECORDS, words);
        bool good = true;
        for (int64_t i = words; i < (int64_t)RECORDS * words; i += words) {
            good = good && sorted[i] >= sorted[i - words];
            if (words == 2 && sorted[i] == sorted[i - 2])
                good = good && sorted[i + 1] > sorted[i - 1]; /* as they came */
        }
        CHECK(good);
    }
}

/* Records from first on, in runs of what fits into so many bytes. */
static wgdn_status add_records(const wgdn_scratch *s, wgdn_manifest *m, int64_t first, int64_t end,
                               size_t bytes)
{
    wgdn_sorter sorter;
    wgdn_status st = wgdn_sorter_open(&sorter, s, m, bytes, &err);
    sorter.words = first > 0 ? 2 : 1; /* weights begin later */
    sorter.threads = 2;
    for (int64_t i = first; i < end && !st; i++) {
        if (!wgdn_sorter_fits(&sorter, 1)) st = wgdn_sorter_flush(&sorter, &err);
        if (!st) wgdn_sorter_add(&sorter, key_of(i), (float)i);
    }
    if (!st) st = wgdn_sorter_finish(&sorter, &err);
    wgdn_sorter_close(&sorter);
    return st;
}

static void check_merged(const wgdn_scratch *s, const wgdn_manifest *m, int64_t unweighted)
{
    wgdn_merge *g = NULL;
    wgdn_record last = {0}, record[100];
    int64_t all = 0, count = 1;
    bool good = true;
    CHECK(wgdn_merge_open(&g, s, m, 1 << 20, &err) == WGDN_OK);
    while (count > 0) {
        CHECK(wgdn_merge_take(g, record, 100, &count, &err) == WGDN_OK);
        for (int64_t i = 0; i < count; i++, all++) {
            good = good && record[i].key >= last.key;
            if (record[i].key == last.key && record[i].weight != 1)
                good = good && record[i].weight > last.weight;
            if (record[i].weight != 1)
                good = good && record[i].weight >= (float)unweighted &&
                       record[i].key == key_of((int64_t)record[i].weight);
            last = record[i];
        }
    }
    CHECK(good);
    CHECK(all == RECORDS);
    wgdn_merge_close(g);
}

static void merges_runs(void)
{
    wgdn_scratch *s = open_scratch();
    for (size_t bytes = 1 << 12; bytes <= 1 << 20; bytes <<= 2) {
        wgdn_manifest m = {.digest = 7};
        CHECK(add_records(s, &m, 0, RECORDS / 2, bytes) == WGDN_OK);
        CHECK(add_records(s, &m, RECORDS / 2, RECORDS, bytes) == WGDN_OK);
        CHECK(m.pieces >= 2);
        check_merged(s, &m, RECORDS / 2);
        wgdn_manifest_free(&m);
    }
    wgdn_scratch_remove(s);
    CHECK(folders() == 0);
}

static void refuses_too_many_runs(void)
{
    wgdn_scratch *s = open_scratch();
    wgdn_manifest m = {.digest = 7};
    wgdn_merge *g = NULL;
    CHECK(add_records(s, &m, 0, RECORDS, 1 << 12) == WGDN_OK);
    CHECK(wgdn_merge_open(&g, s, &m, 1 << 14, &err) == WGDN_ENOMEM);
    wgdn_manifest_free(&m);
    wgdn_scratch_remove(s);
}

static void count_records(void *user, const uint64_t *record, int64_t count, int words)
{
    (void)record;
    (void)words;
    *(int64_t *)user += count;
}

/* What was saved is there for the next run, unless it is another one's, or a byte is wrong. */
static void manifest_lasts(void)
{
    wgdn_scratch *s = open_scratch();
    wgdn_manifest m = {.digest = 7, .state = {3, 5}}, again = {.digest = 7}, other = {.digest = 8};
    int64_t seen = 0;
    CHECK(add_records(s, &m, 0, RECORDS, 1 << 16) == WGDN_OK);
    CHECK(wgdn_manifest_save(&m, s, &err) == WGDN_OK);
    wgdn_scratch_close(s); /* as by a kill */
    CHECK(folders() == 1);
    s = open_scratch();
    CHECK(!wgdn_manifest_load(&other, s));
    CHECK(wgdn_manifest_load(&again, s) && again.pieces == m.pieces && again.state[1] == 5);
    CHECK(wgdn_sorter_verify(s, &again, count_records, &seen) && seen == RECORDS);
    again.piece[0].hash++;
    CHECK(!wgdn_sorter_verify(s, &again, NULL, NULL));
    wgdn_manifest_free(&again);
    char *path = wgdn_scratch_path(s, "manifest");
    FILE *f = fopen(path, "r+");
    CHECK(f && fseek(f, 40, SEEK_SET) == 0 && fputc('x', f) == 'x');
    if (f) fclose(f);
    wgdn_release(path);
    again = (wgdn_manifest){.digest = 7};
    CHECK(!wgdn_manifest_load(&again, s));
    wgdn_manifest_free(&again);
    wgdn_manifest_free(&other);
    wgdn_manifest_free(&m);
    wgdn_scratch_remove(s);
    CHECK(folders() == 0);
}

static void one_at_a_time(void)
{
    wgdn_scratch *s = open_scratch(), *second = NULL;
    CHECK(wgdn_scratch_open(&second, scratch_folder, "input", &err) == WGDN_EWRITE);
    CHECK(wgdn_scratch_open(&second, scratch_folder, "another", &err) == WGDN_OK);
    wgdn_scratch_remove(second);
    wgdn_scratch_remove(s);
    CHECK(wgdn_scratch_open(&s, "/nowhere/at/all", "input", &err) == WGDN_EWRITE);
}

static void places_of_integers(void)
{
    enum { REACH = 5000 };
    wgdn_bits b;
    int64_t place = 0;
    bool good = true;
    CHECK(wgdn_bits_open(&b, REACH));
    for (int64_t i = 0; i < REACH; i += 1 + i % 7)
        wgdn_bits_set(&b, i);
    CHECK(wgdn_bits_rank(&b));
    for (int64_t i = 0; i < REACH; i++) {
        good = good && wgdn_bits_below(&b, i) == place;
        place += wgdn_bits_get(&b, i);
    }
    CHECK(good && b.count == place);
    wgdn_bits_close(&b);
}

static wgdn_status sort_some(const wgdn_scratch *s)
{
    wgdn_manifest m = {.digest = 7};
    wgdn_merge *g = NULL;
    wgdn_record record[64];
    int64_t count = 1;
    wgdn_status st = add_records(s, &m, 0, 3000, 1 << 13);
    if (!st) st = wgdn_manifest_save(&m, s, &err);
    if (!st) st = wgdn_merge_open(&g, s, &m, 1 << 16, &err);
    while (!st && count > 0)
        st = wgdn_merge_take(g, record, 64, &count, &err);
    wgdn_merge_close(g);
    wgdn_manifest_free(&m);
    return st;
}

/* Every file operation and every allocation may fail: a status, and nothing is lost. */
static void failures(void)
{
    wgdn_scratch *s = open_scratch();
    CHECK_FILE_OPERATIONS(sort_some(s), (void)0);
    CHECK_ALLOCATIONS(sort_some(s), (void)0);
    wgdn_scratch_remove(s);
}

int main(void)
{
    scratch_begin();
    RUN(sorts_in_memory);
    RUN(merges_runs);
    RUN(refuses_too_many_runs);
    RUN(manifest_lasts);
    RUN(one_at_a_time);
    RUN(places_of_integers);
    RUN(failures);
    scratch_end();
    return check_result();
}
