/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates vectors of graphs with linear and RBF SVMs in stratified cross-validation. `wgdn eval
 * --task graph` calls it; LIBLINEAR and LIBSVM solve each fit.
 */
#include "eval.h"

#include <math.h>
#include <string.h>
#ifdef WGDN_HAVE_LIBLINEAR
#include <linear.h>
#endif
#ifdef WGDN_HAVE_LIBSVM
#include <svm.h>
#endif

/* The rows that are classified, dense or compressed, and the sums that their kernels need. */
typedef struct svm_input {
    int64_t n, width, classes;
    const float *dense;     /* n x width, or NULL */
    const wgdn_csr *sparse; /* of that width before its singleton columns were folded */
    const int32_t *label;
    double *dot; /* n x n: every row times every other */
    double *sum; /* n: of the entries of a row */
    wgdn_arrays arrays;
} svm_input;

enum { PENALTIES = 5 };
static const double penalty[PENALTIES] = {1e-3, 1e-2, 0.1, 1, 10};

/*
 * Learns from the first `learn` rows and predicts the others: once for each of the penalties
 * first .. first + count - 1, the k-th of them into guess[k * rows + learn] and behind. False when
 * memory is short.
 */
typedef bool (*svm_call)(int32_t *guess, const svm_input *in, const int64_t *row, int64_t learn,
                         int64_t rows, int first, int count);

/* Variance of all entries of the rows. */
static inline double rows_variance(const svm_input *in, const int64_t *row, int64_t count)
{
    const double all = (double)count * (double)in->width;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += in->sum[row[i]];
        squares += in->dot[row[i] * (in->n + 1)];
    }
    return squares / all - sum / all * (sum / all);
}

static inline void print_nothing(const char *text)
{
    (void)text;
}

/*
 * Fits LIBLINEAR's linear SVM with squared hinge loss, solved in the primal, without random
 * choices, one class against the rest. Entries are divided by their standard deviation, so that C
 * means the same for sums and for means. The fit ends at a gradient of 1e-3, where accuracies on
 * PROTEINS are within 0.3 points of those at convergence.
 */

#ifdef WGDN_HAVE_LIBLINEAR

static const bool has_linear = true;

typedef struct liblinear {
    __typeof__(train) *train;
    __typeof__(predict) *predict;
    __typeof__(free_and_destroy_model) *destroy;
    __typeof__(set_print_string_function) *print_by;
} liblinear;

/* LIBLINEAR is loaded at its first use; false: it is not installed, or memory is short. */
static bool load_liblinear(liblinear *m)
{
    *(void **)&m->train = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "train");
    *(void **)&m->predict = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "predict");
    *(void **)&m->destroy = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "free_and_destroy_model");
    *(void **)&m->print_by = wgdn_library_find(WGDN_HAVE_LIBLINEAR, "set_print_string_function");
    return m->train && m->predict && m->destroy && m->print_by;
}

static bool can_load_linear(void)
{
    liblinear m;
    return load_liblinear(&m);
}

/* Sets the number of threads of LIBLINEAR's BLAS; returns the former one. */
static int set_linear_threads(int threads)
{
    return wgdn_blas_threads_use(WGDN_HAVE_LIBLINEAR, threads);
}

typedef struct sample {
    wgdn_arrays arrays;
    struct feature_node *node;
    struct feature_node **row;
    double *label;
} sample;

static int64_t columns_of(const svm_input *in)
{
    return in->dense ? in->width : in->sparse->cols;
}

static int64_t entries_of(const svm_input *in, int64_t row)
{
    return in->dense ? in->width : in->sparse->offset[row + 1] - in->sparse->offset[row];
}

