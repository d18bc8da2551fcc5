/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_COSINE_OPS wgdn_cosine_rows_v3
#include "cosine_rows_loops.h"
