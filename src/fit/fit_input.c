/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the input of the closed form: features with rows of length 1, the graph, and the keys of
 * the nodes. All parts in this folder read their data through it.
 */
#include "base/streams.h"
#include "data/embedding.h"
#include "fit.h"

#include <math.h>
#include <string.h>

/* ---- chunks of the features ---- */

void wgdn_fit_forget(const wgdn_fit_input *part)
{
    const wgdn_csr *x = part->x.sparse;
    const int64_t from = x ? x->offset[0] : 0, count = x ? x->offset[x->rows] - from : 0;
    for (int i = 0; i < 2 && part->memory.block; i++) {
        const wgdn_archive *a = part->from[i];
        if (!x)
            wgdn_archive_forget_at(a, part->x.dense,
                                   (size_t)(part->rows.count * part->features) * sizeof(float),
                                   false);
        if (x)
            wgdn_archive_forget_at(a, x->column + from, (size_t)count * sizeof *x->column, false);
        if (x && x->value)
            wgdn_archive_forget_at(a, x->value + from, (size_t)count * sizeof *x->value, false);
    }
}

typedef wgdn_status (*features_call)(wgdn_fit_input *part, void *self, wgdn_error *err);

/* Calls for each chunk of rows of the features, whose pages are released after that. */
static wgdn_status for_chunks(const wgdn_fit_input *in, features_call call, void *self,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, wgdn_chunk(in->rows, i));
        st = call(&part, self, err);
        wgdn_fit_forget(&part);
    }
    return st;
}

/*
 * Measures the lengths of the rows of X and how informative X is. Extreme values are rejected with
 * the name of their node, and features that only identify the node are recognized. Products with X
 * are computed in float before rows are scaled to length 1. Values between 1e-30 and 1e30 can
 * neither overflow nor vanish there.
 */

static const double longest = 1e30, shortest = 1e-30; /* rows; a shorter one counts as zeros */
static const double alike = 1e-10; /* variance of rows of length 1 that counts as none */

enum { FEW_COLUMNS = 256 };                   /* whose entries are counted */
enum { SEEN = 2 };                            /* random columns that rows are compared by */
enum { NO_ENTRY = -1, MANY = -2, TINY = -3 }; /* instead of a row's only column */

typedef struct measuring {
    wgdn_fit_input *in;
    const float *g;  /* features x SEEN, or NULL */
    double *seen;    /* rows x SEEN: R X G */
    int64_t *column; /* of the only entry of a row, or one of the below */
    int64_t first;   /* row that the chunk begins with */
} measuring;

/* A row's sums, while its entries go by. */
typedef struct row_sums {
    double squares, seen[SEEN];
    int64_t entries, last;
} row_sums;

static void add_entry(row_sums *s, const float *g, int64_t column, double x)
{
    if (x == 0) return;
    s->squares += x * x;
    s->entries++;
    s->last = column;
    for (int j = 0; g && j < SEEN; j++)
        s->seen[j] += x * g[column * SEEN + j];
}

static void measure_rows(int64_t first, int64_t count, void *context)
{
    const measuring *m = context;
    const wgdn_csr *x = m->in->x.sparse;
    for (int64_t i = first; i < first + count; i++) {
        row_sums s = {.last = -1};
        const float *row = x ? NULL : m->in->x.dense + i * m->in->features;
        for (int64_t j = 0; row && j < m->in->features; j++)
            add_entry(&s, m->g, j, row[j]);
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++)
            add_entry(&s, m->g, x->column[k], x->value ? x->value[k] : 1);
        const double length = sqrt(s.squares);
        const bool none = length < shortest;
        m->in->inv_norm[i] = length > longest ? -1 : none ? 0 : (float)(1 / length);
        for (int j = 0; m->g && j < SEEN; j++)
            m->seen[(m->first + i) * SEEN + j] = none ? 0 : s.seen[j] / length;
        if (m->column)
            m->column[m->first + i] = !s.entries      ? NO_ENTRY
                                      : none          ? TINY
                                      : s.entries > 1 ? MANY
                                                      : s.last;
    }
}

