/* SPDX-License-Identifier: Apache-2.0 */
/* The loops as they stand, and the choice between the levels. */
#define WGDN_COSINE_OPS wgdn_cosine_rows_plain
#define WGDN_PLAIN
#include "cosine_rows_loops.h"

const wgdn_cosine_ops *wgdn_cosine_rows(void)
{
    switch (wgdn_cpu_level()) {
#if defined(__x86_64__)
    case WGDN_CPU_V4: return &wgdn_cosine_rows_v4;
    case WGDN_CPU_V3: return &wgdn_cosine_rows_v3;
#endif
    case WGDN_CPU_PLAIN: return &wgdn_cosine_rows_plain;
    default: return &wgdn_cosine_rows_base;
    }
}
