/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an edge list with a limit of memory: the text to sorted runs, the runs to the rows of the
 * graph in scratch files, which the dataset then maps. After each stage, and after each block of the
 * text, it saves a manifest, so that a run that was killed resumes.
 */
#define _DEFAULT_SOURCE
#include "edge_list_pack.h"
#include "io/source.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* ---- the state ---- */

bool wgdn_pack_needed(const wgdn_dataset_options *o, int64_t size)
{
    return o->memory > 0 && size > o->memory / WGDN_PACK_TIMES;
}

wgdn_status wgdn_pack_report(const wgdn_pack *p, double part, wgdn_error *err)
{
    const wgdn_watch *watch = &p->in->watch;
    const int64_t all = (int64_t)p->in->size;
    if (!watch->tell || watch->tell(watch->user, (int64_t)(part * (double)all), all) == 0)
        return WGDN_OK;
    return wgdn_fail_in(err, WGDN_ESTOPPED, p->in->name, "stopped on request");
}

wgdn_status wgdn_pack_save(wgdn_pack *p, wgdn_error *err)
{
    _Static_assert(sizeof p->state <= sizeof p->manifest.state, "a manifest keeps the state");
    p->saved = p->state;
    memcpy(p->manifest.state, &p->state, sizeof p->state);
    return wgdn_manifest_save(&p->manifest, p->scratch, err);
}

wgdn_status wgdn_pack_finish(wgdn_pack *p, wgdn_tape *t, const char *name, wgdn_error *err)
{
    wgdn_piece piece = {.bytes = t->size};
    const wgdn_status st = wgdn_tape_finish(t, &piece.hash, err);
    snprintf(piece.name, sizeof piece.name, "%s", name);
    return st ? st : wgdn_manifest_add(&p->manifest, &piece, err);
}

void wgdn_pack_unlist(wgdn_pack *p, const char *kind)
{
    wgdn_manifest *const m = &p->manifest;
    int64_t kept = 0;
    for (int64_t i = 0; i < m->pieces; i++) {
        const char *name = m->piece[i].name;
        if (kind ? strncmp(name, kind, strlen(kind)) != 0 : name[0] != '\0')
            m->piece[kept++] = m->piece[i];
    }
    m->pieces = kept;
}

/* ---- resuming an earlier run ---- */

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? XXH3_64bits_withSeed(text, strlen(text) + 1, hash) : hash * 31 + 7;
}

/* A digest of the input and of the options that change the result. */
static wgdn_status find_digest(uint64_t *digest, const wgdn_pack *p, wgdn_error *err)
{
    const wgdn_dataset_options *o = p->w->o;
    struct stat s;
    if (wgdn_system_stat(p->in->name, &s) != 0)
        return wgdn_fail_in(err, WGDN_EIO, p->in->name, "cannot be examined");
    const int64_t number[] = {(int64_t)s.st_size,
                              (int64_t)s.st_mtim.tv_sec,
                              (int64_t)s.st_mtim.tv_nsec,
                              (int64_t)s.st_ino,
                              o->header,
                              o->bipartite,
                              o->strict,
                              o->weights,
                              o->memory,
                              o->max_nodes,
                              o->max_entries,
                              p->w->array_rows};
    uint64_t hash = XXH3_64bits(number, sizeof number);
    for (const char *const *more = o->more; more && *more; more++) {
        if (wgdn_system_stat(*more, &s) != 0)
            return wgdn_fail(err, WGDN_EIO, "%s: cannot be examined", wgdn_show_name(*more).text);
        const int64_t other[] = {(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
                                 (int64_t)s.st_mtim.tv_nsec, (int64_t)s.st_ino};
        hash = XXH3_64bits_withSeed(other, sizeof other, hash);
    }
    const char *const text[] = {wgdn_version(), o->source,    o->target,
                                o->weight,      o->separator, o->decimal};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        hash = add_text(hash, text[i]);
    *digest = hash;
    return WGDN_OK;
}

/* Marks the nodes of a run; p->broken for a node that is out of range. */
static void check_records(void *user, const uint64_t *record, int64_t count, int words)
{
    wgdn_pack *const p = user;
    const int64_t reach = p->bits.word ? p->bits.reach : p->state.nodes;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t key = record[i * words];
        const int64_t row = (int64_t)(key >> 32), column = (int64_t)(key & UINT32_MAX) >> 1;
        p->broken = p->broken || row >= reach || column >= reach;
        if (p->broken || !p->bits.word) continue;
        wgdn_bits_set(&p->bits, row);
        wgdn_bits_set(&p->bits, column);
    }
}

