/* SPDX-License-Identifier: Apache-2.0 */
/* Large edge lists, and from pairs to the rows of a graph. */
#include "check.h"
#include "dataset/row_sort.h"
#include "formats/edge_list.h"
#include "graph/graph.h"

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

int main(void)
{
    RUN(pairs_make_the_same_graph_as_edges);
    RUN(rows_take_the_block_of_the_ends);
    RUN(threads_and_chunks_change_nothing);
    RUN(short_rows_at_every_level);
    return check_result();
}
