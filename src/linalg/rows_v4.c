/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_ROW_OPS wgdn_rows_v4
#include "rows_fast.h"
