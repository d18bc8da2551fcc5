/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of nodes: features by kind, labels, splits. */
#include "check.h"

#include "data/columns.h"
#include "formats/node_table.h"

/* ---- table ---- */

typedef struct table_result {
    wgdn_ids ids;
    wgdn_table table;
    wgdn_features features;
} table_result;

static void table_release(table_result *r)
{
    wgdn_features_free(&r->features);
    wgdn_table_free(&r->table);
    wgdn_ids_close(&r->ids);
}

static wgdn_status table_read(table_result *r, const char *text, wgdn_header header, bool json,
                              wgdn_error *err)
{
    int64_t absent = -1;
    int32_t *rank = NULL;
    *r = (table_result){.table.max = 1000};
    wgdn_ids_open(&r->ids, 1000);
    const wgdn_input in = {
        .data = text, .size = strlen(text), .name = json ? "x.json" : "x.tsv", .header = header};
    wgdn_status st = (json ? wgdn_table_read_json : wgdn_table_read)(&r->table, &r->ids, &in, err);
    if (!st) st = wgdn_ids_sort(&r->ids, &rank, err);
    if (!st) st = wgdn_table_features(&r->features, &absent, &r->table, r->ids.count, rank, err);
    if (!st) CHECK(absent == 0);
    wgdn_release(rank);
    if (st) table_release(r);
    return st;
}

/* Rows as "1 0 2/...", dense or not. */
static const char *table_rows_of(const char *text, wgdn_header header, bool json)
{
    static char out[512];
    table_result r;
    size_t used = 0;
    wgdn_error err = {WGDN_OK, ""};
    out[0] = '\0';
    if (table_read(&r, text, header, json, &err)) return strcpy(out, err.message);
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
    table_release(&r);
    return out;
}

static void tables(void)
{
    CHECK_TEXT(table_rows_of("a\t1\t2\nb\t3\t4\n", 0, false), "1 2 /3 4 /");
    CHECK_TEXT(table_rows_of("id,x,y\r\na,1,-2e1\r\nb,0,0\r\n", 0, false), "1 -20 /0 0 /");
    CHECK_TEXT(table_rows_of("7 1 0\n2 0 1\n", 0, false), "0 1 /1 0 /"); /* integers by value */
    CHECK_TEXT(table_rows_of("2 3\na 1 2 3\nb 4 5 6\n", 0, false), "1 2 3 /4 5 6 /"); /* word2vec */
    CHECK_TEXT(table_rows_of("2 3\n4 5\n", 0, false), "3 /5 /");
    CHECK_TEXT(table_rows_of("9 1\n1 2\n", WGDN_HEADER_YES, false), "2 /");
    CHECK_TEXT(table_rows_of("a 0 0 0 0 0 0 0 0 9\n", 0, false), "0 0 0 0 0 0 0 0 9 /");
}

static void lists_of_features(void)
{
    CHECK_TEXT(table_rows_of("{\"1\": [2, 0, 2], \"0\": []}", 0, true), "0 0 0 /1 0 1 /");
    CHECK_TEXT(table_rows_of("{\"1\": [-2]}", 0, true),
               "x.json: a feature of \"1\" is -2: expected numbers of features, from 0 below 2^31");
    CHECK_TEXT(table_rows_of("{\"1\": [1.5]}", 0, true),
               "x.json: a feature of \"1\" is not a number: expected numbers of features, from 0 "
               "below 2^31");
    CHECK_TEXT(table_rows_of("[1]", 0, true),
               "x.json: expected an object {\"id\": [0, 5, ...], ...}");
    CHECK_TEXT(table_rows_of("{\"1\": 1}", 0, true),
               "x.json: \"1\" is not a list: expected {\"id\": [0, 5, ...]}");
    CHECK_TEXT(table_rows_of("{}", 0, true), "x.json: it contains no features");
    CHECK(strstr(table_rows_of("{\"1\": [1], \"1\": [2]}", 0, true), "duplicate object key"));
    CHECK(strstr(table_rows_of("{\"1\": [1", 0, true), "x.json:1:"));
}

