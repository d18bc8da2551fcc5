/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds node features as a dense or a sparse matrix, and checks, joins and reorders them. Readers and
 * tables produce them; the products in linalg read them as wgdn_matrix.
 */
#include "dataset.h"
#include "io/archive.h"
#include "io/scratch.h"
#include "io/text.h"
#include "table.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

enum { PART = 1 << 23 }; /* numbers of a mapped file that are in memory at once */

static wgdn_status not_finite(int64_t row, int64_t column, float value, const char *name,
                              wgdn_error *err)
{
    return wgdn_fail_in(
        err, WGDN_EFORMAT, name,
        "the feature in row %lld, column %lld (from 0) is %s: expected a finite number",
        (long long)row, (long long)column,
        isnan(value) ? "NaN"
        : value > 0  ? "inf"
                     : "-inf");
}

/* How many numbers are not 0, and in *wrong how many are not finite. */
static int64_t count_numbers(int64_t *wrong, const float *x, int64_t count)
{
    int64_t entries = 0, bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : entries, bad) if (!wgdn_forked())
    for (int64_t i = 0; i < count; i++) {
        entries += x[i] != 0;
        bad += !isfinite(x[i]);
    }
    *wrong = bad;
    return entries;
}

/* Those of a mapped file, of which no more than a part is in memory at once. */
static wgdn_status check_dense(wgdn_features *f, const wgdn_archive *in, const char *name,
                               wgdn_error *err)
{
    const int64_t all = f->rows * f->width;
    f->entries = 0;
    for (int64_t i = 0, count, wrong; i < all; i += count) {
        count = wgdn_min(PART, all - i);
        f->entries += count_numbers(&wrong, f->dense + i, count);
        for (int64_t j = i; wrong && j < all; j++)
            if (!isfinite(f->dense[j]))
                return not_finite(j / f->width, j % f->width, f->dense[j], name, err);
        if (in) wgdn_archive_forget_at(in, f->dense + i, (size_t)count * sizeof *f->dense, false);
    }
    return WGDN_OK;
}

wgdn_status wgdn_features_check(wgdn_features *f, const char *name, wgdn_error *err)
{
    if (f->dense) return check_dense(f, NULL, name, err);
    f->entries = 0;
    if (f->width == 0) return WGDN_OK;
    for (int64_t i = 0; f->sparse.value && i < f->rows; i++)
        for (int64_t k = f->sparse.offset[i]; k < f->sparse.offset[i + 1]; k++)
            if (!isfinite(f->sparse.value[k]))
                return not_finite(i, f->sparse.column[k], f->sparse.value[k], name, err);
    f->entries = wgdn_csr_entries(&f->sparse);
    return WGDN_OK;
}

/* Add up repeats and drop zeros in rows that are sorted, in place. */
static void add_repeats(wgdn_csr *a)
{
    int64_t kept = 0, start = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t end = a->offset[i + 1];
        for (int64_t k = start; k < end;) {
            const int32_t column = a->column[k];
            double sum = 0;
            for (; k < end && a->column[k] == column; k++)
                sum += a->value ? a->value[k] : 1;
            if (sum == 0) continue;
            if (a->value) a->value[kept] = (float)sum;
            a->column[kept++] = column;
        }
        a->offset[i + 1] = kept;
        start = end;
    }
}

/* Values that are all 1 need no array. */
static void drop_ones(wgdn_csr *a)
{
    const int64_t entries = wgdn_csr_entries(a);
    if (!a->value) return;
    for (int64_t k = 0; k < entries; k++)
        if (a->value[k] != 1) return;
    wgdn_release(a->value);
    a->value = NULL;
}

static bool ascending(const wgdn_csr *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i] + 1; k < a->offset[i + 1]; k++)
            if (a->column[k] <= a->column[k - 1]) return false;
    return true;
}

