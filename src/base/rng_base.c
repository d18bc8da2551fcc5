/* SPDX-License-Identifier: Apache-2.0 */
#define WGDN_RNG_OPS wgdn_rng_base
#include "rng_rows.h"
