/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting beyond memory: runs, their merge, the manifest, and places among integers. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "io/sorter.h"
#include "wgdn/wgdn.h"

#include <fcntl.h>
#include <sys/stat.h>

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

static mode_t mode_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? s.st_mode & 0777 : 0;
}

/* Nobody else can look into the folder; what others could have written is not used. */
static void private_to_its_user(void)
{
    const mode_t mask = umask(0);
    wgdn_scratch *s = open_scratch();
    wgdn_bytes b = {0};
    char folder[SCRATCH_PATH];
    snprintf(folder, sizeof folder, "%s", s->folder);
    char *file = wgdn_scratch_path(s, "file"), *second = wgdn_scratch_path(s, "second");
    int fd = wgdn_scratch_create(s, "file");
    CHECK(fd >= 0 && close(fd) == 0 && mode_of(folder) == 0700 && mode_of(file) == 0600);
    CHECK((fd = wgdn_scratch_reopen(s, "file", O_RDONLY)) >= 0 && close(fd) == 0);
    CHECK(link(file, second) == 0 && wgdn_scratch_reopen(s, "file", O_RDONLY) < 0);
    CHECK(wgdn_scratch_map(&b, s, "file", &err) == WGDN_EIO && unlink(second) == 0);
    CHECK(chmod(file, 0604) == 0 && wgdn_scratch_reopen(s, "file", O_RDONLY) < 0);
    CHECK(symlink("/etc/hostname", second) == 0 && wgdn_scratch_reopen(s, "second", O_RDONLY) < 0);
    CHECK((fd = wgdn_scratch_create(s, "second")) >= 0 && close(fd) == 0); /* in the link's place */
    CHECK(mode_of(second) == 0600);
    wgdn_scratch_close(s);
    s = NULL;
    CHECK(chmod(folder, 0750) == 0 &&
          wgdn_scratch_open(&s, scratch_folder, "input", &err) == WGDN_EWRITE);
    CHECK(strstr(err.message, "open to other users (mode 0750") && chmod(folder, 0700) == 0);
    wgdn_scratch_remove(open_scratch());
    CHECK(symlink(scratch_folder, folder) == 0 &&
          wgdn_scratch_open(&s, scratch_folder, "input", &err) == WGDN_EWRITE);
    CHECK(strstr(err.message, "is a link") && unlink(folder) == 0);
    wgdn_release(second);
    wgdn_release(file);
    (void)umask(mask);
}

/* Without a folder of the caller's there is a new one each time, which does not stay. */
static void fresh_by_default(void)
{
    wgdn_scratch *one = NULL, *two = NULL;
    char folder[SCRATCH_PATH];
    CHECK(wgdn_scratch_open(&one, NULL, "input", &err) == WGDN_OK);
    CHECK(wgdn_scratch_open(&two, NULL, "input", &err) == WGDN_OK);
    CHECK(strcmp(one->folder, two->folder) != 0 && mode_of(one->folder) == 0700);
    snprintf(folder, sizeof folder, "%s", one->folder);
    wgdn_scratch_remove(two);
    wgdn_scratch_close(one);
    CHECK(access(folder, F_OK) != 0);
}

/* ---- a manifest whose checksums are right, and whose contents are not ---- */

static int stop_late(void *user, int64_t done, int64_t total)
{
    return *(bool *)user && done > total / 4;
}

static wgdn_status read_edges(const char *path, bool stop, int64_t *edges)
{
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_dataset_options_init(&o);
    o.memory = 1 << 20;
    o.scratch = scratch_folder;
    o.progress = stop_late;
    o.progress_user = &stop;
    const wgdn_status st = wgdn_dataset_read(&d, path, &o, &err);
    if (!st) *edges = wgdn_graph_edges(wgdn_dataset_get_graph(d));
    wgdn_dataset_free(d);
    return st;
}

static void put_file(const wgdn_scratch *s, wgdn_manifest *m, const char *name, const void *data,
                     size_t size)
{
    wgdn_tape t;
    wgdn_piece p = {.bytes = (int64_t)size};
    snprintf(p.name, sizeof p.name, "%s", name);
    CHECK(wgdn_tape_create(&t, s, name, 1 << 12, &err) == WGDN_OK);
    CHECK(wgdn_tape_put(&t, data, size, &err) == WGDN_OK);
    CHECK(wgdn_tape_finish(&t, &p.hash, &err) == WGDN_OK);
    CHECK(wgdn_manifest_add(m, &p, &err) == WGDN_OK);
}

enum { FORGED_NODES = 1000 };

/* Rows of FORGED_NODES nodes with two entries, in the folder that the next reading resumes from. */
static void forge(const char *path, int64_t end, int32_t column, int64_t nodes)
{
    wgdn_scratch *s = NULL;
    wgdn_bytes b = {0};
    int64_t offset[FORGED_NODES + 1] = {0};
    const int32_t columns[2] = {1, column};
    wgdn_manifest m = {.state = {4}};
    CHECK(wgdn_scratch_open(&s, scratch_folder, path, &err) == WGDN_OK);
    CHECK(wgdn_scratch_map(&b, s, "manifest", &err) == WGDN_OK);
    memcpy(&m.digest, b.data + 16, sizeof m.digest);
    wgdn_bytes_free(&b);
    wgdn_scratch_clear(s);
    m.state[4] = 1; /* edges */
    m.state[14] = nodes;
    m.state[15] = 2; /* entries */
    for (int i = 1; i <= FORGED_NODES; i++)
        offset[i] = end;
    put_file(s, &m, "offset", offset, sizeof offset);
    put_file(s, &m, "column", columns, sizeof columns);
    CHECK(wgdn_manifest_save(&m, s, &err) == WGDN_OK);
    wgdn_manifest_free(&m);
    wgdn_scratch_close(s);
}

static void forged_manifest(void)
{
    static const struct {
        int64_t end, nodes;
        int32_t column;
    } bad[] = {{2, FORGED_NODES, 0x40000000}, {(int64_t)1 << 40, FORGED_NODES, 2},
               {2, FORGED_NODES, -1},         {2, FORGED_NODES, 5}, /* not symmetric */
               {2, FORGED_NODES + 1, 2},      {2, INT32_MAX, 2},
               {2, INT64_MAX / 8, 2},         {2, -1, 2}};
    const scratch_name path = scratch("edges.txt");
    FILE *f = fopen(path.text, "w");
    int64_t whole = 0, edges = 0;
    for (int i = 0; f && i < 60000; i++)
        fprintf(f, "%d %d\n", i * 7 % 5000, i * 11 % 4999);
    CHECK(f && fclose(f) == 0);
    CHECK(read_edges(path.text, false, &whole) == WGDN_OK && whole > 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(read_edges(path.text, true, &edges) == WGDN_ESTOPPED);
        forge(path.text, bad[i].end, bad[i].column, bad[i].nodes);
        edges = 0;
        const wgdn_status st = read_edges(path.text, false, &edges);
        CHECK(st == WGDN_EFORMAT || (st == WGDN_OK && edges == whole));
    }
    CHECK(read_edges(path.text, true, &edges) == WGDN_ESTOPPED); /* one that is sound resumes */
    CHECK(read_edges(path.text, false, &edges) == WGDN_OK && edges == whole);
    CHECK(unlink(path.text) == 0);
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
    RUN(private_to_its_user);
    RUN(fresh_by_default);
    RUN(forged_manifest);
    RUN(places_of_integers);
    RUN(failures);
    scratch_end();
    return check_result();
}
