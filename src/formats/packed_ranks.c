/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a packed dataset in several ranks, each of which loads only its own rows. packed.c
 * provides the tensors that all ranks need; the ranks verify checksums and symmetry together.
 */
#define XXH_STATIC_LINKING_ONLY /* for the layout of the state */
#include "io/safetensors.h"
#include "packed.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/*
 * Checks that ranks that read one file, or copies of it, have the same, undamaged file. The header
 * has a checksum of each tensor. The checksum is computed in pieces, passed from rank to rank, over
 * the rows that each will use. Together the ranks verify everything they use, and no rank reads
 * more than its rows.
 */

enum { SMALL = 4096 }; /* bytes of a tensor that every rank checks by itself */

static const char *checksum_of(const wgdn_archive *a, const wgdn_tensor *t)
{
    for (int64_t i = 0; i < a->checksums; i++)
        if (strcmp(a->checksum[i].key, t->name) == 0) return a->checksum[i].value;
    return NULL;
}

static size_t bytes_of(const wgdn_tensor *t)
{
    return (size_t)wgdn_tensor_count(t) * t->width;
}

static bool is_right(const wgdn_archive *a, const wgdn_tensor *t)
{
    char text[WGDN_HASH_TEXT];
    const char *expected = checksum_of(a, t);
    wgdn_checksum_of(text, t->data, bytes_of(t), NULL, false);
    return !expected || strcmp(text, expected) == 0;
}

/* ---- the part of a tensor that this rank owns ---- */

typedef struct range {
    int64_t begin, end;
} range;

static int64_t within(int64_t at, int64_t most)
{
    return at < 0 ? 0 : wgdn_min(at, most);
}

/* Entries of rows whose offsets are the tensor of this name; offsets are not yet trusted. */
static bool entry_range(range *out, const wgdn_dataset *d, const char *offsets, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(&d->archive, offsets);
    const wgdn_span rows = wgdn_dist_span(&d->dist);
    if (!t || t->dtype != WGDN_I64 || wgdn_tensor_count(t) != rows.total + 1) return false;
    const int64_t *at = t->data;
    *out = (range){within(at[rows.first], count), within(at[rows.first + rows.count], count)};
    return true;
}

/* Elements of t that are of the rows here; false where it has no part for every row. */
static bool row_range(range *out, const wgdn_dataset *d, const wgdn_tensor *t)
{
    const wgdn_span rows = wgdn_dist_span(&d->dist);
    const int64_t count = wgdn_tensor_count(t);
    const bool last = d->dist.ranks->rank == d->dist.ranks->count - 1;
    *out = (range){rows.first, rows.first + rows.count};
    if (strcmp(t->name, "graph.column") == 0 || strcmp(t->name, "graph.value") == 0) {
        if (!entry_range(out, d, "graph.offset", count)) return false;
    } else if (strcmp(t->name, "features.column") == 0 || strcmp(t->name, "features.value") == 0) {
        if (!entry_range(out, d, "features.offset", count)) return false;
    } else if (strcmp(t->name, "features.dense") == 0 && t->rank == 2) {
        out->begin *= t->shape[1];
        out->end *= t->shape[1];
    } else if (strcmp(t->name, "order") != 0 && strcmp(t->name, "graph.offset") != 0 &&
               strcmp(t->name, "features.offset") != 0) {
        return false;
    }
    if (d->dist.ranks->rank == 0) out->begin = 0;
    if (last) out->end = count;
    out->begin = within(out->begin, count);
    out->end = within(out->end, count);
    if (out->end < out->begin) out->end = out->begin;
    return true;
}

/* ---- checksums ---- */

/*
 * The checksum of a tensor is taken in pieces: each rank adds its own and hands the state on. All
 * have one version of xxHash, whose state points to constants that lie elsewhere in every process.
 */
