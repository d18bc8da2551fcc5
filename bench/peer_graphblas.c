/* SPDX-License-Identifier: Apache-2.0 */
#include "peers.h"

#include <stdlib.h>

#if defined(WGDN_HAVE_GRAPHBLAS)

#include <GraphBLAS.h>
#include <string.h>

static void must(GrB_Info info)
{
    if (info != GrB_SUCCESS) abort();
}

struct peer_spmm {
    GrB_Matrix a, x, y;
};

void peer_begin(void)
{
    must(GrB_init(GrB_NONBLOCKING));
}

/* A full matrix by row, the form in which GraphBLAS does best here; it takes the values over. */
static GrB_Matrix full(float *values, int64_t n, int64_t d)
{
    GrB_Matrix m;
    must(GxB_Matrix_import_FullR(&m, GrB_FP32, (GrB_Index)n, (GrB_Index)d, (void **)&values,
                                 (GrB_Index)(n * d) * sizeof *values, false, NULL));
    return m;
}

peer_spmm *peer_spmm_new(const wgdn_csr *a, const float *x, int64_t d)
{
    const int64_t entries = wgdn_csr_entries(a);
    peer_spmm *p = malloc(sizeof *p);
    GrB_Index *offset = malloc((size_t)(a->rows + 1) * sizeof *offset);
    GrB_Index *column = malloc((size_t)entries * sizeof *column);
    float *value = malloc((size_t)entries * sizeof *value);
    float *copy = malloc((size_t)(a->cols * d) * sizeof *copy);
    float *zeros = calloc((size_t)(a->rows * d), sizeof *zeros);
    if (!p || !offset || !column || !value || !copy || !zeros) abort();
    for (int64_t i = 0; i <= a->rows; i++)
        offset[i] = (GrB_Index)a->offset[i];
    for (int64_t k = 0; k < entries; k++) {
        column[k] = (GrB_Index)a->column[k];
        value[k] = a->value[k];
    }
    must(GxB_Matrix_import_CSR(&p->a, GrB_FP32, (GrB_Index)a->rows, (GrB_Index)a->cols, &offset,
                               &column, (void **)&value, (GrB_Index)(a->rows + 1) * sizeof *offset,
                               (GrB_Index)entries * sizeof *column,
                               (GrB_Index)entries * sizeof *value, false, false, NULL));
    memcpy(copy, x, (size_t)(a->cols * d) * sizeof *copy);
    p->x = full(copy, a->cols, d);
    p->y = full(zeros, a->rows, d);
    return p;
}

void peer_spmm_run(peer_spmm *p)
{
    must(GrB_mxm(p->y, NULL, GrB_PLUS_FP32, GrB_PLUS_TIMES_SEMIRING_FP32, p->a, p->x, NULL));
    must(GrB_Matrix_wait(p->y, GrB_MATERIALIZE));
}

void peer_spmm_free(peer_spmm *p)
{
    if (!p) return;
    must(GrB_Matrix_free(&p->y));
    must(GrB_Matrix_free(&p->x));
    must(GrB_Matrix_free(&p->a));
    free(p);
}

#else

void peer_begin(void)
{
}

peer_spmm *peer_spmm_new(const wgdn_csr *a, const float *x, int64_t d)
{
    (void)a, (void)x, (void)d;
    return NULL;
}

void peer_spmm_run(peer_spmm *p)
{
    (void)p;
}

void peer_spmm_free(peer_spmm *p)
{
    (void)p;
}

#endif
