/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"plain", "base", "v3", "v4"};

/* The level in use, found on first use; -1 before. Every finder finds the same. */
static atomic_int chosen = -1;

wgdn_cpu wgdn_cpu_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v4) return WGDN_CPU_V4;
    if (v3) return WGDN_CPU_V3;
#endif
    return WGDN_CPU_BASE;
}

void wgdn_cpu_limit(wgdn_cpu most)
{
    const wgdn_cpu best = wgdn_cpu_best();
    atomic_store(&chosen, (int)(most < best ? most : best));
}

wgdn_cpu wgdn_cpu_level(void)
{
    if (atomic_load(&chosen) < 0) {
        const char *wish = getenv("WGDN_CPU");
        wgdn_cpu most = WGDN_CPU_V4;
        for (int i = 0; wish && i <= WGDN_CPU_V4; i++)
            if (strcmp(wish, names[i]) == 0) most = (wgdn_cpu)i;
        wgdn_cpu_limit(most);
    }
    return (wgdn_cpu)atomic_load(&chosen);
}

const char *wgdn_cpu_name(wgdn_cpu level)
{
    return names[level];
}
