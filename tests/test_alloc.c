/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static void sizes_are_checked(void)
{
    size_t out = 0;
    CHECK(wgdn_size_mul(&out, 6, 7) && out == 42);
    CHECK(!wgdn_size_mul(&out, SIZE_MAX / 2, 3));
    CHECK(wgdn_size_product(2, 3, 7) == 42 && wgdn_size_product(SIZE_MAX, 0, SIZE_MAX) == 0);
    CHECK(wgdn_size_product((size_t)1 << 31, (size_t)1 << 31, 4) == WGDN_SIZE_HUGE);
    CHECK(wgdn_size_sum(40, 2) == 42 && wgdn_size_sum(WGDN_SIZE_HUGE, 1) == WGDN_SIZE_HUGE);
    CHECK(wgdn_size_sum(SIZE_MAX, 1) == WGDN_SIZE_HUGE && !wgdn_alloc(WGDN_SIZE_HUGE, 1));
    CHECK(wgdn_size_add(&out, 6, 7) && out == 13);
    CHECK(!wgdn_size_add(&out, SIZE_MAX, 1));
    CHECK(wgdn_alloc(SIZE_MAX / 2, 3) == NULL);
    CHECK(wgdn_alloc(SIZE_MAX - 8, 1) == NULL); /* fits, but not with its alignment */
}

static void blocks_are_aligned(void)
{
    const size_t sizes[] = {0, 1, 63, 64, 65, 4096, (4u << 20) - 1, 4u << 20, (9u << 20) + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *p = wgdn_alloc(sizes[i], 1);
        CHECK(p != NULL && (uintptr_t)p % 64 == 0);
        if (sizes[i] >= 4u << 20) CHECK((uintptr_t)p % (2u << 20) == 0);
        memset(p, 1, sizes[i]);
        wgdn_release(p);
    }
}

static void zeroed_is_zero(void)
{
    unsigned char *p = wgdn_alloc(1000, 1);
    memset(p, 0xff, 1000);
    wgdn_release(p);
    p = wgdn_alloc_zero(1000, 1);
    for (int i = 0; i < 1000; i++)
        CHECK(p[i] == 0);
    wgdn_release(p);
}

static void the_nth_call_fails(void)
{
    const int64_t live = wgdn_alloc_live();
    wgdn_alloc_allow(2);
    void *a = wgdn_alloc(1, 1), *b = wgdn_alloc_zero(1, 1), *c = wgdn_alloc(1, 1);
    wgdn_alloc_allow(-1);
    CHECK(a && b && !c);
    CHECK(wgdn_alloc_live() == live + 2);
    wgdn_release(a);
    wgdn_release(b);
    wgdn_release(c);
    CHECK(wgdn_alloc_live() == live);
}

static void large_blocks_fail(void)
{
    wgdn_alloc_limit(1000);
    void *block = wgdn_alloc(250, 4);
    CHECK(block && !wgdn_alloc(251, 4));
    wgdn_release(block);
    wgdn_alloc_limit(SIZE_MAX);
    block = wgdn_alloc(251, 4);
    CHECK(block);
    wgdn_release(block);
}

int main(void)
{
    RUN(sizes_are_checked);
    RUN(blocks_are_aligned);
    RUN(zeroed_is_zero);
    RUN(the_nth_call_fails);
    RUN(large_blocks_fail);
    return check_result();
}
