/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include <string.h>

wgdn_status wgdn_columns_open(wgdn_columns *c, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const size_t bytes = wgdn_size_product((size_t)in->rows.count, (size_t)k, sizeof(float));
    *c = (wgdn_columns){
        .rows = in->rows.count, .k = k, .width = wgdn_slab_width(in, k), .store.at = NULL};
    return wgdn_spill_open(&c->store, bytes, in->room.scratch, "columns of nodes", err);
}

void wgdn_columns_close(wgdn_columns *c)
{
    wgdn_spill_close(&c->store);
}

int64_t wgdn_columns_left(const wgdn_columns *c, int64_t at)
{
    return wgdn_min(c->width, c->k - at);
}

/* Floats before the slab that begins at column `at`. */
static int64_t before(const wgdn_columns *c, int64_t at)
{
    return c->rows * at;
}

static float *slab_at(const wgdn_columns *c, int64_t at)
{
    return (float *)c->store.at + before(c, at);
}

static void forget(const wgdn_columns *c, int64_t from, int64_t to)
{
    wgdn_spill_forget(&c->store, (size_t)from * sizeof(float), (size_t)to * sizeof(float));
}

/* The slab that begins at column `at`, there or back, a window at a time. */
static void move_slab(const wgdn_columns *c, int64_t at, float *to, const float *from)
{
    const int64_t width = wgdn_columns_left(c, at), window = 1 << 17;
    for (int64_t i = 0; i < c->rows; i += window) {
        const int64_t rows = wgdn_min(window, c->rows - i), place = before(c, at) + i * width;
        float *here = slab_at(c, at) + i * width;
        wgdn_copy(to ? to + i * width : here, from ? from + i * width : here, rows, width);
        forget(c, place, place + rows * width);
    }
}

float *wgdn_columns_at(const wgdn_columns *c, int64_t at)
{
    return c->store.in_file ? NULL : slab_at(c, at);
}

void wgdn_columns_put(wgdn_columns *c, int64_t at, const float *slab)
{
    move_slab(c, at, NULL, slab);
}

void wgdn_columns_get(float *slab, const wgdn_columns *c, int64_t at)
{
    move_slab(c, at, slab, NULL);
}

/* Rows between a chunk and the slabs: to, or from. */
typedef struct moving {
    const wgdn_columns *c;
    int64_t first;
    float *to;
    const float *from;
} moving;

static void move_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const moving *m = context;
    const int64_t k = m->c->k;
    (void)sums;
    for (int64_t at = 0; at < k; at += m->c->width) {
        const int64_t width = wgdn_columns_left(m->c, at);
        float *slab = slab_at(m->c, at) + m->first * width;
        for (int64_t i = first; i < first + count; i++) {
            float *here = slab + i * width;
            memcpy(m->to ? m->to + i * k + at : here, m->from ? m->from + i * k + at : here,
                   (size_t)width * sizeof *here);
        }
    }
}

static void move_chunk(moving *m, int64_t count)
{
    const wgdn_columns *c = m->c;
    wgdn_for_blocks(wgdn_alone(count), move_rows, m, NULL, 0, NULL);
    for (int64_t at = 0; at < c->k; at += c->width) {
        const int64_t from = before(c, at) + m->first * wgdn_columns_left(c, at);
        forget(c, from, from + count * wgdn_columns_left(c, at));
    }
}

void wgdn_columns_put_rows(wgdn_columns *c, int64_t first, int64_t count, const float *rows)
{
    move_chunk(&(moving){.c = c, .first = first, .from = rows}, count);
}

void wgdn_columns_get_rows(float *rows, const wgdn_columns *c, int64_t first, int64_t count)
{
    move_chunk(&(moving){.c = c, .first = first, .to = rows}, count);
}

void wgdn_columns_map(wgdn_columns *to, const wgdn_columns *from, wgdn_slab_call make, void *self,
                      float *x, float *y)
{
    for (int64_t at = 0; at < to->k; at += to->width) {
        wgdn_columns_get(x, from, at);
        wgdn_columns_put(to, at, make(x, y, wgdn_columns_left(to, at), self));
    }
}
