/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_COSINE_OPS wgdn_cosine_rows_v4
#include "cosine_rows_loops.h"
