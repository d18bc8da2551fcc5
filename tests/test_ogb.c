/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include <sys/stat.h>
#include <zlib.h>

static wgdn_error err;

typedef struct set {
    const char *edges, *count, *features, *labels, *train, *valid, *test;
} set;

static const set small = {
    "0,1\n1,2\n2,2\n", "4\n", "1,0.5\n-1,2\n0,0\n3,3\n", "2\n0\nnan\n0\n", "0\n3\n", "1\n", "2\n"};

static void put(const char *name, const char *text)
{
    gzFile f;
    (void)unlink(scratch(name).text);
    if (!text) return;
    f = gzopen(scratch(name).text, "wb");
    CHECK(f && (strlen(text) == 0 || gzwrite(f, text, (unsigned)strlen(text)) > 0));
    if (f) gzclose(f);
}

static wgdn_status load(wgdn_dataset **d, set s)
{
    put("raw/edge.csv.gz", s.edges);
    put("raw/num-node-list.csv.gz", s.count);
    put("raw/node-feat.csv.gz", s.features);
    put("raw/node-label.csv.gz", s.labels);
    put("split/time/train.csv.gz", s.train);
    put("split/time/valid.csv.gz", s.valid);
    put("split/time/test.csv.gz", s.test);
    err.message[0] = '\0';
    *d = NULL;
    return wgdn_dataset_read(d, scratch_folder, NULL, &err);
}

static void known_answer(void)
{
    wgdn_dataset *d;
    CHECK(load(&d, small) == WGDN_OK);
    CHECK_TEXT(err.message, "");
    if (!d) return;
    CHECK(wgdn_dataset_nodes(d) == 4 && edge_count(d) == 2);
    CHECK(wgdn_dataset_features(d) == 2 && info_of(d).entries == 6);
    CHECK(wgdn_dataset_get_dense(d) && wgdn_dataset_get_dense(d)[1] == 0.5f);
    CHECK(wgdn_dataset_classes(d) == 3 && wgdn_dataset_label(d, 0) == 2);
    CHECK(wgdn_dataset_label(d, 2) == -1);
    CHECK(info_of(d).splits == 1 && wgdn_dataset_split(d, 0, 3) == WGDN_SPLIT_TRAIN);
    CHECK(wgdn_dataset_split(d, 0, 1) == WGDN_SPLIT_VAL);
    CHECK(wgdn_dataset_split(d, 0, 2) == WGDN_SPLIT_TEST);
    wgdn_dataset_free(d);
}

static void bad_files_are_named(void)
{
#define SET(field, text)  \
    {                     \
        set s = small;    \
        s.field = text;   \
        bad[count++] = s; \
    }
    static const char *const says[] = {"is not a node",
                                       "the number of nodes",
                                       "several graphs",
                                       "row 2 has 1 features",
                                       "3 rows for 4 nodes",
                                       "not a finite number",
                                       "expected one class",
                                       "1 labels for 4",
                                       "is not a node",
                                       "in the split already",
                                       "no split/time/test.csv.gz",
                                       "num-node-list",
                                       "no rows for so many"};
    set bad[13];
    int count = 0;
    SET(edges, "0,4\n")
    SET(count, "x\n")
    SET(count, "4\n5\n")
    SET(features, "1,2\n3\n")
    SET(features, "1,2\n1,2\n1,2\n")
    SET(features, "1,nan\n")
    SET(labels, "1.5\n")
    SET(labels, "1\n")
    SET(train, "4\n")
    SET(valid, "0\n")
    SET(test, NULL)
    SET(count, NULL)
    SET(count, "2147483646\n")
#undef SET
    for (int i = 0; i < count; i++) {
        wgdn_dataset *d;
        CHECK(load(&d, bad[i]) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, says[i])) CHECK_TEXT(err.message, says[i]);
    }
}

/* A count without rows that it could be compared with: isolated nodes, but not 2^31 of them. */
static void counts_are_held_by_the_files(void)
{
    set bare = {.edges = "0,1\n", .count = "1000000\n", .train = "0\n", .valid = "", .test = ""};
    wgdn_dataset *d;
    CHECK(load(&d, bare) == WGDN_OK);
    CHECK_TEXT(err.message, "");
    if (d) CHECK(wgdn_dataset_nodes(d) == 1000000);
    wgdn_dataset_free(d);
    bare.count = "2147483646\n";
    CHECK(load(&d, bare) == WGDN_EFORMAT && !d);
    CHECK(strstr(err.message, "only 4 bytes of edges"));
}

static void failures_leave_nothing(void)
{
    wgdn_dataset *d;
    CHECK(load(&d, small) == WGDN_OK);
    wgdn_dataset_free(d);
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
}

int main(void)
{
    static const char *const folder[] = {"raw", "split", "split/time"};
    scratch_begin();
    for (int i = 0; i < 3; i++)
        CHECK(mkdir(scratch(folder[i]).text, 0700) == 0);
    RUN(known_answer);
    RUN(bad_files_are_named);
    RUN(counts_are_held_by_the_files);
    RUN(failures_leave_nothing);
    (void)load(&(wgdn_dataset *){NULL}, (set){0});
    for (int i = 2; i >= 0; i--)
        (void)rmdir(scratch(folder[i]).text);
    scratch_end();
    return check_result();
}