/* Whether a manifest's numbers can be those of a run over this input. */
static bool is_possible(const wgdn_pack_state *s, const wgdn_pack *p)
{
    const int64_t count[] = {s->at,   s->line,  s->edges,  s->loops, s->zeros, s->other_weights,
                             s->rows, s->nodes, s->entries};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        if (count[i] < 0 || count[i] > INT64_MAX / 16) return false;
    return s->stage >= WGDN_PACK_READING && s->stage <= WGDN_PACK_ROWS &&
           s->mode >= WGDN_PACK_INTEGERS && s->mode <= WGDN_PACK_TEXT &&
           s->at <= (int64_t)p->in->size && s->nodes <= p->w->o->max_nodes &&
           s->edges <= p->w->o->max_entries && s->header >= WGDN_HEADER_AUTO &&
           s->header <= WGDN_HEADER_YES && (s->stage < WGDN_PACK_ROWS || s->nodes > 0) &&
           (s->mode != WGDN_PACK_FIXED || s->nodes == p->w->array_rows);
}

/* Whether all files of the manifest are unchanged. */
static bool verify(wgdn_pack *p)
{
    bool good = true, runs = false;
    for (int64_t i = 0; i < p->manifest.pieces && good; i++) {
        const wgdn_piece *f = &p->manifest.piece[i];
        int64_t size = 0;
        uint64_t hash = 0;
        runs = runs || !f->name[0];
        if (f->name[0])
            good = wgdn_tape_digest(p->scratch, f->name, &size, &hash) && size == f->bytes &&
                   hash == f->hash;
    }
    return good && (!runs || wgdn_sorter_verify(p->scratch, &p->manifest, check_records, p)) &&
           !p->broken;
}

static wgdn_status open_bits(wgdn_pack *p, wgdn_error *err)
{
    const int64_t reach = p->memory < INT32_MAX ? p->memory : INT32_MAX - 1;
    wgdn_bits_close(&p->bits);
    if (p->state.mode != WGDN_PACK_INTEGERS || wgdn_bits_open(&p->bits, reach)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "a bit for each id below %lld", (long long)reach);
}

wgdn_status wgdn_pack_restart(wgdn_pack *p, wgdn_pack_mode mode, wgdn_error *err)
{
    wgdn_scratch_clear(p->scratch);
    p->manifest.pieces = 0;
    p->state = (wgdn_pack_state){
        .mode = mode, .header = p->y->header, .inferred = p->y->inferred, .kinds = p->kinds};
    if (mode == WGDN_PACK_FIXED) p->state.nodes = p->w->array_rows;
    wgdn_edges_clear(&p->w->edges);
    p->alones = 0;
    return open_bits(p, err);
}

/* Ids that are in both columns are two nodes. */
static void set_kinds(wgdn_pack *p)
{
    p->kinds = p->y->bipartite = true;
    p->y->undecided = false;
}

/* Resumes where an earlier run of the same input and options stopped. */
static wgdn_status resume(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = find_digest(&p->manifest.digest, p, err);
    if (st) return st;
    if (wgdn_manifest_load(&p->manifest, p->scratch)) {
        memcpy(&p->state, p->manifest.state, sizeof p->state);
        const bool possible = is_possible(&p->state, p);
        st = possible ? open_bits(p, err) : WGDN_OK;
        if (st) return st;
        p->resumed = possible && verify(p);
        if (p->resumed) {
            p->y->header = (wgdn_header)p->state.header;
            p->y->inferred = p->state.inferred != 0;
            if (p->y->inferred) st = wgdn_edge_layout_assign(p->y, p->in->name, p->w->o, err);
            if (p->state.kinds) set_kinds(p);
            return st;
        }
    }
    return wgdn_pack_restart(p, p->w->array_rows ? WGDN_PACK_FIXED : WGDN_PACK_INTEGERS, err);
}

/* ---- the stages ---- */

static wgdn_status read_runs(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (p->state.mode != WGDN_PACK_TEXT) st = wgdn_pack_read_integers(p, err);
    if (p->leave) {
        p->leave = false;
        st = wgdn_pack_restart(p, WGDN_PACK_TEXT, err);
    }
    if (!st && p->state.mode == WGDN_PACK_TEXT) st = wgdn_pack_read_text(p, err);
    char name[200];
    if (!st && wgdn_bytes_changed(p->file, name, sizeof name))
        st = wgdn_fail_in(err, WGDN_EIO, p->in->name, "was changed while it was read; start again");
    if (st) return st;
    p->state.stage = WGDN_PACK_SORTED;
    return wgdn_pack_save(p, err);
}

static wgdn_status read_all(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (p->state.stage < WGDN_PACK_SORTED) st = read_runs(p, err);
    return st || p->state.stage >= WGDN_PACK_ROWS ? st : wgdn_pack_write_rows(p, err);
}

/* ---- the result ---- */

static wgdn_status map_file(const void **out, wgdn_pack *p, const char *name, int64_t size,
                            wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_scratch_map(&b, p->scratch, name, err);
    *out = b.data;
    if (!st && b.size != (size_t)size)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s/%s: %zu bytes, expected %lld; start again",
                       p->scratch->folder, name, b.size, (long long)size);
    if (!st) st = wgdn_archive_keep(&p->w->d->archive, &b, err);
    wgdn_bytes_free(&b);
    return st;
}