/* Writes a row, then the constant and the end; returns where the next one goes. */
static struct feature_node *write_row(struct feature_node *to, const svm_input *in, int64_t row,
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

static bool open_sample(sample *s, const svm_input *in, const int64_t *row, int64_t rows,
                        double scale)
{
    int64_t nodes = 0;
    for (int64_t i = 0; i < rows; i++)
        nodes += entries_of(in, row[i]) + 2;
    s->node = wgdn_arrays_add(&s->arrays, (size_t)nodes, sizeof *s->node);
    s->row = wgdn_arrays_add(&s->arrays, (size_t)rows, sizeof(struct feature_node *));
    s->label = wgdn_arrays_add(&s->arrays, (size_t)rows, sizeof *s->label);
    if (s->arrays.failed) return false;
    struct feature_node *at = s->node;
    for (int64_t i = 0; i < rows; i++) {
        s->row[i] = at;
        s->label[i] = in->label[row[i]];
        at = write_row(at, in, row[i], scale);
    }
    return true;
}

static bool fit_linear(int32_t *guess, const svm_input *in, const int64_t *row, int64_t learn,
                       int64_t rows, int first, int count)
{
    const double variance = rows_variance(in, row, learn);
    sample s = {0};
    liblinear use;
    const bool good = load_liblinear(&use) &&
                      open_sample(&s, in, row, rows, variance > 0 ? 1 / sqrt(variance) : 1);
    if (good) use.print_by(print_nothing);
    for (int c = first; good && c < first + count; c++) {
        const struct problem problem = {
            .l = (int)learn, .n = (int)columns_of(in) + 1, .y = s.label, .x = s.row, .bias = 1};
        const struct parameter parameter = {
            .solver_type = L2R_L2LOSS_SVC, .eps = 1e-3, .C = penalty[c]};
        struct model *m = use.train(&problem, &parameter);
        for (int64_t i = learn; i < rows; i++)
            guess[(c - first) * rows + i] = (int32_t)use.predict(m, s.row[i]);
        use.destroy(&m);
    }
    wgdn_arrays_release(&s.arrays);
    return good;
}

#else

static const bool has_linear = false;
static const svm_call fit_linear = NULL;

static bool can_load_linear(void)
{
    return false;
}

static int set_linear_threads(int threads)
{
    return threads;
}

#endif

/*
 * Fits LIBSVM's RBF SVM with K_ij = exp(-g |x_i - x_j|^2), one class against one. The kernel is
 * computed here, from products of rows that all fits share: LIBSVM would walk along the rows for
 * each entry.
 */

#ifdef WGDN_HAVE_LIBSVM

static const bool has_rbf = true;

typedef struct kernel {
    wgdn_arrays arrays;
    struct svm_node *node; /* rows x (rows + 1): a row's number, then K against every row */
    struct svm_node **row;
    double *label;
} kernel;

static bool open_kernel(kernel *k, const svm_input *in, const int64_t *row, int64_t rows, double g)
{
    const size_t stride = (size_t)rows + 1;
    k->node = wgdn_arrays_add(&k->arrays, (size_t)rows, stride * sizeof *k->node);
    k->row = wgdn_arrays_add(&k->arrays, (size_t)rows, sizeof(struct svm_node *));
    k->label = wgdn_arrays_add(&k->arrays, (size_t)rows, sizeof *k->label);
    if (k->arrays.failed) return false;
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

static bool fit_rbf(int32_t *guess, const svm_input *in, const int64_t *row, int64_t learn,
                    int64_t rows, int first, int count)
{
    const double variance = rows_variance(in, row, learn);
    kernel k = {0};
    const bool good =
        open_kernel(&k, in, row, rows, variance > 0 ? 1 / ((double)in->width * variance) : 1);
    svm_set_print_string_function(print_nothing);
    for (int c = first; good && c < first + count; c++) {
        const struct svm_problem problem = {(int)learn, k.label, k.row};
        const struct svm_parameter parameter = {.svm_type = C_SVC,
                                                .kernel_type = PRECOMPUTED,
                                                .cache_size = 200,
                                                .eps = 1e-3,
                                                .C = penalty[c],
                                                .shrinking = 1};
        struct svm_model *m = svm_train(&problem, &parameter);
        for (int64_t i = learn; i < rows; i++)
            guess[(c - first) * rows + i] = (int32_t)svm_predict(m, k.row[i]);
        svm_free_and_destroy_model(&m);
    }
    wgdn_arrays_release(&k.arrays);
    return good;
}

#else

static const bool has_rbf = false;
static const svm_call fit_rbf = NULL;

#endif

/*
 * Runs SVMs over stratified folds, with C chosen by folds within the training rows. Every fit is a
 * task of its own, so threads share the tasks; the fits are independent of each other.
 */

enum { INNER = 5, LANES = 8, ROTATE_MAX = 1024 }; /* a basis of this size takes half a minute */
/* ---- products of rows ---- */

static double dense_dot(const float *x, const float *y, int64_t width)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t j = 0;
    for (; j + LANES <= width; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)x[j + l] * y[j + l];
    for (; j < width; j++)
        sum += (double)x[j] * y[j];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static double sparse_dot(const wgdn_csr *a, int64_t i, int64_t j)
{
    int64_t p = a->offset[i], q = a->offset[j];
    double sum = 0;
    while (p < a->offset[i + 1] && q < a->offset[j + 1]) {
        const int32_t left = a->column[p], right = a->column[q];
        if (left == right) sum += a->value ? (double)a->value[p] * a->value[q] : 1;
        p += left <= right;
        q += right <= left;
    }
    return sum;
}

static void dots_of_row(int64_t i, void *context)
{
    const svm_input *in = context;
    const wgdn_csr *a = in->sparse;
    in->sum[i] = 0;
    for (int64_t j = 0; !a && j < in->width; j++)
        in->sum[i] += in->dense[i * in->width + j];
    for (int64_t k = a ? a->offset[i] : 0; a && k < a->offset[i + 1]; k++)
        in->sum[i] += a->value ? a->value[k] : 1;
    for (int64_t j = 0; j <= i; j++) {
        const double dot =
            a ? sparse_dot(a, i, j)
              : dense_dot(in->dense + i * in->width, in->dense + j * in->width, in->width);
        in->dot[i * in->n + j] = in->dot[j * in->n + i] = dot;
    }
}

/* ---- the folds ---- */

typedef struct validation {
    const svm_input *in;
    svm_call fit;
    const int32_t *fold; /* of each row, -1: without a label */
    int folds;
    double *inner; /* folds x INNER x penalties: accuracies */
    int *chosen;   /* folds: which penalty */
    double *outer; /* folds: accuracies */
    bool *failed;  /* folds x INNER */
    wgdn_arrays arrays;
} validation;

/* Rows of one task. */
typedef struct task {
    wgdn_arrays arrays;
    int64_t *row;  /* to learn from, then to test */
    int32_t *part; /* scratch: labels, then inner folds; then guesses */
    int32_t *label;
    int64_t learn, rows;
} task;

static bool open_task(task *t, int64_t n)
{
    *t = (task){0};
    t->row = wgdn_arrays_add(&t->arrays, (size_t)n, 2 * sizeof *t->row);
    t->part = wgdn_arrays_add(&t->arrays, (size_t)n, PENALTIES * sizeof *t->part);
    t->label = wgdn_arrays_add(&t->arrays, (size_t)n, sizeof *t->label);
    return !t->arrays.failed;
}

/* Rows that are in no fold but `test`'s to learn from; with all, that fold's behind them. */
static void outer_rows(task *t, const validation *r, int test, bool all)
{
    t->rows = 0;
    for (int64_t i = 0; i < r->in->n; i++)
        if (r->fold[i] >= 0 && r->fold[i] != test) t->row[t->rows++] = i;
    t->learn = t->rows;
    for (int64_t i = 0; all && i < r->in->n; i++)
        if (r->fold[i] == test) t->row[t->rows++] = i;
}

/* Of what fold `test` learns from, the inner fold goes behind the rest, both in order. */
static bool inner_rows(task *t, const validation *r, int test, int inner)
{
    int64_t *moved = t->row + r->in->n, at = 0;
    outer_rows(t, r, test, false);
    for (int64_t i = 0; i < t->rows; i++)
        t->label[i] = r->in->label[t->row[i]];
    if (wgdn_folds_make(t->part, t->label, t->rows, r->in->classes, INNER, NULL, NULL))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < t->rows; i++)
            if ((t->part[i] == inner) == (pass == 1)) moved[at++] = t->row[i];
        if (pass == 0) t->learn = at;
    }
    memcpy(t->row, moved, (size_t)t->rows * sizeof *moved);
    return true;
}

