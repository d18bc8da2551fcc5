/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a fitted closed form to a model file and reads it back. model_file.c calls it for models
 * of this kind; io/safetensors.c and io/archive.c handle the container.
 */
#include "fit.h"
#include "io/lines.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Stores the model for vectors of graphs as tensors: means and deviations of node columns, center,
 * basis.
 */

/* The tensors of a form; of one without matrices, their names and shapes. */
static void graph_form_list(wgdn_tensor *tensor, const wgdn_graph_form *form)
{
    tensor[0] = wgdn_tensor_of("graphs.nodes", &form->nodes[0][0], 2, WGDN_NODE_COLUMNS);
    tensor[1] = wgdn_tensor_of("graphs.centre", form->center, 1, form->width);
    tensor[2] = wgdn_tensor_of("graphs.basis", form->basis, form->width, form->dim);
}

static wgdn_status check(const float *x, const wgdn_tensor *t, const char *path, wgdn_error *err)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++)
        if (!(fabsf(x[i]) <= WGDN_PARAMETER_MAX))
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: %s contains %g in row %lld; the file is corrupt", path, t->name,
                             x[i], (long long)(i / t->shape[1]));
    return WGDN_OK;
}

/* All shapes are right, or nothing is allocated. */
static wgdn_status measure(wgdn_graph_form *form, const wgdn_archive *a, const char *path,
                           wgdn_error *err)
{
    const wgdn_tensor *basis = wgdn_archive_find(a, "graphs.basis");
    wgdn_tensor want[WGDN_GRAPH_TENSORS];
    if (basis && basis->rank == 2) form->dim = basis->shape[1];
    graph_form_list(want, form);
    for (int i = 0; i < WGDN_GRAPH_TENSORS; i++) {
        const wgdn_tensor *t = wgdn_archive_find(a, want[i].name);
        if (!t || t->rank != 2 || t->shape[0] != want[i].shape[0] ||
            t->shape[1] != want[i].shape[1] || t->shape[1] < 1 || t->shape[1] > WGDN_DIM_MAX)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %s of a fitted model is missing or damaged",
                             path, want[i].name);
    }
    return WGDN_OK;
}

static wgdn_status fetch_all(wgdn_graph_form *form, const wgdn_archive *a, const char *path,
                             wgdn_error *err)
{
    wgdn_tensor want[WGDN_GRAPH_TENSORS];
    float *const to[] = {&form->nodes[0][0], form->center, form->basis};
    wgdn_status st = WGDN_OK;
    graph_form_list(want, form);
    for (int i = 0; i < WGDN_GRAPH_TENSORS && !st; i++) {
        st = wgdn_tensor_fetch(to[i], a, &want[i], path, err);
        if (!st) st = check(to[i], &want[i], path, err);
    }
    for (int k = 0; k < WGDN_NODE_COLUMNS && !st; k++)
        if (!(form->nodes[1][k] > 0))
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: graphs.nodes: a deviation is %g", path,
                           form->nodes[1][k]);
    return st;
}

static wgdn_status graph_form_read(wgdn_graph_form **out, const wgdn_archive *a, const char *path,
                                   wgdn_error *err)
{
    const char *said = wgdn_archive_metadata(a, "wgdn.graphs");
    char blocks[WGDN_PAIR_TEXT];
    wgdn_graph_form shape = {.width = WGDN_SUBTREE_WIDTH}, *form = NULL;
    wgdn_graph_blocks_text(blocks, sizeof blocks, shape.width);
    if (said && strcmp(said, blocks) != 0) { /* without subtrees */
        shape.width = WGDN_GRAPH_WIDTH;
        wgdn_graph_blocks_text(blocks, sizeof blocks, shape.width);
    }
    if (!said || strcmp(said, blocks) != 0)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: made with other random cosines (%s); fit it again",
                         path, blocks);
    wgdn_status st = measure(&shape, a, path, err);
    if (st) return st;
    form = wgdn_alloc_zero(1, sizeof *form);
    if (!form) return wgdn_fail(err, WGDN_ENOMEM, "%s: a fitted model of graphs", path);
    *form = shape;
    form->center = wgdn_alloc((size_t)form->width, sizeof *form->center);
    form->basis = wgdn_alloc((size_t)(form->width * form->dim), sizeof *form->basis);
    if (!form->center || !form->basis)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: basis of %lld columns", path, (long long)form->dim);
    if (!st) st = fetch_all(form, a, path, err);
    if (st)
        wgdn_graph_form_free(form);
    else
        *out = form;
    return st;
}

