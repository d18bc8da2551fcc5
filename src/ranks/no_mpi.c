/* SPDX-License-Identifier: Apache-2.0 */
/* A build without MPI. */
#include "ranks.h"

bool wgdn_mpi_join(wgdn_ranks *r)
{
    (void)r;
    return false;
}
