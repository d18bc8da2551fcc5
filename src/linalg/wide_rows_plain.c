/* SPDX-License-Identifier: Apache-2.0 */
/* The loops as they stand, and the choice between the levels. */
#define WGDN_WIDE_OPS wgdn_wide_rows_plain
#define WGDN_PLAIN
#include "wide_rows_loops.h"

const wgdn_wide_ops *wgdn_wide_rows(void)
{
    switch (wgdn_cpu_level()) {
#if defined(__x86_64__)
    case WGDN_CPU_V4: return &wgdn_wide_rows_v4;
    case WGDN_CPU_V3: return &wgdn_wide_rows_v3;
#endif
    case WGDN_CPU_PLAIN: return &wgdn_wide_rows_plain;
    default: return &wgdn_wide_rows_base;
    }
}