/* Files of an earlier run are checked like a packed dataset. */
static wgdn_status check_graph(const wgdn_pack *p, const wgdn_csr *a, wgdn_error *err)
{
    const char *name = p->scratch->folder;
    wgdn_status st = wgdn_rows_check(a, p->state.entries, "graph", name, err);
    if (!st && a->value) st = wgdn_weights_check(a->value, p->state.entries, name, err);
    return st ? st : wgdn_symmetry_check(a, name, err);
}

static wgdn_status make_graph(wgdn_pack *p, wgdn_error *err)
{
    wgdn_dataset *const d = p->w->d;
    const void *offset = NULL, *column = NULL, *value = NULL;
    d->archive.sparing = true;
    const int64_t rows = p->state.nodes, entries = p->state.entries;
    wgdn_status st = map_file(&offset, p, "offset", 8 * (rows + 1), err);
    if (!st) st = map_file(&column, p, "column", 4 * entries, err);
    if (!st && p->state.valued) st = map_file(&value, p, "value", 4 * entries, err);
    const wgdn_csr a = {.rows = rows,
                        .cols = rows,
                        .offset = (int64_t *)(uintptr_t)offset,
                        .column = (int32_t *)(uintptr_t)column,
                        .value = (float *)(uintptr_t)value};
    if (!st && p->resumed) st = check_graph(p, &a, err);
    if (!st) st = wgdn_graph_from_rows(&d->graph, &a, true, err);
    wgdn_archive_forget(&d->archive);
    return st;
}

static wgdn_status make_ids(wgdn_pack *p, wgdn_error *err)
{
    wgdn_dataset *const d = p->w->d;
    const void *start = NULL, *text = NULL;
    const int64_t nodes = p->state.nodes;
    if (!p->state.named) return WGDN_OK;
    wgdn_status st = map_file(&start, p, "ids.start", 8 * (nodes + 1), err);
    const int64_t *const at = start;
    if (!st) st = map_file(&text, p, "ids.text", at[nodes], err);
    for (int64_t i = 0; i < nodes && p->resumed && !st; i++)
        if (at[0] != 0 || at[i] > at[i + 1] || at[i + 1] > at[nodes])
            st = wgdn_fail(err, WGDN_EFORMAT, "%s/ids.start: id %lld is out of order; start again",
                           p->scratch->folder, (long long)i);
    if (st) return st;
    d->named = true;
    wgdn_ids_borrow(&d->ids, p->state.nodes, start, text);
    d->ids.numeric = p->state.named == 1;
    return p->w->o->labels || p->w->o->splits ? wgdn_ids_index(&d->ids, err) : WGDN_OK;
}

static wgdn_status make_dataset(wgdn_pack *p, wgdn_error *err)
{
    const wgdn_pack_state *s = &p->state;
    wgdn_dataset *const d = p->w->d;
    d->nodes = s->nodes;
    wgdn_status st = make_graph(p, err);
    if (!st) st = make_ids(p, err);
    if (st) return st;
    d->summed = s->summed != 0;
    d->weight_range[0] = s->valued ? s->range[0] : 1;
    d->weight_range[1] = s->valued ? s->range[1] : 1;
    d->counts.edges_read = s->edges + s->zeros;
    d->counts.self_loops = s->loops;
    d->counts.repeats = s->edges - s->loops - s->entries / 2;
    d->counts.zero_weights = s->zeros;
    d->counts.other_weights = s->other_weights;
    p->w->edges.count = s->edges; /* for remarks; the edges themselves are gone */
    p->w->edges.zero_weights = s->zeros;
    p->w->edges.dropped = s->dropped;
    p->w->ids.count = s->nodes;
    p->w->streamed = true;
    return WGDN_OK;
}

wgdn_status wgdn_edge_pack(wgdn_draft *w, const wgdn_input *in, const wgdn_bytes *file,
                           wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_pack p = {.w = w, .in = in, .file = file, .y = y, .memory = w->o->memory};
    p.scratch = w->d->scratch;
    p.quiet = *in;
    p.quiet.watch = (wgdn_watch){0};
    p.sorter.fd = -1;
    wgdn_status st = WGDN_OK;
    if (!p.scratch) st = wgdn_scratch_open(&p.scratch, w->o->scratch, in->name, err);
    w->d->scratch = p.scratch; /* goes with the dataset, whatever becomes of it */
    if (!st) st = resume(&p, err);
    if (!st) st = read_all(&p, err);
    if (!st && y->undecided && p.state.both) { /* once more, with names of two kinds */
        set_kinds(&p);
        st = wgdn_pack_restart(&p, WGDN_PACK_TEXT, err);
        if (!st) st = read_all(&p, err);
    }
    wgdn_bits_close(&p.bits);
    wgdn_release(p.alone);
    wgdn_edges_free(&w->edges);
    wgdn_alloc_trim();
    if (!st) st = make_dataset(&p, err);
    if (st == WGDN_ESTOPPED) { /* the same again goes on from here */
        wgdn_scratch_close(w->d->scratch);
        w->d->scratch = NULL;
    }
    wgdn_manifest_free(&p.manifest);
    return st;
}
