/* SPDX-License-Identifier: Apache-2.0 */
/* A draft to read into, and what must hold for every dataset that comes of one. */
#ifndef WGDN_FUZZ_DRAFT_H
#define WGDN_FUZZ_DRAFT_H

#include "fuzz.h"

#include "data/draft.h"

#include <math.h>
#include <string.h>

typedef struct fuzz_case {
    wgdn_dataset_options o;
    wgdn_draft w;
    wgdn_error err;
    int64_t live;
} fuzz_case;

static inline void fuzz_begin(fuzz_case *c)
{
    c->live = wgdn_alloc_live();
    c->err.message[0] = '\0';
    wgdn_dataset_options_init(&c->o);
    c->o.features = "input";
    c->o.max_nodes = 1 << 12;
    c->o.max_entries = 1 << 16;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    FUZZ_EXPECT(d);
    d->graphs = 1;
    wgdn_draft_open(&c->w, d, &c->o);
}

static inline void fuzz_look(const wgdn_dataset *d)
{
    const wgdn_csr *a = &d->graph->adjacency;
    FUZZ_EXPECT(wgdn_rows_check(a, wgdn_csr_entries(a), "graph", "", NULL) == WGDN_OK);
    FUZZ_EXPECT(wgdn_symmetry_check(a, "", NULL) == WGDN_OK);
    FUZZ_EXPECT(wgdn_graphs_check(d, "", NULL) == WGDN_OK);
    FUZZ_EXPECT(d->nodes == a->rows && d->nodes > 0);
    for (int64_t k = 0; a->value && k < wgdn_csr_entries(a); k++)
        FUZZ_EXPECT(a->value[k] > 0 && isfinite(a->value[k]));
    if (d->features.width > 0 && !d->features.dense) {
        const wgdn_csr *s = &d->features.sparse;
        FUZZ_EXPECT(wgdn_rows_check(s, wgdn_csr_entries(s), "features", "", NULL) == WGDN_OK);
        for (int64_t k = 0; s->value && k < wgdn_csr_entries(s); k++)
            FUZZ_EXPECT(isfinite(s->value[k]));
    }
    for (int64_t i = 0; i < d->nodes; i++) {
        char buffer[WGDN_INDEX_TEXT];
        FUZZ_EXPECT(wgdn_dataset_seek(d, wgdn_dataset_name(d, i, buffer)) == i);
        FUZZ_EXPECT(wgdn_dataset_label(d, i) < d->classes || d->classes == 0);
        for (int64_t k = 0; k < d->splits && k < 4; k++)
            FUZZ_EXPECT((unsigned)wgdn_dataset_split(d, k, i) <= WGDN_SPLIT_TEST);
    }
    for (int64_t g = 0; g < d->graphs; g++)
        FUZZ_EXPECT(wgdn_dataset_graph_label(d, g) < d->graph_classes || d->graph_classes == 0);
}

static inline wgdn_input fuzz_input(const void *data, size_t size)
{
    return (wgdn_input){.data = data, .size = size, .name = "input"};
}

/* Finish what was read without error, look at it, and leave nothing behind. */
static inline void fuzz_end(fuzz_case *c, wgdn_status st)
{
    if (!st) st = wgdn_draft_finish(&c->w, "input", &c->err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT || st == WGDN_ERANGE);
    FUZZ_EXPECT(st == WGDN_OK || strlen(c->err.message) > 0);
    if (!st) fuzz_look(c->w.d);
    wgdn_draft_close(&c->w);
    wgdn_dataset_free(c->w.d);
    FUZZ_EXPECT(wgdn_alloc_live() == c->live);
}

typedef wgdn_status fuzz_parser(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

/* A reader of one file of text; what it finds may become features. */
static inline void fuzz_parse(fuzz_parser *parse, const uint8_t *data, size_t size)
{
    fuzz_case c;
    fuzz_begin(&c);
    c.o.features = NULL;
    const wgdn_input in = fuzz_input(data, size);
    fuzz_end(&c, parse(&c.w, &in, &c.err));
}

/* Several files in one input, a form feed between them; absent ones have no data. */
static inline void fuzz_files(wgdn_bytes *const *file, int files, const uint8_t *data, size_t size)
{
    for (int i = 0; i < files; i++) {
        const uint8_t *end = size ? memchr(data, '\f', size) : NULL;
        const size_t length = end ? (size_t)(end - data) : size;
        *file[i] = (wgdn_bytes){.data = data, .size = length, .name = "input"};
        if (!end) return;
        data = end + 1;
        size -= length + 1;
    }
}

#endif