static void hand_on(wgdn_ranks *r, XXH3_state_t *out, XXH3_state_t *in)
{
    size_t *bytes = (size_t *)(void *)r->join;
    memset(bytes, 0, 2 * (size_t)r->count * sizeof *bytes);
    if (out) bytes[r->rank + 1] = sizeof *out;
    if (in) bytes[r->count + r->rank - 1] = sizeof *in;
    r->call->swap(r, out, bytes, in, bytes + r->count);
}

/* Whether the parts of all ranks have the checksum; the last rank knows. */
static bool chain(const wgdn_dataset *d, const wgdn_tensor *t, range part)
{
    wgdn_ranks *r = d->dist.ranks;
    char text[WGDN_HASH_TEXT];
    XXH3_state_t c, here;
    (void)XXH3_64bits_reset(&c);
    here = c;
    if (r->rank > 0) hand_on(r, NULL, &c);
    c.extSecret = here.extSecret;
    if (part.end > part.begin)
        (void)XXH3_64bits_update(&c, (const char *)t->data + (size_t)part.begin * t->width,
                                 (size_t)(part.end - part.begin) * t->width);
    if (r->rank < r->count - 1) {
        hand_on(r, &c, NULL);
        return true;
    }
    snprintf(text, sizeof text, "%016llx", (unsigned long long)XXH3_64bits_digest(&c));
    return strcmp(text, checksum_of(&d->archive, t)) == 0;
}

/* The number of a tensor whose checksum is wrong, from 1 on, as far as this rank sees; 0: none. */
static int64_t find_wrong(const wgdn_dataset *d)
{
    const wgdn_archive *a = &d->archive;
    int64_t wrong = 0;
    for (int64_t i = 0; i < a->tensors; i++) {
        const wgdn_tensor *t = &a->tensor[i];
        range part;
        bool right = true;
        const bool large = bytes_of(t) > SMALL;
        if (large && row_range(&part, d, t))
            right = chain(d, t, part);
        else if (!large || d->dist.ranks->rank == 0)
            right = is_right(a, t);
        if (!right) wrong = i + 1;
    }
    return wrong;
}

/* Each looks at the whole of a tensor that is wrong somewhere, to say whose file it is. */
static wgdn_status blame(const wgdn_dataset *d, int64_t wrong, const char *name, wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    const wgdn_tensor *t = &a->tensor[wrong - 1];
    wgdn_status st = WGDN_OK;
    if (!is_right(a, t))
        st = wgdn_fail_in(err, WGDN_EFORMAT, name,
                          "'%s': the checksum of its data is wrong: the file is damaged", t->name);
    st = wgdn_ranks_agree(d->dist.ranks, st, err);
    if (st) return st;
    st = wgdn_fail_in(err, WGDN_EFORMAT, name, "'%s': its data changed while ranks were reading it",
                      t->name);
    return wgdn_ranks_agree(d->dist.ranks, st, err);
}

/* ---- the whole check ---- */

static void file_facts(wgdn_facts *f, const wgdn_dataset *d)
{
    const wgdn_archive *a = &d->archive;
    if (!d->dist.start) return; /* it could not be opened */
    wgdn_facts_add(f, "another data file: its nodes", "%lld", (long long)d->nodes);
    wgdn_facts_add(f, "another data file: its digest", "%016llx", (unsigned long long)a->digest);
    for (int64_t i = 0; i < a->tensors && !a->checksums; i++) {
        char text[WGDN_HASH_TEXT], what[96];
        wgdn_checksum_of(text, a->tensor[i].data, bytes_of(&a->tensor[i]), NULL, false);
        snprintf(what, sizeof what, "digest of '%.64s'", a->tensor[i].name);
        wgdn_facts_add(f, what, "%s", text);
    }
    wgdn_facts_digest(f, "other shares of the data file: their digest", d->dist.start,
                      ((size_t)d->dist.ranks->count + 1) * sizeof *d->dist.start);
}

/*
 * All ranks together, with the status of opening the file, from which d->archive and d->dist are:
 * library, CPU, options and file are the same, and the checksums hold. Of each tensor that has a
 * part for every row, a rank looks at the part that it will use; rank 0 looks at all others.
 */