wgdn_status wgdn_features_from_csr(wgdn_features *f, wgdn_csr *a, const char *name, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    wgdn_csr turned = {0};
    *f = (wgdn_features){.rows = a->rows, .width = a->cols, .sparse = *a};
    *a = (wgdn_csr){0};
    if (!ascending(&f->sparse)) { /* transposing twice sorts */
        st = wgdn_csr_transpose(&turned, &f->sparse, err);
        wgdn_csr_free(&f->sparse);
        if (!st) st = wgdn_csr_transpose(&f->sparse, &turned, err);
        wgdn_csr_free(&turned);
    }
    if (!st) {
        add_repeats(&f->sparse);
        drop_ones(&f->sparse);
        st = wgdn_features_check(f, name, err);
    }
    if (st) wgdn_features_free(f);
    return st;
}

/* Compressed rows as a full matrix; NULL: no memory. */
static float *rows_dense(const wgdn_csr *a)
{
    float *dense =
        wgdn_alloc_zero(wgdn_size_product((size_t)a->rows, (size_t)a->cols, 1), sizeof *dense);
    for (int64_t i = 0; dense && i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            dense[i * a->cols + a->column[k]] = a->value ? a->value[k] : 1;
    return dense;
}

wgdn_status wgdn_features_settle(wgdn_features *f, wgdn_error *err)
{
    size_t all;
    if (f->dense || f->width == 0 || f->borrowed) return WGDN_OK;
    if (!wgdn_size_mul(&all, (size_t)f->rows, (size_t)f->width) ||
        (size_t)f->entries < all / 4 + (all % 4 > 0))
        return WGDN_OK;
    f->dense = rows_dense(&f->sparse);
    if (!f->dense)
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld x %lld", (long long)f->rows,
                         (long long)f->width);
    wgdn_csr_free(&f->sparse);
    return WGDN_OK;
}

wgdn_status wgdn_features_binarize(wgdn_features *f, wgdn_error *err)
{
    wgdn_features own;
    if (!f->dense && (f->width == 0 || !f->sparse.value)) return WGDN_OK;
    if (f->borrowed) {
        const wgdn_status st = wgdn_features_arrange(&own, f, NULL, err);
        if (st) return st;
        *f = own;
    }
    f->narrow = NULL;
    const int64_t count = f->dense ? f->rows * f->width : f->entries;
    float *value = f->dense ? f->dense : f->sparse.value;
    int64_t ones = 0;
    for (int64_t k = 0; k < count; k++) {
        value[k] = value[k] > 0 ? 1.0F : 0.0F;
        ones += value[k] > 0;
    }
    f->entries = ones;
    if (f->dense) return WGDN_OK;
    add_repeats(&f->sparse);
    drop_ones(&f->sparse);
    return WGDN_OK;
}

/* Floats of a tensor of another type in a scratch file, a part in memory at a time. */
static wgdn_status spill_floats(wgdn_features *f, const wgdn_tensor *t, wgdn_archive *in,
                                wgdn_error *err)
{
    const int64_t all = f->rows * f->width;
    const size_t bytes = wgdn_size_product((size_t)f->rows, (size_t)f->width, sizeof *f->dense);
    wgdn_storage s;
    wgdn_status st = wgdn_storage_open(&s, bytes, in->scratch, "features as float32", err);
    wgdn_tensor part = *t;
    part.rank = 1;
    for (int64_t i = 0; i < all && !st; i += part.shape[0]) {
        part.data = (const char *)t->data + (size_t)i * t->width;
        part.shape[0] = wgdn_min(PART, all - i);
        st = wgdn_tensor_to_f32((float *)s.at + i, &part, err);
        wgdn_archive_forget_at(in, part.data, (size_t)part.shape[0] * t->width, false);
        wgdn_storage_release(&s, (size_t)i * sizeof *f->dense,
                             (size_t)(i + part.shape[0]) * sizeof *f->dense);
    }
    wgdn_bytes kept = {.data = s.at, .size = s.size, .block = s.at, .mapped = true};
    if (!st) st = wgdn_archive_keep(in, &kept, err);
    if (st) {
        wgdn_storage_close(&s);
        return st;
    }
    f->dense = s.at;
    f->borrowed = true;
    return WGDN_OK;
}

