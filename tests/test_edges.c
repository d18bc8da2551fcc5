/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "formats/edge_list.h"

static wgdn_weights weights_are;

typedef struct result {
    wgdn_edges edges;
    wgdn_ids ids;
} result;

static wgdn_status read(result *r, const char *text, wgdn_header header, wgdn_error *err)
{
    *r = (result){.edges.max = 1000000, .edges.weights = weights_are};
    wgdn_ids_open(&r->ids, 2000);
    const wgdn_input in = {.data = text, .size = strlen(text), .name = "e.tsv", .header = header};
    const wgdn_status st = wgdn_edge_list_read(&r->edges, &r->ids, &in, 2, err);
    if (st) {
        wgdn_edges_free(&r->edges);
        wgdn_ids_close(&r->ids);
    }
    return st;
}

static void release(result *r)
{
    wgdn_edges_free(&r->edges);
    wgdn_ids_close(&r->ids);
}

/* Edges as "0-1 1-2 ", after checking that they were read at all. */
static const char *edges_of(const char *text, wgdn_header header)
{
    static char out[256];
    result r;
    size_t used = 0;
    wgdn_error err;
    out[0] = '\0';
    if (read(&r, text, header, &err)) return err.message[0] ? strcpy(out, err.message) : "?";
    for (int64_t k = 0; k < r.edges.count; k++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%d-%d ", r.edges.end[2 * k],
                                 r.edges.end[2 * k + 1]);
    release(&r);
    return out;
}

static void plain_lists(void)
{
    CHECK_TEXT(edges_of("a b\nb c\na a\n", WGDN_HEADER_AUTO), "0-1 1-2 0-0 ");
    CHECK_TEXT(edges_of("0\t1\n1\t2", WGDN_HEADER_AUTO), "0-1 1-2 ");
    CHECK_TEXT(edges_of("5,6\r\n6,7\r\n", WGDN_HEADER_AUTO), "0-1 1-2 ");
    CHECK_TEXT(edges_of("", WGDN_HEADER_AUTO), "");
    CHECK_TEXT(edges_of("# nothing\n", WGDN_HEADER_AUTO), "");
    CHECK_TEXT(edges_of("-1 -2\n", WGDN_HEADER_AUTO), "0-1 ");
}

