/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_RNG_OPS wgdn_rng_v3
#include "rng_rows.h"
