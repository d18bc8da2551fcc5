/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an edge list: as it is, or unpacked into the scratch folder. */
#include "codec/foreign.h"
#include "codec/unpack.h"
#include "edge_pack.h"

enum { BUFFER = 1 << 18, RATIO = 4 }; /* text packs four times and better */

static const char text_name[] = "text";

static wgdn_status put(void *user, const void *data, size_t size, wgdn_error *err)
{
    return wgdn_tape_put(user, data, size, err);
}

static wgdn_status unpack(wgdn_source *s, wgdn_draft *w, const wgdn_packing *packing,
                          const wgdn_bytes *raw, wgdn_error *err)
{
    const char *path = raw->name;
    wgdn_tape to = {.fd = -1};
    uint64_t unused;
    wgdn_status st = wgdn_scratch_open(&w->d->scratch, w->o->scratch, path, err);
    if (st) return st;
    st = wgdn_tape_create(&to, w->d->scratch, text_name, BUFFER, err);
    if (!st)
        st = wgdn_unpack_to(&(wgdn_sink){put, &to}, packing, raw, (size_t)w->o->max_bytes, err);
    if (!st) st = wgdn_tape_finish(&to, &unused, err);
    wgdn_tape_close(&to);
    if (!st) st = wgdn_scratch_map(&s->file, w->d->scratch, text_name, err);
    s->file.name = s->name = path;
    s->data = s->file.data;
    s->size = s->file.size;
    return st ? st : wgdn_foreign_refuse(s->data, s->size, path, err);
}

wgdn_status wgdn_pack_source(wgdn_source *s, wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_bytes raw = {0};
    const wgdn_packing *packing = NULL;
    *s = (wgdn_source){.name = path};
    if (w->o->memory > 0 && wgdn_path_is_file(path)) {
        const wgdn_status st = wgdn_bytes_map(&raw, path, err);
        if (st) return st;
        packing = wgdn_packing_of(raw.data, raw.size);
    }
    const bool needed = packing && wgdn_pack_needed(w->o, RATIO * (int64_t)raw.size);
    wgdn_status st = WGDN_OK;
    if (needed) st = unpack(s, w, packing, &raw, err);
    wgdn_bytes_free(&raw);
    if (needed && st) wgdn_source_free(s);
    return needed ? st : wgdn_source_read(s, path, w->o->max_bytes, err);
}
