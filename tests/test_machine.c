/* SPDX-License-Identifier: Apache-2.0 */
/* What the library says of the machine must at least be possible. */
#include "check.h"
#include "linalg/linalg.h"

static bool one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

static void possible(void)
{
    static const char *const levels[] = {"plain", "base", "v3", "v4", NULL};
    static const char *const states[] = {"always", "madvise", "never", "unknown", NULL};
    static const char *const engines[] = {"onednn", "cblas", NULL};
    static const char *const units[] = {"amx", "avx512", "rounded", NULL};
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_machine_get(&m);
    CHECK(one_of(m.cpu_best, levels));
    CHECK(one_of(m.cpu_used, levels));
    CHECK(one_of(m.huge_pages, states));
    CHECK(one_of(m.engine, engines));
    CHECK(one_of(m.bf16, units));
    CHECK(m.cores >= 1 && m.threads >= 1);
    CHECK(m.memory_total == -1 || m.memory_total > 1 << 20);
    CHECK(m.memory_available >= -1 && m.memory_available <= m.memory_total);
}

/* A program compiled against a shorter struct keeps the bytes behind it. */
static void older_program(void)
{
    wgdn_machine m;
    memset(&m, 0x5a, sizeof m);
    const int64_t behind = m.memory_available;
    m.struct_size = offsetof(wgdn_machine, memory_available);
    wgdn_machine_get(&m);
    CHECK(m.threads >= 1);
    CHECK(m.memory_available == behind);
}

static void follows_limits(void)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_cpu_limit(WGDN_CPU_BASE);
    const int former = wgdn_threads_use(3);
    wgdn_machine_get(&m);
    CHECK_TEXT(m.cpu_used, "base");
    CHECK_TEXT(m.bf16, "rounded");
    CHECK(m.threads == 3);
    wgdn_threads_use(former);
    wgdn_cpu_limit(WGDN_CPU_V4);
}

static void features(void)
{
    int count = 0;
    for (; wgdn_feature_get(count); count++) {
        const wgdn_feature *f = wgdn_feature_get(count);
        CHECK(f->name[0] && f->purpose[0] && f->package[0]);
        CHECK(f->present == 0 || f->present == 1);
    }
    CHECK(count >= 1);
    CHECK(!wgdn_feature_get(-1));
}

int main(void)
{
    RUN(possible);
    RUN(older_program);
    RUN(follows_limits);
    RUN(features);
    return check_result();
}