/* Refuses the first row that is too long, by the name of its node. */
static wgdn_status check_rows(const wgdn_fit_input *in, const wgdn_dataset *d, wgdn_error *err)
{
    const int32_t *order = wgdn_dataset_get_order(d);
    for (int64_t i = 0; i < in->rows.count; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const int64_t row = in->rows.first + i, node = order ? order[row] : row;
        if (in->inv_norm[i] >= 0) continue;
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: node %s has a value of 1e30 or more; such values often stand "
                         "for missing data: leave them empty, or replace them by 0",
                         wgdn_show(wgdn_dataset_name(d, node, buffer)).text);
    }
    return WGDN_OK;
}

/* ---- how informative the features are ---- */

/* Sums: rows with features, tiny ones, rows with more than one entry, and for the variance. */
enum { ROWS, TINY_ROWS, MANY_ROWS, SQUARES, SUM, SUMS = SUM + SEEN };

static void add_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const measuring *m = context;
    for (int64_t i = first; i < first + count; i++) {
        const double *seen = m->seen + i * SEEN;
        sums[ROWS] += m->column[i] >= 0 || m->column[i] == MANY;
        sums[TINY_ROWS] += m->column[i] == TINY;
        sums[MANY_ROWS] += m->column[i] == MANY;
        for (int j = 0; j < SEEN; j++) {
            sums[SQUARES] += seen[j] * seen[j];
            sums[SUM + j] += seen[j];
        }
    }
}

/* Whether rows of length 1 are one and the same row, as far as there are any. */
static bool are_equal(const double *sums)
{
    double variance = sums[SQUARES];
    for (int j = 0; j < SEEN && sums[ROWS] > 0; j++)
        variance -= sums[SUM + j] * sums[SUM + j] / sums[ROWS];
    return variance <= alike * sums[SQUARES];
}

/* Whether no two rows have their only entry in the same column. */
static wgdn_status are_apart(bool *apart, const measuring *m, wgdn_error *err)
{
    const wgdn_fit_input *in = m->in;
    int64_t *all = wgdn_gather_rows(m->column, sizeof *all, in);
    char *used = wgdn_alloc_zero((size_t)in->features, 1);
    wgdn_status st = WGDN_OK;
    if (!all || !used)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: columns of %lld rows",
                       (long long)in->rows.total);
    st = wgdn_span_agree(in->rows, st, err);
    *apart = !st;
    for (int64_t i = 0; i < in->rows.total && *apart; i++) {
        if (all[i] < 0) continue;
        *apart = !used[all[i]];
        used[all[i]] = 1;
    }
    wgdn_release(used);
    wgdn_release(all);
    return st;
}

static wgdn_status judge(wgdn_fit_input *in, measuring *m, wgdn_error *err)
{
    double sums[SUMS] = {0};
    bool apart = false;
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, SUMS), 1);
    wgdn_status st = work ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "features: sums of rows");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_for_blocks(in->rows, add_rows, m, sums, SUMS, work);
        in->tiny = (int64_t)sums[TINY_ROWS];
        in->worth = sums[ROWS] == 0   ? WGDN_WORTH_NOTHING
                    : are_equal(sums) ? WGDN_WORTH_CONSTANT
                                      : WGDN_WORTH_SOMETHING;
        if (in->worth == WGDN_WORTH_SOMETHING && sums[MANY_ROWS] == 0 &&
            sums[ROWS] <= (double)in->features)
            st = are_apart(&apart, m, err);
        if (apart) in->worth = WGDN_WORTH_IDENTITY;
    }
    wgdn_release(work);
    return st;
}

/* ---- columns ---- */

static void count_entries(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_fit_input *in = context;
    const wgdn_csr *x = in->x.sparse;
    for (int64_t i = first; i < first + count; i++) {
        for (int64_t j = 0; !x && j < in->features; j++)
            sums[j] += in->x.dense[i * in->features + j] != 0 && in->inv_norm[i] > 0;
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++)
            sums[x->column[k]] += (!x->value || x->value[k] != 0) && in->inv_norm[i] > 0;
    }
}