/*
 * Writes and reads a closed form as safetensors: a basis per part, the keys and the ids of known
 * nodes, and in the metadata the options, the kind of each part, and the comparison of the scales.
 * Models of whole graphs are stored by the functions above.
 */

static const char *const kinds[] = {"filtered", "eigen",    "transitions", "related",
                                    "shared",   "singular", "sizes"};

enum { BLOCK = sizeof(wgdn_block_facts) / sizeof(float) }; /* numbers */
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    TENSORS_MAX = 3 * WGDN_FIT_PARTS_MAX + 8 + WGDN_FIT_EXTRA_MAX
};

typedef struct listing {
    wgdn_tensor tensor[TENSORS_MAX];
    char name[TENSORS_MAX][32];
    int64_t count;
} listing;

static wgdn_tensor *list(listing *l, const char *what, int part, const float *data, int64_t rows,
                         int64_t cols)
{
    const int64_t i = l->count++;
    snprintf(l->name[i], sizeof l->name[i], "part.%d.%s", part, what);
    l->tensor[i] = wgdn_tensor_of(l->name[i], data, rows, cols);
    return &l->tensor[i];
}

static void list_all(listing *l, const wgdn_fitted *f)
{
    if (f->graphs) {
        graph_form_list(l->tensor, f->graphs);
        l->count = WGDN_GRAPH_TENSORS;
        return;
    }
    for (int i = 0; i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        if (p->basis) list(l, "basis", i, p->basis, p->rows, wgdn_basis_columns(f, p));
        if (p->offset) list(l, "offset", i, p->offset, p->rows, 1);
        if (p->map) list(l, "map", i, p->map, p->inner, p->dim);
        if (p->center) list(l, "centre", i, p->center, p->dim, 1);
        if (p->block) list(l, "blocks", i, &p->block->expected, f->relations.count, BLOCK);
    }
    if (f->refined.in) {
        const int64_t d = wgdn_fitted_width(f);
        l->tensor[l->count++] = wgdn_tensor_of("refined.in", f->refined.in, d, d);
        l->tensor[l->count++] = wgdn_tensor_of("refined.out", f->refined.out, d, d);
    }
    if (f->relations.count) {
        const wgdn_names *n = &f->relations;
        l->tensor[l->count++] =
            wgdn_tensor_of_vector("relations.start", WGDN_I64, n->count + 1, n->start);
        l->tensor[l->count++] =
            wgdn_tensor_of_vector("relations.text", WGDN_U8, n->start[n->count], n->text);
    }
    if (!f->key) return;
    l->tensor[l->count++] = wgdn_tensor_of_vector("keys", WGDN_U64, f->known, f->key);
    if (!f->ids.count) return;
    l->tensor[l->count++] =
        wgdn_tensor_of_vector("ids.start", WGDN_I64, f->known + 1, f->ids.start);
    l->tensor[l->count++] =
        wgdn_tensor_of_vector("ids.text", WGDN_U8, f->ids.start[f->known], f->ids.text);
}

/* Refuses to write what reading would refuse. */
static wgdn_status check_finite(const listing *l, const char *path, wgdn_error *err)
{
    for (int64_t i = 0; i < l->count; i++) {
        const wgdn_tensor *t = &l->tensor[i];
        const float *x = t->data;
        for (int64_t k = 0; t->dtype == WGDN_F32 && k < wgdn_tensor_count(t); k++)
            if (!(fabsf(x[k]) <= WGDN_PARAMETER_MAX))
                return wgdn_fail(err, WGDN_ERANGE,
                                 "%s: %s of the model has the value %g; the features have extreme "
                                 "values, so the model is not written",
                                 path, t->name, x[k]);
    }
    return WGDN_OK;
}

/* "shared 2 -1 1 256 745 272 64": kind, scale, hops, weight, dim, rows, and, of shared ones, columns in between
 * and those that are not filtered */