wgdn_status wgdn_features_from_tensor(wgdn_features *f, const wgdn_tensor *t, wgdn_archive *in,
                                      const char *name, wgdn_error *err)
{
    *f = (wgdn_features){0};
    if (t->rank != 2 || t->shape[1] < 1 || t->shape[1] > WGDN_COLUMNS_MAX)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "features have %d dimensions: expected a matrix, nodes x width",
                            t->rank);
    f->rows = t->shape[0];
    f->width = t->shape[1];
    const bool spill = in->sparing && in->scratch && t->dtype != WGDN_F32 && f->rows > 0;
    wgdn_status st = spill ? spill_floats(f, t, in, err)
                           : wgdn_array_floats(&f->dense, &f->borrowed, t, name, err);
    if (!st) st = check_dense(f, in, name, err);
    if (st) wgdn_features_free(f);
    if (!st && (t->dtype == WGDN_F16 || t->dtype == WGDN_BF16)) {
        f->narrow = t->data;
        f->narrow_type = t->dtype;
    }
    return st;
}

static bool arrange_dense(wgdn_features *out, const wgdn_features *f, const int32_t *row)
{
    const size_t bytes = (size_t)f->width * sizeof *f->dense;
    out->dense = wgdn_alloc((size_t)f->rows, bytes);
    for (int64_t r = 0; out->dense && r < f->rows; r++)
        memcpy(out->dense + r * f->width, f->dense + (row ? row[r] : r) * f->width, bytes);
    return out->dense != NULL;
}

static bool arrange_sparse(wgdn_csr *to, const wgdn_csr *from, const int32_t *row)
{
    if (!wgdn_csr_alloc(to, from->rows, from->cols, wgdn_csr_entries(from), from->value != NULL))
        return false;
    for (int64_t r = 0; r < from->rows; r++) {
        const int64_t i = row ? row[r] : r, at = to->offset[r], k = from->offset[i];
        const int64_t count = from->offset[i + 1] - k;
        memcpy(to->column + at, from->column + k, (size_t)count * sizeof *to->column);
        if (to->value) memcpy(to->value + at, from->value + k, (size_t)count * sizeof *to->value);
        to->offset[r + 1] = at + count;
    }
    return true;
}

wgdn_status wgdn_features_arrange(wgdn_features *out, const wgdn_features *f, const int32_t *row,
                                  wgdn_error *err)
{
    *out = (wgdn_features){.rows = f->rows, .width = f->width, .entries = f->entries};
    if (f->width == 0 ||
        (f->dense ? arrange_dense(out, f, row) : arrange_sparse(&out->sparse, &f->sparse, row)))
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "a copy of %lld x %lld features", (long long)f->rows,
                     (long long)f->width);
}

wgdn_status wgdn_features_one_hot(wgdn_features *f, int64_t nodes, int64_t width,
                                  const int64_t *column, wgdn_error *err)
{
    wgdn_csr a;
    if (!wgdn_csr_alloc(&a, nodes, width, nodes, false))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld nodes", (long long)nodes);
    for (int64_t i = 0; i < nodes; i++) {
        a.offset[i] = i;
        a.column[i] = (int32_t)column[i];
    }
    a.offset[nodes] = nodes;
    *f = (wgdn_features){.rows = nodes, .width = width, .sparse = a, .entries = nodes};
    return WGDN_OK;
}

/*
 * Presents the features of a dataset to the products in linalg, and computes the keys that address
 * the random numbers of its nodes.
 */

/*
 * A sparse product moves about a tenth of the entries a second that a dense one does, so from this
 * density on X is multiplied as a full matrix.
 */
static const double full_from = 0.1;

/* All entries of the compressed rows as 1, without a copy: possible when none is negative. */
static wgdn_status binarize_sparse(wgdn_csr *csr, wgdn_error *err)
{
    for (int64_t i = 0; csr->value && i < csr->rows; i++)
        for (int64_t k = csr->offset[i]; k < csr->offset[i + 1]; k++)
            if (csr->value[k] < 0)
                return wgdn_fail(
                    err, WGDN_EINVAL,
                    "binarize: feature %d of node %lld is %g; sparse features must not "
                    "be negative for that",
                    csr->column[k], (long long)i, csr->value[k]);
    csr->value = NULL;
    return WGDN_OK;
}