static wgdn_status packed_agree(const wgdn_dataset *d, wgdn_status st, const char *name,
                                const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_facts f = {.used = 0};
    wgdn_facts_add(&f, "version of wgdn", "%s%s", wgdn_version(),
                   wgdn_fault_is(o->ranks, "version", 0) ? "-other" : "");
    wgdn_facts_add(&f, "version of xxHash", "%u", XXH_versionNumber());
    wgdn_facts_add(&f, "CPU level (WGDN_CPU)", "%s", wgdn_cpu_name(wgdn_cpu_level()));
    wgdn_facts_options(&f, WGDN_OPTIONS_KIND_DATASET, o);
    if (!st) file_facts(&f, d);
    st = wgdn_ranks_compare(o->ranks, st, &f, err);
    if (st || !d->archive.checksums) return st;
    int64_t wrong = find_wrong(d);
    st = wgdn_ranks_meet(o->ranks, WGDN_OK, &wrong, err);
    return st || !wrong ? st : blame(d, wrong, name, err);
}

/*
 * Checks the symmetry of a graph whose rows are shared. Edges within the rows of one rank are
 * compared one by one. For edges between two ranks, each rank sums a hash of (lower node, higher
 * node, weight), and the two sums are compared: they differ if an edge is missing on one side.
 */

/* The rows of the whole file, as far as they may be trusted. */
typedef struct file_rows {
    const int64_t *offset;
    const int32_t *column;
    const float *value; /* or NULL */
    int64_t entries;
} file_rows;

typedef struct search {
    const wgdn_csr *a;
    wgdn_span rows;
    const file_rows *file;
    const char *name;
    wgdn_error *err;
} search;

static wgdn_status lopsided(const search *s, int64_t i, int64_t j)
{
    return wgdn_fail_in(s->err, WGDN_EFORMAT, s->name,
                        "the graph is not symmetric between nodes %lld and %lld", (long long)i,
                        (long long)j);
}

