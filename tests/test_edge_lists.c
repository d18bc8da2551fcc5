/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists, of one graph and of many. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "scratch.h"

#include "data/dataset.h"
#include "data/row_sort.h"
#include "formats/edge_list.h"
#include "graph/graph.h"

/* ---- edges ---- */

static wgdn_weights weights_are;

typedef struct result {
    wgdn_dataset_options o;
    wgdn_draft w;
    wgdn_edge_layout y;
} result;

static void release(result *r)
{
    wgdn_edge_layout_free(&r->y);
    wgdn_draft_close(&r->w);
}

static wgdn_status read_input(result *r, const wgdn_input *in, wgdn_error *err)
{
    wgdn_status st = wgdn_edge_layout_find(&r->y, in, &r->o, err);
    if (!st) st = wgdn_edge_list_read(&r->w, in, &r->y, err);
    if (st) release(r);
    return st;
}

static void prepare(result *r)
{
    wgdn_dataset_options_init(&r->o);
    r->o.max_nodes = 2000;
    r->o.max_entries = 1000000;
    r->o.threads = 2;
    r->o.weights = weights_are;
    wgdn_draft_open(&r->w, NULL, &r->o);
}

static wgdn_status edges_read(result *r, const char *text, wgdn_header header, wgdn_error *err)
{
    prepare(r);
    const wgdn_input in = {.data = text, .size = strlen(text), .name = "e.tsv", .header = header};
    return read_input(r, &in, err);
}