static void bad_rows_are_named(void)
{
    CHECK_TEXT(table_rows_of("a 1 2\nb 1\n", 0, false),
               "x.tsv:2:3: 1 features, where the rows before have 2");
    CHECK_TEXT(table_rows_of("a 1 2\nb 1 NaN\n", 0, false),
               "x.tsv:2:5: \"NaN\" is not a finite number");
    CHECK_TEXT(table_rows_of("a 1 2\nb -inf 1\n", 0, false),
               "x.tsv:2:3: \"-inf\" is not a finite number");
    CHECK_TEXT(table_rows_of("a,1,2\nb,1,\n", 0, false), "x.tsv:2:5: \"\" is not a finite number");
    CHECK_TEXT(table_rows_of("a 1 1e39\n", 0, false), "x.tsv:1:5: \"1e39\" is not a finite number");
    CHECK_TEXT(table_rows_of("a 1\nb 2\na 3\n", 0, false),
               "x.tsv:3: features of \"a\" again: the first are on line 1");
    CHECK_TEXT(table_rows_of("a\nb\n", 0, false),
               "x.tsv:1:1: \"a\" alone: expected an id and its features");
    CHECK_TEXT(table_rows_of("", 0, false),
               "x.tsv: no rows: expected an id and its features per line");
}

static void limits(void)
{
    table_result r = {.table.max = 3};
    wgdn_error err;
    const wgdn_input in = {.data = "a 1 2\nb 3 4\n", .size = 12, .name = "x"};
    wgdn_ids_open(&r.ids, 1000);
    CHECK(wgdn_table_read(&r.table, &r.ids, &in, &err) == WGDN_ERANGE);
    CHECK_TEXT(err.message, "x: more than 3 features, the maximum allowed");
    table_release(&r);
}

static void sparse_or_dense_by_what_is_there(void)
{
    table_result r;
    CHECK(table_read(&r, "a 1 0 0 0\nb 0 1 0 0\n", 0, false, NULL) == WGDN_OK);
    CHECK(r.features.dense && r.features.entries == 2);
    table_release(&r);
    CHECK(table_read(&r, "a 1 0 0 0 0\nb 0 1 0 0 0\n", 0, false, NULL) == WGDN_OK);
    CHECK(!r.features.dense && !r.features.sparse.value && r.features.entries == 2);
    table_release(&r);
}

static void table_memory_runs_out(void)
{
    table_result r;
    CHECK_ALLOCATIONS(table_read(&r, "5 1 0 2\n3 0 0 1.5\nx 0 0 0\n", 0, false, NULL),
                      table_release(&r));
    CHECK_ALLOCATIONS(table_read(&r, "{\"5\": [1, 9, 3], \"2\": [40]}", 0, true, NULL),
                      table_release(&r));
}

static int table_tests(void)
{
    RUN(tables);
    RUN(lists_of_features);
    RUN(bad_rows_are_named);
    RUN(limits);
    RUN(sparse_or_dense_by_what_is_there);
    RUN(table_memory_runs_out);
    return check_result();
}

/* ---- columns ---- */

static wgdn_text word(const char *text)
{
    return wgdn_text_of(text, strlen(text));
}

/* ---- fields ---- */

static double day(const char *text)
{
    double x = 0;
    return wgdn_text_day(word(text), WGDN_DAY_FIRST, &x) ? x : -1e9;
}

static void days_since_1970(void)
{
    CHECK_NEAR(day("1970-01-01"), 0, 0);
    CHECK_NEAR(day("2000-03-01"), 11017, 0); /* date -d 2000-03-01 +%s / 86400 */
    CHECK_NEAR(day("2024/02/29"), 19782, 0);
    CHECK_NEAR(day("1969-12-31"), -1, 0);
    CHECK_NEAR(day("0000-01-01"), -719528, 0);
    CHECK_NEAR(day("1970-01-02T12:00"), 1.5, 1e-12);
    CHECK_NEAR(day("1970-01-02 06:00:00.00"), 1.25, 1e-12);
    CHECK_NEAR(day("1970-01-02T00:00:00Z"), 1, 1e-12);
    CHECK_NEAR(day("1970-01-02T02:00:00+02:00"), 1, 1e-12);
    CHECK_NEAR(day("1970-01-01T22:00:00-0200"), 1, 1e-12);
    CHECK_NEAR(day("1970-01-02T01:00+01"), 1, 1e-12);
}

