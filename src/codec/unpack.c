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

static wgdn_status grow(wgdn_bytes *b, size_t *room, size_t limit, wgdn_error *err)
{
    size_t wider;
    if (!wgdn_size_mul(&wider, *room, 2) || wider > limit) wider = limit;
    void *next = wgdn_alloc(wider, 1);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b->name, wider);
    if (b->size) memcpy(next, b->block, b->size);
    wgdn_release(b->block);
    b->data = b->block = next;
    *room = wider;
    return WGDN_OK;
}

static wgdn_status broken(const wgdn_packing *p, const char *why, const char *name, size_t used,
                          wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s stream broken at byte %zu: %s",
                     wgdn_show_name(name).text, p->name, used, why ? why : "the data is wrong");
}

/* One stream from in + *used on; more room is made whenever the unpacked bytes fill it. */
static wgdn_status unpack_stream(wgdn_bytes *b, size_t *room, const wgdn_packing *p, void *state,
                                 const wgdn_bytes *in, size_t *used, size_t limit, wgdn_error *err)
{
    unsigned char beyond; /* room for the byte that must not come */
    for (;;) {
        const wgdn_status st =
            b->size == *room && *room < limit ? grow(b, room, limit, err) : WGDN_OK;
        if (st) return st;
        const bool full = b->size == *room;
        wgdn_flow f = {.in = in->data + *used,
                       .in_left = in->size - *used,
                       .out = full ? &beyond : (unsigned char *)b->block + b->size,
                       .out_left = full ? 1 : *room - b->size};
        const size_t in_before = f.in_left, out_before = f.out_left;
        const wgdn_step step = p->step(state, &f);
        *used += in_before - f.in_left;
        if (full && f.out_left == 0)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: unpacks to more than the %zu bytes allowed",
                             b->name, limit);
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

wgdn_status wgdn_unpack(wgdn_bytes *out, const wgdn_packing *p, const wgdn_bytes *in, size_t limit,
                        wgdn_error *err)
{
    wgdn_bytes b = {.name = in->name};
    void *state = NULL;
    size_t used = 0, room = 0;
    wgdn_status st = WGDN_OK;

    if (!p->open) return not_built(p, in->name, err);
    /* Text packs four to eight times. */
    if (!wgdn_size_mul(&room, in->size, 4) || room > limit) room = limit;
    b.data = b.block = wgdn_alloc(room, 1);
    if (!b.block || !p->open(&state)) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b.name, room);
        goto done;
    }
    for (;;) {
        st = unpack_stream(&b, &room, p, state, in, &used, limit, err);
        if (st) goto done;
        if (used == in->size) break;
        if (!p->is(in->data + used, in->size - used)) {
            st = wgdn_fail(err, WGDN_EFORMAT,
                           "%s: %zu bytes follow the %s stream at byte %zu; expected the end",
                           b.name, in->size - used, p->name, used);
            goto done;
        }
        if (!p->again(state)) {
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", b.name);
            goto done;
        }
    }
    *out = b;
    b = (wgdn_bytes){0};

done:
    if (state) p->close(state);
    wgdn_bytes_free(&b);
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