/* Where the columns of a row reach this one. */
static int64_t reach(const wgdn_csr *a, int64_t row, int64_t column)
{
    int64_t low = a->offset[row], high = a->offset[row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (a->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* As wgdn_symmetry_check, for the square of the rows here. */
static wgdn_status check_here(const search *s)
{
    const wgdn_csr *a = s->a;
    const int64_t first = s->rows.first, end = first + s->rows.count;
    wgdn_status st = WGDN_OK;
    int64_t *next = wgdn_alloc((size_t)a->rows, sizeof *next);
    if (!next)
        return wgdn_fail_in(s->err, WGDN_ENOMEM, s->name, "checking %lld rows", (long long)a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        next[i] = reach(a, i, first);
    for (int64_t i = 0; !st && i < a->rows; i++)
        for (int64_t k = reach(a, i, first); !st && k < a->offset[i + 1] && a->column[k] < end;
             k++) {
            const int64_t j = a->column[k] - first, m = next[j]++;
            if (j == i)
                st = wgdn_fail_in(s->err, WGDN_EFORMAT, s->name,
                                  "the graph has a loop on node %lld (%lld)",
                                  (long long)(first + i), (long long)(first + j));
            else if (m >= a->offset[j + 1] || a->column[m] != first + i ||
                     (a->value && a->value[m] != a->value[k]))
                st = lopsided(s, first + i, first + j);
        }
    wgdn_release(next);
    return st;
}

/* sum[r]: of the edges between the rows here and those of rank r. */
static void sum_edges(uint64_t *sum, const search *s)
{
    const wgdn_dist *d = s->rows.dist;
    const wgdn_csr *a = s->a;
    for (int64_t i = 0; i < a->rows; i++) {
        int rank = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            while (a->column[k] >= d->start[rank + 1])
                rank++;
            if (rank == d->ranks->rank) continue;
            const int64_t u = s->rows.first + i, v = a->column[k];
            sum[rank] +=
                wgdn_edge_number(wgdn_min(u, v), u < v ? v : u, a->value ? a->value + k : NULL);
        }
    }
}

/* Whether the file has the entry (i, j), as far as its rows make sense, with this weight. */
static bool file_has(const file_rows *f, int64_t i, int64_t j, const float *value)
{
    const int64_t begin = f->offset[i], end = f->offset[i + 1];
    if (begin < 0 || end > f->entries) return false;
    for (int64_t k = begin; k < end; k++)
        if (f->column[k] == j) return !value || !f->value || f->value[k] == *value;
    return false;
}

/* An edge to the rows of a rank that the file here has in one direction only. */
static wgdn_status find_edge(const search *s, int rank)
{
    const wgdn_dist *d = s->rows.dist;
    const wgdn_csr *a = s->a;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = reach(a, i, d->start[rank]);
             k < a->offset[i + 1] && a->column[k] < d->start[rank + 1]; k++) {
            const int64_t row = s->rows.first + i, at = s->file->offset[row] + k - a->offset[i];
            const float *value = s->file->value ? s->file->value + at : NULL;
            if (!file_has(s->file, a->column[k], row, a->value ? value : NULL))
                return lopsided(s, row, a->column[k]);
        }
    return WGDN_OK;
}

static wgdn_status compare(const search *s, const uint64_t *mine, const uint64_t *theirs)
{
    wgdn_ranks *r = s->rows.dist->ranks;
    int64_t other = 0; /* and 1 */
    for (int k = r->count - 1; k >= 0; k--)
        if (mine[k] != theirs[k]) other = k + 1;
    int64_t any = other;
    wgdn_status st = wgdn_ranks_meet(r, WGDN_OK, &any, s->err);
    if (st || !any) return st;
    st = wgdn_ranks_agree(r, other ? find_edge(s, (int)other - 1) : WGDN_OK, s->err);
    if (st) return st;
    if (other)
        st = wgdn_fail_in(s->err, WGDN_EFORMAT, s->name,
                          "it has other edges to the nodes of rank %lld than that rank",
                          (long long)other - 1);
    return wgdn_ranks_agree(r, st, s->err);
}

/* All ranks together: a is this rank's rows of a symmetric graph without loops, columns as in the
 * file. `file` serves to name the nodes where it is not. */
static wgdn_status packed_symmetry(const wgdn_csr *a, wgdn_span rows, const file_rows *file,
                                   const char *name, wgdn_error *err)
{
    const search s = {a, rows, file, name, err};
    wgdn_ranks *r = rows.dist->ranks;
    const size_t ranks = (size_t)r->count;
    uint64_t *sum = wgdn_alloc_zero(2 * ranks, sizeof *sum);
    size_t *bytes = (size_t *)(void *)r->join;
    wgdn_status st = check_here(&s);
    if (!st && !sum) st = wgdn_fail(err, WGDN_ENOMEM, "sums of %d ranks", r->count);
    st = wgdn_ranks_agree(r, st, err);
    if (!st) {
        sum_edges(sum, &s);
        for (size_t k = 0; k < ranks; k++)
            bytes[k] = sizeof *sum;
        r->call->swap(r, sum, bytes, sum + ranks, bytes);
        st = compare(&s, sum, sum + ranks);
    }
    wgdn_release(sum);
    return st;
}

/*
 * Reads a packed dataset in several ranks: each reads only its own rows of the file. The ranks
 * check checksums and symmetry together.
 */

typedef struct sharing {
    wgdn_dataset *d;
    const char *name;
    wgdn_span rows;
    wgdn_error *err;
    wgdn_weights weights;
    int64_t ignored; /* entries whose weight is left out */
} sharing;

/* A tensor that can be used where it lies. NULL: err says why. */
static const void *whole(const sharing *s, const char *what, wgdn_dtype dtype, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(&s->d->archive, what);
    if (t && t->dtype == dtype && (count < 0 || wgdn_tensor_count(t) == count)) return t->data;
    (void)wgdn_fail_in(s->err, WGDN_EFORMAT, s->name,
                       "%s: expected %s; let 'wgdn convert' write the file again", what,
                       t ? "another type or size" : "to be there");
    return NULL;
}

/* This rank's part of the offsets, counted from 0; new. */
static wgdn_status slice_offsets(int64_t **out, const sharing *s, const int64_t *offset,
                                 int64_t entries)
{
    const int64_t base = offset[s->rows.first], end = offset[s->rows.first + s->rows.count];
    if (base < 0 || end < base || end > entries)
        return wgdn_fail_in(s->err, WGDN_EFORMAT, s->name, "its rows do not add up");
    *out = wgdn_alloc((size_t)s->rows.count + 1, sizeof **out);
    if (!*out)
        return wgdn_fail_in(s->err, WGDN_ENOMEM, s->name, "%lld rows", (long long)s->rows.count);
    for (int64_t i = 0; i <= s->rows.count; i++)
        (*out)[i] =
            (int64_t)((uint64_t)offset[s->rows.first + i] - (uint64_t)base); /* any number */
    return WGDN_OK;
}

static int64_t count_of(const sharing *s, const char *what)
{
    const wgdn_tensor *t = wgdn_archive_find(&s->d->archive, what);
    return t ? wgdn_tensor_count(t) : 0;
}

/* Weights of the rows here, as the option says; a copy, which the graph will own. */
static wgdn_status share_weights(wgdn_csr *a, sharing *s, const int64_t *offset)
{
    const int64_t entries = wgdn_csr_entries(a);
    if (!wgdn_archive_find(&s->d->archive, "graph.value")) return WGDN_OK;
    const float *value = whole(s, "graph.value", WGDN_F32, count_of(s, "graph.column"));
    if (!value) return WGDN_EFORMAT;
    value += offset[s->rows.first];
    for (int64_t k = 0; s->weights == WGDN_WEIGHTS_IGNORE && k < entries; k++)
        s->ignored += value[k] != 1;
    if (s->weights == WGDN_WEIGHTS_IGNORE) return WGDN_OK;
    a->value = wgdn_alloc((size_t)entries, sizeof *a->value);
    if (!a->value)
        return wgdn_fail_in(s->err, WGDN_ENOMEM, s->name, "%lld weights", (long long)entries);
    memcpy(a->value, value, (size_t)entries * sizeof *value);
    const wgdn_status st = wgdn_weights_check(a->value, entries, s->name, s->err);
    if (!st) (void)wgdn_weights_settle(a->value, entries, s->weights);
    return st;
}

/* Rows here have numbers of their own, which a message has to say. */
static wgdn_status check_rows(const wgdn_csr *a, const char *what, const sharing *s)
{
    const wgdn_status st = wgdn_rows_check(a, a->offset[a->rows], what, s->name, s->err);
    if (!st || !s->err) return st;
    const wgdn_error why = *s->err;
    return wgdn_fail(s->err, st, "%.210s, counted from row %lld", why.message,
                     (long long)s->rows.first);
}

static wgdn_status share_rows(wgdn_csr *a, sharing *s, const int64_t *offset)
{
    const int32_t *column = whole(s, "graph.column", WGDN_I32, -1);
    if (!column) return WGDN_EFORMAT;
    wgdn_status st = slice_offsets(&a->offset, s, offset, count_of(s, "graph.column"));
    if (st) return st;
    const size_t bytes = (size_t)a->offset[a->rows] * sizeof *column;
    a->column = wgdn_alloc(bytes, 1); /* a copy, to be renumbered */
    if (!a->column)
        return wgdn_fail_in(s->err, WGDN_ENOMEM, s->name, "%lld edges",
                            (long long)a->offset[a->rows]);
    memcpy(a->column, column + offset[s->rows.first], bytes);
    st = check_rows(a, "graph", s);
    return st ? st : share_weights(a, s, offset);
}

/* All ranks together. */
static wgdn_status check_symmetry(const sharing *s, const wgdn_csr *a, const int64_t *offset)
{
    const wgdn_tensor *column = wgdn_archive_find(&s->d->archive, "graph.column");
    const wgdn_tensor *value = wgdn_archive_find(&s->d->archive, "graph.value");
    const file_rows file = {.offset = offset,
                            .column = column->data,
                            .value = a->value && value ? value->data : NULL,
                            .entries = wgdn_tensor_count(column)};
    return packed_symmetry(a, s->rows, &file, s->name, s->err);
}

/* All ranks together. */
static wgdn_status share_graph(sharing *s, const int64_t *offset)
{
    wgdn_dataset *d = s->d;
    wgdn_csr a = {.rows = s->rows.count, .cols = s->rows.total};
    wgdn_status st = wgdn_ranks_agree(d->dist.ranks, share_rows(&a, s, offset), s->err);
    if (!st) st = check_symmetry(s, &a, offset);
    if (!st) st = wgdn_halo_open(&d->halo, &a, &d->dist, s->err);
    if (!st) st = wgdn_halo_reserve(d->halo, 1, s->err);
    if (!st) st = wgdn_graph_from_rows(&d->graph, &a, false, s->err);
    if (st) {
        if (!d->graph) wgdn_csr_free(&a);
        return wgdn_ranks_agree(d->dist.ranks, st, s->err);
    }
    st = wgdn_ranks_agree(d->dist.ranks, WGDN_OK, s->err);
    d->graph->halo = d->halo;
    if (!st) wgdn_graph_weigh_halo(d->graph);
    return st;
}

/* Rows of a matrix: where they lie, or widened if they have two bytes a number. */
static wgdn_status share_dense(const sharing *s, const wgdn_tensor *t)
{
    wgdn_features *f = &s->d->features;
    const bool narrow = t->dtype == WGDN_F16 || t->dtype == WGDN_BF16;
    const char *x = whole(s, "features.dense", narrow ? t->dtype : WGDN_F32, -1);
    if (!x || t->rank != 2 || t->shape[0] != s->rows.total) return WGDN_EFORMAT;
    wgdn_tensor here = *t;
    here.shape[0] = s->rows.count;
    here.data = x + (size_t)(s->rows.first * t->shape[1]) * t->width;
    f->width = t->shape[1];
    const wgdn_status st = wgdn_array_floats(&f->dense, &f->borrowed, &here, s->name, s->err);
    return st ? st : wgdn_features_check(f, s->name, s->err);
}

static wgdn_status share_features(sharing *s)
{
    wgdn_dataset *d = s->d;
    const wgdn_archive *a = &d->archive;
    wgdn_features *f = &d->features;
    const wgdn_tensor *dense = wgdn_archive_find(a, "features.dense");
    *f = (wgdn_features){.rows = s->rows.count, .borrowed = true};
    if (dense) return share_dense(s, dense);
    if (!wgdn_archive_find(a, "features.offset")) return WGDN_OK;
    const int64_t *offset = whole(s, "features.offset", WGDN_I64, s->rows.total + 1);
    const int32_t *column = offset ? whole(s, "features.column", WGDN_I32, -1) : NULL;
    const int64_t *width = column ? whole(s, "features.width", WGDN_I64, 1) : NULL;
    if (!width) return WGDN_EFORMAT;
    const int64_t entries = count_of(s, "features.column");
    if (*width < 1 || *width > INT32_MAX)
        return wgdn_fail_in(s->err, WGDN_EFORMAT, s->name,
                            "features.width: expected 1 .. 2^31 - 1");
    f->width = *width;
    f->sparse = (wgdn_csr){.rows = s->rows.count, .cols = *width};
    wgdn_status st = slice_offsets(&d->feature_offset, s, offset, entries);
    if (st) return st;
    f->sparse.offset = d->feature_offset;
    f->sparse.column = (int32_t *)(uintptr_t)(column + offset[s->rows.first]);
    if (wgdn_archive_find(a, "features.value")) {
        const float *value = whole(s, "features.value", WGDN_F32, entries);
        if (!value) return WGDN_EFORMAT;
        f->sparse.value = (float *)(uintptr_t)(value + offset[s->rows.first]);
    }
    d->degrees = wgdn_archive_find(a, "features.degrees") != NULL;
    st = check_rows(&f->sparse, "features", s);
    return st ? st : wgdn_features_check(f, s->name, s->err);
}

/* The nodes of the rows here; rank 0, which has notes, needed all of them for a while. */
static wgdn_status share_order(sharing *s)
{
    wgdn_dataset *d = s->d;
    if (!wgdn_archive_find(&d->archive, "order")) return WGDN_OK;
    const int32_t *order = whole(s, "order", WGDN_I32, s->rows.total);
    if (!order) return WGDN_EFORMAT;
    wgdn_release(d->order);
    d->order = wgdn_alloc((size_t)s->rows.count, sizeof *d->order);
    if (!d->order) return wgdn_fail_in(s->err, WGDN_ENOMEM, s->name, "order");
    memcpy(d->order, order + s->rows.first, (size_t)s->rows.count * sizeof *order);
    return WGDN_OK;
}

static wgdn_status open_file(sharing *s, const int64_t **offset, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = s->d;
    wgdn_status st = wgdn_archive_open_header(&d->archive, s->name, s->err);
    if (st) return st;
    const wgdn_packed p = {&d->archive, s->name, s->err};
    if (wgdn_packed_recognize(&p)) return WGDN_EFORMAT;
    if (wgdn_archive_find(&d->archive, "graphs.start"))
        return wgdn_fail_in(s->err, WGDN_EINVAL, s->name,
                            "several graphs; ranks share one: train sets of graphs without mpirun");
    *offset = whole(s, "graph.offset", WGDN_I64, -1);
    if (!*offset) return WGDN_EFORMAT;
    d->nodes = count_of(s, "graph.offset") - 1;
    if (!wgdn_archive_find(&d->archive, "graph.column"))
        return wgdn_packed_refuse(&p, "graph.column", "to be there");
    d->all_edges = count_of(s, "graph.column") / 2;
    if (d->nodes < 1 || d->nodes > o->max_nodes)
        return wgdn_fail_in(s->err, WGDN_ERANGE, s->name, "%lld nodes", (long long)d->nodes);
    if (d->all_edges > o->max_entries)
        return wgdn_fail_in(s->err, WGDN_ERANGE, s->name,
                            "more than %lld edges, the maximum allowed", (long long)o->max_entries);
    return wgdn_dist_open(&d->dist, o->ranks, *offset, d->nodes, s->err);
}

wgdn_status wgdn_packed_share(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    sharing s = {.d = d, .name = path, .err = err, .weights = o->weights};
    const int64_t *offset = NULL;
    wgdn_status st = packed_agree(d, open_file(&s, &offset, o), path, o, err);
    if (st || !offset) return st;
    s.rows = wgdn_dist_span(&d->dist);
    if (wgdn_archive_find(&d->archive, "relations.offset"))
        return wgdn_fail_in(err, WGDN_EINVAL, path,
                            "ranks do not share directions and types of edges: 'wgdn convert' it "
                            "without --directed and --type");
    st = share_graph(&s, offset);
    if (st) return st;
    st = share_features(&s);
    if (!st && s.rows.first == 0 && o->ranks->rank == 0) st = wgdn_packed_notes(d, path, err);
    if (!st) st = share_order(&s);
    if (!st) st = wgdn_packed_encoding(d, path, err);
    wgdn_archive_forget(&d->archive); /* rows that were copied, offsets and notes of all ranks */
    st = wgdn_ranks_agree(o->ranks, st, err);
    if (st) return st;
    d->features.entries = o->ranks->call->sum(o->ranks, d->features.entries);
    wgdn_dataset_weigh(d);
    return wgdn_packed_ignored(d, o->ranks->call->sum(o->ranks, s.ignored), err);
}
