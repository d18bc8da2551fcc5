/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embeds a dataset with any model, trained or fitted, and aligns the result with older vectors if
 * asked to. It is the public call wgdn_model_embed(); large results go to scratch files.
 */
#include "batches.h"
#include "data/columns.h"
#include "data/embedding.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Rotates new vectors onto old ones.                                                   [WGDN:align]
 *
 *     R = argmin |E R - O|^2 over rotations, E and O the rows of ids that both have
 *       = M (M^T M)^(-1/2),  M = E^T O
 *
 * Lengths and cosines do not change. A small multiple of the identity is added to M, so that
 * directions without any common information keep their orientation.
 */

static const double little = 1e-9; /* of the trace of M^T M, under the root */

/* Rows of the ids that both have, side by side; returns how many. */
static int64_t pair_rows(float *x, float *y, const wgdn_embedding *e, const wgdn_embedding *old)
{
    const int64_t k = e->vectors.width;
    int64_t pairs = 0;
    for (int64_t i = 0; i < e->vectors.rows; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_embedding_name(e, i, buffer);
        const int64_t at = wgdn_embedding_find(old, (const char *)id.at, id.size);
        if (at < 0) continue;
        memcpy(x + pairs * k, e->vectors.dense + i * k, (size_t)k * sizeof *x);
        memcpy(y + pairs++ * k, old->vectors.dense + at * k, (size_t)k * sizeof *y);
    }
    return pairs;
}

/* turn = M (M^T M)^(-1/2), both k x k */
static void polar(float *turn, double *m, int64_t k, double *room, void *work)
{
    double *g = room, *value = g + k * k, *half = value + k, trace = 0;
    for (int64_t i = 0; i < k * k; i++)
        trace += m[i] * m[i];
    for (int64_t i = 0; i < k; i++)
        m[i * k + i] += sqrt(little * trace / (double)k) + 1e-30;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t r = 0; r < k; r++)
                sum += m[r * k + i] * m[r * k + j];
            g[i * k + j] = sum;
        }
    wgdn_symmetric_eigen(value, g, k, work);
    memset(half, 0, (size_t)(k * k) * sizeof *half);
    for (int64_t r = 0; r < k; r++) /* sum_r v_r v_r^T / sqrt(value_r) */
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++)
                half[i * k + j] += g[r * k + i] * g[r * k + j] / sqrt(fmax(value[r], 1e-300));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t r = 0; r < k; r++)
                sum += m[i * k + r] * half[r * k + j];
            turn[i * k + j] = (float)sum;
        }
}

static wgdn_status turn_onto(wgdn_embedding *e, const wgdn_embedding *old, wgdn_error *err)
{
    const int64_t k = e->vectors.width, n = e->vectors.rows;
    const size_t square = (size_t)(k * k), rows = (size_t)n * (size_t)k;
    wgdn_arrays a = {0};
    float *x = wgdn_arrays_add(&a, rows, sizeof *x), *y = wgdn_arrays_add(&a, rows, sizeof *y);
    float *turn = wgdn_arrays_add(&a, square, sizeof *turn);
    double *m = wgdn_arrays_add(&a, 3 * square + (size_t)k, sizeof *m);
    void *work = wgdn_arrays_add(&a, wgdn_symmetric_work(k), 1);
    void *sums = wgdn_arrays_add(&a, wgdn_gemm_tn_work(wgdn_alone(n), k, k), 1);
    wgdn_status st = WGDN_OK;
    if (a.failed) {
        st = wgdn_fail(err, WGDN_ENOMEM, "align: products of %lld x %lld vectors", (long long)n,
                       (long long)k);
        goto done;
    }
    const int64_t pairs = pair_rows(x, y, e, old);
    if (pairs < n) { /* rows of zeros count for nothing, and the sum has the blocks of n rows */
        memset(x + pairs * k, 0, (size_t)((n - pairs) * k) * sizeof *x);
        memset(y + pairs * k, 0, (size_t)((n - pairs) * k) * sizeof *y);
    }
    if (pairs < 1) {
        st = wgdn_fail(
            err, WGDN_EINVAL,
            "align: the old vectors have none of these ids; align vectors of the same nodes");
        goto done;
    }
    wgdn_product p = wgdn_product_of(NULL, x, y, wgdn_alone(n), k, k);
    p.wide = m;
    p.work = sums;
    st = wgdn_gemm_tn(&p, err);
    if (st) goto done;
    polar(turn, m, k, m + square, work);
    const wgdn_product q = wgdn_product_of(y, e->vectors.dense, turn, wgdn_alone(n), k, k);
    st = wgdn_gemm_nn(&q, err);
    if (!st) memcpy(e->vectors.dense, y, rows * sizeof *y);

done:
    wgdn_arrays_release(&a);
    return st;
}