static double share_right(const task *t, const svm_input *in, const int32_t *guess)
{
    int64_t right = 0;
    for (int64_t i = t->learn; i < t->rows; i++)
        right += guess[i] == in->label[t->row[i]];
    return t->rows > t->learn ? (double)right / (double)(t->rows - t->learn) : 0;
}

static void inner_task(int64_t i, void *context)
{
    const validation *r = context;
    task t;
    bool good = open_task(&t, r->in->n) && inner_rows(&t, r, (int)(i / INNER), (int)(i % INNER));
    if (good) good = r->fit(t.part, r->in, t.row, t.learn, t.rows, 0, PENALTIES);
    for (int k = 0; good && k < PENALTIES; k++)
        r->inner[i * PENALTIES + k] = share_right(&t, r->in, t.part + k * t.rows);
    r->failed[i] = !good;
    wgdn_arrays_release(&t.arrays);
}

static void outer_task(int64_t f, void *context)
{
    const validation *r = context;
    task t;
    bool good = open_task(&t, r->in->n);
    if (good) {
        outer_rows(&t, r, (int)f, true);
        good = r->fit(t.part, r->in, t.row, t.learn, t.rows, r->chosen[f], 1);
    }
    if (good) r->outer[f] = share_right(&t, r->in, t.part);
    r->failed[f] = !good;
    wgdn_arrays_release(&t.arrays);
}

