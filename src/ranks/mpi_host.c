/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on one host share its memory and its processors: how many they are, and on which they run. */
#include "base/limits.h"
#include "mpi_calls.h"

enum { SET = 8192 }; /* bytes: 65536 processors */

void wgdn_mpi_share_host(void)
{
    _Alignas(8) unsigned char set[SET], all[SET];
    MPI_Comm host;
    int ranks = 1, cpus = 0;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host)) return;
    (void)wgdn_limits_affinity(set, sizeof set);
    MPI_Comm_size(host, &ranks);
    if (MPI_Allreduce(set, all, SET, MPI_UNSIGNED_CHAR, MPI_BOR, host) == MPI_SUCCESS)
        for (int i = 0; i < SET; i++)
            cpus += __builtin_popcount(all[i]);
    MPI_Comm_free(&host);
    wgdn_limits_share(ranks, cpus);
    wgdn_threads_look_again();
}