/* Turn dense vectors onto old ones. */
static wgdn_status align(wgdn_embedding *e, const wgdn_embedding *old, wgdn_error *err)
{
    const long long dim = e->vectors.width, before = old->vectors.width;
    if (dim != before)
        return wgdn_fail(err, WGDN_EINVAL,
                         "align: %lld columns cannot be aligned to %lld; use the same dim", dim,
                         before);
    if (!old->vectors.dense)
        return wgdn_fail(err, WGDN_EINVAL, "align: the old vectors are sparse; give dense vectors");
    for (int64_t i = 0; i < old->vectors.rows * before; i++)
        if (!isfinite(old->vectors.dense[i]))
            return wgdn_fail(
                err, WGDN_EINVAL,
                "align: row %lld of the old vectors contains NaN or infinity; make them again",
                (long long)(i / before));
    return turn_onto(e, old, err);
}

enum { ROWS_A_TURN = 4096 };

/* Collects the rows of all ranks on rank 0, a few thousand at a time, in the order of the nodes. */
static wgdn_status collect(float *out, const float *rows, const int32_t *order, const wgdn_dist *d,
                           int64_t width, wgdn_error *err)
{
    wgdn_ranks *r = d->ranks;
    const wgdn_span here = wgdn_dist_span(d);
    const size_t row = (size_t)width * sizeof *rows, ranks = (size_t)r->count;
    const size_t most = r->rank == 0 ? ranks * ROWS_A_TURN : 0;
    wgdn_arrays a = {0};
    float *in = wgdn_arrays_add(&a, most, row);
    int32_t *node = wgdn_arrays_add(&a, most, sizeof *node);
    size_t *bytes = wgdn_arrays_add(&a, ranks, sizeof *bytes);
    size_t *ids = wgdn_arrays_add(&a, ranks, sizeof *ids);
    wgdn_status st =
        !a.failed ? WGDN_OK
                  : wgdn_fail(err, WGDN_ENOMEM, "vectors of %lld nodes", (long long)here.total);
    int64_t longest = 0;
    for (int k = 0; k < r->count; k++)
        if (d->start[k + 1] - d->start[k] > longest) longest = d->start[k + 1] - d->start[k];
    st = wgdn_ranks_agree(r, st, err);
    for (int64_t at = 0; !st && at < longest; at += ROWS_A_TURN) {
        for (int k = 0; k < r->count; k++) {
            const int64_t left = d->start[k + 1] - d->start[k] - at;
            const int64_t count = left < 0 ? 0 : wgdn_min(left, ROWS_A_TURN);
            bytes[k] = (size_t)count * row;
            ids[k] = order ? (size_t)count * sizeof *node : 0;
        }
        const int64_t from = wgdn_min(at, here.count);
        r->call->gather(r, rows + from * width, bytes[r->rank], in, bytes);
        r->call->gather(r, order ? order + from : order, ids[r->rank], node, ids);
        for (int64_t k = 0, i = 0; out && r->rank == 0 && k < r->count; k++)
            for (int64_t j = 0; j < (int64_t)(bytes[k] / row); j++, i++)
                memcpy(out + (order ? node[i] : d->start[k] + at + j) * width, in + i * width, row);
    }
    wgdn_arrays_release(&a);
    return st;
}

static wgdn_status embed_shared(float *out, const wgdn_model *m, wgdn_workspace *w,
                                const wgdn_dataset *d, wgdn_model_input *in, wgdn_error *err)
{
    const int64_t width = m->shape.width;
    const int32_t *order = in->order;
    float *rows = wgdn_alloc((size_t)in->rows.count, (size_t)width * sizeof *rows);
    wgdn_status st =
        rows ? WGDN_OK
             : wgdn_fail(err, WGDN_ENOMEM, "vectors of %lld nodes", (long long)in->rows.count);
    st = wgdn_ranks_agree(in->rows.dist->ranks, st, err);
    in->order = NULL; /* rows stay where they are until they have arrived */
    if (!st) st = wgdn_encode(rows, m, w, wgdn_dataset_get_graph(d), in, err);
    if (!st) st = collect(out, rows, order, in->rows.dist, width, err);
    wgdn_release(rows);
    return st;
}