/* The penalty with the best mean over inner folds, the smallest one if several are. */
static int choose(const validation *r, int64_t f)
{
    double best = -1;
    int which = 0;
    for (int k = 0; k < PENALTIES; k++) {
        double sum = 0;
        for (int j = 0; j < INNER; j++)
            sum += r->inner[(f * INNER + j) * PENALTIES + k];
        if (sum / INNER > best) {
            best = sum / INNER;
            which = k;
        }
    }
    return which;
}

static bool all_good(const validation *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (r->failed[i]) return false;
    return true;
}

/* Chooses a penalty for each fold by its inner folds, then tests. */
static wgdn_status cross_validate(wgdn_spread *out, const svm_input *in, const int32_t *fold,
                                  int folds, svm_call fit, wgdn_error *err)
{
    const size_t tasks = (size_t)folds * INNER;
    validation r = {.in = in, .fit = fit, .fold = fold, .folds = folds};
    r.inner = wgdn_arrays_add(&r.arrays, tasks, PENALTIES * sizeof *r.inner);
    r.outer = wgdn_arrays_add(&r.arrays, (size_t)folds, sizeof *r.outer);
    r.chosen = wgdn_arrays_add(&r.arrays, (size_t)folds, sizeof *r.chosen);
    r.failed = wgdn_arrays_add(&r.arrays, tasks, sizeof *r.failed);
    bool good = !r.arrays.failed;
    if (good) {
        wgdn_for_each((int64_t)tasks, inner_task, &r);
        good = all_good(&r, (int64_t)tasks);
    }
    for (int64_t f = 0; good && f < folds; f++)
        r.chosen[f] = choose(&r, f);
    if (good) {
        wgdn_for_each(folds, outer_task, &r);
        good = all_good(&r, folds);
    }
    if (good) *out = wgdn_spread_of(r.outer, folds);
    wgdn_arrays_release(&r.arrays);
    if (good) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "support vector machines: %lld rows, %d folds",
                     (long long)in->n, folds);
}

/*
 * Folds singleton columns, which have a non-zero in one row only. They affect other rows only
 * through the length of this row. All singleton columns of a row become one column with the same
 * length: a rotation, which preserves the products of rows and therefore linear SVMs. In a set of
 * large graphs, most subtrees are singleton columns.
 */