static void headers(void)
{
    CHECK_TEXT(edges_of("source\ttarget\na\tb\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("id_1,id_2\n0,1\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("who,whom\n0,1\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("who whom how\na b 2\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("who,whom\na,b\n", WGDN_HEADER_AUTO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("who,whom\na,b\n", WGDN_HEADER_YES), "0-1 ");
    CHECK_TEXT(edges_of("source,target\na,b\n", WGDN_HEADER_NO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("source,target\n", WGDN_HEADER_AUTO), "");
}

static void weights(void)
{
    result r;
    weights_are = WGDN_WEIGHTS_IGNORE;
    CHECK(read(&r, "a b 1\nb c 0\nc d 2.5\nd e -1\nz z 0\n", WGDN_HEADER_AUTO, NULL) == WGDN_OK);
    CHECK(r.edges.count == 3 && r.ids.count == 6); /* z has no edge and is a node all the same */
    CHECK(r.edges.zero_weights == 2 && r.edges.other_weights == 2 && !r.edges.weight);
    release(&r);
    weights_are = WGDN_WEIGHTS_USE;
    CHECK(read(&r, "a b 1\nb c 0\nc d 2.5\nz z 0\n", WGDN_HEADER_AUTO, NULL) == WGDN_OK);
    CHECK(r.edges.count == 2 && r.edges.zero_weights == 2 && r.edges.other_weights == 0);
    CHECK(r.edges.weight && r.edges.weight[0] == 1 && r.edges.weight[1] == 2.5f);
    release(&r);
    CHECK_TEXT(edges_of("# signed\na b 1\n\nc d -2\n", WGDN_HEADER_AUTO),
               "e.tsv:4: the weight -2 is negative; --weights ignore takes the edges alone");
    CHECK_TEXT(edges_of("a b 1\nc d 1e-40\n", WGDN_HEADER_AUTO),
               "e.tsv:2: the weight 1e-40 is not 0 and not within 1e-30 .. 1e+20; --weights ignore "
               "takes the edges alone");
}

static void bad_lines_are_named(void)
{
    CHECK_TEXT(edges_of("a b\nc\n", WGDN_HEADER_AUTO),
               "e.tsv:2:1: \"c\" alone: expected source, target and perhaps a weight; for a node "
               "without edges name it twice");
    CHECK_TEXT(edges_of("a b\nc d 1\n", WGDN_HEADER_NO),
               "e.tsv:2:5: 3 columns, where the rows before have 2");
    CHECK_TEXT(edges_of("a b 1\nc d nan\n", WGDN_HEADER_AUTO),
               "e.tsv:2:5: the weight \"nan\" is not a finite number");
    CHECK_TEXT(edges_of("a,b,1\nc,d,1e999\n", WGDN_HEADER_AUTO),
               "e.tsv:2:5: the weight \"1e999\" is not a finite number");
    CHECK_TEXT(edges_of("a,b,1\nc,d,x\x01y\n", WGDN_HEADER_AUTO),
               "e.tsv:2:5: the weight \"x\\x01y\" is not a finite number");
    CHECK_TEXT(edges_of("a,b\nc,\n", WGDN_HEADER_AUTO),
               "e.tsv:2:3: the target is empty: expected an id");
    CHECK_TEXT(edges_of("a b c d\n", WGDN_HEADER_NO),
               "e.tsv:1:7: 4 columns from \"d\" on: expected source, target and perhaps a weight");
}

static void limits(void)
{
    wgdn_error err;
    wgdn_edges e = {.max = 2};
    wgdn_ids ids;
    const wgdn_input in = {"a b\nb c\nc d\n", 12, "e", WGDN_HEADER_NO, {0}};
    wgdn_ids_open(&ids, 1000);
    CHECK(wgdn_edge_list_read(&e, &ids, &in, 1, &err) == WGDN_ERANGE);
    CHECK_TEXT(err.message, "e: more than 2 edges, the most allowed here");
    wgdn_edges_free(&e);
    wgdn_ids_close(&ids);

    e = (wgdn_edges){.max = 100};
    wgdn_ids_open(&ids, 3);
    CHECK(wgdn_edge_list_read(&e, &ids, &in, 1, &err) == WGDN_ERANGE);
    CHECK(strstr(err.message, "more than 3 different nodes"));
    wgdn_edges_free(&e);
    wgdn_ids_close(&ids);
}

static void rows_of_features_bound_the_ids(void)
{
    wgdn_error err;
    wgdn_edges e = {.max = 100};
    wgdn_ids ids;
    const wgdn_input beyond = {"0 1\n1 3\n", 8, "e", WGDN_HEADER_NO, {0}};
    const wgdn_input negative = {"0 -1\n", 5, "e", WGDN_HEADER_NO, {0}};
    CHECK(wgdn_ids_open_fixed(&ids, 3, 0, NULL) == WGDN_OK);
    CHECK(wgdn_edge_list_read(&e, &ids, &beyond, 1, &err) == WGDN_EFORMAT);
    CHECK_TEXT(err.message, "e:2: \"3\" is not a node: the features are 3 rows, so ids are 0 .. 2");
    CHECK(wgdn_edge_list_read(&e, &ids, &negative, 1, &err) == WGDN_EFORMAT);
    CHECK_TEXT(err.message,
               "e:1: \"-1\" is not a node: the features are 3 rows, so ids are 0 .. 2");
    wgdn_edges_free(&e);
    wgdn_ids_close(&ids);
}

static void batches_join(void)
{
    enum { N = 3000 };
    static char text[N * 20];
    size_t used = 0;
    result r;
    for (int i = 0; i < N; i++) /* integers at first, then words; some quoted */
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 i < N / 2 ? "%d,%d\n" : "x%d,\"%d\"\"\"\n", i % 500, i % 400);
    wgdn_error err = {WGDN_OK, ""};
    if (read(&r, text, WGDN_HEADER_AUTO, &err)) {
        CHECK_TEXT(err.message, "");
        return;
    }
    CHECK(r.edges.count == N && r.ids.count == 500 + 500 + 400);
    for (int64_t i = 0; i < N / 2; i++)
        CHECK(r.edges.end[2 * i] == i % 500 && r.edges.end[2 * i + 1] == i % 400);
    for (int64_t i = N / 2; i < N; i++) {
        char id[20];
        const int size = snprintf(id, sizeof id, "%d\"", (int)(i % 400));
        CHECK(r.edges.end[2 * i + 1] == wgdn_ids_find(&r.ids, wgdn_text_of(id, (size_t)size)));
    }
    release(&r);
}

static void memory_runs_out(void)
{
    result r;
    CHECK_ALLOCATIONS(read(&r, "source,target,w\n0,1,1\n2,x,3\n\"a\"\"b\",c,0\n", 0, NULL),
                      release(&r));
    CHECK_ALLOCATIONS(read(&r, "10 1\n3 12345678\n", 0, NULL), release(&r));
    CHECK_ALLOCATIONS(read(&r, "10 1\n3 12\n", 0, NULL), release(&r));
}

int main(void)
{
    RUN(plain_lists);
    RUN(headers);
    RUN(weights);
    RUN(bad_lines_are_named);
    RUN(limits);
    RUN(rows_of_features_bound_the_ids);
    RUN(batches_join);
    RUN(memory_runs_out);
    return check_result();
}
