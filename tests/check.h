/* SPDX-License-Identifier: Apache-2.0 */
/* The whole test harness: CHECK and its kin count failures and go on; RUN names a case. */
#ifndef WGDN_CHECK_H
#define WGDN_CHECK_H

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            check_failures++;                                               \
        }                                                                   \
    } while (0)

/* |a - b| <= tolerance; NaN never is. */
#define CHECK_NEAR(a, b, tolerance)                                                             \
    do {                                                                                        \
        const double check_a = (a), check_b = (b), check_t = (tolerance);                       \
        if (!(fabs(check_a - check_b) <= check_t)) {                                            \
            fprintf(stderr, "%s:%d: %s = %.17g, %s = %.17g, apart by more than %g\n", __FILE__, \
                    __LINE__, #a, check_a, #b, check_b, check_t);                               \
            check_failures++;                                                                   \
        }                                                                                       \
    } while (0)

#define CHECK_TEXT(a, b)                                                                  \
    do {                                                                                  \
        const char *check_a = (a), *check_b = (b);                                        \
        if (strcmp(check_a, check_b) != 0) {                                              \
            fprintf(stderr, "%s:%d: \"%s\" is not \"%s\"\n", __FILE__, __LINE__, check_a, \
                    check_b);                                                             \
            check_failures++;                                                             \
        }                                                                                 \
    } while (0)

#define RUN(test)                                                                   \
    do {                                                                            \
        const int check_before = check_failures;                                    \
        test();                                                                     \
        printf("%s %s\n", check_failures == check_before ? "ok  " : "FAIL", #test); \
    } while (0)

/*
 * Run a call with 0, 1, 2, ... allocations allowed until it succeeds. Each failure must be
 * WGDN_ENOMEM and leave no block behind; `undo` gives back what success made.
 */
#define CHECK_ALLOCATIONS(call, undo)                                                             \
    do {                                                                                          \
        const int64_t check_live = wgdn_alloc_live();                                             \
        wgdn_status check_st = WGDN_ENOMEM;                                                       \
        for (int64_t check_n = 0; check_st != WGDN_OK && check_n < 100000; check_n++) {           \
            wgdn_alloc_allow(check_n);                                                            \
            check_st = (call);                                                                    \
            wgdn_alloc_allow(-1);                                                                 \
            if (check_st == WGDN_OK) {                                                            \
                CHECK(check_n > 0);                                                               \
                undo;                                                                             \
            } else {                                                                              \
                CHECK(check_st == WGDN_ENOMEM);                                                   \
            }                                                                                     \
            if (wgdn_alloc_live() != check_live) {                                                \
                fprintf(stderr, "%s:%d: %lld blocks left behind with %lld allocations allowed\n", \
                        __FILE__, __LINE__, (long long)(wgdn_alloc_live() - check_live),          \
                        (long long)check_n);                                                      \
                check_failures++;                                                                 \
                break;                                                                            \
            }                                                                                     \
        }                                                                                         \
        CHECK(check_st == WGDN_OK);                                                               \
    } while (0)

static inline wgdn_dataset_info info_of(const wgdn_dataset *d)
{
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_describe(&info, d);
    return info;
}

static inline int64_t edge_count(const wgdn_dataset *d)
{
    return info_of(d).edges;
}

static inline int check_result(void)
{
    if (check_failures) fprintf(stderr, "%d checks failed\n", check_failures);
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The tests of one subject in a program of several; run: 77 if they cannot run here. */
typedef struct check_group {
    const char *name;
    int (*run)(void);
} check_group;

/* Runs the groups that the arguments name, or all. */
static inline int check_groups(const check_group *group, size_t count, int argc, char **argv)
{
    int result = 77, found = 0;
    for (size_t i = 0; i < count; i++) {
        bool named = argc == 1;
        for (int k = 1; k < argc; k++)
            named = named || strcmp(argv[k], group[i].name) == 0;
        if (!named) continue;
        found++;
        const int status = group[i].run();
        if (status != 77 && result != EXIT_FAILURE) result = status;
    }
    return found < argc - 1 ? EXIT_FAILURE : result;
}

#endif
