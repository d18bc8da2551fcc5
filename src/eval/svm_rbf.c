/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LIBSVM with K_ij = exp(-g |x_i - x_j|^2), one class against one. The kernel is made here, from
 * products of rows that all fits share: LIBSVM's own would walk along the rows for each entry.
 */
#include "eval.h"

#ifdef WGDN_HAVE_LIBSVM
#include <math.h>
#include <svm.h>

const bool wgdn_svm_has_rbf = true;

typedef struct kernel {
    struct svm_node *node; /* rows x (rows + 1): a row's number, then K against every row */
    struct svm_node **row;
    double *label;
} kernel;

static void be_silent(const char *text)
{
    (void)text;
}

static bool open_kernel(kernel *k, const wgdn_svm_input *in, const int64_t *row, int64_t rows,
                        double g)
{
    const size_t stride = (size_t)rows + 1;
    k->node = wgdn_alloc((size_t)rows, stride * sizeof *k->node);
    k->row = wgdn_alloc((size_t)rows, sizeof(struct svm_node *));
    k->label = wgdn_alloc((size_t)rows, sizeof *k->label);
    if (!k->node || !k->row || !k->label) return false;
    for (int64_t i = 0; i < rows; i++) {
        const double *dot = in->dot + row[i] * in->n;
        k->row[i] = k->node + (size_t)i * stride;
        k->row[i][0] = (struct svm_node){0, (double)(i + 1)};
        k->label[i] = in->label[row[i]];
        for (int64_t j = 0; j <= i; j++) {
            const double far = dot[row[i]] + in->dot[row[j] * in->n + row[j]] - 2 * dot[row[j]];
            k->row[i][j + 1] = (struct svm_node){0, exp(-g * fmax(far, 0))};
            k->row[j][i + 1] = k->row[i][j + 1];
        }
    }
    return true;
}

static void close_kernel(kernel *k)
{
    wgdn_release(k->label);
    wgdn_release((void *)k->row);
    wgdn_release(k->node);
}

bool wgdn_svm_rbf(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                  int64_t rows, int first, int count)
{
    const double variance = wgdn_rows_variance(in, row, learn);
    kernel k = {0};
    const bool good =
        open_kernel(&k, in, row, rows, variance > 0 ? 1 / ((double)in->width * variance) : 1);
    svm_set_print_string_function(be_silent);
    for (int c = first; good && c < first + count; c++) {
        const struct svm_problem problem = {(int)learn, k.label, k.row};
        const struct svm_parameter parameter = {.svm_type = C_SVC,
                                                .kernel_type = PRECOMPUTED,
                                                .cache_size = 200,
                                                .eps = 1e-3,
                                                .C = wgdn_penalty(c),
                                                .shrinking = 1};
        struct svm_model *m = svm_train(&problem, &parameter);
        for (int64_t i = learn; i < rows; i++)
            guess[(c - first) * rows + i] = (int32_t)svm_predict(m, k.row[i]);
        svm_free_and_destroy_model(&m);
    }
    close_kernel(&k);
    return good;
}

#else

const bool wgdn_svm_has_rbf = false;

bool wgdn_svm_rbf(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                  int64_t rows, int first, int count)
{
    (void)guess, (void)in, (void)row, (void)learn, (void)rows, (void)first, (void)count;
    return false;
}

#endif
