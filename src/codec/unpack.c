/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include "source.h"
#include "text.h"

#include <string.h>

static const wgdn_packing *const packings[] = {&wgdn_packing_gzip, &wgdn_packing_zstd,
                                               &wgdn_packing_xz, &wgdn_packing_bzip2, NULL};

const wgdn_packing *wgdn_packing_of(const unsigned char *data, size_t size)
{
    const wgdn_packing *const *p = packings;
    while (*p && !(*p)->is(data, size))
        p++;
    return *p;
}

size_t wgdn_packing_stem(const char *path)
{
    for (const wgdn_packing *const *p = packings; *p; p++)
        if (wgdn_path_ends(path, (*p)->suffix)) return strlen(path) - strlen((*p)->suffix);
    return strlen(path);
}

/* Where the bytes go: all of them into memory, or a buffer after another to a sink. */
typedef struct target {
    wgdn_bytes b;
    size_t room, limit;
    size_t gone; /* bytes that the sink has */
    const wgdn_sink *sink;
} target;

static wgdn_status grow(target *t, wgdn_error *err)
{
    wgdn_bytes *const b = &t->b;
    size_t wider;
    if (!wgdn_size_mul(&wider, t->room, 2) || wider > t->limit) wider = t->limit;
    void *next = wgdn_alloc(wider, 1);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b->name, wider);
    if (b->size) memcpy(next, b->block, b->size);
    wgdn_release(b->block);
    b->data = b->block = next;
    t->room = wider;
    return WGDN_OK;
}

static wgdn_status flush(target *t, wgdn_error *err)
{
    const size_t size = t->b.size;
    t->gone += size;
    t->b.size = 0;
    if (t->room > t->limit - t->gone) t->room = t->limit - t->gone;
    return t->sink->put(t->sink->user, t->b.block, size, err);
}

static wgdn_status make_room(target *t, wgdn_error *err)
{
    if (t->b.size < t->room) return WGDN_OK;
    if (t->sink) return t->b.size ? flush(t, err) : WGDN_OK;
    return t->room < t->limit ? grow(t, err) : WGDN_OK;
}

static wgdn_status broken(const wgdn_packing *p, const char *why, const char *name, size_t used,
                          wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s stream broken at byte %zu: %s",
                     wgdn_show_name(name).text, p->name, used, why ? why : "the data is wrong");
}

/* One stream from in + *used on; more room is made whenever the unpacked bytes fill it. */
static wgdn_status unpack_stream(target *t, const wgdn_packing *p, void *state,
                                 const wgdn_bytes *in, size_t *used, wgdn_error *err)
{
    wgdn_bytes *const b = &t->b;
    unsigned char beyond; /* room for the byte that must not come */
    for (;;) {
        const wgdn_status st = make_room(t, err);
        if (st) return st;
        const bool full = b->size == t->room;
        wgdn_flow f = {.in = in->data + *used,
                       .in_left = in->size - *used,
                       .out = full ? &beyond : (unsigned char *)b->block + b->size,
                       .out_left = full ? 1 : t->room - b->size};
        const size_t in_before = f.in_left, out_before = f.out_left;
        const wgdn_step step = p->step(state, &f);
        if (t->sink) wgdn_bytes_forget(in, *used, *used + in_before - f.in_left);
        *used += in_before - f.in_left;
        if (full && f.out_left == 0)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: unpacks to more than the %zu bytes allowed",
                             b->name, t->limit);
        b->size += out_before - f.out_left;
        if (step == WGDN_STEP_END) return WGDN_OK;
        if (step == WGDN_STEP_NO_MEMORY)
            return wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", b->name);
        if (step == WGDN_STEP_BROKEN) return broken(p, f.why, b->name, *used, err);
        if (f.in_left == 0 && f.out_left > 0)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: %s stream cut short at byte %zu: fetch the file again", b->name,
                             p->name, *used);
        if (f.in_left == in_before && f.out_left == out_before)
            return broken(p, f.why, b->name, *used, err);
    }
}

static wgdn_status not_built(const wgdn_packing *p, const char *name, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "%s: packed with %s, which this build does not read: install %s and build "
                     "again, or pipe it in: %s -dc FILE | wgdn info -",
                     wgdn_show_name(name).text, p->name, p->package, p->name);
}

/* All streams, one behind another. */
static wgdn_status unpack_all(target *t, const wgdn_packing *p, const wgdn_bytes *in,
                              wgdn_error *err)
{
    void *state = NULL;
    size_t used = 0;
    wgdn_status st = WGDN_OK;

    if (!p->open) return not_built(p, in->name, err);
    t->b.name = in->name;
    t->b.data = t->b.block = wgdn_alloc(t->room, 1);
    if (!t->b.block || !p->open(&state))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", in->name, t->room);
    for (;;) {
        st = unpack_stream(t, p, state, in, &used, err);
        if (st || used == in->size) break;
        if (!p->is(in->data + used, in->size - used)) {
            st = wgdn_fail(err, WGDN_EFORMAT,
                           "%s: %zu bytes follow the %s stream at byte %zu; expected the end",
                           in->name, in->size - used, p->name, used);
            break;
        }
        if (!p->again(state)) {
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", in->name);
            break;
        }
    }
    if (!st && t->sink) st = flush(t, err);
    p->close(state);
    return st;
}

wgdn_status wgdn_unpack(wgdn_bytes *out, const wgdn_packing *p, const wgdn_bytes *in, size_t limit,
                        wgdn_error *err)
{
    target t = {.limit = limit};
    /* Text packs four to eight times. */
    if (!wgdn_size_mul(&t.room, in->size, 4) || t.room > limit) t.room = limit;
    const wgdn_status st = unpack_all(&t, p, in, err);
    if (st)
        wgdn_bytes_free(&t.b);
    else
        *out = t.b;
    return st;
}

wgdn_status wgdn_unpack_to(const wgdn_sink *sink, const wgdn_packing *p, const wgdn_bytes *in,
                           size_t limit, wgdn_error *err)
{
    const size_t buffer = (size_t)1 << 18;
    target t = {.limit = limit, .room = limit < buffer ? limit : buffer, .sink = sink};
    const wgdn_status st = unpack_all(&t, p, in, err);
    wgdn_bytes_free(&t.b);
    return st;
}

size_t wgdn_unpack_start(void *out, size_t room, const wgdn_packing *p, const void *in, size_t size)
{
    wgdn_flow f = {.in = in, .in_left = size, .out = out, .out_left = room};
    void *state = NULL;
    size_t before;
    if (!p->open || !p->open(&state)) return 0;
    do
        before = f.in_left + f.out_left;
    while (p->step(state, &f) == WGDN_STEP_MORE && f.out_left > 0 && f.in_left > 0 &&
           f.in_left + f.out_left < before);
    p->close(state);
    return room - f.out_left;
}
