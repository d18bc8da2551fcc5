/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "dataset/ids.h"

#include <time.h>
#include <xxhash.h>

static int64_t add(wgdn_ids *ids, const char *id)
{
    const wgdn_text t = wgdn_text_of(id, strlen(id));
    int32_t at = -9;
    CHECK(wgdn_ids_add(ids, &t, 1, &at, NULL) == WGDN_OK);
    return at;
}

static int64_t find(const wgdn_ids *ids, const char *id)
{
    return wgdn_ids_find(ids, wgdn_text_of(id, strlen(id)));
}

static bool is(const wgdn_ids *ids, int64_t i, const char *id)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text t = wgdn_ids_text(ids, i, buffer);
    return t.size == strlen(id) && memcmp(t.at, id, t.size) == 0;
}

static void numbered_by_first_appearance(void)
{
    wgdn_ids ids;
    wgdn_ids_open(&ids, 100);
    CHECK(add(&ids, "7") == 0 && add(&ids, "3") == 1 && add(&ids, "7") == 0);
    CHECK(ids.direct && ids.numeric && find(&ids, "3") == 1 && find(&ids, "4") == -1);
    CHECK(add(&ids, "007") == 2 && !ids.direct && !ids.numeric); /* another id than 7 */
    CHECK(find(&ids, "7") == 0 && find(&ids, "3") == 1 && find(&ids, "07") == -1);
    CHECK(add(&ids, "-1") == 3 && add(&ids, "\xff\xfe") == 4 && add(&ids, "Zo\xc3\xab") == 5);
    CHECK(is(&ids, 0, "7") && is(&ids, 4, "\xff\xfe") && ids.count == 6);
    wgdn_ids_close(&ids);
}

static void integers_sort_by_value(void)
{
    static const char *const huge[] = {"99999999999999999999", "5", "100000000000000000000", "12"};
    wgdn_ids ids;
    int32_t *rank;
    wgdn_ids_open(&ids, 100);
    add(&ids, "7"), add(&ids, "0"), add(&ids, "3");
    CHECK(wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK);
    CHECK(rank && rank[0] == 2 && rank[1] == 0 && rank[2] == 1);
    CHECK(is(&ids, 0, "0") && is(&ids, 1, "3") && is(&ids, 2, "7") && find(&ids, "7") == 2);
    CHECK(!wgdn_ids_plain(&ids));
    wgdn_release(rank);
    wgdn_ids_close(&ids);

    wgdn_ids_open(&ids, 100);
    for (int i = 0; i < 4; i++)
        add(&ids, huge[i]);
    CHECK(!ids.direct && ids.numeric && wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK);
    CHECK(rank && rank[0] == 2 && rank[1] == 0 && rank[2] == 3 && rank[3] == 1);
    CHECK(is(&ids, 3, huge[2]) && find(&ids, huge[0]) == 2);
    wgdn_release(rank);
    wgdn_ids_close(&ids);
}

static void words_keep_their_order(void)
{
    wgdn_ids ids;
    int32_t *rank;
    wgdn_ids_open(&ids, 100);
    add(&ids, "b"), add(&ids, "1"), add(&ids, "a");
    CHECK(wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK && !rank && is(&ids, 0, "b"));
    wgdn_ids_close(&ids);
}

static void many(const char *format, bool numeric)
{
    enum { N = 50000 };
    wgdn_ids ids;
    char text[32];
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t round = 0; round < 2; round++)
        for (int64_t i = 0; i < N; i++) {
            snprintf(text, sizeof text, format, (long long)(i * 7919 % N));
            if (add(&ids, text) != i) CHECK(!"the same index again");
        }
    CHECK(ids.count == N && ids.numeric == numeric);
    for (int64_t i = 0; i < N; i += 997) {
        snprintf(text, sizeof text, format, (long long)(i * 7919 % N));
        CHECK(is(&ids, i, text) && find(&ids, text) == i);
    }
    wgdn_ids_close(&ids);
}

static void many_of_each_kind(void)
{
    many("%lld", true);
    many("1%012lld", true);
    many("user-%lld", false);
}

static void far_integers_cost_no_table(void)
{
    wgdn_ids ids;
    wgdn_ids_open(&ids, 100);
    CHECK(add(&ids, "5") == 0 && add(&ids, "999999999999") == 1 && add(&ids, "5") == 0);
    CHECK(!ids.direct && ids.numeric && ids.text_room < 100000);
    wgdn_ids_close(&ids);
}