/* The year last: a point puts the day first, a stroke leaves it to the order. */
static void local_days(void)
{
    double x = 0;
    CHECK_NEAR(day("29.02.2024"), 19782, 0);
    CHECK_NEAR(day("1.3.2000"), 11017, 0);
    CHECK_NEAR(day("29/02/2024"), 19782, 0);
    CHECK_NEAR(day("01-03-2000"), 11017, 0);
    CHECK_NEAR(day("02.01.1970 12:00"), 1.5, 1e-12);
    CHECK_NEAR(day("2/1/1970 6:00 PM"), 1.75, 1e-12);
    CHECK_NEAR(day("02/01/1970 12:00 am"), 1, 1e-12);
    CHECK(wgdn_text_day(word("03/01/2000"), WGDN_MONTH_FIRST, &x) && x == 11017);
    CHECK(wgdn_text_day(word("01.03.2000"), WGDN_MONTH_FIRST, &x) && x == 11017);
    CHECK(day("02/29/2024") == -1e9 && day("29.02.24") == -1e9 && day("1.2/2024") == -1e9);
    CHECK(day("02/01/1970 13:00 PM") == -1e9 && day("1.234.5678") == -1e9);
}

static void no_days(void)
{
    static const char *const bad[] = {"2023-02-29",
                                      "1900-02-29",
                                      "2024-13-01",
                                      "2024-00-01",
                                      "2024-01-32",
                                      "2024-1-1",
                                      "2024-01/01",
                                      "20240101",
                                      "2024-01-01T",
                                      "2024-01-01T24:00",
                                      "2024-01-01T10:60",
                                      "2024-01-01 10",
                                      "2024-01-01T10:00x",
                                      "2024-01-01T10:00:",
                                      "2024-01-01T10:00:00.",
                                      "2024-01-01T10:00+1",
                                      "",
                                      "red"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(day(bad[i]) == -1e9);
}

static int field(const char *text)
{
    double x;
    return (int)wgdn_field_of(word(text), '.', WGDN_DAY_FIRST, &x);
}

static void kinds_of_fields(void)
{
    static const char *const gaps[] = {"", "NA", "n/a", "NaN", "nan", "null", "NULL", "None", "?"};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        CHECK(field(gaps[i]) == WGDN_FIELD_MISSING);
    CHECK(field("-1.5e3") == WGDN_FIELD_NUMBER && field("inf") == WGDN_FIELD_NUMBER);
    CHECK(field("yes") == WGDN_FIELD_BOOLEAN && field("FALSE") == WGDN_FIELD_BOOLEAN);
    CHECK(field("2024-01-31") == WGDN_FIELD_DAY);
    CHECK(field("nan1") == WGDN_FIELD_WORD && field("-") == WGDN_FIELD_WORD);
}

/* ---- tables ---- */

typedef struct columns_result {
    wgdn_ids ids;
    wgdn_table table;
    wgdn_features features;
    wgdn_encoding made;
    wgdn_remarks remarks;
} columns_result;

static void columns_release(columns_result *r)
{
    wgdn_remarks_free(&r->remarks);
    wgdn_encoding_free(&r->made);
    wgdn_features_free(&r->features);
    wgdn_table_free(&r->table);
    wgdn_ids_close(&r->ids);
}

/* What a test wants beside the text. */
typedef struct wish {
    wgdn_feature_scale scale;
    int most;           /* categories */
    const char *ignore; /* columns */
    const char *given;  /* an encoding */
    wgdn_header header;
    char decimal;
    const char *id;
} wish;

static wgdn_status columns_read(columns_result *r, const char *text, wish how, wgdn_error *err)
{
    int64_t absent = -1;
    wgdn_encoding given = {0};
    wgdn_block *b = NULL;
    *r = (columns_result){.table.max = 100000};
    wgdn_ids_open(&r->ids, 100000);
    const wgdn_input in = {.data = text,
                           .size = strlen(text),
                           .name = "x.csv",
                           .header = how.header,
                           .decimal = how.decimal,
                           .id = how.id};
    wgdn_status st = how.given ? wgdn_encoding_parse(&given, how.given, err) : WGDN_OK;
    if (!st) st = wgdn_encoding_add(&r->made, &b, err);
    const wgdn_table_plan plan = {.scale = how.scale,
                                  .max_categories = how.most ? how.most : 32,
                                  .ignore = how.ignore,
                                  .given = how.given ? given.block : NULL,
                                  .made = b,
                                  .remarks = &r->remarks};
    if (!st) st = wgdn_table_read_columns(&r->table, &r->ids, &in, &plan, err);
    if (!st) st = wgdn_table_features(&r->features, &absent, &r->table, r->ids.count, NULL, err);
    wgdn_encoding_free(&given);
    if (st) columns_release(r);
    return st;
}

static float at(const wgdn_features *f, int64_t i, int64_t j)
{
    if (f->dense) return f->dense[i * f->width + j];
    for (int64_t k = f->sparse.offset[i]; k < f->sparse.offset[i + 1]; k++)
        if (f->sparse.column[k] == j) return f->sparse.value ? f->sparse.value[k] : 1;
    return 0;
}

/* Rows as "1 0 2/...", or the error. */
static const char *columns_rows_of(const char *text, wish how)
{
    static char out[2048];
    columns_result r;
    size_t used = 0;
    wgdn_error err = {WGDN_OK, ""};
    out[0] = '\0';
    if (columns_read(&r, text, how, &err)) {
        snprintf(out, sizeof out, "%s", err.message);
        return out;
    }
    for (int64_t i = 0; i < r.features.rows; i++) {
        for (int64_t j = 0; j < r.features.width; j++)
            used += (size_t)snprintf(out + used, sizeof out - used, "%.5g ",
                                     (double)at(&r.features, i, j));
        used += (size_t)snprintf(out + used, sizeof out - used, "/");
    }
    columns_release(&r);
    return out;
}

static const wish none = {.scale = WGDN_FEATURE_SCALE_NONE},
                  standard = {.scale = WGDN_FEATURE_SCALE_STANDARD};

static void columns_by_kind(void)
{
    CHECK_TEXT(columns_rows_of("id,c\na,red\nb,blue\nc,red\n", none), "0 1 /1 0 /0 1 /");
    CHECK_TEXT(columns_rows_of("id,m\na,yes\nb,No\n", none), "1 /0 /");
    CHECK_TEXT(columns_rows_of("id,t\na,1970-01-03\nb,1970/01/02\n", none), "2 /1 /");
    CHECK_TEXT(columns_rows_of("id,n,c\na,1,u\nb,,v\nc,3,\n", none),
               "1 0 1 0 0 /2 1 0 1 0 /3 0 0 0 1 /");
    CHECK_TEXT(columns_rows_of("id,n,e\na,1,\nb,2,NA\n", none), "1 /2 /"); /* nothing in e */
    CHECK_TEXT(columns_rows_of("id,n,m\na,1,2\nb,4,3\n",
                               (wish){.scale = WGDN_FEATURE_SCALE_NONE, .ignore = "n"}),
               "2 /3 /");
    CHECK_TEXT(columns_rows_of("id,n,m\na,1,2\nb,4,3\n",
                               (wish){.scale = WGDN_FEATURE_SCALE_NONE, .ignore = "2"}),
               "1 /4 /");
    CHECK_TEXT(columns_rows_of("id,n\na,1\n", (wish){.ignore = "x"}),
               "x.csv: no column \"x\", which is to be ignored");
}

static void scales(void)
{
    CHECK_TEXT(columns_rows_of("id,n\na,1\nb,3\n", standard), "-1 /1 /");
    CHECK_TEXT(columns_rows_of("id,n\na,1\nb,\nc,3\n", standard), "-1 0 /0 1 /1 0 /");
    CHECK_TEXT(columns_rows_of("id,n,c\na,7,u\nb,7,v\n", standard),
               "0 1 0 /0 0 1 /"); /* constant */
    CHECK_TEXT(columns_rows_of("id,n,m\na,3,4\nb,0,0\n", (wish){.scale = WGDN_FEATURE_SCALE_ROW}),
               "0.6 0.8 /0 0 /");
}

/* Numbers of one kind stay as they are, bit for bit; years beside scores do not. */
static void scale_is_chosen(void)
{
    const wish look = {0};
    CHECK_TEXT(columns_rows_of("a 1 2\nb 300 4\n", look), "1 2 /300 4 /"); /* no headings */
    CHECK_TEXT(columns_rows_of("id x y\na 1 -2\nb -1 2\n", look), "1 -2 /-1 2 /");
    CHECK_TEXT(columns_rows_of("id x y z\na 0 0 900\nb 1 0 0\n", look), "0 0 900 /1 0 0 /");
    CHECK_TEXT(columns_rows_of("id x y\na 1 0.01\nb 0.9 0.02\n", look), "1 0.01 /0.9 0.02 /");
    CHECK_TEXT(columns_rows_of("id v0 v1\na 1 20\nb 2 90\n", look), "1 20 /2 90 /"); /* a vector */
    CHECK_TEXT(columns_rows_of("id y s\na 2001 2\nb 2003 4\n", look), "-1 -1 /1 1 /");
    CHECK_TEXT(columns_rows_of("id,x,c\na,1,u\nb,3,u\n", look), "-1 1 /1 1 /");
}

static void many_values_are_hashed(void)
{
    char text[2000] = "id,c\n";
    columns_result r;
    size_t used = strlen(text);
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "n%d,v%d\n", i, i);
    CHECK(columns_read(&r, text, none, NULL) == WGDN_OK);
    CHECK(r.features.width == 32 && r.features.entries == 40);
    CHECK(r.made.block[0].column[0].kind == WGDN_FEATURE_HASHED);
    columns_release(&r);
    CHECK(columns_read(&r, text, (wish){.most = 40}, NULL) == WGDN_OK);
    CHECK(r.features.width == 40);
    columns_release(&r);
}

