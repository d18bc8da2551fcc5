/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packed dataset among ranks: each looks at its own rows of the file and no others. Checksums are
 * checked together (packed_agree.c), and so is symmetry (packed_symmetry.c).
 */
#include "packed.h"

#include <string.h>

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
    (void)wgdn_fail(s->err, WGDN_EFORMAT,
                    "%s: %s: expected %s; let 'wgdn convert' write the file again",
                    wgdn_show_name(s->name).text, what, t ? "another type or size" : "to be there");
    return NULL;
}

/* This rank's part of the offsets, counted from 0; new. */
static wgdn_status slice_offsets(int64_t **out, const sharing *s, const int64_t *offset,
                                 int64_t entries)
{
    const int64_t base = offset[s->rows.first], end = offset[s->rows.first + s->rows.count];
    if (base < 0 || end < base || end > entries)
        return wgdn_fail(s->err, WGDN_EFORMAT, "%s: its rows do not add up",
                         wgdn_show_name(s->name).text);
    *out = wgdn_alloc((size_t)s->rows.count + 1, sizeof **out);
    if (!*out)
        return wgdn_fail(s->err, WGDN_ENOMEM, "%s: %lld rows", wgdn_show_name(s->name).text,
                         (long long)s->rows.count);
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
        return wgdn_fail(s->err, WGDN_ENOMEM, "%s: %lld weights", wgdn_show_name(s->name).text,
                         (long long)entries);
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
        return wgdn_fail(s->err, WGDN_ENOMEM, "%s: %lld edges", wgdn_show_name(s->name).text,
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
    const wgdn_packed_rows file = {.offset = offset,
                                   .column = column->data,
                                   .value = a->value && value ? value->data : NULL,
                                   .entries = wgdn_tensor_count(column)};
    return wgdn_packed_symmetry(a, s->rows, &file, s->name, s->err);
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
        return wgdn_fail(s->err, WGDN_EFORMAT, "%s: features.width: expected 1 .. 2^31 - 1",
                         wgdn_show_name(s->name).text);
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
    if (!d->order) return wgdn_fail(s->err, WGDN_ENOMEM, "%s: order", wgdn_show_name(s->name).text);
    memcpy(d->order, order + s->rows.first, (size_t)s->rows.count * sizeof *order);
    return WGDN_OK;
}

static wgdn_status open_file(sharing *s, const int64_t **offset, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = s->d;
    wgdn_status st = wgdn_archive_open_header(&d->archive, s->name, s->err);
    if (st) return st;
    const wgdn_packed p = {&d->archive, s->name, s->err};
    if (wgdn_packed_recognise(&p)) return WGDN_EFORMAT;
    if (wgdn_archive_find(&d->archive, "graphs.start"))
        return wgdn_fail(s->err, WGDN_EINVAL,
                         "%s: several graphs; ranks share one: train sets of graphs without mpirun",
                         wgdn_show_name(s->name).text);
    *offset = whole(s, "graph.offset", WGDN_I64, -1);
    if (!*offset) return WGDN_EFORMAT;
    d->nodes = count_of(s, "graph.offset") - 1;
    if (!wgdn_archive_find(&d->archive, "graph.column"))
        return wgdn_packed_refuse(&p, "graph.column", "to be there");
    d->all_edges = count_of(s, "graph.column") / 2;
    if (d->nodes < 1 || d->nodes > o->max_nodes)
        return wgdn_fail(s->err, WGDN_ERANGE, "%s: %lld nodes", wgdn_show_name(s->name).text,
                         (long long)d->nodes);
    if (d->all_edges > o->max_entries)
        return wgdn_fail(s->err, WGDN_ERANGE, "%s: more than %lld edges, the most allowed here",
                         wgdn_show_name(s->name).text, (long long)o->max_entries);
    return wgdn_dist_open(&d->dist, o->ranks, *offset, d->nodes, s->err);
}

wgdn_status wgdn_packed_share(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    sharing s = {.d = d, .name = path, .err = err, .weights = o->weights};
    const int64_t *offset = NULL;
    wgdn_status st = wgdn_packed_agree(d, open_file(&s, &offset, o), path, o, err);
    if (st || !offset) return st;
    s.rows = wgdn_dist_span(&d->dist);
    if (wgdn_archive_find(&d->archive, "relations.offset"))
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: ranks do not share directions and types of edges: 'wgdn convert' it "
                         "without --directed and --type",
                         wgdn_show_name(path).text);
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