/* Compares what must be equal on all ranks before they exchange data; st is the status so far. */
static wgdn_status compare(const wgdn_model *m, const wgdn_dataset *d, const wgdn_embed_options *o,
                           wgdn_status st, wgdn_error *err)
{
    wgdn_facts f = {.used = 0};
    wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    if (!ranks) return st;
    wgdn_facts_add(&f, "command", "embed");
    wgdn_facts_options(&f, WGDN_OPTIONS_KIND_EMBED, o);
    wgdn_facts_add(&f, "model", "%s", m->fitted ? "fitted" : "trained");
    if (m->fitted)
        wgdn_facts_options(&f, WGDN_OPTIONS_KIND_FIT, &m->fitted->options);
    else
        wgdn_facts_options(&f, WGDN_OPTIONS_KIND_TRAIN, &m->options);
    for (int i = 0; m->fitted && i < m->fitted->parts; i++) {
        const wgdn_fitted_part *p = &m->fitted->part[i];
        const size_t map = p->map ? (size_t)(p->inner * p->dim) * sizeof *p->map : 0;
        const int64_t columns = wgdn_basis_columns(m->fitted, p);
        const size_t basis = p->basis ? (size_t)(p->rows * columns) * sizeof *p->basis : 0;
        wgdn_facts_digest(&f, "digest of the model's basis", p->basis, basis);
        wgdn_facts_digest(&f, "digest of the model's map", p->map, map);
        wgdn_facts_add(&f, "fitted to this very dataset", "%d",
                       wgdn_kept_is_of(p->kept, d->serial));
    }
    if (m->fitted && m->fitted->refined.in) {
        const size_t dim = (size_t)wgdn_fitted_width(m->fitted), bytes = dim * dim * sizeof(float);
        wgdn_facts_digest(&f, "digest of what refines it", m->fitted->refined.in, bytes);
        wgdn_facts_digest(&f, "digest of what refining adds", m->fitted->refined.out, bytes);
    }
    if (!m->fitted)
        wgdn_facts_digest(&f, "digest of the model's parameters", m->param,
                          (size_t)m->layout.size * sizeof *m->param);
    if (m->buffer)
        wgdn_facts_digest(&f, "digest of the model's averages", m->buffer,
                          (size_t)m->layout.buffer_size * sizeof *m->buffer);
    return wgdn_ranks_compare(ranks, st, &f, err);
}

/* Rows into the places of their nodes. */
static void place(float *out, const float *rows, const int32_t *order, int64_t n, int64_t width)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(out + order[i] * width, rows + i * width, (size_t)width * sizeof *out);
}

/* Embeds by the closed form in the order of the rows, then moves the rows to their nodes. */
static wgdn_status embed_fitted(const wgdn_storage *out, const wgdn_fitted *f,
                                const wgdn_dataset *d, wgdn_status st, wgdn_error *err)
{
    const wgdn_span rows = wgdn_dataset_rows(d);
    const int32_t *order = wgdn_dataset_get_order(d);
    const int64_t width = wgdn_fitted_dim(f);
    const bool apart = rows.dist || order;
    const size_t bytes = wgdn_size_product((size_t)rows.count, (size_t)width, sizeof(float));
    wgdn_storage made = {.at = NULL};
    if (!st && apart)
        st = wgdn_storage_open(&made, bytes, out->in_file ? d->folder : NULL, "vectors", err);
    st = wgdn_ranks_agree(wgdn_dataset_ranks(d), st, err);
    if (!st) st = wgdn_fitted_embed(apart ? &made : out, f, d, err);
    if (!st && rows.dist)
        st = collect(out->at, made.at, order, rows.dist, width, err);
    else if (!st && order)
        place(out->at, made.at, order, rows.count, width);
    wgdn_storage_close(&made);
    return st;
}

static wgdn_status embed_nodes(const wgdn_storage *vectors, const wgdn_model *m,
                               const wgdn_dataset *d, wgdn_status st, wgdn_error *err)
{
    float *out = vectors->at;
    wgdn_feed s = {0};
    wgdn_workspace *w = NULL;
    if (m->fitted) return embed_fitted(vectors, m->fitted, d, st, err);
    if (!st) st = wgdn_feed_open(&s, d, m, false, err);
    if (!st) st = wgdn_workspace_new(&w, m, &s.input, false, err);
    st = wgdn_ranks_agree(wgdn_dataset_ranks(d), st, err);
    if (!st)
        st = s.input.rows.dist ? embed_shared(out, m, w, d, &s.input, err)
                               : wgdn_encode(out, m, w, wgdn_dataset_get_graph(d), &s.input, err);
    wgdn_workspace_free(w);
    wgdn_feed_free(&s);
    return st;
}