typedef struct counting {
    double *all, *sums; /* of each column, and those of a chunk */
    void *work;
} counting;

static wgdn_status count_chunk(wgdn_fit_input *part, void *self, wgdn_error *err)
{
    const counting *c = self;
    (void)err;
    wgdn_for_blocks(part->rows, count_entries, part, c->sums, part->features, c->work);
    for (int64_t j = 0; j < part->features; j++)
        c->all[j] += c->sums[j];
    return WGDN_OK;
}

/* Counts the nodes that have a value in each column. */
static wgdn_status count_used(wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t f = in->features;
    double *sums = wgdn_alloc((size_t)f, sizeof *sums);
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, f), 1);
    in->used = wgdn_alloc_zero((size_t)f, sizeof *in->used);
    wgdn_status st = WGDN_OK;
    if (!sums || !work || !in->used)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: sums of %lld columns", (long long)f);
    st = wgdn_span_agree(in->rows, st, err);
    counting c = {in->used, sums, work};
    if (!st) st = for_chunks(in, count_chunk, &c, err);
    wgdn_release(work);
    wgdn_release(sums);
    return st;
}

static wgdn_status measure_chunk(wgdn_fit_input *part, void *self, wgdn_error *err)
{
    measuring *m = self;
    (void)err;
    m->in = part;
    m->first = wgdn_chunk_first(part->rows);
    wgdn_for_rows(part->rows, measure_rows, m);
    return WGDN_OK;
}

/* Sets inv_norm, and with learn what the features are worth; extreme values are refused. */
static wgdn_status features_measure(wgdn_fit_input *in, const wgdn_dataset *d, uint64_t seed,
                                    bool learn, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count, width = learn ? (size_t)in->features * SEEN : 0;
    wgdn_arrays arrays = {.count = 0};
    float *g = wgdn_arrays_add(&arrays, width, sizeof *g);
    measuring m = {.in = in, .g = learn ? g : NULL};
    m.seen = wgdn_arrays_add(&arrays, learn ? n * SEEN : 0, sizeof *m.seen);
    m.column = learn ? wgdn_arrays_add(&arrays, n, sizeof *m.column) : NULL;
    in->inv_norm = wgdn_alloc(n, sizeof *in->inv_norm);
    wgdn_status st = WGDN_OK;
    if (!in->inv_norm || arrays.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: lengths of %lld rows", (long long)n);
    if (!st && learn)
        wgdn_random_normals(g, SEEN, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SCALE}, 0,
                            in->features, 0, SEEN);
    if (!st) st = for_chunks(in, measure_chunk, &m, err);
    m.in = in;
    if (!st) st = check_rows(in, d, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && learn) st = judge(in, &m, err);
    if (!st && learn && in->features <= FEW_COLUMNS) st = count_used(in, err);
    wgdn_arrays_release(&arrays);
    return st;
}

/*
 * Opens the input of a fit: X with rows of length 1, its transpose, the graph, the keys of the
 * nodes.
 */

static wgdn_status open_features(wgdn_fit_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                 bool learn, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (wgdn_dataset_features(d) != f->features && !(d->degrees && wgdn_dataset_features(d)))
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)wgdn_dataset_features(d), (long long)f->features);
    st = wgdn_matrix_open(&in->x, d, f->features, f->options.binarize, err);
    if (!st && learn && in->x.sparse) st = wgdn_csr_transpose(&in->turned, in->x.sparse, err);
    return st;
}

/* Columns of the widest matrix that meets the graph: a subspace, what neighbors share of features,
 * or what scales are compared by. */
static int64_t widest_of(const wgdn_fitted *f, int64_t nodes)
{
    const int64_t subspace = wgdn_shared_inner(f->options.dim, nodes),
                  scales = wgdn_scale_columns(nodes);
    return subspace > scales ? subspace : scales;
}