static void text_is_refused(void)
{
    char text[4000] = "id,bio\n", odd[2000] = "id,n\n";
    size_t used = strlen(text), more = strlen(odd);
    for (int i = 0; i < 40; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "n%d,she likes %d cats\n", i, i);
        more +=
            (size_t)snprintf(odd + more, sizeof odd - more, "n%d,%d%s\n", i, i, i == 20 ? "x" : "");
    }
    CHECK(strstr(columns_rows_of(text, none), "x.csv: column \"bio\" is text: "));
    CHECK(strstr(columns_rows_of(text, none), "--ignore \"bio\""));
    CHECK(
        strstr(columns_rows_of(odd, none), "x.csv:22: column \"n\": no number, where nearly all"));
}

static void headers(void)
{
    const wish no = {.scale = WGDN_FEATURE_SCALE_NONE, .header = WGDN_HEADER_NO};
    CHECK_TEXT(columns_rows_of("a,red\nb,blue\nc,red\n", none), "0 1 /1 0 /0 1 /"); /* red again */
    CHECK_TEXT(columns_rows_of("a,\nb,1\n", none), "1 1 /1 0 /");
    CHECK_TEXT(columns_rows_of("n\na 1\nb 2\n", none),
               "1 /2 /"); /* R leaves out the id's heading */
    CHECK_TEXT(columns_rows_of("id,n,n,m\na,1,2,3\n", (wish){.header = WGDN_HEADER_YES}),
               "x.csv: more than one column is headed \"n\": rename it");
    CHECK_TEXT(columns_rows_of("id,c\na,u\n", no), "1 0 /0 1 /");
    CHECK(
        strstr(columns_rows_of("a,1,2\nb,x\n", none), "1 features, where the rows before have 2"));
}