static bool wants_graphs(const wgdn_model *m, const wgdn_dataset *d, const wgdn_embed_options *o)
{
    if (m->fitted && !o->task) return m->fitted->graphs;
    return o->task ? o->task == WGDN_TASK_GRAPH : wgdn_task_is_graph(&m->options, d);
}

/* A closed form is of nodes or of graphs, and pools in its own way. */
static wgdn_status check_fitted(const wgdn_fitted *f, const wgdn_embed_options *o, wgdn_error *err)
{
    if (f->graphs && o->task == WGDN_TASK_NODE)
        return wgdn_fail(err, WGDN_EINVAL,
                         "task node: this model was fitted to whole graphs; fit one with task node "
                         "for vectors of nodes");
    if (!f->graphs && o->task == WGDN_TASK_GRAPH)
        return wgdn_fail(err, WGDN_EINVAL,
                         "task graph: this model was fitted to nodes; fit one with task graph for "
                         "vectors of whole graphs");
    if (f->graphs && o->pool != WGDN_POOL_AUTO)
        return wgdn_fail(err, WGDN_EINVAL,
                         "pool has no effect on a fitted model of graphs; leave it out");
    return WGDN_OK;
}

/* Where vectors are made: in memory, in a file that is mapped, or at the end of one. */
typedef struct making {
    wgdn_storage in;
    wgdn_output *file;
} making;

/* A folder for vectors that do not fit into memory; NULL where they do. */
static wgdn_status find_folder(const char **folder, const wgdn_model *m, const wgdn_dataset *d,
                               wgdn_error *err)
{
    wgdn_fit_memory memory = {.block = 0};
    const bool nodes = m->fitted && !m->fitted->graphs;
    const wgdn_status st =
        nodes ? wgdn_fit_memory_find(&memory, d, &m->fitted->options, err) : WGDN_OK;
    *folder = memory.scratch;
    return st;
}

static void name_source(wgdn_embedding *e, const wgdn_model *m)
{
    const wgdn_train_options *t = &m->options;
    if (m->fitted)
        snprintf(e->source, sizeof e->source, "closed form: dim %lld, seed %llu",
                 (long long)e->vectors.width, (unsigned long long)m->fitted->options.seed);
    else
        snprintf(e->source, sizeof e->source, "model: kernel %s, dim %d, seed %llu", t->kernel,
                 t->dim, (unsigned long long)t->seed);
}

static bool fitted_has_rows(const wgdn_fitted *f)
{
    const wgdn_part_kind kind = f->part[0].kind;
    return f->parts == 1 && !f->refined.in && wgdn_fitted_dim(f) == wgdn_fitted_width(f) &&
           (kind == WGDN_PART_FILTERED || kind == WGDN_PART_SHARED);
}

/* An embedding to fill, in the caller's values, its own, or without any. */
static wgdn_status make_room(wgdn_embedding **e, making *to, const wgdn_embed_options *o,
                             int64_t rows, const wgdn_model *m, const wgdn_dataset *d,
                             wgdn_error *err)
{
    const int64_t width = m->fitted ? wgdn_fitted_dim(m->fitted) : m->shape.width;
    const char *folder = NULL;
    wgdn_status st = o->values ? WGDN_OK : find_folder(&folder, m, d, err);
    if (st) return st;
    const bool rest = o->align || wgdn_dataset_get_order(d);
    const bool by_rows = folder && o->path && !rest && fitted_has_rows(m->fitted);
    if (by_rows)
        st = wgdn_npy_begin(&to->file, o->path, wgdn_numbers_type(o->numbers), rows, width, err);
    if (st) return st;
    st = o->values && rows ? wgdn_embedding_from_values(e, o->values, rows, width, NULL, err)
                           : wgdn_embedding_new(e, by_rows ? 0 : rows, width, folder, err);
    if (st) return st;
    (*e)->vectors.rows = rows;
    to->in = (wgdn_storage){.at = (*e)->vectors.dense, .in_file = (*e)->archive.sparing};
    to->in.size = wgdn_size_product((size_t)rows, (size_t)width, sizeof(float));
    name_source(*e, m);
    return WGDN_OK;
}

