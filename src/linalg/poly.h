/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the Chebyshev recurrence, for those who fuse something to it. */
#ifndef WGDN_LINALG_POLY_H
#define WGDN_LINALG_POLY_H

#include "laplacian.h"
#include "linalg.h"

#endif