static void add_part(wgdn_pairs *m, int i, const wgdn_fitted_part *p)
{
    char key[24], scale[32], weight[32], text[WGDN_PAIR_TEXT];
    wgdn_number_text(scale, sizeof scale, p->scale);
    wgdn_number_text(weight, sizeof weight, p->weight);
    snprintf(key, sizeof key, "part.%d", i);
    snprintf(text, sizeof text, "%s %s %d %s %" PRId64 " %" PRId64, kinds[p->kind], scale, p->hops,
             weight, p->dim, p->rows);
    if (p->kind == WGDN_PART_SHARED)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %" PRId64 " %" PRId64, p->inner,
                 p->own);
    wgdn_pairs_add(m, "wgdn.", key, text);
}

static void add_scales(wgdn_pairs *m, const wgdn_fitted *f)
{
    for (int t = 0; t < f->scales; t++) {
        char key[24], scale[32], agreement[32], text[WGDN_PAIR_TEXT];
        wgdn_number_text(scale, sizeof scale, f->scale[t]);
        wgdn_number_text(agreement, sizeof agreement, f->agreement[t]);
        snprintf(key, sizeof key, "scale.%d", t);
        snprintf(text, sizeof text, "%s %s", scale, agreement);
        wgdn_pairs_add(m, "wgdn.", key, text);
    }
}

/* "36.08 18.81": the loss in the first epoch and in the last */
static void add_refined(wgdn_pairs *m, const wgdn_fitted *f)
{
    char first[32], last[32], text[WGDN_PAIR_TEXT];
    if (!f->refined.in) return;
    wgdn_number_text(first, sizeof first, f->refined.loss[0]);
    wgdn_number_text(last, sizeof last, f->refined.loss[1]);
    snprintf(text, sizeof text, "%s %s", first, last);
    wgdn_pairs_add(m, "wgdn.", "refined", text);
}

wgdn_status wgdn_fitted_write(const wgdn_fitted *f, const char *encoding, const char *reading,
                              const wgdn_fitted_extra *extra, const char *path, wgdn_error *err)
{
    wgdn_pairs *m = wgdn_alloc_zero(1, sizeof *m);
    listing *l = wgdn_alloc_zero(1, sizeof *l);
    char text[32];
    wgdn_status st = WGDN_OK;
    if (!m || !l) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: list of tensors", path);
        goto done;
    }
    list_all(l, f);
    st = check_finite(l, path, err);
    if (st) goto done;
    wgdn_pairs_add(m, "wgdn.", "kind", "model");
    wgdn_pairs_add(m, "wgdn.", "method", "fitted");
    wgdn_pairs_add(m, "wgdn.", "version", "1");
    snprintf(text, sizeof text, "%" PRId64, f->features);
    wgdn_pairs_add(m, "wgdn.", "features", text);
    wgdn_pairs_lend(m, "wgdn.encoding", f->features ? encoding : NULL);
    wgdn_pairs_lend(m, "wgdn.reading", reading);
    wgdn_origin_add(m, &f->origin);
    for (int i = 0; i < f->parts; i++)
        add_part(m, i, &f->part[i]);
    add_scales(m, f);
    add_refined(m, f);
    if (f->graphs) {
        char blocks[WGDN_PAIR_TEXT];
        wgdn_graph_blocks_text(blocks, sizeof blocks, f->graphs->width);
        wgdn_pairs_add(m, "wgdn.", "graphs", blocks);
    }
    for (int64_t i = 0; extra && i < extra->tensors; i++)
        l->tensor[l->count++] = extra->tensor[i];
    for (int i = 0; extra && i < extra->pairs; i++)
        wgdn_pairs_add(m, "", extra->pair[i].key, extra->pair[i].value);
    st = wgdn_pairs_add_options(m, WGDN_OPTIONS_KIND_FIT, &f->options, err);
    if (!st) st = wgdn_write_safetensors(path, l->tensor, l->count, m->pair, m->count, err);

done:
    wgdn_release(l);
    wgdn_release(m);
    return st;
}

/* ---- reading ---- */

/* The next word of *text, as a number within bounds. */
static bool next_number(double *value, const char **text, double low, double high)
{
    char word[40];
    int used = 0;
    if (sscanf(*text, " %39s%n", word, &used) != 1 || !wgdn_number_read(value, word)) return false;
    *text += used;
    return *value >= low && *value <= high;
}

