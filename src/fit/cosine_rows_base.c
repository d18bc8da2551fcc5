/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_COSINE_OPS wgdn_cosine_rows_base
#include "cosine_rows_loops.h"