/* Edges as "0-1 1-2 ", after checking that they were read at all. */
static const char *edges_of(const char *text, wgdn_header header)
{
    static char out[1024];
    result r;
    size_t used = 0;
    wgdn_error err;
    out[0] = '\0';
    if (edges_read(&r, text, header, &err)) return err.message[0] ? strcpy(out, err.message) : "?";
    for (int64_t k = 0; k < r.w.edges.count; k++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%d-%d ", r.w.edges.end[2 * k],
                                 r.w.edges.end[2 * k + 1]);
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
    CHECK_TEXT(edges_of("who,whom\na,b\n", WGDN_HEADER_AUTO), "0-1 2-3 "); /* too few to tell */
    CHECK_TEXT(edges_of("from_account,to_account\na,b\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("From Account,To Account\na,b\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("to,from\na,b\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("to from\nto and\n", WGDN_HEADER_AUTO), "0-1 0-2 ");
    CHECK_TEXT(edges_of("a b\nb from\nfrom to\n", WGDN_HEADER_AUTO), "0-1 1-2 2-3 ");
    CHECK_TEXT(edges_of("node1 node2\nx y\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("node1 node2\nnode3 node4\n", WGDN_HEADER_AUTO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("x1 x2\ny1 y2\n", WGDN_HEADER_AUTO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("gene_a gene_b\ny1 y2\n", WGDN_HEADER_AUTO), "0-1 ");
    CHECK_TEXT(edges_of("x,1\n2,y\n", WGDN_HEADER_AUTO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("a,b,NA\nb,c,2\n", WGDN_HEADER_AUTO), "0-1 "); /* the first is left out */
    CHECK_TEXT(edges_of("who,whom\na,b\n", WGDN_HEADER_YES), "0-1 ");
    CHECK_TEXT(edges_of("source,target\na,b\n", WGDN_HEADER_NO), "0-1 2-3 ");
    CHECK_TEXT(edges_of("source,target\n", WGDN_HEADER_AUTO), "");
}

/* Words over words: the one row whose words are nowhere else, among ten rows at least. */
static void strangers(void)
{
    const char *ring = "a,b\nb,c\nc,d\nd,e\ne,f\nf,g\ng,h\nh,i\ni,a\n";
    char text[128];
    snprintf(text, sizeof text, "who,whom\n%s", ring);
    CHECK_TEXT(edges_of(text, WGDN_HEADER_AUTO), "0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-0 ");
    snprintf(text, sizeof text, "who,whom\n%sx,y\n", ring); /* x,y is apart as well */
    CHECK_TEXT(edges_of(text, WGDN_HEADER_AUTO),
               "0-1 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-2 11-12 ");
    snprintf(text, sizeof text, "who,whom\n%swho,a\n", ring);
    CHECK_TEXT(edges_of(text, WGDN_HEADER_AUTO), "0-1 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-2 0-2 ");
    snprintf(text, sizeof text, "who,who\n%s", ring); /* a node of its own */
    CHECK_TEXT(edges_of(text, WGDN_HEADER_AUTO), "0-0 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-1 ");
}

/* Places from 1 of graph, source, target and weight, 0 for none; or what was wrong. */
static const char *layout_of(const char *text, const char *source, const char *target,
                             const char *weight)
{
    static char out[1024];
    wgdn_dataset_options o;
    wgdn_edge_layout y;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_input in = {.data = text, .size = strlen(text), .name = "e.tsv"};
    wgdn_dataset_options_init(&o);
    o.source = source;
    o.target = target;
    o.weight = weight;
    if (wgdn_edge_layout_find(&y, &in, &o, &err))
        snprintf(out, sizeof out, "%s", err.message);
    else
        snprintf(out, sizeof out, "%lld %lld %lld %lld%s", (long long)y.graph + 1,
                 (long long)y.source + 1, (long long)y.target + 1, (long long)y.weight + 1,
                 y.header == WGDN_HEADER_YES ? " names" : "");
    wgdn_edge_layout_free(&y);
    return out;
}

#define LAYOUT(text) layout_of(text, NULL, NULL, NULL)

static void columns(void)
{
    CHECK_TEXT(LAYOUT("1 2\n"), "0 1 2 0");
    CHECK_TEXT(LAYOUT("1 2 0.5\n"), "0 1 2 3");
    CHECK_TEXT(LAYOUT("1 2 0.5 7\n"), "0 1 2 0");
    CHECK_TEXT(LAYOUT("1 2 1082008561\n3 4 1082155839\n"), "0 1 2 0"); /* times */
    CHECK_TEXT(LAYOUT("1 2 1082008561\n3 4 10\n"), "0 1 2 3");
    CHECK_TEXT(LAYOUT("a\tb\t\nc\td\t\n"), "0 1 2 0"); /* nothing behind the last tab */
    CHECK_TEXT(LAYOUT("Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,,1\n"), "0 1 2 6 names");
    CHECK_TEXT(LAYOUT("weight,to,from\n1,a,b\n"), "0 3 2 1 names");
    CHECK_TEXT(LAYOUT("time,from_account,to_account,amount\nx,a,b,3\n"), "0 2 3 0 names");
    CHECK_TEXT(LAYOUT("start_time,end_time,start,end\n1,2,a,b\n"), "0 3 4 0 names");
    CHECK_TEXT(LAYOUT("timestamp,who,whom,amount\nx,a,b,3\n"), "0 2 3 0 names");
    CHECK_TEXT(LAYOUT(",who,whom\n0,a,b\n1,c,d\n"), "0 2 3 0 names");
    CHECK_TEXT(LAYOUT("\"\",\"who\",\"whom\"\n\"1\",\"a\",\"b\"\n\"2\",\"c\",\"d\"\n"),
               "0 2 3 0 names");
    CHECK_TEXT(LAYOUT(",0,1\n0,4,5\n1,6,5\n"), "0 2 3 0 names");
    CHECK_TEXT(LAYOUT(",0,1,2\n0,4,5,1.5\n1,6,5,2\n2,4,6,1\n"), "0 2 3 0 names"); /* no matrix */
    CHECK_TEXT(LAYOUT("Unnamed: 0,who,whom\n0,a,b\n"), "0 2 3 0 names");
    CHECK_TEXT(LAYOUT("userId,movieId,rating\n1,2,3\n"), "0 1 2 0 names");
    CHECK_TEXT(LAYOUT(":START_ID,:END_ID,:TYPE\na,b,KNOWS\n"), "0 1 2 0 names");
    CHECK_TEXT(LAYOUT("source,target,graph\na,b,g\n"), "3 1 2 0 names");
    CHECK_TEXT(LAYOUT("from,to,graph,weight\na,b,g,1\n"), "3 1 2 4 names");
    CHECK_TEXT(layout_of("who,whom,how\na,b,c\n", "WHOM", "who", NULL), "0 2 1 0 names");
    CHECK_TEXT(layout_of("from,to,n\na,b,2\n", "to", NULL, "n"), "0 2 1 3 names");
    CHECK_TEXT(layout_of("a likes b\nb likes c\n", "1", "3", NULL), "0 1 3 0");
    CHECK_TEXT(layout_of("1 2 3 4\n", "4", NULL, "1"), "0 4 2 1");
    CHECK_TEXT(layout_of("a b\n", "3", NULL, NULL), "e.tsv: --source 3: there are columns 1 .. 2");
    CHECK_TEXT(
        layout_of("1 2\n", "x", NULL, NULL),
        "e.tsv: --source x: no column has that heading, as row 1 is data; number the columns "
        "from 1");
    CHECK_TEXT(layout_of("1 2\n", "2", "2", NULL),
               "e.tsv: --source and --target are the same column, 2");
    CHECK_TEXT(layout_of("a b\n", "1", NULL, "2"),
               "e.tsv: 2 columns, of which none is left for the target; expected two ids");
}

static void weights(void)
{
    result r;
    weights_are = WGDN_WEIGHTS_IGNORE;
    CHECK(edges_read(&r, "a b 1\nb c 0\nc d 2.5\nd e -1\nz z 0\n", WGDN_HEADER_AUTO, NULL) ==
          WGDN_OK);
    CHECK(r.w.edges.count == 3 &&
          r.w.ids.count == 6); /* z has no edge and is a node all the same */
    CHECK(r.w.edges.zero_weights == 2 && r.w.edges.other_weights == 2 && !r.w.edges.weight);
    release(&r);
    weights_are = WGDN_WEIGHTS_USE;
    CHECK(edges_read(&r, "a b 1\nb c 0\nc d 2.5\nz z 0\n", WGDN_HEADER_AUTO, NULL) == WGDN_OK);
    CHECK(r.w.edges.count == 2 && r.w.edges.zero_weights == 2 && r.w.edges.other_weights == 0);
    CHECK(r.w.edges.weight && r.w.edges.weight[0] == 1 && r.w.edges.weight[1] == 2.5f);
    release(&r);
    CHECK_TEXT(edges_of("# signed\na b 1\n\nc d -2\n", WGDN_HEADER_AUTO),
               "e.tsv:4: the weight -2 is negative; --weights ignore takes the edges alone");
    CHECK_TEXT(edges_of("a b 1\nc d 1e-40\n", WGDN_HEADER_AUTO),
               "e.tsv:2: the weight 1e-40 is not 0 and not within 1e-30 .. 1e+20; --weights ignore "
               "takes the edges alone");
}

/* Headings, and what stands below them: d dates, f amounts, u a number of its own for each row, t
 * texts that recur, i integers that recur, m milliseconds, c two categories, n nothing. */
static const struct {
    const char *name;
    char values;
} vocabulary[] = {
    {"date", 'd'},
    {"when", 'm'},
    {"amount", 'f'},
    {"tx_id", 'u'},
    {"customer_id", 'i'},
    {"product_id", 'i'},
    {"user", 't'},
    {"item", 't'},
    {"sender", 't'},
    {"receiver", 't'},
    {"from", 'i'},
    {"to", 'i'},
    {"author1", 't'},
    {"author2", 't'},
    {"author3", 't'},
    {"debtor_iban", 't'},
    {"counterparty", 't'},
    {"Unnamed: 0", 'u'},
    {"rating", 'i'},
    {"timestamp", 'm'},
    {"graph", 'c'},
    {"weight", 'f'},
    {"type", 'c'},
    {"order_id", 'i'},
    {"tag", 't'},
    {"name", 'u'},
    {"\xc3\xa9tudiant", 't'},
    {"movie", 'i'},
    {"Soll", 't'},
    {"haben", 't'},
    {"credit", 't'},
    {"Kundennummer", 'i'},
    {"Artikelnummern", 'i'},
    {"usersid", 'i'},
    {"movieids", 'i'},
    {"name of sender", 't'},
    {"acct_from", 't'},
    {"acct_to", 't'},
    {"x1", 'i'},
    {"y1", 'i'},
    {"averyveryveryveryveryveryveryveryveryverylongheadingofonewordonly", 't'},
    {"debit_account", 't'},
    {"Haben-Konto", 't'},
    {"idcustomer", 'i'},
    {"productid", 'i'},
    {"object_a", 't'},
    {"objectB", 't'},
    {"node_i", 'i'},
    {"node_j", 'i'},
    {"\xe9l\xe8ve", 't'},
    {"x", 'n'},
    {"Kunde_Nr", 'i'},
    {"account", 't'},
    {"id", 'u'},
};
enum { WORDS = sizeof vocabulary / sizeof *vocabulary };

static int put_date(char *to, size_t size, int day, int how)
{
    switch (how % 4) {
    case 0: return snprintf(to, size, "2024-01-%02d", day);
    case 1: return snprintf(to, size, "%02d.01.2024 10:30", day);
    case 2: return snprintf(to, size, "2024/01/%02dT10:00:00", day);
    default: return snprintf(to, size, "01/%02d/2024", day);
    }
}

static int put_value(char *to, size_t size, char values, int row, int column)
{
    const int recurs = (row * (column + 3) + column) % 11;
    switch (values) {
    case 'd': return put_date(to, size, row % 28 + 1, column);
    case 'f': return snprintf(to, size, "%d.%02d", row * 7 % 90, (row * 13 + 7) % 99);
    case 'u': return snprintf(to, size, "%d", 1000 + row);
    case 't': return snprintf(to, size, "k%d", recurs);
    case 'm': return snprintf(to, size, "17000000%05d", row * 77);
    case 'c': return snprintf(to, size, "%c", row % 2 ? 'p' : 'q');
    case 'n': return 0;
    default: return snprintf(to, size, "%d", recurs);
    }
}

/* Where three or four columns of any headings are read at all, a date or an amount is no end of an
 * edge, and the ends differ. */
static void ends_of_any_table(void)
{
    enum { ROWS = 24, TEXT = 8192 };
    static char text[TEXT];
    int edges_read = 0, asked = 0, wrong = 0;
    for (int any = 0; any < WORDS * WORDS * WORDS; any += 13) {
        const int word[] = {any % WORDS, any / WORDS % WORDS, any / WORDS / WORDS,
                            any * 7 / 3 % WORDS};
        const int columns = 3 + any % 2;
        const bool headings = any % 5 > 0;
        size_t used = 0;
        bool twice = false;
        for (int k = 0; k < columns; k++) {
            for (int j = 0; j < k; j++)
                twice = twice || word[j] == word[k];
            used += (size_t)snprintf(text + used, TEXT - used, "%s%s", k ? "," : "",
                                     vocabulary[word[k]].name);
        }
        if (!headings) used = 0;
        if (twice) continue;
        for (int row = 0; row < ROWS; row++)
            for (int k = 0; k < columns; k++) {
                if (headings || row || k) text[used++] = (char)(k ? ',' : '\n');
                used +=
                    (size_t)put_value(text + used, TEXT - used, vocabulary[word[k]].values, row, k);
            }
        text[used] = '\0';
        int graph, source, target, weight;
        const char *found = LAYOUT(text);
        if (sscanf(found, "%d %d %d %d", &graph, &source, &target, &weight) != 4) {
            asked += strstr(found, "--source") != NULL;
            wrong += strstr(found, "e.tsv") != found;
            continue;
        }
        edges_read++;
        const char a = vocabulary[word[source - 1]].values, b = vocabulary[word[target - 1]].values;
        const bool never = a == 'd' || b == 'd' || a == 'f' || b == 'f';
        if ((never || source == target) && wrong++ == 0)
            fprintf(stderr, "%.60s: %s\n", text, found);
    }
    CHECK(wrong == 0 && edges_read > 1000 && asked > 100);
}

/* Dates and what looks like one: whatever a column beside them holds, headings name the ends. */
static void times_of_any_form(void)
{
    static const char *const times[] = {
        "10:30",         "10:30:05",      "10:30:05.25",   "9:05 pm",     "25:00",
        "10:75",         "10:3",          "100:30",        "10:30x",      "2024-01-31",
        "2024-1-3",      "2024-13-45",    "2024-00-10",    "2024-10-00",  "2024-31-31",
        "2024-01-31T10", "2024-01-31t10", "2024-01-31 10", "2024-01-31X", "31.12.2024",
        "12/31/2024",    "31/31/2024",    "0/12/2024",     "1-2-24",      "2024-01",
        "2024-001-1",    "2024/01-02",    "20240131",      "123456-1-1",  "1.5.2",
        "1,234,567.25",  "1.234.567,25",  "1,23,4",        "12'345.5",    "-1.5e3",
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[1024];
        size_t used = (size_t)snprintf(text, sizeof text, "when;from;to\n");
        for (int row = 0; row < 12; row++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s;a%d;b%d\n", times[i],
                                     row % 5, row % 7);
        CHECK_TEXT(LAYOUT(text), "0 2 3 0 names");
    }
}

static void bad_lines_are_named(void)
{
    CHECK_TEXT(edges_of("a b\nc\n", WGDN_HEADER_AUTO),
               "e.tsv:2:1: \"c\" alone: expected source, target and perhaps a weight; for a node "
               "without edges name it twice");
    CHECK_TEXT(edges_of("a b\nc d 1\n", WGDN_HEADER_NO),
               "e.tsv:2:5: 3 columns, where the rows before have 2");
    CHECK_TEXT(edges_of("a b 1\nc d nan\n", WGDN_HEADER_AUTO), "0-1 "); /* it is missing */
    CHECK_TEXT(edges_of("a,b,1\nc,d,1e999\n", WGDN_HEADER_AUTO),
               "e.tsv:2:5: the weight \"1e999\" is not a finite number");
    CHECK_TEXT(edges_of("a,b,1\nc,d,x\x01y\n", WGDN_HEADER_AUTO),
               "e.tsv:2:5: the weight \"x\\x01y\" is not a finite number");
    CHECK_TEXT(edges_of("a,b\nc,\n", WGDN_HEADER_AUTO), "0-1 "); /* likewise */
    CHECK_TEXT(edges_of("a b c\nc d e\n", WGDN_HEADER_NO),
               "e.tsv: column 3 cannot be the weight, because \"c\" is not a number; name the "
               "columns: --source 1 --target 3 for triples, or --header yes if row 1 has names");
    CHECK_TEXT(edges_of("a;b;1\nc;d;2.5\nc;d;2,5\n", WGDN_HEADER_AUTO),
               "e.tsv:3:5: the weight \"2,5\" is not a finite number; --decimal , reads a comma as "
               "the point");
}

static void limits(void)
{
    wgdn_error err;
    result r;
    const wgdn_input in = {
        .data = "a b\nb c\nc d\n", .size = 12, .name = "e", .header = WGDN_HEADER_NO};
    prepare(&r);
    r.w.edges.max = 2;
    CHECK(read_input(&r, &in, &err) == WGDN_ERANGE);
    CHECK_TEXT(err.message, "e: more than 2 edges, the maximum allowed");
    prepare(&r);
    r.w.ids.max = 3;
    CHECK(read_input(&r, &in, &err) == WGDN_ERANGE);
    CHECK(strstr(err.message, "more than 3 different nodes"));
}

static void rows_of_features_bound_the_ids(void)
{
    wgdn_error err;
    result r;
    const wgdn_input beyond = {
        .data = "0 1\n1 3\n", .size = 8, .name = "e", .header = WGDN_HEADER_NO};
    const wgdn_input negative = {
        .data = "0 -1\n", .size = 5, .name = "e", .header = WGDN_HEADER_NO};
    prepare(&r);
    CHECK(wgdn_ids_open_fixed(&r.w.ids, 3, 0, NULL) == WGDN_OK);
    CHECK(read_input(&r, &beyond, &err) == WGDN_EFORMAT);
    CHECK_TEXT(err.message, "e:2: \"3\" is not a node: the features are 3 rows, so ids are 0 .. 2");
    prepare(&r);
    CHECK(wgdn_ids_open_fixed(&r.w.ids, 3, 0, NULL) == WGDN_OK);
    CHECK(read_input(&r, &negative, &err) == WGDN_EFORMAT);
    CHECK_TEXT(err.message,
               "e:1: \"-1\" is not a node: the features are 3 rows, so ids are 0 .. 2");
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
    if (edges_read(&r, text, WGDN_HEADER_AUTO, &err)) {
        CHECK_TEXT(err.message, "");
        return;
    }
    CHECK(r.w.edges.count == N && r.w.ids.count == 500 + 500 + 400);
    for (int64_t i = 0; i < N / 2; i++)
        CHECK(r.w.edges.end[2 * i] == i % 500 && r.w.edges.end[2 * i + 1] == i % 400);
    for (int64_t i = N / 2; i < N; i++) {
        char id[20];
        const int size = snprintf(id, sizeof id, "%d\"", (int)(i % 400));
        CHECK(r.w.edges.end[2 * i + 1] == wgdn_ids_find(&r.w.ids, wgdn_text_of(id, (size_t)size)));
    }
    release(&r);
}

static wgdn_status read_kinds(result *r)
{
    const char *text = "user,item,x\n1,1,a\n2,\"1\",b\n1,\"\"\"\",c\n2,1,d\n";
    const wgdn_input in = {.data = text, .size = strlen(text), .name = "e.csv"};
    prepare(r);
    r->o.bipartite = 1;
    return read_input(r, &in, NULL);
}

static void kinds_have_ids_of_their_own(void)
{
    static const char *const id[] = {"user:1", "item:1", "user:2", "item:\""};
    result r;
    CHECK(read_kinds(&r) == WGDN_OK && r.w.ids.count == 4 && r.w.edges.count == 4);
    for (int64_t i = 0; i < 4; i++)
        CHECK(wgdn_ids_find(&r.w.ids, wgdn_text_of(id[i], strlen(id[i]))) == i);
    CHECK(r.w.edges.end[5] == 3 && r.w.edges.end[6] == 2 && r.w.edges.end[7] == 1);
    release(&r);
}

/* Fields that are passed over, and weights of 1: as the general reader has it, which a comment asks for. */
/* A table in memory has the columns that its file would have. */
static void columns_of_a_table(void)
{
    static const struct {
        const char *text;
        int64_t source, target, weight, graph;
        int known, two_kinds;
    } t[] = {
        {"user,item,rating\n1,1,5\n2,1,4\n2,3,5\n", 0, 1, -1, -1, 1, 1},
        {"\"#\",\"to\",\"from\",\"weight\"\n\"1\",\"a\",\"b\",\"2\"\n", 2, 1, 3, -1, 1, 0},
        {"a,b\n1,2\n", 0, 1, -1, -1, 0, 0},
        {"graph,source,target\n1,1,2\n", 1, 2, -1, 0, 1, 0},
        {"customer_id,product_id\n", 0, 1, -1, -1, 1, 1},
    };
    wgdn_error err = {WGDN_OK, ""};
    wgdn_edge_columns c = {.struct_size = sizeof c};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CHECK(wgdn_edge_columns_find(&c, t[i].text, strlen(t[i].text), &err) == WGDN_OK);
        CHECK(c.source == t[i].source && c.target == t[i].target && c.weight == t[i].weight &&
              c.graph == t[i].graph && c.known == t[i].known && c.two_kinds == t[i].two_kinds);
    }
    CHECK(wgdn_edge_columns_find(&c, "a\n1\n", 4, &err) == WGDN_EFORMAT);
    CHECK(wgdn_edge_columns_find(&c, "author1,author2,author3\n", 24, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "author3"));
    CHECK(wgdn_edge_columns_find(NULL, "a\n1\n", 4, &err) == WGDN_EINVAL);
    c.struct_size = 0;
    CHECK(wgdn_edge_columns_find(&c, "a,b\n1,2\n", 8, &err) == WGDN_EINVAL);
}

static void further_fields_change_nothing(void)
{
    static const char *const text[] = {
        "1\t2\t5\t88\n2\t3\t4\t89\n", "1,2,1\n2,3,1\n3,1,1",
        "1 2 1\r\n2 3 1\r\n",         "1,2,1\n2,3,0\n",
        "1,2,1\n2,3,1.5\n",           "1,2,1\n2,3,12\n",
        "1,2,,x\n2,3,\"a\nb\",y\n",   "1 2  7 8\n2 3 7 8 \n",
        "1;2; x;y\n2;3;z; \n",        "from,to,note\n1,2,\n2,3,a b\n",
        "1\t2\t\t\n7\t2\t\t\n",       "1,2,1\n2,3,1,\n",
        "1\t2\t5\t88\n2\t3\t4\n",     "1,2,1\n2,3,+1\n2,3,1\n",
        "1 2\t7 8\n2 3 7 8\n",        "1 2 7 9\n2 3 7 9\n2 3 7 9\t8\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char plain[256], comment[300];
        snprintf(comment, sizeof comment, "%s\n#", text[i]);
        snprintf(plain, sizeof plain, "%s", edges_of(text[i], WGDN_HEADER_AUTO));
        CHECK_TEXT(edges_of(comment, WGDN_HEADER_AUTO), plain);
        CHECK(plain[0] != '\0');
    }
}

static void memory_runs_out(void)
{
    result r;
    CHECK_ALLOCATIONS(edges_read(&r, "source,target,w\n0,1,1\n2,x,3\n\"a\"\"b\",c,0\n", 0, NULL),
                      release(&r));
    CHECK_ALLOCATIONS(edges_read(&r, "10 1\n3 12345678\n", 0, NULL), release(&r));
    CHECK_ALLOCATIONS(edges_read(&r, "10 1\n3 12\n", 0, NULL), release(&r));
    CHECK_ALLOCATIONS(edges_read(&r, "p q\na b\nb c\nc d\nd e\ne f\nf g\ng h\nh i\ni a\n", 0, NULL),
                      release(&r));
    CHECK_ALLOCATIONS(read_kinds(&r), release(&r));
}

static int edges_tests(void)
{
    RUN(plain_lists);
    RUN(headers);
    RUN(strangers);
    RUN(columns);
    RUN(weights);
    RUN(ends_of_any_table);
    RUN(times_of_any_form);
    RUN(bad_lines_are_named);
    RUN(limits);
    RUN(rows_of_features_bound_the_ids);
    RUN(batches_join);
    RUN(kinds_have_ids_of_their_own);
    RUN(columns_of_a_table);
    RUN(further_fields_change_nothing);
    RUN(memory_runs_out);
    return check_result();
}

/* ---- edge_rows ---- */

/* Large edge lists, and from pairs to the rows of a graph. */

/* What wgdn_graph_from_edges() makes of the same pairs, which is the plain way there. */
static wgdn_graph *plain_graph(int64_t n, const wgdn_edges *e)
{
    wgdn_graph *g = NULL;
    int64_t *src = malloc((size_t)e->count * sizeof *src),
            *dst = malloc((size_t)e->count * sizeof *dst);
    for (int64_t k = 0; src && dst && k < e->count; k++)
        src[k] = e->end[2 * k], dst[k] = e->end[2 * k + 1];
    CHECK(src && dst && wgdn_graph_from_edges(&g, n, e->count, src, dst, NULL) == WGDN_OK);
    free(src);
    free(dst);
    return g;
}

static void check_same(const wgdn_graph *a, const wgdn_graph *b)
{
    const wgdn_csr *x = &a->adjacency, *y = &b->adjacency;
    const size_t n = (size_t)x->rows;
    CHECK(x->rows == y->rows);
    CHECK(memcmp(x->offset, y->offset, (n + 1) * sizeof *x->offset) == 0);
    CHECK(memcmp(x->column, y->column, (size_t)wgdn_csr_entries(x) * sizeof *x->column) == 0);
    CHECK(memcmp(a->inv_degree, b->inv_degree, n * sizeof *a->inv_degree) == 0);
    CHECK(memcmp(a->inv_sqrt_degree, b->inv_sqrt_degree, n * sizeof *a->inv_degree) == 0);
}

/* Up to 2^21 nodes an entry on its way has 32 bits, beyond that 64. */
static void pairs_make_the_same_graph_as_edges(void)
{
    enum { M = 40000 };
    static const int64_t nodes[] = {1, 2, 50, 1024, 1025, 1 << 21, (1 << 21) + 1, 5000000};
    static int32_t ends[2 * M];
    wgdn_edges pairs = {.end = ends};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            const int64_t n = nodes[i];
            uint64_t s = 7;
            int64_t loops = 0;
            wgdn_graph *b = NULL;
            pairs.count = i % 2 ? M : 400; /* one piece or many */
            for (int64_t k = 0; k < 2 * pairs.count; k++) {
                s = s * 6364136223846793005 + 1442695040888963407;
                ends[k] =
                    (int32_t)(k % 3 ? (int64_t)(s >> 33) % n : n - 1); /* a hub, last of all */
                loops += k % 2 && ends[k] == ends[k - 1];
            }
            wgdn_graph *a = plain_graph(n, &pairs);
            CHECK(wgdn_edges_graph(&b, n, &pairs, threads, NULL) == WGDN_OK);
            CHECK(pairs.loops == loops && pairs.end == ends);
            check_same(a, b);
            wgdn_graph_free(a);
            wgdn_graph_free(b);
        }
    wgdn_graph *b = NULL;
    pairs.count = 400;
    CHECK_ALLOCATIONS(wgdn_edges_graph(&b, 5000000, &pairs, 2, NULL), wgdn_graph_free(b));
}

/* Ends in a block of their size become the rows; a block with much room to spare stays. */
static void rows_take_the_block_of_the_ends(void)
{
    for (int64_t room = 400; room <= 800; room += 400) {
        wgdn_edges e = {.count = 200, .room = room};
        wgdn_graph *g = NULL;
        e.end = wgdn_alloc((size_t)room, sizeof *e.end);
        for (int k = 0; e.end && k < 400; k++)
            e.end[k] = k;
        const int32_t *block = e.end;
        wgdn_graph *plain = plain_graph(400, &e);
        CHECK(wgdn_edges_graph(&g, 400, &e, 1, NULL) == WGDN_OK);
        CHECK((g->adjacency.column == block) == (room == 400));
        CHECK((e.end == NULL) == (room == 400));
        check_same(plain, g);
        wgdn_graph_free(g);
        wgdn_graph_free(plain);
        wgdn_edges_free(&e);
    }
    wgdn_edges none = {0};
    wgdn_graph *g = NULL;
    CHECK(wgdn_edges_graph(&g, 3, &none, 2, NULL) == WGDN_OK && wgdn_graph_edges(g) == 0);
    wgdn_graph_free(g);
}

enum { LINES = 330000 };

/*
 * A text of several chunks, with a hub whose row is long, repeats, loops and unused integers, some
 * of eight digits; lines end in CRLF, or have blanks, where the separator allows it.
 */
static char *large_list(size_t *size, char separator)
{
    static const char *const form[] = {"%u%c%u\r\n", "%u%c  %u\n"};
    char *text = malloc((size_t)LINES * 24 + 16);
    uint32_t s = 3;
    *size = 0;
    for (int k = 0; text && k < LINES; k++) {
        const unsigned u = (s = s * 1664525 + 1013904223) >> 14,
                       v = (s = s * 1664525 + 1013904223) >> 12;
        const unsigned w = k % 70 ? 77 : 10000000 + (unsigned)k;
        const bool odd = k % 1000 < (separator == '\t' ? 1 : 2);
        *size += (size_t)snprintf(text + *size, 24, odd ? form[k % 1000] : "%u%c%u\n",
                                  k % 5 ? u : 123456789 % (u | 1), separator, k % 7 ? v : w);
    }
    return text;
}

static void try_list(char separator)
{
    size_t size;
    char *text = large_list(&size, separator);
    wgdn_draft r[4];
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    wgdn_graph *g = NULL;
    CHECK(text != NULL);
    if (!text) return;
    for (int i = 0; i < 4; i++) {
        wgdn_edge_layout y;
        o.threads = 1 << i;
        wgdn_draft_open(&r[i], NULL, &o);
        if (i == 3) { /* a comment leaves it to the general reader */
            memcpy(text + size, "# end\n", 6);
            size += 6;
        }
        const wgdn_input in = {.data = text, .size = size, .name = "e", .header = WGDN_HEADER_NO};
        CHECK(wgdn_edge_layout_find(&y, &in, &o, NULL) == WGDN_OK);
        CHECK(wgdn_edge_list_read(&r[i], &in, &y, NULL) == WGDN_OK);
        wgdn_edge_layout_free(&y);
    }
    for (int i = 1; i < 4; i++) {
        CHECK(r[i].edges.count == LINES && r[i].ids.count == r[0].ids.count);
        CHECK(memcmp(r[i].edges.end, r[0].edges.end, 2 * LINES * sizeof(int32_t)) == 0);
        CHECK(memcmp(r[i].ids.value, r[0].ids.value, (size_t)r[0].ids.count * sizeof(int64_t)) ==
              0);
    }
    wgdn_graph *plain = plain_graph(r[0].ids.count, &r[0].edges);
    for (int i = 0; i < 4; i++) {
        CHECK(wgdn_edges_graph(&g, r[i].ids.count, &r[i].edges, 1 << i, NULL) == WGDN_OK);
        check_same(plain, g);
        wgdn_graph_free(g);
        wgdn_draft_close(&r[i]);
    }
    wgdn_graph_free(plain);
    free(text);
}

static void threads_and_chunks_change_nothing(void)
{
    try_list('\t');
    try_list(',');
    try_list(' ');
}

/* Every length, with few and with many repeats, against one insertion after another. */
static void short_rows_are_sorted(wgdn_row_sort *sort)
{
    uint32_t s = 11;
    for (int count = 0; count <= WGDN_ROW_SHORT; count++)
        for (uint32_t range = 1; range < 1u << 30; range *= 9) {
            int32_t row[WGDN_ROW_SHORT], want[WGDN_ROW_SHORT], got[WGDN_ROW_SHORT];
            int64_t kept = 0;
            for (int i = 0; i < count; i++) {
                int64_t at = 0;
                row[i] = (int32_t)((s = s * 1664525 + 1013904223) >> 1) % (int32_t)range;
                while (at < kept && want[at] < row[i])
                    at++;
                if (at < kept && want[at] == row[i]) continue;
                memmove(want + at + 1, want + at, (size_t)(kept - at) * sizeof *want);
                want[at] = row[i];
                kept++;
            }
            CHECK(sort(got, row, count) == kept);
            CHECK(memcmp(got, want, (size_t)kept * sizeof *got) == 0);
        }
}

static void short_rows_at_every_level(void)
{
    short_rows_are_sorted(wgdn_row_sort_base);
#if defined(__x86_64__)
    if (wgdn_cpu_best() >= WGDN_CPU_V3) short_rows_are_sorted(wgdn_row_sort_v3);
    if (wgdn_cpu_best() >= WGDN_CPU_V4) short_rows_are_sorted(wgdn_row_sort_v4);
#endif
}

static int edge_rows_tests(void)
{
    RUN(pairs_make_the_same_graph_as_edges);
    RUN(rows_take_the_block_of_the_ends);
    RUN(threads_and_chunks_change_nothing);
    RUN(short_rows_at_every_level);
    return check_result();
}

/* ---- graph_edges ---- */

/* Edge lists with a column of graphs. */

static const char graph_edges_text[] = "graph\tsource\ttarget\tweight\n"
                                       "10\tx\ty\t1\n"
                                       "9\tx\tz\t2\n"
                                       "10\ty\tz\t1\n"
                                       "9\tz\tw\t0\n"
                                       "11\tx\tx\t1\n";

static wgdn_dataset *read_set(const char *name, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = NULL;
    wgdn_error err = {WGDN_OK, ""};
    CHECK(wgdn_dataset_read(&d, scratch(name).text, o, &err) == WGDN_OK);
    if (!d) printf("     %s\n", err.message);
    return d;
}

static void check_ids(const wgdn_dataset *d, const char *const *id)
{
    char found[16];
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
        (void)wgdn_dataset_id(found, sizeof found, d, i);
        CHECK_TEXT(found, id[i]);
    }
}

/* Graphs by value, since all are integers; their nodes as they came, apart by graph. */
static void names_and_order(void)
{
    static const char *const nodes[] = {"9/x", "9/z", "9/w", "10/x", "10/y", "10/z", "11/x"};
    static const char *const graphs[] = {"9", "10", "11"};
    wgdn_dataset_options o;
    wgdn_dataset *g = NULL;
    wgdn_dataset_options_init(&o);
    scratch_write("many.tsv", graph_edges_text, sizeof graph_edges_text - 1);
    scratch_write("labels.tsv", "10\tb\n9\ta\n", 9);
    scratch_write("x.tsv", "9/x\t1.5\t0\n11/x\t0\t2\n", 19);
    const scratch_name labels = scratch("labels.tsv"), features = scratch("x.tsv");
    o.labels = labels.text;
    o.features = features.text;
    wgdn_dataset *d = read_set("many.tsv", &o);
    CHECK(wgdn_dataset_nodes(d) == 7 && edge_count(d) == 3 && wgdn_dataset_graphs(d) == 3);
    CHECK(wgdn_dataset_graph_start(d, 1) == 3 && wgdn_dataset_graph_start(d, 2) == 6);
    CHECK(wgdn_dataset_features(d) == 2 && info_of(d).graph_classes == 2);
    CHECK(wgdn_dataset_graph_label(d, 0) == 0 && wgdn_dataset_graph_label(d, 1) == 1 &&
          wgdn_dataset_graph_label(d, 2) == -1);
    CHECK(wgdn_dataset_classes(d) == 0); /* labels are the graphs' */
    check_ids(d, nodes);
    CHECK(wgdn_dataset_from_graphs(&g, d, NULL) == WGDN_OK);
    check_ids(g, graphs);
    CHECK(wgdn_dataset_find(g, "10", 2) == 1);
    wgdn_dataset_free(g);
    g = NULL;

    const scratch_name packed = scratch("many.safetensors");
    CHECK(wgdn_dataset_write(d, packed.text, "safetensors", NULL) == WGDN_OK);
    wgdn_dataset *again = read_set("many.safetensors", NULL);
    check_ids(again, nodes);
    CHECK(wgdn_dataset_from_graphs(&g, again, NULL) == WGDN_OK);
    check_ids(g, graphs);
    CHECK(wgdn_dataset_label(g, 1) == 1);
    CHECK_ALLOCATIONS(wgdn_dataset_write(d, packed.text, "safetensors", NULL), (void)0);
    wgdn_dataset_free(g);
    wgdn_dataset_free(again);
    wgdn_dataset_free(d);
    d = NULL;
    const scratch_name many = scratch("many.tsv");
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, many.text, &o, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, many.text, &o, NULL), wgdn_dataset_free(d));
}

/* Without features the degrees serve, as in the TU collection's sets. */
static void degrees(void)
{
    wgdn_dataset *d = read_set("many.tsv", NULL);
    CHECK(wgdn_dataset_features(d) == 3 && info_of(d).entries == 7);
    wgdn_dataset_free(d);
}

/* A weight of three columns without the heading is an edge list as ever. */
static void only_by_the_heading(void)
{
    scratch_write("plain.tsv", "a\tb\t1\nb\tc\t2\n", 12);
    wgdn_dataset *d = read_set("plain.tsv", NULL);
    CHECK(wgdn_dataset_graphs(d) == 1 && wgdn_dataset_nodes(d) == 3);
    wgdn_dataset_free(d);
}

static int graph_edges_tests(void)
{
    scratch_begin();
    RUN(names_and_order);
    RUN(degrees);
    RUN(only_by_the_heading);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"edges", edges_tests},
        {"edge_rows", edge_rows_tests},
        {"graph_edges", graph_edges_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
