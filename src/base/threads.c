/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <omp.h>

int wgdn_threads_use(int threads)
{
    const int former = omp_get_max_threads();
    if (threads > 0) omp_set_num_threads(threads);
    return former;
}

/*
 * A BLAS with threads of its own cuts its products by their number, which shows in the last bits.
 * The one that does so widely can be told otherwise, for the whole process, so it is told what it
 * was before when we are done.
 */
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads(void);

int wgdn_blas_threads_use(int threads)
{
    if (!openblas_set_num_threads || !openblas_get_num_threads) return 0;
    const int former = openblas_get_num_threads();
    if (threads > 0) openblas_set_num_threads(threads);
    return former;
}