static bool read_part(wgdn_fitted_part *p, const char *text)
{
    double scale, hops, weight, dim, rows, inner = 0, own = 0;
    size_t kind = 0;
    while (kind < KINDS && (strncmp(text, kinds[kind], strlen(kinds[kind])) != 0 ||
                            text[strlen(kinds[kind])] != ' '))
        kind++;
    if (kind == KINDS) return false;
    text += strlen(kinds[kind]);
    if (!next_number(&scale, &text, 0, WGDN_SCALE_MAX) ||
        !next_number(&hops, &text, -1, WGDN_HOPS_MAX) ||
        !next_number(&weight, &text, 0, WGDN_PART_WEIGHT_MAX) ||
        !next_number(&dim, &text, 1, WGDN_DIM_MAX) || !next_number(&rows, &text, 1, WGDN_NODES_MAX))
        return false;
    if (kind == WGDN_PART_SHARED && (!next_number(&inner, &text, dim, WGDN_COLUMNS_MAX) ||
                                     !next_number(&own, &text, 0, dim - 1)))
        return false;
    *p = (wgdn_fitted_part){.kind = (wgdn_part_kind)kind,
                            .scale = scale,
                            .hops = (int)hops,
                            .weight = weight,
                            .dim = (int64_t)dim,
                            .rows = (int64_t)rows,
                            .inner = (int64_t)inner,
                            .own = (int64_t)own};
    return true;
}

static wgdn_status damaged(const char *path, const char *what, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s of a fitted model is missing or damaged", path,
                     what);
}

static const float vanishing = 1e-30F; /* rows of such numbers cannot be scaled to length 1 */

/* The matrix of a part: there with the right shape, or the reason why not. Finite, too. */
static wgdn_status fetch(float **out, const wgdn_tensor *shape, const wgdn_archive *a,
                         const char *path, wgdn_error *err)
{
    const int64_t rows = shape->shape[0], cols = shape->shape[1];
    const wgdn_tensor *there = wgdn_archive_find(a, shape->name);
    if (!there || there->rank != 2 || there->shape[0] != rows || there->shape[1] != cols)
        return damaged(path, shape->name, err); /* before anything is allocated for it */
    *out = wgdn_alloc((size_t)rows * (size_t)cols, sizeof **out);
    if (!*out) return wgdn_fail(err, WGDN_ENOMEM, "%s: %s", path, shape->name);
    const wgdn_status st = wgdn_tensor_fetch(*out, a, shape, path, err);
    float largest = 0;
    if (st) return st;
    for (int64_t i = 0; i < rows * cols; i++) {
        const float x = fabsf((*out)[i]);
        if (!(x <= WGDN_PARAMETER_MAX))
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: %s contains %g in row %lld; the file is corrupt", path,
                             shape->name, (*out)[i], (long long)(i / cols));
        if (x > largest) largest = x;
    }
    if (largest > 0 && largest < vanishing)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: all of %s is below %g; the file is corrupt", path,
                         shape->name, (double)vanishing);
    return WGDN_OK;
}

/* The basis that directions and types share: of the signal's columns, not of the part's. */
static wgdn_status fetch_signal(wgdn_fitted *f, const wgdn_archive *a, int i, const char *path,
                                wgdn_error *err)
{
    wgdn_fitted_part *p = &f->part[i];
    const int64_t width = p->dim / f->relations.count - 1;
    listing l = {.count = 0};
    if (f->features && p->rows != f->features) return damaged(path, "a basis", err);
    if (f->features && width > f->features) return damaged(path, "a basis", err);
    if (!f->features || width == f->features) return WGDN_OK; /* features as they are */
    return fetch(&p->basis, list(&l, "basis", i, NULL, p->rows, width), a, path, err);
}

/* Blocks of singular vectors: how wide they are, and their bases side by side. */
static wgdn_status fetch_blocks(wgdn_fitted *f, const wgdn_archive *a, int i, const char *path,
                                wgdn_error *err)
{
    wgdn_fitted_part *p = &f->part[i];
    float *numbers = NULL;
    listing l = {.count = 0};
    int64_t counts = 0;
    const wgdn_tensor *shape = list(&l, "blocks", i, NULL, f->relations.count, BLOCK);
    const wgdn_status st = fetch(&numbers, shape, a, path, err);
    p->block = (wgdn_block_facts *)(void *)numbers;
    if (st) return st;
    for (int64_t r = 0; r < f->relations.count; r++) {
        const wgdn_block_facts b = p->block[r];
        if (!(b.expected >= 0) || !(b.columns >= 0 && b.columns <= (float)p->dim) ||
            b.columns != truncf(b.columns) || (b.counted != 0 && b.counted != 1))
            return damaged(path, "a block", err);
        p->inner += (int64_t)b.columns;
        counts += (int64_t)b.counted;
    }
    if (p->inner < 1 || p->inner + counts != p->dim) return damaged(path, "a block", err);
    return fetch(&p->basis, list(&l, "basis", i, NULL, p->rows, p->inner), a, path, err);
}