/* log A_ij, where there are weights. */
static wgdn_status open_logs(wgdn_fit_input *in, wgdn_error *err)
{
    const wgdn_csr *a = &in->graph->adjacency;
    const int64_t entries = wgdn_csr_entries(a);
    if (!a->value) return WGDN_OK;
    in->logs = wgdn_alloc((size_t)entries, sizeof *in->logs);
    if (!in->logs)
        return wgdn_fail(err, WGDN_ENOMEM, "logarithms of %lld weights", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        in->logs[k] = (float)log((double)a->value[k]);
    return WGDN_OK;
}

/* Entries of a mapped graph that a product has gone through. */
static void graph_used(const wgdn_graph *g, int64_t from, int64_t to)
{
    const wgdn_csr *a = &g->adjacency;
    const size_t count = (size_t)(to - from);
    wgdn_archive_forget_at(g->of, a->column + from, count * sizeof *a->column, true);
    if (a->value) wgdn_archive_forget_at(g->of, a->value + from, count * sizeof *a->value, true);
}

/* The graph, of which a window is in memory at a time. */
static void open_window(wgdn_fit_input *in, const wgdn_dataset *d)
{
    in->window = *in->graph;
    in->window.used = graph_used;
    in->window.of = &d->archive;
    in->graph = &in->window;
}

wgdn_status wgdn_fit_input_open(wgdn_fit_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                bool learn, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *in = (wgdn_fit_input){.data = d,
                           .graph = wgdn_dataset_get_graph(d),
                           .relations = &d->relations,
                           .rows = wgdn_dataset_rows(d),
                           .features = f->features,
                           .from = {&d->archive, &d->feature_archive},
                           .serial = d->serial,
                           .keep = learn && f->options.keep,
                           .weighted = wgdn_dataset_weighted(d)};
    st = wgdn_fit_memory_find(&in->memory, d, &f->options, err);
    if (in->memory.block && d->archive.sparing) open_window(in, d);
    if (!st && f->features) st = open_features(in, d, f, learn, err);
    if (!st) st = open_logs(in, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && f->features) st = features_measure(in, d, f->options.seed, learn, err);
    if (!st) st = wgdn_dataset_keys(&in->key, d, err);
    if (!st && d->halo) st = wgdn_halo_reserve(d->halo, widest_of(f, in->rows.total), err);
    st = wgdn_span_agree(in->rows, st, err);
    if (st) wgdn_fit_input_close(in);
    return st;
}

typedef struct scaling {
    float *rows;
    int64_t k;
    double length;
} scaling;

static void scale_rows(int64_t first, int64_t count, void *context)
{
    const scaling *s = context;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(s->rows + i * s->k, s->k, s->length);
}

wgdn_status wgdn_made_check(int64_t *zeros, const float *rows, int64_t first, int64_t count,
                            int64_t k, wgdn_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        const float *row = rows + i * k;
        float most = 0, sum = 0; /* of x - x: 0, or not a number */
        for (int64_t j = 0; j < k; j++) {
            most = fabsf(row[j]) > most ? fabsf(row[j]) : most;
            sum += row[j] - row[j];
        }
        if (sum != 0)
            return wgdn_fail(err, WGDN_ERANGE,
                             "vectors: row %lld is not finite (NaN or infinity): the model or the "
                             "features have extreme values; nothing is written",
                             (long long)(first + i));
        *zeros += most == 0;
    }
    return WGDN_OK;
}

wgdn_status wgdn_destination_put(const wgdn_destination *to, float *rows, int64_t k,
                                 wgdn_span chunk, wgdn_error *err)
{
    scaling s = {rows, k, to->length};
    if (to->length > 0) wgdn_for_rows(chunk, scale_rows, &s);
    if (!to->file) {
        wgdn_tall_put_rows(&to->columns, chunk, rows);
        return WGDN_OK;
    }
    const int64_t first = wgdn_chunk_first(chunk);
    const wgdn_status st = wgdn_made_check(to->zeros, rows, first, chunk.count, k, err);
    return st ? st : wgdn_numbers_write(to->file, NULL, rows, chunk.count * k, to->numbers, err);
}

wgdn_status wgdn_scaled_chunk(float *y, const wgdn_fit_input *in, const float *v, int64_t k,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (in->x.sparse) {
        wgdn_spmm(y, in->x.sparse, v, k);
    } else {
        const wgdn_product p = wgdn_product_of(y, in->x.dense, v, in->rows, in->features, k);
        st = wgdn_gemm_nn(&p, err);
    }
    if (!st) wgdn_scale_rows(y, in->inv_norm, y, in->rows, k);
    return st;
}