/* The new number of each column, -1 if it is a singleton; returns how many are not. */
static int64_t number_columns(int32_t *at, const wgdn_csr *a)
{
    int64_t shared = 0;
    for (int64_t j = 0; j < a->cols; j++)
        at[j] = 0;
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        at[a->column[k]]++;
    for (int64_t j = 0; j < a->cols; j++)
        at[j] = at[j] > 1 ? (int32_t)shared++ : -1;
    return shared;
}

static int64_t fold_row(wgdn_csr *out, int64_t to, const wgdn_csr *a, int64_t i, const int32_t *at,
                        int64_t shared)
{
    double squares = 0;
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
        const float x = a->value ? a->value[k] : 1;
        if (at[a->column[k]] < 0) {
            squares += (double)x * x;
        } else {
            out->column[to] = at[a->column[k]];
            out->value[to++] = x;
        }
    }
    if (squares > 0) {
        out->column[to] = (int32_t)(shared + i);
        out->value[to++] = (float)sqrt(squares);
    }
    return to;
}

static wgdn_status fold_singletons(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err)
{
    const size_t entries = (size_t)wgdn_csr_entries(a);
    int32_t *at = wgdn_alloc((size_t)a->cols, sizeof *at);
    wgdn_csr made = {.rows = a->rows,
                     .offset = wgdn_alloc((size_t)a->rows + 1, sizeof *made.offset),
                     .column = wgdn_alloc(entries, sizeof *made.column),
                     .value = wgdn_alloc(entries, sizeof *made.value)};
    if (!at || !made.offset || !made.column || !made.value) {
        wgdn_release(at);
        wgdn_csr_free(&made);
        return wgdn_fail(err, WGDN_ENOMEM, "columns of %lld rows", (long long)a->rows);
    }
    const int64_t shared = number_columns(at, a);
    made.offset[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        made.offset[i + 1] = fold_row(&made, made.offset[i], a, i, at, shared);
    made.cols = shared + a->rows;
    wgdn_release(at);
    *out = made;
    return WGDN_OK;
}

/* Fits linear SVMs to rotated or folded rows, whose products are the same. */
static wgdn_status run_linear(wgdn_spread *out, const svm_input *in, const int32_t *fold, int folds,
                              wgdn_error *err)
{
    svm_input easy = *in;
    wgdn_csr folded = {0};
    float *turned = NULL;
    wgdn_status st = WGDN_OK;
    if (!can_load_linear())
        return wgdn_fail(
            err, WGDN_ENOSUPPORT,
            "LIBLINEAR cannot be loaded; install it, or evaluate with the RBF SVM alone");
    if (in->sparse) {
        st = fold_singletons(&folded, in->sparse, err);
        easy.sparse = &folded;
    } else if (in->width <= ROTATE_MAX) {
        turned = wgdn_alloc((size_t)in->n, (size_t)in->width * sizeof *turned);
        easy.dense = turned;
        st = turned ? wgdn_principal_axes(turned, NULL, in->dense, in->n, in->width, err)
                    : wgdn_fail(err, WGDN_ENOMEM, "%lld rotated rows", (long long)in->n);
    }
    const int former = set_linear_threads(1);
    if (!st) st = cross_validate(out, &easy, fold, folds, fit_linear, err);
    set_linear_threads(former);
    wgdn_release(turned);
    wgdn_csr_free(&folded);
    return st;
}

static wgdn_status deal_folds(int32_t *fold, const wgdn_dataset *d, const wgdn_eval_options *o,
                              wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d), classes = wgdn_dataset_classes(d);
    wgdn_twister t;
    int64_t rows = 0;
    wgdn_status st = WGDN_OK;
    int32_t *label = wgdn_alloc((size_t)n, 2 * sizeof *label), *dealt = label ? label + n : NULL;
    if (!label) return wgdn_fail(err, WGDN_ENOMEM, "folds: %lld rows", (long long)n);
    for (int64_t i = 0; i < n; i++)
        if (wgdn_dataset_label(d, i) >= 0) label[rows++] = wgdn_dataset_label(d, i);
    wgdn_twister_seed(&t, (uint32_t)o->seed);
    if (classes < 2 || rows < o->folds)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "folds: %lld labeled rows of %lld classes; %d folds want two classes and "
                       "a row each",
                       (long long)rows, (long long)classes, o->folds);
    if (!st) st = wgdn_folds_make(dealt, label, rows, classes, o->folds, &t, err);
    rows = 0;
    for (int64_t i = 0; !st && i < n; i++)
        fold[i] = wgdn_dataset_label(d, i) >= 0 ? dealt[rows++] : -1;
    wgdn_release(label);
    return st;
}

