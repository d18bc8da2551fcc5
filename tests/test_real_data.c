/* SPDX-License-Identifier: Apache-2.0 */
/* Published datasets, found through WGDN_DATA: the counts that everybody states. */
#include "check.h"

typedef struct expected {
    const char *path, *features, *labels;
    int64_t graphs, nodes, directed, width, classes, splits; /* -1: not checked */
} expected;

/*
 * Two published counts include self loops, which are dropped here: 171002 edges of the Facebook
 * pages with 179 of them, 1342310 of the Twitter circles with 14.
 */
static const expected sets[] = {
    {"cora/cora.npz", 0, 0, 1, 2708, 10556, 1433, 7, 1},
    {"citeseer/citeseer.npz", 0, 0, 1, 3327, 9104, 3703, 6, 1},
    {"amazon_photo/amazon_electronics_photo.npz", 0, 0, 1, 7650, 238162, 745, 8, 0},
    {"amazon_computers/amazon_electronics_computers.npz", 0, 0, 1, 13752, 491722, 767, 10, 0},
    {"coauthor_cs/ms_academic_cs.npz", 0, 0, 1, 18333, 163788, 6805, 15, 0},
    {"coauthor_physics/ms_academic_phy.npz", 0, 0, 1, 34493, 495924, 8415, 5, 0},
    {"extra/dblp/dblp.npz", 0, 0, 1, 17716, 105734, 1639, 4, 0},
    {"extra/tolokers/tolokers.npz", 0, 0, 1, 11758, 2 * 519000, 10, 2, 10},
    {"tu/IMDB-BINARY.zip", 0, 0, 1000, 19773, 193062, 136, 2, 0},
    {"tu/IMDB-MULTI.zip", 0, 0, 1500, 19502, 197806, 89, 3, 0},
    {"tu/PROTEINS.zip", 0, 0, 1113, 43471, 162088, 3, 2, 0},
    {"tu/NCI1.zip", 0, 0, 4110, 122747, 265506, 37, 2, 0},
    {"tu/DD.zip", 0, 0, 1178, 334925, 1686092, 89, 2, 0},
    {"tu/REDDIT-BINARY.zip", 0, 0, 2000, 859254, 1991016, 401, 2, 0},
    {"tu/MUTAG.zip", 0, 0, 188, 3371, 7442, 7, 2, 0},
    {"extra/facebook_large/facebook_edges.csv", "extra/facebook_large/facebook.json",
     "extra/facebook_large/facebook_target.csv", 1, 22470, 2 * 170823, 4714, 4, 0},
    {"extra/ego_twitter/edgeListTwitterTEstDinix.zip",
     "extra/ego_twitter/attributesTwitterTestDinix.zip", 0, 1, 81306, 2 * 1342296, 1007, 0, 0},
};

static const char *join(char *out, size_t room, const char *folder, const char *path)
{
    if (!path) return NULL;
    snprintf(out, room, "%s/%s", folder, path);
    return out;
}

static void check_set(const char *folder, const expected *e)
{
    char path[1024], features[1024], labels[1024];
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_error err = {WGDN_OK, ""};
    const int before = check_failures;
    wgdn_dataset_options_init(&o);
    o.features = join(features, sizeof features, folder, e->features);
    o.labels = join(labels, sizeof labels, folder, e->labels);
    CHECK(wgdn_dataset_read(&d, join(path, sizeof path, folder, e->path), &o, &err) == WGDN_OK);
    CHECK_TEXT(err.message, "");
    if (!d) return;
    CHECK(wgdn_dataset_graphs(d) == e->graphs);
    CHECK(wgdn_dataset_nodes(d) == e->nodes);
    CHECK(2 * edge_count(d) == e->directed);
    CHECK(wgdn_dataset_features(d) == e->width);
    CHECK((e->graphs > 1 ? info_of(d).graph_classes : wgdn_dataset_classes(d)) == e->classes);
    CHECK(info_of(d).splits == e->splits);
    printf("%s %s: %lld graphs, %lld nodes, %lld directed edges, %lld features, %lld not 0\n",
           check_failures == before ? "ok  " : "FAIL", e->path, (long long)wgdn_dataset_graphs(d),
           (long long)wgdn_dataset_nodes(d), 2 * (long long)edge_count(d),
           (long long)wgdn_dataset_features(d), (long long)info_of(d).entries);
    wgdn_dataset_free(d);
}

/* The public split of Cora, and the nodes of CiteSeer that are in no part of it. */
static void check_splits(const char *folder)
{
    static const char *const path[] = {"cora/cora.npz", "citeseer/citeseer.npz"};
    static const int64_t count[2][4] = {{1068, 140, 500, 1000}, {1707, 120, 500, 1000}};
    for (int s = 0; s < 2; s++) {
        char full[1024];
        int64_t seen[4] = {0}, isolated = 0;
        wgdn_dataset *d = NULL;
        CHECK(wgdn_dataset_read(&d, join(full, sizeof full, folder, path[s]), NULL, NULL) ==
              WGDN_OK);
        if (!d) return;
        for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
            seen[wgdn_dataset_split(d, 0, i)]++;
            isolated += wgdn_graph_degree(wgdn_dataset_get_graph(d), i) == 0;
        }
        for (int k = 0; k < 4; k++)
            CHECK(seen[k] == count[s][k]);
        CHECK(isolated == (s ? 48 : 0));
        wgdn_dataset_free(d);
    }
}

int main(void)
{
    const char *folder = getenv("WGDN_DATA");
    if (!folder || !folder[0]) {
        printf("skipped: WGDN_DATA does not say where the datasets are\n");
        return 77;
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        check_set(folder, &sets[i]);
    check_splits(folder);
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}