static void refused_as_before(void)
{
    CHECK_TEXT(columns_rows_of("a 1 2\nb -inf 1\n", none),
               "x.csv:2:3: \"-inf\" is not a finite number");
    CHECK_TEXT(columns_rows_of("a,1\nb,2\na,3\n", none),
               "x.csv:3: features of \"a\" again: the first are on line 1");
    CHECK_TEXT(columns_rows_of("", none),
               "x.csv: no rows: expected an id and its features per line");
    CHECK_TEXT(columns_rows_of("id,x\n", (wish){.header = WGDN_HEADER_YES}),
               "x.csv: no rows: expected an id and its features per line");
}

static void ids_and_commas(void)
{
    const wish by = {.scale = WGDN_FEATURE_SCALE_NONE, .id = "who"};
    const wish comma = {.scale = WGDN_FEATURE_SCALE_NONE, .decimal = ','};
    CHECK_TEXT(columns_rows_of("c,who,n\nu,a,1\nv,b,2\n", by), "1 0 1 /0 1 2 /");
    CHECK_TEXT(
        columns_rows_of("u,a,1\nv,b,2\n", (wish){.scale = WGDN_FEATURE_SCALE_NONE, .id = "2"}),
        "1 0 1 /0 1 2 /");
    CHECK_TEXT(columns_rows_of("id;n;c\na;1,5;u\nb;;u\n", comma), "1.5 0 1 /1.5 1 1 /");
    CHECK_TEXT(columns_rows_of(",n,c\na,1,u\nb,2,u\n", none),
               "1 1 /2 1 /"); /* a dataframe's index */
}

/* ---- an encoding and other rows ---- */

static const char columns_table[] = "id,n,c,d\na,1,red,2024-01-01\nb,,blue,2024-01-03\nc,3,r%d ,\n";