static wgdn_status matrix_binarize_dense(wgdn_matrix *x, const float *from, int64_t n, int64_t f,
                                         wgdn_error *err)
{
    x->dense = x->owned = wgdn_alloc((size_t)(n * f), sizeof *x->owned);
    if (!x->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "binarize: %lld x %lld features", (long long)n,
                         (long long)f);
    for (int64_t k = 0; k < n * f; k++)
        x->owned[k] = from[k] > 0 ? 1.0F : 0.0F;
    return WGDN_OK;
}

bool wgdn_matrix_is_sparse(const wgdn_dataset *d)
{
    wgdn_csr csr;
    return wgdn_matrix_lend(&csr, d) && wgdn_dataset_density(d) < full_from;
}

/* One-hot degrees of another set than the model's: as many columns as it knows,
 * the last for more. */
static wgdn_status clip_degrees(wgdn_matrix *x, int64_t width, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(&x->csr);
    x->columns = wgdn_alloc((size_t)entries, sizeof *x->columns);
    if (!x->columns)
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        x->columns[k] = x->csr.column[k] < width ? x->csr.column[k] : (int32_t)width - 1;
    x->csr.column = x->columns;
    x->csr.cols = width;
    return WGDN_OK;
}

wgdn_status wgdn_matrix_open(wgdn_matrix *x, const wgdn_dataset *d, int64_t width, bool binarize,
                             wgdn_error *err)
{
    const int64_t n = wgdn_dataset_rows(d).count;
    const float *dense = wgdn_dataset_get_dense(d);
    wgdn_status st = WGDN_OK;
    *x = (wgdn_matrix){.dense = dense};
    if (!wgdn_matrix_lend(&x->csr, d))
        return binarize ? matrix_binarize_dense(x, dense, n, width, err) : WGDN_OK;
    if (width != x->csr.cols) st = clip_degrees(x, width, err);
    if (!st && binarize) st = binarize_sparse(&x->csr, err);
    if (st) return st;
    if (wgdn_dataset_density(d) < full_from) {
        x->sparse = &x->csr;
        return WGDN_OK;
    }
    x->dense = x->owned = rows_dense(&x->csr);
    return x->owned ? WGDN_OK
                    : wgdn_fail(err, WGDN_ENOMEM, "features: dense, %lld x %lld", (long long)n,
                                (long long)width);
}

/* ---- keys ---- */

static uint64_t key_of(const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text id = wgdn_dataset_name(d, node, buffer);
    return XXH3_64bits(id.at, id.size);
}

/* Those of all nodes, from rank 0. */
static void share_keys(uint64_t *all, const wgdn_dataset *d)
{
    wgdn_ranks *r = wgdn_dataset_ranks(d);
    for (int64_t i = 0; i < d->nodes && r->rank == 0; i++)
        all[i] = key_of(d, i);
    r->call->broadcast(r, all, (size_t)d->nodes * sizeof *all);
}

wgdn_status wgdn_dataset_keys(uint64_t **out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_span rows = wgdn_dataset_rows(d);
    uint64_t *key = wgdn_alloc((size_t)rows.count, sizeof *key);
    uint64_t *all = rows.dist ? wgdn_alloc((size_t)d->nodes, sizeof *all) : NULL;
    wgdn_status st = WGDN_OK;
    if (!key || (rows.dist && !all))
        st = wgdn_fail(err, WGDN_ENOMEM, "keys of %lld nodes", (long long)rows.count);
    st = wgdn_span_agree(rows, st, err);
    if (!st && rows.dist) share_keys(all, d);
    for (int64_t i = 0; i < rows.count && !st; i++) {
        const int64_t node = d->order ? d->order[i] : rows.first + i;
        key[i] = all ? all[node] : key_of(d, node);
    }
    wgdn_release(all);
    if (st)
        wgdn_release(key);
    else
        *out = key;
    return st;
}

/*
 * Collects features row by row, as the readers of text in formats meet them, and turns the rows into
 * the feature matrix in the order of the nodes.
 */

static void see_unknown(wgdn_table *t, wgdn_text id)
{
    if (t->unknown < 2) t->first[t->unknown] = wgdn_show(id);
    t->unknown++;
}

bool wgdn_table_skips(wgdn_table *t, const wgdn_ids *ids, wgdn_text id)
{
    const bool missing = wgdn_field_missing(id);
    if ((!missing && (!ids->fixed || t->strict)) || wgdn_ids_find(ids, id) >= 0) return false;
    t->nameless += missing;
    t->skipped += !missing;
    if (!missing) see_unknown(t, id);
    return true;
}