/* What a part of features or structure has learned. */
static wgdn_status fitted_file_fetch_all(wgdn_fitted_part *p, const wgdn_archive *a, int i,
                                         int64_t features, const char *path, wgdn_error *err)
{
    const bool shared = p->kind == WGDN_PART_SHARED, structure = wgdn_part_is_structure(p);
    const int64_t columns = shared ? p->inner : p->dim;
    listing l = {.count = 0};
    wgdn_status st = WGDN_OK;
    if (p->kind == WGDN_PART_SIZES) {
        p->inner = 2;
        if (p->dim != WGDN_SIZES) return damaged(path, "the list of parts", err);
        return fetch(&p->map, list(&l, "map", i, NULL, p->inner, p->dim), a, path, err);
    }
    if (structure || columns < features)
        st = fetch(&p->basis, list(&l, "basis", i, NULL, p->rows, columns), a, path, err);
    if (!st && p->kind == WGDN_PART_TRANSITIONS)
        st = fetch(&p->offset, list(&l, "offset", i, NULL, p->rows, 1), a, path, err);
    if (!st && shared) st = fetch(&p->map, list(&l, "map", i, NULL, columns, p->dim), a, path, err);
    if (!st && shared) st = fetch(&p->center, list(&l, "centre", i, NULL, p->dim, 1), a, path, err);
    return st;
}

/* Names of directions and types, one behind another. */
static wgdn_status read_relations(wgdn_fitted *f, const wgdn_archive *a, const char *path,
                                  wgdn_error *err)
{
    if (!wgdn_archive_find(a, "relations.start")) return WGDN_OK;
    const wgdn_status st = wgdn_names_read(&f->relations, a, "relations", -1, path,
                                           "the list of relations of a fitted model", err);
    const bool good = f->relations.count > 0 && f->relations.count <= WGDN_RELATIONS_MAX;
    return st || good ? st : damaged(path, "the list of relations", err);
}

static wgdn_status read_keys(wgdn_fitted *f, const wgdn_archive *a, const char *path,
                             wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "keys");
    if (!t || t->dtype != WGDN_U64 || t->rank != 1 || t->shape[0] != f->known)
        return damaged(path, "the keys", err);
    f->key = wgdn_alloc((size_t)f->known, sizeof *f->key);
    if (!f->key) return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld keys", path, (long long)f->known);
    memcpy(f->key, t->data, (size_t)f->known * sizeof *f->key);
    for (int64_t i = 1; i < f->known; i++)
        if (f->key[i] < f->key[i - 1]) return damaged(path, "the order of the keys", err);
    return WGDN_OK;
}

/* Ids lie by key, then by bytes, which a search relies on. Models of before have none. */
static wgdn_status read_ids(wgdn_fitted *f, const wgdn_archive *a, const char *path,
                            wgdn_error *err)
{
    const int64_t n = f->known;
    f->options.ids = wgdn_archive_find(a, "ids.start") || wgdn_archive_find(a, "ids.text");
    if (!f->options.ids) return WGDN_OK;
    const wgdn_status st =
        wgdn_names_read(&f->ids, a, "ids", n, path, "the list of ids of a fitted model", err);
    for (int64_t i = 1; !st && i < n; i++)
        if (f->key[i] == f->key[i - 1] &&
            wgdn_text_compare(wgdn_names_get(&f->ids, i - 1), wgdn_names_get(&f->ids, i)) >= 0)
            return damaged(path, "the order of the ids", err);
    f->holds_ids = !st;
    return st;
}