static void encoding_to_text_and_back(void)
{
    columns_result r;
    wgdn_encoding again = {0};
    char *text = NULL, *second = NULL;
    CHECK(columns_read(&r, columns_table, standard, NULL) == WGDN_OK);
    CHECK(wgdn_encoding_text(&text, &r.made, NULL) == WGDN_OK);
    CHECK(wgdn_encoding_parse(&again, text, NULL) == WGDN_OK);
    CHECK(wgdn_encoding_same(&r.made, &again) && again.block[0].width == 7);
    CHECK(wgdn_encoding_text(&second, &again, NULL) == WGDN_OK);
    CHECK_TEXT(second, text);
    CHECK(wgdn_encodings_agree(text, second, NULL) == WGDN_OK);
    CHECK(wgdn_encodings_agree(text, "columns 1\nnumbers 7\n", NULL) == WGDN_EINVAL);
    wgdn_release(second);
    wgdn_release(text);
    wgdn_encoding_free(&again);
    columns_release(&r);
}

static void other_rows(void)
{
    static const char known[] = "columns 1\ntable standard headed 2 2\nnumber 0 2 2 1 n\n"
                                "category 1 c blue red\n";
    const wish as = {.given = known};
    CHECK_TEXT(columns_rows_of("id,n,c\na,3,red\nb,1,blue\n", as), "1 0 1 0 /-1 1 0 0 /");
    CHECK_TEXT(columns_rows_of("id,c,x,n\na,red,9,3\n", as), "1 0 1 0 /"); /* another order */
    CHECK_TEXT(columns_rows_of("id,n,c\na,,green\nb,2,\n", as), "0 0 0 0 /0 0 0 1 /");
    CHECK(strstr(columns_rows_of("id,c\na,red\n", as), "x.csv: no column \"n\", which the model"));
    CHECK(strstr(columns_rows_of("id,n,c\na,red,red\n", as), "x.csv:2:3: \"red\" is not a number"));
}

static void rows_without_headings(void)
{
    const wish as = {.given =
                         "columns 1\ntable none bare 2 3\nnumber 0 2 0 1 1\nboolean 0 0 0 1 3\n"};
    CHECK_TEXT(columns_rows_of("a,3,,yes\nb,1,,no\n", as), "3 1 /1 0 /");
    CHECK_TEXT(columns_rows_of("id,x,e,y\na,3,,yes\n", as), "3 1 /");
    CHECK(strstr(columns_rows_of("a,3\n", as), "1 columns, where the model was made with 3"));
}

static void bad_encodings(void)
{
    static const char *const bad[] = {"",
                                      "columns 2\nnumbers 3\n",
                                      "columns 1\n",
                                      "columns 1\nnumbers 0\n",
                                      "columns 1\nnumbers 3",
                                      "columns 1\nnumbers 3 4\n",
                                      "columns 1\ntable auto headed 1 1\nnumber 0 0 0 1 n\n",
                                      "columns 1\ntable none headed 2 2\nnumber 0 0 0 1 n\n",
                                      "columns 1\ntable none headed 1 1\nnumber 0 0 inf 1 n\n",
                                      "columns 1\ntable none headed 1 1\nnumber 2 0 0 1 n\n",
                                      "columns 1\ntable none headed 1 1\ncategory 0 %zz red\n",
                                      "columns 1\ntable none headed 1 1\nhashed 0 0 c\n",
                                      "columns 1\ntable none headed 2 1\nnumber 0 0 0 1 n\n",
                                      "columns 1\ntable none bare 1 1\nnumber 0 0 0 1 2\n",
                                      "columns 1\ntable none bare 1 1\nnumber 0 0 0 1 n\n"};
    wgdn_encoding e;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(wgdn_encoding_parse(&e, bad[i], NULL) == WGDN_EFORMAT);
}

static void columns_memory_runs_out(void)
{
    columns_result r;
    wgdn_encoding e;
    CHECK_ALLOCATIONS(columns_read(&r, columns_table, standard, NULL), columns_release(&r));
    CHECK_ALLOCATIONS(wgdn_encoding_parse(&e,
                                          "columns 1\narray 3\ntable none headed 2 2\n"
                                          "category 1 c a b\nhashed 0 32 d\n",
                                          NULL),
                      wgdn_encoding_free(&e));
}

static int columns_tests(void)
{
    RUN(days_since_1970);
    RUN(local_days);
    RUN(no_days);
    RUN(kinds_of_fields);
    RUN(columns_by_kind);
    RUN(scales);
    RUN(scale_is_chosen);
    RUN(many_values_are_hashed);
    RUN(text_is_refused);
    RUN(headers);
    RUN(refused_as_before);
    RUN(ids_and_commas);
    RUN(encoding_to_text_and_back);
    RUN(other_rows);
    RUN(rows_without_headings);
    RUN(bad_encodings);
    RUN(columns_memory_runs_out);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"table", table_tests},
        {"columns", columns_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
