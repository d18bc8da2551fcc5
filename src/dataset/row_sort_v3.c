/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_ROW_SORT wgdn_row_sort_v3
#include "row_sort_lanes.h"
