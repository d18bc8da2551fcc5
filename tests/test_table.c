/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "formats/parts.h"

typedef struct result {
    wgdn_ids ids;
    wgdn_table table;
    wgdn_features features;
} result;

static void release(result *r)
{
    wgdn_features_free(&r->features);
    wgdn_table_free(&r->table);
    wgdn_ids_close(&r->ids);
}

static wgdn_status read(result *r, const char *text, wgdn_header header, bool json, wgdn_error *err)
{
    int64_t absent = -1;
    int32_t *rank = NULL;
    *r = (result){.table.max = 1000};
    wgdn_ids_open(&r->ids, 1000);
    const wgdn_input in = {
        .data = text, .size = strlen(text), .name = json ? "x.json" : "x.tsv", .header = header};
    wgdn_status st = (json ? wgdn_table_read_json : wgdn_table_read)(&r->table, &r->ids, &in, err);
    if (!st) st = wgdn_ids_sort(&r->ids, &rank, err);
    if (!st) st = wgdn_table_features(&r->features, &absent, &r->table, r->ids.count, rank, err);
    if (!st) CHECK(absent == 0);
    wgdn_release(rank);
    if (st) release(r);
    return st;
}

/* Rows as "1 0 2/...", dense or not. */
static const char *rows_of(const char *text, wgdn_header header, bool json)
{
    static char out[512];
    result r;
    size_t used = 0;
    wgdn_error err = {WGDN_OK, ""};
    out[0] = '\0';
    if (read(&r, text, header, json, &err)) return strcpy(out, err.message);
    for (int64_t i = 0; i < r.features.rows; i++) {
        const wgdn_csr *s = &r.features.sparse;
        for (int64_t j = 0; j < r.features.width; j++) {
            float x = r.features.dense ? r.features.dense[i * r.features.width + j] : 0;
            for (int64_t k = r.features.dense ? 0 : s->offset[i];
                 !r.features.dense && k < s->offset[i + 1]; k++)
                if (s->column[k] == j) x = s->value ? s->value[k] : 1;
            used += (size_t)snprintf(out + used, sizeof out - used, "%g ", (double)x);
        }
        used += (size_t)snprintf(out + used, sizeof out - used, "/");
    }
    release(&r);
    return out;
}

static void tables(void)
{
    CHECK_TEXT(rows_of("a\t1\t2\nb\t3\t4\n", 0, false), "1 2 /3 4 /");
    CHECK_TEXT(rows_of("id,x,y\r\na,1,-2e1\r\nb,0,0\r\n", 0, false), "1 -20 /0 0 /");
    CHECK_TEXT(rows_of("7 1 0\n2 0 1\n", 0, false), "0 1 /1 0 /"); /* integers by value */
    CHECK_TEXT(rows_of("2 3\na 1 2 3\nb 4 5 6\n", 0, false), "1 2 3 /4 5 6 /"); /* word2vec */
    CHECK_TEXT(rows_of("2 3\n4 5\n", 0, false), "3 /5 /");
    CHECK_TEXT(rows_of("9 1\n1 2\n", WGDN_HEADER_YES, false), "2 /");
    CHECK_TEXT(rows_of("a 0 0 0 0 0 0 0 0 9\n", 0, false), "0 0 0 0 0 0 0 0 9 /");
}

static void lists_of_features(void)
{
    CHECK_TEXT(rows_of("{\"1\": [2, 0, 2], \"0\": []}", 0, true), "0 0 0 /1 0 1 /");
    CHECK_TEXT(rows_of("{\"1\": [-2]}", 0, true),
               "x.json: a feature of \"1\" is -2: expected numbers of features, from 0 below 2^31");
    CHECK_TEXT(rows_of("{\"1\": [1.5]}", 0, true),
               "x.json: a feature of \"1\" is not a number: expected numbers of features, from 0 "
               "below 2^31");
    CHECK_TEXT(rows_of("[1]", 0, true), "x.json: expected an object {\"id\": [0, 5, ...], ...}");
    CHECK_TEXT(rows_of("{\"1\": 1}", 0, true),
               "x.json: \"1\" is not a list: expected {\"id\": [0, 5, ...]}");
    CHECK_TEXT(rows_of("{}", 0, true), "x.json: no features in it");
    CHECK(strstr(rows_of("{\"1\": [1], \"1\": [2]}", 0, true), "duplicate object key"));
    CHECK(strstr(rows_of("{\"1\": [1", 0, true), "x.json:1:"));
}

static void bad_rows_are_named(void)
{
    CHECK_TEXT(rows_of("a 1 2\nb 1\n", 0, false),
               "x.tsv:2:3: 1 features, where the rows before have 2");
    CHECK_TEXT(rows_of("a 1 2\nb 1 NaN\n", 0, false), "x.tsv:2:5: \"NaN\" is not a finite number");
    CHECK_TEXT(rows_of("a 1 2\nb -inf 1\n", 0, false),
               "x.tsv:2:3: \"-inf\" is not a finite number");
    CHECK_TEXT(rows_of("a,1,2\nb,1,\n", 0, false), "x.tsv:2:5: \"\" is not a finite number");
    CHECK_TEXT(rows_of("a 1 1e39\n", 0, false), "x.tsv:1:5: \"1e39\" is not a finite number");
    CHECK_TEXT(rows_of("a 1\nb 2\na 3\n", 0, false),
               "x.tsv:3: features of \"a\" again: the first are on line 1");
    CHECK_TEXT(rows_of("a\nb\n", 0, false),
               "x.tsv:1:1: \"a\" alone: expected an id and its features");
    CHECK_TEXT(rows_of("", 0, false), "x.tsv: no rows: expected an id and its features per line");
}

static void limits(void)
{
    result r = {.table.max = 3};
    wgdn_error err;
    const wgdn_input in = {.data = "a 1 2\nb 3 4\n", .size = 12, .name = "x"};
    wgdn_ids_open(&r.ids, 1000);
    CHECK(wgdn_table_read(&r.table, &r.ids, &in, &err) == WGDN_ERANGE);
    CHECK_TEXT(err.message, "x: more than 3 features, the most allowed here");
    release(&r);
}

static void sparse_or_dense_by_what_is_there(void)
{
    result r;
    CHECK(read(&r, "a 1 0 0 0\nb 0 1 0 0\n", 0, false, NULL) == WGDN_OK);
    CHECK(r.features.dense && r.features.entries == 2);
    release(&r);
    CHECK(read(&r, "a 1 0 0 0 0\nb 0 1 0 0 0\n", 0, false, NULL) == WGDN_OK);
    CHECK(!r.features.dense && !r.features.sparse.value && r.features.entries == 2);
    release(&r);
}

static void memory_runs_out(void)
{
    result r;
    CHECK_ALLOCATIONS(read(&r, "5 1 0 2\n3 0 0 1.5\nx 0 0 0\n", 0, false, NULL), release(&r));
    CHECK_ALLOCATIONS(read(&r, "{\"5\": [1, 9, 3], \"2\": [40]}", 0, true, NULL), release(&r));
}

int main(void)
{
    RUN(tables);
    RUN(lists_of_features);
    RUN(bad_rows_are_named);
    RUN(limits);
    RUN(sparse_or_dense_by_what_is_there);
    RUN(memory_runs_out);
    return check_result();
}