/* Writes the vectors to the file, unless they are there already. */
static wgdn_status finish(wgdn_embedding *e, making *to, const char *path, wgdn_numbers numbers,
                          wgdn_status st, wgdn_error *err)
{
    if (to->file && st) wgdn_output_abandon(to->file);
    if (st || !path) return st;
    if (!to->file) return wgdn_embedding_write_npy(e, path, numbers, err);
    wgdn_release(e->vectors.dense);
    e->vectors.dense = NULL;
    return wgdn_output_commit(to->file, err);
}

/* Refuses vectors that are not finite, and counts rows of zeros. */
static wgdn_status check_vectors(wgdn_embedding *e, const wgdn_storage *in, wgdn_error *err)
{
    const int64_t k = e->vectors.width, window = 1 << 15;
    const size_t row = (size_t)k * sizeof(float);
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < e->vectors.rows && !st; i += window) {
        const int64_t count = wgdn_min(window, e->vectors.rows - i);
        st = wgdn_made_check(&e->zeros, e->vectors.dense + i * k, i, count, k, err);
        wgdn_storage_release(in, (size_t)i * row, (size_t)(i + count) * row);
    }
    return st;
}

/* Fails with the names of the columns that the encoding is of: data without features was given. */
static wgdn_status encoding_want(const char *text, wgdn_error *err)
{
    enum { NAMED = 8 };
    wgdn_encoding e = {0};
    char names[400] = "";
    size_t used = 0;
    int64_t count = 0;
    const wgdn_status st = wgdn_encoding_parse(&e, text, err);
    for (int64_t i = 0; i < e.blocks && !st; i++)
        for (int64_t k = 0; k < e.block[i].columns && e.block[i].headed; k++) {
            const wgdn_shown name = wgdn_show(wgdn_names_get(&e.block[i].column[k].name, 0));
            if (count++ < NAMED && used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         count > 1 ? ", " : "", name.text);
        }
    wgdn_encoding_free(&e);
    if (st) return st;
    return wgdn_fail(err, WGDN_EINVAL, "the model needs --features%s%s%s",
                     count ? " with the columns " : ", as it was made with a table", names,
                     count > NAMED ? ", ..." : "");
}

wgdn_status wgdn_model_embed(wgdn_embedding **out, const wgdn_model *m, const wgdn_dataset *d,
                             const wgdn_embed_options *o, wgdn_error *err)
{
    const wgdn_ranks *ranks = wgdn_dataset_ranks(d);
    wgdn_embed_options opt;
    wgdn_embedding *e = NULL;
    making to = {.file = NULL};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EMBED, err);
    if (!st && m->fitted) st = check_fitted(m->fitted, &opt, err);
    if (!st) st = wgdn_encodings_agree(m->encoding, d->encoding, err);
    if (!st && m->encoding && (d->degrees || wgdn_dataset_features(d) == 0))
        st = encoding_want(m->encoding, err);
    st = compare(m, d, &opt, st, err);
    if (st) return st;
    const bool graphs = wants_graphs(m, d, &opt), root = !ranks || ranks->rank == 0;
    const wgdn_pool pool = opt.pool == WGDN_POOL_AUTO ? m->options.pool : opt.pool;
    const int former = wgdn_threads_use(opt.threads);
    const bool asked = wgdn_stop_enter(!ranks);
    st = make_room(&e, &to, &opt, !root ? 0 : graphs ? d->graphs : d->nodes, m, d, err);
    if (to.file)
        st = st ? st : wgdn_fitted_write_rows(to.file, opt.numbers, m->fitted, d, &e->zeros, err);
    else if (graphs && m->fitted)
        st = st ? st : wgdn_fitted_embed(&to.in, m->fitted, d, err);
    else if (graphs)
        st = st ? st : wgdn_embed_graphs(e->vectors.dense, m, d, pool, err);
    else
        st = embed_nodes(&to.in, m, d, st, err);
    if (e) {
        e->of = d;
        e->of_graphs = graphs;
    }
    if (!st && e && root && !to.file) st = check_vectors(e, &to.in, err);
    if (!st && e && opt.align && root) st = align(e, opt.align, err);
    st = wgdn_stop_leave(asked, st, err);
    wgdn_threads_use(former);
    if (!st) st = wgdn_dataset_unchanged(d, err);
    st = finish(e, &to, root ? opt.path : NULL, opt.numbers, st, err);
    if (st || !e) { /* where it succeeded there is one, which analyzers do not see */
        wgdn_embedding_free(e);
        return st;
    }
    *out = e;
    return WGDN_OK;
}