typedef struct multiplying {
    const wgdn_fit_input *in;
    float *y;
    const float *v;
    int64_t k;
} multiplying;

static wgdn_status multiply_chunk(wgdn_fit_input *part, void *self, wgdn_error *err)
{
    const multiplying *m = self;
    return wgdn_scaled_chunk(m->y + wgdn_chunk_first(part->rows) * m->k, part, m->v, m->k, err);
}

wgdn_status wgdn_scaled_product(float *y, const wgdn_fit_input *in, const float *v, int64_t k,
                                wgdn_error *err)
{
    multiplying m = {in, y, v, k};
    return for_chunks(in, multiply_chunk, &m, err);
}

/* ---- R X V, or R X, as a tall matrix ---- */

/* Columns [at, at + width) of R X. */
typedef struct taking {
    const wgdn_fit_input *in;
    float *to; /* rows x width */
    int64_t at, width;
} taking;

static void take_columns(int64_t first, int64_t count, void *context)
{
    const taking *t = context;
    const wgdn_csr *x = t->in->x.sparse;
    for (int64_t i = first; i < first + count; i++) {
        float *to = t->to + i * t->width;
        const float r = t->in->inv_norm[i];
        for (int64_t j = 0; !x && j < t->width; j++)
            to[j] = r * t->in->x.dense[i * t->in->features + t->at + j];
        if (x) memset(to, 0, (size_t)t->width * sizeof *to);
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++) {
            const int64_t j = x->column[k] - t->at;
            if (j >= 0 && j < t->width) to[j] = r * (x->value ? x->value[k] : 1);
        }
    }
}

static void make_columns(float *to, wgdn_span chunk, int64_t at, int64_t width, const void *of)
{
    wgdn_fit_input part;
    taking t = {.in = &part, .to = to, .at = at, .width = width};
    wgdn_fit_rows(&part, of, chunk);
    wgdn_for_rows(chunk, take_columns, &t);
    wgdn_fit_forget(&part);
}

/* Rows of R X have length 1. What is left of one that the basis does not reach is mostly rounding,
 * which must not be scaled to length 1 later. */
static const double reached = 1e-2;

typedef struct clearing {
    float *rows;
    int64_t k;
} clearing;

static void clear_rows(int64_t first, int64_t count, void *context)
{
    const clearing *c = context;
    for (int64_t i = first; i < first + count; i++) {
        float *row = c->rows + i * c->k;
        double sum = 0;
        for (int64_t j = 0; j < c->k; j++)
            sum += (double)row[j] * row[j];
        if (sum < reached * reached) memset(row, 0, (size_t)c->k * sizeof *row);
    }
}

static wgdn_status multiply_rows(float *to, float *from, wgdn_span chunk, void *self,
                                 wgdn_error *err)
{
    const multiplying *m = self;
    clearing c = {to, m->k};
    wgdn_fit_input part;
    (void)from;
    wgdn_fit_rows(&part, m->in, chunk);
    const wgdn_status st = wgdn_scaled_chunk(to, &part, m->v, m->k, err);
    wgdn_fit_forget(&part);
    if (!st) wgdn_for_rows(chunk, clear_rows, &c);
    return st;
}

wgdn_status wgdn_features_open(wgdn_tall *y, const float *v, const wgdn_fit_input *in, int64_t k,
                               wgdn_error *err)
{
    multiplying m = {.in = in, .v = v, .k = k};
    wgdn_tall_work w = {0};
    *y = (wgdn_tall){.rows = in->rows, .k = k, .width = k, .make = make_columns, .of = in};
    if (!v) return WGDN_OK;
    wgdn_status st = wgdn_span_agree(in->rows, wgdn_columns_open(y, in, k, err), err);
    if (!st) st = wgdn_tall_map_rows(y, NULL, multiply_rows, &m, &w, err);
    wgdn_tall_work_free(&w);
    return st;
}