static wgdn_status read_parts(wgdn_fitted *f, const wgdn_archive *a, const char *path,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int i = 0; i < WGDN_FIT_PARTS_MAX && !st; i++) {
        char key[24];
        snprintf(key, sizeof key, "wgdn.part.%d", i);
        const char *text = wgdn_archive_metadata(a, key);
        wgdn_fitted_part *p = &f->part[i];
        if (!text) break;
        if (!read_part(p, text)) return damaged(path, key, err);
        const bool structure = wgdn_part_is_structure(p);
        const bool related = p->kind == WGDN_PART_RELATED;
        const bool singular = p->kind == WGDN_PART_SINGULAR;
        if (singular && !f->relations.count) return damaged(path, key, err);
        if (related &&
            (!f->relations.count || p->dim % f->relations.count || p->dim < 2 * f->relations.count))
            return damaged(path, key, err);
        if (!structure && !related && (p->dim > f->features || p->inner > f->features))
            return damaged(path, key, err);
        if (structure && f->known && f->known != p->rows) return damaged(path, key, err);
        if (structure) f->known = p->rows;
        f->parts++;
        if (!structure && !related && p->rows != f->features) return damaged(path, key, err);
        st = related    ? fetch_signal(f, a, i, path, err)
             : singular ? fetch_blocks(f, a, i, path, err)
                        : fitted_file_fetch_all(p, a, i, f->features, path, err);
    }
    if (!st && f->parts == 0) return damaged(path, "the list of parts", err);
    if (!st && f->known) st = read_keys(f, a, path, err);
    return !st && f->known ? read_ids(f, a, path, err) : st;
}

/* What refines them, if the options say so. */
static wgdn_status read_refined(wgdn_fitted *f, const wgdn_archive *a, const char *path,
                                wgdn_error *err)
{
    const int64_t d = wgdn_fitted_width(f);
    const wgdn_tensor in = wgdn_tensor_of("refined.in", NULL, d, d);
    const wgdn_tensor out = wgdn_tensor_of("refined.out", NULL, d, d);
    const char *loss = wgdn_archive_metadata(a, "wgdn.refined");
    if (!f->options.refine) return WGDN_OK;
    if (f->parts != 1 || f->part[0].kind != WGDN_PART_SHARED || !loss ||
        !next_number(&f->refined.loss[0], &loss, 0, DBL_MAX) ||
        !next_number(&f->refined.loss[1], &loss, 0, DBL_MAX))
        return damaged(path, "what is refined", err);
    const wgdn_status st = fetch(&f->refined.in, &in, a, path, err);
    return st ? st : fetch(&f->refined.out, &out, a, path, err);
}

wgdn_status wgdn_fitted_read(wgdn_fitted **out, const wgdn_archive *a, const char *path,
                             wgdn_error *err)
{
    const char *features = wgdn_archive_metadata(a, "wgdn.features");
    double width = -1;
    wgdn_status st = wgdn_pairs_version(a, path, err);
    if (st) return st;
    wgdn_fitted *f = wgdn_alloc_zero(1, sizeof *f);
    if (!f) return wgdn_fail(err, WGDN_ENOMEM, "%s: a fitted model", path);
    wgdn_fit_options_init(&f->options);
    st = wgdn_pairs_read_options(&f->options, WGDN_OPTIONS_KIND_FIT, a, path, err);
    if (!st && (!features || !next_number(&width, &features, 0, WGDN_COLUMNS_MAX)))
        st = damaged(path, "the number of features", err);
    if (!st) f->features = (int64_t)width;
    if (!st) st = read_relations(f, a, path, err);
    if (!st)
        st = f->options.task == WGDN_TASK_GRAPH ? graph_form_read(&f->graphs, a, path, err)
                                                : read_parts(f, a, path, err);
    if (!st && !f->graphs) st = read_refined(f, a, path, err);
    if (!st) {
        f->origin = wgdn_origin_read(a);
        for (int t = 0; t < WGDN_FIT_SCALES; t++) {
            char key[24];
            snprintf(key, sizeof key, "wgdn.scale.%d", t);
            const char *text = wgdn_archive_metadata(a, key);
            if (!text || !next_number(&f->scale[t], &text, 0, WGDN_SCALE_MAX) ||
                !next_number(&f->agreement[t], &text, -1, 1))
                break;
            f->scales++;
        }
        wgdn_fit_show(f);
        *out = f;
    } else {
        wgdn_fitted_free(f);
    }
    return st;
}
