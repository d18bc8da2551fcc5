/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LIBLINEAR's machine with squared hinge loss, solved in the primal, without random choices; one
 * class against the rest. Entries are divided by their deviation, so that C means the same for
 * sums and for means. It ends at a gradient of 1e-3, where accuracies on PROTEINS are within 0.3
 * points of those of its very end.
 */
#include "eval.h"

#ifdef WGDN_HAVE_LIBLINEAR
#include <linear.h>
#include <math.h>

const bool wgdn_svm_has_linear = true;

typedef struct machines {
    __typeof__(train) *train;
    __typeof__(predict) *predict;
    __typeof__(free_and_destroy_model) *destroy;
    __typeof__(set_print_string_function) *print_by;
} machines;

static bool load_machines(machines *m)
{
    *(void **)&m->train = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "train");
    *(void **)&m->predict = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "predict");
    *(void **)&m->destroy = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "free_and_destroy_model");
    *(void **)&m->print_by = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "set_print_string_function");
    return m->train && m->predict && m->destroy && m->print_by;
}

bool wgdn_svm_linear_loads(void)
{
    machines m;
    return load_machines(&m);
}

int wgdn_svm_linear_threads(int threads)
{
    return wgdn_blas_threads_use(WGDN_HAVE_LIBLINEAR, threads);
}

typedef struct sample {
    struct feature_node *node;
    struct feature_node **row;
    double *label;
} sample;

static void be_silent(const char *text)
{
    (void)text;
}

static int64_t columns_of(const wgdn_svm_input *in)
{
    return in->dense ? in->width : in->sparse->cols;
}

static int64_t entries_of(const wgdn_svm_input *in, int64_t row)
{
    return in->dense ? in->width : in->sparse->offset[row + 1] - in->sparse->offset[row];
}

/* A row, then the constant and the end; gives where the next one goes. */
static struct feature_node *put(struct feature_node *to, const wgdn_svm_input *in, int64_t row,
                                double scale)
{
    const int64_t count = entries_of(in, row);
    const wgdn_csr *a = in->sparse;
    for (int64_t k = 0; k < count; k++, to++) {
        const int64_t at = in->dense ? k : a->offset[row] + k;
        const double x = in->dense ? in->dense[row * in->width + k] : a->value ? a->value[at] : 1;
        *to = (struct feature_node){(int)(in->dense ? k : a->column[at]) + 1, scale * x};
    }
    *to++ = (struct feature_node){(int)columns_of(in) + 1, 1};
    *to++ = (struct feature_node){-1, 0};
    return to;
}

static bool open_sample(sample *s, const wgdn_svm_input *in, const int64_t *row, int64_t rows,
                        double scale)
{
    int64_t nodes = 0;
    for (int64_t i = 0; i < rows; i++)
        nodes += entries_of(in, row[i]) + 2;
    s->node = wgdn_alloc((size_t)nodes, sizeof *s->node);
    s->row = wgdn_alloc((size_t)rows, sizeof(struct feature_node *));
    s->label = wgdn_alloc((size_t)rows, sizeof *s->label);
    if (!s->node || !s->row || !s->label) return false;
    struct feature_node *at = s->node;
    for (int64_t i = 0; i < rows; i++) {
        s->row[i] = at;
        s->label[i] = in->label[row[i]];
        at = put(at, in, row[i], scale);
    }
    return true;
}

static void close_sample(sample *s)
{
    wgdn_release(s->label);
    wgdn_release((void *)s->row);
    wgdn_release(s->node);
}

bool wgdn_svm_linear(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                     int64_t rows, int first, int count)
{
    const double variance = wgdn_rows_variance(in, row, learn);
    sample s = {0};
    machines use;
    const bool good = load_machines(&use) &&
                      open_sample(&s, in, row, rows, variance > 0 ? 1 / sqrt(variance) : 1);
    if (good) use.print_by(be_silent);
    for (int c = first; good && c < first + count; c++) {
        const struct problem problem = {
            .l = (int)learn, .n = (int)columns_of(in) + 1, .y = s.label, .x = s.row, .bias = 1};
        const struct parameter parameter = {
            .solver_type = L2R_L2LOSS_SVC, .eps = 1e-3, .C = wgdn_penalty(c)};
        struct model *m = use.train(&problem, &parameter);
        for (int64_t i = learn; i < rows; i++)
            guess[(c - first) * rows + i] = (int32_t)use.predict(m, s.row[i]);
        use.destroy(&m);
    }
    close_sample(&s);
    return good;
}

#else

const bool wgdn_svm_has_linear = false;

bool wgdn_svm_linear_loads(void)
{
    return false;
}

int wgdn_svm_linear_threads(int threads)
{
    return threads;
}

bool wgdn_svm_linear(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                     int64_t rows, int first, int count)
{
    (void)guess, (void)in, (void)row, (void)learn, (void)rows, (void)first, (void)count;
    return false;
}

#endif
