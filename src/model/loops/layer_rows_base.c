/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_LAYER_OPS wgdn_layer_rows_base
#include "layer_rows_loops.h"
