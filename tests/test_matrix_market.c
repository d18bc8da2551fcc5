/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

static wgdn_error err;

static wgdn_status load(wgdn_dataset **d, const char *text)
{
    err.message[0] = '\0';
    scratch_write("g.mtx", text, strlen(text));
    return wgdn_dataset_read(d, scratch("g.mtx").text, NULL, &err);
}

static void known_answer(void)
{
    wgdn_dataset *d = NULL;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(load(&d, "%%MatrixMarket matrix coordinate real general\n% a comment\n4 4 6\n"
                   "1 2 1\n2 1 1.0\n2 3 0\n3 3 5\n1 3 2\n1 3 7\n") == WGDN_OK);
    if (!d) {
        CHECK_TEXT(err.message, "");
        return;
    }
    wgdn_dataset_get_info(&c, d);
    CHECK(wgdn_dataset_nodes(d) == 4 && c.edges == 2);
    CHECK(c.edges_read == 6 && c.self_loops == 1 && c.repeats == 2 && c.zero_weights == 1);
    CHECK(c.other_weights == 0 && c.weighted && c.weight_min == 2 && c.weight_max == 9);
    char id[8];
    CHECK(wgdn_dataset_id(id, sizeof id, d, 0) == 1 && strcmp(id, "1") == 0); /* as in the file */
    CHECK(wgdn_dataset_find(d, "4", 1) == 3 && wgdn_dataset_find(d, "0", 1) == -1);
    CHECK(wgdn_graph_degree(wgdn_dataset_get_graph(d), 3) == 0);
    wgdn_dataset_free(d);
}

static void other_kinds(void)
{
    wgdn_dataset *d = NULL;
    CHECK(load(&d, "%%matrixmarket MATRIX coordinate pattern symmetric\n2 2 1\n2 1\n") == WGDN_OK);
    CHECK(d && edge_count(d) == 1);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(load(&d, "%%MatrixMarket matrix coordinate complex hermitian\r\n2 2 1\r\n2 1 0 1\r\n") ==
          WGDN_OK);
    CHECK(d && edge_count(d) == 1 && info_of(d).other_weights == 1 && !info_of(d).weighted);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(load(&d, "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n") == WGDN_OK);
    CHECK(d && wgdn_dataset_nodes(d) == 1 && edge_count(d) == 0);
    wgdn_dataset_free(d);
}

static void bad_files_are_named(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "expected %%MatrixMarket"},
        {"1 1 0\n", "expected %%MatrixMarket"},
        {"%%MatrixMarket matrix array real general\n2 2\n", "expected %%MatrixMarket"},
        {"%%MatrixMarket matrix coordinate real general\n", "three counts"},
        {"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n",
         "a graph's matrix is square"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
         "g.mtx:3:1: \"0\" is not a row"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "\"3\" is not a column"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 -1 1\n",
         "\"-1\" is not a column"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "not a finite number"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", "2 numbers: expected 3"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", "promises 2"},
        {"%%MatrixMarket matrix coordinate real general\n0 0 0\n", "no nodes"},
        {"%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 0\n",
         "in a file of"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wgdn_dataset *d = NULL;
        CHECK(load(&d, bad[i].text) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, bad[i].says)) CHECK_TEXT(err.message, bad[i].says);
    }
}

static void failures_leave_nothing(void)
{
    wgdn_dataset *d = NULL;
    const char *text = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 3 1\n";
    scratch_write("g.mtx", text, strlen(text));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch("g.mtx").text, NULL, NULL),
                      wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch("g.mtx").text, NULL, NULL),
                          wgdn_dataset_free(d));
}

int main(void)
{
    scratch_begin();
    RUN(known_answer);
    RUN(other_kinds);
    RUN(bad_files_are_named);
    RUN(failures_leave_nothing);
    scratch_end();
    return check_result();
}
