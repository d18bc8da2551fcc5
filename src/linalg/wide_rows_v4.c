/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_WIDE_OPS wgdn_wide_rows_v4
#include "wide_rows_loops.h"