static wgdn_status open_input(svm_input *in, int32_t *label, const wgdn_dataset *d, wgdn_error *err)
{
    in->classes = wgdn_dataset_classes(d);
    in->label = label;
    if (in->n > INT32_MAX - 1 || in->width > INT32_MAX - 2)
        return wgdn_fail(err, WGDN_ERANGE, "support vector machines: %lld rows of width %lld",
                         (long long)in->n, (long long)in->width);
    in->dot = wgdn_arrays_add(&in->arrays, (size_t)in->n, (size_t)in->n * sizeof *in->dot);
    in->sum = wgdn_arrays_add(&in->arrays, (size_t)in->n, sizeof *in->sum);
    if (in->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "support vector machines: kernel of %lld rows",
                         (long long)in->n);
    for (int64_t i = 0; i < in->n; i++)
        label[i] = wgdn_dataset_label(d, i);
    wgdn_for_each(in->n, dots_of_row, in);
    return WGDN_OK;
}

/* Both kinds over folds; label and classes are d's nodes'. */
static wgdn_status svm_run(wgdn_svm_result *out, const wgdn_dataset *d, svm_input *in,
                           const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_svm_result asked, made = {.folds = o->folds,
                                   .classes = wgdn_dataset_classes(d),
                                   .has_rbf = has_rbf && o->svm != WGDN_SVM_LINEAR,
                                   .has_linear = has_linear && o->svm != WGDN_SVM_RBF};
    int32_t *fold = wgdn_alloc((size_t)in->n, 2 * sizeof *fold);
    wgdn_status st;
    wgdn_result_ask(&asked, out, sizeof asked);
    made.fold = asked.fold;
    if (!made.has_rbf && !made.has_linear) {
        wgdn_release(fold);
        return wgdn_fail(err, WGDN_ENOSUPPORT, "this build lacks %s",
                         o->svm == WGDN_SVM_RBF ? "LIBSVM (Debian: libsvm-dev)"
                         : o->svm == WGDN_SVM_LINEAR
                             ? "LIBLINEAR (Debian: liblinear-dev)"
                             : "both LIBSVM and LIBLINEAR (Debian: libsvm-dev, liblinear-dev)");
    }
    st = fold ? deal_folds(fold, d, o, err)
              : wgdn_fail(err, WGDN_ENOMEM, "folds: %lld rows", (long long)in->n);
    for (int64_t i = 0; !st && i < in->n; i++)
        made.rows += fold[i] >= 0;
    if (!st) st = open_input(in, fold + in->n, d, err);
    if (!st && made.has_rbf) st = cross_validate(&made.rbf, in, fold, o->folds, fit_rbf, err);
    if (!st && made.has_linear) st = run_linear(&made.linear, in, fold, o->folds, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    if (!st && asked.fold) memcpy(asked.fold, fold, (size_t)in->n * sizeof *fold);
    wgdn_arrays_release(&in->arrays);
    wgdn_release(fold);
    return st;
}

wgdn_status wgdn_embedding_classify(wgdn_svm_result *out, const wgdn_embedding *e,
                                    const wgdn_dataset *d, const wgdn_eval_options *o,
                                    wgdn_error *err)
{
    wgdn_vectors v = {0};
    wgdn_eval_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open_for(&v, e, d, !e->graph, err);
    svm_input in = {.n = v.n, .width = v.width, .dense = v.x, .sparse = v.sparse};
    if (!st) st = svm_run(out, d, &in, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st ? st : wgdn_dataset_unchanged(d, err);
}