static wgdn_status no_memory(const wgdn_table *t, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOMEM, t->name, "features beyond row %lld", (long long)t->rows);
}

/* Remember where a node was seen; a second row for it is refused. */
static wgdn_status see(wgdn_table *t, int32_t node, wgdn_text id, int64_t line, wgdn_error *err)
{
    const int64_t old = t->line_room;
    if (!wgdn_grow(&t->line, &t->line_room, (int64_t)node + 1, sizeof *t->line))
        return no_memory(t, err);
    if (t->line_room > old)
        memset(t->line + old, 0, (size_t)(t->line_room - old) * sizeof *t->line);
    if (t->line[node])
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line,
                            "features of %s again: the first are on line %lld", wgdn_show(id).text,
                            (long long)t->line[node]);
    t->line[node] = line;
    return WGDN_OK;
}

wgdn_status wgdn_table_row(wgdn_table *t, wgdn_ids *ids, wgdn_text id, int64_t line,
                           wgdn_error *err)
{
    int32_t node;
    wgdn_status st = wgdn_ids_add(ids, &id, 1, &node, err);
    if (st == WGDN_ERANGE)
        return wgdn_fail_at(err, st, t->name, line,
                            "more than %lld different nodes, the maximum allowed",
                            (long long)ids->max);
    if (st) return st;
    if (node < 0)
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line, "%s is not a node of the graph",
                            wgdn_show(id).text);
    if (node >= t->known) see_unknown(t, id);
    st = see(t, node, id, line, err);
    if (st) return st;
    if (!wgdn_grow(&t->node, &t->node_room, t->rows + 1, sizeof *t->node) ||
        !wgdn_grow(&t->offset, &t->offset_room, t->rows + 2, sizeof *t->offset))
        return no_memory(t, err);
    if (t->rows == 0) t->offset[0] = 0;
    t->node[t->rows] = node;
    t->offset[t->rows + 1] = t->offset[t->rows];
    t->rows++;
    return WGDN_OK;
}

wgdn_status wgdn_table_entry(wgdn_table *t, int32_t column, float value, wgdn_error *err)
{
    const int64_t at = t->offset[t->rows];
    if (at >= t->max)
        return wgdn_fail_in(err, WGDN_ERANGE, t->name,
                            "more than %lld features, the maximum allowed", (long long)t->max);
    if (!wgdn_grow(&t->column, &t->column_room, at + 1, sizeof *t->column) ||
        !wgdn_grow(&t->value, &t->value_room, at + 1, sizeof *t->value))
        return no_memory(t, err);
    t->column[at] = column;
    t->value[at] = value;
    t->offset[t->rows]++;
    return WGDN_OK;
}

wgdn_status wgdn_table_features(wgdn_features *f, int64_t *absent, const wgdn_table *t,
                                int64_t nodes, const int32_t *rank, wgdn_error *err)
{
    const int64_t entries = t->rows ? t->offset[t->rows] : 0;
    wgdn_csr a;
    if (!wgdn_csr_alloc(&a, nodes, t->width, entries, true)) return no_memory(t, err);
    for (int64_t r = 0; r < t->rows; r++)
        a.offset[(rank ? rank[t->node[r]] : t->node[r]) + 1] = t->offset[r + 1] - t->offset[r];
    for (int64_t i = 0; i < nodes; i++)
        a.offset[i + 1] += a.offset[i];
    for (int64_t r = 0; r < t->rows; r++) {
        const int64_t to = a.offset[rank ? rank[t->node[r]] : t->node[r]];
        const int64_t size = t->offset[r + 1] - t->offset[r];
        if (size == 0) continue;
        memcpy(a.column + to, t->column + t->offset[r], (size_t)size * sizeof *a.column);
        memcpy(a.value + to, t->value + t->offset[r], (size_t)size * sizeof *a.value);
    }
    *absent = nodes - t->rows;
    wgdn_status st = wgdn_features_from_csr(f, &a, t->name, err);
    if (!st) st = wgdn_features_settle(f, err);
    if (st) wgdn_features_free(f);
    return st;
}