static void limits(void)
{
    static unsigned char longer[WGDN_ID_MAX + 1];
    const wgdn_text id[3] = {{longer, WGDN_ID_MAX}, {longer, WGDN_ID_MAX + 1}, {longer, 0}};
    int32_t at[3];
    wgdn_ids ids;
    wgdn_error err;
    wgdn_ids_open(&ids, 2);
    CHECK(wgdn_ids_add(&ids, id, 3, at, NULL) == WGDN_OK);
    CHECK(at[0] == 0 && at[1] == -1 && at[2] == 1);
    CHECK(wgdn_ids_find(&ids, id[1]) == -1 && wgdn_ids_find(&ids, id[2]) == 1);
    const wgdn_text x = wgdn_text_of("x", 1);
    CHECK(wgdn_ids_add(&ids, &x, 1, at, &err) == WGDN_ERANGE);
    wgdn_ids_close(&ids);

    wgdn_ids_open(&ids, 2);
    add(&ids, "1"), add(&ids, "2");
    const wgdn_text three = wgdn_text_of("3", 1);
    CHECK(wgdn_ids_add(&ids, &three, 1, at, &err) == WGDN_ERANGE);
    wgdn_ids_close(&ids);
}

static void fixed_tables_know_their_numbers_only(void)
{
    wgdn_ids ids;
    CHECK(wgdn_ids_open_fixed(&ids, 3, 0, NULL) == WGDN_OK);
    CHECK(add(&ids, "2") == 2 && add(&ids, "3") == -1 && add(&ids, "x") == -1);
    CHECK(ids.count == 3 && wgdn_ids_plain(&ids));
    wgdn_ids_close(&ids);
}

/* The 8 bytes whose unseeded XXH3 is the hash, except for a rare carry: XXH3 of 4 to 8 bytes is a bijection. */
static void invert(unsigned char id[8], uint64_t hash)
{
    const uint64_t prime = 0x9fb21c651e98df25u, flip = 0x1cad21f72c81017cu ^ 0xdb979083e96dd4deu;
    uint64_t inverse = prime, x = hash;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - prime * inverse; /* Newton: modulo 2^64 */
    x ^= x >> 28 ^ x >> 56;
    x *= inverse;
    x ^= (x >> 35) + 8;
    x *= inverse;
    for (int i = 0; i < 63; i++)
        x ^= (x << 49 | x >> 15) ^ (x << 24 | x >> 40);
    x = x ^ flip;
    x = x >> 32 | x << 32;
    memcpy(id, &x, 8);
}

static double seconds_of(const unsigned char *id, int64_t count)
{
    wgdn_ids ids;
    struct timespec from, to;
    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t i = 0; i < count; i++) {
        const wgdn_text t = wgdn_text_of(id + 8 * i, 8);
        int32_t at = -1;
        CHECK(wgdn_ids_add(&ids, &t, 1, &at, NULL) == WGDN_OK);
    }
    wgdn_ids_close(&ids);
    (void)clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Ids made to share the low 40 bits of their hash would meet in one slot of a table without a seed. */
static void crafted_ids_take_no_longer(void)
{
    enum { N = 60000 };
    unsigned char *id = wgdn_alloc(N, 8), *other = wgdn_alloc(N, 8);
    int64_t count = 0;
    for (uint64_t k = 1; id && other && count < N; k++) {
        invert(id + 8 * count, k << 40);
        if ((XXH3_64bits(id + 8 * count, 8) & 0xffffffffffu) != 0) continue;
        memcpy(other + 8 * count, &(uint64_t){k * 0x9e3779b97f4a7c15u}, 8);
        count++;
    }
    CHECK(count == N);
    const double usual = seconds_of(other, count), crafted = seconds_of(id, count);
    if (!(crafted < 20 * usual + 0.2))
        printf("crafted ids: %.2f s, others %.2f s\n", crafted, usual);
    CHECK(crafted < 20 * usual + 0.2); /* without a seed a hundred times as long, and more */
    wgdn_release(other);
    wgdn_release(id);
}

static wgdn_status mixed(void)
{
    static const char *const word[] = {"3", "1", "0", "88888888", "4", "x", "y", "1"};
    wgdn_ids ids;
    int32_t at[8], *rank = NULL;
    wgdn_text id[8];
    for (int i = 0; i < 8; i++)
        id[i] = wgdn_text_of(word[i], strlen(word[i]));
    wgdn_ids_open(&ids, 100);
    wgdn_status st = wgdn_ids_add(&ids, id, 5, at, NULL);
    if (!st) st = wgdn_ids_sort(&ids, &rank, NULL);
    wgdn_release(rank);
    if (!st) st = wgdn_ids_add(&ids, id + 5, 3, at, NULL);
    if (!st) CHECK(at[2] == 1 && ids.count == 7);
    wgdn_ids_close(&ids);
    return st;
}

static void memory_runs_out(void)
{
    wgdn_ids ids;
    CHECK_ALLOCATIONS(mixed(), (void)0);
    CHECK_ALLOCATIONS(wgdn_ids_open_fixed(&ids, 10, 0, NULL), wgdn_ids_close(&ids));
}

int main(void)
{
    RUN(numbered_by_first_appearance);
    RUN(integers_sort_by_value);
    RUN(words_keep_their_order);
    RUN(many_of_each_kind);
    RUN(far_integers_cost_no_table);
    RUN(limits);
    RUN(fixed_tables_know_their_numbers_only);
    RUN(crafted_ids_take_no_longer);
    RUN(memory_runs_out);
    return check_result();
}
